//! The page of the library: all games, found by words, by game and by keyword, sorted by a column, to be opened, and one or several at once to be changed,
//! deleted and written to a file; and how games come into it. Only the rows that are seen are drawn.

mod forms;

use self::forms::Form;
use crate::app::activity::LIBRARY;
use crate::app::background::{BackgroundTask, WakeHandles};
use crate::app::commands::Command;
use crate::app::library::Library;
use crate::app::platform::{self, PLATFORM};
use crate::app::play::GameLibrary;
use crate::app::requests::{DialogRequest, FileAim, LibraryRequest, Output, PageRequest, Requests};
use crate::app::state::{Menu, Screen};
use crate::app::step::Step;
use crate::app::words::Words;
use crate::ui::activity::register;
use crate::ui::draw::Draw;
use crate::ui::style::{Palette, SMALL};
use crate::ui::typesetting::Tip;
use crate::ui::widgets::{
    Icon, adding_games, button, cell, dim, drawn_button, filled_button, heading, icon_button, is_low, is_narrow, list_row,
    menu_choice, menu_item, menu_of, page_frame, page_less, page_of, page_width, row_height, segmented, stacked, target,
    text_field, wrapping,
};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Rect, Ui, pos2, vec2};
use qiju_core::library::{GameId, Library as GamesFile, Listed, Order, Query, folded};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// The columns: what they are called, and the order by them.
const COLUMNS: [(&str, Order); 5] = [
    ("games.players", Order::Players),
    ("games.result", Order::Result),
    ("games.date", Order::Date),
    ("setup.opening", Order::Opening),
    ("games.length", Order::Plies),
];

/// The parts of the width that the columns have. As many are shown as there is room for.
fn shares(width: f32) -> &'static [f32] {
    match width {
        ..400.0 => &[1.0],
        ..640.0 => &[0.66, 0.34],
        _ => &[0.31, 0.13, 0.13, 0.26, 0.17],
    }
}

/// The greatest width of the page, in logical pixels.
const WIDTH: f32 = 920.0;
/// Height of a row.
const ROW: f32 = 32.0;

/// What is looked for, and in what order it is listed.
#[derive(Clone, Default, PartialEq)]
struct Wanted {
    search: String,
    /// Only games of this game.
    game: Option<String>,
    /// Only games under this keyword.
    keyword: Option<String>,
    order: Order,
    /// The other way round; for the order in which games were added, the oldest first.
    turned: bool,
}

impl Wanted {
    /// Sorts by a column: first rising, then falling, then as the games were added.
    fn sort(&mut self, order: Order) {
        (self.order, self.turned) = match (order == self.order, self.turned) {
            (false, _) => (order, false),
            (true, false) => (order, true),
            (true, true) => (Order::Added, false),
        };
    }
}

/// What is looked for in this reading of the library.
type Asked = (u32, Wanted);

/// What was found.
struct Found {
    /// The games, in the order that is wanted.
    games: Arc<[GameId]>,
    /// The games of the library, by their keys.
    kinds: Vec<(String, usize)>,
    /// The keywords of the library.
    keywords: BTreeMap<String, usize>,
}

/// What the player has typed and chosen, and what was found.
#[derive(Resource, Default)]
pub struct LibraryPage {
    wanted: Wanted,
    asked: Option<(Asked, BackgroundTask<Found>)>,
    found: Option<(Asked, Found)>,
    chosen: HashSet<GameId>,
    /// Where a range of chosen games begins.
    anchor: Option<GameId>,
    form: Option<Form>,
}

impl LibraryPage {
    /// How many games were found; `None` while they are looked for.
    pub fn count(&self) -> Option<usize> {
        self.found.as_ref().filter(|_| self.asked.is_none()).map(|(_, found)| found.games.len())
    }

    /// Chooses games, as a click on each with Ctrl does.
    pub fn choose(&mut self, ids: &[GameId]) {
        self.chosen = ids.iter().copied().collect();
    }

