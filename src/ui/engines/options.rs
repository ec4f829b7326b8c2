//! The options of an external program, as it declares them: a row for each.

use super::{ProgramForm, change, try_out};
use crate::app::engines::{Engines, OtherEngine};
use crate::app::requests::{PageRequest, PressOption, Requests};
use crate::app::words::Words;
use crate::ui::speech::Named;
use crate::ui::style::{BODY, Palette, SMALL};
use crate::ui::typesetting::{Prose, Tip};
use crate::ui::widgets::{button, dim, filled_button, heading, menu_choice, menu_of, text_field, tick, wide_button};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Align, Layout, RichText, Ui, vec2};
use qiju_core::protocol::host::{OptionKind, ProgramOption};

/// The width of a number's field, and the least width of a choice, in pixels.
const NUMBER: f32 = 120.0;
const CHOICE: f32 = 140.0;
/// What lies around the rows on the page, in pixels.
const AROUND: f32 = 260.0;

/// What the rows ask for.
#[derive(Default)]
struct Asked {
    set: Option<(ProgramOption, String)>,
    press: Option<String>,
}

/// The page; false if no program's options are shown.
pub fn page(
    ui: &mut Ui,
    (words, palette): (&Words, &Palette),
    engines: &Engines,
    form: &mut ProgramForm,
    requests: &mut Requests,
) -> bool {
    let Some((game, name)) = form.opened.clone() else { return false };
    let Some(engine) = engines.find(&game, &name) else {
        form.opened = None;
        return false;
    };
    heading(ui, &engine.name);
    ui.add(egui::Label::new(RichText::new(&engine.command).size(SMALL).color(palette.dim())).wrap());
    ui.add_space(4.0);
    let mut asked = Asked::default();
    row_of(ui, words.say("engines.start-up"), NUMBER, |ui, label| {
        let mut seconds = engine.start_up().as_secs();
        let field = egui::DragValue::new(&mut seconds).range(1..=600).update_while_editing(false);
        let response = ui.add_sized(vec2(NUMBER, 32.0), field).named(label, words.say("engines.start-up"));
        if response.changed() {
            change(engine, requests, move |engine| engine.start_up_s = u16::try_from(seconds).ok());
        }
    });
    let offered: Vec<&ProgramOption> = engine.options.iter().flatten().filter(|option| !option.is_ours()).collect();
    match &engine.options {
        None if form.is_tried() => drop(dim(ui, palette, words.say("engines.asking"))),
        None => drop(dim(ui, palette, words.say("engines.unasked"))),
        Some(_) if offered.is_empty() => drop(dim(ui, palette, words.say("engines.no-options"))),
        Some(_) => {
            let height = (ui.ctx().content_rect().height() - AROUND).max(120.0);
            egui::ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
                for option in offered {
                    row(ui, option, engine, form, &mut asked);
                }
            });
        }
    }
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        let free = !form.is_tried();
        if button(ui, words.say("engines.ask-again"), free).clicked() {
            form.drafts.clear();
            form.trial = Some(try_out(engine.clone()));
        }
        if button(ui, words.say("engines.defaults"), !engine.values.is_empty()).clicked() {
            form.drafts.clear();
            change(engine, requests, |engine| engine.values.clear());
        }
    });
    let width = ui.available_width();
    if filled_button(ui, palette, words.say("menu.done"), width, true).clicked() {
        form.opened = None;
        if form.from_board {
            requests.write(PageRequest::Menu(form.back()));
        }
    }
    if let Some((option, value)) = asked.set {
        change(engine, requests, move |engine| {
            engine.set(&option, &value);
        });
    }
    if let Some(option) = asked.press {
        requests.write(PressOption { engine: engine.clone(), option });
    }
    true
}

/// The name of an option and the field for its value.
fn row(ui: &mut Ui, option: &ProgramOption, engine: &OtherEngine, form: &mut ProgramForm, asked: &mut Asked) {
    let value = engine.value(option);
    let set = |asked: &mut Asked, value: String| asked.set = Some((option.clone(), value));
    match &option.kind {
        OptionKind::Check(_) => {
            let mut on = value == "true";
            if tick(ui, &mut on, &option.name).changed() {
                set(asked, on.to_string());
            }
        }
        OptionKind::Spin { least, most, .. } => row_of(ui, &option.name, NUMBER, |ui, label| {
            let draft = form.drafts.get(&option.name).unwrap_or(&value);
            let mut number: i64 = draft.parse().unwrap_or(*least);
            let field = egui::DragValue::new(&mut number).range(*least..=*most).update_while_editing(false);
            let response = ui.add_sized(vec2(NUMBER, 32.0), field).named(label, &option.name);
            let (least, most) = (least.to_string(), most.to_string());
            let response = response.tip(format!("{least} - {most}"));
            if response.changed() && response.dragged() {
                form.drafts.insert(option.name.clone(), number.to_string());
            } else if response.changed() || response.drag_stopped() {
                form.drafts.remove(&option.name);
                set(asked, number.to_string());
            }
        }),
        OptionKind::Combo { choices, .. } => row_of(ui, &option.name, CHOICE, |ui, _| {
            let width = CHOICE;
            let shown = wide_button(ui, &value, width, true).called(&format!("{}: {value}", option.name));
            menu_of(&shown).show(|ui| {
                egui::ScrollArea::vertical().max_height(240.0).show(ui, |ui| {
                    for choice in choices {
                        if menu_choice(ui, *choice == value, choice, width) {
                            set(asked, choice.clone());
                        }
                    }
                });
            });
        }),
        OptionKind::Text(_) => {
            let label = ui.prose(RichText::new(&option.name).size(BODY));
            let draft = form.drafts.entry(option.name.clone()).or_insert_with(|| value.clone());
            let width = ui.available_width() - 8.0;
            let response = ui.add(text_field(ui, draft, "", width)).named(&label, &option.name);
            let text = draft.clone();
            if response.lost_focus() && text != value {
                set(asked, text);
            }
            if response.lost_focus() {
                form.drafts.remove(&option.name);
            }
        }
        OptionKind::Button => {
            let width = ui.available_width() - 8.0;
            if wide_button(ui, &option.name, width, true).clicked() {
                asked.press = Some(option.name.clone());
            }
        }
    }
}

/// A name at the left, wrapped where it is long, and a field of so many pixels at the right, which it labels.
fn row_of(ui: &mut Ui, name: &str, field: f32, add: impl FnOnce(&mut Ui, &egui::Response)) {
    ui.horizontal(|ui| {
        let width = (ui.available_width() - field - 16.0).max(80.0);
        let label = ui.allocate_ui_with_layout(vec2(width, 32.0), Layout::left_to_right(Align::Center), |ui| {
            ui.set_width(width);
            ui.add(egui::Label::new(RichText::new(name).size(BODY)).wrap())
        });
        add(ui, &label.inner);
    });
}
