//! The engine of gomoku: threat-space search and principal variation search.

pub mod candidates;
#[allow(clippy::module_inception, reason = "the file of the engine itself; every game's folder has these names")]
pub mod engine;
pub mod evaluation;
pub mod network;
pub mod node;
pub mod ordering;
pub mod parameters;
pub mod prover;
pub mod quiescence;
pub mod root;
pub mod standing;
pub mod tables;
pub mod threats;
pub mod values;
pub mod vcf;
pub mod vct;
pub mod worker;
