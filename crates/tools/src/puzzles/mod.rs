//! `puzzles GAME`: makes and grades puzzles. The program itself lists, shows and checks them.

mod make;

use make::{Maker, lowest_level};
use qiju_core::games::{self, Entry};
use qiju_core::storage::{read_file, replace_file};
use qiju_core::study::puzzles::{Damaged, PuzzleFile};
use qiju_core::table::Setup;
use qiju_core::terminal::{Failure, aside, line};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use web_time::{Duration, Instant};

/// Makes puzzles from games of the engines, and grades them.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game: xiangqi, gomoku or two-eat-one
    game: String,
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// Make puzzles
    ///
    /// Low levels play games against each other; the game's search looks in their positions for puzzles with one solution, checks them, and all
    /// levels try to solve them. The file is saved after every game with a new puzzle; the same command continues it.
    Make(Make),
    /// Grade every puzzle of a file again by the lowest level that finds it, after the levels or their engines have changed
    Grade(Grade),
}

#[derive(clap::Args, Debug)]
struct Make {
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
struct Grade {
    /// The file; it is written when all puzzles are graded
    file: PathBuf,
    /// The number of threads
    #[arg(long, value_name = "T", default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let entry = games::find(&args.game)?;
    match &args.command {
        Command::Make(args) => make(entry, args),
        Command::Grade(args) => grade(entry, args),
    }
}

fn read(path: &Path) -> Result<PuzzleFile, Failure> {
    let bytes = read_file(path).map_err(|error| Failure::work(format!("{}: {error}", path.display())))?;
    PuzzleFile::unpack(&bytes).map_err(|error| damaged(path, &error))
}

fn damaged(path: &Path, error: &Damaged) -> Failure {
    Failure::usage(format!("{}: {error}", path.display()))
}

fn make(entry: &Entry, args: &Make) -> Result<(), Failure> {
    let puzzles = (entry.capabilities)((entry.variants)()[0]).puzzles;
    let puzzles = puzzles.ok_or_else(|| Failure::usage(format!("there are no puzzles of {}", entry.key)))?;
    let sheet = entry.sheet()?;
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
    line(&maker.file().distribution())
}

/// Grades the puzzles of a file again and says how many have another grade.
fn grade(entry: &Entry, args: &Grade) -> Result<(), Failure> {
    let path = &args.file;
    let mut file = read(path)?;
    if file.game != entry.key {
        return Err(Failure::usage(format!("{}: these are puzzles of {}", path.display(), file.game)));
    }
    let sheet = entry.sheet()?;
    let graded = AtomicUsize::new(0);
    let levels = file
        .each(
            args.threads,
            || (),
            |(), puzzle| {
                let start = entry.table(&puzzle.setup())?;
                let solution = puzzle.solution(&*start)?;
                let level = lowest_level(&sheet, &*start, &solution)?;
                let count = graded.fetch_add(1, Ordering::Relaxed) + 1;
                if count.is_multiple_of(50) {
                    aside(&format!("{count} of {} puzzles", file.puzzles.len()));
                }
                Ok(level)
            },
        )
        .map_err(|(number, why)| Failure::work(format!("{}: puzzle {number}: {why}", path.display())))?;
    let changed = file.puzzles.iter().zip(&levels).filter(|(puzzle, level)| puzzle.level != **level).count();
    file.puzzles.iter_mut().zip(levels).for_each(|(puzzle, level)| puzzle.level = level);
    replace_file(path, file.pack()).map_err(|error| Failure::work(format!("{}: {error}", path.display())))?;
    line(&format!("{changed} of {} puzzles have another grade", file.puzzles.len()))?;
    line(&file.distribution())
}
