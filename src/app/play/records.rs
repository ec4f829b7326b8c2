//! Saved games: every match that ends or is replaced by another is saved, and can be opened again.

use super::clock::MatchClock;
use super::game::{Beginning, CurrentMatch, Heading, fresh_seed, in_match};
use super::messages::{MatchEnded, RecordKept};
use super::reading::from_home;
use crate::app::ground::engines::Engines;
use crate::app::ground::home::Home;
use crate::app::ground::library::Library;
use crate::app::ground::notices::Notices;
use crate::app::ground::platform;
use crate::app::ground::requests::{BeginRequest, ReadRequest, RecordsRequest, Requests};
use crate::app::ground::setup::{MatchSetup, Purpose};
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use bevy::prelude::*;
use qiju_core::message;
use qiju_core::message::Message;
use qiju_core::record::journal::Recovered;
use qiju_core::record::{Record, SeatSpec, Summary, journal};
use qiju_core::rules::{BySide, Outcome, Side};
use qiju_core::storage::{Storage, crc32};
use qiju_core::table::{Clock, PlayedGame};
use std::path::{Path, PathBuf};

/// A saved game.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedGame {
    /// Its file.
    pub path: PathBuf,
    /// Its summary.
    pub record: Summary,
}

/// The saved games, newest first; loaded on request.
#[derive(Resource, Default)]
pub struct SavedGames {
    /// The records.
    pub games: Vec<SavedGame>,
    /// What was deleted last, until the page is closed.
    pub deleted: Option<DeletedGame>,
}

/// A saved game that was deleted and can be brought back.
#[derive(Clone, Debug)]
pub struct DeletedGame {
    /// The game as it was listed, and its place in the list.
    pub game: SavedGame,
    place: usize,
    bytes: Vec<u8>,
}

/// The most records in the list.
const LISTED: usize = 1000;
/// Matches with fewer moves are not saved.
pub(super) const WORTH_KEEPING: usize = 2;

/// The folder of the records in the storage.
pub(super) const FOLDER: &str = qiju_core::record::data::RECORDS;

impl Home {
    /// The folder of the records.
    pub fn records(&self) -> PathBuf {
        self.0.join(FOLDER)
    }
}

/// The record of a match, with its times and what its own record said about it.
pub(super) fn record_of(current: &CurrentMatch, clock: &Clock) -> Record {
    let mut record = on_paper(current.played(), current.seats().clone(), current.outcome(), current.heading());
    let times = clock.times();
    if times.len() == current.played().line().len() && times.iter().any(|time| !time.is_zero()) {
        let times_ms: Vec<u64> = times.iter().map(|time| time.as_millis() as u64).collect();
        record.set_times(&times_ms);
    }
    record
}

/// The record of a game, with its variations and comments.
fn on_paper(played: &PlayedGame, seats: BySide<SeatSpec>, outcome: Option<Outcome>, heading: &Heading) -> Record {
    let outcome = outcome.or_else(|| played.table().outcome());
    let mut record = Record::with_tree(played.table(), seats, outcome, played.kept_tree().packed());
    record.tags = heading.tags.clone();
    for side in Side::BOTH {
        // In a record a friend is a person.
        if record.seats[side] == SeatSpec::Friend {
            record.seats[side] = SeatSpec::Human;
        }
        if let Some(name) = heading.names[side].as_ref().filter(|_| record.seats[side] == SeatSpec::Human) {
            record.seats[side] = SeatSpec::External { name: name.clone() };
        }
    }
    record
}

/// The game of a record, with a clock from its times.
fn from_paper(record: &Record) -> Result<(PlayedGame, Clock), Message> {
    let table = record.table()?;
    let played =
        PlayedGame::with_tree(table, record.tree.clone()).map_err(|(number, error)| message!("move {}: {}", number, error))?;
    let mut clock = Clock::new(BySide::default());
    let mut table = record.table()?;
    for id in played.line() {
        let node = record.tree.node(*id);
        let mover = table.seat_to_move();
        if let Some(action) = node.action() {
            table.play(action)?;
        }
        clock.spend(mover, std::time::Duration::from_millis(record.tree.notes(*id).time_ms.unwrap_or(0)));
        clock.moved(mover);
    }
    Ok((played, clock))
}

/// The end of the name of a file with a match's number.
fn numbered(record: &Record, number: u32) -> String {
    format!(" {} {number:08x}.ron", record.game)
}

