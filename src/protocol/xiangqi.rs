//! The xiangqi engine as a program: UCI as Pikafish speaks it (ranks from 0) and UCCI 3.0, whichever it is greeted in.
//!
//! A reader thread hands lines to the one loop that answers; a search runs in a thread of its own, so `stop`, `ponderhit` and
//! `quit` are heard at once. Lines that make no sense are passed over, as both protocols ask.

use super::machine::{Countdown, check_memory, check_threads};
use super::text::{Line, clean, read_line};
use crate::games;
use crate::search::{Limits, RemainingTime, StopToken, Value};
use crate::table::{Action, EngineOptions, Notation, PlayerHandle, Progress, SearchRequest, Setup, Table};
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

const XIANGQI: &str = "xiangqi";
/// Most table memory a user may ask for, in MiB.
const MOST_HASH: usize = 32_768;
const MOST_THREADS: usize = 256;
/// Bytes of the longest line that is read: a `position` with many thousand moves.
const LONGEST_LINE: usize = 1 << 20;
/// Lines that may wait to be answered before no more are read.
const WAITING_LINES: usize = 4096;
const MOST_LINES: u16 = 128;
/// A draw is accepted where we stand no better than this, in hundredths of a soldier.
const DRAW_ACCEPTED: i32 = 0;

/// Which protocol we were greeted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Uci,
    Ucci,
}

/// What the loop waits for.
enum Event {
    Line(String),
    /// A line that was too long to be read.
    TooLong,
    End,
    /// The search with this number has finished.
    Found(u64, Found),
}

/// What a search found.
#[derive(Clone, Default)]
struct Found {
    best: Option<String>,
    ponder: Option<String>,
    value: Option<Value>,
    depth: u16,
}

/// A search under way.
struct Running {
    number: u64,
    stop: StopToken,
    thread: JoinHandle<Found>,
    /// The answer waits for `stop` or `ponderhit`.
    held: bool,
    /// What begins to count at `ponderhit`.
    pondering: Option<Limits>,
    /// Ends the search some time after `ponderhit`; goes with it.
    countdown: Option<Countdown>,
    draw_offered: bool,
    position: String,
    finished: Option<Found>,
}

struct Program<W> {
    output: Arc<Mutex<W>>,
    events: Sender<Event>,
    dialect: Dialect,
    options: EngineOptions,
    player: PlayerHandle,
    table: Box<dyn Table>,
    /// UCCI's times are in milliseconds.
    milliseconds: bool,
    running: Option<Running>,
    searches: u64,
    /// The root of the last finished search and what was found, for `probe`.
    last: Option<(String, Found)>,
}

/// Speaks until `quit` or the end of the input; searches with a limit are finished first.
///
/// # Errors
/// The output cannot be written.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    run_game(XIANGQI, input, output)
}

/// The same for another game of the registry, which speaks UCI with its own position and move text and names its variants in an
/// option.
///
/// # Errors
/// There is no such game, or the output cannot be written.
pub fn run_game(game: &str, input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    let (events, inbox) = channel();
    let waiting = Arc::new(AtomicUsize::new(0));
    let (reader, counter) = (events.clone(), waiting.clone());
    std::thread::spawn(move || read(input, &reader, &counter));
    let table = games::find(game).and_then(|game| game.table(&Setup::default())).map_err(io::Error::other)?;
    let mut program = Program {
        output: Arc::new(Mutex::new(output)),
        events,
        dialect: Dialect::Uci,
        options: EngineOptions { hash_mb: 16, ..EngineOptions::default() },
        player: PlayerHandle::new(table.player()),
        table,
        milliseconds: false,
        running: None,
        searches: 0,
        last: None,
    };
    program.serve(&inbox, &waiting)
}

