//! What books have for a position, whatever their format.

use crate::table::Action;
use std::path::Path;

/// What a book tells of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub action: Action,
    /// Its score for the side that plays it: more is better. What it counts differs from book to book.
    pub score: i32,
    /// Games that this side won, drew and lost with it; zeros where the book counts none.
    pub results: [u32; 3],
    /// The book says that it is not to be played.
    pub shunned: bool,
    /// What is written about it.
    pub note: String,
}

impl BookMove {
    /// A move with a score, about which nothing else is known.
    pub fn new(action: Action, score: i32) -> BookMove {
        BookMove { action, score, results: [0; 3], shunned: false, note: String::new() }
    }

    /// The points of its games: two for a win, one for a draw.
    pub(super) fn points(&self) -> u64 {
        2 * u64::from(self.results[0]) + u64::from(self.results[1])
    }
}

/// How often each of these moves is played: in proportion to its score, and never if that is not above zero. Where no move has such a score, in proportion to
/// the points of its games.
pub fn weights(moves: &[BookMove]) -> Vec<u64> {
    let of_score = |one: &BookMove| u64::try_from(one.score).unwrap_or_default();
    let scored = moves.iter().any(|one| !one.shunned && one.score > 0);
    let weight = |one: &BookMove| if scored { of_score(one) } else { one.points() };
    moves.iter().map(|one| if one.shunned { 0 } else { weight(one) }).collect()
}

/// The part of the games in which each of these moves is played, in 0..1: its share of all [`weights`].
pub fn shares(moves: &[BookMove]) -> Vec<f64> {
    let weights = weights(moves);
    let whole = weights.iter().sum::<u64>().max(1) as f64;
    weights.into_iter().map(|weight| weight as f64 / whole).collect()
}

/// The formats of books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
    /// Our own, for every game.
    Own,
    /// The SQLite books of xiangqi programs with the table `bhobk`.
    Obk,
    /// Those with the table `pfBook`.
    PfBook,
    /// ElephantEye's `BOOK.DAT`.
    Elephant,
    /// Yixin's database of gomoku positions.
    Yixin,
    /// Records of games with their variations.
    Records,
}

impl BookFormat {
    /// Its name on the command line: the ending of its files, where that tells it.
    pub fn key(self) -> &'static str {
        match self {
            BookFormat::Own => "book",
            BookFormat::Obk => "obk",
            BookFormat::PfBook => "pfBook",
            BookFormat::Elephant => "dat",
            BookFormat::Yixin => "yixin",
            BookFormat::Records => "records",
        }
    }

    /// The formats that can be written, by the ending of the file.
    pub fn of_ending(path: &Path) -> Option<BookFormat> {
        let ending = path.extension()?.to_str()?;
        let written = [BookFormat::Own, BookFormat::Obk, BookFormat::PfBook, BookFormat::Elephant];
        written.into_iter().find(|format| format.key().eq_ignore_ascii_case(ending))
    }
}

/// A change of what a book has for a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookEdit {
    /// This move is in it, with what is told of it.
    Put(BookMove),
    /// This move is not in it.
    Remove(Action),
}

impl BookEdit {
    /// The move that it is about.
    pub fn action(&self) -> Action {
        match self {
            BookEdit::Put(put) => put.action,
            BookEdit::Remove(action) => *action,
        }
    }
}
