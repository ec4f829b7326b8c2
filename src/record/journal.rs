//! The journal of a running match: one line for each thing that happens, on the disk before the window shows it.
//!
//! A line is a checksum, a blank and a RON value: first the [`Header`], then the [`Event`]s. Every append is written whole and
//! synced, so a kill or a power cut can leave at most one torn line at the end, which is dropped when the journal is read
//! again. A file that is damaged elsewhere is set aside under another name, never deleted.

use super::SeatSpec;
use crate::games;
use crate::rules::{BySide, Outcome, Reason, Side};
use crate::table::{Action, Clock, Setup, Table, TimeControl};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// The format's version.
pub const VERSION: u32 = 2;

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
    /// [`VERSION`] of the program that wrote it.
    pub version: u32,
}

/// What happened in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// The side to move used so many milliseconds for the move that follows.
    Spent(u64),
    /// A move was played.
    Move(Action),
    /// The last move was taken back.
    Undo,
    /// A move taken back was played again.
    Redo,
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
    /// The file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is damaged. It was renamed, and nothing of it deleted.
    #[error("{}:{line}: {why}; the file was set aside as {}", path.display(), kept.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong there.
        why: String,
        /// Where the file is now.
        kept: PathBuf,
    },
}

/// What a journal told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// What the match began with.
    pub header: Header,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// Bytes of a torn last line that were passed over; 0 in a whole file.
    pub torn: u64,
}

impl Recovered {
    /// True if the match was left in good order.
    pub fn is_closed(&self) -> bool {
        self.events.last() == Some(&Event::Closed)
    }
}

/// A journal open for writing.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Begins the journal of a new match. A journal of that name is replaced in one step, so that a crash leaves
    /// either the old one or the new one.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create(path: &Path, header: &Header) -> Result<Journal, JournalError> {
        let fresh = beside(path, "new");
        let make = || -> io::Result<File> {
            if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                fs::create_dir_all(folder)?;
            }
            let mut file = File::create(&fresh)?;
            file.write_all(line_of(header).as_bytes())?;
            file.sync_all()?;
            fs::rename(&fresh, path)?;
            sync_folder(path);
            Ok(file)
        };
        let file = make().map_err(|source| file_error(path, source))?;
        Ok(Journal { file, path: path.to_owned() })
    }

    /// Opens a journal to go on with the match in it; a torn last line is cut off. `None` where there is no match in it.
    ///
    /// # Errors
    /// As [`recover`].
    pub fn resume(path: &Path) -> Result<Option<(Journal, Recovered)>, JournalError> {
        let Some(recovered) = recover(path)? else { return Ok(None) };
        let open = || -> io::Result<File> {
            let mut file = OpenOptions::new().write(true).open(path)?;
            let whole = file.metadata()?.len() - recovered.torn;
            file.set_len(whole)?;
            file.seek(SeekFrom::Start(whole))?;
            file.sync_data()?;
            Ok(file)
        };
        let file = open().map_err(|source| file_error(path, source))?;
        Ok(Some((Journal { file, path: path.to_owned() }, recovered)))
    }

    /// Writes down what happened. It is on the disk when this returns.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn append(&mut self, event: &Event) -> Result<(), JournalError> {
        self.append_all(std::slice::from_ref(event))
    }

    /// Writes down what happened, in one go. It is on the disk when this returns.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn append_all(&mut self, events: &[Event]) -> Result<(), JournalError> {
        let lines: String = events.iter().map(line_of).collect();
        let written = self.file.write_all(lines.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|source| file_error(&self.path, source))
    }

    /// The journal's file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Reads a journal. `None` where there is no file, or one that was torn before the match began.
///
/// # Errors
/// The file cannot be read, or it is damaged before its last line or tells a game that cannot be played: it is then set aside.
pub fn recover(path: &Path) -> Result<Option<Recovered>, JournalError> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(file_error(path, source)),
    };
    let read = parse(&bytes).and_then(|recovered| {
        if let Some(recovered) = &recovered {
            replay(&recovered.header, &recovered.events)
                .map_err(|error| (error.event.map_or(1, |index| index + 2), error.why))?;
        }
        Ok(recovered)
    });
    read.or_else(|(line, why)| {
        let kept = set_aside(path).map_err(|source| file_error(path, source))?;
        Err(JournalError::Damaged { path: path.to_owned(), line, why, kept })
    })
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

