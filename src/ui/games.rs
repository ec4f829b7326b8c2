//! The games of a file with many games, or of several files: a table that can be searched and sorted. Only the rows that are seen are drawn.

use super::draw::Draw;
use super::style::{Palette, SMALL};
use super::widgets::{
    self, button, cell, dim, heading, in_a_row, is_narrow, list_row, menu_choice, menu_of, page_frame, page_less, page_of,
    page_width, row_height, text_field, wide_button,
};
use crate::app::library::Library;
use crate::app::play::{GameList, ListedGame, Rescue};
use crate::app::requests::{PageRequest, ReadRequest, Requests};
use crate::app::state::Menu;
use crate::app::words::Words;
use crate::ui::typesetting::Tip;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use qiju_core::library::folded;
use qiju_core::message::Message;
use qiju_core::record::{Charset, SeatSpec};

/// Height of a row, in logical pixels.
const ROW: f32 = 28.0;

/// The columns, with the keys of their names and how much of the width each takes.
const COLUMNS: [(Column, &str, f32); 6] = [
    (Column::Number, "games.number", 0.09),
    (Column::Players, "games.players", 0.28),
    (Column::Result, "games.result", 0.15),
    (Column::Event, "games.event", 0.18),
    (Column::Date, "games.date", 0.18),
    (Column::Moves, "games.length", 0.12),
];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Column {
    #[default]
    Number,
    Players,
    Result,
    Event,
    Date,
    Moves,
}

/// What is shown of the list.
#[derive(Resource, Default)]
struct Page {
    search: String,
    column: Column,
    descending: bool,
    /// The games shown, in order.
    order: Vec<usize>,
    /// What the order was made of: the list, its length, what is searched for.
    made_of: Option<(u32, usize, String, Column, bool)>,
}

/// The players in a few words.
fn players(game: &ListedGame, library: &Library, words: &Words) -> String {
    let of = game.game.and_then(|game| library.game(game));
    let name = |name: &String| if name.is_empty() { "?".to_owned() } else { words.player(&SeatSpec::of_name(name), of) };
    match &game.players {
        [first, second] if first.is_empty() && second.is_empty() => String::new(),
        [first, second] => words.fill("records.players", &[&name(first), &name(second)]),
    }
}

/// The text under which a game is searched and sorted.
fn key(game: &ListedGame, column: Column) -> String {
    let text = match column {
        Column::Number | Column::Moves => String::new(),
        Column::Players => game.players.join(" "),
        Column::Result => game.result.map_or("9".to_owned(), |outcome| outcome.winner.map_or("2", |side| side.key()).to_owned()),
        Column::Event => game.event.clone(),
        Column::Date => game.date.clone(),
    };
    text.to_lowercase()
}

fn matches(game: &ListedGame, wanted: &[String], words: &Words) -> bool {
    let [first, second] = &game.players;
    let fault = game.content.as_ref().err().map(|why| words.tell(&**why)).unwrap_or_default();
    let draw = if game.result.is_some_and(|outcome| outcome.winner.is_none()) { words.say("result.draw") } else { "" };
    let text = format!("{first} {second} {} {} {draw} {fault}", game.event, game.date);
    let text = folded(&text);
    wanted.iter().all(|word| text.contains(word))
}

impl Page {
    /// Puts the games in order where something has changed.
    fn follow(&mut self, list: &GameList, words: &Words) {
        let made_of = (list.number, list.games.len(), self.search.clone(), self.column, self.descending);
        if self.made_of.as_ref() == Some(&made_of) {
            return;
        }
        if self.made_of.as_ref().is_some_and(|(number, ..)| *number != list.number) {
            *self = Page::default();
        }
        self.order = order(&list.games, &self.search, self.column, self.descending, words);
        self.made_of = Some((list.number, list.games.len(), self.search.clone(), self.column, self.descending));
    }
}

/// The indices of the games that hold every word searched for, sorted; what could not be read comes last.
fn order(games: &[ListedGame], search: &str, column: Column, descending: bool, words: &Words) -> Vec<usize> {
    let wanted: Vec<String> = search.split_whitespace().map(folded).collect();
    let found = (0..games.len()).filter(|index| wanted.is_empty() || matches(&games[*index], &wanted, words));
    let mut keyed: Vec<(bool, usize, String, usize)> = found
        .map(|index| {
            let game = &games[index];
            let number = if column == Column::Moves { game.plies } else { 0 };
            (game.content.is_err() && column != Column::Number, number, key(game, column), index)
        })
        .collect();
    keyed.sort_by(|a, b| {
        let by =
            (a.1, &a.2).cmp(&(b.1, &b.2)).then(if column == Column::Number { a.3.cmp(&b.3) } else { std::cmp::Ordering::Equal });
        a.0.cmp(&b.0).then(if descending { by.reverse() } else { by }).then(a.3.cmp(&b.3))
    });
    keyed.into_iter().map(|(.., index)| index).collect()
}

