//! The saved games: each with its last position, to be opened, renamed, written to a file or deleted; and the way to any other file.

use super::boards::Boards;
use super::draw::Draw;
use super::speech::Named;
use super::style::{BODY, Palette, SMALL, colour};
use super::thumbnails::Thumbnails;
use super::widgets::{
    Face, Icon, button, dim, drawn_button, filled_button, heading, icon_button, in_a_row, is_narrow, menu_item, menu_of,
    natural_width, page_frame, page_less, page_of, page_width, segmented, stacked, text_field, wrapping,
};
use crate::app::library::Library;
use crate::app::platform::PLATFORM;
use crate::app::play::{CurrentMatch, GameList, SavedGame, SavedGames, in_match};
use crate::app::requests::{
    AnyRequest, DialogRequest, ExportRequest, FileAim, LibraryRequest, PageRequest, PasteClipboard, ReadRequest, RecordsRequest,
    Requests,
};
use crate::app::state::{Menu, Screen};
use crate::app::words::Words;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Rect, Sense, Stroke, StrokeKind, Ui, vec2};
use qiju_core::library::folded;
use std::path::PathBuf;

/// Height of a row and side of its picture, in logical pixels.
const ROW: f32 = 68.0;
const PICTURE: f32 = 60.0;

/// How the games are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Sort {
    #[default]
    Newest,
    Game,
    Length,
}

/// What the player has typed and chosen.
#[derive(Resource, Default)]
struct Page {
    search: String,
    sort: Sort,
    path: String,
    /// The game that is given another title, and the title.
    renamed: Option<(PathBuf, String)>,
}

/// What the page is made of.
struct View<'a> {
    words: &'a Words,
    palette: &'a Palette,
    library: &'a Library,
    thumbnails: &'a Thumbnails,
}

fn draw(
    mut contexts: EguiContexts,
    (mut page, mut thumbnails, mut boards): (ResMut<Page>, ResMut<Thumbnails>, Boards),
    (words, palette, library, saved): (Res<Words>, Res<Palette>, Res<Library>, Res<SavedGames>),
    (current, list, place): (Option<Res<CurrentMatch>>, Res<GameList>, Res<State<Screen>>),
    mut requests: Requests,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let (page, thumbnails) = (page.bypass_change_detection(), thumbnails.bypass_change_detection());
    let screen = ctx.content_rect();
    let frame = page_frame(ctx, &palette);
    // On the title page the last match is still known, but is not that which a player would save.
    let on_board = in_match(place, current);
    let mut seen = Vec::new();
    let modal = egui::Modal::new(egui::Id::new("records")).frame(frame).show(ctx, |ui| {
        page_of(ui, page_width(ctx, 680.0), |ui| {
            ui.horizontal(|ui| {
                heading(ui, words.say("menu.records"));
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    if drawn_button(ui, Icon::Records, words.say("library.title"), true).clicked() {
                        requests.write(LibraryRequest::Show);
                    }
                });
            });
            let view = View { words: &words, palette: &palette, library: &library, thumbnails };
            stacked(ui, |ui| {
                let search = text_field(ui, &mut page.search, words.say("games.search"), 200.0);
                ui.add(search);
                let sorts = [
                    (Sort::Newest, words.say("records.newest")),
                    (Sort::Game, words.say("records.by-game")),
                    (Sort::Length, words.say("records.by-length")),
                ];
                segmented(ui, &mut page.sort, &sorts);
                if !list.games.is_empty() && drawn_button(ui, Icon::Menu, words.say("menu.games"), true).clicked() {
                    requests.write(PageRequest::Menu(Menu::Games));
                }
            });
            let height = (screen.height() - page_less(ui, 380.0) - if is_narrow(ctx) { 150.0 } else { 0.0 }).clamp(96.0, 480.0);
            seen = view.list(ui, page, (&saved.games, &mut boards), height, &mut requests);
            deleted(ui, &saved, &view, &mut requests);
            bottom(ui, page, on_board, &words, &palette, &mut requests);
        });
    });
    thumbnails.ask(seen);
    if modal.should_close() {
        requests.write(PageRequest::Menu(Menu::None));
    }
    Ok(())
}

