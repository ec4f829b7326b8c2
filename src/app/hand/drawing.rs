//! Arrows and circles drawn with the right mouse button. They are marks of the position that is shown and are kept with it; drawn again in the same
//! colour a mark is taken away. Shift draws in red, Control in blue, Alt in yellow.

use super::pointer::Pointer;
use crate::app::ground::intent::Intent;
use crate::app::ground::layout::Layout;
use crate::app::ground::state::Menu;
use crate::app::ground::step::Step;
use crate::app::play::{CurrentMatch, in_match};
use crate::rules::Point;
use crate::table::{Mark, MarkColour, TreeEdit};
use bevy::prelude::*;
use bevy::window::WindowEvent;

/// The marks with one more, or without it if it is there in the same colour. Another colour takes the place of the one before.
fn toggled(marks: &[Mark], mark: Mark) -> Vec<Mark> {
    let same_place = |other: &Mark| match (*other, mark) {
        (Mark::Circle { at: a, .. }, Mark::Circle { at: b, .. }) => a == b,
        (Mark::Arrow { from: a, to: b, .. }, Mark::Arrow { from: c, to: d, .. }) => (a, b) == (c, d),
        _ => false,
    };
    let mut rest: Vec<Mark> = marks.iter().copied().filter(|other| !same_place(other)).collect();
    if !marks.contains(&mark) {
        rest.push(mark);
    }
    rest
}

fn colour(keys: Option<&ButtonInput<KeyCode>>) -> MarkColour {
    let held = |pair: [KeyCode; 2]| keys.is_some_and(|keys| keys.any_pressed(pair));
    if held([KeyCode::ShiftLeft, KeyCode::ShiftRight]) {
        MarkColour::Red
    } else if held([KeyCode::ControlLeft, KeyCode::ControlRight]) {
        MarkColour::Blue
    } else if held([KeyCode::AltLeft, KeyCode::AltRight]) {
        MarkColour::Yellow
    } else {
        MarkColour::Green
    }
}

fn draw(
    mut events: MessageReader<WindowEvent>,
    (pointer, layout, current): (Res<Pointer>, Res<Layout>, Res<CurrentMatch>),
    (menu, keys): (Res<State<Menu>>, Option<Res<ButtonInput<KeyCode>>>),
    mut intents: MessageWriter<Intent>,
    (mut place, mut begun): (Local<Option<Vec2>>, Local<Option<Point>>),
) {
    for event in events.read() {
        match event {
            WindowEvent::CursorMoved(moved) => *place = Some(moved.position),
            WindowEvent::CursorLeft(_) => (*place, *begun) = (None, None),
            WindowEvent::MouseButtonInput(input) if input.button == MouseButton::Right => {
                let under = place.and_then(|place| layout.point_under(place));
                if input.state.is_pressed() {
                    let free = !pointer.over_ui && *menu.get() == Menu::None && current.played().sketch().is_none();
                    *begun = under.filter(|_| free);
                    continue;
                }
                let (Some(from), Some(to)) = (begun.take(), under) else { continue };
                let colour = colour(keys.as_deref());
                let mark = if from == to { Mark::Circle { at: to, colour } } else { Mark::Arrow { from, to, colour } };
                let at = current.cursor();
                let marks = toggled(&current.tree().node(at).marks, mark);
                intents.write(Intent::Edit(TreeEdit::Marks { at, marks }));
            }
            _ => {}
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, draw.in_set(Step::Input).run_if(in_match));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_drawn_twice_is_gone() {
        let circle = |x: u8, colour: MarkColour| Mark::Circle { at: Point::new(x, 0), colour };
        let (green, red) = (circle(1, MarkColour::Green), circle(1, MarkColour::Red));
        let other = circle(2, MarkColour::Green);
        assert_eq!(toggled(&[], green), [green]);
        assert_eq!(toggled(&[green, other], green), [other]);
        assert_eq!(toggled(&[green, other], red), [other, red]);
    }
}
