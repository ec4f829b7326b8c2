//! The tree of moves of a game: the main line, variations, comments, glyphs, times and marks, and a [`Cursor`] that
//! moves through it.
//!
//! A [`Tree`] is plain data without rules. A [`Cursor`] keeps a [`Table`] at one of its nodes, so every move that is
//! added with a cursor is legal. Playing, viewing earlier positions, analysis and review all use the same tree.
//!
//! The nodes are in one list; a node is identified by its index ([`NodeId`]). An index is never used again, so
//! replaying the same calls from a journal gives the same numbers. No function here is recursive, because a tree may be
//! deeper than the stack.

use super::node::TreeNode;
use super::notes::{Notebook, Notes};
use super::{Action, Assessment, Change, Glyph, Table};
use crate::rules::{PlayError, Point, Side};
use arrayvec::ArrayString;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The number of a node in its tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeId(pub u32);

impl NodeId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The origin of a move in the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Origin {
    /// It was played in the match.
    #[default]
    Main,
    /// A user tried it as a variation.
    Variation,
    /// An engine, a proof or a tablebase gave it.
    Engine,
    /// A review put it in: a better move, or the answer to a bad one.
    Review,
    /// It was read from a record.
    Record,
}

/// The colour of a mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MarkColour {
    /// The default colour.
    #[default]
    Green,
    /// Danger.
    Red,
    /// An alternative.
    Blue,
    /// Another alternative.
    Yellow,
}

/// A mark that a user drew on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Mark {
    /// A circle around a point.
    Circle {
        /// The point.
        at: Point,
        /// Its colour.
        colour: MarkColour,
    },
    /// An arrow from one point to another.
    Arrow {
        /// Its start.
        from: Point,
        /// Its target.
        to: Point,
        /// Its colour.
        colour: MarkColour,
    },
    /// A short text on a point, as books use letters for moves they discuss.
    Label {
        /// The point.
        at: Point,
        /// The text.
        text: LabelText,
    },
}

/// The text of a label: a few letters or digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct LabelText(ArrayString<16>);

impl LabelText {
    /// A text of at most 16 bytes without control characters; `None` for another one.
    pub fn new(text: &str) -> Option<LabelText> {
        let plain = !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c.is_ascii_punctuation() || c == ' ');
        ArrayString::from(text).ok().filter(|_| plain).map(LabelText)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for LabelText {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        LabelText::new(&text).ok_or_else(|| format!("the label {text:?} is not a plain text of at most 16 bytes"))
    }
}

impl From<LabelText> for String {
    fn from(text: LabelText) -> String {
        text.as_str().to_owned()
    }
}

/// A tree of moves. It always has a root: the start position of the game.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<TreeNode>,
    notes: Notebook,
}

impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        let mut ids = (0..self.nodes.len() as u32).map(NodeId);
        self.nodes == other.nodes && ids.all(|id| self.notes(id) == other.notes(id))
    }
}

impl Eq for Tree {}

impl Default for Tree {
    fn default() -> Self {
        Tree::new()
    }
}

impl Tree {
    /// The node of the start position.
    pub const ROOT: NodeId = NodeId(0);

    /// A tree without moves.
    pub fn new() -> Tree {
        Tree { nodes: vec![TreeNode::root()], notes: Notebook::default() }
    }

    /// A tree with one line.
    pub fn of_line(actions: impl IntoIterator<Item = Action>, origin: Origin) -> Tree {
        let mut tree = Tree::new();
        actions.into_iter().fold(Tree::ROOT, |at, action| tree.add(at, action, origin));
        tree
    }

    /// The node with this number.
    ///
    /// # Panics
    /// The tree has no such node; for untrusted numbers use [`get`](Tree::get).
    pub fn node(&self, id: NodeId) -> &TreeNode {
        &self.nodes[id.index()]
    }

    /// The same, mutable, to change its origin.
    ///
    /// # Panics
    /// As [`node`](Tree::node).
    pub fn node_mut(&mut self, id: NodeId) -> &mut TreeNode {
        &mut self.nodes[id.index()]
    }

    /// The node with this number, if there is one. Removed nodes keep their number; see
    /// [`is_attached`](Tree::is_attached).
    pub fn get(&self, id: NodeId) -> Option<&TreeNode> {
        self.nodes.get(id.index())
    }

    /// The number of nodes, including removed nodes and the root.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if there is no move in the tree.
    pub fn is_empty(&self) -> bool {
        self.node(Tree::ROOT).children().is_empty()
    }

