//! What lies over the screen: pause, settings, help, and the question before giving up.

use super::engines::Newcomer;
use super::style::{BODY, Palette, SMALL, colour};
use super::widgets::{dim, filled_button, heading, segmented, tick, wide_button};
use crate::app::intent::Intent;
use crate::app::library::Library;
use crate::app::play::{CurrentMatch, ExportChoice, Painting, ScoreSheet};
use crate::app::settings::Settings;
use crate::app::state::{Menu, Screen};
use crate::app::words::{Language, Words};
use crate::table::Notation;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use egui::{RichText, Ui};

/// Width of a menu's contents, in logical pixels.
const WIDTH: f32 = 360.0;

pub fn draw(
    mut contexts: EguiContexts,
    (menu, screen): (Res<State<Menu>>, Res<State<Screen>>),
    (words, palette, settings, library): (Res<Words>, Res<Palette>, Res<Settings>, Res<Library>),
    (current, sheet): (Option<Res<CurrentMatch>>, Res<ScoreSheet>),
    mut newcomer: ResMut<Newcomer>,
    (choice, painting): (Res<ExportChoice>, Res<Painting>),
    mut intents: MessageWriter<Intent>,
) -> Result {
    if matches!(menu.get(), Menu::None | Menu::Rules | Menu::Lessons | Menu::Games | Menu::Files | Menu::Records) {
        return Ok(());
    }
    let ctx = contexts.ctx_mut()?;
    let in_match = *screen.get() == Screen::Match;
    let frame = egui::Frame::new()
        .fill(colour(palette.panel().surface))
        .stroke(egui::Stroke::new(1.0, colour(palette.panel().hairline)))
        .corner_radius(8.0)
        .inner_margin(24);
    let modal = egui::Modal::new(egui::Id::new("menu")).frame(frame).show(ctx, |ui| {
        ui.set_width(WIDTH.min(ui.ctx().content_rect().width() - 80.0));
        match menu.get() {
            Menu::None | Menu::Rules | Menu::Lessons | Menu::Games | Menu::Files | Menu::Records => {}
            Menu::Pause => pause(ui, &words, &palette, current.as_deref(), &mut intents),
            Menu::Settings => change(ui, &words, &palette, &settings, &library, in_match, &mut intents),
            Menu::Help => help(ui, &words, &palette, current.as_deref(), &mut intents),
            Menu::Resign => resign(ui, &words, &palette, current.as_deref(), &mut intents),
            Menu::Export => {
                let back = if choice.saved.is_some() { Menu::Records } else { Menu::None };
                super::export::page(ui, (&words, &palette), (&choice, back), &mut intents);
            }
            Menu::Picture => {
                super::export::picture(ui, (&words, &palette), (current.as_deref(), &painting), &mut intents);
            }
            Menu::Comment => super::comment::page(ui, (&words, &palette), current.as_deref(), &sheet, &mut intents),
            Menu::Engines => {
                super::engines::page(
                    ui,
                    (&words, &palette, &library),
                    &settings,
                    newcomer.bypass_change_detection(),
                    &mut intents,
                );
            }
        }
    });
    if modal.should_close() {
        intents.write(Intent::Menu(Menu::None));
    }
    Ok(())
}

fn pause(ui: &mut Ui, words: &Words, palette: &Palette, current: Option<&CurrentMatch>, intents: &mut MessageWriter<Intent>) {
    heading(ui, words.say("menu.pause"));
    ui.add_space(8.0);
    let width = ui.available_width();
    if filled_button(ui, palette, words.say("menu.go-on"), width, true).clicked() {
        intents.write(Intent::Menu(Menu::None));
    }
    let game = current.map(|current| current.game().entry.key);
    let variant = |current: &CurrentMatch| current.table().setup().variant.clone().unwrap_or_default();
    let rules = current.map(|current| Intent::Rules(current.game().entry.key, variant(current)));
    for (key, intent) in [
        ("menu.new", Some(Intent::Rematch(false))),
        ("menu.setup", game.map(Intent::Choose)),
        ("menu.records", Some(Intent::Menu(Menu::Records))),
        ("menu.settings", Some(Intent::Menu(Menu::Settings))),
        ("menu.rules", rules),
        ("menu.help", Some(Intent::Menu(Menu::Help))),
        ("menu.title", Some(Intent::Title)),
        ("menu.quit", Some(Intent::Quit)),
    ] {
        let Some(intent) = intent else { continue };
        if wide_button(ui, words.say(key), width, true).clicked() {
            intents.write(intent);
        }
    }
}

