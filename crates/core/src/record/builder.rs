//! Builds a record while a file is read. Every move is played before it is added, so a record that was read has only
//! legal moves.

use super::fault::{Fault, Refused};
use super::flat::Note;
use super::{Record, SeatSpec};
use crate::games;
use crate::message;
use crate::message::Message;
use crate::rules::{Outcome, Reason, Side};
use crate::table::{Action, Cursor, Glyph, Mark, NodeId, Origin, Setup, Table, Tree};

/// A game with more moves is refused, to limit the memory; real games are far below this.
const MOST_MOVES: usize = 4_000_000;
/// A longer line is refused for the same reason.
const LONGEST_LINE: u32 = 250_000;

/// The result in a record: `None` if it has none, else the winner, where an inner `None` is a draw.
pub(super) type StatedResult = Option<Option<Side>>;

/// The game that a reader builds. If an error ends the reading, it holds what stands before the error.
#[derive(Default)]
pub(super) struct Partial {
    builder: Option<Builder>,
    /// A game and its setup that no game can begin from.
    setup: Option<(String, Setup)>,
}

impl Partial {
    /// Begins a game from this setup.
    ///
    /// # Errors
    /// The same as for [`Builder::new`].
    pub fn begin(&mut self, game: &str, setup: Setup) -> Result<&mut Builder, Message> {
        match Builder::new(game, setup.clone()) {
            Ok(builder) => Ok(self.builder.insert(builder)),
            Err(why) => {
                self.setup = setup.position.is_some().then(|| (game.to_owned(), setup));
                Err(why)
            }
        }
    }

    /// Begins a game of xiangqi from a position, or from the start position.
    ///
    /// # Errors
    /// The position is invalid.
    pub fn xiangqi(&mut self, position: Option<String>) -> Result<&mut Builder, Message> {
        self.begin("xiangqi", xiangqi_from(position))
    }

    /// Begins a game of gomoku from the empty board.
    ///
    /// # Errors
    /// The variant is unknown.
    pub fn gomoku(&mut self, variant: String) -> Result<&mut Builder, Message> {
        self.begin("gomoku", Setup { variant: Some(variant), position: None })
    }

    /// Takes a game that has begun.
    pub fn hold(&mut self, builder: Builder) -> &mut Builder {
        self.builder.insert(builder)
    }

    /// The game that was begun.
    pub fn builder(&mut self) -> Option<&mut Builder> {
        self.builder.as_mut()
    }

    /// Keeps one of several attempts to read a game, if it came further than those before; true if it did.
    pub fn keep(&mut self, attempt: Partial) -> bool {
        let moves = |partial: &Partial| partial.builder.as_ref().map(|builder| builder.tree.main_line().len());
        let further = moves(&attempt) > moves(self);
        if further || self.builder.is_none() && self.setup.is_none() {
            *self = attempt;
        }
        further
    }

    /// The game that is refused for this error, with what stands before it.
    pub fn refused(self, fault: Fault) -> Refused {
        let before = self
            .builder
            .filter(|builder| !builder.tree.main_line().is_empty())
            .map(|mut builder| Box::new(builder.finish(None, None)));
        Refused { fault, before, setup: self.setup }
    }
}

/// A record that is being built.
pub(super) struct Builder {
    /// The game without its moves; its tree stays empty until [`finish`](Builder::finish).
    pub record: Record,
    tree: Tree,
    /// The depth of each node.
    depth: Vec<u32>,
    /// It goes to the current node when its table is needed.
    cursor: Cursor,
    at: NodeId,
}

impl Builder {
    /// A game from this setup.
    ///
    /// # Errors
    /// The game or the variant is unknown, or the position is invalid.
    pub fn new(game: &str, setup: Setup) -> Result<Builder, Message> {
        let record = Record::new(game, setup);
        let table = record.table()?;
        Ok(Builder { record, tree: Tree::new(), depth: vec![0], cursor: Cursor::at_root(table), at: Tree::ROOT })
    }

    /// Xiangqi from a position, or from the start position.
    ///
    /// # Errors
    /// The position is invalid.
    pub fn xiangqi(position: Option<String>) -> Result<Builder, Message> {
        Builder::new("xiangqi", xiangqi_from(position))
    }

    /// Gomoku from the empty board.
    ///
    /// # Errors
    /// The variant is unknown.
    pub fn gomoku(variant: String) -> Result<Builder, Message> {
        Builder::new("gomoku", Setup { variant: Some(variant), position: None })
    }

    /// The current node: the next move is added to it.
    pub fn at(&self) -> NodeId {
        self.at
    }

    /// Goes to a node that was added before.
    pub fn go(&mut self, to: NodeId) {
        self.at = to;
    }

    /// The previous node; for the root, the root itself.
    pub fn before(&self, id: NodeId) -> NodeId {
        self.tree.previous(id).unwrap_or(Tree::ROOT)
    }

    /// The number of moves from the root to the current node.
    pub fn ply(&self) -> usize {
        self.depth[self.at.0 as usize] as usize
    }

    /// The tree so far.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// True if the current node is the end of the main line.
    pub fn is_main_end(&self) -> bool {
        self.tree.node(self.at).children().is_empty() && self.tree.is_main(self.at)
    }

    /// The table at the current node.
    pub fn table(&mut self) -> &dyn Table {
        // Every move of the tree has been played before, so it is legal.
        self.cursor.go(&self.tree, self.at);
        self.cursor.table()
    }

