//! Exact results: the value of each move of a solved game, a value bar beside the board, and in the panel the mistakes and their
//! refutations. Values differ in shape as well as in colour.

use super::activity::register;
use super::board_place;
use super::draw::Draw;
use super::panel::{Place, Room};
use super::speech::News;
use super::style::{BODY, Palette, SMALL, colour};
use super::value_bar::{BarValue, bar};
use super::walk;
use super::widgets::{Icon, button, dim, icon_button, wide_drawn_button, with_key};
use crate::app::explore::{Preparations, REFUTATION, Refutation, ShownRefutation, Truth};
use crate::app::hand::Selection;
use crate::app::layout::{Layout, Shape};
use crate::app::play::{CurrentMatch, in_match};
use crate::app::requests::{LayoutRequest, PrepareRequest, RefuteRequest, Requests, TruthRequest};
use crate::app::settings::Settings;
use crate::app::view::Moving;
use crate::app::words::Words;
use crate::ui::typesetting::{Prose, Tip};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Color32, FontId, Pos2, Rect, RichText, Shape as Drawn, Stroke, Ui, pos2, vec2};
use qiju_core::rules::{Point, Side};
use qiju_core::search::{Known, Verdict};
use qiju_core::study::{Judged, SolvedGame};
use qiju_core::table::{Action, Notation, Table};

/// Colours of won, drawn and lost, also for red-green colour blindness.
const WON: Color32 = Color32::from_rgb(0x3B, 0xC4, 0x9A);
const DRAWN: Color32 = Color32::from_rgb(0xC9, 0xC4, 0xB8);
const LOST: Color32 = Color32::from_rgb(0xF2, 0x8A, 0x52);
/// The background of badges, on every board.
const GROUND: Color32 = Color32::from_rgb(0x26, 0x22, 0x1E);

fn tone(known: Known) -> Color32 {
    match known {
        Known::Win => WON,
        Known::Draw => DRAWN,
        Known::Loss => LOST,
    }
}

/// The sign of a value: up, level, down; `size` is its width.
fn sign(painter: &egui::Painter, at: Pos2, known: Known, size: f32) {
    let half = size / 2.0;
    let tone = tone(known);
    let triangle = |way: f32| {
        let points =
            vec![at + vec2(-half, half * 0.8 * way), at + vec2(half, half * 0.8 * way), at + vec2(0.0, -half * 0.9 * way)];
        Drawn::convex_polygon(points, tone, Stroke::NONE)
    };
    match known {
        Known::Win => drop(painter.add(triangle(1.0))),
        Known::Loss => drop(painter.add(triangle(-1.0))),
        Known::Draw => {
            for y in [-0.24, 0.24] {
                let bar = Rect::from_center_size(at + vec2(0.0, y * size), vec2(size, size * 0.22));
                painter.rect_filled(bar, 1.0, tone);
            }
        }
    }
}

/// A badge on the board: the sign of a value and its distance in plies.
fn badge(painter: &egui::Painter, at: Pos2, verdict: Verdict, em: f32) {
    let text = match (verdict.known, verdict.plies) {
        (Known::Draw, _) | (_, None) => String::new(),
        (_, Some(plies)) => plies.to_string(),
    };
    let number = painter.layout_no_wrap(text, FontId::proportional(em), Color32::WHITE);
    let icon = em * 0.72;
    let gap = if number.size().x > 0.0 { em * 0.28 } else { 0.0 };
    let inner = icon + gap + number.size().x;
    let size = vec2(inner + em * 0.9, em * 1.55);
    let rect = Rect::from_center_size(at.round(), size);
    painter.rect_filled(rect, size.y / 2.0, GROUND.gamma_multiply(0.92));
    painter.rect_stroke(rect, size.y / 2.0, Stroke::new(1.0, tone(verdict.known)), egui::StrokeKind::Inside);
    let left = rect.center().x - inner / 2.0;
    sign(painter, pos2(left + icon / 2.0, rect.center().y), verdict.known, icon);
    painter.galley(pos2(left + icon + gap, rect.center().y - number.size().y / 2.0), number, Color32::WHITE);
}