fn change(
    ui: &mut Ui,
    words: &Words,
    palette: &Palette,
    settings: &Settings,
    library: &Library,
    in_match: bool,
    intents: &mut MessageWriter<Intent>,
) {
    let mut new = settings.clone();
    heading(ui, words.say("menu.settings"));
    let height = (ui.ctx().content_rect().height() - 220.0).max(160.0);
    egui::ScrollArea::vertical().max_height(height).show(ui, |ui| choices(ui, words, palette, settings, library, &mut new));
    ui.add_space(8.0);
    let width = ui.available_width();
    ui.horizontal(|ui| {
        let half = (width - 8.0) / 2.0;
        for (key, menu) in [("menu.engines", Menu::Engines), ("lessons.title", Menu::Lessons)] {
            if wide_button(ui, words.say(key), half, true).clicked() {
                intents.write(Intent::Menu(menu));
            }
        }
    });
    if filled_button(ui, palette, words.say("menu.done"), width, true).clicked() {
        intents.write(Intent::Menu(if in_match { Menu::Pause } else { Menu::None }));
    }
    if new != *settings {
        intents.write(Intent::Settings(new));
    }
}

/// What can be chosen.
fn choices(ui: &mut Ui, words: &Words, palette: &Palette, settings: &Settings, library: &Library, new: &mut Settings) {
    ui.set_width(ui.available_width());
    dim(ui, palette, words.say("settings.language"));
    let mut language = words.language;
    if segmented(ui, &mut language, &[(Language::Zh, "中文"), (Language::En, "English")]) {
        new.language = Some(language);
    }
    dim(ui, palette, words.say("settings.theme"));
    let mut theme = library.themes.iter().position(|(key, _)| *key == settings.theme).unwrap_or(0);
    let names: Vec<(usize, &str)> =
        library.themes.iter().enumerate().map(|(index, (_, theme))| (index, words.of(&theme.name))).collect();
    if segmented(ui, &mut theme, &names) {
        new.theme = library.themes[theme].0.clone();
    }
    dim(ui, palette, words.say("settings.pieces"));
    let sets = [(false, words.say("settings.pieces.characters")), (true, words.say("settings.pieces.western"))];
    segmented(ui, &mut new.western_pieces, &sets);
    dim(ui, palette, words.say("settings.speed"));
    let mut speed = (new.speed * 2.0).round() as u8;
    let speeds = [
        (0, words.say("settings.speed.off")),
        (1, words.say("settings.speed.slow")),
        (2, words.say("settings.speed.normal")),
        (4, words.say("settings.speed.fast")),
    ];
    if segmented(ui, &mut speed, &speeds) {
        new.speed = f32::from(speed) / 2.0;
    }
    dim(ui, palette, words.say("settings.volume"));
    let mut volume = (new.volume * 100.0).round();
    if ui.add(egui::Slider::new(&mut volume, 0.0..=100.0).fixed_decimals(0)).changed() {
        new.volume = volume / 100.0;
    }
    tick(ui, &mut new.muted, words.say("settings.muted"));
    tick(ui, &mut new.red_blind_safe, words.say("settings.red-blind"));
    tick(ui, &mut new.move_numbers, words.say("settings.move-numbers"));
    tick(ui, &mut new.reduced_motion, words.say("settings.reduced-motion"));
    tick(ui, &mut new.show_targets, words.say("settings.targets"));
    tick(ui, &mut new.show_forbidden, words.say("settings.forbidden"));
    tick(ui, &mut new.show_thinking, words.say("settings.thinking"));
    tick(ui, &mut new.background_work, words.say("settings.background-work"));
    tick(ui, &mut new.confirm_moves, words.say("settings.confirm"));
    dim(ui, palette, words.say("settings.notation"));
    let notations = [
        (None, words.say("settings.notation.language")),
        (Some(Notation::Chinese), words.say("settings.notation.chinese")),
        (Some(Notation::Wxf), "WXF"),
        (Some(Notation::Iccs), "ICCS"),
        (Some(Notation::Uci), "UCI"),
    ];
    segmented(ui, &mut new.notation, &notations);
}

