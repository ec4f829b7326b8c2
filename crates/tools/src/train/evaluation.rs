//! `train GAME evaluation`: fits the tables of an evaluation to games.

use super::files::read_games;
use crate::training::{StoredGame, Training, archive};
use qiju_core::terminal::{Failure, aside};
use std::fs;
use std::io;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Files of games made by `selfplay`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The output folder of the tables. In gomoku it keeps the searched positions too, and the same command continues them
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

pub fn run(game: &str, training: &dyn Training, args: &Args) -> Result<(), Failure> {
    if !args.out.is_dir() {
        return Err(Failure::usage(format!("--out {}: there is no such folder", args.out.display())));
    }
    let mut games = Vec::new();
    read_games(game, &args.files, &mut |place, bytes| {
        games.push(StoredGame { place: place.to_owned(), bytes: bytes.to_vec() });
        Ok(())
    })?;
    let tables = training.fit(&games, &args.out, &mut io::stderr())?;
    for (name, text) in tables {
        let path = args.out.join(name);
        fs::write(&path, text).map_err(archive::failed(&path))?;
        aside(&format!("{} written", path.display()));
    }
    Ok(())
}
