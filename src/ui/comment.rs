//! The page for a comment on the move that is shown, or on the whole game at the start position.

use super::speech::Named;
use super::style::Palette;
use super::widgets::{filled_button, heading, wide_button};
use crate::app::play::{CurrentMatch, ScoreSheet};
use crate::app::requests::{CursorRequest, PageRequest, Requests};
use crate::app::state::Menu;
use crate::app::words::Words;
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Key, Modifiers, Ui, vec2};
use qiju_core::table::{NodeId, TreeEdit};

/// The page.
pub fn page(
    ui: &mut Ui,
    (words, palette): (&Words, &Palette),
    current: Option<&CurrentMatch>,
    sheet: &ScoreSheet,
    requests: &mut Requests,
) {
    let Some(current) = current else {
        requests.write(PageRequest::Menu(Menu::None));
        return;
    };
    let at = current.cursor();
    let entry = sheet.entries().iter().rfind(|entry| entry.node == at);
    let title = match entry.filter(|_| at != qiju_core::table::Tree::ROOT) {
        Some(entry) => words.with("comment.title", format!("{}. {}", entry.number, entry.text)),
        None => words.say("comment.title.game").to_owned(),
    };
    heading(ui, &title);
    ui.add_space(8.0);
    let written = current.tree().notes(at).comment;
    // The text being written, and its move.
    let memory = egui::Id::new("comment");
    let known = ui.data(|data| data.get_temp::<(u64, NodeId, String)>(memory));
    let key = (current.played().number(), at);
    let (fresh, mut text) = match known.filter(|(game, node, _)| (*game, *node) == key) {
        Some((.., text)) => (false, text),
        None => (true, written.to_owned()),
    };
    let width = ui.available_width();
    let height = (ui.ctx().content_rect().height() - 300.0).clamp(96.0, 220.0);
    let mut done = ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Enter));
    egui::ScrollArea::vertical().max_height(height).min_scrolled_height(height).show(ui, |ui| {
        let edit = egui::TextEdit::multiline(&mut text)
            .hint_text(words.say("comment.hint"))
            .margin(egui::Margin::symmetric(10, 8))
            .min_size(vec2(width, height))
            .desired_width(width);
        let response = ui.add(edit).called(words.say("comment.hint"));
        if fresh {
            response.request_focus();
        }
    });
    ui.add_space(8.0);
    let mut close = false;
    ui.horizontal(|ui| {
        let half = (width - 8.0) / 2.0;
        done |= filled_button(ui, palette, words.say("comment.keep"), half, true).clicked();
        ui.scope(|ui| close = wide_button(ui, words.say("comment.drop"), half, true).clicked());
    });
    if done && text.trim() != written.trim() {
        requests.write(CursorRequest::Edit(TreeEdit::Comment { at, text: text.trim().to_owned() }));
    }
    if done || close {
        requests.write(PageRequest::Menu(Menu::None));
        ui.data_mut(|data| data.remove::<(u64, NodeId, String)>(memory));
    } else {
        ui.data_mut(|data| data.insert_temp(memory, (key.0, at, text)));
    }
}
