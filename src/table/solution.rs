//! Solved games: what every move is certainly worth, exercises, and the work that completes what is known.

use super::{Action, Setup, State};
use crate::search::{StopToken, Verdict};
use std::ops::RangeInclusive;

/// The truth about the positions of a solved game. Answers may load or compute what they need the first time, which takes a moment.
pub trait Solution: Send + Sync {
    /// What each legal action is certainly worth to the side that makes it, distances counted from before the action. `None` once the game is
    /// over, or where the token was raised before the answer was there.
    fn verdicts(&self, state: &dyn State, stop: &StopToken) -> Option<Vec<(Action, Verdict)>>;

    /// The same without waiting for anything that takes more than milliseconds: some distances may not be known yet.
    fn verdicts_now(&self, state: &dyn State) -> Option<Vec<(Action, Verdict)>> {
        self.verdicts(state, &StopToken::new())
    }

    /// The work that completes what is known of a variant, if any is left.
    fn preparation(&self, _variant: &str) -> Option<Preparation> {
        None
    }

    /// The kinds of won positions of a variant that exercises can be taken from now, the easiest first.
    fn exercise_classes(&self, _variant: &str) -> Vec<ExerciseClass> {
        Vec::new()
    }

    /// A won position of that kind; `None` where none is found. It may take a moment.
    fn exercise(&self, _wanted: &Exercise) -> Option<Setup> {
        None
    }
}

/// Work that completes what is known of a game, to be run in the background: the token tells it to stop, and it says how far it is, from 0 to 1. What is
/// finished when it is stopped is kept for the next time.
pub type Preparation = Box<dyn FnOnce(&StopToken, &(dyn Fn(f32) + Sync)) -> Result<(), String> + Send>;

/// A kind of won positions that exercises can be taken from: by the number of pieces of each side.
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