    /// Opens the form of what is told of a game, or of the keywords of several.
    pub fn change(&mut self, games: &GamesFile, ids: &[GameId], words: &Words) {
        let known = self.found.as_ref().map(|(_, found)| found.keywords.clone()).unwrap_or_default();
        self.form = match ids {
            [id] => Form::told(games, *id, words),
            _ => Some(Form::keywords(games, ids.to_vec(), &known)),
        };
    }

    /// Looks for games that tell all these words, and only those of this game.
    pub fn look_for(&mut self, search: &str, game: Option<&str>) {
        (self.wanted.search, self.wanted.game) = (search.to_owned(), game.map(str::to_owned));
    }
}

/// What the page is made of.
struct View<'a> {
    words: &'a Words,
    palette: &'a Palette,
    library: &'a Library,
    games: &'a GamesFile,
    found: &'a Found,
}

/// The games that are chosen, and what is being changed of them.
struct Choice<'a> {
    chosen: &'a mut HashSet<GameId>,
    anchor: &'a mut Option<GameId>,
    form: &'a mut Option<Form>,
}

impl Choice<'_> {
    /// Chooses a game or leaves it out; with `range`, all from the one before.
    fn turn(&mut self, id: GameId, range: bool, games: &[GameId]) {
        let place = |id: GameId| games.iter().position(|other| *other == id);
        match self.anchor.filter(|_| range).and_then(place).zip(place(id)) {
            Some((one, other)) => self.chosen.extend(&games[one.min(other)..=one.max(other)]),
            None => {
                if !self.chosen.remove(&id) {
                    self.chosen.insert(id);
                }
                *self.anchor = Some(id);
            }
        }
    }

    /// The chosen games in the order of the list.
    fn games(&self, found: &Found) -> Arc<[GameId]> {
        found.games.iter().filter(|id| self.chosen.contains(id)).copied().collect()
    }
}

/// Finds what is typed; `draw` is how the list says that a game was drawn.
fn find(games: &GamesFile, wanted: &Wanted, draw: &str, stop: &qiju_core::search::StopToken) -> Found {
    let (draws, words): (Vec<&str>, Vec<&str>) = wanted.search.split_whitespace().partition(|word| folded(word) == folded(draw));
    let (game, keywords) = (wanted.game.clone(), wanted.keyword.iter().cloned().collect());
    let result = (!draws.is_empty()).then_some(None);
    let words = words.into_iter().map(str::to_owned).collect();
    let query = Query { game, keywords, words, result, stop: stop.clone(), ..Query::default() };
    let mut found: Vec<GameId> = games.search(&query).into_iter().rev().map(|hit| hit.id).collect();
    games.sort(&mut found, wanted.order, wanted.turned);
    let all: Vec<GameId> = games.ids().collect();
    Found { games: found.into(), kinds: games.games(), keywords: games.keywords(&all).unwrap_or_default() }
}

/// Looks for what is typed.
fn seek(mut page: ResMut<LibraryPage>, mut library: ResMut<GameLibrary>, (words, wake): (Res<Words>, WakeHandles)) {
    let Some((games, version)) = library.bypass_change_detection().games() else { return };
    let quiet = page.bypass_change_detection();
    let wanted = (version, quiet.wanted.clone());
    let last = quiet.asked.as_ref().map(|(asked, _)| asked).or(quiet.found.as_ref().map(|(asked, _)| asked));
    if last != Some(&wanted) {
        let (games, (_, asked), draw) = (games.clone(), wanted.clone(), words.say("result.draw").to_owned());
        quiet.asked = Some((wanted, BackgroundTask::on_thread(wake.handle(), move |stop| find(&games, &asked, &draw, stop))));
    }
    if let Some(found) = quiet.asked.as_mut().and_then(|(_, task)| task.poll()) {
        // Only what is seen stays chosen; a keyword that no game has any more is not asked for.
        let seen: HashSet<GameId> = found.games.iter().copied().collect();
        quiet.chosen.retain(|id| seen.contains(id));
        quiet.wanted.keyword = quiet.wanted.keyword.take().filter(|keyword| found.keywords.contains_key(keyword));
        quiet.found = quiet.asked.take().map(|(asked, _)| (asked, found));
        page.set_changed();
    }
}

