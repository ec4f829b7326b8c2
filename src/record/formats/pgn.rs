//! Portable game notation: tags, then moves, as the programs of xiangqi write it ("Chinese Chess", moves in Chinese, WXF or
//! ICCS). Comments, variations and annotations are passed over. Files must be UTF-8.

use super::played;
use crate::record::{Record, RecordError, SeatSpec};
use crate::rules::{BySide, Outcome, Reason, Side};
use crate::table::{Notation, Setup};
use std::fmt::Write;

/// What xiangqi is called in a PGN's `Game` tag.
const XIANGQI: (&str, &str) = ("xiangqi", "Chinese Chess");

/// A game as it stands in the file.
#[derive(Default)]
struct Raw {
    /// Line of its first tag or move.
    line: usize,
    tags: Vec<(String, String)>,
    moves: Vec<String>,
    lines: Vec<usize>,
    result: Option<String>,
}

impl Raw {
    fn tag(&self, names: &[&str]) -> Option<&str> {
        let found = self.tags.iter().find(|(name, _)| names.iter().any(|wanted| name.eq_ignore_ascii_case(wanted)));
        found.map(|(_, value)| value.as_str()).filter(|value| !matches!(*value, "" | "?"))
    }

    fn record(self, file: &str) -> Result<Record, RecordError> {
        let game = match self.tag(&["Game"]) {
            None => XIANGQI.0,
            Some(name) if name.eq_ignore_ascii_case(XIANGQI.1) => XIANGQI.0,
            Some(name) => name,
        };
        let setup = Setup {
            variant: self.tag(&["Variant"]).map(str::to_owned),
            position: self.tag(&["FEN", "Position"]).map(str::to_owned),
        };
        let seat = |names: &[&str]| self.tag(names).map_or(SeatSpec::Human, seat_of);
        let winner = match self.result.as_deref().or(self.tag(&["Result"])) {
            Some("1-0") => Some(Some(Side::First)),
            Some("0-1") => Some(Some(Side::Second)),
            Some("1/2-1/2") => Some(None),
            _ => None,
        };
        let told = self.tag(&["Termination"]).and_then(|word| Reason::ALL.into_iter().find(|reason| reason.key() == word));
        let record = Record {
            game: game.to_owned(),
            setup,
            seats: BySide::new(seat(&["Red", "White", "First"]), seat(&["Black", "Second"])),
            event: self.tag(&["Event"]).unwrap_or_default().to_owned(),
            moves: self.moves.clone(),
            times_ms: Vec::new(),
            result: None,
        };
        let mut record = played(file, record, self.line, &self.lines)?;
        if let Some(winner) = winner.filter(|winner| record.result.is_none_or(|ended| ended.winner != *winner)) {
            // The board does not show why; what people mean by it.
            let usual = if winner.is_some() { Reason::Resignation } else { Reason::Agreement };
            record.result = Some(Outcome { winner, reason: told.unwrap_or(usual) });
        }
        Ok(record)
    }
}

fn seat_of(name: &str) -> SeatSpec {
    let level = name.strip_prefix("level ").and_then(|level| level.parse().ok());
    match (name, level) {
        ("human", _) => SeatSpec::Human,
        (_, Some(level)) => SeatSpec::Computer { level },
        _ => SeatSpec::External { name: name.to_owned() },
    }
}

/// Reads the games of a file.
pub fn read(file: &str, text: &str) -> Result<Vec<Record>, RecordError> {
    let mut games = Vec::new();
    let mut game = Raw::default();
    let mut scan = Scan { rest: text, line: 1 };
    while let Some((line, token)) = scan.next().map_err(|(line, why)| RecordError::bad(file, line, why))? {
        // Tags after moves, or anything after a result, begin the next game.
        let ended = game.result.is_some() || (matches!(token, Token::Tag(..)) && !game.moves.is_empty());
        if ended {
            games.push(std::mem::take(&mut game).record(file)?);
        }
        if game.line == 0 {
            game.line = line;
        }
        match token {
            Token::Tag(name, value) => game.tags.push((name, value)),
            Token::Move(text) => {
                game.moves.push(text);
                game.lines.push(line);
            }
            Token::Result(text) => game.result = Some(text),
        }
    }
    if game.line > 0 {
        games.push(game.record(file)?);
    }
    Ok(games)
}

enum Token {
    Tag(String, String),
    Move(String),
    Result(String),
}

struct Scan<'a> {
    rest: &'a str,
    line: usize,
}

