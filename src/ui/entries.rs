//! What can be done with a game besides playing a match: a row of buttons on the setup page. Those without space are in a menu at its end.

use super::widgets::{Face, Icon, face_button, icon_button, menu_item, menu_of, natural_width};
use crate::app::library::LibraryGame;
use crate::app::play::CurrentMatch;
use crate::app::requests::{AnyRequest, Requests};
use crate::app::words::Words;
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Ui, vec2};
use qiju_core::table::Setup;

/// The request of an activity for a game by the rules of a variant, from this position; `None` if the game does not have it.
pub type Offer = fn(&LibraryGame, &str, &Setup) -> Option<AnyRequest>;
/// The drawing of an activity, the key of its name, and its request.
type Entry = (Icon, &'static str, Offer);
/// The same for the match on the board.
type PauseEntry = (Icon, &'static str, fn(&CurrentMatch) -> Option<AnyRequest>);

/// The activities that a game may have, in the order in which a player comes to them.
#[derive(Resource, Default)]
pub struct Entries {
    setup: Vec<(u8, Entry)>,
    pause: Vec<(u8, PauseEntry)>,
}

impl Entries {
    /// Adds an activity at this place of the setup page.
    pub fn add(&mut self, number: u8, entry: Entry) {
        self.setup.push((number, entry));
        self.setup.sort_by_key(|(number, _)| *number);
    }

    /// Adds one at this place of the pause menu.
    pub fn add_to_pause(&mut self, number: u8, entry: PauseEntry) {
        self.pause.push((number, entry));
        self.pause.sort_by_key(|(number, _)| *number);
    }

    /// What the pause menu of a match offers.
    pub fn of_match(&self, current: &CurrentMatch) -> impl Iterator<Item = (Icon, &'static str, Option<AnyRequest>)> {
        self.pause.iter().map(|(_, (icon, key, ask))| (*icon, *key, ask(current)))
    }
}

/// The row; nothing if there is no activity. `setup` is the position that the page is set up for.
pub fn row(
    ui: &mut Ui,
    entries: &Entries,
    library_game: &LibraryGame,
    (variant, setup): (&str, &Setup),
    words: &Words,
    requests: &mut Requests,
) {
    let ask = |(icon, key, ask): Entry| Some((icon, key, ask(library_game, variant, setup)?));
    let list: Vec<_> = entries.setup.iter().filter_map(|(_, entry)| ask(*entry)).collect();
    if list.is_empty() {
        return;
    }
    let gap = ui.spacing().item_spacing.x;
    let width = |ui: &Ui, index: usize| {
        let (icon, key, _) = &list[index];
        natural_width(ui, Face { icon: Some(*icon), text: words.say(key), ..Face::default() })
    };
    let widths: Vec<f32> = (0..list.len()).map(|index| width(ui, index)).collect();
    let shown = fitting(&widths, gap, ui.available_width(), 32.0);
    ui.horizontal(|ui| {
        for ((icon, key, request), width) in list.iter().zip(&widths).take(shown) {
            let face = Face { icon: Some(*icon), text: words.say(key), ..Face::default() };
            if face_button(ui, face, vec2(*width, 32.0), true).clicked() {
                requests.write(request.clone());
            }
        }
        if shown < list.len() {
            let more = icon_button(ui, Icon::More, words.say("activities.more"), 32.0, true);
            menu_of(&more).show(|ui| {
                for (_, key, request) in &list[shown..] {
                    if menu_item(ui, words.say(key), 180.0, true) {
                        requests.write(request.clone());
                    }
                }
            });
        }
    });
}

/// How many buttons of these widths fit into the space: all of them, or as many as fit beside a last one of width `more`.
fn fitting(widths: &[f32], gap: f32, space: f32, more: f32) -> usize {
    let total = |count: usize| widths[..count].iter().map(|width| width + gap).sum::<f32>();
    if total(widths.len()) - gap <= space {
        return widths.len();
    }
    (0..widths.len()).rev().find(|&count| total(count) + more <= space).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn what_does_not_fit_leaves_space_for_the_menu() {
        let widths = [100.0, 100.0, 100.0];
        assert_eq!(fitting(&widths, 8.0, 316.0, 32.0), 3);
        assert_eq!(fitting(&widths, 8.0, 315.0, 32.0), 2);
        assert_eq!(fitting(&widths, 8.0, 247.0, 32.0), 1);
        assert_eq!(fitting(&widths, 8.0, 100.0, 32.0), 0);
        assert_eq!(fitting(&[], 8.0, 100.0, 32.0), 0);
    }
}
