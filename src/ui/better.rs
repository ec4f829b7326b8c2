//! The card of a position in which a better move is looked for, wherever that is asked.

use super::judgement;
use super::speech::News;
use super::style::{BODY, Palette, SMALL, TITLE, tone};
use super::widgets::{Icon, breathing_dots, filled_button, wide_drawn_button};
use crate::app::explore::{BetterMove, BetterStage, reason_text};
use crate::app::requests::{AnyRequest, Requests};
use crate::app::words::Words;
use bevy_egui::egui::{Color32, RichText, Ui};
use qiju_core::table::{GameSheet, Judgement};
use std::time::Duration;

/// The height of what is said about a move, so that the buttons stay where they are.
const TOLD: f32 = 92.0;

/// How it stands, and the colour in which that is said.
pub fn stage<'a>(words: &'a Words, palette: &Palette, stage: BetterStage) -> (&'a str, Color32) {
    let (key, ink) = match stage {
        BetterStage::Find => ("learn.find", palette.text()),
        BetterStage::Check => ("learn.check", palette.dim()),
        BetterStage::Best => ("learn.best", tone(Judgement::Best)),
        BetterStage::AsGood => ("learn.as-good", tone(Judgement::Best)),
        BetterStage::Wrong => ("learn.wrong", tone(Judgement::Blunder)),
        BetterStage::Shown => ("learn.shown", palette.text()),
    };
    (words.say(key), ink)
}

/// How it stands, what is asked or what the answer is, and what a wrong move loses.
pub fn card(
    ui: &mut Ui,
    (words, palette, sheet): (&Words, &Palette, &GameSheet),
    task: &BetterMove,
    (ask, answer): (&str, &str),
) {
    let (title, ink) = stage(words, palette, task.stage());
    ui.news(RichText::new(title).size(TITLE).color(ink));
    ui.scope(|ui| {
        if !task.stage().is_over() {
            ui.set_min_height(TOLD);
        }
        match task.stage() {
            BetterStage::Check => {
                let seconds = ui.input(|input| input.time);
                breathing_dots(ui, palette.accent(), seconds);
                ui.ctx().request_repaint_after(Duration::from_millis(50));
            }
            now => drop(ui.news(RichText::new(if now.asks() { ask } else { answer }).size(BODY).color(palette.text()))),
        }
        let Some(verdict) = task.verdict() else { return };
        judgement::headline(ui, (words, palette), verdict);
        if let Some(reason) = &verdict.reason {
            ui.news(RichText::new(reason_text(reason, verdict.after, sheet, words)).size(SMALL));
        }
    });
}

/// The next position when this one is over, the answer, and the way on or out. `next` is what the first of them is called.
pub fn buttons(
    ui: &mut Ui,
    (words, palette): (&Words, &Palette),
    (stage, next): (BetterStage, &str),
    [show, go_on, end]: [AnyRequest; 3],
    requests: &mut Requests,
) {
    let width = ui.available_width();
    if stage.is_over() && filled_button(ui, palette, words.say(next), width, true).clicked() {
        requests.write(go_on.clone());
    }
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 8.0) / 2.0;
        if wide_drawn_button(ui, Icon::Hint, words.say("learn.show"), width, stage.asks()).clicked() {
            requests.write(show);
        }
        let (icon, key, request) =
            if stage.is_over() { (Icon::Close, "learn.end", end) } else { (Icon::Forward, "learn.skip", go_on) };
        if wide_drawn_button(ui, icon, words.say(key), width, true).clicked() {
            requests.write(request);
        }
    });
}
