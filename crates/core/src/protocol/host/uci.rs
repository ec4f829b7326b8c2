//! An external program with UCI, or with UCCI (xiangqi).
//!
//! UCI: Huber and Meyer-Kahlen, "Universal Chess Interface", 2006. UCCI: Huang Chen, "Universal Chinese Chess Protocol"
//! 3.0.

use super::Host;
use super::options::{OptionKind, OptionValues, ProgramOption, sent};
use super::program::{Program, shown};
use super::speaker::{LONGEST_NAME, Speaker, ThinkRequest};
use crate::games;
use crate::message;
use crate::message::Message;
use crate::protocol::text::clean;
use crate::search::{Limits, Value};
use crate::table::{Action, Notation, PlayerError, Progress, Protocol, Table};
use web_time::{Duration, Instant};

/// The time without an answer to `uci` after which a second copy of the program is asked with `ucci`; the first that
/// answers plays.
const FIRST_WORD: Duration = Duration::from_secs(4);
/// The most options of a program that are stored.
const MOST_OPTIONS: usize = 512;
/// The most moves of a line that are read.
const MOST_MOVES: usize = 256;
/// The limits of the numbers that a program reports.
const MOST_CP: i32 = 1_000_000;
const MOST_MATE: i32 = 10_000;
const MOST_NODES: u64 = 1 << 50;
const MOST_TIME_MS: u64 = 1 << 40;
/// The interval at which the stop token is checked.
const GLANCE: Duration = Duration::from_millis(10);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Uci,
    Ucci,
}

struct Uci {
    dialect: Dialect,
    name: String,
    /// The names of its options, and those that are declared completely.
    options: Vec<String>,
    declared: Vec<ProgramOption>,
    /// How many lines are wanted, and how many the program was told.
    lines: u16,
    lines_told: u16,
    /// 1 if the program counts ranks from 1 and our notation from 0 (xiangqi in programs for many chess variants), else
    /// 0.
    rank_shift: i8,
    /// Whether an answer has shown how the program counts ranks.
    shift_known: bool,
    /// Whether times are sent in milliseconds.
    milliseconds: bool,
    /// The time it may take to become ready.
    start_up: Duration,
}

/// Starts a program with UCI or, if it does not answer and `or_ucci` is true, with UCCI.
pub fn start(
    command: &str,
    table: &dyn Table,
    or_ucci: bool,
    values: &OptionValues,
    start_up: Duration,
) -> Result<Host, PlayerError> {
    let mut asked = vec![Asked::start(command, Dialect::Uci, start_up)?];
    let mut ucci_at = or_ucci.then(|| Instant::now() + FIRST_WORD.min(start_up));
    let Asked { program, mut speaker, .. } = loop {
        if let Some(at) = asked.iter_mut().position(|asked| asked.listen() == Stage::Known) {
            break asked.swap_remove(at);
        }
        asked.retain(|asked| asked.stage != Stage::Failed);
        let waits = asked.is_empty() || asked.iter().all(|asked| asked.stage == Stage::Silent);
        if waits && ucci_at.is_some_and(|at| asked.is_empty() || Instant::now() >= at) {
            ucci_at = None;
            asked.push(Asked::start(command, Dialect::Ucci, start_up)?);
        }
        if asked.is_empty() {
            let why =
                if or_ucci { message!("it answers neither 'uci' nor 'ucci'") } else { message!("it does not answer 'uci'") };
            return Err(PlayerError::no_start(command, why));
        }
    };
    // A second copy ends before the program plays.
    drop(asked);
    speaker.apply(&program, values)?;
    speaker.settle(&program, table)?;
    Ok(Host { program, speaker: Box::new(speaker) })
}

/// How far a program has come with its introduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Silent,
    Begun,
    Known,
    /// It exited, or its time is over.
    Failed,
}

/// A program that was sent the first command of a protocol.
struct Asked {
    program: Program,
    speaker: Uci,
    stage: Stage,
    until: Instant,
}

impl Asked {
    fn start(command: &str, dialect: Dialect, start_up: Duration) -> Result<Asked, PlayerError> {
        let program = Program::start(command)?;
        program.send(if dialect == Dialect::Uci { "uci" } else { "ucci" })?;
        let speaker = Uci {
            dialect,
            name: String::new(),
            options: Vec::new(),
            declared: Vec::new(),
            lines: 1,
            lines_told: 0,
            rank_shift: 0,
            shift_known: false,
            milliseconds: false,
            start_up,
        };
        Ok(Asked { program, speaker, stage: Stage::Silent, until: Instant::now() + start_up })
    }

