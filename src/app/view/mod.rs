//! How a match looks: where things are (`layout`), the desk (`desk`), the pictures (`pictures`), the pieces (`pieces`), their motion
//! (`motion`, at the pace of `pace`), the marks and arrows on the board (`marks`, `arrows`), how the end is shown (`ending`), how the
//! board turns (`turn`) and screens follow each other (`veil`), and when the window may sleep (`sleep`, `pipelines`).

mod arrows;
mod desk;
mod ending;
mod layout;
mod marks;
mod motion;
mod pace;
mod pictures;
mod pieces;
mod pipelines;
mod sleep;
mod sound;
mod trays;
mod turn;
mod veil;

pub use arrows::{Arrow, Arrows};
pub use desk::Desk;
pub use layout::{Layout, PANEL_FOLDS_BELOW, PANEL_WIDTH};
pub use motion::{Moving, apply_changes};
pub use pace::{Run, seconds, seconds_or_fade, step};
pub use pictures::{PieceImages, Ready, SMALL as SMALL_MAN, texture, ui_texture};
pub use pieces::{Dragged, Shown};
pub use sleep::Stir;
pub use trays::Trays;
pub use turn::Turn;
pub use veil::Veil;

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
    app.init_resource::<Trays>()
        .add_plugins((pace::plugin, desk::plugin, layout::plugin, pictures::plugin, turn::plugin, pieces::plugin, motion::plugin))
        .add_plugins((
            marks::plugin,
            arrows::plugin,
            ending::plugin,
            veil::plugin,
            pipelines::plugin,
            sleep::plugin,
            sound::plugin,
        ));
}
