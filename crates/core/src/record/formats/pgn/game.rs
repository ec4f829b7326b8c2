//! One game of the file: converts its tags and tokens into a record.

use super::super::drawn;
use super::san::{Dialect, is_chess};
use super::scan::{Token, result};
use super::{ReadItem, Sink, bad_move};
use crate::message;
use crate::message::Message;
use crate::record::builder::{Builder, Partial, StatedResult, bare_move, is_game};
use crate::record::fault::Fault;
use crate::record::{Record, Tags};
use crate::rules::{Point, Reason, Side};
use crate::table::{Glyph, Mark, MarkColour, NodeId, Notation, Setup, Table};

/// The names of xiangqi in a tag.
pub(super) const XIANGQI: (&str, &str) = ("xiangqi", "Chinese Chess");
/// The most moves tried to find out which of several moves a word means.
const PATIENCE: usize = 2000;
/// Tags that are stored in fields of the record.
const FIELDS: [&str; 14] = [
    "Game",
    "Variant",
    "FEN",
    "Position",
    "SetUp",
    "Result",
    "Format",
    "Red",
    "White",
    "First",
    "Black",
    "Second",
    "FEN_INDEX",
    "PlyCount",
];

/// A token in the moves of a game, with its line.
pub struct Event<'a> {
    /// Its line.
    pub line: usize,
    /// Its kind.
    pub kind: Kind<'a>,
}

/// The kinds of tokens in the moves of a game.
pub enum Kind<'a> {
    /// A move, or a word in the place of a move.
    Move(&'a str),
    /// A comment.
    Comment(&'a str),
    /// A glyph.
    Glyph(Glyph),
    /// The beginning of a variation.
    Open,
    /// The end of a variation.
    Close,
}

/// A game as read from the file.
#[derive(Default)]
pub struct Raw<'a> {
    /// The line of its first tag or move; 0 before that.
    pub line: usize,
    /// The number of moves of the main line so far.
    pub moves: usize,
    /// The number of open variations.
    pub depth: usize,
    /// The result after the moves.
    pub told: Option<StatedResult>,
    /// An error of the text itself.
    pub fault: Option<Fault>,
    tags: Vec<(usize, String, String)>,
    events: Vec<Event<'a>>,
}

