//! Everything that chooses a move in two-eat-one: the tablebase, and searches for players that make mistakes.

#[allow(clippy::module_inception, reason = "the file of the engine itself; every game's folder has these names")]
pub mod engine;
pub mod evaluation;
pub mod seed;
pub mod tablebase;
