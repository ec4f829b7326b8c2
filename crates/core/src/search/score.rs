//! Scores during a search.

use super::Value;
use serde::{Deserialize, Serialize};
use std::ops::Neg;

/// A score from the view of the side to move, in hundredths of the game's unit (a soldier, an open two).
/// Scores from [`DECIDED`](Score::DECIDED) on encode the number of plies to the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Score(pub i32);

impl Score {
    /// Neither side is better.
    pub const DRAW: Score = Score(0);
    /// Larger than every score.
    pub const INFINITE: Score = Score(32_001);
    /// A win in 0 plies.
    pub const WIN: Score = Score(32_000);
    /// Scores of at least this absolute value encode the plies to the end of the game.
    pub const DECIDED: Score = Score(31_000);
    /// The largest score an evaluation may give.
    pub const MAX_EVALUATION: Score = Score(30_000);

    /// The game is won `ply` plies from the root.
    pub const fn win_in(ply: usize) -> Score {
        Score(Score::WIN.0 - ply as i32)
    }

    /// The game is lost `ply` plies from the root.
    pub const fn loss_in(ply: usize) -> Score {
        Score(ply as i32 - Score::WIN.0)
    }

    /// True if the score is a proven win or loss, not an estimate.
    pub const fn is_decided(self) -> bool {
        self.0.abs() >= Score::DECIDED.0
    }

    /// An evaluation, limited to the range below the scores of wins and losses.
    pub fn evaluation(units: i32) -> Score {
        Score(units.clamp(-Score::MAX_EVALUATION.0, Score::MAX_EVALUATION.0))
    }

    /// Converts a score relative to the root into one relative to a position `ply` plies below it, to store it in the table.
    pub const fn from_root(self, ply: usize) -> Score {
        if self.0 >= Score::DECIDED.0 {
            Score(self.0 + ply as i32)
        } else if self.0 <= -Score::DECIDED.0 {
            Score(self.0 - ply as i32)
        } else {
            self
        }
    }

    /// The inverse of [`from_root`](Score::from_root): a stored score relative to the root.
    pub const fn to_root(self, ply: usize) -> Score {
        if self.0 >= Score::DECIDED.0 {
            Score(self.0 - ply as i32)
        } else if self.0 <= -Score::DECIDED.0 {
            Score(self.0 + ply as i32)
        } else {
            self
        }
    }

    /// The score as the window, the command line and the protocols show it.
    pub fn value(self) -> Value {
        if self.0 >= Score::DECIDED.0 {
            Value::Mate((Score::WIN.0 - self.0 + 1) / 2)
        } else if self.0 <= -Score::DECIDED.0 {
            Value::Mate(-((Score::WIN.0 + self.0 + 1) / 2))
        } else {
            Value::Cp(self.0)
        }
    }
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_the_winners_moves() {
        assert_eq!(Score::win_in(1).value(), Value::Mate(1));
        assert_eq!(Score::win_in(3).value(), Value::Mate(2));
        assert_eq!(Score::loss_in(2).value(), Value::Mate(-1));
        assert_eq!(Score::loss_in(4).value(), Value::Mate(-2));
        assert_eq!(Score(-17).value(), Value::Cp(-17));
    }

    #[test]
    fn stored_scores_come_back() {
        for score in [Score::win_in(7), Score::loss_in(8), Score(31), Score(-3000)] {
            assert_eq!(score.from_root(5).to_root(5), score);
        }
        assert_eq!(Score::win_in(7).from_root(5), Score::win_in(2));
    }
}
