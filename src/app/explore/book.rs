//! The opening book that the player has chosen for a game: what it has for the position that is shown, and changes of it.

use super::study::Study;
use crate::app::ground::background::{BackgroundTask, WakeHandles};
use crate::app::ground::notices::Notices;
use crate::app::ground::requests::{BookRequest, FileAim, FileChosen, Requests, StudyPage};
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::{CurrentMatch, Helped, in_match};
use bevy::prelude::*;
use qiju_core::book::{Book, BookEdit, BookMove, shares};
use qiju_core::message;
use qiju_core::message::Message;
use qiju_core::table::{Action, NodeId, Notation, Table};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// What is asked of the book.
#[derive(Clone, PartialEq)]
struct Question {
    file: PathBuf,
    /// The match, the position, and the move that led to it.
    about: (u64, u64, NodeId),
    notation: Notation,
    /// Changes with each change of the book.
    version: u32,
}

/// What the book has for a position.
pub struct InBook {
    /// The moves as they are written, each with the part of the games in which the computer plays it.
    pub moves: Vec<(String, BookMove, f32)>,
    /// The move that led to the position, if the book does not have it.
    pub missing: Option<String>,
    /// Its moves can be changed.
    pub is_editable: bool,
}

/// The book that was opened last. It stays open, because some are read as a whole.
type Shelf = Arc<Mutex<Option<Book>>>;

