//! The standard protocols of board-game programs: [`engine`] for our own engines, [`host`] for external programs.

pub mod engine;
mod gomocup;
pub mod host;
pub mod machine;
mod score;
pub mod text;
