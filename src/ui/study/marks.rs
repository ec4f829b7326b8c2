//! What the review shows on the board: the sign of the move that was bad, and the better move.

use super::tone;
use crate::app::explore::{Learn, LearnStage, Study};
use crate::app::intent::StudyPage;
use crate::app::layout::Layout;
use crate::app::play::CurrentMatch;
use crate::app::state::{Menu, Screen};
use crate::app::view::Moving;
use crate::ui::board_place;
use crate::ui::draw::Draw;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Align2, Color32, FontId, Painter, Pos2, Shape, Stroke};
use qiju_core::table::{Action, Judgement};

/// An arrow from one place to another, its tip a little before the end.
fn arrow(painter: &Painter, from: Pos2, to: Pos2, width: f32, ink: Color32) {
    let way = to - from;
    let length = way.length();
    if length < 4.0 * width {
        return;
    }
    let along = way / length;
    let across = along.rot90();
    let (tail, tip) = (from + along * width * 2.0, to - along * width * 0.8);
    let neck = tip - along * width * 3.0;
    painter.line_segment([tail, neck + along * 0.5], Stroke::new(width, ink));
    let head = vec![tip, neck + across * width * 1.7, neck - across * width * 1.7];
    painter.add(Shape::convex_polygon(head, ink, Stroke::NONE));
}

/// A move as an arrow, or as a ring where a piece is put.
fn show(painter: &Painter, layout: &Layout, action: Action, cell: f32, ink: Color32) {
    let Some(to) = action.target() else { return };
    match action.origin() {
        Some(from) => arrow(painter, board_place::point(layout, from), board_place::point(layout, to), cell * 0.10, ink),
        None => {
            painter.circle(board_place::point(layout, to), cell * 0.36, ink.gamma_multiply(0.25), Stroke::new(cell * 0.07, ink));
        }
    }
}

/// The sign of a judgement at the corner of a point.
fn badge(painter: &Painter, at: Pos2, cell: f32, judgement: Judgement) {
    let Some(sign) = judgement.glyph().and_then(|glyph| glyph.sign()) else { return };
    let middle = at + egui::vec2(0.33, -0.33) * cell;
    let radius = (cell * 0.21).max(9.0);
    painter.circle_filled(middle + egui::vec2(0.0, 1.5), radius, Color32::from_black_alpha(90));
    painter.circle(middle, radius, tone(judgement), Stroke::new(1.5, Color32::WHITE));
    painter.text(middle, Align2::CENTER_CENTER, sign, FontId::proportional(radius * 1.2), Color32::WHITE);
}

fn draw(
    mut contexts: EguiContexts,
    (study, learn, current): (Res<Study>, Res<Learn>, Res<CurrentMatch>),
    (layout, menu): (Res<Layout>, Res<State<Menu>>),
    moving: Query<(), With<Moving>>,
) -> Result {
    if study.page != Some(StudyPage::Review) || !moving.is_empty() || *menu.get() != Menu::None {
        return Ok(());
    }
    let ctx = contexts.ctx_mut()?;
    let painter = ctx.layer_painter(egui::LayerId::background());
    let cell = layout.interface_cell();
    let strong = |judgement| tone(judgement).gamma_multiply(0.85);
    if let Some(stage) = learn.stage(&current) {
        let bad = learn.mistake().and_then(|node| current.tree().node(node).action());
        if let Some(bad) = bad.filter(|_| stage == LearnStage::Find) {
            show(&painter, &layout, bad, cell, strong(Judgement::Blunder).gamma_multiply(0.6));
        }
        return Ok(());
    }
    if current.played().sketch().is_some() {
        return Ok(());
    }
    let here = current.cursor();
    let Some(verdict) = current.verdict_at(here).filter(|verdict| verdict.judgement.is_error()) else { return Ok(()) };
    if let Some(best) = verdict.best.first() {
        show(&painter, &layout, *best, cell, strong(Judgement::Best));
    }
    if let Some(at) = current.tree().node(here).action().and_then(Action::target) {
        badge(&painter, board_place::point(&layout, at), cell, verdict.judgement);
    }
    Ok(())
}

pub fn plugin(app: &mut App) {
    let shown = in_state(Screen::Match).and_then(resource_exists::<CurrentMatch>);
    app.add_systems(EguiPrimaryContextPass, draw.in_set(Draw::Screen).run_if(shown));
}
