//! The game against samples of its solution, and the solution itself.

mod sample;
mod solved;
