//! Input in the editor of positions: clicks and drags on its board, the keyboard cursor and the keys.

use super::pointer::{Pointer, read_pointer};
use crate::app::explore::PositionEditor;
use crate::app::ground::keys::{CTRL, KeyFocus, KeysGo, ReadKeys, SHIFT, held};
use crate::app::ground::layout::Layout;
use crate::app::ground::position::{PositionWish, Tool};
use crate::app::ground::requests::Requests;
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use bevy::prelude::*;
use qiju_core::rules::{Point, Side};
use qiju_core::table::Piece;

/// The distance, in cells, after which a press becomes a drag.
const DRAG_STARTS: f32 = 0.15;

/// What the pointer holds on the board of the editor.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct Placing {
    press: Option<Press>,
}

/// A press on a point of the board, until it is released.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Press {
    at: Vec2,
    point: Point,
    dragging: bool,
}

impl Placing {
    /// The point whose piece is being dragged.
    pub fn dragged(&self) -> Option<Point> {
        self.press.filter(|press| press.dragging).map(|press| press.point)
    }
}

fn press_and_drag(
    mut placing: ResMut<Placing>,
    (pointer, layout, menu): (Res<Pointer>, Res<Layout>, Res<State<Menu>>),
    editor: Res<PositionEditor>,
    mut requests: Requests,
) {
    let Some(editing) = editor.editing().filter(|_| *menu.get() == Menu::None) else {
        placing.set_if_neq(Placing::default());
        return;
    };
    let mut wish = |wish| {
        requests.write(wish);
    };
    let pull = |placing: &mut Placing, at: Vec2| {
        if let Some(press) = &mut placing.press
            && !press.dragging
            && editing.draft().pieces.contains_key(&press.point)
            && at.distance(press.at) * layout.scale > DRAG_STARTS * layout.cell
        {
            press.dragging = true;
        }
    };
    let mut next = *placing;
    if pointer.cancelled {
        next = Placing::default();
        if let Some(piece) = editing.grabbed() {
            wish(PositionWish::Choose(Tool::Put(piece)));
        }
    }
    for touch in &pointer.touches {
        let under = layout.point_under(touch.at).filter(|_| !pointer.over_ui);
        if touch.down {
            next.press = under.map(|point| Press { at: touch.at, point, dragging: false });
            if editing.cursor().is_some() {
                wish(PositionWish::Cursor(None));
            }
            continue;
        }
        pull(&mut next, touch.at);
        match (next.press.take(), editing.grabbed(), under) {
            (Some(press), ..) if press.dragging => wish(PositionWish::Shift(press.point, under)),
            (Some(press), ..) if Some(press.point) == under => wish(PositionWish::Touch(press.point)),
            // A piece of the palette: while it is dragged the pointer belongs to the palette, wherever it is.
            (None, Some(piece), _) => match layout.point_under(touch.at) {
                Some(at) => wish(PositionWish::Put(piece, at)),
                // Let go where it came from: it stays the tool.
                None => wish(PositionWish::Choose(Tool::Put(piece))),
            },
            _ => {}
        }
    }
    if let Some(at) = pointer.position {
        pull(&mut next, at);
    }
    placing.set_if_neq(next);
    // The right button takes a piece away.
    for touch in pointer.right.iter().filter(|touch| touch.down && !pointer.over_ui) {
        if let Some(at) = layout.point_under(touch.at) {
            wish(PositionWish::Remove(at));
        }
    }
}

/// The digits, for the kinds of pieces.
const DIGITS: [KeyCode; 9] = [
    KeyCode::Digit1,
    KeyCode::Digit2,
    KeyCode::Digit3,
    KeyCode::Digit4,
    KeyCode::Digit5,
    KeyCode::Digit6,
    KeyCode::Digit7,
    KeyCode::Digit8,
    KeyCode::Digit9,
];

