//! The panel of a telephone: what is needed during play, without scrolling; and all the rest when it is drawn up.

use super::{Seen, contents, puzzle, seat_name, state_of_play};
use crate::app::layout::Shape;
use crate::app::play::CurrentMatch;
use crate::app::requests::{CursorRequest, HintRequest, LayoutRequest, PageRequest, Requests};
use crate::app::settings::SheetPieces;
use crate::app::state::Menu;
use crate::ui::moves::{self, SheetView};
use crate::ui::style::{BODY, Palette, SMALL, colour};
use crate::ui::widgets::{Icon, ask_button, ask_icon, breathing_dots, hairline, icon_button, scrolled, target};
use crate::ui::{attempt, clock, opening, puzzles};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Align, RichText, Ui, vec2};
use qiju_core::record::SeatSpec;
use qiju_core::rules::Side;

/// What the pages of the panel are made for, in pixels: a lower panel scrolls.
const WHOLE: f32 = 470.0;
/// Height of a seat, in pixels.
const SEAT: f32 = 40.0;

/// The ground of the panel.
pub fn frame(palette: &Palette) -> egui::Frame {
    egui::Frame::new().fill(colour(palette.panel().surface)).inner_margin(egui::Margin::symmetric(16, 8))
}

/// The panel.
pub fn show(ui: &mut Ui, seen: &Seen, current: &CurrentMatch, view: &mut SheetView, requests: &mut Requests) {
    let page = current.purpose().is_first_step() || puzzle(seen, current).is_some() || seen.study.is_open();
    // A page lies beside the board in all its height; below the board it can be drawn up.
    let folds = !page || seen.layout.shape == Shape::Upright;
    let asks = seen.selection.pending.is_some() || seen.offers.question(current).is_some();
    if folds || asks {
        head(ui, seen, current, folds, requests);
    }
    if page || seen.layout.panel_open {
        scrolled(ui, WHOLE, |ui| contents(ui, seen, current, view, requests));
        return;
    }
    seats(ui, seen, current);
    hairline(ui);
    let row = target(ui) + ui.spacing().item_spacing.y;
    let left = ui.available_height() - row;
    if opening::chooses(current) {
        let area = egui::ScrollArea::vertical().id_salt("opening").max_height(left - 8.0).min_scrolled_height(left - 8.0);
        area.auto_shrink([false, false]).show(ui, |ui| {
            opening::card(ui, current, seen.hint.shown, (&seen.words, &seen.palette), requests);
        });
        actions(ui, seen, current, requests);
        return;
    }
    // In a low panel the moves of the last turn come before the buttons that lead through them.
    let leafs = left >= 2.0 * row;
    let height = if leafs { left - row } else { left };
    if height >= target(ui) {
        let images = (seen.settings.sheet_pieces == SheetPieces::Pictures).then_some(&*seen.images);
        ui.scope(|ui| {
            moves::list(ui, view, (&seen.sheet, current), (&seen.words, &seen.palette, images), height - 8.0, requests);
        });
    }
    if leafs {
        moves::leaf(ui, view, (&seen.sheet, current), (&seen.words, &seen.palette), requests, true);
    }
    actions(ui, seen, current, requests);
}

/// Whose turn it is or what is asked, and the button that draws the panel up or shows all of it.
fn head(ui: &mut Ui, seen: &Seen, current: &CurrentMatch, folds: bool, requests: &mut Requests) {
    let size = vec2(ui.available_width(), target(ui));
    ui.allocate_ui_with_layout(size, egui::Layout::right_to_left(Align::Center), |ui| {
        ui.set_min_height(size.y);
        if folds {
            let (icon, key) = match seen.layout.panel_open {
                true => (Icon::Down, "panel.fold"),
                false => (Icon::Up, "panel.unfold"),
            };
            if icon_button(ui, icon, seen.words.say(key), target(ui), true).clicked() {
                requests.write(LayoutRequest::Panel);
            }
        }
        ui.with_layout(egui::Layout::left_to_right(Align::Center), |ui| {
            if let Some(puzzle) = puzzle(seen, current) {
                puzzles::narrow(ui, &puzzle, requests);
            } else if !seen.certain.line_row(ui, current, &seen.words, &seen.palette, requests)
                && !attempt::narrow(ui, current, &seen.attempt, &seen.words, requests)
            {
                state_of_play(ui, seen, current, requests);
            }
        });
    });
}

