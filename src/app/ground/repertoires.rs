//! The player's own opening moves, and when they are asked.

use super::kept::{self, Kept};
use bevy::prelude::*;
use qiju_core::message::Message;
use qiju_core::record::{Record, data};
use qiju_core::repertoire::{Repertoire, SavedRepertoire};
use qiju_core::rules::Side;
use qiju_core::study::schedule::{self, Rating};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The repertoires, by their names (see [`name_of`](qiju_core::repertoire::name_of)).
#[derive(Resource, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Repertoires {
    /// All of them.
    pub all: BTreeMap<String, SavedRepertoire>,
}

/// Moves that are to become a side's own.
#[derive(Clone, Debug)]
pub struct OwnMoves {
    /// The name of the repertoire,
    pub name: String,
    /// the moves,
    pub record: Record,
    /// and the side.
    pub side: Side,
    /// They stand in place of the moves that are there.
    pub instead: bool,
}

impl OwnMoves {
    /// What a repertoire is once these moves are in it.
    ///
    /// # Errors
    /// They are no repertoire of the side, or what is kept is damaged.
    pub fn joined(&self, saved: Option<&SavedRepertoire>) -> Result<Repertoire, Message> {
        match saved.filter(|_| !self.instead) {
            Some(saved) => saved.read()?.joined(&self.record),
            None => Repertoire::new(&self.record, self.side),
        }
    }
}

impl Repertoires {
    /// How many positions of a game, or of all games, are due on a day.
    pub fn due(&self, game: Option<&str>, today: i32) -> usize {
        self.of(game).map(|saved| saved.due(today).len()).sum()
    }

    /// The next day, after this one, on which one of them is due.
    pub fn next_day(&self, today: i32) -> Option<i32> {
        let next = |saved: &SavedRepertoire| schedule::next_day(saved.learnt(), saved.due(today).len(), today);
        self.all.values().filter_map(next).min()
    }

    /// How many positions of a game have an answer.
    pub fn positions(&self, game: &str) -> usize {
        self.of(Some(game)).map(SavedRepertoire::len).sum()
    }

    fn of(&self, game: Option<&str>) -> impl Iterator<Item = &SavedRepertoire> {
        self.all.values().filter(move |saved| game.is_none_or(|game| game == saved.game))
    }

    /// Adds moves. Where they cannot be added everything stays as it is.
    pub fn add(&mut self, moves: &OwnMoves) {
        if let Ok(repertoire) = moves.joined(self.all.get(&moves.name)) {
            self.put(&moves.name, &repertoire);
        }
    }

    /// The same where it was found elsewhere what a repertoire becomes with them, since that takes long for a large one. If another one is kept now, it is found again.
    pub fn add_found(&mut self, moves: &OwnMoves, (was, found): (Option<&SavedRepertoire>, &Repertoire)) {
        let kept = self.all.get(&moves.name);
        if kept.map(SavedRepertoire::text) == was.map(SavedRepertoire::text) {
            self.put(&moves.name, found);
        } else {
            self.add(moves);
        }
    }

    fn put(&mut self, name: &str, repertoire: &Repertoire) {
        match self.all.get_mut(name) {
            Some(saved) => saved.put(repertoire),
            None => drop(self.all.insert(name.to_owned(), SavedRepertoire::new(repertoire))),
        }
    }

    /// Takes down what came of a position.
    pub fn count(&mut self, name: &str, key: u64, rating: Rating, today: i32) {
        if let Some(saved) = self.all.get_mut(name) {
            saved.count(key, rating, today);
        }
    }
}

impl Kept for Repertoires {
    const FILE: &'static str = data::REPERTOIRES;

    fn earlier(_: &mut dyn FnMut(&str) -> Option<Repertoires>) -> Option<Repertoires> {
        None
    }

    fn sane(self) -> Repertoires {
        Repertoires { all: self.all.into_iter().map(|(name, saved)| (name, saved.sane())).collect() }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(kept::plugin::<Repertoires>);
}
