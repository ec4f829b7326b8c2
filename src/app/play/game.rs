//! The match that is played: its table, its players, how it ended. Only the referee changes it.

use super::aside::Aside;
use super::attempt::Attempt;
use crate::app::ground::library::LibraryGame;
use crate::app::ground::setup::{MatchSetup, Purpose};
use crate::record::SeatSpec;
use crate::record::journal::{Header, VERSION};
use crate::rules::{BySide, Outcome, Side};
use crate::table::{Clock, Piece, SetupError, Table, TimeControl};
use bevy::prelude::*;

/// How a match came to the table.
pub(super) enum Origin {
    /// It begins.
    Fresh,
    /// The journal told it, and goes on in the same file.
    Journal(Clock),
    /// A record told it; `clock` has the times that were kept.
    Record(Clock),
}

/// The match being played. Only the referee changes it.
#[derive(Resource)]
pub struct CurrentMatch {
    pub(super) table: Box<dyn Table>,
    /// The table as it stood at the move that is looked at; `None` is the present.
    pub(super) looked_at: Option<Box<dyn Table>>,
    /// A line that is shown aside from the match.
    pub(super) aside: Option<Aside>,
    /// A win that the player tries to refute, aside from the match.
    pub(super) attempt: Option<Attempt>,
    library_game: LibraryGame,
    pub(super) seats: BySide<SeatSpec>,
    pub(super) control: TimeControl,
    start: Vec<Piece>,
    pub(super) ended: Option<Outcome>,
    seed: u64,
    pub(super) origin: Origin,
    purpose: Purpose,
}

impl CurrentMatch {
    /// Sets up a match.
    ///
    /// # Errors
    /// The setup is no position of the game.
    pub fn new(library_game: &LibraryGame, setup: &MatchSetup, seed: u64) -> Result<CurrentMatch, SetupError> {
        let table = library_game.entry.table(&setup.setup)?;
        let start = table.pieces().into_iter().map(|(_, piece)| piece).collect();
        Ok(CurrentMatch {
            table,
            looked_at: None,
            aside: None,
            attempt: None,
            library_game: library_game.clone(),
            seats: setup.seats.clone(),
            control: setup.control.sane(),
            start,
            ended: None,
            seed,
            origin: Origin::Fresh,
            purpose: setup.purpose,
        })
    }

    /// The table, to look at.
    pub fn table(&self) -> &dyn Table {
        self.table.as_ref()
    }

    /// The table as it is shown: the present, an earlier moment that is looked at, or a line aside from the match.
    pub fn shown(&self) -> &dyn Table {
        if let Some(aside) = &self.aside {
            return aside.table();
        }
        if let Some(attempt) = &self.attempt {
            return attempt.table();
        }
        self.looked_at.as_ref().unwrap_or(&self.table).as_ref()
    }

    /// True if something else than the present is looked at.
    pub fn is_looking_back(&self) -> bool {
        self.looked_at.is_some() || self.is_aside()
    }

    /// The line shown aside from the match.
    pub fn aside(&self) -> Option<&Aside> {
        self.aside.as_ref()
    }

    /// The game played.
    pub fn game(&self) -> &LibraryGame {
        &self.library_game
    }

    /// Who plays where. Seats are called by the sides they have, in an opening that settles the sides by
    /// [`Table::seat_to_move`]'s rule.
    pub fn seats(&self) -> &BySide<SeatSpec> {
        &self.seats
    }

    /// The seat of a side; before the sides are settled the first side's is the first.
    pub fn seat_of(&self, side: Side) -> Side {
        self.table.seat_of(side).unwrap_or(side)
    }

    /// The pieces the match began with, in any order.
    pub fn start_pieces(&self) -> &[Piece] {
        &self.start
    }

    /// How the match ended: by the rules, or by a player's word.
    pub fn outcome(&self) -> Option<Outcome> {
        self.ended.or_else(|| self.table.outcome())
    }

    /// The seed of the computer's errors in this match.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// True if a person is to move and the match goes on.
    pub fn human_to_move(&self) -> bool {
        self.outcome().is_none() && self.seats[self.table.seat_to_move()] == SeatSpec::Human
    }

    /// The person who would give up: the one to move, else the other; `None` if nobody is one or the match is over.
    pub fn resigner(&self) -> Option<Side> {
        let turn = self.table.seat_to_move();
        let person = [turn, !turn].into_iter().find(|seat| self.seats[*seat] == SeatSpec::Human);
        person.filter(|_| self.outcome().is_none()).map(|seat| self.seat_of(seat))
    }

    /// What the match is played for.
    pub fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// True unless this is a rated match that still goes on.
    pub fn help_allowed(&self) -> bool {
        self.purpose != Purpose::Rated || self.outcome().is_some()
    }

    /// True if there is a move to take back, and it may be.
    pub fn can_undo(&self) -> bool {
        self.table.ply() > 0 && self.purpose != Purpose::Rated
    }

    /// True if a move was taken back and can be played again.
    pub fn can_redo(&self) -> bool {
        self.table.undone() > 0
    }

    /// What would set this match up again.
    pub fn match_setup(&self) -> MatchSetup {
        MatchSetup {
            game: self.library_game.entry.key,
            setup: self.table.setup().clone(),
            seats: self.seats.clone(),
            control: self.control,
            purpose: self.purpose,
        }
    }

    pub(super) fn header(&self) -> Header {
        Header {
            version: VERSION,
            game: self.library_game.entry.key.to_owned(),
            setup: self.table.setup().clone(),
            seats: self.seats.clone(),
            control: self.control,
            seed: self.seed,
            rated: self.purpose == Purpose::Rated,
        }
    }
}
