//! Who the keys belong to at the moment.

use bevy::prelude::*;

/// Where the keys go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeysGo {
    /// To the board.
    #[default]
    Board,
    /// To a button: Enter, Space and the arrows are its own, shortcuts are not.
    Button,
    /// To a text field: all of them.
    Text,
}

/// Who the keys belong to at the moment.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct KeyFocus {
    /// Where they go; set by the pages.
    pub go: KeysGo,
    /// A small menu is open, which Escape closes; set by the pages.
    pub popup: bool,
    /// A cursor stands on the board and takes the arrow keys; set by the hand.
    pub on_board: bool,
    /// Something is picked that Escape lets go of; set by the hand.
    pub holds: bool,
}

/// The reading of the keys that lead through the tree, once [`KeyFocus`] is known.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReadKeys;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<KeyFocus>();
}
