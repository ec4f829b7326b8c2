//! The view of a match: the layout (`layout`), the desk (`desk`), the pictures (`pictures`), the pieces (`pieces`), their animation
//! (`motion`, with the speed of `pace`), the marks and arrows on the board (`marks`, `arrows`), the end of a match (`ending`), the
//! turning of the board (`turn`), the fade between screens (`fade`), and the sleep of the window (`sleep`, `pipelines`).

mod arrows;
mod desk;
mod ending;
mod fade;
mod layer;
mod layout;
mod marks;
mod motion;
mod pace;
mod pictures;
mod pieces;
mod pipelines;
mod proportions;
mod sleep;
mod sound;
mod stir;
mod texture;
mod trays;
mod turn;

pub use arrows::{Arrow, Arrows};
pub use desk::Desk;
pub use fade::Fade;
pub use motion::{Moving, Shown, apply_changes};
pub use pace::{Run, seconds, seconds_or_fade, step};
pub use pictures::{PieceImages, SMALL as SMALL_PIECE};
pub use stir::Stir;
pub use texture::{texture, ui_texture};
pub use trays::Trays;
pub use turn::Turn;

use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Trays>()
        .add_plugins((desk::plugin, layout::plugin, pictures::plugin, turn::plugin, pieces::plugin, motion::plugin))
        .add_plugins((
            marks::plugin,
            arrows::plugin,
            ending::plugin,
            fade::plugin,
            pipelines::plugin,
            sleep::plugin,
            sound::plugin,
        ));
}
