//! The receiver of keyboard input.

use bevy::ecs::message::{MessageCursor, MessageUpdateSystems};
use bevy::input::keyboard::{KeyboardFocusLost, KeyboardInput};
use bevy::prelude::*;
use bevy::window::RequestRedraw;

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

impl KeyFocus {
    /// True if the board receives the keys.
    pub fn is_board(world: &World) -> bool {
        world.resource::<KeyFocus>().go == KeysGo::Board
    }
}

/// The systems that handle the navigation keys, after [`KeyFocus`] is set.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReadKeys;

/// The keys of Control; on other systems the Command key takes its place in shortcuts.
pub const CTRL: [KeyCode; 4] = [KeyCode::ControlLeft, KeyCode::ControlRight, KeyCode::SuperLeft, KeyCode::SuperRight];
/// The keys of Shift.
pub const SHIFT: [KeyCode; 2] = [KeyCode::ShiftLeft, KeyCode::ShiftRight];

/// The keys of Alt.
const ALT: [KeyCode; 2] = [KeyCode::AltLeft, KeyCode::AltRight];

/// True if one of a modifier's keys is held.
pub fn held(keys: &ButtonInput<KeyCode>, modifier: &[KeyCode]) -> bool {
    keys.any_pressed(modifier.iter().copied())
}

/// After a slow frame several keys arrive at once, and who reads them knows the modifiers only as they are after the last one: a quick Ctrl+V would
/// be a V. So a frame hears the keys up to the next change of a modifier, and the next frame hears the others.
fn one_chord_a_frame(
    mut keys: ResMut<Messages<KeyboardInput>>,
    mut lost: MessageReader<KeyboardFocusLost>,
    mut redraw: MessageWriter<RequestRedraw>,
    (mut cursor, mut later): (Local<MessageCursor<KeyboardInput>>, Local<Vec<KeyboardInput>>),
) {
    if lost.read().count() > 0 {
        // What was pressed before is released elsewhere.
        later.clear();
    }
    later.extend(cursor.read(&keys).cloned());
    if later.is_empty() {
        return;
    }
    let mut pressed = false;
    let chord = later.iter().take_while(|input| {
        let modifier = [&CTRL[..], &SHIFT, &ALT].iter().any(|keys| keys.contains(&input.key_code));
        pressed |= !modifier && input.state.is_pressed();
        !(modifier && pressed)
    });
    let chord = chord.count();
    keys.clear();
    keys.write_batch(later.drain(..chord));
    *cursor = keys.get_cursor_current();
    if !later.is_empty() {
        redraw.write(RequestRedraw);
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<KeyFocus>();
    app.add_systems(First, one_chord_a_frame.after(MessageUpdateSystems).run_if(resource_exists::<ButtonInput<KeyCode>>));
}
