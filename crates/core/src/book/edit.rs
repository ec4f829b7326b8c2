//! Changes of a book in its file.

use super::backup::keep;
use super::elephant::Elephant;
use super::entry::{BookEdit, BookFormat};
use super::{Book, Pages, Source};
use crate::message;
use crate::message::Message;
use crate::storage::replace_file;
use crate::table::Table;
use std::fs;
use std::path::Path;

impl Book {
    /// Changes what the book has for the position of a table. The file is as it was, or has the whole change. Before the first change of a file a copy
    /// of it is kept as `NAME.backup`.
    ///
    /// # Errors
    /// The book can only be read, the move is illegal, the format cannot hold it, or the file cannot be written; then nothing has changed.
    pub fn edit(&mut self, table: &dyn Table, edit: &BookEdit) -> Result<(), Message> {
        let path = self.path.clone();
        let within = |why: Message| message!("{}: {}", path.display(), why);
        if self.is_outdated() {
            *self = Book::open(&path)?;
        }
        if !self.is_editable() {
            return Err(within(message!("this book can only be read")));
        }
        // This tells a book of another game, too.
        self.moves(table)?;
        if let (BookEdit::Put(_), Some(why)) = (edit, table.refusal(edit.action())) {
            return Err(within(message!("the move is illegal: {}", Message::from(&why))));
        }
        let replace = |bytes: Vec<u8>| {
            let kept = keep(&path, |to| fs::copy(&path, to).map(drop));
            kept.and_then(|()| replace_file(&path, bytes)).map_err(Message::from)
        };
        let done = match &mut self.source {
            Source::Pages(pages) => {
                let mut fresh = pages.clone();
                fresh.edit(table, edit).and_then(|()| replace(fresh.text().into_bytes())).map(|()| *pages = fresh)
            }
            Source::Elephant(book) => {
                let mut fresh = book.clone();
                fresh.edit(table, edit).and_then(|()| replace(fresh.bytes())).map(|()| *book = fresh)
            }
            #[cfg(all(feature = "sqlite", not(target_arch = "wasm32")))]
            Source::Database(book) => book.edit(table, edit),
            Source::Yixin(_) => Ok(()),
        };
        self.seen = path.metadata().ok();
        done.map_err(within)
    }
}

impl Pages {
    /// Writes them as a book, in the format of the ending: `book`, or for xiangqi `obk`, `pfBook` and `dat`.
    ///
    /// # Errors
    /// There is no such format, it cannot hold this game, or the file cannot be written; then an old file is unchanged.
    pub fn save(&self, path: &Path) -> Result<(), Message> {
        let within = |why: Message| message!("{}: {}", path.display(), why);
        let format = BookFormat::of_ending(path)
            .ok_or_else(|| within(message!("the ending of a book that can be written is book, obk, pfBook or dat")))?;
        if format != BookFormat::Own && self.game() != "xiangqi" {
            return Err(within(message!("only books of xiangqi can have the ending {}; write a book", format.key())));
        }
        let write = |bytes: Vec<u8>| replace_file(path, bytes).map_err(Message::from);
        let written = match format {
            BookFormat::Own => write(self.text().into_bytes()),
            BookFormat::Elephant => Elephant::of(self).and_then(|book| write(book.bytes())),
            _ => save_database(self, path, format),
        };
        written.map_err(within)
    }
}

#[cfg(all(feature = "sqlite", not(target_arch = "wasm32")))]
fn save_database(pages: &Pages, path: &Path, format: BookFormat) -> Result<(), Message> {
    super::sqlite::save(pages, path, format)
}

#[cfg(not(all(feature = "sqlite", not(target_arch = "wasm32"))))]
fn save_database(_: &Pages, _: &Path, _: BookFormat) -> Result<(), Message> {
    Err(message!("this build of the program has no SQLite, so it cannot write this book"))
}
