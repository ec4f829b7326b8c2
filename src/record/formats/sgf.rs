//! SGF (smart game format, FF[4]) for gomoku and renju, GM[4]: one game a tree, of which the main line is read. Points are two letters from the upper
//! left corner, as in the format's rules; `h8` is read, too.

use super::played;
use crate::record::{Record, RecordError, SeatSpec};
use crate::rules::{BySide, Outcome, Point, Reason, Side};
use crate::table::{Action, Coordinates, Setup};
use std::fmt::Write;

const GAME: &str = "gomoku";
/// Nested variations deeper than this are no game.
const DEEPEST: usize = 1000;

/// A property of a node: line, name and values.
struct Property {
    line: usize,
    name: String,
    values: Vec<String>,
}

/// Reads the games of a file.
pub fn read(file: &str, text: &str) -> Result<Vec<Record>, RecordError> {
    let mut reader = Reader { chars: text.chars().peekable(), line: 1 };
    let mut records = Vec::new();
    let wrong = |(line, why): (usize, String)| RecordError::bad(file, line, why);
    while reader.find_tree().map_err(wrong)? {
        let first = reader.line;
        let mut line = Vec::new();
        reader.tree(&mut line, true, 0).map_err(wrong)?;
        records.push(record(file, first, line)?);
    }
    Ok(records)
}

struct Reader<'a> {
    chars: std::iter::Peekable<std::str::Chars<'a>>,
    line: usize,
}

type Fault = (usize, String);

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.chars.next()?;
        self.line += usize::from(c == '\n');
        Some(c)
    }

    fn blank(&mut self) {
        while self.chars.peek().is_some_and(|c| c.is_whitespace()) {
            self.next();
        }
    }

    /// Goes behind the `(` of the next game; false at the end of the text.
    fn find_tree(&mut self) -> Result<bool, Fault> {
        self.blank();
        match self.next() {
            None => Ok(false),
            Some('(') => Ok(true),
            Some(_) => Err((self.line, "a game of an sgf file begins with '('".to_owned())),
        }
    }

    /// Reads a tree behind its `(` to its `)`; the properties of its main line are added if it is wanted.
    fn tree(&mut self, main: &mut Vec<Property>, wanted: bool, depth: usize) -> Result<(), Fault> {
        if depth > DEEPEST {
            return Err((self.line, "the variations are nested too deep".to_owned()));
        }
        let mut branches = 0;
        loop {
            self.blank();
            match self.chars.peek() {
                None => return Err((self.line, "the game's tree has no end".to_owned())),
                Some(')') => {
                    self.next();
                    return Ok(());
                }
                Some('(') => {
                    self.next();
                    self.tree(main, wanted && branches == 0, depth + 1)?;
                    branches += 1;
                }
                Some(';') => drop(self.next()),
                Some(c) if c.is_ascii_alphabetic() => {
                    let property = self.property()?;
                    if wanted && branches == 0 {
                        main.push(property);
                    }
                }
                Some(c) => return Err((self.line, format!("'{}' is nothing of an sgf file", c.escape_debug()))),
            }
        }
    }

    fn property(&mut self) -> Result<Property, Fault> {
        let line = self.line;
        let mut name = String::new();
        while let Some(&c) = self.chars.peek().filter(|c| c.is_ascii_alphabetic()) {
            // Old files have small letters between, which count for nothing.
            name.extend(c.is_ascii_uppercase().then_some(c));
            self.next();
        }
        let mut values = Vec::new();
        loop {
            self.blank();
            if self.chars.peek() != Some(&'[') {
                break;
            }
            self.next();
            let mut value = String::new();
            loop {
                match self.next() {
                    None => return Err((line, format!("the value of {name} has no end"))),
                    Some(']') => break,
                    Some('\\') => value.extend(self.next().filter(|c| *c != '\n')),
                    Some(c) => value.push(c),
                }
            }
            values.push(value);
        }
        if values.is_empty() {
            return Err((line, format!("{name} has no value")));
        }
        Ok(Property { line, name, values })
    }
}

