//! The title: the boards as living miniatures; a whole card is the button.

use super::draw::Draw;
use super::miniatures::{LARGEST, Miniatures};
use super::style::{BODY, Palette, SMALL, TITLE, colour};
use super::widgets::{button, filled_button, root};
use crate::app::intent::Intent;
use crate::app::library::{Library, LibraryGame};
use crate::app::play::Unfinished;
use crate::app::settings::Settings;
use crate::app::state::{Menu, Screen};
use crate::app::view::Desk;
use crate::app::words::{Language, Words};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Align, Align2, FontId, Layout, Rect, RichText, Sense, Stroke, StrokeKind, vec2};

fn draw(
    mut contexts: EguiContexts,
    (library, words, palette, settings): (Res<Library>, Res<Words>, Res<Palette>, Res<Settings>),
    (mut miniatures, unfinished, desk): (ResMut<Miniatures>, Res<Unfinished>, Res<Desk>),
    mut intents: MessageWriter<Intent>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let mut ui = root(ctx, "title");
    let panel = *palette.panel();
    let ui = &mut ui;
    if desk.picture().is_none() {
        ui.painter().rect_filled(ui.max_rect(), 0.0, colour(panel.surface));
    }
    top_bar(ui, &words, &settings, &mut intents);
    let area = ui.max_rect();
    ui.painter().text(
        area.center_top() + vec2(0.0, 64.0),
        Align2::CENTER_CENTER,
        words.say("app.name"),
        FontId::proportional(TITLE),
        palette.text(),
    );
    ui.painter().text(
        area.center_top() + vec2(0.0, 96.0),
        Align2::CENTER_CENTER,
        words.say("title.choose"),
        FontId::proportional(BODY),
        palette.dim(),
    );
    // As many cards in a row as fit, the rest below.
    let count = library.games.len().max(1);
    let gap = 16.0;
    let (card_width, card_height) = card_size(area.size(), count);
    let columns = (((area.width() - 32.0 + gap) / (card_width + gap)) as usize).clamp(1, count);
    let rows = count.div_ceil(columns);
    let block = vec2(columns as f32 * (card_width + gap) - gap, rows as f32 * (card_height + gap) - gap);
    let (above, below) = margins(area.size());
    let top = above + ((area.height() - above - block.y - below) / 2.0).max(0.0).floor();
    for (index, library_game) in library.games.iter().enumerate() {
        let (row, column) = (index / columns, index % columns);
        let in_row = (count - row * columns).min(columns) as f32;
        let left = area.center().x - (in_row * (card_width + gap) - gap) / 2.0;
        let corner = egui::pos2(left + column as f32 * (card_width + gap), area.top() + top + row as f32 * (card_height + gap));
        let rect = Rect::from_min_size(corner, vec2(card_width, card_height));
        let response = card(ui, rect, library_game, &words, &palette, &miniatures);
        miniatures.bypass_change_detection().watch(library_game.entry.key, response.hovered() || response.has_focus());
        if response.clicked() {
            intents.write(Intent::Choose(library_game.entry.key));
        }
    }
    if let Some(found) = unfinished.found()
        && let Some(library_game) = library.game(&found.header.game)
    {
        resume_bar(ui, words.of(&library_game.sheet.name), &words, &palette, &mut intents);
    }
    Ok(())
}

fn top_bar(ui: &mut egui::Ui, words: &Words, settings: &Settings, intents: &mut MessageWriter<Intent>) {
    let bar = Rect::from_min_size(ui.max_rect().min + vec2(16.0, 12.0), vec2(ui.max_rect().width() - 32.0, 32.0));
    ui.scope_builder(egui::UiBuilder::new().max_rect(bar).layout(Layout::right_to_left(Align::Center)), |ui| {
        if button(ui, words.say("menu.quit"), true).clicked() {
            intents.write(Intent::Quit);
        }
        if button(ui, words.say("menu.settings"), true).clicked() {
            intents.write(Intent::Menu(Menu::Settings));
        }
        if button(ui, words.say("menu.records"), true).clicked() {
            intents.write(Intent::Menu(Menu::Records));
        }
        if button(ui, words.say("menu.help"), true).clicked() {
            intents.write(Intent::Menu(Menu::Help));
        }
        if button(ui, words.say("menu.other-language"), true).clicked() {
            let language = match words.language {
                Language::Zh => Language::En,
                Language::En => Language::Zh,
            };
            intents.write(Intent::Settings(Settings { language: Some(language), ..settings.clone() }));
        }
    });
}

/// What lies above and below the cards, in logical pixels: less above in a low window.
fn margins(area: egui::Vec2) -> (f32, f32) {
    (if area.y < 640.0 { 112.0 } else { 120.0 }, 72.0)
}

