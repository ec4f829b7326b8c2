//! Any game of the registry as a UCI engine, with the game's own move and position text.
//!
//! Huber and Meyer-Kahlen, "Universal Chess Interface", 2006, as far as it has a meaning here: `position fen` takes the game's position text, the moves are
//! the game's own, the option `UCI_Variant` chooses among its variants. A search runs in a thread of its own, so `stop` and `quit` are heard at once.
//! Lines that make no sense are passed over, as the protocol asks.

use crate::games::Entry;
use crate::rules::Side;
use crate::search::{Clock, Known, Limits, StopToken, Value};
use crate::table::{Action, Brief, EngineOptions, Memory, Notation, Progress, Setup, Table};
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Most table memory a user may ask for, in MiB.
const MOST_HASH: usize = 32_768;
/// Most lines a user may ask for.
const MOST_LINES: u16 = 64;

/// What the loop waits for.
enum Event {
    Line(String),
    End,
    /// The search with this number has ended.
    Found(u64),
}

struct Running {
    number: u64,
    stop: StopToken,
    /// Ends with the move found.
    thread: JoinHandle<Option<String>>,
    /// The answer waits for `stop`.
    held: bool,
}

struct Program<W> {
    game: &'static Entry,
    output: Arc<Mutex<W>>,
    events: Sender<Event>,
    options: EngineOptions,
    memory: Memory,
    table: Box<dyn Table>,
    running: Option<Running>,
    searches: u64,
}

/// Speaks until `quit` or the end of the input; searches with a limit are finished first.
///
/// # Errors
/// The output cannot be written.
pub fn run(game: &'static Entry, input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    let (events, inbox) = channel();
    let reader = events.clone();
    std::thread::spawn(move || read(input, &reader));
    let table = game.table(&Setup::default()).map_err(io::Error::other)?;
    let mut program = Program {
        game,
        output: Arc::new(Mutex::new(output)),
        events,
        options: EngineOptions { hash_mb: 16, ..EngineOptions::default() },
        memory: Memory::default(),
        table,
        running: None,
        searches: 0,
    };
    let served = program.serve(&inbox);
    if let Some(running) = program.running.take() {
        running.stop.stop();
        let _ = running.thread.join();
    }
    served
}

fn read(mut input: impl BufRead, events: &Sender<Event>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match input.read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(_) => {
                let line = String::from_utf8_lossy(&bytes).trim().to_owned();
                if events.send(Event::Line(line)).is_err() {
                    return;
                }
            }
        }
    }
    let _ = events.send(Event::End);
}

fn say<W: Write>(output: &Mutex<W>, line: &str) -> io::Result<()> {
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    writeln!(output, "{line}")?;
    output.flush()
}

