//! What is wrong with a record, and where.

use std::fmt;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Where in a file something stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// In the file as a whole.
    #[default]
    File,
    /// A line, from 1.
    Line(usize),
    /// A byte, from 0.
    Byte(usize),
}

/// What is wrong, and where in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub place: Place,
    /// Number of the game in the file, from 1; 0 where it is not known or there is only one.
    pub game: usize,
    /// What is wrong there.
    pub why: String,
}

impl Fault {
    /// Something wrong in a line.
    pub(super) fn line(line: usize, why: impl Into<String>) -> Fault {
        Fault { place: Place::Line(line), game: 0, why: why.into() }
    }

    /// Something wrong at a byte.
    pub(super) fn byte(byte: usize, why: impl Into<String>) -> Fault {
        Fault { place: Place::Byte(byte), game: 0, why: why.into() }
    }

    /// The fault with the name of its file.
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
    /// The file is no record, or the game in it cannot have been played like that.
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
        /// What the system says.
        source: std::io::Error,
    },
}

impl RecordError {
    pub(super) fn file(path: &Path, source: std::io::Error) -> Self {
        RecordError::File { path: path.to_owned(), source }
    }
}
