//! Portable Game Notation: tags, then moves with comments, variations and glyphs. It is read as xiangqi programs write
//! it, in every notation and with all known deviations from the standard; it can be written for every game.
//!
//! `scan.rs` splits the file into tokens, [`game`] converts the tokens of one game into a record, `san.rs` reads moves
//! in chess style, `write.rs` writes.

mod game;
mod san;
mod scan;
mod write;

pub use game::{Event, Kind, build, is_soldier, looks_like_move, results_differ};
pub use san::Dialect;
pub use scan::{Scan, Token, begins_with_tag, result};
pub use write::write;

use super::{ReadItem, Sink, drawn, of_reading, tell};
use crate::message;
use crate::message::Message;
use crate::record::Record;
use crate::record::builder::Partial;
use crate::record::fault::Fault;
use game::Raw;

/// Reads the games of a file one by one.
pub fn read(text: &str, sink: &mut Sink) {
    if let Some((byte, line)) = drawing(text) {
        let found = of_reading(|partial| drawn_game(text, byte, line, partial, sink));
        return tell(sink, found);
    }
    let mut games = Games { game: Raw::default(), closed: false, told: false, stopped: false, sink };
    let mut scan = Scan::new(text, 1);
    while !games.stopped {
        match scan.next() {
            Ok(Some((line, token))) => games.take(line, token),
            Ok(None) => break,
            Err(fault) => {
                games.game.fault.get_or_insert(fault);
                break;
            }
        }
    }
    games.finish();
}

/// The place of a drawn tree: its byte and its line.
fn drawing(text: &str) -> Option<(usize, usize)> {
    const LOOKED_AT: usize = 200;
    let mut byte = 0;
    for (number, line) in (1..=LOOKED_AT).zip(text.split_inclusive('\n')) {
        if drawn::begins(line) {
            return Some((byte, number));
        }
        byte += line.len();
    }
    None
}

fn drawn_game(text: &str, byte: usize, line: usize, partial: &mut Partial, sink: &mut Sink) -> Result<Record, Fault> {
    let mut game = Raw::default();
    let mut scan = Scan::new(&text[..byte], 1);
    while let Some((line, token)) = scan.next()? {
        if let Token::Tag(name, value) = token {
            game.tag(line, name, value);
        }
    }
    game.drawn(&text[byte..], line, partial, sink)
}

/// The games of a file while it is read.
struct Games<'a, 'b> {
    game: Raw<'a>,
    /// True after the end of a game; then everything up to the beginning of the next game is skipped.
    closed: bool,
    /// True directly behind the result, where a comment may still follow.
    told: bool,
    /// No more games are wanted.
    stopped: bool,
    sink: &'b mut Sink<'b>,
}

impl<'a> Games<'a, '_> {
    fn take(&mut self, line: usize, token: Token<'a>) {
        if self.begins_a_game(&token) {
            self.finish();
        }
        match token {
            Token::Tag(name, value) => {
                self.closed = false;
                self.game.tag(line, name, value);
            }
            Token::Number(1, _) if self.closed => {
                self.closed = false;
                self.game.line = line;
            }
            Token::Remark(why) => tell(self.sink, ReadItem::Remark(Fault::line(line, why))),
            Token::Comment(_) if self.closed && self.told => self.game.event(line, token),
            _ if self.closed => self.told = false,
            Token::Result(told) => {
                if self.game.depth == 0 {
                    self.game.told = Some(told);
                    (self.closed, self.told) = (true, true);
                }
            }
            Token::Rule => self.closed |= !self.game.is_empty(),
            token => self.game.event(line, token),
        }
    }

    /// True if a token belongs to the next game: a tag after moves, a tag that the game already has, or a move number
    /// that starts again.
    fn begins_a_game(&self, token: &Token) -> bool {
        let game = &self.game;
        if game.is_empty() {
            return false;
        }
        match token {
            Token::Tag(name, _) => game.moves > 0 || self.closed || game.has_tag(name),
            Token::Number(1, false) => self.closed || game.moves > 1 && game.depth == 0,
            _ => false,
        }
    }

    fn finish(&mut self) {
        let game = std::mem::take(&mut self.game);
        self.closed = false;
        if game.is_empty() || self.stopped {
            return;
        }
        let sink = &mut *self.sink;
        let found = of_reading(|partial| game.record(partial, sink));
        self.stopped = !(self.sink)(found);
    }
}

/// The fault of a move: its number, its text and the reason.
fn bad_move(line: usize, ply: usize, word: &str, why: Message) -> Fault {
    let word: String = word.chars().take(20).collect();
    Fault::line(line, message!("move {}: '{}': {}", ply, word.escape_debug(), why))
}