    /// The child that this move leads to.
    pub fn child_with(&self, at: NodeId, action: Action) -> Option<NodeId> {
        self.node(at).children().iter().copied().find(|child| self.node(*child).action() == Some(action))
    }

    /// Adds a move after `at`, as its last child, and returns its node. If the move is already there, its node is
    /// returned.
    pub fn add(&mut self, at: NodeId, action: Action, origin: Origin) -> NodeId {
        if let Some(known) = self.child_with(at, action) {
            return known;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).expect("a tree has fewer than four thousand million moves"));
        self.nodes.push(TreeNode::new(at, action, origin));
        self.nodes[at.index()].insert_child(usize::MAX, id);
        id
    }

    /// Adds a move of the match: like [`add`](Tree::add), but the move becomes the main continuation of `at`.
    pub fn add_main(&mut self, at: NodeId, action: Action, origin: Origin) -> NodeId {
        let id = self.add(at, action, origin);
        self.node_mut(id).origin = origin;
        self.lead(id);
        id
    }

    /// Makes a node the first of its siblings.
    pub fn lead(&mut self, id: NodeId) {
        self.move_to(id, |_| 0);
    }

    /// Moves a variation one step up among its siblings. False if it was already the first.
    pub fn promote(&mut self, id: NodeId) -> bool {
        self.move_to(id, |index| index.saturating_sub(1))
    }

    /// Makes the line that leads to this node the main line.
    pub fn make_main(&mut self, id: NodeId) {
        for on_the_way in self.path_to(id) {
            self.lead(on_the_way);
        }
    }

    fn move_to(&mut self, id: NodeId, place: impl Fn(usize) -> usize) -> bool {
        let Some(parent) = self.node(id).parent() else { return false };
        let parent = &mut self.nodes[parent.index()];
        let Some(index) = parent.children().iter().position(|child| *child == id) else { return false };
        let to = place(index);
        parent.remove_child(index);
        parent.insert_child(to, id);
        to != index
    }

    /// Removes a node with all moves after it and returns its index among its siblings. The nodes keep their numbers
    /// and annotations, see [`restore`](Tree::restore). `None` for the root and for a node that was already removed.
    pub fn remove(&mut self, id: NodeId) -> Option<usize> {
        let parent = self.node(id).parent()?;
        let parent = &mut self.nodes[parent.index()];
        let index = parent.children().iter().position(|child| *child == id)?;
        parent.remove_child(index);
        Some(index)
    }

    /// Restores a removed node at this index among its siblings, or at the end. False if it is not removed, is the
    /// root, or if its move was added again in the meantime.
    pub fn restore(&mut self, id: NodeId, place: usize) -> bool {
        let node = self.node(id);
        let (Some(parent), Some(action)) = (node.parent(), node.action()) else { return false };
        if self.child_with(parent, action).is_some() {
            return false;
        }
        self.nodes[parent.index()].insert_child(place, id);
        true
    }

    /// True if the node can be reached from the root.
    pub fn is_attached(&self, id: NodeId) -> bool {
        let mut at = id;
        loop {
            let Some(parent) = self.get(at).map(TreeNode::parent) else { return false };
            let Some(parent) = parent else { return at == Tree::ROOT };
            if !self.node(parent).children().contains(&at) {
                return false;
            }
            at = parent;
        }
    }

    /// The next node of the line: the first child.
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).children().first().copied()
    }

    /// The previous node.
    pub fn previous(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent()
    }

    /// The last node of the line that continues from here.
    pub fn end_of_line(&self, id: NodeId) -> NodeId {
        let mut at = id;
        while let Some(next) = self.next(at) {
            at = next;
        }
        at
    }

    /// The main line: the first child of each node, without the root.
    pub fn main_line(&self) -> Vec<NodeId> {
        std::iter::successors(self.next(Tree::ROOT), |at| self.next(*at)).collect()
    }

    /// True if the node is the root or on the main line.
    pub fn is_main(&self, id: NodeId) -> bool {
        let mut at = id;
        while let Some(parent) = self.node(at).parent() {
            if self.next(parent) != Some(at) {
                return false;
            }
            at = parent;
        }
        at == Tree::ROOT
    }

    /// The last node of the main line on the path to this one.
    pub fn branch_point(&self, id: NodeId) -> NodeId {
        let path = self.path_to(id);
        let mut at = Tree::ROOT;
        for on_the_way in path {
            if self.next(at) != Some(on_the_way) {
                break;
            }
            at = on_the_way;
        }
        at
    }

    /// The nodes from the root to this one, without the root.
    pub fn path_to(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> =
            std::iter::successors(Some(id), |at| self.node(*at).parent()).filter(|at| *at != Tree::ROOT).collect();
        path.reverse();
        path
    }

    /// The moves from the root to this node.
    pub fn actions_to(&self, id: NodeId) -> Vec<Action> {
        self.path_to(id).into_iter().filter_map(|at| self.node(at).action()).collect()
    }

    /// The number of moves from the root to this node.
    pub fn depth(&self, id: NodeId) -> usize {
        std::iter::successors(self.node(id).parent(), |at| self.node(*at).parent()).count()
    }

    /// The last common ancestor of both nodes.
    pub fn common(&self, a: NodeId, b: NodeId) -> NodeId {
        let (mut a, mut b) = (a, b);
        let (mut depth_a, mut depth_b) = (self.depth(a), self.depth(b));
        while a != b {
            if depth_a >= depth_b {
                a = self.node(a).parent().unwrap_or(Tree::ROOT);
                depth_a -= 1;
            } else {
                b = self.node(b).parent().unwrap_or(Tree::ROOT);
                depth_b -= 1;
            }
        }
        a
    }

    /// All nodes of the tree, the root first; each line to its end before the next variation.
    pub fn walk(&self) -> Walk<'_> {
        Walk { tree: self, waiting: vec![Tree::ROOT] }
    }

    /// The lines of the tree: the main line and the variations, each to its end. A variation comes after the line from
    /// which it starts, and the variations of a move come in their order.
    pub fn lines(&self) -> impl Iterator<Item = Vec<NodeId>> {
        let mut waiting: Vec<NodeId> = self.node(Tree::ROOT).children().iter().rev().copied().collect();
        std::iter::from_fn(move || {
            let mut line = vec![waiting.pop()?];
            while let Some(&last) = line.last() {
                let children = self.node(last).children();
                waiting.extend(children.iter().skip(1).rev());
                match children.first() {
                    Some(&next) => line.push(next),
                    None => break,
                }
            }
            Some(line)
        })
    }

    /// The number of variations: all children except the first ones.
    pub fn variations(&self) -> usize {
        self.walk().map(|id| self.node(id).children().len().saturating_sub(1)).sum()
    }

    /// The number of nodes with a comment.
    pub fn comments(&self) -> usize {
        self.walk().filter(|id| !self.notes(*id).comment.is_empty()).count()
    }

    /// True if the tree has variations, comments, glyphs or marks.
    pub fn is_annotated(&self) -> bool {
        self.walk().any(|id| self.notes(id).is_annotated() || self.node(id).children().len() > 1)
    }

    /// The same tree without removed nodes, numbered in the order of [`walk`](Tree::walk).
    pub fn packed(&self) -> Tree {
        let mut new_of = vec![Tree::ROOT; self.nodes.len()];
        for (new, id) in self.walk().enumerate() {
            new_of[id.index()] = NodeId(new as u32);
        }
        let of = |id: NodeId| new_of[id.index()];
        let mut packed = Tree { nodes: self.walk().map(|id| self.node(id).renumbered(of)).collect(), notes: Notebook::default() };
        for id in self.walk() {
            packed.set_notes(of(id), self.notes(id));
        }
        packed
    }
}

