//! Tests of the puzzles in the program: their number, that they are right, that none occurs twice, and that a damaged file is refused.

use qiju_core::games::{Entry, REGISTRY};
use qiju_core::study::puzzles::{Damaged, Puzzle, PuzzleFile, check, duplicates};
use qiju_core::table::{PuzzleKind, Puzzles, Setup};
use std::collections::BTreeMap;

/// The games with puzzles.
fn games() -> Vec<(&'static Entry, &'static dyn Puzzles)> {
    let of = |entry: &'static Entry| Some((entry, (entry.capabilities)((entry.variants)()[0]).puzzles?));
    REGISTRY.iter().filter_map(of).collect()
}

fn shipped(puzzles: &dyn Puzzles) -> PuzzleFile {
    PuzzleFile::unpack(puzzles.shipped()).unwrap()
}

/// One puzzle in this many is checked; the program checks all of them: `qiju puzzles check FILE`.
const SAMPLE: usize = 61;

#[test]
fn the_program_has_the_puzzles_that_the_documentation_lists() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/puzzles.md")).unwrap();
    let mut size = 0;
    for (entry, puzzles) in games() {
        size += puzzles.shipped().len();
        let file = shipped(puzzles);
        assert_eq!(file.game, entry.key);
        let mut counts: BTreeMap<(PuzzleKind, usize), usize> = BTreeMap::new();
        for puzzle in &file.puzzles {
            assert!(puzzles.kinds().contains(&puzzle.kind), "{}: {}", entry.key, puzzle.kind);
            *counts.entry((puzzle.kind, puzzle.asked)).or_default() += 1;
        }
        let mut levels = [0; 10];
        file.puzzles.iter().for_each(|puzzle| levels[usize::from(puzzle.level) - 1] += 1);
        let levels = levels.map(|count| count.to_string()).join(" | ");
        let row = format!("| {} | {} | {levels} |", entry.key, file.puzzles.len());
        assert!(text.contains(&row), "docs/puzzles.md has no row {row}");
        for kind in puzzles.kinds() {
            let of = |asked: usize| counts.get(&(*kind, asked)).copied().unwrap_or(0);
            let more: usize = counts.iter().filter(|((of, asked), _)| of == kind && *asked >= 5).map(|(_, count)| count).sum();
            let row = format!("| {} | {kind} | {} | {} | {} | {} | {more} |", entry.key, of(1), of(2), of(3), of(4));
            assert!(text.contains(&row), "docs/puzzles.md has no row {row}");
        }
    }
    assert!(size < 300_000, "{size} bytes");
}

/// Every theme has a name and an example in which it is found; what the documentation says of their number is so.
#[test]
fn the_examples_of_the_themes_have_their_theme() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/puzzles.md")).unwrap();
    for (entry, puzzles) in games() {
        let sheet = entry.load_sheet().unwrap();
        let named: Vec<&str> = sheet.themes.iter().map(|theme| theme.key.as_str()).collect();
        assert_eq!(named, puzzles.themes(), "{}", entry.key);
        for theme in &sheet.themes {
            let example = &theme.example;
            let variant = example.variant.clone().unwrap_or_else(|| (entry.variants)()[0].to_owned());
            let line: Vec<String> = example.moves.split_whitespace().map(str::to_owned).collect();
            let setup = Setup { variant: Some(variant.clone()), position: Some(example.position.clone()) };
            let start = entry.table(&setup).unwrap();
            let found = puzzles.kinds().iter().flat_map(|kind| {
                let (variant, position, asked) = (variant.clone(), example.position.clone(), line.len().div_ceil(2));
                let puzzle = Puzzle { kind: *kind, variant, position, line: line.clone(), asked, level: 1 };
                assert!(puzzle.solution(&*start).is_ok(), "{}", theme.key);
                puzzle.themes(&*start, puzzles)
            });
            let found: Vec<&str> = found.collect();
            assert!(found.contains(&theme.key.as_str()), "{}: {found:?}", theme.key);
        }
        let file = shipped(puzzles);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for puzzle in &file.puzzles {
            let start = entry.table(&puzzle.setup()).unwrap();
            puzzle.themes(&*start, puzzles).into_iter().for_each(|theme| *counts.entry(theme).or_default() += 1);
        }
        for theme in &sheet.themes {
            let count = counts.get(theme.key.as_str()).copied().unwrap_or(0);
            let row = format!("| {} | {} | {} | {} | {count} |", entry.key, theme.key, theme.name.zh, theme.name.en);
            assert!(text.contains(&row), "docs/puzzles.md has no row {row}");
        }
    }
}

