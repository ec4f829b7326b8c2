//! `puzzles`: makes puzzles from games of our engines, lists, shows, checks and grades them.

use qiju_core::games::{self, Entry};
use qiju_core::storage::{read_file, replace_file};
use qiju_core::study::puzzles::{Damaged, Maker, Puzzle, PuzzleFile, check, duplicates, lowest_level};
use qiju_core::table::{PuzzleKind, Puzzles, Setup};
use qiju_core::terminal::{Failure, aside, json, line};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use web_time::{Duration, Instant};

/// Makes puzzles from games of the engines, lists, shows, checks and grades them.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// List puzzles, one a line
    List(List),
    /// Show a puzzle: the position, what is asked, and the solution
    Show(Show),
    /// Check every puzzle again: the moves, the only solution, no duplicates
    Check(Check),
    /// Make puzzles of a game
    ///
    /// Low levels play games against each other; the game's search looks in their positions for puzzles with one solution, checks them, and all
    /// levels try to solve them. The file is saved after every game with a new puzzle; the same command continues it.
    Make(Make),
    /// Grade every puzzle of a file again by the lowest level that finds it, after the levels or their engines have changed
    Grade(Grade),
}

#[derive(clap::Args, Debug)]
struct List {
    /// A game, for the puzzles in the program, or a file of puzzles
    puzzles: String,
    /// Print one JSON object a line: {"id","game","variant","position","solution","kind","rating","level","asked"}
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args, Debug)]
struct Show {
    /// A game, for the puzzles in the program, or a file of puzzles
    puzzles: String,
    /// The puzzle: its id, or its number from 1
    puzzle: String,
    /// Print one JSON object, as `puzzles list --json` does
    #[arg(long)]
    json: bool,
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
    /// A game, for the puzzles in the program, or a file of puzzles
    puzzles: String,
    /// Write the puzzles that are right to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The number of threads
    #[arg(long, value_name = "T", default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
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
    match &args.command {
        Command::List(args) => list(args),
        Command::Show(args) => show(args),
        Command::Check(args) => check_all(args),
        Command::Make(args) => make(args),
        Command::Grade(args) => grade(args),
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

/// Does something with every puzzle of a file, on several threads, each with a value of its own: the results in the order of the puzzles, or the number
/// of a puzzle and what is wrong with it.
fn each<T: Send, W>(
    file: &PuzzleFile,
    threads: u16,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &Puzzle) -> Result<T, String> + Sync,
) -> Result<Vec<T>, (usize, String)> {
    let next = AtomicUsize::new(0);
    let share = || {
        let mut worker = worker();
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(puzzle) = file.puzzles.get(index) else { return Ok(done) };
            let result = work(&mut worker, puzzle).map_err(|why| {
                next.store(file.puzzles.len(), Ordering::Relaxed);
                (index + 1, why)
            })?;
            done.push((index, result));
        }
    };
    let shares: Result<Vec<_>, _> = std::thread::scope(|scope| {
        let tasks: Vec<_> = (0..threads).map(|_| scope.spawn(share)).collect();
        tasks.into_iter().map(|task| task.join().expect("a puzzle does not panic")).collect()
    });
    let mut done = shares?.into_iter().flatten().collect::<Vec<_>>();
    done.sort_by_key(|(index, _)| *index);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

/// Grades the puzzles of a file again and says how many have another grade.
fn grade(args: &Grade) -> Result<(), Failure> {
    let path = &args.file;
    let Collection { mut file, entry, .. } = Collection::of_file(path)?;
    let sheet = entry.sheet()?;
    let graded = AtomicUsize::new(0);
    let levels = each(
        &file,
        args.threads,
        || (),
        |(), puzzle| {
            let start = entry.table(&puzzle.setup()).map_err(|error| error.to_string())?;
            let solution = puzzle.solution(&*start)?;
            let level = lowest_level(&sheet, &*start, &solution).map_err(|error| error.to_string())?;
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
    distribution(&file)
}

/// Puzzles that were named in a command.
struct Collection {
    /// The game or the file, as it was named.
    name: String,
    file: PuzzleFile,
    entry: &'static Entry,
    puzzles: &'static dyn Puzzles,
}

impl Collection {
    /// The puzzles of a game in the program, or those of a file.
    fn named(name: &str) -> Result<Collection, Failure> {
        if let Ok(entry) = games::find(name) {
            let puzzles = puzzles_of(entry)?;
            let file = PuzzleFile::unpack(puzzles.shipped()).map_err(|error| Failure::work(format!("{name}: {error}")))?;
            return Ok(Collection { name: name.to_owned(), file, entry, puzzles });
        }
        if !Path::new(name).exists() {
            return Err(Failure::work(format!("{name}: there is no game and no file with this name")));
        }
        Collection::of_file(Path::new(name))
    }

    fn of_file(path: &Path) -> Result<Collection, Failure> {
        let name = path.display().to_string();
        let file = read(path)?;
        let entry = games::find(&file.game).map_err(|error| Failure::usage(format!("{name}: {error}")))?;
        Ok(Collection { name, file, entry, puzzles: puzzles_of(entry)? })
    }

    /// The puzzle with this id or number.
    fn find(&self, wanted: &str) -> Result<&Puzzle, Failure> {
        let count = self.file.puzzles.len();
        let number = wanted.parse::<usize>().ok().filter(|number| (1..=count).contains(number));
        let found = match number {
            Some(number) => self.file.puzzles.get(number - 1),
            None => self.file.puzzles.iter().find(|puzzle| id(puzzle) == wanted.to_lowercase()),
        };
        found.ok_or_else(|| Failure::usage(format!("{}: there is no puzzle '{wanted}' (1 to {count}, or an id)", self.name)))
    }
}

/// The id as text.
fn id(puzzle: &Puzzle) -> String {
    format!("{:016x}", puzzle.id())
}

#[derive(Serialize)]
struct Shown<'a> {
    id: String,
    game: &'a str,
    variant: &'a str,
    position: &'a str,
    solution: &'a [String],
    kind: &'static str,
    rating: f64,
    level: u8,
    asked: usize,
}

impl<'a> Shown<'a> {
    fn of(puzzle: &'a Puzzle, game: &'a str) -> Shown<'a> {
        let Puzzle { variant, position, line, kind, level, asked } = puzzle;
        let (id, rating) = (id(puzzle), puzzle.rating());
        Shown { id, game, variant, position, solution: line, kind: kind.key(), rating, level: *level, asked: *asked }
    }
}

fn list(args: &List) -> Result<(), Failure> {
    let Collection { file, .. } = Collection::named(&args.puzzles)?;
    for puzzle in &file.puzzles {
        let shown = Shown::of(puzzle, &file.game);
        if args.json {
            json(&shown)?;
        } else {
            let Shown { id, variant, position, solution, kind, rating, .. } = shown;
            line(&format!("{id} {kind} {rating} {variant} {position} {}", solution.join(" ")))?;
        }
    }
    Ok(())
}

fn show(args: &Show) -> Result<(), Failure> {
    let collection = Collection::named(&args.puzzles)?;
    let puzzle = collection.find(&args.puzzle)?;
    let shown = Shown::of(puzzle, &collection.file.game);
    if args.json {
        return json(&shown);
    }
    let start = collection.entry.table(&puzzle.setup()).map_err(|error| Failure::work(format!("{}: {error}", shown.id)))?;
    line(&start.diagram())?;
    line(&format!("id        {}", shown.id))?;
    line(&format!("variant   {}", shown.variant))?;
    line(&format!("position  {}", shown.position))?;
    line(&format!("kind      {}", shown.kind))?;
    line(&format!("rating    {} (level {}, moves asked: {})", shown.rating, shown.level, shown.asked))?;
    line(&format!("solution  {}", shown.solution.join(" ")))
}

/// Checks every puzzle and names each that is wrong.
fn check_all(args: &Check) -> Result<(), Failure> {
    let Collection { name, file, entry, puzzles } = Collection::named(&args.puzzles)?;
    let equal = duplicates(&file, puzzles, &|setup| entry.table(setup)).map_err(|error| damaged(Path::new(&name), &error))?;
    let checked = each(
        &file,
        args.threads,
        || puzzles.setter(),
        |setter, puzzle| {
            let start = entry.table(&puzzle.setup()).map_err(|error| error.to_string())?;
            Ok(check(puzzle, &*start, &mut **setter).err())
        },
    );
    let faults = checked.map_err(|(number, why)| Failure::work(format!("{name}: puzzle {number}: {why}")))?;
    let doubled = equal.into_iter().map(|(earlier, later)| (later, format!("the same as puzzle {earlier}")));
    let faults: Vec<_> = (1..).zip(faults).filter_map(|(number, fault)| Some((number, fault?))).chain(doubled).collect();
    for (number, why) in &faults {
        line(&format!("puzzle {number} ({}): {why}", id(&file.puzzles[number - 1])))?;
    }
    if let Some(path) = &args.out {
        let mut right = file.clone();
        let mut numbers = 1..;
        right.puzzles.retain(|_| numbers.next().is_some_and(|number| faults.iter().all(|(faulty, _)| *faulty != number)));
        replace_file(path, right.pack()).map_err(|error| Failure::work(format!("{}: {error}", path.display())))?;
        aside(&format!("{}: {} puzzles written", path.display(), right.puzzles.len()));
    }
    match faults.len() {
        0 => distribution(&file),
        count => Err(Failure::work(format!("{name}: faults in the puzzles: {count}"))),
    }
}
