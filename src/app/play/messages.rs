//! What is asked of the referee and what it tells.

use crate::rules::{Outcome, Refusal, Side};
use crate::table::{Action, Change, NodeId, Step};
use bevy::prelude::*;

/// Somebody wants this move played. `ply` is the number of moves played when it was thought of: a late answer is dropped.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveRequested {
    /// The move.
    pub action: Action,
    /// Moves played when it was thought of.
    pub ply: usize,
}

/// How the pieces came to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    /// A move was played.
    Played,
    /// A move was taken back.
    TakenBack,
    /// A move taken back was played again.
    Replayed,
    /// One of many steps at once, too many to show.
    Leapt,
}

/// The pieces on the board have changed.
#[derive(Message, Clone, Debug)]
pub struct BoardChanged {
    /// What changed, in order.
    pub changes: Vec<Change>,
    /// The move played or taken back.
    pub action: Action,
    /// Whose move it is.
    pub mover: Side,
    /// How it came about.
    pub passage: Passage,
    /// Whether the side to move now stands in check.
    pub check: bool,
}

impl BoardChanged {
    /// One step of the cursor, shown as it is.
    pub(super) fn of_step(step: Step) -> BoardChanged {
        let passage = if step.forward { Passage::Replayed } else { Passage::TakenBack };
        BoardChanged { changes: step.changes, action: step.action, mover: step.mover, passage, check: step.check }
    }

    /// Steps of the cursor: more than `most` are a leap.
    pub(super) fn of_steps(steps: Vec<Step>, most: usize) -> Vec<BoardChanged> {
        let leaps = steps.len() > most;
        let mut changes: Vec<BoardChanged> = steps.into_iter().map(BoardChanged::of_step).collect();
        if leaps {
            changes.iter_mut().for_each(|change| change.passage = Passage::Leapt);
        }
        changes
    }
}

/// Moves of the match are to be taken back, or played again.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewind {
    /// To the last turn of a person's.
    Back,
    /// To the next turn of a person's, by the moves taken back.
    Again,
    /// To this place of the match.
    To(NodeId),
}

/// A move was refused; nothing has changed.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveRefused {
    /// The move wanted.
    pub action: Action,
    /// What the rules have against it.
    pub reason: Refusal,
}

/// A person's move would lose by a rule one forgets easily: nothing has changed, and played once more it counts.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveWarned {
    /// The move wanted.
    pub action: Action,
    /// What it would come to.
    pub outcome: Outcome,
}

/// The match has ended.
#[derive(Message, Clone, Copy, Debug)]
pub struct MatchEnded(pub Outcome);

pub(super) fn plugin(app: &mut App) {
    app.add_message::<MoveRequested>()
        .add_message::<Rewind>()
        .add_message::<BoardChanged>()
        .add_message::<MoveRefused>()
        .add_message::<MoveWarned>()
        .add_message::<MatchEnded>();
}
