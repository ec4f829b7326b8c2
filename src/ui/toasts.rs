//! Short messages at the lower edge: refusals and faults, never silent.

use super::style::{Palette, SMALL};
use crate::app::library::Notices;
use crate::app::view::Layout;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};

/// Widest toast, in logical pixels.
const WIDEST: f32 = 560.0;

pub fn draw(mut contexts: EguiContexts, notices: Res<Notices>, palette: Res<Palette>, layout: Res<Layout>) -> Result {
    if notices.shown.is_empty() {
        return Ok(());
    }
    let ctx = contexts.ctx_mut()?;
    let offset = egui::vec2(-layout.panel_width() / 2.0, -24.0);
    // Over everything, a menu too, and as wide as a path needs.
    let area = egui::Area::new(egui::Id::new("toasts")).order(egui::Order::Tooltip).interactable(false);
    let width = (ctx.content_rect().width() - layout.panel_width() - 64.0).min(WIDEST);
    area.anchor(egui::Align2::CENTER_BOTTOM, offset).default_width(width).show(ctx, |ui| {
        for (text, _) in &notices.shown {
            egui::Frame::new()
                .fill(super::style::colour(palette.panel().raised))
                .stroke(egui::Stroke::new(1.0, super::style::colour(palette.panel().hairline)))
                .corner_radius(8.0)
                .inner_margin(egui::Margin::symmetric(16, 8))
                .show(ui, |ui| ui.label(egui::RichText::new(text).size(SMALL)));
        }
    });
    Ok(())
}
