//! The common part of UCI and UCCI, and the trait for their differences.

use crate::book::BookUse;
use crate::games::Entry;
use crate::protocol::machine::{check_memory, check_threads};
use crate::protocol::text::clean;
use crate::search::{Known, Limits, RemainingTime, Value};
use crate::table::Progress;
use std::path::PathBuf;
use std::time::Duration;

/// The largest transposition table a user may set, in MiB.
pub const MOST_HASH: usize = 32_768;
/// The most threads.
pub const MOST_THREADS: usize = 256;
/// The most lines of a search (multi-PV).
pub const MOST_LINES: u16 = 128;

/// The result of a search.
#[derive(Clone, Default)]
pub struct SearchResult {
    /// The best move; `None` if there is no legal move.
    pub best: Option<String>,
    /// The expected answer of the opponent.
    pub ponder: Option<String>,
    /// The value for the side to move.
    pub value: Option<Value>,
    /// The depth searched, in plies.
    pub depth: u16,
}

/// A `go` command.
#[derive(Debug, Default)]
pub struct Go<'a> {
    /// The limits of the search.
    pub limits: Limits,
    /// Pondering: the last move is only expected and was not played yet.
    pub ponder: bool,
    /// The opponent offers a draw.
    pub draw: bool,
    /// The only root moves to search; empty for all moves.
    pub only: Vec<&'a str>,
}

/// A change of an option.
#[derive(Debug, PartialEq, Eq)]
pub enum Setting {
    /// The size of the transposition table in MiB.
    Hash(usize),
    /// The number of search threads.
    Threads(usize),
    /// The number of lines (multi-PV).
    Lines(u16),
    /// A new game: clear everything.
    Forget,
    /// Whether to use the opening book.
    Book(bool),
    /// The file of the opening book; `None` is the built-in one.
    BookFile(Option<PathBuf>),
    /// For how many plies the book of a file is used.
    BookDepth(usize),
    /// Whether times are in milliseconds.
    Milliseconds(bool),
    /// The variant; the next position starts from its start position.
    Variant(String),
    /// The rule of repetition: a variant with the same positions.
    Repetition(&'static str),
    /// Whether a network judges in place of the hand-written evaluation.
    Network(bool),
    /// The network's file; `None` is the one of the assets folder.
    NetworkFile(Option<PathBuf>),
}

/// The commands and answers of a protocol.
pub trait Dialect: Send + Sync {
    /// The answer to the greeting.
    fn greeting(&self, game: &Entry) -> Vec<String>;

    /// The name and value of a `setoption` line.
    fn option(&self, words: &[&str]) -> Option<(String, String)>;

    /// Reads a `go` line. `first` is true if the first side is to move.
    fn go<'a>(&self, words: &[&'a str], milliseconds: bool, first: bool) -> Go<'a>;

    /// The progress line of a running search.
    fn info(&self, progress: &Progress) -> String;

    /// The final answer of a search.
    fn answer(&self, found: &SearchResult, draw_offered: bool) -> String;

    /// A remark for the user.
    fn remark(&self, text: &str) -> String;

    /// The answer to `quit`, if the protocol has one.
    fn farewell(&self) -> Option<&'static str> {
        None
    }

    /// The answer to `probe`, if the protocol has this command. `_found` is the result for the position asked about.
    fn probe(&self, _found: Option<&SearchResult>) -> Option<String> {
        None
    }
}

/// The principal variation at the end of a progress line; nothing if the game is over.
pub fn line_text(progress: &Progress) -> String {
    if progress.pv_text.is_empty() { String::new() } else { format!(" pv {}", progress.pv_text.join(" ")) }
}

