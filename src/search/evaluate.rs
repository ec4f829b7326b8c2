//! What a search wants to know about a game besides its rules.

use crate::rules::Position;

/// A game's judgement of a quiet position, and its hints on which moves to try.
pub trait Evaluate<P: Position>: Send {
    /// The position's worth for the side to move, in hundredths of the game's unit. Asked only of
    /// positions where the game goes on.
    fn evaluate(&mut self, position: &P) -> i32;

    /// Appends the moves worth a look, all of them by default. Never empty where the game goes on.
    fn candidates(&mut self, position: &P, out: &mut Vec<P::Move>) {
        position.legal_moves(out);
    }

    /// A hint for trying good moves first: higher is tried earlier. Captures and threats should
    /// stand above 0, quiet moves at 0.
    fn promise(&mut self, _position: &P, _mv: P::Move) -> i32 {
        0
    }

    /// True if the move may upset an evaluation so much that a leaf must look at it (a capture, say).
    fn is_noisy(&mut self, _position: &P, _mv: P::Move) -> bool {
        false
    }
}
