//! The journal of a running match: one line for each event, written to the disk before the window shows the event.
//!
//! A line is a checksum, a space and a RON value: first the [`Header`], then the [`Event`]s. After a crash or a power
//! failure at most the last line is incomplete; it was never acknowledged and is ignored when the journal is read
//! again. Nothing is lost while the disk is full either: the lines wait in memory and are written with the first write
//! that succeeds. A journal that is damaged in the middle is read up to the damage; the damaged file is kept under
//! another name.
//!
//! Each open window has its own journal, a [`LockedJournal`].

use super::accord::{Accord, Agreement};
use super::letter::Phrase;
use super::{SeatSpec, Tags};
use crate::games;
use crate::message;
use crate::message::Message;
use crate::rules::{BySide, Outcome, Reason, Side};
use crate::storage::{Blob, LineFormat, Owned, Storage, complete_lines};
use crate::table::{Action, Clock, NodePath, PlayedGame, Setup, TimeControl, TreeEdit, controls_in_file};
use serde::{Deserialize, Serialize};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// The version of the format.
pub const VERSION: u32 = 4;

/// The folder of the journals of matches by letter.
pub const LETTERS: &str = "letters";

/// The beginning of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The game's key in the registry.
    pub game: String,
    /// Variant and position.
    pub setup: Setup,
    /// The players.
    pub seats: BySide<SeatSpec>,
    /// The seats of our engine whose level was chosen near the player's rating.
    #[serde(default)]
    pub near: BySide<bool>,
    /// The time controls.
    #[serde(default, with = "controls_in_file")]
    pub control: BySide<TimeControl>,
    /// The seed of the match (for the errors of the lower levels).
    pub seed: u64,
    /// A rated match: no hints and no undo.
    #[serde(default)]
    pub rated: bool,
    /// A teaching match: the moves are judged.
    #[serde(default)]
    pub teaching: bool,
    /// An analysis board: both sides are moved by the user.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub analysis: bool,
    /// True for a match opened from a record: a move in an earlier position is a variation even if the match is not
    /// over.
    #[serde(default)]
    pub from_record: bool,
    /// It shows a match by letter that may still go on: no engine helps.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unhelped: bool,
    /// What the record it was opened from said about the game: event, date, place and so on.
    #[serde(default, skip_serializing_if = "Tags::is_empty")]
    pub tags: Tags,
    /// The players' names in that record, where it told them.
    #[serde(default)]
    pub names: BySide<Option<String>>,
    /// [`VERSION`] of the program that wrote it.
    pub version: u32,
}

/// An event of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// The side to move used this time, in milliseconds, for the move that follows.
    Spent(u64),
    /// A move was played.
    Move(Action),
    /// The last move was taken back.
    Undo,
    /// A move taken back was played again.
    Redo,
    /// The tree was changed, but not the match: a variation, a comment and so on.
    Tree(TreeEdit<NodePath>),
    /// A side resigned.
    Resign(Side),
    /// The player used help: a hint, the analysis, exact results.
    Helped,
    /// In a teaching match, the player takes the last move back to try again.
    TriedAgain,
    /// In a teaching match, the player goes on after an error: the opponent may answer it.
    WentOn,
    /// A hint for the position on the board was told.
    Hinted {
        /// Its move.
        action: Action,
        /// The whole move was told, not only what moves.
        whole: bool,
    },
    /// Both sides agreed to a draw.
    Agreed,
    /// A side's time ran out.
    TimeOut(Side),
    /// A player offers a draw, which stands until the other one moves.
    Offered(Side),
    /// In a match by letter, a letter was read, or shown to be sent.
    Letter {
        /// When, in seconds since 1970.
        at: i64,
        /// The name of the one who wrote the letter that was read, if they have one.
        from: Option<String>,
    },
    /// The letters of the match go by themselves from now on, or go elsewhere.
    Post(Post),
    /// The user and a friend elsewhere agree on something beside the moves, or ask each other.
    Accord(Agreement),
    /// The clock of the player to move runs, in a match against a friend.
    Since {
        /// The time of day, in milliseconds since 1970.
        at: u64,
        /// The time that was used for the move until then, in milliseconds.
        spent: u64,
    },
    /// The user said something to the friend.
    Said {
        /// When, in seconds since 1970.
        at: u64,
        /// What.
        phrase: Phrase,
    },
    /// What the friend said at this time, in seconds since 1970, was told.
    Heard(u64),
    /// The match was closed normally; it is not offered again.
    Closed,
}

