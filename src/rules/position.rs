//! What a game's position must be able to do.

use super::{Outcome, PlayError, Refusal, Side};
use std::fmt::Debug;
use std::hash::Hash;

/// A position of a two-player game without chance: the pieces and the side to move, nothing of the past.
///
/// Checked and unchecked ways stand side by side: [`play`](Position::play) checks, `make` trusts its caller.
pub trait Position: Clone + Send + Sync + 'static {
    /// A move, small and comparable.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// What `unmake` needs to take a move back.
    type Undo: Send + 'static;

    /// The side to move.
    fn side_to_move(&self) -> Side;

    /// Appends every legal move to `out`. Nothing is appended exactly when [`outcome`](Position::outcome) is `Some`.
    fn legal_moves(&self, out: &mut Vec<Self::Move>);

    /// Plays a move that is known to be legal. An illegal move leaves an unspecified (but memory-safe) position.
    fn make(&mut self, mv: Self::Move) -> Self::Undo;

    /// Takes back the move just made with `make`, restoring the position exactly.
    fn unmake(&mut self, mv: Self::Move, undo: Self::Undo);

    /// The position's 64-bit key: equal for equal positions (pieces and side to move), kept up to date by `make`.
    fn key(&self) -> u64;

    /// The same key computed from the pieces alone; the check on the incremental one.
    fn key_from_scratch(&self) -> u64;

    /// The end of the game as this position alone shows it; what needs the past is the game's adjudication.
    fn outcome(&self) -> Option<Outcome>;

    /// A number below 2^15, different for different legal moves of one position and stable
    /// between positions: it stands for the move in transposition and ordering tables. Never 0.
    fn move_code(mv: Self::Move) -> u16;

    /// True if `mv` is legal here. Any value of the move type may be asked.
    fn is_legal(&self, mv: Self::Move) -> bool {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.contains(&mv)
    }

    /// Plays `mv` after checking it.
    ///
    /// # Errors
    /// [`Refusal::GameOver`] or [`Refusal::WrongWay`]; the table above gives finer reasons.
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

    /// Leaves of the tree of legal moves at `depth`; see [`perft`](super::perft). A game with a faster
    /// counter of its own overrides this.
    fn perft(&mut self, depth: u32) -> u64 {
        super::perft(self, depth)
    }
}
