//! Levels: how strong the computer plays.

use super::{EngineOptions, Evaluation, SearchRequest};
use crate::search::Limits;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// One level of a game. A limit that is not given does not apply. Limits of nodes and time, in addition to the depth, keep a level
/// quick in every phase of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// Plies to search.
    #[serde(default)]
    pub depth: Option<u16>,
    /// Nodes to visit.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// Milliseconds for a move.
    #[serde(default)]
    pub time_ms: Option<u64>,
    /// The number of candidate moves searched in each position.
    #[serde(default)]
    pub width: Option<u16>,
    /// The largest error added to the static evaluation, in hundredths of the game's unit.
    #[serde(default)]
    pub misjudgement: u16,
    /// Whether positions are judged by the hand-written evaluation, also where the game's engine has a network.
    #[serde(default)]
    pub hand_written: bool,
    /// Whether it plays from a proof of the game, where the program has one.
    #[serde(default)]
    pub from_proof: bool,
}

impl Level {
    /// The search request for this level. Different seeds give different errors.
    pub fn request(&self, seed: u64) -> SearchRequest {
        SearchRequest {
            options: EngineOptions {
                width: self.width,
                misjudgement: self.misjudgement,
                seed,
                evaluation: if self.hand_written { Evaluation::Hand } else { Evaluation::Own },
                ..EngineOptions::default()
            },
            limits: Limits {
                depth: self.depth,
                nodes: self.nodes,
                time: self.time_ms.map(Duration::from_millis),
                ..Limits::default()
            },
            book: true,
            from_proof: self.from_proof,
            ..SearchRequest::default()
        }
    }
}
