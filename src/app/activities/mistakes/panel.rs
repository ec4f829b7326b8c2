//! The panel of an exercise: what was played, how it stands, the answer, and when it comes back.

use super::{Exercise, Practice};
use crate::app::explore::{BetterMove, BetterStage};
use crate::app::platform;
use crate::app::play::CurrentMatch;
use crate::app::requests::{CursorRequest, Go, LayoutRequest, MistakeStep, Requests};
use crate::app::settings::Settings;
use crate::app::words::Words;
use crate::ui::better;
use crate::ui::panel::Room;
use crate::ui::speech::News;
use crate::ui::style::{BODY, Palette, SMALL};
use crate::ui::typesetting::Prose;
use crate::ui::widgets::{Icon, ask_icon, button, dim, hairline, is_narrow, scrolling};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Align, Layout, RichText, Ui};
use qiju_core::table::{Action, Notation, Table};

/// Moves of the better line that are written.
const WRITTEN: usize = 8;

/// The panel. In a row: how it stands, and the way on when it is over.
pub fn page(
    (InMut(ui), In(room)): (InMut<Ui>, In<Room>),
    (practice, current): (Res<Practice>, Res<CurrentMatch>),
    (words, palette, settings): (Res<Words>, Res<Palette>, Res<Settings>),
    mut requests: Requests,
) -> bool {
    let Some(exercise) = practice.shown(&current) else { return false };
    let Some(task) = exercise.task() else { return true };
    let look = (&*words, &*palette);
    let side = words.of(&current.game().sheet.sides[exercise.side()]);
    let texts = Texts::of(exercise, &current, settings.notation(current.table(), words.language));
    let ask = words.fill("mistakes.ask", &[&texts.played, side]);
    let (number, of, right) = practice.progress();
    let next = if number < of { "learn.next" } else { "learn.finish" };
    if room == Room::Row {
        in_a_row(ui, look, (task, next), &ask, &mut requests);
        return true;
    }
    head(ui, &words, &mut requests);
    hairline(ui);
    scrolling(ui, "mistake", ui.available_height(), |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        dim(ui, &palette, words.fill("mistakes.number", &[&number.to_string(), &of.to_string(), &right.to_string()]));
        let answer = words.fill("learn.answer", &[&texts.played, &texts.best]);
        better::card(ui, (&words, &palette, &current.game().sheet), task, (&ask, &answer));
        if let Some(memory) = exercise.memory.filter(|_| task.stage().is_over()) {
            dim(ui, &palette, &texts.line);
            let text = words.with("mistakes.comes-back", words.in_days(memory.due - platform::today()));
            ui.news(RichText::new(text).size(SMALL));
        }
        ui.add_space(4.0);
        let ways = [MistakeStep::Show, MistakeStep::Next, MistakeStep::Open].map(Into::into);
        better::buttons(ui, look, (task.stage(), next), ways, &mut requests);
        walk(ui, exercise, (&current, &words), &mut requests);
    });
    true
}

fn in_a_row(
    ui: &mut Ui,
    (words, palette): (&Words, &Palette),
    (task, next): (&BetterMove, &str),
    ask: &str,
    requests: &mut Requests,
) {
    if task.stage().is_over() && button(ui, words.say(next), true).clicked() {
        requests.write(MistakeStep::Next);
    }
    let (text, ink) = better::stage(words, palette, task.stage());
    ui.news(RichText::new(text).size(BODY).color(ink));
    if task.stage() == BetterStage::Find && ui.available_width() > 80.0 && !is_narrow(ui.ctx()) {
        ui.add(egui::Label::new(RichText::new(ask).size(SMALL).color(palette.dim())).truncate());
    }
}

fn head(ui: &mut Ui, words: &Words, requests: &mut Requests) {
    ui.horizontal(|ui| {
        ui.prose(RichText::new(words.say("mistakes.title")).size(BODY));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if button(ui, words.say("menu.back"), true).clicked() {
                requests.write(MistakeStep::Open);
            }
            ui.add_space(4.0);
            ask_icon(ui, words, (Icon::Flip, "play.flip"), LayoutRequest::Flip, 36.0, true, requests);
        });
    });
}

/// The way through the moves that led to the position, and through the better line when it is over.
fn walk(ui: &mut Ui, exercise: &Exercise, (current, words): (&CurrentMatch, &Words), requests: &mut Requests) {
    let (back, forward) = exercise.ways(current);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        for (icon, key, enabled, go) in [
            (Icon::First, "look.first", back, Go::Start),
            (Icon::Back, "look.back", back, Go::Back),
            (Icon::Forward, "look.forward", forward, Go::Forward),
            (Icon::Last, "look.last", forward, Go::End),
        ] {
            ask_icon(ui, words, (icon, key), CursorRequest::Go(go), 36.0, enabled, requests);
        }
    });
}

/// The moves of an exercise as text.
struct Texts {
    played: String,
    best: String,
    line: String,
}

impl Texts {
    fn of(exercise: &Exercise, current: &CurrentMatch, notation: Notation) -> Texts {
        let mut table = exercise.table(current);
        let write = |table: &dyn Table, action: Action| table.write(action, notation).unwrap_or_default();
        let played = write(&*table, exercise.played());
        let mut line = Vec::new();
        for action in exercise.best().iter().take(WRITTEN) {
            line.push(write(&*table, *action));
            if table.play(*action).is_err() {
                break;
            }
        }
        let more = if exercise.best().len() > line.len() { " …" } else { "" };
        Texts { played, best: line.first().cloned().unwrap_or_default(), line: line.join(" ") + more }
    }
}