impl Event {
    /// True if it changes neither the moves nor who has won.
    fn is_beside(&self) -> bool {
        match self {
            Event::Closed | Event::Helped | Event::Tree(_) | Event::Offered(_) | Event::Letter { .. } | Event::Post(_) => true,
            Event::Since { .. } | Event::Said { .. } | Event::Heard(_) | Event::TriedAgain => true,
            Event::WentOn | Event::Hinted { .. } => true,
            Event::Accord(step) => !matches!(step, Agreement::TakenBack { .. }),
            Event::Spent(_) | Event::Move(_) | Event::Undo | Event::Redo => false,
            Event::Resign(_) | Event::Agreed | Event::TimeOut(_) => false,
        }
    }
}

/// How the letters of a match go by themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Post {
    /// The address of the broker.
    pub at: String,
    /// This program is the broker, on the local network.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hosts: bool,
    /// The own key for this match; it is never told to anybody.
    pub secret: String,
    /// The own public key.
    pub public: String,
    /// The public key of the friend, as soon as they sit at the board.
    #[serde(default)]
    pub friend: Option<String>,
    /// The key with which the match is shown to others; that with which it is seen, where the user looks on and has no key of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watch: Option<String>,
}

/// Why a journal could not be written or read.
#[derive(Debug, Error)]
#[error("{}", Message::from(self))]
pub enum JournalError {
    /// It cannot be read or written.
    Storage {
        /// The journal's name, as users know it.
        journal: String,
        /// The error of the system.
        source: io::Error,
    },
    /// Even its first line cannot be read. It was renamed; nothing was deleted.
    Damaged {
        /// The journal's name, as users know it.
        journal: String,
        /// Line, from 1.
        line: usize,
        /// What is wrong there.
        why: Message,
        /// The new name of the damaged file.
        kept: String,
    },
}

crate::has_message!(JournalError, Missing, ReplayError);

impl From<&JournalError> for Message {
    fn from(error: &JournalError) -> Message {
        match error {
            JournalError::Storage { journal, source } => message!("{}: {}", journal, source),
            JournalError::Damaged { journal, line, why, kept } => {
                message!("{}:{}: {}; the file was renamed to {}", journal, line, why, kept)
            }
        }
    }
}

/// The missing part of a damaged journal.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", Message::from(self))]
pub struct Missing {
    /// The journal's name, as users know it.
    pub journal: String,
    /// The first line that could not be used, from 1.
    pub line: usize,
    /// What is wrong there.
    pub why: Message,
    /// The number of lines from there on, which are lost.
    pub lines: usize,
    /// The new name of the damaged file.
    pub kept: String,
}

impl From<&Missing> for Message {
    fn from(missing: &Missing) -> Message {
        let Missing { journal, line, why, lines, kept } = missing;
        message!("{}:{}: {}; {} lines from there on are lost, the damaged file is kept as {}", journal, line, why, lines, kept)
    }
}

/// The contents of a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// The beginning of the match.
    pub header: Header,
    /// The events, in order.
    pub events: Vec<Event>,
    /// The number of bytes of an incomplete last line, which was never acknowledged and is ignored. 0 in a complete
    /// file.
    pub torn: u64,
    /// The lost part of a damaged journal; the events are those before it.
    pub missing: Option<Missing>,
}

impl Recovered {
    /// True if the match was closed normally.
    pub fn is_closed(&self) -> bool {
        self.events.last() == Some(&Event::Closed)
    }

