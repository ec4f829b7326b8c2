//! A table that moves through a tree, fast even in very deep trees.

use crate::rules::PlayError;
use crate::table::{Action, NodeId, Table, Tree};

/// A table and the nodes whose moves have been played on it.
pub(super) struct Walker {
    table: Box<dyn Table>,
    /// The nodes on the path from the root, without the root.
    path: Vec<NodeId>,
    /// For each node its index on the path, from 1; 0 for nodes not on the path.
    place: Vec<u32>,
}

impl Walker {
    /// A walker at the root; `table` must be at the start of the game.
    pub fn new(table: Box<dyn Table>) -> Walker {
        Walker { table, path: Vec::new(), place: Vec::new() }
    }

    /// The table at the current node.
    pub fn table(&self) -> &dyn Table {
        &*self.table
    }

    fn at(&self) -> NodeId {
        self.path.last().copied().unwrap_or(Tree::ROOT)
    }

    fn place(&self, id: NodeId) -> u32 {
        self.place.get(id.0 as usize).copied().unwrap_or(0)
    }

    fn push(&mut self, id: NodeId) {
        self.path.push(id);
        let index = id.0 as usize;
        if self.place.len() <= index {
            self.place.resize(index + 1, 0);
        }
        self.place[index] = self.path.len() as u32;
    }

    /// Goes to a node: takes moves back to the common ancestor and plays the moves to the node.
    ///
    /// # Errors
    /// A move is illegal; the walker stays before it.
    pub fn go(&mut self, tree: &Tree, to: NodeId) -> Result<(), PlayError> {
        let mut way = Vec::new();
        let mut at = to;
        while at != Tree::ROOT && self.place(at) == 0 {
            way.push(at);
            at = tree.previous(at).unwrap_or(Tree::ROOT);
        }
        let keep = if at == Tree::ROOT { 0 } else { self.place(at) as usize };
        while self.path.len() > keep {
            self.table.undo();
            if let Some(left) = self.path.pop() {
                self.place[left.0 as usize] = 0;
            }
        }
        for id in way.into_iter().rev() {
            if let Some(action) = tree.node(id).action() {
                self.table.play(action)?;
            }
            self.push(id);
        }
        Ok(())
    }

    /// Plays a move at the walker's node, and calls `add` with this node to add the move to the tree.
    ///
    /// # Errors
    /// The move is illegal; then nothing has changed.
    pub fn play(&mut self, action: Action, add: impl FnOnce(NodeId) -> NodeId) -> Result<NodeId, PlayError> {
        self.table.play(action)?;
        let id = add(self.at());
        self.push(id);
        Ok(id)
    }
}

/// The lines of a tree: the main line and the variations, each to its end. A variation comes after the line from which it starts,
/// and the variations of a move come in their order. Without recursion.
pub(super) fn lines(tree: &Tree) -> impl Iterator<Item = Vec<NodeId>> {
    let mut waiting: Vec<NodeId> = tree.node(Tree::ROOT).children().iter().rev().copied().collect();
    std::iter::from_fn(move || {
        let mut line = vec![waiting.pop()?];
        while let Some(&last) = line.last() {
            let children = tree.node(last).children();
            waiting.extend(children.iter().skip(1).rev());
            match children.first() {
                Some(&next) => line.push(next),
                None => break,
            }
        }
        Some(line)
    })
}