/// The table as it stands after the events.
///
/// # Errors
/// The header names no game or setup there is, or an event is not possible where it stands.
pub fn replay(header: &Header, events: &[Event]) -> Result<Box<dyn Table>, ReplayError> {
    let head = |why: String| ReplayError { event: None, why };
    if header.version > VERSION {
        return Err(head(format!("written by a later version ({}) of the program", header.version)));
    }
    let game = games::find(&header.game).map_err(|error| head(error.to_string()))?;
    let mut table = game.table(&header.setup).map_err(|error| head(error.to_string()))?;
    for (index, event) in events.iter().enumerate() {
        let done = match event {
            Event::Move(action) => table.play(*action).map(drop).map_err(|error| error.to_string()),
            Event::Undo => table.undo().map(drop).ok_or_else(|| "there is no move to take back".to_owned()),
            Event::Redo => table.redo().map(drop).ok_or_else(|| "there is no move to play again".to_owned()),
            Event::Spent(_) | Event::Resign(_) | Event::Agreed | Event::TimeOut(_) | Event::Closed => Ok(()),
        };
        done.map_err(|why| ReplayError { event: Some(index), why })?;
    }
    Ok(table)
}

/// The clock as it stands after the events. The turn that was running when the journal ends has used nothing yet: a kill costs nobody
/// time.
///
/// # Errors
/// As [`replay`].
pub fn clock_after(header: &Header, events: &[Event]) -> Result<Clock, ReplayError> {
    let mut table = replay(header, &[])?;
    let mut clock = Clock::new(header.control.sane());
    for (index, event) in events.iter().enumerate() {
        let turn = table.seat_to_move();
        match event {
            Event::Spent(ms) => drop(clock.spend(turn, Duration::from_millis(*ms))),
            Event::Move(action) => {
                table.play(*action).map_err(|error| ReplayError { event: Some(index), why: error.to_string() })?;
                clock.moved(turn);
            }
            Event::Undo if table.undo().is_some() => clock.taken_back(),
            Event::Redo if table.redo().is_some() => clock.played_again(),
            _ => {}
        }
    }
    Ok(clock)
}

/// How the match was ended by its players, if the last thing that happened on the board was that: the table itself
/// knows only the ends its rules make.
pub fn ending(events: &[Event]) -> Option<Outcome> {
    let last = events.iter().rev().find(|event| **event != Event::Closed)?;
    match *last {
        Event::Resign(side) => Some(Outcome::win(!side, Reason::Resignation)),
        Event::TimeOut(side) => Some(Outcome::win(!side, Reason::Time)),
        Event::Agreed => Some(Outcome::draw(Reason::Agreement)),
        Event::Spent(_) | Event::Move(_) | Event::Undo | Event::Redo | Event::Closed => None,
    }
}

fn file_error(path: &Path, source: io::Error) -> JournalError {
    JournalError::File { path: path.to_owned(), source }
}

/// The same file name with a further ending.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    path.with_file_name(name)
}

fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let free = (1..).map(|number| beside(path, &format!("damaged-{number}"))).find(|name| !name.exists());
    let kept = free.expect("there is always a further number");
    fs::rename(path, &kept)?;
    sync_folder(path);
    Ok(kept)
}

