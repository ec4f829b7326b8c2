//! Arguments shared by several commands: a game with its position, and an engine with its limits.

use crate::language::Language;
use qiju_core::games::{self, Entry, REGISTRY};
use qiju_core::protocol::machine::check_memory;
use qiju_core::record;
#[cfg(any(feature = "friends", feature = "gui"))]
use qiju_core::rules::BySide;
use qiju_core::search::Limits;
use qiju_core::table::{Algorithm, EngineOptions, Evaluation, GameSheet, Notation, SearchRequest, Setup, Table, TimeControl};
use qiju_core::terminal::{Failure, aside};
use std::convert::Infallible;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

/// The largest depth that may be requested. It is small enough for the stack.
const DEEPEST: i64 = 200;
/// A week, in milliseconds.
const LONGEST_MS: i64 = 7 * 24 * 3600 * 1000;

/// The game that is called this: by its key, or by its name in a language of the window, in capital or small letters.
pub fn game_called(name: &str) -> Option<&'static Entry> {
    let name = name.to_lowercase();
    let called = |entry: &&Entry| {
        let sheet = entry.sheet().ok();
        sheet.is_some_and(|sheet| Language::ALL.iter().any(|language| language.of(&sheet.name).to_lowercase() == name))
    };
    REGISTRY.iter().find(|entry| entry.key == name).or_else(|| REGISTRY.iter().find(called))
}

/// The key of the game that is called this; any other word as it is.
pub fn read_game(word: &str) -> Result<String, Infallible> {
    Ok(game_called(word).map_or(word, |entry| entry.key).to_owned())
}

/// The clocks of a match.
#[derive(clap::Args, Debug, Default)]
pub struct ClockArgs {
    /// The clock: minutes for the match, or minutes and the seconds that each move adds, as in 10+5, or none [default: none]
    #[arg(long, value_name = "CLOCK", value_parser = clock_of, requires = "game")]
    pub clock: Option<TimeControl>,
    /// The clock of the second side, if it has another one
    #[arg(long, value_name = "CLOCK", value_parser = clock_of, requires = "game")]
    pub clock_second: Option<TimeControl>,
}

#[cfg(any(feature = "friends", feature = "gui"))]
impl ClockArgs {
    /// The time control of each side.
    pub fn controls(&self) -> BySide<TimeControl> {
        let first = self.clock.unwrap_or_default();
        BySide::new(first, self.clock_second.unwrap_or(first))
    }
}

fn clock_of(text: &str) -> Result<TimeControl, String> {
    let number = |text: &str| text.parse::<u32>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    let (main, add) = text.split_once('+').unwrap_or((text, "0"));
    let control = match (number(main).and_then(|minutes| minutes.checked_mul(60)), number(add)) {
        _ if text == "none" => Some(TimeControl::Unlimited),
        (Some(main), Some(0)) => Some(TimeControl::Sudden { main }),
        (Some(main), Some(add)) => Some(TimeControl::Increment { main, add }),
        _ => None,
    };
    control.filter(|control| *control == control.sane()).ok_or_else(|| {
        "this is no clock: minutes are expected, with seconds a move after a plus sign, such as 10 or 10+5, or none".to_owned()
    })
}

/// A game and one of its positions.
#[derive(clap::Args, Debug)]
pub struct PositionArgs {
    /// The game: xiangqi, gomoku, two-eat-one or tic-tac-toe
    #[arg(value_parser = read_game)]
    pub game: String,
    /// The variant [default: the first variant of the game]
    #[arg(long, value_name = "V")]
    pub variant: Option<String>,
    /// The position as text, or the link of a game, whose last position is meant [default: the start position]
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub position: Option<String>,
}

impl PositionArgs {
    /// The game's entry.
    pub fn entry(&self) -> Result<&'static Entry, Failure> {
        Ok(games::find(&self.game)?)
    }

    /// The table of this position.
    pub fn table(&self) -> Result<Box<dyn Table>, Failure> {
        let link = self.position.as_deref().map(Path::new).filter(|path| record::is_link(path));
        if let Some(link) = link {
            return self.end_of(link);
        }
        let setup = Setup { variant: self.variant.clone(), position: self.position.clone() };
        Ok(self.entry()?.table(&setup)?)
    }

    /// The table at the end of the game of a link.
    fn end_of(&self, link: &Path) -> Result<Box<dyn Table>, Failure> {
        let reading = record::open(link)?;
        let usage = |why: String| Failure::usage(format!("--position: {why}"));
        let [record] = &reading.all()?[..] else { return Err(usage("there is more than one link".to_owned())) };
        let game = self.entry()?.key;
        if record.game != game {
            return Err(usage(format!("a link of {}, not of {game}", record.game)));
        }
        if self.variant.as_ref().is_some_and(|variant| record.setup.variant.as_ref() != Some(variant)) {
            return Err(usage("--variant is another one than that of the link".to_owned()));
        }
        let mut table = record.replay().map_err(|(_, why)| usage(why.into()))?;
        table.adjudicate(true);
        Ok(table)
    }
}

/// Moves to play from the position.
#[derive(clap::Args, Debug)]
pub struct MovesArgs {
    /// Moves to play first, separated by spaces, in any notation of the game, with or without their numbers
    #[arg(long, value_name = "\"M M ..\"", allow_hyphen_values = true)]
    pub moves: Option<String>,
}

