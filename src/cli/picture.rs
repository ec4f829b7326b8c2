//! `picture`: draws a position as a PNG, or a game as an animated GIF.

use crate::cli::ask::words;
use crate::cli::convert;
use qiju_core::games;
use qiju_core::message::Message;
use qiju_core::paint::{BoardLook, GamePictures, LONGEST_FILM, Labels, Pace, PieceSet, PositionPainter, Theme, png};
use qiju_core::record::Record;
use qiju_core::storage::replace_file;
use qiju_core::table::{Coordinates, Setup};
use qiju_core::terminal::Failure;
use std::path::Path;
use std::path::PathBuf;

/// Draws a position as a picture (PNG), or a game as an animated picture (GIF), as the window shows it.
///
/// Examples: `qiju picture game.pgn --out game.gif`, `qiju picture xiangqi --position FEN --out position.png`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A record in any format that `convert` reads, or a game: xiangqi, gomoku, two-eat-one or tic-tac-toe
    source: String,
    /// The variant of the game
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    /// The position of the game [default: the start position]
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    position: Option<String>,
    /// The number of the game in the file
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    game: u32,
    /// Draw the position after this many moves [default: the last position]
    #[arg(long, value_name = "N", allow_negative_numbers = true, conflicts_with_all = ["from", "to"], value_parser = clap::value_parser!(u32).range(0..))]
    ply: Option<u32>,
    /// Begin a GIF with the position after this many moves
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..))]
    from: Option<u32>,
    /// End a GIF with the position after this many moves
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..))]
    to: Option<u32>,
    /// The output file, .png or .gif
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The longer side of the picture in pixels, 64 to 4096 [default: 960 for a PNG, 540 for a GIF]
    #[arg(long, value_name = "PX", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(64..=4096))]
    size: Option<u32>,
    /// The theme: kaya, walnut, paper or night
    #[arg(long, value_name = "T", default_value = "kaya")]
    theme: String,
    /// The language of the coordinates: zh or en
    #[arg(long, value_name = "L", default_value = "zh", value_parser = ["zh", "en"])]
    lang: String,
    /// Flip the board, with the second side at the bottom
    #[arg(long)]
    flip: bool,
}

/// The time of each position; the first and the last have a longer time.
const PACE: Pace = Pace { first_ms: 1500, move_ms: 900, last_ms: 4000 };

/// Draws the picture.
pub fn run(args: &Args) -> Result<(), Failure> {
    let out = &args.out;
    let ending = out.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    let animated = match ending.as_str() {
        "png" => false,
        "gif" => true,
        _ => return Err(Failure::usage(format!("{}: the extension must be .png or .gif", out.display()))),
    };
    let record = record(args)?;
    let sheet = games::find(&record.game)?.load_sheet()?;
    let table = record.table()?;
    let on = sheet
        .board(table.size())
        .ok_or_else(|| Failure::work(format!("the sheet has no board for this position of {}", record.game)))?;
    let theme = theme(&args.theme)?;
    let labels = match on.coordinates {
        Coordinates::Xiangqi if args.lang == "zh" => Labels::Numerals,
        _ => Labels::Letters,
    };
    let look = BoardLook { flipped: args.flip, labels };
    let size = args.size.unwrap_or(if animated { 540 } else { 960 });
    let painter = PositionPainter::new(&sheet, on, &theme, PieceSet::Characters, &look, size);
    let actions = record.main_actions();
    let count = actions.len();
    let within = |name: &str, ply: Option<u32>, usual: usize| match ply.map(|ply| ply as usize) {
        Some(ply) if ply > count => Err(Failure::usage(format!("--{name} {ply}: the game has {count} moves"))),
        ply => Ok(ply.unwrap_or(usual)),
    };
    let failed = |why: Message| Failure::work(format!("{}: {why}", out.display()));
    let mut pictures = GamePictures::new(painter, sheet.shape, table, actions);
    if !animated {
        let ply = within("ply", args.ply, count)?;
        let bytes = png(&pictures.at(ply)?).map_err(failed)?;
        return write(out, &bytes);
    }
    if args.ply.is_some() {
        return Err(Failure::usage("--ply is for a .png; a .gif has --from and --to"));
    }
    let (from, to) = (within("from", args.from, 0)?, within("to", args.to, count)?);
    if from > to || to - from >= LONGEST_FILM {
        let why = format!("an animated picture goes forward over at most {LONGEST_FILM} positions");
        return Err(Failure::usage(format!("--from {from} --to {to}: {why}")));
    }
    let bytes = pictures.film((from, to), PACE, &mut |_| true).map_err(failed)?;
    bytes.map_or(Ok(()), |bytes| write(out, &bytes))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    replace_file(path, bytes).map_err(|error| Failure::work(format!("{}: {error}", path.display())))
}

/// The record to draw: from a file, or of a game's position.
fn record(args: &Args) -> Result<Record, Failure> {
    if games::find(&args.source).is_ok() {
        let setup = Setup { variant: args.variant.clone(), position: args.position.clone() };
        let record = Record::new(&args.source, setup);
        record.table()?;
        return Ok(record);
    }
    if args.position.is_some() || args.variant.is_some() {
        games::find(&args.source)?;
    }
    let path = Path::new(&args.source);
    let (file, bytes) = convert::read(path)?;
    let reading = convert::format_of(&file, &bytes, path)?.read(&file, &bytes)?;
    let games = reading.records.len();
    if games == 0 {
        reading.all()?;
        return Err(Failure::usage(format!("{file}:1: there is no record here")));
    }
    let number = args.game as usize;
    let chosen = reading.records.into_iter().nth(number - 1);
    chosen.ok_or_else(|| Failure::usage(format!("--game {number}: {file} has {games}")))
}

fn theme(key: &str) -> Result<Theme, Failure> {
    let known = || words(Theme::builtin().iter().map(|(key, _)| key.trim_end_matches(".theme.ron")));
    let found = Theme::builtin().iter().find(|(file, _)| file.trim_end_matches(".theme.ron") == key);
    let (file, text) = found.ok_or_else(|| Failure::usage(format!("there is no theme '{key}'; there are {}", known())))?;
    Ok(Theme::parse(file, text)?)
}
