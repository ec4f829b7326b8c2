//! Our gomoku engine behind the Gomocup protocol (Piskvork's new protocol), with the common Yixin extensions.
//!
//! One thread reads the input; the caller's thread answers. Each line has a stop token: `YXSTOP` and `END` raise the
//! tokens of all lines before them, so a search ends at once and later lines are not lost. Coordinates are `x,y` from
//! 0.

use crate::games::Entry;
use crate::protocol::gomocup::rule_of_bits;
use crate::protocol::machine::{Countdown, check_memory, check_threads};
use crate::protocol::score;
use crate::protocol::text::{clean, said};
use crate::rules::{Point, Reason, Side};
use crate::search::{Allotment, Known, Limits, RemainingTime, StopToken};
use crate::table::{Action, Choice, EngineOptions, Lessons, Player, Progress, SearchRequest, Setup, Swap2, Table};
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::mpsc;
use web_time::{Duration, Instant};

/// The length of a line in bytes; longer lines are cut.
const LONGEST_LINE: usize = 1024;
/// The value of `time_left` for a match without a limit.
const UNLIMITED: i64 = 2_147_483_647;
/// Longer times are set to this number of milliseconds (a year).
const LONGEST_MS: i64 = 366 * 86_400_000;
/// The most unanswered lines; reading pauses when they are reached.
const WAITING_LINES: usize = 4096;
/// Reserved for sending the answer through the manager, which counts this as our time, in addition to the reserve of
/// every search.
const TRANSIT: Duration = Duration::from_millis(13);
/// The time for the analysis of a lost game: in total, so that the engine reacts to `END` in time, and per position.
const STUDY: Duration = Duration::from_millis(700);
const STUDY_POSITION: Duration = Duration::from_millis(250);

/// Runs the protocol until `END` or the end of the input.
///
/// # Errors
/// The output cannot be written.
pub fn run(game: &'static Entry, input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<()> {
    let (lines, queue) = mpsc::sync_channel(WAITING_LINES);
    std::thread::spawn(move || read(input, &lines));
    let mut session = Session::new(game, output);
    while let Ok(line) = queue.recv() {
        if !session.obey(&line, &queue)? {
            break;
        }
    }
    Ok(())
}

/// An input line, the time when it was read, and the token that stops its command.
struct InputLine {
    text: String,
    came: Instant,
    stop: StopToken,
}

fn read(mut input: impl BufRead, lines: &mpsc::SyncSender<InputLine>) {
    let mut stop = StopToken::new();
    let mut bytes = Vec::new();
    while let Ok(chunk) = input.fill_buf() {
        if chunk.is_empty() {
            break;
        }
        let (part, ends) = match chunk.iter().position(|b| *b == b'\n' || *b == b'\r') {
            Some(end) => (&chunk[..end], true),
            None => (chunk, false),
        };
        let room = LONGEST_LINE - bytes.len();
        bytes.extend_from_slice(&part[..part.len().min(room)]);
        let used = part.len() + usize::from(ends);
        input.consume(used);
        if ends && !send(&mut bytes, &mut stop, lines) {
            return;
        }
    }
    // Commands before the end of the input are still answered.
    send(&mut bytes, &mut stop, lines);
}

/// Sends a line to the answering thread; false if there is no receiver any more or it was the last line.
fn send(bytes: &mut Vec<u8>, stop: &mut StopToken, lines: &mpsc::SyncSender<InputLine>) -> bool {
    let text = said(bytes);
    bytes.clear();
    if text.is_empty() {
        return true;
    }
    let word = text.to_ascii_uppercase();
    let ends = word == "END";
    if ends || word == "YXSTOP" || word == "STOP" {
        stop.stop();
        *stop = StopToken::new();
    }
    lines.send(InputLine { text, came: Instant::now(), stop: stop.clone() }).is_ok() && !ends
}

/// The owner of a stone in the protocol.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    Me,
    Other,
}

/// Why a command failed.
type Trouble = String;

/// Our engine and its lessons.
#[derive(Default)]
struct Engine {
    /// Created for the first search.
    player: Option<Box<dyn Player>>,
    lessons: Option<Lessons>,
}