impl<W: Write + Send + 'static> Program<W> {
    fn serve(&mut self, inbox: &Receiver<Event>) -> io::Result<()> {
        let mut ended = false;
        while let Ok(event) = inbox.recv() {
            match event {
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
                Event::Found(number) => {
                    if self.running.as_ref().is_some_and(|running| running.number == number && !running.held) {
                        self.stop()?;
                    }
                }
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

    /// Answers one line; false at `quit`.
    fn hear(&mut self, line: &str) -> io::Result<bool> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&command, rest)) = words.split_first() else { return Ok(true) };
        match command {
            "uci" => self.greet()?,
            "isready" => self.say("readyok")?,
            "ucinewgame" => self.memory = Memory::default(),
            "setoption" => self.set_option(rest)?,
            "position" => self.set_position(rest)?,
            "go" => self.go(rest)?,
            "stop" => self.stop()?,
            "d" => {
                let text = format!("{}\n{}", self.table.diagram(), self.table.position_text());
                self.say(&text)?;
            }
            "quit" => return Ok(false),
            _ => {}
        }
        Ok(true)
    }

    fn greet(&self) -> io::Result<()> {
        self.say(&format!("id name Qiju {} {}", self.game.key, env!("CARGO_PKG_VERSION")))?;
        self.say("id author the Qiju authors")?;
        self.say(&format!("option name Hash type spin default 16 min 1 max {MOST_HASH}"))?;
        self.say(&format!("option name MultiPV type spin default 1 min 1 max {MOST_LINES}"))?;
        let variants = (self.game.variants)();
        let choices: Vec<String> = variants.iter().map(|variant| format!(" var {variant}")).collect();
        self.say(&format!("option name UCI_Variant type combo default {}{}", variants[0], choices.concat()))?;
        self.say("uciok")
    }

    fn complain(&self, why: &str) -> io::Result<()> {
        self.say(&format!("info string {}", why.replace(['\n', '\r'], " ")))
    }

    fn set_option(&mut self, words: &[&str]) -> io::Result<()> {
        let Some((&"name", rest)) = words.split_first() else { return Ok(()) };
        let at = rest.iter().position(|word| *word == "value").unwrap_or(rest.len());
        let (name, value) = (rest[..at].join(" "), rest.get(at + 1..).unwrap_or_default().join(" "));
        let number = |most: usize| value.parse::<usize>().ok().map(|n| n.clamp(1, most));
        match name.to_ascii_lowercase().as_str() {
            "hash" => self.options.hash_mb = number(MOST_HASH).unwrap_or(self.options.hash_mb),
            "multipv" => {
                self.options.multipv = number(usize::from(MOST_LINES)).map_or(self.options.multipv, |lines| lines as u16);
            }
            "uci_variant" => match self.game.table(&Setup { variant: Some(value), position: None }) {
                Ok(table) => self.table = table,
                Err(why) => self.complain(&why.to_string())?,
            },
            _ => {}
        }
        Ok(())
    }

    /// `startpos` or `fen` and the game's position text, then `moves M..`. Where a move is illegal or the game has ended the rest is left out and
    /// said so.
    fn set_position(&mut self, words: &[&str]) -> io::Result<()> {
        let (place, moves) = match words.iter().position(|word| *word == "moves") {
            Some(at) => (&words[..at], &words[at + 1..]),
            None => (words, &[][..]),
        };
        let position = match place.split_first() {
            Some((&"startpos", _)) => None,
            Some((&"fen", text)) => Some(text.join(" ")),
            _ => return Ok(()),
        };
        let variant = self.table.setup().variant.clone();
        let mut table = match self.game.table(&Setup { variant, position }) {
            Ok(table) => table,
            Err(why) => return self.complain(&why.to_string()),
        };
        let mut wrong = None;
        for text in moves {
            if let Err(why) = table.read(text).and_then(|action| table.play(action)) {
                wrong = Some(format!("{text}: {why}"));
                break;
            }
        }
        self.table = table;
        wrong.map_or(Ok(()), |why| self.complain(&why))
    }

    fn go(&mut self, words: &[&str]) -> io::Result<()> {
        // A search under way is answered before the next begins.
        self.stop()?;
        let (limits, only) = asked(words, self.table.turn());
        let mut options = self.options.clone();
        let only: Vec<Action> = only.iter().filter_map(|text| self.table.read(text).ok()).collect();
        if !only.is_empty() {
            options.left_out = self.table.actions().into_iter().filter(|action| !only.contains(action)).collect();
        }
        let held = limits.is_infinite();
        let thinker = match self.table.thinker(&Brief { options, limits }, &self.memory) {
            Ok(thinker) => thinker,
            Err(why) => return self.complain(&why),
        };
        self.searches += 1;
        let (number, stop) = (self.searches, StopToken::new());
        let (token, events, output, table) = (stop.clone(), self.events.clone(), self.output.clone(), self.table.boxed_clone());
        let thread = std::thread::spawn(move || {
            let best = thinker(&token, &mut |progress| {
                // A listener who has left is noticed where the answer is written.
                let _ = say(&output, &info(&progress));
            });
            let _ = events.send(Event::Found(number));
            best.and_then(|action| table.write(action, Notation::Uci))
        });
        self.running = Some(Running { number, stop, thread, held });
        Ok(())
    }

    /// Ends the search under way and answers it. A search that is told to stop ends at once.
    fn stop(&mut self) -> io::Result<()> {
        let Some(running) = self.running.take() else { return Ok(()) };
        running.stop.stop();
        let best = running.thread.join().unwrap_or_default();
        self.say(&format!("bestmove {}", best.as_deref().unwrap_or("(none)")))
    }
}

/// A line of progress.
fn info(progress: &Progress) -> String {
    let score = match progress.value {
        Value::Cp(units) => format!("cp {units}"),
        Value::Mate(moves) => format!("mate {moves}"),
        Value::Exact { outcome: Known::Draw, .. } => "cp 0".to_owned(),
        Value::Exact { outcome: Known::Win, plies } => format!("mate {}", plies.div_ceil(2)),
        Value::Exact { outcome: Known::Loss, plies } => format!("mate -{}", plies / 2),
    };
    let (depth, seldepth, line, nodes) = (progress.depth.max(1), progress.seldepth.max(1), progress.multipv, progress.nodes);
    let (nps, time) = (progress.nps(), progress.time.as_millis());
    format!(
        "info depth {depth} seldepth {seldepth} multipv {line} score {score} nodes {nodes} nps {nps} hashfull {} time {time} pv {}",
        progress.hashfull,
        progress.pv_text.join(" ")
    )
}

