//! Our own record of a game: RON, readable and writable by hand.
//!
//! A file holds one record, spread over lines, or many, one a line. Moves stand in the game's own text, so a record
//! is checked by playing it through.

use super::SeatSpec;
use crate::games;
use crate::rules::{BySide, Outcome};
use crate::table::{Notation, Setup, Table, read_ron};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A game as it was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The game's key in the registry.
    pub game: String,
    /// What it began with.
    #[serde(default)]
    pub setup: Setup,
    /// Who played.
    #[serde(default)]
    pub seats: BySide<SeatSpec>,
    /// Where, when and in what event, in free words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub event: String,
    /// The moves after the setup, in any notation of the game that is read; written in its own text.
    pub moves: Vec<String>,
    /// Milliseconds taken for each move; empty where they were not kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times_ms: Vec<u64>,
    /// How it ended, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Outcome>,
}

/// Why a record could not be read or written.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The text is no record, or the game in it cannot have been played like that.
    #[error("{file}:{line}: {why}")]
    Bad {
        /// The file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// What is wrong there.
        why: String,
    },
    /// The file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

impl RecordError {
    pub(super) fn bad(file: &str, line: usize, why: impl Into<String>) -> Self {
        RecordError::Bad { file: file.to_owned(), line, why: why.into() }
    }

    pub(super) fn file(path: &Path, source: std::io::Error) -> Self {
        RecordError::File { path: path.to_owned(), source }
    }
}

impl Record {
    /// The record of the game on the table, as far as it went. `result` overrides the table's own outcome
    /// (a resignation, a lost clock).
    pub fn of(table: &dyn Table, seats: BySide<SeatSpec>, result: Option<Outcome>) -> Record {
        let setup = table.setup().clone();
        // Text that lists moves gives them to the table as its past; they belong to the setup.
        let given = games::find(table.game()).and_then(|game| game.table(&setup)).map_or(0, |start| start.ply());
        let moves = table.played_text(Notation::Uci).into_iter().skip(given).collect();
        let result = result.or_else(|| table.outcome());
        Record { game: table.game().to_owned(), setup, seats, event: String::new(), moves, times_ms: Vec::new(), result }
    }

    /// The record on one line.
    pub fn to_line(&self) -> String {
        ron::to_string(self).expect("a record holds only what RON can say")
    }

    /// The record spread over lines, for people.
    pub fn to_text(&self) -> String {
        let pretty = ron::ser::PrettyConfig::default().struct_names(false);
        let mut text = ron::ser::to_string_pretty(self, pretty).expect("a record holds only what RON can say");
        text.push('\n');
        text
    }

    /// Reads one record, or many with one a line (blank lines and `//` lines between them are skipped). Every game is
    /// played through. `file` is for messages.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line.
    pub fn read_all(file: &str, text: &str) -> Result<Vec<Record>, RecordError> {
        let starts_record = |line: &&str| line.trim_start().starts_with('(');
        let is_list =
            text.lines().filter(|line| !is_blank(line)).all(|line| starts_record(&line) && line.trim_end().ends_with(')'));
        let mut records = Vec::new();
        if is_list {
            for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !is_blank(text)) {
                records.push(Record::read_one(file, text, line)?);
            }
        } else {
            records.push(Record::read_one(file, text, 1)?);
        }
        if records.is_empty() {
            return Err(RecordError::bad(file, 1, "there is no record here"));
        }
        Ok(records)
    }

    /// Reads one record that begins at `first_line` of the file.
    fn read_one(file: &str, text: &str, first_line: usize) -> Result<Record, RecordError> {
        let record: Record =
            read_ron(file, text).map_err(|error| RecordError::bad(file, first_line + error.line.max(1) - 1, error.why))?;
        if let Err((index, why)) = record.replay() {
            return Err(RecordError::bad(file, first_line + line_of(text, index), why));
        }
        Ok(record)
    }

    /// Reads the records of a file; see [`read_all`](Record::read_all).
    ///
    /// # Errors
    /// The file cannot be read, is no text, or holds no record.
    pub fn load(path: &Path) -> Result<Vec<Record>, RecordError> {
        let bytes = crate::storage::read_file(path).map_err(|source| RecordError::file(path, source))?;
        let file = path.display().to_string();
        let text = Record::text_of(&file, bytes)?;
        Record::read_all(&file, &text)
    }

    /// What stands in one of our own files, for a list: read, not played through. `None` if it is no record.
    pub fn peek(path: &Path) -> Option<Record> {
        let text = std::fs::read_to_string(path).ok()?;
        ron::from_str(&text).ok()
    }

    /// The bytes of a record's file as text.
    ///
    /// # Errors
    /// The first line that is no UTF-8.
    pub fn text_of(file: &str, bytes: Vec<u8>) -> Result<String, RecordError> {
        String::from_utf8(bytes).map_err(|error| {
            let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
            RecordError::bad(file, line, "this is no UTF-8 text")
        })
    }

    /// Plays the record through.
    ///
    /// # Errors
    /// Which move (from 0; `None` is the setup) cannot be played, and why.
    pub fn replay(&self) -> Result<Box<dyn Table>, (Option<usize>, String)> {
        let setup = |error: crate::table::SetupError| (None, error.to_string());
        let mut table = games::find(&self.game).map_err(setup)?.table(&self.setup).map_err(setup)?;
        for (index, text) in self.moves.iter().enumerate() {
            let played = table.read(text).and_then(|action| table.play(action).map(drop));
            played.map_err(|error| (Some(index), format!("move {}: {error}", index + 1)))?;
        }
        Ok(table)
    }
}

