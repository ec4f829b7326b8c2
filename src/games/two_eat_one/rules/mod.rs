//! The rules of two-eat-one: the board, what a line captures, notation, and how a game ends without a winner.

pub mod adjudication;
pub mod board;
pub mod lines;
pub mod notation;
