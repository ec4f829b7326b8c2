//! The receiver of keyboard input.

use bevy::prelude::*;

/// The receiver of keyboard input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeysGo {
    /// To the board.
    #[default]
    Board,
    /// A button: it gets Enter, Space and the arrow keys, but not shortcuts.
    Button,
    /// A text field: it gets all keys.
    Text,
}

/// The current state of keyboard input.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct KeyFocus {
    /// The receiver; set by the pages.
    pub go: KeysGo,
    /// True if a small menu is open, which Escape closes; set by the pages.
    pub popup: bool,
    /// True if the keyboard cursor is on the board and uses the arrow keys; set by `hand`.
    pub on_board: bool,
    /// True if there is a selection that Escape clears; set by `hand`.
    pub holds: bool,
}

/// The systems that handle the navigation keys, after [`KeyFocus`] is set.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReadKeys;

/// The keys of Control; on other systems the Command key takes its place in shortcuts.
pub const CTRL: [KeyCode; 4] = [KeyCode::ControlLeft, KeyCode::ControlRight, KeyCode::SuperLeft, KeyCode::SuperRight];
/// The keys of Shift.
pub const SHIFT: [KeyCode; 2] = [KeyCode::ShiftLeft, KeyCode::ShiftRight];

/// True if one of a modifier's keys is held. In a slow frame it may have been pressed and released together with the key it modifies.
pub fn held(keys: &ButtonInput<KeyCode>, modifier: &[KeyCode]) -> bool {
    modifier.iter().any(|key| keys.pressed(*key) || keys.just_pressed(*key) || keys.just_released(*key))
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<KeyFocus>();
}