impl Scan<'_> {
    /// Goes `bytes` on, counting lines.
    fn skip(&mut self, bytes: usize) {
        self.line += self.rest[..bytes].matches('\n').count();
        self.rest = &self.rest[bytes..];
    }

    /// Up to and with `end`.
    fn skip_past(&mut self, end: char, what: &str) -> Result<(), (usize, String)> {
        let at = self.rest.find(end).ok_or_else(|| (self.line, format!("a {what} is not closed")))?;
        self.skip(at + end.len_utf8());
        Ok(())
    }

    fn next(&mut self) -> Result<Option<(usize, Token)>, (usize, String)> {
        loop {
            self.skip(self.rest.len() - self.rest.trim_start().len());
            let line = self.line;
            let Some(first) = self.rest.chars().next() else { return Ok(None) };
            match first {
                '[' => {
                    let end = self.rest.find('\n').unwrap_or(self.rest.len());
                    let tag = tag(&self.rest[..end]).ok_or_else(|| (line, "a tag is [Name \"value\"]".to_owned()))?;
                    self.skip(end);
                    return Ok(Some((line, Token::Tag(tag.0, tag.1))));
                }
                '{' => self.skip_past('}', "comment")?,
                '(' => self.skip_variation()?,
                ';' | '%' => self.skip(self.rest.find('\n').unwrap_or(self.rest.len())),
                _ => {
                    let end = self.rest.find(|c: char| c.is_whitespace() || "{}()[];".contains(c)).unwrap_or(self.rest.len());
                    let word = self.rest[..end.max(first.len_utf8())].to_owned();
                    self.skip(word.len());
                    let word = without_number(&word);
                    match word {
                        "" | "!" | "?" | "!!" | "??" | "!?" | "?!" => {}
                        "1-0" | "0-1" | "1/2-1/2" | "*" => return Ok(Some((line, Token::Result(word.to_owned())))),
                        word if word.starts_with('$') => {}
                        word => return Ok(Some((line, Token::Move(word.to_owned())))),
                    }
                }
            }
        }
    }

    fn skip_variation(&mut self) -> Result<(), (usize, String)> {
        let line = self.line;
        let mut depth = 0;
        loop {
            let at = self.rest.find(['(', ')', '{']).ok_or_else(|| (line, "a variation is not closed".to_owned()))?;
            let sign = self.rest[at..].chars().next();
            self.skip(at);
            match sign {
                Some('{') => self.skip_past('}', "comment")?,
                Some('(') => {
                    depth += 1;
                    self.skip(1);
                }
                _ => {
                    depth -= 1;
                    self.skip(1);
                    if depth == 0 {
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// `[Name "value"]`, with `\"` and `\\` inside the value.
fn tag(line: &str) -> Option<(String, String)> {
    let inside = line.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inside.split_once('"')?;
    let value = value.trim_end().strip_suffix('"')?;
    let mut plain = String::new();
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        plain.push(if c == '\\' { chars.next()? } else { c });
    }
    Some((name.trim().to_owned(), plain))
}

/// A word without the number of its move: `1.`, `12...`, `3.h2e2`.
fn without_number(word: &str) -> &str {
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if after.len() == word.len() || !after.starts_with('.') {
        word.trim_start_matches("...")
    } else {
        after.trim_start_matches('.')
    }
}

/// Writes a game, in Chinese where that is a notation of it and none is asked for.
pub fn write(record: &Record, notation: Option<Notation>) -> Result<String, String> {
    let table = record.replay().map_err(|(_, why)| why)?;
    let xiangqi = record.game == XIANGQI.0;
    let notation = notation.unwrap_or(if table.notations().contains(&Notation::Iccs) { Notation::Iccs } else { Notation::Uci });
    if !table.notations().contains(&notation) {
        return Err(format!("{} is not written in '{}'", record.game, notation.key()));
    }
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| {
        let value: String = value.chars().filter(|c| !c.is_control()).collect();
        let _ = writeln!(out, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
    };
    tag("Game", if xiangqi { XIANGQI.1 } else { &record.game });
    tag("Event", if record.event.is_empty() { "?" } else { &record.event });
    let [first, second] = if xiangqi { ["Red", "Black"] } else { ["First", "Second"] };
    tag(first, &record.seats.first.to_string());
    tag(second, &record.seats.second.to_string());
    let result = match record.result {
        None => "*",
        Some(Outcome { winner: None, .. }) => "1/2-1/2",
        Some(Outcome { winner: Some(Side::First), .. }) => "1-0",
        Some(Outcome { winner: Some(Side::Second), .. }) => "0-1",
    };
    tag("Result", result);
    if let Some(outcome) = record.result {
        tag("Termination", outcome.reason.key());
    }
    if let Some(variant) = &record.setup.variant {
        tag("Variant", variant);
    }
    if let Some(position) = &record.setup.position {
        tag("FEN", position);
    }
    tag("Format", &notation.key().to_ascii_uppercase());
    out.push('\n');
    let given = table.ply() - record.moves.len();
    let moves = table.played_text(notation).split_off(given);
    for (number, pair) in (1..).zip(moves.chunks(2)) {
        let _ = writeln!(out, "{number}. {}", pair.join(" "));
    }
    out.push_str(result);
    out.push('\n');
    Ok(out)
}
