//! The journal of a running match: one line for each thing that happens, on the disk before the window shows it.
//!
//! A line is a checksum, a blank and a RON value: first the [`Header`], then the [`Event`]s. A kill or a power cut leaves at most one torn
//! line at the end, which was never acknowledged and is dropped when the journal is read again. While the disk is full nothing is lost
//! either: the lines wait in memory and go to the disk with the first write that succeeds. A journal that is damaged in the middle is read
//! up to the damage; the damaged file is kept under another name.
//!
//! Each window that is open at the same time owns a journal of its own, a [`Place`].

use super::{SeatSpec, Tags};
use crate::games;
use crate::rules::{BySide, Outcome, Reason, Side};
use crate::storage::{Blob, Owned, Storage};
use crate::table::{Action, Clock, Place as TreePlace, PlayedGame, Setup, TimeControl, TreeEdit};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// The format's version.
pub const VERSION: u32 = 3;

/// What a match began with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The game's key in the registry.
    pub game: String,
    /// Variant and position.
    pub setup: Setup,
    /// Who plays.
    pub seats: BySide<SeatSpec>,
    /// How much time the players have.
    #[serde(default)]
    pub control: TimeControl,
    /// Seed of the match's chance (errors of the lower levels).
    pub seed: u64,
    /// A rated match: no hints, nothing taken back.
    #[serde(default)]
    pub rated: bool,
    /// It was opened from a record: a move at an earlier moment is a variation, even while the match is not over.
    #[serde(default)]
    pub from_record: bool,
    /// What the record it was opened from said about the game: event, date, place and so on.
    #[serde(default, skip_serializing_if = "Tags::is_empty")]
    pub tags: Tags,
    /// The players' names in that record, where it told them.
    #[serde(default)]
    pub names: BySide<Option<String>>,
    /// [`VERSION`] of the program that wrote it.
    pub version: u32,
}

/// What happened in a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// The side to move used so many milliseconds for the move that follows.
    Spent(u64),
    /// A move was played.
    Move(Action),
    /// The last move was taken back.
    Undo,
    /// A move taken back was played again.
    Redo,
    /// The tree was changed beside the match: a variation, a comment and the like.
    Tree(TreeEdit<TreePlace>),
    /// A side gave up.
    Resign(Side),
    /// Both agreed on a draw.
    Agreed,
    /// A side's time ran out.
    TimeOut(Side),
    /// The match was left in good order; nothing needs to be offered again.
    Closed,
}

/// Why a journal could not be kept or read.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("{journal}: {source}")]
    Storage {
        /// The journal's name, as users know it.
        journal: String,
        /// What the system says.
        source: io::Error,
    },
    /// Not even the beginning of it can be read. It is kept under another name, and nothing of it was deleted.
    #[error("{journal}:{line}: {why}; the file was set aside as {kept}")]
    Damaged {
        /// The journal's name, as users know it.
        journal: String,
        /// Line, from 1.
        line: usize,
        /// What is wrong there.
        why: String,
        /// Where the damaged one is now.
        kept: String,
    },
}

/// What a damaged journal no longer tells.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{journal}:{line}: {why}; {lines} lines from there on are missing, the damaged file is kept as {kept}")]
pub struct Missing {
    /// The journal's name, as users know it.
    pub journal: String,
    /// The first line that could not be used, from 1.
    pub line: usize,
    /// What is wrong there.
    pub why: String,
    /// How many lines from there on are not part of the match.
    pub lines: usize,
    /// Where the damaged one is kept.
    pub kept: String,
}

/// What a journal told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// What the match began with.
    pub header: Header,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// Bytes of a torn last line that were passed over: it was being written and never acknowledged. 0 in a whole file.
    pub torn: u64,
    /// What was lost to damage; the events are those before it.
    pub missing: Option<Missing>,
}

impl Recovered {
    /// True if the match was left in good order.
    pub fn is_closed(&self) -> bool {
        self.events.last() == Some(&Event::Closed)
    }

    /// True if there is a match to go on with: something happened, it is not closed, and it is not over or was worked on afterwards.
    pub fn is_unfinished(&self) -> bool {
        let worked_on = matches!(self.events.last(), Some(Event::Tree(_)));
        !self.events.is_empty() && !self.is_closed() && (worked_on || ending(&self.events).is_none())
    }
}

/// A journal open for writing.
#[derive(Debug)]
pub struct Journal {
    blob: Blob,
    /// The whole journal: what is on the disk and what waits.
    text: String,
    /// So many bytes of the text are on the disk for certain.
    kept: usize,
    /// False until the journal of an earlier match has been replaced.
    begun: bool,
}

