//! The standard protocols of board-game programs.
//!
//! [`host`] runs other programs as opponents; [`xiangqi`] is our own engine as such a program.

pub mod host;
pub mod xiangqi;
