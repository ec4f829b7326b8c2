//! What stones in a line make: shapes that players have names for, and points where the rules forbid some of them (gomoku).

use crate::rules::{Forbidden, Point};

/// A shape that one move makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Formation {
    /// Three that can become an open four.
    OpenThree,
    /// Two open threes at once.
    DoubleThree,
    /// Four that can become five.
    Four,
    /// Four in a row that can become five at either end.
    OpenFour,
    /// A four and an open three at once.
    FourThree,
    /// A row that is too long to win.
    Overline,
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
