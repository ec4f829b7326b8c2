//! The database of RenjuNet in XML: lists of players, tournaments and rules, then `<game black="3" white="7"
//! tournament="5" rule="1" bresult="1">` with `<move>h8 i9 ..</move>`. Programmed from the site's description of its
//! format, without a real file to compare with.

use super::xml::{Piece, Xml, attribute};
use super::{ReadItem, Sink, of_reading, rules, tell};
use crate::message;
use crate::message::Message;
use crate::record::Record;
use crate::record::builder::Partial;
use crate::record::fault::Fault;
use crate::rules::Side;
use std::collections::HashMap;

type Attributes = Vec<(String, String)>;

/// Reads the games of a file.
pub fn read(text: &str, sink: &mut Sink) {
    let mut xml = Xml::new(text);
    // The names of players, tournaments and rules by their numbers.
    let mut names: HashMap<(String, String), String> = HashMap::new();
    let mut game: Option<(usize, Attributes, String, String)> = None;
    let mut inside = String::new();
    loop {
        let piece = match xml.next() {
            Ok(Some(piece)) => piece,
            Ok(None) => break,
            Err(fault) => return tell(sink, ReadItem::Refused(fault.into())),
        };
        match piece {
            Piece::Begin(name, attributes, ends) => {
                match name.as_str() {
                    "game" => game = Some((xml.line(), attributes, String::new(), String::new())),
                    "player" | "tournament" | "rule" => {
                        let value = |name: &str| attribute(&attributes, name).unwrap_or_default();
                        let whole = format!("{} {}", value("name"), value("surname")).trim().to_owned();
                        names.insert((name.clone(), value("id").to_owned()), whole);
                    }
                    _ => {}
                }
                inside = if ends { String::new() } else { name };
            }
            Piece::Text(text) => {
                if let Some((_, _, moves, info)) = &mut game {
                    match inside.as_str() {
                        "move" => moves.push_str(&text),
                        "info" => info.push_str(&text),
                        _ => {}
                    }
                }
            }
            Piece::End(name) => {
                inside.clear();
                if name == "game"
                    && let Some((line, attributes, moves, info)) = game.take()
                    && !sink(of_reading(|partial| record(line, &attributes, (&moves, &info), &names, partial)))
                {
                    return;
                }
            }
        }
    }
}

fn record(
    line: usize,
    attributes: &Attributes,
    (moves, info): (&str, &str),
    names: &HashMap<(String, String), String>,
    partial: &mut Partial,
) -> Result<Record, Fault> {
    let value = |name: &str| attribute(attributes, name).unwrap_or_default();
    let named = |kind: &str, number: &str| names.get(&(kind.to_owned(), number.to_owned())).map_or("", String::as_str);
    let known = named("rule", value("rule"));
    let play = |rule: &str, partial: &mut Partial| {
        let builder = partial.gomoku(rules::variant(rule, 15)).map_err(|why| Fault::line(line, why))?;
        // Before the moves: they are kept even if the moves are damaged.
        builder.player(Side::First, named("player", value("black")));
        builder.player(Side::Second, named("player", value("white")));
        builder.tag("Event", named("tournament", value("tournament")));
        builder.tag("Round", value("round"));
        builder.tag("Rules", known);
        for (index, word) in moves.split_whitespace().enumerate() {
            let bad = |why: Message| Fault::line(line, message!("move {}: '{}': {}", index + 1, word.escape_debug(), why));
            builder.play_text(word).map_err(bad)?;
        }
        Ok::<(), Fault>(())
    };
    let rule = if known.to_lowercase().contains("gomoku") { rules::of_word(known) } else { "renju" };
    // A forbidden move that lost is the last move of its game; our renju board refuses it.
    play(rule, partial).or_else(|fault| if rule == "renju" { play("freestyle", partial) } else { Err(fault) })?;
    let builder = partial.builder().ok_or_else(|| Fault::line(line, message!("there is no game")))?;
    builder.comment(info);
    let told = match value("bresult") {
        "1" => Some(Some(Side::First)),
        "0" => Some(Some(Side::Second)),
        "0.5" => Some(None),
        _ => None,
    };
    Ok(builder.finish(told, None))
}