/// What was asked last, and what was found last.
#[derive(Resource, Default)]
pub struct OpeningBook {
    shelf: Shelf,
    version: u32,
    asked: Option<(Question, BackgroundTask<Result<InBook, Message>>)>,
    found: Option<(Question, Result<InBook, Message>)>,
    /// A change that is being written.
    edited: Option<BackgroundTask<Result<(), Message>>>,
    /// A file that is being looked at because it was chosen, the game it is for, and whether the computer is to play from it.
    chosen: Option<BackgroundTask<Result<(PathBuf, &'static str, bool), Message>>>,
}

impl OpeningBook {
    /// What was found last, and whether it is of the position that is shown.
    pub fn found(&self) -> Option<(&Result<InBook, Message>, bool)> {
        self.found.as_ref().map(|(_, found)| (found, self.asked.is_none() && self.edited.is_none()))
    }
}

/// Works with the book of a file, which is opened if another one was, or if it has changed since.
fn with_book<T>(shelf: &Shelf, file: &Path, work: impl FnOnce(&mut Book) -> Result<T, Message>) -> Result<T, Message> {
    let mut shelf = shelf.lock().unwrap_or_else(PoisonError::into_inner);
    let book = match shelf.take().filter(|book| book.path() == file && !book.is_outdated()) {
        Some(book) => book,
        None => Book::open(file)?,
    };
    work(shelf.insert(book))
}

/// The table before the last move, and this move.
fn before(table: &dyn Table) -> Option<(Box<dyn Table>, Action)> {
    let action = table.played().last().copied()?;
    let mut before = table.boxed_clone();
    before.undo()?;
    Some((before, action))
}

fn look(book: &Book, table: &dyn Table, notation: Notation) -> Result<InBook, Message> {
    let moves = book.moves(table)?;
    let shares = shares(&moves);
    let written = |(one, share): (BookMove, f64)| Some((table.write(one.action, notation)?, one, share as f32));
    let missing = match before(table).filter(|_| book.is_editable()) {
        Some((before, action)) if !book.moves(&*before)?.iter().any(|one| one.action == action) => before.write(action, notation),
        _ => None,
    };
    Ok(InBook { moves: moves.into_iter().zip(shares).filter_map(written).collect(), missing, is_editable: book.is_editable() })
}

/// Asks about each position that is shown while the page is open.
fn seek(
    mut book: ResMut<OpeningBook>,
    (current, study, settings): (Res<CurrentMatch>, Res<Study>, Res<Settings>),
    (words, wake): (Res<Words>, WakeHandles),
    mut helped: MessageWriter<Helped>,
) {
    let shown = current.shown();
    let chosen = settings.books.get(shown.game());
    let Some(chosen) = chosen.filter(|_| study.page == Some(StudyPage::Explorer) && current.help_allowed()) else {
        if book.asked.is_some() || book.found.is_some() {
            (book.asked, book.found) = (None, None);
        }
        return;
    };
    let quiet = book.bypass_change_detection();
    let question = Question {
        file: chosen.file.clone(),
        about: (current.seed(), shown.key(), current.cursor()),
        notation: settings.notation(shown, words.language),
        version: quiet.version,
    };
    let last = quiet.asked.as_ref().map(|(asked, _)| asked).or(quiet.found.as_ref().map(|(found, _)| found));
    if last != Some(&question) {
        let (shelf, table, asked) = (quiet.shelf.clone(), shown.boxed_clone(), question.clone());
        let task = move |_: &_| with_book(&shelf, &asked.file, |book| look(book, &*table, asked.notation));
        quiet.asked = Some((question, BackgroundTask::on_thread(wake.handle(), task)));
        helped.write(Helped);
    }
    if let Some(found) = quiet.asked.as_mut().and_then(|(_, task)| task.poll()) {
        quiet.found = quiet.asked.take().map(|(question, _)| (question, found));
        book.set_changed();
    }
}

/// Changes the book in its file.
fn edit(
    mut requests: MessageReader<BookRequest>,
    mut book: ResMut<OpeningBook>,
    (current, settings): (Res<CurrentMatch>, Res<Settings>),
    (wake, mut notices): (WakeHandles, ResMut<Notices>),
) {
    for request in requests.read() {
        let shown = current.shown();
        let (table, edit) = match request {
            BookRequest::Edit(edit) => (shown.boxed_clone(), edit.clone()),
            BookRequest::AddLast => match before(shown) {
                Some((before, action)) => (before, BookEdit::Put(BookMove::new(action, 1))),
                None => continue,
            },
        };
        let Some(chosen) = settings.books.get(shown.game()) else { continue };
        // One change after the other: while one is written, the page takes no other.
        if book.edited.is_none() {
            let (shelf, file) = (book.shelf.clone(), chosen.file.clone());
            let task = move |_: &_| with_book(&shelf, &file, |book| book.edit(&*table, &edit));
            book.edited = Some(BackgroundTask::on_thread(wake.handle(), task));
        }
    }
    if let Some(done) = book.bypass_change_detection().edited.as_mut().and_then(BackgroundTask::poll) {
        book.edited = None;
        book.version += 1;
        done.err().into_iter().for_each(|why| notices.fail(why));
    }
}

/// A file that was chosen becomes the book of its game, if it is one.
fn choose(
    mut chosen: MessageReader<FileChosen>,
    mut book: ResMut<OpeningBook>,
    (wake, mut notices, mut requests): (WakeHandles, ResMut<Notices>, Requests),
) {
    for FileChosen(aim, paths) in chosen.read() {
        let (FileAim::Book { game, plays }, Some(file)) = (aim, paths.first()) else { continue };
        let (game, plays, file, shelf) = (*game, *plays, file.clone(), book.shelf.clone());
        let task = move |_: &_| {
            // The settings are a text.
            file.to_str().ok_or_else(|| message!("{}: {}", file.display(), message!("not valid UTF-8 text")))?;
            with_book(&shelf, &file, |book| book.check_game(game))?;
            Ok((file, game, plays))
        };
        book.chosen = Some(BackgroundTask::on_thread(wake.handle(), task));
    }
    let quiet = book.bypass_change_detection();
    if let Some(done) = quiet.chosen.as_mut().and_then(BackgroundTask::poll) {
        quiet.chosen = None;
        match done {
            Ok((file, game, plays)) => requests.change(move |settings: &mut Settings| {
                let chosen = settings.books.entry(game.to_owned()).or_default();
                chosen.file.clone_from(&file);
                chosen.plays |= plays;
            }),
            Err(why) => notices.fail(why),
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<OpeningBook>()
        .add_systems(Update, choose.in_set(Step::Input))
        .add_systems(Update, (edit, seek).chain().in_set(Step::Think).run_if(in_match))
        .add_systems(OnExit(Screen::Match), |mut book: ResMut<OpeningBook>| (book.asked, book.found) = (None, None));
}
