//! The order in which the parts of the interface are drawn.

use bevy::prelude::*;

/// The order in which the parts of the interface are drawn; later parts are above earlier ones.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Draw {
    Style,
    Screen,
    Menu,
    Toasts,
    Fade,
    Cover,
}
