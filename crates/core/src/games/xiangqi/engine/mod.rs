//! The engine of xiangqi.

pub mod book;
#[allow(clippy::module_inception, reason = "the file of the engine itself; every game's folder has these names")]
pub mod engine;
pub mod evaluation;
pub mod exchange;
pub mod history;
pub mod network;
pub mod node;
pub mod null_move;
pub mod ordering;
pub mod parameters;
pub mod pruning;
pub mod quiescence;
pub mod repetition;
pub mod root;
pub mod scores;
pub mod weights;
pub mod worker;
