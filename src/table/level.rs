//! Levels: how strong the computer plays.

use super::{EngineOptions, SearchRequest};
use crate::search::Limits;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// One level of a game. What is left out does not limit. Levels stay quick in every phase of a game because they are bounded by nodes
/// and time as well as by depth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// Plies to search.
    #[serde(default)]
    pub depth: Option<u16>,
    /// Positions to visit.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// Milliseconds for a move.
    #[serde(default)]
    pub time_ms: Option<u64>,
    /// How many moves of a position are searched.
    #[serde(default)]
    pub width: Option<u16>,
    /// Largest error of judgement, in hundredths of the game's unit.
    #[serde(default)]
    pub misjudgement: u16,
}

impl Level {
    /// What an engine is told to play at this level. `seed` makes the errors of one game its own.
    pub fn request(&self, seed: u64) -> SearchRequest {
        SearchRequest {
            options: EngineOptions {
                width: self.width,
                misjudgement: self.misjudgement,
                seed,
                book: true,
                ..EngineOptions::default()
            },
            limits: Limits {
                depth: self.depth,
                nodes: self.nodes,
                time: self.time_ms.map(Duration::from_millis),
                ..Limits::default()
            },
            ..SearchRequest::default()
        }
    }
}
