//! The games kept: a list to open one from, and a line for the path of any other file.

use super::style::{BODY, Palette, SMALL, colour};
use super::widgets::{button, dim, filled_button, heading, wide_button};
use crate::app::intent::Intent;
use crate::app::library::Library;
use crate::app::play::{SavedGame, SavedGames};
use crate::app::state::Menu;
use crate::app::words::Words;
use crate::record::SeatSpec;
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{RichText, Ui, vec2};
use std::path::PathBuf;

/// The page.
pub fn page(
    ui: &mut Ui,
    (words, palette, library): (&Words, &Palette, &Library),
    saved: &SavedGames,
    in_match: bool,
    intents: &mut MessageWriter<Intent>,
) {
    heading(ui, words.say("menu.records"));
    ui.add_space(4.0);
    let height = (ui.ctx().content_rect().height() - 320.0).clamp(120.0, 420.0);
    egui::ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, false]).show(ui, |ui| {
        if saved.games.is_empty() {
            dim(ui, palette, words.say("records.none"));
        }
        for game in &saved.games {
            if entry(ui, game, words, palette, library).clicked() {
                intents.write(Intent::Open(vec![game.path.clone()]));
            }
        }
    });
    dim(ui, palette, words.say("records.path"));
    let memory = ui.id().with("path");
    let mut path = ui.data(|data| data.get_temp::<String>(memory)).unwrap_or_default();
    ui.horizontal(|ui| {
        let width = ui.available_width() - 88.0;
        let edit = egui::TextEdit::singleline(&mut path)
            .hint_text(words.say("records.path-hint"))
            .margin(egui::Margin::symmetric(10, 7))
            .desired_width(width);
        let entered = ui.add(edit).lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let wanted = !path.trim().is_empty();
        if (button(ui, words.say("records.open"), wanted).clicked() || entered) && wanted {
            intents.write(Intent::Open(vec![PathBuf::from(path.trim())]));
        }
    });
    ui.data_mut(|data| data.insert_temp(memory, path));
    ui.add_space(8.0);
    let width = ui.available_width();
    if in_match && wide_button(ui, words.say("records.save"), width, true).clicked() {
        intents.write(Intent::Save);
    }
    if filled_button(ui, palette, words.say("menu.done"), width, true).clicked() {
        intents.write(Intent::Menu(Menu::None));
    }
}

/// Who sat there, in a word or two.
fn player(seat: &SeatSpec, words: &Words) -> String {
    match seat {
        SeatSpec::Human => words.say("setup.human").to_owned(),
        SeatSpec::Computer { level } => words.with("level", level),
        SeatSpec::External { name } => name.clone(),
    }
}

/// One game of the list: the whole row is the button.
fn entry(ui: &mut Ui, game: &SavedGame, words: &Words, palette: &Palette, library: &Library) -> egui::Response {
    let record = &game.record;
    let game = library.game(&record.game);
    let name = game.map_or(record.game.as_str(), |game| words.of(&game.sheet.name));
    let result = match (record.result, game) {
        (None, _) => words.say("records.unfinished").to_owned(),
        (Some(outcome), Some(game)) => match outcome.winner {
            Some(side) => words.with("result.wins", words.of(&game.sheet.sides[side])),
            None => words.say("result.draw").to_owned(),
        },
        (Some(_), None) => String::new(),
    };
    let (width, height) = (ui.available_width(), 48.0);
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), egui::Sense::click());
    let first = format!("{name} · {result}");
    let players = format!("{} : {}", player(&record.seats.first, words), player(&record.seats.second, words));
    let second = format!("{} · {players} · {}", record.event, words.with("records.moves", record.moves.len()));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, format!("{first} · {second}")));
    let panel = palette.panel();
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, 8.0, colour(panel.raised));
    }
    if response.has_focus() {
        let ring = egui::Stroke::new(2.0, palette.accent());
        ui.painter().rect_stroke(rect, 8.0, ring, egui::StrokeKind::Inside);
    }
    for (text, y, size, ink) in [(first, 6.0, BODY, palette.text()), (second, 27.0, SMALL, palette.dim())] {
        let galley = egui::WidgetText::from(RichText::new(text).size(size).color(ink)).into_galley(
            ui,
            Some(egui::TextWrapMode::Truncate),
            width - 16.0,
            egui::TextStyle::Body,
        );
        ui.painter().galley(rect.min + vec2(8.0, y), galley, ink);
    }
    response
}
