//! The title page: animated small boards; each card is a button.

use super::boards::Boards;
use super::draw::Draw;
use super::miniatures::{LARGEST, Miniatures};
use super::style::{BODY, Palette, SMALL, TITLE, colour};
use super::widgets::{
    Face, Icon, ask_face, choose_language, face_button, is_low, is_narrow, named, natural_width, root, target, with_key,
};
use crate::app::library::{Library, LibraryGame};
use crate::app::mistakes::Mistakes;
use crate::app::platform;
use crate::app::platform::PLATFORM;
use crate::app::play::{CARRIES, Letters, Unfinished};
use crate::app::progress::PlayerProgress;
use crate::app::repertoires::Repertoires;
use crate::app::requests::{AnyRequest, BeginRequest, Discard, LetterRequest, MistakeStep, PageRequest, Requests};
use crate::app::state::{Menu, Screen};
use crate::app::view::Desk;
use crate::app::words::Words;
use crate::ui::typesetting::{Tip, set};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Align, Align2, FontId, Layout, Rect, RichText, Sense, Stroke, StrokeKind, vec2};

pub fn draw(
    mut contexts: EguiContexts,
    (library, words, palette): (Res<Library>, Res<Words>, Res<Palette>),
    (mut miniatures, mut boards): (ResMut<Miniatures>, Boards),
    (unfinished, desk): (Res<Unfinished>, Res<Desk>),
    (mistakes, progress, repertoires, letters): (Res<Mistakes>, Res<PlayerProgress>, Res<Repertoires>, Res<Letters>),
    mut requests: Requests,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let mut ui = root(ctx, "title");
    let panel = *palette.panel();
    let ui = &mut ui;
    if desk.picture().is_none() {
        ui.painter().rect_filled(ui.max_rect(), 0.0, colour(panel.surface));
    }
    let area = ui.max_rect();
    let (name, size) = (words.say("app.name"), FontId::proportional(TITLE));
    let today = platform::today();
    let due = mistakes.due(None, today).len() + progress.due(today) + repertoires.due(None, today);
    // Beside the buttons where the window is low, or where what is due takes the place below them.
    let lower = if is_narrow(ctx) { 14.0 } else { 0.0 };
    let below = area.center_top() + vec2(0.0, 96.0 + lower);
    let low = is_low(ctx);
    let due_at = if low || is_narrow(ctx) && due > 0 {
        let name = ui.painter().text(area.left_top() + vec2(24.0, 32.0), Align2::LEFT_CENTER, name, size, palette.text());
        if low { name.right_center() + vec2(16.0, 0.0) } else { below - vec2(0.0, 12.0) }
    } else {
        ui.painter().text(below - vec2(0.0, 32.0), Align2::CENTER_CENTER, name, size, palette.text());
        below
    };
    if due == 0 && !low {
        let choose = words.say("title.choose");
        ui.painter().text(below, Align2::CENTER_CENTER, choose, FontId::proportional(BODY), palette.dim());
    }
    // As many cards per row as fit.
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
        let response = card(ui, rect, library_game, (&words, &palette), (&miniatures, &mut boards));
        miniatures.bypass_change_detection().watch(library_game.entry.key, response.hovered() || response.has_focus());
        if response.clicked() {
            requests.write(PageRequest::Choose(library_game.entry.key));
        }
    }
    // The keyboard comes to the games first.
    let offered = unfinished.found().map(|found| (found, true)).or(unfinished.discarded().map(|told| (told, false)));
    if let Some((told, found)) = offered
        && let Some(library_game) = library.game(&told.header.game)
    {
        resume_bar(ui, words.of(&library_game.sheet.name), found, &words, &mut requests);
    }
    if due > 0 {
        due_button(ui, due_at, &words.due(due), &words, &mut requests);
    }
    top_bar(ui, &letters, &words, &mut requests);
    Ok(())
}

