//! What a player does, and what it does to the pieces.

use crate::rules::{Point, Side};
use serde::{Deserialize, Serialize};

/// A piece as the table shows it: whose and which. `role` indexes the roles of the game's sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Piece {
    /// Whose piece it is.
    pub side: Side,
    /// Index into [`GameSheet::roles`](super::GameSheet::roles).
    pub role: u8,
}

/// What a player does in one turn. Each legal move of a position is one action, and no two are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Action {
    /// Puts a new piece on an empty point.
    Drop(Point),
    /// Moves a piece.
    Step {
        /// Where it stands.
        from: Point,
        /// Where it goes.
        to: Point,
    },
    /// Passes the turn, where an opening rule allows it.
    Pass,
    /// Chooses among an opening rule's offers (swap, for instance).
    Choose(u8),
}

impl Action {
    /// The point the action ends on, if it has one.
    pub fn target(self) -> Option<Point> {
        match self {
            Action::Drop(at) | Action::Step { to: at, .. } => Some(at),
            Action::Pass | Action::Choose(_) => None,
        }
    }

    /// The point the action begins on, if a piece is moved.
    pub fn origin(self) -> Option<Point> {
        match self {
            Action::Step { from, .. } => Some(from),
            _ => None,
        }
    }
}

/// One difference between the pieces before and after a move. A move's changes are applied in order and
/// each is exact: a `Slide` ends on a point that is empty by then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// A new piece appears.
    Place {
        /// The piece.
        piece: Piece,
        /// Its point, empty until now.
        at: Point,
    },
    /// A piece moves.
    Slide {
        /// From here,
        from: Point,
        /// to this point, empty until now.
        to: Point,
    },
    /// A piece leaves the board.
    Remove {
        /// The piece.
        piece: Piece,
        /// Where it stood.
        at: Point,
    },
}

impl Change {
    /// The change that takes this one back.
    pub fn reversed(self) -> Change {
        match self {
            Change::Place { piece, at } => Change::Remove { piece, at },
            Change::Slide { from, to } => Change::Slide { from: to, to: from },
            Change::Remove { piece, at } => Change::Place { piece, at },
        }
    }
}
