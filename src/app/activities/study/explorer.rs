//! The page of the explorer: the moves that were played from the position that is shown, with their results, and the last of these games.

use super::Page;
use crate::app::explore::Found;
use crate::app::play::MoveRequested;
use crate::app::requests::{
    CountGames, CursorRequest, DialogRequest, FileAim, GamesFilter, GamesOf, LibraryRequest, RepertoireStep, Requests,
};
use crate::ui::style::SMALL;
use crate::ui::typesetting::Tip;
use crate::ui::value_bar::side_colour;
use crate::ui::widgets::{
    Icon, adding_games, dim, drawn_button, in_a_row, is_narrow, list_row, row_height, segmented, text_field, with_key,
};
use bevy_egui::egui::{Align2, FontId, Rect, Response, Stroke, StrokeKind, Ui, pos2, vec2};
use qiju_core::library::{Hit, Listed, MoveCount, has_engine_games, year_of};
use qiju_core::rules::Side;
use qiju_core::table::{Action, Chance, Origin, TreeEdit};
use std::time::Duration;

/// Height of a row, and in it the right edge of the number of games, the ends of the bar, and the height of the bar.
pub(super) const ROW: f32 = 26.0;
pub(super) const GAMES: f32 = 146.0;
pub(super) const BAR: (f32, f32) = (156.0, 48.0);
pub(super) const BAR_HEIGHT: f32 = 9.0;
/// The most letters of a name that is looked for.
const LONGEST: usize = 60;

