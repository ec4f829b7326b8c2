//! Writes a game: tags, then the tree with each variation after the move it replaces.

use super::super::Loss;
use super::game::{XIANGQI, point_text};
use crate::message;
use crate::message::Message;
use crate::record::{Record, SeatSpec};
use crate::rules::{Outcome, Side};
use crate::table::{Cursor, Mark, MarkColour, NodeId, Notation, Notes, Tree};
use std::fmt::Write;

/// A part that is still to be written.
enum Task {
    /// The moves that follow a node; the move number is always written first.
    Behind(NodeId, bool),
    /// A variation that begins with this move.
    Variation(NodeId),
    /// The end of a variation.
    Close,
}

/// Writes a game, after an empty line if it is not the first of its file.
pub fn write(record: &Record, notation: Option<Notation>, first: bool) -> Result<(String, Loss), Message> {
    let mut cursor = record.cursor()?;
    let has = cursor.table().notations();
    let notation = notation.unwrap_or(if has.contains(&Notation::Iccs) { Notation::Iccs } else { Notation::Uci });
    if !has.contains(&notation) {
        return Err(message!("{} is not written in '{}'", &record.game, notation.key()));
    }
    let mut out = String::new();
    if !first {
        out.push('\n');
    }
    let is_label = |mark: &&Mark| matches!(mark, Mark::Label { .. });
    let labels = record.tree.walk().map(|id| record.tree.notes(id).marks.iter().filter(is_label).count()).sum();
    let mut loss = Loss { marks: labels, ..Loss::default() };
    tags(&mut out, record, notation, &mut loss);
    out.push('\n');
    let lowest = if record.game == XIANGQI.0 { 0 } else { 1 };
    let tree = &record.tree;
    let offset = usize::from(cursor.table().turn() == Side::Second);
    comment(&mut out, tree.notes(Tree::ROOT), lowest);
    if out.ends_with('}') {
        out.push('\n');
    }
    let annotated = |id: NodeId| tree.notes(id).is_annotated() || tree.notes(id).time_ms.is_some();
    let mut depth = 0usize;
    // The ply of the table's position.
    let mut tasks = vec![Task::Behind(Tree::ROOT, true)];
    let mut plies = vec![0usize; tree.len()];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Behind(at, numbered) => {
                let [next, variations @ ..] = tree.node(at).children() else { continue };
                let ply = plies[at.0 as usize];
                if depth == 0 && !out.ends_with('\n') && ((ply + offset).is_multiple_of(2) || numbered) {
                    out.push('\n');
                }
                one(&mut out, record, &mut cursor, *next, ply + offset, numbered, (notation, lowest))?;
                plies[next.0 as usize] = ply + 1;
                tasks.push(Task::Behind(*next, annotated(*next) || !variations.is_empty()));
                for variation in variations.iter().rev() {
                    plies[variation.0 as usize] = ply + 1;
                    tasks.push(Task::Close);
                    tasks.push(Task::Variation(*variation));
                }
            }
            Task::Variation(id) => {
                depth += 1;
                out.push_str(" (");
                let ply = plies[id.0 as usize] - 1;
                one(&mut out, record, &mut cursor, id, ply + offset, true, (notation, lowest))?;
                tasks.push(Task::Behind(id, annotated(id)));
            }
            Task::Close => {
                depth -= 1;
                out.push(')');
            }
        }
    }
    let result = result(record);
    let _ = writeln!(out, "{}{result}", if out.ends_with('\n') { "" } else { "\n" });
    Ok((out, loss))
}

