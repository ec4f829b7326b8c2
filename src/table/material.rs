//! Games in which pieces are won by captures.

use super::{Action, Piece, State};

/// Counts captures by static exchange: what is left when both sides go on capturing on one point.
pub trait Material: Send + Sync {
    /// The legal captures of the side to move that win at least `least` hundredths of the game's unit, the best first, each with what it wins.
    /// None once the game is over.
    fn captures(&self, state: &dyn State, least: i32) -> Vec<(Action, i32)>;

    /// What a piece counts in an exchange, in hundredths of the game's unit.
    fn price(&self, piece: Piece) -> i32;

    /// What a capture has to win to be called the win of a piece, in hundredths of the game's unit.
    fn piece(&self) -> i32;
}