impl<'a> Raw<'a> {
    /// True if nothing of the game has been read.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.moves == 0 && self.fault.is_none()
    }

    /// True if it has a tag with this name.
    pub fn has_tag(&self, name: &str) -> bool {
        self.tags.iter().any(|(_, known, _)| known.eq_ignore_ascii_case(name))
    }

    /// Adds a tag.
    pub fn tag(&mut self, line: usize, name: String, value: String) {
        if self.line == 0 {
            self.line = line;
        }
        self.tags.push((line, name, value));
    }

    /// Adds a token of the moves.
    pub fn event(&mut self, line: usize, token: Token<'a>) {
        let kind = match token {
            Token::Word(word) => {
                self.moves += usize::from(self.depth == 0);
                if self.line == 0 {
                    self.line = line;
                }
                Kind::Move(word)
            }
            Token::Comment(text) => Kind::Comment(text),
            Token::Glyph(glyph) => Kind::Glyph(glyph),
            Token::Open => {
                self.depth += 1;
                Kind::Open
            }
            Token::Close => {
                self.depth = self.depth.saturating_sub(1);
                Kind::Close
            }
            _ => return,
        };
        self.events.push(Event { line, kind });
    }

    fn value(&self, names: &[&str]) -> Option<(usize, &str)> {
        let is_it = |(_, name, value): &&(usize, String, String)| {
            names.iter().any(|wanted| name.eq_ignore_ascii_case(wanted)) && !matches!(value.as_str(), "" | "?")
        };
        self.tags.iter().find(is_it).map(|(line, _, value)| (*line, value.as_str()))
    }

    /// The record of the game.
    ///
    /// # Errors
    /// Why it is invalid, and where.
    pub fn record(mut self, partial: &mut Partial, sink: &mut Sink) -> Result<Record, Fault> {
        // What stands before a damaged place is read, too.
        let mut damage = self.fault.take();
        if self.depth > 0 && damage.is_none() {
            let open = self.events.iter().rev().find(|event| matches!(event.kind, Kind::Open));
            damage = Some(Fault::line(open.map_or(self.line, |event| event.line), message!("a variation is not closed")));
        }
        let or_damage = |fault: Fault| damage.clone().unwrap_or(fault);
        let (game, variant) = self.game().map_err(or_damage)?;
        let given = self.value(&["FEN", "Position"]);
        let hints = ["Game", "Variant", "Red", "RedTeam", "Format", "ECCO"];
        if self.moves == 0 && given.is_none() && self.value(&hints).is_none() && !hints.iter().any(|name| self.has_tag(name)) {
            return Err(or_damage(Fault::line(self.line, message!("there is no move, no position and no name of a game"))));
        }
        let setups: Vec<Setup> = match given {
            Some((_, text)) if game == XIANGQI.0 => positions(text),
            Some((_, text)) => vec![text.to_owned()],
            None => vec![String::new()],
        }
        .into_iter()
        .map(|text| Setup { variant: variant.clone(), position: Some(text).filter(|text| !text.is_empty()) })
        .collect();
        let start_line = given.map_or(self.line, |(line, _)| line);
        let mut furthest: Option<Fault> = None;
        let mut done = false;
        for setup in setups {
            let mut read = |setup: Setup, dialect: Dialect| {
                let mut attempt = Partial::default();
                // Remarks of a failed attempt are dropped.
                let mut remarks = Vec::new();
                let begun = match setup.variant {
                    None if game == XIANGQI.0 => attempt.xiangqi(setup.position),
                    _ => attempt.begin(game, setup),
                };
                let built = begun.map_err(|why| Fault::line(start_line, why)).and_then(|builder| {
                    self.head(builder);
                    build(builder, &self.events, dialect, &mut |remark| {
                        remarks.push(remark);
                        true
                    })
                });
                match built {
                    Ok(()) => {
                        *partial = attempt;
                        remarks.into_iter().for_each(|remark| super::super::tell(sink, remark));
                        true
                    }
                    Err(fault) => {
                        if partial.keep(attempt) || furthest.is_none() {
                            furthest = Some(fault);
                        }
                        false
                    }
                }
            };
            done = read(setup.clone(), Dialect::Usual)
                || game == XIANGQI.0 && self.dialect(&setup).is_some_and(|dialect| read(setup, dialect));
            if done {
                break;
            }
        }
        if done && let Some(builder) = partial.builder() {
            return match damage {
                Some(fault) => Err(fault),
                None => Ok(self.finish(builder, sink)),
            };
        }
        let chess = game == XIANGQI.0
            && self.value(&["Game", "Variant"]).is_none()
            && self.main_words().take(6).all(is_chess)
            && self.moves > 0;
        match furthest {
            Some(Fault { place, .. }) if chess => {
                Err(Fault { place, game: 0, why: message!("move 1: these are moves of chess, which is not supported") })
            }
            Some(fault) => Err(fault),
            None => Err(Fault::line(self.line, message!("there is no position"))),
        }
    }

    /// The record of a game with a drawn tree.
    ///
    /// # Errors
    /// Why it is invalid, and where.
    pub fn drawn(self, drawing: &str, line: usize, partial: &mut Partial, sink: &mut Sink) -> Result<Record, Fault> {
        let given = self.value(&["FEN"]).map_or((1, None), |(line, text)| (line, positions(text).into_iter().next()));
        let builder = partial.xiangqi(given.1).map_err(|why| Fault::line(given.0, why))?;
        self.head(builder);
        drawn::read(builder, drawing, line, sink)?;
        Ok(self.finish(builder, sink))
    }

    /// The game and the variant in the tags.
    fn game(&self) -> Result<(&'static str, Option<String>), Fault> {
        let variant = self.value(&["Variant"]);
        let is_xiangqi = |name: &str| {
            let plain: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
            matches!(plain.as_str(), "xiangqi" | "chinesechess" | "中国象棋" | "象棋" | "中國象棋")
        };
        let unknown = |line: usize, name: &str| Fault::line(line, message!("there is no game '{}'", name.escape_debug()));
        let game = match self.value(&["Game"]) {
            Some((_, name)) if is_xiangqi(name) => XIANGQI.0,
            Some((line, name)) if is_game(name) => {
                crate::games::find(name).map(|entry| entry.key).map_err(|_| unknown(line, name))?
            }
            Some((line, name)) => return Err(unknown(line, name)),
            None => match variant {
                Some((_, name)) if is_xiangqi(name) || is_variant(XIANGQI.0, name) => XIANGQI.0,
                Some((line, name)) if self.value(&["Red"]).is_none() => return Err(unknown(line, name)),
                _ => XIANGQI.0,
            },
        };
        // For xiangqi, other programs write names of rules that are not variants here.
        let variant = variant.map(|(_, name)| name.to_owned()).filter(|name| game != XIANGQI.0 || is_variant(game, name));
        Ok((game, variant))
    }

    /// The words of the main line.
    fn main_words(&self) -> impl Iterator<Item = &'a str> {
        rest_of_line(&self.events)
    }

    /// Another notation in which more moves of the main line are legal than in the usual ones.
    fn dialect(&self, setup: &Setup) -> Option<Dialect> {
        let words: Vec<&str> = self.main_words().collect();
        let start = Record::new(XIANGQI.0, setup.clone()).table().ok()?;
        let reached = |dialect: Dialect| reach(&*start, &words, dialect, &mut { PATIENCE });
        let mut best = (None, reached(Dialect::Usual));
        for dialect in Dialect::OTHERS {
            let reached = reached(dialect);
            if reached > best.1 {
                best = (Some(dialect), reached);
            }
        }
        best.0
    }

    /// Writes the players and the tags into the record, before its moves: they are kept even if the moves are damaged.
    fn head(&self, builder: &mut Builder) {
        let seat = |names: &[&str]| self.value(names).map(|(_, name)| name.to_owned());
        for (side, names) in [(Side::First, ["Red", "White", "First"]), (Side::Second, ["Black", "Second", "Second"])] {
            builder.player(side, &seat(&names).unwrap_or_default());
        }
        let reason = self.reason();
        let mut tags = Tags::default();
        for (_, name, value) in &self.tags {
            let is_field = FIELDS.iter().any(|field| field.eq_ignore_ascii_case(name));
            let is_reason = reason.is_some() && name.eq_ignore_ascii_case("Termination");
            if !is_field && !is_reason && !matches!(value.as_str(), "" | "?") {
                tags.set(name, value.as_str());
            }
        }
        builder.record.tags = tags;
    }

    fn reason(&self) -> Option<Reason> {
        self.value(&["Termination"]).and_then(|(_, word)| reason_of(word))
    }

    fn finish(self, builder: &mut Builder, sink: &mut Sink) -> Record {
        let reason = self.reason();
        let tag = self.value(&["Result"]).and_then(|(line, word)| Some((line, result(word.trim())?)));
        if let Some(fault) = tag.zip(self.told).and_then(|((line, tag), told)| results_differ(line, tag, told)) {
            sink(ReadItem::Remark(fault));
        }
        let told = self.told.flatten().or(tag.and_then(|(_, told)| told));
        let mut record = builder.finish(told, reason);
        if let (Some(result), Some(reason)) = (&mut record.result, reason) {
            result.reason = reason;
        }
        record
    }
}

