//! The library of all games in the window: the player's finished matches flow into it by themselves, files are added to it, and its games are opened.
//!
//! Everything is done in the background, one task after the other. What was read stays in memory once somebody has asked for it.

use super::export::{told, with_ending};
use super::game::CurrentMatch;
use super::messages::{DataTaken, RecordKept};
use super::records::{FOLDER, WORTH_KEEPING};
use crate::app::ground::activity::LIBRARY;
use crate::app::ground::background::{BackgroundTask, WakeHandle, WakeHandles};
use crate::app::ground::home::Home;
use crate::app::ground::notices::Notices;
use crate::app::ground::platform::PLATFORM;
use crate::app::ground::requests::{BeginRequest, CursorRequest, FileAim, FileChosen, Go, LibraryRequest, Output, Requests};
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use crate::app::ground::user_files;
use crate::app::ground::words::Words;
use bevy::prelude::*;
use qiju_core::library::{GameId, Import, Imported, Library, engine_games, files_of};
use qiju_core::message;
use qiju_core::message::Message;
use qiju_core::record::{Charset, Format, LeftOut, Record, Writer};
use qiju_core::search::StopToken;
use qiju_core::storage::Storage;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The library, as it was read last.
#[derive(Resource, Default)]
pub struct GameLibrary {
    games: Option<Arc<Library>>,
    /// Changes when it is read again.
    version: u32,
    /// Somebody has asked for it.
    wanted: bool,
    /// Why it cannot be read.
    fault: Option<Message>,
    work: Option<Work>,
    waiting: VecDeque<Task>,
    /// What was deleted last, until the page is closed.
    deleted: Vec<Record>,
    /// The game that is being opened is shown after so many moves.
    opened_at: Option<usize>,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
enum Task {
    /// Read it.
    Read,
    /// Add the player's finished matches: this one, or all.
    Gather(Option<PathBuf>),
    /// Add the games of these files and folders.
    Add(Vec<PathBuf>),
    /// Delete these games.
    Delete(Arc<[GameId]>),
    /// Add these games, which were deleted.
    Restore(Vec<Record>),
    /// Tell of these games what the records tell.
    Tell(Arc<[(GameId, Record)]>),
    /// Write these games to a file, in the format of its ending.
    Export(Arc<[GameId]>, PathBuf),
}

/// What is being done.
struct Work {
    running: BackgroundTask<Result<Done, Message>>,
    /// It only reads the library: that this fails is told once.
    reads: bool,
    /// The number of games that were read so far, where files are added.
    read: Option<Arc<AtomicUsize>>,
}

/// What was done.
#[derive(Default)]
struct Done {
    /// The library as it is now, if it was read.
    games: Option<Library>,
    /// What was wrong with its file.
    damage: Option<Message>,
    /// What came of files, and why the first of those that were refused was.
    imported: Option<(Imported, Option<Message>)>,
    /// The file that was written, and what its format cannot hold.
    exported: Option<(PathBuf, Option<LeftOut>)>,
}

/// A page adds so many bytes of games at a time: its window waits for them.
const PAGE_ADDS: usize = 4 << 20;

/// So many games are read before their number is shown again.
const SHOWN_EVERY: usize = 200;

impl GameLibrary {
    /// The games, and a number that changes with them; `None` until they are read. From now on they are kept in memory.
    pub fn games(&mut self) -> Option<(&Arc<Library>, u32)> {
        if !self.wanted {
            self.wanted = true;
            self.waiting.push_back(Task::Read);
        }
        Some((self.games.as_ref()?, self.version))
    }

    /// The games, if they were read.
    pub fn held(&self) -> Option<&Library> {
        self.games.as_deref()
    }

    /// What was deleted last.
    pub fn deleted(&self) -> &[Record] {
        &self.deleted
    }

    /// Why it cannot be read.
    pub fn fault(&self) -> Option<&Message> {
        self.fault.as_ref()
    }

