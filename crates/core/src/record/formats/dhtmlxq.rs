//! DhtmlXQ, the xiangqi board used in forums: `[DhtmlXQ_key]..[/DhtmlXQ_key]`. `binit` has 32 squares of two digits
//! (file from red's left, row from black's end, 99 is off the board), `movelist` four digits per move, `move_P_N_I` the
//! variation I, which replaces ply N of line P; `commentN` and `commentI_N` are comments. Digits alone are a game from
//! the start position. A page of a forum may have several games, each from `[DhtmlXQ]` on. Source: files of the format.

use super::squares::{SET, Squares, from_black, squares_of_set, step};
use super::{Loss, ReadItem, Sink, of_reading, pgn, tell};
use crate::message;
use crate::message::Message;
use crate::record::Record;
use crate::record::builder::{Builder, Partial};
use crate::record::fault::Fault;
use crate::rules::{Point, Side};
use crate::table::{Action, NodeId, Tree};
use std::collections::HashMap;
use std::fmt::Write;

/// Keys and the tags with the same meaning.
const TAGS: [(&str, &str); 12] = [
    ("title", "Title"),
    ("event", "Event"),
    ("date", "Date"),
    ("place", "Site"),
    ("round", "Round"),
    ("redteam", "RedTeam"),
    ("blackteam", "BlackTeam"),
    ("timerule", "TimeControl"),
    ("remark", "Annotator"),
    ("author", "Author"),
    ("open", "Opening"),
    ("type", "Type"),
];

/// True if the text has only the digits of moves.
pub fn is_digits(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    digits >= 8
        && digits % 4 == 0
        && text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace())
        && text.split_whitespace().all(|word| word.len() > 3)
}

/// Keys with their values and lines, of a text that begins at a line.
fn fields(text: &str, mut line: usize) -> HashMap<String, (usize, String)> {
    let mut found = HashMap::new();
    let mut rest = text;
    while let Some(start) = rest.find("[DhtmlXQ_") {
        line += rest[..start].matches('\n').count();
        rest = &rest[start + "[DhtmlXQ_".len()..];
        let Some(end) = rest.find(']') else { break };
        let key = rest[..end].to_ascii_lowercase();
        let value = &rest[end + 1..];
        // Some files have wrong closing tags; any closing tag ends the value.
        let length = value.find("[/DhtmlXQ").or_else(|| value.find("[DhtmlXQ_")).unwrap_or(value.len());
        found.entry(key).or_insert((line, value[..length].to_owned()));
        line += rest[..end + 1 + length].matches('\n').count();
        rest = &value[length..];
    }
    found
}

/// Reads the games of a text.
pub fn read(text: &str, sink: &mut Sink) {
    if is_digits(text) && !text.contains("[DhtmlXQ") {
        tell(sink, of_reading(|partial| digits_only(text, partial)));
        return;
    }
    let begins = text.match_indices("[DhtmlXQ]").map(|(at, _)| at).skip(1);
    let mut from = 0;
    let mut line = 1;
    for end in begins.chain([text.len()]) {
        let fields = fields(&text[from..end], line);
        if ["movelist", "binit", "fen"].into_iter().any(|key| fields.contains_key(key)) {
            let found = of_reading(|partial| game(&fields, partial, sink));
            tell(sink, found);
        }
        line += text[from..end].matches('\n').count();
        from = end;
    }
}