/// The remark that the result in the head of a game is another one than that behind its moves.
pub fn results_differ(line: usize, head: StatedResult, end: StatedResult) -> Option<Fault> {
    let word = |winner: Option<Side>| match winner {
        Some(Side::First) => "1-0",
        Some(Side::Second) => "0-1",
        None => "1/2-1/2",
    };
    let (head, end) = head.zip(end).filter(|(head, end)| head != end)?;
    Some(Fault::line(line, message!("the result here is {}, but behind the moves {}, which is used", word(head), word(end))))
}

/// The reason of a game's end in the words of programs and of the standard.
fn reason_of(word: &str) -> Option<Reason> {
    let plain = word.trim().to_lowercase().replace([' ', '_'], "-");
    let known = Reason::ALL.into_iter().find(|reason| reason.key() == plain);
    known.or_else(|| {
        Some(match plain.as_str() {
            "time-forfeit" | "timeout" | "time-out" | "loss-on-time" | "超时" | "超時" => Reason::Time,
            "resign" | "resigned" | "认输" | "認輸" => Reason::Resignation,
            "draw-agreed" | "draw-by-agreement" | "mutual-agreement" | "议和" | "議和" => Reason::Agreement,
            "threefold-repetition" | "draw-by-repetition" => Reason::Repetition,
            "长将" | "長將" => Reason::PerpetualCheck,
            "长捉" | "長捉" => Reason::PerpetualChase,
            "mate" | "将死" | "將死" | "绝杀" | "絕殺" => Reason::Checkmate,
            "困毙" | "困斃" => Reason::Stalemate,
            _ => return None,
        })
    })
}

