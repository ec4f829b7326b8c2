//! What an engine is asked, and what it reports.

use super::{Action, Evaluation};
use crate::search::{Limits, Value};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Which searcher plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Algorithm {
    /// The game's own best engine.
    #[default]
    Own,
    /// Plain minimax, the reference.
    Minimax,
    /// Plain negamax.
    Negamax,
    /// Plain alpha-beta.
    AlphaBeta,
    /// The opponent of the project's seed: two-eat-one's minimax on the difference of pieces.
    Seed,
}

impl Algorithm {
    /// Every algorithm.
    pub const ALL: [Algorithm; 5] =
        [Algorithm::Own, Algorithm::Minimax, Algorithm::Negamax, Algorithm::AlphaBeta, Algorithm::Seed];

    /// The word the command line uses.
    pub const fn key(self) -> &'static str {
        match self {
            Algorithm::Own => "own",
            Algorithm::Minimax => "minimax",
            Algorithm::Negamax => "negamax",
            Algorithm::AlphaBeta => "alphabeta",
            Algorithm::Seed => "seed",
        }
    }

    /// The algorithm of that word (`alpha-beta` is read too).
    pub fn from_key(key: &str) -> Option<Algorithm> {
        Algorithm::ALL.into_iter().find(|a| a.key() == key.replace('-', ""))
    }
}

/// How an engine is built: what stays the same from move to move. An engine is kept, with its transposition table, as long as these stay
/// the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineOptions {
    /// Which searcher.
    pub algorithm: Algorithm,
    /// How many moves of a position are searched; `None` is all that are worth it.
    pub width: Option<u16>,
    /// Largest error of judgement, in hundredths of the game's unit.
    pub misjudgement: u16,
    /// Seed of errors and of choices among equals.
    pub seed: u64,
    /// Threads the search may use.
    pub threads: usize,
    /// Transposition table, in MiB.
    pub hash_mb: usize,
    /// How many lines to report.
    pub multipv: u16,
    /// Whether an opening book may answer.
    pub book: bool,
    /// How quiet positions are judged, where the game's engine can do so in several ways.
    #[serde(default)]
    pub evaluation: Evaluation,
}

impl Default for EngineOptions {
    fn default() -> Self {
        EngineOptions {
            algorithm: Algorithm::Own,
            width: None,
            misjudgement: 0,
            seed: 0,
            threads: 1,
            hash_mb: 32,
            multipv: 1,
            book: false,
            evaluation: Evaluation::Hand,
        }
    }
}

/// What an engine is told: how it is built, how far it may look, and what it may not play.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchRequest {
    /// How it is built.
    pub options: EngineOptions,
    /// How far it may look.
    pub limits: Limits,
    /// Moves of the present position that may not be played (lessons, a protocol's forbidden moves). Moves that are not legal are ignored; an
    /// engine that cannot leave moves out plays as if the list were empty.
    #[serde(default)]
    pub left_out: Vec<Action>,
}

/// One line of progress of a search, in words every layer understands.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Progress {
    /// Depth finished, in plies.
    pub depth: u16,
    /// The deepest ply searched.
    pub seldepth: u16,
    /// The line's value for the side to move.
    pub value: Value,
    /// Positions visited so far.
    pub nodes: u64,
    /// Cut-offs so far.
    pub cutoffs: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Table use in thousandths.
    pub hashfull: u16,
    /// The line, as actions.
    pub pv: Vec<Action>,
    /// The line in the game's own text.
    pub pv_text: Vec<String>,
    /// 1 for the best line, 2 for the next, ...
    pub multipv: u16,
}

impl Progress {
    /// Positions visited a second.
    pub fn nps(&self) -> u64 {
        crate::search::nodes_per_second(self.nodes, self.time)
    }
}
