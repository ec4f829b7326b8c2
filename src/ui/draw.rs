//! The order in which a frame's interface is drawn.

use bevy::prelude::*;

/// The order in which a frame's interface is drawn: what comes later lies above.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Draw {
    Style,
    Screen,
    Menu,
    Toasts,
    Fade,
    Cover,
}