fn is_variant(game: &str, name: &str) -> bool {
    Record::new(game, Setup { variant: Some(name.to_owned()), position: None }).table().is_ok()
}

/// The positions that a FEN may mean: programs leave out the counters and the side to move.
fn positions(text: &str) -> Vec<String> {
    let text = text.trim().replace(['_', '+'], " ");
    let mut fields = text.split_whitespace();
    let pieces = fields.next().unwrap_or_default();
    match fields.next() {
        Some(side) if matches!(side.to_ascii_lowercase().as_str(), "w" | "r" | "b") => {
            let rest: Vec<&str> = fields.filter(|field| *field == "-" || field.parse::<u16>().is_ok()).take(4).collect();
            vec![format!("{pieces} {side} {}", rest.join(" ")).trim().to_owned()]
        }
        _ => vec![format!("{pieces} w"), format!("{pieces} b")],
    }
}

/// The number of words that are legal moves, one after the other. If a word may mean several moves, the one after which
/// most moves are legal is used; at most `budget` moves are tried for this.
fn reach(start: &dyn Table, words: &[&str], dialect: Dialect, budget: &mut usize) -> usize {
    let mut table = start.boxed_clone();
    for (count, word) in words.iter().enumerate() {
        *budget = budget.saturating_sub(1);
        let readings = dialect.readings(&*table, word);
        let Some(&first) = readings.first() else { return count };
        if readings.len() > 1 && *budget > 0 {
            let mut best = 0;
            for action in readings {
                let mut copy = table.boxed_clone();
                if copy.play(action).is_ok() {
                    best = best.max(1 + reach(&*copy, &words[count + 1..], dialect, budget));
                }
                if count + best == words.len() {
                    break;
                }
            }
            return count + best;
        }
        if table.play(first).is_err() {
            return count;
        }
    }
    words.len()
}

/// True if a word has the form of a move, legal or not.
pub fn looks_like_move(word: &str) -> bool {
    if is_soldier(word) {
        return true;
    }
    let word = bare_move(word);
    let count = word.chars().count();
    if word.is_ascii() {
        let digits = word.bytes().filter(u8::is_ascii_digit).count();
        let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
        return (2..=7).contains(&count) && digits >= 1 && (1..=3).contains(&letters);
    }
    let ways = "进退平進上下＋－＝．+-=.";
    (4..=5).contains(&count) && word.chars().any(|c| ways.contains(c))
}

