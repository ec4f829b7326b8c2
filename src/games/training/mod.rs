//! Training: games an engine plays against itself, and its evaluation fitted to them. Only with the feature `training`.

mod adam;
pub mod archive;

pub use adam::Adam;

use super::{gomoku, xiangqi};
use archive::Record;
use std::io::{self, Write};

/// A game of the training data.
pub struct StoredGame {
    /// The file and the number of the game in it, for messages.
    pub place: String,
    /// The game as [`SelfPlay::game`] wrote it.
    pub bytes: Vec<u8>,
}

/// Why an evaluation was not fitted.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// What stands in a file is no game: where, and what is wrong with it.
    #[error("{0}: {1}")]
    BadGame(String, String),
    /// The games have no position to learn from.
    #[error("the games have no quiet position to learn from")]
    NoPositions,
    /// The report could not be written.
    #[error("{0}")]
    Report(#[from] io::Error),
}

/// A table that was fitted: the name of its file and its text.
pub type Table = (&'static str, String);

/// What a game's engine is trained by.
pub trait Training: Sync {
    /// Something that plays games of the engine against itself at about `nodes` positions a move.
    fn selfplay(&self, nodes: u64) -> Box<dyn SelfPlay>;

    /// Fits the evaluation to games and gives the tables to put into the engine's folder; `report` is told how it goes.
    ///
    /// # Errors
    /// A game cannot be read, or there is nothing to learn from.
    fn fit(&self, games: &[StoredGame], report: &mut dyn Write) -> Result<Vec<Table>, Unfit>;
}

/// Plays games of an engine against itself, one after the other.
pub trait SelfPlay {
    /// Plays one game. Everything in it follows from the seed, not from the games before.
    fn game(&mut self, seed: u64) -> Record;
}

/// The training of a game, if its engine has something to train.
pub fn of(game: &str) -> Option<&'static dyn Training> {
    match game {
        "gomoku" => Some(&gomoku::training::Gomoku),
        "xiangqi" => Some(&xiangqi::training::Xiangqi),
        _ => None,
    }
}

/// The chance to win that a score stands for, at which a score of `unit` is worth e to 1.
pub fn chance(score: f64, unit: f64) -> f64 {
    1.0 / (1.0 + (-score / unit).exp())
}
