//! Changes of a game's tree that are no moves of the match: variations, comments, glyphs, marks, assessments.

use super::{Action, Assessment, Glyph, Mark, NodeId, Origin};
use crate::rules::PlayError;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A change of the tree. `At` says where: the number of a node, or a [`Place`] where numbers may differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TreeEdit<At = NodeId> {
    /// Moves that may be played there, one after the other. Those that are there already are not added again.
    Add {
        /// Behind this node.
        at: At,
        /// The moves.
        moves: Vec<Action>,
        /// Where they come from.
        origin: Origin,
    },
    /// What is written about a move, instead of what was written before.
    Comment {
        /// The move.
        at: At,
        /// The comment; empty where there is none any more.
        text: String,
    },
    /// The judgements of a move, instead of those before.
    Glyphs {
        /// The move.
        at: At,
        /// The judgements.
        glyphs: Vec<Glyph>,
    },
    /// The marks on the board after a move, instead of those before.
    Marks {
        /// The move.
        at: At,
        /// The marks.
        marks: Vec<Mark>,
    },
    /// What a review says about a move and its position, instead of what was said before.
    Assess {
        /// The move.
        at: At,
        /// What it says.
        assessment: Option<Box<Assessment>>,
    },
    /// A variation moves one step up among its siblings, never above the moves of the match.
    Promote {
        /// Its first move.
        at: At,
    },
    /// A variation is taken out, with all behind it.
    Remove {
        /// Its first move.
        at: At,
    },
}

impl<At> TreeEdit<At> {
    /// Where the change is made.
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

    /// The same change at another address.
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

/// A node of a game's tree by the moves that lead to it: it means the same in a tree whose nodes have other numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// So many moves of the match,
    pub ply: usize,
    /// then these, which were not played in it.
    #[serde(default)]
    pub then: Vec<Action>,
}

/// Why a tree cannot be changed like this.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    /// There is no such node.
    #[error("there is no such move in the tree")]
    NoSuchNode,
    /// The moves of the match stay as they were played.
    #[error("the move is one of the match")]
    OfTheMatch,
    /// It already comes first.
    #[error("the variation cannot move further up")]
    First,
    /// The rules refuse the move.
    #[error(transparent)]
    Illegal(#[from] PlayError),
}