    /// Reads what it says for a short time.
    fn listen(&mut self) -> Stage {
        let glance = Instant::now() + GLANCE;
        loop {
            let line = match self.program.line(glance.min(self.until)) {
                Ok(Some(line)) => line,
                Ok(None) if Instant::now() < self.until => return self.stage,
                Ok(None) | Err(_) => {
                    self.stage = Stage::Failed;
                    return self.stage;
                }
            };
            let speaker = &mut self.speaker;
            if let Some(name) = line.strip_prefix("id name ") {
                speaker.name = clean(name.trim(), LONGEST_NAME);
            } else if let Some(option) = line.strip_prefix("option ") {
                let option = option.strip_prefix("name ").unwrap_or(option);
                let name = option.split(" type ").next().unwrap_or_default().trim();
                if speaker.options.len() < MOST_OPTIONS && name.chars().count() <= LONGEST_NAME {
                    speaker.options.push(name.to_owned());
                    speaker.declared.extend(ProgramOption::read(&line));
                }
            } else if line == "uciok" || line == "ucciok" {
                speaker.dialect = if line == "uciok" { Dialect::Uci } else { Dialect::Ucci };
                self.stage = Stage::Known;
                return self.stage;
            } else {
                continue;
            }
            // It has started to answer, so it may use the whole time for the rest.
            if self.stage == Stage::Silent {
                self.stage = Stage::Begun;
                self.until = Instant::now() + speaker.start_up;
            }
        }
    }
}

/// Whether the game's own notation counts ranks from 0, as UCCI does; UCI programs may count them from 1.
fn ranks_from_zero(table: &dyn Table) -> bool {
    games::find(table.game()).is_ok_and(|game| game.protocol == Protocol::UciAndUcci)
}

impl Uci {
    fn has(&self, option: &str) -> Option<&str> {
        self.options.iter().map(String::as_str).find(|known| known.eq_ignore_ascii_case(option))
    }

    fn set(&self, program: &Program, option: &str, value: &str) -> Result<(), PlayerError> {
        program.send(&match self.dialect {
            Dialect::Uci => format!("setoption name {option} value {value}"),
            Dialect::Ucci => format!("setoption {option} {value}"),
        })
    }

    /// Sends what the user has set, if the program takes it.
    fn apply(&self, program: &Program, values: &OptionValues) -> Result<(), PlayerError> {
        for option in self.declared.iter().filter(|option| !option.is_ours()) {
            if let Some(value) = values.get(&option.name).filter(|value| option.takes(value)) {
                self.set(program, &option.name, sent(value))?;
            }
        }
        Ok(())
    }

    /// Tells the program how many lines to report, if it can report several.
    fn tell_lines(&mut self, program: &Program) -> Result<(), PlayerError> {
        let Some(option) = self.declared.iter().find(|option| option.name.eq_ignore_ascii_case("MultiPV")) else { return Ok(()) };
        let OptionKind::Spin { least, most, .. } = option.kind else { return Ok(()) };
        let wanted = i64::from(self.lines).clamp(least, most) as u16;
        if wanted != self.lines_told {
            self.set(program, &option.name, &wanted.to_string())?;
            self.lines_told = wanted;
        }
        Ok(())
    }

    fn settle(&mut self, program: &Program, table: &dyn Table) -> Result<(), PlayerError> {
        let variant = table.setup().variant.as_deref();
        if let (Some(option), Some(variant)) = (self.has("Variant"), variant) {
            self.set(program, option, variant)?;
        }
        if ranks_from_zero(table)
            && let Some(option) = self.has("UCI_Variant")
        {
            self.set(program, option, table.game())?;
            // Programs for many chess variants count ranks from 1 in UCI, for xiangqi too.
            self.rank_shift = i8::from(self.dialect == Dialect::Uci);
        }
        if self.dialect == Dialect::Ucci
            && let Some(option) = self.has("usemillisec")
        {
            self.set(program, option, "true")?;
            self.milliseconds = true;
        }
        self.ready(program, Instant::now() + self.start_up)
    }

