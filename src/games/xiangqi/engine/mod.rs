//! Everything that chooses a move in xiangqi.

pub mod book;
pub mod clock;
#[allow(clippy::module_inception, reason = "the file of the engine itself; every game's folder has these names")]
pub mod engine;
pub mod evaluation;
pub mod exchange;
pub mod history;
pub mod ordering;
pub mod weights;
