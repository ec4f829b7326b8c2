//! What a match is begun with.

use crate::record::SeatSpec;
use crate::rules::BySide;
use crate::table::{Setup, TimeControl};

/// Who plays what: all that is needed to begin a match.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchSetup {
    /// The game's key.
    pub game: &'static str,
    /// Variant and position.
    pub setup: Setup,
    /// Who plays which side.
    pub seats: BySide<SeatSpec>,
    /// How much time they have.
    pub control: TimeControl,
    /// What it is played for.
    pub purpose: Purpose,
}

/// What a match is played for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// A game like any other.
    #[default]
    Casual,
    /// To see who is stronger: no hints, no undo, no truth.
    Rated,
    /// To convert a won position; no journal is kept of it.
    Exercise,
}
