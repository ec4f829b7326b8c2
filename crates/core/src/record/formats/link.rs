//! A game or a position in the fragment of an address: `https://HOST/PATH/#qiju=…`. A browser does not send the fragment to the host.
//!
//! The fragment is base64url of: a byte with the version; the length of the packed texts, seven bits a byte; the texts (players, result,
//! lines of the tree, notes) as MessagePack, deflated; the moves; the CRC-32 of all that. The moves are the digits of one large number,
//! each in base of the number of legal moves: so a move of xiangqi takes 5 bits. Part of the texts is a checksum of the position at the end of
//! the main line: a link whose moves would mean something else by other rules is refused.

use super::{Loss, Sink, of_reading};
use crate::message;
use crate::message::Message;
use crate::record::builder::Builder;
use crate::record::fault::Fault;
use crate::record::flat::{Line, Note, build, flatten};
use crate::record::letter::{self, Letter};
use crate::record::{Record, SeatSpec, Tags};
use crate::rules::{BySide, Outcome};
use crate::storage::crc32;
use crate::table::{Action, Glyph, Mark, Setup, Table, Tree};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};

/// The page that shows a link. `QIJU_PAGE` gives it when the program is built; an address for examples stands for a page that is not
/// published yet (RFC 2606).
pub const PAGE: &str = match option_env!("QIJU_PAGE") {
    Some(page) => page,
    None => "https://qiju.example/",
};
/// The beginning of the fragment.
const MARK: &str = "#qiju=";
/// The version of the format.
const VERSION: u8 = 1;
/// A link of a game with comments and variations has at most so many characters: chats and mail programs cut longer ones. More is left out.
const USUAL: usize = 2000;
/// A link of moves alone has at most so many characters after the mark. This is also the most that is read.
const LONGEST: usize = 8000;
/// The most moves in a link, variations included, to limit the work of reading one.
const MOST_MOVES: usize = 10_000;
/// The most bytes of the texts.
const MOST_TEXT: u64 = 256 << 10;

/// Everything in a link besides the moves.
#[derive(Serialize, Deserialize)]
struct Texts {
    game: String,
    setup: Setup,
    seats: BySide<SeatSpec>,
    tags: Tags,
    result: Option<Outcome>,
    /// The first is the main line.
    lines: Vec<Length>,
    notes: Vec<ShortNote>,
    /// The checksum of the position at the end of the main line.
    end: u16,
}

/// Where a line of the tree begins, and how long it is.
#[derive(Serialize, Deserialize)]
struct Length {
    /// The move after which it begins, numbered from 1 in the order of the lines; 0 is the start.
    after: u32,
    moves: u32,
}

/// The parts of a [`Note`] that a link keeps.
type ShortNote = (u32, String, Vec<Glyph>, Vec<Mark>);

/// What of a record goes into its link.
#[derive(Clone, Copy, Debug)]
struct Kept {
    marks_and_tags: bool,
    comments: bool,
    variations_and_glyphs: bool,
    names: bool,
}

/// From everything to the moves alone.
const LEVELS: [Kept; 5] = [
    Kept { marks_and_tags: true, comments: true, variations_and_glyphs: true, names: true },
    Kept { marks_and_tags: false, comments: true, variations_and_glyphs: true, names: true },
    Kept { marks_and_tags: false, comments: false, variations_and_glyphs: true, names: true },
    Kept { marks_and_tags: false, comments: false, variations_and_glyphs: false, names: true },
    Kept { marks_and_tags: false, comments: false, variations_and_glyphs: false, names: false },
];

/// True if the text is a link, or a list of links.
pub fn is_link(text: &str) -> bool {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    // In other formats a link may be in a comment or a tag.
    let before = line.and_then(|line| line.split_once(MARK)).map(|(before, _)| before);
    before.is_some_and(|before| !before.starts_with(['(', '[', '<']) && !before.contains('{') && !before.starts_with("# "))
}

/// The legal moves in the order of the format, which does not depend on how a game finds them.
fn legal(table: &dyn Table) -> Vec<Action> {
    let mut actions = table.actions();
    actions.sort_unstable_by_key(|action| match *action {
        Action::Drop(at) => (0, at.x, at.y, 0, 0),
        Action::Step { from, to } => (1, from.x, from.y, to.x, to.y),
        Action::Choose(choice) => (2, choice, 0, 0, 0),
        Action::Pass => (3, 0, 0, 0, 0),
    });
    actions
}

