//! The opening book on the explorer's page: its moves for the position that is shown, and changes of them.

use super::Page;
use super::explorer::{BAR, BAR_HEIGHT, GAMES};
use crate::app::explore::InBook;
use crate::app::platform::PLATFORM;
use crate::app::requests::{BookRequest, DialogRequest, FileAim, Requests};
use crate::app::settings::{ChosenBook, Settings};
use crate::ui::speech::Named;
use crate::ui::style::SMALL;
use crate::ui::typesetting::Tip;
use crate::ui::widgets::{Icon, dim, drawn_button, icon_button, list_row, menu_choice, menu_item, menu_of, row_height, target};
use bevy_egui::egui::{Align2, DragValue, FontId, PopupCloseBehavior, Rect, Ui, pos2, vec2};
use qiju_core::book::{BookEdit, BookMove};
use qiju_core::rules::Side;

/// The width of the menus.
const MENU: f32 = 200.0;

impl Page<'_> {
    /// The book that was chosen for the game.
    fn chosen_book(&self) -> Option<&ChosenBook> {
        self.seen.settings.books.get(self.current.shown().game())
    }

    /// The book's moves, if one was chosen.
    pub(super) fn book(&self, ui: &mut Ui, requests: &mut Requests) {
        let Some(chosen) = self.chosen_book().filter(|_| PLATFORM.folders) else { return };
        let words = self.words;
        let name = drawn_button(ui, Icon::Rules, &chosen.name(), true);
        menu_of(&name).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| self.book_menu(ui, chosen, requests));
        match self.seen.book.found() {
            Some((Ok(found), is_of_this)) => {
                ui.add_enabled_ui(is_of_this, |ui| self.in_book(ui, found, requests));
            }
            Some((Err(why), _)) => drop(dim(ui, self.palette, words.sentence(why))),
            None => drop(dim(ui, self.palette, words.say("book.reading"))),
        }
        ui.add_space(6.0);
    }

    /// The way to a book, where none was chosen.
    pub(super) fn choose_book(&self, ui: &mut Ui, requests: &mut Requests) {
        if !PLATFORM.folders {
            dim(ui, self.palette, self.words.say("book.page"));
        } else if self.chosen_book().is_none() && drawn_button(ui, Icon::Rules, self.words.say("book.choose"), true).clicked() {
            let game = self.current.shown().game();
            requests.write(DialogRequest::Choose(FileAim::Book { game, plays: false }));
        }
    }

    fn book_menu(&self, ui: &mut Ui, chosen: &ChosenBook, requests: &mut Requests) {
        let (words, game) = (self.words, self.current.shown().game());
        if menu_choice(ui, chosen.plays, words.say("book.plays"), MENU) {
            let plays = !chosen.plays;
            requests.change(ChosenBook::change(game, move |book| book.plays = plays));
        }
        if menu_item(ui, words.say("book.another"), MENU, true) {
            requests.write(DialogRequest::Choose(FileAim::Book { game, plays: false }));
            ui.close();
        }
        if menu_item(ui, words.say("book.close"), MENU, true) {
            requests.change(move |settings: &mut Settings| drop(settings.books.remove(game)));
            ui.close();
        }
    }

    fn in_book(&self, ui: &mut Ui, found: &InBook, requests: &mut Requests) {
        let words = self.words;
        if found.moves.is_empty() {
            dim(ui, self.palette, words.say("book.none"));
        }
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            for (text, one, share) in &found.moves {
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = 4.0;
                    self.book_move(ui, (text, one, *share), found.is_editable, requests);
                });
            }
        });
        if let Some(missing) = &found.missing
            && drawn_button(ui, Icon::Rules, &words.with("book.add", missing), true).clicked()
        {
            requests.write(BookRequest::AddLast);
        }
    }

    /// A move of the book: a click plays it.
    fn book_move(&self, ui: &mut Ui, (text, one, share): (&str, &BookMove, f32), is_editable: bool, requests: &mut Requests) {
        let words = self.words;
        let [won, drawn, lost] = one.results.map(|games| games as usize);
        let is_first = self.current.shown().turn() == Side::First;
        let results = if is_first { [won, drawn, lost] } else { [lost, drawn, won] };
        let counted = results.iter().any(|games| *games > 0);
        let share_told = format!("{:.0} %", share * 100.0);
        let told = [
            Some(words.fill("book.score", &[&one.score.to_string(), &share_told])),
            one.shunned.then(|| words.say("book.never").to_owned()),
            counted.then(|| self.results_told(results)),
            Some(one.note.clone()).filter(|note| !note.is_empty()),
        ];
        let told = told.into_iter().flatten().collect::<Vec<_>>().join("\n");
        let edit = if is_editable { target(ui) + 4.0 } else { 0.0 };
        let size = vec2(ui.available_width() - edit, row_height(ui, super::explorer::ROW));
        let (rect, response) = list_row(ui, self.palette, size, &format!("{text}. {told}"), true);
        if ui.is_rect_visible(rect) {
            let y = rect.center().y;
            let write = |x: f32, align: Align2, text: &str, ink| {
                ui.painter().text(pos2(x, y), align, text, FontId::proportional(SMALL), ink);
            };
            let ink = if one.shunned { self.palette.dim() } else { self.palette.text() };
            write(rect.left() + 8.0, Align2::LEFT_CENTER, text, ink);
            write(rect.left() + GAMES, Align2::RIGHT_CENTER, &one.score.to_string(), ink);
            write(rect.right() - 8.0, Align2::RIGHT_CENTER, &share_told, self.palette.dim());
            if counted {
                let x = rect.left() + BAR.0..=rect.right() - BAR.1;
                self.bar(ui, Rect::from_x_y_ranges(x, y - BAR_HEIGHT / 2.0..=y + BAR_HEIGHT / 2.0), results);
            }
        }
        if response.tip(told).clicked() {
            self.play(one.action, requests);
        }
        if is_editable {
            let button = icon_button(ui, Icon::Menu, &words.with("book.edit", text), target(ui), true);
            let menu = menu_of(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
            menu.show(|ui| self.edit_menu(ui, one, requests));
        }
    }

    /// The menu that changes a move.
    fn edit_menu(&self, ui: &mut Ui, one: &BookMove, requests: &mut Requests) {
        let words = self.words;
        let mut put = |put: BookMove| requests.write(BookRequest::Edit(BookEdit::Put(put)));
        ui.horizontal(|ui| {
            let name = words.say("book.score.title");
            let label = dim(ui, self.palette, name);
            // While it is dragged nothing is written.
            let memory = ui.id().with(one.action);
            let mut score = ui.data(|data| data.get_temp(memory)).unwrap_or(one.score);
            let field = ui.add(DragValue::new(&mut score).update_while_editing(false)).named(&label, name);
            if field.dragged() {
                ui.data_mut(|data| data.insert_temp(memory, score));
            } else if field.changed() || field.drag_stopped() {
                ui.data_mut(|data| data.remove::<i32>(memory));
                if score != one.score {
                    put(BookMove { score, ..one.clone() });
                }
            }
        });
        if menu_choice(ui, one.shunned, words.say("book.never"), MENU) {
            put(BookMove { shunned: !one.shunned, ..one.clone() });
        }
        if menu_item(ui, words.say("book.remove"), MENU, true) {
            requests.write(BookRequest::Edit(BookEdit::Remove(one.action)));
            ui.close();
        }
    }
}
