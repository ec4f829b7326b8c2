//! The two sides of a game, named by the order of their first moves.

use serde::{Deserialize, Serialize};
use std::ops::{Index, IndexMut, Not};

/// A side of a two-player game. `First` is the side that makes the first move from the start position of the game
/// (Red in xiangqi, Black in gomoku, White in two-eat-one).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The side that makes the first move of a game.
    First,
    /// The other side.
    Second,
}

impl Side {
    /// Both sides, first before second.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// 0 for the first side, 1 for the second: an index into a pair.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `first` or `second`, as the command line prints it.
    pub const fn key(self) -> &'static str {
        match self {
            Side::First => "first",
            Side::Second => "second",
        }
    }
}

impl Not for Side {
    type Output = Side;
    #[inline]
    fn not(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// One value for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BySide<T> {
    /// The first side's value.
    pub first: T,
    /// The second side's value.
    pub second: T,
}

impl<T> BySide<T> {
    /// A pair from its two values.
    pub const fn new(first: T, second: T) -> Self {
        BySide { first, second }
    }

    /// A pair of the values of `f` for each side.
    pub fn from_fn(mut f: impl FnMut(Side) -> T) -> Self {
        BySide { first: f(Side::First), second: f(Side::Second) }
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;
    #[inline]
    fn index(&self, side: Side) -> &T {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    #[inline]
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::First => &mut self.first,
            Side::Second => &mut self.second,
        }
    }
}