/// What is due today, and the way there: below the name of the program, in a low window beside it.
fn due_button(ui: &mut egui::Ui, at: egui::Pos2, said: &str, words: &Words, requests: &mut Requests) {
    let face = Face { icon: Some(Icon::Again), text: said, ..Face::default() };
    let size = vec2(natural_width(ui, face), target(ui));
    let left = if is_low(ui.ctx()) { at.x } else { at.x - size.x / 2.0 };
    let place = Rect::from_min_size(egui::pos2(left, at.y - size.y / 2.0), size);
    ui.scope_builder(egui::UiBuilder::new().max_rect(place), |ui| {
        ask_face(ui, words, face, MistakeStep::Open, size, true, requests);
    });
}

fn top_bar(ui: &mut egui::Ui, letters: &Letters, words: &Words, requests: &mut Requests) {
    let bar = Rect::from_min_size(ui.max_rect().min + vec2(16.0, 12.0), vec2(ui.max_rect().width() - 32.0, 32.0));
    ui.scope_builder(egui::UiBuilder::new().max_rect(bar).layout(Layout::right_to_left(Align::Center)), |ui| {
        for (icon, key, request) in [
            (Icon::Quit, "menu.quit", PageRequest::Quit),
            (Icon::Settings, "menu.settings", PageRequest::Menu(Menu::Settings)),
            (Icon::Records, "menu.records", PageRequest::Menu(Menu::Records)),
            (Icon::Help, "menu.help", PageRequest::Menu(Menu::Help)),
        ] {
            if request == PageRequest::Quit && !PLATFORM.window {
                continue;
            }
            if named(ui, icon, words.say(key)).tip(with_key(words, words.say(key), request.clone(), requests)).clicked() {
                requests.write(request);
            }
        }
        // Tables nearby are in the list, too.
        if (CARRIES || !letters.0.is_empty()) && named(ui, Icon::Letter, words.say("letters.title")).clicked() {
            requests.write(LetterRequest::List);
        }
        let button = named(ui, Icon::Language, words.language.own_name()).tip(words.say("settings.language"));
        choose_language(&button, words, requests);
    });
}

/// The space above and below the cards, in logical pixels: less above in a low window.
fn margins(area: egui::Vec2) -> (f32, f32) {
    match () {
        () if area.y < 480.0 => (64.0, 64.0),
        () if area.x < 600.0 => (126.0, 116.0),
        () if area.y < 640.0 => (112.0, 72.0),
        () => (120.0, 72.0),
    }
}

/// The size of a card, so that all cards fit into the window.
fn card_size(area: egui::Vec2, count: usize) -> (f32, f32) {
    let (above, below) = margins(area);
    if area.x < 600.0 {
        // One below the other, each with its board beside its name.
        let height = (area.y - above - below - 16.0 * (count as f32 - 1.0)) / count as f32;
        return (area.x - 32.0, height.clamp(88.0, 148.0).floor());
    }
    let one_row = (area.x - 32.0 - 16.0 * (count as f32 - 1.0)) / count as f32;
    if one_row >= 200.0 {
        let width = one_row.min(LARGEST + 24.0);
        (width.floor(), (width + 106.0).min(area.y - above - below).floor())
    } else {
        let rows = count.div_ceil(2) as f32;
        let height = (area.y - above - below - 16.0 * (rows - 1.0)) / rows;
        (((area.x - 48.0) / 2.0).min(420.0).floor(), height.clamp(88.0, LARGEST).floor())
    }
}