/// The number under which a finished game is set aside before its match goes on from an earlier position.
fn aside_number(record: &Record, seed: u64) -> u32 {
    crc32([&seed.to_le_bytes()[..], format!("{:?}", record.main_actions()).as_bytes()])
}

/// The first file among the saved games whose name ends so.
fn saved_as(storage: &dyn Storage, ending: &str) -> Option<String> {
    storage.list(FOLDER).ok()?.into_iter().find(|name| name.ends_with(ending))
}

/// A finished match goes on from an earlier position: its saved game stays, under a number of its own, and the match will be saved as another one.
///
/// # Errors
/// The file cannot be read or written.
pub(super) fn set_aside(home: &Home, current: &CurrentMatch, clock: &Clock) -> Result<(), Message> {
    let (storage, record) = (home.storage(), record_of(current, clock));
    let own = numbered(&record, current.seed() as u32);
    let Some(name) = saved_as(&*storage, &own) else { return Ok(()) };
    let other = name.replace(&own, &numbered(&record, aside_number(&record, current.seed())));
    let told = |name: &str| storage.shown(name);
    let bytes = storage.read(&name).map_err(|error| message!("{}: {}", told(&name), error))?.unwrap_or_default();
    storage.replace(&other, &[&bytes]).map_err(|error| message!("{}: {}", told(&other), error))?;
    storage.remove(&name).map_err(|error| message!("{}: {}", told(&name), error))
}

/// Saves a record under the date and the match's number, so that a continued match uses the same file. A game that was set aside and is played again to
/// its end uses that file.
pub(super) fn keep(home: &Home, mut record: Record, seed: u64) -> Result<PathBuf, Message> {
    let storage = home.storage();
    let ending = numbered(&record, seed as u32);
    let known = saved_as(&*storage, &numbered(&record, aside_number(&record, seed))).or_else(|| saved_as(&*storage, &ending));
    let now = platform::now();
    let name = known.unwrap_or_else(|| format!("{FOLDER}/{}{ending}", now.strftime("%Y-%m-%d %H.%M")));
    if record.tags.get("Event").is_none() {
        record.tags.set("Event", now.strftime("%Y-%m-%d %H:%M").to_string());
    }
    // A title that was given on the page of saved games stays.
    if record.tags.get("Title").is_none()
        && let Ok(Some(kept)) = storage.read(&name)
        && let Some(title) = Record::peek(&kept).as_ref().and_then(|kept| kept.tags.get("Title"))
    {
        record.tags.set("Title", title);
    }
    let written = storage.replace(&name, &[record.to_text().as_bytes()]);
    written.map_err(|error| message!("{}: {}", storage.shown(&name), error))?;
    Ok(home.0.join(name))
}

fn save(
    mut requests: MessageReader<RecordsRequest>,
    mut ended: MessageReader<MatchEnded>,
    (current, clock): (Res<CurrentMatch>, Res<MatchClock>),
    (home, words, mut notices, mut kept): (Res<Home>, Res<Words>, ResMut<Notices>, MessageWriter<RecordKept>),
) {
    let asked = requests.read().any(|request| *request == RecordsRequest::Save);
    // A record that was opened already has its file.
    // An analysis board is kept when it is left; a task of the first steps is not a game to be kept.
    let ended = ended.read().count() > 0 && (current.worked_on || !current.from_record) && !current.is_analysis();
    if !asked && !ended || !current.traits().whole_game {
        return;
    }
    let record = record_of(&current, clock.get());
    if !asked && record.plies() < WORTH_KEEPING {
        return;
    }
    match keep(&home, record, current.seed()) {
        Ok(path) => {
            if asked {
                notices.warn(words.with("records.saved", path.display()));
            }
            kept.write(RecordKept(path));
        }
        Err(why) => notices.fail(why),
    }
}

/// Saves variations and comments made after the end of the match when it is left.
fn save_afterwards(
    current: Option<Res<CurrentMatch>>,
    clock: Res<MatchClock>,
    (home, mut notices, mut kept): (Res<Home>, ResMut<Notices>, MessageWriter<RecordKept>),
) {
    let Some(current) = current.filter(|current| current.worked_on && current.outcome().is_some() && current.traits().whole_game)
    else {
        return;
    };
    let record = record_of(&current, clock.get());
    if record.plies() >= WORTH_KEEPING {
        match keep(&home, record, current.seed()) {
            Ok(path) => drop(kept.write(RecordKept(path))),
            Err(why) => notices.fail(why),
        }
    }
}

