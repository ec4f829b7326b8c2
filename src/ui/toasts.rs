//! Short messages at the lower edge: refusals and errors.

use super::style::{Palette, SMALL};
use crate::app::layout::Layout;
use crate::app::notices::Notices;
use crate::ui::typesetting::Prose;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};

/// The largest width of a toast, in logical pixels.
const WIDEST: f32 = 560.0;

pub fn draw(mut contexts: EguiContexts, notices: Res<Notices>, palette: Res<Palette>, layout: Res<Layout>) -> Result {
    if !notices.shown.is_empty() {
        // In an upright window the panel is below the board, and messages lie on both.
        let panel = layout.panel_place();
        let panel = if panel.min.x > 0.0 { panel.width() } else { 0.0 };
        show(contexts.ctx_mut()?, &notices.shown, &palette, panel);
    }
    Ok(())
}

/// Draws the messages over everything, a menu too, in the middle of what the panel leaves free: as low as they cover nothing that can be pressed.
fn show(ctx: &egui::Context, shown: &[(String, f32)], palette: &Palette, panel: f32) -> egui::Rect {
    let id = egui::Id::new("toasts");
    let screen = ctx.content_rect();
    let width = (screen.width() - panel - 64.0).min(WIDEST);
    let size: egui::Vec2 = ctx.data(|data| data.get_temp(id)).unwrap_or(egui::vec2(width, 36.0));
    let bottom = lowest(screen, egui::vec2(size.x, size.y), panel, &pressable(ctx, id));
    let area = egui::Area::new(id).order(egui::Order::Tooltip).interactable(false);
    let up = bottom - screen.bottom();
    let drawn = area.anchor(egui::Align2::CENTER_BOTTOM, egui::vec2(-panel / 2.0, up)).show(ctx, |ui| {
        // The area has the size of the last messages; the new ones may be longer, for example with a path.
        ui.set_max_width(width);
        for (text, _) in shown {
            egui::Frame::new()
                .fill(super::style::colour(palette.panel().raised))
                .stroke(egui::Stroke::new(1.0, super::style::colour(palette.panel().hairline)))
                .corner_radius(8.0)
                .inner_margin(egui::Margin::symmetric(16, 8))
                .show(ui, |ui| ui.prose(egui::RichText::new(text).size(SMALL)));
        }
    });
    let rect = drawn.response.rect;
    ctx.data_mut(|data| data.insert_temp(id, rect.size()));
    rect
}

/// What could be pressed in the frame before: everything but what fills the window.
fn pressable(ctx: &egui::Context, own: egui::Id) -> Vec<egui::Rect> {
    let screen = ctx.content_rect();
    let large = |rect: egui::Rect| rect.area() > 0.4 * screen.area();
    let scaled = |layer: &egui::LayerId, rect: egui::Rect| ctx.layer_transform_to_global(*layer).map_or(rect, |to| to * rect);
    let mut found = Vec::new();
    let layers: Vec<(egui::LayerId, Vec<egui::Rect>)> = ctx.viewport(|viewport| {
        let of = |widgets: &[egui::WidgetRect]| {
            let pressed = widgets.iter().filter(|one| one.enabled && one.sense.senses_click() && one.id != own);
            pressed.map(|one| one.interact_rect).filter(|rect| rect.is_positive() && !large(*rect)).collect()
        };
        viewport.prev_pass.widgets.layers().map(|(layer, widgets)| (*layer, of(widgets))).collect()
    });
    for (layer, rects) in layers {
        found.extend(rects.into_iter().map(|rect| scaled(&layer, rect)));
    }
    found
}

/// Space between a message and the window's edge, and the steps in which a free place is looked for, in pixels.
const EDGE: f32 = 24.0;
const STEP: f32 = 8.0;

/// The lowest place of the lower edge of something of this size that covers nothing; where there is none, the lowest of all.
fn lowest(screen: egui::Rect, size: egui::Vec2, panel: f32, taken: &[egui::Rect]) -> f32 {
    let middle = (screen.left() + screen.right() - panel) / 2.0;
    let steps = ((screen.height() - size.y - 2.0 * EDGE) / STEP).max(0.0) as u32;
    let places = (0..=steps).map(|step| screen.bottom() - EDGE - step as f32 * STEP);
    let covers = |bottom: &f32| {
        let rect = egui::Rect::from_center_size(egui::pos2(middle, bottom - size.y / 2.0), size).expand(4.0);
        taken.iter().any(|other| other.intersects(rect))
    };
    places.into_iter().find(|bottom| !covers(bottom)).unwrap_or(screen.bottom() - EDGE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use qiju_core::paint::Theme;
    use std::sync::Arc;

    #[test]
    fn a_message_covers_no_button() {
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(900.0, 700.0));
        let size = egui::vec2(300.0, 40.0);
        assert_eq!(lowest(screen, size, 0.0, &[]), 676.0);
        let button = egui::Rect::from_min_size(egui::pos2(400.0, 640.0), egui::vec2(100.0, 40.0));
        let bottom = lowest(screen, size, 0.0, &[button]);
        assert!(bottom < button.top() && bottom > button.top() - 20.0, "{bottom}");
        let beside = egui::Rect::from_min_size(egui::pos2(10.0, 640.0), egui::vec2(100.0, 40.0));
        assert_eq!(lowest(screen, size, 0.0, &[beside]), 676.0);
        // Where everything is taken it is still seen.
        assert_eq!(lowest(screen, size, 0.0, &[screen]), 676.0);
    }

    #[test]
    fn a_long_message_is_wide_though_a_short_one_came_first() {
        let (key, text) = Theme::builtin()[0];
        let palette = Palette { theme: Arc::new(Theme::parse(key, text).unwrap()) };
        let ctx = egui::Context::default();
        ctx.set_fonts(crate::ui::style::fonts(crate::app::words::Language::En));
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1280.0, 800.0));
        // The second pass uses the size of the first.
        let drawn = |text: &str| {
            let mut rect = egui::Rect::NOTHING;
            for _ in 0..2 {
                ctx.begin_pass(egui::RawInput { screen_rect: Some(screen), ..Default::default() });
                rect = show(&ctx, &[(text.to_owned(), 0.0)], &palette, 320.0);
                ctx.end_pass().textures_delta.clear();
            }
            rect
        };
        let short = drawn("Saved.");
        let long = drawn(&"a message of some length ".repeat(6));
        assert!(short.width() < 120.0 && long.width() > 400.0 && long.width() <= WIDEST, "{short:?} {long:?}");
        for rect in [short, long] {
            assert!((rect.center().x - 480.0).abs() < 1.0 && screen.contains_rect(rect), "{rect:?}");
        }
    }
}
