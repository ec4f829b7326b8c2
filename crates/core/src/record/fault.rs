//! Errors in records, with their place.

use std::fmt;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A place in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
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
    pub place: Place,
    /// The number of the game in the file, from 1; 0 if it is unknown or there is only one game.
    pub game: usize,
    /// What is wrong.
    pub why: String,
}

impl Fault {
    /// An error in a line.
    pub(super) fn line(line: usize, why: impl Into<String>) -> Fault {
        Fault { place: Place::Line(line), game: 0, why: why.into() }
    }

    /// An error at a byte.
    pub(super) fn byte(byte: usize, why: impl Into<String>) -> Fault {
        Fault { place: Place::Byte(byte), game: 0, why: why.into() }
    }

    /// The same error with the name of the file.
    pub(super) fn of(self, file: &str) -> RecordError {
        RecordError::Bad { file: file.to_owned(), fault: self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::File => f.write_str(" ")?,
            Place::Line(line) => write!(f, "{line}: ")?,
            Place::Byte(byte) => write!(f, " byte {byte}: ")?,
        }
        if self.game > 0 {
            write!(f, "game {}: ", self.game)?;
        }
        f.write_str(&self.why)
    }
}

/// Why a record could not be read or written.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The file is not a record, or the game in it has an illegal move.
    #[error("{file}:{fault}")]
    Bad {
        /// The file.
        file: String,
        /// What is wrong, and where.
        fault: Fault,
    },
    /// The file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
}

impl RecordError {
    pub(super) fn file(path: &Path, source: std::io::Error) -> Self {
        RecordError::File { path: path.to_owned(), source }
    }
}
