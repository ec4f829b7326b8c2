//! Free text that contains a game: moves in any notation with or without numbers, a position, a list of positions, or a
//! link with any of these.

use super::lines::{GomokuLine, split_moves};
use super::pgn::{self, Event, Kind, Scan, Token};
use super::{ReadItem, Sink, of_reading, tell};
use crate::games::REGISTRY;
use crate::message;
use crate::message::Message;
use crate::record::Record;
use crate::record::builder::{Builder, Partial, bare_move};
use crate::record::fault::Fault;
use crate::table::Setup;
use std::borrow::Cow;

/// True if the text may contain a game or a position.
pub fn may_be_a_game(text: &str) -> bool {
    let mut found = false;
    read(text, &mut |_| {
        found = true;
        false
    });
    found
}

/// Reads the game or the positions of a text, if there are any.
pub fn read(text: &str, sink: &mut Sink) {
    let text = &*without_escapes(text);
    if let Some(found) = position(text).map(|mut builder| builder.finish(None, None)).or_else(|| stones(text)) {
        return tell(sink, ReadItem::Game(Box::new(found)));
    }
    if let Some(found) = below_position(text) {
        return tell(sink, found);
    }
    let fens = fens(text);
    if let [first, second, ..] = fens[..]
        && first != second
        && moves(text, Some(first.1), &mut |_| true).is_none()
    {
        for (line, fen) in fens {
            sink(of_reading(|partial| start(fen, line, partial).map(|builder| builder.finish(None, None))));
        }
        return;
    }
    let fen = fens.first().copied();
    let found = moves(text, fen.map(|(_, fen)| fen), sink).or_else(|| {
        let (line, fen) = fen?;
        Some(of_reading(|partial| start(fen, line, partial).map(|builder| builder.finish(None, None))))
    });
    if let Some(found) = found {
        tell(sink, found);
    }
}

/// A position of any game except xiangqi, or the size and the rule of gomoku, on the first line, and moves below it.
fn below_position(text: &str) -> Option<ReadItem> {
    let before = text.len() - text.trim_start().len();
    let (first, below) = text.trim().split_once('\n')?;
    let empty = GomokuLine::read(first).and_then(Result::ok).filter(|line| line.moves.is_empty());
    let builder = match empty {
        Some(line) => Builder::gomoku(line.variant).ok()?,
        None => position(first)?,
    };
    let line = text[..before].matches('\n').count() + 2;
    let words = (line..).zip(below.lines()).flat_map(|(line, text)| text.split_whitespace().map(move |word| (line, word)));
    Some(of_reading(|partial| {
        let builder = partial.hold(builder);
        let mut told = None;
        for (line, word) in words {
            if let Some(result) = pgn::result(word) {
                told = result;
                break;
            }
            let word = without_number(word);
            let points = builder.record.game == "gomoku" && word.starts_with(|c: char| c.is_ascii_alphabetic());
            let parts = if points { split_moves(&word.replace(',', "")) } else { vec![word.to_owned()] };
            for part in parts.iter().filter(|part| !part.is_empty()) {
                let bad = |ply: usize, why: Message| message!("move {}: '{}': {}", ply + 1, part.escape_debug(), why);
                let ply = builder.ply();
                builder.play_text(part).map_err(|why| Fault::line(line, bad(ply, why)))?;
            }
        }
        Ok(builder.finish(told, None))
    }))
}

/// A move without its number: `1.h2e2`, `12...炮8平5`; empty if the word is a number alone.
pub fn without_number(word: &str) -> &str {
    const DOTS: [char; 3] = ['.', '．', '、'];
    let behind = word.trim_start_matches(|c: char| c.is_ascii_digit() || ('０'..='９').contains(&c));
    if behind.len() < word.len() && behind.starts_with(DOTS) { behind.trim_start_matches(DOTS) } else { word }
}

/// Replaces `%20` and similar escapes, if the text is a link.
fn without_escapes(text: &str) -> Cow<'_, str> {
    if !text.contains("://") && !text.contains("fen=") && !text.contains("moves=") {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = text.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (bytes[at], hex) {
            (b'%', Some(byte)) => {
                plain.push(byte);
                at += 3;
            }
            (byte, _) => {
                plain.push(byte);
                at += 1;
            }
        }
    }
    // The parts of a link become separate words.
    let text = String::from_utf8_lossy(&plain).into_owned();
    Cow::Owned(text.replace(['?', '&', '#', ',', '|'], " ").replace("fen=", " ").replace("moves=", " ").replace("FEN=", " "))
}

