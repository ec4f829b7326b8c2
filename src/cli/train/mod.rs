//! `train`: plays training games and fits evaluations to them. Only with the feature `training`.

mod evaluation;
mod files;
mod network;
pub mod search;
mod selfplay;

use super::failure::Failure;
use qiju_core::games::trainers;
use qiju_core::games::{self, Entry, REGISTRY};

/// Plays training games and fits evaluations to them.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game: xiangqi or gomoku
    game: String,
    #[command(subcommand)]
    work: Work,
}

#[derive(clap::Subcommand, Debug)]
enum Work {
    /// Play games of the engine against itself; continues an earlier run with the same file
    Selfplay(selfplay::Args),
    /// Fit the evaluation to games and write its tables
    Evaluation(evaluation::Args),
    /// Train the engine's network on games (xiangqi: continues an earlier run in the same folder)
    Network(network::Args),
    /// Tune the parameters of the search by games; continues an earlier run with the same file
    Search(search::Args),
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let game: &'static Entry = games::find(&args.game)?;
    let training = trainers::of(game.key).ok_or_else(|| {
        let some = REGISTRY.iter().map(|entry| entry.key).filter(|key| trainers::of(key).is_some()).collect::<Vec<_>>();
        Failure::usage(format!("{} has nothing to train; {} have", game.key, some.join(" and ")))
    })?;
    match &args.work {
        Work::Selfplay(args) => selfplay::run(game.key, training, args),
        Work::Evaluation(args) => evaluation::run(game.key, training, args),
        Work::Network(args) => network::run(game.key, training, args),
        Work::Search(args) => search::run(game, training, args),
    }
}
