//! `picture`: draws a position as a PNG, or a game as an animated GIF.

#[cfg(not(feature = "paint"))]
use super::failure::Failure;
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

#[cfg(not(feature = "paint"))]
pub fn run(args: &Args) -> Result<(), Failure> {
    let Args { source, variant, position, game, ply, from, to, out, size, theme, lang, flip } = args;
    let _ = (source, variant, position, game, ply, from, to, size, theme, lang, flip);
    Err(Failure::work(format!("{}: this build cannot draw pictures; it was built without the feature 'paint'", out.display())))
}

#[cfg(feature = "paint")]
pub use painted::run;

#[cfg(feature = "paint")]
mod painted {
    use super::Args;
    use crate::cli::ask::words;
    use crate::cli::convert;
    use crate::cli::failure::Failure;
    use crate::games;
    use crate::paint::{BoardLook, Film, Labels, PieceSet, Scene, Theme, png};
    use crate::record::Record;
    use crate::rules::Point;
    use crate::storage::replace_file;
    use crate::table::{Action, Coordinates, Setup, Table};
    use std::path::Path;

    /// The time of each position, in milliseconds; the first and the last have a longer time.
    const MOVE_MS: u32 = 900;
    const FIRST_MS: u32 = 1500;
    const LAST_MS: u32 = 4000;
    /// The most positions of an animated picture.
    const LONGEST: usize = 2000;

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
        let mut table = record.table()?;
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
        let scene = Scene::new(&sheet, on, &theme, PieceSet::Characters, &look, size);
        let actions = record.main_actions();
        let count = actions.len();
        let within = |name: &str, ply: Option<u32>, usual: usize| match ply.map(|ply| ply as usize) {
            Some(ply) if ply > count => Err(Failure::usage(format!("--{name} {ply}: the game has {count} moves"))),
            ply => Ok(ply.unwrap_or(usual)),
        };
        let drawn = |table: &dyn Table, last: Option<Action>| {
            let points: Vec<Point> =
                last.into_iter().flat_map(|action| action.origin().into_iter().chain(action.target())).collect();
            scene.picture(&table.pieces(), &points, table.check())
        };
        let failed = |why: String| Failure::work(format!("{}: {why}", out.display()));
        let mut last = None;
        let mut go = |table: &mut dyn Table, plies: usize, done: &mut usize| -> Result<Option<Action>, Failure> {
            while *done < plies {
                table.play(actions[*done])?;
                last = Some(actions[*done]);
                *done += 1;
            }
            Ok(last)
        };
        let mut done = 0;
        if !animated {
            let ply = within("ply", args.ply, count)?;
            let last = go(&mut *table, ply, &mut done)?;
            let bytes = png(&drawn(&*table, last)).map_err(failed)?;
            return write(out, &bytes);
        }
        if args.ply.is_some() {
            return Err(Failure::usage("--ply is for a .png; a .gif has --from and --to"));
        }
        let (from, to) = (within("from", args.from, 0)?, within("to", args.to, count)?);
        if from > to || to - from >= LONGEST {
            return Err(Failure::usage(format!(
                "--from {from} --to {to}: an animated picture goes forward over at most {LONGEST} positions"
            )));
        }
        let last_of_first = go(&mut *table, from, &mut done)?;
        let first = drawn(&*table, last_of_first);
        let end = record.replay().map_err(|(_, why)| Failure::usage(why))?;
        let example = drawn(&*end, actions.last().copied());
        let mut bytes = Vec::new();
        let mut film = Film::new(&mut bytes, &[&first, &example]).map_err(failed)?;
        film.add(&first, if from == to { LAST_MS } else { FIRST_MS }).map_err(failed)?;
        for ply in from + 1..=to {
            let last = go(&mut *table, ply, &mut done)?;
            film.add(&drawn(&*table, last), if ply == to { LAST_MS } else { MOVE_MS }).map_err(failed)?;
        }
        drop(film);
        write(out, &bytes)
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
}
