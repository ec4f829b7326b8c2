//! The page of the review: progress, the graph, how both sides played, the turning point, and the way from mistake to mistake.

use super::Page;
use super::state::{GameReview, Learn};
use crate::app::requests::{CursorRequest, Effort, Go, LearnStep, Requests, ReviewRequest};
use crate::ui::speech::News;
use crate::ui::style::{BODY, SMALL, colour, tone};
use crate::ui::typesetting::Tip;
use crate::ui::value_bar::side_colour;
use crate::ui::widgets::{Icon, button, dim, filled_button, row_height, wide_button, wide_drawn_button};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Align, Align2, FontId, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use qiju_core::record::SeatSpec;
use qiju_core::rules::Side;
use qiju_core::study::Summary;
use qiju_core::table::{Judgement, NodeId, Tree};

/// Height of what stands below the moves.
pub const FOOT: f32 = 40.0;
/// Height of a row of the table.
const ROW: f32 = 22.0;
/// Width of a side's column.
const COLUMN: f32 = 84.0;

/// The rows of the table below the accuracy.
const COUNTED: [(Judgement, &str); 3] = [
    (Judgement::Inaccuracy, "review.inaccuracies"),
    (Judgement::Mistake, "review.mistakes"),
    (Judgement::Blunder, "review.blunders"),
];

