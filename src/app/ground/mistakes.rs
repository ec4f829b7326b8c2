//! The player's own mistakes as exercises: the positions before them, and when each is asked again.

use super::kept::{self, Kept};
use bevy::prelude::*;
use qiju_core::record::data;
use qiju_core::study::Mistake;
use qiju_core::study::schedule::{Memory, Rating};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The exercises, by the names of their positions, so that none is there twice.
#[derive(Resource, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mistakes {
    /// All of them.
    pub positions: BTreeMap<String, Mistake>,
}

impl Mistakes {
    /// The names of those of a game, or of all games, that are due on a day: those that were due first come first, new ones at the end.
    pub fn due(&self, game: Option<&str>, today: i32) -> Vec<&str> {
        let of_game = |mistake: &Mistake| game.is_none_or(|game| mistake.game == game);
        let due = self.positions.iter().filter(|(_, mistake)| of_game(mistake) && mistake.is_due(today));
        let mut due: Vec<(&String, &Mistake)> = due.collect();
        due.sort_by_key(|(_, mistake)| (&mistake.game, mistake.memory.map_or(i32::MAX, |memory| memory.due)));
        due.into_iter().map(|(name, _)| name.as_str()).collect()
    }

    /// The next day, after this one, on which one of them is due.
    pub fn next_day(&self, today: i32) -> Option<i32> {
        self.positions.values().filter_map(|mistake| mistake.memory).map(|memory| memory.due).filter(|due| *due > today).min()
    }

    /// Adds an exercise. One of the same position stays as it is.
    pub fn add(&mut self, name: &str, mistake: &Mistake) {
        self.positions.entry(name.to_owned()).or_insert_with(|| mistake.clone());
    }

    /// Takes down what came of an exercise. Only one that was due counts.
    pub fn count(&mut self, name: &str, rating: Rating, today: i32) {
        if let Some(mistake) = self.positions.get_mut(name).filter(|mistake| mistake.is_due(today)) {
            mistake.memory = Some(Memory::after(mistake.memory, rating, today));
        }
    }
}

impl Kept for Mistakes {
    const FILE: &'static str = data::MISTAKES;

    fn earlier(_: &mut dyn FnMut(&str) -> Option<Mistakes>) -> Option<Mistakes> {
        None
    }

    fn sane(mut self) -> Mistakes {
        for mistake in self.positions.values_mut() {
            mistake.memory = mistake.memory.and_then(Memory::sane);
        }
        self
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(kept::plugin::<Mistakes>);
}
