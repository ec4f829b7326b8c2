//! What UCI and UCCI have in common, and the words in which they differ.

use crate::games::Entry;
use crate::protocol::machine::{check_memory, check_threads};
use crate::protocol::text::clean;
use crate::search::{Known, Limits, RemainingTime, Value};
use crate::table::Progress;
use std::path::PathBuf;
use std::time::Duration;

/// Most table memory a user may ask for, in MiB.
pub const MOST_HASH: usize = 32_768;
/// Most threads.
pub const MOST_THREADS: usize = 256;
/// Most lines of a search.
pub const MOST_LINES: u16 = 128;

/// What a search found.
#[derive(Clone, Default)]
pub struct Found {
    /// The move; `None` where there is none.
    pub best: Option<String>,
    /// The answer that is expected.
    pub ponder: Option<String>,
    /// What the position is worth to the side to move.
    pub value: Option<Value>,
    /// Plies searched.
    pub depth: u16,
}

/// What a `go` line asks.
#[derive(Debug, Default)]
pub struct Go<'a> {
    /// How far to search.
    pub limits: Limits,
    /// The move before is only expected so far.
    pub ponder: bool,
    /// The other side offers a draw.
    pub draw: bool,
    /// The only moves to be searched, if there are any.
    pub only: Vec<&'a str>,
}

/// What an option line sets.
#[derive(Debug, PartialEq, Eq)]
pub enum Setting {
    /// Table memory in MiB.
    Hash(usize),
    /// Threads of the search.
    Threads(usize),
    /// Lines of the search.
    Lines(u16),
    /// A new game: everything is forgotten.
    Forget,
    /// Whether the opening book may answer.
    Book(bool),
    /// Whether times are in milliseconds.
    Milliseconds(bool),
    /// The variant, from whose start the next position is set.
    Variant(String),
    /// The rule of repetition, a variant that keeps the position.
    Repetition(&'static str),
    /// Whether a network judges in place of the hand-written evaluation.
    Network(bool),
    /// The network's file; `None` is the one of the assets folder.
    NetworkFile(Option<PathBuf>),
}

/// A protocol's words.
pub trait Dialect: Send + Sync {
    /// The answer to the greeting.
    fn greeting(&self, game: &Entry) -> Vec<String>;

    /// The name and value of a `setoption` line.
    fn option(&self, words: &[&str]) -> Option<(String, String)>;

    /// Reads a `go` line. `first` is true where the first side is to move.
    fn go<'a>(&self, words: &[&'a str], milliseconds: bool, first: bool) -> Go<'a>;

    /// A line of a running search.
    fn info(&self, progress: &Progress) -> String;

    /// The answer of a search.
    fn answer(&self, found: &Found, draw_offered: bool) -> String;

    /// A remark for the user.
    fn remark(&self, text: &str) -> String;

    /// The answer to `quit`, if there is one.
    fn farewell(&self) -> Option<&'static str> {
        None
    }

    /// The answer to `probe`, if the protocol knows that question, where this was found in the position asked about.
    fn probe(&self, _found: Option<&Found>) -> Option<String> {
        None
    }
}

/// What a named option sets; `None` for a name that is not known.
///
/// # Errors
/// The value is out of range, or more than this machine has; the option is to stay as it was.
pub fn setting(name: &str, value: &str) -> Result<Option<Setting>, String> {
    let number = |most: usize| match value.parse::<usize>() {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        _ => Err(format!("it goes from 1 to {most}, and '{}' is not among them", clean(value, 40))),
    };
    let yes = value == "true" || value == "on";
    Ok(Some(match name.to_ascii_lowercase().as_str() {
        "hash" | "hashsize" => Setting::Hash(check_memory(number(MOST_HASH)? as u64)?),
        "threads" => Setting::Threads(check_threads(number(MOST_THREADS)?)?),
        "multipv" => Setting::Lines(number(usize::from(MOST_LINES))? as u16),
        "clear hash" | "newgame" => Setting::Forget,
        "ownbook" | "usebook" => Setting::Book(yes),
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

/// The numbers of a `go` line, word by word.
pub struct Words<'w, 'a> {
    words: &'w [&'a str],
    at: usize,
}

impl<'w, 'a> Words<'w, 'a> {
    /// The words of a line.
    pub fn new(words: &'w [&'a str]) -> Self {
        Words { words, at: 0 }
    }

    /// The number after the present word, which is then consumed. One below 0 counts as 0; `None` if it is not a number.
    pub fn number(&mut self) -> Option<u64> {
        let word = self.words.get(self.at)?;
        self.at += 1;
        word.parse::<i64>().ok().map(|number| number.max(0).unsigned_abs())
    }

    /// The words that follow for as long as they are moves: two coordinates in four characters.
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

/// Reads the words of a `go` line that both protocols have; false for any other.
pub fn common<'a>(go: &mut Go<'a>, word: &str, words: &mut Words<'_, 'a>, unit: u64) -> bool {
    match word {
        "infinite" => {}
        "ponder" => go.ponder = true,
        // `depth infinite` is UCCI's way to say so.
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

/// The mover's clock as a `go` line tells it, in the line's unit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Told {
    /// Time left.
    pub time: Option<u64>,
    /// Added with each move.
    pub increment: Option<u64>,
    /// Moves until more time comes.
    pub to_go: Option<u64>,
}

impl Told {
    /// The clock, where a time was told.
    pub fn clock(self, unit: u64) -> Option<RemainingTime> {
        let span = |number: u64| Duration::from_millis(number.saturating_mul(unit));
        Some(RemainingTime {
            remaining: span(self.time?),
            increment: span(self.increment.unwrap_or(0)),
            moves_to_go: self.to_go.map(|moves| moves.clamp(1, 1000) as u16),
        })
    }
}

/// True where a draw is no worse than what we have.
pub fn accepts_draw(value: Value) -> bool {
    match value {
        Value::Cp(units) => units <= 0,
        decided => decided.known() != Some(Known::Win),
    }
}
