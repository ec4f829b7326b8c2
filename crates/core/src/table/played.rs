//! A match with its tree: the table at the current position, the tree of all moves played and tried, and the cursor
//! that shows one node of it.
//!
//! The match is the first line of the tree. Only [`play`](PlayedGame::play), [`undo`](PlayedGame::undo) and
//! [`redo`](PlayedGame::redo) change it; everything else is a variation. A line that is shown only temporarily, for
//! example a refutation, is a [`sketch`](PlayedGame::begin_sketch): it is in the tree while it is shown and is removed
//! afterwards.

use super::edit::{EditError, NodePath, TreeEdit};
use super::tree::{Cursor, NodeId, Origin, Step, Tree};
use super::{Action, Table};
use crate::rules::{PlayError, Side};
use std::sync::atomic::{AtomicU64, Ordering};

/// A match, its tree and its cursor.
pub struct PlayedGame {
    /// The table at the last move of the match.
    table: Box<dyn Table>,
    tree: Tree,
    /// The moves of the match, first to last.
    line: Vec<NodeId>,
    /// Moves taken back, the one taken back last at the end. They are removed from the tree until they are played
    /// again.
    undone: Vec<NodeId>,
    cursor: Cursor,
    /// Plies on the table at the root: the moves of the start position's text.
    given: usize,
    sketch: Option<Sketch>,
    sketches: u32,
    number: u64,
    revision: u64,
}

/// A number that was never returned before.
fn fresh_number() -> u64 {
    static NUMBERS: AtomicU64 = AtomicU64::new(1);
    NUMBERS.fetch_add(1, Ordering::Relaxed)
}

/// A temporary line.
struct Sketch {
    /// Its number.
    number: u32,
    /// The side that the user plays in it.
    player: Option<Side>,
    /// The nodes added to the tree for it.
    nodes: Vec<NodeId>,
    /// The variation that was shown before; `None` for the match.
    before: Option<NodeId>,
}

impl PlayedGame {
    /// A new match that starts on this table.
    pub fn new(table: Box<dyn Table>) -> PlayedGame {
        let (cursor, given) = (Cursor::at_root(table.boxed_clone()), table.ply());
        PlayedGame {
            table,
            tree: Tree::new(),
            line: Vec::new(),
            undone: Vec::new(),
            cursor,
            given,
            sketch: None,
            sketches: 0,
            number: fresh_number(),
            revision: fresh_number(),
        }
    }

    /// A match from a whole tree. The match is the main line up to the first move of a variation. `table` is at the
    /// start of the game. In a record that continues after a repetition, adjudication must be off on it
    /// ([`Table::adjudicate`]); at the end of the match it is switched on again.
    ///
    /// # Errors
    /// The number of an illegal move of the match, counted from 1, and the reason.
    pub fn with_tree(table: Box<dyn Table>, tree: Tree) -> Result<PlayedGame, (usize, PlayError)> {
        let mut game = PlayedGame::new(table);
        let played = |id: &NodeId| matches!(tree.node(*id).origin, Origin::Main | Origin::Record);
        game.line = tree.main_line().into_iter().take_while(played).collect();
        for (number, id) in (1..).zip(&game.line) {
            if let Some(action) = tree.node(*id).action() {
                game.table.play(action).map_err(|error| (number, error))?;
            }
        }
        game.tree = tree;
        game.cursor = Cursor::at_node(game.table.boxed_clone(), &game.tree, game.present());
        game.judge();
        Ok(game)
    }

    /// Switches adjudication on for the match. It stays off for the table that is shown, so that every move of the tree
    /// can be shown.
    pub fn judge(&mut self) {
        self.table.adjudicate(true);
    }

