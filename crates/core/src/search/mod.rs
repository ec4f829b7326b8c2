//! Parts for engines: the interface ([`Engine`]), limits, time, the stop token, progress reports, the transposition table,
//! and the simple reference searchers that can play every game.

mod alpha_beta;
mod evaluate;
mod limits;
mod lines;
mod misjudge;
mod observer;
mod parameters;
mod plain;
mod priority;
mod report;
mod score;
mod sharing;
mod stop;
mod time;
mod transposition;

pub use alpha_beta::AlphaBeta;
pub use evaluate::Evaluate;
pub use limits::{Limits, RemainingTime};
pub use lines::Lines;
pub use misjudge::Misjudge;
pub use observer::{NodeEnd, Observer};
pub(crate) use parameters::parameters;
pub use parameters::{Parameter, Reductions, reductions};
pub use plain::{Plain, PlainKind};
pub use priority::{lower_priority, spawn};
pub use report::{Info, Known, Value, Verdict, grouped, nodes_per_second};
pub use score::Score;
pub use sharing::{CurrentlySearching, Deferred, Hint, Lead};
pub use stop::{StopOnDrop, StopToken};
pub use time::{Allotment, Deadline, Steadiness, Stopwatch};
pub use transposition::{Bound, Entry, Transposition};

use crate::rules::{History, Position};

/// A search job for an engine: its limits, when to stop and where to report.
pub struct Job<'a, M> {
    /// The limits of the search.
    pub limits: Limits,
    /// The number of lines to report (multi-PV).
    pub multipv: usize,
    /// Whether to answer from an opening book, if the engine has one.
    pub book: bool,
    /// Whether to answer from a proof of the game, if the engine has one.
    pub from_proof: bool,
    /// Root moves that may not be chosen. A searcher that cannot exclude moves ignores this list.
    pub left_out: Vec<M>,
    /// Raised by the caller to get the answer at once.
    pub stop: StopToken,
    /// Called for every finished depth (and for every line, with multi-PV).
    pub info: &'a mut dyn FnMut(Info<M>),
}

impl<'a, M> Job<'a, M> {
    /// A search of all moves for the best line, without a book or a proof.
    pub fn new(limits: Limits, stop: StopToken, info: &'a mut dyn FnMut(Info<M>)) -> Self {
        Job { limits, multipv: 1, book: false, from_proof: false, left_out: Vec::new(), stop, info }
    }
}

/// Finds a move. An engine may use a search, a proof or a tablebase.
pub trait Engine<P: Position>: Send {
    /// The best move found within the job's limits; `None` only if the game is over.
    /// When the stop token is raised, it returns the best move so far within 50 ms.
    fn think(&mut self, root: &History<P>, job: Job<'_, P::Move>) -> Option<P::Move>;

    /// Clears what is kept from earlier searches, for a new game.
    fn forget(&mut self) {}
}
