//! The bounds of a score in xiangqi's search, in hundredths of a soldier.

use crate::search::Score;

pub const WIN: i32 = Score::WIN.0;
pub const DECIDED: i32 = Score::DECIDED.0;
pub const INFINITE: i32 = Score::INFINITE.0;
/// A win by the other side's perpetual check or chase, less the plies to it. It depends on the path, so it is never stored in the table.
pub const BANNED: i32 = 30_500;
/// Scores from here to [`DECIDED`] are such wins.
pub const BANNED_FROM: i32 = 30_200;
/// The largest score of an evaluation.
pub const MOST: i32 = 30_000;
/// No evaluation: the side to move is in check.
pub const UNKNOWN: i32 = i16::MIN as i32;

pub fn win_in(ply: usize) -> i32 {
    WIN - ply as i32
}

pub fn loss_in(ply: usize) -> i32 {
    ply as i32 - WIN
}

/// True if the score depends on the path.
pub fn is_banned(score: i32) -> bool {
    (BANNED_FROM..DECIDED).contains(&score.abs())
}
