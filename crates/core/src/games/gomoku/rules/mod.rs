//! The rules of five in a row: the board, line patterns, forbidden points, notation.

pub mod board;
pub mod classes;
pub(crate) mod lines;
pub mod notation;
pub(crate) mod openings;
pub(crate) mod renju;
pub mod rule;
pub(crate) mod shapes;
pub mod spot;
pub(crate) mod windows;
