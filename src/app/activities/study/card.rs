//! What the review says about the move that is shown: its judgement, why it was bad, and the better line.

use super::Page;
use crate::app::explore::reason_text;
use crate::app::requests::{CursorRequest, Go, Requests};
use crate::ui::judgement;
use crate::ui::speech::News;
use crate::ui::style::{SMALL, colour};
use crate::ui::typesetting::Tip;
use crate::ui::widgets::{dim, row_height};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{RichText, Sense, Stroke, StrokeKind, Ui, vec2};
use qiju_core::table::{Action, Judgement, MoveVerdict, NodeId};

/// Height of the card, so that nothing jumps from move to move.
const HEIGHT: f32 = 116.0;
/// Moves of a line that are written.
const WRITTEN: usize = 8;

impl Page<'_> {
    /// The card of the move that is shown.
    pub(super) fn card(&self, ui: &mut Ui, requests: &mut Requests) {
        let frame = egui::Frame::new().fill(colour(self.palette.panel().raised)).corner_radius(6.0).inner_margin(10);
        frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.set_height(HEIGHT - 20.0);
            ui.spacing_mut().item_spacing.y = 4.0;
            let here = self.current.cursor();
            match self.current.verdict_at(here) {
                // The same verdict on another move is told again.
                Some(verdict) => drop(ui.push_id(here, |ui| self.verdict(ui, here, verdict, requests))),
                None => drop(dim(ui, self.palette, self.words.say("review.choose"))),
            }
        });
    }

    fn verdict(&self, ui: &mut Ui, here: NodeId, verdict: &MoveVerdict, requests: &mut Requests) {
        judgement::headline(ui, (self.words, self.palette), verdict);
        if !verdict.judgement.is_error() {
            if verdict.judgement == Judgement::Good
                && let Some(parent) = self.current.tree().previous(here)
            {
                self.line(ui, "review.better", parent, &verdict.best, requests);
            }
            return;
        }
        let Some(parent) = self.current.tree().previous(here) else { return };
        if let Some(reason) = &verdict.reason {
            let text = reason_text(reason, verdict.after, &self.current.game().sheet, self.words);
            ui.news(RichText::new(text).size(SMALL).color(self.palette.text()));
            if !reason.kind.is_missed() && reason.line.len() > 1 {
                self.line(ui, "review.shown", here, &reason.line[1..], requests);
            }
        }
        let missed = verdict.reason.as_ref().filter(|reason| reason.kind.is_missed()).map(|reason| &reason.line);
        self.line(ui, "review.better", parent, missed.unwrap_or(&verdict.best), requests);
    }

    /// A line of the tree that begins at a place; a click shows its first move.
    fn line(&self, ui: &mut Ui, key: &str, from: NodeId, moves: &[Action], requests: &mut Requests) {
        let tree = self.current.tree();
        let mut at = from;
        let mut texts = Vec::new();
        let mut first = None;
        for action in moves.iter().take(WRITTEN) {
            let Some(next) = tree.child_with(at, *action) else { break };
            first.get_or_insert(next);
            texts.extend(self.sheet.text(next));
            at = next;
        }
        let Some(first) = first else { return };
        let more = if moves.len() > texts.len() { " …" } else { "" };
        let text = format!("{} {}{more}", self.words.say(key), texts.join(" "));
        ui.announce(&text);
        let galley = egui::WidgetText::from(RichText::new(&text).size(SMALL)).into_galley(
            ui,
            Some(egui::TextWrapMode::Truncate),
            ui.available_width(),
            egui::TextStyle::Small,
        );
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), row_height(ui, 20.0)), Sense::click());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &text));
        let ink = if response.hovered() { self.palette.accent() } else { self.palette.text() };
        if response.has_focus() {
            ui.painter().rect_stroke(rect, 4.0, Stroke::new(2.0, self.palette.accent()), StrokeKind::Outside);
        }
        ui.painter().galley_with_override_text_color(rect.left_center() - vec2(0.0, galley.size().y / 2.0), galley, ink);
        if response.tip(self.words.say("review.show-line")).clicked() {
            requests.write(CursorRequest::Go(Go::To(first)));
        }
    }
}
