//! `convert`: records of games from one format into another.

use super::failure::Failure;
use std::path::PathBuf;

/// Converts records.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The file to read; `-` is standard input
    input: PathBuf,
    /// The file to write; `-` is standard output
    output: PathBuf,
    /// How moves are written where the format leaves it open
    #[arg(long, value_name = "N")]
    notation: Option<String>,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let notation = args.notation.as_ref().map_or(String::new(), |notation| format!(" in {notation}"));
    let (from, to) = (args.input.display(), args.output.display());
    Err(Failure::work(format!("converting records comes with a later release ({from} to {to}{notation})")))
}
