//! "Try to refute it": the offer in the panel when a win is proven, and the task and the controls during the attempt.

use super::{Attempt, AttemptStage, ShownAttempt};
use crate::app::explore::ProofSearch;
use crate::app::layout::{Layout, Shape};
use crate::app::play::CurrentMatch;
use crate::app::requests::{AttemptRequest, LayoutRequest, Requests};
use crate::app::words::Words;
use crate::ui::panel::Room;
use crate::ui::speech::News;
use crate::ui::style::{BODY, Palette, SMALL};
use crate::ui::typesetting::Tip;
use crate::ui::walk;
use crate::ui::widgets::{Icon, dim, wide_drawn_button};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Align, RichText, Ui, vec2};
use qiju_core::study::FoundWin;

/// The heights of the offer and of the attempt, in logical pixels.
const OFFER: f32 = 68.0;
const TRIED: f32 = 112.0;

/// The section: the attempt, or its offer where a win is proven. In a row there is room for the task and the buttons of the attempt.
pub fn section(
    (InMut(ui), In(room)): (InMut<Ui>, In<Room>),
    (current, attempt, proof): (Res<CurrentMatch>, Res<Attempt>, Res<ProofSearch>),
    (words, palette, layout): (Res<Words>, Res<Palette>, Res<Layout>),
    mut requests: Requests,
) -> bool {
    let shown = attempt.shown(&current);
    if room == Room::Row {
        let shown = shown.filter(|_| !(layout.shape == Shape::Folded && layout.panel_open));
        return shown.map(|shown| in_a_row(ui, &current, &shown, &words, &mut requests)).is_some();
    }
    let found = proof.found().filter(|_| current.played().sketch().is_none());
    if shown.is_none() && found.is_none() {
        return false;
    }
    let size = vec2(ui.available_width(), if shown.is_some() { TRIED } else { OFFER });
    ui.allocate_ui_with_layout(size, egui::Layout::top_down(Align::Min), |ui| {
        ui.set_min_height(size.y);
        ui.spacing_mut().item_spacing.y = 4.0;
        if let Some(attempt) = &shown {
            tried(ui, &current, attempt, &words, &palette, &mut requests);
        } else if let Some(found) = found {
            offer(ui, &current, found, (&words, &palette, &layout), &mut requests);
        }
    });
    true
}

fn offer(
    ui: &mut Ui,
    current: &CurrentMatch,
    found: &FoundWin,
    (words, palette, layout): (&Words, &Palette, &Layout),
    requests: &mut Requests,
) {
    let winner = words.of(&current.game().sheet.sides[found.winner]);
    let moves = found.plies.div_ceil(2).to_string();
    // Counted as on the sheet; each stone counts where stones are placed.
    let game = current.game();
    let key = if game.places_pieces { "attempt.proven-stone" } else { "attempt.proven" };
    dim(ui, palette, words.fill(key, &[&game.counted(found.ply + 1).to_string(), winner, &moves]));
    let width = ui.available_width();
    if wide_drawn_button(ui, Icon::Target, words.say("attempt.try"), width, true).tip(words.say("attempt.note")).clicked() {
        requests.write(AttemptRequest);
        // It is played on the board, which the unfolded panel would cover.
        if layout.panel_takes_room() {
            requests.write(LayoutRequest::Panel);
        }
    }
}

/// The task, and the known result.
fn said(current: &CurrentMatch, attempt: &ShownAttempt, words: &Words) -> (String, String) {
    let sides = &current.game().sheet.sides;
    let moves = attempt.plies().map_or(0, |plies| plies.div_ceil(2));
    match attempt.stage() {
        AttemptStage::Defend => {
            let title = words.with("attempt.defend", words.of(&sides[!attempt.winner()]));
            let more = match (attempt.is_lost(), attempt.defences().is_empty()) {
                (true, _) => "attempt.lost",
                (false, true) => "attempt.free",
                (false, false) => "attempt.marked",
            };
            (title, words.with(more, moves))
        }
        AttemptStage::Answer => (words.say("attempt.looking").to_owned(), String::new()),
        AttemptStage::Over if attempt.table().outcome().is_some_and(|outcome| outcome.winner == Some(attempt.winner())) => {
            (words.with("result.wins", words.of(&sides[attempt.winner()])), words.say("attempt.over").to_owned())
        }
        AttemptStage::Over | AttemptStage::Held => {
            (words.say("attempt.held").to_owned(), words.say("attempt.held.note").to_owned())
        }
    }
}

fn tried(ui: &mut Ui, current: &CurrentMatch, attempt: &ShownAttempt, words: &Words, palette: &Palette, requests: &mut Requests) {
    let (title, more) = said(current, attempt, words);
    ui.announce(&title);
    ui.add(egui::Label::new(RichText::new(title).size(BODY)).truncate());
    ui.news(RichText::new(more).size(SMALL));
    let line = attempt.line().join("  ");
    ui.add(egui::Label::new(RichText::new(line).size(SMALL).color(palette.dim())).truncate());
    walk::in_panel(ui, words, (attempt.can_go_back(), attempt.can_go_on()), requests);
}

fn in_a_row(ui: &mut Ui, current: &CurrentMatch, attempt: &ShownAttempt, words: &Words, requests: &mut Requests) {
    ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
        walk::at_the_right(ui, words, (attempt.can_go_back(), attempt.can_go_on()), requests);
        ui.with_layout(egui::Layout::left_to_right(Align::Center), |ui| {
            let (title, _) = said(current, attempt, words);
            ui.announce(&title);
            ui.add(egui::Label::new(RichText::new(title).size(SMALL)).truncate());
        });
    });
}
