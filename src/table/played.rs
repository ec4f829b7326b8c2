//! A game that is played: the table as it stands now, the tree of all that was played and tried, and the cursor that shows one place of it.
//!
//! The match is the first line of the tree. Only [`play`](PlayedGame::play), [`undo`](PlayedGame::undo) and [`redo`](PlayedGame::redo) change it;
//! everything else is a variation. Lines that are shown for a while only, a refutation say, are a [`sketch`](PlayedGame::begin_sketch): they are in
//! the tree while they are shown and leave nothing behind.

use super::edit::{EditError, Place, TreeEdit};
use super::tree::{Cursor, NodeId, Origin, Step, Tree};
use super::{Action, Table};
use crate::rules::{PlayError, Side};
use std::sync::atomic::{AtomicU64, Ordering};

/// A game that is played.
pub struct PlayedGame {
    /// The present.
    table: Box<dyn Table>,
    tree: Tree,
    /// The moves of the match, first to last.
    line: Vec<NodeId>,
    /// Moves taken back, the last one taken back last: they are out of the tree until they are played again.
    undone: Vec<NodeId>,
    cursor: Cursor,
    /// Plies on the table at the root: moves that belong to the position the game began with.
    given: usize,
    sketch: Option<Sketch>,
    sketches: u32,
    number: u64,
    revision: u64,
}

/// A number that no other game and no other state of this one has.
fn fresh_number() -> u64 {
    static NUMBERS: AtomicU64 = AtomicU64::new(1);
    NUMBERS.fetch_add(1, Ordering::Relaxed)
}

/// A line that is shown for a while.
struct Sketch {
    /// Which one.
    number: u32,
    /// The side whose moves the player makes in it.
    player: Option<Side>,
    /// The nodes that are in the tree for its sake.
    nodes: Vec<NodeId>,
    /// The variation that was shown before it; `None` for the match.
    before: Option<NodeId>,
}

impl PlayedGame {
    /// The game as it begins on this table.
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

