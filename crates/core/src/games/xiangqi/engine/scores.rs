//! The bounds of a score in xiangqi's search, in hundredths of a soldier.

use crate::search::{Known, Score, Value, Verdict};

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

/// The score as it is told: a win or loss by perpetual check or chase is an exact one, with its distance.
pub fn value(score: i32) -> Value {
    if !is_banned(score) {
        return Score(score).value();
    }
    let known = if score > 0 { Known::Win } else { Known::Loss };
    Value::Exact(Verdict { known, plies: Some(BANNED.abs_diff(score.abs())) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_and_losses_by_rule_are_told_as_such() {
        let exact = |known, plies| Value::Exact(Verdict { known, plies: Some(plies) });
        assert_eq!(value(4 - BANNED), exact(Known::Loss, 4));
        assert_eq!(value(BANNED - 1), exact(Known::Win, 1));
        assert_eq!((value(MOST), value(win_in(3))), (Value::Cp(MOST), Value::Mate(2)));
    }
}
