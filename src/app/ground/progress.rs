//! What the player has achieved beside matches: puzzles, first steps, exercises, stands against a proof.

use super::kept::{self, Kept};
use super::puzzle_results::{GameProgress, NEW};
use super::settings::Settings;
use bevy::prelude::*;
use qiju_core::record::data;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The player's progress.
#[derive(Resource, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlayerProgress {
    /// The results of puzzles, by the key of their game.
    #[serde(alias = "games")]
    pub puzzles: BTreeMap<String, GameProgress>,
    /// The keys of exercises won in time.
    pub trained: BTreeSet<String>,
    /// The longest stand against a proof, in own moves, for each game and variant.
    pub stands: BTreeMap<String, u32>,
    /// The keys of the first steps that are done, and how often.
    pub first_steps: BTreeMap<String, u32>,
    /// The title page no longer offers the first steps.
    pub first_steps_known: bool,
}

impl PlayerProgress {
    /// The results of puzzles in a game.
    pub fn of_puzzles(&self, game: &str) -> &GameProgress {
        self.puzzles.get(game).unwrap_or(&NEW)
    }

    /// The missed puzzles that are due on a day.
    pub fn due(&self, today: i32) -> usize {
        self.puzzles.values().map(|results| results.due(today)).sum()
    }

    /// The next day, after this one, on which a missed puzzle is due.
    pub fn next_day(&self, today: i32) -> Option<i32> {
        self.puzzles.values().filter_map(|results| results.next_day(today)).min()
    }

    /// True for who has neither begun a match nor done a task of the first steps, nor refused their offer.
    pub fn is_newcomer(&self, settings: &Settings) -> bool {
        !self.first_steps_known && self.first_steps.is_empty() && settings.setups.is_empty()
    }
}

impl Kept for PlayerProgress {
    const FILE: &'static str = data::PROGRESS;

    fn earlier(read: &mut dyn FnMut(&str) -> Option<PlayerProgress>) -> Option<PlayerProgress> {
        match (read(data::SETTINGS), read(data::PUZZLES)) {
            (Some(rest), Some(PlayerProgress { puzzles, .. })) => Some(PlayerProgress { puzzles, ..rest }),
            (rest, puzzles) => rest.or(puzzles),
        }
    }

    fn sane(mut self) -> PlayerProgress {
        self.puzzles = self.puzzles.into_iter().map(|(game, results)| (game, results.sane())).collect();
        self
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(kept::plugin::<PlayerProgress>);
}
