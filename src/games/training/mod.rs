//! Training: games an engine plays against itself, and its evaluation fitted to them. Only with the feature `training`.

mod adam;
pub mod archive;
pub mod chart;

pub use adam::Adam;

use super::{gomoku, xiangqi};
use archive::Record;
use std::io::{self, Write};
use std::path::PathBuf;

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
    /// The report or a result could not be written, or a checkpoint not be read.
    #[error("{0}")]
    Report(#[from] io::Error),
    /// The result cannot be used.
    #[error("{0}")]
    Failed(String),
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

    /// A trainer of the engine's network; `None` if it has none.
    ///
    /// # Errors
    /// What of the plan cannot be.
    fn network(&self, _: NetworkPlan) -> Option<Result<Box<dyn NetworkTrainer>, String>> {
        None
    }
}

/// How a network is trained.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkPlan {
    /// Numbers of its hidden layer.
    pub hidden: usize,
    /// Its outputs, chosen by the number of pieces.
    pub outputs: usize,
    /// Whether it corrects the hand-written evaluation instead of standing in its place.
    pub over_hand: bool,
    /// How often every position is met.
    pub epochs: usize,
    /// Positions of a step.
    pub batch: usize,
    /// Learning rate of the first step.
    pub rate: f32,
    /// The part of a position's aim that is the game's result, from 0 to 1; the rest is the search's score.
    pub result_part: f32,
    /// What the order of positions and the first weights follow from.
    pub seed: u64,
    /// Threads to train on.
    pub threads: usize,
    /// The folder of checkpoint, curves and network.
    pub out: PathBuf,
}

/// Trains a network on games.
pub trait NetworkTrainer {
    /// Takes the positions of a game.
    ///
    /// # Errors
    /// What is wrong with it.
    fn add(&mut self, game: &[u8]) -> Result<(), String>;

    /// Trains, continuing from the checkpoint in the plan's folder if there is one, and writes the network; `report` is told how it goes.
    ///
    /// # Errors
    /// There is nothing to learn from, or a file cannot be read or written.
    fn train(&mut self, report: &mut dyn Write) -> Result<(), Unfit>;
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
