//! Gomoku's `.psq`: a header with the board's size, a line `x,y,ms` for each move (from 1, rows from the top), the players' files, then the manager's number for
//! the end of the match. Gomocup and Qiju add `-1` and a line with the rule's number and the tournament's name.

use super::{Loss, rules};
use crate::message;
use crate::message::Message;
use crate::record::builder::Partial;
use crate::record::fault::Fault;
use crate::record::{Record, SeatSpec};
use crate::rules::{Point, Side};
use crate::table::{Action, Tree};
use std::fmt::Write;

/// Reads the game of a file.
pub fn read(text: &str, partial: &mut Partial) -> Result<Record, Fault> {
    let lines: Vec<(usize, &str)> = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty()).collect();
    let (first, header) = lines.first().copied().unwrap_or((1, ""));
    let size = size(header).ok_or_else(|| Fault::line(first, message!("a psq file must begin with 'Piskvorky 15x15, ..'")))?;
    let rest = &lines[1..];
    let count = rest.iter().take_while(|(_, text)| is_move(text)).count();
    let (moves, tail) = rest.split_at(count);
    let tail = tail_of(tail);
    let rule = tail.as_ref().map_or("freestyle", |(_, rule, _)| *rule);
    let builder = partial.gomoku(rules::variant(rule, size)).map_err(|why| Fault::line(first, why))?;
    // Before the moves: they are kept even if the moves are damaged.
    if let Ok((names, _, event)) = &tail {
        Side::BOTH.into_iter().zip(names).for_each(|(side, name)| builder.player(side, name));
        builder.tag("Event", event);
    }
    for (index, (line, text)) in moves.iter().enumerate() {
        let bad = |why: Message| Fault::line(*line, message!("move {}: '{}': {}", index + 1, text.escape_debug(), why));
        let fields = numbers(text).ok_or_else(|| bad(message!("a move must be written x,y,ms")))?;
        let inside = |n: i64| u8::try_from(n).ok().and_then(|n| n.checked_sub(1)).filter(|n| *n < size);
        let point = inside(fields[0]).zip(inside(fields[1]));
        let (x, y) = point.ok_or_else(|| bad(message!("the points go from 1 to {}", size)))?;
        builder.play(Action::Drop(Point::new(x, size - 1 - y))).map_err(bad)?;
        if let Some(ms) = fields.get(2) {
            builder.time(u64::try_from(*ms).map_err(|_| bad(message!("a time may not be negative")))?);
        }
    }
    tail?;
    Ok(builder.finish(None, None))
}

/// The names, the rule and the event after the moves.
fn tail_of(tail: &[(usize, &str)]) -> Result<(Vec<String>, &'static str, String), Fault> {
    let mut names = Vec::new();
    let mut rule = "freestyle";
    let mut event = String::new();
    let mut ended = false;
    for (line, text) in tail {
        let bad = |why: &str| Err(Fault::line(*line, message!("'{}': {}", text.escape_debug(), why)));
        match text.split_once(',') {
            _ if *text == "-1" => ended = true,
            Some((number, name)) if ended && number.trim().parse::<u8>().is_ok() => {
                let number = number.trim().parse().unwrap_or(0);
                let Some(known) = rules::of_number(number) else { return bad("there is no such rule") };
                rule = known;
                // Our own files have the variant's key here.
                event = if name.contains(':') || name.starts_with(known) { String::new() } else { name.trim().to_owned() };
            }
            // A number alone is the manager's number for the end of the match.
            None if text.parse::<i64>().is_ok() => ended = true,
            _ if ended => return bad("unexpected text after the end"),
            _ if names.len() < 2 && !spoils(text) => names.push(name_of(text)),
            _ => return bad("this is not a move x,y,ms and not a player's name"),
        }
    }
    Ok((names, rule, event))
}

/// True for a damaged move, which is not a name.
fn spoils(text: &str) -> bool {
    !text.starts_with('"')
        && text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && text.chars().all(|c| !c.is_alphabetic())
}

/// True for a line of two or three numbers, valid or not.
fn is_move(line: &str) -> bool {
    let fields = line.split(',').count();
    (2..=3).contains(&fields)
        && line.split(',').all(|field| {
            let field = field.trim();
            let digits = field.strip_prefix('-').unwrap_or(field);
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
}

fn numbers(line: &str) -> Option<Vec<i64>> {
    line.split(',').map(|field| field.trim().parse().ok()).collect()
}

/// The size in `Piskvorky 15x15, 11:11, 0`; boards are square.
fn size(header: &str) -> Option<u8> {
    let board = header.strip_prefix("Piskvorky")?.trim().split([',', ' ']).next()?;
    let (files, ranks) = board.split_once('x')?;
    let files: u8 = files.parse().ok()?;
    (ranks.parse() == Ok(files) && files <= 26).then_some(files)
}

/// A player's name: in quotation marks, as we write it if it could be misread, or a file name without folder and extension.
fn name_of(text: &str) -> String {
    match text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(name) => name.to_owned(),
        None => stem(text).to_owned(),
    }
}

/// A file name without folder and extension.
fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn escaped(name: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let name = name.trim();
    let plain = !name.is_empty()
        && stem(name) == name
        && !name.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '"')
        && !name.contains(',');
    if plain { name.to_owned() } else { format!("\"{name}\"") }
}

/// Writes a game.
pub fn write(record: &Record) -> Result<(String, Loss), Message> {
    if record.game != "gomoku" {
        return Err(message!("a .psq file holds games of gomoku, not of {}", &record.game));
    }
    let table = record.replay().map_err(|(_, why)| why)?;
    let stones = table.played().into_iter().filter_map(Action::target).count();
    if table.pieces().len() != stones {
        return Err(message!("a .psq file holds games from the empty board, not from a set-up position"));
    }
    let (files, ranks) = table.size();
    let variant = table.setup().variant.as_deref().unwrap_or_default();
    let rule = rules::number_of(variant).ok_or_else(|| message!("a .psq file has no number for the variant '{}'", variant))?;
    let mut out = format!("Piskvorky {files}x{ranks}, 0:0, 0\n");
    let main = record.tree.main_line();
    let given = table.ply() - main.len();
    let mut loss = Loss::beside_the_main_line(record);
    for (index, action) in table.played().into_iter().enumerate() {
        let Action::Drop(at) = action else { continue };
        let id = index.checked_sub(given).map_or(Tree::ROOT, |index| main[index]);
        let time = record.tree.notes(id).time_ms;
        loss.times -= usize::from(time.is_some());
        let _ = writeln!(out, "{},{},{}", at.x + 1, ranks - at.y, time.unwrap_or(0));
    }
    let told = record.result.filter(|result| table.outcome().is_none_or(|outcome| outcome.winner != result.winner));
    loss.results = usize::from(told.is_some());
    let event = record.tags.get("Event").map(|event| event.replace(|c: char| c.is_control(), " "));
    loss.tags -= usize::from(event.is_some());
    let name = |seat: &SeatSpec| escaped(&seat.to_string());
    let [first, second] = Side::BOTH.map(|side| name(&record.seats[table.seat_of(side).unwrap_or(side)]));
    let _ = writeln!(out, "{first}\n{second}\n-1\n{rule},{}", event.as_deref().unwrap_or(variant));
    Ok((out, loss))
}