fn draw(
    mut contexts: EguiContexts,
    (list, mut page): (Res<GameList>, ResMut<Page>),
    (words, palette, library): (Res<Words>, Res<Palette>, Res<Library>),
    mut requests: Requests,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let page = page.bypass_change_detection();
    page.follow(&list, &words);
    let screen = ctx.content_rect();
    let frame = page_frame(ctx, &palette);
    let modal = egui::Modal::new(egui::Id::new("games")).frame(frame).show(ctx, |ui| {
        page_of(ui, page_width(ctx, 1000.0), |ui| {
            let title = match &list.files[..] {
                [one] => one.clone(),
                files => words.with("games.files", files.len()),
            };
            heading(ui, &title);
            top(ui, &list, page, (&words, &palette), &mut requests);
            let height = (screen.height() - page_less(ui, 300.0)).clamp(120.0, 640.0);
            table(ui, &list, page, (&words, &palette, &library), height, &mut requests);
            ui.add_space(4.0);
            let width = ui.available_width();
            if wide_button(ui, words.say("menu.done"), width, true).clicked() {
                requests.write(PageRequest::Menu(Menu::None));
            }
        });
    });
    if modal.should_close() {
        requests.write(PageRequest::Menu(Menu::None));
    }
    Ok(())
}

/// The line to search, and how many games there are.
fn top(ui: &mut Ui, list: &GameList, page: &mut Page, (words, palette): (&Words, &Palette), requests: &mut Requests) {
    widgets::stacked(ui, |ui| {
        // In a small window the encodings stand beside it.
        let width = if ui.ctx().content_rect().width() < 720.0 { 160.0 } else { 260.0 };
        let search = text_field(ui, &mut page.search, words.say("games.search"), width);
        ui.add(search);
        let bad = list.games.iter().filter(|game| game.content.is_err()).count();
        let good = list.games.len() - bad;
        let mut said = match page.search.trim().is_empty() {
            true => words.with("games.count", good),
            false => words.fill("games.found", &[&page.order.len().to_string(), &list.games.len().to_string()]),
        };
        if bad > 0 {
            said.push_str(" · ");
            said.push_str(&words.with("games.bad", bad));
        }
        if list.is_at_work() {
            said.push_str(" · ");
            said.push_str(words.say("games.reading"));
        }
        dim(ui, palette, said);
        charsets(ui, list, words, requests);
        if list.is_at_work() && button(ui, words.say("games.stop"), true).clicked() {
            requests.write(ReadRequest::Stop);
        }
    });
}

fn table(
    ui: &mut Ui,
    list: &GameList,
    page: &mut Page,
    (words, palette, library): (&Words, &Palette, &Library),
    height: f32,
    requests: &mut Requests,
) {
    let width = ui.available_width() - 12.0;
    head(ui, page, (words, palette), width);
    ui.spacing_mut().item_spacing.y = 0.0;
    let number = page.made_of.as_ref().map(|(number, ..)| *number);
    let area =
        egui::ScrollArea::vertical().id_salt(number).max_height(height).min_scrolled_height(height).auto_shrink([false, false]);
    let high = row_height(ui, ROW);
    area.show_rows(ui, high, page.order.len(), |ui, range| {
        for place in range {
            let Some(game) = page.order.get(place).and_then(|index| list.games.get(*index)) else { continue };
            let texts = match &game.content {
                Ok(_) => row(game, words, library),
                Err(_) => Default::default(),
            };
            let fault = game.content.as_ref().err().map(|why| fault(game, why, words, library));
            let label = fault.clone().unwrap_or_else(|| texts.join(" "));
            let (rect, response) = list_row(ui, palette, vec2(width, high), &label, false);
            if let Some(why) = &fault {
                let said = in_a_row(ui, why.clone(), SMALL, rect.width() - 16.0, palette.dim());
                let corner = rect.left_center() + vec2(8.0, -said.size().y / 2.0);
                ui.painter().galley(corner, said, palette.dim());
            }
            let mut left = rect.left();
            for ((_, _, share), text) in columns(ui.ctx()).iter().zip(&texts) {
                let column = Rect::from_min_size(pos2(left, rect.top()), vec2(width * share, high));
                cell(ui, text, column, palette.text());
                left += width * share;
            }
            let response = match fault {
                Some(why) => response.tip(why),
                None => response,
            };
            if response.clicked() {
                requests.write(ReadRequest::Listed(page.order[place]));
            }
        }
    });
}

/// What a row says of a game that could not be read: what a click opens, and why the rest is missing.
fn fault(game: &ListedGame, why: &Message, words: &Words, library: &Library) -> String {
    let broken = words.with("games.broken", words.tell(why));
    let offer = match &game.rescue {
        None => return broken,
        Some(Rescue::Before(_, key, plies)) => {
            words.with("games.first-moves", library.game(key).map_or(*plies, |known| known.counted(*plies)))
        }
        Some(Rescue::Position(..)) => words.say("games.edit").to_owned(),
    };
    format!("[{offer}] {broken}")
}

