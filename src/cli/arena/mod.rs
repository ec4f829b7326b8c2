//! `arena`: plays a match of two engines, each opening twice with colours swapped, and computes the difference in strength with its error.

mod openings;
mod report;
mod spec;
mod sprt;
mod statistics;

use super::ask::PositionArgs;
use qiju_core::arena::{self, Competitor, Game, Margins, Opening, Rules, Spec};
use qiju_core::games::Entry;
use qiju_core::protocol::host::{Host, OptionValues, START_UP};
use qiju_core::record::{Format, Summary, Writer};
use qiju_core::rules::zobrist;
use qiju_core::search::Limits;
use qiju_core::storage::append_line;
use qiju_core::table::{GameSheet, Table};
use qiju_core::terminal::{Failure, aside};
use report::Report;
use sprt::Sprt;
use std::fs::OpenOptions;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// Plays a match between two engines.
///
/// An engine is `level:N`, or `level:N,manner:M` for a level in a manner of the game; or `algorithm:A`, optionally with `depth:D`, `nodes:N`, `movetime:MS`, `hash:MB`, `threads:T`, `width:W`, `misjudgement:M`,
/// `evaluation:E` (`own`, `hand`, `network`, `network:FILE`) or `parameters:N/N/..` (what `qiju-tools tune` prints) after commas; or `cmd:PROGRAM ARGS` for a program that speaks UCI, UCCI or Gomocup.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// The first engine
    #[arg(long, value_name = "SPEC")]
    a: String,
    /// The second engine
    #[arg(long, value_name = "SPEC")]
    b: String,
    /// The number of games [default: 20, or with --sprt as many as needed]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: Option<u32>,
    /// Continue until the sequential test has decided whether the first engine is stronger by ELO0 or by ELO1, each with an error of 5 %
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, value_parser = Sprt::parse)]
    sprt: Option<Sprt>,
    /// A file of openings, one per line: `POSITION ; moves M M ..`, or for gomoku `SIZE RULE MOVES`
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Random moves at the start of each pair of games, without a file of openings [default: 2 if the game has no balanced openings]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(0..=40))]
    random_plies: Option<u16>,
    /// Milliseconds per move
    #[arg(long, value_name = "MS", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,
    /// Nodes per move
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds that an engine may exceed --movetime without losing on time
    #[arg(long, value_name = "MS", default_value_t = 300, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(0..=60_000))]
    grace: u64,
    /// Seconds that a program may take to start, before its time runs
    #[arg(long, value_name = "S", default_value_t = START_UP.as_secs(), allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..=3600))]
    start_up: u64,
    /// The number of games played at the same time
    #[arg(long, value_name = "C", default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,
    /// The most plies of a game; a longer game is a draw
    #[arg(long, value_name = "N", default_value_t = 600, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    max_plies: u32,
    /// End a game when both engines have seen one of them at least this far behind (hundredths of the game's unit) for four moves
    /// each; without this option games are played to the end
    #[arg(long, value_name = "CP", allow_negative_numbers = true, value_parser = clap::value_parser!(i32).range(1..=20_000))]
    resign: Option<i32>,
    /// End a game as a draw when, after ply 80, neither engine has seen itself further ahead or behind than this for eight moves
    /// each; without this option games are played to the end
    #[arg(long, value_name = "CP", allow_negative_numbers = true, value_parser = clap::value_parser!(i32).range(0..=20_000))]
    draw: Option<i32>,
    /// Seed of the random openings and of the errors of the lower levels
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    /// A file to which each finished game is added as a record, as pgn if its name ends so, else in our own format
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Print no line on standard error for each game
    #[arg(long)]
    quiet: bool,
}

/// The default number of games of a match.
const GAMES: u32 = 20;
/// The most games of a match.
const MOST_GAMES: u32 = 1_000_000;

/// The data shared by all worker threads.
struct Match<'a> {
    args: &'a Args,
    /// The number of games, if nothing ends the match earlier.
    games: usize,
    specs: [Spec; 2],
    sheet: GameSheet,
    /// The opening of each pair of games.
    opening: Box<dyn Fn(usize) -> Opening + Send + Sync + 'a>,
    rules: Rules,
}