impl MovesArgs {
    /// Plays the moves.
    pub fn play(&self, table: &mut dyn Table) -> Result<(), Failure> {
        let words = self.moves.as_deref().unwrap_or_default().split_whitespace();
        for (number, text) in (1..).zip(words.map(record::without_number).filter(|word| !word.is_empty())) {
            let played = table.read(text).and_then(|action| table.play(action));
            played.map_err(|error| Failure::usage(format!("--moves, move {number}: {error}")))?;
        }
        Ok(())
    }
}

/// The limits of an engine.
#[derive(clap::Args, Debug, Default)]
pub struct LimitArgs {
    /// Search depth in plies
    #[arg(long, value_name = "D", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=DEEPEST))]
    pub depth: Option<u16>,
    /// The number of nodes
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Search time in milliseconds
    #[arg(long, value_name = "MS", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..=LONGEST_MS as u64))]
    pub movetime: Option<u64>,
}

impl LimitArgs {
    /// The limits; three seconds if none are given.
    pub fn limits(&self) -> Limits {
        let mut limits = Limits { depth: self.depth, nodes: self.nodes, ..Limits::default() };
        limits.time = self.movetime.map(Duration::from_millis);
        if limits.is_infinite() {
            limits.time = Some(Duration::from_secs(3));
        }
        limits
    }
}

/// The options of an engine.
#[derive(clap::Args, Debug)]
pub struct EngineArgs {
    /// The number of search threads
    #[arg(long, value_name = "T", allow_negative_numbers = true, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MB", allow_negative_numbers = true, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub hash: u32,
    /// The number of lines to report
    #[arg(long, value_name = "K", allow_negative_numbers = true, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=500))]
    pub multipv: u16,
    /// The search algorithm: own, minimax, negamax, alphabeta, ordered, table or seed
    #[arg(long, value_name = "A", default_value = "own", value_parser = read_algorithm)]
    pub algorithm: Algorithm,
    /// The evaluation: own (the best that the engine has), hand, network or network:FILE
    #[arg(long, value_name = "E", default_value = "own", value_parser = Evaluation::read)]
    pub evaluation: Evaluation,
}

/// Checks that the game's engine has this evaluation. If a network cannot be loaded, a line reports it and the hand-written evaluation is used.
///
/// # Errors
/// The engine has only one evaluation.
pub fn check_evaluation(wanted: &Evaluation, table: &dyn Table) -> Result<(), String> {
    if matches!(wanted, Evaluation::Own | Evaluation::Hand) {
        return Ok(());
    }
    let evaluations = table.capabilities().evaluations;
    let evaluations = evaluations.ok_or_else(|| format!("{} has no network, only its own evaluation", table.game()))?;
    if let Some(trouble) = evaluations.trouble(wanted) {
        aside(&trouble);
    }
    Ok(())
}

impl EngineArgs {
    /// The request for the engine, which will be asked about `table`.
    pub fn request(&self, limits: Limits, table: &dyn Table) -> Result<SearchRequest, Failure> {
        check_evaluation(&self.evaluation, table).map_err(|why| Failure::usage(format!("--evaluation: {why}")))?;
        let hash_mb = check_memory(u64::from(self.hash)).map_err(|why| Failure::usage(format!("--hash: {why}")))?;
        let options = EngineOptions {
            algorithm: self.algorithm,
            threads: usize::from(self.threads),
            hash_mb,
            evaluation: self.evaluation.clone(),
            ..EngineOptions::default()
        };
        let from_proof = self.multipv == 1;
        Ok(SearchRequest { options, limits, multipv: self.multipv, from_proof, ..SearchRequest::default() })
    }
}

/// Checks that a file can be read, unless it stands for the link of a game.
///
/// # Errors
/// It is not there, or cannot be read: the work could not be done, whatever is wrong with the contents of others.
pub fn check_file(path: &Path) -> Result<(), Failure> {
    let read = || File::open(path)?.read(&mut [0]);
    if record::is_link(path) { Ok(()) } else { read().map(drop).map_err(|error| Failure::file(path, &error)) }
}

/// The algorithm with this name.
pub fn read_algorithm(word: &str) -> Result<Algorithm, String> {
    Algorithm::from_key(word)
        .ok_or_else(|| format!("there is no such algorithm; there are {}", words(Algorithm::all().map(Algorithm::key))))
}

/// A manner of the game with this sheet.
pub fn read_manner(word: &str, sheet: &GameSheet) -> Result<String, String> {
    let known = sheet.manner(word).map(|manner| manner.key.clone());
    known.ok_or_else(|| match &sheet.manners[..] {
        [] => "the levels of this game have no manners".to_owned(),
        all => format!("'{word}' is no manner; there are {}", words(all.iter().map(|manner| manner.key.as_str()))),
    })
}

/// The notation with this name.
pub fn read_notation(word: &str) -> Result<Notation, String> {
    Notation::from_key(word)
        .ok_or_else(|| format!("there is no such notation; there are {}", words(Notation::ALL.map(Notation::key))))
}

/// The notation that was asked for, or the one in which the command line writes moves of this game.
pub fn notation_for(asked: Option<Notation>, table: &dyn Table) -> Notation {
    asked.unwrap_or(if table.notations().contains(&Notation::Wxf) { Notation::Wxf } else { Notation::Uci })
}

/// Words as a list for a message.
pub fn words<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().collect::<Vec<_>>().join(", ")
}
