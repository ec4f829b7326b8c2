//! The ground of the window program, which every other part of it stands on: the order of a frame, the states, what the player can wish for
//! (`intent`) and what such wishes carry (`setup`, `exercise`), settings, the library, words, messages, work in the background, where the board lies,
//! and the little the match has to know of its picture.

pub mod background;
pub mod clipboard;
pub mod exercise;
pub mod intent;
pub mod keys;
pub mod layout;
pub mod library;
mod menus;
pub mod notices;
pub mod options;
pub mod picture;
pub mod settings;
pub mod setup;
pub mod state;
pub mod step;
pub mod words;

use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        step::plugin,
        clipboard::plugin,
        state::plugin,
        intent::plugin,
        keys::plugin,
        menus::plugin,
        notices::plugin,
        picture::plugin,
        settings::plugin,
    ));
}