    /// How many games were read from the files that are being added; `None` if none are.
    pub fn adding(&self) -> Option<usize> {
        Some(self.work.as_ref()?.read.as_ref()?.load(Ordering::Relaxed))
    }
}

/// The games of a library that was read elsewhere.
impl From<Library> for GameLibrary {
    fn from(games: Library) -> GameLibrary {
        GameLibrary { games: Some(Arc::new(games)), version: 1, wanted: true, ..GameLibrary::default() }
    }
}

impl Done {
    fn read(storage: Arc<dyn Storage>) -> Result<Done, Message> {
        Library::open(storage).map(|games| Done { damage: games.damage().cloned(), games: Some(games), ..Done::default() })
    }

    /// Adds finished matches that are not in the library yet. Without any, it is left alone.
    fn gather(home: &Home, only: Option<&Path>, stop: &StopToken) -> Result<Done, Message> {
        let storage = home.storage();
        let names = match only {
            Some(path) => home.name_of(path).into_iter().collect(),
            None => storage.list(FOLDER).unwrap_or_default(),
        };
        let own: Vec<Record> =
            names.iter().take_while(|_| !stop.is_stopped()).filter_map(|name| finished(&*storage, name)).collect();
        if own.is_empty() {
            return Ok(Done::default());
        }
        let mut done = Done::read(storage.clone())?;
        let Some(known) = &mut done.games else { return Ok(done) };
        let fresh = |record: &&Record| known.wants(record).unwrap_or_default();
        let fresh: Vec<&Record> = own.iter().filter(fresh).collect();
        // Another program may be changing it: then they are added at the next start.
        if let false = fresh.is_empty()
            && !stop.is_stopped()
            && let Ok(mut games) = Library::open_to_write(storage)
        {
            for record in fresh {
                games.add(record)?;
            }
            games.flush()?;
            games.release();
            done.games = Some(games);
        }
        Ok(done)
    }

    /// Adds the games of files and folders. What was read until it is stopped stays.
    fn add(home: &Home, paths: &[PathBuf], stop: &StopToken, read: &AtomicUsize, wake: &WakeHandle) -> Result<Done, Message> {
        let mut games = Library::open_to_write(home.storage())?;
        let (damage, mut first) = (games.damage().cloned(), None);
        let mut refuse = |why: Message| {
            first.get_or_insert(why);
        };
        let mut told = |done: &Imported| {
            read.store(done.games, Ordering::Relaxed);
            if done.games.is_multiple_of(SHOWN_EVERY) {
                wake.wake();
            }
        };
        let (charset, done) = (Charset::default(), Imported::default());
        let mut import = Import { library: &mut games, charset, stop, refuse: &mut refuse, told: &mut told, done };
        let mut room = if PLATFORM.folders { usize::MAX } else { PAGE_ADDS };
        for path in paths {
            let files = if PLATFORM.folders { files_of(path) } else { Ok(vec![path.clone()]) };
            match files {
                Ok(files) => {
                    for file in files.iter().take_while(|_| !stop.is_stopped()) {
                        let bytes = home.bytes_of(file).map_err(Message::from);
                        let Some(left) = room.checked_sub(bytes.as_ref().map_or(0, Vec::len)) else {
                            let (name, most) = (file.display().to_string(), PAGE_ADDS >> 20);
                            import.refused(message!(
                                "{}: a page adds at most {} MB of games at a time, the program for the desktop any number",
                                name,
                                most
                            ));
                            continue;
                        };
                        room = left;
                        import.file(file, bytes)?;
                    }
                }
                Err(error) => import.refused(message!("{}: {}", path.display(), error)),
            }
        }
        let done = import.done;
        games.flush()?;
        games.release();
        Ok(Done { games: Some(games), damage, imported: Some((done, first)), ..Done::default() })
    }

    /// Changes the library.
    fn change(home: &Home, change: impl FnOnce(&mut Library) -> Result<(), Message>) -> Result<Done, Message> {
        let mut games = Library::open_to_write(home.storage())?;
        let damage = games.damage().cloned();
        change(&mut games)?;
        games.release();
        Ok(Done { games: Some(games), damage, ..Done::default() })
    }

