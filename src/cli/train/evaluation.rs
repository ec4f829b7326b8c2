//! `train GAME evaluation`: fits the tables of an evaluation to games.

use super::at;
use crate::cli::failure::Failure;
use crate::cli::output::{aside, count};
use crate::games::training::{StoredGame, Training, Unfit, archive};
use std::fs;
use std::io;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Files of games, as `selfplay` writes them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The folder the tables go to
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

pub fn run(game: &str, training: &dyn Training, args: &Args) -> Result<(), Failure> {
    if !args.out.is_dir() {
        return Err(Failure::usage(format!("--out {}: there is no such folder", args.out.display())));
    }
    let mut games = Vec::new();
    for path in &args.files {
        let contents = archive::read(path, &mut |number, bytes| {
            games.push(StoredGame { place: format!("{}, game {number}", path.display()), bytes: bytes.to_vec() });
        })
        .map_err(at(path))?;
        if contents.label.game != game {
            return Err(Failure::usage(format!("{}: these are games of {}", path.display(), contents.label.game)));
        }
        if contents.torn > 0 {
            aside(&format!("{}: a torn block of {} bytes at its end is left out", path.display(), count(contents.torn)));
        }
    }
    let tables = training.fit(&games, &mut io::stderr()).map_err(|error| match error {
        Unfit::BadGame(..) | Unfit::NoPositions => Failure::usage(error.to_string()),
        Unfit::Report(_) => Failure::work(error.to_string()),
    })?;
    for (name, text) in tables {
        let path = args.out.join(name);
        fs::write(&path, text).map_err(at(&path))?;
        aside(&format!("{} written", path.display()));
    }
    Ok(())
}
