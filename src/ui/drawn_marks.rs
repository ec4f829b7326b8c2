//! The marks that a user drew on the board, and those of a task of the first steps: circles and arrows of the place that is shown.

use super::board_place;
use super::draw::Draw;
use crate::app::explore::Course;
use crate::app::layout::Layout;
use crate::app::play::CurrentMatch;
use crate::app::state::Screen;
use crate::app::view::Turn;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Color32, FontId, Stroke, vec2};
use qiju_core::table::{Mark, MarkColour};

/// The colours: told apart by eyes that do not see red by their lightness.
fn colour_of(colour: MarkColour) -> Color32 {
    match colour {
        MarkColour::Green => Color32::from_rgb(0x2E, 0x9E, 0x6B),
        MarkColour::Red => Color32::from_rgb(0xB5, 0x2A, 0x20),
        MarkColour::Blue => Color32::from_rgb(0x2C, 0x6F, 0xD1),
        MarkColour::Yellow => Color32::from_rgb(0xF2, 0xC2, 0x2E),
    }
}

/// How strong they are: what lies below is still read.
const STRENGTH: f32 = 0.8;

fn draw(
    mut contexts: EguiContexts,
    (current, course): (Res<CurrentMatch>, Res<Course>),
    (layout, turn): (Res<Layout>, Res<Turn>),
) -> Result {
    let mut marks = current.tree().notes(current.cursor()).marks.to_vec();
    marks.extend(course.marks(&current));
    if marks.is_empty() || turn.is_on() {
        return Ok(());
    }
    let ctx = contexts.ctx_mut()?;
    let painter = ctx.layer_painter(egui::LayerId::background());
    let cell = layout.interface_cell();
    for mark in marks {
        match mark {
            Mark::Circle { at, colour } => {
                let stroke = Stroke::new((0.07 * cell).max(2.0), colour_of(colour).gamma_multiply(STRENGTH));
                painter.circle_stroke(board_place::point(&layout, at), 0.46 * cell, stroke);
            }
            Mark::Arrow { from, to, colour } => {
                let (from, to) = (board_place::point(&layout, from), board_place::point(&layout, to));
                arrow(&painter, from, to, cell, colour_of(colour).gamma_multiply(STRENGTH));
            }
            Mark::Label { at, text } => label(&painter, board_place::point(&layout, at), text.as_str(), cell),
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

/// An arrow from the rim of what stands at its beginning to the middle of its end.
fn arrow(painter: &egui::Painter, from: egui::Pos2, to: egui::Pos2, cell: f32, ink: Color32) {
    let way = (to - from).normalized();
    let side = vec2(-way.y, way.x);
    let (tail, neck) = (from + way * 0.3 * cell, to - way * 0.34 * cell);
    let half = 0.07 * cell;
    painter.add(egui::Shape::convex_polygon(
        vec![tail + side * half, neck + side * half, neck - side * half, tail - side * half],
        ink,
        Stroke::NONE,
    ));
    painter.add(egui::Shape::convex_polygon(vec![neck + side * 0.2 * cell, to, neck - side * 0.2 * cell], ink, Stroke::NONE));
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        EguiPrimaryContextPass,
        draw.in_set(Draw::Screen).run_if(in_state(Screen::Match).and_then(resource_exists::<CurrentMatch>)),
    );
}