impl Page<'_> {
    /// What stands above the moves.
    pub(super) fn explorer(&self, ui: &mut Ui, requests: &mut Requests) {
        ui.spacing_mut().item_spacing.y = 6.0;
        let words = self.words;
        if let Some(why) = self.current.help_refused() {
            dim(ui, self.palette, words.say(why));
            return;
        }
        self.book(ui, requests);
        if !has_engine_games() {
            // On a page they come later.
            ui.ctx().request_repaint_after(Duration::from_millis(500));
        }
        match self.seen.explorer.found() {
            Some((Ok(found), is_of_this)) => {
                self.whose(ui, found, requests);
                self.filter(ui, requests);
                ui.add_enabled_ui(is_of_this, |ui| self.found(ui, found, requests));
            }
            Some((Err(why), _)) => drop(dim(ui, self.palette, words.sentence(why))),
            None => {
                let fault = self.seen.library.fault().map(|why| words.sentence(why));
                dim(ui, self.palette, fault.unwrap_or_else(|| words.say("explorer.reading").to_owned()));
            }
        }
        self.adding(ui, requests);
    }

    /// Whose games are counted, where there is a choice.
    fn whose(&self, ui: &mut Ui, found: &Found, requests: &mut Requests) {
        let named = !self.seen.settings.my_names.trim().is_empty();
        let offered = [
            (GamesOf::Library, "explorer.library", true),
            (GamesOf::Mine, "explorer.mine", named),
            (GamesOf::Others, "explorer.others", named),
            (GamesOf::Engine, "explorer.engine", found.has_engine),
        ];
        let options: Vec<(GamesOf, &str)> =
            offered.iter().filter(|(.., is)| *is).map(|(of, key, _)| (*of, self.words.say(key))).collect();
        let mut of = found.of;
        if options.len() > 1 && segmented(ui, &mut of, &options) {
            requests.write(CountGames::Of(of));
        }
    }

    /// Which of them are counted.
    fn filter(&self, ui: &mut Ui, requests: &mut Requests) {
        let words = self.words;
        let filter = self.seen.explorer.filter();
        if drawn_button(ui, Icon::Settings, words.say("explorer.filter"), true).clicked() {
            requests.write(CountGames::Only(filter.is_none().then(GamesFilter::default)));
        }
        let Some(filter) = filter else { return };
        let mut wanted = filter.clone();
        let width = ui.available_width();
        let player = text_field(ui, &mut wanted.player, words.say("explorer.filter.player"), width - 20.0);
        ui.add(player.char_limit(LONGEST));
        ui.horizontal(|ui| {
            let half = (width - 8.0) / 2.0 - 20.0;
            for (text, hint) in [(&mut wanted.from, "explorer.filter.from"), (&mut wanted.to, "explorer.filter.to")] {
                let field = text_field(ui, text, words.say(hint), half).char_limit(4);
                ui.add(field);
            }
        });
        let [first, second] = Side::BOTH.map(|side| words.of(&self.current.game().sheet.sides[side]));
        let all = words.say("explorer.filter.all");
        if !wanted.player.trim().is_empty() {
            dim(ui, self.palette, words.say("explorer.filter.side"));
            segmented(ui, &mut wanted.side, &[(None, all), (Some(Side::First), first), (Some(Side::Second), second)]);
        }
        dim(ui, self.palette, words.say("explorer.filter.result"));
        let results = [
            (None, all),
            (Some(Some(Side::First)), first),
            (Some(None), words.say("result.draw")),
            (Some(Some(Side::Second)), second),
        ];
        segmented(ui, &mut wanted.result, &results);
        if wanted != *filter {
            requests.write(CountGames::Only(Some(wanted)));
        }
    }

    fn found(&self, ui: &mut Ui, found: &Found, requests: &mut Requests) {
        let words = self.words;
        let counts = [found.games, found.all].map(|count| count.to_string());
        if found.of == GamesOf::Library && found.all == 0 && self.seen.explorer.filter().is_none() {
            dim(ui, self.palette, words.say("explorer.empty"));
            return;
        }
        if found.of == GamesOf::Engine {
            dim(ui, self.palette, words.say("explorer.engine-games"));
        }
        dim(ui, self.palette, words.fill("explorer.games", &counts.each_ref().map(String::as_str)));
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            for (text, count) in &found.moves {
                self.played(ui, text, count, requests);
            }
            if !found.latest.is_empty() {
                ui.add_space(6.0);
                let key = if found.of == GamesOf::Engine { "explorer.some" } else { "explorer.latest" };
                dim(ui, self.palette, words.say(key));
            }
            for (hit, game) in &found.latest {
                self.game(ui, found.of, (hit, game), requests);
            }
        });
    }

    /// A row that can be pressed; the label is for screen readers.
    fn pressed_row(&self, ui: &mut Ui, label: &str) -> (Rect, Response) {
        let size = vec2(ui.available_width(), row_height(ui, ROW));
        list_row(ui, self.palette, size, label, true)
    }

    /// A move that was played: a click plays it.
    fn played(&self, ui: &mut Ui, text: &str, count: &MoveCount, requests: &mut Requests) {
        let words = self.words;
        let results = [count.first_wins, count.draws, count.second_wins];
        let results_told = self.results_told(results);
        let rating = count.rating().map(|rating| words.with("explorer.rating", rating));
        let chance = self.chance_of(count.action).map(|chance| words.with("explorer.chance", words.chance(chance)));
        let told = [Some(results_told), rating, chance].into_iter().flatten().collect::<Vec<_>>().join("\n");
        let games = words.with("games.count", count.games);
        let (rect, response) = self.pressed_row(ui, &format!("{text}: {games}. {told}"));
        if ui.is_rect_visible(rect) {
            let y = rect.center().y;
            let write = |x: f32, align: Align2, text: &str, ink| {
                ui.painter().text(pos2(x, y), align, text, FontId::proportional(SMALL), ink);
            };
            write(rect.left() + 8.0, Align2::LEFT_CENTER, text, self.palette.text());
            write(rect.left() + GAMES, Align2::RIGHT_CENTER, &count.games.to_string(), self.palette.text());
            if let Some(year) = count.last_year {
                write(rect.right() - 8.0, Align2::RIGHT_CENTER, &year.to_string(), self.palette.dim());
            }
            let bar =
                Rect::from_x_y_ranges(rect.left() + BAR.0..=rect.right() - BAR.1, y - BAR_HEIGHT / 2.0..=y + BAR_HEIGHT / 2.0);
            self.bar(ui, bar, results);
        }
        if response.tip(told).clicked() {
            self.play(count.action, requests);
        }
    }

    /// The chance to win that an engine gives the side to move with a move, if an analysis or a review of the position that is shown has found it.
    fn chance_of(&self, action: Action) -> Option<Chance> {
        let (current, analysis) = (self.current, &self.seen.analysis);
        let begins = |index| analysis.moves_at(current, index).is_some_and(|moves| moves.first() == Some(&action));
        let analysed = || analysis.lines().enumerate().find(|(index, _)| begins(*index)).map(|(_, line)| line.chance);
        let tree = current.tree();
        let played = tree.child_with(current.cursor(), action);
        let chance = played.and_then(|id| Some(tree.notes(id).assessment?.chance)).or_else(analysed)?;
        Some(if current.shown().turn() == Side::First { chance } else { chance.reversed() })
    }

    /// The first side's wins, draws, and the second side's wins in words.
    pub(super) fn results_told(&self, results: [usize; 3]) -> String {
        let side = |side: Side| self.words.of(&self.current.game().sheet.sides[side]);
        let [first, draws, second] = results.map(|games| games.to_string());
        self.words.fill("explorer.results", &[side(Side::First), &first, &draws, side(Side::Second), &second])
    }

    /// The results: the first side's wins, draws, the second side's wins.
    pub(super) fn bar(&self, ui: &Ui, rect: Rect, results: [usize; 3]) {
        let all: usize = results.iter().sum();
        let of = |side| side_colour(self.current, self.palette, side);
        let inks = [of(Side::First), self.palette.dim().gamma_multiply(0.6), of(Side::Second)];
        let mut left = rect.left();
        for (games, ink) in results.into_iter().zip(inks) {
            let width = rect.width() * games as f32 / all.max(1) as f32;
            ui.painter().rect_filled(Rect::from_x_y_ranges(left..=left + width, rect.y_range()), 0.0, ink);
            left += width;
        }
        ui.painter().rect_stroke(rect, 2.0, Stroke::new(1.0, self.palette.dim()), StrokeKind::Outside);
    }

    /// Plays a move where no match is running, in which it becomes a variation as those of the engine do.
    pub(super) fn play(&self, action: Action, requests: &mut Requests) {
        let current = self.current;
        if current.counts_moves() {
            let (at, moves, origin) = (current.cursor(), vec![action], Origin::Variation);
            requests.write(CursorRequest::Edit(TreeEdit::Add { at, moves, origin }));
        } else if current.plays_here() {
            requests.write(MoveRequested { action, ply: current.table().ply() });
        } else {
            requests.write(CursorRequest::Try(action));
        }
    }

    /// A game in which the position occurs: a click opens it.
    fn game(&self, ui: &mut Ui, of: GamesOf, (hit, game): (&Hit, &Listed), requests: &mut Requests) {
        let (words, record) = (self.words, &game.record);
        let [first, second] =
            [&record.seats.first, &record.seats.second].map(|seat| words.player(seat, Some(self.current.game())));
        // The players of the engine's games are always the same; their numbers tell them apart.
        let number = record.tags.get("Round").filter(|_| of == GamesOf::Engine);
        let players = number
            .map_or_else(|| words.fill("records.players", &[&first, &second]), |number| words.with("explorer.number", number));
        let opening = words.opening(game);
        let opening = Some(opening.as_str()).filter(|opening| !opening.is_empty());
        let known = |date: &&str| date.chars().any(|sign| sign.is_ascii_digit());
        let date = record.tags.get("Date").filter(known);
        let result = Some(words.result(record.result, Some(self.current.game()))).filter(|result| !result.is_empty());
        let whole: Vec<&str> = [Some(players.as_str()), opening, date, result.as_deref()].into_iter().flatten().collect();
        let (rect, response) = self.pressed_row(ui, &whole.join(" · "));
        if ui.is_rect_visible(rect) {
            let year = year_of(date.unwrap_or_default()).map(|year| year.to_string());
            let lay = |text: String| ui.painter().layout_no_wrap(text, FontId::proportional(SMALL), self.palette.dim());
            let whole_end = [year.clone(), result.clone()].into_iter().flatten().collect::<Vec<_>>().join(" · ");
            // Where both do not fit, the names are told rather than the result, which the tooltip has too.
            let (mut end, names) = (lay(whole_end), lay(players.clone()).size().x);
            if !is_narrow(ui.ctx()) && names > rect.width() - end.size().x - 28.0 {
                end = lay(year.unwrap_or_default());
            }
            let space = rect.width() - end.size().x - 28.0;
            ui.painter().galley(rect.right_center() - vec2(8.0 + end.size().x, end.size().y / 2.0), end, self.palette.dim());
            let players = in_a_row(ui, players.clone(), SMALL, space, self.palette.text());
            let corner = rect.left_center() + vec2(8.0, -players.size().y / 2.0);
            ui.painter().galley(corner, players, self.palette.text());
        }
        if response.tip(format!("{}\n{}", whole.join(" · "), words.say("explorer.open"))).clicked() {
            requests.write(LibraryRequest::Open(hit.id, hit.ply));
        }
    }

    /// How games come into the library.
    fn adding(&self, ui: &mut Ui, requests: &mut Requests) {
        let words = self.words;
        ui.add_space(4.0);
        if let Some(games) = self.seen.library.adding() {
            ui.horizontal(|ui| adding_games(ui, (words, self.palette), games, requests));
        } else if drawn_button(ui, Icon::Records, words.say("explorer.add"), true).clicked() {
            requests.write(DialogRequest::Choose(FileAim::Add));
        }
        self.choose_book(ui, requests);
        let title = words.say("repertoire.title");
        let own = drawn_button(ui, Icon::Rules, title, true);
        if own.tip(with_key(words, title, RepertoireStep::Open, requests)).clicked() {
            requests.write(RepertoireStep::Open);
        }
    }
}
