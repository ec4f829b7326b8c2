//! The moves of the match, written: the score sheet beside the board.

use super::game::CurrentMatch;
use super::phase::in_match;
use crate::app::ground::settings::Settings;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::rules::Side;
use crate::table::Choice;
use bevy::prelude::*;

/// The moves as they are written in the player's notation.
#[derive(Resource)]
pub struct ScoreSheet {
    /// The moves, first to last.
    pub moves: Vec<String>,
    /// The side that made the first of them.
    pub first: Side,
    /// Which of them are choices in the opening: they belong to no side.
    pub choices: Vec<usize>,
}

impl Default for ScoreSheet {
    fn default() -> Self {
        ScoreSheet { moves: Vec::new(), first: Side::First, choices: Vec::new() }
    }
}

fn write(mut sheet: ResMut<ScoreSheet>, current: Res<CurrentMatch>, (settings, words): (Res<Settings>, Res<Words>)) {
    if !current.is_changed() && !settings.is_changed() && !words.is_changed() {
        return;
    }
    let table = current.table();
    sheet.moves = table.played_text(settings.notation(table, words.language));
    sheet.choices.clear();
    for (index, action) in table.played().into_iter().enumerate() {
        if let Some(choice) = Choice::of_action(action) {
            sheet.moves[index] = words.choice(choice, &current.game().sheet.sides);
            sheet.choices.push(index);
        }
    }
    let moved = sheet.moves.len() - sheet.choices.len();
    sheet.first = if moved.is_multiple_of(2) { table.turn() } else { !table.turn() };
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<ScoreSheet>().add_systems(Update, write.in_set(Step::Ui).run_if(in_match));
}
