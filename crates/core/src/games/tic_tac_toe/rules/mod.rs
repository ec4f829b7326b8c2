//! The rules of tic-tac-toe.

pub mod board;