fn checksum_of(table: &dyn Table) -> u16 {
    crc32([table.position_text().as_bytes()]) as u16
}

/// Digits with a base of their own each, the first the last to be multiplied, as the bytes of one number, the lowest first.
fn packed(digits: &[(usize, usize)]) -> Vec<u8> {
    let mut number: Vec<u32> = Vec::new();
    for &(digit, base) in digits.iter().rev() {
        let mut carry = digit as u64;
        for limb in &mut number {
            let product = u64::from(*limb) * base as u64 + carry;
            *limb = product as u32;
            carry = product >> 32;
        }
        if carry > 0 {
            number.push(carry as u32);
        }
    }
    let mut bytes: Vec<u8> = number.into_iter().flat_map(u32::to_le_bytes).collect();
    bytes.truncate(bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1));
    bytes
}

/// The number that [`packed`] wrote, of which one digit after the other is taken.
struct Digits(Vec<u32>);

impl Digits {
    fn of(bytes: &[u8]) -> Digits {
        let limb = |part: &[u8]| part.iter().rev().fold(0, |limb, byte| limb << 8 | u32::from(*byte));
        Digits(bytes.chunks(4).map(limb).collect())
    }

    /// The next digit; below `base`.
    fn next(&mut self, base: usize) -> usize {
        let mut rest = 0;
        for limb in self.0.iter_mut().rev() {
            let part = rest << 32 | u64::from(*limb);
            *limb = (part / base as u64) as u32;
            rest = part % base as u64;
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        rest as usize
    }
}

/// Writes the game as a link on a line of its own.
pub(super) fn write(record: &Record) -> Result<(String, Loss), Message> {
    let mut shortest = 0;
    // A letter is whole or none.
    let levels = if record.tags.get(letter::TAG).is_some() { &LEVELS[..1] } else { &LEVELS[..] };
    for (level, &kept) in levels.iter().enumerate() {
        if kept.variations_and_glyphs && record.tree.len() > MOST_MOVES {
            continue;
        }
        let fragment = URL_SAFE_NO_PAD.encode(bytes_of(record, kept)?);
        let most = if level + 1 < levels.len() { USUAL } else { LONGEST };
        if fragment.len() <= most {
            return Ok((format!("{PAGE}{MARK}{fragment}\n"), loss(record, kept)));
        }
        shortest = fragment.len();
    }
    Err(message!("a link has at most {} characters; the moves of this game take {}", LONGEST, shortest))
}

fn loss(record: &Record, kept: Kept) -> Loss {
    let all = Loss::beside_the_main_line(record);
    let named = |seat: &&SeatSpec| matches!(seat, SeatSpec::External { .. });
    let names = [&record.seats.first, &record.seats.second].into_iter().filter(named).count();
    let unless = |kept: bool, count: usize| if kept { 0 } else { count };
    Loss {
        comments: unless(kept.comments, all.comments),
        variations: unless(kept.variations_and_glyphs, all.variations),
        glyphs: unless(kept.variations_and_glyphs, all.glyphs),
        marks: unless(kept.marks_and_tags, all.marks),
        tags: unless(kept.marks_and_tags, all.tags),
        names: unless(kept.names, names),
        ..all
    }
}

fn bytes_of(record: &Record, kept: Kept) -> Result<Vec<u8>, Message> {
    let tree = &record.tree;
    let mut texts = Texts {
        game: record.game.clone(),
        setup: record.setup.clone(),
        seats: record.seats.clone(),
        tags: if kept.marks_and_tags { record.tags.clone() } else { Tags::default() },
        result: record.result,
        lines: Vec::new(),
        notes: Vec::new(),
        end: 0,
    };
    if !kept.names {
        let unnamed = |seat: &SeatSpec| if matches!(seat, SeatSpec::External { .. }) { SeatSpec::Human } else { seat.clone() };
        texts.seats = BySide::new(unnamed(&texts.seats.first), unnamed(&texts.seats.second));
    }
    if tree.main_line().len() > MOST_MOVES {
        return Err(message!("a link holds at most {} moves", MOST_MOVES));
    }
    let (mut digits, mut illegal) = (Vec::new(), false);
    let wanted = if kept.variations_and_glyphs { usize::MAX } else { 1 };
    let (lines, nodes) = flatten(record, wanted, |table, action| {
        let legal = legal(table);
        let index = legal.iter().position(|other| *other == action);
        illegal |= index.is_none();
        digits.push((index?, legal.len()));
        Some(())
    })?;
    if illegal {
        return Err(message!("a move is not legal"));
    }
    let lines = lines.into_iter().filter(|line| !line.moves.is_empty());
    texts.lines = lines.map(|line| Length { after: line.after, moves: line.moves.len() as u32 }).collect();
    for (number, id) in nodes.into_iter().enumerate() {
        let notes = tree.notes(id);
        let comment = if kept.comments { notes.comment.to_owned() } else { String::new() };
        let glyphs = if kept.variations_and_glyphs { notes.glyphs.to_vec() } else { Vec::new() };
        let marks = if kept.marks_and_tags { notes.marks.to_vec() } else { Vec::new() };
        if !(comment.is_empty() && glyphs.is_empty() && marks.is_empty()) {
            texts.notes.push((number as u32, comment, glyphs, marks));
        }
    }
    texts.end = checksum_of(&*record.replay().map_err(|(_, why)| why)?);

    let texts = rmp_serde::to_vec(&texts).map_err(|error| message!("the link cannot be written: {}", error.to_string()))?;
    let mut deflated = DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    let deflated = deflated.write_all(&texts).and_then(|()| deflated.finish())?;
    let mut bytes = vec![VERSION];
    let mut length = deflated.len();
    while length >= 0x80 {
        bytes.push(length as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
    bytes.extend(deflated);
    bytes.extend(packed(&digits));
    let sum = crc32([&bytes[..]]);
    bytes.extend(sum.to_le_bytes());
    Ok(bytes)
}

/// Reads the links of a text.
pub(super) fn read(text: &str, sink: &mut Sink) {
    for (at, mark) in text.match_indices(MARK) {
        let fragment = &text[at + mark.len()..];
        let end = fragment.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))).unwrap_or(fragment.len());
        let line = text[..at].matches('\n').count() + 1;
        if !sink(of_reading(|_| game_of(&fragment[..end]).map_err(|why| Fault::line(line, why)))) {
            return;
        }
    }
}