#[test]
fn a_sample_of_the_puzzles_has_one_solution_and_none_occurs_twice() {
    for (entry, puzzles) in games() {
        let file = shipped(puzzles);
        let table = |setup: &Setup| entry.table(setup);
        assert_eq!(duplicates(&file, puzzles, &table), Ok(Vec::new()), "{}", entry.key);
        let mut setter = puzzles.setter();
        for (index, puzzle) in file.puzzles.iter().enumerate().step_by(SAMPLE) {
            let start = entry.table(&puzzle.setup()).unwrap();
            let checked = check(puzzle, &*start, &mut *setter);
            assert_eq!(checked, Ok(()), "{}, puzzle {}", entry.key, index + 1);
        }
        // All lines are legal.
        for (index, puzzle) in file.puzzles.iter().enumerate() {
            let start = entry.table(&puzzle.setup()).unwrap();
            let solution = puzzle.solution(&*start).unwrap_or_else(|why| panic!("{}, puzzle {}: {why}", entry.key, index + 1));
            assert!(solution.line.len() >= 2 * solution.asked - 1);
        }
    }
}

#[test]
fn a_wrong_solution_and_a_changed_file_are_refused() {
    for (entry, puzzles) in games() {
        let file = shipped(puzzles);
        let mut setter = puzzles.setter();
        let puzzle = &file.puzzles[0];
        let start = entry.table(&puzzle.setup()).unwrap();
        // Every other first move is wrong.
        let right = puzzle.solution(&*start).unwrap().line[0];
        let other = start.actions().into_iter().find(|action| *action != right).unwrap();
        let text = start.write(other, qiju_core::table::Notation::Uci).unwrap();
        let wrong = qiju_core::study::puzzles::Puzzle { line: vec![text], asked: 1, ..puzzle.clone() };
        assert!(check(&wrong, &*start, &mut *setter).is_err(), "{}", entry.key);
        let bytes = puzzles.shipped();
        // Of the last byte only some bits are read.
        for at in (0..bytes.len() - 1).step_by(97) {
            let mut bad = bytes.to_vec();
            bad[at] ^= 0x40;
            assert!(PuzzleFile::unpack(&bad).is_err(), "{}, byte {at}", entry.key);
        }
        assert_eq!(PuzzleFile::unpack(&bytes[..bytes.len() / 2]), Err(Damaged::Checksum));
    }
}

#[test]
fn the_puzzles_that_are_right_are_written_to_another_file() {
    let folder = tempfile::tempdir().unwrap();
    let (all, right) = (folder.path().join("all.puzzles"), folder.path().join("right.puzzles"));
    let (_, puzzles) = games().into_iter().find(|(entry, _)| entry.key == "two-eat-one").unwrap();
    let mut file = shipped(puzzles);
    file.puzzles.truncate(3);
    let mut doubled = file.clone();
    doubled.puzzles.insert(1, file.puzzles[0].clone());
    std::fs::write(&all, doubled.pack()).unwrap();
    let check = |path: &std::path::Path| {
        let arguments = ["puzzles", "check", path.to_str().unwrap(), "--out", right.to_str().unwrap()];
        std::process::Command::new(env!("CARGO_BIN_EXE_qiju")).args(arguments).output().unwrap()
    };
    let output = check(&all);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("puzzle 2 ("), "{output:?}");
    assert_eq!(PuzzleFile::unpack(&std::fs::read(&right).unwrap()).unwrap(), file);
    assert_eq!(check(&right).status.code(), Some(0));
}