/// The encodings in which the files can be read again.
fn charsets(ui: &mut Ui, list: &GameList, words: &Words, requests: &mut Requests) {
    const WIDTH: f32 = 220.0;
    let detected = words.say("games.detected");
    let choices = std::iter::once((detected, Charset::default()))
        .chain(Charset::USUAL.into_iter().filter_map(|name| Some((name, Charset::named(name).ok()?))));
    let choices: Vec<(&str, Charset)> = choices.collect();
    let now = choices.iter().find(|(_, charset)| *charset == list.charset).map_or(detected, |(name, _)| name);
    let shown = wide_button(ui, &words.with("games.charset", now), WIDTH, !list.is_at_work());
    menu_of(&shown).show(|ui| {
        for (name, charset) in choices {
            if menu_choice(ui, charset == list.charset, name, WIDTH) {
                requests.write(ReadRequest::In(charset));
            }
        }
    });
}

/// The columns that there is room for; none is left out but those at the end.
fn columns(ctx: &egui::Context) -> Vec<(Column, &'static str, f32)> {
    if !is_narrow(ctx) {
        return COLUMNS.to_vec();
    }
    let shares = [0.18, 0.48, 0.34];
    COLUMNS.into_iter().zip(shares).map(|((column, key, _), share)| (column, key, share)).collect()
}

/// What the columns of a row say.
fn row(game: &ListedGame, words: &Words, library: &Library) -> [String; 6] {
    let count = game.game.and_then(|key| library.game(key)).map_or(0, |known| known.counted(game.plies));
    let moves = if count == 0 { "-".to_owned() } else { count.to_string() };
    [
        game.number.to_string(),
        players(game, library, words),
        words.result(game.result, game.game.and_then(|key| library.game(key))),
        game.event.clone(),
        game.date.clone(),
        moves,
    ]
}

/// The names of the columns; a click sorts.
fn head(ui: &mut Ui, page: &mut Page, (words, palette): (&Words, &Palette), width: f32) {
    let high = row_height(ui, ROW);
    let (rect, _) = ui.allocate_exact_size(vec2(width, high), Sense::hover());
    let mut left = rect.left();
    for (column, key, share) in columns(ui.ctx()) {
        let place = Rect::from_min_size(pos2(left, rect.top()), vec2(width * share, high));
        left += width * share;
        let response = ui.interact(place, ui.id().with(("column", key)), Sense::click());
        let sorted = page.column == column;
        response.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::Button, true, sorted, words.say(key)));
        let ink = if sorted || response.hovered() { palette.accent() } else { palette.dim() };
        if response.has_focus() {
            ui.painter().rect_stroke(place, 4.0, Stroke::new(2.0, palette.accent()), StrokeKind::Inside);
        }
        let end = cell(ui, words.say(key), place, ink);
        if sorted {
            let middle = pos2(end + 9.0, place.center().y);
            let up = if page.descending { -1.0 } else { 1.0 };
            let points = vec![middle + vec2(-4.0, 2.5 * up), middle + vec2(4.0, 2.5 * up), middle + vec2(0.0, -3.5 * up)];
            ui.painter().add(egui::Shape::convex_polygon(points, ink, Stroke::NONE));
        }
        if response.clicked() {
            page.descending = sorted && !page.descending;
            page.column = column;
        }
    }
    let line = ui.visuals().widgets.noninteractive.bg_stroke;
    ui.painter().hline(rect.x_range(), rect.bottom(), line);
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Page>().add_systems(EguiPrimaryContextPass, draw.in_set(Draw::Menu).run_if(in_state(Menu::Games)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::words::Language;
    use qiju_core::message;
    use qiju_core::rules::{Outcome, Reason};

    fn game(number: usize, first: &str, date: &str, plies: usize) -> ListedGame {
        ListedGame {
            file: 0,
            number,
            game: Some("xiangqi"),
            players: [first.to_owned(), "Wu".to_owned()],
            event: "Cup".to_owned(),
            date: date.to_owned(),
            result: None,
            plies,
            content: Ok("".into()),
            rescue: None,
        }
    }

    #[test]
    fn games_are_found_by_every_word_and_sorted_by_any_column() {
        let broken = ListedGame { content: Err(message!("{}: {}", "a.pgn:7", "no move").into()), ..game(3, "", "", 0) };
        let drawn = ListedGame { result: Some(Outcome::draw(Reason::Agreement)), ..game(2, "An", "2023.01.02", 41) };
        let games = [game(1, "Li", "2024.05.01", 80), drawn, broken, game(4, "Li", "2022.02.02", 60)];
        let words = Words::shipped(Language::En);
        let of = |search, column, descending| order(&games, search, column, descending, &words);
        assert_eq!(of("", Column::Number, false), [0, 1, 2, 3]);
        assert_eq!(of("", Column::Number, true), [3, 2, 1, 0]);
        assert_eq!(of("", Column::Date, false), [3, 1, 0, 2]);
        assert_eq!(of("", Column::Moves, true), [0, 3, 1, 2]);
        assert_eq!(of("", Column::Players, false), [1, 0, 3, 2]);
        assert_eq!(of("li 2022", Column::Number, false), [3]);
        assert_eq!(of("no MOVE", Column::Number, false), [2]);
        assert_eq!(of("DRAW", Column::Number, false), [1]);
        assert_eq!(of("nobody", Column::Number, false), [0usize; 0]);
    }
}
