//! Trees that stand in a file as a list of nodes, each with two signs: whether its line goes on, and whether another move follows that could be played
//! instead. First comes all that follows a node, then its sibling.

use super::{Found, Sink};
use crate::record::builder::Builder;
use crate::record::fault::Fault;
use crate::table::{Action, NodeId, Tree};

/// The way through such a list.
pub struct Preorder {
    /// The node the next move follows; `None` behind a move that could not be played.
    parent: Option<NodeId>,
    /// The parents of the siblings still to come.
    waiting: Vec<Option<NodeId>>,
    /// Moves that could not be played, with everything behind them.
    skipped: usize,
}

/// What stands in a file at a node.
pub struct Entry<'a> {
    /// The move; `None` if its squares are not on the board.
    pub action: Option<Action>,
    /// How the file writes the move, for messages.
    pub written: &'a dyn Fn() -> String,
    /// The comment.
    pub comment: &'a str,
    /// The line goes on behind it.
    pub goes_on: bool,
    /// Another move follows later that could be played instead.
    pub has_sibling: bool,
    /// The byte the node begins at, or its line, for messages.
    pub fault: Fault,
}

impl Preorder {
    /// At the start of the tree.
    pub fn new() -> Preorder {
        Preorder { parent: Some(Tree::ROOT), waiting: Vec::new(), skipped: 0 }
    }

    /// Enters the next move. False once the tree is complete.
    ///
    /// # Errors
    /// A move of the main line cannot be played, and there is no other in its place.
    pub fn enter(&mut self, builder: &mut Builder, entry: Entry, sink: &mut Sink) -> Result<bool, Fault> {
        let parent = self.parent;
        let mut node = None;
        if let Some(parent) = parent {
            builder.go(parent);
            let main = builder.is_main_end();
            let ply = builder.ply() + 1;
            let played = match entry.action {
                Some(action) => builder.play(action),
                None => Err("its squares are not on the board".to_owned()),
            };
            match played {
                Ok(id) => {
                    builder.comment(entry.comment);
                    node = Some(id);
                }
                Err(why) => {
                    let why = format!("move {ply}: {}: {why}", (entry.written)());
                    if main && !entry.has_sibling {
                        return Err(Fault { why, ..entry.fault });
                    }
                    self.skipped += 1;
                    sink(Found::Remark(Fault { why: format!("{why}; the variation is left out from there on"), ..entry.fault }));
                }
            }
        }
        if entry.has_sibling {
            self.waiting.push(parent);
        }
        self.parent = node;
        if !entry.goes_on {
            match self.waiting.pop() {
                Some(parent) => self.parent = parent,
                None => return Ok(false),
            }
        }
        Ok(true)
    }
}

/// The nodes of a tree in such a list, the root left out: node, whether its line goes on, whether it has a sibling.
pub fn list(tree: &Tree) -> Vec<(NodeId, bool, bool)> {
    let is_last = |id: NodeId| {
        let parent = tree.previous(id).unwrap_or(Tree::ROOT);
        tree.node(parent).children().last() == Some(&id)
    };
    tree.walk().skip(1).map(|id| (id, !tree.node(id).children().is_empty(), !is_last(id))).collect()
}
