//! The panel of a telephone: what is needed during play, without scrolling; and all the rest when it is drawn up.

use super::parts::{self, Seen};
use super::{Sections, contents, on, row, run};
use crate::app::layout::{Layout, Shape};
use crate::app::play::CurrentMatch;
use crate::app::requests::{CursorRequest, HintRequest, LayoutRequest, PageRequest, Requests};
use crate::app::state::Menu;
use crate::app::words::Words;
use crate::ui::style::BODY;
use crate::ui::typesetting::{Prose, Tip};
use crate::ui::widgets::{Icon, ask_button, ask_icon, breathing_dots, hairline, icon_button, scrolled, target};
use crate::ui::{clock, opening};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Align, RichText, Ui, vec2};
use qiju_core::rules::Side;

/// What the pages of the panel are made for, in pixels: a lower panel scrolls.
const WHOLE: f32 = 470.0;
/// Height of a seat, in pixels.
const SEAT: f32 = 40.0;

/// The panel.
pub fn show(world: &mut World, ui: &mut Ui) {
    let on = on(world);
    let page = !world.resource::<Sections>().pages(&on).is_empty();
    let layout = world.resource::<Layout>();
    let open = layout.panel_open;
    // A page lies beside the board in all its height; below the board it can be drawn up.
    let folds = !page || layout.shape == Shape::Upright;
    if folds || world.run_system_cached(parts::asks).unwrap_or_default() {
        let size = vec2(ui.available_width(), target(ui));
        ui.allocate_ui_with_layout(size, egui::Layout::right_to_left(Align::Center), |ui| {
            ui.set_min_height(size.y);
            if folds {
                run(world, fold_button, ui, ());
            }
            ui.with_layout(egui::Layout::left_to_right(Align::Center), |ui| row(world, ui));
        });
    }
    if page || open {
        scrolled(ui, WHOLE, |ui| contents(world, ui));
        return;
    }
    run(world, seats, ui, ());
    let row = target(ui) + ui.spacing().item_spacing.y;
    let left = ui.available_height() - row;
    if opening::chooses(world.resource::<CurrentMatch>()) {
        run(world, choices, ui, left - 8.0);
        run(world, actions, ui, ());
        return;
    }
    // In a low panel the moves of the last turn come before the buttons that lead through them.
    let leafs = left >= 2.0 * row;
    let height = if leafs { left - row } else { left };
    if height >= target(ui) {
        run(world, parts::list, ui, height - 8.0);
    }
    if leafs {
        run(world, parts::leaf, ui, ());
    }
    run(world, actions, ui, ());
}

/// The button that draws the panel up or shows all of it.
fn fold_button((InMut(ui), In(())): (InMut<Ui>, In<()>), (layout, words): (Res<Layout>, Res<Words>), mut requests: Requests) {
    let (icon, key) = if layout.panel_open { (Icon::Down, "panel.fold") } else { (Icon::Up, "panel.unfold") };
    if icon_button(ui, icon, words.say(key), target(ui), true).clicked() {
        requests.write(LayoutRequest::Panel);
    }
}

/// The choices in an opening, which scroll.
fn choices((InMut(ui), In(height)): (InMut<Ui>, In<f32>), seen: Seen, mut requests: Requests) {
    let area = egui::ScrollArea::vertical().id_salt("opening").max_height(height).min_scrolled_height(height);
    area.auto_shrink([false, false]).show(ui, |ui| {
        opening::card(ui, &seen.current, seen.hint.shown, (&seen.words, &seen.palette), &mut requests);
    });
}

/// Both seats side by side, the one at the lower edge first.
fn seats((InMut(ui), In(())): (InMut<Ui>, In<()>), seen: Seen) {
    let sides = [seen.layout.below, !seen.layout.below];
    let width = (ui.available_width() - 16.0) / 2.0;
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 16.0;
        ui.spacing_mut().interact_size.y = 20.0;
        for side in sides {
            ui.allocate_ui_with_layout(vec2(width, SEAT), egui::Layout::top_down(Align::Min), |ui| {
                ui.set_min_size(vec2(width, SEAT));
                ui.spacing_mut().item_spacing = vec2(6.0, 0.0);
                seat(ui, &seen, side);
            });
        }
    });
    hairline(ui);
}

fn seat(ui: &mut Ui, seen: &Seen, side: Side) {
    let (words, current) = (&seen.words, &*seen.current);
    let to_move = current.outcome().is_none() && current.table().seat_to_move() == side;
    let state = seen.seats.iter().find(|(seat, ..)| seat.0 == side);
    ui.horizontal(|ui| {
        ui.set_min_height(22.0);
        let (rect, _) = ui.allocate_exact_size(vec2(8.0, 20.0), egui::Sense::hover());
        if to_move {
            ui.painter().circle_filled(rect.center(), 4.0, seen.palette.accent());
        }
        ui.prose(RichText::new(words.seat(current, side)).size(BODY));
        let clock = seen.clock.get().left(side);
        if state.is_some_and(|(_, thinking, ..)| thinking) && !seen.held.holds() || seen.seeks_hint(side) {
            breathing_dots(ui, seen.palette.accent(), seen.time.elapsed_secs_f64());
        }
        if let Some(left) = clock {
            ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| clock::show(ui, left, to_move, &seen.palette));
        }
    });
    ui.horizontal(|ui| {
        ui.add_space(14.0);
        parts::player(ui, seen, side);
    });
}

/// What is pressed most often.
fn actions((InMut(ui), In(())): (InMut<Ui>, In<()>), seen: Seen, mut requests: Requests) {
    let (words, current, requests) = (&seen.words, &*seen.current, &mut requests);
    let side = target(ui);
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 2.0 * (side + 8.0) - 16.0) / 3.0;
        let size = vec2(width, side);
        ask_button(ui, words, (Icon::Undo, "play.undo"), CursorRequest::Undo, size, current.can_undo(), requests);
        let response = ask_button(ui, words, (Icon::Hint, "play.hint"), HintRequest, size, seen.can_hint(), requests);
        if let Some(why) = current.help_refused() {
            response.tip(words.say(why));
        }
        ask_icon(ui, words, (Icon::Redo, "play.redo"), CursorRequest::Redo, side, current.can_redo(), requests);
        ask_icon(ui, words, (Icon::Flip, "play.flip"), LayoutRequest::Flip, side, true, requests);
        ask_button(ui, words, (Icon::Menu, "play.menu"), PageRequest::Menu(Menu::Pause), size, true, requests);
    });
}
