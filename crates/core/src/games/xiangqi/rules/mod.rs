//! The rules of xiangqi: the board and position text, moves and attacks, notation, repetition.

pub mod adjudication;
pub mod attacks;
pub mod board;
mod diagram;
pub mod moves;
pub mod notation;
pub mod piece;
pub mod position_text;
