//! The view's state that the match needs: whether the pictures are ready, and whether a piece is moving. Set by `view`.

use bevy::prelude::*;

/// True when the pictures of this match are ready.
#[derive(Resource, Default, PartialEq)]
pub struct Ready(pub bool);

/// Marks a piece that is moving on the screen.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct InMotion;

/// True for one frame when the user presses a button or holds a key: all animations end at once.
#[derive(Resource, Default)]
pub struct Hurry(pub bool);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Ready>().init_resource::<Hurry>();
}
