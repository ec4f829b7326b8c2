//! A letter: the link to a match of two people who send links to each other. It carries the whole match, the match's number, and which seat
//! its reader has. What is more than a record stands in one of the record's tags, so that a letter is a record wherever one is read.
//!
//! Nothing of a letter is believed: it is checked when it is read ([`Letter::of`]), and then compared with the match it belongs to
//! ([`Letter::against`]). Its sender can only add moves of their own seat, and resign only for themselves.
//!
//! A letter may also be written to those who look on: it tells the match as one of the players knows it, and nobody can answer it.

use super::accord::{Accord, Told};
use super::formats::{Format, Writer};
use super::{Record, SeatSpec, recognise};
use crate::games;
use crate::message;
use crate::message::Message;
use crate::rules::{BySide, Outcome, Reason, Side};
use crate::table::{Action, Clock, Setup, Table, TimeControl};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::time::Duration;

/// The tag.
pub(super) const TAG: &str = "Letter";
/// The tag with the number of those who look on. It is one of its own, which earlier programs pass over.
const WATCHERS: &str = "LetterWatchers";
/// The largest number that it tells.
pub const MOST_WATCHERS: u8 = 99;
/// The versions of the tag. The second has a clock for each side, which earlier programs do not know.
const VERSIONS: [&str; 2] = ["1", "2"];
/// The longest name of a player, in characters.
const LONGEST_NAME: usize = 40;

/// A letter.
#[derive(Clone, Debug, PartialEq)]
pub struct Letter {
    /// The number of the match, the same on both sides.
    pub number: u64,
    /// The seat of the one who reads it; the other one has written it.
    pub reader: Side,
    /// The writer offers a draw.
    pub draw: bool,
    /// The writer knows that the match is over, even if only the reader may say why: by the reader's resignation, for one.
    pub over: bool,
    /// Where the letters of the match go by themselves, if they do.
    pub post: Option<Invitation>,
    /// Where the match can be watched, if the letter is written to those who look on.
    pub watch: Option<Invitation>,
    /// What the writer says beside the match, and when, in seconds since 1970.
    pub says: Option<(u64, Phrase)>,
    /// So many look on, as far as the writer knows: to a friend those at the writer's link, to those who look on all of them.
    pub watchers: u8,
    /// What the players agree on beside their moves.
    pub told: Told,
    /// The time controls of the match.
    pub control: BySide<TimeControl>,
    /// If the time of a side is limited, the time of each move, in milliseconds. Only those of the writer's moves are believed.
    pub times: Vec<u64>,
    /// The match: its start, its moves and names, and its result if it is over.
    pub record: Record,
}

/// One of the few things that players say to each other. A letter carries no other text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phrase {
    /// Before the match.
    Hello,
    /// About the friend's move.
    GoodMove,
    /// The player must go away for a short time.
    Moment,
    /// The player is back.
    Back,
    /// The friend may take their time.
    NoHurry,
    /// After the match.
    Thanks,
}

impl Phrase {
    /// All there are, in the order of a menu.
    pub const ALL: [Phrase; 6] = [Phrase::Hello, Phrase::GoodMove, Phrase::Moment, Phrase::Back, Phrase::NoHurry, Phrase::Thanks];

    /// Its name in letters.
    pub fn key(self) -> &'static str {
        match self {
            Phrase::Hello => "hello",
            Phrase::GoodMove => "good-move",
            Phrase::Moment => "moment",
            Phrase::Back => "back",
            Phrase::NoHurry => "no-hurry",
            Phrase::Thanks => "thanks",
        }
    }
}

/// What is known of the friend's place at the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Presence {
    /// While the friend is at the board: how long a message takes there and back.
    pub delay: Option<Duration>,
    /// When the friend was there last, in seconds since 1970, as far as it is known.
    pub last: Option<i64>,
}

/// What a reader needs so that letters go by themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// The address of the broker.
    pub at: String,
    /// In the alphabet of links: the writer's public key for a friend who plays, the key that opens what they are shown for those who look on.
    pub key: String,
}

/// Stands for the times before the first move.
const NO_TIMES: &str = "-";