    /// Waits until the program has read and answered everything that was sent.
    fn ready(&self, program: &Program, until: Instant) -> Result<(), PlayerError> {
        program.send("isready")?;
        while let Some(line) = program.line(until)? {
            if line == "readyok" {
                return Ok(());
            }
        }
        Err(program.silent())
    }

    /// One of our moves in the notation of the program.
    fn to_program(&self, text: &str) -> String {
        shift_ranks(text, self.rank_shift).unwrap_or_else(|| text.to_owned())
    }

    /// Reads the program's move. Whether it counts ranks from 0 or 1 is detected by which move is legal.
    fn read(&mut self, table: &dyn Table, text: &str) -> Result<Action, Message> {
        let as_told = |shift: i8| {
            let ours = if shift == 0 { Some(text.to_owned()) } else { shift_ranks(text, -shift) };
            ours.ok_or_else(|| message!("it is no move")).and_then(|ours| table.read(&ours).map_err(Message::from))
        };
        let first = as_told(self.rank_shift);
        if first.is_ok() || self.shift_known || !ranks_from_zero(table) {
            self.shift_known |= first.is_ok();
            return first;
        }
        let other = 1 - self.rank_shift;
        let second = as_told(other);
        if second.is_ok() {
            self.rank_shift = other;
            self.shift_known = true;
            return second;
        }
        first
    }

    fn go(&self, limits: &Limits) -> String {
        let mut go = "go".to_owned();
        let unit = |time: Duration| {
            let ms = time.as_millis();
            if self.dialect == Dialect::Ucci && !self.milliseconds { ms.div_ceil(1000) } else { ms }
        };
        if let Some(depth) = limits.depth {
            go += &format!(" depth {depth}");
        }
        if let Some(nodes) = limits.nodes {
            go += &format!(" nodes {nodes}");
        }
        if let Some(time) = limits.time {
            go += &match self.dialect {
                Dialect::Uci => format!(" movetime {}", unit(time)),
                Dialect::Ucci => format!(" time {} movestogo 1", unit(time)),
            };
        }
        if let Some(clock) = limits.clock {
            let (left, more) = (unit(clock.remaining), unit(clock.increment));
            go += &match self.dialect {
                // The opponent's clock is not known here; our own clock is sent for both.
                Dialect::Uci => format!(" wtime {left} btime {left} winc {more} binc {more}"),
                Dialect::Ucci => format!(" time {left} increment {more}"),
            };
            if let Some(moves) = clock.moves_to_go {
                go += &format!(" movestogo {moves}");
            }
        }
        if let Some(mate) = limits.mate.filter(|_| self.dialect == Dialect::Uci) {
            go += &format!(" mate {mate}");
        }
        if go == "go" { "go infinite".to_owned() } else { go }
    }

    /// Reads a progress line.
    fn progress(&self, table: &dyn Table, line: &str) -> Option<Progress> {
        let mut words = line.strip_prefix("info ")?.split_whitespace();
        let mut progress = Progress::new(0, 0, Value::Cp(0), Vec::new());
        while let Some(word) = words.next() {
            match word {
                "string" => return None,
                "depth" => progress.depth = words.next()?.parse().ok()?,
                "seldepth" => progress.seldepth = words.next()?.parse().ok()?,
                "multipv" => progress.multipv = words.next()?.parse().ok()?,
                "nodes" => progress.nodes = words.next()?.parse::<u64>().ok()?.min(MOST_NODES),
                "hashfull" => progress.hashfull = words.next()?.parse::<u16>().ok()?.min(1000),
                "time" => progress.time = Duration::from_millis(words.next()?.parse::<u64>().ok()?.min(MOST_TIME_MS)),
                "score" => {
                    let kind = words.next()?;
                    let number = |text: &str, most: i32| text.parse::<i32>().ok().map(|number| number.clamp(-most, most));
                    progress.value = match kind {
                        "cp" => Value::Cp(number(words.next()?, MOST_CP)?),
                        "mate" => Value::Mate(number(words.next()?, MOST_MATE)?),
                        // In UCCI the score has no unit.
                        score => Value::Cp(number(score, MOST_CP)?),
                    };
                }
                "pv" => {
                    let mut table = table.boxed_clone();
                    for text in words.by_ref().take(MOST_MOVES) {
                        let ours = if self.rank_shift == 0 { Some(text.to_owned()) } else { shift_ranks(text, -self.rank_shift) };
                        let Some(action) = ours.and_then(|ours| table.read(&ours).ok()) else { break };
                        progress.pv_text.extend(table.write(action, Notation::Uci));
                        progress.pv.push(action);
                        let _ = table.play(action);
                    }
                }
                _ => {}
            }
        }
        (progress.depth > 0 && !progress.pv.is_empty()).then_some(progress)
    }
}

