//! A player that plays from a book as long as it has moves.

use super::Book;
use crate::message::Message;
use crate::search::StopToken;
use crate::table::{Action, Player, PlayerError, Progress, SearchRequest, Table};
use std::path::PathBuf;

/// The book that a player uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookUse {
    /// Its file.
    pub file: PathBuf,
    /// It is used for so many plies from the beginning of the game.
    pub plies: usize,
}

/// Another player with a book: it answers from the book, in proportion to the weights of the moves, and has the other player think where the book has no move. The
/// built-in book is not used then. Only a request that may use a book is answered from it.
pub struct BookPlayer {
    player: Box<dyn Player>,
    wanted: BookUse,
    /// The book, or that it cannot be used, which was told.
    book: Option<Option<Book>>,
}

impl BookUse {
    /// For how many plies a book is used, if nothing else is asked for,
    pub const USUAL: usize = 40;
    /// and for how many at most.
    pub const MOST: usize = 1000;
}

impl BookPlayer {
    /// A player with a book, which is opened when it is first needed. If it cannot be read the first search says why, and the next ones do without it.
    pub fn new(player: Box<dyn Player>, wanted: BookUse) -> BookPlayer {
        BookPlayer { player, wanted, book: None }
    }

    /// The same with the book, which is open already.
    pub fn with_open(self, book: Book) -> BookPlayer {
        BookPlayer { book: Some(Some(book)), ..self }
    }

    /// What the book answers.
    fn book_move(&mut self, table: &dyn Table, request: &SearchRequest) -> Result<Option<Action>, Message> {
        let asked = request.book && !request.limits.is_infinite() && table.ply() < self.wanted.plies;
        if !asked || table.outcome().is_some() {
            return Ok(None);
        }
        if self.book.is_none() {
            let opened = Book::open(&self.wanted.file);
            self.book = Some(None);
            self.book = Some(Some(opened?));
        }
        let Some(Some(book)) = &self.book else { return Ok(None) };
        let found = book.choose(table, request.options.seed, &request.left_out);
        if found.is_err() {
            self.book = Some(None);
        }
        found
    }
}

impl Player for BookPlayer {
    fn prepare(&mut self, table: &dyn Table, request: &SearchRequest) -> Result<(), PlayerError> {
        self.player.prepare(table, request)
    }

    fn think(
        &mut self,
        table: &dyn Table,
        request: &SearchRequest,
        stop: &StopToken,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Option<Action>, PlayerError> {
        if let Some(action) = self.book_move(table, request).map_err(PlayerError::Unavailable)? {
            return Ok(Some(action));
        }
        self.player.think(table, &SearchRequest { book: false, ..request.clone() }, stop, tell)
    }

    fn new_game(&mut self) {
        self.book = None;
        self.player.new_game();
    }
}
