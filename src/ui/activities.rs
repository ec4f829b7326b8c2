//! What can be done with a game besides playing a match: a row of buttons on the setup page. Those without space are in a menu at its end.

use super::widgets::{Face, Icon, face_button, icon_button, menu_item, menu_of, natural_width};
use crate::app::laboratory::LabWish;
use crate::app::library::LibraryGame;
use crate::app::position::PositionWish;
use crate::app::requests::{AnyRequest, BeginRequest, PuzzleStep, Requests, ResultsRequest, TaskStep, TrainerRequest};
use crate::app::setup::MatchSetup;
use crate::app::words::Words;
use bevy_egui::egui;
use egui::{Ui, vec2};
use qiju_core::table::Setup;

/// The activities of a game with these rules, in the order in which a player comes to them: icon, key of the text, request.
fn activities(library_game: &LibraryGame, variant: &str, setup: &Setup) -> Vec<(Icon, &'static str, AnyRequest)> {
    let mut list = Vec::new();
    let game = library_game.entry.key;
    list.extend((!library_game.first_steps.tasks.is_empty()).then_some((
        Icon::Stairs,
        "steps.title",
        TaskStep::Open(game).into(),
    )));
    if (library_game.entry.capabilities)(variant).puzzles.is_some() {
        list.push((Icon::Puzzle, "puzzles.title", PuzzleStep::Open(game).into()));
    }
    if !library_game.entry.exercise_classes(variant).is_empty() {
        list.push((Icon::Target, "trainer.title", TrainerRequest::Open(game).into()));
    }
    if (library_game.entry.capabilities)(variant).proven {
        list.push((Icon::Shield, "hold.title", BeginRequest::Start(MatchSetup::hold_out(game, variant)).into()));
    }
    list.push((Icon::Analysis, "analysis.board", BeginRequest::Start(MatchSetup::analysis(game, setup.clone())).into()));
    if (library_game.entry.capabilities)(variant).placement.is_some() {
        list.push((Icon::Edit, "positions.title", PositionWish::Open { game, setup: setup.clone() }.into()));
    }
    list.push((Icon::Tree, "lab.title", LabWish::Game(game, variant.to_owned()).into()));
    list.push((Icon::Results, "results.title", ResultsRequest::Show(game).into()));
    list
}

/// The row; nothing if there is no activity. `setup` is the position that the page is set up for.
pub fn row(ui: &mut Ui, library_game: &LibraryGame, (variant, setup): (&str, &Setup), words: &Words, requests: &mut Requests) {
    let list = activities(library_game, variant, setup);
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