/// The openings of the match: from a file, the game's balanced openings, or random moves.
fn openings<'a>(
    args: &'a Args,
    entry: &'static Entry,
    table: &'a dyn Table,
) -> Result<Box<dyn Fn(usize) -> Opening + Send + Sync + 'a>, Failure> {
    if let Some(path) = &args.openings {
        let listed = openings::load(path, entry, &args.position)?;
        return Ok(Box::new(move |pair| listed[pair % listed.len()].clone()));
    }
    let own = args.random_plies.is_none() && args.position.position.is_none();
    if own && arena::balanced(entry, table, 0, args.seed).is_some() {
        let start = Opening::new(table.boxed_clone(), 0);
        return Ok(Box::new(move |pair| arena::balanced(entry, table, pair, args.seed).unwrap_or_else(|| start.clone())));
    }
    let plies = args.random_plies.unwrap_or(2);
    if args.sprt.is_some() {
        // Their number is not known in advance, so each is made when it is needed.
        let seed = move |pair: usize| zobrist::mix(args.seed ^ (pair as u64) << 20);
        return Ok(Box::new(move |pair| arena::random(table, plies, 1, seed(pair)).swap_remove(0)));
    }
    let listed = arena::random(table, plies, (args.games.unwrap_or(GAMES) as usize).div_ceil(2), args.seed);
    Ok(Box::new(move |pair| listed[pair % listed.len()].clone()))
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let entry = args.position.entry()?;
    let table = args.position.table()?;
    let sheet = entry.load_sheet()?;
    let read = |name: &str, text: &str| spec::read(text, &sheet).map_err(|why| Failure::usage(format!("--{name} {text}: {why}")));
    let specs = [read("a", &args.a)?, read("b", &args.b)?];
    let limits = Limits { nodes: args.nodes, time: args.movetime.map(Duration::from_millis), ..Limits::default() };
    for (name, engine) in ["a", "b"].into_iter().zip(&specs) {
        spec::check(engine, &limits, &*table).map_err(|why| Failure::usage(format!("--{name}: {why}")))?;
    }
    let opening = openings(args, entry, &*table)?;
    let rules = Rules {
        limits,
        grace: Duration::from_millis(args.grace),
        max_plies: args.max_plies as usize,
        margins: Margins { resign: args.resign, draw: args.draw },
    };
    let record = args.record.as_deref().map(Recorder::new).transpose()?;
    // Check before the first game that the programs start.
    let mut names = specs.each_ref().map(Spec::name);
    for (name, spec) in names.iter_mut().zip(&specs) {
        if let Spec::Program { command } = spec {
            let started = Host::start_with(command, &*table, &OptionValues::new(), Duration::from_secs(args.start_up));
            *name = started.map_err(|error| Failure::work(error.to_string()))?.name().to_owned();
        }
    }
    let games = args.games.unwrap_or(if args.sprt.is_some() { MOST_GAMES } else { GAMES });
    let the_match = Match { args, games: games as usize, specs, sheet, opening, rules };
    let mut report = Report::new(names, args.sprt);
    let (to_report, finished) = mpsc::channel();
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    let workers = usize::from(args.concurrency).min(the_match.games);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (to_report, next, the_match) = (to_report.clone(), &next, &the_match);
            scope.spawn(move || work(the_match, next, &to_report));
        }
        drop(to_report);
        for game in finished {
            let game: Game = game;
            if let Some(record) = &record
                && let Err(failure) = record.keep(&game)
            {
                failed.lock().expect("nobody panics").get_or_insert(failure);
                next.store(usize::MAX / 2, Ordering::Relaxed);
            }
            report.take(&game);
            if report.is_decided() {
                next.store(usize::MAX / 2, Ordering::Relaxed);
            }
            if !args.quiet {
                aside(&report.progress(&game, games));
            }
        }
    });
    if let Some(failure) = failed.into_inner().expect("nobody panics") {
        return Err(failure);
    }
    report.print(args.json, &args.position.game)
}

/// The file to which the games are added.
struct Recorder<'a> {
    path: &'a Path,
    format: Format,
}

impl Recorder<'_> {
    /// Checks before the first game that the file can be written, and that it holds no games of another format.
    fn new(path: &Path) -> Result<Recorder<'_>, Failure> {
        let usage = |why: String| Failure::usage(format!("{}: {why}", path.display()));
        let ending = path.extension().and_then(|ending| ending.to_str());
        let format = match ending.and_then(Format::from_key) {
            Some(Format::Pgn) => Format::Pgn,
            None | Some(Format::Ron | Format::Lines) => Format::Ron,
            Some(other) => {
                return Err(usage(format!("games are recorded as ron or pgn; `qiju convert` makes a {}", other.key())));
            }
        };
        let mut head = Vec::new();
        let opened = OpenOptions::new().create(true).read(true).append(true).open(path).and_then(|file| {
            let most = if file.metadata()?.is_file() { 1 << 16 } else { 0 };
            file.take(most).read_to_end(&mut head)
        });
        opened.map_err(|error| Failure::file(path, &error))?;
        match Format::of(&head, None) {
            Some(there) if there != format => Err(usage(format!("it holds games as {}, not as {}", there.key(), format.key()))),
            _ => Ok(Recorder { path, format }),
        }
    }

    /// Adds a game. First, an incomplete last line, left by an earlier run on a full disk, is moved to another file.
    fn keep(&self, game: &Game) -> Result<(), Failure> {
        let path = self.path;
        let mut text = game.record.to_line();
        if self.format == Format::Pgn {
            let mut out = Vec::new();
            let written = Writer::new(Format::Pgn, None, false).and_then(|mut writer| writer.add(&game.record, &mut out));
            written.map_err(|why| Failure::usage(format!("{}: {why}", path.display())))?;
            // With its last line end: an empty line stands between two games.
            text = String::from_utf8_lossy(&out).into_owned();
        }
        // A line that does not begin like a record of ours is not changed.
        let is_whole =
            |line: &[u8]| self.format == Format::Pgn || !line.starts_with(b"(") || ron::de::from_bytes::<Summary>(line).is_ok();
        if let Some(torn) = append_line(path, &text, is_whole).map_err(|error| Failure::file(path, &error))? {
            aside(&format!("{}: the last line was incomplete; it was moved to {}", path.display(), torn.display()));
        }
        Ok(())
    }
}

/// Plays games until none are left.
fn work(the_match: &Match, next: &AtomicUsize, to_report: &mpsc::Sender<Game>) {
    let start_up = Duration::from_secs(the_match.args.start_up);
    let mut players = the_match.specs.each_ref().map(|spec| Competitor::new(spec.clone(), start_up));
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        if index >= the_match.games {
            return;
        }
        let opening = (the_match.opening)(index / 2);
        for (side, player) in players.iter_mut().enumerate() {
            let seed = zobrist::mix(the_match.args.seed ^ (index as u64) << 1 ^ (side as u64) << 40);
            player.new_game(&the_match.sheet, seed);
        }
        let game = arena::play(index, &opening, &mut players, &the_match.rules);
        if to_report.send(game).is_err() {
            return;
        }
    }
}