/// A game from the whole text as a position of any game except xiangqi, whose positions may be inside other text.
fn position(text: &str) -> Option<Builder> {
    let text = text.trim();
    if text.len() > 2000 {
        return None;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let rows = text.split(' ').next()?.split('/').count();
    for entry in REGISTRY.iter().filter(|entry| entry.key != "xiangqi") {
        let variant = match entry.key {
            "gomoku" if rows > 5 && words.len() == 2 => Some(super::rules::variant("freestyle", rows as u8)),
            "gomoku" => continue,
            _ if words.len() != 2 => continue,
            _ => None,
        };
        let setup = Setup { variant, position: Some(words.join(" ")) };
        if let Ok(builder) = Builder::new(entry.key, setup) {
            return Some(builder);
        }
    }
    None
}

/// Reads a list of points, as for gomoku, or moves of the small games.
fn stones(text: &str) -> Option<Record> {
    let text = text.trim();
    if text.len() > 20_000 || !text.is_ascii() {
        return None;
    }
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c == ';')
        .map(|word| word.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix('.').unwrap_or(word))
        .filter(|word| !word.is_empty())
        .collect();
    if words.is_empty() {
        return None;
    }
    let game = |key: &str, variant: Option<String>, moves: &[String]| {
        let mut builder = Builder::new(key, Setup { variant, position: None }).ok()?;
        moves.iter().all(|mv| builder.play_text(mv).is_ok()).then(|| builder.finish(None, None))
    };
    let small: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    if small.iter().all(|word| word.matches(',').count() == 2) {
        return game("two-eat-one", None, &small);
    }
    let points: Vec<String> = words.iter().flat_map(|word| split_moves(&word.to_ascii_lowercase().replace(',', ""))).collect();
    let is_point = |point: &String| {
        let (letter, number) = point.split_at_checked(1).unwrap_or((point, ""));
        letter.as_bytes().first().is_some_and(|letter| (b'a'..=b't').contains(letter))
            && number.parse().is_ok_and(|n: u8| (1..=20).contains(&n))
    };
    if points.is_empty() || !points.iter().all(is_point) {
        return None;
    }
    // Words of two points are moves of xiangqi; xiangqi is tried first from its start position.
    if points.len().is_multiple_of(2) && words.iter().all(|word| word.len() % 4 == 0) && xiangqi_reads(&points) {
        return None;
    }
    let sizes = [15u8, 19, 20];
    sizes.into_iter().find_map(|size| game("gomoku", Some(super::rules::variant("freestyle", size)), &points))
}

fn xiangqi_reads(points: &[String]) -> bool {
    Builder::xiangqi(None).is_ok_and(|mut builder| builder.play_text(&points[..2].concat()).is_ok())
}

/// The positions of xiangqi in a text, each with its line.
fn fens(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let mut from = 0;
        while let Some(slash) = line[from..].find('/').map(|at| from + at) {
            let is_sign = |c: char| c.is_ascii_alphanumeric() || c == '/';
            let begin = line[..slash]
                .rfind(|c: char| !is_sign(c))
                .map_or(0, |at| at + line[at..].chars().next().map_or(1, char::len_utf8));
            let end = line[slash..].find(|c: char| !is_sign(c)).map_or(line.len(), |at| slash + at);
            let pieces = line[begin..end].trim_matches('/');
            let begin = begin + line[begin..end].find(pieces).unwrap_or(0);
            let pieces_end = begin + pieces.len();
            from = end.max(slash + 1);
            if pieces.matches('/').count() < 9 {
                continue;
            }
            // A link may have more slashes before the position.
            let skip = pieces.rmatch_indices('/').nth(9).map_or(0, |(at, _)| at + 1);
            let rest = &line[pieces_end..];
            let side = rest.trim_start_matches([' ', '_', '+']);
            let length = rest.len() - side.len();
            let ends = |rest: &str| rest.chars().next().is_none_or(|c| !c.is_alphanumeric());
            let has_side = length > 0 && side.starts_with(['w', 'b', 'r', 'W', 'B', 'R']) && ends(&side[1..]);
            let end = if has_side { pieces_end + length + 1 } else { pieces_end };
            found.push((number, &line[begin + skip..end]));
        }
    }
    found
}

/// A game from the position of a FEN in a line; the side to move may be missing.
fn start<'p>(fen: &str, line: usize, partial: &'p mut Partial) -> Result<&'p mut Builder, Fault> {
    let mut text = fen.replace(['_', '+'], " ").trim().to_owned();
    if !text.contains(' ') {
        // Where only black may be to move, black is.
        let black = format!("{text} b");
        text = if Builder::xiangqi(Some(format!("{text} w"))).is_err() && Builder::xiangqi(Some(black.clone())).is_ok() {
            black
        } else {
            format!("{text} w")
        };
    }
    partial.xiangqi(Some(text)).map_err(|why| Fault::line(line, why))
}

