//! Saved games: every match that ends or is replaced by another is saved, and can be opened again.

use super::begin::fresh_seed;
use super::clock::MatchClock;
use super::game::{Beginning, CurrentMatch};
use super::messages::MatchEnded;
use super::phase::in_match;
use crate::app::ground::intent::Intent;
use crate::app::ground::library::Library;
use crate::app::ground::notices::Notices;
use crate::app::ground::settings::{Home, Settings};
use crate::app::ground::setup::{MatchSetup, Purpose};
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::record::journal::Recovered;
use crate::record::{Record, SeatSpec, Summary, journal};
use crate::rules::{BySide, Outcome};
use crate::table::{Clock, PlayedGame, TimeControl};
use bevy::prelude::*;
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
}

/// The most records in the list.
const LISTED: usize = 200;
/// Matches with fewer moves are not saved.
const WORTH_KEEPING: usize = 2;

/// The folder of the records in the storage.
const FOLDER: &str = "records";

impl Home {
    /// The folder of the records.
    pub fn records(&self) -> PathBuf {
        self.0.join(FOLDER)
    }
}

/// The record of a match, with its times.
fn record_of(current: &CurrentMatch, clock: &Clock) -> Record {
    let mut record = on_paper(current.played(), current.seats().clone(), current.outcome());
    let times = clock.times();
    if times.len() == current.played().line().len() {
        let times_ms: Vec<u64> = times.iter().map(|time| time.as_millis() as u64).collect();
        record.set_times(&times_ms);
    }
    record
}

/// The record of a game, with its variations and comments.
fn on_paper(played: &PlayedGame, seats: BySide<SeatSpec>, outcome: Option<Outcome>) -> Record {
    let outcome = outcome.or_else(|| played.table().outcome());
    Record::with_tree(played.table(), seats, outcome, played.kept_tree().packed())
}

/// The game of a record, with a clock from its times.
fn from_paper(record: &Record) -> Result<(PlayedGame, Clock), String> {
    let table = record.table().map_err(|error| error.to_string())?;
    let played =
        PlayedGame::with_tree(table, record.tree.clone()).map_err(|(number, error)| format!("move {number}: {error}"))?;
    let mut clock = Clock::new(TimeControl::Unlimited);
    let mut table = record.table().map_err(|error| error.to_string())?;
    for id in played.line() {
        let node = record.tree.node(*id);
        let mover = table.seat_to_move();
        if let Some(action) = node.action() {
            table.play(action).map_err(|error| error.to_string())?;
        }
        clock.spend(mover, std::time::Duration::from_millis(node.time_ms.unwrap_or(0)));
        clock.moved(mover);
    }
    Ok((played, clock))
}

/// Saves a record under the date and the match's number, so that a continued match uses the same file.
fn keep(home: &Home, mut record: Record, seed: u64) -> Result<PathBuf, String> {
    let storage = home.storage();
    let ending = format!(" {} {:08x}.ron", record.game, seed as u32);
    let known = storage.list(FOLDER).ok().and_then(|names| names.into_iter().find(|name| name.ends_with(&ending)));
    let now = jiff::Zoned::now();
    let name = known.unwrap_or_else(|| format!("{FOLDER}/{}{ending}", now.strftime("%Y-%m-%d %H.%M")));
    record.tags.set("Event", now.strftime("%Y-%m-%d %H:%M").to_string());
    let written = storage.replace(&name, &[record.to_text().as_bytes()]);
    written.map_err(|error| format!("{}: {error}", storage.shown(&name)))?;
    Ok(home.0.join(name))
}

fn save(
    mut intents: MessageReader<Intent>,
    mut ended: MessageReader<MatchEnded>,
    (current, clock): (Res<CurrentMatch>, Res<MatchClock>),
    (home, words, mut notices): (Res<Home>, Res<Words>, ResMut<Notices>),
) {
    let asked = intents.read().any(|intent| *intent == Intent::Save);
    // A record that was opened already has its file.
    let ended = ended.read().count() > 0 && (current.worked_on || !current.from_record);
    if !asked && !ended {
        return;
    }
    let record = record_of(&current, clock.get());
    if !asked && record.plies() < WORTH_KEEPING {
        return;
    }
    match keep(&home, record, current.seed()) {
        Ok(path) if asked => notices.warn(words.with("records.saved", path.display())),
        Ok(_) => {}
        Err(why) => notices.warn(why),
    }
}

