//! The moves, written: the match line by line, and the variations of the place that is shown.

use super::game::CurrentMatch;
use super::phase::in_match;
use crate::app::ground::settings::Settings;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::rules::Side;
use crate::table::{Choice, NodeId, Notation, Tree};
use bevy::prelude::*;

/// The moves as they are written in the player's notation.
#[derive(Resource)]
pub struct ScoreSheet {
    /// The moves of the match, first to last.
    pub moves: Vec<String>,
    /// The side that made the first of them.
    pub first: Side,
    /// Which of them are choices in the opening: they belong to no side.
    pub choices: Vec<usize>,
    /// The variation that is shown, and those that begin where the cursor is.
    pub variations: Vec<Variation>,
}

/// A variation on the sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// The place it leads to when it is chosen.
    pub node: NodeId,
    /// Its moves, the first ones of a long variation.
    pub text: String,
    /// True for the one in which the cursor is.
    pub here: bool,
}

impl Default for ScoreSheet {
    fn default() -> Self {
        ScoreSheet { moves: Vec::new(), first: Side::First, choices: Vec::new(), variations: Vec::new() }
    }
}

/// Moves of a variation that are written.
const MOVES_WRITTEN: usize = 8;

fn write(mut sheet: ResMut<ScoreSheet>, current: Res<CurrentMatch>, (settings, words): (Res<Settings>, Res<Words>)) {
    if !current.is_changed() && !settings.is_changed() && !words.is_changed() {
        return;
    }
    let table = current.table();
    let notation = settings.notation(table, words.language);
    sheet.moves = table.played_text(notation);
    sheet.choices.clear();
    for (index, action) in table.played().into_iter().enumerate() {
        if let Some(choice) = Choice::of_action(action) {
            sheet.moves[index] = words.choice(choice, &current.game().sheet.sides);
            sheet.choices.push(index);
        }
    }
    let moved = sheet.moves.len() - sheet.choices.len();
    sheet.first = if moved.is_multiple_of(2) { table.turn() } else { !table.turn() };
    sheet.variations = variations(&current, notation);
}

/// The variation in which the cursor is, as far as the cursor, and those that begin there.
fn variations(current: &CurrentMatch, notation: Notation) -> Vec<Variation> {
    let (played, tree, cursor) = (current.played(), current.tree(), current.cursor());
    // A line that is shown for a while has a section of its own.
    if played.sketch().is_some() {
        return Vec::new();
    }
    let mut list = Vec::new();
    let path: Vec<NodeId> = tree.path_to(cursor).into_iter().filter(|id| !played.is_of_line(*id)).collect();
    if let Some(first) = path.first() {
        list.push(Variation { node: cursor, text: text(current, *first, &path, notation), here: true });
    }
    for &child in tree.node(cursor).children().iter().filter(|child| !played.is_of_line(**child)) {
        let line: Vec<NodeId> = std::iter::successors(Some(child), |at| tree.next(*at)).collect();
        list.push(Variation { node: child, text: text(current, child, &line, notation), here: false });
    }
    list
}

/// Moves that follow each other, written. The last ones of a longer line, where it is the way to the cursor; else the first.
fn text(current: &CurrentMatch, first: NodeId, line: &[NodeId], notation: Notation) -> String {
    let tree = current.tree();
    let mut table = current.played().table_at(tree.previous(first).unwrap_or(Tree::ROOT));
    let mut moves = Vec::new();
    for action in line.iter().filter_map(|id| tree.node(*id).action()) {
        moves.extend(table.write(action, notation));
        if table.play(action).is_err() {
            break;
        }
    }
    let long = moves.len() > MOVES_WRITTEN;
    if line.last() == Some(&current.cursor()) {
        let rest = moves.split_off(moves.len().saturating_sub(MOVES_WRITTEN));
        return format!("{}{}", if long { "… " } else { "" }, rest.join(" "));
    }
    moves.truncate(MOVES_WRITTEN);
    format!("{}{}", moves.join(" "), if long { " …" } else { "" })
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<ScoreSheet>().add_systems(Update, write.in_set(Step::Ui).run_if(in_match));
}