    /// True if there is a match to continue: it has events, is not closed and not over.
    pub fn is_unfinished(&self) -> bool {
        !self.events.is_empty() && !self.is_closed() && !self.is_over()
    }

    /// True if the match is over, by the rules of the game or by a player's decision.
    pub fn is_over(&self) -> bool {
        let by_the_rules = || replay(&self.header, &self.events).is_ok_and(|game| game.table().outcome().is_some());
        ending(&self.events).is_some() || by_the_rules()
    }

    /// True if moves were taken back in it, or the player used help.
    pub fn is_helped(&self) -> bool {
        self.events.iter().any(|event| matches!(event, Event::Undo | Event::Accord(Agreement::TakenBack { .. }) | Event::Helped))
    }

    /// True if another match may be written over this one: it is closed or over, and nothing was written about it
    /// afterwards.
    fn is_done(&self) -> bool {
        let worked_on = matches!(self.events.last(), Some(Event::Tree(_)));
        self.events.is_empty() || self.is_closed() || (self.is_over() && !worked_on)
    }
}

/// A journal open for writing.
#[derive(Debug)]
pub struct Journal {
    blob: Blob,
    /// The whole journal: the part on the disk and the part that waits.
    text: String,
    /// The number of bytes that are certainly on the disk.
    kept: usize,
    /// False until the journal of an earlier match has been replaced.
    begun: bool,
}

impl Journal {
    /// The journal of a new match with its first events. Nothing is written before [`keep`](Journal::keep), which
    /// replaces a journal with the same name atomically.
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

    /// Opens a journal to continue its match. An incomplete last line is removed with the next write. `None` if there
    /// is no match in it.
    ///
    /// # Errors
    /// The same as for [`recover`].
    pub fn resume(blob: &Blob) -> Result<Option<(Journal, Recovered)>, JournalError> {
        let Some(recovered) = recover(blob)? else { return Ok(None) };
        let text = line_of(&recovered.header) + &lines_of(&recovered.events);
        // An earlier version may have written the same events with other bytes.
        let read = blob.read().map_err(|source| storage_error(blob, source))?;
        let same = read.is_some_and(|bytes| bytes.starts_with(text.as_bytes()));
        let kept = if same { text.len() } else { 0 };
        Ok(Some((Journal { blob: blob.clone(), text, kept, begun: same }, recovered)))
    }

    /// Writes an event. It is on the disk when this returns.
    ///
    /// # Errors
    /// The same as for [`append_all`](Journal::append_all).
    pub fn append(&mut self, event: &Event) -> Result<(), JournalError> {
        self.append_all(std::slice::from_ref(event))
    }

    /// Writes events together. They and all earlier events are on the disk when this returns.
    ///
    /// # Errors
    /// They cannot be written. They wait in memory and are written with the next call that succeeds.
    pub fn append_all(&mut self, events: &[Event]) -> Result<(), JournalError> {
        self.note(events);
        self.keep()
    }

    /// Adds events without writing them: they wait for [`keep`](Journal::keep).
    pub fn note(&mut self, events: &[Event]) {
        self.text += &lines_of(events);
    }

    /// Moves the whole journal to another blob.
    pub fn move_to(&mut self, blob: &Blob) {
        self.blob = blob.clone();
        (self.kept, self.begun) = (0, false);
    }

    /// Writes the events that wait, if any.
    ///
    /// # Errors
    /// They cannot be written and continue to wait.
    pub fn keep(&mut self) -> Result<(), JournalError> {
        if self.is_kept() {
            return Ok(());
        }
        let mut written = Err(io::ErrorKind::NotFound.into());
        if self.begun {
            written = self.blob.append(self.kept as u64, &self.text[self.kept..]);
        }
        // The user may have removed or truncated the file.
        let gone = |error: &io::Error| matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof);
        if written.as_ref().is_err_and(gone) {
            written = self.blob.replace(&self.text);
        }
        written.map_err(|source| storage_error(&self.blob, source))?;
        self.begun = true;
        self.kept = self.text.len();
        Ok(())
    }

    /// True if all events are on the disk.
    pub fn is_kept(&self) -> bool {
        self.begun && self.kept == self.text.len()
    }
}

