//! The mouse or the first finger: its position and its events since the last frame.

use crate::app::ground::picture::Hurry;
use crate::app::ground::step::Step;
use bevy::input::touch::{TouchPhase, Touches};
use bevy::prelude::*;
use bevy::window::WindowEvent;

/// The mouse or the first finger.
#[derive(Resource, Clone, Debug, Default)]
pub struct Pointer {
    /// Its position, in logical pixels from the upper left.
    pub position: Option<Vec2>,
    /// Its events since the last frame, in order, so that a slow frame loses no click.
    pub(super) touches: Vec<Touch>,
    /// The same of the right button.
    pub(super) right: Vec<Touch>,
    /// True if it is over a menu or a panel; set by `ui`.
    pub over_ui: bool,
}

/// A press or a release at a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Touch {
    pub at: Vec2,
    pub down: bool,
}

pub(super) fn read_pointer(mut pointer: ResMut<Pointer>, mut events: MessageReader<WindowEvent>) {
    let pointer = pointer.bypass_change_detection();
    pointer.touches.clear();
    pointer.right.clear();
    for event in events.read() {
        match event {
            WindowEvent::CursorMoved(moved) => pointer.position = Some(moved.position),
            WindowEvent::CursorLeft(_) => pointer.position = None,
            WindowEvent::MouseButtonInput(input) if input.button == MouseButton::Left => {
                if let Some(at) = pointer.position {
                    pointer.touches.push(Touch { at, down: input.state.is_pressed() });
                }
            }
            WindowEvent::MouseButtonInput(input) if input.button == MouseButton::Right => {
                if let Some(at) = pointer.position {
                    pointer.right.push(Touch { at, down: input.state.is_pressed() });
                }
            }
            WindowEvent::TouchInput(touch) => {
                let at = touch.position;
                pointer.position = Some(at);
                match touch.phase {
                    TouchPhase::Started => pointer.touches.push(Touch { at, down: true }),
                    TouchPhase::Ended | TouchPhase::Canceled => pointer.touches.push(Touch { at, down: false }),
                    TouchPhase::Moved => {}
                }
            }
            _ => {}
        }
    }
}

/// Any press of a button or a finger: animations end at once, and the press is handled.
fn hurry(
    mut hurry: ResMut<Hurry>,
    pointer: Res<Pointer>,
    mouse: Option<Res<ButtonInput<MouseButton>>>,
    touches: Option<Res<Touches>>,
) {
    let clicked = mouse.is_some_and(|mouse| mouse.get_just_pressed().len() > 0);
    let touched = touches.is_some_and(|touches| touches.any_just_pressed());
    let pressed = pointer.touches.iter().any(|touch| touch.down);
    hurry.bypass_change_detection().0 = clicked || touched || pressed;
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Pointer>().add_systems(Update, (read_pointer, hurry).chain().in_set(Step::Input));
}
