//! `convert`: converts records of games from one format to another.

use super::ask::{read_notation, words};
use qiju_core::message::Message;
use qiju_core::record::{self, Charset, Fault, Format, ReadItem, Refused, Writer};
use qiju_core::storage::{read_stream, replace_file};
use qiju_core::table::Notation;
use qiju_core::terminal::{self, Failure};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Converts records of games from one format to another.
///
/// The input format is detected from the content, then from the extension: ron, pgn, sgf, psq, pos, lib, rif, xqf, cbr, cbl, cbf, ccm, mxq, che, chn, wxf, xay,
/// ubb (DhtmlXQ), pfc, links, and text with moves or positions. Output formats, by the extension: ron (our own, keeps everything), pgn, sgf and psq (gomoku), xqf, wxf and
/// ubb (xiangqi), txt (one game per line) and link (an address that shows the game). Invalid games are skipped and reported, or with --salvage written up to their error; one line says what the output format cannot hold.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The file to read, or the link of a game; `-` is standard input
    input: PathBuf,
    /// The file to write; `-` is standard output
    output: PathBuf,
    /// The notation of moves in a pgn: uci, iccs, wxf or chinese
    #[arg(long, value_name = "N", value_parser = read_notation)]
    notation: Option<Notation>,
    /// The output format: ron, pgn, sgf, psq, xqf, wxf, ubb, txt or link [default for standard output: ron, or pgn if the input is ron]
    #[arg(long, value_name = "FORMAT", value_parser = read_format)]
    to: Option<Format>,
    /// Write text as GBK instead of UTF-8, for old programs: pgn, wxf, ubb
    #[arg(long)]
    gbk: bool,
    /// The encoding of the texts in IN, if it is detected wrongly: GB18030, Big5, Shift_JIS, windows-1251, ..
    #[arg(long, value_name = "C", value_parser = Charset::named)]
    charset: Option<Charset>,
    /// Write what stands before the error of an invalid game, with a remark in it
    #[arg(long)]
    salvage: bool,
}

fn read_format(word: &str) -> Result<Format, String> {
    let format = Format::from_key(word).filter(|format| format.is_written());
    format.ok_or_else(|| format!("there is no such format; there are {}", words(Format::WRITTEN.map(Format::key))))
}

fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

fn ending_of(path: &Path) -> Option<&str> {
    path.extension()?.to_str()
}

/// Prints a message that does not stop the work.
fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "qiju: {}", terminal::one_line(line));
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let (file, bytes) = read(&args.input)?;
    let charset = args.charset.unwrap_or_default();
    let bytes = charset.applied(&bytes, ending_of(&args.input));
    let from = format_of(&file, &bytes, &args.input)?;
    let of_stream = if from == Format::Ron { Format::Pgn } else { Format::Ron };
    let of_ending = || ending_of(&args.output).and_then(Format::from_key);
    let known = args.to.or_else(|| if is_stream(&args.output) { Some(of_stream) } else { of_ending() });
    let target = args.output.display();
    let to = known.ok_or_else(|| {
        let endings = words(Format::WRITTEN.map(Format::key));
        Failure::usage(format!("{target}: the extension is not an output format; there are {endings}, or use --to"))
    })?;
    let usage = |why: Message| Failure::usage(format!("{target}: {why}"));
    let mut writer = Writer::new(to, args.notation, args.gbk).map_err(usage)?;
    let mut out = Vec::new();
    let mut failed = None;
    let mut games = 0usize;
    // The errors, each with the number of moves that were saved.
    let mut refused: Vec<(Fault, Option<usize>)> = Vec::new();
    let mut remarks: Vec<Fault> = Vec::new();
    from.each_in(charset, &bytes, &mut |found| {
        let record = match found {
            ReadItem::Game(record) => record,
            ReadItem::Refused(Refused { fault, before, .. }) => {
                let mut saved = before.filter(|_| args.salvage);
                if let Some(record) = &mut saved {
                    record.remark(&fault.remark().to_string());
                }
                refused.push((fault, saved.as_ref().map(|record| record.plies())));
                let Some(record) = saved else { return true };
                record
            }
            ReadItem::Remark(fault) => {
                remarks.push(fault);
                return true;
            }
        };
        games += 1;
        if failed.is_none() {
            failed = writer.add(&record, &mut out).err();
        }
        true
    });
    if games + refused.iter().filter(|(_, saved)| saved.is_none()).count() <= 1 {
        refused.iter_mut().map(|(fault, _)| fault).chain(&mut remarks).for_each(|fault| fault.game = 0);
    }
    if games == 0 {
        let nothing = || Failure::usage(format!("{file}:1: there is no record here"));
        return Err(refused.into_iter().next().map_or_else(nothing, |(fault, _)| Failure::usage(fault.in_file(&file))));
    }
    if let Some(why) = failed {
        return Err(usage(why));
    }
    for (fault, saved) in refused {
        match saved {
            Some(moves) => tell(&format!("{}; the {moves} moves before it are kept", fault.in_file(&file))),
            None => tell(&format!("{}; this game is skipped", fault.in_file(&file))),
        }
    }
    for fault in Fault::merged(remarks) {
        tell(&fault.in_file(&file).to_string());
    }
    if let Some(lost) = writer.finish(&mut out) {
        tell(&lost.to_string());
    }
    if is_stream(&args.output) {
        let mut stream = io::stdout().lock();
        stream.write_all(&out)?;
        return Ok(stream.flush()?);
    }
    replace_file(&args.output, out).map_err(|error| Failure::file(&args.output, &error))
}

/// The name and the bytes of a file; `-` is standard input.
pub(super) fn read(path: &Path) -> Result<(String, Vec<u8>), Failure> {
    if is_stream(path) {
        let bytes = read_stream(io::stdin().lock()).map_err(|error| Failure::file(Path::new("standard input"), &error))?;
        return Ok(("standard input".to_owned(), bytes));
    }
    Ok((record::name_of(path), record::bytes_of(path)?))
}

/// The format of a file, by its content, then by its extension.
pub(super) fn format_of(file: &str, bytes: &[u8], path: &Path) -> Result<Format, Failure> {
    let unknown = || Failure::usage(format!("{file}:1: this is no record in any known format"));
    Format::of(bytes, ending_of(path)).ok_or_else(unknown)
}
