//! Fits the board into the window and orients it to the user.

use crate::app::explore::PositionEditor;
use crate::app::ground::layout::{Layout, Shape};
use crate::app::ground::requests::LayoutRequest;
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::hand::Pointer;
use crate::app::play::{CurrentMatch, Opened};
use bevy::prelude::*;
use bevy::window::{MonitorSelection, PrimaryWindow, WindowMode};
use qiju_core::record::SeatSpec;
use qiju_core::rules::Side;

fn lay_out(
    mut layout: ResMut<Layout>,
    (current, settings): (Option<Res<CurrentMatch>>, Res<Settings>),
    (editor, pointer): (Res<PositionEditor>, Res<Pointer>),
    window: Option<Single<&Window, With<PrimaryWindow>>>,
    mut camera: Query<&mut Projection, With<Camera2d>>,
) {
    let (size, scale) = match &window {
        Some(window) => (window.physical_size().as_vec2().max(Vec2::splat(64.0)), window.scale_factor()),
        None => (layout.window, layout.scale),
    };
    let mut next = layout.clone();
    next.fit_interface(size, scale, settings.text_size, pointer.touched);
    if let Some(editing) = editor.editing() {
        let Some(board) = editing.game().sheet.board(editing.size()) else { return };
        next = next.fitted(size, scale, board);
    } else if let Some(current) = current {
        let Some(board) = current.game().sheet.board(current.table().size()) else { return };
        next = next.fitted(size, scale, board);
    }
    if next != *layout {
        *layout = next;
    }
    for mut projection in &mut camera {
        if let Projection::Orthographic(view) = &mut *projection
            && view.scale != layout.scale
        {
            view.scale = layout.scale;
        }
    }
}

fn turn(
    mut requests: MessageReader<LayoutRequest>,
    mut layout: ResMut<Layout>,
    mut window: Option<Single<&mut Window, With<PrimaryWindow>>>,
) {
    for request in requests.read() {
        match request {
            LayoutRequest::Flip => {
                layout.flipped = !layout.flipped;
                layout.below = !layout.below;
            }
            LayoutRequest::Panel => layout.panel_open = !layout.panel_open,
            LayoutRequest::FullScreen => {
                let Some(window) = &mut window else { continue };
                window.mode = match window.mode {
                    WindowMode::Windowed => WindowMode::BorderlessFullscreen(MonitorSelection::Current),
                    _ => WindowMode::Windowed,
                };
            }
        }
    }
}

/// In a narrow window a page that is opened over the panel is seen at once. On a telephone the panel is drawn up for it, and goes back when it is closed.
fn unfold_for_page(opened: Res<Opened>, mut layout: ResMut<Layout>, mut was_open: Local<bool>) {
    let opens = opened.0.is_some();
    if opens && layout.shape != Shape::Beside && !layout.panel_open {
        layout.panel_open = true;
    } else if !opens && *was_open && layout.is_small() && layout.panel_open {
        layout.panel_open = false;
    }
    *was_open = opens;
}

/// If only the second side is played by a person, that side is at the lower edge.
fn face_the_player(current: Res<CurrentMatch>, settings: Res<Settings>, mut layout: ResMut<Layout>) {
    let human = |side| current.seats()[side] == SeatSpec::Human;
    layout.below = if human(Side::Second) && !human(Side::First) { Side::Second } else { Side::First };
    layout.flipped = layout.below == Side::Second && (settings.turn_stones || !current.game().places_pieces);
    // In a narrow window the lines of an analysis and a task stand beside the board from the beginning; on a telephone they are always seen.
    layout.panel_open = current.traits().panel_open && layout.shape == Shape::Folded;
}

/// The editor of positions has its panel beside the board in every window, and the first side below.
fn face_the_editor(mut layout: ResMut<Layout>) {
    (layout.flipped, layout.below) = (false, Side::First);
    layout.panel_open = layout.shape == Shape::Folded;
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Layout>()
        .add_systems(OnEnter(Screen::Match), face_the_player)
        .add_systems(OnEnter(Screen::Editor), face_the_editor)
        .add_systems(Update, (turn, unfold_for_page.run_if(resource_changed::<Opened>), lay_out).chain().in_set(Step::Tick));
}
