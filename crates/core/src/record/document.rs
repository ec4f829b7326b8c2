//! The record of a game: its setup, its players, the tree of its moves with annotations, and its result.

use super::fault::RecordError;
use super::formats::{self, Format};
use super::tags::Tags;
use super::{Reading, SeatSpec};
use crate::games;
use crate::message;
use crate::message::Message;
use crate::rules::{BySide, Outcome, Reason, Side};
use crate::table::{Action, Choice, Cursor, Notation, Origin, Setup, SetupError, Table, Tree};
use serde::Deserialize;
use std::path::Path;

/// The record of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The game's key in the registry.
    pub game: String,
    /// Its setup.
    pub setup: Setup,
    /// Its players.
    pub seats: BySide<SeatSpec>,
    /// Event, date, place and so on.
    pub tags: Tags,
    /// The moves after the setup, with variations, comments, glyphs, times and marks.
    pub tree: Tree,
    /// The outcome, if the game is over.
    pub result: Option<Outcome>,
}

/// The part of a record that a list of records shows. It is read without checking the moves.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Summary {
    /// The game's key in the registry.
    pub game: String,
    /// Its setup.
    #[serde(default)]
    pub setup: Setup,
    /// Its players.
    #[serde(default)]
    pub seats: BySide<SeatSpec>,
    /// The event, in records without tags.
    #[serde(default)]
    pub event: String,
    /// Event, date, place and so on.
    #[serde(default)]
    pub tags: Tags,
    /// The moves of the main line, in the game's own text.
    #[serde(default)]
    pub moves: Vec<String>,
    /// The outcome, if the game is over.
    #[serde(default)]
    pub result: Option<Outcome>,
}

impl Record {
    /// A record without moves, names and a result.
    pub fn new(game: &str, setup: Setup) -> Record {
        Record { game: game.to_owned(), setup, seats: BySide::default(), tags: Tags::default(), tree: Tree::new(), result: None }
    }

    /// The record of the game on the table so far: its moves are the main line. `result` replaces the table's own outcome (for a
    /// resignation or a time loss).
    pub fn of(table: &dyn Table, seats: BySide<SeatSpec>, result: Option<Outcome>) -> Record {
        let setup = table.setup().clone();
        // Moves in the position text are in the table's history; they belong to the setup.
        let given = games::find(table.game()).and_then(|game| game.table(&setup)).map_or(0, |start| start.ply());
        let tree = Tree::of_line(table.played().into_iter().skip(given), Origin::Main);
        Record::with_tree(table, seats, result.or_else(|| table.outcome()), tree)
    }

    /// The record of a game with its whole tree. Only the setup of `table` is used.
    pub fn with_tree(table: &dyn Table, seats: BySide<SeatSpec>, result: Option<Outcome>, tree: Tree) -> Record {
        Record { seats, tree, result, ..Record::new(table.game(), table.setup().clone()) }
    }

    /// The table at the start of the game. Adjudication is off, so that all moves of the tree can be played, even after a repetition
    /// (see [`Table::adjudicate`]).
    ///
    /// # Errors
    /// The game or the variant is unknown, or the position is invalid.
    pub fn table(&self) -> Result<Box<dyn Table>, SetupError> {
        let mut table = games::find(&self.game)?.table(&self.setup)?;
        table.adjudicate(false);
        Ok(table)
    }

    /// The actions of the main line.
    pub fn main_actions(&self) -> Vec<Action> {
        self.tree.main_line().into_iter().filter_map(|id| self.tree.node(id).action()).collect()
    }

    /// The number of moves of the main line.
    pub fn plies(&self) -> usize {
        self.tree.main_line().len()
    }

    /// Sets the times of the first moves of the main line, in milliseconds.
    pub fn set_times(&mut self, times_ms: &[u64]) {
        for (id, ms) in self.tree.main_line().into_iter().zip(times_ms) {
            self.tree.set_time(id, Some(*ms));
        }
    }