/// The times of moves as they are written.
fn times_of(text: &str) -> Option<Vec<u64>> {
    let plain = |one: &&str| one.bytes().all(|byte| byte.is_ascii_digit());
    if text == NO_TIMES {
        return Some(Vec::new());
    }
    text.split(',').map(|one| Some(one).filter(plain)?.parse::<u32>().ok().map(u64::from)).collect()
}

/// True for an end that the one who lost tells: what the other one says about it is not believed.
pub fn is_told_by_loser(reason: Reason) -> bool {
    matches!(reason, Reason::Resignation | Reason::Time)
}

/// The keys of a friend who plays and of those who look on, in bytes.
const PLAYS: usize = 32;
const WATCHES: usize = 64;
/// The longest address of a broker, in bytes.
const LONGEST_ADDRESS: usize = 200;

impl Invitation {
    /// `None` if these cannot be the parts of one, with a key of so many bytes.
    fn of(at: &str, key: &str, length: usize) -> Option<Invitation> {
        let plain = !at.is_empty() && at.len() <= LONGEST_ADDRESS && at.bytes().all(|byte| byte.is_ascii_graphic());
        let whole = URL_SAFE_NO_PAD.decode(key).is_ok_and(|bytes| bytes.len() == length);
        (plain && whole).then(|| Invitation { at: at.to_owned(), key: key.to_owned() })
    }
}

/// How a letter stands to the match of its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It has the same moves.
    Same,
    /// It has the first of the same moves, so many.
    Older(usize),
    /// It goes on with these moves of its writer.
    Newer(Vec<Action>),
    /// It begins from another start.
    OtherStart,
    /// It has another move after so many, or goes on with moves of the reader's that were not played.
    OtherMove(usize),
}

impl Letter {
    /// The letter of a record; `None` if it is none.
    ///
    /// # Errors
    /// It says that it is one, but it cannot be one.
    pub fn of(record: &Record) -> Result<Option<Letter>, Message> {
        let Some(tag) = record.tags.get(TAG) else { return Ok(None) };
        let words: Vec<&str> = tag.split(' ').collect();
        if !VERSIONS.contains(&words[0]) {
            return Err(message!(
                "the letter has format {}; this version of Qiju reads format {}",
                words[0].escape_debug().to_string(),
                VERSIONS[1]
            ));
        }
        let bad = || message!("'{}' does not say which letter it is", tag.escape_debug().to_string());
        let [number, reader, ref rest @ ..] = words[1..] else { return Err(bad()) };
        let (mut draw, mut over, mut post, mut watch) = (false, false, None, None);
        let (mut control, mut times, mut says) = (BySide::default(), Vec::new(), None);
        let mut told = Told::default();
        let mut rest = rest.iter().copied();
        while let Some(word) = rest.next() {
            match word {
                "draw" if !draw => draw = true,
                "over" if !over => over = true,
                "at" if post.is_none() => {
                    let (Some(at), Some(key)) = (rest.next(), rest.next()) else { return Err(bad()) };
                    post = Some(Invitation::of(at, key, PLAYS).ok_or_else(bad)?);
                }
                "watch" if watch.is_none() => {
                    let (Some(at), Some(key)) = (rest.next(), rest.next()) else { return Err(bad()) };
                    watch = Some(Invitation::of(at, key, WATCHES).ok_or_else(bad)?);
                }
                "says" if says.is_none() => {
                    let (Some(at), Some(key)) = (rest.next(), rest.next()) else { return Err(bad()) };
                    let at = at.parse().ok().filter(|number: &u64| number.to_string() == at).ok_or_else(bad)?;
                    says = Some((at, Phrase::ALL.into_iter().find(|phrase| phrase.key() == key).ok_or_else(bad)?));
                }
                "clock" if !control.is_limited() => {
                    let (Some(told), Some(used)) = (rest.next(), rest.next()) else { return Err(bad()) };
                    control = BySide::read(told).map_err(|_| bad())?;
                    times = times_of(used).ok_or_else(bad)?;
                }
                word if told.read(word, &mut rest) => {}
                _ => return Err(bad()),
            }
        }
        // Who only looks on is neither invited to play nor asked for anything.
        let answered = draw || post.is_some() || says.is_some() || told.asks.is_some() || told.declines.is_some();
        if watch.is_some() && answered {
            return Err(bad());
        }
        let watchers = match record.tags.get(WATCHERS) {
            None => 0,
            Some(text) => {
                let known = |number: &u8| (1..=MOST_WATCHERS).contains(number) && number.to_string() == text;
                let why = || message!("'{}' is no number of those who watch", text.escape_debug().to_string());
                text.parse().ok().filter(known).ok_or_else(why)?
            }
        };
        let of_hex = |text: &str| u64::from_str_radix(text, 16).ok().filter(|number| name_of(*number) == text);
        let number = of_hex(number).ok_or_else(bad)?;
        let reader = Side::BOTH.into_iter().find(|side| side.key() == reader).ok_or_else(bad)?;
        let record = record.clone();
        let mut letter = Letter { number, reader, draw, over, post, watch, says, watchers, told, control, times, record };
        letter.record.tags = Default::default();
        letter.check()?;
        for side in Side::BOTH {
            letter.record.seats[side] = match letter.record.seats[side].name() {
                Some(name) => SeatSpec::External { name: short_name(name) },
                None => SeatSpec::Human,
            };
        }
        Ok(Some(letter))
    }

