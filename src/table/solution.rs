//! Solved games: what every move is certainly worth, exercises, and the work that completes what is known.

use super::{Action, Progress, Setup, Table};
use crate::search::{StopToken, Value, Verdict};
use std::ops::RangeInclusive;

/// The truth about the positions of a solved game. Answers may load or compute what they need the first time, which takes a moment.
pub trait Solution: Send + Sync {
    /// What each legal action is certainly worth to the side that makes it, distances counted from before the action. `None` once the game is
    /// over, or where the token was raised before the answer was there.
    fn verdicts(&self, table: &dyn Table, stop: &StopToken) -> Option<Vec<(Action, Verdict)>>;

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

/// What is certain of the moves of a position, to be put in place of what a search estimates of them.
pub struct Certain(Vec<(Action, Verdict)>);

impl Certain {
    /// What is certain of a table's position: nothing where the game is not solved, or the token was raised before it was known.
    pub fn of(table: &dyn Table, stop: &StopToken) -> Certain {
        let known = table.capabilities().solution.and_then(|solution| solution.verdicts(table, stop));
        Certain(known.unwrap_or_default())
    }

    /// The best that can be reached; `None` where nothing is certain.
    fn best(&self) -> Option<Verdict> {
        self.0.iter().map(|(_, verdict)| *verdict).max_by_key(|verdict| verdict.rank())
    }

    /// Corrects the value of a line: the first line has that of the position, every other that of its first move.
    pub fn correct(&self, progress: &mut Progress) {
        let of_move = |wanted: &Action| self.0.iter().find(|(action, _)| action == wanted).map(|(_, verdict)| *verdict);
        let verdict = if progress.multipv <= 1 { self.best() } else { progress.pv.first().and_then(of_move) };
        if let Some(verdict) = verdict {
            progress.value = Value::Exact(verdict);
        }
    }
}

/// Work that completes what is known of a game, to be run in the background: the token tells it to stop, and it says how far it is, from 0 to 1. What is
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
