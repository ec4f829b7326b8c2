//! What the match has to know of its picture, and no more: whether it is painted, and whether a piece is in motion. Written by the picture.

use bevy::prelude::*;

/// True once the pictures of this match are there.
#[derive(Resource, Default)]
pub struct Ready(pub bool);

/// On a piece that is in motion on the screen.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct InMotion;

/// True for one frame when the player is in a hurry (a press, a key held down): every motion ends at once.
#[derive(Resource, Default)]
pub struct Hurry(pub bool);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Ready>().init_resource::<Hurry>();
}
