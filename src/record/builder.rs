//! Puts a record together while a file is read: every move is played before it is entered, so a record that was read is a game that can be played.

use super::walker::Walker;
use super::{Record, SeatSpec};
use crate::games;
use crate::rules::{Outcome, Reason, Side};
use crate::table::{Action, Assessment, Glyph, Mark, NodeId, Origin, Setup, Table, Tree};

/// More moves than this in one game are refused: a limit on memory, far beyond what people or programs write.
const MOST_MOVES: usize = 4_000_000;
/// A line longer than this is refused for the same reason.
const LONGEST_LINE: u32 = 250_000;

/// Who won, as a record tells it: not at all, or the winner, where `None` is a draw.
pub(super) type Told = Option<Option<Side>>;

/// A record in the making.
pub(super) struct Builder {
    /// What is known of the game beside its moves; its tree stays empty until [`finish`](Builder::finish).
    pub record: Record,
    tree: Tree,
    /// Depth of each node.
    depth: Vec<u32>,
    walker: Walker,
    at: NodeId,
}

impl Builder {
    /// A game from this setup.
    ///
    /// # Errors
    /// There is no such game, variant or position.
    pub fn new(game: &str, setup: Setup) -> Result<Builder, String> {
        let record = Record::new(game, setup);
        let table = record.table().map_err(|error| error.to_string())?;
        let walker = Walker::new(table);
        Ok(Builder { record, tree: Tree::new(), depth: vec![0], walker, at: Tree::ROOT })
    }

    /// Xiangqi from a position, or from the usual start.
    ///
    /// # Errors
    /// The position is none.
    pub fn xiangqi(position: Option<String>) -> Result<Builder, String> {
        let position = position.filter(|text| !is_usual_start(text));
        Builder::new("xiangqi", Setup { variant: None, position })
    }

    /// Gomoku from the empty board.
    ///
    /// # Errors
    /// There is no such variant.
    pub fn gomoku(variant: String) -> Result<Builder, String> {
        Builder::new("gomoku", Setup { variant: Some(variant), position: None })
    }

    /// The node the next move is added to.
    pub fn at(&self) -> NodeId {
        self.at
    }

    /// Goes to a node that was entered before.
    pub fn go(&mut self, to: NodeId) {
        self.at = to;
    }

    /// The node before this one; the root is its own.
    pub fn before(&self, id: NodeId) -> NodeId {
        self.tree.previous(id).unwrap_or(Tree::ROOT)
    }

    /// Moves from the root to the present node.
    pub fn ply(&self) -> usize {
        self.depth[self.at.0 as usize] as usize
    }

    /// The tree so far.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// True if the present node is on the main line and a move added here would be, too.
    pub fn is_main_end(&self) -> bool {
        self.tree.node(self.at).children().is_empty() && self.tree.is_main(self.at)
    }

    /// The table as it stands at the present node.
    pub fn table(&mut self) -> &dyn Table {
        // Every move of the tree has been played before.
        let _ = self.walker.go(&self.tree, self.at);
        self.walker.table()
    }

    /// Plays a move and goes to its node.
    ///
    /// # Errors
    /// The rules refuse it, or the game has too many moves.
    pub fn play(&mut self, action: Action) -> Result<NodeId, String> {
        if let Some(known) = self.tree.child_with(self.at, action) {
            self.at = known;
            return Ok(known);
        }
        let depth = self.depth[self.at.0 as usize] + 1;
        if self.tree.len() > MOST_MOVES {
            return Err(format!("more than {MOST_MOVES} moves in one game"));
        }
        if depth > LONGEST_LINE {
            return Err(format!("a line of more than {LONGEST_LINE} moves"));
        }
        let _ = self.walker.go(&self.tree, self.at);
        let (tree, at) = (&mut self.tree, self.at);
        self.walker.play(action, |_| tree.add(at, action, Origin::Record)).map_err(|error| error.to_string())?;
        self.depth.push(depth);
        self.at = NodeId(self.tree.len() as u32 - 1);
        Ok(self.at)
    }

    /// Reads a move in any notation of the game, plays it and goes to its node.
    ///
    /// # Errors
    /// The text is no legal move.
    pub fn play_text(&mut self, text: &str) -> Result<NodeId, String> {
        let action = self.table().read(text).map_err(|error| error.to_string())?;
        self.play(action)
    }

    /// Adds to the comment of the present node.
    pub fn comment(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let comment = &mut self.tree.node_mut(self.at).comment;
        if !comment.is_empty() {
            comment.push('\n');
        }
        comment.push_str(text);
    }

    /// Sets the comment of the present node as it is.
    pub fn set_comment(&mut self, text: String) {
        self.tree.node_mut(self.at).comment = text;
    }

    /// Adds a glyph to the present node.
    pub fn glyph(&mut self, glyph: Glyph) {
        let glyphs = &mut self.tree.node_mut(self.at).glyphs;
        if !glyphs.contains(&glyph) {
            glyphs.push(glyph);
        }
    }

    /// Adds a mark to the present node.
    pub fn mark(&mut self, mark: Mark) {
        let marks = &mut self.tree.node_mut(self.at).marks;
        if !marks.contains(&mark) {
            marks.push(mark);
        }
    }

    /// Says how long the move of the present node took.
    pub fn time(&mut self, ms: u64) {
        if self.at != Tree::ROOT {
            self.tree.node_mut(self.at).time_ms = Some(ms);
        }
    }

    /// Says where a node's move comes from.
    pub fn origin(&mut self, id: NodeId, origin: Origin) {
        self.tree.node_mut(id).origin = origin;
    }

    /// Sets what a review says about the present node.
    pub fn assess(&mut self, assessment: Option<Box<Assessment>>) {
        self.tree.node_mut(self.at).assessment = assessment;
    }

    /// Sets a tag; an empty value is left out.
    pub fn tag(&mut self, name: &str, value: &str) {
        let value = value.trim();
        if !matches!(value, "" | "?") {
            self.record.tags.set(name, value);
        }
    }

    /// Names a player; an empty name is left out.
    pub fn player(&mut self, side: Side, name: &str) {
        let name = name.trim();
        if !matches!(name, "" | "?") {
            self.record.seats[side] = SeatSpec::of_name(name);
        }
    }

    /// The finished record. What the board shows at the end of the main line says how the game ended; where it shows nothing, or another winner, what
    /// was told counts.
    pub fn finish(mut self, told: Told, reason: Option<Reason>) -> Record {
        self.at = self.tree.end_of_line(Tree::ROOT);
        let shown = self.table().outcome();
        let reason = reason.unwrap_or(Reason::Unstated);
        self.record.result = match (shown, told) {
            (Some(shown), Some(winner)) if shown.winner != winner => Some(Outcome { winner, reason }),
            (Some(shown), _) => Some(shown),
            (None, Some(winner)) => Some(Outcome { winner, reason }),
            (None, None) => None,
        };
        self.record.tree = self.tree;
        self.record
    }
}

/// True for the text of xiangqi's usual start.
fn is_usual_start(text: &str) -> bool {
    let mut fields = text.split_whitespace();
    let pieces = fields.next() == Some("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR");
    let counters = text.split_whitespace().skip(2).all(|field| matches!(field, "-" | "0" | "1"));
    pieces && fields.next() == Some("w") && counters
}

/// Whether a game of this key is known.
pub(super) fn is_game(key: &str) -> bool {
    games::find(key).is_ok()
}
