//! The page of the library: all games, found by words and by game, to be opened, deleted and written to a file; and how games come into it. Only
//! the rows that are seen are drawn.

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
    Icon, adding_games, button, cell, dim, drawn_button, filled_button, heading, icon_button, is_narrow, list_row, menu_item,
    menu_of, page_frame, page_less, page_of, page_width, row_height, segmented, stacked, target, text_field, wrapping,
};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Rect, Ui, pos2, vec2};
use qiju_core::library::{GameId, Library as GamesFile, Listed, Query};
use std::sync::Arc;

/// The column of the opening.
const OPENING: usize = 3;

/// Height of a row, in logical pixels.
const ROW: f32 = 32.0;

/// What is looked for: in this reading of the library, these words, this game.
type Asked = (u32, String, Option<String>);

/// What was found.
struct Found {
    /// The games, those added last first.
    games: Arc<[GameId]>,
    /// The games of the library, by their keys.
    kinds: Vec<(String, usize)>,
}

/// What the player has typed and chosen, and what was found.
#[derive(Resource, Default)]
pub struct LibraryPage {
    search: String,
    /// Only games of this game.
    game: Option<String>,
    asked: Option<(Asked, BackgroundTask<Found>)>,
    found: Option<(Asked, Found)>,
}

impl LibraryPage {
    /// How many games were found; `None` while they are looked for.
    pub fn count(&self) -> Option<usize> {
        self.found.as_ref().filter(|_| self.asked.is_none()).map(|(_, found)| found.games.len())
    }

    /// Looks for games that tell all these words, and only those of this game.
    pub fn look_for(&mut self, search: &str, game: Option<&str>) {
        (self.search, self.game) = (search.to_owned(), game.map(str::to_owned));
    }
}

/// What the page is made of.
struct View<'a> {
    words: &'a Words,
    palette: &'a Palette,
    library: &'a Library,
    games: &'a GamesFile,
}

fn find(games: &GamesFile, (_, search, game): &Asked, stop: &qiju_core::search::StopToken) -> Found {
    let words = search.split_whitespace().map(str::to_owned).collect();
    let query = Query { game: game.clone(), words, stop: stop.clone(), ..Query::default() };
    Found { games: games.search(&query).into_iter().rev().map(|hit| hit.id).collect(), kinds: games.games() }
}

