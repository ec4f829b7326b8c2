//! The button over the board that returns to the match when the other side has moved while an earlier position was looked at.

use super::board_place;
use super::widgets::{Face, Icon, ask_face, natural_width};
use crate::app::layout::Layout;
use crate::app::play::{CurrentMatch, EndCard};
use crate::app::requests::{CursorRequest, Go, Requests};
use crate::app::words::Words;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};

/// Between the button and the edges of what the panel leaves to the board, and its height, in pixels.
const EDGE: f32 = 12.0;
const HEIGHT: f32 = 40.0;

pub fn draw(
    mut contexts: EguiContexts,
    (current, card): (Res<CurrentMatch>, Res<EndCard>),
    (words, layout): (Res<Words>, Res<Layout>),
    mut requests: Requests,
) -> Result {
    let Some(seat) = current.arrived().filter(|_| !card.is_open()) else { return Ok(()) };
    let space = board_place::space(&layout);
    let area = egui::Area::new(egui::Id::new("arrived")).order(egui::Order::Middle).constrain(false);
    let place = egui::pos2(space.center().x, space.bottom() - EDGE);
    area.pivot(egui::Align2::CENTER_BOTTOM).fixed_pos(place).show(contexts.ctx_mut()?, |ui| {
        let text = words.with("look.arrived", words.seat(&current, seat));
        let face = Face { icon: Some(Icon::Last), text: &text, filled: true };
        let width = natural_width(ui, face).min(space.width() - 2.0 * EDGE);
        ask_face(ui, &words, face, CursorRequest::Go(Go::End), egui::vec2(width, HEIGHT), true, &mut requests);
    });
    Ok(())
}
