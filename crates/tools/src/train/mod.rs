//! `train GAME`: fits evaluations to games, and trains networks on them.

mod evaluation;
mod files;
mod network;

use crate::trainers;
use qiju_core::terminal::Failure;

/// Fits an evaluation to games, or trains a network on them.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game: xiangqi or gomoku
    game: String,
    #[command(subcommand)]
    work: Work,
}

#[derive(clap::Subcommand, Debug)]
enum Work {
    /// Fit the evaluation to games and write its tables
    Evaluation(evaluation::Args),
    /// Train the engine's network on games; continues an earlier run in the same folder
    Network(network::Args),
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let (game, training) = trainers::find(&args.game)?;
    match &args.work {
        Work::Evaluation(args) => evaluation::run(game.key, training, args),
        Work::Network(args) => network::run(game.key, training, args),
    }
}
