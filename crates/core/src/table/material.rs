//! Games in which pieces are won by captures.

use super::{Action, Piece, State};

/// Static exchange evaluation: the gain when both sides continue to capture on one point.
pub trait Material: Send + Sync {
    /// The legal captures of the side to move that win at least `least` hundredths of the game's unit, the best first, each with its gain.
    /// Empty after the end of the game.
    fn captures(&self, state: &dyn State, least: i32) -> Vec<(Action, i32)>;

    /// The value of a piece in an exchange, in hundredths of the game's unit.
    fn price(&self, piece: Piece) -> i32;

    /// The gain from which a capture counts as the win of a piece, in hundredths of the game's unit.
    fn piece(&self) -> i32;
}
