//! The bar beside the board that shows who is ahead, by what is certain or by what the engine thinks; and the engine's first moves where stones are
//! put, as numbered discs with the chance to win.

use super::board_place;
use super::draw::Draw;
use super::style::{Palette, SMALL, colour};
use crate::app::explore::Analysis;
use crate::app::layout::Layout;
use crate::app::play::{CurrentMatch, in_match};
use crate::app::settings::Settings;
use crate::app::view::Moving;
use crate::app::words::Words;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Color32, FontId, Rect, Stroke, pos2, vec2};
use qiju_core::rules::Side;
use qiju_core::search::Value;
use qiju_core::table::{Action, Shape};

/// Width of the bar, its distance from the board, and seconds in which it moves.
const WIDTH: f32 = 12.0;
const GAP: f32 = 10.0;
const SECONDS: f32 = 0.3;
/// What the value stands on.
const GROUND: Color32 = Color32::from_rgb(0x26, 0x22, 0x1E);

/// What the bar shows.
#[derive(Clone, Debug, PartialEq)]
pub struct BarValue {
    /// The first side's part, 0 to 1.
    pub share: f32,
    /// What is written at the end of the side that is ahead; nothing where it is empty.
    pub text: String,
}

/// A side's colour.
pub fn side_colour(current: &CurrentMatch, palette: &Palette, side: Side) -> Color32 {
    let theme = &palette.theme;
    match current.game().sheet.shape {
        Shape::Stone { first_is_dark } if (side == Side::First) == first_is_dark => colour(theme.slate),
        Shape::Stone { .. } => colour(theme.shell),
        Shape::Disc => colour(theme.inks[side]),
        Shape::Mark => colour(theme.pens[side]),
    }
}

/// The bar on the desk beside the board, the lower side's part below. Until a value is known the one before stays.
pub fn bar(
    ctx: &egui::Context,
    painter: &egui::Painter,
    current: &CurrentMatch,
    layout: &Layout,
    palette: &Palette,
    worth: Option<BarValue>,
    moves: bool,
) {
    let Some(body) = board_place::body(layout, current) else { return };
    let left = (body.left() - GAP - WIDTH).max(4.0);
    let rect = Rect::from_min_size(pos2(left, body.top()), vec2(WIDTH, body.height()));
    // Another match begins without a value.
    let memory = egui::Id::new(("value bar", current.played().number()));
    let last: Option<f32> = ctx.data(|data| data.get_temp(memory));
    let Some(target) = worth.as_ref().map(|worth| worth.share).or(last) else { return };
    ctx.data_mut(|data| data.insert_temp(memory, target));
    let shown = if moves { ctx.animate_value_with_time(memory, target, SECONDS) } else { target };
    let below = layout.below;
    let part = if below == Side::First { shown } else { 1.0 - shown };
    let cut = rect.bottom() - rect.height() * part;
    painter.rect_filled(rect, 4.0, side_colour(current, palette, !below));
    if part > 0.0 {
        let lower = egui::CornerRadius { nw: 0, ne: 0, sw: 4, se: 4 };
        let lower = if part >= 1.0 { egui::CornerRadius::same(4) } else { lower };
        painter.rect_filled(Rect::from_min_max(pos2(rect.left(), cut), rect.max), lower, side_colour(current, palette, below));
    }
    painter.rect_stroke(rect, 4.0, Stroke::new(1.0, palette.dim()), egui::StrokeKind::Outside);
    painter.hline(rect.x_range(), rect.center().y.round(), Stroke::new(1.0, palette.dim()));
    if part > 0.0 && part < 1.0 {
        painter.hline(rect.expand2(vec2(3.0, 0.0)).x_range(), cut.round(), Stroke::new(2.0, palette.accent()));
    }
    if let Some(text) = worth.map(|worth| worth.text).filter(|text| !text.is_empty()) {
        let number = painter.layout_no_wrap(text, FontId::proportional(SMALL), Color32::WHITE);
        let size = number.size() + vec2(8.0, 2.0);
        let ahead_is_below = part >= 0.5;
        let y = if ahead_is_below { rect.bottom() - size.y } else { rect.top() + size.y };
        let at = pos2(rect.center().x.max(size.x / 2.0 + 2.0), y);
        let pill = Rect::from_center_size(at, size);
        painter.rect_filled(pill, 6.0, GROUND);
        painter.galley(pill.min + vec2(4.0, 1.0), number, Color32::WHITE);
    }
}