/// The buttons below the list, and the line to type a path.
fn bottom(ui: &mut Ui, page: &mut Page, in_match: bool, words: &Words, palette: &Palette, requests: &mut Requests) {
    wrapping(ui, |ui| {
        if PLATFORM.folders {
            let space = ui.available_width();
            let buttons = [(None, "records.open"), (Some(Icon::Records), "records.open-file"), (None, "sheet.paste")];
            let widths = buttons.map(|(icon, key)| natural_width(ui, Face { icon, text: words.say(key), filled: false }) + 8.0);
            let beside = if is_narrow(ui.ctx()) { 20.0 } else { widths.iter().sum() };
            let edit = text_field(ui, &mut page.path, words.say("records.path-hint"), (space - beside).max(120.0));
            let entered = ui.add(edit).lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            let wanted = !page.path.trim().is_empty();
            if (button(ui, words.say("records.open"), wanted).clicked() || entered) && wanted {
                requests.write(ReadRequest::Open(vec![PathBuf::from(page.path.trim())]));
            }
        }
        if drawn_button(ui, Icon::Records, words.say("records.open-file"), true).clicked() {
            requests.write(DialogRequest::Choose(FileAim::Open));
        }
        if button(ui, words.say("sheet.paste"), true).clicked() {
            requests.write(PasteClipboard);
        }
    });
    dim(ui, palette, words.say("records.drop"));
    let narrow = is_narrow(ui.ctx());
    wrapping(ui, |ui| {
        let count = if !in_match {
            1.0
        } else if narrow {
            2.0
        } else {
            3.0
        };
        let whole = ui.available_width();
        let width = (whole - 8.0 * (count - 1.0)) / count;
        if in_match {
            for (key, request) in
                [("records.save", AnyRequest::from(RecordsRequest::Save)), ("sheet.export", ExportRequest(None).into())]
            {
                if super::widgets::wide_button(ui, words.say(key), width, true).clicked() {
                    requests.write(request);
                }
            }
        }
        let width = if narrow { whole } else { width };
        if filled_button(ui, palette, words.say("menu.done"), width, true).clicked() {
            requests.write(PageRequest::Menu(Menu::None));
        }
    });
}

/// What was deleted last, and the way to bring it back.
fn deleted(ui: &mut Ui, saved: &SavedGames, view: &View, requests: &mut Requests) {
    let Some(deleted) = &saved.deleted else { return };
    ui.horizontal(|ui| {
        dim(ui, view.palette, view.words.with("records.deleted", view.title(&deleted.game)));
        if button(ui, view.words.say("records.undo"), true).clicked() {
            requests.write(RecordsRequest::Restore);
        }
    });
}

