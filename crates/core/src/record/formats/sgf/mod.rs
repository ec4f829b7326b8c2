//! SGF (Smart Game Format, FF[3] and FF[4]) for gomoku and renju: GM[4], and GM[1] or GM[5] on fifteen lines, which
//! some renju programs write. The whole tree is read and written. Points are two letters from the upper left corner, as
//! defined by the format; `h8` is read too. Source: the definition of the format at red-bean.com/sgf.

mod scan;
mod write;

pub use write::write;

use super::{ReadItem, Sink, rules, tell};
use crate::message;
use crate::message::Message;
use crate::record::Record;
use crate::record::builder::Partial;
use crate::record::fault::Fault;
use crate::rules::{Point, Reason, Side};
use crate::table::{Action, Glyph, LabelText, Mark, MarkColour, NodeId, Setup, Tree};
use scan::{Scan, Token};
use std::borrow::Cow;

/// Properties of a game and the tags with the same meaning.
const TAGS: [(&str, &str); 17] = [
    ("EV", "Event"),
    ("PC", "Site"),
    ("DT", "Date"),
    ("RO", "Round"),
    ("GN", "Title"),
    ("ON", "Opening"),
    ("AN", "Annotator"),
    ("US", "Author"),
    ("SO", "Source"),
    ("CP", "Copyright"),
    ("TM", "TimeControl"),
    ("OT", "Overtime"),
    ("BT", "BlackTeam"),
    ("WT", "WhiteTeam"),
    ("BR", "BlackElo"),
    ("WR", "WhiteElo"),
    ("HA", "Handicap"),
];
/// Properties that are ignored: they have no meaning for gomoku or are read elsewhere.
const PASSED_OVER: [&str; 17] =
    ["GM", "FF", "CA", "AP", "SZ", "ST", "KM", "PB", "PW", "RE", "RU", "GC", "C", "B", "W", "FG", "PM"];
/// Properties of positions that cannot be kept, and their names in a remark.
const UNKNOWN_MARKS: [(&str, &str); 2] = [("LN", "lines"), ("DD", "dimmed points")];

type Values<'a> = Vec<Cow<'a, str>>;

/// Reads the games of a file one by one.
pub fn read(text: &str, sink: &mut Sink) {
    let mut scan = Scan::new(text);
    loop {
        match scan.next() {
            Ok(None) => return,
            Ok(Some((line, Token::Open))) => {
                let mut game = Game::new(line);
                let found = match game.read(&mut scan, sink).and_then(|()| game.finish()) {
                    Ok(record) => ReadItem::Game(Box::new(record)),
                    Err(fault) => ReadItem::Refused(game.partial.refused(fault)),
                };
                if !sink(found) {
                    return;
                }
                scan.skip_game();
            }
            // An additional bracket or node after a game.
            Ok(Some((_, Token::Close | Token::Node))) => {}
            Ok(Some((line, Token::Property(..)))) => {
                return tell(
                    sink,
                    ReadItem::Refused(Fault::line(line, message!("a game in an sgf file must begin with '('")).into()),
                );
            }
            Err(fault) => {
                if !sink(ReadItem::Refused(fault.into())) {
                    return;
                }
                scan.skip_to_line();
            }
        }
    }
}

/// A game that is being read.
struct Game<'a> {
    line: usize,
    /// Properties before the first move: of the game, and stones of the position.
    head: Vec<(usize, Cow<'a, str>, Values<'a>)>,
    partial: Partial,
    size: u8,
    /// For each open variation: the node from which it starts, and whether the line before was skipped.
    open: Vec<(NodeId, bool)>,
    /// True if the rest of the current line is skipped, after an illegal move.
    lost: bool,
    /// A pass in the main line, which is ignored if no move follows.
    passed: Option<Fault>,
    told: Option<Option<Side>>,
    reason: Option<Reason>,
    left_out: Vec<(usize, &'static str)>,
    /// The last values of the clocks, in milliseconds.
    left_ms: [Option<u64>; 2],
    nodes: usize,
}

