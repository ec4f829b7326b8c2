//! How far a search may go.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Limits of one search. The first one reached ends it; with none, it runs until stopped.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Plies to search.
    pub depth: Option<u16>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Wall time for the move.
    pub time: Option<Duration>,
    /// The playing clock, from which the engine takes a share.
    pub clock: Option<RemainingTime>,
    /// Look only for a win in so many of one's own moves.
    pub mate: Option<u16>,
}

impl Limits {
    /// Only a depth.
    pub fn depth(depth: u16) -> Self {
        Limits { depth: Some(depth), ..Self::default() }
    }

    /// Only a number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        Limits { nodes: Some(nodes), ..Self::default() }
    }

    /// Only a time.
    pub fn time(time: Duration) -> Self {
        Limits { time: Some(time), ..Self::default() }
    }

    /// True if only the stop token ends the search.
    pub fn is_infinite(&self) -> bool {
        *self == Limits::default()
    }
}

/// The mover's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemainingTime {
    /// Time left.
    pub remaining: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves until more time comes; `None` is the rest of the game.
    pub moves_to_go: Option<u16>,
}
