//! What a search needs from a game besides its rules.

use crate::rules::Position;

/// The static evaluation of a game, and hints for move ordering.
pub trait Evaluate<P: Position>: Send {
    /// The static evaluation for the side to move, in hundredths of the game's unit. Called only for
    /// positions where the game is not over.
    fn evaluate(&mut self, position: &P) -> i32;

    /// Appends the candidate moves, by default all legal moves. Never empty while the game is not over.
    fn candidates(&mut self, position: &P, out: &mut Vec<P::Move>) {
        position.legal_moves(out);
    }

    /// A hint for move ordering: moves with higher values are searched first. Captures and threats should
    /// be above 0, quiet moves 0.
    fn ordering_score(&mut self, _position: &P, _mv: P::Move) -> i32 {
        0
    }

    /// True if the move may change the evaluation so much that quiescence search must try it (a capture, for example).
    fn is_noisy(&mut self, _position: &P, _mv: P::Move) -> bool {
        false
    }
}
