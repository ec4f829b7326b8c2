//! User input: the pointer, the keys, the selection, and the moves that result.

mod board;
mod commands;
mod forbidden;
mod marks;
mod placing;
mod pointer;
mod selection;

pub use forbidden::Restrictions;
pub use placing::Placing;
pub use pointer::Pointer;
pub use selection::{Dragged, Selection};

use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        board::plugin,
        commands::plugin,
        forbidden::plugin,
        marks::plugin,
        placing::plugin,
        pointer::plugin,
        selection::plugin,
    ));
}
