//! A game on record: how it began, who played, the tree of its moves with everything written in it, and its result.

use super::fault::RecordError;
use super::formats::{self, Format};
use super::tags::Tags;
use super::walker::Walker;
use super::{Reading, SeatSpec};
use crate::games;
use crate::rules::{BySide, Outcome};
use crate::table::{Action, Notation, Origin, Setup, SetupError, Table, Tree};
use serde::Deserialize;
use std::path::Path;

/// A game on record.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The game's key in the registry.
    pub game: String,
    /// What it began with.
    pub setup: Setup,
    /// Who played.
    pub seats: BySide<SeatSpec>,
    /// Event, date, place and so on.
    pub tags: Tags,
    /// The moves after the setup, with variations, comments, glyphs, times and marks.
    pub tree: Tree,
    /// How it ended, if it did.
    pub result: Option<Outcome>,
}

/// What a list of records shows of one: read without playing the game through.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Summary {
    /// The game's key in the registry.
    pub game: String,
    /// What it began with.
    #[serde(default)]
    pub setup: Setup,
    /// Who played.
    #[serde(default)]
    pub seats: BySide<SeatSpec>,
    /// The event, as records without tags name it.
    #[serde(default)]
    pub event: String,
    /// Event, date, place and so on.
    #[serde(default)]
    pub tags: Tags,
    /// The moves of the main line, in the game's own text.
    #[serde(default)]
    pub moves: Vec<String>,
    /// How it ended, if it did.
    #[serde(default)]
    pub result: Option<Outcome>,
}

impl Record {
    /// A record without moves, names and result.
    pub fn new(game: &str, setup: Setup) -> Record {
        Record { game: game.to_owned(), setup, seats: BySide::default(), tags: Tags::default(), tree: Tree::new(), result: None }
    }

    /// The record of the game on the table, as far as it went: its moves are the main line. `result` overrides the table's own outcome (a
    /// resignation, a lost clock).
    pub fn of(table: &dyn Table, seats: BySide<SeatSpec>, result: Option<Outcome>) -> Record {
        let setup = table.setup().clone();
        // Text that lists moves gives them to the table as its past; they belong to the setup.
        let given = games::find(table.game()).and_then(|game| game.table(&setup)).map_or(0, |start| start.ply());
        let tree = Tree::of_line(table.played().into_iter().skip(given), Origin::Main);
        Record::with_tree(table, seats, result.or_else(|| table.outcome()), tree)
    }

    /// The record of a game with its whole tree. `table` is the game at any point; only its setup is used.
    pub fn with_tree(table: &dyn Table, seats: BySide<SeatSpec>, result: Option<Outcome>, tree: Tree) -> Record {
        Record { seats, tree, result, ..Record::new(table.game(), table.setup().clone()) }
    }

    /// The table as the game begins, ready for every move of the tree: the past does not end the game on it, since people play on after a repetition
    /// (see [`Table::adjudicate`]).
    ///
    /// # Errors
    /// There is no such game, variant or position.
    pub fn table(&self) -> Result<Box<dyn Table>, SetupError> {
        let mut table = games::find(&self.game)?.table(&self.setup)?;
        table.adjudicate(false);
        Ok(table)
    }

    /// The actions of the main line.
    pub fn main_actions(&self) -> Vec<Action> {
        self.tree.main_line().into_iter().filter_map(|id| self.tree.node(id).action()).collect()
    }

    /// How many moves the main line has.
    pub fn plies(&self) -> usize {
        self.tree.main_line().len()
    }

    /// Says how many milliseconds each move of the main line took, as far as there are numbers.
    pub fn set_times(&mut self, times_ms: &[u64]) {
        for (id, ms) in self.tree.main_line().into_iter().zip(times_ms) {
            self.tree.node_mut(id).time_ms = Some(*ms);
        }
    }

    /// Plays the main line.
    ///
    /// # Errors
    /// Which move (from 0; `None` is the setup) cannot be played, and why. A record that was read is always played.
    pub fn replay(&self) -> Result<Box<dyn Table>, (Option<usize>, String)> {
        let mut table = self.table().map_err(|error| (None, error.to_string()))?;
        for (index, action) in self.main_actions().into_iter().enumerate() {
            table.play(action).map_err(|error| (Some(index), format!("move {}: {error}", index + 1)))?;
        }
        Ok(table)
    }

    /// The moves of the main line, written; none if the record cannot be played.
    pub fn moves(&self, notation: Notation) -> Vec<String> {
        let Ok(table) = self.replay() else { return Vec::new() };
        let given = table.ply() - self.main_actions().len();
        table.played_text(notation).split_off(given)
    }

    /// The table at the start, to be walked through the tree.
    pub(super) fn walker(&self) -> Result<Walker, String> {
        self.table().map(Walker::new).map_err(|error| error.to_string())
    }

    /// The record on one line, in our own format.
    pub fn to_line(&self) -> String {
        formats::own::line(self)
    }

    /// The record spread over lines, for people, in our own format.
    pub fn to_text(&self) -> String {
        formats::own::text(self)
    }

    /// Reads the records of a text in our own format; see [`Format::Ron`]. `file` is for messages.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line.
    pub fn read_all(file: &str, text: &str) -> Result<Vec<Record>, RecordError> {
        Format::Ron.read(file, text.as_bytes()).and_then(Reading::all)
    }

    /// Reads the records of a file in any format.
    ///
    /// # Errors
    /// The file cannot be read, or something in it is no record.
    pub fn load(path: &Path) -> Result<Vec<Record>, RecordError> {
        super::open(path).and_then(Reading::all)
    }

    /// What stands in one of our own files, for a list: read, not played through. `None` if it is no record.
    pub fn peek(path: &Path) -> Option<Summary> {
        let text = std::fs::read_to_string(path).ok()?;
        let mut summary: Summary = ron::from_str(&text).ok()?;
        if summary.event.is_empty() {
            summary.event = summary.tags.get("Event").unwrap_or_default().to_owned();
        }
        Some(summary)
    }
}

impl Summary {
    /// What a list shows of a record.
    pub fn of(record: &Record) -> Summary {
        let event = record.tags.get("Event").unwrap_or_default().to_owned();
        let Record { game, setup, seats, tags, result, .. } = record.clone();
        Summary { game, setup, seats, event, tags, moves: record.moves(Notation::Uci), result }
    }
}