/// Writes a move with its annotations.
fn one(
    out: &mut String,
    record: &Record,
    cursor: &mut Cursor,
    id: NodeId,
    ply: usize,
    numbered: bool,
    (notation, lowest): (Notation, u8),
) -> Result<(), Message> {
    let tree = &record.tree;
    let before = tree.previous(id).unwrap_or(Tree::ROOT);
    cursor.go(tree, before);
    let text = tree.node(id).action().filter(|_| cursor.at() == before).and_then(|action| cursor.table().write(action, notation));
    let text = text.ok_or_else(|| message!("move {} cannot be played", ply + 1))?;
    if !out.ends_with(['\n', '(']) {
        out.push(' ');
    }
    if ply.is_multiple_of(2) {
        let _ = write!(out, "{}. ", ply / 2 + 1);
    } else if numbered {
        let _ = write!(out, "{}... ", ply / 2 + 1);
    }
    out.push_str(&text);
    for glyph in tree.notes(id).glyphs {
        let _ = write!(out, " ${}", glyph.0);
    }
    comment(out, tree.notes(id), lowest);
    Ok(())
}

/// Writes the comment of a node, its time and its marks.
fn comment(out: &mut String, notes: Notes, lowest: u8) {
    let mut parts = Vec::new();
    if let Some(ms) = notes.time_ms {
        parts.push(format!("[%emt {}:{:02}:{:02}.{:03}]", ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000));
    }
    let letter = |colour: MarkColour| match colour {
        MarkColour::Green => 'G',
        MarkColour::Red => 'R',
        MarkColour::Blue => 'B',
        MarkColour::Yellow => 'Y',
    };
    for mark in notes.marks {
        parts.push(match *mark {
            Mark::Circle { at, colour } => format!("[%csl {}{}]", letter(colour), point_text(at, lowest)),
            Mark::Arrow { from, to, colour } => {
                format!("[%cal {}{}{}]", letter(colour), point_text(from, lowest), point_text(to, lowest))
            }
            // There is no sign for it; `write` counts it as left out.
            Mark::Label { .. } => continue,
        });
    }
    if !notes.comment.is_empty() {
        // A brace would end the comment.
        parts.push(notes.comment.replace('{', "｛").replace('}', "｝"));
    }
    if !parts.is_empty() {
        if !out.ends_with('\n') {
            out.push(' ');
        }
        let _ = write!(out, "{{{}}}", parts.join(" "));
    }
}

fn result(record: &Record) -> &'static str {
    match record.result {
        None => "*",
        Some(Outcome { winner: None, .. }) => "1/2-1/2",
        Some(Outcome { winner: Some(Side::First), .. }) => "1-0",
        Some(Outcome { winner: Some(Side::Second), .. }) => "0-1",
    }
}

fn tags(out: &mut String, record: &Record, notation: Notation, loss: &mut Loss) {
    let mut tag = |name: &str, value: &str| {
        let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let _ = writeln!(out, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
    };
    let xiangqi = record.game == XIANGQI.0;
    tag("Game", if xiangqi { XIANGQI.1 } else { &record.game });
    tag("Event", record.tags.get("Event").unwrap_or("?"));
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    for (name, value) in record.tags.iter().filter(|(name, _)| !name.eq_ignore_ascii_case("Event")) {
        if is_name(name) {
            tag(name, value);
        } else {
            loss.tags += 1;
        }
    }
    let [first, second] = if xiangqi { ["Red", "Black"] } else { ["First", "Second"] };
    for (name, seat) in [(first, &record.seats.first), (second, &record.seats.second)] {
        // An unknown player.
        if *seat != SeatSpec::Human {
            tag(name, &seat.to_string());
        } else {
            tag(name, "?");
        }
    }
    tag("Result", result(record));
    // A tag with words of another program is written above.
    let stated = |outcome: &Outcome| outcome.reason != crate::rules::Reason::Unstated && record.tags.get("Termination").is_none();
    if let Some(outcome) = record.result.filter(stated) {
        tag("Termination", outcome.reason.key());
    }
    if let Some(variant) = &record.setup.variant {
        tag("Variant", variant);
    }
    if let Some(position) = &record.setup.position {
        tag("FEN", position);
    }
    let format = match notation {
        Notation::Chinese => "Chinese".to_owned(),
        other => other.key().to_ascii_uppercase(),
    };
    tag("Format", &format);
}
