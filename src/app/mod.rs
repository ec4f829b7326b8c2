//! The table as a Bevy program. It knows [`table`](crate::table) and the registry, no game by name.
//!
//! Its layers, where `a <- b` reads "b may use a" (`tests/layers.rs` keeps them):
//!
//! ```text
//! ground <- play <- explore <- hand <- view
//! ```
//!
//! `ground` is what all stand on, `play` the match, `explore` what one can look at beside the match as it is played, `hand` the pointer and the keys,
//! `view` the picture. [`TablePlugin`] is everything but the drawing of menus ([`ui`](crate::ui)) and works without a window;
//! [`window`](crate::window) puts both together.

pub mod explore;
mod ground;
pub mod hand;
pub mod play;
pub mod view;

pub use ground::options::{Options, Who};
pub use ground::{
    background, clipboard, exercise, intent, keys, layout, library, notices, picture, settings, setup, state, step, words,
};

use bevy::app::{App, Plugin};

/// The table: states, a match with its referee, what can be explored, and its picture.
pub struct TablePlugin;

impl Plugin for TablePlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((ground::plugin, play::plugin, explore::plugin, hand::plugin, view::plugin));
    }
}
