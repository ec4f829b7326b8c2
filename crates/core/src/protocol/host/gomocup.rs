//! An external gomoku program with the Gomocup protocol (Petr Laštovička, "New AI protocol", gomocup.org).

use super::Host;
use super::program::{Program, shown};
use super::speaker::{LONGEST_NAME, Speaker, ThinkRequest};
use crate::message;
use crate::message::Message;
use crate::protocol::gomocup::bits_of_rule;
use crate::protocol::text::clean;
use crate::rules::Point;
use crate::search::Limits;
use crate::table::{Action, Piece, PlayerError, Table};
use web_time::{Duration, Instant};

const GLANCE: Duration = Duration::from_millis(10);
/// Milliseconds for a move if only nodes or depth limit it: so long that it is never the limit.
const NO_TIME_LIMIT: u64 = 3_600_000;
/// The memory that a program may use, in bytes; it is sent to the program.
const MEMORY: u64 = 350 << 20;

struct Gomocup {
    name: String,
    /// The time it may take to answer `START`.
    start_up: Duration,
    started: bool,
    limits: Option<Limits>,
    /// The moves of the current game that the program knows, including its own.
    told: Vec<Action>,
}

/// Starts a program and checks its protocol.
pub fn start(command: &str, start_up: Duration) -> Result<Host, PlayerError> {
    let program = Program::start(command)?;
    let mut speaker = Gomocup { name: String::new(), start_up, started: false, limits: None, told: Vec::new() };
    program.send("ABOUT")?;
    let until = Instant::now() + start_up;
    while let Ok(Some(line)) = program.line(until) {
        if is_chatter(&line) {
            continue;
        }
        if is_refusal(&line) {
            break;
        }
        speaker.name = clean(name_in(&line), LONGEST_NAME);
        return Ok(Host { program, speaker: Box::new(speaker) });
    }
    Err(PlayerError::no_start(command, message!("it does not answer 'ABOUT' as the Gomocup protocol requires")))
}

/// True for lines that are messages for the user.
fn is_chatter(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
    line.is_empty() || matches!(word.as_str(), "MESSAGE" | "DEBUG" | "INFO")
}

/// True for lines that refuse a command.
fn is_refusal(line: &str) -> bool {
    let line = line.to_ascii_uppercase();
    line.starts_with("ERROR") || line.starts_with("UNKNOWN")
}

/// The name in the answer to `ABOUT`: `name="X", version="1"`, or plain text.
fn name_in(line: &str) -> &str {
    let name = line.find("name").map(|at| line[at + "name".len()..].trim_start()).and_then(|rest| rest.strip_prefix('='));
    match name.map(str::trim_start) {
        Some(rest) => match rest.strip_prefix('"') {
            Some(rest) => rest.split('"').next().unwrap_or_default(),
            None => rest.split(',').next().unwrap_or_default().trim_end(),
        },
        None if line.contains('=') => "",
        None => line,
    }
}

/// `x,y`.
fn coordinates(text: &str) -> Option<Point> {
    let (x, y) = text.trim().split_once(',')?;
    Some(Point::new(x.trim().parse().ok()?, y.trim().parse().ok()?))
}

impl Gomocup {
    fn announce(&mut self, program: &Program, limits: &Limits) -> Result<(), PlayerError> {
        if self.limits.as_ref() == Some(limits) {
            return Ok(());
        }
        let time = limits.time.map_or(NO_TIME_LIMIT, |time| time.as_millis() as u64);
        program.send(&format!("INFO timeout_turn {time}"))?;
        if let Some(nodes) = limits.nodes {
            program.send(&format!("INFO max_node {nodes}"))?;
        }
        if let Some(depth) = limits.depth {
            program.send(&format!("INFO max_depth {depth}"))?;
        }
        self.limits = Some(limits.clone());
        Ok(())
    }

