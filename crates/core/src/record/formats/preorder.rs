//! Trees stored as a list of nodes in preorder. Each node has two flags: whether its line continues, and whether a
//! sibling follows. All descendants of a node come before its sibling.

use super::{ReadItem, Sink};
use crate::message;
use crate::record::builder::Builder;
use crate::record::fault::Fault;
use crate::table::{Action, NodeId, Tree};

/// A reader of such a list.
pub struct Preorder {
    /// The parent of the next move; `None` after an illegal move.
    parent: Option<NodeId>,
    /// The parents of the siblings that follow later.
    waiting: Vec<Option<NodeId>>,
    /// Illegal moves, with all moves after them.
    skipped: usize,
}

/// A node of the list.
pub struct ListedNode<'a> {
    /// The move; `None` if its squares are not on the board.
    pub action: Option<Action>,
    /// The move as written in the file, for messages.
    pub written: &'a dyn Fn() -> String,
    /// The comment.
    pub comment: &'a str,
    /// True if the line continues after it.
    pub goes_on: bool,
    /// True if a sibling follows.
    pub has_sibling: bool,
    /// The byte or the line of the node, for messages.
    pub fault: Fault,
}

impl Preorder {
    /// A reader at the start of the tree.
    pub fn new() -> Preorder {
        Preorder { parent: Some(Tree::ROOT), waiting: Vec::new(), skipped: 0 }
    }

    /// The node before the next one; `None` after an illegal move.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// Takes a node that is no move: what follows it follows the node before it. False when the tree is complete.
    pub fn pause(&mut self, builder: &mut Builder, entry: &ListedNode) -> bool {
        if let Some(parent) = self.parent {
            builder.go(parent);
            builder.comment(entry.comment);
        }
        self.next(self.parent, self.parent, entry)
    }

    /// Goes on behind this node, whose parent is the other. False when the tree is complete.
    fn next(&mut self, node: Option<NodeId>, parent: Option<NodeId>, entry: &ListedNode) -> bool {
        if entry.has_sibling {
            self.waiting.push(parent);
        }
        self.parent = node;
        if entry.goes_on {
            return true;
        }
        match self.waiting.pop() {
            Some(parent) => {
                self.parent = parent;
                true
            }
            None => false,
        }
    }

    /// Adds the next node. False when the tree is complete.
    ///
    /// # Errors
    /// A move of the main line is illegal and has no sibling.
    pub fn enter(&mut self, builder: &mut Builder, entry: ListedNode, sink: &mut Sink) -> Result<bool, Fault> {
        let parent = self.parent;
        let mut node = None;
        if let Some(parent) = parent {
            builder.go(parent);
            let main = builder.is_main_end();
            let ply = builder.ply() + 1;
            let played = match entry.action {
                Some(action) => builder.play(action),
                None => Err(message!("its squares are not on the board")),
            };
            match played {
                Ok(id) => {
                    builder.comment(entry.comment);
                    node = Some(id);
                }
                Err(why) => {
                    let why = message!("move {}: {}: {}", ply, (entry.written)(), why);
                    if main && !entry.has_sibling {
                        return Err(Fault { why, ..entry.fault });
                    }
                    self.skipped += 1;
                    sink(ReadItem::Remark(Fault {
                        why: message!("{}; the rest of the variation is left out", why),
                        ..entry.fault
                    }));
                }
            }
        }
        Ok(self.next(node, parent, &entry))
    }
}

/// The nodes of a tree in this order, without the root: the node, whether its line continues, whether a sibling
/// follows.
pub fn list(tree: &Tree) -> Vec<(NodeId, bool, bool)> {
    let is_last = |id: NodeId| {
        let parent = tree.previous(id).unwrap_or(Tree::ROOT);
        tree.node(parent).children().last() == Some(&id)
    };
    tree.walk().skip(1).map(|id| (id, !tree.node(id).children().is_empty(), !is_last(id))).collect()
}
