//! What is asked of the referee and what it tells.

use crate::rules::{Outcome, Refusal, Side};
use crate::table::{Action, Change, Table};
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
    /// Takes the table's last move back; `None` if there is none.
    pub(super) fn by_undo(table: &mut dyn Table) -> Option<BoardChanged> {
        let action = *table.played().last()?;
        let changes = table.undo()?;
        let (mover, check) = (table.turn(), table.check().is_some());
        Some(BoardChanged { changes, action, mover, passage: Passage::TakenBack, check })
    }

    /// Plays the move last taken back again; `None` if there is none.
    pub(super) fn by_redo(table: &mut dyn Table) -> Option<BoardChanged> {
        let mover = table.turn();
        let changes = table.redo()?;
        let action = *table.played().last()?;
        Some(BoardChanged { changes, action, mover, passage: Passage::Replayed, check: table.check().is_some() })
    }
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
        .add_message::<BoardChanged>()
        .add_message::<MoveRefused>()
        .add_message::<MoveWarned>()
        .add_message::<MatchEnded>();
}
