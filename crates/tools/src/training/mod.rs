//! Training: self-play games of an engine, and fitting its evaluation to them.

mod adam;
pub mod archive;
mod chart;
mod checkpoint;
pub mod descent;

pub use adam::Adam;

use archive::Record;
use qiju_core::search::Parameter;
use qiju_core::table::Evaluation;
use qiju_core::terminal::Failure;
use std::io::{self, Write};
use std::path::Path;

/// A game of the training data.
pub struct StoredGame {
    /// Its file and its number in the file, for messages.
    pub place: String,
    /// The game as [`SelfPlay::game`] wrote it.
    pub bytes: Vec<u8>,
}

/// Why an evaluation could not be fitted.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// The file has an invalid game: its place and what is wrong.
    #[error("{0}: {1}")]
    BadGame(String, String),
    /// The games have no usable positions, or none of those held out has any.
    #[error("too few games: no quiet positions to learn from, or none in the games held out")]
    NoPositions,
    /// The report or a result could not be written, or a checkpoint could not be read.
    #[error("{0}")]
    Report(#[from] io::Error),
    /// The result cannot be used.
    #[error("{0}")]
    Failed(String),
}

impl From<Unfit> for Failure {
    fn from(error: Unfit) -> Self {
        match error {
            Unfit::BadGame(..) | Unfit::NoPositions => Failure::usage(error.to_string()),
            Unfit::Report(_) | Unfit::Failed(_) => Failure::work(error.to_string()),
        }
    }
}

/// A fitted table: its file name and its text.
pub type Table = (&'static str, String);

/// The training of a game's engine.
pub trait Training: Sync {
    /// Creates a player of self-play games with about `nodes` nodes per move. An evaluation that [`network_sum`](Training::network_sum) refuses
    /// is replaced by the hand-written one.
    fn selfplay(&self, nodes: u64, evaluation: &Evaluation) -> Box<dyn SelfPlay>;

    /// The CRC-32 of the network's file; `None` for the hand-written evaluation.
    ///
    /// # Errors
    /// The engine has no such evaluation, with the reason.
    fn network_sum(&self, evaluation: &Evaluation) -> Result<Option<u32>, String> {
        match evaluation {
            Evaluation::Own | Evaluation::Hand => Ok(None),
            Evaluation::Network(_) => Err("the engine has no network, only its own evaluation".to_owned()),
        }
    }

    /// Fits the evaluation to games and returns the tables for the engine's folder. What takes long is kept in `folder`, and the same call continues it. Progress is written to `report`.
    ///
    /// # Errors
    /// A game cannot be read, there are no usable positions, or the folder has results of other games.
    fn fit(&self, games: &[StoredGame], folder: &Path, report: &mut dyn Write) -> Result<Vec<Table>, Unfit>;

    /// The parameters of the engine's search.
    fn parameters(&self) -> &'static [Parameter];
}

/// Trains a network on games.
pub trait NetworkTrainer {
    /// Adds the positions of a game.
    ///
    /// # Errors
    /// The game is invalid, with the reason.
    fn add(&mut self, game: &[u8]) -> Result<(), String>;

    /// Trains and writes the network. It continues from the checkpoint in the folder, if there is one. Progress is written to `report`.
    ///
    /// # Errors
    /// There are no usable positions, or a file cannot be read or written.
    fn train(&mut self, report: &mut dyn Write) -> Result<(), Unfit>;
}

/// Plays games of an engine against itself, one after the other.
pub trait SelfPlay {
    /// Plays one game. The game depends only on the seed, not on earlier games.
    fn game(&mut self, seed: u64) -> Record;
}

/// The winning chance (0 to 1) of a score, by the logistic function: a score of `unit` gives odds of e to 1.
pub fn chance(score: f64, unit: f64) -> f64 {
    1.0 / (1.0 + (-score / unit).exp())
}