impl View<'_> {
    /// What stands above: the title the player gave, the game and its result.
    fn title(&self, saved: &SavedGame) -> String {
        let record = &saved.record;
        let game = self.library.game(&record.game);
        let name = game.map_or(record.game.as_str(), |game| self.words.of(&game.sheet.name));
        let result = match record.result {
            None => self.words.say("records.unfinished").to_owned(),
            result => self.words.result(result, game),
        };
        let parts = [record.tags.get("Title").unwrap_or_default(), name, &result];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
    }

    /// What stands below.
    fn details(&self, saved: &SavedGame) -> String {
        let record = &saved.record;
        let game = self.library.game(&record.game);
        let [first, second] = [&record.seats.first, &record.seats.second].map(|seat| self.words.player(seat, game));
        let players = self.words.fill("records.players", &[&first, &second]);
        let length = game.map(|game| self.words.length(game, record.plies()));
        let parts = [Some(record.event.as_str()), Some(&players), length.as_deref()];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }

    /// The list; returns the games that are seen.
    fn list(
        &self,
        ui: &mut Ui,
        page: &mut Page,
        (games, boards): (&[SavedGame], &mut Boards),
        height: f32,
        requests: &mut Requests,
    ) -> Vec<SavedGame> {
        let words: Vec<String> = page.search.split_whitespace().map(folded).collect();
        let found = |game: &&SavedGame| {
            let text = || folded(&format!("{} {}", self.title(game), self.details(game)));
            words.is_empty() || {
                let text = text();
                words.iter().all(|word| text.contains(word))
            }
        };
        let mut shown: Vec<&SavedGame> = games.iter().filter(found).collect();
        match page.sort {
            Sort::Newest => {}
            Sort::Game => shown.sort_by(|a, b| a.record.game.cmp(&b.record.game)),
            Sort::Length => shown.sort_by_cached_key(|game| std::cmp::Reverse(game.record.plies())),
        }
        let mut seen = Vec::new();
        ui.spacing_mut().item_spacing.y = 2.0;
        let area = egui::ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, false]);
        area.show_rows(ui, ROW, shown.len().max(1), |ui, range| {
            if shown.is_empty() {
                let key = if games.is_empty() { "records.none" } else { "records.none-found" };
                dim(ui, self.palette, self.words.say(key));
                return;
            }
            for game in &shown[range.start..range.end.min(shown.len())] {
                self.row(ui, page, (game, &mut *boards), requests);
                seen.push((*game).clone());
            }
        });
        ui.spacing_mut().item_spacing.y = 8.0;
        seen
    }

    /// One game of the list: the whole row is the button, the menu stands at its end.
    fn row(&self, ui: &mut Ui, page: &mut Page, (game, boards): (&SavedGame, &mut Boards), requests: &mut Requests) {
        let width = ui.available_width() - 12.0;
        let (rect, _) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
        let inside = Rect::from_min_max(rect.min, rect.max - vec2(52.0, 0.0));
        let id = ui.id().with(("saved", &game.path));
        let (first, second) = (self.title(game), self.details(game));
        let response = ui.interact(inside, id, Sense::click());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, format!("{first} · {second}")));
        if response.hovered() || response.has_focus() {
            ui.painter().rect_filled(rect, 8.0, colour(self.palette.panel().raised));
        }
        if response.has_focus() {
            ui.painter().rect_stroke(inside, 8.0, Stroke::new(2.0, self.palette.accent()), StrokeKind::Inside);
        }
        if response.gained_focus() {
            response.scroll_to_me(None);
        }
        let picture = Rect::from_min_size(inside.min + vec2(4.0, (ROW - PICTURE) / 2.0), vec2(PICTURE, PICTURE));
        self.thumbnails.draw(ui.painter(), game, (self.library, boards), picture);
        let left = PICTURE + 16.0;
        if let Some((_, title)) = page.renamed.as_mut().filter(|(path, _)| *path == game.path) {
            let line = Rect::from_min_size(inside.min + vec2(left, 16.0), vec2(inside.width() - left - 8.0, 36.0));
            let edit = egui::TextEdit::singleline(title)
                .hint_text(self.words.say("records.title-hint"))
                .margin(egui::Margin::symmetric(10, 7))
                .desired_width(line.width());
            let edited = ui.put(line, edit).called(self.words.say("records.title-hint"));
            if !edited.has_focus() && !edited.lost_focus() {
                edited.request_focus();
            }
            if edited.lost_focus() {
                if ui.input(|input| input.key_pressed(egui::Key::Enter)) {
                    requests.write(RecordsRequest::Rename(game.path.clone(), title.clone()));
                }
                page.renamed = None;
            }
        } else {
            let (upper, lower) = if is_narrow(ui.ctx()) { (6.0, 28.0) } else { (12.0, 36.0) };
            for (text, y, size, ink) in [(first, upper, BODY, self.palette.text()), (second, lower, SMALL, self.palette.dim())] {
                let galley = in_a_row(ui, text, size, inside.width() - left - 8.0, ink);
                ui.painter().galley(inside.min + vec2(left, y), galley, ink);
            }
            if response.clicked() {
                requests.write(ReadRequest::Open(vec![game.path.clone()]));
            }
        }
        let place = Rect::from_min_size(rect.right_center() + vec2(-44.0, -16.0), vec2(36.0, 32.0));
        let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(place).id_salt(&game.path));
        let menu = icon_button(&mut inner, Icon::More, self.words.say("records.menu"), 36.0, true);
        menu_of(&menu).show(|ui| self.menu(ui, page, game, requests));
        response.context_menu(|ui| self.menu(ui, page, game, requests));
    }

    fn menu(&self, ui: &mut Ui, page: &mut Page, game: &SavedGame, requests: &mut Requests) {
        ui.set_min_width(160.0);
        for key in ["records.rename", "sheet.export", "records.delete"] {
            if !menu_item(ui, self.words.say(key), 0.0, true) {
                continue;
            }
            match key {
                "records.rename" => {
                    let title = game.record.tags.get("Title").unwrap_or_default().to_owned();
                    page.renamed = Some((game.path.clone(), title));
                }
                "records.delete" => requests.write(RecordsRequest::Delete(game.path.clone())),
                _ => requests.write(ExportRequest(Some(game.path.clone()))),
            }
        }
    }
}

/// A closed page forgets what was typed.
fn close(mut page: ResMut<Page>) {
    *page = Page { sort: page.sort, ..Page::default() };
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Page>()
        .add_systems(EguiPrimaryContextPass, draw.in_set(Draw::Menu).run_if(in_state(Menu::Records)))
        .add_systems(OnExit(Menu::Records), close);
}