/// The game of a link, which is given from behind the mark.
fn game_of(fragment: &str) -> Result<Record, Message> {
    let damaged = || message!("the link is not complete, or was changed");
    if fragment.len() > LONGEST {
        return Err(message!("the link has {} characters; there are at most {}", fragment.len(), LONGEST));
    }
    let bytes = URL_SAFE_NO_PAD.decode(fragment).map_err(|_| damaged())?;
    let (bytes, sum) = bytes.split_last_chunk().ok_or_else(damaged)?;
    if crc32([bytes]) != u32::from_le_bytes(*sum) {
        return Err(damaged());
    }
    match bytes.first() {
        Some(&VERSION) => {}
        Some(version) => return Err(message!("the link has format {}; this version of Qiju reads format {}", version, VERSION)),
        None => return Err(damaged()),
    }
    let (mut length, mut at) = (0usize, 1);
    loop {
        let byte = *bytes.get(at).filter(|_| at < 4).ok_or_else(damaged)?;
        length |= usize::from(byte & 0x7F) << (7 * (at - 1));
        at += 1;
        if byte < 0x80 {
            break;
        }
    }
    let (deflated, moves) = bytes[at..].split_at_checked(length).ok_or_else(damaged)?;
    let mut texts = Vec::new();
    DeflateDecoder::new(deflated).take(MOST_TEXT).read_to_end(&mut texts).map_err(|_| damaged())?;
    let texts: Texts = rmp_serde::from_slice(&texts).map_err(|_| damaged())?;
    // They would stand in messages.
    if [Some(&texts.game), texts.setup.variant.as_ref()].into_iter().flatten().any(|text| text.contains(char::is_control)) {
        return Err(damaged());
    }
    let record = record_of(texts, Digits::of(moves))?;
    // What says that it is a letter must be one.
    Letter::of(&record)?;
    Ok(record)
}

