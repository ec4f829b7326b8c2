//! What a game starts from.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Untrusted words for how a game begins. It is validated once, when a table is set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Setup {
    /// The variant's key; `None` is the game's default.
    #[serde(default)]
    pub variant: Option<String>,
    /// Position text; `None` is the variant's start.
    #[serde(default)]
    pub position: Option<String>,
}

/// What is wrong with a setup.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The registry has no such game.
    #[error("there is no game '{given}'; the games are {known}")]
    UnknownGame {
        /// What was asked for.
        given: String,
        /// The keys there are.
        known: String,
    },
    /// The game has no such variant.
    #[error("{game} has no variant '{given}'; it has {known}")]
    UnknownVariant {
        /// The game's key.
        game: &'static str,
        /// What was asked for.
        given: String,
        /// The variants there are.
        known: String,
    },
    /// The position text cannot be read or is no position of the game.
    #[error("position, character {at}: {why}")]
    BadPosition {
        /// Character of the text, counted from 1.
        at: usize,
        /// What is wrong there.
        why: String,
    },
}
