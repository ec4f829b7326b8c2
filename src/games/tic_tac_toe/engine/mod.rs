//! Everything that chooses a move in tic-tac-toe: an evaluation for the shared searchers, and what every move is worth.

pub mod evaluation;
pub mod perfect;