/// The places of badges: on the targets of the selected piece; without a selection, beside each piece its best value; in games where pieces are placed, on the points.
fn badges(choices: &[(Action, Verdict)], picked: Option<Point>) -> Vec<(Point, Verdict, bool)> {
    let mut out: Vec<(Point, Verdict, bool)> = Vec::new();
    for &(action, verdict) in choices {
        match action {
            Action::Drop(at) => out.push((at, verdict, false)),
            Action::Step { from, to } if picked == Some(from) => out.push((to, verdict, false)),
            Action::Step { from, .. } if picked.is_none() => match out.iter_mut().find(|(at, ..)| *at == from) {
                Some((_, best, _)) if best.rank() < verdict.rank() => *best = verdict,
                Some(_) => {}
                None => out.push((from, verdict, true)),
            },
            _ => {}
        }
    }
    out
}

fn overlay(
    mut contexts: EguiContexts,
    current: Res<CurrentMatch>,
    (truth, refutation, selection): (Res<Truth>, Res<Refutation>, Res<Selection>),
    (layout, palette, settings): (Res<Layout>, Res<Palette>, Res<Settings>),
    moving: Query<(), With<Moving>>,
) -> Result {
    let line = refutation.shown(&current);
    if !current.truth_allowed() || !(truth.is_on() || line.is_some()) {
        return Ok(());
    }
    let ctx = contexts.ctx_mut()?;
    let painter = ctx.layer_painter(egui::LayerId::background());
    let cell = layout.interface_cell();
    let back = current.is_looking_back();
    if line.is_none() && moving.is_empty() && (back || current.human_to_move()) {
        let em = (cell * 0.15).clamp(11.0, 17.0);
        let picked = selection.picked.filter(|_| current.hand_moves());
        for (point, verdict, beside) in badges(truth.choices(&current), picked) {
            let middle = board_place::point(&layout, point);
            // Beside a piece, so that the piece stays visible.
            let offset = if beside { vec2(0.27, 0.29) * cell } else { vec2(0.0, 0.0) };
            badge(&painter, middle + offset, verdict, em);
        }
    }
    let shown = value_shown(&current, &truth, line.as_ref()).map(|(side, verdict)| {
        let plies = verdict.plies.filter(|plies| verdict.known != Known::Draw && *plies > 0);
        BarValue { share: share(side, verdict), text: plies.map(|plies| plies.to_string()).unwrap_or_default() }
    });
    bar(ctx, &painter, &current, &layout, &palette, shown, settings.speed > 0.0);
    Ok(())
}

/// The value of the position on the board, and its side; `None` while it is unknown.
fn value_shown(current: &CurrentMatch, truth: &Truth, line: Option<&ShownRefutation>) -> Option<(Side, Verdict)> {
    if let Some(line) = line {
        let last = line.last();
        let plies = last.verdict.plies.map(|plies| plies.saturating_sub(1));
        return Some((last.side, Verdict { plies, ..last.verdict }));
    }
    // What is over is won by no more moves.
    let ended = current.shown().outcome().or_else(|| current.outcome().filter(|_| !current.is_looking_back()));
    if let Some(winner) = ended.map(|outcome| outcome.winner) {
        let known = if winner.is_some() { Known::Win } else { Known::Draw };
        return Some((winner.unwrap_or(Side::First), Verdict { known, plies: Some(0) }));
    }
    truth.value(current).map(|verdict| (current.shown().turn(), verdict))
}

/// The first side's part of the bar: larger for an earlier win.
fn share(side: Side, verdict: Verdict) -> f32 {
    let lead = match verdict.known {
        Known::Draw => 0.0,
        _ => 0.25 + 0.25 * verdict.plies.map_or(0.0, |plies| 12.0 / (12.0 + plies as f32)),
    };
    let ahead = (verdict.known == Known::Win) == (side == Side::First);
    0.5 + if ahead { lead } else { -lead }
}

/// The section of the panel.
#[derive(bevy::ecs::system::SystemParam)]
pub struct TruthSection<'w> {
    truth: Res<'w, Truth>,
    refutation: Res<'w, Refutation>,
    preparations: Res<'w, Preparations>,
    settings: Res<'w, Settings>,
    layout: Res<'w, Layout>,
}

