//! A line shown aside from the match: the refutation of a mistake, played out step by step on the board, and back to where the match stands. The match itself
//! is not touched.

use super::game::CurrentMatch;
use super::messages::{BoardChanged, Passage};
use crate::app::ground::intent::{Look, Stride};
use crate::rules::Side;
use crate::search::Verdict;
use crate::table::{Action, Table};

/// One move of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMove {
    /// The move.
    pub action: Action,
    /// Who makes it.
    pub side: Side,
    /// The move in the game's own text.
    pub text: String,
    /// What it is worth to that side, the distance counted from before the move.
    pub verdict: Verdict,
}

/// A line on the board.
pub struct Aside {
    table: Box<dyn Table>,
    line: Vec<LineMove>,
    from: usize,
    at: usize,
}

impl Aside {
    /// The table as it stands in the line.
    pub fn table(&self) -> &dyn Table {
        self.table.as_ref()
    }

    /// The line, the mistake first.
    pub fn line(&self) -> &[LineMove] {
        &self.line
    }

    /// Moves of the line that stand on the board; at least the first.
    pub fn at(&self) -> usize {
        self.at
    }

    fn forward(&mut self) -> Option<BoardChanged> {
        let action = self.line.get(self.at)?.action;
        self.at += 1;
        forward(&mut *self.table, action)
    }

    fn back(&mut self) -> Option<BoardChanged> {
        // The mistake stays on the board: the line is about it.
        if self.at <= 1 {
            return None;
        }
        self.at -= 1;
        BoardChanged::by_undo(self.table.as_mut())
    }
}

pub(super) fn forward(table: &mut dyn Table, action: Action) -> Option<BoardChanged> {
    let mover = table.turn();
    let changes = table.play(action).ok()?;
    Some(BoardChanged { changes, action, mover, passage: Passage::Replayed, check: table.check().is_some() })
}

/// Takes back what was played on a copy of the match after `from` plies, and plays the match's own moves again.
pub(super) fn back_to_match(mut table: Box<dyn Table>, from: usize, played: &[Action]) -> Vec<BoardChanged> {
    let mut steps = Vec::new();
    while table.ply() > from {
        let Some(step) = BoardChanged::by_undo(table.as_mut()) else { break };
        steps.push(step);
    }
    steps.extend(played.iter().skip(from).filter_map(|action| forward(table.as_mut(), *action)));
    leap_if_many(steps)
}

/// More steps than this at once are not shown one by one.
const SHOWN_STEPS: usize = 2;

pub(super) fn leap_if_many(mut steps: Vec<BoardChanged>) -> Vec<BoardChanged> {
    if steps.len() > SHOWN_STEPS {
        steps.iter_mut().for_each(|step| step.passage = Passage::Leapt);
    }
    steps
}

impl CurrentMatch {
    /// Shows a line that begins with the move at `from` of the match.
    pub fn step_aside(&mut self, from: usize, line: Vec<LineMove>) -> Vec<BoardChanged> {
        let mut steps = self.look(Look::Last);
        let mut table = self.table.boxed_clone();
        while table.ply() > from {
            let Some(step) = BoardChanged::by_undo(table.as_mut()) else { return steps };
            steps.push(step);
        }
        let mut aside = Aside { table, line, from, at: 0 };
        steps.extend(aside.forward());
        self.aside = Some(aside);
        leap_if_many(steps)
    }

    /// A step of the line that is shown.
    pub fn stride(&mut self, stride: Stride) -> Vec<BoardChanged> {
        match (stride, &mut self.aside) {
            (Stride::Forward, Some(aside)) => aside.forward().into_iter().collect(),
            (Stride::Back, Some(aside)) => aside.back().into_iter().collect(),
            _ => self.leave_aside(),
        }
    }

    /// Back to the present of the match, if a line was shown: the line is taken back and the match's own moves are played again.
    pub(super) fn leave_aside(&mut self) -> Vec<BoardChanged> {
        let Some(aside) = self.aside.take() else { return self.leave_attempt() };
        back_to_match(aside.table, aside.from, &self.table.played())
    }
}
