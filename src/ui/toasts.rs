//! Short messages at the lower edge: refusals and faults, never silent.

use super::style::{Palette, SMALL};
use crate::app::layout::Layout;
use crate::app::notices::Notices;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};

/// Widest toast, in logical pixels.
const WIDEST: f32 = 560.0;

pub fn draw(mut contexts: EguiContexts, notices: Res<Notices>, palette: Res<Palette>, layout: Res<Layout>) -> Result {
    if !notices.shown.is_empty() {
        show(contexts.ctx_mut()?, &notices.shown, &palette, layout.panel_width());
    }
    Ok(())
}

/// Draws the messages over everything, a menu too, in the middle of what the panel leaves free.
fn show(ctx: &egui::Context, shown: &[(String, f32)], palette: &Palette, panel: f32) -> egui::Rect {
    let area = egui::Area::new(egui::Id::new("toasts")).order(egui::Order::Tooltip).interactable(false);
    let width = (ctx.content_rect().width() - panel - 64.0).min(WIDEST);
    let drawn = area.anchor(egui::Align2::CENTER_BOTTOM, egui::vec2(-panel / 2.0, -24.0)).show(ctx, |ui| {
        // The area offers what the last messages took; these may be longer, a path perhaps.
        ui.set_max_width(width);
        for (text, _) in shown {
            egui::Frame::new()
                .fill(super::style::colour(palette.panel().raised))
                .stroke(egui::Stroke::new(1.0, super::style::colour(palette.panel().hairline)))
                .corner_radius(8.0)
                .inner_margin(egui::Margin::symmetric(16, 8))
                .show(ui, |ui| ui.label(egui::RichText::new(text).size(SMALL)));
        }
    });
    drawn.response.rect
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::Theme;
    use std::sync::Arc;

    #[test]
    fn a_long_message_is_wide_though_a_short_one_came_first() {
        let (key, text) = Theme::builtin()[0];
        let palette = Palette { theme: Arc::new(Theme::parse(key, text).unwrap()) };
        let ctx = egui::Context::default();
        ctx.set_fonts(crate::ui::style::fonts());
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1280.0, 800.0));
        // The second pass stands where the first one's size puts it.
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
