//! The panel of guessing: whose moves are guessed, what a guess loses and what was played, and at the end how the player did.

use super::{GuessRequest, GuessStage, Guessed, Guessing};
use crate::app::play::{CurrentMatch, ScoreSheet};
use crate::app::requests::Requests;
use crate::app::settings::Settings;
use crate::app::words::Words;
use crate::ui::judgement;
use crate::ui::panel::Room;
use crate::ui::speech::News;
use crate::ui::style::{BODY, Palette, SMALL, TITLE, tone};
use crate::ui::typesetting::Prose;
use crate::ui::widgets::{Icon, breathing_dots, button, dim, filled_button, hairline, scrolling, wide_button, wide_drawn_button};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Align, Color32, Layout, RichText, Ui};
use qiju_core::rules::Side;
use qiju_core::table::{Judgement, MoveVerdict, NodeId, Notation};
use std::time::Duration;

/// What the panel is drawn with.
struct GuessPanel<'a> {
    guessing: &'a Guessing,
    current: &'a CurrentMatch,
    sheet: &'a ScoreSheet,
    notation: Notation,
    words: &'a Words,
    palette: &'a Palette,
}

/// The height of what is told about a guess, so that the button stays where it is.
const TOLD: f32 = 170.0;

/// The panel. In a row: how it stands, and the way on.
pub fn page(
    (InMut(ui), In(room)): (InMut<Ui>, In<Room>),
    (guessing, current, sheet): (Res<Guessing>, Res<CurrentMatch>, Res<ScoreSheet>),
    (words, palette, settings): (Res<Words>, Res<Palette>, Res<Settings>),
    mut requests: Requests,
) -> bool {
    let Some(stage) = guessing.stage(&current) else { return false };
    let notation = settings.notation(current.table(), words.language);
    let panel = GuessPanel { guessing: &guessing, current: &current, sheet: &sheet, notation, words: &words, palette: &palette };
    if room == Room::Row {
        if stage == GuessStage::Told && button(ui, words.say("guess.next"), true).clicked() {
            requests.write(GuessRequest::Next);
        }
        let (text, ink) = panel.stage(stage);
        ui.announce(&text);
        ui.add(egui::Label::new(RichText::new(text).size(BODY).color(ink)).truncate());
        return true;
    }
    panel.head(ui, &mut requests);
    hairline(ui);
    scrolling(ui, "guess", ui.available_height(), |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        match stage {
            GuessStage::Choose => panel.choose(ui, &mut requests),
            GuessStage::Over => panel.over(ui, &mut requests),
            _ => panel.guess(ui, stage, &mut requests),
        }
    });
    true
}

