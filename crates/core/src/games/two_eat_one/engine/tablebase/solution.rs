//! Solves the whole game: for the command line, and for the window, which computes the distances in the background.

use super::distances;
use super::halves::Halves;
use super::oracle::{Oracle, seen};
use super::outcomes;
use super::solver::{SolveError, Watch};
use super::tables::Tables;
use super::verification;
use crate::games::two_eat_one::rules::board::{Board, Kind};
use crate::games::two_eat_one::rules::notation;
use crate::message;
use crate::message::Message;
use crate::rules::Position;
use crate::search::{StopToken, Verdict};
use crate::table::Preparation;
use std::io;
use std::path::Path;
use thiserror::Error;

pub use super::oracle::{background_threads, cache_folder};
pub use super::tables::Class;
pub use super::verification::Counts;

/// Why the game was not solved.
#[derive(Debug, Error)]
pub enum Unsolved {
    /// The game has no such variant.
    #[error("two-eat-one has no variant '{0}'")]
    UnknownVariant(String),
    /// The solver was stopped.
    #[error("stopped; finished parts are saved")]
    Stopped,
    /// The folder for the results cannot be written.
    #[error("the tables cannot be saved: {}", Message::from(.0))]
    Keep(#[from] io::Error),
}

impl From<SolveError<io::Error>> for Unsolved {
    fn from(error: SolveError<io::Error>) -> Self {
        match error {
            SolveError::Stopped => Unsolved::Stopped,
            SolveError::Done(error) => Unsolved::Keep(error),
        }
    }
}

/// The computation that gives every value of a variant its distance: it loads the distances from the user's cache, or computes and saves them there.
/// `None` if nothing is left to do or there is no cache folder.
pub fn preparation(variant: &str) -> Option<Preparation> {
    let kind = Kind::from_key(variant).filter(|kind| *kind == Kind::Standard)?;
    let oracle = Oracle::of(kind);
    let folder = cache_folder().filter(|_| !oracle.knows_all_distances())?;
    Some(Box::new(move |stop, progress| {
        if oracle.load_distances(&folder) {
            progress(1.0);
            return Ok(());
        }
        let fraction = |done: u64, whole: u64| progress(done as f32 / whole.max(1) as f32);
        let solution = Solution::work_out(kind.key(), Some(&folder), background_threads(), stop, &fraction);
        solution
            .and_then(|solution| solution.keep(&folder))
            .map_err(|error| message!("the tables cannot be made: {}", error.to_string()))
    }))
}

/// A solved variant.
pub struct Solution {
    kind: Kind,
    tables: Tables,
}

impl Solution {
    /// Solves a variant. With a `folder`, finished classes are saved there, so that an interrupted run can continue; `progress`
    /// gets the number of finished positions and of all positions.
    ///
    /// # Errors
    /// There is no such variant, the solver was stopped, or the folder cannot be written.
    pub fn work_out(
        variant: &str,
        folder: Option<&Path>,
        threads: usize,
        stop: &StopToken,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Solution, Unsolved> {
        let kind = Kind::from_key(variant).ok_or_else(|| Unsolved::UnknownVariant(variant.to_owned()))?;
        let watch = Watch { threads: threads.max(1), stop, progress };
        Ok(Solution { kind, tables: distances::solve(kind, folder, &watch)? })
    }

    /// Saves the exact distances in `folder`, where the engine and the window find them, and deletes the partial results.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn keep(&self, folder: &Path) -> Result<(), Unsolved> {
        Ok(Oracle::of(self.kind).keep_distances(&self.tables, folder)?)
    }

    /// All classes: stones of the side to move and stones of the other side.
    pub fn classes(&self) -> Vec<Class> {
        let most = self.kind.stones() as usize;
        (2..=most).flat_map(|a| (2..=most).map(move |b| (a, b))).collect()
    }

    /// The statistics of a class, over all its positions.
    pub fn count(&self, class: Class) -> Counts {
        verification::count(&self.tables, class).unwrap_or_default()
    }

    /// The number of positions of a class (up to symmetry) whose value does not agree with their successors.
    pub fn verify(&self, class: Class, threads: usize) -> u64 {
        verification::verify(&self.tables, class, threads.max(1))
    }

    /// The value of the start, and each first move with its value for the side that makes it.
    pub fn start(&self) -> (Verdict, Vec<(String, Verdict)>) {
        let start = Board::start(self.kind);
        let exact = |board: &Board| {
            let (own, other) = seen(board);
            self.tables.probe(own, other).unwrap_or(Verdict::LOST)
        };
        let mut steps = Vec::new();
        start.legal_moves(&mut steps);
        let moves = steps.into_iter().map(|step| {
            let mut next = start.clone();
            next.make(step);
            (notation::write(&start, step), exact(&next).through())
        });
        (exact(&start), moves.collect())
    }

    /// The compressed file with win, draw and loss of every position, as it is included in the program.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn outcomes(&self) -> io::Result<Vec<u8>> {
        let halves = Halves::new(self.kind, self.kind.stones() as usize);
        let codes = halves.gather(&self.tables).ok_or(io::ErrorKind::InvalidData)?;
        Ok(outcomes::pack(self.kind, &halves, &codes))
    }
}