impl Page<'_> {
    /// What stands above the moves.
    pub(super) fn review(&self, ui: &mut Ui, requests: &mut Requests) {
        ui.spacing_mut().item_spacing.y = 6.0;
        if self.seen.learn.is_shown(self.current) {
            self.learn(ui, requests);
            return;
        }
        let summary = GameReview::summary(self.current);
        if let Some(part) = self.seen.review.progress() {
            self.running(ui, part, requests);
        } else if summary.is_none() {
            self.offer(ui, requests);
            return;
        }
        let positions = self.seen.review.positions(self.current);
        self.graph(ui, &positions, requests);
        let Some(summary) = summary.filter(|_| self.seen.review.progress().is_none()) else { return };
        self.table(ui, &summary, requests);
        self.turning_point(ui, &summary, requests);
        self.card(ui, requests);
        self.lessons(ui, requests);
    }

    /// Before the first review.
    fn offer(&self, ui: &mut Ui, requests: &mut Requests) {
        let words = self.words;
        self.empty_graph(ui, words.say("review.about"));
        let allowed = self.current.can_be_reviewed();
        let width = ui.available_width();
        if filled_button(ui, self.palette, words.say("review.begin"), width, allowed).clicked() {
            requests.write(ReviewRequest::With(Effort::Normal));
        }
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 8.0) / 2.0;
            for (key, effort) in [("review.quick", Effort::Quick), ("review.thorough", Effort::Thorough)] {
                if wide_button(ui, words.say(key), width, allowed).clicked() {
                    requests.write(ReviewRequest::With(effort));
                }
            }
        });
        if !allowed {
            dim(ui, self.palette, words.say("review.not-now"));
        }
    }

    /// While a review runs: how far it is, and how to stop it.
    fn running(&self, ui: &mut Ui, part: f32, requests: &mut Requests) {
        let size = vec2(ui.available_width(), row_height(ui, 32.0));
        ui.allocate_ui_with_layout(size, egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if button(ui, self.words.say("review.stop"), true).clicked() {
                requests.write(ReviewRequest::Stop);
            }
            let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 32.0), Sense::hover());
            let key = if self.seen.review.waits() { "review.waits" } else { "review.running" };
            let text = self.words.with(key, format!("{:.0}%", part * 100.0));
            response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::ProgressIndicator, true, &text));
            let painter = ui.painter();
            painter.text(rect.left_top(), Align2::LEFT_TOP, &text, FontId::proportional(SMALL), self.palette.dim());
            let bar = Rect::from_min_max(pos2(rect.left(), rect.bottom() - 8.0), pos2(rect.right(), rect.bottom() - 2.0));
            painter.rect_filled(bar, 3.0, colour(self.palette.panel().raised));
            let done = Rect::from_min_size(bar.min, vec2(bar.width() * part.clamp(0.0, 1.0), bar.height()));
            painter.rect_filled(done, 3.0, self.palette.accent());
        });
    }

    /// Accuracy and counts of both sides; a count leads to the next such move.
    fn table(&self, ui: &mut Ui, summary: &Summary, requests: &mut Requests) {
        ui.spacing_mut().item_spacing.y = 2.0;
        self.row(
            ui,
            |ui, page, side, rect| {
                let name = page.words.of(&page.current.game().sheet.sides[side]);
                let text =
                    ui.painter().layout(name.to_owned(), FontId::proportional(SMALL), page.palette.dim(), rect.width() - 16.0);
                let left = rect.right() - text.size().x;
                let disc = pos2(left - 10.0, rect.center().y);
                let edge = Stroke::new(1.0, page.palette.dim());
                ui.painter().circle(disc, 5.0, side_colour(page.current, page.palette, side), edge);
                ui.painter().galley(pos2(left, rect.center().y - text.size().y / 2.0), text, page.palette.dim());
            },
            None,
        );
        let accuracy = |side: Side| match summary.sides[side].accuracy {
            Some(accuracy) => format!("{accuracy:.0}%"),
            None => "-".to_owned(),
        };
        let told = Side::BOTH.map(|side| format!("{} {}", self.words.of(&self.current.game().sheet.sides[side]), accuracy(side)));
        ui.announce(format!("{}: {}", self.words.say("review.accuracy"), told.join(", ")));
        self.row(
            ui,
            |ui, page, side, rect| {
                let font = FontId::proportional(BODY);
                ui.painter().text(rect.right_center(), Align2::RIGHT_CENTER, accuracy(side), font, page.palette.text());
            },
            Some((self.words.say("review.accuracy"), None)),
        );
        for (judgement, key) in COUNTED {
            self.row(
                ui,
                |ui, page, side, rect| {
                    let count = summary.sides[side].count(judgement);
                    let label =
                        format!("{}, {}: {count}", page.words.of(&page.current.game().sheet.sides[side]), page.words.say(key));
                    let response = ui.interact(
                        rect,
                        ui.id().with(("count", judgement.key(), side)),
                        if count > 0 { Sense::click() } else { Sense::hover() },
                    );
                    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, count > 0, &label));
                    let ink = if count > 0 { tone(judgement) } else { page.palette.dim() };
                    if count > 0 && (response.hovered() || response.has_focus()) {
                        let cell =
                            Rect::from_min_max(pos2(rect.right() - 32.0, rect.top()), pos2(rect.right() + 4.0, rect.bottom()));
                        ui.painter().rect_filled(cell, 4.0, colour(page.palette.panel().hover));
                        if response.has_focus() {
                            ui.painter().rect_stroke(cell, 4.0, Stroke::new(2.0, page.palette.accent()), StrokeKind::Inside);
                        }
                    }
                    let font = FontId::proportional(BODY);
                    ui.painter().text(rect.right_center(), Align2::RIGHT_CENTER, count.to_string(), font, ink);
                    if response.clicked()
                        && let Some(node) = page.next_of(side, judgement)
                    {
                        requests.write(CursorRequest::Go(Go::To(node)));
                    }
                },
                Some((self.words.say(key), judgement.glyph().and_then(|glyph| glyph.sign()).map(|sign| (sign, tone(judgement))))),
            );
        }
    }

    /// A row of the table: what it is about, and a cell for each side.
    fn row(
        &self,
        ui: &mut Ui,
        mut cell: impl FnMut(&mut Ui, &Page, Side, Rect),
        label: Option<(&str, Option<(&str, egui::Color32)>)>,
    ) {
        // A row with a sign has counts that can be pressed.
        let high = if label.is_some_and(|(_, sign)| sign.is_some()) { row_height(ui, ROW) } else { ROW };
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), high), Sense::hover());
        if let Some((text, sign)) = label {
            let font = FontId::proportional(SMALL);
            if let Some((sign, ink)) = sign {
                ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, sign, FontId::proportional(BODY), ink);
            }
            let at = pos2(rect.left() + 24.0, rect.center().y);
            ui.painter().text(at, Align2::LEFT_CENTER, text, font, self.palette.dim());
        }
        for (side, right) in [(Side::First, rect.right() - COLUMN), (Side::Second, rect.right() - 4.0)] {
            let place = Rect::from_min_max(pos2(right - COLUMN + 8.0, rect.top()), pos2(right, rect.bottom()));
            cell(ui, self, side, place);
        }
    }

    /// The next move of a side that was judged like this, behind the place that is shown; from the beginning where there is none.
    fn next_of(&self, side: Side, judgement: Judgement) -> Option<NodeId> {
        let played = self.current.played();
        let here = played.ply_on_line(self.current.cursor()) - played.given();
        let is_one = |id: &&NodeId| {
            self.current.verdict_at(**id).is_some_and(|verdict| verdict.mover == side && verdict.judgement == judgement)
        };
        let line = played.line();
        line[here.min(line.len())..].iter().find(is_one).or_else(|| line.iter().find(is_one)).copied()
    }

    /// The move that decided the game.
    fn turning_point(&self, ui: &mut Ui, summary: &Summary, requests: &mut Requests) {
        let Some(index) = summary.turning_point.and_then(|ply| ply.checked_sub(1)) else { return };
        let Some(node) = self.current.played().line().get(index).copied() else { return };
        let text = self.words.with("review.turning-point", self.move_text(index).unwrap_or_default());
        let width = ui.available_width();
        if wide_button(ui, &text, width, true).tip(self.words.say("review.turning-point.note")).clicked() {
            requests.write(CursorRequest::Go(Go::To(node)));
        }
    }

    /// The ways to learn from mistakes: for the person who played, else for each side that made some.
    fn lessons(&self, ui: &mut Ui, requests: &mut Requests) {
        let bad = |side: &Side| !Learn::mistakes_of(self.current, *side).is_empty();
        let people: Vec<Side> =
            Side::BOTH.into_iter().filter(|side| self.current.seats()[self.current.seat_of(*side)] == SeatSpec::Human).collect();
        let sides: Vec<Side> =
            Side::BOTH.into_iter().filter(|side| people.len() != 1 || people.contains(side)).filter(bad).collect();
        if sides.is_empty() {
            return;
        }
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 8.0 * (sides.len() as f32 - 1.0)) / sides.len() as f32;
            for side in &sides {
                let text = match sides.len() {
                    1 => self.words.say("learn.begin").to_owned(),
                    _ => self.words.with("learn.begin.side", self.words.of(&self.current.game().sheet.sides[*side])),
                };
                if wide_button(ui, &text, width, true).tip(self.words.say("learn.note")).clicked() {
                    requests.write(LearnStep::Begin(*side));
                }
            }
        });
    }

    /// From mistake to mistake, and the review once more.
    pub(super) fn foot(&self, ui: &mut Ui, requests: &mut Requests) {
        let reviewed = GameReview::summary(self.current).is_some();
        ui.allocate_ui_with_layout(vec2(ui.available_width(), FOOT - 8.0), egui::Layout::left_to_right(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let width = (ui.available_width() - 12.0) / 3.0;
            let learns = self.seen.learn.is_shown(self.current);
            for (key, forward) in [("review.previous", false), ("review.next", true)] {
                let any = reviewed && !learns && GameReview::next_error(self.current, forward).is_some();
                if wide_button(ui, self.words.say(key), width, any).clicked() {
                    requests.write(ReviewRequest::NextError(forward));
                }
            }
            let runs = self.seen.review.progress().is_some();
            if wide_drawn_button(ui, Icon::Again, self.words.say("review.again"), width, reviewed && !runs && !learns)
                .tip(self.words.say("review.again.note"))
                .clicked()
            {
                requests.write(ReviewRequest::With(Effort::Thorough));
            }
        });
    }

    /// A move of the match with its number, counted from 0.
    pub(super) fn move_text(&self, index: usize) -> Option<String> {
        let entry = self.sheet.line().filter(|entry| entry.node != Tree::ROOT).nth(index)?;
        let dots = if entry.side == Some(Side::Second) { "…" } else { "." };
        Some(format!("{}{dots} {}", entry.number, entry.text))
    }
}
