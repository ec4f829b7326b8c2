//! `train`: plays training games and fits evaluations to them. Only with the feature `training`.

mod evaluation;
mod selfplay;

use super::failure::Failure;
use crate::games::training;
use crate::games::training::archive::BadArchive;
use crate::games::{self, Entry, REGISTRY};
use std::path::Path;

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
    /// Let the engine play against itself; continues where an earlier run of the same file stopped
    Selfplay(selfplay::Args),
    /// Fit the evaluation to games and write its tables
    Evaluation(evaluation::Args),
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let game: &Entry = games::find(&args.game)?;
    let training = training::of(game.key).ok_or_else(|| {
        let some = REGISTRY.iter().map(|entry| entry.key).filter(|key| training::of(key).is_some()).collect::<Vec<_>>();
        Failure::usage(format!("{} has nothing to train; {} have", game.key, some.join(" and ")))
    })?;
    match &args.work {
        Work::Selfplay(args) => selfplay::run(game.key, training, args),
        Work::Evaluation(args) => evaluation::run(game.key, training, args),
    }
}

/// An error of a file, with its name.
fn at<E: Into<BadArchive>>(path: &Path) -> impl Fn(E) -> Failure {
    move |error| {
        let error: BadArchive = error.into();
        let text = format!("{}: {error}", path.display());
        match error {
            BadArchive::Foreign | BadArchive::Other(..) | BadArchive::Damaged(..) => Failure::usage(text),
            BadArchive::File(_) | BadArchive::Busy => Failure::work(text),
        }
    }
}