fn card(
    ui: &mut egui::Ui,
    rect: Rect,
    library_game: &LibraryGame,
    (words, palette): (&Words, &Palette),
    (miniatures, boards): (&Miniatures, &mut Boards),
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
    // The name in the player's language, and below it in Chinese or, for readers of Chinese, in English.
    let first = words.of(name);
    let second = if words.language.is_chinese() { &name.en } else { &name.zh };
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
    let about = set(painter, about);
    let text = vec2(names.size().x, names.size().y + 4.0 + about.size().y);
    let (picture, top, left) = if lying {
        let side = inside.height().floor();
        let picture = Rect::from_min_size(inside.min, vec2(side, side));
        (picture, rect.center().y - text.y / 2.0, picture.right() + 12.0)
    } else {
        // The names of all cards have the same height, independent of their texts.
        let below = names.size().y + 4.0 + 3.0 * 18.0;
        let side = inside.width().min(inside.height() - below).min(LARGEST).floor();
        let picture = Rect::from_min_size(egui::pos2((rect.center().x - side / 2.0).round(), inside.top()), vec2(side, side));
        (picture, inside.bottom() - below, rect.center().x - names.size().x / 2.0)
    };
    miniatures.draw(painter, library_game, boards, picture);
    let names_height = names.size().y;
    painter.galley(egui::pos2(left, top), names, palette.text());
    let about_left = if lying { left } else { rect.center().x };
    painter.galley(egui::pos2(about_left, top + names_height + 4.0), about, palette.dim());
    response.on_hover_cursor(egui::CursorIcon::PointingHand)
}

/// The match that was broken off: to be gone on with or discarded. After that, for a while, to be brought back.
fn resume_bar(ui: &mut egui::Ui, game: &str, found: bool, words: &Words, requests: &mut Requests) {
    let (key, buttons): (&str, Vec<(Icon, &str, AnyRequest, bool)>) = match found {
        true => (
            "title.unfinished",
            vec![
                (Icon::Play, "title.resume", BeginRequest::Resume.into(), true),
                (Icon::Close, "title.forget", Discard(true).into(), false),
            ],
        ),
        false => ("title.discarded", vec![(Icon::Undo, "title.bring-back", Discard(false).into(), false)]),
    };
    let faces = buttons.iter().map(|(icon, key, _, filled)| Face { icon: Some(*icon), text: words.say(key), filled: *filled });
    let faces: Vec<Face> = faces.collect();
    let said = words.with(key, game);
    let width = faces.iter().map(|face| natural_width(ui, *face) + 8.0).sum::<f32>();
    let said = RichText::new(said).size(BODY);
    foot(ui, said, width, |ui| {
        for (face, (_, _, request, _)) in faces.iter().zip(buttons) {
            let size = vec2(natural_width(ui, *face), 36.0);
            if face_button(ui, *face, size, true).clicked() {
                requests.write(request);
            }
        }
    });
}

/// A line at the lower edge with buttons of this width behind it, or below it in a narrow window.
pub fn foot(ui: &mut egui::Ui, said: RichText, buttons: f32, add: impl FnOnce(&mut egui::Ui)) {
    let area = ui.max_rect();
    let narrow = is_narrow(ui.ctx());
    let high = if narrow { 92.0 } else { 44.0 };
    let corner = area.left_bottom() + vec2(16.0, -high - if is_low(ui.ctx()) { 8.0 } else { 16.0 });
    let bar = Rect::from_min_size(corner, vec2(area.width() - 32.0, high));
    let label = egui::Label::new(said.clone());
    if narrow {
        ui.scope_builder(egui::UiBuilder::new().max_rect(bar).layout(Layout::top_down(Align::Center)), |ui| {
            ui.add(label);
            ui.horizontal(|ui| {
                ui.add_space(((bar.width() - buttons) / 2.0).max(0.0));
                add(ui);
            });
        });
        return;
    }
    let text = egui::WidgetText::from(said);
    let text = text.into_galley(ui, Some(egui::TextWrapMode::Extend), f32::INFINITY, egui::TextStyle::Body).size().x;
    ui.scope_builder(egui::UiBuilder::new().max_rect(bar).layout(Layout::left_to_right(Align::Center)), |ui| {
        ui.add_space(((bar.width() - text - buttons) / 2.0).max(0.0));
        ui.add(label);
        add(ui);
    });
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(EguiPrimaryContextPass, draw.in_set(Draw::Screen).run_if(in_state(Screen::Title)));
}
