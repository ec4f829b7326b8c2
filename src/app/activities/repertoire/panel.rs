//! The panel of a repertoire that is asked: whose move it is, how it was answered, and the way on.

use super::{Course, CourseStage, Training, page};
use crate::app::library::Library;
use crate::app::play::CurrentMatch;
use crate::app::repertoires::Repertoires;
use crate::app::requests::{LayoutRequest, RepertoireStep, Requests};
use crate::app::words::Words;
use crate::ui::panel::Room;
use crate::ui::speech::News;
use crate::ui::style::{BODY, Palette, TITLE, tone};
use crate::ui::typesetting::Prose;
use crate::ui::widgets::{Icon, ask_icon, button, dim, filled_button, hairline, scrolling, wide_drawn_button};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Align, Color32, Layout, RichText, Ui};
use qiju_core::table::Judgement;

/// The panel. In a row: how it stands, and the way on.
pub fn page(
    (InMut(ui), In(room)): (InMut<Ui>, In<Room>),
    (training, current): (Res<Training>, Res<CurrentMatch>),
    (repertoires, library): (Res<Repertoires>, Res<Library>),
    (words, palette): (Res<Words>, Res<Palette>),
    mut requests: Requests,
) -> bool {
    let Some(course) = training.shown(&current) else { return false };
    let (text, ink) = said(course, &current, (&words, &palette));
    if course.stage() != CourseStage::Going {
        ui.announce(&text);
    }
    if room == Room::Row {
        way_on(ui, course, (&words, &palette), None, &mut requests);
        ui.add(egui::Label::new(RichText::new(text).size(BODY).color(ink)).truncate());
        return true;
    }
    let saved = repertoires.all.get(course.name());
    let title = saved.and_then(|saved| Some(page::title(&words, library.game(&saved.game)?, saved)));
    head(ui, &title.unwrap_or_default(), &words, &mut requests);
    hairline(ui);
    scrolling(ui, "repertoire", ui.available_height(), |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        let (asked, all, right) = course.progress();
        let asked = all.map_or(asked.to_string(), |all| format!("{asked}/{all}"));
        dim(ui, &palette, words.fill("repertoire.progress", &[&asked, &right.to_string()]));
        ui.prose(RichText::new(text).size(TITLE).color(ink));
        if let Some(moves) = course.moves_left() {
            ui.prose(RichText::new(words.with("repertoire.proof-left", moves)).size(BODY));
        }
        ui.add_space(4.0);
        let width = ui.available_width();
        way_on(ui, course, (&words, &palette), Some(width), &mut requests);
        let asks = matches!(course.stage(), CourseStage::Asked | CourseStage::Wrong);
        if wide_drawn_button(ui, Icon::Hint, words.say("learn.show"), width, asks).clicked() {
            requests.write(RepertoireStep::Show);
        }
    });
    true
}

/// How it stands, and the colour in which that is said.
fn said(course: &Course, current: &CurrentMatch, (words, palette): (&Words, &Palette)) -> (String, Color32) {
    let side = course.repertoire().side();
    let (key, ink) = match course.stage() {
        CourseStage::Going if current.shown().turn() == side => ("repertoire.known", palette.dim()),
        CourseStage::Going => ("guess.other", palette.dim()),
        CourseStage::Asked => {
            return (words.with("repertoire.ask", words.of(&current.game().sheet.sides[side])), palette.text());
        }
        CourseStage::Taking | CourseStage::Wrong => ("repertoire.wrong", tone(Judgement::Blunder)),
        CourseStage::LineOver => ("repertoire.line-over", palette.text()),
        CourseStage::Over => ("repertoire.over", palette.text()),
    };
    (words.say(key).to_owned(), ink)
}

/// The next line, or the end; over this width, or in a row.
fn way_on(ui: &mut Ui, course: &Course, (words, palette): (&Words, &Palette), width: Option<f32>, requests: &mut Requests) {
    let key = match course.stage() {
        CourseStage::LineOver => "repertoire.next",
        CourseStage::Over => "learn.finish",
        _ => return,
    };
    let text = words.say(key);
    let pressed = match width {
        Some(width) => filled_button(ui, palette, text, width, true),
        None => button(ui, text, true),
    };
    if pressed.clicked() {
        requests.write(RepertoireStep::Next);
    }
}

fn head(ui: &mut Ui, title: &str, words: &Words, requests: &mut Requests) {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if button(ui, words.say("menu.back"), true).clicked() {
                requests.write(RepertoireStep::Open);
            }
            ui.add_space(4.0);
            ask_icon(ui, words, (Icon::Flip, "play.flip"), LayoutRequest::Flip, 36.0, true, requests);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(egui::Label::new(RichText::new(title).size(BODY)).truncate());
            });
        });
    });
}