/// The keys, and what they do.
const KEYS: [(&str, &str); 21] = [
    ("Enter", "keys.cursor"),
    ("keys.arrow-keys", "keys.arrows"),
    ("Home", "look.first"),
    ("End", "look.last"),
    ("Space", "play.hint"),
    ("Ctrl+Z", "play.undo"),
    ("Ctrl+Y", "play.redo"),
    ("Ctrl+N", "menu.new"),
    ("A", "analysis.note"),
    ("T", "truth.note"),
    ("1 2 3", "keys.choices"),
    ("Ctrl+S", "records.save"),
    ("Ctrl+O", "menu.records"),
    ("Ctrl+C", "keys.copy"),
    ("Ctrl+Shift+C", "keys.copy-position"),
    ("Ctrl+V", "keys.paste"),
    ("F", "play.flip"),
    ("Tab", "keys.focus"),
    ("Esc", "keys.back"),
    ("F1", "menu.help"),
    ("F11", "keys.fullscreen"),
];

fn help(ui: &mut Ui, words: &Words, palette: &Palette, current: Option<&CurrentMatch>, intents: &mut MessageWriter<Intent>) {
    heading(ui, words.say("menu.help"));
    egui::ScrollArea::vertical().max_height((ui.ctx().content_rect().height() - 220.0).max(160.0)).show(ui, |ui| {
        if let Some(current) = current {
            dim(ui, palette, words.of(&current.game().sheet.name));
            ui.label(RichText::new(words.of(&current.game().sheet.rules)).size(SMALL));
            ui.add_space(8.0);
        }
        dim(ui, palette, words.say("help.hand"));
        ui.label(RichText::new(words.say("help.hand.text")).size(SMALL));
        ui.add_space(8.0);
        dim(ui, palette, words.say("help.keys"));
        ui.spacing_mut().interact_size.y = 20.0;
        egui::Grid::new("keys").num_columns(2).spacing([24.0, 6.0]).show(ui, |ui| {
            for (key, what) in KEYS {
                ui.label(RichText::new(words.say(key)).size(SMALL));
                ui.label(RichText::new(words.say(what)).size(SMALL));
                ui.end_row();
            }
        });
    });
    ui.add_space(8.0);
    let width = ui.available_width();
    if filled_button(ui, palette, words.say("menu.done"), width, true).clicked() {
        intents.write(Intent::Menu(Menu::None));
    }
}

fn resign(ui: &mut Ui, words: &Words, palette: &Palette, current: Option<&CurrentMatch>, intents: &mut MessageWriter<Intent>) {
    let Some((current, side)) = current.and_then(|current| Some((current, current.resigner()?))) else {
        intents.write(Intent::Menu(Menu::None));
        return;
    };
    ui.label(RichText::new(words.with("resign.question", words.seat(current, current.seat_of(side)))).size(BODY));
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 8.0) / 2.0;
        if filled_button(ui, palette, words.say("menu.go-on"), width, true).clicked() {
            intents.write(Intent::Menu(Menu::None));
        }
        if wide_button(ui, words.say("play.resign"), width, true).clicked() {
            intents.write(Intent::Resign(side));
            intents.write(Intent::Menu(Menu::None));
        }
    });
}
