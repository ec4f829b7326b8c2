//! The engine of xiangqi.

pub mod book;
pub mod endings;
#[allow(clippy::module_inception, reason = "the file of the engine itself; every game's folder has these names")]
pub mod engine;
pub mod evaluation;
pub mod exchange;
pub(crate) mod history;
pub mod network;
pub(crate) mod node;
pub(crate) mod null_move;
pub(crate) mod ordering;
pub mod parameters;
pub(crate) mod pruning;
pub(crate) mod quiescence;
pub(crate) mod repetition;
pub(crate) mod root;
pub(crate) mod scores;
pub mod weights;
pub(crate) mod worker;
