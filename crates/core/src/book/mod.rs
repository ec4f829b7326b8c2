//! Opening books: moves that a position is answered with, each with a score, results and a note.
//!
//! [`Book::open`] reads books of other programs and our own, and any record of games as a book: RenLib's libraries, a PGN file. [`Book::moves`] tells what
//! a book has for a position or one of its images. [`Book::edit`] changes it in its file, and keeps a copy of the file as it was. [`Pages`] makes a book of
//! games. [`BookPlayer`] plays from one.

mod backup;
mod edit;
mod elephant;
mod entry;
mod keys;
mod pages;
mod player;
#[cfg(all(feature = "sqlite", not(target_arch = "wasm32")))]
mod sqlite;
mod yixin;

pub use entry::{BookEdit, BookFormat, BookMove, shares, weights};
pub use pages::Pages;
pub use player::{BookPlayer, BookUse};

use crate::message;
use crate::message::Message;
use crate::record;
use crate::rules::zobrist;
use crate::table::{Action, Table};
use elephant::Elephant;
use std::collections::HashSet;
use std::fs::{File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};
use yixin::Yixin;

/// Where the moves of a book are.
enum Source {
    Pages(Pages),
    Elephant(Elephant),
    #[cfg(all(feature = "sqlite", not(target_arch = "wasm32")))]
    Database(sqlite::Database),
    Yixin(Yixin),
}

/// An opening book in a file.
pub struct Book {
    path: PathBuf,
    format: BookFormat,
    source: Source,
    /// Its file as it was when the book was read or changed.
    seen: Option<Metadata>,
}

impl Book {
    /// Opens a book. Its format is detected by its content; `BOOK.DAT` and Yixin's database, which have no signature, by their endings `dat` and `db`.
    ///
    /// # Errors
    /// It cannot be read, or it is no book.
    pub fn open(path: &Path) -> Result<Book, Message> {
        let seen = path.metadata().ok();
        let within = |why: Message| message!("{}: {}", path.display(), why);
        let mut head = Vec::new();
        let opened = File::open(path).and_then(|file| file.take(16).read_to_end(&mut head));
        opened.map_err(|error| within(error.into()))?;
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        if head.starts_with(b"SQLite format 3\0") {
            let (format, source) = database(path).map_err(within)?;
            return Ok(Book { path: path.to_owned(), format, source, seen });
        }
        if matches!(ending.as_str(), "obk" | "pfbook") {
            return Err(within(message!("this is no SQLite database")));
        }
        let bytes = record::bytes_of(path)?;
        let (format, source) = if bytes.starts_with(pages::HEAD.as_bytes()) {
            (BookFormat::Own, Source::Pages(Pages::parse(&bytes).map_err(within)?))
        } else if ending == "dat" {
            (BookFormat::Elephant, Source::Elephant(Elephant::read(&bytes).map_err(within)?))
        } else if ending == "db" {
            (BookFormat::Yixin, Source::Yixin(Yixin::read(&bytes).map_err(within)?))
        } else {
            let reading = record::read(&record::name_of(path), &bytes, Some(&ending))?;
            (BookFormat::Records, Source::Pages(Pages::of_records(&reading.records).map_err(within)?))
        };
        Ok(Book { path: path.to_owned(), format, source, seen })
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// True if its file was changed by somebody else since it was opened.
    pub fn is_outdated(&self) -> bool {
        let state = |file: Option<&Metadata>| file.map(|file| (file.modified().ok(), file.len()));
        state(self.path.metadata().ok().as_ref()) != state(self.seen.as_ref())
    }

    /// Its format.
    pub fn format(&self) -> BookFormat {
        self.format
    }

    /// The key of its game.
    pub fn game(&self) -> &str {
        match &self.source {
            Source::Pages(pages) => pages.game(),
            Source::Yixin(_) => "gomoku",
            _ => "xiangqi",
        }
    }

    /// That its game is this one.
    ///
    /// # Errors
    /// It is another one.
    pub fn check_game(&self, game: &str) -> Result<(), Message> {
        if self.game() == game {
            return Ok(());
        }
        Err(message!("{}: this is a book of {}, not of {}", self.path.display(), self.game(), game))
    }

    /// The variant of its positions, if it tells one.
    pub fn variant(&self) -> Option<&str> {
        match &self.source {
            Source::Pages(pages) => Some(pages.variant()),
            _ => None,
        }
    }

    /// True if its moves can be changed.
    pub fn is_editable(&self) -> bool {
        !matches!(self.format, BookFormat::Records | BookFormat::Yixin)
    }

    /// What the book has for the position of a table, or for an image of it: the legal moves, the highest score first. None where the game is over.
    ///
    /// # Errors
    /// The book is of another game, or its file can no longer be read.
    pub fn moves(&self, table: &dyn Table) -> Result<Vec<BookMove>, Message> {
        self.check_game(table.game())?;
        let legal: HashSet<Action> = table.actions().into_iter().collect();
        let mut moves = match &self.source {
            Source::Pages(pages) => pages.moves(table),
            Source::Elephant(book) => book.moves(table),
            #[cfg(all(feature = "sqlite", not(target_arch = "wasm32")))]
            Source::Database(book) => book.moves(table, &legal).map_err(|why| message!("{}: {}", self.path.display(), why))?,
            Source::Yixin(book) => book.moves(table, &legal),
        };
        // A key of few bits may belong to another position as well.
        moves.retain(|one| legal.contains(&one.action));
        moves.sort_by_key(|one| (one.shunned, std::cmp::Reverse((one.score, one.points()))));
        let mut seen = HashSet::new();
        moves.retain(|one| seen.insert(one.action));
        Ok(moves)
    }

    /// A move of the book for the position, chosen by the [`weights`]: the same seed chooses the same. None of `left_out`.
    ///
    /// # Errors
    /// The same as for [`moves`](Book::moves).
    pub fn choose(&self, table: &dyn Table, seed: u64, left_out: &[Action]) -> Result<Option<Action>, Message> {
        let moves = self.moves(table)?;
        let mut weights = weights(&moves);
        for (one, weight) in moves.iter().zip(&mut weights) {
            if left_out.contains(&one.action) {
                *weight = 0;
            }
        }
        let whole: u64 = weights.iter().sum();
        if whole == 0 {
            return Ok(None);
        }
        let mut left = zobrist::mix(seed ^ table.key()) % whole;
        let chosen = moves.iter().zip(weights).find(|(_, weight)| {
            let found = left < *weight;
            left = left.wrapping_sub(*weight);
            found
        });
        Ok(chosen.map(|(one, _)| one.action))
    }
}

#[cfg(all(feature = "sqlite", not(target_arch = "wasm32")))]
fn database(path: &Path) -> Result<(BookFormat, Source), Message> {
    let database = sqlite::Database::open(path)?;
    Ok((database.format(), Source::Database(database)))
}

#[cfg(not(all(feature = "sqlite", not(target_arch = "wasm32"))))]
fn database(_: &Path) -> Result<(BookFormat, Source), Message> {
    Err(message!("this build of the program has no SQLite, so it cannot read this book"))
}