    /// A game of which a whole tree is known. The match is the main line up to the first move that was only tried. `table` is the game as it
    /// begins, and where people may have played on after a repetition the past does not end the game on it ([`Table::adjudicate`]); at the
    /// present it is judged as any other.
    ///
    /// # Errors
    /// A move of the match that the rules refuse, counted from 1.
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
        game.cursor = Cursor::at_node(game.table.boxed_clone(), game.present());
        game.judge();
        Ok(game)
    }

    /// From here on the match is judged by its past as well. What is shown of the tree is not, so that every move of it can be shown.
    pub fn judge(&mut self) {
        self.table.adjudicate(true);
    }

    /// The table at the present of the match.
    pub fn table(&self) -> &dyn Table {
        self.table.as_ref()
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The number of this game: as long as it is the same, a node's number means the same move.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// A number that changes whenever the match or what is kept in the tree changes. It does not change where only another place is shown.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The table as it is shown.
    pub fn shown(&self) -> &dyn Table {
        self.cursor.table()
    }

    /// The place that is shown.
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

    /// The place after so many plies of the match, those counted that belong to the position it began with.
    pub fn at_ply(&self, ply: usize) -> NodeId {
        let moves = ply.saturating_sub(self.given).min(self.line.len());
        moves.checked_sub(1).map_or(Tree::ROOT, |index| self.line[index])
    }

    /// The place after so many plies on the way to the one that is shown.
    pub fn at_ply_before_cursor(&self, ply: usize) -> NodeId {
        let path = self.tree.path_to(self.cursor());
        let moves = ply.saturating_sub(self.given).min(path.len());
        moves.checked_sub(1).map_or(Tree::ROOT, |index| path[index])
    }

    /// Plies on the table as the game begins: moves that belong to the position it began with.
    pub fn given(&self) -> usize {
        self.given
    }

    /// The plies of the last place of the match on the way to a node, those counted that belong to the position it began with.
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

    /// Plays a move of the match. If the present was shown it is shown still, by the step returned.
    ///
    /// # Errors
    /// The rules refuse it.
    pub fn play(&mut self, action: Action) -> Result<Option<Step>, PlayError> {
        self.table.play(action)?;
        let before = self.present();
        let again = self.undone.last().copied().filter(|id| self.tree.node(*id).action() == Some(action));
        if let Some(again) = again {
            // What was written about the move is still true.
            self.undone.pop();
            self.tree.restore(again, 0);
        }
        self.keep_what_was_undone();
        self.revision = fresh_number();
        let id = self.tree.add_main(before, action, Origin::Main);
        self.line.push(id);
        Ok(self.follow(before))
    }

    /// Takes the last move of the match back. If the present was shown, or something behind it, it is shown still, by the steps returned.
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

    /// Plays the move taken back last again. If the present was shown it is shown still, by the step returned.
    pub fn redo(&mut self) -> Option<Option<Step>> {
        let id = self.undone.last().copied()?;
        self.table.redo()?;
        self.undone.pop();
        let before = self.present();
        let restored = self.tree.restore(id, 0);
        // Tried again meanwhile, it is in the tree under another number.
        let action = self.tree.node(id).action()?;
        let id = if restored { id } else { self.tree.add_main(before, action, Origin::Main) };
        self.line.push(id);
        self.revision = fresh_number();
        Some(self.follow(before))
    }

    /// The cursor goes on with the match if it stood at its end.
    fn follow(&mut self, before: NodeId) -> Option<Step> {
        let present = self.present();
        (self.cursor() == before).then(|| self.cursor.go(&self.tree, present).pop()).flatten()
    }

    /// Moves taken back are forgotten when another is played, unless somebody wrote about them or tried something behind them: then they
    /// become a variation.
    fn keep_what_was_undone(&mut self) {
        let undone = std::mem::take(&mut self.undone);
        let is_work = |id: &NodeId| self.tree.node(*id).is_annotated() || !self.tree.node(*id).children().is_empty();
        if undone.iter().any(is_work) {
            for id in undone.into_iter().rev() {
                self.tree.restore(id, usize::MAX);
                self.tree.node_mut(id).origin = Origin::Variation;
            }
        }
    }

    /// Shows another place of the tree, by the steps returned.
    pub fn go(&mut self, to: NodeId) -> Vec<Step> {
        if self.tree.is_attached(to) { self.cursor.go(&self.tree, to) } else { Vec::new() }
    }

    /// Changes the tree beside the match. Where the place that is shown is taken out, the one before it is shown, by the steps returned.
    /// The node is the one changed or, for moves, the last of them.
    ///
    /// # Errors
    /// There is no such place, a move is not legal there, or the change concerns the moves of the match.
    pub fn edit(&mut self, edit: &TreeEdit) -> Result<(NodeId, Vec<Step>), EditError> {
        let at = *edit.at();
        if !self.tree.is_attached(at) {
            return Err(EditError::NoSuchNode);
        }
        let mut steps = Vec::new();
        self.revision = fresh_number();
        match edit {
            TreeEdit::Add { moves, origin, .. } => return Ok((self.add(at, moves, *origin)?, steps)),
            TreeEdit::Comment { text, .. } => self.tree.node_mut(at).comment.clone_from(text),
            TreeEdit::Glyphs { glyphs, .. } => self.tree.node_mut(at).glyphs.clone_from(glyphs),
            TreeEdit::Marks { marks, .. } => self.tree.node_mut(at).marks.clone_from(marks),
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

    /// The table as it stands at a place.
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

    /// Where a node is, in words that do not depend on its number.
    pub fn place_of(&self, id: NodeId) -> Place {
        let path = self.tree.path_to(id);
        let ply = self.moves_on_line(&path);
        Place { ply, then: path[ply..].iter().filter_map(|id| self.tree.node(*id).action()).collect() }
    }

    /// The same for a node that has to be in the tree.
    ///
    /// # Errors
    /// It is not.
    pub fn place_of_attached(&self, id: NodeId) -> Result<Place, EditError> {
        if self.tree.is_attached(id) { Ok(self.place_of(id)) } else { Err(EditError::NoSuchNode) }
    }

    /// The node of a place; `None` where there is none.
    pub fn node_of(&self, place: &Place) -> Option<NodeId> {
        let start = match place.ply {
            0 => Tree::ROOT,
            ply => *self.line.get(ply - 1)?,
        };
        place.then.iter().try_fold(start, |at, action| self.tree.child_with(at, *action))
    }

    /// What makes the tree out of the match alone, in an order in which it can be repeated: the variations, each line at once, then comments,
    /// glyphs and marks.
    pub fn edits(&self) -> Vec<TreeEdit<Place>> {
        let tree = self.kept_tree();
        let (mut lines, mut notes) = (Vec::new(), Vec::new());
        let mut end = None;
        for id in tree.walk() {
            let node = tree.node(id);
            if let (false, Some(parent), Some(action)) = (self.is_of_line(id), node.parent(), node.action()) {
                match lines.last_mut() {
                    Some(TreeEdit::Add { moves, origin, .. }) if end == Some(parent) && *origin == node.origin => {
                        moves.push(action)
                    }
                    _ => lines.push(TreeEdit::Add { at: self.place_of(parent), moves: vec![action], origin: node.origin }),
                }
                end = Some(id);
            }
            let at = || self.place_of(id);
            if !node.comment.is_empty() {
                notes.push(TreeEdit::Comment { at: at(), text: node.comment.clone() });
            }
            if !node.glyphs.is_empty() {
                notes.push(TreeEdit::Glyphs { at: at(), glyphs: node.glyphs.clone() });
            }
            if !node.marks.is_empty() {
                notes.push(TreeEdit::Marks { at: at(), marks: node.marks.clone() });
            }
        }
        lines.append(&mut notes);
        lines
    }

    /// The tree without the line that is shown for a while only. Its numbers are those of [`tree`](PlayedGame::tree).
    pub fn kept_tree(&self) -> Tree {
        let mut tree = self.tree.clone();
        for id in self.sketch.iter().flat_map(|sketch| &sketch.nodes) {
            tree.remove(*id);
        }
        tree
    }
}

/// Lines that are shown for a while only.
impl PlayedGame {
    /// Begins one at this place, which is shown, by the steps returned; one that was shown before is gone. `player` is the side whose moves
    /// the player makes in it.
    pub fn begin_sketch(&mut self, at: NodeId, player: Option<Side>) -> Vec<Step> {
        let mut steps = self.end_sketch();
        let before = (!self.is_on_line()).then(|| self.cursor());
        steps.extend(self.go(at));
        self.sketches += 1;
        self.sketch = Some(Sketch { number: self.sketches, player, nodes: Vec::new(), before });
        steps
    }

    /// The nodes that are in the tree only while it is shown.
    pub fn sketch_nodes(&self) -> &[NodeId] {
        self.sketch.as_ref().map_or(&[], |sketch| &sketch.nodes)
    }

    /// The number of the one that is shown.
    pub fn sketch(&self) -> Option<u32> {
        self.sketch.as_ref().map(|sketch| sketch.number)
    }

    /// The side whose moves the player makes in it.
    pub fn sketch_player(&self) -> Option<Side> {
        self.sketch.as_ref()?.player
    }

    /// Plays a move of it, which is shown.
    ///
    /// # Errors
    /// The rules refuse it.
    pub fn play_sketch(&mut self, action: Action) -> Result<Step, PlayError> {
        add_to_sketch(&mut self.sketch, &mut self.tree, &mut self.cursor, action)
    }

    /// Adds a whole line to it, behind this node, and returns the nodes, as far as the rules allow the moves. The place shown stays.
    pub fn draw_sketch(&mut self, at: NodeId, moves: impl IntoIterator<Item = Action>) -> Vec<NodeId> {
        let mut pen = self.cursor.clone();
        pen.go(&self.tree, at);
        let mut add = |action| add_to_sketch(&mut self.sketch, &mut self.tree, &mut pen, action).ok();
        moves.into_iter().map_while(|action| add(action).map(|step| step.to)).collect()
    }

    /// Ends it and shows what was shown before it, by the steps returned: the present of the match, or a variation.
    pub fn end_sketch(&mut self) -> Vec<Step> {
        let Some(sketch) = self.sketch.take() else { return Vec::new() };
        let before = sketch.before.filter(|id| self.tree.is_attached(*id));
        let steps = self.go(before.unwrap_or(self.present()));
        for id in sketch.nodes {
            self.tree.remove(id);
        }
        steps
    }

    /// Shows the present of the match, by the steps returned; a line shown for a while is over.
    pub fn go_to_present(&mut self) -> Vec<Step> {
        let mut steps = self.end_sketch();
        steps.extend(self.go(self.present()));
        steps
    }

    /// What the player keeps of it is no longer shown for a while only.
    fn keep_of_sketch(&mut self, id: NodeId) {
        if let Some(sketch) = &mut self.sketch {
            sketch.nodes.retain(|other| *other != id);
        }
    }
}

/// Plays a move at a cursor; a node that was not in the tree before is there for the sketch's sake.
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
