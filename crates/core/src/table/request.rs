//! Requests to engines and their progress reports.

use super::{Action, Evaluation};
use crate::rules::{Outcome, Side};
use crate::search::{Limits, Value};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The search algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Algorithm {
    /// The game's own best engine.
    #[default]
    Own,
    /// Simple minimax, the reference.
    Minimax,
    /// Simple negamax.
    Negamax,
    /// Simple alpha-beta.
    AlphaBeta,
    /// The first engine of this project: minimax for two-eat-one that counts pieces.
    Seed,
}

impl Algorithm {
    /// Every algorithm.
    pub const ALL: [Algorithm; 5] =
        [Algorithm::Own, Algorithm::Minimax, Algorithm::Negamax, Algorithm::AlphaBeta, Algorithm::Seed];

    /// The name used on the command line.
    pub const fn key(self) -> &'static str {
        match self {
            Algorithm::Own => "own",
            Algorithm::Minimax => "minimax",
            Algorithm::Negamax => "negamax",
            Algorithm::AlphaBeta => "alphabeta",
            Algorithm::Seed => "seed",
        }
    }

    /// The algorithm with this name (`alpha-beta` is accepted too).
    pub fn from_key(key: &str) -> Option<Algorithm> {
        Algorithm::ALL.into_iter().find(|a| a.key() == key.replace('-', ""))
    }
}

/// The options of an engine. The engine and its transposition table are kept from move to move as long as these stay
/// the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineOptions {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The number of candidate moves searched in each position; `None` is the engine's own choice.
    pub width: Option<u16>,
    /// The largest error added to the static evaluation, in hundredths of the game's unit.
    pub misjudgement: u16,
    /// Seed of the errors and of the choice among equal moves.
    pub seed: u64,
    /// The number of search threads.
    pub threads: usize,
    /// The size of the transposition table, in MiB.
    pub hash_mb: usize,
    /// The number of lines to report (multi-PV).
    pub multipv: u16,
    /// Whether to use the opening book.
    pub book: bool,
    /// Whether to play from a proof of the game, where the program has one.
    #[serde(default)]
    pub from_proof: bool,
    /// How quiet positions are judged, where the game's engine can do so in several ways.
    #[serde(default)]
    pub evaluation: Evaluation,
    /// Values of the parameters of the engine's search, in its order, for tuning; those that are missing are its own.
    #[serde(default)]
    pub parameters: Vec<i32>,
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
            from_proof: false,
            evaluation: Evaluation::Own,
            parameters: Vec::new(),
        }
    }
}

/// A search request: the engine's options, the limits and the excluded moves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchRequest {
    /// The options of the engine.
    pub options: EngineOptions,
    /// The limits of the search.
    pub limits: Limits,
    /// Moves of the current position that may not be chosen (lessons, or moves excluded over a protocol). Illegal moves are ignored; an
    /// engine that cannot exclude moves ignores the list.
    #[serde(default)]
    pub left_out: Vec<Action>,
}

/// A progress report of a search, independent of the game.
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
    /// How full the transposition table is, in thousandths.
    pub hashfull: u16,
    /// The principal variation, as actions.
    pub pv: Vec<Action>,
    /// The principal variation in the game's own notation.
    pub pv_text: Vec<String>,
    /// 1 for the best line, 2 for the next, ...
    pub multipv: u16,
}

impl Progress {
    /// The report on a game that is over, for the side to move: nothing was searched.
    pub fn of_end(outcome: Outcome, mover: Side) -> Progress {
        Progress {
            depth: 0,
            seldepth: 0,
            value: Value::of_outcome(outcome, mover),
            nodes: 0,
            cutoffs: 0,
            time: Duration::ZERO,
            hashfull: 0,
            pv: Vec::new(),
            pv_text: Vec::new(),
            multipv: 1,
        }
    }

    /// Positions visited per second.
    pub fn nps(&self) -> u64 {
        crate::search::nodes_per_second(self.nodes, self.time)
    }
}