/// What `go` asks: limits, and the only moves to look at (all if there are none).
fn asked<'a>(words: &[&'a str], turn: Side) -> (Limits, Vec<&'a str>) {
    let mut limits = Limits::default();
    let mut clock = Clock { remaining: Duration::ZERO, increment: Duration::ZERO, moves_to_go: None };
    let mut clocked = false;
    let (own_time, own_increment) = if turn == Side::First { ("wtime", "winc") } else { ("btime", "binc") };
    let mut only = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let word = words[at];
        at += 1;
        if word == "searchmoves" {
            only = words[at..].to_vec();
            break;
        }
        let number = words.get(at).and_then(|word| word.parse::<i64>().ok()).map(|number| number.max(0) as u64);
        let Some(number) = number else { continue };
        at += 1;
        let small = number.min(1000) as u16;
        // A day bounds every time: larger ones would overflow somebody's clock.
        let time = Duration::from_millis(number.min(86_400_000));
        match word {
            "depth" => limits.depth = Some(small.max(1)),
            "nodes" => limits.nodes = Some(number.max(1)),
            "movetime" => limits.time = Some(time),
            "mate" => limits.mate = Some(small.max(1)),
            "movestogo" => clock.moves_to_go = Some(small.max(1)),
            _ if word == own_time => (clock.remaining, clocked) = (time, true),
            _ if word == own_increment => clock.increment = time,
            _ => {}
        }
    }
    limits.clock = clocked.then_some(clock);
    (limits, only)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use std::io::{BufReader, Read};

    /// The lines of a conversation, handed out one by one; `~` waits for so long that a search is under way, or done.
    struct Script(Vec<String>);

    impl Read for Script {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            let line = self.0.remove(0);
            if line == "~" {
                std::thread::sleep(Duration::from_millis(300));
                return self.read(buffer);
            }
            buffer[..line.len()].copy_from_slice(line.as_bytes());
            buffer[line.len()] = b'\n';
            Ok(line.len() + 1)
        }
    }

    #[derive(Clone, Default)]
    struct Heard(Arc<Mutex<Vec<u8>>>);

    impl Write for Heard {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn talk(game: &str, script: &str) -> Vec<String> {
        let heard = Heard::default();
        let script = Script(script.lines().map(|line| line.trim().to_owned()).collect());
        run(games::find(game).unwrap(), BufReader::new(script), heard.clone()).unwrap();
        let bytes = heard.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn greets_and_answers() {
        let said = talk("tic-tac-toe", "uci\nisready\nposition startpos moves a1 c3\ngo depth 9\n~\nquit");
        assert!(said[0].starts_with("id name Qiju tic-tac-toe"));
        assert!(said.iter().any(|line| line == "option name UCI_Variant type combo default standard var standard"));
        assert!(said.contains(&"uciok".to_owned()) && said.contains(&"readyok".to_owned()));
        let last = said.last().unwrap();
        assert!(last == "bestmove c1" || last == "bestmove a3", "{last}");
        assert!(said.iter().any(|line| line.contains("score mate 3") && line.contains(" pv ")), "{said:?}");
    }

    #[test]
    fn two_eat_one_is_played_in_its_own_text() {
        // A win in 5 plies by one move only, on the small board, which is solved on the spot.
        let script = "setoption name UCI_Variant value 4x4\nposition fen ox..x...o....... x\ngo movetime 5000";
        let said = talk("two-eat-one", script);
        assert_eq!(said.last().unwrap(), "bestmove 1,0-1,1");
        assert!(said.iter().any(|line| line.contains("score mate 3 ")), "{said:?}");
        // Lost in 14 plies.
        let said = talk("two-eat-one", "setoption name UCI_Variant value 4x4\nposition fen o....o......xx.. x\ngo nodes 1");
        assert_eq!(said.last().unwrap(), "bestmove 3,1-3,2");
        assert!(said.iter().any(|line| line.contains("score mate -7 ")), "{said:?}");
    }

    #[test]
    fn stop_is_heard_and_what_makes_no_sense_is_passed_over() {
        let said =
            talk("tic-tac-toe", "hello\nposition\nposition fen xx\ngo infinite\n~\nstop\n~\nposition startpos moves b2 b2\nquit");
        assert_eq!(said.iter().filter(|line| line.starts_with("bestmove ")).count(), 1);
        assert!(said.iter().any(|line| line.starts_with("info string position, character")), "{said:?}");
        assert!(said.iter().any(|line| line.starts_with("info string b2:")), "{said:?}");
        // The game is over: no move.
        let said = talk("tic-tac-toe", "position fen xxxoo.... o\ngo depth 3");
        assert_eq!(said, ["bestmove (none)"]);
        // Every `go` is answered, also one that the next interrupts.
        let said = talk("two-eat-one", "go infinite\ngo infinite\ngo depth 1\nquit");
        assert!(said.iter().filter(|line| line.starts_with("bestmove ")).count() >= 2, "{said:?}");
    }
}
