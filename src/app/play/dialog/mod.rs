//! Choosing files: the system's dialog where there is one, else a page of our own that lists folders. No frame waits for either. A page has
//! the dialog of its browser.

#![cfg_attr(target_arch = "wasm32", allow(dead_code, reason = "a page has no folders"))]

mod portal;

use crate::app::ground::background::{BackgroundTask, WakeHandle, WakeHandles};
use crate::app::ground::requests::{DialogRequest, FileAim, FileChosen, PageRequest, ReadRequest, Requests};
use crate::app::ground::state::Menu;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use bevy::prelude::*;
use bevy::window::{PrimaryWindow, RawHandleWrapper};
use portal::{NoDialog, Question};
use qiju_core::message;
use qiju_core::message::Message;
use qiju_core::record::Format;
use qiju_core::record::data::ENDING;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};

/// The file dialog.
#[derive(Resource, Default)]
pub struct FileDialog {
    /// What is being asked of the system, and its answer.
    asked: Option<(FileAim, Mutex<Receiver<Result<Vec<PathBuf>, NoDialog>>>)>,
    /// Our own page.
    page: Option<FolderPage>,
    listing: Option<BackgroundTask<Listing>>,
    /// The folder that was shown last.
    folder: Option<PathBuf>,
}

impl FileDialog {
    /// The folder our own page shows first.
    pub fn begin_in(&mut self, folder: impl Into<PathBuf>) {
        self.folder = Some(folder.into());
    }

    /// Our own page, while it is open.
    pub fn page(&self) -> Option<&FolderPage> {
        self.page.as_ref()
    }
}

/// What our own page shows.
#[derive(Clone, Debug, PartialEq)]
pub struct FolderPage {
    /// What a file is chosen for.
    pub aim: FileAim,
    /// The folder.
    pub folder: PathBuf,
    /// What lies in it: folders first, each by name.
    pub entries: Vec<FolderEntry>,
    /// Why it cannot be listed.
    pub fault: Option<Message>,
}

/// A file or a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderEntry {
    /// Its name.
    pub name: String,
    /// True for a folder.
    pub is_folder: bool,
    /// True for a file whose ending says that it may hold games.
    pub is_record: bool,
}

type Listing = (PathBuf, Result<Vec<FolderEntry>, Message>);

/// Endings of the files that are read, beside those of [`Format::ALL`]: records, all of a player's data, pictures of positions.
const MORE_ENDINGS: [&str; 7] = ["cbl", "fen", ENDING, "png", "jpg", "jpeg", "gif"];

/// Endings of the files that are opening books.
const BOOK_ENDINGS: [&str; 9] = ["obk", "OBK", "pfBook", "pfbook", "book", "dat", "DAT", "db", "lib"];

/// The endings of files that may hold games.
pub fn endings() -> impl Iterator<Item = &'static str> {
    Format::ALL.into_iter().map(Format::key).chain(MORE_ENDINGS)
}

fn list(folder: &Path) -> Result<Vec<FolderEntry>, Message> {
    let failed = |error: std::io::Error| message!("{}: {}", folder.display(), error);
    let mut entries: Vec<FolderEntry> = std::fs::read_dir(folder)
        .map_err(failed)?
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_folder = entry.path().is_dir();
            let ending = Path::new(&name).extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
            let is_record = !is_folder && ending.is_some_and(|ending| endings().any(|known| known == ending));
            Some(FolderEntry { name, is_folder, is_record })
        })
        .filter(|entry| !entry.name.starts_with('.'))
        .collect();
    entries.sort_by_key(|entry| (!entry.is_folder, entry.name.to_lowercase()));
    Ok(entries)
}

/// The words of the question for this aim.
fn question(aim: &FileAim, words: &Words) -> Question {
    let pattern = |ending: &str| format!("*.{ending}");
    let title = words.say(aim.title()).to_owned();
    let all = (words.say("files.all").to_owned(), vec!["*".to_owned()]);
    match aim {
        FileAim::Open | FileAim::Add | FileAim::AddFolder => Question {
            title,
            accept: words.say("records.open").to_owned(),
            save_as: None,
            folder: *aim == FileAim::AddFolder,
            groups: vec![(words.say("files.games").to_owned(), endings().map(pattern).collect()), all],
        },
        FileAim::Book { .. } => Question {
            title,
            accept: words.say("records.open").to_owned(),
            save_as: None,
            folder: false,
            groups: vec![(words.say("book.title").to_owned(), BOOK_ENDINGS.map(pattern).to_vec()), all],
        },
        FileAim::Save { name, ending, .. } => Question {
            title,
            accept: words.say("files.accept-save").to_owned(),
            save_as: Some(format!("{name}.{ending}")),
            folder: false,
            groups: vec![(ending.to_uppercase(), vec![pattern(ending)]), all],
        },
    }
}

fn ask(
    mut requests: MessageReader<DialogRequest>,
    mut dialog: ResMut<FileDialog>,
    (words, wake, mut pages): (Res<Words>, WakeHandles, Requests),
    window: Option<Single<&RawHandleWrapper, With<PrimaryWindow>>>,
) {
    for request in requests.read() {
        match request {
            DialogRequest::Choose(aim) if dialog.asked.is_none() => {
                // Without a window there is nobody to ask.
                if !wake.has_window() {
                    dialog.open_page(aim.clone(), wake.handle());
                    pages.write(PageRequest::Menu(Menu::Files));
                    continue;
                }
                let (sender, answer) = channel();
                let (question, wake) = (question(aim, &words), wake.handle());
                let window = window.as_deref().copied().cloned();
                std::thread::spawn(move || {
                    // The window may be gone by then.
                    let _ = sender.send(portal::ask(&question, window.as_ref()));
                    wake.wake();
                });
                dialog.asked = Some((aim.clone(), Mutex::new(answer)));
            }
            DialogRequest::Enter(folder) => dialog.enter(vec![folder.clone()], wake.handle()),
            DialogRequest::Choose(_) => {}
        }
    }
}

