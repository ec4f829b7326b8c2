//! The rules of xiangqi: the board and position text, moves and attacks, notation, repetition.

pub mod adjudication;
pub mod attacks;
pub mod board;
mod diagram;
pub(crate) mod moves;
pub(crate) mod notation;
pub mod piece;
pub(crate) mod position_text;
