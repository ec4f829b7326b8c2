//! A position of xiangqi drawn with letters: after `setup:` ten rows from black's end, each a list of up to nine cells, each `[]` or the letter of a piece
//! (capital for red; `h` and `e` are horse and elephant) with arrows after it, which are ignored. Source: files of the format.

use super::squares::Squares;
use crate::message;
use crate::record::Record;
use crate::record::builder::Partial;
use crate::record::fault::Fault;
use crate::rules::Side;

/// Reads the position of a file.
pub fn read(text: &str, partial: &mut Partial) -> Result<Record, Fault> {
    let start = text.find("setup:").ok_or_else(|| Fault::line(1, message!("there is no 'setup:'")))?;
    let mut line = text[..start].matches('\n').count() + 1;
    let first = line;
    let mut board = Squares::empty();
    let (mut depth, mut row, mut cell) = (0usize, 0usize, 0usize);
    let mut written = String::new();
    let mut comment = false;
    for c in text[start..].chars() {
        if c == '\n' {
            line += 1;
            comment = false;
        }
        match c {
            _ if comment => {}
            '#' => comment = true,
            '[' => {
                depth += 1;
                match depth {
                    2 => cell = 0,
                    3 => written.clear(),
                    _ => {}
                }
            }
            ']' => {
                match depth {
                    3 => {
                        if row > 9 || cell > 8 {
                            return Err(Fault::line(
                                line,
                                message!("row {}, cell {}: a board has ten rows of nine cells", row + 1, cell + 1),
                            ));
                        }
                        let piece = written.split(',').map(str::trim).find_map(|word| piece(word, word.len() == 1));
                        if let Some(piece) = piece {
                            board.put(cell, 9 - row, piece);
                        }
                        cell += 1;
                    }
                    2 => row += 1,
                    _ => {}
                }
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            c if depth == 3 => written.push(c),
            _ => {}
        }
    }
    if row != 10 {
        return Err(Fault::line(line, message!("the board has {} rows, not 10", row)));
    }
    let builder = partial.xiangqi(Some(board.fen(Side::First))).map_err(|why| Fault::line(first, why))?;
    Ok(builder.finish(None, None))
}

fn piece(word: &str, single: bool) -> Option<char> {
    let letter = word.chars().next().filter(|_| single)?;
    let known = match letter.to_ascii_lowercase() {
        'h' | 'n' => 'n',
        'e' | 'b' => 'b',
        known @ ('r' | 'a' | 'k' | 'c' | 'p') => known,
        _ => return None,
    };
    Some(if letter.is_ascii_uppercase() { known.to_ascii_uppercase() } else { known })
}
