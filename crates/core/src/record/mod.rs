//! Records of games ([`Record`]) in our own [`Format`] and those of other programs, and the [`journal`] of a running
//! match.
//!
//! [`open`] and [`recognise`] detect the format from the content ([`Format::of`]), and from the extension only if the
//! content is not clear. Every move is checked while it is read.

pub mod accord;
mod builder;
pub(crate) mod charset;
pub mod data;
mod detect;
mod document;
mod fault;
mod flat;
mod formats;
mod home;
pub mod journal;
pub mod letter;
mod seat;
mod tags;

pub use charset::Charset;
pub use document::{Record, Summary};
pub use fault::{Fault, Location, RecordError, Refused};
pub use formats::{Format, GomokuLine, LeftOut, Loss, PAGE, ReadItem, RecordPart, Writer, position_and_moves, without_number};
pub use home::home;
pub use seat::SeatSpec;
pub use tags::{KEYWORDS, Tags, keywords_in};

use crate::message;
use crate::storage::read_file;
use std::path::Path;

/// The result of reading a file: the valid games, and the errors of others.
#[derive(Debug)]
pub struct Reading {
    /// The name of the file, for messages.
    pub file: String,
    /// Its format.
    pub format: Format,
    /// The valid games.
    pub records: Vec<Record>,
    /// The games that were skipped, each with its reason.
    pub refused: Vec<Refused>,
    /// Parts of the valid games that were skipped.
    pub remarks: Vec<Fault>,
}

impl Reading {
    /// The games, if all of them are valid.
    ///
    /// # Errors
    /// The error of the first invalid game.
    pub fn all(self) -> Result<Vec<Record>, RecordError> {
        match self.refused.into_iter().next() {
            Some(refused) => Err(refused.of(&self.file)),
            None => Ok(self.records),
        }
    }
}

/// True if this is the address of a game ([`Format::Link`]), and not the path of a file.
pub fn is_link(path: &Path) -> bool {
    path.to_str().is_some_and(|text| Format::of_text(text) == Some(Format::Link))
}

/// The name of a file for messages; an address is only called one.
pub fn name_of(path: &Path) -> String {
    if is_link(path) { "link".to_owned() } else { path.display().to_string() }
}

/// The bytes of a file. The address of a game stands for a file with this address.
///
/// # Errors
/// The file cannot be read, or it is too long.
pub fn bytes_of(path: &Path) -> Result<Vec<u8>, RecordError> {
    match path.to_str().filter(|_| is_link(path)) {
        Some(link) => Ok(link.as_bytes().to_owned()),
        None => read_file(path).map_err(|source| RecordError::file(path, source)),
    }
}

/// Reads the games of a file. The format is detected from the content or, if that is not clear, from the extension.
///
/// # Errors
/// The file cannot be read, its format is unknown, or it has no valid game.
pub fn open(path: &Path) -> Result<Reading, RecordError> {
    let bytes = bytes_of(path)?;
    let ending = path.extension().and_then(|ending| ending.to_str());
    read(&name_of(path), &bytes, ending)
}

/// Reads the games in a text or in bytes, for example from the clipboard: the content of a file in any format, a
/// position, moves in any notation with or without numbers, a link or forum code with moves or a position.
///
/// # Errors
/// There is no game in it.
pub fn recognise(bytes: &[u8]) -> Result<Reading, RecordError> {
    read("text", bytes, None)
}

/// Reads games from bytes. `file` is for messages; `ending` is the file extension.
///
/// # Errors
/// The format is unknown, or there is no valid game.
pub fn read(file: &str, bytes: &[u8], ending: Option<&str>) -> Result<Reading, RecordError> {
    let unknown = || Fault::line(1, message!("this is no record in any known format"));
    let format = Format::of(bytes, ending).ok_or_else(|| unknown().of(file))?;
    let reading = format.read(file, bytes)?;
    match reading.records.is_empty() {
        false => Ok(reading),
        true => Err(match reading.refused.into_iter().next() {
            Some(refused) => refused.of(file),
            None => Fault::line(1, message!("there is no record here")).of(file),
        }),
    }
}
