//! Positions in which a turn can be skipped. No game here allows it; exercises need it in which only one side moves.

use super::Position;

/// A position in which the side to move can give up its turn.
pub trait Skip: Position {
    /// True if the turn can be skipped: the side to move has nothing to answer, such as a check.
    fn may_skip(&self) -> bool {
        true
    }

    /// Gives the turn to the other side. Skipping again takes it back.
    fn skip(&mut self);
}