/// Both seats side by side, the one at the lower edge first.
fn seats(ui: &mut Ui, seen: &Seen, current: &CurrentMatch) {
    let sides = if seen.layout.flipped { [Side::Second, Side::First] } else { Side::BOTH };
    let width = (ui.available_width() - 16.0) / 2.0;
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 16.0;
        ui.spacing_mut().interact_size.y = 20.0;
        for side in sides {
            ui.allocate_ui_with_layout(vec2(width, SEAT), egui::Layout::top_down(Align::Min), |ui| {
                ui.set_min_size(vec2(width, SEAT));
                ui.spacing_mut().item_spacing = vec2(6.0, 0.0);
                seat(ui, seen, current, side);
            });
        }
    });
}

fn seat(ui: &mut Ui, seen: &Seen, current: &CurrentMatch, side: Side) {
    let words = &seen.words;
    let to_move = current.outcome().is_none() && current.table().seat_to_move() == side;
    let state = seen.seats.iter().find(|(seat, ..)| seat.0 == side);
    ui.horizontal(|ui| {
        ui.set_min_height(22.0);
        let (rect, _) = ui.allocate_exact_size(vec2(8.0, 20.0), egui::Sense::hover());
        if to_move {
            ui.painter().circle_filled(rect.center(), 4.0, seen.palette.accent());
        }
        ui.label(RichText::new(words.seat(current, side)).size(BODY));
        let clock = seen.clock.get().left(side);
        if state.is_some_and(|(_, thinking, ..)| thinking) {
            breathing_dots(ui, seen.palette.accent(), seen.time.elapsed_secs_f64());
        }
        if let Some(left) = clock {
            ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| clock::show(ui, left, to_move, &seen.palette));
        }
    });
    let font = egui::FontId::proportional(SMALL);
    let room = ui.available_width() - 24.0;
    let fits = |name: &String| ui.painter().layout_no_wrap(name.clone(), font.clone(), seen.palette.dim()).size().x <= room;
    let name = match (&current.heading().names[side], &current.seats()[side]) {
        (Some(name), SeatSpec::Human) => name.clone(),
        // Without what the level is called, where there is no room for it.
        (_, SeatSpec::Computer { level }) => Some(words.level(*level)).filter(fits).unwrap_or_else(|| words.with("level", level)),
        (_, spec) => seat_name(spec, words),
    };
    ui.horizontal(|ui| {
        ui.add_space(14.0);
        let text = RichText::new(name).size(SMALL).color(seen.palette.dim());
        ui.add(egui::Label::new(text).truncate());
    });
}

/// What is pressed most often.
fn actions(ui: &mut Ui, seen: &Seen, current: &CurrentMatch, requests: &mut Requests) {
    let words = &seen.words;
    let refused = current.help_refused();
    let hint = current.human_to_move() && refused.is_none() && !seen.hint.is_sought();
    let side = target(ui);
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 2.0 * (side + 8.0) - 16.0) / 3.0;
        let size = vec2(width, side);
        ask_button(ui, words, (Icon::Undo, "play.undo"), CursorRequest::Undo, size, current.can_undo(), requests);
        let response = ask_button(ui, words, (Icon::Hint, "play.hint"), HintRequest, size, hint, requests);
        if let Some(why) = refused {
            response.on_hover_text(words.say(why));
        }
        ask_icon(ui, words, (Icon::Redo, "play.redo"), CursorRequest::Redo, side, current.can_redo(), requests);
        ask_icon(ui, words, (Icon::Flip, "play.flip"), LayoutRequest::Flip, side, true, requests);
        ask_button(ui, words, (Icon::Menu, "play.menu"), PageRequest::Menu(Menu::Pause), size, true, requests);
    });
}