    /// The table at the last move of the match.
    pub fn table(&self) -> &dyn Table {
        self.table.as_ref()
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The number of this game. While it stays the same, a node's number means the same move.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// A number that changes with every change of the match or of the tree, but not when only the cursor moves or a
    /// sketch changes.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The table at the cursor.
    pub fn shown(&self) -> &dyn Table {
        self.cursor.table()
    }

    /// The node that is shown.
    pub fn cursor(&self) -> NodeId {
        self.cursor.at()
    }

    /// The moves of the match, first to last.
    pub fn line(&self) -> &[NodeId] {
        &self.line
    }

    /// The last move of the match.
    pub fn present(&self) -> NodeId {
        self.line.last().copied().unwrap_or(Tree::ROOT)
    }

    /// True if there is such a move in the tree.
    pub fn is_attached(&self, id: NodeId) -> bool {
        self.tree.is_attached(id)
    }

    /// True if the root or a move of the match is shown.
    pub fn is_on_line(&self) -> bool {
        self.is_of_line(self.cursor())
    }

    /// True for the root and the moves of the match.
    pub fn is_of_line(&self, id: NodeId) -> bool {
        id == Tree::ROOT || self.line.contains(&id)
    }

    /// The node after this number of plies of the match, including the moves of the start position's text.
    pub fn at_ply(&self, ply: usize) -> NodeId {
        let moves = ply.saturating_sub(self.given).min(self.line.len());
        moves.checked_sub(1).map_or(Tree::ROOT, |index| self.line[index])
    }

    /// The node after this number of plies on the path to the node that is shown.
    pub fn at_ply_before_cursor(&self, ply: usize) -> NodeId {
        let path = self.tree.path_to(self.cursor());
        let moves = ply.saturating_sub(self.given).min(path.len());
        moves.checked_sub(1).map_or(Tree::ROOT, |index| path[index])
    }

    /// Plies on the table at the start of the game: the moves of the start position's text.
    pub fn given(&self) -> usize {
        self.given
    }

    /// The ply of the last node of the match on the path to a node, including the moves of the start position's text.
    pub fn ply_on_line(&self, id: NodeId) -> usize {
        self.given + self.moves_on_line(&self.tree.path_to(id))
    }

    /// How many moves a path from the root has in common with the match.
    fn moves_on_line(&self, path: &[NodeId]) -> usize {
        path.iter().zip(&self.line).take_while(|(a, b)| a == b).count()
    }

    /// True if there is a move of the match to take back.
    pub fn can_undo(&self) -> bool {
        !self.line.is_empty()
    }

    /// True if a move was taken back and can be played again.
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// The moves taken back, in the order in which they can be played again.
    pub fn undone(&self) -> impl Iterator<Item = Action> {
        self.undone.iter().rev().filter_map(|id| self.tree.node(*id).action())
    }

    /// Plays a move of the match. If the cursor was at the end of the match, it follows with the step returned; in a
    /// sketch it stays.
    ///
    /// # Errors
    /// The move is illegal.
    pub fn play(&mut self, action: Action) -> Result<Option<Step>, PlayError> {
        self.table.play(action)?;
        let before = self.present();
        let again = self.undone.last().copied().filter(|id| self.tree.node(*id).action() == Some(action));
        if let Some(again) = again {
            // Keep the comments on the move.
            self.undone.pop();
            self.tree.restore(again, 0);
        }
        self.keep_what_was_undone();
        self.revision = fresh_number();
        let id = self.tree.add_main(before, action, Origin::Main);
        self.keep_of_sketch(id);
        self.line.push(id);
        Ok(self.follow(before))
    }

    /// Takes the last move of the match back. If the cursor was at or after it, it moves to the new end of the match
    /// with the steps returned.
    pub fn undo(&mut self) -> Option<Vec<Step>> {
        let last = self.line.last().copied()?;
        self.table.undo()?;
        self.line.pop();
        let present = self.present();
        let behind = self.tree.path_to(self.cursor()).contains(&last);
        let steps = if behind { self.cursor.go(&self.tree, present) } else { Vec::new() };
        self.tree.remove(last);
        self.revision = fresh_number();
        self.undone.push(last);
        Some(steps)
    }

    /// Plays the last move taken back again. If the cursor was at the end of the match, it follows with the step
    /// returned.
    pub fn redo(&mut self) -> Option<Option<Step>> {
        let action = self.undone().next()?;
        // A record may go on behind a repetition that ends a game.
        let judges = self.table.adjudicates();
        self.table.adjudicate(false);
        let played = self.table.play(action).is_ok();
        self.table.adjudicate(judges);
        let id = self.undone.pop_if(|_| played)?;
        let before = self.present();
        let restored = self.tree.restore(id, 0);
        // If it was tried again in the meantime, it is in the tree with another number.
        let id = if restored { id } else { self.tree.add_main(before, action, Origin::Main) };
        self.line.push(id);
        self.revision = fresh_number();
        Some(self.follow(before))
    }

    /// Moves the cursor to the new end of the match if it was at the old end, and no sketch is shown.
    fn follow(&mut self, before: NodeId) -> Option<Step> {
        let present = self.present();
        (self.cursor() == before && self.sketch.is_none()).then(|| self.cursor.go(&self.tree, present).pop()).flatten()
    }

    /// When another move is played, moves taken back are discarded. If they have comments or variations, they become a
    /// variation instead.
    fn keep_what_was_undone(&mut self) {
        let undone = std::mem::take(&mut self.undone);
        let is_work = |id: &NodeId| self.tree.notes(*id).is_annotated() || !self.tree.node(*id).children().is_empty();
        if undone.iter().any(is_work) {
            for id in undone.into_iter().rev() {
                self.tree.restore(id, usize::MAX);
                self.tree.node_mut(id).origin = Origin::Variation;
            }
        }
    }

    /// Moves the cursor to another node, with the steps returned.
    pub fn go(&mut self, to: NodeId) -> Vec<Step> {
        if self.tree.is_attached(to) { self.cursor.go(&self.tree, to) } else { Vec::new() }
    }

    /// Changes the tree, but not the match. If the node that is shown is removed, the cursor moves to the node before
    /// it, with the steps returned. The node returned is the one changed or, for moves, the last of them.
    ///
    /// # Errors
    /// There is no such node, a move is illegal, or the change would change the moves of the match.
    pub fn edit(&mut self, edit: &TreeEdit) -> Result<(NodeId, Vec<Step>), EditError> {
        let at = *edit.at();
        if !self.tree.is_attached(at) {
            return Err(EditError::NoSuchNode);
        }
        let mut steps = Vec::new();
        self.revision = fresh_number();
        match edit {
            TreeEdit::Add { moves, origin, .. } => return Ok((self.add(at, moves, *origin)?, steps)),
            TreeEdit::Comment { text, .. } => self.tree.set_comment(at, text),
            TreeEdit::Glyphs { glyphs, .. } => self.tree.set_glyphs(at, glyphs),
            TreeEdit::Marks { marks, .. } => self.tree.set_marks(at, marks),
            TreeEdit::Assess { assessment, .. } => self.tree.set_assessment(at, assessment.clone()),
            TreeEdit::Promote { .. } => self.promote(at)?,
            TreeEdit::Remove { .. } => {
                if self.is_of_line(at) {
                    return Err(EditError::OfTheMatch);
                }
                let parent = self.tree.previous(at).unwrap_or(Tree::ROOT);
                if self.tree.path_to(self.cursor()).contains(&at) {
                    steps = self.cursor.go(&self.tree, parent);
                }
                self.tree.remove(at);
            }
        }
        self.keep_of_sketch(at);
        Ok((at, steps))
    }

    /// The table at a node.
    pub fn table_at(&self, id: NodeId) -> Box<dyn Table> {
        let mut cursor = self.cursor.clone();
        cursor.go(&self.tree, id);
        cursor.table().boxed_clone()
    }

    fn add(&mut self, at: NodeId, moves: &[Action], origin: Origin) -> Result<NodeId, EditError> {
        let mut table = self.table_at(at);
        for action in moves {
            table.play(*action)?;
        }
        let mut last = at;
        for action in moves {
            last = self.tree.add(last, *action, origin);
            if origin == Origin::Record {
                // A move of the match too can be one of the record with which it began.
                self.tree.node_mut(last).origin = origin;
            }
            self.keep_of_sketch(last);
        }
        Ok(last)
    }

    fn promote(&mut self, at: NodeId) -> Result<(), EditError> {
        if self.is_of_line(at) {
            return Err(EditError::OfTheMatch);
        }
        let parent = self.tree.previous(at).unwrap_or(Tree::ROOT);
        let above =
            self.tree.node(parent).children().iter().position(|child| *child == at).and_then(|index| index.checked_sub(1));
        let above = above.map(|index| self.tree.node(parent).children()[index]);
        if above.is_none_or(|above| self.is_of_line(above)) {
            return Err(EditError::First);
        }
        self.tree.promote(at);
        Ok(())
    }

    /// The place of a node, independent of its number.
    pub fn place_of(&self, id: NodeId) -> NodePath {
        let path = self.tree.path_to(id);
        let ply = self.moves_on_line(&path);
        NodePath { ply, then: path[ply..].iter().filter_map(|id| self.tree.node(*id).action()).collect() }
    }

    /// The same for a node that must be in the tree.
    ///
    /// # Errors
    /// The node is not in the tree.
    pub fn place_of_attached(&self, id: NodeId) -> Result<NodePath, EditError> {
        if self.tree.is_attached(id) { Ok(self.place_of(id)) } else { Err(EditError::NoSuchNode) }
    }

    /// The node at a place; `None` if there is none.
    pub fn node_of(&self, place: &NodePath) -> Option<NodeId> {
        let start = match place.ply {
            0 => Tree::ROOT,
            ply => *self.line.get(ply - 1)?,
        };
        place.then.iter().try_fold(start, |at, action| self.tree.child_with(at, *action))
    }

    /// The edits that build this tree from the moves of the match alone, in order: which of these are a record's, the variations, each line
    /// in one edit, then comments, glyphs, marks and assessments.
    pub fn edits(&self) -> Vec<TreeEdit<NodePath>> {
        let tree = self.kept_tree();
        let (mut lines, mut notes) = (Vec::new(), Vec::new());
        let mut end = None;
        for id in tree.walk() {
            let node = tree.node(id);
            let is_played = self.is_of_line(id) && node.origin != Origin::Record;
            if let (false, Some(parent), Some(action)) = (is_played, node.parent(), node.action()) {
                match lines.last_mut() {
                    Some(TreeEdit::Add { moves, origin, .. }) if end == Some(parent) && *origin == node.origin => {
                        moves.push(action)
                    }
                    _ => lines.push(TreeEdit::Add { at: self.place_of(parent), moves: vec![action], origin: node.origin }),
                }
                end = Some(id);
            }
            let (at, written) = (|| self.place_of(id), tree.notes(id));
            if !written.comment.is_empty() {
                notes.push(TreeEdit::Comment { at: at(), text: written.comment.to_owned() });
            }
            if !written.glyphs.is_empty() {
                notes.push(TreeEdit::Glyphs { at: at(), glyphs: written.glyphs.to_vec() });
            }
            if !written.marks.is_empty() {
                notes.push(TreeEdit::Marks { at: at(), marks: written.marks.to_vec() });
            }
            if let Some(assessment) = written.assessment {
                notes.push(TreeEdit::Assess { at: at(), assessment: Some(Box::new(assessment.clone())) });
            }
        }
        lines.append(&mut notes);
        lines
    }

    /// The tree without the sketch. Its nodes have the same numbers as in [`tree`](PlayedGame::tree).
    pub fn kept_tree(&self) -> Tree {
        let mut tree = self.tree.clone();
        for id in self.sketch.iter().flat_map(|sketch| &sketch.nodes) {
            tree.remove(*id);
        }
        tree
    }
}

/// Temporary lines.
impl PlayedGame {
    /// Begins a sketch at this node and moves the cursor there, with the steps returned. It ends any earlier sketch.
    /// `player` is the side that the user plays in it.
    pub fn begin_sketch(&mut self, at: NodeId, player: Option<Side>) -> Vec<Step> {
        let mut steps = self.end_sketch();
        let before = (!self.is_on_line()).then(|| self.cursor());
        steps.extend(self.go(at));
        self.sketches += 1;
        self.sketch = Some(Sketch { number: self.sketches, player, nodes: Vec::new(), before });
        steps
    }

