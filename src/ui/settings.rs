//! The page of settings, at the window's right edge: what they change is seen beside it.

use super::speech::Named;
use super::style::{Palette, SMALL, colour};
use super::widgets::{
    Icon, ask_button, choose_language, dim, drawn_button, filled_button, grown, heading, is_low, page_less, segmented,
    text_field, tick, wide_button, wrapping,
};
use crate::app::confirmation::Confirmation;
use crate::app::library::Library;
use crate::app::platform::PLATFORM;
use crate::app::requests::{AnyRequest, DataRequest, DialogRequest, FileAim, PageRequest, Requests, TrySound};
use crate::app::settings::{Settings, SheetPieces};
use crate::app::state::Menu;
use crate::app::voice::can_speak;
use crate::app::words::Words;
use crate::ui::typesetting::Prose;
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{RichText, Stroke, StrokeKind, Ui, vec2};
use qiju_core::paint::{Colour, Theme};
use qiju_core::table::Notation;

/// The page.
pub fn page(
    ui: &mut Ui,
    (words, palette, library): (&Words, &Palette, &Library),
    settings: &Settings,
    in_match: bool,
    requests: &mut Requests,
) {
    heading(ui, words.say("menu.settings"));
    // In a low window the ways to other pages scroll with the settings.
    let low = is_low(ui.ctx());
    let around = if low { 172.0 } else { 292.0 + grown(ui, 2.0) };
    let height = (ui.ctx().content_rect().height() - page_less(ui, around)).max(160.0);
    let area = egui::ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, false]);
    area.show(ui, |ui| {
        ui.set_width(ui.available_width() - 12.0);
        let form = &mut Form { settings: settings.clone(), requests };
        look(ui, words, palette, library, form);
        play(ui, words, palette, form);
        sound(ui, words, palette, form);
        me(ui, words, palette, form);
        more(ui, words, form);
        if low {
            others(ui, words, in_match, requests);
        }
    });
    ui.add_space(8.0);
    if !low {
        others(ui, words, in_match, requests);
    }
    let width = ui.available_width();
    if filled_button(ui, palette, words.say("menu.done"), width, true).clicked() {
        requests.write(PageRequest::Menu(if in_match { Menu::Pause } else { Menu::None }));
    }
}

/// The settings as they are shown; each field that is changed is asked for by itself.
struct Form<'a, 'w, 's> {
    settings: Settings,
    requests: &'a mut Requests<'w, 's>,
}

impl Form<'_, '_, '_> {
    /// Shows a field, and asks for its change.
    fn field<T: Clone + PartialEq + Send + Sync + 'static>(
        &mut self,
        field: fn(&mut Settings) -> &mut T,
        show: impl FnOnce(&mut T),
    ) {
        let mut value = field(&mut self.settings).clone();
        show(&mut value);
        if value != *field(&mut self.settings) {
            self.requests.change(move |settings: &mut Settings| field(settings).clone_from(&value));
        }
    }

    /// The same for a switch.
    fn tick(&mut self, ui: &mut Ui, words: &Words, key: &str, field: fn(&mut Settings) -> &mut bool) {
        self.field(field, |on| drop(tick(ui, on, words.say(key))));
    }

    /// The same for a choice.
    fn choose<T: Copy + PartialEq + Send + Sync + 'static>(
        &mut self,
        ui: &mut Ui,
        options: &[(T, &str)],
        field: fn(&mut Settings) -> &mut T,
    ) {
        self.field(field, |value| {
            segmented(ui, value, options);
        });
    }
}

/// The ways to other pages, and the player's data as one file.
fn others(ui: &mut Ui, words: &Words, in_match: bool, requests: &mut Requests) {
    let width = ui.available_width();
    for (icon, key, menu) in [(Icon::Analysis, "menu.engines", Menu::Engines), (Icon::Rules, "lessons.title", Menu::Lessons)] {
        if menu == Menu::Engines && !PLATFORM.programs {
            continue;
        }
        ask_button(ui, words, (icon, key), PageRequest::Menu(menu), vec2(width, 32.0), true, requests);
    }
    ui.horizontal(|ui| {
        let half = (width - 8.0) / 2.0;
        let open = DialogRequest::Choose(FileAim::Open);
        for (icon, key, request, enabled) in [
            (Icon::Save, "data.export", AnyRequest::from(DataRequest::Export), true),
            (Icon::Records, "data.import", open.into(), !in_match),
        ] {
            ask_button(ui, words, (icon, key), request, vec2(half, 32.0), enabled, requests);
        }
    });
}

/// The name of a group of settings.
fn group(ui: &mut Ui, words: &Words, key: &str) {
    ui.add_space(6.0);
    ui.prose(RichText::new(words.say(key)).strong());
}

