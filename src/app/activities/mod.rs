//! What one can do at the board: each activity is a folder (or a file), with what it does, what it shows, and one registration
//! ([`register`](crate::ui::activity::register)). Nothing below knows them.

pub mod attempt;
pub mod exercises;
pub mod first_steps;
pub mod guess;
pub mod hold_out;
pub mod laboratory;
pub mod letters;
pub mod library;
pub mod mistakes;
pub mod puzzles;
pub mod repertoire;
pub mod results;
pub mod study;
pub mod teaching;
pub mod threats;
mod voice;
mod watching;

use bevy::prelude::*;

/// All activities.
pub struct ActivitiesPlugin;

impl Plugin for ActivitiesPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((
            attempt::plugin,
            exercises::plugin,
            first_steps::plugin,
            guess::plugin,
            hold_out::plugin,
            laboratory::plugin,
            library::plugin,
            letters::plugin,
            mistakes::plugin,
            puzzles::plugin,
            results::plugin,
            study::plugin,
            teaching::plugin,
        ));
        app.add_plugins((repertoire::plugin, threats::plugin, voice::plugin, watching::plugin));
    }
}