fn record_of(texts: Texts, mut digits: Digits) -> Result<Record, Message> {
    if texts.lines.iter().map(|line| u64::from(line.moves)).sum::<u64>() > MOST_MOVES as u64 {
        return Err(message!("a link holds at most {} moves", MOST_MOVES));
    }
    let mut builder = Builder::new(&texts.game, texts.setup)?;
    builder.record.seats = texts.seats;
    builder.record.tags = texts.tags;
    let lines = texts.lines.into_iter().map(|Length { after, moves }| Line { after, moves: vec![(); moves as usize] });
    let play = |builder: &mut Builder, ()| {
        let legal = legal(builder.table());
        if legal.is_empty() {
            return Err(message!("the game is over"));
        }
        builder.play(legal[digits.next(legal.len())])
    };
    let nodes = build(&mut builder, lines, play).map_err(|(_, number, why)| message!("move {}: {}", number, why))?;
    for (at, comment, glyphs, marks) in texts.notes {
        builder.go(*nodes.get(at as usize).ok_or(message!("the link is damaged"))?);
        builder.annotate(Note { comment, glyphs, marks, ..Note::default() });
    }
    builder.go(builder.tree().end_of_line(Tree::ROOT));
    if !digits.0.is_empty() || checksum_of(builder.table()) != texts.end {
        return Err(message!("the moves of the link mean something else by the rules of this version of Qiju"));
    }
    Ok(Record { result: texts.result, ..builder.finish(None, None) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use crate::record::{Format, Writer, recognise};
    use crate::table::Origin;

    fn link_of(record: &Record) -> (String, Option<String>) {
        let (mut writer, mut out) = (Writer::new(Format::Link, None, false).unwrap(), Vec::new());
        writer.add(record, &mut out).unwrap();
        let lost = writer.finish(&mut out).map(|lost| lost.to_string());
        (String::from_utf8(out).unwrap().trim_end().to_owned(), lost)
    }

    fn opened(text: &str) -> Result<Record, Message> {
        recognise(text.as_bytes()).and_then(|reading| reading.all()).map(|mut all| all.remove(0)).map_err(Message::from)
    }

    /// A random game of so many plies, or as long as it goes.
    fn random_game(game: &str, variant: Option<&str>, plies: usize, seed: u64) -> Record {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut record = Record::new(game, Setup { variant: variant.map(str::to_owned), position: None });
        let mut table = record.table().unwrap();
        let mut at = Tree::ROOT;
        while record.tree.len() <= plies {
            let Some(action) = random.choice(table.actions()) else { break };
            table.play(action).unwrap();
            at = record.tree.add(at, action, Origin::Main);
        }
        record
    }

    #[test]
    fn digits_come_back_and_nothing_is_left() {
        let mut random = fastrand::Rng::with_seed(1);
        for length in 0..200 {
            let digits: Vec<(usize, usize)> = (0..length)
                .map(|_| {
                    let base = random.usize(1..400);
                    (random.usize(..base), base)
                })
                .collect();
            let mut number = Digits::of(&packed(&digits));
            for &(digit, base) in &digits {
                assert_eq!(number.next(base), digit);
            }
            assert!(number.0.is_empty());
        }
    }

    #[test]
    fn long_games_have_short_links() {
        for (game, variant) in [("xiangqi", None), ("gomoku", Some("freestyle:20")), ("two-eat-one", None)] {
            // Random games may end early; the longest of some.
            let games = (0..30).map(|seed| random_game(game, variant, 200, seed));
            let record = games.max_by_key(Record::plies).unwrap();
            let (link, lost) = link_of(&record);
            assert!(record.plies() >= 60 && link.len() < 420, "{game}: {} plies, {} characters", record.plies(), link.len());
            assert_eq!(lost, None);
            assert_eq!(opened(&link), Ok(record), "{game}");
        }
    }

    #[test]
    fn what_does_not_fit_is_left_out_and_told() {
        let mut record = random_game("xiangqi", None, 100, 3);
        let mut random = fastrand::Rng::with_seed(3);
        let mut noise = |length: usize| -> String { (0..length).map(|_| random.alphanumeric()).collect() };
        let first = record.tree.main_line()[0];
        let table = record.table().unwrap();
        let other = table.actions().into_iter().find(|action| record.tree.node(first).action() != Some(*action)).unwrap();
        let variation = record.tree.add(Tree::ROOT, other, Origin::Variation);
        record.tree.set_comment(variation, "short");
        record.tree.set_time(first, Some(900));
        record.tags.set("Event", "here");
        let (link, lost) = link_of(&record);
        assert!(link.len() < USUAL);
        assert_eq!(lost.as_deref(), Some("1 time is left out: link cannot hold it"));
        let back = opened(&link).unwrap();
        assert_eq!((&back.tags, back.tree.variations()), (&record.tags, 1));
        assert_eq!(back.tree.notes(back.tree.child_with(Tree::ROOT, other).unwrap()).comment, "short");

        record.tags.set("Annotator", noise(3000));
        assert_eq!(link_of(&record).1.as_deref(), Some("1 time, 2 tags are left out: link cannot hold them"));
        record.tree.set_comment(variation, &noise(3000));
        let (link, lost) = link_of(&record);
        assert_eq!(lost.as_deref(), Some("1 comment, 1 time, 2 tags are left out: link cannot hold them"));
        assert_eq!(opened(&link).unwrap().tree.variations(), 1);
        record.seats.first = SeatSpec::External { name: noise(9000) };
        let (link, lost) = link_of(&record);
        assert!(lost.unwrap().contains("1 player's name"));
        assert_eq!(opened(&link).unwrap().main_actions(), record.main_actions());
    }

    #[test]
    fn a_link_is_found_in_its_surroundings() {
        let record = random_game("gomoku", Some("renju:15"), 9, 5);
        let link = link_of(&record).0;
        let fragment = &link[link.find('#').unwrap()..];
        let texts = [
            format!("  {link}  "),
            format!("See {link}."),
            format!("http://127.0.0.1:8000/any/path/?lang=zh{fragment}"),
            fragment.to_owned(),
            format!("{link}\n{link}\n"),
        ];
        for text in texts {
            assert_eq!(opened(&text).as_ref(), Ok(&record), "{text}");
        }
        // Inside another format it is a part of a comment.
        let pgn = format!("[Event \"e\"]\n\n1. h2e2 {{{link}}} *\n");
        assert_eq!(opened(&pgn).unwrap().game, "xiangqi");
    }

    #[test]
    fn bad_links_have_one_error_with_its_place() {
        let link = link_of(&random_game("xiangqi", None, 30, 8)).0;
        let of_bytes = |mut bytes: Vec<u8>| {
            let sum = crc32([&bytes[..]]);
            bytes.extend(sum.to_le_bytes());
            format!("{MARK}{}", URL_SAFE_NO_PAD.encode(bytes))
        };
        let game = games::find("tic-tac-toe").unwrap().key;
        let texts = |lines: Vec<Length>, end| Texts {
            game: game.to_owned(),
            setup: Setup::default(),
            seats: BySide::default(),
            tags: Tags::default(),
            result: None,
            lines,
            notes: Vec::new(),
            end,
        };
        let of_texts = |texts: Texts, moves: &[u8]| {
            let mut deflated = DeflateEncoder::new(Vec::new(), flate2::Compression::best());
            deflated.write_all(&rmp_serde::to_vec(&texts).unwrap()).unwrap();
            let deflated = deflated.finish().unwrap();
            of_bytes([&[VERSION, deflated.len() as u8], &deflated[..], moves].concat())
        };
        let line = |moves| vec![Length { after: 0, moves }];
        let cases = [
            (link[..link.len() - 1].to_owned(), "text:1: the link is not complete, or was changed"),
            (format!("\n\n{MARK}"), "text:3: the link is not complete, or was changed"),
            (format!("{MARK}{}", "A".repeat(LONGEST + 1)), "text:1: the link has 8001 characters; there are at most 8000"),
            (of_bytes(vec![VERSION + 1, 0]), "text:1: the link has format 2; this version of Qiju reads format 1"),
            (of_bytes(vec![VERSION, 0xFF, 0xFF, 0xFF, 0xFF]), "text:1: the link is not complete, or was changed"),
            (of_texts(texts(line(2), 0), &[1]), "text:1: the moves of the link mean something else"),
            (of_texts(texts(line(10), 0), &[1]), "text:1: move "),
            (of_texts(texts(line(u32::MAX), 0), &[1]), "text:1: a link holds at most 10000 moves"),
            (of_texts(texts(vec![Length { after: 1, moves: 1 }], 0), &[1]), "text:1: move 1: there is no move 1"),
            (of_texts(Texts { game: "chess".to_owned(), ..texts(line(0), 0) }, &[]), "text:1: there is no game 'chess'"),
        ];
        for (text, expected) in cases {
            let error = opened(&text).unwrap_err().to_string();
            assert!(error.starts_with(expected) && !error.contains('\n'), "{error:?}, not {expected:?}");
        }
        // No change of a single character is read as another game.
        let at = link.find(MARK).unwrap() + MARK.len();
        for index in at..link.len() {
            let changed = if &link[index..=index] == "A" { "B" } else { "A" };
            assert!(opened(&format!("{}{changed}{}", &link[..index], &link[index + 1..])).is_err(), "{index}");
        }
    }
}
