//! Games of the engine against itself, and the evaluation fitted to them.

pub mod selfplay;
pub mod tuning;
