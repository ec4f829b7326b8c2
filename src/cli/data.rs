//! `data`: writes all of the player's data to one file, shows what is in such a file, and takes it over.

use super::convert;
use qiju_core::record;
use qiju_core::record::data::{self, Data, DataError};
use qiju_core::storage::{Files, Storage, replace_file};
use qiju_core::terminal::{Failure, aside, line};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Writes all of the player's data to one file, or takes it over from one.
///
/// The data are the settings, the saved games, the unfinished match, the lessons, the results, those of puzzles, own mistakes and repertoires.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    work: Work,
}

#[derive(clap::Subcommand, Debug)]
enum Work {
    /// Write everything to a file
    Export {
        /// The file; `-` is standard output
        file: PathBuf,
        #[command(flatten)]
        place: Place,
    },
    /// Take over everything in a file: saved games are added, the rest is replaced; what was there before is kept in a file
    Import {
        /// The file; `-` is standard input
        file: PathBuf,
        #[command(flatten)]
        place: Place,
    },
    /// Check a file, and tell what is in it
    Show {
        /// The file; `-` is standard input
        file: PathBuf,
    },
}

#[derive(clap::Args, Debug)]
struct Place {
    /// The folder of the data [default: the user's folder]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

impl Place {
    fn storage(&self) -> Arc<dyn Storage> {
        Arc::new(Files::below(self.folder.clone().unwrap_or_else(record::home)))
    }
}

fn work(error: DataError) -> Failure {
    Failure::work(error.to_string())
}

fn read(file: &Path) -> Result<Data, Failure> {
    let (name, bytes) = convert::read(file)?;
    Data::unpack(&bytes).map_err(|error| Failure::usage(format!("{name}: {error}")))
}

pub fn run(args: &Args) -> Result<(), Failure> {
    match &args.work {
        Work::Export { file, place } => {
            let data = Data::of(&*place.storage()).map_err(work)?;
            if file == Path::new("-") {
                use std::io::Write;
                let mut stream = std::io::stdout().lock();
                stream.write_all(&data.pack())?;
                return Ok(stream.flush()?);
            }
            replace_file(file, data.pack()).map_err(|error| Failure::file(file, &error))?;
            line(&format!("exported {data}"))
        }
        Work::Import { file, place } => {
            let (data, storage) = (read(file)?, place.storage());
            // One that was begun before is completed first.
            for begun in [false, true] {
                if begun {
                    data::stage(&*storage, &data).map_err(work)?;
                }
                let Some(taken) = data::finish(&storage).map_err(work)? else { continue };
                if let Some(before) = taken.before {
                    aside(&format!("what was there before: {before}"));
                }
                line(&format!("imported {}", taken.data))?;
            }
            Ok(())
        }
        Work::Show { file } => line(&read(file)?.to_string()),
    }
}