/// What is written about the moves.
impl Tree {
    /// What is written about a move; for a node without notes and for one that does not exist, nothing.
    pub fn notes(&self, id: NodeId) -> Notes<'_> {
        self.notes.get(id)
    }

    /// Replaces the comment on a move.
    pub fn set_comment(&mut self, id: NodeId, text: &str) {
        self.notes.set_comment(id, text);
    }

    /// Adds to the end of the comment on a move.
    pub fn add_to_comment(&mut self, id: NodeId, text: &str) {
        self.notes.add_to_comment(id, text);
    }

    /// Replaces the glyphs of a move.
    pub fn set_glyphs(&mut self, id: NodeId, glyphs: &[Glyph]) {
        self.notes.set_glyphs(id, glyphs);
    }

    /// Adds glyphs to a move.
    pub fn add_glyphs(&mut self, id: NodeId, glyphs: &[Glyph]) {
        self.notes.add_glyphs(id, glyphs);
    }

    /// Replaces the marks on the board after a move.
    pub fn set_marks(&mut self, id: NodeId, marks: &[Mark]) {
        self.notes.set_marks(id, marks);
    }

    /// Adds marks to the board after a move.
    pub fn add_marks(&mut self, id: NodeId, marks: &[Mark]) {
        self.notes.add_marks(id, marks);
    }

    /// Sets the time used for a move, in milliseconds.
    pub fn set_time(&mut self, id: NodeId, ms: Option<u64>) {
        self.notes.set_time(id, ms);
    }

    /// Sets the assessment of a move by a review.
    pub fn set_assessment(&mut self, id: NodeId, assessment: Option<Box<Assessment>>) {
        self.notes.set_assessment(id, assessment);
    }

    /// Replaces everything that is written about a move.
    pub fn set_notes(&mut self, id: NodeId, notes: Notes) {
        self.notes.set(id, notes);
    }
}