/// Reads a game from its keys.
fn game(fields: &HashMap<String, (usize, String)>, partial: &mut Partial, sink: &mut Sink) -> Result<Record, Fault> {
    let value = |key: &str| fields.get(key).map(|(line, value)| (*line, value.trim())).filter(|(_, value)| !value.is_empty());
    let moves = |key: &str| value(key).map_or((1, ""), |found| found);
    let (main_line, main) = moves("movelist");
    let (start_line, position) = match (value("fen"), value("binit")) {
        (Some((line, fen)), _) => (line, Some(if fen.contains(' ') { fen.to_owned() } else { format!("{fen} w") })),
        (None, Some((line, squares))) => (line, Some(board(squares, main).map_err(|why| Fault::line(line, why))?)),
        (None, None) => (1, None),
    };
    let builder = partial.xiangqi(position).map_err(|why| Fault::line(start_line, why))?;
    for (key, tag) in TAGS {
        builder.tag(tag, &plain(value(key).map_or("", |(_, value)| value)));
    }
    builder.player(Side::First, value("red").map_or("", |(_, value)| value));
    builder.player(Side::Second, value("black").map_or("", |(_, value)| value));
    let told = value("result").and_then(|(_, word)| pgn::result(word)).flatten();
    let comment = |line: usize, ply: usize| {
        let key = if line == 0 { format!("comment{ply}") } else { format!("comment{line}_{ply}") };
        value(&key).map(|(_, text)| plain(text))
    };
    // The nodes of each line by ply; the start is ply 0.
    let mut lines: HashMap<usize, (usize, Vec<NodeId>)> = HashMap::new();
    lines.insert(0, (1, play(builder, Tree::ROOT, main, main_line, 1)?));
    // A variation of a variation may come before it in the file, so variations without a parent are tried again.
    let mut waiting: Vec<(usize, usize, usize, usize, &str)> = fields
        .iter()
        .filter_map(|(key, (line, value))| {
            let mut numbers = key.strip_prefix("move_")?.split('_').map(|number| number.parse::<usize>().ok());
            Some((numbers.next()??, numbers.next()??, numbers.next()??, *line, value.trim()))
        })
        .collect();
    waiting.sort_by_key(|(_, _, number, ..)| *number);
    while !waiting.is_empty() {
        let before = waiting.len();
        waiting.retain(|&(parent, ply, number, line, digits)| {
            let Some((first, nodes)) = lines.get(&parent) else { return true };
            let index = ply.checked_sub(*first);
            let replaced = index.and_then(|index| nodes.get(index)).map(|id| builder.before(*id));
            // A line may also continue after the last move of another.
            let behind = nodes.last().copied().filter(|_| index == Some(nodes.len()));
            let from = replaced.or(behind).or((nodes.is_empty() && ply == 1).then_some(Tree::ROOT));
            let Some(from) = from else {
                let why = message!("variation {} starts at ply {} of line {}, which does not exist", number, ply, parent);
                sink(ReadItem::Remark(Fault::line(line, why)));
                return false;
            };
            match play(builder, from, digits, line, ply) {
                Ok(played) => drop(lines.insert(number, (ply, played))),
                Err(fault) => {
                    tell(sink, ReadItem::Remark(Fault { why: message!("variation {}: {}", number, fault.why), ..fault }))
                }
            }
            false
        });
        if waiting.len() == before {
            let (parent, _, number, line, _) = waiting[0];
            sink(ReadItem::Remark(Fault::line(
                line,
                message!("variation {} starts at line {}, which does not exist", number, parent),
            )));
            break;
        }
    }
    for (line, (first, nodes)) in &lines {
        for (index, id) in nodes.iter().enumerate() {
            if let Some(text) = comment(*line, first + index) {
                builder.go(*id);
                builder.comment(&text);
            }
        }
    }
    if let Some(text) = comment(0, 0) {
        builder.go(Tree::ROOT);
        builder.comment(&text);
    }
    Ok(builder.finish(told, None))
}

/// A value without the forum's markup.
fn plain(text: &str) -> String {
    text.replace("||", "\n").replace("<br>", "\n")
}

/// The position of 32 squares. The side to move is the side of the first piece that moves.
fn board(squares: &str, moves: &str) -> Result<String, Message> {
    let digits: Vec<usize> = squares.bytes().filter(u8::is_ascii_digit).map(|byte| usize::from(byte - b'0')).collect();
    if digits.len() != 64 {
        return Err(message!("binit has {} digits, not 64", digits.len()));
    }
    let mut board = Squares::empty();
    for (index, pair) in digits.chunks(2).enumerate() {
        let square = pair[0] * 10 + pair[1];
        if square < 90 {
            let (file, rank) = from_black(square);
            board.put(file, rank, SET[index]);
        }
    }
    let first: Option<usize> = moves.get(..2).and_then(|square| square.parse().ok());
    let turn = first.map(from_black).and_then(|(file, rank)| board.side_at(file, rank)).unwrap_or(Side::First);
    Ok(board.fen(turn))
}

/// Plays moves of four digits each, from a node on.
fn play(builder: &mut Builder, from: NodeId, digits: &str, line: usize, first_ply: usize) -> Result<Vec<NodeId>, Fault> {
    builder.go(from);
    let mut nodes = Vec::new();
    let digits: Vec<u8> = digits.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    for (index, mv) in digits.chunks(4).enumerate() {
        let text = String::from_utf8_lossy(mv);
        let bad = |why: Message| Fault::line(line, message!("move {}: '{}': {}", first_ply + index, text.escape_debug(), why));
        let square = |pair: Option<&str>| pair.and_then(|pair| pair.parse::<usize>().ok()).map(from_black);
        let squares = square(text.get(..2)).zip(square(text.get(2..4)));
        let action =
            squares.and_then(|(from, to)| step(from, to)).ok_or_else(|| bad(message!("a move must have four digits")))?;
        nodes.push(builder.play(action).map_err(bad)?);
    }
    Ok(nodes)
}