    /// Sends the position, or only the last move if nothing else is new.
    fn tell(&self, program: &Program, table: &dyn Table) -> Result<(), PlayerError> {
        let played = table.played();
        let from_empty = table.pieces().len() == played.len();
        let news = played.strip_prefix(&self.told[..]);
        match news {
            Some([Action::Drop(last)]) if from_empty && !self.told.is_empty() => {
                program.send(&format!("TURN {},{}", last.x, last.y))
            }
            _ if table.pieces().is_empty() => program.send("BEGIN"),
            _ => {
                program.send("BOARD")?;
                let in_order = played.iter().filter_map(|action| action.target());
                let pieces = table.pieces();
                let mut stones: Vec<(Point, Piece)> =
                    in_order.filter_map(|point| pieces.iter().copied().find(|(at, _)| *at == point)).collect();
                stones.extend(pieces.iter().copied().filter(|(at, _)| !played.contains(&Action::Drop(*at))));
                for (at, piece) in stones {
                    let whose = if piece.side == table.turn() { 1 } else { 2 };
                    program.send(&format!("{},{},{whose}", at.x, at.y))?;
                }
                program.send("DONE")
            }
        }
    }
}

impl Speaker for Gomocup {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, program: &mut Program, table: &dyn Table) -> Result<(), PlayerError> {
        let (files, ranks) = table.size();
        debug_assert_eq!(files, ranks, "gomoku boards are square");
        program.send(&if self.started { "RESTART".to_owned() } else { format!("START {files}") })?;
        let until = Instant::now() + self.start_up;
        loop {
            let Some(line) = program.line(until)? else { return Err(program.silent()) };
            let upper = line.to_ascii_uppercase();
            if upper.starts_with("OK") {
                break;
            }
            if is_refusal(&line) {
                return Err(PlayerError::no_start(program.command(), message!("it answers '{}' to START", shown(&line))));
            }
        }
        self.started = true;
        self.limits = None;
        self.told.clear();
        let variant = table.setup().variant.as_deref().unwrap_or_default();
        for (what, value) in
            [("rule", u64::from(bits_of_rule(variant))), ("game_type", 1), ("timeout_match", 0), ("max_memory", MEMORY)]
        {
            program.send(&format!("INFO {what} {value}"))?;
        }
        Ok(())
    }

    fn think(&mut self, program: &mut Program, question: &mut ThinkRequest<'_>) -> Result<Action, PlayerError> {
        // Moves sent after the last answer do not belong to this request.
        program.forget_lines();
        self.announce(program, question.limits)?;
        self.tell(program, question.table)?;
        loop {
            let now = Instant::now();
            // The protocol has no stop command, so stopping means ending the program.
            if now >= question.until || question.stop.is_stopped() {
                return Err(program.silent());
            }
            let Some(line) = program.line(question.until.min(now + GLANCE))? else { continue };
            let upper = line.to_ascii_uppercase();
            if let Some(offer) = upper.strip_prefix("SUGGEST") {
                program.send(&format!("PLAY {}", offer.trim()))?;
                continue;
            }
            if is_chatter(&line) || upper.starts_with("OK") || is_refusal(&line) {
                continue;
            }
            let wrong = |why: Message| PlayerError::Illegal { player: program.command().to_owned(), answer: shown(&line), why };
            let at = coordinates(&line).ok_or_else(|| wrong(message!("it is not a move")))?;
            let action = Action::Drop(at);
            if let Some(refusal) = question.table.refusal(action) {
                return Err(wrong(refusal.into()));
            }
            self.told = question.table.played();
            self.told.push(action);
            return Ok(action);
        }
    }

    fn farewell(&self) -> &'static str {
        "END"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        assert_eq!(coordinates("7,7"), Some(Point::new(7, 7)));
        assert_eq!(coordinates(" 10 , 3 "), Some(Point::new(10, 3)));
        for bad in ["", "7", "7;7", "-1,2", "300,1", "h8", "1,2,3"] {
            assert_eq!(coordinates(bad), None, "{bad}");
        }
        for (line, name) in [
            (r#"name="Brain", version="1""#, "Brain"),
            ("version=1, name = Brain, author=x", "Brain"),
            ("A brain by somebody", "A brain by somebody"),
            ("version=\"1\"", ""),
        ] {
            assert_eq!(name_in(line), name, "{line}");
        }
        assert!(is_refusal("UNKNOWN command") && is_refusal("error: what?"));
        assert!(is_chatter("MESSAGE hello") && is_chatter("") && !is_chatter("7,7"));
    }
}