/// Saves variations and comments made after the end of the match when it is left.
fn save_afterwards(
    current: Option<Res<CurrentMatch>>,
    clock: Res<MatchClock>,
    (home, mut notices): (Res<Home>, ResMut<Notices>),
) {
    let Some(current) = current.filter(|current| current.worked_on && current.outcome().is_some()) else { return };
    let record = record_of(&current, clock.get());
    if record.plies() >= WORTH_KEEPING
        && let Err(why) = keep(&home, record, current.seed())
    {
        notices.warn(why);
    }
}

/// The local date of a time in seconds since 1970.
pub fn day_of(seconds: i64) -> Option<String> {
    let moment = jiff::Timestamp::from_second(seconds).ok()?;
    Some(moment.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d").to_string())
}

/// Saves the match of a journal that is replaced by another. Returns its path, if it was saved.
///
/// # Errors
/// The record cannot be written.
pub(super) fn keep_unfinished(home: &Home, told: &Recovered) -> Result<Option<PathBuf>, String> {
    let Ok(played) = journal::replay(&told.header, &told.events) else { return Ok(None) };
    let ending = journal::ending(&told.events);
    // A finished match was saved at its end; later changes are saved now.
    let worked_on = told.events.iter().any(|event| matches!(event, journal::Event::Tree(_)));
    let done = (played.table().outcome().is_some() || ending.is_some()) && !worked_on;
    let record = on_paper(&played, told.header.seats.clone(), ending);
    if done || told.is_closed() || record.plies() < WORTH_KEEPING {
        return Ok(None);
    }
    keep(home, record, told.header.seed).map(Some)
}

/// Expands a path that begins with `~/`.
fn from_home(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), directories::BaseDirs::new()) {
        (Ok(rest), Some(dirs)) => dirs.home_dir().join(rest),
        _ => path.to_owned(),
    }
}

/// The match of a record.
///
/// # Errors
/// The file has no valid game.
pub fn open(library: &Library, settings: &Settings, path: &Path) -> Result<CurrentMatch, String> {
    let reading = crate::record::open(&from_home(path)).map_err(|error| error.to_string())?;
    let record = reading.records.first().ok_or_else(|| format!("{}: there is no record in it", path.display()))?;
    match_of(library, settings, record).map_err(|why| format!("{}: {why}", path.display()))
}

fn match_of(library: &Library, settings: &Settings, record: &Record) -> Result<CurrentMatch, String> {
    let library_game = library.game(&record.game).ok_or_else(|| format!("there is no game '{}'", record.game))?;
    // A program that is not in the settings is replaced by a person.
    let seats = BySide::from_fn(|side| match &record.seats[side] {
        SeatSpec::External { name } if settings.engine(&record.game, name).is_none() => SeatSpec::Human,
        seat => seat.clone(),
    });
    let setup = MatchSetup {
        game: library_game.entry.key,
        setup: record.setup.clone(),
        seats,
        control: TimeControl::Unlimited,
        purpose: Purpose::Casual,
    };
    let fresh = CurrentMatch::new(library_game, &setup, fresh_seed()).map_err(|error| error.to_string())?;
    let (played, clock) = from_paper(record)?;
    let ended = record.result.filter(|_| played.table().outcome().is_none());
    Ok(fresh.told(played, ended, Beginning::Record(clock), true))
}

/// Loads the list of records on request.
fn list(mut intents: MessageReader<Intent>, home: Res<Home>, mut saved: ResMut<SavedGames>) {
    if !intents.read().any(|intent| *intent == Intent::Menu(Menu::Records)) {
        return;
    }
    // Sorted by name, which begins with the date.
    let names = home.storage().list(FOLDER).unwrap_or_default();
    let paths: Vec<PathBuf> = names.into_iter().filter(|name| name.ends_with(".ron")).map(|name| home.0.join(name)).collect();
    let read = |path: PathBuf| {
        let record = Record::peek(&path)?;
        Some(SavedGame { path, record })
    };
    saved.games = paths.into_iter().rev().take(LISTED).filter_map(read).collect();
}

/// Opens a file that is dropped on the window.
fn take_dropped(mut dropped: MessageReader<bevy::window::FileDragAndDrop>, mut intents: MessageWriter<Intent>) {
    for file in dropped.read() {
        if let bevy::window::FileDragAndDrop::DroppedFile { path_buf, .. } = file {
            intents.write(Intent::Open(path_buf.clone()));
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<SavedGames>()
        .add_message::<bevy::window::FileDragAndDrop>()
        .add_systems(Update, save.in_set(Step::Animate).run_if(in_match))
        .add_systems(OnExit(Screen::Match), save_afterwards)
        .add_systems(Update, (take_dropped, list).chain().in_set(Step::Input));
}