/// True for the move of a soldier behind another without a letter: `3+.4`, `33.4`, `++.4`.
pub fn is_soldier(word: &str) -> bool {
    let is_name = |byte: u8| matches!(byte, b'1'..=b'9' | b'+' | b'-');
    matches!(*word.as_bytes(), [a, b, b'.' | b'=' | b'+' | b'-', b'1'..=b'9'] if is_name(a) && is_name(b))
}

/// Plays the moves of a game and builds the record.
///
/// # Errors
/// An illegal move of the main line, with its place.
pub fn build(builder: &mut Builder, events: &[Event], dialect: Dialect, sink: &mut Sink) -> Result<(), Fault> {
    // For each open variation: the node from which it starts, and whether the line before was skipped.
    let mut open: Vec<(NodeId, bool)> = Vec::new();
    let mut lost = false;
    // Comments at the beginning of a variation belong to its first move.
    let mut early: Vec<&str> = Vec::new();
    let mut begun = true;
    for (index, event) in events.iter().enumerate() {
        match event.kind {
            Kind::Open => {
                open.push((builder.at(), lost));
                let before = builder.before(builder.at());
                builder.go(before);
                (begun, early) = (false, Vec::new());
            }
            Kind::Close => {
                if let Some((at, was_lost)) = open.pop() {
                    builder.go(at);
                    lost = was_lost;
                }
                (begun, early) = (true, Vec::new());
            }
            _ if lost => {}
            Kind::Comment(text) if !begun => early.push(text),
            Kind::Comment(text) => annotate(builder, text),
            Kind::Glyph(glyph) => builder.glyph(glyph),
            Kind::Move(word) => match choose(builder, events, index, word, dialect) {
                Ok(others) => {
                    if let Some(others) = others {
                        let why = message!("move {}: '{}' may also be {}", builder.ply(), word.escape_debug(), others);
                        sink(ReadItem::Remark(Fault::line(event.line, why)));
                    }
                    early.drain(..).for_each(|text| annotate(builder, text));
                    begun = true;
                }
                Err(why) => {
                    let more = || rest_of_line(&events[index + 1..]).any(looks_like_move);
                    let fault = bad_move(event.line, builder.ply() + 1, word, why);
                    if !open.is_empty() {
                        lost = true;
                        sink(ReadItem::Remark(Fault {
                            why: message!("{}; the rest of the variation is left out", fault.why),
                            ..fault
                        }));
                    } else if builder.ply() == 0 || looks_like_move(word) || more() {
                        return Err(fault);
                    } else {
                        return Ok(());
                    }
                }
            },
        }
    }
    Ok(())
}

/// The moves that follow in the same line, without variations.
fn rest_of_line<'a, 'e>(events: &'e [Event<'a>]) -> impl Iterator<Item = &'a str> + 'e {
    let mut depth = 0i32;
    let words = events.iter().map_while(move |event| {
        match event.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            Kind::Move(word) if depth == 0 => return Some(Some(word)),
            _ => {}
        }
        (depth >= 0).then_some(None)
    });
    words.flatten()
}

/// Plays the move of a word. If the word may mean several moves, the one after which most moves of the line are legal
/// is used; what else it may mean as well is returned.
fn choose(
    builder: &mut Builder,
    events: &[Event],
    index: usize,
    word: &str,
    dialect: Dialect,
) -> Result<Option<String>, Message> {
    let table = builder.table();
    let readings = dialect.readings(table, word);
    let mut others = None;
    let action = match readings[..] {
        [] => {
            // The game's own message is the best one.
            return Err(match table.read(word) {
                Err(crate::rules::PlayError::Unreadable { why, .. }) => why,
                Err(error) => error.into(),
                Ok(_) => message!("no legal move is written like this"),
            });
        }
        [action] => action,
        _ => {
            let following: Vec<&str> = rest_of_line(&events[index + 1..]).collect();
            let mut reached = Vec::new();
            for action in readings {
                let mut copy = table.boxed_clone();
                if copy.play(action).is_ok() {
                    reached.push((action, reach(&*copy, &following, dialect, &mut { PATIENCE })));
                }
            }
            let most = reached.iter().map(|(_, reached)| *reached).max().unwrap_or(0);
            let mut best = reached.into_iter().filter(|(_, reached)| *reached == most).map(|(action, _)| action);
            let first = best.next().ok_or(message!("no legal move is written like this"))?;
            let texts: Vec<String> = best.filter_map(|action| table.write(action, Notation::Uci)).collect();
            others = Some(texts.join(", ")).filter(|texts| !texts.is_empty());
            first
        }
    };
    builder.play(action)?;
    Ok(others)
}

