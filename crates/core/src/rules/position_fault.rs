//! What is wrong with a position that was set up by hand.

use super::{Point, Side};

/// What is wrong with a position, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionFault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The points to look at; none if something is missing.
    pub at: Vec<Point>,
}

/// What can be wrong with a position. `role` is the kind of piece, as in the game's sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// A piece stands where it can never be.
    Misplaced {
        /// Its side.
        side: Side,
        /// Its kind.
        role: u8,
    },
    /// A side has more pieces of a kind than there are.
    TooMany {
        /// The side.
        side: Side,
        /// The kind.
        role: u8,
        /// How many there are at most.
        most: usize,
    },
    /// A side lacks a piece that every position has.
    Missing {
        /// The side.
        side: Side,
        /// The kind.
        role: u8,
    },
    /// The generals face each other on an open file.
    GeneralsFace,
    /// The side that is not to move is in check.
    CheckAfterMove {
        /// The side in check.
        side: Side,
    },
    /// The sides take turns to place a piece, so that their numbers cannot differ by so much.
    Uneven {
        /// The pieces of the first side.
        first: usize,
        /// The pieces of the second side.
        second: usize,
    },
    /// The side to move has won already.
    WonBefore {
        /// The side.
        side: Side,
    },
    /// Both sides have won.
    BothWon,
}
