//! The view of a match: the layout (`layout`), the desk (`desk`), the textures (`textures`, `pictures`), the pieces (`pieces`), their animation
//! (`motion`, with the speed of `pace`), the marks and arrows on the board (`marks`, `overlay`), the end of a match (`ending`), the
//! turning of the board (`turn`), the fade between screens (`fade`), and the sleep of the window (`sleep`, `pipelines`).

mod desk;
mod ending;
mod fade;
mod frames;
mod layer;
mod layout;
mod marks;
mod motion;
mod overlay;
mod pace;
mod pictures;
mod pieces;
mod pipelines;
mod proportions;
mod sleep;
mod sound;
mod textures;
mod trays;
mod turn;

pub use desk::Desk;
pub use ending::ends;
pub use fade::Fade;
pub use frames::FrameRequests;
pub use motion::{LastPose, Motion, Moving, Pose, apply_changes};
pub use overlay::{Drawn, Ink, Overlay};
pub use pace::{Run, seconds, seconds_or_fade, step};
pub use pictures::{PieceImages, SMALL as SMALL_PIECE};
pub use textures::{BoardOrder, BoardSet, BoardTextures, Texture, Use};
pub use trays::Trays;
pub use turn::BoardRotation;

use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Trays>()
        .add_plugins((
            desk::plugin,
            layout::plugin,
            textures::plugin,
            pictures::plugin,
            turn::plugin,
            pieces::plugin,
            motion::plugin,
        ))
        .add_plugins((
            marks::plugin,
            overlay::plugin,
            ending::plugin,
            fade::plugin,
            pipelines::plugin,
            sleep::plugin,
            sound::plugin,
        ));
}
