//! CCBridge's older record of xiangqi in XML: `Head` with names and `FEN`, `MoveList` with `<Move value="77-47"/>`
//! (file from red's left, row from black's end). The first `00-00` is the start; `branch="1"` means that a sibling
//! follows, `end="1"` that the line ends; the text inside is the comment. Source: files of the format.

use super::preorder::{ListedNode, Preorder};
use super::squares::{from_black, step};
use super::xml::{Piece, Xml, attribute};
use super::{ReadItem, Sink};
use crate::message;
use crate::record::Record;
use crate::record::builder::Partial;
use crate::record::fault::Fault;
use crate::rules::Side;

const TAGS: [(&str, &str); 9] = [
    ("Name", "Title"),
    ("Contest", "Event"),
    ("Round", "Round"),
    ("Date", "Date"),
    ("Site", "Site"),
    ("TimeRule", "TimeControl"),
    ("RedTeam", "RedTeam"),
    ("BlackTeam", "BlackTeam"),
    ("Author", "Author"),
];

struct Move {
    line: usize,
    value: String,
    last: bool,
    has_sibling: bool,
    comment: String,
}

/// Reads the game of a file.
pub fn read(text: &str, partial: &mut Partial, sink: &mut Sink) -> Result<Record, Fault> {
    let mut xml = Xml::new(text);
    let mut head: Vec<(String, String)> = Vec::new();
    let mut moves: Vec<Move> = Vec::new();
    let mut inside = String::new();
    let mut fen = (1, String::new());
    while let Some(piece) = xml.next()? {
        match piece {
            Piece::Begin(name, attributes, ends) => {
                if name == "Move" {
                    let flag = |name: &str| attribute(&attributes, name) == Some("1");
                    let value = attribute(&attributes, "value").unwrap_or_default().to_owned();
                    let (last, has_sibling) = (flag("end"), flag("branch"));
                    moves.push(Move { line: xml.line(), value, last, has_sibling, comment: String::new() });
                }
                inside = if ends { String::new() } else { name };
            }
            Piece::End(_) => inside.clear(),
            Piece::Text(text) => match inside.as_str() {
                "" => {}
                "Move" => {
                    if let Some(mv) = moves.last_mut() {
                        mv.comment.push_str(&text);
                    }
                }
                "FEN" => fen = (xml.line(), text),
                name => head.push((name.to_owned(), text)),
            },
        }
    }
    if head.is_empty() && moves.is_empty() && fen.1.is_empty() {
        return Err(Fault::line(1, message!("there is no record here")));
    }
    let position = Some(fen.1.trim().to_owned()).filter(|text| !text.is_empty());
    let position = position.map(|text| if text.contains(' ') { text } else { format!("{text} w") });
    let builder = partial.xiangqi(position).map_err(|why| Fault::line(fen.0, why))?;
    let value = |wanted: &str| head.iter().find(|(name, _)| name == wanted).map_or("", |(_, value)| value.as_str());
    for (name, tag) in TAGS {
        builder.tag(tag, value(name));
    }
    builder.player(Side::First, value("Red"));
    builder.player(Side::Second, value("Black"));
    let told = match value("Result").trim() {
        "1" | "红胜" => Some(Some(Side::First)),
        "2" | "黑胜" => Some(Some(Side::Second)),
        "3" | "和棋" => Some(None),
        _ => None,
    };
    let mut order = Preorder::new();
    let mut moves = moves.into_iter();
    let mut more = true;
    let mut first = true;
    while more {
        let Some(mv) = moves.next() else {
            let line = xml.line();
            sink(ReadItem::Remark(Fault::line(line, message!("the file ends before its tree of moves does"))));
            break;
        };
        if first {
            first = false;
            if mv.value == "00-00" {
                builder.comment(&mv.comment);
                more = !mv.last;
                continue;
            }
        }
        let square = |text: &str| text.parse::<usize>().ok().filter(|square| *square < 90).map(from_black);
        let squares = mv.value.split_once('-').and_then(|(from, to)| square(from).zip(square(to)));
        let entry = ListedNode {
            action: squares.and_then(|(from, to)| step(from, to)),
            written: &|| format!("'{}'", mv.value.escape_debug()),
            comment: &mv.comment,
            goes_on: !mv.last,
            has_sibling: mv.has_sibling,
            fault: Fault::line(mv.line, message!("")),
        };
        more = order.enter(builder, entry, sink)?;
    }
    Ok(builder.finish(told, None))
}
