//! Games whose engine has several static evaluations.

use super::State;
use crate::rules::Point;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The static evaluation of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Evaluation {
    /// The best one that the game's engine has.
    #[default]
    Own,
    /// The hand-written evaluation.
    Hand,
    /// A network: from this file, or the one that is part of the program.
    Network(Option<PathBuf>),
}

impl Evaluation {
    /// Reads `own`, `hand`, `network` or `network:FILE`.
    ///
    /// # Errors
    /// The text is none of these.
    pub fn read(text: &str) -> Result<Evaluation, String> {
        match text.split_once(':').map_or((text, None), |(word, file)| (word, Some(file))) {
            ("own", None) => Ok(Evaluation::Own),
            ("hand", None) => Ok(Evaluation::Hand),
            ("network", None) => Ok(Evaluation::Network(None)),
            ("network", Some(file)) if !file.is_empty() => Ok(Evaluation::Network(Some(file.into()))),
            _ => Err(format!("'{text}' is none of own, hand, network and network:FILE")),
        }
    }
}

/// The value of each piece on its point: by how much the evaluation for its side falls without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worths {
    /// The value of the position for the side to move, in hundredths of the game's unit.
    pub whole: i32,
    /// The points of pieces and their values for their sides. Pieces that every position must have (generals) are left out.
    pub pieces: Vec<(Point, i32)>,
}

/// The evaluations of a game's engine.
pub trait Evaluations: Send + Sync {
    /// Why the hand-written evaluation is used instead of this one, as a line for the user; `None` if this one can be used.
    fn trouble(&self, wanted: &Evaluation) -> Option<String>;

    /// The value of each piece by this evaluation. `None` if the position is of another game, or a piece has no value of its own.
    fn worths(&self, state: &dyn State, wanted: &Evaluation) -> Option<Worths>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_read() {
        assert_eq!(Evaluation::read("own"), Ok(Evaluation::Own));
        assert_eq!(Evaluation::read("hand"), Ok(Evaluation::Hand));
        assert_eq!(Evaluation::read("network"), Ok(Evaluation::Network(None)));
        assert_eq!(Evaluation::read("network:C:/a b.network"), Ok(Evaluation::Network(Some("C:/a b.network".into()))));
        for bad in ["", "hands", "hand:x", "network:", "Network"] {
            assert!(Evaluation::read(bad).unwrap_err().contains("none of own, hand"), "{bad}");
        }
    }
}
