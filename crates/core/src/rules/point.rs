//! A point of the board.

use serde::{Deserialize, Serialize};

/// A point (or cell) of a board: `x` counts files from the first side's left, `y` ranks from the
/// first side's edge, both from 0. Each game maps its own names (`h2`, `r,c`) to these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Point {
    /// File, from 0 on the first side's left.
    pub x: u8,
    /// Rank, from 0 at the first side's edge.
    pub y: u8,
}

impl Point {
    /// The point at file `x`, rank `y`.
    pub const fn new(x: u8, y: u8) -> Self {
        Point { x, y }
    }
}