impl Journal {
    /// The journal of a new match and what has happened in it already. Nothing is written before [`keep`](Journal::keep); then a journal of
    /// that name is replaced in one step.
    pub fn begin(blob: &Blob, header: &Header, events: &[Event]) -> Journal {
        let text = line_of(header) + &lines_of(events);
        Journal { blob: blob.clone(), text, kept: 0, begun: false }
    }

    /// Begins the journal of a new match and writes it.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn create(blob: &Blob, header: &Header) -> Result<Journal, JournalError> {
        let mut journal = Journal::begin(blob, header, &[]);
        journal.keep()?;
        Ok(journal)
    }

    /// Opens a journal to go on with the match in it; a torn last line is cut off with the next write. `None` where there is no match
    /// in it.
    ///
    /// # Errors
    /// As [`recover`].
    pub fn resume(blob: &Blob) -> Result<Option<(Journal, Recovered)>, JournalError> {
        let Some(recovered) = recover(blob)? else { return Ok(None) };
        let text = line_of(&recovered.header) + &lines_of(&recovered.events);
        // Written by an earlier version the same may be said in other bytes.
        let read = blob.read().map_err(|source| storage_error(blob, source))?;
        let same = read.is_some_and(|bytes| bytes.starts_with(text.as_bytes()));
        let kept = if same { text.len() } else { 0 };
        Ok(Some((Journal { blob: blob.clone(), text, kept, begun: same }, recovered)))
    }

    /// Writes down what happened. It is on the disk when this returns.
    ///
    /// # Errors
    /// As [`append_all`](Journal::append_all).
    pub fn append(&mut self, event: &Event) -> Result<(), JournalError> {
        self.append_all(std::slice::from_ref(event))
    }

    /// Writes down what happened, in one go. It is on the disk when this returns, and so is everything before it.
    ///
    /// # Errors
    /// It cannot be written. It waits in memory and is written with the next call that succeeds.
    pub fn append_all(&mut self, events: &[Event]) -> Result<(), JournalError> {
        self.note(events);
        self.keep()
    }

    /// Takes down what happened without writing it: it waits for [`keep`](Journal::keep).
    pub fn note(&mut self, events: &[Event]) {
        self.text += &lines_of(events);
    }

    /// From now on the journal is kept here, all of it.
    pub fn move_to(&mut self, blob: &Blob) {
        self.blob = blob.clone();
        (self.kept, self.begun) = (0, false);
    }

    /// Writes what waits; does nothing where nothing waits.
    ///
    /// # Errors
    /// It cannot be written and goes on waiting.
    pub fn keep(&mut self) -> Result<(), JournalError> {
        if self.is_kept() {
            return Ok(());
        }
        let mut written = Err(io::ErrorKind::NotFound.into());
        if self.begun {
            written = self.blob.append(self.kept as u64, &self.text[self.kept..]);
        }
        // Somebody may have removed the file, or cut it.
        let gone = |error: &io::Error| matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof);
        if written.as_ref().is_err_and(gone) {
            written = self.blob.replace(&self.text);
        }
        written.map_err(|source| storage_error(&self.blob, source))?;
        self.begun = true;
        self.kept = self.text.len();
        Ok(())
    }

    /// True if everything that was written down is on the disk.
    pub fn is_kept(&self) -> bool {
        self.begun && self.kept == self.text.len()
    }
}

/// A journal that belongs to this window until it is dropped or the program ends, however it ends. A second window on the same storage
/// gets another.
#[derive(Debug)]
pub struct Place {
    blob: Blob,
    _owned: Owned,
}

/// So many windows can keep journals at the same time.
const MOST_PLACES: usize = 100;

impl Place {
    /// Takes the first journal that no other window owns and that holds an unfinished match, which is told; where there is none the first
    /// one that is free. The last value is what went wrong with journals on the way. `None` where none can be had.
    pub fn find(storage: &Arc<dyn Storage>) -> (Option<Place>, Option<Recovered>, Vec<JournalError>) {
        let mut free = None;
        let mut errors = Vec::new();
        let there = storage.list("").unwrap_or_default();
        for blob in blobs(storage) {
            if free.is_some() && !there.iter().any(|name| name == blob.name()) {
                continue;
            }
            match Place::take(blob) {
                Ok(Some((place, Some(recovered)))) if recovered.is_unfinished() => return (Some(place), Some(recovered), errors),
                Ok(Some((place, _))) => drop(free.get_or_insert(place)),
                Ok(None) => {}
                Err(error) => {
                    errors.push(error);
                    // What hinders the first hinders all: the folder cannot be written.
                    if there.is_empty() {
                        break;
                    }
                }
            }
        }
        (free, None, errors)
    }

