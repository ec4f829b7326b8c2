//! The search laboratory: a position is searched by five simple algorithms, and the search of one of them is shown step by step on a page of its own.

mod camera;
mod canvas;
mod experiment;
mod node;
mod page;
mod request;
mod shared;
mod state;
mod tiny_board;
mod transport;
mod view;

pub use request::{LABORATORY, LabGo, LabWalk, LabWish};
pub use state::{Laboratory, Lane, NoTree};

use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((state::plugin, page::plugin));
}
