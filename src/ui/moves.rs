//! The score sheet: moves in two columns, each a place to go to, and the buttons that leaf through them.

use super::style::{BODY, Palette, SMALL};
use super::widgets::{Icon, dim, icon_button};
use crate::app::intent::{Go, Intent};
use crate::app::play::{CurrentMatch, ScoreSheet};
use crate::app::words::Words;
use crate::rules::Side;
use crate::table::Tree;
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Align, RichText, Ui, vec2};

/// Height of a row, in logical pixels.
const ROW: f32 = 24.0;
/// Width of the column of numbers.
const NUMBERS: f32 = 32.0;
/// Height of the row of buttons.
pub const LEAFING: f32 = 32.0;

/// The list, as high as asked.
pub fn list(
    ui: &mut Ui,
    (sheet, current): (&ScoreSheet, &CurrentMatch),
    (words, palette): (&Words, &Palette),
    height: f32,
    intents: &mut MessageWriter<Intent>,
) {
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.spacing_mut().interact_size.y = ROW;
    ui.spacing_mut().button_padding = vec2(4.0, 0.0);
    if sheet.moves.is_empty() {
        ui.allocate_ui_with_layout(vec2(ui.available_width(), height), egui::Layout::top_down(Align::Min), |ui| {
            ui.set_min_height(height);
            dim(ui, palette, words.say("play.no-moves"));
        });
        return;
    }
    let rows = rows(sheet);
    // In a variation it is the move after which it begins. An attempt goes its own way: none of its moves are in the list.
    let shown = current.played().ply_on_line(current.cursor());
    let tries = current.played().sketch_player().is_some();
    let here = shown.checked_sub(1).filter(|_| !tries);
    // The list follows the move that is shown, and is otherwise the player's to scroll.
    let memory = ui.id().with("shown");
    let followed = ui.data(|data| data.get_temp::<(usize, usize)>(memory));
    let state = (shown, sheet.moves.len());
    let mut area = egui::ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, false]);
    if followed != Some(state) {
        ui.data_mut(|data| data.insert_temp(memory, state));
        let row = rows.iter().position(|row| here.is_some_and(|here| row.has(here))).unwrap_or(0);
        area = area.vertical_scroll_offset((row as f32 * (ROW + 2.0) - height / 2.0).max(0.0));
    }
    area.show_rows(ui, ROW, rows.len(), |ui, range| {
        for row in &rows[range] {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                let number = match row {
                    Row::Moves { number, .. } => format!("{number}."),
                    Row::Choice(_) => String::new(),
                };
                let number = RichText::new(number).size(SMALL).color(palette.dim());
                ui.allocate_ui_with_layout(vec2(NUMBERS, ROW), egui::Layout::right_to_left(Align::Center), |ui| {
                    ui.set_min_width(NUMBERS);
                    ui.label(number);
                });
                let width = (ui.available_width() - 4.0) / 2.0 - 4.0;
                let mut one = |ui: &mut Ui, index: usize, width: f32| {
                    let Some(text) = sheet.moves.get(index) else { return };
                    if place(ui, text, width, here == Some(index), palette).clicked() {
                        intents.write(Intent::Go(Go::Ply(index + 1)));
                    }
                };
                match row {
                    Row::Choice(index) => one(ui, *index, 2.0 * width + 4.0),
                    Row::Moves { first, second, .. } => {
                        match first {
                            Some(index) => one(ui, *index, width),
                            None => {
                                drop(ui.add_sized(vec2(width, ROW), egui::Label::new(RichText::new("…").color(palette.dim()))))
                            }
                        }
                        if let Some(index) = second {
                            one(ui, *index, width);
                        }
                    }
                }
            });
        }
    });
}

/// A row of the list, with the indices of what stands in it.
#[derive(Debug, PartialEq)]
enum Row {
    /// The first side's move and the second's.
    Moves { number: usize, first: Option<usize>, second: Option<usize> },
    /// A choice in the opening.
    Choice(usize),
}

impl Row {
    fn has(&self, index: usize) -> bool {
        match self {
            Row::Moves { first, second, .. } => *first == Some(index) || *second == Some(index),
            Row::Choice(at) => *at == index,
        }
    }
}

/// The rows: where the second side moves first, or a choice came between, a move stands alone in its row.
fn rows(sheet: &ScoreSheet) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::with_capacity(sheet.moves.len() / 2 + 1);
    let mut side = sheet.first;
    let mut number = 1;
    for index in 0..sheet.moves.len() {
        if sheet.choices.contains(&index) {
            rows.push(Row::Choice(index));
            continue;
        }
        match (side, rows.last_mut()) {
            (Side::First, _) => rows.push(Row::Moves { number, first: Some(index), second: None }),
            (Side::Second, Some(Row::Moves { second: second @ None, .. })) => *second = Some(index),
            (Side::Second, _) => rows.push(Row::Moves { number, first: None, second: Some(index) }),
        }
        number += usize::from(side == Side::Second);
        side = !side;
    }
    rows
}