/// Makes a rename last. Where a system cannot sync a folder the file itself is still whole.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// FNV-1a (Fowler, Noll, Vo): enough to tell a damaged line from a whole one.
fn checksum(text: &str) -> u32 {
    text.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn line_of(value: &impl Serialize) -> String {
    let text = ron::to_string(value).expect("a journal holds only what RON can say");
    format!("{:08x} {text}\n", checksum(&text))
}

fn value_of<T: DeserializeOwned>(line: &[u8]) -> Result<T, String> {
    let line = std::str::from_utf8(line).map_err(|_| "this is no UTF-8 text".to_owned())?;
    let (sum, text) = line.split_once(' ').ok_or("this is no line of a journal")?;
    if sum != format!("{:08x}", checksum(text)) {
        return Err("the line does not match its checksum".to_owned());
    }
    ron::from_str(text).map_err(|error| error.code.to_string())
}

/// Reads the lines; a last one without its end is torn. Errors carry the line, from 1.
fn parse(bytes: &[u8]) -> Result<Option<Recovered>, (usize, String)> {
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let torn = (bytes.len() - whole) as u64;
    let mut lines = bytes[..whole].split_inclusive(|&byte| byte == b'\n').map(|line| &line[..line.len() - 1]);
    let Some(first) = lines.next() else { return Ok(None) };
    let header = value_of(first).map_err(|why| (1, why))?;
    let events = (2..).zip(lines).map(|(number, line)| value_of(line).map_err(|why| (number, why)));
    Ok(Some(Recovered { header, events: events.collect::<Result<_, _>>()?, torn }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Point;

    fn header() -> Header {
        let seats = BySide::new(SeatSpec::Human, SeatSpec::External { name: "some \"engine\"\nof two lines".into() });
        Header {
            game: "tic-tac-toe".into(),
            setup: Setup::default(),
            seats,
            control: TimeControl::Sudden { main: 60 },
            seed: 7,
            rated: false,
            version: VERSION,
        }
    }

    fn drop_at(x: u8, y: u8) -> Event {
        Event::Move(Action::Drop(Point::new(x, y)))
    }

    fn events() -> Vec<Event> {
        vec![drop_at(1, 1), drop_at(0, 0), Event::Undo, Event::Redo, Event::Undo, drop_at(2, 2), Event::Resign(Side::First)]
    }

    fn written(path: &Path) -> Vec<u8> {
        let mut journal = Journal::create(path, &header()).unwrap();
        for event in events() {
            journal.append(&event).unwrap();
        }
        fs::read(path).unwrap()
    }

    #[test]
    fn what_is_written_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("below/match.journal");
        assert_eq!(recover(&path).unwrap(), None);
        written(&path);
        let told = recover(&path).unwrap().unwrap();
        assert_eq!((told.header.clone(), told.events.clone(), told.torn), (header(), events(), 0));
        assert_eq!(replay(&told.header, &told.events).unwrap().position_text(), "..o.x.... x");
        assert_eq!(ending(&told.events), Some(Outcome::win(Side::Second, Reason::Resignation)));
        assert!(!told.is_closed());
    }

    #[test]
    fn the_clock_goes_on_where_it_stood() {
        let left = |events: &[Event], side| clock_after(&header(), events).unwrap().left(side).unwrap().left.as_millis();
        let spent = |ms| Event::Spent(ms);
        let mut events = vec![spent(1500), drop_at(1, 1), spent(250), drop_at(0, 0), spent(9999)];
        // What the running turn had used is not held against anybody.
        assert_eq!((left(&events[..4], Side::First), left(&events[..4], Side::Second)), (58_500, 59_750));
        events[4] = Event::Undo;
        assert_eq!((left(&events, Side::First), left(&events, Side::Second)), (58_500, 60_000));
        events.push(Event::Redo);
        assert_eq!(left(&events, Side::Second), 59_750);
    }

    #[test]
    fn cut_anywhere_it_loses_only_the_torn_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.journal");
        let bytes = written(&path);
        for length in 0..=bytes.len() {
            fs::write(&path, &bytes[..length]).unwrap();
            let lines = bytes[..length].iter().filter(|&&byte| byte == b'\n').count();
            let told = recover(&path).unwrap();
            let Some(told) = told else {
                assert_eq!(lines, 0, "nothing told of {length} bytes");
                continue;
            };
            assert_eq!(told.events, events()[..lines - 1], "{length} bytes");
            let ends_a_line = bytes[length - 1] == b'\n';
            assert_eq!(told.torn == 0, ends_a_line, "{length} bytes");
            // Going on after the cut leaves a whole journal.
            let (mut journal, _) = Journal::resume(&path).unwrap().unwrap();
            journal.append(&Event::Closed).unwrap();
            let after = recover(&path).unwrap().unwrap();
            assert_eq!((after.torn, after.events.len(), after.is_closed()), (0, lines, true), "{length} bytes");
        }
    }

    #[test]
    fn a_damaged_file_is_set_aside_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.journal");
        let bytes = written(&path);
        let whole_lines = bytes.iter().rposition(|&byte| byte == b'\n').unwrap();
        let mut kept_before = Vec::new();
        for at in 0..whole_lines {
            let mut bad = bytes.clone();
            bad[at] ^= 1;
            fs::write(&path, &bad).unwrap();
            let line = bytes[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
            match recover(&path) {
                Err(JournalError::Damaged { line: told, kept, .. }) => {
                    assert_eq!(told, line, "byte {at}");
                    assert_eq!(fs::read(&kept).unwrap(), bad, "byte {at}");
                    assert!(!path.exists() && !kept_before.contains(&kept), "byte {at}");
                    kept_before.push(kept);
                }
                other => panic!("byte {at} changed: {other:?}"),
            }
        }
    }

    #[test]
    fn a_game_that_cannot_be_played_is_damage() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.journal");
        // (header's game, events, the line blamed)
        let cases = [
            ("chess", vec![], 1),
            ("tic-tac-toe", vec![Event::Undo], 2),
            ("tic-tac-toe", vec![drop_at(1, 1), drop_at(1, 1)], 3),
            ("tic-tac-toe", vec![drop_at(1, 1), Event::Redo], 3),
        ];
        for (game, events, blamed) in cases {
            let mut journal = Journal::create(&path, &Header { game: game.into(), ..header() }).unwrap();
            for event in &events {
                journal.append(event).unwrap();
            }
            match recover(&path) {
                Err(JournalError::Damaged { line, .. }) => assert_eq!(line, blamed, "{game} {events:?}"),
                other => panic!("{game} {events:?}: {other:?}"),
            }
        }
    }

    #[test]
    fn a_new_match_replaces_the_old_in_one_step() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.journal");
        written(&path);
        Journal::create(&path, &header()).unwrap();
        assert_eq!(recover(&path).unwrap().unwrap().events, []);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