    /// Plays a move and goes to its node.
    ///
    /// # Errors
    /// The move is illegal, or the game has too many moves.
    pub fn play(&mut self, action: Action) -> Result<NodeId, Message> {
        if let Some(known) = self.tree.child_with(self.at, action) {
            self.at = known;
            return Ok(known);
        }
        let depth = self.depth[self.at.0 as usize] + 1;
        if self.tree.len() > MOST_MOVES {
            return Err(message!("more than {} moves in one game", MOST_MOVES));
        }
        if depth > LONGEST_LINE {
            return Err(message!("a line of more than {} moves", LONGEST_LINE));
        }
        self.cursor.go(&self.tree, self.at);
        self.at = self.cursor.play(&mut self.tree, action, Origin::Record)?.to;
        self.depth.push(depth);
        Ok(self.at)
    }

    /// Reads a move in any notation of the game, plays it and goes to its node.
    ///
    /// # Errors
    /// The text is not a legal move.
    pub fn play_text(&mut self, text: &str) -> Result<NodeId, Message> {
        let action = match self.table().read(text) {
            Ok(action) => action,
            // A sign for check or a comment may stand behind the move.
            Err(error) => match bare_move(text) {
                bare if bare == text => return Err(Message::from(&error)),
                bare => self.table().read(bare).map_err(|_| Message::from(&error))?,
            },
        };
        self.play(action)
    }

    /// Adds to the comment of the current node.
    pub fn comment(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        if !self.tree.notes(self.at).comment.is_empty() {
            self.tree.add_to_comment(self.at, "\n");
        }
        self.tree.add_to_comment(self.at, text);
    }

    /// Adds a glyph to the current node.
    pub fn glyph(&mut self, glyph: Glyph) {
        if !self.tree.notes(self.at).glyphs.contains(&glyph) {
            self.tree.add_glyphs(self.at, &[glyph]);
        }
    }

    /// Adds a mark to the current node.
    pub fn mark(&mut self, mark: Mark) {
        if !self.tree.notes(self.at).marks.contains(&mark) {
            self.tree.add_marks(self.at, &[mark]);
        }
    }

    /// Writes a note about the current node.
    pub fn annotate(&mut self, note: Note) {
        self.tree.set_comment(self.at, &note.comment);
        note.glyphs.into_iter().for_each(|glyph| self.glyph(glyph));
        note.marks.into_iter().for_each(|mark| self.mark(mark));
        if let Some(ms) = note.time_ms {
            self.time(ms);
        }
        if let Some(origin) = note.origin {
            self.origin(self.at, origin);
        }
        if note.review.is_some() {
            self.tree.set_assessment(self.at, note.review);
        }
    }

    /// Sets the time used for the move of the current node, in milliseconds.
    pub fn time(&mut self, ms: u64) {
        if self.at != Tree::ROOT {
            self.tree.set_time(self.at, Some(ms));
        }
    }

    /// Sets the origin of a node's move.
    pub fn origin(&mut self, id: NodeId, origin: Origin) {
        self.tree.node_mut(id).origin = origin;
    }

    /// Sets a tag; an empty value is ignored.
    pub fn tag(&mut self, name: &str, value: &str) {
        let value = value.trim();
        if !matches!(value, "" | "?") {
            self.record.tags.set(name, value);
        }
    }

    /// Sets a player's name; an empty name is ignored.
    pub fn player(&mut self, side: Side, name: &str) {
        let name = name.trim();
        if !matches!(name, "" | "?") {
            self.record.seats[side] = SeatSpec::of_name(name);
        }
    }

    /// The finished record. Its result is the outcome on the board at the end of the main line. If there is none, or
    /// another winner, the result given here is used.
    pub fn finish(&mut self, told: StatedResult, reason: Option<Reason>) -> Record {
        self.at = self.tree.end_of_line(Tree::ROOT);
        let shown = self.table().outcome();
        let reason = reason.unwrap_or(Reason::Unstated);
        self.record.result = match (shown, told) {
            (Some(shown), Some(winner)) if shown.winner != winner => Some(Outcome { winner, reason }),
            (Some(shown), _) => Some(shown),
            (None, Some(winner)) => Some(Outcome { winner, reason }),
            (None, None) => None,
        };
        let empty = Record::new(&self.record.game, Setup::default());
        Record { tree: std::mem::take(&mut self.tree), ..std::mem::replace(&mut self.record, empty) }
    }
}

/// A move without the signs that people and programs write behind it: `+` and `#` for check and mate, `!` and `?`.
pub(super) fn bare_move(text: &str) -> &str {
    text.trim_end_matches(['+', '#', '!', '?', '＋', '＃', '！', '？'])
}

/// The setup of xiangqi from a position, or from the start position.
fn xiangqi_from(position: Option<String>) -> Setup {
    Setup { variant: None, position: position.filter(|text| !is_usual_start(text)) }
}

/// True for the text of xiangqi's start position.
fn is_usual_start(text: &str) -> bool {
    let mut fields = text.split_whitespace();
    let pieces = fields.next() == Some("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR");
    let counters = text.split_whitespace().skip(2).all(|field| matches!(field, "-" | "0" | "1"));
    pieces && fields.next() == Some("w") && counters
}

/// True if there is a game with this key.
pub(super) fn is_game(key: &str) -> bool {
    games::find(key).is_ok()
}
