//! The board drawn as text, for terminals.

use super::board::Board;
use super::piece::Piece;
use std::fmt;

/// The character carved on a piece, as the diagrams show it: Red's and Black's differ.
const GLYPHS: [char; Piece::KINDS] = ['帥', '仕', '相', '傌', '俥', '炮', '兵', '將', '士', '象', '馬', '車', '砲', '卒'];

impl fmt::Display for Board {
    /// The board with its lines. A piece is one wide character; an empty crossing is as wide.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..10).rev() {
            write!(f, "{rank} ")?;
            for file in 0..9 {
                match self.at(rank * 9 + file) {
                    Some(piece) => write!(f, "{}", GLYPHS[piece.index()])?,
                    None => {
                        let corner = match (rank, file) {
                            (9, 0) => '┌',
                            (9, 8) => '┐',
                            (0, 0) => '└',
                            (0, 8) => '┘',
                            (_, 0) => '├',
                            (_, 8) => '┤',
                            (9 | 4, _) => '┬',
                            (0 | 5, _) => '┴',
                            _ => '┼',
                        };
                        write!(f, "{corner}{}", if file < 8 { '─' } else { ' ' })?;
                    }
                }
                if file < 8 {
                    f.write_str("──")?;
                }
            }
            writeln!(f)?;
            match rank {
                0 => {}
                5 => writeln!(f, "  │       楚  河          漢  界      │")?,
                9 | 2 => writeln!(f, "  │   │   │   │ ╲ │ ╱ │   │   │   │")?,
                8 | 1 => writeln!(f, "  │   │   │   │ ╱ │ ╲ │   │   │   │")?,
                _ => writeln!(f, "  │   │   │   │   │   │   │   │   │")?,
            }
        }
        write!(f, "  a   b   c   d   e   f   g   h   i")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_diagram_has_a_line_a_rank_and_a_river() {
        let drawn = Board::default().to_string();
        assert_eq!(drawn.lines().count(), 20);
        assert!(drawn.contains('楚') && drawn.starts_with("9 車──馬──象──士──將──士──象──馬──車"));
    }
}