/// The heights of the row with the switch, of the text about a mistake, and of the line about background work.
const SWITCH: f32 = 40.0;
const SAID: f32 = 104.0;
const WORK: f32 = 36.0;

/// The section: a refutation that is shown, or the switch and the mistakes. In a row there is room for the refutation alone.
fn section(
    (InMut(ui), In(room)): (InMut<Ui>, In<Room>),
    section: TruthSection,
    current: Res<CurrentMatch>,
    (words, palette): (Res<Words>, Res<Palette>),
    mut requests: Requests,
) -> bool {
    let (line, requests) = (section.refutation.shown(&current), &mut requests);
    if room == Room::Row {
        let line = line.filter(|_| !(section.layout.shape == Shape::Folded && section.layout.panel_open));
        return line.map(|line| line_row(ui, &line, &current, (&words, &palette), requests)).is_some();
    }
    if !current.truth_allowed() {
        return false;
    }
    let mistakes = section.shows_mistakes(&current);
    let said = if line.is_some() || mistakes { SAID } else { 0.0 };
    let size = vec2(ui.available_width(), SWITCH + said + if section.shows_work() { WORK } else { 0.0 });
    ui.allocate_ui_with_layout(size, egui::Layout::top_down(egui::Align::Min), |ui| {
        ui.set_min_height(size.y);
        ui.spacing_mut().item_spacing.y = 4.0;
        if let Some(line) = line {
            line_controls(ui, &line, &current, &words, &palette, requests);
        } else {
            section.switch(ui, &current, &words, &palette, requests);
            if mistakes {
                section.mistakes(ui, &current, &words, &palette, requests);
            }
        }
        if section.shows_work() {
            work_line(ui, &section.preparations, &current, &words, &palette, requests);
        }
    });
    true
}

impl TruthSection<'_> {
    /// The exact results of the game so far.
    fn review(&self) -> Option<&SolvedGame> {
        self.truth.review()
    }

    fn shows_mistakes(&self, current: &CurrentMatch) -> bool {
        let looks = self.truth.is_on() || current.outcome().is_some();
        looks && self.review().is_some_and(|review| review.mistakes().next().is_some())
    }

    fn shows_work(&self) -> bool {
        let asleep = self.preparations.is_left() && !self.settings.background_work;
        self.preparations.progress().is_some() || (self.truth.is_on() && asleep)
    }

    fn switch(&self, ui: &mut Ui, current: &CurrentMatch, words: &Words, palette: &Palette, requests: &mut Requests) {
        let below = ui.horizontal(|ui| {
            let on = self.truth.is_on();
            let switch = super::widgets::switch(ui, palette, Icon::Truth, words.say("truth.title"), on);
            if switch.tip(with_key(words, words.say("truth.note"), TruthRequest, requests)).clicked() {
                requests.write(TruthRequest);
            }
            if !on {
                return None;
            }
            let said = match (self.review(), value_shown(current, &self.truth, None)) {
                (None, _) => words.say("truth.looking").to_owned(),
                (Some(_), Some((side, verdict))) if !ended(current) => worth_text(current, words, side, verdict),
                _ => String::new(),
            };
            ui.announce(&said);
            let text = egui::WidgetText::from(RichText::new(&said).size(SMALL));
            let galley = text.into_galley(ui, Some(egui::TextWrapMode::Extend), f32::INFINITY, egui::TextStyle::Body);
            let fits = galley.size().x <= ui.available_width();
            if fits {
                ui.label(galley);
            }
            (!fits).then_some(said)
        });
        if let Some(said) = below.inner {
            ui.prose(RichText::new(said).size(SMALL));
        }
    }

    fn mistakes(&self, ui: &mut Ui, current: &CurrentMatch, words: &Words, palette: &Palette, requests: &mut Requests) {
        let Some(review) = self.review() else { return };
        let all: Vec<usize> = review.mistakes().collect();
        let Some(last) = all.len().checked_sub(1) else { return };
        // The mistake shown: the last one, until the user goes back. A new mistake is shown again.
        let memory = egui::Id::new(("mistake", current.seed(), all.len()));
        let chosen = ui.data(|data| data.get_temp::<usize>(memory)).unwrap_or(last).min(last);
        let ply = all[chosen];
        let notation = self.settings.notation(current.table(), words.language);
        said_of_mistake(ui, (current, notation), (words, palette), ply, &review.moves[ply]);
        let resting = current.outcome().is_some() || current.human_to_move();
        ui.horizontal(|ui| {
            let go = |ui: &mut Ui, to: usize| ui.data_mut(|data| data.insert_temp(memory, to));
            if icon_button(ui, Icon::Back, words.say("mistake.back"), 36.0, chosen > 0).clicked() {
                go(ui, chosen - 1);
            }
            dim(ui, palette, format!("{} / {}", chosen + 1, all.len()));
            if icon_button(ui, Icon::Forward, words.say("mistake.forward"), 36.0, chosen < last).clicked() {
                go(ui, chosen + 1);
            }
            let width = ui.available_width();
            if wide_drawn_button(ui, Icon::Play, words.say("mistake.show"), width, resting && !self.refutation.is_sought())
                .clicked()
            {
                requests.write(RefuteRequest(ply));
                // It is played on the board, which the unfolded panel would cover.
                if self.layout.panel_takes_room() {
                    requests.write(LayoutRequest::Panel);
                }
            }
        });
    }
}