    /// The letter in a text, which is a link or a record; `None` if there is none that can be read.
    pub fn in_text(text: &str) -> Option<Letter> {
        let record = recognise(text.as_bytes()).and_then(|reading| reading.all()).ok()?.into_iter().next()?;
        Letter::of(&record).ok()?
    }

    /// Checks everything but the tag. Moves are legal by the rules of a match, where nothing follows the end of the game.
    fn check(&self) -> Result<(), Message> {
        let record = &self.record;
        if record.tree.is_annotated() {
            return Err(message!("a letter has only the moves of its match"));
        }
        if Side::BOTH.into_iter().any(|side| matches!(record.seats[side], SeatSpec::Computer { .. })) {
            return Err(message!("a letter is of two people"));
        }
        let (table, keeps_time) = self.replayed()?;
        let agrees = games::find(&record.game)?.sheet().is_ok_and(|sheet| sheet.draws_by_agreement);
        // Those who look on believe whoever shows them the match.
        let by_loser = |winner: Side| self.watch.is_some() || winner == side_of(&*table, self.reader);
        let fits = match (record.result, table.outcome()) {
            (result, Some(by_the_rules)) => result == Some(by_the_rules) && !self.draw,
            (None, None) => !self.draw || agrees,
            (Some(Outcome { winner: Some(winner), reason: Reason::Resignation }), None) => by_loser(winner) && !self.draw,
            (Some(Outcome { winner: Some(winner), reason: Reason::Time }), None) => {
                let late = table.seat_to_move();
                let clocked = self.control[late] != TimeControl::Unlimited && winner == side_of(&*table, !late);
                by_loser(winner) && !self.draw && clocked
            }
            (Some(Outcome { winner: None, reason: Reason::Agreement }), None) => agrees && !self.draw,
            (Some(_), None) => false,
        };
        if !fits {
            return Err(message!("the letter tells an end that its match cannot have"));
        }
        if !self.told.fits(record.plies(), self.control.is_limited()) {
            return Err(message!("the letter asks for what its match cannot have"));
        }
        if !keeps_time {
            return Err(message!("the letter tells times that its clock does not allow"));
        }
        Ok(())
    }

    /// The table after the moves of the letter.
    ///
    /// # Errors
    /// A move is not legal.
    pub fn table(&self) -> Result<Box<dyn Table>, Message> {
        Ok(self.replayed()?.0)
    }

    /// The same, and whether each move has a time if there is a clock, and nobody has used more time than they had.
    fn replayed(&self) -> Result<(Box<dyn Table>, bool), Message> {
        let mut table = games::find(&self.record.game)?.table(&self.record.setup)?;
        let moves = self.record.main_actions();
        let timed = if self.control.is_limited() { moves.len() } else { 0 };
        let mut keeps_time = self.control == self.control.sane() && self.times.len() == timed;
        let mut clock = Clock::new(self.control);
        for (index, action) in moves.into_iter().enumerate() {
            let mover = table.seat_to_move();
            table.play(action).map_err(|error| message!("move {}: {}", index + 1, error))?;
            keeps_time = keeps_time && !clock.spend(mover, self.time(index).unwrap_or_default());
            clock.moved(mover);
        }
        Ok((table, keeps_time))
    }

