//! The menus over the screen: pause, settings, help, and the question before resigning.

use super::engines::ProgramForm;
use super::entries::Entries;
use super::style::{BODY, Palette, SMALL};
use super::widgets::{
    Icon, ask_button, dim, filled_button, grown, heading, is_narrow, page_frame, page_less, page_of, page_width,
    wide_drawn_button,
};
use crate::app::activity::Activity;
use crate::app::commands::{CommandGroup, CommandTable};
use crate::app::engines::Engines;
use crate::app::library::Library;
use crate::app::menus::Below;
use crate::app::platform::PLATFORM;
use crate::app::play::{CurrentMatch, ExportChoice, OfferedData, Opened, Painting, ScoreSheet, account};
use crate::app::requests::{
    AnyRequest, BeginRequest, DataRequest, PageRequest, RecordsRequest, RefereeRequest, Requests, RulesRequest,
};
use crate::app::settings::Settings;
use crate::app::state::{Menu, Screen};
use crate::app::view::FrameRequests;
use crate::app::words::Words;
use crate::ui::typesetting::Prose;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use egui::{RichText, Ui};

/// Below this height of the window, in pixels, a menu's buttons stand in two columns.
const LOW: f32 = 560.0;
/// Frames in which a menu that has just been opened is laid out.
const LAID_OUT: u32 = 2;
/// The width of a menu's contents, in logical pixels; of the help, and of its keys beside what they do.
const WIDTH: f32 = 360.0;
const HELP: f32 = 560.0;
const KEYS: f32 = 168.0;

pub fn draw(
    mut contexts: EguiContexts,
    (menu, screen): (Res<State<Menu>>, Res<State<Screen>>),
    (words, palette, library): (Res<Words>, Res<Palette>, Res<Library>),
    (current, sheet, table): (Option<Res<CurrentMatch>>, Res<ScoreSheet>, Res<CommandTable>),
    (below, beside, offers): (Res<Below>, Res<Opened>, Res<Entries>),
    (settings, engines, mut form): (Res<Settings>, Res<Engines>, ResMut<ProgramForm>),
    (choice, painting, offered): (Res<ExportChoice>, Res<Painting>, Res<OfferedData>),
    (mut requests, mut opened, mut frames): (Requests, Local<(Menu, u32)>, ResMut<FrameRequests>),
) -> Result {
    if matches!(menu.get(), Menu::None | Menu::Rules | Menu::Lessons | Menu::Games | Menu::Files | Menu::Records | Menu::Page(_))
    {
        *opened = (Menu::None, 0);
        return Ok(());
    }
    let ctx = contexts.ctx_mut()?;
    // What is in a menu, and whether it scrolls, is known when it has been laid out: until then it is not seen.
    if opened.0 != *menu.get() {
        *opened = (*menu.get(), 0);
    }
    opened.1 += 1;
    let seen = opened.1 > LAID_OUT;
    if !seen {
        ctx.request_repaint();
        frames.keep();
    }
    let in_match = *screen.get() == Screen::Match;
    let current = current.filter(|_| in_match);
    let on: Vec<Activity> = current.iter().flat_map(|current| current.on(&beside)).chain(below.0).collect();
    let frame = page_frame(ctx, &palette);
    // Each page scrolls for itself.
    let id = egui::Id::new(("menu", menu.get()));
    let mut modal = egui::Modal::new(id).frame(frame);
    if *menu.get() == Menu::Settings && !is_narrow(ctx) {
        // What they change is seen beside them.
        let area = egui::Modal::default_area(id).anchor(egui::Align2::RIGHT_CENTER, egui::Vec2::ZERO);
        modal = modal.area(area).backdrop_color(egui::Color32::TRANSPARENT);
    }
    let modal = modal.show(ctx, |ui| {
        if !seen {
            ui.set_opacity(0.0);
        }
        let most = if *menu.get() == Menu::Help { HELP } else { WIDTH };
        let width = if is_narrow(ctx) { page_width(ctx, most) } else { most.min(ctx.content_rect().width() - 80.0) };
        page_of(ui, width, |ui| match menu.get() {
            Menu::None | Menu::Rules | Menu::Lessons | Menu::Games | Menu::Files | Menu::Records | Menu::Page(_) => {}
            Menu::Pause => pause(ui, &words, &palette, (current.as_deref(), &offers), &mut requests),
            Menu::Settings => super::settings::page(ui, (&words, &palette, &library), &settings, in_match, &mut requests),
            Menu::Help => help(ui, &words, &palette, (current.as_deref(), &table, &on), &mut requests),
            Menu::Data => data(ui, &words, &palette, &offered, &mut requests),
            Menu::Resign => resign(ui, &words, &palette, current.as_deref(), &mut requests),
            Menu::Export => {
                let back = if choice.saved.is_some() { Menu::Records } else { Menu::None };
                super::export::page(ui, (&words, &palette), (&choice, back), &mut requests);
            }
            Menu::Picture => {
                super::export::picture(ui, (&words, &palette), (current.as_deref(), &painting), &mut requests);
            }
            Menu::Comment => super::comment::page(ui, (&words, &palette), current.as_deref(), &sheet, &mut requests),
            Menu::Engines => {
                super::engines::page(ui, (&words, &palette, &library), &engines, form.bypass_change_detection(), &mut requests);
            }
        });
    });
    // Escape is read with the other keys of the program; read here too, it would close what lies below as well.
    if modal.backdrop_response.clicked() {
        requests.write(PageRequest::Menu(Menu::None));
    }
    Ok(())
}

