//! Requests to engines and their progress reports.

use super::{Action, Chance, Evaluation};
use crate::search::{Info, Limits, PlainKind};
use serde::{Deserialize, Serialize};

/// The search algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Algorithm {
    /// The game's own best engine.
    #[default]
    Own,
    /// A reference searcher.
    Plain(PlainKind),
    /// The first engine of this project: minimax for two-eat-one that counts pieces.
    Seed,
}

impl Algorithm {
    /// Every algorithm.
    pub fn all() -> impl Iterator<Item = Algorithm> {
        let plain = PlainKind::ALL.into_iter().map(Algorithm::Plain);
        [Algorithm::Own].into_iter().chain(plain).chain([Algorithm::Seed])
    }

    /// The name used on the command line.
    pub const fn key(self) -> &'static str {
        match self {
            Algorithm::Own => "own",
            Algorithm::Plain(kind) => kind.key(),
            Algorithm::Seed => "seed",
        }
    }

    /// The algorithm with this name (`alpha-beta` is accepted too).
    pub fn from_key(key: &str) -> Option<Algorithm> {
        Algorithm::all().find(|a| a.key() == key.replace('-', ""))
    }
}

/// What an engine and its memory depend on. The engine and its transposition table are kept from search to search as long as these
/// options stay the same; everything else is part of the [`SearchRequest`].
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
    /// How quiet positions are judged, where the game's engine can do so in several ways.
    pub evaluation: Evaluation,
    /// Values of the parameters of the engine's search, in its order, for tuning; those that are missing are its own.
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
            evaluation: Evaluation::Own,
            parameters: Vec::new(),
        }
    }
}

/// A search request: the engine's options, and what is asked of this search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchRequest {
    /// The options of the engine.
    pub options: EngineOptions,
    /// The limits of the search.
    pub limits: Limits,
    /// The number of lines to report (multi-PV).
    pub multipv: u16,
    /// Whether to use the opening book.
    pub book: bool,
    /// Whether to play from a proof of the game, where the program has one.
    pub from_proof: bool,
    /// The key of the [`Manner`](super::Manner) of our engine, and the winning chance that it gives up for a move at most. One that the game does not
    /// have is none.
    pub manner: Option<(String, Chance)>,
    /// Moves of the current position that may not be chosen (lessons, or moves excluded over a protocol). Illegal moves are ignored; an
    /// engine that cannot exclude moves ignores the list.
    pub left_out: Vec<Action>,
}

impl Default for SearchRequest {
    fn default() -> Self {
        SearchRequest {
            options: EngineOptions::default(),
            limits: Limits::default(),
            multipv: 1,
            book: false,
            from_proof: false,
            manner: None,
            left_out: Vec::new(),
        }
    }
}

/// A progress report of a search with the moves as actions; its line also has them in the game's own notation.
pub type Progress = Info<Action>;