impl Engine {
    /// Searches, without moves that lost before.
    fn think(
        &mut self,
        table: &dyn Table,
        request: &SearchRequest,
        stop: &StopToken,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Option<Action>, Trouble> {
        let mut request = request.clone();
        if let Some(lessons) = &self.lessons {
            lessons.advise(&mut request, table);
        }
        let player = self.player.get_or_insert_with(|| table.player());
        player.think(table, &request, stop, tell).map_err(|error| error.to_string())
    }
}

struct Session<W> {
    game: &'static Entry,
    output: W,
    /// The size of the board; `None` before `START`.
    size: Option<u8>,
    rule: u32,
    stones: Vec<(Point, Who)>,
    engine: Engine,
    options: EngineOptions,
    turn_ms: i64,
    match_ms: i64,
    left_ms: Option<i64>,
    memory_bytes: i64,
    hash_kb: Option<i64>,
    /// The node limit of a move (Yixin's `max_node`).
    nodes: Option<u64>,
    /// Whether the current game is lost: our last move was known to lose, or the opponent has five.
    lost: bool,
}

impl<W: Write> Session<W> {
    fn new(game: &'static Entry, output: W) -> Self {
        Session {
            game,
            output,
            size: None,
            rule: 0,
            stones: Vec::new(),
            engine: Engine::default(),
            options: EngineOptions { hash_mb: 64, ..EngineOptions::default() },
            turn_ms: 30_000,
            match_ms: 0,
            left_ms: None,
            memory_bytes: 0,
            hash_kb: None,
            nodes: None,
            lost: false,
        }
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        self.output.write_all(text.as_bytes())?;
        self.output.write_all(b"\r\n")?;
        self.output.flush()
    }

    /// Executes a command; false after `END`.
    fn obey(&mut self, line: &InputLine, queue: &mpsc::Receiver<InputLine>) -> io::Result<bool> {
        let (word, rest) = line.text.split_once(char::is_whitespace).unwrap_or((&line.text, ""));
        let rest = rest.trim();
        let answer = match word.to_ascii_uppercase().as_str() {
            "END" => {
                self.study();
                return Ok(false);
            }
            "START" => self.start(rest),
            "RECTSTART" => self.rect_start(rest),
            "RESTART" => self.restart(),
            "BEGIN" => self.begin(line),
            "TURN" => self.turn(rest, line),
            "PLAY" => self.play(rest),
            "TAKEBACK" => self.take_back(rest),
            "BOARD" => self.board(queue, true),
            "YXBOARD" => self.board(queue, false),
            "SWAP2BOARD" => self.swap2(queue),
            "YXNBEST" => self.best_moves(rest, line),
            "YXSHOWFORBID" => self.show_forbidden(),
            "INFO" => self.info(rest, line),
            "YXSTOP" | "STOP" => Ok(None),
            "ABOUT" => Ok(Some(about())),
            other => Ok(Some(format!("UNKNOWN command {}", printable(other)))),
        };
        match answer {
            Ok(Some(text)) => self.say(&text)?,
            Ok(None) => {}
            Err(trouble) => self.say(&format!("ERROR {trouble}"))?,
        }
        Ok(true)
    }

    fn start(&mut self, rest: &str) -> Result<Option<String>, Trouble> {
        // Some managers send both sides of the board.
        let mut sides = rest.split([' ', '\t', ',']).filter(|side| !side.is_empty());
        let (side, other) = (sides.next().unwrap_or_default(), sides.next());
        let bad = || format!("'{}' is not a board size", printable(rest));
        let size: u8 = side.parse().map_err(|_| bad())?;
        match (other, sides.next()) {
            (None, None) => {}
            (Some(other), None) if other == side => {}
            (Some(other), None) if other.parse::<u8>().is_ok() => return Err("only square boards are supported".to_owned()),
            _ => return Err(bad()),
        }
        if ![15, 19, 20].contains(&size) {
            return Err(format!("unsupported size {size}: boards have 15, 19 or 20 lines"));
        }
        self.study();
        self.size = Some(size);
        self.stones.clear();
        self.left_ms = None;
        self.warm();
        Ok(Some("OK".to_owned()))
    }

    fn rect_start(&mut self, rest: &str) -> Result<Option<String>, Trouble> {
        if !rest.contains(',') {
            return Err("RECTSTART takes width,height".to_owned());
        }
        self.start(rest)
    }

    fn restart(&mut self) -> Result<Option<String>, Trouble> {
        self.size.ok_or("no START yet")?;
        self.study();
        self.stones.clear();
        Ok(Some("OK".to_owned()))
    }