/// Reads a game of xiangqi from the moves in the text, from the given position or the start; `None` if there are no
/// moves.
fn moves(text: &str, fen: Option<&str>, sink: &mut Sink) -> Option<ReadItem> {
    let mut furthest: Option<(Fault, Partial)> = None;
    let sides: &[&str] = if fen.is_some_and(|fen| !fen.contains([' ', '_', '+'])) { &[" w", " b"] } else { &[""] };
    for side in sides {
        let mut attempt = Partial::default();
        let begun = match fen {
            None => attempt.xiangqi(None).ok(),
            Some(fen) => start(&format!("{fen}{side}"), 1, &mut attempt).ok(),
        };
        let Some(builder) = begun else { continue };
        let behind = fen.map_or(0, |fen| fen.as_ptr() as usize - text.as_ptr() as usize + fen.len());
        let Some(begin) = first_move(builder, text, behind).or_else(|| first_move(builder, text, 0)) else { continue };
        let line = text[..begin].matches('\n').count() + 1;
        let told = head(builder, &text[..begin]);
        let mut scan = Scan::new(&text[begin..], line);
        let mut events = Vec::new();
        let mut result = told;
        let mut damage = None;
        loop {
            match scan.next() {
                Ok(Some((line, token))) => {
                    let kind = match token {
                        Token::Word(word) => {
                            let parts = split_points(word);
                            events.extend(parts.into_iter().map(|part| Event { line, kind: Kind::Move(part) }));
                            continue;
                        }
                        Token::Comment(text) => Kind::Comment(text),
                        Token::Glyph(glyph) => Kind::Glyph(glyph),
                        Token::Open => Kind::Open,
                        Token::Close => Kind::Close,
                        Token::Result(told) => {
                            result = told.or(result);
                            break;
                        }
                        Token::Rule => break,
                        Token::Remark(why) => {
                            sink(ReadItem::Remark(Fault::line(line, why)));
                            continue;
                        }
                        Token::Tag(..) | Token::Number(..) => continue,
                    };
                    events.push(Event { line, kind });
                }
                Ok(None) => break,
                Err(fault) => {
                    damage = Some(fault);
                    break;
                }
            }
        }
        // Text after the game ends it.
        let words_end = events.iter().position(|event| matches!(event.kind, Kind::Move(word) if !pgn::looks_like_move(word)));
        events.truncate(words_end.unwrap_or(events.len()));
        let fault = match (pgn::build(builder, &events, pgn::Dialect::Usual, sink), damage) {
            (Ok(()), None) => return Some(ReadItem::Game(Box::new(builder.finish(result, None)))),
            (Err(fault), _) | (Ok(()), Some(fault)) => fault,
        };
        match &mut furthest {
            None => furthest = Some((fault, attempt)),
            Some((known, partial)) => {
                if partial.keep(attempt) {
                    *known = fault;
                }
            }
        }
    }
    furthest.map(|(fault, partial)| ReadItem::Refused(partial.refused(fault)))
}

/// The place of the first word that is a legal move, from this byte on.
fn first_move(builder: &mut Builder, text: &str, from: usize) -> Option<usize> {
    let mut tried = 0;
    let mut at = from;
    while at < text.len() {
        let rest = &text[at..];
        let skip = rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || "()[]{}:：;,，".contains(c)).len();
        let begin = at + skip;
        let rest = &text[begin..];
        let end = rest.find(|c: char| c.is_whitespace() || "()[]{}:：;，".contains(c)).unwrap_or(rest.len());
        if end == 0 {
            break;
        }
        let word = &rest[..end];
        at = begin + end;
        let plain = word.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(['.', '、', '．']);
        let plain = if pgn::is_soldier(word) { word } else { plain };
        let plain = split_points(bare_move(plain.trim_end_matches([',', '，']))).first().copied().unwrap_or_default();
        if pgn::looks_like_move(plain) {
            tried += 1;
            if !builder.table().readings(plain).is_empty() {
                return Some(begin);
            }
        }
        if tried > 200 {
            break;
        }
    }
    None
}

/// Splits `h2e2h9g7` into moves.
fn split_points(word: &str) -> Vec<&str> {
    let pairs = word.as_bytes();
    let glued = word.len() > 4
        && word.len().is_multiple_of(4)
        && pairs.chunks(2).all(|pair| matches!(pair, [b'a'..=b'i' | b'A'..=b'I', b'0'..=b'9']));
    if glued { (0..word.len()).step_by(4).map(|at| &word[at..at + 4]).collect() } else { vec![word] }
}

/// Reads the lines above the moves: names after colons.
fn head(builder: &mut Builder, text: &str) -> Option<Option<crate::rules::Side>> {
    use crate::rules::Side;
    let mut told = None;
    for line in text.lines() {
        let Some((name, value)) = line.split_once(['：', ':']) else { continue };
        let name: String = name.chars().filter(|c| !c.is_whitespace()).collect();
        let value = value.split('\u{3000}').next().unwrap_or_default();
        let value = value.split("  ").next().unwrap_or_default().trim();
        match name.as_str() {
            "标题" | "对局名称" => builder.tag("Title", value),
            "赛事" | "event" | "Event" => builder.tag("Event", value),
            "日期" | "比赛日期" => builder.tag("Date", value),
            "地点" | "比赛地点" => builder.tag("Site", value),
            "轮次" => builder.tag("Round", value),
            "红方" => builder.player(Side::First, value),
            "黑方" => builder.player(Side::Second, value),
            "ECCO" => builder.tag("ECCO", value),
            "结果" | "比赛结果" => told = pgn::result(value).flatten(),
            _ => {}
        }
    }
    told
}
