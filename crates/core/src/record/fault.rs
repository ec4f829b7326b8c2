//! Errors in records, with their place.

use super::Record;
use crate::message;
use crate::message::Message;
use crate::message::Value;
use crate::table::Setup;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A place in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Location {
    /// The file as a whole.
    #[default]
    File,
    /// A line, from 1.
    Line(usize),
    /// A byte, from 0.
    Byte(usize),
}

/// An error and its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub place: Location,
    /// The number of the game in the file, from 1; 0 if it is unknown or there is only one game.
    pub game: usize,
    /// What is wrong.
    pub why: Message,
}

impl Fault {
    /// An error in a line.
    pub(super) fn line(line: usize, why: Message) -> Fault {
        Fault { place: Location::Line(line), game: 0, why }
    }

    /// An error at a byte.
    pub(super) fn byte(byte: usize, why: Message) -> Fault {
        Fault { place: Location::Byte(byte), game: 0, why }
    }

    /// One error for all of the same kind in a game: the first place, and how many there are more.
    pub fn merged(faults: Vec<Fault>) -> Vec<Fault> {
        let mut merged: Vec<(Fault, usize)> = Vec::new();
        let mut places: HashMap<(usize, Message), usize> = HashMap::new();
        for fault in faults {
            let place = *places.entry((fault.game, fault.why.clone())).or_insert(merged.len());
            match merged.get_mut(place) {
                Some((_, more)) => *more += 1,
                None => merged.push((fault, 0)),
            }
        }
        let told = |(fault, more): (Fault, usize)| match more {
            0 => fault,
            more => Fault { why: message!("{} ({} more)", fault.why, more), ..fault },
        };
        merged.into_iter().map(told).collect()
    }

    /// What a game says at its end that goes on behind this error.
    pub fn remark(&self) -> Message {
        let why = match self.place {
            Location::File => self.why.clone(),
            Location::Line(line) => message!("line {}: {}", line, &self.why),
            Location::Byte(byte) => message!("byte {}: {}", byte, &self.why),
        };
        message!("the file is damaged here; {}", why)
    }

    /// The error with the name of the file and its place there.
    pub fn in_file(&self, file: impl Into<Value>) -> Message {
        let why = match self.game {
            0 => self.why.clone(),
            game => message!("game {}: {}", game, &self.why),
        };
        let file = file.into();
        match self.place {
            Location::File => message!("{}: {}", file, why),
            Location::Line(line) => message!("{}:{}: {}", file, line, why),
            Location::Byte(byte) => message!("{}: byte {}: {}", file, byte, why),
        }
    }

    /// The same error with the name of the file.
    pub(super) fn of(self, file: &str) -> RecordError {
        Refused::from(self).of(file)
    }
}

/// A game that could not be read as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// What is wrong, and where.
    pub fault: Fault,
    /// The game up to the error; `None` if no move stands before the error.
    pub before: Option<Box<Record>>,
    /// The game and the setup that no game can begin from. An editor may still read its position.
    pub setup: Option<(String, Setup)>,
}

impl Refused {
    /// The error with the name of the file.
    pub(super) fn of(self, file: &str) -> RecordError {
        RecordError::Bad { file: file.to_owned(), refused: Box::new(self) }
    }
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Refused {
        Refused { fault, before: None, setup: None }
    }
}

/// Why a record could not be read or written.
#[derive(Debug, Error)]
#[error("{}", Message::from(self))]
pub enum RecordError {
    /// The file is not a record, or the game in it has an illegal move.
    Bad {
        /// The file.
        file: String,
        /// What is wrong, and what can still be used.
        refused: Box<Refused>,
    },
    /// The file cannot be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
}

crate::has_message!(RecordError);

impl From<&RecordError> for Message {
    fn from(error: &RecordError) -> Message {
        match error {
            RecordError::Bad { file, refused } => refused.fault.in_file(file),
            RecordError::File { path, source } => message!("{}: {}", path.display(), source),
        }
    }
}

impl RecordError {
    pub(super) fn file(path: &Path, source: std::io::Error) -> Self {
        RecordError::File { path: path.to_owned(), source }
    }
}