    fn begin(&mut self, line: &InputLine) -> Result<Option<String>, Trouble> {
        self.size.ok_or("no START yet")?;
        if !self.stones.is_empty() {
            return Err("BEGIN with stones on the board".to_owned());
        }
        self.answer(line.came, &line.stop, 1)
    }

    fn turn(&mut self, rest: &str, line: &InputLine) -> Result<Option<String>, Trouble> {
        let at = self.point(rest)?;
        self.stones.push((at, Who::Other));
        self.answer(line.came, &line.stop, 1)
    }

    fn play(&mut self, rest: &str) -> Result<Option<String>, Trouble> {
        let at = self.point(rest)?;
        Ok(Some(self.place(at)))
    }

    /// Places a stone of our own; the answer that tells it.
    fn place(&mut self, at: Point) -> String {
        self.stones.push((at, Who::Me));
        format!("{},{}", at.x, at.y)
    }

    fn take_back(&mut self, rest: &str) -> Result<Option<String>, Trouble> {
        let size = self.size.ok_or("no START yet")?;
        let at = coordinates(rest, size)?;
        let index = self.stones.iter().rposition(|(point, _)| *point == at).ok_or("there is no stone on that point")?;
        self.stones.remove(index);
        Ok(Some("OK".to_owned()))
    }

    /// Reads lines `x,y,who` up to `DONE`, and searches if `think`. A bad line makes the whole board invalid, but all
    /// lines are read.
    fn board(&mut self, queue: &mpsc::Receiver<InputLine>, think: bool) -> Result<Option<String>, Trouble> {
        let done = self.each_stone(queue, &mut |session, text| {
            let (place, who) = text.rsplit_once(',').ok_or("x,y,who or DONE expected after BOARD")?;
            let who = match who.trim() {
                "1" => Who::Me,
                "2" => Who::Other,
                // Piskvork marks a forbidden or winning point with 3: not a stone.
                "3" => return Ok(()),
                other => return Err(format!("'{}' is not a player: 1 or 2", printable(other))),
            };
            let at = session.point(place)?;
            session.stones.push((at, who));
            Ok(())
        })?;
        if think { self.answer(done.came, &done.stop, 1) } else { Ok(None) }
    }

    /// Clears the board, calls `each` for the lines up to `DONE` and returns that line. After an error the board
    /// stays empty, but all lines are read.
    fn each_stone(
        &mut self,
        queue: &mpsc::Receiver<InputLine>,
        each: &mut dyn FnMut(&mut Self, &str) -> Result<(), Trouble>,
    ) -> Result<InputLine, Trouble> {
        let mut trouble = self.size.is_none().then(|| "no START yet".to_owned());
        self.stones.clear();
        let done = loop {
            let Ok(line) = queue.recv() else { break None };
            match line.text.to_ascii_uppercase().as_str() {
                "DONE" => break Some(line),
                "END" => break None,
                "YXSTOP" => {}
                _ if trouble.is_none() => trouble = each(self, &line.text).err(),
                _ => {}
            }
        };
        let read = match (trouble, done) {
            (Some(trouble), _) => Err(trouble),
            (None, None) => Err("the input ended before DONE".to_owned()),
            (None, Some(done)) => Ok(done),
        };
        if read.is_err() {
            self.stones.clear();
        }
        read
    }

    /// The three requests of swap2: propose three stones, answer to three stones, choose after five stones.
    fn swap2(&mut self, queue: &mpsc::Receiver<InputLine>) -> Result<Option<String>, Trouble> {
        let done = self.each_stone(queue, &mut |session, text| {
            let at = session.point(text)?;
            session.stones.push((at, Who::Other));
            Ok(())
        })?;
        let stones: Vec<Point> = std::mem::take(&mut self.stones).into_iter().map(|(at, _)| at).collect();
        if ![0, 3, 5].contains(&stones.len()) {
            return Err(format!("swap2 needs 0, 3 or 5 stones, not {}", stones.len()));
        }
        self.open(&stones, &done).map(Some)
    }