/// Looks for what is typed.
fn seek(mut page: ResMut<LibraryPage>, mut library: ResMut<GameLibrary>, wake: WakeHandles) {
    let Some((games, version)) = library.bypass_change_detection().games() else { return };
    let quiet = page.bypass_change_detection();
    let wanted = (version, quiet.search.clone(), quiet.game.clone());
    let last = quiet.asked.as_ref().map(|(asked, _)| asked).or(quiet.found.as_ref().map(|(asked, _)| asked));
    if last != Some(&wanted) {
        let (games, asked) = (games.clone(), wanted.clone());
        quiet.asked = Some((wanted, BackgroundTask::on_thread(wake.handle(), move |stop| find(&games, &asked, stop))));
    }
    if let Some(found) = quiet.asked.as_mut().and_then(|(_, task)| task.poll()) {
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
        page_of(ui, page_width(ctx, 920.0), |ui| {
            heading(ui, words.say("library.title"));
            let height = (screen.height() - page_less(ui, 330.0) - if is_narrow(ctx) { 130.0 } else { 0.0 }).clamp(96.0, 600.0);
            match (&page.found, store.held()) {
                (Some((_, found)), Some(games)) => {
                    let view = View { words: &words, palette: &palette, library: &library, games };
                    view.top(ui, (&mut page.search, &mut page.game), found);
                    view.list(ui, found, height, &mut requests);
                    view.deleted(ui, &store, &mut requests);
                    view.below(ui, (&page.game, found, &store), &mut requests);
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
    if modal.inner || modal.should_close() {
        requests.write(PageRequest::Menu(Menu::None));
    }
    Ok(())
}

/// The name of an opening, which the row tells whole; its code alone where the column has no room for it.
fn fitting<'a>(ui: &Ui, name: &'a str, width: f32) -> &'a str {
    let font = egui::FontId::proportional(SMALL);
    let needs = ui.painter().layout_no_wrap(name.to_owned(), font, egui::Color32::PLACEHOLDER).size().x;
    let code = name.split_whitespace().next().filter(|_| needs > width - 16.0);
    code.unwrap_or(name)
}

impl View<'_> {
    /// What is looked for, and how many games there are.
    fn top(&self, ui: &mut Ui, (search, game): (&mut String, &mut Option<String>), found: &Found) {
        let all: usize = found.kinds.iter().map(|(_, count)| count).sum();
        stacked(ui, |ui| {
            let field = text_field(ui, search, self.words.say("library.search"), 260.0);
            ui.add(field);
            let shown = found.games.len();
            dim(
                ui,
                self.palette,
                match shown == all {
                    true => self.words.with("games.count", all),
                    false => self.words.fill("games.found", &[&shown.to_string(), &all.to_string()]),
                },
            );
        });
        if found.kinds.len() > 1 {
            let name = |key: &str| self.library.game(key).map_or("?", |game| self.words.of(&game.sheet.name));
            let kinds = found.kinds.iter().map(|(key, _)| (Some(key.as_str()), name(key)));
            let options: Vec<_> = std::iter::once((None, self.words.say("library.all"))).chain(kinds).collect();
            let mut chosen = game.as_deref();
            if segmented(ui, &mut chosen, &options) {
                *game = chosen.map(str::to_owned);
            }
        }
    }

    fn list(&self, ui: &mut Ui, found: &Found, height: f32, requests: &mut Requests) {
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
                        self.row(ui, vec2(width, high), (*id, &listed), requests);
                    }
                }
            });
        });
    }

    /// A game: a click opens it, the menu stands at its end.
    fn row(&self, ui: &mut Ui, size: egui::Vec2, (id, listed): (GameId, &Listed), requests: &mut Requests) {
        let texts = self.texts(listed);
        let label = texts.iter().filter(|text| !text.is_empty()).map(String::as_str).collect::<Vec<_>>().join(" · ");
        let menu_width = target(ui);
        let (rect, response) = list_row(ui, self.palette, size, &label, false);
        // As many columns as there is room for; the row tells the others.
        let shares: &[f32] = match rect.width() {
            ..400.0 => &[1.0],
            ..640.0 => &[0.66, 0.34],
            _ => &[0.31, 0.13, 0.13, 0.26, 0.17],
        };
        let inside = rect.width() - menu_width - 4.0;
        let mut left = rect.left();
        for (number, (share, text)) in shares.iter().zip(&texts).enumerate() {
            let column = Rect::from_min_size(pos2(left, rect.top()), vec2(inside * share, rect.height()));
            let text = if number == OPENING { fitting(ui, text, column.width()) } else { text };
            cell(ui, text, column, if number == 0 { self.palette.text() } else { self.palette.dim() });
            left += inside * share;
        }
        let place = Rect::from_min_size(pos2(rect.right() - menu_width, rect.center().y - 16.0), vec2(menu_width, 32.0));
        let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(place).id_salt(id.to_string()));
        let more = icon_button(&mut inner, Icon::More, self.words.say("records.menu"), 32.0, true);
        menu_of(&more).show(|ui| self.menu(ui, id, requests));
        response.context_menu(|ui| self.menu(ui, id, requests));
        if response.tip(label).clicked() {
            requests.write(LibraryRequest::Open(id, None));
        }
    }

    fn menu(&self, ui: &mut Ui, id: GameId, requests: &mut Requests) {
        ui.set_min_width(160.0);
        if menu_item(ui, self.words.say("records.delete"), 0.0, true) {
            requests.write(LibraryRequest::Delete(id));
        }
    }

    /// What the columns say: the players, the result, the date, the opening, the number of moves and the event.
    fn texts(&self, listed: &Listed) -> [String; 5] {
        let (words, record) = (self.words, &listed.record);
        let game = self.library.game(&record.game);
        let [first, second] = [&record.seats.first, &record.seats.second].map(|seat| words.player(seat));
        let told = |name: &str| {
            let known = |text: &&str| !text.trim().is_empty() && !text.chars().all(|sign| "?.-".contains(sign));
            record.tags.get(name).filter(known).map(str::trim).unwrap_or_default().to_owned()
        };
        let opening = listed.opening.as_ref().map(|opening| words.of(opening).to_owned()).unwrap_or_default();
        let length = game.map(|game| words.length(game, listed.plies)).unwrap_or_default();
        [words.fill("records.players", &[&first, &second]), words.result(record.result, game), told("Date"), opening, length]
    }

    /// What was deleted last, and the way to bring it back.
    fn deleted(&self, ui: &mut Ui, store: &GameLibrary, requests: &mut Requests) {
        let Some(record) = store.deleted() else { return };
        let [first, second] = [&record.seats.first, &record.seats.second].map(|seat| self.words.player(seat));
        ui.horizontal(|ui| {
            let players = self.words.fill("records.players", &[&first, &second]);
            dim(ui, self.palette, self.words.with("records.deleted", players));
            if button(ui, self.words.say("records.undo"), true).clicked() {
                requests.write(LibraryRequest::Restore);
            }
        });
    }

    /// How games come into the library, and out of it.
    fn below(&self, ui: &mut Ui, (game, found, store): (&Option<String>, &Found, &GameLibrary), requests: &mut Requests) {
        let words = self.words;
        wrapping(ui, |ui| {
            if let Some(games) = store.adding() {
                adding_games(ui, (words, self.palette), games, requests);
                return;
            }
            if PLATFORM.folders {
                for (key, aim) in [("explorer.add", FileAim::Add), ("library.add-folder", FileAim::AddFolder)] {
                    if drawn_button(ui, Icon::Records, words.say(key), true).clicked() {
                        requests.write(DialogRequest::Choose(aim));
                    }
                }
            }
            if drawn_button(ui, Icon::Save, words.say("sheet.export"), !found.games.is_empty()).clicked() {
                let of_one = game.is_some() || found.kinds.len() == 1;
                let name = format!("Qiju {}", platform::now().strftime("%Y-%m-%d"));
                let ending = if of_one { "pgn" } else { "ron" };
                let output = Output::Games(found.games.clone());
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