fn record(file: &str, first: usize, properties: Vec<Property>) -> Result<Record, RecordError> {
    let value = |name: &str| properties.iter().find(|p| p.name == name).map(|p| (p.line, p.values[0].trim()));
    let bad = |line: usize, why: String| RecordError::bad(file, line, why);
    if let Some((line, game)) = value("GM").filter(|(_, game)| *game != "4") {
        return Err(bad(line, format!("GM[{game}] is another game than gomoku, which is GM[4]")));
    }
    let size: u8 = match value("SZ") {
        None => 15,
        Some((line, text)) => text.parse().map_err(|_| bad(line, format!("SZ[{text}] is no size of a board")))?,
    };
    let rule = value("RU").map_or("freestyle".to_owned(), |(_, rule)| rule.to_ascii_lowercase());
    let known = ["freestyle", "standard", "renju", "caro"].into_iter().find(|known| rule.starts_with(known));
    let mut moves = Vec::new();
    let mut lines = Vec::new();
    for property in &properties {
        let side = match property.name.as_str() {
            "B" => Side::First,
            "W" => Side::Second,
            "AB" | "AW" | "AE" => return Err(bad(property.line, "a game from set-up stones is not read".to_owned())),
            _ => continue,
        };
        if side != Side::BOTH[moves.len() % 2] {
            return Err(bad(property.line, format!("move {}: black and white do not take turns", moves.len() + 1)));
        }
        let text = property.values[0].trim();
        let at = point(text, size).ok_or_else(|| bad(property.line, format!("'{text}' is no point of the board")))?;
        moves.push(Coordinates::Letters(1).name(at));
        lines.push(property.line);
    }
    let seat = |name: &str| match value(name) {
        Some((_, text)) if !text.is_empty() => SeatSpec::External { name: text.to_owned() },
        _ => SeatSpec::Human,
    };
    let told = match value("RE").map(|(_, text)| text) {
        Some(text) if text.starts_with(['B', 'b']) => Some(Some(Side::First)),
        Some(text) if text.starts_with(['W', 'w']) => Some(Some(Side::Second)),
        Some("0" | "Draw" | "draw") => Some(None),
        _ => None,
    };
    let record = Record {
        game: GAME.to_owned(),
        setup: Setup { variant: Some(format!("{}:{size}", known.unwrap_or("freestyle"))), position: None },
        seats: BySide::new(seat("PB"), seat("PW")),
        event: value("EV").map_or(String::new(), |(_, text)| text.to_owned()),
        moves,
        times_ms: Vec::new(),
        result: None,
    };
    let mut record = played(file, record, first, &lines)?;
    if let Some(winner) = told.filter(|winner| record.result.is_none_or(|ended| ended.winner != *winner)) {
        // How a game ended that the board did not end stands nowhere, so the usual is taken.
        let reason = if winner.is_some() { Reason::Resignation } else { Reason::Agreement };
        record.result = Some(Outcome { winner, reason });
    }
    Ok(record)
}

/// A point as SGF counts, from the upper left, or as `h8`.
fn point(text: &str, size: u8) -> Option<Point> {
    let bytes = text.as_bytes();
    let letter = |byte: u8| byte.to_ascii_lowercase().checked_sub(b'a').filter(|n| *n < size);
    let x = letter(*bytes.first()?)?;
    let rank = bytes.get(1..)?;
    if let [one] = rank
        && one.is_ascii_alphabetic()
    {
        return Some(Point::new(x, size - 1 - letter(*one)?));
    }
    let rank: u8 = text.get(1..)?.parse().ok()?;
    (1..=size).contains(&rank).then(|| Point::new(x, rank - 1))
}

/// Writes a game.
pub fn write(record: &Record) -> Result<String, String> {
    if record.game != GAME {
        return Err(format!("an .sgf file here holds games of gomoku, not of {}", record.game));
    }
    let table = record.replay().map_err(|(_, why)| why)?;
    let stones: Vec<Point> = table.played().into_iter().filter_map(Action::target).collect();
    if table.pieces().len() != stones.len() {
        return Err("an .sgf file holds whole games, not one from a set-up position".to_owned());
    }
    let size = table.size().0;
    let variant = table.setup().variant.as_deref().unwrap_or_default();
    let rule = variant.split([':', '+']).next().unwrap_or_default();
    let text = |text: &str| text.replace('\\', "\\\\").replace(']', "\\]");
    let mut out = format!("(;FF[4]GM[4]CA[UTF-8]AP[Qiju]SZ[{size}]RU[{rule}]");
    for (name, side) in [("PB", Side::First), ("PW", Side::Second)] {
        // Who has which side may have been settled in the opening.
        let seat = &record.seats[table.seat_of(side).unwrap_or(side)];
        let _ = write!(out, "{name}[{}]", text(&seat.to_string()));
    }
    if !record.event.is_empty() {
        let _ = write!(out, "EV[{}]", text(&record.event));
    }
    if let Some(outcome) = record.result {
        let told = match outcome.winner {
            None => "0",
            Some(Side::First) => "B+",
            Some(Side::Second) => "W+",
        };
        let how = if outcome.reason == Reason::Resignation { "R" } else { "" };
        let _ = write!(out, "RE[{told}{how}]");
    }
    for (index, at) in stones.into_iter().enumerate() {
        let name = if index % 2 == 0 { 'B' } else { 'W' };
        let letter = |n: u8| char::from(b'a' + n);
        let line = if index % 12 == 0 { "\n" } else { "" };
        let _ = write!(out, "{line};{name}[{}{}]", letter(at.x), letter(size - 1 - at.y));
    }
    out.push_str(")\n");
    Ok(out)
}