/// Adds a comment at the current node: its text, and the commands `[%..]` in it: the time of a move, circles and
/// arrows.
fn annotate(builder: &mut Builder, comment: &str) {
    let mut text = String::new();
    let mut rest = comment;
    while let Some(start) = rest.find("[%") {
        let Some(length) = rest[start..].find(']') else { break };
        let inside = &rest[start + 2..start + length];
        let (name, value) = inside.split_once(' ').unwrap_or((inside, ""));
        let known = match name {
            "emt" => seconds(value).map(|ms| builder.time(ms)).is_some(),
            "csl" | "cal" => marks(builder, value),
            _ => false,
        };
        if known {
            text.push_str(&rest[..start]);
        } else {
            text.push_str(&rest[..start + length + 1]);
        }
        rest = &rest[start + length + 1..];
    }
    text.push_str(rest);
    let lines: Vec<&str> = text.split('\n').map(str::trim_end).collect();
    builder.comment(&lines.join("\n"));
}

/// Reads `h:mm:ss.mmm`, in milliseconds.
fn seconds(text: &str) -> Option<u64> {
    let mut total = 0u64;
    for part in text.trim().split(':') {
        let (whole, fraction) = part.split_once('.').unwrap_or((part, ""));
        let thousandths: String = fraction.chars().chain("000".chars()).take(3).collect();
        let ms = whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(thousandths.parse().ok()?)?;
        total = total.checked_mul(60)?.checked_add(ms)?;
    }
    Some(total)
}

/// Reads marks such as `Gh2,Re3` and `Gh2e2`: a colour, then one or two points in the game's own notation. False if the
/// form is wrong.
fn marks(builder: &mut Builder, value: &str) -> bool {
    let size = builder.table().size();
    let lowest = if builder.table().game() == XIANGQI.0 { 0 } else { 1 };
    let read = |word: &str| -> Option<Mark> {
        let mut chars = word.trim().chars();
        let colour = match chars.next()? {
            'G' => MarkColour::Green,
            'R' => MarkColour::Red,
            'B' => MarkColour::Blue,
            'Y' => MarkColour::Yellow,
            _ => return None,
        };
        let points = points(chars.as_str(), size, lowest)?;
        match points[..] {
            [at] => Some(Mark::Circle { at, colour }),
            [from, to] => Some(Mark::Arrow { from, to, colour }),
            _ => None,
        }
    };
    let found: Option<Vec<Mark>> = value.split(',').map(read).collect();
    let known = found.is_some();
    found.into_iter().flatten().for_each(|mark| builder.mark(mark));
    known
}

/// Reads points such as `h8h10`: letters for files, numbers for ranks.
fn points(text: &str, size: (u8, u8), lowest: u8) -> Option<Vec<Point>> {
    let mut points = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((file, after)) = rest.split_first() {
        let digits = after.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let rank: u8 = std::str::from_utf8(&after[..digits]).ok()?.parse().ok()?;
        let (x, y) = (file.checked_sub(b'a')?, rank.checked_sub(lowest)?);
        if x >= size.0 || y >= size.1 {
            return None;
        }
        points.push(Point::new(x, y));
        rest = &after[digits..];
    }
    Some(points)
}

/// Writes a point in this form.
pub(super) fn point_text(at: Point, lowest: u8) -> String {
    format!("{}{}", char::from(b'a' + at.x.min(25)), at.y + lowest)
}
