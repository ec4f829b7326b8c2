//! Puzzles: how they are kept in a file and checked, and how the solver's rating is counted. The tools make and grade them.

mod check;
mod file;
pub mod rating;

pub use check::{check, duplicates, key};
pub use file::{Damaged, Puzzle, PuzzleFile, ends_for};