    /// The nodes of the current sketch, which are in the tree only temporarily.
    pub fn sketch_nodes(&self) -> &[NodeId] {
        self.sketch.as_ref().map_or(&[], |sketch| &sketch.nodes)
    }

    /// The number of the current sketch.
    pub fn sketch(&self) -> Option<u32> {
        self.sketch.as_ref().map(|sketch| sketch.number)
    }

    /// The side that the user plays in it.
    pub fn sketch_player(&self) -> Option<Side> {
        self.sketch.as_ref()?.player
    }

    /// Plays a move of the sketch and shows it.
    ///
    /// # Errors
    /// The move is illegal.
    pub fn play_sketch(&mut self, action: Action) -> Result<Step, PlayError> {
        add_to_sketch(&mut self.sketch, &mut self.tree, &mut self.cursor, action)
    }

    /// Adds a line to the sketch after this node, up to the first illegal move, and returns its nodes. The cursor does
    /// not move.
    pub fn draw_sketch(&mut self, at: NodeId, moves: impl IntoIterator<Item = Action>) -> Vec<NodeId> {
        let mut pen = self.cursor.clone();
        pen.go(&self.tree, at);
        let mut add = |action| add_to_sketch(&mut self.sketch, &mut self.tree, &mut pen, action).ok();
        moves.into_iter().map_while(|action| add(action).map(|step| step.to)).collect()
    }

