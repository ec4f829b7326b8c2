//! Proofs that a side wins by force.

use super::StopToken;
use crate::rules::Position;

/// A proven win of the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<M> {
    /// The line, the winning move first: attack, and the defence that lasts longest as far as is known.
    pub line: Vec<M>,
    /// Plies to the end against that defence.
    pub plies: usize,
}

/// Something that proves wins. It keeps what it has found out, so a proof is walked through quickly.
pub trait Prover<P: Position>: Send {
    /// A proof that the side to move wins, if one is found before about `nodes` positions are visited or the token is raised.
    /// `None` proves nothing.
    fn prove(&mut self, position: &P, nodes: u64, stop: &StopToken) -> Option<Proof<P::Move>>;

    /// The only moves of the side to move that meet what is threatened at once; `None` where it is free to move.
    fn only_moves(&self, position: &P) -> Option<Vec<P::Move>>;
}
