//! How a match looks: where things are (`layout`), the pictures (`pictures`), the men (`men`), their motion (`motion`),
//! the marks on the board (`marks`), and when the window may sleep (`sleep`).

mod layout;
mod marks;
mod men;
mod motion;
mod pictures;
mod sleep;
mod sound;

pub use layout::{Layout, PANEL_FOLDS_BELOW, PANEL_WIDTH};
pub use men::Dragged;
pub use motion::{Moving, apply_changes};
pub use pictures::{MenImages, Ready, SMALL as SMALL_MAN, interface_texture, texture};
pub use sleep::Pace;

use bevy::prelude::*;

/// Layers of the picture, from the desk up.
mod layer {
    pub const DESK: f32 = 0.0;
    pub const BOARD: f32 = 1.0;
    pub const GROUND_MARKS: f32 = 2.0;
    pub const SHADOWS: f32 = 3.0;
    pub const MEN: f32 = 10.0;
    pub const MARKS: f32 = 20.0;
    pub const FLYING: f32 = 30.0;
}

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((layout::plugin, pictures::plugin, men::plugin, motion::plugin, marks::plugin, sleep::plugin, sound::plugin));
}
