//! What a game knows for certain: verdicts of solved games, the work that completes them, exercises, proven wins, and why points are forbidden.

use super::Action;
use crate::rules::{Forbidden, Point};
use crate::search::StopToken;
use std::ops::RangeInclusive;

/// Work that completes a game's knowledge, to be run in the background: it is told to stop by the token and says how far it is, from 0 to 1. What is
/// finished when it is stopped is kept for the next time.
pub type Preparation = Box<dyn FnOnce(&StopToken, &(dyn Fn(f32) + Sync)) -> Result<(), String> + Send>;

/// A kind of won positions that exercises can be taken from: so many pieces against so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExerciseClass {
    /// Pieces of the side to move, which wins.
    pub own: u8,
    /// Pieces of the other side.
    pub other: u8,
    /// Plies of the shortest win there is.
    pub shortest: u32,
    /// Plies of the longest win there is.
    pub longest: u32,
}

/// A won position that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exercise {
    /// The variant.
    pub variant: String,
    /// Pieces of the side to move, which is to win.
    pub own: u8,
    /// Pieces of the other side.
    pub other: u8,
    /// Plies to the end with best play by both.
    pub plies: RangeInclusive<u32>,
    /// A different one for each seed.
    pub seed: u64,
}

/// A proven win of the side to move: "try to refute it". Whatever the other side answers to the first move of the line, asking again gives
/// the next winning move, so the whole tree can be walked without being built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Win {
    /// The line, the winning move first, against the defence that lasts longest as far as is known.
    pub line: Vec<Action>,
    /// The line in the game's own text.
    pub text: Vec<String>,
    /// Plies to the end against that defence.
    pub plies: u32,
    /// The only answers to the winning move that meet its threat at once. `None` where every answer is as good as another.
    pub defences: Option<Vec<Action>>,
}

/// Why a point is forbidden to the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restriction {
    /// The point.
    pub at: Point,
    /// The reason.
    pub reason: Forbidden,
    /// The lines that make it so, each with the stones that stand and the point itself: a long row, two fours or two threes.
    pub lines: Vec<Vec<Point>>,
}
