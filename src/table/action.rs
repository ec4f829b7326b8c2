//! What a player does, and what it does to the men.

use crate::rules::{Point, Side};
use serde::{Deserialize, Serialize};

/// A man as the table shows it: whose and which. `role` indexes the roles of the game's sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Man {
    /// Whose man it is.
    pub side: Side,
    /// Index into [`GameSheet::roles`](super::GameSheet::roles).
    pub role: u8,
}

/// What a player does in one turn. Each legal move of a position is one action, and no two are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Action {
    /// Puts a new man on an empty point.
    Drop(Point),
    /// Moves a man.
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

    /// The point the action begins on, if a man is moved.
    pub fn origin(self) -> Option<Point> {
        match self {
            Action::Step { from, .. } => Some(from),
            _ => None,
        }
    }
}

/// One difference between the men before and after a move. A move's changes are applied in order and
/// each is exact: a `Slide` ends on a point that is empty by then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// A new man appears.
    Place {
        /// The man.
        man: Man,
        /// Its point, empty until now.
        at: Point,
    },
    /// A man moves.
    Slide {
        /// From here,
        from: Point,
        /// to this point, empty until now.
        to: Point,
    },
    /// A man leaves the board.
    Remove {
        /// The man.
        man: Man,
        /// Where it stood.
        at: Point,
    },
}

impl Change {
    /// The change that takes this one back.
    pub fn reversed(self) -> Change {
        match self {
            Change::Place { man, at } => Change::Remove { man, at },
            Change::Slide { from, to } => Change::Slide { from: to, to: from },
            Change::Remove { man, at } => Change::Place { man, at },
        }
    }
}
