//! Reads files of training games.

use crate::training::archive;
use qiju_core::search::grouped;
use qiju_core::terminal::{Failure, aside};
use std::path::PathBuf;

/// Reads files of training games and calls `each` with every game and its place, for messages. The first error of a game, with its place, is the result.
pub fn read_games(game: &str, files: &[PathBuf], each: &mut dyn FnMut(&str, &[u8]) -> Result<(), String>) -> Result<(), Failure> {
    for path in files {
        let mut read = Ok(());
        let contents = archive::read(path, &mut |number, bytes| {
            if read.is_ok() {
                let place = format!("{}, game {number}", path.display());
                read = each(&place, bytes).map_err(|why| Failure::usage(format!("{place}: {why}")));
            }
        });
        let contents = contents.map_err(archive::failed(path))?;
        if contents.label.game != game {
            return Err(Failure::usage(format!("{}: these are games of {}", path.display(), contents.label.game)));
        }
        read?;
        if contents.torn > 0 {
            aside(&format!("{}: an incomplete block of {} bytes at its end is ignored", path.display(), grouped(contents.torn)));
        }
    }
    Ok(())
}
