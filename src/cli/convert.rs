//! `convert`: records of games from one format into another.

use super::ask::{read_notation, words};
use super::failure::Failure;
use crate::record::{Format, Record, RecordError};
use crate::storage::{read_file, read_stream, replace_file};
use crate::table::Notation;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Turns records of games from one format into another.
///
/// Formats: ron (our own, keeps everything), pgn (xiangqi's community; here for every game), psq and sgf (gomoku's), txt (a position and its moves on a line). What is read is
/// known by its content, then by its ending; what is written by its ending.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The file to read; `-` is standard input
    input: PathBuf,
    /// The file to write; `-` is standard output
    output: PathBuf,
    /// How a pgn's moves are written: uci, iccs, wxf or chinese
    #[arg(long, value_name = "N", value_parser = read_notation)]
    notation: Option<Notation>,
    /// The format to write: ron, pgn, psq, sgf or txt. Standard output gets ron, or from ron pgn
    #[arg(long, value_name = "FORMAT", value_parser = read_format)]
    to: Option<Format>,
}

fn read_format(word: &str) -> Result<Format, String> {
    Format::from_key(word).ok_or_else(|| format!("there is no such format; there are {}", words(Format::ALL.map(Format::key))))
}

fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

fn format_of_ending(path: &Path) -> Option<Format> {
    Format::from_key(path.extension()?.to_str()?)
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let (from, records) = read(&args.input)?;
    let of_stream = if from == Format::Ron { Format::Pgn } else { Format::Ron };
    let known = args.to.or_else(|| if is_stream(&args.output) { Some(of_stream) } else { format_of_ending(&args.output) });
    let to = known.ok_or_else(|| {
        let endings = words(Format::ALL.map(Format::key));
        Failure::usage(format!("{}: the ending names no format; there are {endings}, or say --to", args.output.display()))
    })?;
    let text = to.write(&records, args.notation).map_err(|why| Failure::usage(format!("{}: {why}", args.output.display())))?;
    if is_stream(&args.output) {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        return Ok(out.flush()?);
    }
    replace_file(&args.output, text).map_err(|error| Failure::work(format!("{}: {error}", args.output.display())))
}

/// The records of a file, `-` for standard input, and the format they are in.
pub(super) fn read(path: &Path) -> Result<(Format, Vec<Record>), Failure> {
    let (file, read) = if is_stream(path) {
        ("standard input".to_owned(), read_stream(io::stdin().lock()))
    } else {
        (path.display().to_string(), read_file(path))
    };
    let bytes = read.map_err(|error| Failure::work(format!("{file}: {error}")))?;
    let text = Record::text_of(&file, bytes).map_err(|error: RecordError| Failure::from(error))?;
    let format = Format::of_text(&text).or_else(|| format_of_ending(path));
    let format = format.ok_or_else(|| Failure::usage(format!("{file}:1: this is no record in any format that is read here")))?;
    Ok((format, format.read(&file, &text)?))
}