    /// Our answer in a swap2 opening: three stones, or our choice after the stones on the board.
    fn open(&mut self, stones: &[Point], line: &InputLine) -> Result<String, Trouble> {
        let setup = Setup { variant: Some(format!("{}+{}", self.variant()?, Swap2::KEY)), position: None };
        let mut table = self.game.table(&setup).map_err(|error| error.to_string())?;
        for (index, &at) in stones.iter().enumerate() {
            let more = (index == 3).then(|| Choice::TwoMore.action());
            for action in more.into_iter().chain([Action::Drop(at)]) {
                table.play(action).map_err(|error| error.to_string())?;
            }
        }
        // At most a choice and two stones have to be searched.
        let time = Allotment::of(&self.limits(line.came)).expected().unwrap_or_default();
        let request = SearchRequest {
            options: EngineOptions { seed: fastrand::u64(..), ..self.options.clone() },
            limits: Limits::time(time / 3),
            ..SearchRequest::default()
        };
        let mut put = Vec::new();
        // The answer is three stones, two more stones, or the first move of the side taken.
        let mut wanted = if stones.is_empty() { 3 } else { 1 };
        while put.len() < wanted {
            let action = self.engine.think(&*table, &request, &line.stop, &mut |_| ())?.ok_or("the game is over")?;
            match (Choice::of_action(action), action) {
                (Some(Choice::First), _) => return Ok("SWAP".to_owned()),
                (Some(Choice::TwoMore), _) => wanted = 2,
                (None, Action::Drop(at)) => put.push(at),
                _ => {}
            }
            table.play(action).map_err(|error| error.to_string())?;
        }
        Ok(join(&put))
    }

    /// The best move of the side to move and its value in hundredths; a proven win is a very large number.
    fn judge_for(&mut self, time: Duration, stop: &StopToken) -> Result<(Point, i32), Trouble> {
        let table = self.table()?;
        let request = SearchRequest { options: self.options.clone(), limits: Limits::time(time), ..SearchRequest::default() };
        let mut value = 0;
        let mut watch = |progress: Progress| value = progress.value.units();
        let action = self.engine.think(&*table, &request, stop, &mut watch)?;
        match action {
            Some(Action::Drop(at)) => Ok((at, value)),
            _ => Err("the game is over".to_owned()),
        }
    }

    fn best_moves(&mut self, rest: &str, line: &InputLine) -> Result<Option<String>, Trouble> {
        let count: u16 = rest.parse().map_err(|_| "YXNBEST takes a number".to_owned())?;
        self.answer(line.came, &line.stop, count.clamp(1, 64))
    }

    fn show_forbidden(&mut self) -> Result<Option<String>, Trouble> {
        let forbidden = self.table()?.restrictions();
        let points: String = forbidden.iter().map(|one| format!("{:02}{:02}", one.at.x, one.at.y)).collect();
        Ok(Some(format!("FORBID {points}.")))
    }

    fn info(&mut self, rest: &str, line: &InputLine) -> Result<Option<String>, Trouble> {
        let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let value = value.trim();
        let key = key.to_ascii_lowercase();
        if key == "evaluate" {
            let at = self.point(value)?;
            self.stones.push((at, Who::Me));
            let swapped = self.stones.iter().map(|&(at, who)| (at, if who == Who::Me { Who::Other } else { Who::Me }));
            let saved = self.stones.clone();
            self.stones = swapped.collect();
            let judged = self.judge_for(Duration::from_millis(100), &line.stop);
            self.stones = saved;
            self.stones.pop();
            return Ok(Some(match judged {
                Ok((_, value)) => format!("MESSAGE {},{} is worth {}", at.x, at.y, -value),
                Err(why) => format!("MESSAGE {},{}: {why}", at.x, at.y),
            }));
        }
        if key == "folder" {
            return Ok(self.open_folder(value));
        }
        // Numbers of any size are accepted; a value that is not a number is ignored like an unknown key.
        let Ok(number) = value.parse::<i64>() else { return Ok(None) };
        match key.as_str() {
            "timeout_turn" => self.turn_ms = number.clamp(0, LONGEST_MS),
            "timeout_match" => self.match_ms = number.clamp(0, LONGEST_MS),
            "time_left" => self.left_ms = Some(number),
            "max_memory" => {
                self.memory_bytes = number.max(0);
                self.resize()?;
            }
            "hash_size" => {
                self.hash_kb = Some(number.max(0));
                self.resize()?;
            }
            "thread_num" => {
                self.options.threads = check_threads(number.max(1) as usize)?;
                self.resize()?;
            }
            "max_node" => self.nodes = (number > 0).then_some(number as u64),
            "rule" => self.rule = number.clamp(0, 255) as u32,
            _ => {}
        }
        Ok(None)
    }

