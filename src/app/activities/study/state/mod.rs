//! What is studied: the review of a game, and the positions before one's own mistakes.

mod learn;
mod review;

pub use learn::Learn;
pub use review::GameReview;

use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((learn::plugin, review::plugin));
}
