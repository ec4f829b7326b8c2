//! The rules of two-eat-one: the board, captures, notation, and draws.

pub mod adjudication;
pub mod board;
pub mod lines;
pub mod notation;
