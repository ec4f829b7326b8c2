//! Sheets: a diagram for each puzzle or game of a file.

use super::{Args, board, language, look, read};
use crate::cli::puzzles::Collection;
use crate::language::Language;
use crate::print::PictureKind;
use qiju_core::games;
use qiju_core::message::Message;
use qiju_core::paint::{Drawing, Mark, PieceSet, PrintPainter, SheetPart, pdf, score_text, sheet as set};
use qiju_core::storage::read_file;
use qiju_core::study::puzzles::{Damaged, Puzzle, PuzzleFile};
use qiju_core::table::{GameSheet, PuzzleKind, Table};
use qiju_core::terminal::Failure;
use std::collections::BTreeMap;
use std::path::Path;

/// The most diagrams of a sheet.
const MOST: usize = 600;
/// How many puzzles are on a sheet if none are chosen.
const USUAL: usize = 12;

/// The sheet as a PDF.
pub(super) fn sheet(source: &str, args: &Args) -> Result<Vec<u8>, Failure> {
    let words = language(args);
    let unpacked = || Some(PuzzleFile::unpack(&read_file(Path::new(source)).ok()?));
    let is_puzzles = || unpacked().is_some_and(|file| !matches!(file, Err(Damaged::Foreign)));
    let (title, parts) =
        if games::find(source).is_ok() || is_puzzles() { puzzles(source, args, words)? } else { records(source, args, words)? };
    Ok(pdf(&title, &set(&parts, &words.fill("print.page", &[]))))
}

type Sheet = (String, Vec<SheetPart>);

/// What is asked above, the solutions on pages of their own. A puzzle has its number in the collection, so that it is found again.
fn puzzles(source: &str, args: &Args, words: Language) -> Result<Sheet, Failure> {
    let collection = Collection::named(source)?;
    let sheet = collection.entry.load_sheet()?;
    let count = collection.file.puzzles.len();
    let chosen = match &args.only {
        Some(only) => numbers(only, count, |word| collection.number(word))?,
        None => (1..=count.min(USUAL)).collect(),
    };
    let (mut press, mut diagrams, mut solutions) = (Press::new(args), Vec::new(), Vec::new());
    for number in chosen {
        let puzzle = &collection.file.puzzles[number - 1];
        let failed = |why: Message| Failure::work(format!("{source}: puzzle {number}: {why}"));
        let table = collection.entry.table(&puzzle.setup()).map_err(|why| failed((&why).into()))?;
        let solution = puzzle.solution(&*table).map_err(failed)?;
        diagrams.push((press.diagram(&sheet, &*table)?, format!("{number}. {}", asked(puzzle, words, &sheet, &*table))));
        let moves =
            score_text(&*table, &solution.line, words.notation_of(&*table), sheet.shape).map_err(|why| failed(why.into()))?;
        solutions.push(SheetPart::Text(words.fill("print.solution", &[&number.to_string(), &moves])));
    }
    let title = words.fill("print.puzzles", &[words.of(&sheet.name)]);
    let parts = [SheetPart::Title(title.clone()), SheetPart::Diagrams(diagrams), SheetPart::NewPage];
    let parts = parts.into_iter().chain([SheetPart::Title(words.fill("print.solutions", &[]))]).chain(solutions);
    Ok((title, parts.collect()))
}

/// What is asked in a puzzle.
fn asked(puzzle: &Puzzle, words: Language, sheet: &GameSheet, table: &dyn Table) -> String {
    let several = puzzle.asked > 1 && matches!(puzzle.kind, PuzzleKind::Win | PuzzleKind::Draw);
    let key = format!("puzzles.{}{}", puzzle.kind.key(), if several { "s" } else { "" });
    words.fill(&key, &[words.of(&sheet.sides[table.turn()]), &puzzle.asked.to_string()])
}

/// The last position of each game of a file.
fn records(source: &str, args: &Args, words: Language) -> Result<Sheet, Failure> {
    let reading = read(Path::new(source))?;
    let count = reading.records.len();
    let chosen = match &args.only {
        Some(only) => numbers(only, count, |_| None)?,
        None => (1..=count).collect(),
    };
    if chosen.len() > MOST {
        let why = format!("a sheet has at most {MOST} diagrams; --only chooses some of {count}");
        return Err(Failure::usage(format!("{source}: {why}")));
    }
    let (mut press, mut diagrams) = (Press::new(args), Vec::new());
    let mut title = String::new();
    for number in chosen {
        let record = &reading.records[number - 1];
        let sheet = games::find(&record.game)?.load_sheet()?;
        let table = record.replay().map_err(|(_, why)| Failure::work(format!("{source}: game {number}: {why}")))?;
        let below = [words.players(record, &sheet).unwrap_or_default(), words.result(record, &sheet)].join(" ");
        diagrams.push((press.diagram(&sheet, &*table)?, format!("{number}. {below}")));
        title = words.fill("print.positions", &[words.of(&sheet.name)]);
    }
    Ok((title.clone(), vec![SheetPart::Title(title), SheetPart::Diagrams(diagrams)]))
}

/// Prints positions. Those on equal boards share their pieces, which makes the file smaller.
struct Press<'a> {
    args: &'a Args,
    painters: BTreeMap<(&'static str, (u8, u8)), PrintPainter>,
}

impl Press<'_> {
    fn new(args: &Args) -> Press<'_> {
        Press { args, painters: BTreeMap::new() }
    }

    /// The position of a table, with its last move marked.
    fn diagram(&mut self, sheet: &GameSheet, table: &dyn Table) -> Result<Drawing, Failure> {
        let on = board(sheet, table)?;
        let new = || PrintPainter::new(sheet, on, PieceSet::Characters, &look(on, self.args, PictureKind::Pdf));
        let painter = self.painters.entry((table.game(), table.size())).or_insert_with(new);
        let last = table.played().last().map(|action| Mark::of_move(sheet.shape, *action)).unwrap_or_default();
        Ok(painter.drawing(&table.pieces(), &last, &[]))
    }
}

/// The numbers that a list names, from 1 to `count`: `1-6,12`, and words that `other` knows.
fn numbers(list: &str, count: usize, other: impl Fn(&str) -> Option<usize>) -> Result<Vec<usize>, Failure> {
    let number = |word: &str| word.trim().parse::<usize>().ok().filter(|number| (1..=count).contains(number));
    let mut found = Vec::new();
    for word in list.split(',') {
        let range = match word.split_once('-') {
            Some((from, to)) => number(from).zip(number(to)).filter(|(from, to)| from <= to),
            None => number(word).or_else(|| other(word.trim())).map(|one| (one, one)),
        };
        let (from, to) = range.ok_or_else(|| Failure::usage(format!("--only {word}: not one of the numbers 1 to {count}")))?;
        found.extend(from..=to);
        if found.len() > MOST {
            return Err(Failure::usage(format!("--only {list}: a sheet has at most {MOST} diagrams")));
        }
    }
    Ok(found)
}