/// The controls of a refutation that is shown: its progress, the last move, and the buttons.
fn line_controls(
    ui: &mut Ui,
    shown: &ShownRefutation,
    current: &CurrentMatch,
    words: &Words,
    palette: &Palette,
    requests: &mut Requests,
) {
    let (line, at) = (shown.line, shown.at);
    ui.news(RichText::new(line_step(shown, words)).size(BODY));
    ui.news(RichText::new(line_said(shown, current, words)).size(SMALL));
    let rest: Vec<&str> = line[at..].iter().map(|one| one.text.as_str()).collect();
    // Where the line ends before the game does, it says why.
    let rest = if rest.is_empty() && is_unfinished(shown) { words.say("walk.unknown").to_owned() } else { rest.join("  ") };
    ui.add(egui::Label::new(RichText::new(rest).size(SMALL).color(palette.dim())).truncate());
    walk::in_panel(ui, words, (at > 1, at < line.len()), requests);
}

/// True where a line ends although the game goes on: which of the winning moves leads on is not known before the exact distances are.
fn is_unfinished(shown: &ShownRefutation) -> bool {
    shown.line.last().is_some_and(|last| last.verdict.known != Known::Draw && last.verdict.plies.is_none())
}

/// True if the board shows the end of the match.
fn ended(current: &CurrentMatch) -> bool {
    current.outcome().is_some() && !current.is_looking_back()
}

/// A line in one row: how far it is, its last move, and the buttons.
fn line_row(
    ui: &mut Ui,
    shown: &ShownRefutation,
    current: &CurrentMatch,
    (words, palette): (&Words, &Palette),
    requests: &mut Requests,
) {
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        let (line, at) = (shown.line, shown.at);
        walk::at_the_right(ui, words, (at > 1, at < line.len()), requests);
        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.news(RichText::new(line_step(shown, words)).size(SMALL).color(palette.dim()));
            ui.news(RichText::new(line_said(shown, current, words)).size(SMALL));
        });
    });
}

/// The progress of a line.
fn line_step(shown: &ShownRefutation, words: &Words) -> String {
    words.fill("walk.step", &[&(shown.at - 1).to_string(), &(shown.line.len() - 1).to_string()])
}

/// The last move of the line, and its value.
fn line_said(shown: &ShownRefutation, current: &CurrentMatch, words: &Words) -> String {
    let last = shown.last();
    let side = words.of(&current.game().sheet.sides[last.side]);
    let said = match current.shown().outcome() {
        Some(outcome) => outcome_text(current, words, outcome.winner),
        None => worth_after(current, words, last.side, last.verdict),
    };
    format!("{side} {} · {said}", last.text)
}

fn outcome_text(current: &CurrentMatch, words: &Words, winner: Option<Side>) -> String {
    match winner {
        None => words.say("result.draw").to_owned(),
        Some(side) => words.with("result.wins", words.of(&current.game().sheet.sides[side])),
    }
}

