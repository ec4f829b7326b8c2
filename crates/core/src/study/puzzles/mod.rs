//! Puzzles: how they are made from games of our engines, checked, graded, kept in a file, and how the solver's rating is counted.

mod file;
mod make;
pub mod rating;

pub use file::{Damaged, Puzzle, PuzzleFile};
pub use make::{Maker, check, duplicates, lowest_level};
