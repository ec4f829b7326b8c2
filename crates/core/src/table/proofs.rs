//! Positions of which a proof that comes with the program knows who wins.

use super::State;
use crate::rules::Side;
use serde::{Deserialize, Serialize};

/// A proven result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProvenWin {
    /// The side that wins.
    pub winner: Side,
    /// Its own moves to the end of the game, at most.
    pub moves: u32,
}

/// The proofs of a variant.
pub trait Proofs: Send + Sync {
    /// The result of a position, if a proof covers it.
    fn known(&self, state: &dyn State) -> Option<ProvenWin>;
}
