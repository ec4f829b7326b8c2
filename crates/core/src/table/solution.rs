//! Solved games: exact values of moves, exercises, and the computation of missing distances.

use super::{Action, Setup, State};
use crate::message::Message;
use crate::search::{StopToken, Verdict};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Exact results of a solved game. The first call may take a moment, because it may load or compute data.
pub trait Solution: Send + Sync {
    /// The exact value of each legal action for the side that makes it. Distances are counted from before the action. `None` if the game is
    /// over, or if the token is raised before the answer is known.
    fn verdicts(&self, state: &dyn State, stop: &StopToken) -> Option<Vec<(Action, Verdict)>>;

    /// The same within milliseconds: distances that are not computed yet may be missing.
    fn verdicts_now(&self, state: &dyn State) -> Option<Vec<(Action, Verdict)>> {
        self.verdicts(state, &StopToken::new())
    }

    /// The computation of the missing distances of a variant; `None` if none are missing.
    fn preparation(&self, _variant: &str) -> Option<Preparation> {
        None
    }

    /// The classes of won positions of a variant from which exercises can be taken now, the easiest first.
    fn exercise_classes(&self, _variant: &str) -> Vec<ExerciseClass> {
        Vec::new()
    }

    /// A won position of this class; `None` if none is found. It may take a moment.
    fn exercise(&self, _wanted: &Exercise) -> Option<Setup> {
        None
    }
}

/// A computation to run in the background. The token stops it; the callback gets its progress from 0 to 1. Finished parts are saved when it is
/// stopped.
pub type Preparation = Box<dyn FnOnce(&StopToken, &(dyn Fn(f32) + Sync)) -> Result<(), Message> + Send>;

/// A class of won positions for exercises, by the number of pieces of each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExerciseClass {
    /// Pieces of the side to move, which wins.
    pub own: u8,
    /// Pieces of the other side.
    pub other: u8,
    /// Plies of the shortest win in the class.
    pub shortest: u32,
    /// Plies of the longest win in the class.
    pub longest: u32,
}

/// A request for a won position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exercise {
    /// The variant.
    pub variant: String,
    /// Pieces of the side to move, which wins.
    pub own: u8,
    /// Pieces of the other side.
    pub other: u8,
    /// Plies to the end with best play by both.
    pub plies: RangeInclusive<u32>,
    /// Seed: a different position for each seed.
    pub seed: u64,
}
