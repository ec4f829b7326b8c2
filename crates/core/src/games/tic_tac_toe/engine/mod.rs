//! The engine of tic-tac-toe: an evaluation for the shared searchers, and the exact value of every move.

pub mod evaluation;
pub mod perfect;
