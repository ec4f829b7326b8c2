//! The rules of xiangqi: the board, how pieces move and attack, notation, and how a game ends by repetition.

pub mod adjudication;
pub mod attacks;
pub mod board;
pub mod moves;
pub mod notation;
