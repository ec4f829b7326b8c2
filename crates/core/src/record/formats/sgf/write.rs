//! Writes a game of gomoku with its whole tree.

use super::super::Loss;
use super::TAGS;
use crate::message;
use crate::message::Message;
use crate::record::{Record, SeatSpec};
use crate::rules::{Outcome, Point, Reason, Side};
use crate::table::{Action, Mark, MarkColour, NodeId, Notes, Tree};
use std::fmt::Write;

/// Writes a game.
pub fn write(record: &Record) -> Result<(String, Loss), Message> {
    if record.game != "gomoku" {
        return Err(message!("an .sgf file here holds games of gomoku, not of {}", &record.game));
    }
    let start = record.table()?;
    if start.opening().is_some() && !record.tree.is_empty() {
        return swap2(record);
    }
    let size = start.size().0;
    let mut loss = Loss { comments: 0, variations: 0, glyphs: 0, marks: 0, times: 0, ..Loss::beside_the_main_line(record) };
    let mut out = head(record, size, &mut loss);
    let position = start.pieces();
    if !position.is_empty() {
        for (name, side) in [("AB", Side::First), ("AW", Side::Second)] {
            let mut stones: Vec<Point> = position.iter().filter(|(_, piece)| piece.side == side).map(|(at, _)| *at).collect();
            stones.sort();
            if !stones.is_empty() {
                let _ = write!(out, "{name}{}", stones.iter().map(|at| format!("[{}]", point(*at, size))).collect::<String>());
            }
        }
        let _ = write!(out, "PL[{}]", if start.turn() == Side::First { 'B' } else { 'W' });
    }
    let tree = &record.tree;
    annotations(&mut out, tree.notes(Tree::ROOT), false, size, &mut loss);
    let first = start.turn();
    nodes(&mut out, tree, first, size, &mut loss);
    out.push_str(")\n");
    Ok((out, loss))
}

/// A part that is still to be written.
enum Task {
    Behind(NodeId, Side),
    Variation(NodeId, Side),
    Close,
}

fn nodes(out: &mut String, tree: &Tree, first: Side, size: u8, loss: &mut Loss) {
    let mut tasks = vec![Task::Behind(Tree::ROOT, first)];
    let mut column = 0;
    while let Some(task) = tasks.pop() {
        match task {
            Task::Behind(at, side) => match tree.node(at).children() {
                [] => {}
                [only] => {
                    column += 1;
                    if column % 12 == 1 {
                        out.push('\n');
                    }
                    node(out, tree, *only, side, size, loss);
                    tasks.push(Task::Behind(*only, !side));
                }
                children => {
                    for child in children.iter().rev() {
                        tasks.push(Task::Close);
                        tasks.push(Task::Variation(*child, side));
                    }
                }
            },
            Task::Variation(id, side) => {
                out.push_str("\n(");
                column = 1;
                node(out, tree, id, side, size, loss);
                tasks.push(Task::Behind(id, !side));
            }
            Task::Close => out.push(')'),
        }
    }
}

fn node(out: &mut String, tree: &Tree, id: NodeId, side: Side, size: u8, loss: &mut Loss) {
    let name = if side == Side::First { 'B' } else { 'W' };
    let action = tree.node(id).action();
    if let Some(at) = action.and_then(Action::target) {
        let _ = write!(out, ";{name}[{}]", point(at, size));
    }
    annotations(out, tree.notes(id), action.is_some(), size, loss);
}

