//! Training: games an engine plays against itself, and its evaluation fitted to them. Only with the feature `training`.

mod adam;

pub use adam::Adam;

use super::{gomoku, xiangqi};
use std::io::{self, Write};

/// A game of the training data: where it stands, for messages, and its line.
pub struct GameLine<'a> {
    /// The file and the number of the line.
    pub place: String,
    /// The line.
    pub text: &'a str,
}

/// Why an evaluation was not fitted.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// A line is no game: where, and what is wrong with it.
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
    /// Plays one game of the engine against itself at about `nodes` a move, and writes it as a line. Everything follows from the seed.
    fn play(&self, nodes: u64, seed: u64) -> String;

    /// Fits the evaluation to games and gives the tables to put into the engine's folder; `report` is told how it goes.
    ///
    /// # Errors
    /// A line is no game, or there is nothing to learn from.
    fn fit(&self, games: &[GameLine], report: &mut dyn Write) -> Result<Vec<Table>, Unfit>;
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
