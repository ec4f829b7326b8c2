//! The graph of winning chances: the first side's part below, the second side's above, the moves that were bad as dots. A click goes to the move.

use super::Page;
use crate::app::requests::{CursorRequest, Go, Requests};
use crate::ui::style::{SMALL, colour, tone};
use crate::ui::typesetting::in_lines;
use crate::ui::value_bar::side_colour;
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Color32, FontId, Mesh, Rect, Sense, Shape, Stroke, StrokeKind, Ui, pos2, vec2};
use qiju_core::rules::Side;
use qiju_core::table::{Assessment, Chance};

/// Height of the graph, in logical pixels.
const HEIGHT: f32 = 112.0;

/// The height of a chance in the graph.
fn y_of(rect: Rect, chance: Chance) -> f32 {
    rect.bottom() - rect.height() * chance.part() as f32
}

impl Page<'_> {
    /// The graph, and what to do when it is clicked.
    pub(super) fn graph(&self, ui: &mut Ui, positions: &[Option<&Assessment>], requests: &mut Requests) {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::click_and_drag());
        let name = self.words.say("review.graph");
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Other, true, name));
        let painter = ui.painter_at(rect.expand(1.0));
        let (lower, upper) =
            (side_colour(self.current, self.palette, Side::First), side_colour(self.current, self.palette, Side::Second));
        let plies = positions.len().saturating_sub(1);
        let x_of = |ply: usize| rect.left() + rect.width() * ply as f32 / plies.max(1) as f32;
        painter.rect_filled(rect, 4.0, colour(self.palette.panel().raised));
        for (ply, pair) in positions.windows(2).enumerate() {
            let [Some(from), Some(to)] = pair else { continue };
            let (left, right) = (x_of(ply), x_of(ply + 1));
            let (a, b) = (y_of(rect, from.chance), y_of(rect, to.chance));
            area(&painter, [pos2(left, rect.top()), pos2(right, rect.top()), pos2(right, b), pos2(left, a)], upper);
            area(&painter, [pos2(left, a), pos2(right, b), pos2(right, rect.bottom()), pos2(left, rect.bottom())], lower);
        }
        let middle = rect.center().y.round();
        let ends = [pos2(rect.left(), middle), pos2(rect.right(), middle)];
        painter.extend(Shape::dashed_line(&ends, Stroke::new(1.0, Color32::from_gray(128)), 3.0, 4.0));
        let line = Color32::from_rgb(0xF2, 0xE9, 0xDA);
        for run in positions.iter().enumerate().collect::<Vec<_>>().split(|(_, position)| position.is_none()) {
            let points = run.iter().filter_map(|(ply, position)| Some(pos2(x_of(*ply), y_of(rect, position.as_ref()?.chance))));
            painter.add(Shape::line(points.collect(), Stroke::new(1.5, line)));
        }
        let radius = if plies > 120 { 2.5 } else { 3.5 };
        for (ply, position) in positions.iter().enumerate() {
            let Some(position) = position else { continue };
            let Some(verdict) = position.verdict.as_ref().filter(|verdict| verdict.judgement.is_error()) else { continue };
            let at = pos2(x_of(ply), y_of(rect, position.chance).clamp(rect.top() + radius, rect.bottom() - radius));
            painter.circle(at, radius, tone(verdict.judgement), Stroke::new(1.0, line));
        }
        self.here(&painter, rect, positions, &x_of);
        painter.rect_stroke(rect, 4.0, Stroke::new(1.0, colour(self.palette.panel().hairline)), StrokeKind::Outside);
        let Some(at) = response.hover_pos().or(response.interact_pointer_pos()) else { return };
        let ply = (((at.x - rect.left()) / rect.width() * plies as f32).round().max(0.0) as usize).min(plies);
        painter.vline(x_of(ply).round(), rect.y_range(), Stroke::new(1.0, self.palette.dim()));
        if response.is_pointer_button_down_on() || response.clicked() {
            let node = self.current.played().at_ply(self.current.played().given() + ply);
            if node != self.current.cursor() {
                requests.write(CursorRequest::Go(Go::To(node)));
            }
        }
        if let Some(text) = self.told_at(ply, positions) {
            response.on_hover_text_at_pointer(text);
        }
    }

    /// The line at the place that is shown.
    fn here(&self, painter: &egui::Painter, rect: Rect, positions: &[Option<&Assessment>], x_of: &dyn Fn(usize) -> f32) {
        let played = self.current.played();
        let ply = played.ply_on_line(self.current.cursor()) - played.given();
        let x = x_of(ply).clamp(rect.left() + 1.0, rect.right() - 1.0).round();
        painter.vline(x, rect.y_range(), Stroke::new(2.0, self.palette.accent()));
        if let Some(position) = positions.get(ply).copied().flatten() {
            let y = y_of(rect, position.chance).clamp(rect.top() + 4.0, rect.bottom() - 4.0);
            painter.circle(pos2(x, y), 4.0, self.palette.accent(), Stroke::new(1.0, Color32::BLACK));
        }
    }

    /// What is told of a place in the graph: its move, and the first side's chance.
    fn told_at(&self, ply: usize, positions: &[Option<&Assessment>]) -> Option<String> {
        let position = positions.get(ply).copied().flatten()?;
        let side = self.words.of(&self.current.game().sheet.sides.first);
        let chance = format!("{side} {}", self.words.chance(position.chance));
        let Some(text) = ply.checked_sub(1).and_then(|index| self.move_text(index)) else { return Some(chance) };
        let judgement = position.verdict.as_ref().map(|verdict| self.words.judgement(verdict.judgement));
        Some(format!("{text} · {chance}{}", judgement.map(|word| format!(" · {word}")).unwrap_or_default()))
    }

    /// A short text in the middle of an empty graph.
    pub(super) fn empty_graph(&self, ui: &mut Ui, text: &str) {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
        ui.painter().rect_filled(rect, 4.0, colour(self.palette.panel().raised));
        let galley = in_lines(ui, text, FontId::proportional(SMALL), self.palette.dim(), rect.width() - 32.0);
        ui.painter().galley(rect.center() - galley.size() / 2.0, galley, self.palette.dim());
    }
}

/// A filled area with four corners.
fn area(painter: &egui::Painter, corners: [egui::Pos2; 4], fill: Color32) {
    let mut mesh = Mesh::default();
    corners.into_iter().for_each(|corner| mesh.colored_vertex(corner, fill));
    mesh.add_triangle(0, 1, 2);
    mesh.add_triangle(0, 2, 3);
    painter.add(Shape::mesh(mesh));
}