fn read_keys(
    keys: Res<ButtonInput<KeyCode>>,
    editor: Res<PositionEditor>,
    (menu, mut focus): (Res<State<Menu>>, ResMut<KeyFocus>),
    mut requests: Requests,
) {
    let Some(editing) = editor.editing() else { return };
    focus.holds = editing.cursor().is_some() || editing.picked().is_some() || editing.tool() != Tool::Hand;
    focus.on_board = editing.cursor().is_some();
    if *menu.get() != Menu::None || focus.go == KeysGo::Text {
        return;
    }
    let mut wish = |wish| {
        requests.write(wish);
    };
    let pressed = |key| keys.just_pressed(key);
    let (ctrl, shift) = (held(&keys, &CTRL), held(&keys, &SHIFT));
    if ctrl {
        for (key, asked) in [
            (KeyCode::KeyZ, if shift { PositionWish::Redo } else { PositionWish::Undo }),
            (KeyCode::KeyY, PositionWish::Redo),
            (KeyCode::KeyC, PositionWish::Copy),
        ] {
            if pressed(key) {
                wish(asked);
            }
        }
        return;
    }
    let other = !editing.draft().turn;
    for (key, asked) in [
        (KeyCode::KeyH, PositionWish::Choose(Tool::Hand)),
        (KeyCode::Digit0, PositionWish::Choose(Tool::Hand)),
        (KeyCode::KeyX, PositionWish::Choose(Tool::Remove)),
        (KeyCode::KeyT, PositionWish::Turn(other)),
        (KeyCode::KeyR, PositionWish::Rotate),
        (KeyCode::KeyM, PositionWish::Mirror),
    ] {
        if pressed(key) {
            wish(asked);
        }
    }
    let side = if shift { Side::Second } else { Side::First };
    for (key, role) in DIGITS.into_iter().zip(0..) {
        if pressed(key) && usize::from(role) < editing.game().sheet.roles.len() {
            wish(PositionWish::Choose(Tool::Put(Piece { side, role })));
        }
    }
    // The cursor on the board and the ring around a button are never shown at once.
    if focus.go != KeysGo::Board || pressed(KeyCode::Tab) {
        if editing.cursor().is_some() {
            wish(PositionWish::Cursor(None));
        }
        return;
    }
    let (files, ranks) = editing.size();
    let ways = [(KeyCode::ArrowLeft, -1, 0), (KeyCode::ArrowRight, 1, 0), (KeyCode::ArrowUp, 0, 1), (KeyCode::ArrowDown, 0, -1)];
    let way = ways.into_iter().filter(|(key, ..)| pressed(*key)).fold(IVec2::ZERO, |sum, (_, x, y)| sum + IVec2::new(x, y));
    let enters = pressed(KeyCode::Enter) || pressed(KeyCode::NumpadEnter) || pressed(KeyCode::Space);
    let Some(cursor) = editing.cursor() else {
        if enters || way != IVec2::ZERO {
            wish(PositionWish::Cursor(Some(editing.picked().unwrap_or(Point::new(files / 2, ranks / 2)))));
        }
        return;
    };
    if way != IVec2::ZERO {
        let x = (i32::from(cursor.x) + way.x).clamp(0, i32::from(files) - 1);
        let y = (i32::from(cursor.y) + way.y).clamp(0, i32::from(ranks) - 1);
        wish(PositionWish::Cursor(Some(Point::new(x as u8, y as u8))));
    }
    if enters {
        wish(PositionWish::Touch(cursor));
    }
    if pressed(KeyCode::Delete) || pressed(KeyCode::Backspace) {
        wish(PositionWish::Remove(cursor));
    }
}

fn leave(mut placing: ResMut<Placing>, mut focus: ResMut<KeyFocus>) {
    *placing = Placing::default();
    (focus.holds, focus.on_board) = (false, false);
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Placing>()
        .add_systems(
            Update,
            (press_and_drag, read_keys.run_if(resource_exists::<ButtonInput<KeyCode>>))
                .chain()
                .after(read_pointer)
                .after(super::selection::ClaimKeys)
                .before(ReadKeys)
                .in_set(Step::Input)
                .run_if(in_state(Screen::Editor)),
        )
        .add_systems(OnExit(Screen::Editor), leave);
}
