//! Training: self-play games of an engine, and fitting its evaluation to them. Only with the feature `training`.

mod adam;

pub use adam::Adam;

use super::{gomoku, xiangqi};
use std::io::{self, Write};

/// A game of the training data: its line of text and its place in the file, for messages.
pub struct GameLine<'a> {
    /// The file and the number of the line.
    pub place: String,
    /// The line.
    pub text: &'a str,
}

/// Why an evaluation could not be fitted.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// A line is not a valid game: its place and what is wrong.
    #[error("{0}: {1}")]
    BadGame(String, String),
    /// The games have no usable positions.
    #[error("no quiet positions in the games")]
    NoPositions,
    /// The report could not be written.
    #[error("{0}")]
    Report(#[from] io::Error),
}

/// A fitted table: its file name and its text.
pub type Table = (&'static str, String);

/// The training of a game's engine.
pub trait Training: Sync {
    /// Plays one game of the engine against itself with about `nodes` nodes per move, and returns it as a line of text. The same seed
    /// gives the same game.
    fn play(&self, nodes: u64, seed: u64) -> String;

    /// Fits the evaluation to games and returns the tables for the engine's folder. Progress is written to `report`.
    ///
    /// # Errors
    /// A line is not a valid game, or there are no usable positions.
    fn fit(&self, games: &[GameLine], report: &mut dyn Write) -> Result<Vec<Table>, Unfit>;
}

/// The training of a game, if its engine can be trained.
pub fn of(game: &str) -> Option<&'static dyn Training> {
    match game {
        "gomoku" => Some(&gomoku::training::Gomoku),
        "xiangqi" => Some(&xiangqi::training::Xiangqi),
        _ => None,
    }
}

/// The winning chance (0 to 1) of a score, by the logistic function: a score of `unit` gives odds of e to 1.
pub fn chance(score: f64, unit: f64) -> f64 {
    1.0 / (1.0 + (-score / unit).exp())
}