/// The text of a value, for its side.
pub fn worth_text(current: &CurrentMatch, words: &Words, side: Side, verdict: Verdict) -> String {
    let winner = match verdict.known {
        Known::Draw => return words.say("truth.draw").to_owned(),
        Known::Win => side,
        Known::Loss => !side,
    };
    let name = words.of(&current.game().sheet.sides[winner]);
    match verdict.plies {
        Some(plies) if plies > 0 => words.fill("truth.wins", &[name, &plies.to_string()]),
        _ => words.with("result.wins", name),
    }
}

/// The same for a move that was made: one ply less is left.
fn worth_after(current: &CurrentMatch, words: &Words, side: Side, verdict: Verdict) -> String {
    let plies = verdict.plies.map(|plies| plies.saturating_sub(1));
    worth_text(current, words, side, Verdict { plies, ..verdict })
}

fn said_of_mistake(
    ui: &mut Ui,
    (current, notation): (&CurrentMatch, Notation),
    (words, palette): (&Words, &Palette),
    ply: usize,
    judged: &Judged,
) {
    let table = current.table();
    // The side that made it, and the number of its row in the list of moves.
    let first = if table.ply().is_multiple_of(2) { table.turn() } else { !table.turn() };
    let side = if ply.is_multiple_of(2) { first } else { !first };
    let row = (ply + first.index()) / 2 + 1;
    let name = words.of(&current.game().sheet.sides[side]);
    let what = match (judged.best.1.known, judged.played.1.known) {
        (Known::Win, Known::Draw) => "mistake.win-draw",
        (Known::Win, _) => "mistake.win-loss",
        _ => "mistake.draw-loss",
    };
    let text = table.played_text(notation).get(ply).cloned().unwrap_or_default();
    let headline = format!("{row}. {name} {text} · {}", words.say(what));
    ui.news(RichText::new(headline).size(SMALL).color(colour(palette.panel().danger)));
    let better = write_at(table, ply, judged.best.0, notation).unwrap_or_default();
    let worth = match judged.best.1.known {
        Known::Draw => words.say("value.draw").to_owned(),
        _ => worth_text(current, words, side, judged.best.1),
    };
    let better = words.fill("mistake.better", &[&better, &worth]);
    ui.news(RichText::new(better).size(SMALL).color(palette.dim()));
}

/// The text of a move in an earlier position.
fn write_at(table: &dyn Table, ply: usize, action: Action, notation: Notation) -> Option<String> {
    let mut table = table.boxed_clone();
    while table.ply() > ply {
        table.undo()?;
    }
    table.write(action, notation)
}

/// The line about background work, with the button to stop or continue it.
fn work_line(
    ui: &mut Ui,
    preparations: &Preparations,
    current: &CurrentMatch,
    words: &Words,
    palette: &Palette,
    requests: &mut Requests,
) {
    let variant = current.table().setup().variant.clone().unwrap_or_default();
    work(ui, preparations, (current.game().entry.key, variant), words, palette, requests);
}

/// The same for a game that is not open.
pub fn work(
    ui: &mut Ui,
    preparations: &Preparations,
    (game, variant): (&'static str, String),
    words: &Words,
    palette: &Palette,
    requests: &mut Requests,
) {
    ui.horizontal(|ui| {
        let said = match preparations.progress() {
            Some(part) => words.with("work.progress", (part * 100.0).floor()),
            None => words.say("work.left").to_owned(),
        };
        dim(ui, palette, said);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let running = preparations.progress().is_some();
            if button(ui, words.say(if running { "work.stop" } else { "work.begin" }), true).clicked() {
                requests.change(move |settings: &mut Settings| settings.background_work = !running);
                if !running {
                    requests.write(PrepareRequest { game, variant });
                }
            }
        });
    });
}

pub(super) fn plugin(app: &mut App) {
    register(app, REFUTATION).section(Place::Below(3), section);
    app.add_systems(EguiPrimaryContextPass, overlay.in_set(Draw::Screen).run_if(in_match.and_then(resource_exists::<Palette>)));
}