/// A journal that is locked by this window until it is dropped or the program ends, even by a crash. A second window
/// with the same storage gets another journal.
#[derive(Debug)]
pub struct LockedJournal {
    blob: Blob,
    _owned: Owned,
}

/// The most windows that can have journals at the same time.
const MOST_PLACES: usize = 100;

impl LockedJournal {
    /// Takes the first journal with an unfinished match that no other window has locked, and returns its contents; if
    /// there is none, the first free journal. The last value are the errors of other journals. `None` if no journal is
    /// available.
    pub fn find(storage: &Arc<dyn Storage>) -> (Option<LockedJournal>, Option<Recovered>, Vec<JournalError>) {
        let mut free = None;
        let mut errors = Vec::new();
        let there = storage.list("").unwrap_or_default();
        for blob in blobs(storage) {
            if free.is_some() && !there.iter().any(|name| name == blob.name()) {
                continue;
            }
            match LockedJournal::take(blob) {
                Ok(Some((place, Some(recovered)))) if recovered.is_unfinished() => return (Some(place), Some(recovered), errors),
                Ok(Some((place, _))) => drop(free.get_or_insert(place)),
                Ok(None) => {}
                Err(error) => {
                    errors.push(error);
                    // The error would be the same for all: the folder cannot be written.
                    if there.is_empty() {
                        break;
                    }
                }
            }
        }
        (free, None, errors)
    }

    /// Takes the first journal without a match that is still needed, and that no window has locked.
    ///
    /// # Errors
    /// No journal is available, with the reason.
    pub fn free(storage: &Arc<dyn Storage>) -> Result<LockedJournal, JournalError> {
        let mut first = None;
        for blob in blobs(storage) {
            match LockedJournal::take(blob) {
                Ok(Some((place, recovered))) if recovered.as_ref().is_none_or(Recovered::is_done) => return Ok(place),
                Ok(_) => {}
                Err(error) => drop(first.get_or_insert(error)),
            }
        }
        Err(first.unwrap_or_else(|| storage_error(&blob(storage, 1), io::ErrorKind::ResourceBusy.into())))
    }

    /// Takes the journal of a match by letter, with its contents. `None` if another window has locked it.
    ///
    /// # Errors
    /// It cannot be locked or read.
    pub fn by_letter(
        storage: &Arc<dyn Storage>,
        number: u64,
    ) -> Result<Option<(LockedJournal, Option<Recovered>)>, JournalError> {
        LockedJournal::take(Blob::new(storage.clone(), name_by_letter(number)))
    }

    /// `None` if another window has locked it.
    fn take(blob: Blob) -> Result<Option<(LockedJournal, Option<Recovered>)>, JournalError> {
        let Some(owned) = blob.own().map_err(|source| storage_error(&blob, source))? else { return Ok(None) };
        let recovered = recover(&blob)?;
        Ok(Some((LockedJournal { blob, _owned: owned }, recovered)))
    }

    /// The journal.
    pub fn blob(&self) -> &Blob {
        &self.blob
    }
}

/// All possible journals, in order.
fn blobs(storage: &Arc<dyn Storage>) -> impl Iterator<Item = Blob> + '_ {
    (1..=MOST_PLACES).map(|number| blob(storage, number))
}

/// True for the name of a journal.
pub(super) fn is_journal(name: &str) -> bool {
    (1..=MOST_PLACES).any(|number| name_of(number) == name)
}

/// The names of the journals that the first two windows use, even before there are any.
pub(super) fn first_names() -> impl Iterator<Item = String> {
    (1..=2).map(name_of)
}

fn name_of(number: usize) -> String {
    if number == 1 { "match.journal".to_owned() } else { format!("match-{number}.journal") }
}

