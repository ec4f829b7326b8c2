//! The messages to and from the referee.

use bevy::prelude::*;
use qiju_core::rules::{Outcome, Refusal, Side};
use qiju_core::table::{Action, Change, NodeId, Step};
use std::path::PathBuf;

/// The player's data were replaced: everything read from the storage is read again.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataTaken;

/// A game was saved in this file.
#[derive(Message, Clone, Debug)]
pub struct RecordKept(pub PathBuf);

/// A request to play a move. `ply` is the number of moves played at the time of the request; a late request is dropped.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveRequested {
    /// The move.
    pub action: Action,
    /// The number of moves played at the time of the request.
    pub ply: usize,
}

/// How a change of the pieces happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    /// A move was played.
    Played,
    /// A move was taken back.
    TakenBack,
    /// A move taken back was played again.
    Replayed,
    /// One of many steps at once, which are not animated.
    Leapt,
}

/// The pieces on the board have changed.
#[derive(Message, Clone, Debug)]
pub struct BoardChanged {
    /// The changes, in order.
    pub changes: Vec<Change>,
    /// The move played or taken back.
    pub action: Action,
    /// The side that makes the move.
    pub mover: Side,
    /// How it happened.
    pub passage: Passage,
    /// Whether the side to move is now in check.
    pub check: bool,
}

impl BoardChanged {
    /// The message for one step of the cursor.
    pub(super) fn of_step(step: Step) -> BoardChanged {
        let passage = if step.forward { Passage::Replayed } else { Passage::TakenBack };
        BoardChanged { changes: step.changes, action: step.action, mover: step.mover, passage, check: step.check }
    }

    /// The messages for steps of the cursor; more than `most` are not animated.
    pub(super) fn of_steps(steps: Vec<Step>, most: usize) -> Vec<BoardChanged> {
        let leaps = steps.len() > most;
        let mut changes: Vec<BoardChanged> = steps.into_iter().map(BoardChanged::of_step).collect();
        if leaps {
            changes.iter_mut().for_each(|change| change.passage = Passage::Leapt);
        }
        changes
    }
}

/// An engine has moved while an earlier position or a variation is shown: the match has changed, what is shown has not.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveArrived {
    /// The move.
    pub action: Action,
    /// The side that made it.
    pub mover: Side,
}

/// A request for undo or redo in the match.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewind {
    /// Undo to the last turn of a person.
    Back,
    /// Redo to the next turn of a person.
    Again,
    /// Undo to this node of the match.
    To(NodeId),
}

/// A move was refused; nothing has changed.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveRefused {
    /// The requested move.
    pub action: Action,
    /// The reason.
    pub reason: Refusal,
}

/// A person's move would lose by perpetual check or chase. Nothing has changed; the same move once more is played.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveWarned {
    /// The requested move.
    pub action: Action,
    /// The outcome it would have.
    pub outcome: Outcome,
}

/// Something that both players are told: it is shown and announced.
#[derive(Message, Clone, Debug)]
pub struct Said(pub String);

/// The player uses help in a running match: a hint, the analysis, exact results.
#[derive(Message, Clone, Copy, Debug)]
pub struct Helped;

/// Moves of the match were taken back.
#[derive(Message, Clone, Copy, Debug)]
pub struct TakenBack;

/// A task was done on a board on which the game goes on. (Where the game has ended, its end is told anyway.)
#[derive(Message, Clone, Copy, Debug)]
pub struct TaskDone;

/// The match has ended.
#[derive(Message, Clone, Copy, Debug)]
pub struct MatchEnded(pub Outcome);

pub(super) fn plugin(app: &mut App) {
    app.add_message::<DataTaken>()
        .add_message::<RecordKept>()
        .add_message::<MoveRequested>()
        .add_message::<Rewind>()
        .add_message::<BoardChanged>()
        .add_message::<MoveArrived>()
        .add_message::<MoveRefused>()
        .add_message::<MoveWarned>()
        .add_message::<Said>()
        .add_message::<Helped>()
        .add_message::<TakenBack>()
        .add_message::<TaskDone>()
        .add_message::<MatchEnded>();
}
