//! Checks puzzles from their text alone, and finds those that occur twice.

use super::file::{Damaged, Puzzle, PuzzleFile};
use crate::table::{Image, PuzzleSetter, Puzzles, Setup, SetupError, Table};
use std::collections::BTreeMap;

/// A key that is the same for all positions that a symmetry of the game turns into each other.
pub fn key(puzzles: &dyn Puzzles, table: &dyn Table) -> Vec<u8> {
    let (size, turn, variant) = (table.size(), table.turn(), table.setup().variant.clone().unwrap_or_default());
    let image = |image: &Image| {
        let pieces = table.pieces().into_iter().map(|(at, piece)| {
            let at = image.of(at, size);
            [at.x, at.y, u8::from(piece.side == turn), piece.role]
        });
        let mut pieces: Vec<[u8; 4]> = pieces.collect();
        pieces.sort_unstable();
        pieces.concat()
    };
    let mut key = puzzles.images(turn).iter().filter(|image| image.fits(size)).map(image).min().unwrap_or_default();
    if puzzles.sides_differ(&variant) {
        key.push(turn.index() as u8);
    }
    key.extend(variant.bytes());
    key
}

/// Checks a puzzle from its text alone: the position, the line and that it is the only solution.
///
/// # Errors
/// What is wrong with it.
pub fn check(puzzle: &Puzzle, start: &dyn Table, setter: &mut dyn PuzzleSetter) -> Result<(), String> {
    let solution = puzzle.solution(start).map_err(|why| why.to_string())?;
    setter.check(start, &solution)?;
    // The text is the one that the program writes.
    let written = Puzzle::of(start, &solution, puzzle.level).ok_or("a move cannot be written")?;
    if written.line != puzzle.line {
        return Err(format!("the moves are written {}", written.line.join(" ")));
    }
    Ok(())
}

/// The puzzles of a file that are equal by a symmetry to an earlier one: pairs of numbers, from 1.
///
/// # Errors
/// A puzzle has an invalid position.
pub fn duplicates(
    file: &PuzzleFile,
    puzzles: &dyn Puzzles,
    table: &dyn Fn(&Setup) -> Result<Box<dyn Table>, SetupError>,
) -> Result<Vec<(usize, usize)>, Damaged> {
    let mut seen: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    let mut equal = Vec::new();
    for (index, puzzle) in file.puzzles.iter().enumerate() {
        let start = table(&puzzle.setup()).map_err(|error| Damaged::from((index + 1, error)))?;
        let earlier = *seen.entry(key(puzzles, &*start)).or_insert(index);
        if earlier != index {
            equal.push((earlier + 1, index + 1));
        }
    }
    Ok(equal)
}
