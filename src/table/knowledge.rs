//! What a solved game knows: verdicts, the work that completes them, and exercises.

use crate::search::StopToken;
use std::ops::RangeInclusive;

/// Work that completes a game's knowledge, to be run in the background: it is told to stop by the token and says how far it is, from 0 to 1. What is
/// finished when it is stopped is kept for the next time.
pub type Preparation = Box<dyn FnOnce(&StopToken, &(dyn Fn(f32) + Sync)) -> Result<(), String> + Send>;

/// A kind of won positions that exercises can be taken from: so many men against so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExerciseClass {
    /// Men of the side to move, which wins.
    pub own: u8,
    /// Men of the other side.
    pub other: u8,
    /// Plies of the longest win there is.
    pub longest: u32,
}

/// A won position that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exercise {
    /// The variant.
    pub variant: String,
    /// Men of the side to move, which is to win.
    pub own: u8,
    /// Men of the other side.
    pub other: u8,
    /// Plies to the end with best play by both.
    pub plies: RangeInclusive<u32>,
    /// A different one for each seed.
    pub seed: u64,
}