impl FileDialog {
    /// Opens our own page in the folder that was shown last, or at home where that is no longer there.
    fn open_page(&mut self, aim: FileAim, wake: WakeHandle) {
        let home = directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned());
        let places: Vec<PathBuf> = self.folder.clone().into_iter().chain(home).chain([PathBuf::from("/")]).collect();
        self.page = Some(FolderPage { aim, folder: places[0].clone(), entries: Vec::new(), fault: None });
        self.enter(places, wake);
    }

    /// Lists the first of these folders that can be listed.
    fn enter(&mut self, places: Vec<PathBuf>, wake: WakeHandle) {
        if self.page.is_some() {
            self.listing = Some(BackgroundTask::on_thread(wake, move |_| {
                let mut listed = places.into_iter().map(|folder| {
                    let found = list(&folder);
                    (folder, found)
                });
                let first = listed.next().expect("a folder is asked for");
                if first.1.is_ok() { first } else { listed.find(|(_, found)| found.is_ok()).unwrap_or(first) }
            }));
        }
    }
}

/// Takes the system's answer, or the contents of a folder.
fn take(mut dialog: ResMut<FileDialog>, mut chosen: MessageWriter<FileChosen>, (wake, mut pages): (WakeHandles, Requests)) {
    let dialog = &mut *dialog;
    let answer = dialog.asked.as_mut().and_then(|(_, answer)| answer.get_mut().ok()?.try_recv().ok());
    if let Some(answer) = answer
        && let Some((aim, _)) = dialog.asked.take()
    {
        match answer {
            Ok(paths) if paths.is_empty() => {}
            Ok(paths) => drop(chosen.write(FileChosen(aim, paths))),
            Err(NoDialog(why)) => {
                debug!("no file dialog of the system's: {why}");
                dialog.open_page(aim, wake.handle());
                pages.write(PageRequest::Menu(Menu::Files));
            }
        }
    }
    if let Some((folder, listed)) = dialog.listing.as_mut().and_then(BackgroundTask::poll) {
        dialog.listing = None;
        let Some(page) = &mut dialog.page else { return };
        match listed {
            Ok(entries) => {
                (page.folder, page.entries, page.fault) = (folder.clone(), entries, None);
                dialog.folder = Some(folder);
            }
            Err(why) => page.fault = Some(why),
        }
    }
}

/// Files that were chosen to be opened are opened.
fn open_chosen((mut chosen, mut requests): (MessageReader<FileChosen>, Requests)) {
    for FileChosen(aim, paths) in chosen.read() {
        if *aim == FileAim::Open {
            requests.write(ReadRequest::Open(paths.clone()));
        }
    }
}

fn close(mut dialog: ResMut<FileDialog>) {
    (dialog.page, dialog.listing) = (None, None);
}

/// Has the browser ask which files are to be opened; what is saved is downloaded.
#[cfg(target_arch = "wasm32")]
fn ask_browser((mut requests, mut chosen): (MessageReader<DialogRequest>, MessageWriter<FileChosen>)) {
    use crate::app::ground::user_files::page;
    for request in requests.read() {
        match request {
            DialogRequest::Choose(aim @ (FileAim::Open | FileAim::Add)) => page::choose(aim.clone()),
            DialogRequest::Choose(aim @ FileAim::Save { name, ending, .. }) => {
                chosen.write(FileChosen(aim.clone(), vec![PathBuf::from(format!("{name}.{ending}"))]));
            }
            DialogRequest::Choose(FileAim::AddFolder | FileAim::Book { .. }) | DialogRequest::Enter(_) => {}
        }
    }
}

/// Opens what was chosen, dropped or pasted. In a text field the field takes what is pasted.
#[cfg(target_arch = "wasm32")]
fn bring_in(
    (mut requests, mut chosen): (Requests, MessageWriter<FileChosen>),
    (menu, screen): (Res<State<Menu>>, Res<State<crate::app::ground::state::Screen>>),
    focus: Res<crate::app::ground::keys::KeyFocus>,
) {
    use crate::app::ground::{clipboard, keys::KeysGo, user_files::page};
    while let Some(incoming) = page::incoming() {
        match incoming {
            page::Incoming::Files(aim, paths) => drop(chosen.write(FileChosen(aim, paths))),
            page::Incoming::Text(_) if focus.go == KeysGo::Text => {}
            page::Incoming::Text(text) => requests.write(clipboard::pasted(text, *screen.get(), *menu.get())),
        }
    }
}

/// Has the window woken by what comes in.
#[cfg(target_arch = "wasm32")]
fn listen(wake: WakeHandles) {
    let wake = wake.handle();
    crate::app::ground::user_files::page::listen(move || wake.wake());
}

#[cfg(target_arch = "wasm32")]
pub(super) fn plugin(app: &mut App) {
    app.init_resource::<FileDialog>()
        .add_systems(OnExit(crate::app::ground::state::Screen::Loading), listen)
        .add_systems(Update, (ask_browser, bring_in, open_chosen).chain().in_set(Step::Input));
}

#[cfg(not(target_arch = "wasm32"))]
pub(super) fn plugin(app: &mut App) {
    let waits = |dialog: Res<FileDialog>| dialog.asked.is_some() || dialog.listing.is_some();
    app.init_resource::<FileDialog>()
        .add_systems(Update, (ask, take.run_if(waits), open_chosen).chain().in_set(Step::Input))
        .add_systems(OnExit(Menu::Files), close);
}
