//! Games with empty points on which the side to move may not play (renju).

use super::State;
use crate::rules::{Forbidden, Point};

/// Finds the forbidden points and explains them.
pub trait Judge: Send + Sync {
    /// The points forbidden to the side to move. Empty after the end of the game.
    fn restrictions(&self, state: &dyn State) -> Vec<Restriction>;
}

/// A forbidden point and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restriction {
    /// The point.
    pub at: Point,
    /// The reason.
    pub reason: Forbidden,
    /// The lines that cause it, each with the stones on the board and the point itself: an overline, two fours or two threes.
    pub lines: Vec<Vec<Point>>,
}
