//! A session in UCI or UCCI; the first command decides which.
//!
//! A reader thread sends lines to the main loop, which answers them. A search runs in its own thread, so `stop`,
//! `ponderhit` and `quit` take effect at once. Invalid lines are ignored, as both protocols require.

use super::dialect::{Dialect, SearchResult, Setting, setting};
use super::ucci::Ucci;
use super::uci::Uci;
use crate::book::{Book, BookPlayer, BookUse};
use crate::games::Entry;
use crate::protocol::text::{Line, LineReader, clean};
use crate::rules::Side;
use crate::search::StopToken;
use crate::table::{
    Action, Certain, EngineOptions, Evaluation, Notation, PlayerHandle, Progress, Protocol, SearchRequest, Setup, SetupError,
    Table,
};
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// The longest line in bytes: a `position` with many thousand moves.
const LONGEST_LINE: usize = 1 << 20;
/// The most unanswered lines; reading pauses when they are reached.
const WAITING_LINES: usize = 4096;
/// The longest remark in characters.
const LONGEST_REMARK: usize = 400;

/// An event for the main loop.
enum Event {
    Line(String),
    /// A line that was too long.
    TooLong,
    End,
    /// The search with this number has finished.
    SearchResult(u64, SearchResult),
}

/// A running search.
struct Running {
    number: u64,
    stop: StopToken,
    thread: JoinHandle<SearchResult>,
    /// True if the answer must wait for `stop` or `ponderhit`.
    held: bool,
    /// The search has no limits: `ponderhit` does not end it.
    endless: bool,
    draw_offered: bool,
    position: String,
    finished: Option<SearchResult>,
}

struct Session<W> {
    game: &'static Entry,
    output: Arc<Mutex<W>>,
    events: Sender<Event>,
    dialect: &'static dyn Dialect,
    request: SearchRequest,
    /// The network's file, should it be asked for.
    network_file: Option<PathBuf>,
    /// The file of the book that was asked for.
    book_file: Option<PathBuf>,
    /// For how many plies it is used.
    book_depth: usize,
    /// Moves of the current position that may not be chosen (UCCI's `banmoves`).
    banned: Vec<Action>,
    player: PlayerHandle,
    table: Box<dyn Table>,
    milliseconds: bool,
    running: Option<Running>,
    searches: u64,
    /// The root and the result of the last finished search, for `probe`.
    last: Option<(String, SearchResult)>,
}

/// Runs the session until `quit` or the end of the input; at the end of the input, searches with a limit are finished
/// first.
///
/// # Errors
/// The output cannot be written.
pub fn run(game: &'static Entry, input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    let (events, inbox) = channel();
    let waiting = Arc::new(AtomicUsize::new(0));
    let (reader, counter) = (events.clone(), waiting.clone());
    std::thread::spawn(move || read(input, &reader, &counter));
    let table = game.table(&Setup::default()).map_err(io::Error::other)?;
    let mut session = Session {
        game,
        output: Arc::new(Mutex::new(output)),
        events,
        dialect: &Uci,
        request: SearchRequest { options: EngineOptions { hash_mb: 16, ..EngineOptions::default() }, ..SearchRequest::default() },
        network_file: None,
        book_file: None,
        book_depth: BookUse::USUAL,
        banned: Vec::new(),
        player: PlayerHandle::new(table.player()),
        table,
        milliseconds: false,
        running: None,
        searches: 0,
        last: None,
    };
    session.serve(&inbox, &waiting)
}

fn read(input: impl BufRead, events: &Sender<Event>, waiting: &AtomicUsize) {
    let mut input = LineReader::new(input);
    loop {
        let event = match input.line(LONGEST_LINE) {
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
    // If there is no receiver any more, the end does not have to be reported.
    let _ = events.send(Event::End);
}

/// The words before and after `moves`.
fn split_moves<'w, 'a>(words: &'w [&'a str]) -> (&'w [&'a str], &'w [&'a str]) {
    match words.iter().position(|word| *word == "moves") {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[]),
    }
}

