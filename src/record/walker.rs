//! A table that follows a tree of moves, fast also in trees of great depth.

use crate::rules::PlayError;
use crate::table::{Action, NodeId, Table, Tree};

/// A table and the nodes whose moves have been played on it.
pub(super) struct Walker {
    table: Box<dyn Table>,
    /// The nodes on the way from the root, the root itself left out.
    path: Vec<NodeId>,
    /// For each node its place on the path, from 1; 0 for nodes beside it.
    place: Vec<u32>,
}

impl Walker {
    /// A walker at the root; `table` is the game as it begins.
    pub fn new(table: Box<dyn Table>) -> Walker {
        Walker { table, path: Vec::new(), place: Vec::new() }
    }

    /// The table as it stands.
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

    /// Goes to a node: takes moves back to where the lines part, and plays those that lead there.
    ///
    /// # Errors
    /// The rules refuse a move on the way; the walker stays before it.
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

    /// Plays a move where the walker stands, which is `tree`'s node `at`, and has `add` enter it in the tree.
    ///
    /// # Errors
    /// The rules refuse it; nothing has changed then.
    pub fn play(&mut self, action: Action, add: impl FnOnce(NodeId) -> NodeId) -> Result<NodeId, PlayError> {
        self.table.play(action)?;
        let id = add(self.at());
        self.push(id);
        Ok(id)
    }
}

/// The lines of a tree: each begins with the main line or a variation and follows the first moves to its end. A line comes after the one it leaves,
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
