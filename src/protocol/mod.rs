//! The standard protocols of board-game programs: [`engine`] speaks them for our engines, [`host`] to other programs.

pub mod engine;
pub mod host;
pub mod machine;
mod score;
pub mod text;