    /// Opens the lessons in a folder. An error is only a message, because the engine can play without lessons.
    fn open_folder(&mut self, folder: &str) -> Option<String> {
        match Lessons::open(Path::new(folder)) {
            Ok((lessons, damage)) => {
                self.engine.lessons = Some(lessons);
                self.warm();
                damage.map(|damage| format!("MESSAGE {damage}"))
            }
            Err(error) => Some(format!("MESSAGE the lessons in {} cannot be read: {error}", printable(folder))),
        }
    }

    /// Finds the losing move of a lost game and saves it as a lesson.
    fn study(&mut self) {
        let lost = std::mem::take(&mut self.lost);
        let Some(lessons) = self.engine.lessons.clone().filter(|_| lost) else { return };
        let Ok(table) = self.table_with_past() else { return };
        let whose = |index: usize| Side::BOTH[index % 2];
        let Some(loser) = self.stones.iter().rposition(|(_, who)| *who == Who::Me).map(whose) else { return };
        let stop = StopToken::new();
        let _countdown = Countdown::start(stop.clone(), STUDY);
        let request = SearchRequest {
            options: EngineOptions { hash_mb: 8, ..EngineOptions::default() },
            limits: Limits::time(STUDY_POSITION),
            ..SearchRequest::default()
        };
        // An error only means that there is no lesson.
        let _ = lessons.learn(&*table, loser, &request, &stop);
    }

    /// Sets the size of the transposition table within the allowed memory, leaving memory for the rest of the program.
    fn resize(&mut self) -> Result<(), Trouble> {
        let wanted = self.hash_kb.map_or(64, |kb| (kb >> 10).clamp(1, 4096));
        let allowed = if self.memory_bytes == 0 { wanted } else { ((self.memory_bytes >> 20) - 40).clamp(1, 4096) * 3 / 4 };
        self.options.hash_mb = check_memory(wanted.min(allowed.max(1)) as u64)?;
        self.warm();
        Ok(())
    }

    /// Creates the engine before its time runs.
    fn warm(&mut self) {
        let Ok(table) = self.table() else { return };
        let request = SearchRequest { options: self.options.clone(), limits: Limits::nodes(1), ..SearchRequest::default() };
        // An error is reported later, with the first command that needs the engine.
        let _ = self.engine.think(&*table, &request, &StopToken::new(), &mut |_| ());
    }

    fn variant(&self) -> Result<String, Trouble> {
        let size = self.size.ok_or("no START yet")?;
        let name = rule_of_bits(self.rule);
        Ok(format!("{name}:{size}"))
    }

    /// The position; the side to move follows from the number of stones.
    fn table(&self) -> Result<Box<dyn Table>, Trouble> {
        let size = self.size.ok_or("no START yet")?;
        let mine = if self.stones.len().is_multiple_of(2) { Side::First } else { Side::Second };
        let mut rows = vec![vec!['.'; usize::from(size)]; usize::from(size)];
        for &(at, who) in &self.stones {
            let side = if who == Who::Me { mine } else { !mine };
            rows[usize::from(size - 1 - at.y)][usize::from(at.x)] = if side == Side::First { 'x' } else { 'o' };
        }
        let mut text = rows.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/");
        text.push_str(if mine == Side::First { " x" } else { " o" });
        let setup = Setup { variant: Some(self.variant()?), position: Some(text) };
        self.game.table(&setup).map_err(|error| error.to_string())
    }

    /// The game with its history, if the sides moved alternately.
    fn table_with_past(&self) -> Result<Box<dyn Table>, Trouble> {
        let position: String = self.stones.iter().map(|(at, _)| format!("{}{} ", char::from(b'a' + at.x), at.y + 1)).collect();
        if self.stones.windows(2).any(|pair| pair[0].1 == pair[1].1) {
            return Err("the stones were not placed alternately".to_owned());
        }
        let setup = Setup { variant: Some(self.variant()?), position: Some(position) };
        self.game.table(&setup).map_err(|error| error.to_string())
    }