/// An iterator over all nodes of a tree; see [`Tree::walk`].
pub struct Walk<'a> {
    tree: &'a Tree,
    waiting: Vec<NodeId>,
}

impl Iterator for Walk<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let id = self.waiting.pop()?;
        self.waiting.extend(self.tree.node(id).children().iter().rev());
        Some(id)
    }
}

/// One move forward or back in a tree, with the changes of the pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The node the step leads to.
    pub to: NodeId,
    /// The changes of the pieces, in order.
    pub changes: Vec<Change>,
    /// The move that is played or taken back.
    pub action: Action,
    /// The side that makes the move.
    pub mover: Side,
    /// True if the move is played, false if it is taken back.
    pub forward: bool,
    /// Whether the side to move is in check afterwards.
    pub check: bool,
}

/// A node of a tree, with the table at that node.
pub struct Cursor {
    table: Box<dyn Table>,
    at: NodeId,
    /// The nodes from the root to this one, without the root. With them the way to another node is found without going
    /// up to the root, which may be far in a very long game.
    path: HashSet<NodeId>,
}

impl Clone for Cursor {
    fn clone(&self) -> Self {
        Cursor { table: self.table.boxed_clone(), at: self.at, path: self.path.clone() }
    }
}

impl Cursor {
    /// A cursor at the root of a tree. `table` must be at the start of the game.
    pub fn at_root(table: Box<dyn Table>) -> Cursor {
        Cursor { table, at: Tree::ROOT, path: HashSet::new() }
    }

    /// A cursor at a node. The moves to it have already been played on the table.
    pub fn at_node(table: Box<dyn Table>, tree: &Tree, at: NodeId) -> Cursor {
        Cursor { table, at, path: tree.path_to(at).into_iter().collect() }
    }

    /// The table at this node.
    pub fn table(&self) -> &dyn Table {
        self.table.as_ref()
    }

    /// The node.
    pub fn at(&self) -> NodeId {
        self.at
    }

    /// Goes to another node: takes moves back to the common ancestor and plays the moves to the node. It stops before
    /// an illegal move, which is possible only if moves were added to the tree without a cursor; [`at`](Cursor::at)
    /// then says where.
    pub fn go(&mut self, tree: &Tree, to: NodeId) -> Vec<Step> {
        let mut way = Vec::new();
        let mut common = to;
        while common != Tree::ROOT && !self.path.contains(&common) {
            way.push(common);
            common = tree.previous(common).unwrap_or(Tree::ROOT);
        }
        let mut steps = Vec::new();
        while self.at != common {
            let Some(step) = self.back(tree) else { return steps };
            steps.push(step);
        }
        for id in way.into_iter().rev() {
            let Some(step) = tree.node(id).action().and_then(|action| self.forward(action, || id).ok()) else { break };
            steps.push(step);
        }
        steps
    }

    /// Plays a move from this node. A move that is not in the tree yet is added as the last variation.
    ///
    /// # Errors
    /// The move is illegal; then nothing has changed.
    pub fn play(&mut self, tree: &mut Tree, action: Action, origin: Origin) -> Result<Step, PlayError> {
        let before = self.at;
        self.forward(action, || tree.add(before, action, origin))
    }

    fn forward(&mut self, action: Action, to: impl FnOnce() -> NodeId) -> Result<Step, PlayError> {
        let mover = self.table.turn();
        let changes = self.table.play(action)?;
        let to = to();
        self.at = to;
        self.path.insert(to);
        Ok(Step { to, changes, action, mover, forward: true, check: self.table.check().is_some() })
    }

    fn back(&mut self, tree: &Tree) -> Option<Step> {
        let node = tree.node(self.at);
        let (parent, action) = (node.parent()?, node.action()?);
        let changes = self.table.undo()?;
        self.path.remove(&self.at);
        self.at = parent;
        let (mover, check) = (self.table.turn(), self.table.check().is_some());
        Some(Step { to: parent, changes, action, mover, forward: false, check })
    }
}
