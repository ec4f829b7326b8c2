//! Shows on the board why a point is forbidden: the lines, and a label beside the point.

use super::draw::Draw;
use super::style::{Palette, SMALL, colour};
use crate::app::hand::Restrictions;
use crate::app::layout::Layout;
use crate::app::play::in_match;
use crate::app::view::{Moving, ends};
use crate::app::words::Words;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{FontId, Rect, Stroke, pos2, vec2};
use qiju_core::rules::Point;

fn draw(
    mut contexts: EguiContexts,
    (restrictions, layout): (Res<Restrictions>, Res<Layout>),
    (words, palette): (Res<Words>, Res<Palette>),
    moving: Query<(), With<Moving>>,
) -> Result {
    let Some(one) = restrictions.explained().filter(|_| moving.is_empty()) else { return Ok(()) };
    let ctx = contexts.ctx_mut()?;
    let painter = ctx.layer_painter(egui::LayerId::background());
    let cell = layout.interface_cell();
    let at = |point: Point| {
        let at = layout.interface_place(point);
        pos2(at.x, at.y)
    };
    let alarm = colour(palette.theme.alarm);
    for line in &one.lines {
        let Some((from, to)) = ends(line) else { continue };
        // A dark edge below a bright line, visible on slate, shell and wood.
        for (width, ink) in [(0.19, egui::Color32::from_black_alpha(150)), (0.12, alarm)] {
            let (from, to) = (at(from), at(to));
            painter.line_segment([from, to], Stroke::new(width * cell, ink));
            for end in [from, to] {
                painter.circle_filled(end, width * cell / 2.0, ink);
            }
        }
    }
    painter.circle_stroke(at(one.at), 0.42 * cell, Stroke::new((0.05 * cell).max(1.5), alarm));
    // The label is beside the lines, not on their stones.
    let points = one.lines.iter().flatten().map(|point| at(*point));
    let (top, bottom) = points.fold((at(one.at).y, at(one.at).y), |(top, bottom), place| (top.min(place.y), bottom.max(place.y)));
    label(ctx, &painter, (at(one.at).x, top - 0.6 * cell, bottom + 0.6 * cell), words.forbidden(one.reason), &palette, &layout);
    Ok(())
}

/// The label centred at `x`, above the first height or, without space there, below the second.
fn label(
    ctx: &egui::Context,
    painter: &egui::Painter,
    (x, above, below): (f32, f32, f32),
    text: &str,
    palette: &Palette,
    layout: &Layout,
) {
    let text = painter.layout_no_wrap(text.to_owned(), FontId::proportional(SMALL), palette.text());
    let size = text.size() + vec2(20.0, 10.0);
    let mut space = ctx.content_rect().shrink(8.0);
    space = space.intersect(super::board_place::space(layout));
    let top = if above - size.y > space.top() { above - size.y } else { below };
    let left = (x - size.x / 2.0).min(space.right() - size.x).max(space.left());
    let rect = Rect::from_min_size(pos2(left, top).round(), size);
    painter.rect_filled(rect, 8.0, colour(palette.panel().surface));
    painter.rect_stroke(rect, 8.0, Stroke::new(1.0, colour(palette.panel().hairline)), egui::StrokeKind::Inside);
    painter.galley(rect.min + vec2(10.0, 5.0), text, palette.text());
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(EguiPrimaryContextPass, draw.in_set(Draw::Screen).run_if(in_match.and_then(resource_exists::<Palette>)));
}
