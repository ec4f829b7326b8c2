//! `puzzles`: makes puzzles from games of our engines, and checks a file of them.

use super::failure::Failure;
use super::output::{aside, json, line};
use crate::games::{self, Entry};
use crate::storage::{read_file, replace_file};
use crate::study::puzzles::{Damaged, Maker, PuzzleFile, check, duplicates};
use crate::table::{PuzzleKind, PuzzleSetter, Puzzles, Setup};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use web_time::{Duration, Instant};

/// Makes puzzles, and checks them.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// Make puzzles of a game
    ///
    /// Low levels play games against each other; the game's search looks in their positions for puzzles with one solution, checks them, and all
    /// levels try to solve them. The file is saved after every game with a new puzzle; the same command continues it.
    Make(Make),
    /// Check every puzzle of a file again: the moves, the only solution, no duplicates
    Check(Check),
}

#[derive(clap::Args, Debug)]
struct Make {
    /// The game: xiangqi, gomoku or two-eat-one
    game: String,
    /// The number of puzzles in the file at the end
    #[arg(long, value_name = "N", default_value_t = 500, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// Seed of the games [default: 1, or that of the file]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    seed: Option<u64>,
    /// The number of games at the same time
    #[arg(long, value_name = "T", default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// The file; if it exists, puzzles are added
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(clap::Args, Debug)]
struct Check {
    /// The file
    file: PathBuf,
    /// The number of threads
    #[arg(long, value_name = "T", default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Write the puzzles as JSON, one object a line: {"kind","level","rating","asked","variant","position","line"}
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    match &args.command {
        Command::Make(args) => make(args),
        Command::Check(args) => check_file(args),
    }
}

/// The game's puzzles.
fn puzzles_of(entry: &Entry) -> Result<&'static dyn Puzzles, Failure> {
    let puzzles = (entry.capabilities)((entry.variants)()[0]).puzzles;
    puzzles.ok_or_else(|| Failure::usage(format!("there are no puzzles of {}", entry.key)))
}

fn read(path: &Path) -> Result<PuzzleFile, Failure> {
    let bytes = read_file(path).map_err(|error| Failure::work(format!("{}: {error}", path.display())))?;
    PuzzleFile::unpack(&bytes).map_err(|error| damaged(path, &error))
}

fn damaged(path: &Path, error: &Damaged) -> Failure {
    Failure::usage(format!("{}: {error}", path.display()))
}

fn make(args: &Make) -> Result<(), Failure> {
    let entry = games::find(&args.game)?;
    let (puzzles, sheet) = (puzzles_of(entry)?, entry.sheet()?);
    let path = &args.out;
    let file = if path.exists() { read(path)? } else { PuzzleFile::new(entry.key, args.seed.unwrap_or(1)) };
    if file.game != entry.key {
        return Err(Failure::usage(format!("{}: these are puzzles of {}", path.display(), file.game)));
    }
    if let Some(seed) = args.seed.filter(|seed| *seed != file.seed) {
        return Err(Failure::usage(format!("{}: its games have the seed {}, not {seed}", path.display(), file.seed)));
    }
    let save = |file: &PuzzleFile| {
        replace_file(path, file.pack()).map_err(|error| Failure::work(format!("{}: {error}", path.display())))
    };
    save(&file)?;
    let table = |setup: &Setup| entry.table(setup);
    let mut maker = Maker::new(puzzles, &sheet, &table, args.count as usize, file).map_err(|error| damaged(path, &error))?;
    let mut told = Instant::now();
    while !maker.is_done() {
        let first = maker.file().games;
        let maker_now = &maker;
        // The games are added in the order of their numbers.
        let games = std::thread::scope(|scope| {
            let tasks: Vec<_> =
                (0..u64::from(args.threads)).map(|index| scope.spawn(move || maker_now.play(first + index))).collect();
            tasks.into_iter().map(|task| task.join().expect("a game does not panic")).collect::<Result<Vec<_>, _>>()
        })?;
        let before = maker.file().puzzles.len();
        games.into_iter().for_each(|game| maker.add(game));
        if maker.file().puzzles.len() > before || told.elapsed() > Duration::from_secs(20) {
            save(maker.file())?;
        }
        if told.elapsed() > Duration::from_secs(10) {
            told = Instant::now();
            aside(&format!("{} puzzles from {} games", maker.file().puzzles.len(), maker.file().games));
        }
    }
    save(maker.file())?;
    distribution(maker.file())
}

/// The number of puzzles of each kind and number of moves, and of each level.
fn distribution(file: &PuzzleFile) -> Result<(), Failure> {
    let mut kinds: BTreeMap<(PuzzleKind, usize), usize> = BTreeMap::new();
    let mut levels: BTreeMap<u8, usize> = BTreeMap::new();
    for puzzle in &file.puzzles {
        *kinds.entry((puzzle.kind, puzzle.asked)).or_default() += 1;
        *levels.entry(puzzle.level).or_default() += 1;
    }
    line(&format!("{} {} puzzles from {} games, seed {}", file.puzzles.len(), file.game, file.games, file.seed))?;
    for ((kind, asked), count) in kinds {
        line(&format!("{kind} {asked} {count}"))?;
    }
    for (level, count) in levels {
        line(&format!("level {level} {count}"))?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Shown<'a> {
    kind: &'static str,
    level: u8,
    rating: f64,
    asked: usize,
    variant: &'a str,
    position: &'a str,
    line: &'a [String],
}

fn check_file(args: &Check) -> Result<(), Failure> {
    let path = &args.file;
    let file = read(path)?;
    let entry = games::find(&file.game).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
    let puzzles = puzzles_of(entry)?;
    let wrong = |number: usize, why: &str| Failure::work(format!("{}: puzzle {number}: {why}", path.display()));
    let equal = duplicates(&file, puzzles, &|setup| entry.table(setup)).map_err(|error| damaged(path, &error))?;
    if let Some((earlier, later)) = equal.first() {
        return Err(wrong(*later, &format!("the same as puzzle {earlier}")));
    }
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(None));
    let verify = |setter: &mut dyn PuzzleSetter, index: usize| {
        let start = entry.table(&file.puzzles[index].setup()).map_err(|error| error.to_string())?;
        check(&file.puzzles[index], &*start, setter)
    };
    std::thread::scope(|scope| {
        for _ in 0..args.threads {
            scope.spawn(|| {
                let mut setter = puzzles.setter();
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= file.puzzles.len() {
                        break;
                    }
                    if let Err(why) = verify(&mut *setter, index) {
                        next.store(file.puzzles.len(), Ordering::Relaxed);
                        if let Ok(mut failed) = failed.lock() {
                            *failed = Some((index + 1, why));
                        }
                    }
                }
            });
        }
    });
    if let Ok(Some((number, why))) = failed.into_inner() {
        return Err(wrong(number, &why));
    }
    if !args.json {
        return distribution(&file);
    }
    for puzzle in &file.puzzles {
        json(&Shown {
            kind: puzzle.kind.key(),
            level: puzzle.level,
            rating: puzzle.rating(),
            asked: puzzle.asked,
            variant: &puzzle.variant,
            position: &puzzle.position,
            line: &puzzle.line,
        })?;
    }
    Ok(())
}