fn read(mut input: impl BufRead, events: &Sender<Event>, waiting: &AtomicUsize) {
    loop {
        let event = match read_line(&mut input, LONGEST_LINE) {
            Ok(Line::Text(line)) => Event::Line(line),
            Ok(Line::TooLong) => Event::TooLong,
            Ok(Line::End) | Err(_) => break,
        };
        waiting.fetch_add(1, Ordering::Relaxed);
        if events.send(event).is_err() {
            return;
        }
        while waiting.load(Ordering::Relaxed) >= WAITING_LINES {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    let _ = events.send(Event::End);
}

impl<W: Write + Send + 'static> Program<W> {
    fn serve(&mut self, inbox: &Receiver<Event>, waiting: &AtomicUsize) -> io::Result<()> {
        let mut ended = false;
        while let Ok(event) = inbox.recv() {
            if matches!(event, Event::Line(_) | Event::TooLong) {
                waiting.fetch_sub(1, Ordering::Relaxed);
            }
            match event {
                Event::TooLong => {
                    self.complain(&format!("a line is longer than {} KiB and was passed over", LONGEST_LINE >> 10))?
                }
                Event::Line(line) => {
                    if !self.hear(&line)? {
                        break;
                    }
                }
                Event::End => {
                    // Nobody can say stop any more: what has no end of its own ends now.
                    ended = true;
                    if self.running.as_ref().is_some_and(|running| running.held) {
                        self.stop()?;
                    }
                }
                Event::Found(number, found) => self.finished(number, found)?,
            }
            if ended && self.running.is_none() {
                break;
            }
        }
        if let Some(running) = self.running.take() {
            running.stop.stop();
            let _ = running.thread.join();
        }
        Ok(())
    }

    fn say(&self, line: &str) -> io::Result<()> {
        say(&self.output, line)
    }

    /// Answers one line; false at `quit`.
    fn hear(&mut self, line: &str) -> io::Result<bool> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&command, rest)) = words.split_first() else { return Ok(true) };
        match command {
            "uci" => {
                self.dialect = Dialect::Uci;
                self.greet_uci()?;
            }
            "ucci" if self.is_xiangqi() => {
                self.dialect = Dialect::Ucci;
                self.greet_ucci()?;
            }
            "isready" => self.say("readyok")?,
            "ucinewgame" => self.new_game(),
            "setoption" => self.set_option(rest)?,
            "position" => self.set_position(rest)?,
            "banmoves" => self.options.left_out = self.read_moves(rest),
            "go" => self.go(rest)?,
            "stop" => self.stop()?,
            "ponderhit" => self.ponder_hit()?,
            "probe" => self.probe(rest)?,
            "d" => {
                let text = format!("{}\n{}", self.table.diagram(), self.table.position_text());
                self.say(&text)?;
            }
            "quit" => {
                if self.dialect == Dialect::Ucci {
                    self.say("bye")?;
                }
                return Ok(false);
            }
            _ => {}
        }
        Ok(true)
    }

    fn is_xiangqi(&self) -> bool {
        self.table.game() == XIANGQI
    }

    fn greet_uci(&self) -> io::Result<()> {
        let default = EngineOptions::default();
        self.say(&format!("id name Qiju {}", env!("CARGO_PKG_VERSION")))?;
        self.say("id author the Qiju authors")?;
        self.say(&format!("option name Hash type spin default 16 min 1 max {MOST_HASH}"))?;
        self.say(&format!("option name Threads type spin default {} min 1 max {MOST_THREADS}", default.threads))?;
        self.say(&format!("option name MultiPV type spin default 1 min 1 max {MOST_LINES}"))?;
        self.say("option name Ponder type check default false")?;
        self.say("option name OwnBook type check default false")?;
        self.say("option name Clear Hash type button")?;
        if self.is_xiangqi() {
            self.say("option name Repetition type combo default axf var axf var threefold")?;
        } else if let Ok(game) = games::find(self.table.game()) {
            let variants = (game.variants)();
            self.say(&format!("option name Variant type combo default {} var {}", variants[0], variants.join(" var ")))?;
        }
        self.say("uciok")
    }

    fn greet_ucci(&self) -> io::Result<()> {
        self.say(&format!("id name Qiju {}", env!("CARGO_PKG_VERSION")))?;
        self.say("id author the Qiju authors")?;
        self.say("option usemillisec type check default false")?;
        self.say("option ponder type check default false")?;
        self.say(&format!("option hashsize type spin min 1 max {MOST_HASH} default 16"))?;
        self.say(&format!("option threads type spin min 1 max {MOST_THREADS} default 1"))?;
        self.say("option repetition type combo var asianrule var none default asianrule")?;
        self.say("option usebook type check default false")?;
        self.say("option newgame type button")?;
        self.say("ucciok")
    }

    fn new_game(&mut self) {
        self.player.lock().new_game();
        self.last = None;
    }

    fn set_option(&mut self, words: &[&str]) -> io::Result<()> {
        let (name, value) = match self.dialect {
            Dialect::Uci => {
                let Some((&"name", rest)) = words.split_first() else { return Ok(()) };
                let at = rest.iter().position(|word| *word == "value").unwrap_or(rest.len());
                (rest[..at].join(" "), rest.get(at + 1..).unwrap_or_default().join(" "))
            }
            Dialect::Ucci => {
                let Some((name, rest)) = words.split_first() else { return Ok(()) };
                ((*name).to_owned(), rest.join(" "))
            }
        };
        let number = |most: usize| match value.parse::<usize>() {
            Ok(number) if (1..=most).contains(&number) => Ok(number),
            _ => Err(format!("it goes from 1 to {most}, and '{}' is not among them", clean(&value, 40))),
        };
        match name.to_ascii_lowercase().as_str() {
            "hash" | "hashsize" => match number(MOST_HASH).and_then(|megabytes| check_memory(megabytes as u64)) {
                Ok(megabytes) => self.options.hash_mb = megabytes,
                Err(why) => return self.refuse(&name, &why),
            },
            "threads" => match number(MOST_THREADS).and_then(check_threads) {
                Ok(threads) => self.options.threads = threads,
                Err(why) => return self.refuse(&name, &why),
            },
            "multipv" => match number(usize::from(MOST_LINES)) {
                Ok(lines) => self.options.multipv = lines as u16,
                Err(why) => return self.refuse(&name, &why),
            },
            "clear hash" | "newgame" => self.new_game(),
            "ownbook" | "usebook" => self.options.book = value == "true" || value == "on",
            "usemillisec" => self.milliseconds = value == "true" || value == "on",
            "variant" if !self.is_xiangqi() => {
                let setup = Setup { variant: Some(value), position: None };
                if let Ok(table) = games::find(self.table.game()).and_then(|game| game.table(&setup)) {
                    self.table = table;
                }
            }
            "repetition" if self.is_xiangqi() => {
                let variant = if matches!(value.as_str(), "threefold" | "none" | "alwaysdraw") { "threefold" } else { "axf" };
                let setup = Setup { variant: Some(variant.to_owned()), position: self.table.setup().position.clone() };
                let played = self.table.played();
                if let Some(mut table) = games::find(self.table.game()).ok().and_then(|game| game.table(&setup).ok()) {
                    for action in played {
                        if table.play(action).is_err() {
                            break;
                        }
                    }
                    self.table = table;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// An option keeps the value it had.
    fn refuse(&self, option: &str, why: &str) -> io::Result<()> {
        self.complain(&format!("error: {} stays as it was: {why}", clean(option, 40)))
    }

    /// `startpos` or `fen F`, then `moves M..`. Where a move is illegal or the game has ended the rest is left out and said so.
    fn set_position(&mut self, words: &[&str]) -> io::Result<()> {
        let (place, moves) = match words.iter().position(|word| *word == "moves") {
            Some(at) => (&words[..at], &words[at + 1..]),
            None => (words, &[][..]),
        };
        let position = match place.split_first() {
            Some((&"startpos", _)) => None,
            Some((&"fen", fen)) => Some(fen.join(" ")),
            _ => return Ok(()),
        };
        let variant = self.table.setup().variant.clone();
        let table = games::find(self.table.game()).and_then(|game| game.table(&Setup { variant, position }));
        let mut table = match table {
            Ok(table) => table,
            Err(why) => return self.complain(&why.to_string()),
        };
        self.options.left_out.clear();
        let mut wrong = None;
        for text in moves {
            match table.read(text).and_then(|action| table.play(action)) {
                Ok(_) => {}
                Err(why) => {
                    wrong = Some(format!("{text}: {why}"));
                    break;
                }
            }
        }
        self.table = table;
        wrong.map_or(Ok(()), |why| self.complain(&why))
    }

    fn complain(&self, why: &str) -> io::Result<()> {
        let why = clean(why, 400);
        match self.dialect {
            Dialect::Uci => self.say(&format!("info string {why}")),
            Dialect::Ucci => self.say(&format!("info message {why}")),
        }
    }

    fn read_moves(&self, words: &[&str]) -> Vec<Action> {
        words.iter().filter_map(|text| self.table.read(text).ok()).collect()
    }

    fn go(&mut self, words: &[&str]) -> io::Result<()> {
        // A search under way is answered before the next begins.
        self.stop()?;
        let asked = Asked::read(words, self.dialect, self.milliseconds, self.table.turn() == crate::rules::Side::First);
        let mut options = self.options.clone();
        if !asked.only.is_empty() {
            let only = self.read_moves(&asked.only);
            options.left_out.extend(self.table.actions().into_iter().filter(|action| !only.contains(action)));
        }
        let held = asked.ponder || asked.limits.is_infinite();
        let limits = if asked.ponder { Limits::default() } else { asked.limits.clone() };
        let all_left_out = self.table.actions().iter().all(|action| options.left_out.contains(action));
        if all_left_out {
            return self.answer(&Found::default(), asked.draw);
        }
        let request = SearchRequest { options, limits };
        let (player, table) = (self.player.clone(), self.table.boxed_clone());
        let stop = StopToken::new();
        self.searches += 1;
        let number = self.searches;
        let (token, events, output, dialect) = (stop.clone(), self.events.clone(), self.output.clone(), self.dialect);
        let thread = std::thread::spawn(move || {
            let mut found = Found::default();
            let action = player.lock().think(&*table, &request, &token, &mut |progress| {
                if progress.multipv == 1 {
                    found.value = Some(progress.value);
                    found.depth = progress.depth;
                    found.best = progress.pv_text.first().cloned();
                    found.ponder = progress.pv_text.get(1).cloned();
                }
                // A lost listener shows when the answer is written.
                let _ = say(&output, &info_line(&progress, dialect));
            });
            // Every game has an engine of its own.
            let best = action.ok().flatten().and_then(|action| table.write(action, Notation::Uci));
            if best != found.best {
                found.ponder = None;
            }
            found.best = best;
            let _ = events.send(Event::Found(number, found.clone()));
            found
        });
        self.running = Some(Running {
            number,
            stop,
            thread,
            held,
            pondering: asked.ponder.then_some(asked.limits),
            countdown: None,
            draw_offered: asked.draw,
            position: self.table.position_text(),
            finished: None,
        });
        Ok(())
    }

    fn finished(&mut self, number: u64, found: Found) -> io::Result<()> {
        let Some(running) = &mut self.running else { return Ok(()) };
        if running.number != number {
            return Ok(());
        }
        if running.held {
            running.finished = Some(found);
            return Ok(());
        }
        self.conclude(found)
    }

    /// Writes the answer of the search that has ended.
    fn conclude(&mut self, found: Found) -> io::Result<()> {
        let Some(running) = self.running.take() else { return Ok(()) };
        let _ = running.thread.join();
        self.answer(&found, running.draw_offered)?;
        self.last = Some((running.position, found));
        Ok(())
    }

    fn answer(&self, found: &Found, draw_offered: bool) -> io::Result<()> {
        let Some(best) = &found.best else {
            return self.say(if self.dialect == Dialect::Uci { "bestmove (none)" } else { "nobestmove" });
        };
        let mut line = format!("bestmove {best}");
        if let Some(ponder) = &found.ponder {
            line += &format!(" ponder {ponder}");
        }
        if self.dialect == Dialect::Ucci && draw_offered && found.value.is_some_and(is_no_better_than_even) {
            line += " draw";
        }
        self.say(&line)
    }

    /// Ends the search, if there is one, and answers; it takes a moment only.
    fn stop(&mut self) -> io::Result<()> {
        let Some(running) = self.running.take() else { return Ok(()) };
        running.stop.stop();
        // Its event, perhaps in the inbox already, will be of a search no longer known.
        let found = running.thread.join().unwrap_or_default();
        self.answer(&found, running.draw_offered)?;
        self.last = Some((running.position, found));
        Ok(())
    }

    /// The expected move was played: the clock runs from now.
    fn ponder_hit(&mut self) -> io::Result<()> {
        let Some(running) = &mut self.running else { return Ok(()) };
        let Some(limits) = running.pondering.take() else { return Ok(()) };
        if limits.is_infinite() {
            return Ok(());
        }
        running.held = false;
        if let Some(found) = running.finished.take() {
            return self.conclude(found);
        }
        running.countdown = Some(Countdown::start(running.stop.clone(), time_after_pondering(&limits)));
        Ok(())
    }

    /// UCCI: what is known of a position; we know the one searched last.
    fn probe(&self, words: &[&str]) -> io::Result<()> {
        let mut other = match self.dialect {
            Dialect::Uci => return Ok(()),
            Dialect::Ucci => Setup { variant: self.table.setup().variant.clone(), position: None },
        };
        let (place, moves) = match words.iter().position(|word| *word == "moves") {
            Some(at) => (&words[..at], &words[at + 1..]),
            None => (words, &[][..]),
        };
        if let Some((&"fen", fen)) = place.split_first() {
            other.position = Some(fen.join(" "));
        }
        let asked = games::find(self.table.game()).and_then(|game| game.table(&other)).ok().and_then(|mut table| {
            for text in moves {
                table.read(text).and_then(|action| table.play(action)).ok()?;
            }
            Some(table.position_text())
        });
        let pieces = |text: &str| text.split(' ').take(2).collect::<Vec<_>>().join(" ");
        let mut line = "pophash".to_owned();
        if let (Some(asked), Some((known, found))) = (asked, &self.last)
            && pieces(&asked) == pieces(known)
            && let Some(best) = &found.best
        {
            line += &format!(" bestmove {best}");
            if let Some(value) = found.value {
                let score = ucci_score(value);
                line += &format!(" lowerbound {score} depth {} upperbound {score} depth {}", found.depth, found.depth);
            }
        }
        self.say(&line)
    }
}

fn say<W: Write>(output: &Mutex<W>, line: &str) -> io::Result<()> {
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    writeln!(output, "{line}")?;
    output.flush()
}

fn is_no_better_than_even(value: Value) -> bool {
    match value {
        Value::Cp(cp) => cp <= DRAW_ACCEPTED,
        decided => decided.known() != Some(crate::search::Known::Win),
    }
}

/// What is left to think once the pondered move is played.
fn time_after_pondering(limits: &Limits) -> Duration {
    if let Some(time) = limits.time {
        return time;
    }
    let Some(clock) = limits.clock else { return Duration::ZERO };
    let usable = clock.remaining.saturating_sub(Duration::from_millis(30));
    let moves = u32::from(clock.moves_to_go.unwrap_or(38).clamp(2, 60));
    (usable / moves + clock.increment * 3 / 4).min(usable / 2) * 6 / 10
}

/// UCCI's scores are numbers without a unit; a mate is worth ten thousand less its distance.
fn ucci_score(value: Value) -> i32 {
    match value {
        Value::Cp(cp) => cp,
        Value::Mate(moves) if moves > 0 => 10_000 - moves,
        Value::Mate(moves) => -10_000 - moves,
        Value::Exact(_) => 0,
    }
}

fn info_line(progress: &Progress, dialect: Dialect) -> String {
    let (depth, nodes, time) = (progress.depth, progress.nodes, progress.time.as_millis());
    let pv = progress.pv_text.join(" ");
    match dialect {
        Dialect::Uci => {
            let score = match progress.value {
                Value::Cp(cp) => format!("cp {cp}"),
                Value::Mate(moves) => format!("mate {moves}"),
                Value::Exact(_) => "cp 0".to_owned(),
            };
            format!(
                "info depth {depth} seldepth {} multipv {} score {score} nodes {nodes} nps {} hashfull {} time {time} pv {pv}",
                progress.seldepth,
                progress.multipv,
                progress.nps(),
                progress.hashfull,
            )
        }
        Dialect::Ucci => {
            format!(
                "info depth {depth} score {} time {time} nodes {nodes} nps {} pv {pv}",
                ucci_score(progress.value),
                progress.nps()
            )
        }
    }
}

/// What a `go` line asks.
#[derive(Debug, Default)]
struct Asked<'a> {
    limits: Limits,
    ponder: bool,
    draw: bool,
    /// UCI's `searchmoves`.
    only: Vec<&'a str>,
}

impl<'a> Asked<'a> {
    fn read(words: &[&'a str], dialect: Dialect, milliseconds: bool, first: bool) -> Asked<'a> {
        let mut asked = Asked::default();
        let unit = if dialect == Dialect::Uci || milliseconds { 1 } else { 1000 };
        let (mut time, mut increment, mut to_go) = (None, 0, None);
        let mut at = 0;
        while at < words.len() {
            let number = || words.get(at + 1).and_then(|word| word.parse::<i64>().ok()).map(|n| n.max(0).unsigned_abs());
            let span = || number().map(|n| n.saturating_mul(unit));
            let mut taken = 1;
            match (dialect, words[at]) {
                (_, "infinite") => {}
                (_, "ponder") => asked.ponder = true,
                (Dialect::Ucci, "draw") => asked.draw = true,
                (_, "depth") => {
                    // `depth infinite` is UCCI's way to say so.
                    asked.limits.depth = number().map(|n| n.clamp(1, 1000) as u16);
                    taken = 2;
                }
                (_, "nodes") => (asked.limits.nodes, taken) = (number().map(|n| n.max(1)), 2),
                (_, "mate") => (asked.limits.mate, taken) = (number().map(|n| n.clamp(1, 500) as u16), 2),
                (_, "movetime") => {
                    asked.limits.time = span().map(|ms| Duration::from_millis(ms.max(1)));
                    taken = 2;
                }
                (Dialect::Uci, "wtime") | (Dialect::Ucci, "time") if first || dialect == Dialect::Ucci => {
                    (time, taken) = (span(), 2)
                }
                (Dialect::Uci, "btime") if !first => (time, taken) = (span(), 2),
                (Dialect::Uci, "winc") | (Dialect::Ucci, "increment") if first || dialect == Dialect::Ucci => {
                    (increment, taken) = (span().unwrap_or(0), 2);
                }
                (Dialect::Uci, "binc") if !first => (increment, taken) = (span().unwrap_or(0), 2),
                (_, "movestogo") => (to_go, taken) = (number().map(|n| n.clamp(1, 1000) as u16), 2),
                (Dialect::Uci, "searchmoves") => {
                    let moves = words[at + 1..].iter().take_while(|word| word.len() == 4 && word.as_bytes()[1].is_ascii_digit());
                    asked.only = moves.copied().collect();
                    taken = 1 + asked.only.len();
                }
                _ => {}
            }
            at += taken;
        }
        if let Some(remaining) = time {
            asked.limits.clock = Some(RemainingTime {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
                moves_to_go: to_go,
            });
        }
        asked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An output that can be looked at.
    #[derive(Clone, Default)]
    struct Heard(Arc<Mutex<Vec<u8>>>);

    impl Write for Heard {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// An input whose lines come with pauses: `~` waits a tenth of a second.
    struct Spoken(std::collections::VecDeque<String>);

    impl io::Read for Spoken {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            while let Some(line) = self.0.pop_front() {
                if line == "~" {
                    std::thread::sleep(Duration::from_millis(100));
                    continue;
                }
                buffer[..line.len()].copy_from_slice(line.as_bytes());
                buffer[line.len()] = b'\n';
                return Ok(line.len() + 1);
            }
            Ok(0)
        }
    }

    fn talk(lines: &str) -> Vec<String> {
        talk_of(XIANGQI, lines)
    }

    fn talk_of(game: &str, lines: &str) -> Vec<String> {
        let heard = Heard::default();
        let spoken = Spoken(lines.lines().map(|line| line.trim().to_owned()).collect());
        run_game(game, io::BufReader::new(spoken), heard.clone()).unwrap();
        let bytes = heard.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
    }

    fn answers(lines: &[String]) -> Vec<&str> {
        lines.iter().map(String::as_str).filter(|line| line.contains("bestmove")).collect()
    }

    #[test]
    fn other_games_speak_uci_with_their_own_text() {
        let said =
            talk_of("tic-tac-toe", "uci\nucci\nposition fen xx..oo... x\ngo depth 3\n~\n~\nposition startpos moves b2\nd\nquit");
        assert!(said.iter().any(|line| line == "uciok") && !said.iter().any(|line| line == "ucciok"), "{said:?}");
        assert_eq!(answers(&said), ["bestmove c3"], "{said:?}");
        assert!(said.iter().any(|line| line == "....x.... o"), "{said:?}");
        let said = talk_of(
            "two-eat-one",
            "uci\nsetoption name Variant value 4x4\nposition startpos\nd\nsetoption name Variant value 9x9\nd",
        );
        assert!(said.iter().any(|line| line.starts_with("option name Variant type combo default standard var standard var 4x4")));
        assert_eq!(said.iter().filter(|line| *line == "oooo........xxxx o").count(), 2, "{said:?}");
    }

    #[test]
    fn a_uci_conversation() {
        let said = talk(
            "uci\nisready\nposition startpos moves h2e2 h9g7\ngo depth 4\n~\n~\n~\nsetoption name Hash value 4\n\
             position fen 2b1kab2/9/3a5/9/9/9/3R5/2n1r4/3K5/9 b - - 0 1\ngo mate 2\n~\nquit",
        );
        assert!(said.contains(&"uciok".to_owned()) && said.contains(&"readyok".to_owned()));
        let answers = answers(&said);
        assert_eq!(answers.len(), 2, "{said:?}");
        assert!(answers[1].starts_with("bestmove c2b0"));
        assert!(said.iter().any(|line| line.contains("score mate 2")));
    }

    #[test]
    fn stop_and_ponderhit_are_heard() {
        let said = talk(
            "uci\ngo infinite\n~\nstop\ngo ponder wtime 500 btime 500\n~\nponderhit\n~\n~\n~\ngo ponder depth 1\n~\nstop\nquit",
        );
        assert_eq!(answers(&said).len(), 3, "{said:?}");
    }

    #[test]
    fn the_end_of_the_input_lets_a_limited_search_finish() {
        assert_eq!(answers(&talk("go depth 5")).len(), 1);
        assert_eq!(answers(&talk("go infinite")).len(), 1);
    }

    #[test]
    fn a_ucci_conversation() {
        let said = talk(
            "ucci\nsetoption usemillisec true\nposition fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\n\
             banmoves h2e2 b2e2\ngo depth 6\n~\n~\n~\n~\nprobe\nposition fen 9/1R7/3k5/9/9/9/9/8B/4K4/5AB2 b - - 0 1\ngo time 100\nquit",
        );
        assert!(said.contains(&"ucciok".to_owned()) && said.contains(&"bye".to_owned()));
        let answers: Vec<&String> =
            said.iter().filter(|line| line.starts_with("bestmove") || line.starts_with("nobestmove")).collect();
        assert_eq!(answers.len(), 2, "{said:?}");
        assert!(!answers[0].contains("bestmove h2e2") && !answers[0].contains("bestmove b2e2"));
        assert_eq!(answers[1], "nobestmove");
        assert!(said.iter().any(|line| line.starts_with("pophash bestmove")));
    }

    #[test]
    fn nonsense_is_passed_over() {
        let said = talk(
            "\n\u{7}\nposition\nposition fen\nposition fen x y z\nposition startpos moves h2e9 h2e2\nsetoption\nsetoption name\n\
             setoption name Hash value -3\nsetoption name Threads value many\ngo depth x nodes y movetime 20\n~\nponderhit\nstop\nfoo bar\nisready",
        );
        assert_eq!(answers(&said).len(), 1, "{said:?}");
        assert!(said.contains(&"readyok".to_owned()));
    }

    #[test]
    fn clocks_and_limits_are_read() {
        let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
        let uci = Asked::read(&words("wtime 1000 btime 2000 winc 10 binc 20 movestogo 5"), Dialect::Uci, false, false);
        let clock = uci.limits.clock.unwrap();
        assert_eq!((clock.remaining.as_millis(), clock.increment.as_millis(), clock.moves_to_go), (2000, 20, Some(5)));
        let ucci = Asked::read(&words("draw time 3 increment 1 opptime 9 oppincrement 1"), Dialect::Ucci, false, true);
        let clock = ucci.limits.clock.unwrap();
        assert!(ucci.draw && clock.remaining.as_millis() == 3000 && clock.increment.as_millis() == 1000);
        let only = Asked::read(&words("searchmoves h2e2 b2e2 nodes 9 movetime 0"), Dialect::Uci, false, true);
        assert_eq!((only.only.len(), only.limits.nodes, only.limits.time), (2, Some(9), Some(Duration::from_millis(1))));
    }
}