/// The local date of a time in seconds since 1970.
pub fn day_of(seconds: i64) -> Option<String> {
    let moment = jiff::Timestamp::from_second(seconds).ok()?;
    Some(platform::local(moment).strftime("%Y-%m-%d").to_string())
}

/// The local time of today, or the date of another day, of a time in seconds since 1970.
pub fn moment_of(seconds: i64) -> Option<String> {
    let moment = platform::local(jiff::Timestamp::from_second(seconds).ok()?);
    if moment.date() == platform::now().date() { Some(moment.strftime("%H:%M").to_string()) } else { day_of(seconds) }
}

/// Saves the match of a journal that is replaced by another. Returns its path, if it was saved.
///
/// # Errors
/// The record cannot be written.
pub(super) fn keep_unfinished(home: &Home, told: &Recovered) -> Result<Option<PathBuf>, Message> {
    let Ok(played) = journal::replay(&told.header, &told.events) else { return Ok(None) };
    let ending = journal::ending(&told.events);
    // A finished match was saved at its end; later changes are saved now.
    let worked_on = told.events.iter().any(|event| matches!(event, journal::Event::Tree(_)));
    let done = (played.table().outcome().is_some() || ending.is_some()) && !worked_on;
    let heading = Heading { tags: told.header.tags.clone(), names: told.header.names.clone() };
    let record = on_paper(&played, told.header.seats.clone(), ending, &heading);
    if done || told.is_closed() || record.plies() < WORTH_KEEPING {
        return Ok(None);
    }
    keep(home, record, told.header.seed).map(Some)
}

/// The game in a file, with the file's path; `None` where it holds more than one.
///
/// # Errors
/// The file holds no game that can be played here.
pub fn open(library: &Library, engines: &Engines, path: &Path) -> Result<Option<BeginRequest>, Message> {
    let path = from_home(path);
    let mut reading = qiju_core::record::open(&path)?;
    match (reading.records.len(), reading.refused.len()) {
        (1, 0) => {
            let record = Box::new(reading.records.remove(0));
            let name = qiju_core::record::name_of(&path);
            match_of(library, engines, &record, None).map_err(|why| message!("{}: {}", name, why))?;
            Ok(Some(BeginRequest::Record(record, Some(path).filter(|path| !qiju_core::record::is_link(path)))))
        }
        _ => Ok(None),
    }
}

/// The match's number in the name of a file among the saved games.
fn number_in_name(path: &Path) -> Option<u64> {
    let stem = path.file_stem()?.to_str()?;
    let (_, number) = stem.rsplit_once(' ')?;
    u64::from_str_radix(number, 16).ok().filter(|_| number.len() == 8)
}

/// The match of a record, its moves ready to be looked at and taken back. One of the saved games stays that one when it is saved again.
pub(super) fn match_of(
    library: &Library,
    engines: &Engines,
    record: &Record,
    path: Option<&Path>,
) -> Result<CurrentMatch, Message> {
    let library_game = library.game(&record.game).ok_or_else(|| message!("there is no game '{}'", &record.game))?;
    // A program that is not in the settings is replaced by a person.
    let seats = BySide::from_fn(|side| match &record.seats[side] {
        SeatSpec::Friend => SeatSpec::Human,
        SeatSpec::External { name } if engines.find(&record.game, name).is_none() => SeatSpec::Human,
        seat => seat.clone(),
    });
    let setup = MatchSetup::untimed(library_game.entry.key, record.setup.clone(), seats, Purpose::Casual);
    let names = BySide::from_fn(|side| match &record.seats[side] {
        SeatSpec::External { name } => Some(name.clone()),
        _ => None,
    });
    let heading = Heading { tags: record.tags.clone(), names };
    let seed = path.and_then(number_in_name).map_or_else(fresh_seed, |number| fresh_seed() & !0xFFFF_FFFF | number);
    let fresh = CurrentMatch::new(library_game, &setup, seed)?;
    let (played, clock) = from_paper(record)?;
    let ended = record.result.filter(|_| played.table().outcome().is_none());
    Ok(fresh.told(played, ended, Beginning::Record(clock), true).headed(heading))
}

