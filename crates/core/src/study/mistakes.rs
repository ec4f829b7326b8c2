//! The mistakes of a player as exercises: the position before each of them, in which a better move is looked for.

use super::schedule::{Learnt, Memory};
use crate::rules::Side;
use crate::table::{Action, Judgement, Notation, PlayedGame, Setup, Table, Tree, variant_of};
use serde::{Deserialize, Serialize};

/// A mistake of the player in a reviewed game. Moves are in the game's own text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mistake {
    /// The game's key.
    pub game: String,
    /// How the game began.
    pub setup: Setup,
    /// The moves that lead to the position.
    pub moves: Vec<String>,
    /// The move that was played.
    pub played: String,
    /// The better line, as the review found it.
    pub best: Vec<String>,
    /// What is known of the exercise; `None` before it was asked for the first time.
    #[serde(default)]
    pub memory: Option<Memory>,
    /// The day on which it was asked for the first time, if it was, in days since 1970.
    #[serde(default)]
    pub begun: Option<i32>,
}

/// The moves of a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MistakeMoves {
    /// Those that lead to the position.
    pub before: Vec<Action>,
    /// The one that was played.
    pub played: Action,
    /// The better line, at least one move.
    pub best: Vec<Action>,
    /// Whose move it was.
    pub side: Side,
}

impl Mistake {
    /// What is known of it.
    pub fn learnt(&self) -> Learnt {
        Learnt { memory: self.memory, begun: self.begun }
    }

    /// Its moves, read on the table at the beginning of the game; `None` if they are not legal there.
    pub fn read(&self, start: &dyn Table) -> Option<MistakeMoves> {
        let mut table = start.boxed_clone();
        table.adjudicate(false);
        let mut before = Vec::new();
        for text in &self.moves {
            let action = table.read(text).ok()?;
            table.play(action).ok()?;
            before.push(action);
        }
        let (side, played) = (table.turn(), table.read(&self.played).ok()?);
        let mut best = Vec::new();
        for text in &self.best {
            let Ok(action) = table.read(text) else { break };
            best.push(action);
            if table.play(action).is_err() {
                break;
            }
        }
        (!best.is_empty()).then_some(MistakeMoves { before, played, best, side })
    }
}

/// The mistakes and blunders of these sides in a reviewed game, each with the name of its position. Turned and mirrored positions have the same name.
pub fn mistakes(game: &PlayedGame, is_own: &dyn Fn(Side) -> bool) -> Vec<(String, Mistake)> {
    let setup = game.table().setup().plain();
    let mut found = Vec::new();
    for node in game.line() {
        let verdict = game.tree().notes(*node).assessment.and_then(|assessment| assessment.verdict.as_ref());
        let Some(verdict) = verdict.filter(|verdict| verdict.judgement >= Judgement::Mistake && is_own(verdict.mover)) else {
            continue;
        };
        let (Some(played), Some(before)) = (game.tree().node(*node).action(), game.tree().previous(*node)) else { continue };
        if verdict.best.first().is_none_or(|best| *best == played) {
            continue;
        }
        let table = game.table_at(before);
        let Some(played) = table.write(played, Notation::Uci) else { continue };
        let moves = texts(&*game.table_at(Tree::ROOT), &game.tree().actions_to(before));
        let best = texts(&*table, &verdict.best);
        let game = table.game().to_owned();
        found.push((place(&*table), Mistake { game, setup: setup.clone(), moves, played, best, memory: None, begun: None }));
    }
    found
}

/// The name of a position, which is the same for those that are turned or mirrored.
fn place(table: &dyn Table) -> String {
    let seen = table.images().into_iter().map(|(_, seen)| seen.position_text()).min();
    format!("{} {} {}", table.game(), variant_of(table), seen.unwrap_or_else(|| table.position_text()))
}

/// A line as text.
fn texts(table: &dyn Table, line: &[Action]) -> Vec<String> {
    let mut table = table.boxed_clone();
    table.adjudicate(false);
    let write = |action: &Action| {
        let text = table.write(*action, Notation::Uci)?;
        table.play(*action).ok().map(|_| text)
    };
    line.iter().map_while(write).collect()
}
