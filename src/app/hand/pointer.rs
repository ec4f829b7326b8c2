//! The mouse or the first finger: its position and its events since the last frame.
//!
//! One finger points. A second one takes back what the first one has begun, so that two fingers never move a piece. A finger that rests on the board
//! is the right button from then on.

use crate::app::ground::picture::Hurry;
use crate::app::ground::step::Step;
use bevy::input::touch::{TouchInput, TouchPhase, Touches};
use bevy::prelude::*;
use bevy::window::WindowEvent;
use std::time::Duration;

/// How long a finger rests before it is the right button.
const LONG: Duration = Duration::from_millis(500);
/// How long it rests on a panel before a menu opens: a little more than the interface itself waits.
const MENU_OPENS: Duration = Duration::from_millis(850);
/// How far a finger may move, in logical pixels, and still rest.
const RESTS: f32 = 10.0;
/// Where a button is released that is released outside the window: on nothing.
const OUTSIDE: Vec2 = Vec2::splat(-10_000.0);

/// The mouse or the first finger.
#[derive(Resource, Clone, Debug, Default)]
pub struct Pointer {
    /// Its position, in logical pixels from the upper left. A finger has none when it does not touch.
    pub position: Option<Vec2>,
    /// Its events since the last frame, in order, so that a slow frame loses no click.
    pub(super) touches: Vec<Touch>,
    /// The same of the right button.
    pub(super) right: Vec<Touch>,
    /// What was pressed is let go without any effect.
    pub(super) cancelled: bool,
    /// True if it is over a menu or a panel; set by `ui`.
    pub over_ui: bool,
    /// The parts of the window that menus and panels cover, in logical pixels; set by `ui`. A finger comes from nowhere.
    pub covered: Vec<Rect>,
    /// The last press was made by a finger.
    pub by_finger: bool,
    /// Fingers are used: from the first touch until a button of the mouse is released.
    pub touched: bool,
    finger: Option<Finger>,
}

/// A press or a release at a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Touch {
    pub at: Vec2,
    pub down: bool,
}

/// The finger that points.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Finger {
    id: u64,
    from: Vec2,
    since: Duration,
    /// It touched a menu or a panel.
    covered: bool,
    role: Role,
}

/// What a finger does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// It has not moved yet.
    Rests,
    /// It is the left button.
    Left,
    /// It is the right button.
    Right,
}

impl Pointer {
    /// Where a finger touches the board.
    pub fn finger(&self) -> Option<Vec2> {
        let on_board = self.finger.is_some_and(|finger| !finger.covered);
        self.position.filter(|_| on_board)
    }

    /// True if a finger draws marks, as the right button does.
    pub fn marks(&self) -> bool {
        self.finger.is_some_and(|finger| finger.role == Role::Right)
    }

    /// How long a finger must still rest until it is the right button, where the time is `now`.
    fn rests_for(&self, now: Duration) -> Option<Duration> {
        let finger = self.finger.filter(|finger| finger.role == Role::Rests && !finger.covered)?;
        Some((finger.since + LONG).saturating_sub(now))
    }

    /// When a frame is needed because a finger rests: on the board, or on a panel whose menus open then.
    pub fn wakes_in(&self, now: Duration) -> Option<Duration> {
        let on_panel = self.finger.filter(|finger| finger.role == Role::Rests && finger.covered);
        let opens = on_panel.map(|finger| finger.since + MENU_OPENS).filter(|due| *due > now);
        self.rests_for(now).or(opens.map(|due| due - now))
    }

    fn cancel(&mut self) {
        self.touches.clear();
        self.right.clear();
        self.cancelled = true;
    }

    fn touch(&mut self, touch: &TouchInput, now: Duration) {
        let at = touch.position;
        let mine = self.finger.filter(|finger| finger.id == touch.id);
        match (touch.phase, mine) {
            (TouchPhase::Started, _) if self.finger.is_none() => {
                (self.touched, self.by_finger) = (true, true);
                self.position = Some(at);
                let covered = self.covered.iter().any(|part| part.contains(at));
                self.over_ui = covered;
                self.finger = Some(Finger { id: touch.id, from: at, since: now, covered, role: Role::Rests });
                self.touches.push(Touch { at, down: true });
            }
            // A second finger: neither of them points any more. So a finger whose end was never told points no longer either.
            (TouchPhase::Started, _) => {
                (self.finger, self.position) = (None, None);
                self.cancel();
            }
            (TouchPhase::Moved, Some(finger)) => {
                self.position = Some(at);
                if finger.role == Role::Rests && at.distance(finger.from) > RESTS {
                    self.finger = Some(Finger { role: Role::Left, ..finger });
                }
            }
            (TouchPhase::Ended, Some(finger)) => {
                match finger.role {
                    Role::Rests | Role::Left => self.touches.push(Touch { at, down: false }),
                    Role::Right => self.right.push(Touch { at, down: false }),
                }
                (self.finger, self.position) = (None, None);
            }
            (TouchPhase::Canceled, Some(_)) => {
                self.cancel();
                (self.finger, self.position) = (None, None);
            }
            (TouchPhase::Moved | TouchPhase::Ended | TouchPhase::Canceled, None) => {}
        }
    }

