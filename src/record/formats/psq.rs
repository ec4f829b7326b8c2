//! Gomoku's `.psq`: a header with the board's size, a line `x,y,ms` for each move (from 1), the players' files, and what the Gomocup adds: `-1`, then the rule's number
//! and the tournament's name.

use super::played;
use crate::record::{Record, RecordError, SeatSpec};
use crate::rules::{BySide, Point, Side};
use crate::table::{Action, Coordinates, Setup};
use std::fmt::Write;

const GAME: &str = "gomoku";
/// The numbers of the rules.
const RULES: [(u8, &str); 4] = [(0, "freestyle"), (1, "standard"), (4, "renju"), (8, "caro")];

/// The variant of a rule's number and a board's size.
pub(super) fn variant(rule: u8, size: u8) -> Option<String> {
    RULES.iter().find(|(number, _)| *number == rule).map(|(_, key)| format!("{key}:{size}"))
}

/// The rule's number of a variant's key.
pub(super) fn rule(variant: &str) -> Option<u8> {
    let key = variant.split([':', '+']).next()?;
    RULES.iter().find(|(_, known)| *known == key).map(|(number, _)| *number)
}

/// Reads the game of a file.
pub fn read(file: &str, text: &str) -> Result<Record, RecordError> {
    let mut lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty());
    let (first, header) = lines.next().unwrap_or((1, ""));
    let size = size(header).ok_or_else(|| RecordError::bad(file, first, "a psq file begins with 'Piskvorky 15x15, ..'"))?;
    let mut moves = Vec::new();
    let mut times_ms = Vec::new();
    let mut places = Vec::new();
    let mut names = Vec::new();
    let mut rule = 0;
    let mut ended = false;
    for (line, text) in lines {
        if !ended
            && names.is_empty()
            && let Some(fields) = numbers(text)
        {
            let [x, y, rest @ ..] = &fields[..] else { continue };
            let point =
                point(*x, *y).ok_or_else(|| RecordError::bad(file, line, format!("{x},{y} is no point: they count from 1")))?;
            moves.push(Coordinates::Letters(1).name(point));
            times_ms.push(rest.first().copied().unwrap_or(0).max(0).unsigned_abs());
            places.push(line);
        } else if text == "-1" {
            ended = true;
        } else if !ended && names.len() < 2 {
            names.push(text);
        } else if let Some(number) = text.split(',').next().and_then(|number| number.trim().parse().ok()) {
            rule = number;
        }
    }
    let variant = variant(rule, size).ok_or_else(|| RecordError::bad(file, first, format!("there is no rule {rule}")))?;
    let seat = |index: usize| names.get(index).map_or(SeatSpec::Human, |name| SeatSpec::External { name: stem(name).to_owned() });
    let record = Record {
        game: GAME.to_owned(),
        setup: Setup { variant: Some(variant), position: None },
        seats: BySide::new(seat(0), seat(1)),
        event: String::new(),
        moves,
        times_ms,
        result: None,
    };
    played(file, record, first, &places)
}

/// The size in `Piskvorky 15x15, 11:11, 0`; boards are square.
fn size(header: &str) -> Option<u8> {
    let board = header.strip_prefix("Piskvorky")?.trim().split([',', ' ']).next()?;
    let (files, ranks) = board.split_once('x')?;
    let files: u8 = files.parse().ok()?;
    (ranks.parse() == Ok(files)).then_some(files)
}

/// A line of two or three numbers.
fn numbers(line: &str) -> Option<Vec<i64>> {
    let fields: Vec<i64> = line.split(',').map(|field| field.trim().parse().ok()).collect::<Option<_>>()?;
    (2..=3).contains(&fields.len()).then_some(fields)
}

/// A point of the largest board there is in letters.
fn point(x: i64, y: i64) -> Option<Point> {
    let from_one = |n: i64| u8::try_from(n - 1).ok().filter(|n| *n < 26);
    Some(Point::new(from_one(x)?, from_one(y)?))
}

/// A file's name without folder and ending.
fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Writes a game.
pub fn write(record: &Record) -> Result<String, String> {
    if record.game != GAME {
        return Err(format!("a .psq file holds games of gomoku, not of {}", record.game));
    }
    let table = record.replay().map_err(|(_, why)| why)?;
    let stones = table.played().into_iter().filter_map(Action::target).count();
    if table.pieces().len() != stones {
        return Err("a .psq file holds whole games, not one from a set-up position".to_owned());
    }
    let (files, ranks) = table.size();
    let variant = table.setup().variant.as_deref().unwrap_or_default();
    let rule = rule(variant).ok_or_else(|| format!("a .psq file has no number for the variant '{variant}'"))?;
    let mut out = format!("Piskvorky {files}x{ranks}, 0:0, 0\n");
    let given = table.ply() - record.moves.len();
    for (index, action) in table.played().into_iter().enumerate() {
        let Action::Drop(at) = action else { continue };
        let time = index.checked_sub(given).and_then(|index| record.times_ms.get(index)).copied().unwrap_or(0);
        let _ = writeln!(out, "{},{},{time}", at.x + 1, at.y + 1);
    }
    let name = |seat: &SeatSpec| seat.to_string().chars().filter(|c| !c.is_control()).collect::<String>();
    let [first, second] = Side::BOTH.map(|side| name(&record.seats[table.seat_of(side).unwrap_or(side)]));
    let _ = writeln!(out, "{first}\n{second}\n-1\n{rule},{variant}");
    Ok(out)
}
