//! The interface of a game's position.

use super::{Outcome, PlayError, Refusal, Side};
use std::fmt::Debug;
use std::hash::Hash;

/// A position of a two-player game without chance: the pieces and the side to move, without the history.
///
/// [`play`](Position::play) checks that a move is legal; `make` does not.
pub trait Position: Clone + Send + Sync + 'static {
    /// A move.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// Data that `unmake` needs to take a move back.
    type Undo: Send + 'static;

    /// The side to move.
    fn side_to_move(&self) -> Side;

    /// Appends every legal move to `out`. Nothing is appended exactly when [`outcome`](Position::outcome) is `Some`.
    fn legal_moves(&self, out: &mut Vec<Self::Move>);

    /// Plays a move that is known to be legal. An illegal move leaves an unspecified (but memory-safe) position.
    fn make(&mut self, mv: Self::Move) -> Self::Undo;

    /// Takes back the last move made with `make` and restores the position exactly.
    fn unmake(&mut self, mv: Self::Move, undo: Self::Undo);

    /// The position's 64-bit key: equal for equal positions (pieces and side to move), kept up to date by `make`.
    fn key(&self) -> u64;

    /// The same key computed from the pieces alone, to check the incremental one.
    fn key_from_scratch(&self) -> u64;

    /// The outcome as far as this position alone decides it. Rules that need the history (repetition, move limits) are in the game's adjudication.
    fn outcome(&self) -> Option<Outcome>;

    /// A number from 1 to 2^15 - 1 that identifies the move in transposition and ordering tables. Different legal moves of one
    /// position have different numbers; the same move has the same number in every position.
    fn move_code(mv: Self::Move) -> u16;

    /// True if `mv` is legal here. `mv` may be any value of the move type.
    fn is_legal(&self, mv: Self::Move) -> bool {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.contains(&mv)
    }

    /// Plays `mv` after checking it.
    ///
    /// # Errors
    /// [`Refusal::GameOver`] or [`Refusal::WrongWay`]; the game's table gives more exact reasons.
    fn play(&mut self, mv: Self::Move) -> Result<(), PlayError> {
        if self.outcome().is_some() {
            return Err(Refusal::GameOver.into());
        }
        if !self.is_legal(mv) {
            return Err(Refusal::WrongWay.into());
        }
        self.make(mv);
        Ok(())
    }

    /// The number of leaves of the tree of legal moves at `depth`; see [`perft`](super::perft). A game may override it with
    /// a faster count.
    fn perft(&mut self, depth: u32) -> u64 {
        super::perft(self, depth)
    }
}
