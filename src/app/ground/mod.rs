//! The lowest layer of the application, used by all others: the order of a frame, the states, the requests of the user
//! (`intent`) and their data (`setup`, `exercise`), settings, the library, texts, messages, background tasks, the layout of the board,
//! and the parts of the view's state that the match needs.

pub mod background;
pub mod clipboard;
pub mod confirmation;
pub mod exercise;
pub mod intent;
pub mod keys;
pub mod laboratory;
pub mod layout;
pub mod library;
mod menus;
pub mod notices;
pub mod options;
pub mod picture;
pub mod platform;
pub mod position;
pub mod programs;
pub mod settings;
pub mod setup;
pub mod state;
pub mod step;
pub mod user_files;
pub mod words;
#[cfg(target_arch = "wasm32")]
mod workers;

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
        programs::plugin,
        settings::plugin,
    ));
    #[cfg(target_arch = "wasm32")]
    app.add_plugins(workers::plugin);
}