fn draw(
    mut contexts: EguiContexts,
    mut page: ResMut<LibraryPage>,
    (words, palette, library, store): (Res<Words>, Res<Palette>, Res<Library>, Res<GameLibrary>),
    mut requests: Requests,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let page = page.bypass_change_detection();
    let screen = ctx.content_rect();
    let modal = egui::Modal::new(egui::Id::new("library")).frame(page_frame(ctx, &palette)).show(ctx, |ui| {
        page_of(ui, page_width(ctx, WIDTH), |ui| {
            heading(ui, words.say("library.title"));
            let less = if is_narrow(ctx) {
                460.0
            } else if is_low(ctx) {
                300.0
            } else {
                360.0
            };
            let height = (screen.height() - page_less(ui, less)).clamp(96.0, 600.0);
            match (&page.found, store.held()) {
                (Some((_, found)), Some(games)) => {
                    let view = View { words: &words, palette: &palette, library: &library, games, found };
                    let mut choice = Choice { chosen: &mut page.chosen, anchor: &mut page.anchor, form: &mut page.form };
                    view.top(ui, &mut page.wanted);
                    if view.has_header(ui) {
                        view.columns(ui, &mut page.wanted);
                    }
                    view.list(ui, &mut choice, height, &mut requests);
                    view.deleted(ui, &store, &mut requests);
                    view.below(ui, (&page.wanted, &mut choice, &store), &mut requests);
                    if choice.form.is_none() {
                        view.keys(ui, &mut choice, &mut requests);
                    }
                }
                _ => {
                    let why = store.fault().map(|why| words.sentence(why));
                    dim(ui, &palette, why.unwrap_or_else(|| words.say("explorer.reading").to_owned()));
                }
            }
            ui.add_space(4.0);
            let width = ui.available_width();
            filled_button(ui, &palette, words.say("menu.done"), width, true).clicked()
        })
    });
    let closes = modal.inner || modal.should_close();
    if let (Some(form), Some(games)) = (&mut page.form, store.held()) {
        if form.draw(ctx, (&words, &palette), (&library, games), &mut requests) {
            page.form = None;
        }
    } else if closes {
        requests.write(PageRequest::Menu(Menu::None));
    }
    Ok(())
}

/// The name of an opening, which the row tells whole; its code alone where the column has no room for it.
fn fitting<'a>(ui: &Ui, name: &'a str, width: f32) -> &'a str {
    let code = name.split_whitespace().next().filter(|_| !fits(ui, name, width));
    code.unwrap_or(name)
}

/// True if a text has room in a column.
fn fits(ui: &Ui, text: &str, width: f32) -> bool {
    let font = egui::FontId::proportional(SMALL);
    ui.painter().layout_no_wrap(text.to_owned(), font, egui::Color32::PLACEHOLDER).size().x <= width - 16.0
}

