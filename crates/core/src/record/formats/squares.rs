//! Xiangqi's board for formats that number pieces and squares.

use crate::rules::{Point, Side};
use crate::table::{Action, Table};
use std::fmt::Write;

/// A xiangqi position that is being built. Pieces are the letters of a FEN.
pub struct Squares([Option<char>; 90]);

impl Squares {
    /// An empty board.
    pub fn empty() -> Squares {
        Squares([None; 90])
    }

    /// Places a piece on a square: file from red's left, rank from red's end. False if there is no such square.
    pub fn put(&mut self, file: usize, rank: usize, piece: char) -> bool {
        let inside = file < 9 && rank < 10;
        if inside {
            self.0[rank * 9 + file] = Some(piece);
        }
        inside
    }

    /// True if there is no piece.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    /// The piece on a square.
    pub fn at(&self, file: usize, rank: usize) -> Option<char> {
        self.0.get(rank * 9 + file).copied().flatten().filter(|_| file < 9)
    }

    /// The FEN with this side to move.
    pub fn fen(&self, turn: Side) -> String {
        let mut text = String::new();
        for rank in (0..10).rev() {
            let mut gap = 0;
            for file in 0..9 {
                match self.0[rank * 9 + file] {
                    None => gap += 1,
                    Some(piece) => {
                        if gap > 0 {
                            let _ = write!(text, "{gap}");
                        }
                        gap = 0;
                        text.push(piece);
                    }
                }
            }
            if gap > 0 {
                let _ = write!(text, "{gap}");
            }
            if rank > 0 {
                text.push('/');
            }
        }
        let side = if turn == Side::First { 'w' } else { 'b' };
        format!("{text} {side} - - 0 1")
    }

    /// The side of the piece on a square.
    pub fn side_at(&self, file: usize, rank: usize) -> Option<Side> {
        self.at(file, rank).map(|piece| if piece.is_ascii_uppercase() { Side::First } else { Side::Second })
    }
}

/// The 32 pieces in the order of XQStudio and DhtmlXQ: red, then black.
pub const SET: [char; 32] = [
    'R', 'N', 'B', 'A', 'K', 'A', 'B', 'N', 'R', 'C', 'C', 'P', 'P', 'P', 'P', 'P', 'r', 'n', 'b', 'a', 'k', 'a', 'b', 'n', 'r',
    'c', 'c', 'p', 'p', 'p', 'p', 'p',
];

/// The squares of the 32 pieces of a position in that order; `None` for pieces that are off the board.
pub fn squares_of_set(table: &dyn Table) -> [Option<Point>; 32] {
    // Indexed by the roles of the game's sheet.
    const LETTERS: [char; 7] = ['K', 'A', 'B', 'N', 'R', 'C', 'P'];
    let mut found = [None; 32];
    let mut pieces = table.pieces();
    pieces.sort_by_key(|(at, _)| (at.y, at.x));
    for (at, piece) in pieces {
        let letter = LETTERS.get(usize::from(piece.role)).copied().unwrap_or('?');
        let letter = if piece.side == Side::First { letter } else { letter.to_ascii_lowercase() };
        if let Some(free) = (0..32).find(|index| SET[*index] == letter && found[*index].is_none()) {
            found[free] = Some(at);
        }
    }
    found
}

/// A move between two squares, each with file and rank from red's side.
pub fn step(from: (usize, usize), to: (usize, usize)) -> Option<Action> {
    let point = |(file, rank): (usize, usize)| (file < 9 && rank < 10).then(|| Point::new(file as u8, rank as u8));
    Some(Action::Step { from: point(from)?, to: point(to)? })
}

/// Converts a square of two digits, with the file from red's left and the row from black's end.
pub fn from_black(digits: usize) -> (usize, usize) {
    (digits / 10, 9usize.wrapping_sub(digits % 10))
}