impl GuessPanel<'_> {
    fn head(&self, ui: &mut Ui, requests: &mut Requests) {
        ui.horizontal(|ui| {
            ui.prose(RichText::new(self.words.say("guess.title")).size(BODY));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if button(ui, self.words.say("learn.end"), true).clicked() {
                    requests.write(GuessRequest::End);
                }
            });
        });
    }

    fn side(&self, side: Side) -> &str {
        self.words.of(&self.current.game().sheet.sides[side])
    }

    /// How it stands, and the colour in which that is said.
    fn stage(&self, stage: GuessStage) -> (String, Color32) {
        let (words, text) = (self.words, self.palette.text());
        let told = self.guessing.told().map(|(_, guess)| guess);
        let (key, ink) = match (stage, told) {
            (GuessStage::Choose, _) => ("guess.choose", text),
            (GuessStage::Other, _) => ("guess.other", self.palette.dim()),
            (GuessStage::Check, _) => ("learn.check", self.palette.dim()),
            (GuessStage::Over, _) => ("guess.over", text),
            (GuessStage::Told, Some(Some(guess))) if guess.is_same => ("guess.same", tone(Judgement::Best)),
            (GuessStage::Told, Some(Some(guess))) if guess.is_better() => ("guess.better", tone(Judgement::Best)),
            (GuessStage::Told, Some(Some(_))) => ("guess.other-move", text),
            (GuessStage::Told, _) => ("guess.shown", text),
            (GuessStage::Find, _) => {
                return (words.with("guess.find", self.guessing.side().map_or("", |side| self.side(side))), text);
            }
        };
        (words.say(key).to_owned(), ink)
    }

    /// Before it begins: whose moves are guessed.
    fn choose(&self, ui: &mut Ui, requests: &mut Requests) {
        ui.news(RichText::new(self.words.say("guess.choose")).size(TITLE));
        for side in Side::BOTH {
            let width = ui.available_width();
            if wide_button(ui, self.side(side), width, true).clicked() {
                requests.write(GuessRequest::Begin(side));
            }
        }
        ui.add_space(4.0);
        dim(ui, self.palette, self.words.say("guess.about"));
    }

    /// A guess, or what is told about it.
    fn guess(&self, ui: &mut Ui, stage: GuessStage, requests: &mut Requests) {
        let words = self.words;
        let (number, of) = self.guessing.progress();
        dim(ui, self.palette, words.fill("guess.number", &[&number.to_string(), &of.to_string()]));
        let (text, ink) = self.stage(stage);
        ui.news(RichText::new(text).size(TITLE).color(ink));
        ui.scope(|ui| {
            ui.set_min_height(TOLD);
            if stage == GuessStage::Check {
                let seconds = ui.input(|input| input.time);
                breathing_dots(ui, self.palette.accent(), seconds);
                ui.ctx().request_repaint_after(Duration::from_millis(50));
            }
            match self.guessing.told() {
                Some((_, Some(guess))) => {
                    if !guess.is_same {
                        self.verdict(ui, words.with("guess.yours", self.guessed(guess)), &guess.own);
                    }
                    self.verdict(ui, words.with("guess.played", self.played(guess.node)), &guess.played);
                }
                Some((node, None)) => drop(ui.news(RichText::new(words.with("guess.played", self.played(node))).size(BODY))),
                None => {}
            }
            if !self.guessing.guesses().is_empty() {
                self.score(ui);
            }
        });
        let width = ui.available_width();
        if stage == GuessStage::Told {
            if filled_button(ui, self.palette, words.say("guess.next"), width, true).clicked() {
                requests.write(GuessRequest::Next);
            }
        } else if wide_drawn_button(ui, Icon::Hint, words.say("learn.show"), width, stage == GuessStage::Find).clicked() {
            requests.write(GuessRequest::Show);
        }
    }

    /// A move with the verdict on it.
    fn verdict(&self, ui: &mut Ui, text: String, verdict: &MoveVerdict) {
        ui.news(RichText::new(text).size(BODY));
        judgement::headline(ui, (self.words, self.palette), verdict);
    }

    /// The accuracy so far.
    fn score(&self, ui: &mut Ui) {
        let (own, played) = self.guessing.accuracies();
        dim(ui, self.palette, self.words.fill("guess.score", &[&format!("{own:.0}"), &format!("{played:.0}")]));
    }

    /// At the end: how the player did, and where better than the game.
    fn over(&self, ui: &mut Ui, requests: &mut Requests) {
        let words = self.words;
        ui.news(RichText::new(words.say("guess.over")).size(TITLE));
        let guesses = self.guessing.guesses();
        if !guesses.is_empty() {
            self.score(ui);
            let same = guesses.iter().filter(|guess| guess.is_same).count();
            let better: Vec<&Guessed> = guesses.iter().filter(|guess| guess.is_better()).collect();
            let counts = [same, guesses.len(), better.len()].map(|count| count.to_string());
            ui.news(RichText::new(words.fill("guess.tally", &[&counts[0], &counts[1], &counts[2]])).size(BODY));
            for guess in better {
                let text = words.fill("guess.instead", &[&self.guessed(guess), &self.played(guess.node)]);
                let chances = [words.chance(guess.own.after), words.chance(guess.played.after)];
                let text = format!("{text} · {}", words.fill("guess.chances", &[&chances[0], &chances[1]]));
                ui.prose(RichText::new(text).size(SMALL));
            }
        }
        ui.add_space(8.0);
        let width = ui.available_width();
        if let Some(side) = self.guessing.side()
            && wide_button(ui, &words.with("guess.again", self.side(!side)), width, true).clicked()
        {
            requests.write(GuessRequest::Begin(!side));
        }
        if wide_drawn_button(ui, Icon::Close, words.say("learn.end"), width, true).clicked() {
            requests.write(GuessRequest::End);
        }
    }

    /// The move of the game, with its number.
    fn played(&self, node: NodeId) -> String {
        let entry = self.sheet.line().find(|entry| entry.node == node);
        entry.map_or_else(String::new, |entry| {
            let dots = if entry.side == Some(Side::Second) { "…" } else { "." };
            format!("{}{dots} {}", entry.number, entry.text)
        })
    }

    /// The guess.
    fn guessed(&self, guess: &Guessed) -> String {
        let before = self.current.tree().previous(guess.node).map(|before| self.current.played().table_at(before));
        before.and_then(|table| table.write(guess.guess, self.notation)).unwrap_or_default()
    }
}
