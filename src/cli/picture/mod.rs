//! `picture`: draws a position as PNG or SVG, a game as an animated GIF or a PDF with diagrams, and sheets of diagrams and puzzles.

mod sheet;

use crate::cli::ask::{self, MovesArgs};
use crate::cli::convert;
use crate::language::Language;
use crate::print::PictureKind;
use qiju_core::games;
use qiju_core::message::Message;
use qiju_core::paint::{
    BoardLook, GamePictures, LONGEST_FILM, Labels, Pace, Painter, PieceSet, PositionPainter, PrintPainter, Theme, png,
};
use qiju_core::record::{Reading, Record};
use qiju_core::storage::replace_file;
use qiju_core::table::{Board, Coordinates, GameSheet, Setup, Table};
use qiju_core::terminal::Failure;
use std::path::{Path, PathBuf};

/// Draws a position as a picture (PNG, SVG), a game as an animated picture (GIF), or diagrams for print (PDF).
///
/// Examples: `qiju picture game.pgn --out game.gif`, `qiju picture game.pgn --ply 10,20,34 --out game.pdf`, `qiju picture xiangqi --position
/// FEN --out position.svg`, `qiju picture --sheet gomoku --only 1-12 --out puzzles.pdf`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A record in any format that `convert` reads, or a game: xiangqi, gomoku, two-eat-one or tic-tac-toe
    #[arg(required_unless_present = "sheet", conflicts_with = "sheet", value_parser = ask::read_game)]
    source: Option<String>,
    /// A PDF with a diagram for each puzzle or game of a file, or for the puzzles of a game in the program, the solutions on pages of their own
    #[arg(long, value_name = "FILE", conflicts_with_all = ["variant", "position", "moves", "game", "ply", "from", "to"], value_parser = ask::read_game)]
    sheet: Option<String>,
    /// The numbers of the puzzles or games on the sheet, and ids of puzzles [default: the first 12 puzzles, all games]
    #[arg(long, value_name = "N-M,N", requires = "sheet")]
    only: Option<String>,
    /// The variant of the game
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    /// The position of the game [default: the start position]
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    position: Option<String>,
    #[command(flatten)]
    moves: MovesArgs,
    /// The number of the game in the file
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    game: u32,
    /// Draw the position after this many moves [default: the last position]; a PDF has a diagram for each of several numbers
    #[arg(long, value_name = "N,N", allow_negative_numbers = true, value_delimiter = ',', conflicts_with_all = ["from", "to"], value_parser = clap::value_parser!(u32).range(0..))]
    ply: Vec<u32>,
    /// Begin a GIF with the position after this many moves
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..))]
    from: Option<u32>,
    /// End a GIF with the position after this many moves
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..))]
    to: Option<u32>,
    /// The output file, .png, .gif, .svg or .pdf
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The longer side of the picture in pixels, 64 to 4096 [default: 960, for a GIF 540]
    #[arg(long, value_name = "PX", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(64..=4096))]
    size: Option<u32>,
    /// The theme: kaya, walnut, paper, night, or print, black on white [default: print for SVG and PDF, otherwise kaya]
    #[arg(long, value_name = "T")]
    theme: Option<String>,
    /// The language of the coordinates and of a PDF: zh, zh-hant, en, ja, ko, vi or ru
    #[arg(long, value_name = "L", default_value = "zh", value_parser = Language::ALL.map(Language::code))]
    lang: String,
    /// Flip the board, with the second side at the bottom
    #[arg(long)]
    flip: bool,
}

/// The time of each position; the first and the last have a longer time.
const PACE: Pace = Pace { first_ms: 1500, move_ms: 900, last_ms: 4000 };

/// The name of the theme that is drawn with paths alone.
const PRINT: &str = "print";

