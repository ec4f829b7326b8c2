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

    /// The position after the side to move has given up its turn; `None` where it may not, or where the game is over.
    fn skipped(&self) -> Option<Self>
    where
        Self: Sized,
    {
        (self.may_skip() && self.outcome().is_none()).then(|| {
            let mut other = self.clone();
            other.skip();
            other
        })
    }
}