/// How the table looks.
fn look(ui: &mut Ui, words: &Words, palette: &Palette, library: &Library, form: &mut Form) {
    dim(ui, palette, words.say("settings.language"));
    let button = wide_button(ui, words.language.own_name(), 160.0, true);
    choose_language(&button, words, form.requests);
    dim(ui, palette, words.say("settings.text-size"));
    let mut percent = (form.settings.text_size * 100.0).round() as u32;
    let sizes: Vec<(u32, String)> = TEXT_SIZES.iter().map(|size| (*size, size.to_string())).collect();
    let sizes: Vec<(u32, &str)> = sizes.iter().map(|(size, text)| (*size, text.as_str())).collect();
    if segmented(ui, &mut percent, &sizes) {
        form.requests.change(move |settings: &mut Settings| settings.text_size = percent as f32 / 100.0);
    }
    group(ui, words, "settings.board");
    dim(ui, palette, words.say("settings.theme"));
    ui.horizontal_wrapped(|ui| {
        for (key, theme) in &library.themes {
            if sample(ui, theme, words, *key == form.settings.theme).clicked() {
                let theme = key.clone();
                form.requests.change(move |settings: &mut Settings| settings.theme.clone_from(&theme));
            }
        }
    });
    dim(ui, palette, words.say("settings.pieces"));
    let sets = [(false, words.say("settings.pieces.characters")), (true, words.say("settings.pieces.western"))];
    form.choose(ui, &sets, |settings| &mut settings.western_pieces);
    form.tick(ui, words, "settings.coordinates", |settings| &mut settings.coordinates);
    form.tick(ui, words, "settings.move-numbers", |settings| &mut settings.move_numbers);
    form.tick(ui, words, "settings.red-blind", |settings| &mut settings.red_blind_safe);
    group(ui, words, "settings.moves");
    dim(ui, palette, words.say("settings.notation"));
    let notations = [
        (None, words.say("settings.notation.language")),
        (Some(Notation::Chinese), words.say("settings.notation.chinese")),
        (Some(Notation::Traditional), words.say("settings.notation.traditional")),
        (Some(Notation::Vietnamese), words.say("settings.notation.vietnamese")),
        (Some(Notation::Wxf), "WXF"),
        (Some(Notation::Iccs), "ICCS"),
        (Some(Notation::Uci), "UCI"),
    ];
    form.choose(ui, &notations, |settings| &mut settings.notation);
    dim(ui, palette, words.say("settings.sheet-pieces"));
    let kinds = [
        (SheetPieces::Letters, words.say("settings.sheet-pieces.letters")),
        (SheetPieces::Pictures, words.say("settings.sheet-pieces.pictures")),
    ];
    form.choose(ui, &kinds, |settings| &mut settings.sheet_pieces);
}

/// The sizes of type that are offered, in hundredths.
const TEXT_SIZES: [u32; 6] = [80, 90, 100, 120, 140, 160];

/// A theme in small: desk, frame and field, a piece of each side, and its name.
fn sample(ui: &mut Ui, theme: &Theme, words: &Words, chosen: bool) -> egui::Response {
    let size = vec2(72.0, 72.0);
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::click());
    let name = words.of(&theme.name);
    response.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::RadioButton, true, chosen, name));
    let painter = ui.painter();
    let picture = egui::Rect::from_min_size(rect.min, vec2(72.0, 50.0));
    painter.rect_filled(picture, 6.0, colour(theme.desk.light));
    let board = picture.shrink2(vec2(12.0, 6.0));
    painter.rect_filled(board, 3.0, colour(theme.frame.light));
    let field = board.shrink(4.0);
    painter.rect_filled(field, 1.0, colour(theme.field.light));
    let ink = Stroke::new(1.0, colour(theme.lines).gamma_multiply(0.7));
    for part in [0.25, 0.5, 0.75] {
        painter.hline(field.x_range(), field.top() + field.height() * part, ink);
        painter.vline(field.left() + field.width() * part, field.y_range(), ink);
    }
    let piece = |x: f32, fill: Colour, edge: Colour| {
        let at = egui::pos2(field.left() + field.width() * x, field.center().y);
        painter.circle(at, 7.0, colour(fill), Stroke::new(1.5, colour(edge)));
    };
    piece(0.25, theme.discs.first.light, theme.inks.first);
    piece(0.75, theme.slate, theme.shell);
    let edge = match () {
        () if chosen || response.has_focus() => Stroke::new(2.0, ui.visuals().selection.bg_fill),
        () if response.hovered() => Stroke::new(1.0, ui.visuals().weak_text_color()),
        () => Stroke::new(1.0, ui.visuals().widgets.noninteractive.bg_stroke.color),
    };
    painter.rect_stroke(picture, 6.0, edge, StrokeKind::Inside);
    let ink = if chosen { ui.visuals().text_color() } else { ui.visuals().weak_text_color() };
    painter.text(
        egui::pos2(rect.center().x, rect.bottom() - 9.0),
        egui::Align2::CENTER_CENTER,
        name,
        egui::FontId::proportional(SMALL),
        ink,
    );
    response
}

