//! The standard protocols of board-game programs.
//!
//! [`host`] runs other programs as opponents; the rest speak as an engine on standard input and output.

pub mod gomocup;
pub mod host;
pub mod machine;
pub mod text;
pub mod xiangqi;