/// A value from the first side's view, short.
fn short(value: Value) -> String {
    match value {
        Value::Cp(cp) => format!("{:+.1}", f64::from(cp) / 100.0),
        Value::Mate(moves) => format!("#{}", moves.abs()),
        Value::Exact(verdict) => verdict.plies.filter(|plies| *plies > 0).map(|plies| plies.to_string()).unwrap_or_default(),
    }
}

/// The colour of the engine's line of this rank, from 0, and the ink on it.
pub(super) fn rank_colours(palette: &Palette, rank: usize) -> (Color32, Color32) {
    let ranks = &palette.theme.ranks;
    let tone = colour(ranks[rank.min(ranks.len() - 1)]);
    let light = 0.299 * f32::from(tone.r()) + 0.587 * f32::from(tone.g()) + 0.114 * f32::from(tone.b());
    (tone, if light > 140.0 { Color32::from_gray(24) } else { Color32::WHITE })
}

/// The number of a line on a disc in the colour of its rank.
pub fn rank_disc(painter: &egui::Painter, at: egui::Pos2, radius: f32, rank: usize, palette: &Palette) {
    let (tone, ink) = rank_colours(palette, rank);
    painter.circle(at, radius, tone, Stroke::new(1.5, Color32::from_white_alpha(220)));
    let number = painter.layout_no_wrap((rank + 1).to_string(), FontId::proportional((radius * 1.15).max(10.0)), ink);
    painter.galley(at - number.size() / 2.0, number, ink);
}

fn draw(
    mut contexts: EguiContexts,
    (current, analysis): (Res<CurrentMatch>, Res<Analysis>),
    (layout, palette, settings, words): (Res<Layout>, Res<Palette>, Res<Settings>, Res<Words>),
    moving: Query<(), With<Moving>>,
) -> Result {
    if !analysis.is_on() || !current.can_be_analysed() || !current.help_allowed() {
        return Ok(());
    }
    let ctx = contexts.ctx_mut()?;
    let painter = ctx.layer_painter(egui::LayerId::background());
    let outcome = current.shown().outcome().or_else(|| current.outcome().filter(|_| !current.is_looking_back()));
    let worth = match outcome {
        Some(outcome) => {
            let share = outcome.winner.map_or(0.5, |side| if side == Side::First { 1.0 } else { 0.0 });
            Some(BarValue { share, text: String::new() })
        }
        None => analysis.lines().next().map(|line| BarValue { share: line.chance.part() as f32, text: short(line.value) }),
    };
    bar(ctx, &painter, &current, &layout, &palette, worth, settings.speed > 0.0);
    if outcome.is_some() || !moving.is_empty() {
        return Ok(());
    }
    let turn = current.shown().turn();
    let cell = layout.interface_cell();
    for (rank, line) in analysis.lines().enumerate() {
        let Some(Action::Drop(at)) = line.first() else { continue };
        let (_, chance) = line.seen_by(turn);
        candidate(&painter, board_place::point(&layout, at), cell, (rank, words.chance(chance)), &palette);
    }
    Ok(())
}

/// A candidate: its number on a disc in the colour of its rank, the chance to win below. A light edge and a square foot tell it from a stone.
fn candidate(painter: &egui::Painter, at: egui::Pos2, cell: f32, (rank, chance): (usize, String), palette: &Palette) {
    let (tone, ink) = rank_colours(palette, rank);
    let radius = (0.30 * cell).clamp(8.0, 20.0);
    rank_disc(painter, at, radius, rank, palette);
    let text = painter.layout_no_wrap(chance, FontId::proportional((cell * 0.27).clamp(9.0, 13.0)), ink);
    let size = text.size() + vec2(6.0, 0.0);
    let pill = Rect::from_center_size(at + vec2(0.0, radius + size.y / 2.0 - 1.0), size);
    painter.rect_filled(pill, 4.0, tone);
    painter.galley(pill.min + vec2(3.0, 0.0), text, ink);
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(EguiPrimaryContextPass, draw.in_set(Draw::Screen).run_if(in_match.and_then(resource_exists::<Palette>)));
}
