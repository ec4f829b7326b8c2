//! Limits of a search.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Limits of one search. The first one reached ends it; with none, it runs until stopped.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Plies to search.
    pub depth: Option<u16>,
    /// Nodes to visit.
    pub nodes: Option<u64>,
    /// Real time for the move.
    pub time: Option<Duration>,
    /// The game clock, of which the engine uses a share.
    pub clock: Option<RemainingTime>,
    /// Search only for a win within this number of the mover's own moves.
    pub mate: Option<u16>,
}

impl Limits {
    /// A depth limit only.
    pub fn depth(depth: u16) -> Self {
        Limits { depth: Some(depth), ..Self::default() }
    }

    /// A node limit only.
    pub fn nodes(nodes: u64) -> Self {
        Limits { nodes: Some(nodes), ..Self::default() }
    }

    /// A time limit only.
    pub fn time(time: Duration) -> Self {
        Limits { time: Some(time), ..Self::default() }
    }

    /// True if only the stop token ends the search.
    pub fn is_infinite(&self) -> bool {
        *self == Limits::default()
    }
}

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemainingTime {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until the next time control; `None` means that the time is for the rest of the game.
    pub moves_to_go: Option<u16>,
}