    /// How its writer has lost, if only they can say so: by resignation, or because their time has run out.
    pub fn gives_up(&self) -> Option<Reason> {
        self.record.result.map(|outcome| outcome.reason).filter(|reason| is_told_by_loser(*reason))
    }

    /// The time of a move, counted from 0, if there is a clock.
    pub fn time(&self, ply: usize) -> Option<Duration> {
        self.times.get(ply).copied().map(Duration::from_millis)
    }

    /// True if its writer agrees to a draw.
    pub fn agrees(&self) -> bool {
        self.record.result == Some(Outcome::draw(Reason::Agreement))
    }

    /// The name of its writer, if they have one.
    pub fn writer(&self) -> Option<&str> {
        self.record.seats[!self.reader].name()
    }

    /// The letter as a link, on one line.
    ///
    /// # Errors
    /// It is too long for a link.
    pub fn link(&self) -> Result<String, Message> {
        let mut record = self.record.clone();
        let draw = if self.draw { " draw" } else { "" };
        let over = if self.over { " over" } else { "" };
        let post = self.post.as_ref().map_or_else(String::new, |post| format!(" at {} {}", post.at, post.key));
        let watch = self.watch.as_ref().map_or_else(String::new, |watch| format!(" watch {} {}", watch.at, watch.key));
        record.tags = Default::default();
        let says = self.says.map_or_else(String::new, |(at, phrase)| format!(" says {at} {}", phrase.key()));
        let (clock, told) = (self.clock_text(), self.told.words());
        let version = VERSIONS[usize::from(self.control.differ())];
        record.tags.set(
            TAG,
            format!("{version} {} {}{draw}{over}{post}{watch}{says}{told}{clock}", name_of(self.number), self.reader.key()),
        );
        if self.watchers > 0 {
            record.tags.set(WATCHERS, self.watchers.to_string());
        }
        for side in Side::BOTH {
            if let SeatSpec::External { name } = &mut record.seats[side] {
                *name = short_name(name);
            }
        }
        let (mut writer, mut bytes) = (Writer::new(Format::Link, None, false)?, Vec::new());
        writer.add(&record, &mut bytes)?;
        writer.finish(&mut bytes);
        Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
    }

    /// The words about the clock: the time controls, and the times joined by commas.
    fn clock_text(&self) -> String {
        if !self.control.is_limited() {
            return String::new();
        }
        let control = self.control.written().unwrap_or_default();
        let times: Vec<String> = self.times.iter().map(u64::to_string).collect();
        format!(" clock {control} {}", if times.is_empty() { NO_TIMES.to_owned() } else { times.join(",") })
    }

    /// How it stands to the match of its number, with this start and these moves.
    pub fn against(&self, game: &str, setup: &Setup, played: &[Action]) -> Standing {
        if self.record.game != game || !same_start(game, setup, &self.record.setup) {
            return Standing::OtherStart;
        }
        let own = self.record.main_actions();
        let same = played.iter().zip(&own).take_while(|(one, other)| one == other).count();
        match (same == played.len(), same == own.len()) {
            (true, true) => Standing::Same,
            (false, true) => Standing::Older(same),
            (false, false) => Standing::OtherMove(same),
            (true, false) if self.writer_moves_after(same) => Standing::Newer(own[same..].to_vec()),
            (true, false) => Standing::OtherMove(same),
        }
    }

    /// How it stands to a match that is watched: the first so many moves of that are left, and those of the letter after them are new. `None` if the
    /// letter is older than what was shown before, or is of another match.
    pub fn shows(&self, game: &str, setup: &Setup, played: &[Action], accord: &Accord) -> Option<usize> {
        if self.record.game != game || !same_start(game, setup, &self.record.setup) {
            return None;
        }
        let same = played.iter().zip(self.record.main_actions()).take_while(|(one, other)| **one == *other).count();
        match self.told.backs.cmp(&accord.told(self.reader).backs) {
            Ordering::Less => None,
            Ordering::Equal if same < played.len() => None,
            _ => Some(same),
        }
    }