/// How moves are made and shown.
fn play(ui: &mut Ui, words: &Words, palette: &Palette, form: &mut Form) {
    group(ui, words, "settings.playing");
    form.tick(ui, words, "settings.targets", |settings| &mut settings.show_targets);
    form.tick(ui, words, "settings.forbidden", |settings| &mut settings.show_forbidden);
    form.tick(ui, words, "settings.blindfold", |settings| &mut settings.blindfold);
    if form.settings.blindfold {
        form.tick(ui, words, "settings.blind-discs", |settings| &mut settings.blind_discs);
    }
    form.tick(ui, words, "settings.premove", |settings| &mut settings.premove);
    form.tick(ui, words, "settings.teacher-waits", |settings| &mut settings.teacher_waits);
    form.tick(ui, words, "settings.turn-stones", |settings| &mut settings.turn_stones);
    form.tick(ui, words, "settings.free-take-backs", |settings| &mut settings.free_take_backs);
    dim(ui, palette, words.say("settings.confirm"));
    let confirmations = [
        (Confirmation::Never, words.say("settings.confirm.never")),
        (Confirmation::Touch, words.say("settings.confirm.touch")),
        (Confirmation::Always, words.say("settings.confirm.always")),
    ];
    form.choose(ui, &confirmations, |settings| &mut settings.confirm_moves);
    dim(ui, palette, words.say("settings.speed"));
    let mut speed = (form.settings.speed * 2.0).round() as u8;
    let speeds = [
        (0, words.say("settings.speed.off")),
        (1, words.say("settings.speed.slow")),
        (2, words.say("settings.speed.normal")),
        (4, words.say("settings.speed.fast")),
    ];
    if segmented(ui, &mut speed, &speeds) {
        form.requests.change(move |settings: &mut Settings| settings.speed = f32::from(speed) / 2.0);
    }
    form.tick(ui, words, "settings.reduced-motion", |settings| &mut settings.reduced_motion);
    dim(ui, palette, words.say("settings.pace"));
    form.field(
        |settings| &mut settings.watch_pace_ms,
        |pace| {
            super::pace::pace(ui, pace, words, palette);
        },
    );
}

/// What is heard, tried on the spot.
fn sound(ui: &mut Ui, words: &Words, palette: &Palette, form: &mut Form) {
    group(ui, words, "settings.sound");
    let name = words.say("settings.volume");
    let label = dim(ui, palette, name);
    let mut volume = (form.settings.volume * 100.0).round();
    wrapping(ui, |ui| {
        let slider = egui::Slider::new(&mut volume, 0.0..=100.0).show_value(false);
        let slider = ui.add_enabled(!form.settings.muted, slider).named(&label, name);
        // As wide as the longest, so that nothing moves while the slider does.
        ui.scope(|ui| {
            ui.set_min_width(24.0);
            ui.prose(RichText::new(format!("{volume:.0}")).size(SMALL));
        });
        if slider.changed() {
            form.requests.change(move |settings: &mut Settings| settings.volume = volume / 100.0);
        }
        let tried = drawn_button(ui, Icon::Sound, words.say("settings.try-sound"), !form.settings.muted);
        if tried.clicked() || slider.drag_stopped() {
            form.requests.write(TrySound);
        }
    });
    form.tick(ui, words, "settings.muted", |settings| &mut settings.muted);
    form.tick(ui, words, "settings.speak", |settings| &mut settings.speak_aloud);
    if form.settings.speak_aloud && !can_speak() {
        dim(ui, palette, words.say("settings.speak.none"));
    }
}

/// Whose games are the player's own.
fn me(ui: &mut Ui, words: &Words, palette: &Palette, form: &mut Form) {
    group(ui, words, "settings.me");
    let name = words.say("settings.my-names");
    let label = dim(ui, palette, name);
    form.field(
        |settings| &mut settings.my_names,
        |names| {
            let field = text_field(ui, names, "", f32::INFINITY);
            ui.add(field).named(&label, name);
        },
    );
    let name = words.say("settings.page");
    let label = dim(ui, palette, name);
    form.field(
        |settings| &mut settings.page,
        |page| {
            let field = text_field(ui, page, words.say("settings.page.hint"), f32::INFINITY);
            ui.add(field).named(&label, name);
        },
    );
}

/// What the engines do.
fn more(ui: &mut Ui, words: &Words, form: &mut Form) {
    group(ui, words, "settings.engine");
    form.tick(ui, words, "settings.thinking", |settings| &mut settings.show_thinking);
    if PLATFORM.preparations {
        form.tick(ui, words, "settings.background-work", |settings| &mut settings.background_work);
    }
}
