//! The card of a guided experiment: what is told, the question, and what comes out.

use super::request::LabWish;
use super::shared::{Page, body, small};
use crate::app::requests::Requests;
use crate::ui::panel::value_text;
use crate::ui::style::{SMALL, colour};
use crate::ui::typesetting::in_lines;
use crate::ui::widgets::{Face, dim, face_button, least_side, row_height};
use bevy_egui::egui;
use egui::{FontId, RichText, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use qiju_core::search::Value;

impl Page<'_> {
    /// The experiment that is under way.
    pub(super) fn lesson(&self, ui: &mut Ui, requests: &mut Requests) {
        let Some((lesson, experiment)) = self.lab.lesson() else { return };
        let Some(step) = experiment.steps.get(lesson.step) else { return };
        let mut ask = |wish| {
            requests.write(wish);
        };
        let frame = egui::Frame::new()
            .fill(colour(self.palette.panel().raised))
            .stroke(Stroke::new(1.0, self.palette.accent()))
            .corner_radius(8.0)
            .inner_margin(12);
        frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 8.0;
            ui.horizontal(|ui| {
                dim(ui, self.palette, self.words.of(&experiment.title));
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    let leave = ui.add(
                        egui::Button::new(RichText::new(self.words.say("lab.leave")).size(SMALL))
                            .frame(false)
                            .min_size(least_side(ui)),
                    );
                    if leave.clicked() {
                        ask(LabWish::Experiment(None));
                    }
                });
            });
            let Some(figures) = lesson.figures() else {
                small(ui, self.words.say("lab.measuring"));
                return;
            };
            let value = |value: Value| value_text(value, self.words);
            let filled = |text: &str| figures.fill(text, &value);
            small(ui, filled(self.words.of(&step.text)));
            if let Some(question) = &step.question {
                for (number, option) in question.options.iter().enumerate() {
                    let text = filled(self.words.of(option));
                    if self.option(ui, &text, number, lesson.answer, question.right).clicked() {
                        ask(LabWish::Answer(number));
                    }
                }
                if let Some(answer) = lesson.answer {
                    let right = answer == question.right;
                    body(ui, self.words.say(if right { "lab.right" } else { "lab.wrong" }));
                    small(ui, filled(self.words.of(&question.after)));
                }
            }
            let last = lesson.step + 1 == experiment.steps.len();
            let answered = step.question.is_none() || lesson.answer.is_some();
            ui.horizontal(|ui| {
                let width = (ui.available_width() - 8.0) / 2.0;
                let back = Face { text: self.words.say("lab.previous"), ..Face::default() };
                if face_button(ui, back, vec2(width, 32.0), lesson.step > 0).clicked() {
                    ask(LabWish::Turn(false));
                }
                let key = if last { "lab.finish" } else { "lab.next" };
                let next = Face { text: self.words.say(key), filled: answered, ..Face::default() };
                if face_button(ui, next, vec2(width, 32.0), answered).clicked() {
                    ask(if last { LabWish::Experiment(None) } else { LabWish::Turn(true) });
                }
            });
            self.dots(ui, lesson.step, experiment.steps.len());
        });
    }

    /// An answer to choose; after the choice the right one is marked, and the chosen one.
    fn option(&self, ui: &mut Ui, text: &str, number: usize, answer: Option<usize>, right: usize) -> egui::Response {
        let space = ui.available_width();
        let font = FontId::proportional(SMALL);
        let galley = in_lines(ui, text, font, self.palette.text(), space - 40.0);
        let size = vec2(space, row_height(ui, (galley.size().y + 12.0).max(32.0)));
        let open = answer.is_none();
        let (rect, response) = ui.allocate_exact_size(size, if open { Sense::click() } else { Sense::hover() });
        let chosen = answer == Some(number);
        response.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::RadioButton, open, chosen, text));
        let panel = self.palette.panel();
        let fill = if open && response.hovered() { panel.hover } else { panel.surface };
        let edge = match (answer, response.has_focus()) {
            (Some(_), _) if number == right => Stroke::new(2.0, self.palette.accent()),
            (Some(_), _) if chosen => Stroke::new(1.5, colour(panel.danger)),
            (_, true) => Stroke::new(2.0, self.palette.accent()),
            _ => Stroke::new(1.0, self.hairline()),
        };
        ui.painter().rect(rect, 8.0, colour(fill), edge, StrokeKind::Inside);
        let middle = pos2(rect.left() + 16.0, rect.center().y);
        if answer.is_some() && number == right {
            crate::ui::widgets::Icon::Check.draw(ui.painter(), middle, 13.0, self.palette.accent());
        } else if chosen {
            crate::ui::widgets::Icon::Close.draw(ui.painter(), middle, 11.0, colour(panel.danger));
        } else {
            ui.painter().circle_stroke(middle, 5.0, Stroke::new(1.2, self.palette.dim()));
        }
        let at = pos2(rect.left() + 32.0, rect.center().y - galley.size().y / 2.0);
        ui.painter().galley(at, galley, self.palette.text());
        response
    }

    /// How far the experiment is, as dots.
    fn dots(&self, ui: &mut Ui, step: usize, steps: usize) {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 8.0), Sense::hover());
        let said = self.words.fill("lab.step-of", &[&(step + 1).to_string(), &steps.to_string()]);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::ProgressIndicator, true, &said));
        let left = rect.center().x - (steps as f32 - 1.0) * 7.0;
        for index in 0..steps {
            let ink = if index <= step { self.palette.accent() } else { self.hairline() };
            ui.painter().circle_filled(pos2(left + index as f32 * 14.0, rect.center().y), 3.5, ink);
        }
    }
}