impl<'a> Game<'a> {
    fn new(line: usize) -> Game<'a> {
        Game {
            line,
            head: Vec::new(),
            partial: Partial::default(),
            size: 15,
            open: Vec::new(),
            lost: false,
            passed: None,
            told: None,
            reason: None,
            left_out: Vec::new(),
            left_ms: [None; 2],
            nodes: 0,
        }
    }

    /// Reads the tree after its first bracket.
    fn read(&mut self, scan: &mut Scan<'a>, sink: &mut Sink) -> Result<(), Fault> {
        let mut node: Vec<(usize, Cow<'a, str>, Values<'a>)> = Vec::new();
        while scan.depth > 0 {
            let next = if scan.begins_game() { None } else { scan.next()? };
            let Some((line, token)) = next else {
                self.node(std::mem::take(&mut node), sink)?;
                let why = message!("the game's tree is not closed: {} is missing", ")".repeat(scan.depth));
                sink(ReadItem::Remark(Fault::line(scan.line, why)));
                break;
            };
            if let Token::Property(name, values) = token {
                node.push((line, name, values));
                continue;
            }
            self.node(std::mem::take(&mut node), sink)?;
            match token {
                Token::Open => {
                    let at = self.partial.builder().map_or(Tree::ROOT, |builder| builder.at());
                    self.open.push((at, self.lost));
                }
                Token::Close => {
                    if let Some((at, lost)) = self.open.pop() {
                        self.lost = lost;
                        if let Some(builder) = self.partial.builder() {
                            builder.go(at);
                        }
                    }
                }
                _ => self.nodes += 1,
            }
        }
        if self.partial.builder().is_none() {
            self.begin(None)?;
        }
        for (count, what) in std::mem::take(&mut self.left_out) {
            let what = match what {
                "lines" => message!("lines"),
                "dimmed points" => message!("dimmed points"),
                _ => message!("labels"),
            };
            sink(ReadItem::Remark(Fault::line(
                self.line,
                message!("{} are left out, as a record cannot hold them ({})", what, count),
            )));
        }
        Ok(())
    }

    /// Handles the properties of one node.
    fn node(&mut self, properties: Vec<(usize, Cow<'a, str>, Values<'a>)>, sink: &mut Sink) -> Result<(), Fault> {
        if self.lost || properties.is_empty() {
            return Ok(());
        }
        let mut moves = properties.iter().filter(|(_, name, _)| matches!(&**name, "B" | "W")).peekable();
        if self.partial.builder().is_none() {
            if moves.peek().is_none() {
                self.head.extend(properties);
                return Ok(());
            }
            let first = if moves.peek().is_some_and(|(_, name, _)| name == "W") { Side::Second } else { Side::First };
            // Properties in the node of the first move may belong to the game.
            let of_game = |name: &str| {
                !matches!(name, "B" | "W" | "C" | "N")
                    && (TAGS.iter().any(|(known, _)| *known == name)
                        || PASSED_OVER.contains(&name)
                        || matches!(name, "AB" | "AW" | "PL"))
            };
            for (line, name, values) in properties.iter().filter(|(_, name, _)| of_game(name)) {
                self.head.push((*line, name.clone(), values.clone()));
            }
            self.begin(Some(first))?;
        }
        let size = self.size;
        let Some(builder) = self.partial.builder() else { return Ok(()) };
        for (line, name, values) in moves {
            let side = if name == "B" { Side::First } else { Side::Second };
            let ply = builder.ply() + 1;
            let main = builder.is_main_end();
            let text = values.first().map_or("", |value| value.trim());
            let bad = |why: Message| Fault::line(*line, message!("move {}: {}[{}]: {}", ply, name, text.escape_debug(), why));
            let is_pass = text.is_empty() || text == "tt" && size <= 19;
            if is_pass {
                let fault = bad(message!("a pass, which does not exist in gomoku"));
                if main && self.passed.is_none() {
                    self.passed = Some(fault);
                }
                self.lost |= !main;
                continue;
            }
            let played = match point(text, size) {
                _ if builder.table().turn() != side => Err(bad(message!("black and white do not move alternately"))),
                None => Err(bad(message!("that is not a point of the board"))),
                Some(at) => builder.play(Action::Drop(at)).map(drop).map_err(bad),
            };
            if let Err(fault) = played {
                if main {
                    return Err(self.passed.take().unwrap_or(fault));
                }
                sink(ReadItem::Remark(Fault { why: message!("{}; the rest of the variation is left out", fault.why), ..fault }));
                self.lost = true;
                return Ok(());
            }
            if main && let Some(pass) = self.passed.take() {
                return Err(pass);
            }
        }
        for (line, name, values) in &properties {
            self.annotate(*line, name, values)?;
        }
        Ok(())
    }

    /// Handles a property of a node other than its move.
    fn annotate(&mut self, line: usize, name: &str, values: &[Cow<str>]) -> Result<(), Fault> {
        let size = self.size;
        let Some(builder) = self.partial.builder() else { return Ok(()) };
        let value = values.first().map_or("", |value| value.trim());
        let emphasised = value == "2";
        match name {
            "C" => builder.comment(&lines(&values[0])),
            "N" => builder.comment(&lines(&values[0])),
            "TE" => builder.glyph(if emphasised { Glyph::BRILLIANT } else { Glyph::GOOD }),
            "BM" => builder.glyph(if emphasised { Glyph::BLUNDER } else { Glyph::MISTAKE }),
            "IT" => builder.glyph(Glyph::INTERESTING),
            "DO" => builder.glyph(Glyph::DUBIOUS),
            "DM" => builder.glyph(Glyph(10)),
            "UC" => builder.glyph(Glyph(13)),
            "GB" => builder.glyph(Glyph(if emphasised { 18 } else { 16 })),
            "GW" => builder.glyph(Glyph(if emphasised { 19 } else { 17 })),
            "NAG" => values.iter().filter_map(|value| value.trim().parse().ok()).for_each(|number| builder.glyph(Glyph(number))),
            "CR" | "TR" | "SQ" | "MA" | "SL" => {
                let colour = match name {
                    "MA" => MarkColour::Red,
                    "SQ" => MarkColour::Blue,
                    "TR" => MarkColour::Yellow,
                    _ => MarkColour::Green,
                };
                let points = values.iter().flat_map(|value| area(value, size));
                points.for_each(|at| builder.mark(Mark::Circle { at, colour }));
            }
            "AR" => {
                for value in values {
                    let ends = value.split_once(':').and_then(|(from, to)| point(from, size).zip(point(to, size)));
                    if let Some((from, to)) = ends {
                        builder.mark(Mark::Arrow { from, to, colour: MarkColour::Green });
                    }
                }
            }
            "LB" => {
                for value in values {
                    let label =
                        value.split_once(':').and_then(|(at, text)| Some((point(at, size)?, LabelText::new(text.trim())?)));
                    match label {
                        Some((at, text)) => builder.mark(Mark::Label { at, text }),
                        None => leave_out(&mut self.left_out, "labels", 1),
                    }
                }
            }
            // Files of FF[1] to FF[3] give points only; their labels are the letters in order.
            "L" => {
                for (index, value) in values.iter().enumerate() {
                    let letter =
                        u8::try_from(index).ok().filter(|index| *index < 26).map(|index| char::from(b'A' + index).to_string());
                    match point(value.trim(), size).zip(letter.and_then(|letter| LabelText::new(&letter))) {
                        Some((at, text)) => builder.mark(Mark::Label { at, text }),
                        None => leave_out(&mut self.left_out, "labels", 1),
                    }
                }
            }
            "EMT" => {
                if let Some(ms) = seconds(value) {
                    builder.time(ms);
                }
            }
            "BL" | "WL" => {
                let index = usize::from(name == "WL");
                let left = seconds(value);
                if let (Some(before), Some(left)) = (self.left_ms[index], left)
                    && let Some(spent) = before.checked_sub(left)
                {
                    builder.time(spent);
                }
                self.left_ms[index] = left;
            }
            "AB" | "AW" | "AE" => {
                if builder.at() != Tree::ROOT {
                    self.lost = true;
                    return match builder.is_main_end() {
                        true => Err(Fault::line(line, message!("{}: stones are set up in the middle of a game", name))),
                        false => Ok(()),
                    };
                }
            }
            _ => {
                if let Some((_, what)) = UNKNOWN_MARKS.iter().find(|(known, _)| *known == name) {
                    leave_out(&mut self.left_out, what, values.len());
                }
            }
        }
        Ok(())
    }

    /// Begins the game from the properties before the first move; `mover` is the side of the first move.
    fn begin(&mut self, mover: Option<Side>) -> Result<(), Fault> {
        let head = std::mem::take(&mut self.head);
        let value = |wanted: &str| {
            head.iter()
                .find(|(_, name, _)| name == wanted)
                .map(|(line, _, values)| (*line, values[0].trim()))
                .filter(|(_, value)| !value.is_empty())
        };
        let size = value("SZ").map(|(line, text)| {
            let number = text.split(':').next().unwrap_or_default().trim().parse::<u8>();
            number
                .map(|size| (line, size))
                .map_err(|_| Fault::line(line, message!("SZ[{}] is not a board size", text.escape_debug())))
        });
        let size = size.transpose()?;
        self.size = size.map_or(15, |(_, size)| size);
        if let Some((line, game)) = value("GM") {
            let renju = matches!(game, "1" | "5")
                && self.size == 15
                && (size.is_some() || game == "5" || value("RU").is_some_and(|(_, rule)| rules::of_word(rule) != "freestyle"));
            if game != "4" && !renju {
                let why = message!(
                    "GM[{}] on {} lines is not gomoku, which is GM[4]",
                    game.escape_debug(),
                    size.map_or("an unknown number of".to_owned(), |(_, size)| size.to_string())
                );
                return Err(Fault::line(line, why));
            }
        }
        let rule = value("RU").map_or("freestyle", |(_, rule)| rules::of_word(rule));
        let variant = rules::variant(rule, self.size);
        let line = size.map_or(self.line, |(line, _)| line);
        let position = self.position(&head, mover)?;
        let setup = Setup { variant: Some(variant), position };
        let builder = self.partial.begin("gomoku", setup).map_err(|why| Fault::line(line, why))?;
        for (property, tag) in TAGS {
            builder.tag(tag, &lines(value(property).map_or("", |(_, text)| text)));
        }
        builder.player(Side::First, value("PB").map_or("", |(_, name)| name));
        builder.player(Side::Second, value("PW").map_or("", |(_, name)| name));
        builder.comment(&lines(value("GC").map_or("", |(_, text)| text)));
        for (_, name, values) in
            head.iter().filter(|(_, name, _)| !PASSED_OVER.contains(&&**name) && !TAGS.iter().any(|(known, _)| known == name))
        {
            if name.len() <= 3 && !matches!(&**name, "AB" | "AW" | "AE" | "PL" | "N") && !is_of_positions(name) {
                builder.tag(&format!("SGF_{name}"), &values[0]);
            }
        }
        if let Some((_, text)) = value("RE") {
            self.told = match text.chars().next() {
                Some('B' | 'b' | '黑') => Some(Some(Side::First)),
                Some('W' | 'w' | '白') => Some(Some(Side::Second)),
                Some('0' | 'D' | 'd' | '和') => Some(None),
                _ => None,
            };
            self.reason = match text.get(1..).unwrap_or_default().to_ascii_lowercase().as_str() {
                "+r" | "+resign" => Some(Reason::Resignation),
                "+t" | "+time" => Some(Reason::Time),
                "+f" | "+forfeit" => Some(Reason::Forbidden),
                _ => None,
            };
        }
        let start = value("TM").and_then(|(_, text)| seconds(text));
        self.left_ms = [start, start];
        for (line, name, values) in &head {
            if matches!(&**name, "C" | "N") || is_of_positions(name) || UNKNOWN_MARKS.iter().any(|(known, _)| known == name) {
                self.annotate(*line, name, values)?;
            }
        }
        Ok(())
    }

    /// The position of the set-up stones, if there are any.
    fn position(&self, head: &[(usize, Cow<str>, Values)], mover: Option<Side>) -> Result<Option<String>, Fault> {
        let size = usize::from(self.size);
        let mut stones: Vec<Option<Side>> = vec![None; size * size];
        let mut any = false;
        let mut turn = mover;
        for (line, name, values) in head {
            let stone = match &**name {
                "AB" => Some(Side::First),
                "AW" => Some(Side::Second),
                "AE" => None,
                "PL" => {
                    let told = if values[0].trim().starts_with(['W', 'w', '2']) { Side::Second } else { Side::First };
                    turn = turn.or(Some(told));
                    continue;
                }
                _ => continue,
            };
            for value in values {
                let points = area(value, self.size);
                if points.is_empty() {
                    return Err(Fault::line(*line, message!("{}[{}] is not a point of the board", name, value.escape_debug())));
                }
                for at in points {
                    stones[usize::from(at.y) * size + usize::from(at.x)] = stone;
                    any = true;
                }
            }
        }
        let count = |side: Side| stones.iter().filter(|stone| **stone == Some(side)).count();
        let turn = turn.unwrap_or(if count(Side::First) > count(Side::Second) { Side::Second } else { Side::First });
        if !any && turn == Side::First {
            return Ok(None);
        }
        let sign = |stone: &Option<Side>| match stone {
            None => '.',
            Some(Side::First) => 'x',
            Some(Side::Second) => 'o',
        };
        let rows: Vec<String> = stones.chunks(size).rev().map(|row| row.iter().map(sign).collect()).collect();
        Ok(Some(format!("{} {}", rows.join("/"), if turn == Side::First { 'x' } else { 'o' })))
    }

    fn finish(&mut self) -> Result<Record, Fault> {
        let builder = self.partial.builder().ok_or_else(|| Fault::line(self.line, message!("there is no game here")))?;
        Ok(builder.finish(self.told, self.reason))
    }
}

