//! Reads files of training games, and reports their errors.

use crate::cli::failure::Failure;
use crate::cli::output::aside;
use qiju_core::games::training::Unfit;
use qiju_core::games::training::archive::{self, BadArchive};
use qiju_core::search::grouped;
use std::path::{Path, PathBuf};

/// An error of a file, with its name.
pub fn at<E: Into<BadArchive>>(path: &Path) -> impl Fn(E) -> Failure {
    move |error| {
        let error: BadArchive = error.into();
        let text = format!("{}: {error}", path.display());
        match error {
            BadArchive::Foreign | BadArchive::Other(..) | BadArchive::Damaged(..) => Failure::usage(text),
            BadArchive::File(_) | BadArchive::Busy => Failure::work(text),
        }
    }
}

/// Reads files of training games and calls `each` with every game and its place, for messages.
pub fn read_games(game: &str, files: &[PathBuf], each: &mut dyn FnMut(String, &[u8])) -> Result<(), Failure> {
    for path in files {
        let contents = archive::read(path, &mut |number, bytes| each(format!("{}, game {number}", path.display()), bytes));
        let contents = contents.map_err(at(path))?;
        if contents.label.game != game {
            return Err(Failure::usage(format!("{}: these are games of {}", path.display(), contents.label.game)));
        }
        if contents.torn > 0 {
            aside(&format!("{}: an incomplete block of {} bytes at its end is ignored", path.display(), grouped(contents.torn)));
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
