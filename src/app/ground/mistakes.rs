//! The player's own mistakes as exercises: the positions before them, and when each is asked again.

use super::kept::{self, Kept};
use bevy::prelude::*;
use qiju_core::record::data;
use qiju_core::study::Mistake;
use qiju_core::study::schedule::{self, Memory, Rating};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The exercises, by the names of their positions, so that none is there twice.
#[derive(Resource, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mistakes {
    /// All of them.
    pub positions: BTreeMap<String, Mistake>,
}

impl Mistakes {
    /// The names of those of a game, or of all games, that are due on a day, in the order in which they are asked. Each game has new ones of its own.
    pub fn due(&self, game: Option<&str>, today: i32) -> Vec<&str> {
        let games: BTreeSet<&str> = self.positions.values().map(|mistake| mistake.game.as_str()).collect();
        let of_game = |key: &str| {
            let own = self.positions.iter().filter(|(_, mistake)| mistake.game == key);
            schedule::due(own.map(|(name, mistake)| (name.as_str(), mistake.learnt())), today)
        };
        games.into_iter().filter(|key| game.is_none_or(|game| game == *key)).flat_map(of_game).collect()
    }

    /// The next day, after this one, on which one of them is due.
    pub fn next_day(&self, today: i32) -> Option<i32> {
        schedule::next_day(self.positions.values().map(Mistake::learnt), self.due(None, today).len(), today)
    }

    /// Adds an exercise. One of the same position stays as it is.
    pub fn add(&mut self, name: &str, mistake: &Mistake) {
        self.positions.entry(name.to_owned()).or_insert_with(|| mistake.clone());
    }

    /// Takes down what came of an exercise. Only one that was due counts.
    pub fn count(&mut self, name: &str, rating: Rating, today: i32) {
        if let Some(mistake) = self.positions.get_mut(name) {
            let mut learnt = mistake.learnt();
            learnt.count(rating, today);
            (mistake.memory, mistake.begun) = (learnt.memory, learnt.begun);
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
    use qiju_core::study::schedule::NEW_A_DAY;
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
