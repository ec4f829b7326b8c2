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
//! [`run`] opens the window.

pub mod explore;
mod faults;
mod ground;
pub mod hand;
mod measure;
pub mod play;
mod run;
pub mod view;

pub use ground::options::{Options, Who};
pub use ground::{
    background, clipboard, exercise, intent, keys, layout, library, notices, picture, settings, setup, state, step, words,
};
pub use run::{check, drawn_plugins, run, unseen_plugins, window_free_plugins};
