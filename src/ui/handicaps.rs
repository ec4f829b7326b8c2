//! The menu of handicaps on the setup page.

use super::widgets::{button, is_narrow, menu_choice, menu_of};
use crate::app::library::LibraryGame;
use crate::app::words::Words;
use bevy_egui::egui::{ScrollArea, Ui};
use qiju_core::rules::BySide;
use qiju_core::study::rating::{expected_of_first, suggested};
use qiju_core::table::Handicap;

/// The size of the list.
const WIDTH: f32 = 180.0;
const HEIGHT: f32 = 320.0;
/// From this width on the button says how even the match is.
const WIDE: f32 = 900.0;

/// The usual handicaps of the game, which fill the field for a position. If the sides' ratings are known, it says for each how even the match is,
/// and which one is the most even.
pub fn choose(ui: &mut Ui, position: &mut String, game: &LibraryGame, ratings: Option<&BySide<f64>>, words: &Words) {
    let handicaps = &game.sheet.handicaps;
    let ratings = ratings.filter(|_| handicaps.iter().any(|handicap| !handicap.worth.is_empty()));
    let name = |handicap: Option<&Handicap>| {
        handicap.map_or(words.say("setup.no-handicap"), |handicap| words.of(&handicap.name)).to_owned()
    };
    let narrow = is_narrow(ui.ctx());
    let told = |handicap: Option<&Handicap>| {
        let score = ratings.and_then(|ratings| expected_of_first(ratings, handicap));
        let percent = score.map(|score| format!("{:.0}", score * 100.0));
        let first = words.of(&game.sheet.sides.first);
        match percent {
            None => name(handicap),
            Some(percent) if narrow => format!("{} · {percent} %", name(handicap)),
            Some(percent) => format!("{} · {}", name(handicap), words.fill("setup.handicap-score", &[first, &percent])),
        }
    };
    let chosen = game.sheet.handicap(position);
    let shown = match chosen {
        None if ratings.is_none() || !position.is_empty() => words.say("setup.handicap").to_owned(),
        // The field beside it needs space for its hint.
        _ if ui.available_width() < WIDE => name(chosen),
        _ => told(chosen),
    };
    let all = || std::iter::once(None).chain(handicaps.iter().map(Some));
    menu_of(&button(ui, &shown, true)).show(|ui| {
        ScrollArea::vertical().max_height(HEIGHT).show(ui, |ui| {
            let best = ratings.map(|ratings| suggested(handicaps, ratings));
            let best = best.map(|best| (words.with("setup.handicap-suggested", name(best)), best));
            let listed = best.into_iter().chain(all().map(|handicap| (told(handicap), handicap)));
            for (text, handicap) in listed {
                let wanted = handicap.map_or("", |handicap| &handicap.position);
                if menu_choice(ui, position == wanted, text, WIDTH) {
                    wanted.clone_into(position);
                }
            }
        });
    });
}
