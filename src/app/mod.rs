//! The table as a Bevy program. It knows [`table`](crate::table) and the registry, no game by name.
//!
//! [`TablePlugin`] is everything but the drawing of menus ([`ui`](crate::ui)) and works without a window;
//! [`run`] opens the window.

pub mod errand;
mod faults;
pub mod intent;
pub mod learning;
pub mod library;
mod measure;
pub mod options;
pub mod play;
pub mod preparation;
mod run;
pub mod settings;
pub mod state;
pub mod trainer;
pub mod view;
pub mod words;

pub use errand::{Bells, Errand};
pub use options::{Options, Who};
pub use run::{check, drawn_plugins, run, unseen_plugins, window_free_plugins};

use bevy::prelude::*;

/// The order of a frame's work, chained.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Clocks.
    Tick,
    /// What the player does.
    Input,
    /// What the engines do.
    Think,
    /// What becomes of it.
    Referee,
    /// How it is shown.
    Animate,
    /// What is written around it.
    Ui,
}

/// The table: states, a match with its referee, and its picture.
pub struct TablePlugin;

impl Plugin for TablePlugin {
    fn build(&self, app: &mut App) {
        app.configure_sets(Update, (Step::Tick, Step::Input, Step::Think, Step::Referee, Step::Animate, Step::Ui).chain())
            .add_plugins((
                state::plugin,
                intent::plugin,
                learning::plugin,
                library::plugin,
                settings::plugin,
                play::plugin,
                preparation::plugin,
                trainer::plugin,
                view::plugin,
            ));
    }
}
