//! The marks that a user drew on the board, and those of an activity: circles and arrows of the place that is shown.

use super::board_place;
use super::draw::Draw;
use crate::app::layout::Layout;
use crate::app::play::{CurrentMatch, Marked, in_match};
use crate::app::step::Step;
use crate::app::view::{BoardRotation, Drawn, Ink, Overlay};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Color32, FontId, vec2};
use qiju_core::paint::ink_of;
use qiju_core::table::Mark;

/// The marks of the place that is shown.
fn marks(current: &CurrentMatch, marked: &Marked) -> Vec<Mark> {
    let mut marks = current.tree().notes(current.cursor()).marks.to_vec();
    marks.extend(marked.drawn().cloned());
    marks
}

fn show_shapes((current, marked): (Res<CurrentMatch>, Res<Marked>), mut overlay: ResMut<Overlay>) {
    let shape = |mark| match mark {
        Mark::Circle { at, colour } => Some(Drawn::Ring(at, Ink::Of(ink_of(colour)))),
        Mark::Arrow { from, to, colour } => Some(Drawn::Arrow(from, to, Ink::Of(ink_of(colour)))),
        Mark::Label { .. } => None,
    };
    overlay.show("drawn", marks(&current, &marked).into_iter().filter_map(shape).collect());
}

fn draw_labels(
    mut contexts: EguiContexts,
    (current, marked): (Res<CurrentMatch>, Res<Marked>),
    (layout, turn): (Res<Layout>, Res<BoardRotation>),
) -> Result {
    for mark in marks(&current, &marked) {
        if let Mark::Label { at, text } = mark
            && !turn.is_on()
        {
            let painter = contexts.ctx_mut()?.layer_painter(egui::LayerId::background());
            label(&painter, board_place::point(&layout, at), text.as_str(), layout.interface_cell());
        }
    }
    Ok(())
}

/// A short text on a dark disc, readable on an empty point and on every piece.
fn label(painter: &egui::Painter, at: egui::Pos2, text: &str, cell: f32) {
    let size = (0.42 * cell / (0.6 * text.chars().count() as f32).max(1.0)).max(8.0);
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(size), Color32::WHITE);
    let back = egui::Rect::from_center_size(at, vec2((galley.size().x + 0.16 * cell).max(0.46 * cell), 0.46 * cell));
    painter.rect_filled(back, 0.23 * cell, Color32::from_black_alpha(190));
    painter.galley(at - galley.size() / 2.0, galley, Color32::WHITE);
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, show_shapes.in_set(Step::Settle).run_if(in_match))
        .add_systems(EguiPrimaryContextPass, draw_labels.in_set(Draw::Screen).run_if(in_match));
}
