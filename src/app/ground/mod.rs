//! The lowest layer of the application, used by all others: the order of a frame, the states, the requests of the user
//! (`requests`) and their data (`setup`, `exercise`), settings, the library, texts, messages, background tasks, the layout of the board,
//! and the parts of the view's state that the match needs.

pub mod activity;
pub mod background;
pub mod clipboard;
pub mod commands;
pub mod confirmation;
pub mod engines;
pub mod exercise;
pub mod home;
pub mod kept;
pub mod keys;
pub mod layout;
pub mod library;
pub mod menus;
pub mod mistakes;
pub mod notices;
pub mod options;
pub mod picture;
pub mod platform;
pub mod position;
pub mod programs;
pub mod progress;
pub mod puzzle_results;
pub mod repertoires;
pub mod requests;
pub mod settings;
pub mod setup;
pub mod state;
pub mod step;
pub mod user_files;
pub mod voice;
pub mod words;
#[cfg(target_arch = "wasm32")]
mod workers;

use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        step::plugin,
        clipboard::plugin,
        commands::plugin,
        state::plugin,
        requests::plugin,
        keys::plugin,
        menus::plugin,
        notices::plugin,
        picture::plugin,
        programs::plugin,
        settings::plugin,
        progress::plugin,
        mistakes::plugin,
        repertoires::plugin,
        engines::plugin,
    ));
    #[cfg(target_arch = "wasm32")]
    app.add_plugins(workers::plugin);
}
