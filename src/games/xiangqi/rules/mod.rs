//! The rules of xiangqi: the board and its text, how pieces move and attack, notation, and how a game ends by repetition.

pub mod adjudication;
pub mod attacks;
pub mod board;
mod diagram;
pub mod moves;
pub mod notation;
pub mod piece;
mod position_text;
