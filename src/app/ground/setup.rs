//! The setup of a match.

use crate::record::SeatSpec;
use crate::rules::BySide;
use crate::table::{OtherSide, Setup, TimeControl};

/// In a [`MatchSetup`], the level of our engine that is chosen anew for each match, near the player's rating.
pub const NEAR: u8 = 0;

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
    /// An analysis board: the user moves both sides, and going back and moving otherwise makes a variation.
    Analysis,
    /// A task of the first steps, in which the other side does this. It has no journal and no record.
    FirstStep(OtherSide),
    /// A puzzle: its moves are shown beside the match, in which nothing is played. It has no journal.
    Puzzle,
}

impl MatchSetup {
    /// An analysis board that begins with this setup.
    pub fn analysis(game: &'static str, setup: Setup) -> MatchSetup {
        let seats = BySide::new(SeatSpec::Human, SeatSpec::Human);
        MatchSetup { game, setup, seats, control: TimeControl::Unlimited, purpose: Purpose::Analysis }
    }
}

impl Purpose {
    /// True for what is not a match of the user's own: it has no journal and is not the next match's setup.
    pub fn is_exercise(self) -> bool {
        matches!(self, Purpose::Exercise | Purpose::FirstStep(_) | Purpose::Puzzle)
    }

    /// True for a task of the first steps.
    pub fn is_first_step(self) -> bool {
        matches!(self, Purpose::FirstStep(_))
    }

    /// True for a match that is played: it has a journal, and its setup and result are remembered.
    pub fn is_match(self) -> bool {
        matches!(self, Purpose::Casual | Purpose::Rated)
    }
}
