//! `puzzles`: makes puzzles from games of our engines, lists, shows, checks and grades them.

use crate::cli::ask::{read_game, words};
use qiju_core::games::{self, Entry};
use qiju_core::storage::{read_file, replace_file};
use qiju_core::study::puzzles::{Damaged, Puzzle, PuzzleFile, check, duplicates};
use qiju_core::table::Puzzles;
use qiju_core::terminal::{Failure, aside, json, line};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Lists, shows and checks puzzles.
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
}

#[derive(clap::Args, Debug)]
struct List {
    /// A game, for the puzzles in the program, or a file of puzzles
    #[arg(value_parser = read_game)]
    puzzles: String,
    /// Only puzzles with this theme; `--json` names the themes of each
    #[arg(long, value_name = "T")]
    theme: Option<String>,
    /// Print one JSON object a line: {"id","game","variant","position","solution","kind","rating","level","asked","themes"}
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args, Debug)]
struct Show {
    /// A game, for the puzzles in the program, or a file of puzzles
    #[arg(value_parser = read_game)]
    puzzles: String,
    /// The puzzle: its id, or its number from 1
    puzzle: String,
    /// Print one JSON object, as `puzzles list --json` does
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args, Debug)]
struct Check {
    /// A game, for the puzzles in the program, or a file of puzzles
    #[arg(value_parser = read_game)]
    puzzles: String,
    /// Write the puzzles that are right to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The number of threads
    #[arg(long, value_name = "T", default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    match &args.command {
        Command::List(args) => list(args),
        Command::Show(args) => show(args),
        Command::Check(args) => check_all(args),
    }
}

/// The game's puzzles.
fn puzzles_of(entry: &Entry) -> Result<&'static dyn Puzzles, Failure> {
    let puzzles = (entry.capabilities)((entry.variants)()[0]).puzzles;
    puzzles.ok_or_else(|| Failure::usage(format!("there are no puzzles of {}", entry.key)))
}

fn read(path: &Path) -> Result<PuzzleFile, Failure> {
    let bytes = read_file(path).map_err(|error| Failure::file(path, &error))?;
    PuzzleFile::unpack(&bytes).map_err(|error| damaged(path, &error))
}

fn damaged(path: &Path, error: &Damaged) -> Failure {
    Failure::usage(format!("{}: {error}", path.display()))
}

/// Puzzles that were named in a command.
pub(super) struct Collection {
    /// The game or the file, as it was named.
    name: String,
    pub file: PuzzleFile,
    pub entry: &'static Entry,
    puzzles: &'static dyn Puzzles,
}

impl Collection {
    /// The puzzles of a game in the program, or those of a file.
    pub fn named(name: &str) -> Result<Collection, Failure> {
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

    /// The number, from 1, of the puzzle with this id or number.
    pub fn number(&self, wanted: &str) -> Option<usize> {
        let number = wanted.parse::<usize>().ok().filter(|number| (1..=self.file.puzzles.len()).contains(number));
        let of_id = || self.file.puzzles.iter().position(|puzzle| id(puzzle) == wanted.to_lowercase());
        number.or_else(|| Some(of_id()? + 1))
    }

    /// The puzzle with this id or number.
    fn find(&self, wanted: &str) -> Result<&Puzzle, Failure> {
        let count = self.file.puzzles.len();
        let found = self.number(wanted).map(|number| &self.file.puzzles[number - 1]);
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
    themes: Vec<&'static str>,
}

impl<'a> Shown<'a> {
    fn of(puzzle: &'a Puzzle, collection: &'a Collection) -> Shown<'a> {
        let Puzzle { variant, position, line, kind, level, asked } = puzzle;
        let (id, rating, game) = (id(puzzle), puzzle.rating(), &collection.file.game);
        let table = collection.entry.table(&puzzle.setup());
        let themes = table.map_or_else(|_| Vec::new(), |table| puzzle.themes(&*table, collection.puzzles));
        Shown { id, game, variant, position, solution: line, kind: kind.key(), rating, level: *level, asked: *asked, themes }
    }
}

fn list(args: &List) -> Result<(), Failure> {
    let collection = Collection::named(&args.puzzles)?;
    let known = collection.puzzles.themes();
    if let Some(theme) = args.theme.as_deref().filter(|theme| !known.contains(theme)) {
        let there = if known.is_empty() { "none".to_owned() } else { words(known.iter().copied()) };
        return Err(Failure::usage(format!("{}: there is no theme '{theme}'; there are {there}", args.puzzles)));
    }
    for puzzle in &collection.file.puzzles {
        let shown = Shown::of(puzzle, &collection);
        if args.theme.as_deref().is_some_and(|theme| !shown.themes.contains(&theme)) {
            continue;
        }
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
    let shown = Shown::of(puzzle, &collection);
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
    if !shown.themes.is_empty() {
        line(&format!("themes    {}", shown.themes.join(", ")))?;
    }
    line(&format!("solution  {}", shown.solution.join(" ")))
}

/// Checks every puzzle and names each that is wrong.
fn check_all(args: &Check) -> Result<(), Failure> {
    let Collection { name, file, entry, puzzles } = Collection::named(&args.puzzles)?;
    let equal = duplicates(&file, puzzles, &|setup| entry.table(setup)).map_err(|error| damaged(Path::new(&name), &error))?;
    let checked = file.each(
        args.threads,
        || puzzles.setter(),
        |setter, puzzle| {
            let start = entry.table(&puzzle.setup())?;
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
        replace_file(path, right.pack()).map_err(|error| Failure::file(path, &error))?;
        aside(&format!("{}: {} puzzles written", path.display(), right.puzzles.len()));
    }
    match faults.len() {
        0 => line(&file.distribution()),
        count => Err(Failure::work(format!("{name}: faults in the puzzles: {count}"))),
    }
}
