//! The engines of two-eat-one: the tablebase, and searches for the lower levels.

#[allow(clippy::module_inception, reason = "the file of the engine itself; every game's folder has these names")]
pub mod engine;
pub mod evaluation;
pub mod seed;
pub mod tablebase;
