//! Learn from one's mistakes: what is asked, and what came of it.

use super::Page;
use super::state::LearnStage;
use crate::app::requests::{LearnStep, Requests};
use crate::ui::style::{TITLE, tone};
use crate::ui::typesetting::Prose;
use crate::ui::widgets::{Icon, breathing_dots, dim, filled_button, wide_drawn_button};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{RichText, Ui};
use qiju_core::table::Judgement;

impl Page<'_> {
    /// The card of the position that is asked about.
    pub(super) fn learn(&self, ui: &mut Ui, requests: &mut Requests) {
        let (words, learn) = (self.words, &self.seen.learn);
        let Some(stage) = learn.stage(self.current) else { return };
        let (number, of, solved) = learn.progress();
        dim(ui, self.palette, words.fill("learn.number", &[&number.to_string(), &of.to_string(), &solved.to_string()]));
        let side = learn.side().map_or("", |side| words.of(&self.current.game().sheet.sides[side]));
        let (key, ink) = match stage {
            LearnStage::Find => ("learn.find", self.palette.text()),
            LearnStage::Check => ("learn.check", self.palette.dim()),
            LearnStage::Best => ("learn.best", tone(Judgement::Best)),
            LearnStage::AsGood => ("learn.as-good", tone(Judgement::Best)),
            LearnStage::Wrong => ("learn.wrong", tone(Judgement::Blunder)),
            LearnStage::Shown => ("learn.shown", self.palette.text()),
        };
        ui.prose(RichText::new(words.say(key)).size(TITLE).color(ink));
        if stage == LearnStage::Check {
            let seconds = ui.input(|input| input.time);
            breathing_dots(ui, self.palette.accent(), seconds);
            ui.ctx().request_repaint_after(std::time::Duration::from_millis(50));
        }
        let line = self.current.played().line();
        let mistake = learn.mistake().and_then(|node| line.iter().position(|id| *id == node));
        let played = mistake.and_then(|index| self.move_text(index)).unwrap_or_default();
        match stage {
            LearnStage::Find | LearnStage::Wrong => {
                self.body(ui, words.fill("learn.ask", &[&played, side]));
            }
            LearnStage::Best | LearnStage::AsGood | LearnStage::Shown => {
                let better = learn.mistake().and_then(|node| {
                    let parent = self.current.tree().previous(node)?;
                    let best = *self.current.verdict_at(node)?.best.first()?;
                    self.sheet.text(self.current.tree().child_with(parent, best)?)
                });
                self.body(ui, words.fill("learn.answer", &[&played, better.unwrap_or("…")]));
            }
            LearnStage::Check => {}
        }
        ui.add_space(4.0);
        let done = matches!(stage, LearnStage::Best | LearnStage::AsGood | LearnStage::Shown);
        let width = ui.available_width();
        if done {
            let key = if number < of { "learn.next" } else { "learn.finish" };
            if filled_button(ui, self.palette, words.say(key), width, true).clicked() {
                requests.write(LearnStep::Next);
            }
        }
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 8.0) / 2.0;
            if wide_drawn_button(ui, Icon::Hint, words.say("learn.show"), width, !done && stage != LearnStage::Check).clicked() {
                requests.write(LearnStep::Show);
            }
            if !done {
                if wide_drawn_button(ui, Icon::Forward, words.say("learn.skip"), width, true).clicked() {
                    requests.write(LearnStep::Next);
                }
            } else if wide_drawn_button(ui, Icon::Close, words.say("learn.end"), width, true).clicked() {
                requests.write(LearnStep::End);
            }
        });
    }
}