impl View<'_> {
    /// What is looked for, and how many games there are.
    fn top(&self, ui: &mut Ui, wanted: &mut Wanted) {
        let found = self.found;
        let all: usize = found.kinds.iter().map(|(_, count)| count).sum();
        stacked(ui, |ui| {
            let field = text_field(ui, &mut wanted.search, self.words.say("library.search"), 260.0);
            ui.add(field);
            ui.horizontal(|ui| {
                let shown = found.games.len();
                dim(
                    ui,
                    self.palette,
                    match shown == all {
                        true => self.words.with("games.count", all),
                        false => self.words.fill("games.found", &[&shown.to_string(), &all.to_string()]),
                    },
                );
                if !found.keywords.is_empty() {
                    let every = self.words.say("library.all-tags");
                    let button = drawn_button(ui, Icon::Down, wanted.keyword.as_deref().unwrap_or(every), true);
                    menu_of(&button).show(|ui| {
                        egui::ScrollArea::vertical().max_height(300.0).show(ui, |ui| {
                            if menu_choice(ui, wanted.keyword.is_none(), every, 160.0) {
                                wanted.keyword = None;
                            }
                            for (name, count) in &found.keywords {
                                let text = self.words.fill("library.tag-some", &[name, &count.to_string()]);
                                if menu_choice(ui, wanted.keyword.as_ref() == Some(name), text, 160.0) {
                                    wanted.keyword = Some(name.clone());
                                }
                            }
                        });
                    });
                }
                if !self.has_header(ui) {
                    self.sort_menu(ui, wanted);
                }
            });
        });
        if found.kinds.len() > 1 {
            let name = |key: &str| self.library.game(key).map_or("?", |game| self.words.of(&game.sheet.name));
            let kinds = found.kinds.iter().map(|(key, _)| (Some(key.as_str()), name(key)));
            let options: Vec<_> = std::iter::once((None, self.words.say("library.all"))).chain(kinds).collect();
            let mut chosen = wanted.game.as_deref();
            if segmented(ui, &mut chosen, &options) {
                wanted.game = chosen.map(str::to_owned);
            }
        }
    }

    /// True if there is room for the names of the columns above the list.
    fn has_header(&self, ui: &Ui) -> bool {
        !is_low(ui.ctx()) && shares(page_width(ui.ctx(), WIDTH) - 60.0).len() == COLUMNS.len()
    }

    /// The names of the columns, which sort the list.
    fn columns(&self, ui: &mut Ui, wanted: &mut Wanted) {
        let (words, width) = (self.words, ui.available_width() - 12.0);
        let inside = width - target(ui) - 4.0;
        let (row, _) = ui.allocate_exact_size(vec2(width, row_height(ui, 26.0)), egui::Sense::hover());
        let mut left = row.left();
        for ((name, order), share) in COLUMNS.into_iter().zip(shares(width)) {
            let column = Rect::from_min_size(pos2(left, row.top()), vec2(inside * share, row.height()));
            left = column.right();
            let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(column).id_salt(name));
            let label = self.ordered(words.say(name), order, wanted);
            let (rect, response) = list_row(&mut ui, self.palette, column.size(), &label, false);
            let end = cell(&ui, words.say(name), rect, self.palette.dim());
            if order == wanted.order {
                let (x, y) = (end + 8.0, rect.center().y);
                let tip = if wanted.turned { 3.0 } else { -3.0 };
                let corners = vec![pos2(x - 4.0, y - tip), pos2(x + 4.0, y - tip), pos2(x, y + tip)];
                ui.painter().add(egui::Shape::convex_polygon(corners, self.palette.dim(), egui::Stroke::NONE));
            }
            if response.tip(words.say("library.sort")).clicked() {
                wanted.sort(order);
            }
        }
    }

    /// The same as a menu.
    fn sort_menu(&self, ui: &mut Ui, wanted: &mut Wanted) {
        let all = std::iter::once(("library.by-added", Order::Added)).chain(COLUMNS);
        let name = all.clone().find(|(_, order)| *order == wanted.order).map_or("", |(name, _)| name);
        let button = drawn_button(ui, Icon::Down, &self.ordered(self.words.say(name), wanted.order, wanted), true);
        menu_of(&button).show(|ui| {
            for (name, order) in all {
                if menu_choice(ui, order == wanted.order, self.words.say(name), 160.0) {
                    wanted.sort(order);
                }
            }
        });
    }

    /// The name of an order, with its direction if the list has it.
    fn ordered(&self, name: &str, order: Order, wanted: &Wanted) -> String {
        match (order == wanted.order && order != Order::Added, wanted.turned) {
            (false, _) => name.to_owned(),
            (true, false) => self.words.with("library.rising", name),
            (true, true) => self.words.with("library.falling", name),
        }
    }

    /// What the keyboard does to the chosen games.
    fn keys(&self, ui: &mut Ui, choice: &mut Choice, requests: &mut Requests) {
        if ui.ctx().text_edit_focused() {
            return;
        }
        let (all, delete) = ui.input_mut(|input| {
            let all = input.consume_key(egui::Modifiers::COMMAND, egui::Key::A);
            (all, input.consume_key(egui::Modifiers::NONE, egui::Key::Delete))
        });
        if all {
            choice.chosen.extend(self.found.games.iter());
        }
        if delete && !choice.chosen.is_empty() {
            requests.write(LibraryRequest::Delete(choice.games(self.found)));
            choice.chosen.clear();
        }
    }

    fn list(&self, ui: &mut Ui, choice: &mut Choice, height: f32, requests: &mut Requests) {
        let found = self.found;
        if found.games.is_empty() {
            let key = if found.kinds.is_empty() { "library.empty" } else { "records.none-found" };
            ui.allocate_ui(vec2(ui.available_width(), height), |ui| {
                ui.set_min_height(height);
                dim(ui, self.palette, self.words.say(key));
            });
            return;
        }
        let (width, high) = (ui.available_width() - 12.0, row_height(ui, ROW));
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let area = egui::ScrollArea::vertical().id_salt("games").max_height(height).min_scrolled_height(height);
            area.auto_shrink([false, false]).show_rows(ui, high, found.games.len(), |ui, range| {
                for id in &found.games[range] {
                    // It may have been deleted a moment ago.
                    if let Ok(listed) = self.games.listed(*id) {
                        self.row(ui, vec2(width, high), (*id, &listed), choice, requests);
                    }
                }
            });
        });
    }

    /// A game: a click opens it, with Ctrl or Shift, or once games are chosen, it chooses it. The menu stands at its end.
    fn row(&self, ui: &mut Ui, size: egui::Vec2, (id, listed): (GameId, &Listed), choice: &mut Choice, requests: &mut Requests) {
        let texts = self.texts(listed);
        let keywords: Vec<&str> = listed.record.tags.keywords().collect();
        let told = texts.iter().map(String::as_str).chain(keywords.iter().copied()).filter(|text| !text.is_empty());
        let label = told.collect::<Vec<_>>().join(" · ");
        let menu_width = target(ui);
        let ground = ui.painter().add(egui::Shape::Noop);
        let (rect, response) = list_row(ui, self.palette, size, &label, false);
        let chosen = choice.chosen.contains(&id);
        if chosen {
            ui.painter().set(ground, egui::Shape::rect_filled(rect, 4.0, ui.visuals().selection.bg_fill.gamma_multiply(0.35)));
            let edge = Rect::from_min_size(rect.min, vec2(3.0, rect.height()));
            ui.painter().rect_filled(edge, 0.0, ui.visuals().selection.bg_fill);
        }
        if !choice.chosen.is_empty() {
            let kind = egui::WidgetType::Checkbox;
            response.widget_info(|| egui::WidgetInfo::selected(kind, true, chosen, &label));
        }
        // The row tells what there is no room for.
        let shares = shares(rect.width());
        let inside = rect.width() - menu_width - 4.0;
        let mut left = rect.left();
        for (number, (share, text)) in shares.iter().zip(&texts).enumerate() {
            let column = Rect::from_min_size(pos2(left, rect.top()), vec2(inside * share, rect.height()));
            let text = if COLUMNS[number].1 == Order::Opening { fitting(ui, text, column.width()) } else { text };
            let end = cell(ui, text, column, if number == 0 || chosen { self.palette.text() } else { self.palette.dim() });
            let rest = Rect::from_min_max(pos2(end, column.top()), column.max);
            if number == 0
                && let Some(some) =
                    (1..=keywords.len()).rev().map(|count| keywords[..count].join(", ")).find(|some| fits(ui, some, rest.width()))
            {
                cell(ui, &some, rest, self.palette.accent());
            }
            left += inside * share;
        }
        let place = Rect::from_center_size(pos2(rect.right() - menu_width / 2.0, rect.center().y), egui::Vec2::splat(menu_width));
        let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(place).id_salt(id.to_string()));
        let more = icon_button(&mut inner, Icon::More, self.words.say("records.menu"), 32.0, true);
        menu_of(&more).show(|ui| self.menu(ui, id, choice, requests));
        response.context_menu(|ui| self.menu(ui, id, choice, requests));
        if response.tip(label).clicked() {
            let held = ui.input(|input| input.modifiers);
            if held.command || held.shift || !choice.chosen.is_empty() {
                choice.turn(id, held.shift, &self.found.games);
            } else {
                *choice.anchor = Some(id);
                requests.write(LibraryRequest::Open(id, None));
            }
        }
    }

    fn menu(&self, ui: &mut Ui, id: GameId, choice: &mut Choice, requests: &mut Requests) {
        let words = self.words;
        ui.set_min_width(160.0);
        let key = if choice.chosen.contains(&id) { "library.leave-out" } else { "library.choose" };
        if menu_item(ui, words.say(key), 0.0, true) {
            choice.turn(id, false, &self.found.games);
        }
        if menu_item(ui, words.say("library.edit"), 0.0, true) {
            *choice.form = Form::told(self.games, id, words);
        }
        if menu_item(ui, words.say("library.tag"), 0.0, true) {
            *choice.form = Some(Form::keywords(self.games, vec![id], &self.found.keywords));
        }
        if menu_item(ui, words.say("records.delete"), 0.0, true) {
            requests.write(LibraryRequest::Delete([id].into()));
        }
    }

    /// What the columns say: the players, the result, the date, the opening, the number of moves and the event.
    fn texts(&self, listed: &Listed) -> [String; 5] {
        let (words, record) = (self.words, &listed.record);
        let game = self.library.game(&record.game);
        let [first, second] = [&record.seats.first, &record.seats.second].map(|seat| words.player(seat, game));
        let told = |name: &str| {
            let known = |text: &&str| !text.trim().is_empty() && !text.chars().all(|sign| "?.-".contains(sign));
            record.tags.get(name).filter(known).map(str::trim).unwrap_or_default().to_owned()
        };
        let opening = words.opening(listed);
        let length = game.map(|game| words.length(game, listed.plies)).unwrap_or_default();
        [words.fill("records.players", &[&first, &second]), words.result(record.result, game), told("Date"), opening, length]
    }

    /// What was deleted last, and the way to bring it back.
    fn deleted(&self, ui: &mut Ui, store: &GameLibrary, requests: &mut Requests) {
        let deleted = match store.deleted() {
            [] => return,
            [record] => {
                let game = self.library.game(&record.game);
                let [first, second] = [&record.seats.first, &record.seats.second].map(|seat| self.words.player(seat, game));
                self.words.fill("records.players", &[&first, &second])
            }
            records => self.words.with("games.count", records.len()),
        };
        ui.horizontal(|ui| {
            dim(ui, self.palette, self.words.with("records.deleted", deleted));
            if button(ui, self.words.say("records.undo"), true).clicked() {
                requests.write(LibraryRequest::Restore);
            }
        });
    }

    /// What can be done with the chosen games.
    fn chosen(&self, ui: &mut Ui, choice: &mut Choice, requests: &mut Requests) {
        let words = self.words;
        dim(ui, self.palette, words.with("library.chosen", choice.chosen.len()));
        if button(ui, words.say("library.choose-all"), choice.chosen.len() < self.found.games.len()).clicked() {
            choice.chosen.extend(self.found.games.iter());
        }
        if button(ui, words.say("library.choose-none"), true).clicked() {
            choice.chosen.clear();
        }
        if button(ui, words.say("library.tag"), true).clicked() {
            let ids = choice.games(self.found).to_vec();
            *choice.form = Some(Form::keywords(self.games, ids, &self.found.keywords));
        }
        if button(ui, words.say("records.delete"), true).clicked() {
            requests.write(LibraryRequest::Delete(choice.games(self.found)));
            choice.chosen.clear();
        }
    }

    /// How games come into the library, and out of it.
    fn below(&self, ui: &mut Ui, (wanted, choice, store): (&Wanted, &mut Choice, &GameLibrary), requests: &mut Requests) {
        let (words, found) = (self.words, self.found);
        let any = !choice.chosen.is_empty();
        wrapping(ui, |ui| {
            if any {
                self.chosen(ui, choice, requests);
            }
            if let Some(games) = store.adding() {
                adding_games(ui, (words, self.palette), games, requests);
                return;
            }
            if !any {
                let folder = PLATFORM.folders.then_some(("library.add-folder", FileAim::AddFolder));
                for (key, aim) in [("explorer.add", FileAim::Add)].into_iter().chain(folder) {
                    if drawn_button(ui, Icon::Records, words.say(key), true).clicked() {
                        requests.write(DialogRequest::Choose(aim));
                    }
                }
            }
            if drawn_button(ui, Icon::Save, words.say("sheet.export"), !found.games.is_empty()).clicked() {
                let of_one = wanted.game.is_some() || found.kinds.len() == 1;
                let name = format!("Qiju {}", platform::now().strftime("%Y-%m-%d"));
                let ending = if of_one { "pgn" } else { "ron" };
                let games = if any { choice.games(found) } else { found.games.clone() };
                let output = Output::Games(games);
                requests.write(DialogRequest::Choose(FileAim::Save { output, name, ending }));
            }
        });
    }
}

