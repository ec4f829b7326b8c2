//! The first steps in a game: small tasks for those who have never played it. They are data; [`Goal`] says when one is done.

use super::goal::point;
use super::{Goal, MoveGoal, Setup, SetupError, SheetError, Table, Text, read_ron};
use crate::message;
use crate::message::Message;
use crate::rules::Point;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The first steps in a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FirstSteps {
    /// The tasks, in their order.
    pub tasks: Vec<Task>,
}

/// A task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Its key in the list of tasks done.
    pub key: String,
    /// Its name.
    pub title: Text,
    /// What there is to know and to do.
    pub text: Text,
    /// What is said when it is done.
    pub done: Text,
    /// The variant; `None` is the game's first.
    #[serde(default)]
    pub variant: Option<String>,
    /// The position. The side to move is the learner's.
    pub position: String,
    /// The goal.
    pub goal: Goal,
    /// Points that the text speaks of, as files and ranks from 0.
    #[serde(default)]
    pub marks: Vec<(u8, u8)>,
}

/// The most moves of a task.
const MOST_MOVES: u32 = 20;

impl Task {
    /// Variant and position.
    pub fn setup(&self) -> Setup {
        Setup { variant: self.variant.clone(), position: Some(self.position.clone()) }
    }

    /// The points that the text speaks of.
    pub fn marks(&self) -> Vec<Point> {
        self.marks.iter().copied().map(point).collect()
    }

    /// What is wrong with it on a table with its position, and the part of its text that is wrong.
    fn fault(&self, table: &dyn Table) -> Option<(&str, String)> {
        let (files, ranks) = table.size();
        let points = self.goal.points();
        let other = !table.turn();
        if let Some(at) = points.iter().chain(&self.marks()).find(|at| at.x >= files || at.y >= ranks) {
            return Some((&self.key, format!("({}, {}) is outside the board of {files} by {ranks}", at.x, at.y)));
        }
        if table.outcome().is_some() {
            return Some((&self.position, "the game is over in this position".to_owned()));
        }
        if !(1..=MOST_MOVES).contains(&self.goal.moves()) {
            return Some((&self.key, format!("a task has 1 to {MOST_MOVES} moves, not {}", self.goal.moves())));
        }
        match &self.goal {
            Goal::Follow { line } => return fault_of_line(line, table).map(|why| (&*self.key, why)),
            Goal::Catch { .. } | Goal::Reach { .. } if points.is_empty() => {
                return Some((&self.key, "the goal names no point".to_owned()));
            }
            Goal::Catch { .. } => {
                let stands = |at: &Point| table.pieces().iter().any(|(point, piece)| point == at && piece.side == other);
                if let Some(at) = points.iter().find(|at| !stands(at)) {
                    return Some((&self.key, format!("there is no piece to capture on ({}, {})", at.x, at.y)));
                }
            }
            Goal::Play(MoveGoal::Escape) if table.check().is_none() => {
                return Some((&self.position, "the side to move is not in check".to_owned()));
            }
            Goal::Play(MoveGoal::Make(_)) if table.actions().first().is_none_or(|action| table.formations(*action).is_none()) => {
                return Some((&self.key, "this game has no such shapes".to_owned()));
            }
            Goal::Play(MoveGoal::Capture(0)) => return Some((&self.key, "the goal is to capture nothing".to_owned())),
            Goal::Reach { .. } | Goal::Play(_) | Goal::Win { .. } => {}
        }
        None
    }
}

/// What is wrong with a line: a move that is not legal, or an end with the other side's move.
fn fault_of_line(line: &str, table: &dyn Table) -> Option<String> {
    let mut at = table.boxed_clone();
    for word in line.split_whitespace() {
        let action = match at.read(word) {
            Ok(action) => action,
            Err(why) => return Some(format!("{word}: {why}")),
        };
        if let Err(why) = at.play(action) {
            return Some(format!("{word}: {why}"));
        }
    }
    let ends = at.ply() % 2 == 1;
    (!ends).then(|| "the line does not end with the learner's move".to_owned())
}

impl FirstSteps {
    /// Reads and checks tasks. `file` is for messages; `open` sets up a table for a task.
    ///
    /// # Errors
    /// The text is not valid RON for tasks, or a task is not possible; the error has the line.
    pub fn parse(
        file: &str,
        text: &str,
        open: impl Fn(&Task) -> Result<Box<dyn Table>, SetupError>,
    ) -> Result<FirstSteps, SheetError> {
        let steps: FirstSteps = read_ron(file, text)?;
        let fail = |needle: &str, why: Message| Err(SheetError::at(file, text, needle, why));
        let mut keys = HashSet::new();
        for task in &steps.tasks {
            let quoted = format!("key: \"{}\"", &task.key);
            let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            if task.key.is_empty() || !task.key.chars().all(fits) {
                return fail(&quoted, message!("'{}' is not a key: small letters, digits and hyphens", &task.key));
            }
            if !keys.insert(&task.key) {
                return fail(&quoted, message!("there are two tasks '{}'", &task.key));
            }
            for said in [&task.title, &task.text, &task.done] {
                if said.zh.trim().is_empty() || said.en.trim().is_empty() {
                    return fail(&quoted, message!("a text of '{}' is empty", &task.key));
                }
            }
            let table = match open(task) {
                Ok(table) => table,
                Err(error) => return fail(&task.position, message!("'{}': {}", &task.key, error)),
            };
            if let Some((place, why)) = task.fault(&*table) {
                let needle = if place == task.key { &quoted } else { place };
                return fail(needle, message!("'{}': {}", &task.key, why));
            }
        }
        Ok(steps)
    }
}