/// One move of the list.
fn place(ui: &mut Ui, text: &str, width: f32, here: bool, palette: &Palette) -> egui::Response {
    let ink = if here { palette.accent() } else { palette.text() };
    let (rect, response) = ui.allocate_exact_size(vec2(width, ROW), egui::Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::SelectableLabel, true, here, text));
    let visuals = ui.visuals();
    if here || response.hovered() {
        ui.painter().rect_filled(rect, 4.0, visuals.widgets.inactive.weak_bg_fill);
    }
    if response.has_focus() {
        ui.painter().rect_stroke(rect, 4.0, egui::Stroke::new(2.0, palette.accent()), egui::StrokeKind::Inside);
    }
    let galley = egui::WidgetText::from(RichText::new(text).size(BODY).color(ink)).into_galley(
        ui,
        Some(egui::TextWrapMode::Truncate),
        width - 12.0,
        egui::TextStyle::Body,
    );
    let corner = rect.left_center() + vec2(8.0, -galley.size().y / 2.0);
    ui.painter().galley(corner, galley, ink);
    response
}

/// So many variations are seen at once; the others are scrolled to.
const VARIATIONS_SEEN: usize = 3;

/// Height of the list of variations, in logical pixels; 0 where there are none.
pub fn variations_height(sheet: &ScoreSheet) -> f32 {
    match sheet.variations.len().min(VARIATIONS_SEEN) {
        0 => 0.0,
        rows => rows as f32 * (ROW + 2.0) + 6.0,
    }
}

/// The variation that is shown, and those that begin at the place shown; each is a place to go to.
pub fn variations(ui: &mut Ui, sheet: &ScoreSheet, palette: &Palette, intents: &mut MessageWriter<Intent>) {
    let height = variations_height(sheet);
    if height == 0.0 {
        return;
    }
    ui.allocate_ui_with_layout(vec2(ui.available_width(), height - 4.0), egui::Layout::top_down(Align::Min), |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        let area = egui::ScrollArea::vertical().id_salt("variations").max_height(height - 4.0).auto_shrink([false, false]);
        area.show(ui, |ui| {
            for variation in &sheet.variations {
                let width = ui.available_width() - 8.0;
                if place(ui, &variation.text, width, variation.here, palette).clicked() {
                    intents.write(Intent::Go(Go::To(variation.node)));
                }
            }
        });
    });
}

/// The buttons that leaf through the moves; while an earlier one is shown, the button to go on from it.
pub fn leaf(ui: &mut Ui, current: &CurrentMatch, words: &Words, intents: &mut MessageWriter<Intent>) {
    let (played, tree, here) = (current.played(), current.tree(), current.cursor());
    let looking_back = current.is_looking_back();
    let has_next = tree.next(here).is_some_and(|next| !played.is_of_line(here) || played.is_of_line(next));
    let has_before = here != Tree::ROOT;
    ui.horizontal(|ui| {
        let width = 36.0;
        for (icon, key, enabled, go) in [
            (Icon::First, "look.first", has_before, Go::Start),
            (Icon::Back, "look.back", has_before, Go::Back),
            (Icon::Forward, "look.forward", has_next, Go::Forward),
            (Icon::Last, "look.last", looking_back, Go::End),
        ] {
            if icon_button(ui, icon, words.say(key), width, enabled).clicked() {
                intents.write(Intent::Go(go));
            }
        }
        if looking_back && played.sketch().is_none() && played.is_on_line() {
            let rest = ui.available_width();
            if super::widgets::wide_button(ui, words.say("look.go-on"), rest, true).clicked() {
                intents.write(Intent::GoOnFromHere);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_have_rows_of_their_own() {
        let moves = |number, first, second| Row::Moves { number, first, second };
        let sheet = |count: usize, first, choices: &[usize]| ScoreSheet {
            moves: vec![String::new(); count],
            first,
            choices: choices.to_vec(),
            variations: Vec::new(),
        };
        assert_eq!(rows(&sheet(3, Side::First, &[])), [moves(1, Some(0), Some(1)), moves(2, Some(2), None)]);
        assert_eq!(rows(&sheet(2, Side::Second, &[])), [moves(1, None, Some(0)), moves(2, Some(1), None)]);
        let opened = rows(&sheet(6, Side::First, &[3]));
        let wanted = [
            moves(1, Some(0), Some(1)),
            moves(2, Some(2), None),
            Row::Choice(3),
            moves(2, None, Some(4)),
            moves(3, Some(5), None),
        ];
        assert_eq!(opened, wanted);
    }
}