/// Loads the list of records when its page is opened.
fn list(home: Res<Home>, mut saved: ResMut<SavedGames>) {
    // Sorted by name, which begins with the date.
    let names = home.storage().list(FOLDER).unwrap_or_default();
    let paths: Vec<PathBuf> = names.into_iter().filter(|name| name.ends_with(".ron")).map(|name| home.0.join(name)).collect();
    let read = |path: PathBuf| {
        let record = Record::peek(&home.bytes_of(&path).ok()?)?;
        Some(SavedGame { path, record })
    };
    saved.games = paths.into_iter().rev().take(LISTED).filter_map(read).collect();
    saved.deleted = None;
}

/// Renames, deletes and brings back saved games.
fn change(
    mut requests: MessageReader<RecordsRequest>,
    home: Res<Home>,
    mut saved: ResMut<SavedGames>,
    mut notices: ResMut<Notices>,
) {
    for request in requests.read() {
        let done = match request {
            RecordsRequest::Rename(path, title) => rename(&home, &mut saved, path, title.trim()),
            RecordsRequest::Delete(path) => delete(&home, &mut saved, path),
            RecordsRequest::Restore => restore(&home, &mut saved),
            RecordsRequest::Save => continue,
        };
        if let Err(why) = done {
            notices.fail(why);
        }
    }
}

/// The name in the storage of a saved game's file.
fn name_of(home: &Home, path: &Path) -> Result<String, Message> {
    home.name_of(path).ok_or_else(|| message!("{}: this is none of the saved games", path.display()))
}

fn rename(home: &Home, saved: &mut SavedGames, path: &Path, title: &str) -> Result<(), Message> {
    let (storage, name) = (home.storage(), name_of(home, path)?);
    let read = home.bytes_of(path).and_then(|bytes| qiju_core::record::read(&storage.shown(&name), &bytes, Some("ron"))?.all());
    let mut records = read?;
    let [record] = &mut records[..] else { return Err(message!("{}: there is more than one game in it", path.display())) };
    record.tags.set("Title", title);
    let written = storage.replace(&name, &[record.to_text().as_bytes()]);
    written.map_err(|error| message!("{}: {}", storage.shown(&name), error))?;
    for game in saved.games.iter_mut().filter(|game| game.path == path) {
        game.record.tags.set("Title", title);
    }
    Ok(())
}

fn delete(home: &Home, saved: &mut SavedGames, path: &Path) -> Result<(), Message> {
    let (storage, name) = (home.storage(), name_of(home, path)?);
    let failed = |error: std::io::Error| message!("{}: {}", storage.shown(&name), error);
    let bytes = storage.read(&name).map_err(failed)?.unwrap_or_default();
    storage.remove(&name).map_err(failed)?;
    let Some(place) = saved.games.iter().position(|game| game.path == path) else { return Ok(()) };
    let game = saved.games.remove(place);
    saved.deleted = Some(DeletedGame { game, place, bytes });
    Ok(())
}

fn restore(home: &Home, saved: &mut SavedGames) -> Result<(), Message> {
    let Some(deleted) = saved.deleted.take() else { return Ok(()) };
    let (storage, name) = (home.storage(), name_of(home, &deleted.game.path)?);
    if let Err(error) = storage.replace(&name, &[&deleted.bytes]) {
        saved.deleted = Some(deleted);
        return Err(message!("{}: {}", storage.shown(&name), error));
    }
    let place = deleted.place.min(saved.games.len());
    saved.games.insert(place, deleted.game);
    Ok(())
}

/// Files dropped on the window are opened, those of one frame together.
fn take_dropped(mut dropped: MessageReader<bevy::window::FileDragAndDrop>, mut requests: Requests) {
    let paths: Vec<PathBuf> = dropped
        .read()
        .filter_map(|file| match file {
            bevy::window::FileDragAndDrop::DroppedFile { path_buf, .. } => Some(path_buf.clone()),
            _ => None,
        })
        .collect();
    if !paths.is_empty() {
        requests.write(ReadRequest::Open(paths));
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<SavedGames>()
        .add_message::<bevy::window::FileDragAndDrop>()
        .add_systems(Update, save.in_set(Step::Animate).run_if(in_match))
        .add_systems(OnExit(Screen::Match), save_afterwards)
        .add_systems(Update, (take_dropped, change).chain().in_set(Step::Input))
        .add_systems(OnEnter(Menu::Records), list);
}
