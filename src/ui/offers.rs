//! Questions between the players in the panel: the button that offers a draw, and the card that asks the other player.

use super::panel::Room;
use super::style::{BODY, Palette};
use super::widgets::{Face, Icon, ask_button, face_button, natural_width, with_key};
use crate::app::layout::{Layout, Shape};
use crate::app::play::{CurrentMatch, NoOffer, Offers};
use crate::app::requests::{RefereeRequest, Requests};
use crate::app::words::Words;
use crate::ui::typesetting::{Prose, Tip};
use bevy_egui::egui;
use egui::{RichText, Ui, vec2};

/// Height of the card, in logical pixels.
const CARD: f32 = 88.0;

/// Height of the line that says whose turn it is, with the button; in a narrow window the panel has less space.
fn line_height(layout: &Layout) -> f32 {
    if layout.shape == Shape::Folded { 24.0 } else { 32.0 }
}

/// Whose turn it is, and the button that offers a draw.
pub fn line(
    ui: &mut Ui,
    status: &str,
    (current, offers, layout): (&CurrentMatch, &Offers, &Layout),
    words: &Words,
    requests: &mut Requests,
) {
    let height = line_height(layout);
    ui.allocate_ui_with_layout(vec2(ui.available_width(), height), egui::Layout::right_to_left(egui::Align::Center), |ui| {
        ui.set_min_height(height);
        button(ui, height, (current, offers), words, requests);
        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.add(egui::Label::new(RichText::new(status).size(BODY)).truncate());
        });
    });
}

/// The button, where the game has draws by agreement and somebody could offer one.
fn button(ui: &mut Ui, height: f32, (current, offers): (&CurrentMatch, &Offers), words: &Words, requests: &mut Requests) {
    let offerer = offers.offerer(current);
    if !current.can_end_by_agreement() || offerer == Err(NoOffer::Nobody) {
        return;
    }
    let face = Face { icon: Some(Icon::Draw), text: words.say("draw.offer"), filled: false };
    let width = natural_width(ui, face);
    let response = face_button(ui, face, vec2(width, height), offerer.is_ok());
    let response = match offerer {
        Ok(_) => response.tip(with_key(words, words.say("draw.note"), RefereeRequest::OfferDraw, requests)),
        Err(why) => response.tip(words.no_offer(why)),
    };
    if response.clicked() {
        requests.write(RefereeRequest::OfferDraw);
    }
}

/// The question, with the two answers; false if nothing is asked. Where there is a row, it is asked there.
pub fn section(
    ui: &mut Ui,
    room: Room,
    current: &CurrentMatch,
    (offers, layout): (&Offers, &Layout),
    (words, palette): (&Words, &Palette),
    requests: &mut Requests,
) -> bool {
    let Some(question) = offers.question(current).filter(|_| (room == Room::Row) != (layout.shape == Shape::Beside)) else {
        return false;
    };
    if room == Room::Row {
        ui.prose(words.short_question(current, question));
        let width = ((ui.available_width() - 8.0) / 2.0).clamp(64.0, 96.0);
        answers(ui, width, words, requests);
        return true;
    }
    ui.allocate_ui_with_layout(vec2(ui.available_width(), CARD), egui::Layout::top_down(egui::Align::Min), |ui| {
        ui.set_min_height(CARD);
        ui.spacing_mut().item_spacing.y = 6.0;
        let text = RichText::new(words.question(current, question)).size(BODY).color(palette.text());
        ui.allocate_ui_with_layout(vec2(ui.available_width(), 42.0), egui::Layout::top_down(egui::Align::Min), |ui| {
            ui.set_min_height(42.0);
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.prose(text);
        });
        answers(ui, (ui.available_width() - 8.0) / 2.0, words, requests);
    });
    true
}

/// The two answers.
fn answers(ui: &mut Ui, width: f32, words: &Words, requests: &mut Requests) {
    ui.horizontal(|ui| {
        for (icon, key, yes) in [(Icon::Check, "answer.yes", true), (Icon::Close, "answer.no", false)] {
            ask_button(ui, words, (icon, key), RefereeRequest::Answer(yes), vec2(width, 32.0), true, requests);
        }
    });
}
