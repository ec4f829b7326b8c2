//! "Hold out": how long the user has stood against the proof, and how long the win can still take.

use super::{Defence, HoldOut};
use crate::app::play::CurrentMatch;
use crate::app::requests::{BeginRequest, Requests};
use crate::app::words::Words;
use crate::ui::panel::Room;
use crate::ui::speech::News;
use crate::ui::style::{BODY, Palette, SMALL, TITLE};
use crate::ui::typesetting::Prose;
use crate::ui::widgets::{Face, dim, face_button};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{RichText, Ui, vec2};

/// The card; in a row how long the win can still take.
pub fn section(
    (InMut(ui), In(room)): (InMut<Ui>, In<Room>),
    (hold_out, current): (Res<HoldOut>, Res<CurrentMatch>),
    (words, palette): (Res<Words>, Res<Palette>),
    mut requests: Requests,
) -> bool {
    let Some(defence) = hold_out.defence() else { return false };
    let (said, moves, over) = (said(defence, &current, &words), defence.moves(&current), current.outcome().is_some());
    ui.announce(&said);
    if room == Room::Row {
        if !over {
            ui.add(egui::Label::new(RichText::new(said).size(SMALL)).truncate());
        }
        return !over;
    }
    let size = vec2(ui.available_width(), if over { 108.0 } else { 60.0 });
    ui.allocate_ui_with_layout(size, egui::Layout::top_down(egui::Align::Min), |ui| {
        ui.set_min_height(size.y);
        ui.spacing_mut().item_spacing.y = 4.0;
        if !over {
            ui.prose(RichText::new(said).size(BODY));
            dim(ui, &palette, tally(defence, moves, &words));
            return;
        }
        ui.prose(RichText::new(said).size(TITLE));
        let record =
            if defence.is_record(&current) { words.say("hold.record").to_owned() } else { tally(defence, moves, &words) };
        ui.prose(RichText::new(record).size(SMALL).color(palette.dim()));
        let face = Face { text: words.say("trainer.again"), ..Face::default() };
        if face_button(ui, face, vec2(ui.available_width(), 36.0), true).clicked() {
            requests.write(BeginRequest::Rematch(false));
        }
    });
    true
}

/// What the user is told about the defence.
fn said(defence: &Defence, current: &CurrentMatch, words: &Words) -> String {
    let moves = defence.moves(current);
    match (defence.is_lost(current), defence.left) {
        (Some(true), _) => words.with("hold.over", moves),
        (Some(false), _) => words.say("hold.held").to_owned(),
        (None, Some(left)) => words.fill("hold.left", &[&left.to_string(), &Defence::plies(left, current).to_string()]),
        (None, None) if moves > 0 => words.say("hold.none").to_owned(),
        (None, None) => words.say(if defence.open.is_empty() { "hold.task" } else { "hold.first" }).to_owned(),
    }
}

/// The stones so far, the longest defence, and whether there was help.
fn tally(defence: &Defence, moves: u32, words: &Words) -> String {
    let said = words.fill("hold.tally", &[&moves.to_string(), &defence.best.to_string()]);
    if defence.helped { format!("{said} · {}", words.say("trainer.helped")) } else { said }
}
