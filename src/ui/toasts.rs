//! Short messages at the lower edge: refusals and faults, never silent.

use super::style::{Palette, SMALL};
use crate::app::library::Notices;
use crate::app::play::MoveRefused;
use crate::app::view::Layout;
use crate::app::words::Words;
use crate::rules::{Forbidden, Refusal};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};

/// The key of the words for a refusal.
pub fn refusal_key(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::GameOver => "refusal.game-over",
        Refusal::OffBoard => "refusal.off-board",
        Refusal::NoMan => "refusal.no-man",
        Refusal::NotYours => "refusal.not-yours",
        Refusal::OwnMan => "refusal.own-man",
        Refusal::Occupied => "refusal.occupied",
        Refusal::WrongWay => "refusal.wrong-way",
        Refusal::Blocked => "refusal.blocked",
        Refusal::NoScreen => "refusal.no-screen",
        Refusal::OutOfPalace => "refusal.out-of-palace",
        Refusal::AcrossRiver => "refusal.across-river",
        Refusal::LeavesCheck => "refusal.leaves-check",
        Refusal::GeneralsFace => "refusal.generals-face",
        Refusal::Forbidden(Forbidden::Overline) => "refusal.overline",
        Refusal::Forbidden(Forbidden::DoubleFour) => "refusal.double-four",
        Refusal::Forbidden(Forbidden::DoubleThree) => "refusal.double-three",
        Refusal::ChooseFirst => "refusal.choose-first",
        Refusal::NoSuchAction => "refusal.no-such-action",
    }
}

pub fn draw(
    mut contexts: EguiContexts,
    mut notices: ResMut<Notices>,
    mut refused: MessageReader<MoveRefused>,
    words: Res<Words>,
    palette: Res<Palette>,
    layout: Res<Layout>,
) -> Result {
    for refusal in refused.read() {
        notices.warn(words.say(refusal_key(refusal.reason)));
    }
    if notices.shown.is_empty() {
        return Ok(());
    }
    let ctx = contexts.ctx_mut()?;
    let offset = egui::vec2(-layout.panel_width() / 2.0, -24.0);
    egui::Area::new(egui::Id::new("toasts")).anchor(egui::Align2::CENTER_BOTTOM, offset).interactable(false).show(ctx, |ui| {
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
