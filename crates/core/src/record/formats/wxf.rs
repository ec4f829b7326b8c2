//! The text format of the World Xiangqi Federation: lines `FORMAT WXF`, `RED name;..`, `BLACK`, `DATE`, `EVENT`,
//! `RESULT`, optionally `FEN`, then `START{` moves `}END`. Pieces are capital or small letters, `.` or `=` means
//! sideways, `++1` is the front one of two pieces. Source: files of the format.

use super::pgn::{self, Dialect, Event, Kind, Scan, Token};
use super::{Loss, ReadItem, Sink, of_reading, plain, tell};
use crate::message;
use crate::message::Message;
use crate::record::builder::Partial;
use crate::record::fault::Fault;
use crate::record::{Record, SeatSpec};
use crate::rules::Side;
use crate::table::Notation;
use std::fmt::Write;

/// Tags and their words in the file.
const LINES: [(&str, &str); 4] = [("DATE", "Date"), ("EVENT", "Event"), ("SITE", "Site"), ("OPENING", "Opening")];

/// Reads the games of a file.
pub fn read(text: &str, sink: &mut Sink) {
    let mut line = 1;
    let mut rest = text;
    let mut any = false;
    while let Some(start) = rest.find("START{") {
        let begin = start + "START{".len();
        let end = rest[begin..].find("}END").map_or(rest.len(), |at| begin + at);
        let body_line = line + rest[..begin].matches('\n').count();
        any = true;
        let found = of_reading(|partial| game((&rest[..start], line), (&rest[begin..end], body_line), partial, sink));
        tell(sink, found);
        let next = (end + "}END".len()).min(rest.len());
        line += rest[..next].matches('\n').count();
        rest = &rest[next..];
    }
    if !any {
        // Some files have only the moves.
        plain::read(text, sink);
    }
}

/// Reads a game from its head and its moves, each with the number of its first line.
fn game(
    (head, head_line): (&str, usize),
    (body, body_line): (&str, usize),
    partial: &mut Partial,
    sink: &mut Sink,
) -> Result<Record, Fault> {
    let field = |name: &str| {
        (head_line..).zip(head.lines()).find_map(|(line, text)| {
            let (word, value) = text.trim().split_once(char::is_whitespace)?;
            (word == name && !value.trim().is_empty()).then(|| (line, value.trim()))
        })
    };
    let (line, position) = field("FEN").map_or((head_line, None), |(line, fen)| (line, Some(fen.to_owned())));
    let builder = partial.xiangqi(position.map(|fen| normal(&fen))).map_err(|why| Fault::line(line, why))?;
    for (name, side) in [("RED", Side::First), ("BLACK", Side::Second)] {
        // After the name there are rating, team and country.
        let name = field(name).map_or("", |(_, value)| value.split(';').next().unwrap_or_default());
        builder.player(side, name);
    }
    for (word, tag) in LINES {
        builder.tag(tag, field(word).map_or("", |(_, value)| value));
    }
    let tag = field("RESULT").and_then(|(line, value)| Some((line, pgn::result(value)?)));
    let mut told = tag.and_then(|(_, told)| told);
    let mut damage = None;
    let mut scan = Scan::new(body, body_line);
    let mut events = Vec::new();
    loop {
        let (line, token) = match scan.next() {
            Ok(Some(token)) => token,
            Ok(None) => break,
            Err(fault) => {
                damage = Some(fault);
                break;
            }
        };
        let kind = match token {
            Token::Word(word) => Kind::Move(word),
            Token::Comment(text) => Kind::Comment(text),
            Token::Glyph(glyph) => Kind::Glyph(glyph),
            Token::Open => Kind::Open,
            Token::Close => Kind::Close,
            Token::Result(result) => {
                if let Some(fault) = tag.and_then(|(line, told)| pgn::results_differ(line, told, result)) {
                    sink(ReadItem::Remark(fault));
                }
                told = result.or(told);
                continue;
            }
            Token::Remark(why) => {
                sink(ReadItem::Remark(Fault::line(line, why)));
                continue;
            }
            Token::Tag(..) | Token::Number(..) | Token::Rule => continue,
        };
        events.push(Event { line, kind });
    }
    pgn::build(builder, &events, Dialect::Usual, sink)?;
    if let Some(fault) = damage {
        return Err(fault);
    }
    Ok(builder.finish(told, None))
}

/// Converts the FEN of these files, which has `h` and `e` for horse and elephant and `r` for red.
fn normal(fen: &str) -> String {
    let mut fields = fen.split_whitespace();
    let pieces: String = fields
        .next()
        .unwrap_or_default()
        .chars()
        .map(|c| match c {
            'h' => 'n',
            'H' => 'N',
            'e' => 'b',
            'E' => 'B',
            other => other,
        })
        .collect();
    let side = if fields.next().is_some_and(|side| side.eq_ignore_ascii_case("b")) { 'b' } else { 'w' };
    let rest: Vec<&str> = fields.collect();
    format!("{pieces} {side} {}", rest.join(" ")).trim().to_owned()
}

/// Writes a game.
pub fn write(record: &Record) -> Result<(String, Loss), Message> {
    if record.game != "xiangqi" {
        return Err(message!("a .wxf file holds games of xiangqi, not of {}", &record.game));
    }
    let start = record.table()?;
    let mut loss = Loss::beside_the_main_line(record);
    let plain = |text: &str| text.replace(|c: char| c.is_control() || matches!(c, ';' | '{' | '}'), " ");
    let mut out = String::from("FORMAT\tWXF\nGAME\n");
    for (name, seat) in [("RED", &record.seats.first), ("BLACK", &record.seats.second)] {
        let who = if *seat == SeatSpec::Human { String::new() } else { plain(&seat.to_string()) };
        let _ = writeln!(out, "{name}\t{who};;;");
    }
    for (word, tag) in LINES {
        if let Some(value) = record.tags.get(tag) {
            let _ = writeln!(out, "{word}\t{}", plain(value));
            loss.tags -= 1;
        }
    }
    if let Some(result) = record.result {
        let word = match result.winner {
            None => "1/2-1/2",
            Some(Side::First) => "1-0",
            Some(Side::Second) => "0-1",
        };
        let _ = writeln!(out, "RESULT\t{word}");
    }
    let turn = start.turn();
    if record.setup.position.is_some() {
        let text = start.position_text();
        let pieces = text.split(' ').next().unwrap_or_default();
        let pieces = pieces.replace('n', "h").replace('N', "H").replace('b', "e").replace('B', "E");
        let _ = writeln!(out, "FEN\t{pieces} {}", if turn == Side::First { 'r' } else { 'b' });
    }
    out.push_str("\nSTART{");
    let offset = usize::from(turn == Side::Second);
    for (index, mv) in record.moves(Notation::Wxf).iter().enumerate() {
        let ply = index + offset;
        match (index, ply % 2) {
            (_, 0) => {
                let _ = write!(out, "\n{:3}. {mv}", ply / 2 + 1);
            }
            (0, _) => {
                let _ = write!(out, "\n{:3}. ... {mv}", ply / 2 + 1);
            }
            _ => {
                let _ = write!(out, "  {mv}");
            }
        }
    }
    out.push_str("\n}END\n");
    Ok((out, loss))
}