fn is_blank(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with("//")
}

/// Lines between the beginning of `text` and its move number `index` (or its setup). Strings are counted after the
/// field's name; comments are passed over.
fn line_of(text: &str, index: Option<usize>) -> usize {
    let field = if index.is_some() { "moves" } else { "setup" };
    let Some(start) = text.find(field).or_else(|| text.find("game")) else { return 0 };
    let mut line = text[..start].matches('\n').count();
    let Some(index) = index else { return line };
    let (mut strings, mut inside, mut comment) = (0, false, false);
    let mut previous = ' ';
    for c in text[start..].chars() {
        match c {
            '\n' => {
                line += 1;
                comment = false;
            }
            _ if comment => {}
            '"' if previous != '\\' => {
                inside = !inside;
                if inside {
                    if strings == index {
                        break;
                    }
                    strings += 1;
                }
            }
            '/' if !inside && previous == '/' => comment = true,
            _ => {}
        }
        previous = c;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Reason, Side};

    fn sample() -> Record {
        let moves = ["b2", "a1", "c3", "a3"].map(str::to_owned).to_vec();
        let seats = BySide::new(SeatSpec::Human, SeatSpec::Computer { level: 3 });
        let result = Some(Outcome::win(Side::First, Reason::Resignation));
        let event = "a \"test\"".to_owned();
        Record { game: "tic-tac-toe".into(), setup: Setup::default(), seats, event, moves, times_ms: vec![1, 2, 3, 4], result }
    }

    #[test]
    fn both_forms_read_back() {
        let record = sample();
        assert_eq!(Record::read_all("t", &record.to_text()).unwrap(), std::slice::from_ref(&record));
        let many = format!("{}\n// between\n\n{}\n", record.to_line(), record.to_line());
        assert_eq!(Record::read_all("t", &many).unwrap(), [record.clone(), record]);
    }

    #[test]
    fn the_table_is_recorded_without_what_the_setup_gave() {
        let setup = Setup { variant: None, position: Some("....x.... o".into()) };
        let mut table = games::find("tic-tac-toe").unwrap().table(&setup).unwrap();
        table.play(table.read("a1").unwrap()).unwrap();
        let record = Record::of(&*table, BySide::default(), None);
        assert_eq!(record.moves, ["a1"]);
        assert_eq!(record.replay().unwrap().position_text(), table.position_text());
    }

    #[test]
    fn errors_name_their_line() {
        // (text, what the message begins with)
        let cases = [
            ("", "t:1: "),
            ("(game: \"chess\", moves: [])", "t:1: there is no game 'chess'"),
            ("(\n  game: \"tic-tac-toe\",\n  moves: [\n    \"b2\", // \"a1\"\n    \"b2\",\n  ],\n)", "t:5: move 2: "),
            ("(\n  game: \"tic-tac-toe\",\n  setup: (position: \"?\"),\n  moves: [],\n)", "t:3: position, character 2"),
            ("(\n  game: \"tic-tac-toe\",\n  mvoes: [],\n)", "t:3: "),
            ("(game: \"tic-tac-toe\", moves: [\"b2\"])\n(game: \"tic-tac-toe\", moves: [\"z9\"])", "t:2: move 1: "),
        ];
        for (text, expected) in cases {
            let error = Record::read_all("t", text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text:?} gives {error:?}, not {expected:?}");
        }
    }
}