/// The journal with this number, from 1.
fn blob(storage: &Arc<dyn Storage>, number: usize) -> Blob {
    Blob::new(storage.clone(), name_of(number))
}

/// Reads a journal. `None` if there is none, or if even its first line is incomplete. A damaged journal is read up to
/// the damage; it is renamed, and replaced by the part that could be read.
///
/// # Errors
/// It cannot be read or renamed, or its first line is damaged.
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
        // If the disk is full now, the next reader finds the same damage and the same copy.
        let _ = blob.replace(line_of(&recovered.header) + &lines_of(&recovered.events));
        let lines = bytes.split_inclusive(|&byte| byte == b'\n').count() + 1 - line;
        recovered.missing = Some(Missing { journal, line, why, lines, kept });
        recovered.torn = 0;
    }
    Ok(Some(recovered))
}

/// Why events cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", Message::from(self))]
pub struct ReplayError {
    /// The number of the event, from 0; `None` is the header.
    pub event: Option<usize>,
    /// What is wrong with it.
    pub why: Message,
}

impl From<&ReplayError> for Message {
    fn from(error: &ReplayError) -> Message {
        match error.event {
            Some(index) => message!("event {}: {}", index + 1, &error.why),
            None => error.why.clone(),
        }
    }
}

/// The game after the events.
///
/// # Errors
/// The game or the setup of the header is unknown, or an event is not possible.
pub fn replay(header: &Header, events: &[Event]) -> Result<PlayedGame, ReplayError> {
    let head = |why: Message| ReplayError { event: None, why };
    if header.version > VERSION {
        return Err(head(message!("written by a later version ({}) of the program", header.version)));
    }
    let game = games::find(&header.game).map_err(|error| head(error.into()))?;
    let mut table = game.table(&header.setup).map_err(|error| head(error.into()))?;
    // Records may continue after a repetition.
    table.adjudicate(!header.from_record);
    let mut game = PlayedGame::new(table);
    for (index, event) in events.iter().enumerate() {
        again(&mut game, event).map_err(|why| ReplayError { event: Some(index), why })?;
    }
    game.go_to_present();
    game.judge();
    Ok(game)
}

/// Does again what an event did to the moves.
fn again(game: &mut PlayedGame, event: &Event) -> Result<(), Message> {
    match event {
        Event::Move(action) => game.play(*action).map(drop).map_err(Message::from),
        Event::Undo => game.undo().map(drop).ok_or_else(|| message!("there is no move to take back")),
        Event::Redo => game.redo().map(drop).ok_or_else(|| message!("there is no move to play again")),
        Event::Tree(edit) => repeat(game, edit),
        Event::Accord(Agreement::TakenBack { to, .. }) => back_to(game, *to, |_| ()),
        _ => Ok(()),
    }
}

/// Takes moves back until so many are left; each is told.
fn back_to(game: &mut PlayedGame, moves: usize, mut undone: impl FnMut(&PlayedGame)) -> Result<(), Message> {
    while game.line().len() > moves {
        game.undo().ok_or_else(|| message!("there is no move to take back"))?;
        undone(game);
    }
    Ok(())
}

/// Repeats a change of the tree.
fn repeat(game: &mut PlayedGame, edit: &TreeEdit<NodePath>) -> Result<(), Message> {
    let at = game.node_of(edit.at()).ok_or(message!("there is no such move in the tree"))?;
    game.edit(&edit.clone().moved_to(at)).map(drop).map_err(Message::from)
}

/// The clock after the events. The last turn has used no time yet, so a crash costs no
/// time.
///
/// # Errors
/// The same as for [`replay`].
pub fn clock_after(header: &Header, events: &[Event]) -> Result<Clock, ReplayError> {
    let mut game = replay(header, &[])?;
    let mut clock = Clock::new(header.control.sane());
    for (index, event) in events.iter().enumerate() {
        let turn = game.table().seat_to_move();
        match event {
            Event::Spent(ms) => drop(clock.spend(turn, Duration::from_millis(*ms))),
            Event::Move(action) => {
                game.play(*action).map_err(|error| ReplayError { event: Some(index), why: error.into() })?;
                clock.moved(turn);
            }
            Event::Undo if game.undo().is_some() => clock.taken_back(),
            Event::Redo if game.redo().is_some() => clock.played_again(),
            Event::Accord(Agreement::TakenBack { to, .. }) => {
                back_to(&mut game, *to, |_| clock.taken_back()).map_err(|why| ReplayError { event: Some(index), why })?
            }
            _ => {}
        }
    }
    Ok(clock)
}

