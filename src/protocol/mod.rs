//! The standard protocols of board-game programs.
//!
//! [`host`] runs other programs as opponents.

pub mod host;
