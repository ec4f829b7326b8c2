//! Changes of a game's tree other than moves of the match: variations, comments, glyphs, marks, assessments.

use super::{Action, Assessment, Glyph, Mark, NodeId, Origin};
use crate::message;
use crate::message::Message;
use crate::rules::PlayError;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A change of the tree. `At` says where: the number of a node, or a [`NodePath`] if the numbers may differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TreeEdit<At = NodeId> {
    /// Adds a line of moves. Moves that are already there are not added again.
    Add {
        /// After this node.
        at: At,
        /// The moves.
        moves: Vec<Action>,
        /// Their origin.
        origin: Origin,
    },
    /// Replaces the comment on a move.
    Comment {
        /// The move.
        at: At,
        /// The comment; empty to delete it.
        text: String,
    },
    /// Replaces the glyphs of a move.
    Glyphs {
        /// The move.
        at: At,
        /// The glyphs.
        glyphs: Vec<Glyph>,
    },
    /// Replaces the marks on the board after a move.
    Marks {
        /// The move.
        at: At,
        /// The marks.
        marks: Vec<Mark>,
    },
    /// Replaces the assessment of a move and its position by a review.
    Assess {
        /// The move.
        at: At,
        /// The assessment; `None` deletes it.
        assessment: Option<Box<Assessment>>,
    },
    /// Moves a variation one step up among its siblings, never above the moves of the match.
    Promote {
        /// Its first move.
        at: At,
    },
    /// Removes a variation, with all moves after it.
    Remove {
        /// Its first move.
        at: At,
    },
}

impl<At> TreeEdit<At> {
    /// The node that is changed.
    pub fn at(&self) -> &At {
        match self {
            TreeEdit::Add { at, .. }
            | TreeEdit::Comment { at, .. }
            | TreeEdit::Glyphs { at, .. }
            | TreeEdit::Marks { at, .. }
            | TreeEdit::Assess { at, .. }
            | TreeEdit::Promote { at }
            | TreeEdit::Remove { at } => at,
        }
    }

    /// The same change at another node.
    pub fn moved_to<Other>(self, at: Other) -> TreeEdit<Other> {
        match self {
            TreeEdit::Add { moves, origin, .. } => TreeEdit::Add { at, moves, origin },
            TreeEdit::Comment { text, .. } => TreeEdit::Comment { at, text },
            TreeEdit::Glyphs { glyphs, .. } => TreeEdit::Glyphs { at, glyphs },
            TreeEdit::Marks { marks, .. } => TreeEdit::Marks { at, marks },
            TreeEdit::Assess { assessment, .. } => TreeEdit::Assess { at, assessment },
            TreeEdit::Promote { .. } => TreeEdit::Promote { at },
            TreeEdit::Remove { .. } => TreeEdit::Remove { at },
        }
    }
}

/// A node of a game's tree given by the moves that lead to it, independent of node numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodePath {
    /// The number of moves of the match,
    pub ply: usize,
    /// then these moves of a variation.
    #[serde(default)]
    pub then: Vec<Action>,
}

/// Why a tree cannot be changed in this way.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", Message::from(self))]
pub enum EditError {
    /// There is no such node.
    NoSuchNode,
    /// Moves of the match cannot be changed.
    OfTheMatch,
    /// The variation is already the first.
    First,
    /// The move is illegal.
    Illegal(#[from] PlayError),
}

crate::has_message!(EditError);

impl From<&EditError> for Message {
    fn from(error: &EditError) -> Message {
        match error {
            EditError::NoSuchNode => message!("there is no such move in the tree"),
            EditError::OfTheMatch => message!("the move is one of the match"),
            EditError::First => message!("the variation cannot move further up"),
            EditError::Illegal(error) => error.into(),
        }
    }
}
