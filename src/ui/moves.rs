//! The score sheet: moves in two columns, each a place to go to, and the buttons that leaf through them.

use super::style::{BODY, Palette, SMALL};
use super::widgets::{Icon, dim, icon_button};
use crate::app::intent::Intent;
use crate::app::play::{CurrentMatch, Look, ScoreSheet};
use crate::app::words::Words;
use crate::rules::Side;
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
    // Where the second side moves first, its move stands alone in the first row.
    let shift = usize::from(sheet.first == Side::Second);
    let cells = sheet.moves.len() + shift;
    let shown = current.shown().ply();
    let here = shown.checked_sub(1).map(|index| index + shift);
    // The list follows the move that is shown, and is otherwise the player's to scroll.
    let memory = ui.id().with("shown");
    let followed = ui.data(|data| data.get_temp::<(usize, usize)>(memory));
    let state = (shown, cells);
    let mut area = egui::ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, false]);
    if followed != Some(state) {
        ui.data_mut(|data| data.insert_temp(memory, state));
        let row = here.unwrap_or(0) / 2;
        area = area.vertical_scroll_offset((row as f32 * (ROW + 2.0) - height / 2.0).max(0.0));
    }
    area.show_rows(ui, ROW, cells.div_ceil(2), |ui, rows| {
        for row in rows {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                let number = RichText::new(format!("{}.", row + 1)).size(SMALL).color(palette.dim());
                ui.allocate_ui_with_layout(vec2(NUMBERS, ROW), egui::Layout::right_to_left(Align::Center), |ui| {
                    ui.set_min_width(NUMBERS);
                    ui.label(number);
                });
                let width = (ui.available_width() - 4.0) / 2.0 - 4.0;
                for cell in [row * 2, row * 2 + 1] {
                    let Some(index) = cell.checked_sub(shift) else {
                        ui.add_sized(vec2(width, ROW), egui::Label::new(RichText::new("…").color(palette.dim())));
                        continue;
                    };
                    let Some(text) = sheet.moves.get(index) else { continue };
                    if place(ui, text, width, here == Some(cell), palette).clicked() {
                        intents.write(Intent::Look(Look::At(index + 1)));
                    }
                }
            });
        }
    });
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

/// The buttons that leaf through the moves; while an earlier one is shown, the button to go on from it.
pub fn leaf(ui: &mut Ui, current: &CurrentMatch, words: &Words, intents: &mut MessageWriter<Intent>) {
    let (shown, last) = (current.shown().ply(), current.table().ply());
    let looking_back = current.is_looking_back();
    ui.horizontal(|ui| {
        let width = 36.0;
        for (icon, key, enabled, look) in [
            (Icon::First, "look.first", shown > 0, Look::First),
            (Icon::Back, "look.back", shown > 0, Look::Back),
            (Icon::Forward, "look.forward", shown < last, Look::Forward),
            (Icon::Last, "look.last", looking_back, Look::Last),
        ] {
            if icon_button(ui, icon, words.say(key), width, enabled).clicked() {
                intents.write(Intent::Look(look));
            }
        }
        if looking_back {
            let rest = ui.available_width();
            if super::widgets::wide_button(ui, words.say("look.go-on"), rest, true).clicked() {
                intents.write(Intent::GoOnFromHere);
            }
        }
    });
}
