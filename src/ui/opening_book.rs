//! The row of the setup to choose the opening book of the computer.

use super::widgets::{Icon, menu_choice, menu_item, menu_of, named};
use crate::app::requests::{DialogRequest, FileAim, Requests};
use crate::app::settings::ChosenBook;
use crate::app::words::Words;
use crate::ui::speech::Named;
use crate::ui::typesetting::Tip;
use bevy_egui::egui::{DragValue, PopupCloseBehavior, Ui};
use qiju_core::book::BookUse;

/// The width of the menu.
const MENU: f32 = 200.0;

/// The book from which the computer plays, and for how long: the built-in one, if the game has one, or that of a file.
pub fn choose(
    ui: &mut Ui,
    (game, built_in): (&'static str, bool),
    chosen: Option<&ChosenBook>,
    words: &Words,
    requests: &mut Requests,
) {
    let playing = chosen.filter(|book| book.plays);
    let usual = words.say(if built_in { "book.built-in" } else { "book.without" });
    let name = playing.map_or_else(|| usual.to_owned(), ChosenBook::name);
    let button = named(ui, Icon::Rules, &name).tip(words.say("book.plays.note"));
    menu_of(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        if menu_choice(ui, playing.is_none(), usual, MENU) {
            requests.change(ChosenBook::change(game, |book| book.plays = false));
        }
        if let Some(chosen) = chosen {
            if menu_choice(ui, chosen.plays, chosen.name(), MENU) {
                requests.change(ChosenBook::change(game, |book| book.plays = true));
            }
            let mut plies = chosen.plies;
            ui.add_enabled_ui(chosen.plays, |ui| {
                ui.horizontal(|ui| {
                    let name = words.say("book.plies");
                    let label = ui.label(name);
                    let field = DragValue::new(&mut plies).range(1..=BookUse::MOST).update_while_editing(false);
                    if ui.add(field).named(&label, name).changed() {
                        requests.change(ChosenBook::change(game, move |book| book.plies = plies));
                    }
                });
            });
        }
        let other = if chosen.is_some() { "book.another" } else { "book.choose" };
        if menu_item(ui, words.say(other), MENU, true) {
            requests.write(DialogRequest::Choose(FileAim::Book { game, plays: true }));
            ui.close();
        }
    });
}
