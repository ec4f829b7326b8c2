//! The application in Bevy. It uses [`table`](qiju_core::table) and the registry, but no game by name.
//!
//! Its layers, where `a <- b` reads "b may use a" (checked by `tests/layers.rs`):
//!
//! ```text
//! ground <- play <- explore <- hand <- view <- ui <- activities
//! ```
//!
//! `ground` has the shared parts, `play` the match, `explore` variations, analysis and so on, `hand` the user input,
//! `view` the drawing, `activities` what one can do at the board, above the [`ui`](crate::ui). [`TablePlugin`] is everything except the menus ([`ui`](crate::ui)) and works without a window;
//! [`window`](crate::window) joins both.

pub mod activities;
pub mod explore;
mod ground;
pub mod hand;
pub mod play;
pub mod view;

pub use ground::options::{Options, Who};
pub use ground::{
    activity, background, clipboard, commands, confirmation, engines, exercise, home, kept, keys, layout, library, menus,
    mistakes, notices, picture, platform, position, programs, progress, puzzle_results, repertoires, requests, settings, setup,
    state, step, user_files, voice, words,
};

use bevy::app::{App, Plugin};

/// The application: states, the match with its referee, exploring, and the view.
pub struct TablePlugin;

impl Plugin for TablePlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((ground::plugin, play::plugin, explore::plugin, hand::plugin, view::plugin));
    }
}