impl<W: Write + Send + 'static> Session<W> {
    fn serve(&mut self, inbox: &Receiver<Event>, waiting: &AtomicUsize) -> io::Result<()> {
        let mut ended = false;
        while let Ok(event) = inbox.recv() {
            if matches!(event, Event::Line(_) | Event::TooLong) {
                waiting.fetch_sub(1, Ordering::Relaxed);
            }
            match event {
                Event::TooLong => {
                    self.remark(&format!("a line is longer than {} KiB and was ignored", LONGEST_LINE >> 10))?;
                }
                Event::Line(line) => {
                    if !self.hear(&line)? {
                        break;
                    }
                }
                Event::End => {
                    // No `stop` can arrive any more, so a search without a limit ends now.
                    ended = true;
                    if self.running.as_ref().is_some_and(|running| running.held) {
                        self.stop()?;
                    }
                }
                Event::SearchResult(number, found) => self.finished(number, found)?,
            }
            if ended && self.running.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn say(&self, line: &str) -> io::Result<()> {
        say(&self.output, line)
    }

    fn remark(&self, text: &str) -> io::Result<()> {
        self.say(&self.dialect.remark(&clean(text, LONGEST_REMARK)))
    }

    /// Handles one line; false at `quit`.
    fn hear(&mut self, line: &str) -> io::Result<bool> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&command, rest)) = words.split_first() else { return Ok(true) };
        match command {
            "uci" => self.greet(&Uci)?,
            "ucci" if self.game.protocol == Protocol::UciAndUcci => self.greet(&Ucci)?,
            "isready" => self.ready()?,
            "ucinewgame" => self.new_game()?,
            "setoption" => self.set_option(rest)?,
            "position" => self.set_position(rest)?,
            "banmoves" => self.banned = self.read_moves(rest),
            "go" => self.go(rest)?,
            "stop" => self.stop()?,
            "ponderhit" => self.ponder_hit()?,
            "probe" => self.probe(rest)?,
            "d" => {
                let text = format!("{}\n{}", self.table.diagram(), self.table.position_text());
                self.say(&text)?;
            }
            "quit" => {
                // People pipe a `go` and a `quit` into engines: the search is answered first.
                self.stop()?;
                if let Some(farewell) = self.dialect.farewell() {
                    self.say(farewell)?;
                }
                return Ok(false);
            }
            _ => {}
        }
        Ok(true)
    }

    fn greet(&mut self, dialect: &'static dyn Dialect) -> io::Result<()> {
        self.dialect = dialect;
        dialect.greeting(self.game).iter().try_for_each(|line| self.say(line))
    }

    /// Loads what a search needs, so that the first one has all of its time. What is wrong is told when a search asks for it.
    fn ready(&mut self) -> io::Result<()> {
        if self.running.is_none() {
            let _ = self.player.lock().prepare(&*self.table, &self.request);
        }
        self.say("readyok")
    }

    fn new_game(&mut self) -> io::Result<()> {
        // A search that still runs has the player, and is answered first.
        self.stop()?;
        self.player.lock().new_game();
        self.last = None;
        Ok(())
    }

    fn set_option(&mut self, words: &[&str]) -> io::Result<()> {
        let Some((name, value)) = self.dialect.option(words) else { return Ok(()) };
        let setting = match setting(&name, &value) {
            Ok(setting) => setting,
            Err(why) => return self.remark(&format!("error: {} stays as it was: {why}", clean(&name, 40))),
        };
        match setting {
            Some(Setting::Hash(megabytes)) => self.request.options.hash_mb = megabytes,
            Some(Setting::Threads(threads)) => self.request.options.threads = threads,
            Some(Setting::Lines(lines)) => self.request.multipv = lines,
            Some(Setting::Forget) => self.new_game()?,
            Some(Setting::Book(may)) => self.request.book = may,
            Some(Setting::BookFile(file)) => return self.set_book(file, self.book_depth),
            Some(Setting::BookDepth(plies)) => return self.set_book(self.book_file.clone(), plies),
            Some(Setting::Milliseconds(yes)) => self.milliseconds = yes,
            Some(Setting::Variant(key)) => {
                if let Ok(table) = self.game.table(&Setup { variant: Some(key), position: None }) {
                    self.table = table;
                }
            }
            Some(Setting::Repetition(key)) if self.game.protocol == Protocol::UciAndUcci => self.change_variant(key),
            Some(Setting::Network(wanted)) => {
                let file = self.network_file.clone();
                return self.set_evaluation(if wanted { Evaluation::Network(file) } else { Evaluation::Hand });
            }
            Some(Setting::NetworkFile(file)) => {
                self.network_file.clone_from(&file);
                if self.request.options.evaluation != Evaluation::Hand {
                    return self.set_evaluation(Evaluation::Network(file));
                }
            }
            Some(Setting::Repetition(_)) | None => {}
        }
        Ok(())
    }

    /// Another book from now on: a player with it. A search that still runs is answered first.
    fn set_book(&mut self, file: Option<PathBuf>, plies: usize) -> io::Result<()> {
        let opened = file.as_deref().map(Book::open).transpose();
        let book = match opened.and_then(|book| book.map(|book| book.check_game(self.game.key).map(|()| book)).transpose()) {
            Ok(book) => book,
            Err(why) => return self.remark(&format!("error: the book stays as it was: {why}")),
        };
        self.stop()?;
        let player = self.table.player();
        self.player = PlayerHandle::new(match (&file, book) {
            (Some(file), Some(book)) => Box::new(BookPlayer::new(player, BookUse { file: file.clone(), plies }).with_open(book)),
            _ => player,
        });
        (self.book_file, self.book_depth) = (file, plies);
        Ok(())
    }

    /// Another evaluation from now on, in games whose engine has several.
    fn set_evaluation(&mut self, wanted: Evaluation) -> io::Result<()> {
        let Some(evaluations) = self.table.capabilities().evaluations else { return Ok(()) };
        let trouble = evaluations.trouble(&wanted);
        self.request.options.evaluation = wanted;
        trouble.map_or(Ok(()), |trouble| self.remark(&trouble))
    }

    /// Changes to another variant and replays the moves as far as they are legal there.
    fn change_variant(&mut self, key: &str) {
        let setup = Setup { variant: Some(key.to_owned()), position: self.table.setup().position.clone() };
        let Ok(mut table) = self.game.table(&setup) else { return };
        for action in self.table.played() {
            if table.play(action).is_err() {
                break;
            }
        }
        self.table = table;
    }

    /// The table of a position command: `startpos` or `fen F`.
    fn table_at(&self, place: &[&str]) -> Option<Result<Box<dyn Table>, SetupError>> {
        let position = match place.split_first()? {
            (&"startpos", _) => None,
            (&"fen", fen) => Some(fen.join(" ")),
            _ => return None,
        };
        Some(self.game.table(&Setup { variant: self.table.setup().variant.clone(), position }))
    }

    /// Handles `startpos` or `fen F`, then `moves M..`. From an illegal move or the end of the game on, moves are
    /// ignored, with a remark.
    fn set_position(&mut self, words: &[&str]) -> io::Result<()> {
        let (place, moves) = split_moves(words);
        let mut table = match self.table_at(place) {
            None => return Ok(()),
            Some(Ok(table)) => table,
            Some(Err(why)) => return self.remark(&why.to_string()),
        };
        self.banned.clear();
        let play = |text: &&str| {
            let played = table.read(text).and_then(|action| table.play(action));
            played.err().map(|why| format!("{text}: {why}"))
        };
        let wrong = moves.iter().find_map(play);
        self.table = table;
        wrong.map_or(Ok(()), |why| self.remark(&why))
    }

    fn read_moves(&self, words: &[&str]) -> Vec<Action> {
        words.iter().filter_map(|text| self.table.read(text).ok()).collect()
    }

    fn go(&mut self, words: &[&str]) -> io::Result<()> {
        // A running search is stopped and answered before the next begins.
        self.stop()?;
        let asked = self.dialect.go(words, self.milliseconds, self.table.turn() == Side::First);
        let mut left_out = self.banned.clone();
        if !asked.only.is_empty() {
            let only = self.read_moves(&asked.only);
            left_out.extend(self.table.actions().into_iter().filter(|action| !only.contains(action)));
        }
        let endless = asked.limits.is_infinite();
        let stop = if asked.ponder { StopToken::pondering() } else { StopToken::new() };
        self.searches += 1;
        let thread = self.search(SearchRequest { limits: asked.limits, left_out, ..self.request.clone() }, stop.clone());
        self.running = Some(Running {
            number: self.searches,
            stop,
            thread,
            held: asked.ponder || endless,
            endless,
            draw_offered: asked.draw,
            position: self.table.position_text(),
            finished: None,
        });
        Ok(())
    }

    /// Searches the current position in a thread, which writes progress lines and reports the result. Where nothing can
    /// be played there is no search, but the same answer: the value of a finished game, and no move.
    fn search(&self, request: SearchRequest, stop: StopToken) -> JoinHandle<SearchResult> {
        let (player, table) = (self.player.clone(), self.table.boxed_clone());
        let (events, output, dialect, number) = (self.events.clone(), self.output.clone(), self.dialect, self.searches);
        std::thread::spawn(move || {
            let mut found = SearchResult::default();
            if table.actions().iter().all(|action| request.left_out.contains(action)) {
                if let Some(outcome) = table.outcome() {
                    let end = Progress::of_end(outcome, table.turn());
                    found.value = Some(end.value);
                    // An error is noticed when the answer is written.
                    let _ = say(&output, &dialect.info(&end));
                }
                let _ = events.send(Event::SearchResult(number, found.clone()));
                return found;
            }
            let certain = Certain::of(&*table, &request.limits, &stop);
            let mut hear = |mut progress: Progress| {
                certain.correct(&mut progress);
                if progress.multipv == 1 {
                    found = SearchResult {
                        best: progress.pv_text.first().cloned(),
                        ponder: progress.pv_text.get(1).cloned(),
                        value: Some(progress.value),
                        depth: progress.depth,
                    };
                }
                // An error is noticed when the answer is written.
                let _ = say(&output, &dialect.info(&progress));
            };
            let mut player = player.lock();
            let action = player.think(&*table, &request, &stop, &mut hear).or_else(|why| {
                // The book can no longer be read; the next search does without it.
                let _ = say(&output, &dialect.remark(&clean(&why.to_string(), LONGEST_REMARK)));
                player.think(&*table, &request, &stop, &mut hear)
            });
            drop(player);
            // Every game has its own engine, so there is always an answer.
            let best = action.ok().flatten().and_then(|action| table.write(action, Notation::Uci));
            if best != found.best {
                found.ponder = None;
            }
            found.best = best;
            let _ = events.send(Event::SearchResult(number, found.clone()));
            found
        })
    }

    fn finished(&mut self, number: u64, found: SearchResult) -> io::Result<()> {
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

    /// Writes the answer of the finished search.
    fn conclude(&mut self, found: SearchResult) -> io::Result<()> {
        let Some(running) = self.running.take() else { return Ok(()) };
        let _ = running.thread.join();
        self.answer(&found, running.draw_offered)?;
        self.last = Some((running.position, found));
        Ok(())
    }

    fn answer(&self, found: &SearchResult, draw_offered: bool) -> io::Result<()> {
        self.say(&self.dialect.answer(found, draw_offered))
    }

    /// Stops the running search, if any, and answers; this takes only a moment.
    fn stop(&mut self) -> io::Result<()> {
        let Some(running) = self.running.take() else { return Ok(()) };
        running.stop.stop();
        // Its event may already be in the inbox; it is ignored because the search is no longer running.
        let found = running.thread.join().unwrap_or_default();
        self.answer(&found, running.draw_offered)?;
        self.last = Some((running.position, found));
        Ok(())
    }

    /// Handles `ponderhit`: the expected move was played, and the clock runs from now.
    fn ponder_hit(&mut self) -> io::Result<()> {
        let Some(running) = &mut self.running else { return Ok(()) };
        running.stop.ponder_hit();
        running.held &= running.endless;
        match running.finished.take_if(|_| !running.held) {
            Some(found) => self.conclude(found),
            None => Ok(()),
        }
    }

    /// Answers `probe`: only the position of the last search is known.
    fn probe(&self, words: &[&str]) -> io::Result<()> {
        let (place, moves) = split_moves(words);
        let place = if place.is_empty() { &["startpos"] } else { place };
        let asked = self.table_at(place).and_then(Result::ok).and_then(|mut table| {
            for text in moves {
                table.read(text).and_then(|action| table.play(action)).ok()?;
            }
            Some(table.position_text())
        });
        let pieces = |text: &str| text.split(' ').take(2).collect::<Vec<_>>().join(" ");
        let same = |(known, _): &&(String, SearchResult)| asked.as_ref().is_some_and(|asked| pieces(asked) == pieces(known));
        let found = self.last.as_ref().filter(same).map(|(_, found)| found);
        self.dialect.probe(found).map_or(Ok(()), |line| self.say(&line))
    }
}

fn say<W: Write>(output: &Mutex<W>, line: &str) -> io::Result<()> {
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    writeln!(output, "{line}")?;
    output.flush()
}