    /// True if all moves after so many are those of the writer's seat.
    fn writer_moves_after(&self, same: usize) -> bool {
        let Ok(mut table) =
            games::find(&self.record.game).map_err(Message::from).and_then(|game| Ok(game.table(&self.record.setup)?))
        else {
            return false;
        };
        self.record.main_actions().into_iter().enumerate().all(|(index, action)| {
            let mover = table.seat_to_move();
            table.play(action).is_ok() && (index < same || mover == !self.reader)
        })
    }
}

/// Starts are the same if their variants and positions are, however they are written.
fn same_start(game: &str, one: &Setup, other: &Setup) -> bool {
    let start = |setup: &Setup| {
        let table = games::find(game).ok()?.table(setup).ok()?;
        Some((table.setup().variant.clone(), table.position_text(), table.ply()))
    };
    one == other || start(one).is_some_and(|one| start(other) == Some(one))
}

/// The side of a seat, as far as it is decided.
fn side_of(table: &dyn Table, seat: Side) -> Side {
    table.seat_of(seat).unwrap_or(seat)
}

/// The number of a match as it is written.
pub fn name_of(number: u64) -> String {
    format!("{number:016x}")
}

/// A name without what is not to be seen, and not too long.
pub fn short_name(name: &str) -> String {
    let seen = name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME);
    seen.collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::accord::{Agreement, Asked, Wish};
    use crate::storage::crc32;
    use crate::table::{Origin, Tree};

    const GAMES: [(&str, Option<&str>); 5] = [
        ("xiangqi", None),
        ("gomoku", Some("renju:15")),
        ("gomoku", Some("freestyle:15+swap2")),
        ("two-eat-one", None),
        ("tic-tac-toe", None),
    ];

    /// The letters of a random match of at most so many moves, one after each move.
    fn letters(game: &str, variant: Option<&str>, plies: usize, seed: u64) -> Vec<Letter> {
        let mut random = fastrand::Rng::with_seed(seed);
        let setup = Setup { variant: variant.map(str::to_owned), position: None };
        let mut record = Record::new(game, setup);
        record.seats.first = SeatSpec::External { name: "王 伟".to_owned() };
        let mut table = games::find(game).unwrap().table(&record.setup).unwrap();
        let (mut at, mut all, mut times) = (Tree::ROOT, Vec::new(), Vec::new());
        while all.len() < plies {
            let Some(action) = random.choice(table.actions()) else { break };
            let reader = !table.seat_to_move();
            table.play(action).unwrap();
            at = record.tree.add(at, action, Origin::Main);
            record.result = table.outcome();
            let over = record.result.is_some();
            let post = seed
                .is_multiple_of(2)
                .then(|| Invitation { at: "wss://broker.example:8084/mqtt".to_owned(), key: "A".repeat(43) });
            // As long as its clock allows.
            let (short, long) = (TimeControl::Increment { main: 60, add: 5 }, TimeControl::Sudden { main: 3600 });
            let control = match seed {
                1 => BySide::equal(short),
                4 => BySide::new(long, short),
                6 => BySide::new(short, TimeControl::Unlimited),
                _ => BySide::default(),
            };
            times.extend(control.is_limited().then(|| random.u64(..5000)));
            let (record, times) = (record.clone(), times.clone());
            let says = random.bool().then(|| (random.u64(..), random.choice(Phrase::ALL).unwrap()));
            let at = all.len() + 1;
            let told = Told {
                backs: random.u32(..3),
                pauses: if control.is_limited() { 2 * random.u32(..3) } else { 0 },
                asks: match random.u8(..3) {
                    0 => Some(Asked { at, wish: Wish::Back(at - 1) }),
                    1 if control.is_limited() => Some(Asked { at, wish: Wish::Pause }),
                    _ => None,
                },
                declines: random.bool().then(|| random.usize(..99)),
            };
            let number = 7 << 60 | seed;
            let watchers = random.u8(..3);
            all.push(Letter {
                number,
                reader,
                draw: false,
                over,
                post,
                watch: None,
                says,
                watchers,
                told,
                control,
                times,
                record,
            });
        }
        all
    }

    fn opened(link: &str) -> Result<Option<Letter>, Message> {
        let record = recognise(link.as_bytes()).and_then(|reading| reading.all()).map_err(Message::from)?.remove(0);
        Letter::of(&record)
    }

    #[test]
    fn a_match_of_every_game_goes_to_and_fro() {
        for (game, variant) in GAMES {
            let mut letters = letters(game, variant, 60, 3);
            letters[0].post = Some(Invitation { at: "ws://192.168.1.5:4567".to_owned(), key: "k-_9".repeat(10) + "AAA" });
            let played = letters.last().unwrap().record.main_actions();
            for (index, letter) in letters.iter().enumerate() {
                let link = letter.link().unwrap();
                assert!(link.len() < 420, "{game}: {} characters", link.len());
                let read = opened(&link).unwrap().unwrap();
                assert_eq!(read, *letter, "{game}");
                let standing = |count: usize| read.against(game, &letter.record.setup, &played[..count]);
                assert_eq!(standing(index + 1), Standing::Same);
                assert_eq!(standing(index), Standing::Newer(vec![played[index]]));
                if index + 2 <= played.len() {
                    assert_eq!(standing(index + 2), Standing::Older(index + 1));
                }
                // The reader's own move before it was not played here: the letter cannot play it.
                if index > 0 && letters[index - 1].reader != letter.reader {
                    assert_eq!(standing(index - 1), Standing::OtherMove(index - 1));
                }
                assert_eq!(read.against("chess", &letter.record.setup, &played), Standing::OtherStart);
            }
        }
    }

    /// Each side may have a clock of its own; only letters of such matches have the second version.
    #[test]
    fn letters_carry_the_clock_of_each_side() {
        for (seed, version) in [(1, "1 "), (4, "2 "), (6, "2 ")] {
            for letter in letters("gomoku", None, 12, seed) {
                let link = letter.link().unwrap();
                assert_eq!(opened(&link).unwrap().as_ref(), Some(&letter));
                let record = recognise(link.as_bytes()).and_then(|reading| reading.all()).unwrap().remove(0);
                assert!(record.tags.get(TAG).is_some_and(|tag| tag.starts_with(version)));
            }
        }
        // Nobody is late without a clock, even if the other side has one.
        let watch = Some(Invitation { at: "ws://x".to_owned(), key: "A".repeat(86) });
        for (plies, late, clocked) in [(12, Side::First, true), (11, Side::Second, false)] {
            let letter = letters("gomoku", None, plies, 6).pop().unwrap();
            let mut over = Letter { post: None, says: None, told: Told::default(), watch: watch.clone(), ..letter };
            over.record.result = Some(Outcome::win(!late, Reason::Time));
            assert_eq!(opened(&over.link().unwrap()).is_ok(), clocked);
        }
    }

    #[test]
    fn a_letter_that_cannot_be_one_is_refused() {
        let letter = letters("xiangqi", None, 5, 1).pop().unwrap();
        let told = |change: &dyn Fn(&mut Record)| {
            let mut record = letter.record.clone();
            record.tags.set(TAG, format!("1 000000000000000a {}", letter.reader.key()));
            change(&mut record);
            Letter::of(&record).err().map(|why| why.to_string())
        };
        let tag = |tag: &str| told(&|record: &mut Record| record.tags.set(TAG, tag));
        let result = |outcome: Outcome| told(&|record: &mut Record| record.result = Some(outcome));
        assert_eq!(told(&|_| ()), None);
        assert_eq!(tag("1 000000000000000a second draw"), None);
        assert_eq!(result(Outcome::win(letter.reader, Reason::Resignation)), None);
        assert_eq!(result(Outcome::draw(Reason::Agreement)), None);
        let end = Some("the letter tells an end that its match cannot have".to_owned());
        assert_eq!(result(Outcome::win(!letter.reader, Reason::Resignation)), end);
        assert_eq!(result(Outcome::win(letter.reader, Reason::Time)), end);
        assert_eq!(tag("3 a first").unwrap(), "the letter has format 3; this version of Qiju reads format 2");
        let watch = |more: &str| format!("1 000000000000000a first watch ws://x {}{more}", "A".repeat(86));
        assert_eq!(tag(&watch(" over backs 2")), None);
        for bad in [
            "1",
            "1 a first",
            "1 000000000000000A first",
            "1 000000000000000a third",
            "1 000000000000000a first draw x",
            "1 000000000000000a first draw draw",
            "1 000000000000000a first at ws://x",
            "1 000000000000000a first at ws://x abc",
            "1 000000000000000a first watch ws://x",
            &watch(" draw"),
            &watch(" says 5 hello"),
            &watch(" asks-back 5 4"),
            &watch(" declines 1"),
            &watch(&format!(" at ws://x {}", "A".repeat(43))),
            &watch("").replace("AA", "A"),
            "1 000000000000000a first says 5",
            "1 000000000000000a first says +5 hello",
            "1 000000000000000a first says 5 something else",
            "1 000000000000000a first clock",
            "1 000000000000000a first clock Sudden 5",
            "1 000000000000000a first clock Sudden(main:60) 1,-2",
            "1 000000000000000a first clock Sudden(main:60) +1",
            "2 000000000000000a first clock (first:Unlimited) 1",
            "1 000000000000000a first backs",
            "1 000000000000000a first backs 0",
            "1 000000000000000a first backs 1 backs 1",
            "1 000000000000000a first backs -1",
            "1 000000000000000a first pauses 4294967296",
            "1 000000000000000a first asks-back 3",
            "1 000000000000000a first asks-pause",
            "1 000000000000000a first asks-pause 1 asks-back 2 1",
            "1 000000000000000a first declines 01",
        ] {
            assert_eq!(tag(bad).unwrap(), format!("'{bad}' does not say which letter it is"));
        }
        let watchers =
            |number: &str| told(&|record: &mut Record| record.tags.set(WATCHERS, number)).unwrap_or_else(|| "none".to_owned());
        assert_eq!((watchers("1"), watchers("99")), ("none".to_owned(), "none".to_owned()));
        for bad in ["0", "100", "-1", "+1", "01", "x", "1 2"] {
            assert_eq!(watchers(bad), format!("'{bad}' is no number of those who watch"));
        }
        // Of five moves, in a match without a clock.
        assert_eq!(tag("1 000000000000000a first backs 3 asks-back 5 4 declines 7"), None);
        for bad in ["asks-back 6 5", "asks-back 5 5", "asks-pause 5", "pauses 1"] {
            let why = "the letter asks for what its match cannot have";
            assert_eq!(tag(&format!("1 000000000000000a first {bad}")).as_deref(), Some(why), "{bad}");
        }
        // Times of all five moves, within what the clock gives.
        let times = "the letter tells times that its clock does not allow";
        let clock = |clock: &str| tag(&format!("1 000000000000000a {} clock {clock}", letter.reader.key()));
        assert_eq!(clock("Sudden(main:60) 1,59999,0,0,59998"), None);
        assert_eq!(clock("(first:PerMove(seconds:9),second:Sudden(main:60)) 8999,59999,8999,0,8999"), None);
        assert_eq!(clock("(first:Unlimited,second:Sudden(main:60)) 90000,59999,0,0,0"), None);
        for bad in [
            "Sudden(main:60) -",
            "Sudden(main:60) 1,2,3,4",
            "Sudden(main:60) 60000,0,0,0,0",
            "Sudden(main:0) 0,0,0,0,0",
            "(first:PerMove(seconds:9),second:Sudden(main:60)) 9000,0,0,0,0",
            "(first:Sudden(main:60),second:PerMove(seconds:9)) 0,9000,0,0,0",
        ] {
            assert_eq!(clock(bad).as_deref(), Some(times), "{bad}");
        }
        let late = |winner: Side| {
            told(&|record: &mut Record| {
                record.tags.set(TAG, format!("1 000000000000000a {} clock PerMove(seconds:9) 1,2,3,4,5", letter.reader.key()));
                record.result = Some(Outcome::win(winner, Reason::Time));
            })
        };
        // The reader is to move after five moves: nobody else can be late.
        assert_eq!((late(letter.reader), late(!letter.reader)), (end.clone(), end));
        let computer = |record: &mut Record| record.seats.first = SeatSpec::computer(3);
        assert_eq!(told(&computer).unwrap(), "a letter is of two people");
        assert_eq!(told(&|record| record.remark("hello")).unwrap(), "a letter has only the moves of its match");
        let long = |record: &mut Record| record.seats.second = SeatSpec::External { name: "\u{7}".to_owned() + &"x".repeat(99) };
        let mut record = letter.record.clone();
        record.tags.set(TAG, "1 000000000000000a first");
        long(&mut record);
        assert_eq!(Letter::of(&record).unwrap().unwrap().record.seats.second.name(), Some(&*"x".repeat(LONGEST_NAME)));
    }

    /// Whoever shows a match tells any end that it can have, whoever has told it before, and all moves; what is older brings nothing.
    #[test]
    fn those_who_look_on_are_shown_the_match() {
        let letter = letters("xiangqi", None, 6, 2).pop().unwrap();
        let told = Told { backs: 0, ..Told::default() };
        let watch = Some(Invitation { at: "ws://x".to_owned(), key: "A".repeat(86) });
        let shown = Letter { post: None, watch, says: None, told, ..letter };
        assert_eq!(opened(&shown.link().unwrap()).unwrap().as_ref(), Some(&shown));
        for winner in Side::BOTH {
            let mut over = shown.clone();
            over.record.result = Some(Outcome::win(winner, Reason::Resignation));
            assert_eq!(opened(&over.link().unwrap()).unwrap().as_ref(), Some(&over));
            // Nobody is late without a clock.
            over.record.result = Some(Outcome::win(winner, Reason::Time));
            assert!(opened(&over.link().unwrap()).is_err());
        }
        let (setup, all) = (&shown.record.setup, shown.record.main_actions());
        let mut accord = Accord::default();
        let stays = |letter: &Letter, played: &[Action], accord: &Accord| letter.shows("xiangqi", setup, played, accord);
        assert_eq!(stays(&shown, &[], &accord), Some(0));
        assert_eq!(stays(&shown, &all[..4], &accord), Some(4));
        assert_eq!(stays(&shown, &all, &accord), Some(all.len()));
        let older = letters("xiangqi", None, 4, 2).pop().unwrap();
        let older = Letter { told: shown.told, ..older };
        assert_eq!(stays(&older, &all, &accord), None);
        // Moves were taken back, however often.
        let back = Letter { told: Told { backs: 3, ..Told::default() }, ..older };
        assert_eq!(stays(&back, &all, &accord), Some(4));
        accord.apply(Agreement::TakenBack { times: 3, to: 4 });
        assert_eq!(stays(&shown, &all[..4], &accord), None);
        assert_eq!(stays(&back, &all[..4], &accord), Some(4));
        assert_eq!(back.shows("gomoku", setup, &[], &accord), None);
    }

    /// Letters that are cut, or changed and given the right checksum again, are refused or are other letters; nothing panics.
    #[test]
    fn cut_and_changed_letters_do_no_harm() {
        let mut random = fastrand::Rng::with_seed(61);
        let (mut refused, mut read) = (0, 0);
        for (game, variant) in GAMES {
            let letter = letters(game, variant, 30, 5).pop().unwrap();
            let link = letter.link().unwrap();
            let at = link.find("#qiju=").unwrap() + 6;
            for end in at..link.len() {
                assert!(opened(&link[..end]).is_err(), "{game}: cut to {end}");
            }
            let bytes = URL_SAFE_NO_PAD.decode(&link[at..]).unwrap();
            for _ in 0..2000 {
                let mut bytes = bytes[..bytes.len() - 4].to_vec();
                for _ in 0..random.usize(1..4) {
                    let index = random.usize(..bytes.len());
                    match random.u8(..3) {
                        0 => bytes[index] = random.u8(..),
                        1 => bytes[index] ^= 1 << random.u8(..8),
                        _ => bytes.truncate(index.max(1)),
                    }
                }
                bytes.extend(crc32([&bytes[..]]).to_le_bytes());
                match opened(&format!("{}{}", &link[..at], URL_SAFE_NO_PAD.encode(bytes))) {
                    Err(why) => {
                        refused += 1;
                        assert!(!why.to_string().contains('\n'));
                    }
                    Ok(Some(other)) => {
                        read += 1;
                        assert_eq!(opened(&other.link().unwrap()).unwrap(), Some(other));
                    }
                    Ok(None) => read += 1,
                }
            }
        }
        assert!(refused > 5000 && read > 10, "{refused} refused, {read} read");
    }
}