impl Speaker for Uci {
    fn name(&self) -> &str {
        &self.name
    }

    fn options(&self) -> &[ProgramOption] {
        &self.declared
    }

    fn press(&mut self, program: &Program, button: &str) -> Result<(), PlayerError> {
        let known = |option: &&ProgramOption| option.name == button && option.kind == OptionKind::Button;
        let Some(option) = self.declared.iter().find(known) else { return Ok(()) };
        program.send(&match self.dialect {
            Dialect::Uci => format!("setoption name {}", option.name),
            Dialect::Ucci => format!("setoption {}", option.name),
        })
    }

    fn want_lines(&mut self, lines: u16) {
        self.lines = lines.max(1);
    }

    fn new_game(&mut self, program: &mut Program, _: &dyn Table) -> Result<(), PlayerError> {
        if self.dialect == Dialect::Uci {
            program.send("ucinewgame")?;
        }
        self.ready(program, Instant::now() + self.start_up)
    }

    fn think(&mut self, program: &mut Program, question: &mut ThinkRequest<'_>) -> Result<Action, PlayerError> {
        let table = question.table;
        let mut start = table.boxed_clone();
        while start.undo().is_some() {}
        let mut position = format!("position fen {}", start.position_text());
        let moves: Vec<String> = table.played_text(Notation::Uci).iter().map(|text| self.to_program(text)).collect();
        if !moves.is_empty() {
            position += &format!(" moves {}", moves.join(" "));
        }
        // Lines after the last answer, perhaps a second answer, do not belong to this request: they come before
        // `readyok`.
        program.forget_lines();
        self.tell_lines(program)?;
        self.ready(program, question.until)?;
        program.send(&position)?;
        program.send(&self.go(question.limits))?;
        let mut stopping = false;
        loop {
            if question.stop.is_stopped() && !stopping {
                stopping = true;
                program.send("stop")?;
            }
            let now = Instant::now();
            if now >= question.until {
                return Err(program.silent());
            }
            let Some(line) = program.line(question.until.min(now + GLANCE))? else { continue };
            if line.starts_with("info ") {
                if let Some(progress) = self.progress(table, &line) {
                    (question.tell)(progress);
                }
                continue;
            }
            let answer = match line.split_whitespace().collect::<Vec<_>>()[..] {
                ["bestmove", answer, ..] => answer,
                ["nobestmove", ..] => "nobestmove",
                _ => continue,
            };
            return self.read(table, answer).map_err(|why| PlayerError::Illegal {
                player: program.command().to_owned(),
                answer: shown(answer),
                why,
            });
        }
    }

    fn farewell(&self) -> &'static str {
        "quit"
    }
}

/// A coordinate move with this number added to its ranks; `None` if the text is not a coordinate move.
fn shift_ranks(text: &str, by: i8) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let letters = rest.find(|c: char| !c.is_ascii_alphabetic())?;
        let digits = rest[letters..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - letters);
        let rank: i16 = rest[letters..letters + digits].parse().ok()?;
        let shifted = rank.checked_add(i16::from(by)).filter(|rank| *rank >= 0)?;
        out += &rest[..letters];
        out += &shifted.to_string();
        rest = &rest[letters + digits..];
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_shifted() {
        let cases = [
            ("h3e3", -1, Some("h2e2")),
            ("a10a9", -1, Some("a9a8")),
            ("h2e2", 1, Some("h3e3")),
            ("a0a1", -1, None),
            ("(none)", -1, None),
            ("0000", -1, None),
            ("", 1, Some("")),
        ];
        for (text, by, expected) in cases {
            assert_eq!(shift_ranks(text, by).as_deref(), expected, "{text} by {by}");
        }
    }
}