    /// Takes the first journal that no window owns and that holds no unfinished match.
    ///
    /// # Errors
    /// None can be had, and why.
    pub fn free(storage: &Arc<dyn Storage>) -> Result<Place, JournalError> {
        let mut first = None;
        for blob in blobs(storage) {
            match Place::take(blob) {
                Ok(Some((place, recovered))) if !recovered.as_ref().is_some_and(|recovered| recovered.is_unfinished()) => {
                    return Ok(place);
                }
                Ok(_) => {}
                Err(error) => drop(first.get_or_insert(error)),
            }
        }
        Err(first.unwrap_or_else(|| storage_error(&blob(storage, 1), io::ErrorKind::ResourceBusy.into())))
    }

    /// `None` where another window owns it.
    fn take(blob: Blob) -> Result<Option<(Place, Option<Recovered>)>, JournalError> {
        let Some(owned) = blob.own().map_err(|source| storage_error(&blob, source))? else { return Ok(None) };
        let recovered = recover(&blob)?;
        Ok(Some((Place { blob, _owned: owned }, recovered)))
    }

    /// The journal.
    pub fn blob(&self) -> &Blob {
        &self.blob
    }
}

/// The journals there may be, in order.
fn blobs(storage: &Arc<dyn Storage>) -> impl Iterator<Item = Blob> + '_ {
    (1..=MOST_PLACES).map(|number| blob(storage, number))
}

/// The journal of this number, from 1.
fn blob(storage: &Arc<dyn Storage>, number: usize) -> Blob {
    let name = if number == 1 { "match.journal".to_owned() } else { format!("match-{number}.journal") };
    Blob::new(storage.clone(), name)
}

/// Reads a journal. `None` where there is none, or one that was torn before the match began. A damaged one is read up to the damage; it is
/// kept under another name, and what could be read takes its place.
///
/// # Errors
/// It cannot be read or not be set aside, or is damaged in its first line.
pub fn recover(blob: &Blob) -> Result<Option<Recovered>, JournalError> {
    let in_storage = |source| storage_error(blob, source);
    let Some(bytes) = blob.read().map_err(in_storage)? else { return Ok(None) };
    let journal = blob.to_string();
    let (mut recovered, fault) = match parse(&bytes) {
        Ok(None) => return Ok(None),
        Ok(Some(read)) => read,
        Err((line, why)) => {
            let kept = blob.keep_aside().map_err(in_storage)?.to_string();
            blob.remove().map_err(in_storage)?;
            return Err(JournalError::Damaged { journal, line, why, kept });
        }
    };
    if let Some((line, why)) = fault {
        let kept = blob.keep_aside().map_err(in_storage)?.to_string();
        // Where there is no room for it now, the next reader finds the same damage and the same copy.
        let _ = blob.replace(line_of(&recovered.header) + &lines_of(&recovered.events));
        let lines = bytes.split_inclusive(|&byte| byte == b'\n').count() + 1 - line;
        recovered.missing = Some(Missing { journal, line, why, lines, kept });
        recovered.torn = 0;
    }
    Ok(Some(recovered))
}

/// Why events do not make a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{why}", event.map_or(String::new(), |index| format!("event {}: ", index + 1)))]
pub struct ReplayError {
    /// Which event, from 0; `None` is the header.
    pub event: Option<usize>,
    /// What is wrong with it.
    pub why: String,
}

/// The game as it stands after the events.
///
/// # Errors
/// The header names no game or setup there is, or an event is not possible where it stands.
pub fn replay(header: &Header, events: &[Event]) -> Result<PlayedGame, ReplayError> {
    let head = |why: String| ReplayError { event: None, why };
    if header.version > VERSION {
        return Err(head(format!("written by a later version ({}) of the program", header.version)));
    }
    let game = games::find(&header.game).map_err(|error| head(error.to_string()))?;
    let mut table = game.table(&header.setup).map_err(|error| head(error.to_string()))?;
    // In records people play on after a repetition.
    table.adjudicate(!header.from_record);
    let mut game = PlayedGame::new(table);
    for (index, event) in events.iter().enumerate() {
        let done = match event {
            Event::Move(action) => game.play(*action).map(drop).map_err(|error| error.to_string()),
            Event::Undo => game.undo().map(drop).ok_or_else(|| "there is no move to take back".to_owned()),
            Event::Redo => game.redo().map(drop).ok_or_else(|| "there is no move to play again".to_owned()),
            Event::Tree(edit) => repeat(&mut game, edit),
            Event::Spent(_) | Event::Resign(_) | Event::Agreed | Event::TimeOut(_) | Event::Closed => Ok(()),
        };
        done.map_err(|why| ReplayError { event: Some(index), why })?;
    }
    game.go_to_present();
    game.judge();
    Ok(game)
}

