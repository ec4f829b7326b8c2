//! Everything that chooses a move in gomoku: proofs by threats, and a search.

#[allow(clippy::module_inception, reason = "the file of the engine itself; every game's folder has these names")]
pub mod engine;
pub mod evaluation;
pub mod node;
pub mod prover;
pub mod threats;
pub mod vcf;
pub mod vct;
