//! Actions of a player, and the changes of the pieces that they cause.

use crate::rules::{Point, Side};
use serde::{Deserialize, Serialize};

/// A piece: its side and its kind. `role` is an index into the roles of the game's sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Piece {
    /// Its side.
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
        /// Its point before the move.
        from: Point,
        /// Its point after the move.
        to: Point,
    },
    /// Passes.
    Pass,
    /// Makes a choice of an opening rule (to swap sides, for example).
    Choose(u8),
}

impl Action {
    /// The target point of the action, if it has one.
    pub fn target(self) -> Option<Point> {
        match self {
            Action::Drop(at) | Action::Step { to: at, .. } => Some(at),
            Action::Pass | Action::Choose(_) => None,
        }
    }

    /// The point from which a piece moves, if one does.
    pub fn origin(self) -> Option<Point> {
        match self {
            Action::Step { from, .. } => Some(from),
            _ => None,
        }
    }
}

/// One change of the pieces by a move. The changes of a move are applied in order: the target of a `Slide`
/// is empty at that time. A choice of an opening rule changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// A new piece appears.
    Place {
        /// The piece.
        piece: Piece,
        /// Its point, empty before.
        at: Point,
    },
    /// A piece moves.
    Slide {
        /// From this point,
        from: Point,
        /// to this point, empty before.
        to: Point,
    },
    /// A piece leaves the board.
    Remove {
        /// The piece.
        piece: Piece,
        /// Its point.
        at: Point,
    },
    /// A piece becomes another one on its point: it is turned over (Othello) or promoted.
    Flip {
        /// Its point.
        at: Point,
        /// The piece before,
        from: Piece,
        /// and after.
        to: Piece,
    },
    /// Nothing changes on the board: the side passes.
    Pass,
}

impl Change {
    /// The change that undoes this one.
    pub fn reversed(self) -> Change {
        match self {
            Change::Place { piece, at } => Change::Remove { piece, at },
            Change::Slide { from, to } => Change::Slide { from: to, to: from },
            Change::Remove { piece, at } => Change::Place { piece, at },
            Change::Flip { at, from, to } => Change::Flip { at, from: to, to: from },
            Change::Pass => Change::Pass,
        }
    }
}