fn pause(
    ui: &mut Ui,
    words: &Words,
    palette: &Palette,
    (current, offers): (Option<&CurrentMatch>, &Entries),
    requests: &mut Requests,
) {
    let over = current.is_some_and(|current| current.outcome().is_some());
    // A friend elsewhere does not wait.
    let elsewhere = current.is_some_and(CurrentMatch::is_by_letter);
    let title = if elsewhere { "play.menu" } else { "menu.pause" };
    let (title, back) = if over { ("menu.over", "menu.to-board") } else { (title, "menu.go-on") };
    heading(ui, words.say(title));
    ui.add_space(8.0);
    let width = ui.available_width();
    if filled_button(ui, palette, words.say(back), width, true).clicked() {
        requests.write(PageRequest::Menu(Menu::None));
    }
    let game = current.map(|current| current.game().entry.key);
    let variant = |current: &CurrentMatch| current.table().setup().variant.clone().unwrap_or_default();
    let rules = current.map(|current| RulesRequest(current.game().entry.key, variant(current)).into());
    // A task of the first steps is begun again in the panel, and not saved.
    let own = current.is_some_and(|current| current.traits().whole_game);
    let before: [(Icon, &str, Option<AnyRequest>); 4] = [
        (Icon::New, "menu.new", own.then(|| BeginRequest::Rematch(false).into())),
        (Icon::Players, "menu.setup", game.map(|game| PageRequest::Choose(game).into())),
        (Icon::Save, "records.save", own.then(|| RecordsRequest::Save.into())),
        (Icon::Records, "menu.records", Some(PageRequest::Menu(Menu::Records).into())),
    ];
    let after = [
        (Icon::Settings, "menu.settings", Some(PageRequest::Menu(Menu::Settings).into())),
        (Icon::Rules, "menu.rules", rules),
        (Icon::Help, "menu.help", Some(PageRequest::Menu(Menu::Help).into())),
        (Icon::Home, "menu.title", Some(PageRequest::Title.into())),
        (Icon::Quit, "menu.quit", PLATFORM.window.then(|| PageRequest::Quit.into())),
    ];
    let between = current.into_iter().flat_map(|current| offers.of_match(current));
    let entries: Vec<_> =
        before.into_iter().chain(between).chain(after).filter_map(|(icon, key, request)| Some((icon, key, request?))).collect();
    // In a low window they stand in two columns.
    let columns = if ui.ctx().content_rect().height() < LOW + grown(ui, 13.0) { 2 } else { 1 };
    let width = (width - 8.0 * (columns - 1) as f32) / columns as f32;
    for row in entries.chunks(columns) {
        ui.horizontal(|ui| {
            for (icon, key, request) in row {
                ask_button(ui, words, (*icon, key), request.clone(), egui::vec2(width, 32.0), true, requests);
            }
        });
    }
}

