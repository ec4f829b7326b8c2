//! Marks drawn with the right mouse button: a click puts a circle around a point, a drag an arrow from one to another; the same once more takes it
//! away. Shift, Ctrl and Alt choose other colours.

use super::pointer::{Pointer, read_pointer};
use crate::app::ground::layout::Layout;
use crate::app::ground::requests::{CursorRequest, Requests};
use crate::app::ground::state::Menu;
use crate::app::ground::step::Step;
use crate::app::play::{CurrentMatch, in_match};
use bevy::prelude::*;
use qiju_core::rules::Point;
use qiju_core::table::{Mark, MarkColour, TreeEdit};

/// The marks with this one added, or taken away where it is there. One place has one mark: another colour replaces it.
fn toggled(marks: &[Mark], mark: Mark) -> Vec<Mark> {
    let place = |mark: &Mark| match *mark {
        Mark::Circle { at, .. } | Mark::Label { at, .. } => (at, at),
        Mark::Arrow { from, to, .. } => (from, to),
    };
    let mut kept: Vec<Mark> = marks.iter().copied().filter(|other| place(other) != place(&mark)).collect();
    if !marks.contains(&mark) {
        kept.push(mark);
    }
    kept
}

fn draw(
    pointer: Res<Pointer>,
    (current, layout, menu): (Res<CurrentMatch>, Res<Layout>, Res<State<Menu>>),
    keys: Option<Res<ButtonInput<KeyCode>>>,
    mut requests: Requests,
    mut begun: Local<Option<Point>>,
) {
    if *menu.get() != Menu::None || current.played().sketch().is_some() {
        *begun = None;
        return;
    }
    if pointer.cancelled {
        *begun = None;
    }
    for touch in &pointer.right {
        let under = layout.point_under(touch.at);
        if touch.down {
            *begun = under.filter(|_| !pointer.over_ui);
            continue;
        }
        let (Some(from), Some(to)) = (begun.take(), under) else { continue };
        let held = |codes: [KeyCode; 2]| keys.as_ref().is_some_and(|keys| keys.any_pressed(codes));
        let colour = match () {
            () if held([KeyCode::ShiftLeft, KeyCode::ShiftRight]) => MarkColour::Red,
            () if held([KeyCode::ControlLeft, KeyCode::ControlRight]) => MarkColour::Blue,
            () if held([KeyCode::AltLeft, KeyCode::AltRight]) => MarkColour::Yellow,
            () => MarkColour::Green,
        };
        let mark = if from == to { Mark::Circle { at: from, colour } } else { Mark::Arrow { from, to, colour } };
        let at = current.cursor();
        let marks = toggled(current.tree().notes(at).marks, mark);
        requests.write(CursorRequest::Edit(TreeEdit::Marks { at, marks }));
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, draw.after(read_pointer).in_set(Step::Input).run_if(in_match));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_put_replaced_and_taken_away() {
        let (a, b) = (Point::new(1, 2), Point::new(3, 4));
        let circle = |colour| Mark::Circle { at: a, colour };
        let arrow = Mark::Arrow { from: a, to: b, colour: MarkColour::Green };
        let one = toggled(&[], circle(MarkColour::Green));
        assert_eq!(one, [circle(MarkColour::Green)]);
        let two = toggled(&one, arrow);
        assert_eq!(two.len(), 2);
        assert_eq!(toggled(&two, circle(MarkColour::Red)), [arrow, circle(MarkColour::Red)]);
        assert_eq!(toggled(&two, arrow), one);
    }
}