/// A closed page forgets what was found.
fn close(mut page: ResMut<LibraryPage>) {
    *page = LibraryPage::default();
}

static COMMANDS: &[Command] = &[Command::new("Ctrl+L", "library.title", can_open, || LibraryRequest::Show.into())];

fn can_open(world: &World) -> bool {
    *world.resource::<State<Menu>>() == Menu::None && *world.resource::<State<Screen>>() != Screen::Loading
}

pub(super) fn plugin(app: &mut App) {
    register(app, LIBRARY).commands("library.title", COMMANDS);
    app.init_resource::<LibraryPage>()
        .add_systems(Update, seek.in_set(Step::Think).run_if(in_state(Menu::Page(LIBRARY))))
        .add_systems(OnExit(Menu::Page(LIBRARY)), close)
        .add_systems(
            EguiPrimaryContextPass,
            draw.in_set(Draw::Menu).run_if(in_state(Menu::Page(LIBRARY)).and_then(resource_exists::<Palette>)),
        );
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A click with Ctrl turns one game, with Shift it chooses all from the one before.
    #[test]
    fn games_are_chosen_one_by_one_and_in_ranges() {
        let games: Vec<GameId> = (0..6).map(|number| format!("{number:016x}").parse().unwrap()).collect();
        let (mut chosen, mut anchor, mut form) = (HashSet::new(), None, None);
        let mut choice = Choice { chosen: &mut chosen, anchor: &mut anchor, form: &mut form };
        for (number, range, expected) in [
            (4, true, vec![4]),
            (2, true, vec![2, 3, 4]),
            (3, false, vec![2, 4]),
            (5, true, vec![2, 3, 4, 5]),
            (0, false, vec![0, 2, 3, 4, 5]),
        ] {
            choice.turn(games[number], range, &games);
            let found: Vec<usize> = (0..6).filter(|number| choice.chosen.contains(&games[*number])).collect();
            assert_eq!(found, expected, "{number}");
        }
    }

    #[test]
    fn a_column_sorts_up_down_and_not() {
        let mut wanted = Wanted::default();
        let steps = [Order::Date, Order::Date, Order::Plies, Order::Plies, Order::Plies, Order::Added];
        let expected = [
            (Order::Date, false),
            (Order::Date, true),
            (Order::Plies, false),
            (Order::Plies, true),
            (Order::Added, false),
            (Order::Added, true),
        ];
        for (step, expected) in steps.into_iter().zip(expected) {
            wanted.sort(step);
            assert_eq!((wanted.order, wanted.turned), expected);
        }
    }
}
