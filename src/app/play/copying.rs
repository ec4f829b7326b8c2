//! Copying the game, the position or a line of moves as text.

use super::export::{told, written};
use super::game::{CurrentMatch, in_match};
use super::records::record_of;
use super::score_sheet::ScoreSheet;
use crate::app::ground::clipboard::Clipboard;
use crate::app::ground::notices::Notices;
use crate::app::ground::requests::CopyRequest;
use crate::app::ground::step::Step;
use crate::app::ground::user_files::own_link;
use crate::app::ground::words::Words;
use crate::app::play::MatchClock;
use bevy::prelude::*;
use qiju_core::message::Message;
use qiju_core::record::{Format, LeftOut, Record, RecordPart};
use qiju_core::rules::Side;
use qiju_core::table::{NodeId, Notes, Setup, Tree};
use std::fmt::Write;

/// The part of the game that begins with a move: its position is the one before that move.
fn part_from(record: &Record, current: &CurrentMatch, node: NodeId) -> Record {
    let (played, tree) = (current.played(), current.tree());
    let Some(before) = tree.previous(node) else { return record.clone() };
    let table = played.table_at(before);
    let setup = Setup { position: Some(table.position_text()), ..table.setup().clone() };
    let mut part = Tree::new();
    let mut new_of = std::collections::HashMap::from([(before, Tree::ROOT)]);
    let mut waiting = vec![node];
    while let Some(id) = waiting.pop() {
        let old = tree.node(id);
        let (Some(parent), Some(action)) = (old.parent(), old.action()) else { continue };
        let Some(&parent) = new_of.get(&parent) else { continue };
        let new = part.add(parent, action, old.origin);
        part.set_notes(new, Notes { assessment: None, ..tree.notes(id) });
        new_of.insert(id, new);
        waiting.extend(old.children().iter().rev().filter(|child| !played.sketch_nodes().contains(child)));
    }
    Record { setup, tree: part, ..record.clone() }
}

/// The position that is shown, as a record without moves.
fn position(current: &CurrentMatch) -> Record {
    let table = current.shown();
    Record::new(table.game(), Setup { position: Some(table.position_text()), ..table.setup().clone() })
}

/// The moves of the match in the notation of the sheet, numbered.
fn moves(sheet: &ScoreSheet) -> String {
    let mut text = String::new();
    for (index, entry) in sheet.line().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        match entry.side {
            Some(Side::First) => drop(write!(text, "{}. ", entry.number)),
            Some(Side::Second) if index == 0 => drop(write!(text, "{}... ", entry.number)),
            _ => {}
        }
        text.push_str(&entry.text);
    }
    text
}

fn copy(
    mut requests: MessageReader<CopyRequest>,
    (current, sheet, clock): (Res<CurrentMatch>, Res<ScoreSheet>, Res<MatchClock>),
    (words, mut notices, mut clipboard): (Res<Words>, ResMut<Notices>, ResMut<Clipboard>),
) {
    for what in requests.read() {
        let record = || record_of(&current, clock.get());
        let mut left_out = None;
        let mut text_of = |record: Record, format: Format| {
            let (bytes, lost) = written(&record, format)?;
            // Nobody misses the times alone in a link, and every match has them.
            let missed = |lost: &LeftOut| lost.loss.parts().any(|(_, part)| part != RecordPart::Time);
            left_out = lost.filter(|lost| format == Format::Link && missed(lost));
            Ok::<String, Message>(String::from_utf8_lossy(&bytes).into_owned())
        };
        let (text, said) = match what {
            CopyRequest::Game => (text_of(record(), Format::Pgn), "copy.game"),
            CopyRequest::Position => (Ok(current.shown().position_text()), "copy.position"),
            CopyRequest::Link => (text_of(record(), Format::Link).map(|link| own_link(&link)), "copy.link"),
            CopyRequest::PositionLink => {
                (text_of(position(&current), Format::Link).map(|link| own_link(&link)), "copy.position-link")
            }
            CopyRequest::Moves => (Ok(moves(&sheet)), "copy.moves"),
            CopyRequest::From(node) if current.played().is_attached(*node) => {
                (text_of(part_from(&record(), &current, *node), Format::Pgn), "copy.from-here")
            }
            CopyRequest::From(_) => continue,
        };
        match text {
            Ok(text) => {
                clipboard.copy(text);
                notices.warn(words.say(said));
                left_out.into_iter().for_each(|lost| notices.warn(told(&lost, &words)));
            }
            Err(why) => notices.fail(why),
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, copy.in_set(Step::Animate).run_if(in_match));
}