    /// Plays the main line.
    ///
    /// # Errors
    /// The index of the illegal move (from 0; `None` is the setup), and the reason. This cannot happen for a record that was read from a file.
    pub fn replay(&self) -> Result<Box<dyn Table>, (Option<usize>, Message)> {
        let mut table = self.table().map_err(|error| (None, error.into()))?;
        for (index, action) in self.main_actions().into_iter().enumerate() {
            table.play(action).map_err(|error| (Some(index), message!("move {}: {}", index + 1, error)))?;
        }
        Ok(table)
    }

    /// Sets who won, if it is another than before: `Some(None)` for a draw, `None` if the game has no result.
    pub fn set_winner(&mut self, winner: Option<Option<Side>>) {
        if self.result.map(|result| result.winner) != winner {
            self.result = winner.map(|winner| Outcome { winner, reason: Reason::Unstated });
        }
    }

    /// Adds a remark to the comment at the end of the main line.
    pub fn remark(&mut self, text: &str) {
        let end = self.tree.end_of_line(Tree::ROOT);
        if !self.tree.notes(end).comment.is_empty() {
            self.tree.add_to_comment(end, "\n");
        }
        self.tree.add_to_comment(end, text);
    }

    /// The moves of the main line as text; empty if a move is illegal.
    pub fn moves(&self, notation: Notation) -> Vec<String> {
        let Ok(table) = self.replay() else { return Vec::new() };
        let given = table.ply() - self.main_actions().len();
        table.played_text(notation).split_off(given)
    }

    /// A cursor for the tree, at the start.
    pub(super) fn cursor(&self) -> Result<Cursor, Message> {
        self.table().map(Cursor::at_root).map_err(Message::from)
    }

    /// The record in our own format, on one line.
    pub fn to_line(&self) -> String {
        formats::own::line(self)
    }

    /// The record in our own format on several lines, which is easier to read.
    pub fn to_text(&self) -> String {
        formats::own::text(self)
    }

    /// Reads the records of a text in our own format; see [`Format::Ron`]. `file` is for messages.
    ///
    /// # Errors
    /// The first error, with its line.
    pub fn read_all(file: &str, text: &str) -> Result<Vec<Record>, RecordError> {
        Format::Ron.read(file, text.as_bytes()).and_then(Reading::all)
    }

    /// Reads the records of a file in any format.
    ///
    /// # Errors
    /// The file cannot be read, or a part of it is not a valid record.
    pub fn load(path: &Path) -> Result<Vec<Record>, RecordError> {
        super::open(path).and_then(Reading::all)
    }

    /// The comments in a text in our own format, read without checking the moves.
    pub(crate) fn comments_in(text: &str) -> Vec<String> {
        #[derive(Deserialize)]
        struct Commented {
            #[serde(default)]
            notes: Vec<Note>,
        }
        #[derive(Deserialize)]
        struct Note {
            #[serde(default)]
            comment: String,
        }
        let notes = ron::from_str::<Commented>(text).map(|record| record.notes).unwrap_or_default();
        notes.into_iter().map(|note| note.comment).filter(|comment| !comment.is_empty()).collect()
    }

    /// The summary of the bytes of a file in our own format. `None` if they are not a record.
    pub fn peek(bytes: &[u8]) -> Option<Summary> {
        let mut summary: Summary = ron::de::from_bytes(bytes).ok()?;
        if summary.event.is_empty() {
            summary.event = summary.tags.get("Event").unwrap_or_default().to_owned();
        }
        Some(summary)
    }
}

impl Summary {
    /// The summary of a record.
    pub fn of(record: &Record) -> Summary {
        let event = record.tags.get("Event").unwrap_or_default().to_owned();
        let Record { game, setup, seats, tags, result, .. } = record.clone();
        Summary { game, setup, seats, event, tags, moves: record.moves(Notation::Uci), result }
    }

    /// The number of plies. Choices in the opening are none.
    pub fn plies(&self) -> usize {
        let is_choice = |text: &String| Choice::ALL.iter().any(|choice| choice.key() == text);
        self.moves.iter().filter(|text| !is_choice(text)).count()
    }
}
