//! The player's own mistakes as exercises: the positions before them, and when each is asked again.

use super::kept::{self, Kept};
use bevy::prelude::*;
use qiju_core::record::data;
use qiju_core::study::Mistake;
use qiju_core::study::schedule::{Memory, Rating};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The most exercises of a game that are asked for the first time on one day. A review of many games brings hundreds, and each comes back soon.
const NEW_A_DAY: usize = 10;

/// The exercises, by the names of their positions, so that none is there twice.
#[derive(Resource, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mistakes {
    /// All of them.
    pub positions: BTreeMap<String, Mistake>,
}

impl Mistakes {
    /// The names of those of a game, or of all games, that are due on a day: those that were due first come first, new ones at the end, and not
    /// more of them than a day has.
    pub fn due(&self, game: Option<&str>, today: i32) -> Vec<&str> {
        let of_game = |mistake: &Mistake| game.is_none_or(|game| mistake.game == game);
        let due = self.positions.iter().filter(|(_, mistake)| of_game(mistake) && mistake.is_due(today));
        let mut due: Vec<(&String, &Mistake)> = due.collect();
        due.sort_by_key(|(_, mistake)| (&mistake.game, mistake.memory.map_or(i32::MAX, |memory| memory.due)));
        let mut new: BTreeMap<&str, usize> = BTreeMap::new();
        for begun in self.positions.values().filter(|mistake| mistake.begun == Some(today)) {
            *new.entry(&begun.game).or_default() += 1;
        }
        due.retain(|(_, mistake)| {
            let new = new.entry(&mistake.game).or_default();
            *new += usize::from(mistake.memory.is_none());
            mistake.memory.is_some() || *new <= NEW_A_DAY
        });
        due.into_iter().map(|(name, _)| name.as_str()).collect()
    }

    /// The next day, after this one, on which one of them is due.
    pub fn next_day(&self, today: i32) -> Option<i32> {
        let all = self.positions.values().filter(|mistake| mistake.is_due(today)).count();
        let later = (all > self.due(None, today).len()).then_some(today + 1);
        let back =
            self.positions.values().filter_map(|mistake| mistake.memory).map(|memory| memory.due).filter(|due| *due > today);
        back.chain(later).min()
    }

    /// Adds an exercise. One of the same position stays as it is.
    pub fn add(&mut self, name: &str, mistake: &Mistake) {
        self.positions.entry(name.to_owned()).or_insert_with(|| mistake.clone());
    }

    /// Takes down what came of an exercise. Only one that was due counts.
    pub fn count(&mut self, name: &str, rating: Rating, today: i32) {
        if let Some(mistake) = self.positions.get_mut(name).filter(|mistake| mistake.is_due(today)) {
            if mistake.memory.is_none() {
                mistake.begun = Some(today);
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use qiju_core::table::Setup;

    #[test]
    fn a_day_has_only_so_many_new_ones() {
        let mut mistakes = Mistakes::default();
        for (game, number) in (0..25).map(|number| ("xiangqi", number)).chain((0..3).map(|number| ("gomoku", number))) {
            let (game, setup) = (game.to_owned(), Setup::default());
            let mistake =
                Mistake { game, setup, moves: Vec::new(), played: String::new(), best: Vec::new(), memory: None, begun: None };
            mistakes.add(&format!("{} {number:02}", mistake.game), &mistake);
        }
        let today = 20_000;
        assert_eq!(mistakes.due(None, today).len(), NEW_A_DAY + 3);
        assert_eq!((mistakes.due(Some("gomoku"), today).len(), mistakes.next_day(today)), (3, Some(today + 1)));
        // One that is known already uses none of the new ones up, whatever is asked first.
        let first = mistakes.due(Some("xiangqi"), today)[0].to_owned();
        mistakes.count(&first, Rating::Again, today);
        assert_eq!(mistakes.due(Some("xiangqi"), today).len(), NEW_A_DAY - 1);
        for name in mistakes.due(None, today).into_iter().map(str::to_owned).collect::<Vec<_>>() {
            mistakes.count(&name, Rating::Good, today);
        }
        assert!(mistakes.due(None, today).is_empty());
        // The next day has new ones again, beside those that come back.
        let next = mistakes.due(None, today + 1);
        assert!(next.contains(&first.as_str()));
        assert_eq!(next.iter().filter(|name| mistakes.positions[**name].memory.is_none()).count(), NEW_A_DAY);
        assert_eq!(
            mistakes.due(None, today + 2).iter().filter(|name| mistakes.positions[**name].memory.is_none()).count(),
            NEW_A_DAY
        );
    }
}
