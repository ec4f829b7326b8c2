//! The card of the chosen node: its position, the moves that lead to it, its value, the window it was searched with, and how its search ended.

use super::request::LabWish;
use super::shared::{Page, body, small};
use super::view::TreeView;
use crate::app::requests::Requests;
use crate::ui::boards::Boards;
use crate::ui::scenes::Scene;
use crate::ui::style::SMALL;
use crate::ui::typesetting::Tip;
use crate::ui::widgets::{dim, hairline, least_side};
use bevy_egui::egui;
use egui::{FontId, Rect, RichText, Sense, Stroke, Ui, pos2, vec2};
use qiju_core::paint::Mark;
use qiju_core::search::{NodeEnd, Score, grouped};
use qiju_core::study::laboratory::{Playback, Stage};
use qiju_core::table::View;

/// The side of the position's picture, in logical pixels.
const BOARD: f32 = 196.0;
/// The height of the drawing of a window.
const WINDOW: f32 = 40.0;

impl Page<'_> {
    /// The card of the chosen node, or of the one that is being searched.
    pub(super) fn node(&self, ui: &mut Ui, view: &mut TreeView, boards: &mut Boards, requests: &mut Requests) {
        let Some(playback) = self.lab.playback() else { return };
        hairline(ui);
        let chosen = self.lab.chosen();
        let Some(node) = chosen.or(playback.current()) else {
            dim(ui, self.palette, self.words.say("lab.choose"));
            return;
        };
        let key = (self.lab.generation(), node);
        if view.card.as_ref().is_none_or(|(generation, of, _)| (*generation, *of) != key) {
            view.card = self.lab.position_of(node).map(|table| (key.0, key.1, Scene::still_of(&*table)));
        }
        let tree = playback.tree();
        let here = &tree.nodes[node as usize];
        ui.horizontal(|ui| {
            let title = match (&here.mv, chosen) {
                (None, _) => self.words.say("lab.root").to_owned(),
                (Some((_, text)), Some(_)) => self.words.with("lab.chosen", text),
                (Some((_, text)), None) => self.words.with("lab.searched-now", text),
            };
            body(ui, title);
            if chosen.is_some() {
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    let close = ui.add(
                        egui::Button::new(RichText::new(self.words.say("lab.let-go")).size(SMALL))
                            .frame(false)
                            .min_size(least_side(ui)),
                    );
                    if close.clicked() {
                        requests.write(LabWish::Choose(None));
                    }
                });
            }
        });
        let moves: Vec<&str> =
            tree.path(node).iter().filter_map(|id| tree.nodes[*id as usize].mv.as_ref()).map(|(_, text)| text.as_str()).collect();
        if moves.len() > 1 {
            dim(ui, self.palette, moves.join("  "));
        }
        let side = BOARD.min(ui.available_width());
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), side), Sense::hover());
        let told = self.told_of_node(playback, node);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Image, true, &told));
        let square = Rect::from_center_size(rect.center(), vec2(side, side));
        if let Some((_, _, scene)) = &view.card
            && let Some(board) = boards.within(ui.painter(), self.game, scene.size, square)
        {
            let shape = self.game.sheet.shape;
            let marks = here.mv.as_ref().map(|(action, _)| Mark::of_move(shape, *action)).unwrap_or_default();
            board.draw(ui.painter(), &scene.after(), &marks);
        }
        self.value_of(ui, playback, node);
        self.window(ui, playback, node);
        small(ui, self.why(playback, node));
    }

    /// Its value, and for whom it is.
    fn value_of(&self, ui: &mut Ui, playback: &Playback, node: u32) {
        let tree = playback.tree();
        let here = &tree.nodes[node as usize];
        let for_side = if tree.view == View::Root { tree.nodes[0].mover } else { here.mover };
        let seen = playback.seen(node);
        let text = match seen.best {
            Some(score) if seen.stage == Stage::Closed => self.value(score),
            Some(score) => self.words.with("lab.so-far", self.value(score)),
            None => self.words.say("lab.node.open").to_owned(),
        };
        body(ui, text);
        let told = match for_side == here.mover {
            true => self.words.with("lab.view.own", self.side(here.mover)),
            false => self.words.fill("lab.view", &[self.side(for_side), self.side(here.mover)]),
        };
        dim(ui, self.palette, told);
    }

    /// The window of alpha-beta as a line: what both sides already have, and where the value lies.
    fn window(&self, ui: &mut Ui, playback: &Playback, node: u32) {
        let here = &playback.tree().nodes[node as usize];
        let Some((alpha, beta)) = here.window else { return };
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), WINDOW), Sense::hover());
        let said = self.words.fill("lab.window", &[&self.bound(alpha), &self.bound(beta)]);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, &said));
        let y = rect.top() + 10.0;
        let (left, right) = (rect.left() + 34.0, rect.right() - 34.0);
        let painter = ui.painter();
        let dim = self.palette.dim();
        painter
            .line_segment([pos2(rect.left() + 4.0, y), pos2(rect.right() - 4.0, y)], Stroke::new(1.0, dim.gamma_multiply(0.5)));
        painter.line_segment([pos2(left, y), pos2(right, y)], Stroke::new(4.0, self.palette.accent().gamma_multiply(0.5)));
        for x in [left, right] {
            painter.line_segment([pos2(x, y - 6.0), pos2(x, y + 6.0)], Stroke::new(2.0, self.palette.accent()));
        }
        let font = FontId::proportional(SMALL);
        let ends = [
            (rect.left() + 4.0, egui::Align2::LEFT_CENTER, "alpha", alpha),
            (rect.right() - 4.0, egui::Align2::RIGHT_CENTER, "beta", beta),
        ];
        for (x, align, name, score) in ends {
            painter.text(pos2(x, y + 18.0), align, format!("{name}: {}", self.bound(score)), font.clone(), dim);
        }
        let seen = playback.seen(node);
        if let Some(score) = seen.best.filter(|_| seen.stage == Stage::Closed) {
            // Inside the window the value counts; at its ends or beyond it is a bound.
            let x = match score {
                score if score <= alpha => left - 14.0,
                score if score >= beta => right + 14.0,
                _ => (left + right) / 2.0,
            };
            painter.circle_filled(pos2(x, y), 5.0, self.palette.text());
        }
        response.tip(said);
    }

    /// How its search ended, and why moves were left out.
    fn why(&self, playback: &Playback, node: u32) -> String {
        let tree = playback.tree();
        let here = &tree.nodes[node as usize];
        if playback.seen(node).stage != Stage::Closed {
            return self.words.say("lab.why.open").to_owned();
        }
        let (own, other) = (self.side(here.mover), self.side(!here.mover));
        match here.end {
            NodeEnd::Leaf => self.words.say("lab.why.leaf").to_owned(),
            NodeEnd::GameOver => self.words.say("lab.why.over").to_owned(),
            NodeEnd::Table => self.words.say("lab.why.table").to_owned(),
            NodeEnd::CutOff(moves) => {
                let last = tree.children(node).last().and_then(|child| tree.nodes[child as usize].mv.as_ref());
                let text = last.map_or("", |(_, text)| text.as_str());
                let bound = here.window.map_or(Score::INFINITE, |(_, beta)| -beta);
                let (value, bound, moves) = (self.bound(here.score), self.bound(bound), grouped(moves as u64));
                self.words.fill("lab.why.cut", &[text, own, &value, other, &bound, &moves])
            }
            NodeEnd::Searched => match here.window {
                Some((alpha, _)) if here.score <= alpha && alpha.0.abs() <= Score::WIN.0 => {
                    self.words.fill("lab.why.low", &[own, &self.bound(alpha), own])
                }
                _ => self.words.say("lab.why.searched").to_owned(),
            },
        }
    }
}
