//! The setup of a match.

use crate::record::SeatSpec;
use crate::rules::BySide;
use crate::table::{Setup, TimeControl};

/// Everything needed to begin a match.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchSetup {
    /// The game's key.
    pub game: &'static str,
    /// Variant and position.
    pub setup: Setup,
    /// The players.
    pub seats: BySide<SeatSpec>,
    /// The time control.
    pub control: TimeControl,
    /// Its purpose.
    pub purpose: Purpose,
}

/// The purpose of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// An ordinary match.
    #[default]
    Casual,
    /// A rated match: no hints, no undo, no exact results.
    Rated,
    /// An exercise: to win a won position. It has no journal.
    Exercise,
    /// A puzzle: its moves are shown beside the match, in which nothing is played. It has no journal.
    Puzzle,
}

impl Purpose {
    /// True for a match that is played: it has a journal, and its setup and result are remembered.
    pub fn is_match(self) -> bool {
        matches!(self, Purpose::Casual | Purpose::Rated)
    }
}