    /// Writes games to a file. One that its format cannot hold ends it.
    fn export(home: &Home, ids: &[GameId], path: &Path, stop: &StopToken) -> Result<Done, Message> {
        let typed = path.extension().and_then(|ending| ending.to_str()).and_then(Format::from_key);
        let format = typed.filter(|format| format.is_written()).unwrap_or(Format::Ron);
        let path = with_ending(path, format.key());
        let games = Library::open(home.storage())?;
        let (mut writer, mut bytes) = (Writer::new(format, None, false)?, Vec::new());
        for id in ids.iter().rev().take_while(|_| !stop.is_stopped()) {
            writer.add(&games.record(*id)?, &mut bytes)?;
        }
        let lost = writer.finish(&mut bytes);
        user_files::write(&path, bytes).map_err(|error| message!("{}: {}", path.display(), error))?;
        Ok(Done { exported: Some((path, lost)), ..Done::default() })
    }
}

/// A saved game, if it is a match that has ended, with the date of its file.
fn finished(storage: &dyn Storage, name: &str) -> Option<Record> {
    let bytes = storage.read(name).ok()??;
    let mut records = qiju_core::record::read(name, &bytes, Some("ron")).ok()?.records;
    let mut record = records.pop().filter(|record| record.result.is_some() && record.plies() >= WORTH_KEEPING)?;
    let day = name.rsplit('/').next()?.get(..10).filter(|day| day.chars().all(|sign| sign.is_ascii_digit() || sign == '-'));
    if let (None, Some(day)) = (record.tags.get("Date"), day) {
        record.tags.set("Date", day.replace('-', "."));
    }
    Some(record)
}

/// Takes what is asked for.
fn ask(
    (mut requests, mut chosen): (MessageReader<LibraryRequest>, MessageReader<FileChosen>),
    (mut kept, mut taken): (MessageReader<RecordKept>, MessageReader<DataTaken>),
    mut library: ResMut<GameLibrary>,
    (mut notices, mut begin, mut menu): (ResMut<Notices>, Requests, ResMut<NextState<Menu>>),
) {
    let mut tasks: Vec<Task> = kept.read().map(|RecordKept(path)| Task::Gather(Some(path.clone()))).collect();
    if taken.read().count() > 0 {
        tasks.extend([Task::Read, Task::Gather(None)]);
    }
    tasks.extend(chosen.read().filter_map(|FileChosen(aim, paths)| match aim {
        FileAim::Add | FileAim::AddFolder => Some(Task::Add(paths.clone())),
        FileAim::Save { output: Output::Games(ids), .. } => Some(Task::Export(ids.clone(), paths.first()?.clone())),
        _ => None,
    }));
    for request in requests.read() {
        match request {
            LibraryRequest::Show => menu.set(Menu::Page(LIBRARY)),
            LibraryRequest::Delete(ids) => {
                let Some(games) = &library.games else { continue };
                match ids.iter().map(|id| games.record(*id)).collect() {
                    Ok(records) => {
                        library.deleted = records;
                        tasks.push(Task::Delete(ids.clone()));
                    }
                    Err(why) => notices.fail(why),
                }
            }
            LibraryRequest::Restore => tasks.push(Task::Restore(std::mem::take(&mut library.deleted))),
            LibraryRequest::Tell(told) => tasks.push(Task::Tell(told.clone())),
            LibraryRequest::Stop => {
                let quiet = library.bypass_change_detection();
                quiet.waiting.retain(|task| !matches!(task, Task::Add(_)));
                if let Some(work) = quiet.work.as_ref().filter(|work| work.read.is_some()) {
                    work.running.stop();
                }
            }
            LibraryRequest::Open(id, ply) => {
                // A game with this id is the same wherever it stands.
                let engine = || engine_games().record(*id);
                let found = match &library.games {
                    Some(games) => games.record(*id).or_else(|why| engine().map_err(|_| why)),
                    None => engine(),
                };
                match found {
                    Ok(record) => {
                        library.opened_at = *ply;
                        begin.write(BeginRequest::Record(Box::new(record), None));
                    }
                    Err(why) => notices.fail(why),
                }
            }
        }
    }
    if !tasks.is_empty() {
        library.waiting.extend(tasks);
    }
}

/// Does one task after the other.
fn work(
    mut library: ResMut<GameLibrary>,
    home: Res<Home>,
    (words, mut notices): (Res<Words>, ResMut<Notices>),
    wake: WakeHandles,
) {
    let quiet = library.bypass_change_detection();
    if let Some(done) = quiet.work.as_mut().and_then(|work| work.running.poll()) {
        let reads = quiet.work.take().is_some_and(|work| work.reads);
        match done {
            Ok(Done { games, damage, imported, exported }) => {
                damage.into_iter().for_each(|damage| notices.fail(damage));
                if games.is_some() {
                    quiet.fault = None;
                }
                if let Some(games) = games.filter(|_| quiet.wanted) {
                    quiet.games = Some(Arc::new(games));
                    quiet.version += 1;
                }
                if let Some((Imported { added, duplicates, refused, .. }, first)) = imported {
                    let counts = [added, duplicates, refused].map(|count| count.to_string());
                    notices.warn(words.fill("library.added", &counts.each_ref().map(String::as_str)));
                    first.into_iter().for_each(|why| notices.fail(why));
                }
                if let Some((path, lost)) = exported {
                    notices.warn(words.with("records.saved", path.display()));
                    lost.into_iter().for_each(|lost| notices.warn(told(&lost, &words)));
                }
            }
            // What is asked for is told each time, what goes on by itself once.
            Err(why) if !reads => notices.fail(why),
            Err(why) => {
                if quiet.fault.as_ref() != Some(&why) {
                    notices.fail(why.clone());
                }
                quiet.fault = Some(why);
            }
        }
        library.set_changed();
    }
    let quiet = library.bypass_change_detection();
    let Some(task) = (if quiet.work.is_none() { quiet.waiting.pop_front() } else { None }) else { return };
    let (home, woken) = (home.clone(), wake.handle());
    let read = matches!(task, Task::Add(_)).then(Arc::default);
    let reads = matches!(task, Task::Read | Task::Gather(_));
    let (counted, wake): (Arc<AtomicUsize>, _) = (read.clone().unwrap_or_default(), wake.handle());
    let job = move |stop: &StopToken| match &task {
        Task::Read => Done::read(home.storage()),
        Task::Gather(only) => Done::gather(&home, only.as_deref(), stop),
        Task::Add(paths) => Done::add(&home, paths, stop, &counted, &woken),
        Task::Delete(ids) => Done::change(&home, |games| {
            ids.iter().try_for_each(|id| games.delete(*id))?;
            games.compact()
        }),
        Task::Restore(records) => Done::change(&home, |games| {
            records.iter().try_for_each(|record| games.add(record).map(drop))?;
            games.flush()
        }),
        Task::Tell(told) => Done::change(&home, |games| {
            told.iter().try_for_each(|(id, record)| games.tell(*id, record))?;
            games.settle()
        }),
        Task::Export(ids, path) => Done::export(&home, ids, path, stop),
    };
    quiet.work = Some(Work { running: BackgroundTask::quietly(wake, job), reads, read });
    library.set_changed();
}

/// A game that was opened from the library is shown where what was looked for occurs in it.
fn go_to_place(mut library: ResMut<GameLibrary>, current: Option<Res<CurrentMatch>>, mut requests: Requests) {
    if let Some(ply) = library.bypass_change_detection().opened_at.take()
        && current.is_some_and(|current| current.is_of_record())
    {
        requests.write(CursorRequest::Go(Go::Ply(ply)));
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<GameLibrary>()
        .add_systems(OnExit(Screen::Loading), |mut library: ResMut<GameLibrary>| library.waiting.push_back(Task::Gather(None)))
        .add_systems(OnEnter(Screen::Match), go_to_place)
        .add_systems(OnExit(Menu::Page(LIBRARY)), |mut library: ResMut<GameLibrary>| library.deleted.clear())
        .add_systems(Update, ask.in_set(Step::Input))
        .add_systems(Update, work.in_set(Step::Think).run_if(not(in_state(Screen::Loading))));
}