/// Writes the notes of a move, or of the start position.
fn annotations(out: &mut String, notes: Notes, of_move: bool, size: u8, loss: &mut Loss) {
    if let Some(ms) = notes.time_ms {
        let _ = write!(out, "EMT[{}.{:03}]", ms / 1000, ms % 1000);
    }
    // A node can have the property of only one glyph.
    let mut own = false;
    for glyph in notes.glyphs {
        let property = match glyph.0 {
            1 => "TE[1]",
            2 => "BM[1]",
            3 => "TE[2]",
            4 => "BM[2]",
            5 => "IT[]",
            6 => "DO[]",
            _ => "",
        };
        if property.is_empty() || own || !of_move {
            let _ = write!(out, "NAG[{}]", glyph.0);
        } else {
            out.push_str(property);
            own = true;
        }
    }
    for mark in notes.marks {
        match *mark {
            Mark::Circle { at, colour } => {
                let name = match colour {
                    MarkColour::Green => "CR",
                    MarkColour::Red => "MA",
                    MarkColour::Blue => "SQ",
                    MarkColour::Yellow => "TR",
                };
                let _ = write!(out, "{name}[{}]", point(at, size));
            }
            Mark::Arrow { from, to, colour } => {
                loss.marks += usize::from(colour != MarkColour::Green);
                let _ = write!(out, "AR[{}:{}]", point(from, size), point(to, size));
            }
            Mark::Label { at, text: label } => {
                let _ = write!(out, "LB[{}:{}]", point(at, size), text(label.as_str()).replace(':', "\\:"));
            }
        }
    }
    if !notes.comment.is_empty() {
        let _ = write!(out, "C[{}]", text(notes.comment));
    }
}

fn point(at: Point, size: u8) -> String {
    let letter = |n: u8| char::from(b'a' + n);
    format!("{}{}", letter(at.x), letter(size - 1 - at.y))
}

fn text(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

fn head(record: &Record, size: u8, loss: &mut Loss) -> String {
    let variant = record.setup.variant.as_deref().unwrap_or("freestyle");
    let rule = variant.split([':', '+']).next().unwrap_or_default();
    let mut out = format!("(;FF[4]GM[4]CA[UTF-8]AP[Qiju]SZ[{size}]RU[{rule}]");
    for (name, side) in [("PB", Side::First), ("PW", Side::Second)] {
        let seat = &record.seats[side];
        if *seat != SeatSpec::Human {
            let _ = write!(out, "{name}[{}]", text(&seat.to_string()));
        }
    }
    for (property, tag) in TAGS {
        if let Some(value) = record.tags.get(tag) {
            let _ = write!(out, "{property}[{}]", text(value));
            loss.tags -= 1;
        }
    }
    // Other properties that were read from a file.
    for (name, value) in record.tags.iter() {
        if let Some(property) = name.strip_prefix("SGF_") {
            let _ = write!(out, "{property}[{}]", text(value));
            loss.tags -= 1;
        }
    }
    if let Some(outcome) = record.result {
        let _ = write!(out, "RE[{}]", result(outcome));
    }
    out
}

fn result(outcome: Outcome) -> String {
    let how = match outcome.reason {
        Reason::Resignation => "R",
        Reason::Time => "T",
        _ => "",
    };
    match outcome.winner {
        None => "0".to_owned(),
        Some(Side::First) => format!("B+{how}"),
        Some(Side::Second) => format!("W+{how}"),
    }
}

/// A game with choices in its opening: the format has no such moves, so only the stones are written, with the final sides of the players.
fn swap2(record: &Record) -> Result<(String, Loss), Message> {
    let table = record.replay().map_err(|(_, why)| why)?;
    let stones: Vec<Point> = table.played().into_iter().filter_map(Action::target).collect();
    if table.pieces().len() != stones.len() {
        return Err(message!("an .sgf file cannot hold an opening with choices from a set-up position"));
    }
    let size = table.size().0;
    let mut loss = Loss::beside_the_main_line(record);
    let mut plain = record.clone();
    for side in Side::BOTH {
        plain.seats[side] = record.seats[table.seat_of(side).unwrap_or(side)].clone();
    }
    let mut out = head(&plain, size, &mut loss);
    for (index, at) in stones.into_iter().enumerate() {
        let name = if index.is_multiple_of(2) { 'B' } else { 'W' };
        let _ = write!(out, "{};{name}[{}]", if index % 12 == 0 { "\n" } else { "" }, point(at, size));
    }
    out.push_str(")\n");
    Ok((out, loss))
}
