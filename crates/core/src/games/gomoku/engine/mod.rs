//! The engine of gomoku: threat-space search and principal variation search.

pub mod accumulator;
pub mod candidates;
#[allow(clippy::module_inception, reason = "the file of the engine itself; every game's folder has these names")]
pub mod engine;
pub mod evaluation;
pub mod network;
pub(crate) mod node;
pub(crate) mod ordering;
pub mod parameters;
pub mod proof_numbers;
pub mod prover;
pub(crate) mod quiescence;
pub(crate) mod root;
pub(crate) mod tables;
pub mod threats;
pub mod values;
pub mod vcf;
pub(crate) mod vct;
pub(crate) mod worker;