/// Draws the picture.
pub fn run(args: &Args) -> Result<(), Failure> {
    let out = &args.out;
    let ending = out.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    let wrong = || Failure::usage(format!("{}: the extension must be .png, .gif, .svg or .pdf", out.display()));
    let kind = PictureKind::of_ending(&ending).ok_or_else(wrong)?;
    let usual = if matches!(kind, PictureKind::Svg | PictureKind::Pdf) { PRINT } else { "kaya" };
    let theme = theme(args.theme.as_deref().unwrap_or(usual))?;
    if kind == PictureKind::Pdf && theme.is_some() {
        return Err(Failure::usage(format!("{}: a .pdf has the theme {PRINT}", out.display())));
    }
    if let Some(source) = &args.sheet {
        if kind != PictureKind::Pdf {
            return Err(Failure::usage(format!("{}: a sheet is a .pdf", out.display())));
        }
        return write(out, &sheet::sheet(source, args)?);
    }
    let record = record(args)?;
    let sheet = games::find(&record.game)?.load_sheet()?;
    let table = record.table()?;
    let on = board(&sheet, &*table)?;
    let look = look(on, args, kind);
    let size = args.size.unwrap_or(if kind == PictureKind::Gif { 540 } else { 960 });
    let painter = match &theme {
        Some(theme) => Painter::Shaded(PositionPainter::new(&sheet, on, theme, PieceSet::Characters, &look, size)),
        None => Painter::Printed(PrintPainter::new(&sheet, on, PieceSet::Characters, &look), size),
    };
    let actions = record.main_actions();
    let count = actions.len();
    let within = |name: &str, ply: u32| match ply as usize {
        ply if ply > count => Err(Failure::usage(format!("--{name} {ply}: the game has {count} moves"))),
        ply => Ok(ply),
    };
    let plies = args.ply.iter().map(|ply| within("ply", *ply)).collect::<Result<Vec<usize>, Failure>>()?;
    let failed = |why: Message| Failure::work(format!("{}: {why}", out.display()));
    let notation = language(args).notation_of(&*table);
    let mut pictures = GamePictures::new(painter, sheet.shape, table, actions);
    if kind != PictureKind::Gif && (args.from.is_some() || args.to.is_some()) {
        return Err(Failure::usage("--from and --to are for a .gif"));
    }
    let last = [count];
    let bytes = match (kind, plies.as_slice()) {
        (PictureKind::Pdf, plies) => {
            let text = language(args).about_game(&record, &sheet, notation);
            pictures.pdf(if plies.is_empty() { &last } else { plies }, &text).map_err(failed)?
        }
        (PictureKind::Gif, []) => {
            let (from, to) = (within("from", args.from.unwrap_or(0))?, args.to.map_or(Ok(count), |to| within("to", to))?);
            if from > to || to - from >= LONGEST_FILM {
                let why = format!("an animated picture goes forward over at most {LONGEST_FILM} positions");
                return Err(Failure::usage(format!("--from {from} --to {to}: {why}")));
            }
            pictures.film((from, to), PACE, &mut |_| true).map_err(failed)?.unwrap_or_default()
        }
        (PictureKind::Gif, _) => return Err(Failure::usage("--ply is for a .png, .svg or .pdf; a .gif has --from and --to")),
        (_, [_, _, ..]) => return Err(Failure::usage("--ply with several numbers is for a .pdf")),
        (PictureKind::Png, plies) => png(&pictures.at(plies.first().copied().unwrap_or(count))?).map_err(failed)?,
        (PictureKind::Svg, plies) => pictures.svg(plies.first().copied().unwrap_or(count)).map_err(failed)?.into_bytes(),
    };
    write(out, &bytes)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    replace_file(path, bytes).map_err(|error| Failure::file(path, &error))
}

/// The language asked for.
fn language(args: &Args) -> Language {
    Language::of_code(&args.lang).unwrap_or_default()
}

/// The board of a table.
fn board<'a>(sheet: &'a GameSheet, table: &dyn Table) -> Result<&'a Board, Failure> {
    let board = sheet.board(table.size());
    board.ok_or_else(|| Failure::work(format!("the sheet has no board for this position of {}", table.game())))
}

/// How a board is shown. The moves in a PDF count the files from each side, as its coordinates do.
fn look(on: &Board, args: &Args, kind: PictureKind) -> BoardLook {
    let labels = match on.coordinates {
        Coordinates::Xiangqi if language(args).is_chinese() => Labels::Numerals,
        Coordinates::Xiangqi if kind == PictureKind::Pdf => Labels::Digits,
        _ => Labels::Letters,
    };
    BoardLook { flipped: args.flip, labels }
}

/// The record to draw: from a file, or of a game's position and moves.
fn record(args: &Args) -> Result<Record, Failure> {
    let source = args.source.as_deref().unwrap_or_default();
    if games::find(source).is_ok() {
        let record = Record::new(source, Setup { variant: args.variant.clone(), position: args.position.clone() });
        let mut table = record.table()?;
        args.moves.play(&mut *table)?;
        return Ok(Record::of(&*table, record.seats, None));
    }
    if args.position.is_some() || args.variant.is_some() || args.moves.moves.is_some() {
        games::find(source)?;
    }
    let Reading { file, records, .. } = read(Path::new(source))?;
    let (number, games) = (args.game as usize, records.len());
    let chosen = records.into_iter().nth(number - 1);
    chosen.ok_or_else(|| Failure::usage(format!("--game {number}: {file} has {games}")))
}

/// The games of a file, at least one.
fn read(path: &Path) -> Result<Reading, Failure> {
    let (file, bytes) = convert::read(path)?;
    let reading = convert::format_of(&file, &bytes, path)?.read(&file, &bytes)?;
    if reading.records.is_empty() {
        reading.all()?;
        return Err(Failure::usage(format!("{file}:1: there is no record here")));
    }
    Ok(reading)
}

/// The theme with this name; `None` is the one for print.
fn theme(key: &str) -> Result<Option<Theme>, Failure> {
    if key == PRINT {
        return Ok(None);
    }
    let names = || Theme::builtin().iter().map(|(file, _)| file.trim_end_matches(".theme.ron")).chain([PRINT]);
    let found = Theme::builtin().iter().find(|(file, _)| file.trim_end_matches(".theme.ron") == key);
    let (file, text) =
        found.ok_or_else(|| Failure::usage(format!("there is no theme '{key}'; there are {}", ask::words(names()))))?;
    Ok(Some(Theme::parse(file, text)?))
}
