//! The setup of a game: its variant and start position.

use super::OpeningRule;
use crate::message;
use crate::message::Message;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The variant and the start position of a game, as unchecked text. It is checked when a table is created.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Setup {
    /// The variant's key; `None` is the game's default.
    #[serde(default)]
    pub variant: Option<String>,
    /// Position text; `None` is the start position of the variant.
    #[serde(default)]
    pub position: Option<String>,
}

impl Setup {
    /// The variant's key without the opening rule, and the rule; an empty key is the game's first variant.
    pub fn rules(&self) -> (&str, OpeningRule) {
        OpeningRule::split(self.variant.as_deref().unwrap_or_default())
    }

    /// The same setup without the rule by which a balanced opening was chosen: the position is that opening.
    pub fn plain(&self) -> Setup {
        match self.rules() {
            (variant, OpeningRule::Balanced) => Setup { variant: Some(variant.to_owned()), position: self.position.clone() },
            _ => self.clone(),
        }
    }

    /// True if the game begins from a position that was set up; a balanced opening is none.
    pub fn is_set_up(&self) -> bool {
        self.position.is_some() && self.rules().1 != OpeningRule::Balanced
    }
}

/// What is wrong with a setup.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", Message::from(self))]
pub enum SetupError {
    /// The registry has no such game.
    UnknownGame {
        /// The key given.
        given: String,
        /// The keys of all games.
        known: String,
    },
    /// The game has no such variant.
    UnknownVariant {
        /// The game's key.
        game: &'static str,
        /// The key given.
        given: String,
        /// The keys of all variants.
        known: String,
    },
    /// The position text cannot be read or is not a valid position of the game.
    BadPosition {
        /// The character of the text where the error is, counted from 1.
        at: usize,
        /// What is wrong there.
        why: Message,
    },
}

crate::has_message!(SetupError);

impl From<&SetupError> for Message {
    fn from(error: &SetupError) -> Message {
        match error {
            SetupError::UnknownGame { given, known } => message!("there is no game '{}'; the games are {}", given, known),
            SetupError::UnknownVariant { game, given, known } => {
                message!("{} has no variant '{}'; it has {}", game, given, known)
            }
            SetupError::BadPosition { at, why } => message!("position, character {}: {}", at, why),
        }
    }
}
