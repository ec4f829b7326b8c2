//! Games with points on which the side to move may not play though they are empty (renju).

use super::State;
use crate::rules::{Forbidden, Point};

/// Names the forbidden points and explains them.
pub trait Judge: Send + Sync {
    /// The points forbidden to the side to move. None once the game is over.
    fn restrictions(&self, state: &dyn State) -> Vec<Restriction>;
}

/// Why a point is forbidden to the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restriction {
    /// The point.
    pub at: Point,
    /// The reason.
    pub reason: Forbidden,
    /// The lines that make it so, each with the stones on the board and the point itself: a long row, two fours or two threes.
    pub lines: Vec<Vec<Point>>,
}
