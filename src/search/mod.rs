//! Parts for engines, not a framework: the contract ([`Engine`]), limits, time and the stop token, what a search
//! reports, the transposition table, and the plain reference searchers every game can be played with.

mod alpha_beta;
mod evaluate;
mod limits;
mod lines;
mod misjudge;
mod plain;
mod report;
mod score;
mod stop;
mod time;
mod transposition;

pub use alpha_beta::AlphaBeta;
pub use evaluate::Evaluate;
pub use limits::{Limits, RemainingTime};
pub use lines::Lines;
pub use misjudge::Misjudge;
pub use plain::{Plain, PlainKind};
pub use report::{Effort, Info, Known, Value, Verdict, nodes_per_second};
pub use score::Score;
pub use stop::{StopOnDrop, StopToken};
pub use time::{Allotment, Deadline, Steadiness, Stopwatch};
pub use transposition::{Bound, Entry, Transposition};

use crate::rules::{History, Position};

/// What an engine is asked to do: how far to look, when to stop and where to report.
pub struct Job<'a, M> {
    /// How far to look.
    pub limits: Limits,
    /// Moves at the root that may not be played. A searcher that cannot leave moves out plays as if there were none.
    pub left_out: Vec<M>,
    /// Raised from outside when the answer is wanted at once.
    pub stop: StopToken,
    /// Called with every finished depth (and line, where several are asked for).
    pub info: &'a mut dyn FnMut(Info<M>),
}

/// Something that finds a move. It is a contract, not an algorithm: a game's engine may search, prove or look up.
pub trait Engine<P: Position>: Send {
    /// The best move found within the job's limits; `None` only where the game is over.
    /// Returns within 50 ms of the stop token being raised, with the best move so far.
    fn think(&mut self, root: &History<P>, job: Job<'_, P::Move>) -> Option<P::Move>;

    /// Forgets what earlier searches left behind (a new game).
    fn forget(&mut self) {}
}