/// The size of a card, so that all fit the window.
fn card_size(area: egui::Vec2, count: usize) -> (f32, f32) {
    let (above, below) = margins(area);
    let one_row = (area.x - 32.0 - 16.0 * (count as f32 - 1.0)) / count as f32;
    if one_row >= 200.0 {
        let width = one_row.min(LARGEST + 24.0);
        (width.floor(), (width + 106.0).min(area.y - above - below).floor())
    } else {
        let rows = count.div_ceil(2) as f32;
        let height = (area.y - above - below - 16.0 * (rows - 1.0)) / rows;
        (((area.x - 48.0) / 2.0).min(420.0).floor(), height.clamp(104.0, LARGEST).floor())
    }
}

fn card(
    ui: &mut egui::Ui,
    rect: Rect,
    library_game: &LibraryGame,
    words: &Words,
    palette: &Palette,
    miniatures: &Miniatures,
) -> egui::Response {
    let response = ui.interact(rect, egui::Id::new(("card", library_game.entry.key)), Sense::click());
    let panel = palette.panel();
    let name = &library_game.sheet.name;
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, words.of(name)));
    let fill = if response.hovered() { panel.hover } else { panel.raised };
    let painter = ui.painter();
    painter.rect_filled(rect, 8.0, colour(fill));
    painter.rect_stroke(rect, 8.0, Stroke::new(1.0, colour(panel.hairline)), StrokeKind::Inside);
    if response.has_focus() {
        painter.rect_stroke(rect.expand(2.0), 10.0, Stroke::new(2.0, palette.accent()), StrokeKind::Outside);
    }
    let (first, second) = match words.language {
        Language::Zh => (&name.zh, &name.en),
        Language::En => (&name.en, &name.zh),
    };
    // The board above its name, or in a low card beside it.
    let lying = rect.width() > 1.4 * rect.height();
    let inside = rect.shrink(12.0);
    let space = if lying { inside.width() - inside.height() - 12.0 } else { inside.width() };
    let format = |size, colour| egui::TextFormat::simple(FontId::proportional(size), colour);
    let mut job = egui::text::LayoutJob::default();
    job.append(first, 0.0, format(BODY, palette.text()));
    job.append(if lying { "\n" } else { "" }, 0.0, format(BODY, palette.text()));
    job.append(second, if lying { 0.0 } else { 8.0 }, format(SMALL, palette.dim()));
    let names = painter.layout_job(job);
    let about = words.of(&library_game.sheet.about).to_owned();
    let mut about = egui::text::LayoutJob::simple(about, FontId::proportional(SMALL), palette.dim(), space);
    if !lying {
        about.halign = Align::Center;
    }
    about.wrap.max_rows = 3;
    let about = painter.layout_job(about);
    let text = vec2(names.size().x, names.size().y + 4.0 + about.size().y);
    let (picture, top, left) = if lying {
        let side = inside.height().floor();
        let picture = Rect::from_min_size(inside.min, vec2(side, side));
        (picture, rect.center().y - text.y / 2.0, picture.right() + 12.0)
    } else {
        // The names of all cards stand on one line, whatever their texts need.
        let below = names.size().y + 4.0 + 3.0 * 18.0;
        let side = inside.width().min(inside.height() - below).min(LARGEST).floor();
        let picture = Rect::from_min_size(egui::pos2((rect.center().x - side / 2.0).round(), inside.top()), vec2(side, side));
        (picture, inside.bottom() - below, rect.center().x - names.size().x / 2.0)
    };
    miniatures.draw(painter, library_game.entry.key, picture);
    let names_height = names.size().y;
    painter.galley(egui::pos2(left, top), names, palette.text());
    let about_left = if lying { left } else { rect.center().x };
    painter.galley(egui::pos2(about_left, top + names_height + 4.0), about, palette.dim());
    response.on_hover_cursor(egui::CursorIcon::PointingHand)
}

fn resume_bar(ui: &mut egui::Ui, game: &str, words: &Words, palette: &Palette, intents: &mut MessageWriter<Intent>) {
    let area = ui.max_rect();
    let bar = Rect::from_min_size(area.left_bottom() + vec2(16.0, -60.0), vec2(area.width() - 32.0, 44.0));
    let layout = Layout::left_to_right(Align::Center).with_main_align(Align::Center);
    ui.scope_builder(egui::UiBuilder::new().max_rect(bar).layout(layout), |ui| {
        ui.add_space(((bar.width() - 420.0) / 2.0).max(0.0));
        ui.label(RichText::new(words.with("title.unfinished", game)));
        if filled_button(ui, palette, words.say("title.resume"), 96.0, true).clicked() {
            intents.write(Intent::Resume);
        }
        if button(ui, words.say("title.forget"), true).clicked() {
            intents.write(Intent::Forget);
        }
    });
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(EguiPrimaryContextPass, draw.in_set(Draw::Screen).run_if(in_state(Screen::Title)));
}