    /// Ends the sketch and moves the cursor back to the end of the match or to the variation shown before, with the
    /// steps returned.
    pub fn end_sketch(&mut self) -> Vec<Step> {
        let Some(sketch) = self.sketch.take() else { return Vec::new() };
        let before = sketch.before.filter(|id| self.tree.is_attached(*id));
        let steps = self.go(before.unwrap_or(self.present()));
        for id in sketch.nodes {
            self.tree.remove(id);
        }
        steps
    }

    /// Moves the cursor to the end of the match, with the steps returned. A sketch ends.
    pub fn go_to_present(&mut self) -> Vec<Step> {
        let mut steps = self.end_sketch();
        steps.extend(self.go(self.present()));
        steps
    }

    /// Keeps a node when the sketch ends, because the user changed something there.
    fn keep_of_sketch(&mut self, id: NodeId) {
        if let Some(sketch) = &mut self.sketch {
            sketch.nodes.retain(|other| *other != id);
        }
    }
}

/// Plays a move at a cursor; a new node belongs to the sketch.
fn add_to_sketch(sketch: &mut Option<Sketch>, tree: &mut Tree, cursor: &mut Cursor, action: Action) -> Result<Step, PlayError> {
    let before = tree.len();
    let step = cursor.play(tree, action, Origin::Engine)?;
    if let Some(sketch) = sketch
        && tree.len() > before
    {
        sketch.nodes.push(step.to);
    }
    Ok(step)
}