/// The outcome by resignation, agreement or time, if the last event of the match is one of these. The table itself
/// knows only outcomes by its rules.
pub fn ending(events: &[Event]) -> Option<Outcome> {
    let last = events.iter().rev().find(|event| !event.is_beside())?;
    match *last {
        Event::Resign(side) => Some(Outcome::win(!side, Reason::Resignation)),
        Event::TimeOut(side) => Some(Outcome::win(!side, Reason::Time)),
        Event::Agreed => Some(Outcome::draw(Reason::Agreement)),
        _ => None,
    }
}

/// The seat whose offer of a draw stands after the events.
///
/// # Errors
/// The same as for [`replay`].
pub fn offer(header: &Header, events: &[Event]) -> Result<Option<Side>, ReplayError> {
    let mut game = replay(header, &[])?;
    let mut offered = None;
    for (index, event) in events.iter().enumerate() {
        let mover = game.table().seat_to_move();
        again(&mut game, event).map_err(|why| ReplayError { event: Some(index), why })?;
        match event {
            Event::Offered(seat) => offered = Some(*seat),
            Event::Move(_) => offered = offered.filter(|seat| *seat == mover),
            Event::Accord(Agreement::TakenBack { .. }) => offered = None,
            Event::Accord(Agreement::Declined { by, .. }) => offered = offered.filter(|seat| seat == by),
            _ => {}
        }
    }
    Ok(offered)
}

/// What the players agreed on beside the moves, after the events.
///
/// # Errors
/// The same as for [`replay`].
pub fn accord(header: &Header, events: &[Event]) -> Result<Accord, ReplayError> {
    let mut game = replay(header, &[])?;
    let mut accord = Accord::default();
    for (index, event) in events.iter().enumerate() {
        let mover = game.table().seat_to_move();
        again(&mut game, event).map_err(|why| ReplayError { event: Some(index), why })?;
        match event {
            Event::Move(_) => accord.moved(mover),
            Event::Accord(step) => accord.apply(*step),
            _ => {}
        }
    }
    Ok(accord)
}

/// The time that the player to move has used for the move, in a match against a friend: it goes on while the match is closed. `now` is in milliseconds
/// since 1970; a clock that was set back counts nothing.
pub fn in_turn(events: &[Event], now: u64) -> Duration {
    let (mut used, mut paused) = (Duration::ZERO, false);
    let mut since = None;
    for event in events {
        match *event {
            Event::Since { at, spent } => {
                used = Duration::from_millis(spent);
                since = Some(at);
            }
            Event::Accord(Agreement::Paused(times)) => paused = times % 2 == 1,
            _ if event.is_beside() => {}
            _ => (used, since) = (Duration::ZERO, None),
        }
    }
    let away = since.filter(|_| !paused).map_or(0, |at| now.saturating_sub(at));
    used + Duration::from_millis(away)
}

/// How often moves of a teaching match were taken back to try again.
pub fn tries(events: &[Event]) -> usize {
    events.iter().filter(|event| matches!(event, Event::TriedAgain)).count()
}

/// True if a person has gone on after an error, and has not moved since.
///
/// # Errors
/// The same as for [`replay`].
pub fn went_on(header: &Header, events: &[Event]) -> Result<bool, ReplayError> {
    let mut game = replay(header, &[])?;
    let mut goes_on = false;
    for (index, event) in events.iter().enumerate() {
        let by_person = header.seats[game.table().seat_to_move()] == SeatSpec::Human;
        again(&mut game, event).map_err(|why| ReplayError { event: Some(index), why })?;
        match event {
            Event::WentOn => goes_on = true,
            Event::Move(_) => goes_on &= !by_person,
            _ => goes_on &= event.is_beside(),
        }
    }
    Ok(goes_on)
}

