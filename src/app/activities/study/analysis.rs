//! The page of analysis: the engine's lines for the place that is shown, how far it has come, and which engine it is.

use super::Page;
use crate::app::explore::{Line, MOST_LINES, Reached};
use crate::app::requests::{AnalysisRequest, Requests, ShowEngineOptions, StudyRequest, TakeLine, TruthRequest};
use crate::ui::panel::{signed, value_text};
use crate::ui::style::{SMALL, colour};
use crate::ui::typesetting::Tip;
use crate::ui::value_bar::rank_disc;
use crate::ui::widgets::{breathing_dots, button, dim, row_height, segmented};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Align2, FontId, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

/// Height of a line, and in it the right edge of the chance and the left edge of the moves.
const LINE: f32 = 26.0;
const VALUE: f32 = 60.0;
const MOVES: f32 = 112.0;

/// A large number, short: `1.2 M`.
fn short(number: u64) -> String {
    match number {
        n if n >= 10_000_000 => format!("{:.0} M", n as f64 / 1e6),
        n if n >= 1_000_000 => format!("{:.1} M", n as f64 / 1e6),
        n if n >= 1_000 => format!("{:.0} k", n as f64 / 1e3),
        n => n.to_string(),
    }
}

impl Page<'_> {
    /// What stands above the moves.
    pub(super) fn analysis(&self, ui: &mut Ui, requests: &mut Requests) {
        ui.spacing_mut().item_spacing.y = 6.0;
        let (words, analysis) = (self.words, &self.seen.analysis);
        if !self.current.can_be_analysed() {
            dim(ui, self.palette, words.say("analysis.solved"));
            if self.current.truth_allowed() && button(ui, words.say("truth.note"), true).clicked() {
                requests.write(StudyRequest(None));
                requests.write(TruthRequest);
            }
            return;
        }
        if let Some(why) = self.current.help_refused() {
            dim(ui, self.palette, words.say(why));
            return;
        }
        self.state(ui, requests);
        let over = self.current.shown().outcome().is_some();
        let found = analysis.lines().count();
        let turn = self.current.shown().turn();
        if !over {
            dim(ui, self.palette, words.with("analysis.view", words.of(&self.current.game().sheet.sides[turn])));
        }
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            for (index, line) in analysis.lines().enumerate() {
                self.line_found(ui, index, line, requests);
            }
            // The place of the lines that are still to come.
            for index in found..analysis.lines_wanted() {
                let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), row_height(ui, LINE)), Sense::hover());
                let said = match (over, analysis.is_thinking()) {
                    _ if index > 0 || analysis.is_paused() => continue,
                    (true, _) => words.say("analysis.over"),
                    (_, true) => words.say("analysis.starts"),
                    _ => words.say("analysis.waits"),
                };
                let font = FontId::proportional(SMALL);
                ui.painter().text(rect.left_center() + vec2(6.0, 0.0), Align2::LEFT_CENTER, said, font, self.palette.dim());
            }
        });
        self.choices(ui, requests);
    }

    /// How far the engine has come, and whether it goes on.
    fn state(&self, ui: &mut Ui, requests: &mut Requests) {
        let (words, analysis) = (self.words, &self.seen.analysis);
        ui.horizontal(|ui| {
            let paused = analysis.is_paused() || !analysis.is_on();
            let key = if paused { "analysis.go-on" } else { "analysis.pause" };
            if button(ui, words.say(key), true).clicked() {
                let wish = if analysis.is_on() { AnalysisRequest::Pause(!paused) } else { AnalysisRequest::Switch };
                requests.write(wish);
            }
            if analysis.is_thinking() {
                let seconds = ui.input(|input| input.time);
                breathing_dots(ui, self.palette.accent(), seconds);
            }
        });
        // The line has its place before the engine has come anywhere.
        let reached = analysis.reached().map(|Reached { depth, seldepth, nodes, nps }| {
            let speed = format!("{}/s", short(nps).replace(' ', ""));
            let numbers = [depth.to_string(), seldepth.max(depth).to_string(), short(nodes), speed];
            words.fill("analysis.reached", &numbers.each_ref().map(String::as_str))
        });
        dim(ui, self.palette, reached.unwrap_or_else(|| " ".to_owned()));
    }

    /// A line: a click takes it as a variation.
    fn line_found(&self, ui: &mut Ui, index: usize, line: &Line, requests: &mut Requests) {
        let (value, chance) = line.seen_by(self.current.shown().turn());
        let (chance, moves) = (self.words.chance(chance), line.moves.join(" "));
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), row_height(ui, LINE)), Sense::click());
        let label = format!("{}: {chance}, {}: {moves}", index + 1, value_text(value, self.words));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &label));
        let painter = ui.painter();
        let ground = self.palette.panel();
        painter.rect_filled(rect, 4.0, colour(if response.hovered() { ground.hover } else { ground.raised }));
        if response.has_focus() {
            painter.rect_stroke(rect, 4.0, Stroke::new(2.0, self.palette.accent()), StrokeKind::Inside);
        }
        let ink = if index == 0 { self.palette.accent() } else { self.palette.text() };
        let y = rect.center().y;
        rank_disc(painter, pos2(rect.left() + 15.0, y), 9.0, index, self.palette);
        let write = |x: f32, align: Align2, text: String, ink| {
            painter.text(pos2(rect.left() + x, y), align, text, FontId::proportional(SMALL), ink);
        };
        write(VALUE, Align2::RIGHT_CENTER, chance, ink);
        write(MOVES - 8.0, Align2::RIGHT_CENTER, signed(value), self.palette.dim());
        // As many moves as fit.
        let space = rect.width() - MOVES - 6.0;
        let laid = |count: usize| {
            painter.layout_no_wrap(line.moves[..count].join(" "), FontId::proportional(SMALL), self.palette.text())
        };
        if let Some(galley) = (1..=line.moves.len()).rev().map(laid).find(|galley| galley.size().x <= space) {
            painter.galley(pos2(rect.left() + MOVES, y - galley.size().y / 2.0), galley, self.palette.text());
        }
        if response.tip(self.words.say("analysis.take")).clicked() {
            requests.write(TakeLine(index));
        }
    }

    /// How many lines, and whose.
    fn choices(&self, ui: &mut Ui, requests: &mut Requests) {
        let (words, analysis) = (self.words, &self.seen.analysis);
        ui.add_space(4.0);
        dim(ui, self.palette, words.say("analysis.lines"));
        let mut lines = analysis.lines_wanted();
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let numbers: Vec<String> = (1..=MOST_LINES).map(|number| number.to_string()).collect();
            let options: Vec<(usize, &str)> = (1..=MOST_LINES).zip(numbers.iter().map(String::as_str)).collect();
            if segmented(ui, &mut lines, &options) {
                requests.write(AnalysisRequest::Lines(lines));
            }
        });
        let game = self.current.table().game();
        let programs: Vec<&str> = self.seen.engines.of_game(game).map(|engine| engine.name.as_str()).collect();
        dim(ui, self.palette, words.say("analysis.engine"));
        let mut chosen = analysis.program();
        let own = (None, words.say("analysis.own"));
        let options: Vec<(Option<&str>, &str)> =
            std::iter::once(own).chain(programs.iter().map(|name| (Some(*name), *name))).collect();
        if segmented(ui, &mut chosen, &options) {
            requests.write(AnalysisRequest::With(chosen.map(str::to_owned)));
        }
        ui.horizontal(|ui| {
            if let Some(name) = analysis.program() {
                let asked = ShowEngineOptions { game: game.to_owned(), name: Some(name.to_owned()) };
                if button(ui, words.say("engines.options"), true).clicked() {
                    requests.write(asked);
                }
            }
            if button(ui, words.say("menu.engines"), true).clicked() {
                requests.write(ShowEngineOptions { game: game.to_owned(), name: None });
            }
        });
    }
}