/// Reads an option; `None` if the name is unknown.
///
/// # Errors
/// The value is out of range, or more than this machine has; the option must stay unchanged.
pub fn setting(name: &str, value: &str) -> Result<Option<Setting>, String> {
    let number = |most: usize| match value.parse::<usize>() {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        _ => Err(format!("the range is 1 to {most}, not '{}'", clean(value, 40))),
    };
    let yes = value == "true" || value == "on";
    Ok(Some(match name.to_ascii_lowercase().as_str() {
        "hash" | "hashsize" => Setting::Hash(check_memory(number(MOST_HASH)? as u64)?),
        "threads" => Setting::Threads(check_threads(number(MOST_THREADS)?)?),
        "multipv" => Setting::Lines(number(usize::from(MOST_LINES))? as u16),
        "clear hash" | "newgame" => Setting::Forget,
        "ownbook" | "usebook" => Setting::Book(yes),
        "bookfile" | "bookfiles" => Setting::BookFile((!matches!(value, "" | "<empty>")).then(|| value.into())),
        "bookdepth" => Setting::BookDepth(number(BookUse::MOST)?),
        "usemillisec" => Setting::Milliseconds(yes),
        "variant" => Setting::Variant(value.to_owned()),
        "repetition" => Setting::Repetition(match value {
            "threefold" | "none" | "alwaysdraw" => "threefold",
            _ => "axf",
        }),
        "evaluation" => Setting::Network(match value {
            "hand" => false,
            "network" => true,
            other => return Err(format!("it is hand or network, and '{}' is neither", clean(other, 40))),
        }),
        "evalfile" => Setting::NetworkFile((!matches!(value, "" | "<empty>")).then(|| value.into())),
        _ => return Ok(None),
    }))
}

/// Reads the words of a `go` line one by one.
pub struct Words<'w, 'a> {
    words: &'w [&'a str],
    at: usize,
}

impl<'w, 'a> Words<'w, 'a> {
    /// The words of a line.
    pub fn new(words: &'w [&'a str]) -> Self {
        Words { words, at: 0 }
    }

    /// Reads the number after the current word. A negative number counts as 0; `None` if it is not a number.
    pub fn number(&mut self) -> Option<u64> {
        let word = self.words.get(self.at)?;
        self.at += 1;
        word.parse::<i64>().ok().map(|number| number.max(0).unsigned_abs())
    }

    /// Reads the following words as long as they are moves (two coordinates in four characters).
    pub fn moves(&mut self) -> Vec<&'a str> {
        let is_move = |word: &&&str| word.len() == 4 && word.as_bytes()[1].is_ascii_digit();
        let moves: Vec<&str> = self.words[self.at..].iter().take_while(is_move).copied().collect();
        self.at += moves.len();
        moves
    }
}

impl<'a> Iterator for Words<'_, 'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let word = self.words.get(self.at)?;
        self.at += 1;
        Some(word)
    }
}

/// Reads a word of a `go` line that both protocols have; false for any other word.
pub fn common<'a>(go: &mut Go<'a>, word: &str, words: &mut Words<'_, 'a>, unit: u64) -> bool {
    match word {
        "infinite" => {}
        "ponder" => go.ponder = true,
        // UCCI writes `depth infinite`.
        "depth" => go.limits.depth = words.number().map(|number| number.clamp(1, 1000) as u16),
        "nodes" => go.limits.nodes = words.number().map(|number| number.max(1)),
        "mate" => go.limits.mate = words.number().map(|number| number.clamp(1, 500) as u16),
        "movetime" => {
            go.limits.time = words.number().map(|number| Duration::from_millis(number.saturating_mul(unit).max(1)));
        }
        _ => return false,
    }
    true
}

/// The clock of the side to move in a `go` line, in the unit of the line.
#[derive(Clone, Copy, Debug, Default)]
pub struct GivenClock {
    /// Time left.
    pub time: Option<u64>,
    /// Time added after each move.
    pub increment: Option<u64>,
    /// Moves until the next time control.
    pub to_go: Option<u64>,
}

impl GivenClock {
    /// The clock, if a time was given.
    pub fn clock(self, unit: u64) -> Option<RemainingTime> {
        let span = |number: u64| Duration::from_millis(number.saturating_mul(unit));
        Some(RemainingTime {
            remaining: span(self.time?),
            increment: span(self.increment.unwrap_or(0)),
            moves_to_go: self.to_go.map(|moves| moves.clamp(1, 1000) as u16),
        })
    }
}

/// True if a draw is not worse than this value.
pub fn accepts_draw(value: Value) -> bool {
    match value {
        Value::Cp(units) => units <= 0,
        decided => decided.known() != Some(Known::Win),
    }
}