    /// What a move may take, from when its command came.
    fn limits(&self, came: Instant) -> Limits {
        let gone = came.elapsed() + TRANSIT;
        let turn = Duration::from_millis(if self.turn_ms == 0 { 100 } else { self.turn_ms as u64 });
        let left = match self.left_ms {
            Some(left) if left < UNLIMITED => Some(left),
            None if self.match_ms > 0 => Some(self.match_ms),
            _ => None,
        };
        let clock = left.map(|left| RemainingTime {
            remaining: Duration::from_millis(left.max(0) as u64).saturating_sub(gone),
            increment: Duration::ZERO,
            // Most games are decided within forty moves; later moves still get a share of the remaining time.
            moves_to_go: Some(28u16.saturating_sub(u16::try_from(self.stones.len() / 4).unwrap_or(u16::MAX)).max(10)),
        });
        Limits {
            nodes: self.nodes,
            time: Some(turn.saturating_sub(gone).max(Duration::from_millis(1))),
            clock,
            ..Limits::default()
        }
    }

    /// Searches, plays and sends the move.
    fn answer(&mut self, came: Instant, stop: &StopToken, multipv: u16) -> Result<Option<String>, Trouble> {
        let table = self.table()?;
        if let Some(outcome) = table.outcome() {
            self.lost = outcome.winner.is_some_and(|winner| winner != table.turn());
            if outcome.reason != Reason::NoMove {
                return Err("the game is over".to_owned());
            }
            // All empty points are forbidden. The manager waits for a move and the protocol has no pass: one of them is
            // the answer.
            let size = self.size.unwrap_or(0);
            let mut points = (0..size).flat_map(|y| (0..size).map(move |x| Point::new(x, y)));
            let at = points.find(|&at| !self.is_taken(at)).ok_or("the board is full")?;
            return Ok(Some(self.place(at)));
        }
        let (options, limits) = (self.options.clone(), self.limits(came));
        let request = SearchRequest { options, limits, multipv, ..SearchRequest::default() };
        let output = &mut self.output;
        let mut told = Ok(());
        let mut lost = false;
        let mut tell = |progress: Progress| {
            lost = progress.value.known() == Some(Known::Loss) && multipv == 1;
            if told.is_ok() && (progress.depth > 4 || multipv > 1) {
                told = output.write_all(message(&progress).as_bytes());
            }
        };
        let action = self.engine.think(&*table, &request, stop, &mut tell)?;
        told.map_err(|error| error.to_string())?;
        self.lost = lost;
        let Some(Action::Drop(at)) = action else { return Err("there is no legal move".to_owned()) };
        if let Some(left) = &mut self.left_ms
            && *left < UNLIMITED
        {
            *left = left.saturating_sub(came.elapsed().as_millis() as i64);
        } else if self.left_ms.is_none() && self.match_ms > 0 {
            self.left_ms = Some(self.match_ms.saturating_sub(came.elapsed().as_millis() as i64));
        }
        Ok(Some(self.place(at)))
    }

    /// Whether there is a stone on this point.
    fn is_taken(&self, at: Point) -> bool {
        self.stones.iter().any(|(point, _)| *point == at)
    }

    /// An empty point of the board.
    fn point(&self, text: &str) -> Result<Point, Trouble> {
        let size = self.size.ok_or("no START yet")?;
        let at = coordinates(text, size)?;
        if self.is_taken(at) {
            return Err(format!("{},{} is occupied", at.x, at.y));
        }
        Ok(at)
    }
}

fn coordinates(text: &str, size: u8) -> Result<Point, Trouble> {
    let bad = || format!("'{}' is not a point x,y of the board", printable(text));
    let (x, y) = text.split_once(',').ok_or_else(bad)?;
    let number = |text: &str| text.trim().parse::<u8>().ok().filter(|&n| n < size);
    Ok(Point::new(number(x).ok_or_else(bad)?, number(y).ok_or_else(bad)?))
}

/// A text of the other program, safe to send back.
fn printable(text: &str) -> String {
    clean(text, 40)
}

fn join(points: &[Point]) -> String {
    points.iter().map(|at| format!("{},{}", at.x, at.y)).collect::<Vec<_>>().join(" ")
}

fn message(progress: &Progress) -> String {
    let value = score::gomocup(progress.value);
    let number = if progress.multipv > 1 { format!("({}) ", progress.multipv) } else { String::new() };
    format!(
        "MESSAGE {number}depth {}-{} ev {value} n {} n/ms {} tm {} pv {}\r\n",
        progress.depth,
        progress.seldepth,
        progress.nodes,
        progress.nps() / 1000,
        progress.time.as_millis(),
        progress.pv_text.join(" "),
    )
}

fn about() -> String {
    format!("name=\"Qiju\", version=\"{}\", author=\"the Qiju project\", country=\"\"", env!("CARGO_PKG_VERSION"))
}