/// Commands: their keys, and what each does.
fn keys(ui: &mut Ui, (words, palette): (&Words, &Palette), group: &CommandGroup) {
    ui.add_space(8.0);
    dim(ui, palette, words.say(group.title));
    ui.spacing_mut().interact_size.y = 20.0;
    if is_narrow(ui.ctx()) {
        for (keys, what) in group.rows(words) {
            dim(ui, palette, keys);
            ui.prose(RichText::new(what).size(SMALL));
        }
        return;
    }
    for (keys, what) in group.rows(words) {
        ui.horizontal_top(|ui| {
            ui.vertical(|ui| {
                ui.set_width(KEYS);
                ui.prose(RichText::new(keys).size(SMALL));
            });
            ui.vertical(|ui| ui.prose(RichText::new(what).size(SMALL)));
        });
    }
}

/// The help. It begins with the commands of the activities that are on.
fn help(
    ui: &mut Ui,
    words: &Words,
    palette: &Palette,
    (current, table, on): (Option<&CurrentMatch>, &CommandTable, &[Activity]),
    requests: &mut Requests,
) {
    let (first, others): (Vec<_>, Vec<_>) =
        table.groups().partition(|group| group.activity.is_some_and(|activity| on.contains(&activity)));
    heading(ui, words.say("menu.help"));
    egui::ScrollArea::vertical().max_height((ui.ctx().content_rect().height() - page_less(ui, 220.0)).max(160.0)).show(
        ui,
        |ui| {
            first.iter().for_each(|group| keys(ui, (words, palette), group));
            let mut told = |title: &str, text: &str| {
                ui.add_space(8.0);
                dim(ui, palette, title);
                ui.prose(RichText::new(text).size(SMALL));
            };
            if let Some(current) = current {
                let sheet = &current.game().sheet;
                told(words.of(&sheet.name), words.of(&sheet.rules));
            }
            told(words.say("help.hand"), words.say("help.hand.text"));
            told(words.say("help.letters"), words.say("help.letters.text"));
            told(words.say("settings.language"), words.say("help.languages.text"));
            if !PLATFORM.programs {
                told(words.say("help.browser"), words.say("help.browser.text"));
            }
            others.iter().for_each(|group| keys(ui, (words, palette), group));
        },
    );
    ui.add_space(8.0);
    let width = ui.available_width();
    if filled_button(ui, palette, words.say("menu.done"), width, true).clicked() {
        requests.write(PageRequest::Menu(Menu::None));
    }
}

/// The question whether all data of a file are to be taken over.
fn data(ui: &mut Ui, words: &Words, palette: &Palette, offered: &OfferedData, requests: &mut Requests) {
    let Some((file, data)) = offered.get() else {
        requests.write(PageRequest::Menu(Menu::None));
        return;
    };
    heading(ui, words.say("data.import"));
    dim(ui, palette, file);
    ui.prose(RichText::new(account(data, words)).size(BODY));
    ui.add_space(4.0);
    ui.prose(words.say("data.question"));
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 8.0) / 2.0;
        if filled_button(ui, palette, words.say("data.take"), width, true).clicked() {
            requests.write(DataRequest::Take);
        }
        if super::widgets::wide_button(ui, words.say("comment.drop"), width, true).clicked() {
            requests.write(PageRequest::Menu(Menu::None));
        }
    });
}

fn resign(ui: &mut Ui, words: &Words, palette: &Palette, current: Option<&CurrentMatch>, requests: &mut Requests) {
    let Some((current, side)) = current.and_then(|current| Some((current, current.resigner()?))) else {
        requests.write(PageRequest::Menu(Menu::None));
        return;
    };
    let seat = current.seat_of(side);
    let question = match current.viewer() == Some(seat) {
        true => words.say("resign.question.yours").to_owned(),
        false => words.with("resign.question", words.seat(current, seat)),
    };
    ui.prose(RichText::new(question).size(BODY));
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 8.0) / 2.0;
        if filled_button(ui, palette, words.say("menu.go-on"), width, true).clicked() {
            requests.write(PageRequest::Menu(Menu::None));
        }
        if wide_drawn_button(ui, Icon::Resign, words.say("play.resign"), width, true).clicked() {
            requests.write(RefereeRequest::Resign(side));
            requests.write(PageRequest::Menu(Menu::None));
        }
    });
}