/// A game of digits alone. Rows count from black's end or from red's; the one that gives legal moves is used.
fn digits_only(text: &str, partial: &mut Partial) -> Result<Record, Fault> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let turned: String = digits
        .as_bytes()
        .chunks(2)
        .flat_map(|pair| [char::from(pair[0]), char::from(b'9' - (pair.get(1).copied().unwrap_or(b'0') - b'0'))])
        .collect();
    let mut first = None;
    for digits in [digits, turned] {
        let mut attempt = Partial::default();
        let builder = attempt.xiangqi(None).map_err(|why| Fault::line(1, why))?;
        match play(builder, Tree::ROOT, &digits, 1, 1) {
            Ok(_) => return Ok(builder.finish(None, None)),
            Err(fault) => {
                if partial.keep(attempt) || first.is_none() {
                    first = Some(fault);
                }
            }
        }
    }
    Err(first.unwrap_or_else(|| Fault::line(1, message!("there are no moves"))))
}

/// Writes a game.
pub fn write(record: &Record) -> Result<(String, Loss), Message> {
    if record.game != "xiangqi" {
        return Err(message!("DhtmlXQ holds games of xiangqi, not of {}", &record.game));
    }
    let start = record.table()?;
    let mut loss = Loss { comments: 0, variations: 0, ..Loss::beside_the_main_line(record) };
    let mut out = String::from("[DhtmlXQ]\n[DhtmlXQ_ver]www_dpxq_com[/DhtmlXQ_ver]\n[DhtmlXQ_init]500,350[/DhtmlXQ_init]\n");
    let mut put = |key: &str, value: &str| {
        let value = value.replace("\r\n", "\n").replace('\n', "||").replace('[', "［").replace(']', "］");
        let _ = writeln!(out, "[DhtmlXQ_{key}]{value}[/DhtmlXQ_{key}]");
    };
    for (key, tag) in TAGS {
        if let Some(value) = record.tags.get(tag) {
            put(key, value);
            loss.tags -= 1;
        }
    }
    for (key, seat) in [("red", &record.seats.first), ("black", &record.seats.second)] {
        put(key, &if *seat == crate::record::SeatSpec::Human { String::new() } else { seat.to_string() });
    }
    let result = match record.result.map(|result| result.winner) {
        None => "未知",
        Some(Some(Side::First)) => "红胜",
        Some(Some(Side::Second)) => "黑胜",
        Some(None) => "和棋",
    };
    put("result", result);
    let digits = |at: Point| format!("{}{}", at.x, 9 - at.y);
    let squares: String = squares_of_set(&*start).into_iter().map(|at| at.map_or_else(|| "99".to_owned(), digits)).collect();
    put("binit", &squares);
    if start.turn() == Side::Second && record.tree.is_empty() {
        put("fen", &start.position_text());
    }
    let tree = &record.tree;
    // For each node, the number of its line and its ply.
    let mut place = vec![(0usize, 0usize); tree.len()];
    let mut comments = Vec::new();
    if !tree.notes(Tree::ROOT).comment.is_empty() {
        comments.push((0, 0, tree.notes(Tree::ROOT).comment));
    }
    let mut number = 0;
    let mut any = false;
    for line in tree.lines() {
        any = true;
        let Some(&begin) = line.first() else { continue };
        let before = tree.previous(begin).unwrap_or(Tree::ROOT);
        let ply = place[before.0 as usize].1 + 1;
        let mut text = String::new();
        for (index, id) in line.iter().enumerate() {
            place[id.0 as usize] = (number, ply + index);
            if let Some(Action::Step { from, to }) = tree.node(*id).action() {
                text.push_str(&digits(from));
                text.push_str(&digits(to));
            }
            if !tree.notes(*id).comment.is_empty() {
                comments.push((number, ply + index, tree.notes(*id).comment));
            }
        }
        if number == 0 {
            put("movelist", &text);
        } else {
            // A variation refers to the line whose move it replaces.
            let sibling = tree.node(before).children()[0];
            put(&format!("move_{}_{ply}_{number}", place[sibling.0 as usize].0), &text);
        }
        number += 1;
    }
    if !any {
        put("movelist", "");
    }
    for (line, ply, text) in comments {
        put(&if line == 0 { format!("comment{ply}") } else { format!("comment{line}_{ply}") }, text);
    }
    out.push_str("[/DhtmlXQ]\n");
    Ok((out, loss))
}