/// Changes the tree as it was changed.
fn repeat(game: &mut PlayedGame, edit: &TreeEdit<TreePlace>) -> Result<(), String> {
    let at = game.node_of(edit.at()).ok_or("there is no such move in the tree")?;
    game.edit(&edit.clone().moved_to(at)).map(drop).map_err(|error| error.to_string())
}

/// The clock as it stands after the events. The turn that was running when the journal ends has used nothing yet: a kill costs nobody
/// time.
///
/// # Errors
/// As [`replay`].
pub fn clock_after(header: &Header, events: &[Event]) -> Result<Clock, ReplayError> {
    let mut game = replay(header, &[])?;
    let mut clock = Clock::new(header.control.sane());
    for (index, event) in events.iter().enumerate() {
        let turn = game.table().seat_to_move();
        match event {
            Event::Spent(ms) => drop(clock.spend(turn, Duration::from_millis(*ms))),
            Event::Move(action) => {
                game.play(*action).map_err(|error| ReplayError { event: Some(index), why: error.to_string() })?;
                clock.moved(turn);
            }
            Event::Undo if game.undo().is_some() => clock.taken_back(),
            Event::Redo if game.redo().is_some() => clock.played_again(),
            _ => {}
        }
    }
    Ok(clock)
}

/// How the match was ended by its players, if the last thing that happened on the board was that: the table itself
/// knows only the ends its rules make.
pub fn ending(events: &[Event]) -> Option<Outcome> {
    let last = events.iter().rev().find(|event| !matches!(event, Event::Closed | Event::Tree(_)))?;
    match *last {
        Event::Resign(side) => Some(Outcome::win(!side, Reason::Resignation)),
        Event::TimeOut(side) => Some(Outcome::win(!side, Reason::Time)),
        Event::Agreed => Some(Outcome::draw(Reason::Agreement)),
        Event::Spent(_) | Event::Move(_) | Event::Undo | Event::Redo | Event::Closed | Event::Tree(_) => None,
    }
}

fn storage_error(blob: &Blob, source: io::Error) -> JournalError {
    JournalError::Storage { journal: blob.to_string(), source }
}

/// FNV-1a (Fowler, Noll, Vo): enough to tell a damaged line from a whole one.
fn checksum(text: &str) -> u32 {
    text.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn line_of(value: &impl Serialize) -> String {
    let text = ron::to_string(value).expect("a journal holds only what RON can say");
    format!("{:08x} {text}\n", checksum(&text))
}

fn lines_of(events: &[Event]) -> String {
    events.iter().map(line_of).collect()
}

fn value_of<T: DeserializeOwned>(line: &[u8]) -> Result<T, String> {
    let line = std::str::from_utf8(line).map_err(|_| "this is no UTF-8 text".to_owned())?;
    let (sum, text) = line.split_once(' ').ok_or("this is no line of a journal")?;
    if sum != format!("{:08x}", checksum(text)) {
        return Err("the line does not match its checksum".to_owned());
    }
    ron::from_str(text).map_err(|error| error.code.to_string())
}

/// A line, from 1, and what is wrong with it.
type Fault = (usize, String);

/// Reads the lines up to the first that is damaged or tells what cannot have happened; a last one without its end is torn. An error is
/// one in the header, without which nothing can be read.
fn parse(bytes: &[u8]) -> Result<Option<(Recovered, Option<Fault>)>, Fault> {
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let torn = (bytes.len() - whole) as u64;
    let mut lines = bytes[..whole].split_inclusive(|&byte| byte == b'\n').map(|line| &line[..line.len() - 1]);
    let Some(first) = lines.next() else { return Ok(None) };
    let header = value_of(first).map_err(|why| (1, why))?;
    replay(&header, &[]).map_err(|error| (1, error.why))?;
    let (mut events, mut fault) = (Vec::new(), None);
    for (number, line) in (2..).zip(lines) {
        match value_of(line) {
            Ok(event) => events.push(event),
            Err(why) => {
                fault = Some((number, why));
                break;
            }
        }
    }
    if let Err(ReplayError { event: Some(index), why }) = replay(&header, &events) {
        events.truncate(index);
        fault = Some((index + 2, why));
    }
    Ok(Some((Recovered { header, events, torn, missing: None }, fault)))
}

#[cfg(test)]
mod tests;
