//! `train`: plays training games and fits evaluations to them. Only with the feature `training`.

mod evaluation;
mod network;
mod selfplay;

use super::failure::Failure;
use super::output::{aside, count};
use crate::games::training::archive::{self, BadArchive};
use crate::games::training::{self, Unfit};
use crate::games::{self, Entry, REGISTRY};
use std::path::{Path, PathBuf};

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
    /// Train the engine's network on games; continues where an earlier run in the same folder stopped
    Network(network::Args),
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
        Work::Network(args) => network::run(game.key, training, args),
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

/// Reads files of a game's training games and hands each out with its place, for messages.
fn read_games(game: &str, files: &[PathBuf], each: &mut dyn FnMut(String, &[u8])) -> Result<(), Failure> {
    for path in files {
        let contents = archive::read(path, &mut |number, bytes| each(format!("{}, game {number}", path.display()), bytes));
        let contents = contents.map_err(at(path))?;
        if contents.label.game != game {
            return Err(Failure::usage(format!("{}: these are games of {}", path.display(), contents.label.game)));
        }
        if contents.torn > 0 {
            aside(&format!("{}: a torn block of {} bytes at its end is left out", path.display(), count(contents.torn)));
        }
    }
    Ok(())
}

impl From<Unfit> for Failure {
    fn from(error: Unfit) -> Self {
        match error {
            Unfit::BadGame(..) | Unfit::NoPositions => Failure::usage(error.to_string()),
            Unfit::Report(_) | Unfit::Failed(_) => Failure::work(error.to_string()),
        }
    }
}
