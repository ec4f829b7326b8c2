//! Games on paper: our own record of a game ([`Record`]), the [`Format`]s of other programs, and the [`journal`] of a running match.
//!
//! [`open`] and [`recognise`] read whatever they are given: the content says what it is ([`Format::of`]), the name's ending only where the content
//! does not. Every move is played while it is read.

mod builder;
mod charset;
mod detect;
mod document;
mod fault;
mod formats;
mod home;
pub mod journal;
mod seat;
mod tags;
mod walker;

pub use document::{Record, Summary};
pub use fault::{Fault, Place, RecordError};
pub use formats::{Format, Found, GomokuLine, Writer, position_and_moves};
pub use home::home;
pub use seat::SeatSpec;
pub use tags::Tags;

use crate::storage::read_file;
use std::path::Path;

/// What was read: the games, and what is wrong with others in the same file.
#[derive(Debug)]
pub struct Reading {
    /// The name of the file, for messages.
    pub file: String,
    /// The format it is in.
    pub format: Format,
    /// The games that can be played.
    pub records: Vec<Record>,
    /// The games that were left out, each with its reason.
    pub refused: Vec<Fault>,
    /// What was left out of the games that were read.
    pub remarks: Vec<Fault>,
}

impl Reading {
    /// The games, if every one of them could be read.
    ///
    /// # Errors
    /// The first game that could not.
    pub fn all(self) -> Result<Vec<Record>, RecordError> {
        match self.refused.into_iter().next() {
            Some(fault) => Err(fault.of(&self.file)),
            None => Ok(self.records),
        }
    }
}

/// The bytes of a file.
///
/// # Errors
/// It cannot be read, or it is too long.
pub fn bytes_of(path: &Path) -> Result<Vec<u8>, RecordError> {
    read_file(path).map_err(|source| RecordError::file(path, source))
}

/// Reads the games of a file: its content says the format, and where that says nothing its ending.
///
/// # Errors
/// The file cannot be read, is in no known format, or holds no game that can be played.
pub fn open(path: &Path) -> Result<Reading, RecordError> {
    let bytes = bytes_of(path)?;
    let ending = path.extension().and_then(|ending| ending.to_str());
    read(&path.display().to_string(), &bytes, ending)
}

/// Reads the games in a text or in bytes from anywhere, as from the clipboard: a file's content in any format, a position, moves in any notation
/// with or without numbers, a link or a forum's code with moves or a position in it.
///
/// # Errors
/// There is no game in it.
pub fn recognise(bytes: &[u8]) -> Result<Reading, RecordError> {
    read("text", bytes, None)
}

/// Reads games from bytes. `file` is for messages; `ending` is that of the file's name.
///
/// # Errors
/// They are in no known format, or hold no game that can be played.
pub fn read(file: &str, bytes: &[u8], ending: Option<&str>) -> Result<Reading, RecordError> {
    let unknown = || Fault { why: "this is no record in any format that is read here".to_owned(), ..Fault::line(1, "") };
    let format = Format::of(bytes, ending).ok_or_else(|| unknown().of(file))?;
    let reading = format.read(file, bytes)?;
    match reading.records.is_empty() {
        false => Ok(reading),
        true => Err(reading.refused.into_iter().next().unwrap_or_else(|| Fault::line(1, "there is no record here")).of(file)),
    }
}