/// The hint that was told for the position after the events, and whether the whole move was told.
pub fn hinted(events: &[Event]) -> Option<(Action, bool)> {
    let since = events.iter().rev().take_while(|event| event.is_beside());
    since.into_iter().find_map(|event| if let Event::Hinted { action, whole } = event { Some((*action, *whole)) } else { None })
}

/// What the user said last, and when.
pub fn said(events: &[Event]) -> Option<(u64, Phrase)> {
    events.iter().rev().find_map(|event| if let Event::Said { at, phrase } = event { Some((*at, *phrase)) } else { None })
}

/// When the friend said the last thing that was told; 0 if nothing was.
pub fn heard(events: &[Event]) -> u64 {
    events.iter().rev().find_map(|event| if let Event::Heard(at) = event { Some(*at) } else { None }).unwrap_or_default()
}

/// How the letters go by themselves after the events, if they do.
pub fn post(events: &[Event]) -> Option<&Post> {
    events.iter().rev().find_map(|event| if let Event::Post(post) = event { Some(post) } else { None })
}

/// When the last letter was read or shown, in seconds since 1970.
pub fn last_letter(events: &[Event]) -> Option<i64> {
    events.iter().rev().find_map(|event| if let Event::Letter { at, .. } = event { Some(*at) } else { None })
}

/// The name with which the last letter that was read is signed.
pub fn last_writer(events: &[Event]) -> Option<&str> {
    events
        .iter()
        .rev()
        .find_map(|event| if let Event::Letter { from: Some(name), .. } = event { Some(name.as_str()) } else { None })
}

/// The name of the journal of the match by letter with this number. Each has one, beside those of the windows.
pub fn name_by_letter(number: u64) -> String {
    format!("{LETTERS}/{}.journal", super::letter::name_of(number))
}

/// The number of the match by letter that has this journal; `None` for another name.
pub fn number_by_letter(name: &str) -> Option<u64> {
    let number = u64::from_str_radix(name.strip_prefix(LETTERS)?.strip_prefix('/')?.strip_suffix(".journal")?, 16).ok();
    number.filter(|number| name_by_letter(*number) == name)
}

fn storage_error(blob: &Blob, source: io::Error) -> JournalError {
    JournalError::Storage { journal: blob.to_string(), source }
}

/// FNV-1a (Fowler, Noll, Vo), which is enough to detect a damaged line.
fn checksum(text: &str) -> u32 {
    text.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

const LINES: LineFormat = LineFormat { checksum: |text| format!("{:08x}", checksum(text)) };

fn line_of(value: &impl Serialize) -> String {
    LINES.write(value).expect("a journal holds only what RON can say")
}

fn lines_of(events: &[Event]) -> String {
    events.iter().map(line_of).collect()
}

/// A line number, from 1, and what is wrong there.
type Fault = (usize, Message);

/// Reads the lines up to the first that is damaged or has an impossible event; a last line without its line end is
/// incomplete. An error is an error in the header, without which nothing can be read.
fn parse(bytes: &[u8]) -> Result<Option<(Recovered, Option<Fault>)>, Fault> {
    let (mut lines, whole) = complete_lines(bytes);
    let torn = (bytes.len() - whole) as u64;
    let Some(first) = lines.next() else { return Ok(None) };
    let header = LINES.read(first).map_err(|why| (1, why.into()))?;
    replay(&header, &[]).map_err(|error| (1, error.why))?;
    let (mut events, mut fault) = (Vec::new(), None);
    for (number, line) in (2..).zip(lines) {
        match LINES.read(line) {
            Ok(event) => events.push(event),
            Err(why) => {
                fault = Some((number, why.into()));
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