/// True for properties that belong to a position, not to the game.
fn is_of_positions(name: &str) -> bool {
    matches!(name, "CR" | "LB" | "L" | "TR" | "SQ" | "MA" | "SL" | "AR" | "DM" | "UC" | "GB" | "GW" | "NAG")
}

/// Counts what our tree cannot hold.
fn leave_out(known: &mut Vec<(usize, &'static str)>, what: &'static str, count: usize) {
    match known.iter_mut().find(|(_, other)| *other == what) {
        Some((known, _)) => *known += count,
        None => known.push((count, what)),
    }
}

/// A text with normalised line ends.
fn lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace("\n\r", "\n").replace('\r', "\n")
}

/// Reads seconds with a fraction, in milliseconds.
fn seconds(text: &str) -> Option<u64> {
    let seconds: f64 = text.trim().parse().ok()?;
    (0.0..1e9).contains(&seconds).then(|| (seconds * 1000.0).round() as u64)
}

/// Reads a point, or all points of a rectangle `aa:cc`.
fn area(text: &str, size: u8) -> Vec<Point> {
    match text.split_once(':') {
        None => point(text.trim(), size).into_iter().collect(),
        Some((from, to)) => {
            let Some((a, b)) = point(from.trim(), size).zip(point(to.trim(), size)) else { return Vec::new() };
            let (x, y) = (a.x.min(b.x)..=a.x.max(b.x), a.y.min(b.y)..=a.y.max(b.y));
            y.flat_map(|y| x.clone().map(move |x| Point::new(x, y))).collect()
        }
    }
}

/// Reads a point in SGF's form, from the upper left, or as `h8`.
fn point(text: &str, size: u8) -> Option<Point> {
    let bytes = text.as_bytes();
    let letter = |byte: u8| byte.to_ascii_lowercase().checked_sub(b'a').filter(|n| *n < size);
    let x = letter(*bytes.first()?)?;
    let rank = bytes.get(1..)?;
    if let [one] = rank
        && one.is_ascii_alphabetic()
    {
        return Some(Point::new(x, size - 1 - letter(*one)?));
    }
    let rank: u8 = text.get(1..)?.parse().ok()?;
    (1..=size).contains(&rank).then(|| Point::new(x, rank - 1))
}
