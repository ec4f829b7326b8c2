//! Games whose engine can judge positions in several ways.

use super::State;
use crate::rules::Point;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// How an engine judges quiet positions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Evaluation {
    /// By the hand-written evaluation.
    #[default]
    Hand,
    /// By a network: of this file, or else of the assets folder.
    Network(Option<PathBuf>),
}

impl Evaluation {
    /// Reads `hand`, `network` or `network:FILE`.
    ///
    /// # Errors
    /// It is none of these.
    pub fn read(text: &str) -> Result<Evaluation, String> {
        match text.split_once(':').map_or((text, None), |(word, file)| (word, Some(file))) {
            ("hand", None) => Ok(Evaluation::Hand),
            ("network", None) => Ok(Evaluation::Network(None)),
            ("network", Some(file)) if !file.is_empty() => Ok(Evaluation::Network(Some(file.into()))),
            _ => Err(format!("'{text}' is none of hand, network and network:FILE")),
        }
    }
}

/// What each piece on the board is worth there: by how much the evaluation falls for its side without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worths {
    /// The position's worth for the side to move, in hundredths of the game's unit.
    pub whole: i32,
    /// Where a piece stands and what it is worth to its side. Pieces no position can be without are left out.
    pub pieces: Vec<(Point, i32)>,
}

/// The evaluations of a game's engine.
pub trait Evaluations: Send + Sync {
    /// Why the hand-written evaluation is used in place of this one, as a line for the user; `None` if it is not.
    fn trouble(&self, wanted: &Evaluation) -> Option<String>;

    /// What each piece is worth, by this evaluation. `None` if the position is of another game.
    fn worths(&self, state: &dyn State, wanted: &Evaluation) -> Option<Worths>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_read() {
        assert_eq!(Evaluation::read("hand"), Ok(Evaluation::Hand));
        assert_eq!(Evaluation::read("network"), Ok(Evaluation::Network(None)));
        assert_eq!(Evaluation::read("network:C:/a b.network"), Ok(Evaluation::Network(Some("C:/a b.network".into()))));
        for bad in ["", "hands", "hand:x", "network:", "Network"] {
            assert!(Evaluation::read(bad).unwrap_err().contains("none of hand"), "{bad}");
        }
    }
}
