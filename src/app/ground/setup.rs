//! The setup of a match.

use super::activity::{self, Activity};
use qiju_core::record::SeatSpec;
use qiju_core::rules::BySide;
use qiju_core::table::{OtherSide, Setup, TimeControl};

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
    /// The time controls.
    pub control: BySide<TimeControl>,
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
    /// A teaching match: each move of the user is judged, with the reason in words.
    Teaching,
    /// A match against a friend elsewhere: nobody is helped, and nothing is taken back. It has a journal of its own.
    Friend,
    /// An exercise: to win a won position. It has no journal.
    Exercise,
    /// An analysis board: the user moves both sides, and going back and moving otherwise makes a variation.
    Analysis,
    /// A task of the first steps, in which the other side does this. It has no journal and no record.
    FirstStep(OtherSide),
    /// The user defends against a proof that the other side wins, as long as possible. It has no journal.
    HoldOut,
    /// A puzzle: its moves are shown beside the match, in which nothing is played. It has no journal.
    Puzzle,
    /// One of the player's own mistakes, likewise.
    Mistake,
    /// The player's own opening moves, likewise.
    Repertoire,
}

impl MatchSetup {
    /// A match without clocks.
    pub fn untimed(game: &'static str, setup: Setup, seats: BySide<SeatSpec>, purpose: Purpose) -> MatchSetup {
        MatchSetup { game, setup, seats, control: BySide::default(), purpose }
    }

    /// A match in which the user holds out against the proof of a variant that the first side wins: the level that plays from the proof is the strongest.
    pub fn hold_out(game: &'static str, variant: &str) -> MatchSetup {
        let setup = Setup { variant: Some(variant.to_owned()), position: None };
        let seats = BySide::new(SeatSpec::computer(10), SeatSpec::Human);
        MatchSetup::untimed(game, setup, seats, Purpose::HoldOut)
    }

    /// An analysis board that begins with this setup.
    pub fn analysis(game: &'static str, setup: Setup) -> MatchSetup {
        MatchSetup::untimed(game, setup, BySide::new(SeatSpec::Human, SeatSpec::Human), Purpose::Analysis)
    }
}

/// What holds for a match because of its purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    /// The activity it belongs to.
    pub activity: Activity,
    /// It has a journal, from which it can be resumed.
    pub journal: bool,
    /// It counts: its setup and its result are remembered, its end is told, the engine learns from it, and the players may agree to a draw.
    pub counts: bool,
    /// Nothing is played in it: what is asked is tried beside it.
    pub beside: bool,
    /// It is a whole game by all its rules: it can be saved, analysed and begun again.
    pub whole_game: bool,
    /// In a narrow window its panel stands beside the board from the beginning.
    pub panel_open: bool,
    /// A hint first shows what moves, and the move when it is asked for again.
    pub hints_in_steps: bool,
    /// The key of the text that says why no moves are taken back; `None` if they may be.
    pub no_undo: Option<&'static str>,
    /// The key of the text that says why no engine helps while it runs; `None` if engines may.
    pub no_help: Option<&'static str>,
}

impl Purpose {
    /// What holds for a match with this purpose.
    pub const fn traits(self) -> Traits {
        const MATCH: Traits = Traits {
            activity: activity::MATCH,
            journal: true,
            counts: true,
            beside: false,
            whole_game: true,
            panel_open: false,
            hints_in_steps: false,
            no_undo: None,
            no_help: None,
        };
        const fn task(activity: Activity) -> Traits {
            Traits { activity, journal: false, counts: false, ..MATCH }
        }
        match self {
            Purpose::Casual => MATCH,
            Purpose::Rated => Traits { no_undo: Some("rated.refused"), no_help: Some("rated.refused"), ..MATCH },
            Purpose::Teaching => Traits { activity: activity::TEACHING, hints_in_steps: true, ..MATCH },
            Purpose::Friend => {
                Traits { activity: activity::LETTERS, no_undo: Some("letters.back"), no_help: Some("letters.refused"), ..MATCH }
            }
            Purpose::Exercise => task(activity::EXERCISE),
            Purpose::HoldOut => task(activity::HOLD_OUT),
            Purpose::Analysis => Traits { activity: activity::ANALYSIS_BOARD, counts: false, panel_open: true, ..MATCH },
            Purpose::FirstStep(_) => Traits { whole_game: false, panel_open: true, ..task(activity::FIRST_STEPS) },
            Purpose::Puzzle => Traits { beside: true, no_help: Some("puzzles.refused"), ..task(activity::PUZZLES) },
            Purpose::Mistake => Traits { beside: true, no_help: Some("puzzles.refused"), ..task(activity::MISTAKES) },
            Purpose::Repertoire => Traits { beside: true, no_help: Some("puzzles.refused"), ..task(activity::REPERTOIRE) },
        }
    }

    /// True for a task of the first steps.
    pub fn is_first_step(self) -> bool {
        matches!(self, Purpose::FirstStep(_))
    }
}