    /// A finger that has rested long enough is the right button.
    fn rest(&mut self, now: Duration) {
        if self.rests_for(now) == Some(Duration::ZERO)
            && let Some(finger) = self.finger
        {
            self.cancel();
            self.finger = Some(Finger { role: Role::Right, ..finger });
            self.right.push(Touch { at: finger.from, down: true });
        }
    }
}

pub(super) fn read_pointer(mut pointer: ResMut<Pointer>, mut events: MessageReader<WindowEvent>, time: Res<Time<Real>>) {
    let pointer = pointer.bypass_change_detection();
    pointer.touches.clear();
    pointer.right.clear();
    pointer.cancelled = false;
    let now = time.elapsed();
    for event in events.read() {
        match event {
            WindowEvent::CursorMoved(moved) if pointer.finger.is_none() => pointer.position = Some(moved.position),
            WindowEvent::CursorLeft(_) if pointer.finger.is_none() => pointer.position = None,
            WindowEvent::MouseButtonInput(input) => {
                let down = input.state.is_pressed();
                pointer.finger = None;
                let at = match pointer.position {
                    Some(at) => at,
                    None if down => continue,
                    // A fast mouse leaves between two frames, and then the window is told only that it has left.
                    None => OUTSIDE,
                };
                pointer.by_finger = false;
                // The sizes change when the click is over.
                pointer.touched &= down;
                match input.button {
                    MouseButton::Left => pointer.touches.push(Touch { at, down }),
                    MouseButton::Right => pointer.right.push(Touch { at, down }),
                    _ => {}
                }
            }
            WindowEvent::TouchInput(touch) => pointer.touch(touch, now),
            // The release may go to another window.
            WindowEvent::WindowFocused(window) if !window.focused => pointer.cancel(),
            _ => {}
        }
    }
    pointer.rest(now);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(phase: TouchPhase, id: u64, x: f32) -> TouchInput {
        TouchInput { phase, position: Vec2::new(x, 20.0), window: Entity::PLACEHOLDER, force: None, id }
    }

    #[test]
    fn one_finger_points_and_a_second_one_takes_it_back() {
        let at = |x: f32| Vec2::new(x, 20.0);
        let mut pointer = Pointer::default();
        pointer.touch(&touch(TouchPhase::Started, 4, 10.0), Duration::ZERO);
        pointer.touch(&touch(TouchPhase::Moved, 4, 60.0), Duration::ZERO);
        assert_eq!((pointer.finger(), pointer.by_finger), (Some(at(60.0)), true));
        pointer.touch(&touch(TouchPhase::Ended, 4, 60.0), Duration::ZERO);
        assert_eq!(pointer.touches, [Touch { at: at(10.0), down: true }, Touch { at: at(60.0), down: false }]);
        assert_eq!((pointer.finger(), pointer.position), (None, None));
        pointer.touches.clear();
        pointer.touch(&touch(TouchPhase::Started, 4, 10.0), Duration::ZERO);
        pointer.touch(&touch(TouchPhase::Started, 5, 90.0), Duration::ZERO);
        assert!(pointer.cancelled && pointer.touches.is_empty() && pointer.finger().is_none());
        for id in [4, 5] {
            pointer.touch(&touch(TouchPhase::Ended, id, 10.0), Duration::ZERO);
        }
        assert!(pointer.touches.is_empty());
        // What the system takes away is no release.
        pointer.touch(&touch(TouchPhase::Started, 6, 10.0), Duration::ZERO);
        pointer.touch(&touch(TouchPhase::Canceled, 6, 10.0), Duration::ZERO);
        assert!(pointer.touches.is_empty() && pointer.cancelled);
    }

    #[test]
    fn a_finger_that_rests_is_the_right_button() {
        let mut pointer = Pointer::default();
        pointer.touch(&touch(TouchPhase::Started, 1, 10.0), Duration::ZERO);
        pointer.rest(LONG - Duration::from_millis(1));
        assert!(pointer.right.is_empty());
        pointer.rest(LONG);
        assert!(pointer.cancelled && pointer.touches.is_empty());
        pointer.touch(&touch(TouchPhase::Ended, 1, 90.0), LONG);
        let place = |x: f32| Vec2::new(x, 20.0);
        assert_eq!(pointer.right, [Touch { at: place(10.0), down: true }, Touch { at: place(90.0), down: false }]);
        // One that moves at once stays the left button, and one on the panel is left to the panel.
        let mut pointer = Pointer { covered: vec![Rect::new(200.0, 0.0, 300.0, 100.0)], ..Pointer::default() };
        pointer.touch(&touch(TouchPhase::Started, 1, 10.0), Duration::ZERO);
        pointer.touch(&touch(TouchPhase::Moved, 1, 40.0), Duration::ZERO);
        assert_eq!(pointer.rests_for(LONG), None);
        pointer.touch(&touch(TouchPhase::Ended, 1, 40.0), Duration::ZERO);
        pointer.touch(&touch(TouchPhase::Started, 1, 250.0), Duration::ZERO);
        assert!(pointer.over_ui && pointer.finger().is_none() && pointer.rests_for(LONG).is_none());
    }
}
