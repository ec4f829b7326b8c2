//! The rules of five in a row: the board, line patterns, forbidden points, notation.

pub mod board;
pub mod classes;
pub mod lines;
pub mod notation;
pub mod openings;
pub mod renju;
pub mod rule;
pub mod shapes;
pub mod spot;
pub mod windows;
