//! The store: one file that grows block by block.
//!
//! The file is a line of text, `qiju library 1`, and blocks. A block is the length of its contents, their CRC-32, and the contents (see `batch.rs`). Each block
//! has its own strings, so a damaged one spoils no other. A game that changes is written once more and takes the place of the earlier one. What was replaced
//! or deleted stays in the file until it is compacted, which writes a new file.
//!
//! A game is known by its id, a hash of the game, the rules, the start position and the moves of its main line; so a game that is added twice is found.

use super::batch::{self, BLOCK_HEAD, Batch, Entry};
use super::folding::folded;
use super::head::{Head, number};
use super::moves::Start;
use super::search::date_digits;
use crate::games::{self, large};
use crate::message;
use crate::message::Message;
use crate::record::data::LIBRARY;
use crate::record::{KEYWORDS, Record, SeatSpec, Tags, keywords_in};
use crate::rules::{BySide, Side, zobrist};
use crate::storage::{Blob, Memory, Owned, Storage, crc32};
use crate::table::{Action, Notes, Origin, Setup, Text, Tree};
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::str::FromStr;
use std::sync::{Arc, LazyLock, OnceLock};

const HEAD: &[u8] = b"qiju library 1\n";
/// A block is written when it has so many bytes. What is not written yet is lost with the program.
const FULL: usize = 1 << 18;
/// The blocks of a compacted file are as large as this.
const COMPACTED: usize = 1 << 20;
/// The tags that tell the opening: its code, or its name.
pub(super) const OPENING_TAGS: [&str; 3] = ["ECCO", "ECO", "Opening"];
/// No opening is longer.
const OPENING_PLIES: usize = 32;
/// The most bytes of a record that is more than a line of moves.
const MOST_TEXT: u64 = 64 << 20;

/// What identifies a game: equal for games with the same rules, start and moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameId(u64);

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for GameId {
    type Err = Message;

    fn from_str(text: &str) -> Result<GameId, Message> {
        let id = u64::from_str_radix(text, 16).ok().filter(|_| text.len() == 16);
        id.map(GameId).ok_or_else(|| message!("'{}' is not the id of a game", text))
    }
}

/// What became of a record that was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It is new.
    New,
    /// The game is there already.
    Known,
    /// The game is there already, with less beside its moves: what is written about them was taken over, and what is told of it where nothing was.
    Richer,
}

/// How large a library is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Games.
    pub games: usize,
    /// Moves of their main lines.
    pub plies: usize,
    /// Bytes of these moves.
    pub moves: usize,
    /// Bytes of the file.
    pub bytes: usize,
    /// Games in the file that were deleted.
    pub deleted: usize,
}

/// What a list of games shows of one.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The game without its moves.
    pub record: Record,
    /// The number of its moves.
    pub plies: usize,
    /// The code of its opening; empty if it has none.
    pub code: String,
    /// The name of its opening, if it is known; where tags tell the opening, what they say.
    pub opening: Option<Text>,
}

/// In what order games are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As they were added.
    #[default]
    Added,
    /// By the first player's name, then the second's.
    Players,
    /// First those that the first side won, then draws.
    Result,
    /// By their dates.
    Date,
    /// By the code of their opening, then its name.
    Opening,
    /// By the number of their moves.
    Plies,
}

/// The strings of a block and where it begins in the file.
struct Block {
    at: usize,
    strings: Vec<Range<usize>>,
}

/// A game of the library.
#[derive(Clone, Copy)]
pub(super) struct Stored {
    id: u64,
    pub block: u32,
    begin: u32,
    end: u32,
    /// The number of its setup, and of its game.
    pub setup: u32,
}

impl Stored {
    pub fn id(&self) -> GameId {
        GameId(self.id)
    }
}

/// All games in one file. The whole file is in memory.
pub struct Library {
    blob: Blob,
    bytes: Vec<u8>,
    blocks: Vec<Block>,
    games: Vec<Stored>,
    /// The places of the games; one of a game that is not written yet is behind the last.
    places: HashMap<u64, usize>,
    /// Games that were deleted: what is added by itself leaves them out.
    forgotten: HashSet<u64>,
    setups: Vec<(String, Setup)>,
    setup_numbers: HashMap<(String, Setup), u32>,
    deleted: usize,
    batch: Batch,
    last: Option<((String, Setup), Start)>,
    /// What is wrong with the file.
    damage: Option<Message>,
    owned: Option<Owned>,
}

/// The games that come with the program, which our engine played against itself (`qiju-tools library`). They are read when they are first asked for; on a
/// page there are none until they have come ([`has_engine_games`]).
pub fn engine_games() -> &'static Library {
    static GAMES: OnceLock<Library> = OnceLock::new();
    static NONE: LazyLock<Library> = LazyLock::new(|| read_engine_games(&[]));
    large::engine_games().map_or_else(|| &*NONE, |bytes| GAMES.get_or_init(|| read_engine_games(bytes)))
}

/// True if the games of our engine are there. On a page the first call asks for them.
pub fn has_engine_games() -> bool {
    large::engine_games().is_some()
}

fn read_engine_games(bytes: &[u8]) -> Library {
    let nowhere = Blob::new(Arc::new(Memory::default()), "engine.games");
    Library::with(bytes.to_vec(), nowhere, None).expect("a test reads this file")
}

impl Library {
    /// Opens the library of a storage to search it; an empty one if there is none.
    ///
    /// # Errors
    /// It cannot be read, or it is another file.
    pub fn open(storage: Arc<dyn Storage>) -> Result<Library, Message> {
        Library::of(Blob::new(storage, LIBRARY), None)
    }

    /// Opens it to add games.
    ///
    /// # Errors
    /// The same, or another program is changing it.
    pub fn open_to_write(storage: Arc<dyn Storage>) -> Result<Library, Message> {
        let blob = Blob::new(storage, LIBRARY);
        let owned = blob.own().map_err(|error| message!("{}: {}", blob.to_string(), error))?;
        let owned = owned.ok_or_else(|| message!("another program is changing the library"))?;
        Library::of(blob, Some(owned))
    }

    fn of(blob: Blob, owned: Option<Owned>) -> Result<Library, Message> {
        let bytes = blob.read().map_err(|error| message!("{}: {}", blob.to_string(), error))?.unwrap_or_default();
        Library::with(bytes, blob, owned)
    }

    /// The library whose file has these bytes.
    fn with(bytes: Vec<u8>, blob: Blob, owned: Option<Owned>) -> Result<Library, Message> {
        if !HEAD.starts_with(&bytes[..bytes.len().min(HEAD.len())]) {
            return Err(message!("{}: this is no library of games, or one of a newer version", blob.to_string()));
        }
        let mut library = Library {
            blob,
            bytes: HEAD.to_vec(),
            blocks: Vec::new(),
            games: Vec::new(),
            places: HashMap::new(),
            forgotten: HashSet::new(),
            setups: Vec::new(),
            setup_numbers: HashMap::new(),
            deleted: 0,
            batch: Batch::default(),
            last: None,
            damage: None,
            owned,
        };
        library.read_blocks(bytes);
        Ok(library)
    }

    /// Reads the blocks of a file, and keeps those that are whole.
    fn read_blocks(&mut self, file: Vec<u8>) {
        let (mut at, mut lost) = (HEAD.len().min(file.len()), 0);
        let mut whole = at == HEAD.len() || file.is_empty();
        // Usually nothing is damaged, and the file is kept as it is.
        let mut blocks = Vec::new();
        while at < file.len() {
            let contents = file[at..].split_at_checked(BLOCK_HEAD).and_then(|(head, rest)| {
                let (length, sum) = head.split_first_chunk::<4>()?;
                Some((rest.get(..u32::from_le_bytes(*length) as usize)?, u32::from_le_bytes(sum.try_into().ok()?)))
            });
            let Some((contents, sum)) = contents else {
                whole = false;
                break;
            };
            let range = at..at + BLOCK_HEAD + contents.len();
            at = range.end;
            match crc32([contents]) == sum {
                true => blocks.push(range),
                false => lost += 1,
            }
        }
        if lost == 0 && whole {
            self.bytes = if file.is_empty() { HEAD.to_vec() } else { file };
        } else {
            self.bytes = HEAD.to_vec();
            for range in &mut blocks {
                let begin = self.bytes.len();
                self.bytes.extend_from_slice(&file[range.clone()]);
                *range = begin..self.bytes.len();
            }
        }
        for range in blocks {
            if self.take_block(range).is_none() {
                lost += 1;
            }
        }
        self.drop_deleted();
        let (file, games) = (self.blob.to_string(), self.games.len());
        self.damage = match (lost, whole) {
            (0, true) => None,
            (0, false) => Some(message!("{}: the end of the library is cut off; {} games before it can be read", file, games)),
            _ => Some(message!("{}: the library is damaged; {} games can be read, the others are lost", file, games)),
        };
    }

    /// Takes over the entries of a block of the file.
    fn take_block(&mut self, range: Range<usize>) -> Option<()> {
        let at = range.start + BLOCK_HEAD;
        let (strings, entries) = batch::read(&self.bytes[at..range.end])?;
        let block = self.blocks.len() as u32;
        self.blocks.push(Block { at, strings });
        // Most games have the setup of the one before.
        let mut last = None;
        for entry in entries {
            match entry {
                Entry::Game(id, body) => {
                    let head = Head::read(id, &self.bytes[at + body.start..at + body.end])?;
                    let texts = (head.game, head.variant, head.position);
                    let setup = match last {
                        Some((known, setup)) if known == texts => setup,
                        _ => {
                            let named = (self.text(block, head.game).to_owned(), self.setup_of(block, &head));
                            let setup = self.setup_number(named);
                            last = Some((texts, setup));
                            setup
                        }
                    };
                    let stored = Stored { id, block, begin: (at + body.start) as u32, end: (at + body.end) as u32, setup };
                    self.forgotten.remove(&id);
                    // A richer record of the same game takes the place of the earlier one.
                    match self.places.get(&id).copied().filter(|number| *number < self.games.len()) {
                        Some(number) => {
                            self.games[number] = stored;
                            self.deleted += 1;
                        }
                        None => {
                            self.places.insert(id, self.games.len());
                            self.games.push(stored);
                        }
                    }
                }
                Entry::Deleted(id) => {
                    self.deleted += usize::from(self.places.remove(&id).is_some());
                    self.forgotten.insert(id);
                }
            }
        }
        Some(())
    }

    /// Forgets the games that were deleted.
    fn drop_deleted(&mut self) {
        if self.games.len() == self.places.len() {
            return;
        }
        let places = &mut self.places;
        let mut kept = 0;
        let mut number = 0;
        self.games.retain(|place| {
            let lives = places.get(&place.id) == Some(&number);
            number += 1;
            if lives {
                places.insert(place.id, kept);
                kept += 1;
            }
            lives
        });
    }

    fn setup_number(&mut self, named: (String, Setup)) -> u32 {
        if let Some(&known) = self.setup_numbers.get(&named) {
            return known;
        }
        let new = self.setups.len() as u32;
        self.setups.push(named.clone());
        self.setup_numbers.insert(named, new);
        new
    }

    fn setup_of(&self, block: u32, head: &Head) -> Setup {
        let text = |number: u32| (number > 0).then(|| self.text(block, number - 1).to_owned());
        Setup { variant: text(head.variant), position: text(head.position) }
    }

    /// A string of a block; empty if there is none.
    pub(super) fn text(&self, block: u32, number: u32) -> &str {
        let block = &self.blocks[block as usize];
        let range = block.strings.get(number as usize).cloned().unwrap_or_default();
        std::str::from_utf8(&self.bytes[block.at + range.start..block.at + range.end]).unwrap_or_default()
    }

    /// The strings of each block, for a test of each string that counts once.
    pub(super) fn strings(&self, holds: impl Fn(&str) -> bool) -> Vec<Vec<bool>> {
        let of_block = |(number, block): (usize, &Block)| {
            (0..block.strings.len()).map(|text| holds(self.text(number as u32, text as u32))).collect()
        };
        self.blocks.iter().enumerate().map(of_block).collect()
    }

    pub(super) fn stored(&self) -> &[Stored] {
        &self.games
    }

    /// The game and the setup with a number.
    pub(super) fn setup(&self, number: u32) -> (&str, &Setup) {
        let (game, setup) = &self.setups[number as usize];
        (game, setup)
    }

    pub(super) fn head(&self, place: &Stored) -> Head<'_> {
        let bytes = &self.bytes[place.begin as usize..place.end as usize];
        Head::read(place.id, bytes).expect("it was read when the file was opened")
    }

    /// Lets other programs change it; from now on it can only be read.
    pub fn release(&mut self) {
        self.owned = None;
    }

    /// What is wrong with the file, to be told to the player.
    pub fn damage(&self) -> Option<&Message> {
        self.damage.as_ref()
    }

    /// How large it is.
    pub fn size(&self) -> Size {
        let mut size = Size { games: self.games.len(), bytes: self.bytes.len(), deleted: self.deleted, ..Size::default() };
        for head in self.games.iter().map(|place| self.head(place)) {
            size.plies += head.plies as usize;
            size.moves += head.moves.len();
        }
        size
    }

    /// How many games of each game there are, in the order in which they came.
    pub fn games(&self) -> Vec<(String, usize)> {
        let mut counts: Vec<(String, usize)> = Vec::new();
        for place in &self.games {
            let (game, _) = self.setup(place.setup);
            match counts.iter_mut().find(|(known, _)| known == game) {
                Some((_, count)) => *count += 1,
                None => counts.push((game.to_owned(), 1)),
            }
        }
        counts
    }

    /// The games, in the order in which they came.
    pub fn ids(&self) -> impl Iterator<Item = GameId> {
        self.games.iter().map(|place| GameId(place.id))
    }

    fn find(&self, id: GameId) -> Result<&Stored, Message> {
        let place = self.places.get(&id.0).and_then(|number| self.games.get(*number));
        place.ok_or_else(|| message!("there is no game '{}' in the library", id.to_string()))
    }

    /// A game without its moves: what a list of games shows.
    ///
    /// # Errors
    /// There is no such game.
    pub fn outline(&self, id: GameId) -> Result<Record, Message> {
        Ok(self.outline_of(self.find(id)?))
    }

    fn outline_of(&self, place: &Stored) -> Record {
        let (head, (game, setup)) = (self.head(place), self.setup(place.setup));
        let text = |number| self.text(place.block, number);
        let seat = |seat: u32| match seat {
            0 => SeatSpec::Human,
            level if level % 2 == 1 => SeatSpec::computer((level / 2) as u8),
            name => SeatSpec::of_name(text(name / 2 - 1)),
        };
        let [first, second] = head.seats.map(seat);
        let tags: Tags = head.each_tag().map(|(name, value)| (text(name), text(value))).collect();
        Record { seats: BySide::new(first, second), tags, result: head.result, ..Record::new(game, setup.clone()) }
    }

    /// What a list of games shows of one.
    ///
    /// # Errors
    /// There is no such game.
    pub fn listed(&self, id: GameId) -> Result<Listed, Message> {
        let place = self.find(id)?;
        let (record, head) = (self.outline_of(place), self.head(place));
        let tagged = || {
            let told: Vec<&str> = OPENING_TAGS.iter().filter_map(|name| record.tags.get(name)).collect();
            (!told.is_empty()).then(|| told.join(" "))
        };
        let (code, opening) = match head.opening.checked_sub(1).map(|text| self.text(place.block, text).splitn(3, '\n')) {
            Some(mut lines) => {
                let [code, zh, en] = std::array::from_fn(|_| lines.next().unwrap_or_default().to_owned());
                (code, Some(Text { zh, en }))
            }
            None => (String::new(), tagged().map(|told| Text { zh: told.clone(), en: told })),
        };
        Ok(Listed { plies: head.plies as usize, code, opening, record })
    }

    /// Sorts games by what the list shows of them; those of which it is not told come last. Equal ones keep their order.
    pub fn sort(&self, ids: &mut Vec<GameId>, order: Order, falling: bool) {
        let key = |id: &GameId| -> (String, usize) {
            let Ok(Listed { record, plies, code, opening }) = self.listed(*id) else { return Default::default() };
            match order {
                Order::Added => (String::new(), 0),
                Order::Players => (format!("{}\n{}", record.seats.first, record.seats.second).to_lowercase(), 0),
                Order::Date => (date_digits(record.tags.get("Date").unwrap_or_default()), 0),
                Order::Result => {
                    (String::new(), record.result.map_or(0, |end| 1 + end.winner.map_or(1, |side| 2 * side.index())))
                }
                Order::Opening => (opening.map(|name| format!("{code} {}", name.en)).unwrap_or_default(), 0),
                Order::Plies => (String::new(), plies),
            }
        };
        if order == Order::Added {
            if falling {
                ids.reverse();
            }
            return;
        }
        let (mut told, untold): (Vec<_>, Vec<_>) =
            ids.drain(..).map(|id| (key(&id), id)).partition(|(key, _)| *key != Default::default());
        told.sort_by(|(one, _), (other, _)| if falling { other.cmp(one) } else { one.cmp(other) });
        ids.extend(told.into_iter().chain(untold).map(|(_, id)| id));
    }

    /// A game as it was added.
    ///
    /// # Errors
    /// There is no such game, or its moves are damaged.
    pub fn record(&self, id: GameId) -> Result<Record, Message> {
        let place = self.find(id)?;
        let head = self.head(place);
        let damaged = || message!("the game '{}' is damaged", id.to_string());
        let tree = match head.whole {
            [] => {
                let (game, setup) = self.setup(place.setup);
                let actions = Start::new(game, setup)?.actions(head.moves, head.plies as usize).ok_or_else(damaged)?;
                Tree::of_line(actions, head.origin)
            }
            whole => {
                let text = inflated(whole).ok_or_else(damaged)?;
                Record::read_all(&id.to_string(), &text)?.pop().ok_or_else(damaged)?.tree
            }
        };
        // What is told of a game may have been changed since its moves were written.
        Ok(Record { tree, ..self.outline_of(place) })
    }

    /// True if a comment of a game has this text, which is [`folded`].
    pub(super) fn has_comment(&self, place: &Stored, wanted: &str) -> bool {
        let Some(text) = inflated(self.head(place).whole) else { return false };
        // Letters and spaces stand in the file as they are; other signs may not.
        let mut parts = wanted.split(|sign: char| !sign.is_alphanumeric() && sign != ' ');
        let text_folded = folded(&text);
        parts.all(|part| text_folded.contains(part))
            && Record::comments_in(&text).iter().any(|comment| folded(comment).contains(wanted))
    }

    /// The keywords of these games, each with the number of its games, in order.
    ///
    /// # Errors
    /// There is no such game.
    pub fn keywords(&self, ids: &[GameId]) -> Result<BTreeMap<String, usize>, Message> {
        let mut all = BTreeMap::new();
        for id in ids {
            let place = self.find(*id)?;
            let named = |name: &u32| self.text(place.block, *name).eq_ignore_ascii_case(KEYWORDS);
            for (_, value) in self.head(place).each_tag().filter(|(name, _)| named(name)) {
                for keyword in keywords_in(self.text(place.block, value)) {
                    *all.entry(keyword.to_owned()).or_default() += 1;
                }
            }
        }
        Ok(all)
    }

    /// What a game is in this library: its id, its moves as bytes, the number of pieces at its end, and what [`add`](Library::add) would do with it.
    fn look_up(&mut self, record: &Record, actions: &[Action]) -> Result<(u64, Vec<u8>, usize, Added), Message> {
        let named = (record.game.clone(), record.setup.clone());
        if self.last.as_ref().is_none_or(|(last, _)| *last != named) {
            let start = Start::new(&record.game, &record.setup)?;
            self.last = Some((named, start));
        }
        let (_, start) = self.last.as_ref().expect("it was just set");
        let (moves, pieces) = start.pack(actions)?;
        let id = zobrist::hash(start.hash, actions.iter().flat_map(bytes_of));
        let added = match self.places.get(&id) {
            None => Added::New,
            Some(known) if self.games.get(*known).is_some_and(|place| self.is_richer(record, place)) => Added::Richer,
            Some(_) => Added::Known,
        };
        Ok((id, moves, pieces, added))
    }

    /// True if a record of a game of the library has at least as much beside its moves as the library, more of something, and no other annotator.
    fn is_richer(&self, record: &Record, place: &Stored) -> bool {
        let whole = self.head(place).whole;
        if line_of(&record.tree).is_some() || whole.is_empty() {
            return line_of(&record.tree).is_none();
        }
        // Usually it is the same record once more.
        if inflated(whole).is_some_and(|text| text == record.to_line()) {
            return false;
        }
        let Ok(known) = self.record(place.id()) else { return true };
        let annotators = [record, &known].map(|record| record.tags.get("Annotator").filter(|name| !name.is_empty()));
        let [more, less] = [record, &known].map(|record| amounts(&record.tree));
        let is_other = annotators[0] != annotators[1] && annotators.iter().all(Option::is_some);
        !is_other && more != less && more.iter().zip(less).all(|(more, less)| *more >= less)
    }

    /// True if [`add`](Library::add) would add something, and the game was not deleted.
    ///
    /// # Errors
    /// The record is not possible by the rules.
    pub fn wants(&mut self, record: &Record) -> Result<bool, Message> {
        let (id, .., added) = self.look_up(record, &record.main_actions())?;
        Ok(added != Added::Known && !self.forgotten.contains(&id))
    }

    /// Adds a game. It is on the disk after [`flush`](Library::flush); some thousand games are written together.
    ///
    /// # Errors
    /// The record is not possible by the rules, or the file cannot be written.
    pub fn add(&mut self, record: &Record) -> Result<Added, Message> {
        let actions = record.main_actions();
        let (id, moves, pieces, mut added) = self.look_up(record, &actions)?;
        if added == Added::Known && self.places.get(&id) == Some(&usize::MAX) && line_of(&record.tree).is_none() {
            // Only what is written can be compared.
            self.flush()?;
            added = self.look_up(record, &actions)?.3;
        }
        let record = &match added {
            Added::Known => return Ok(added),
            Added::New => Cow::Borrowed(record),
            Added::Richer => {
                let mut known = self.outline(GameId(id))?;
                for (name, value) in record.tags.iter().filter(|(name, _)| known.tags.get(name).is_none()).collect::<Vec<_>>() {
                    known.tags.set(name, value);
                }
                for side in Side::BOTH.into_iter().filter(|side| record.seats[*side] != SeatSpec::Human) {
                    if known.seats[side] == SeatSpec::Human {
                        known.seats[side] = record.seats[side].clone();
                    }
                }
                Cow::Owned(Record { result: known.result.or(record.result), tree: record.tree.clone(), ..known })
            }
        };
        let origin = line_of(&record.tree);
        let whole = match origin {
            Some(_) => Vec::new(),
            None => deflated(&record.to_line()).map_err(|error| message!("the game cannot be packed: {}", error.to_string()))?,
        };
        let opening = named_opening(record, &actions);
        let (plies, pieces, origin) = (actions.len() as u32, pieces as u32, origin.unwrap_or_default());
        self.put(record, opening.as_deref(), &Moves { id, origin, plies, pieces, moves: &moves, whole: &whole });
        self.places.entry(id).or_insert(usize::MAX);
        if self.batch.len() >= FULL {
            self.flush()?;
        }
        Ok(added)
    }

    /// Tells of a game what this record does: its players, its tags and its result. The moves of the record are not looked at. It is on the disk after
    /// [`flush`](Library::flush).
    ///
    /// # Errors
    /// There is no such game.
    pub fn tell(&mut self, id: GameId, record: &Record) -> Result<(), Message> {
        let place = *self.find(id)?;
        let head = self.head(&place);
        let opening = head.opening.checked_sub(1).map(|text| self.text(place.block, text).to_owned());
        let (moves, whole) = (head.moves.to_vec(), head.whole.to_vec());
        let Head { id, origin, plies, pieces, .. } = head;
        let (game, setup) = self.setup(place.setup);
        let record = Record { game: game.to_owned(), setup: setup.clone(), tree: Tree::new(), ..record.clone() };
        self.put(&record, opening.as_deref(), &Moves { id, origin, plies, pieces, moves: &moves, whole: &whole });
        Ok(())
    }

    /// Puts a game with what a record tells of it into the block that is written next.
    fn put(&mut self, record: &Record, opening: Option<&str>, moves: &Moves) {
        let batch = &mut self.batch;
        let mut optional = |text: Option<&str>| text.map_or(0, |text| 1 + batch.string(text));
        let [variant, position] = [&record.setup.variant, &record.setup.position].map(|text| optional(text.as_deref()));
        let opening = optional(opening);
        let mut seat = |seat: &SeatSpec| match seat {
            SeatSpec::Human | SeatSpec::Friend => 0,
            SeatSpec::Computer { level, manner: None } => 1 + 2 * u32::from(*level),
            SeatSpec::Computer { .. } => 2 + 2 * batch.string(&seat.to_string()),
            SeatSpec::External { name } => 2 + 2 * batch.string(name),
        };
        let seats = [seat(&record.seats.first), seat(&record.seats.second)];
        let mut tags = Vec::new();
        for (name, value) in record.tags.iter() {
            number(&mut tags, batch.string(name));
            number(&mut tags, batch.string(value));
        }
        let Moves { id, origin, plies, pieces, moves, whole } = *moves;
        let (game, result) = (batch.string(&record.game), record.result);
        batch.add(&Head {
            id,
            game,
            variant,
            position,
            seats,
            result,
            origin,
            plies,
            pieces,
            opening,
            tags: &tags,
            moves,
            whole,
        });
    }

    /// Writes what was added and deleted.
    ///
    /// # Errors
    /// The file cannot be written; then what it holds is unchanged, and this can be repeated.
    pub fn flush(&mut self) -> Result<(), Message> {
        let at = self.bytes.len();
        self.batch.write(&mut self.bytes);
        if self.bytes.len() == at {
            return Ok(());
        }
        let written = self.write(at);
        if let Err(error) = written {
            self.bytes.truncate(at);
            return Err(message!("{}: {}", self.blob.to_string(), error));
        }
        self.batch = Batch::default();
        self.take_block(at..self.bytes.len()).ok_or_else(|| message!("the library cannot read what it wrote"))?;
        self.drop_deleted();
        Ok(())
    }

    /// Writes what was told of games. Where more of the file is outdated than not, it is written anew.
    ///
    /// # Errors
    /// The file cannot be written; then what it holds is unchanged, and this can be repeated.
    pub fn settle(&mut self) -> Result<(), Message> {
        self.flush()?;
        if self.deleted > self.games.len() { self.compact() } else { Ok(()) }
    }

    /// Writes the file from a byte on. A damaged file is kept beside it.
    fn write(&mut self, at: usize) -> io::Result<()> {
        if self.owned.is_none() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, message!("the library was opened to read it")));
        }
        if self.damage.is_some() {
            self.blob.keep_aside()?;
        } else if at > HEAD.len() {
            return self.blob.append(at as u64, &self.bytes[at..]);
        }
        self.blob.replace(&self.bytes)?;
        self.damage = None;
        Ok(())
    }

    /// Deletes a game. It is deleted on the disk after [`flush`](Library::flush), and leaves the file with [`compact`](Library::compact).
    ///
    /// # Errors
    /// There is no such game.
    pub fn delete(&mut self, id: GameId) -> Result<(), Message> {
        self.find(id)?;
        self.batch.delete(id.0);
        Ok(())
    }

    /// Writes the file anew without the games that were deleted. Their ids stay.
    ///
    /// # Errors
    /// It cannot be written; then it is unchanged.
    pub fn compact(&mut self) -> Result<(), Message> {
        self.flush()?;
        let (mut bytes, mut batch) = (HEAD.to_vec(), Batch::default());
        self.forgotten.iter().for_each(|id| batch.delete(*id));
        for place in &self.games {
            batch.copy(&self.head(place), |text| self.text(place.block, text).to_owned());
            if batch.len() >= COMPACTED {
                batch.write(&mut bytes);
                batch = Batch::default();
            }
        }
        batch.write(&mut bytes);
        let old = std::mem::replace(&mut self.bytes, bytes);
        if let Err(error) = self.write(HEAD.len()) {
            self.bytes = old;
            return Err(message!("{}: {}", self.blob.to_string(), error));
        }
        let fresh = Library::of(self.blob.clone(), self.owned.take())?;
        *self = fresh;
        Ok(())
    }
}

/// The moves of a game as they stand in the file; see [`Head`].
struct Moves<'a> {
    id: u64,
    origin: Origin,
    plies: u32,
    pieces: u32,
    moves: &'a [u8],
    whole: &'a [u8],
}

/// How much there is in a tree: moves, letters of comments, glyphs, marks, times and assessments.
fn amounts(tree: &Tree) -> [usize; 6] {
    tree.walk().map(|id| tree.notes(id)).fold([0; 6], |[moves, letters, glyphs, marks, times, assessments], notes| {
        let Notes { comment, glyphs: more, marks: drawn, time_ms, assessment } = notes;
        [
            moves + 1,
            letters + comment.chars().count(),
            glyphs + more.len(),
            marks + drawn.len(),
            times + usize::from(time_ms.is_some()),
            assessments + usize::from(assessment.is_some()),
        ]
    })
}

/// The origin of the moves of a tree that is one line of moves, about which nothing is written; `None` if it is more.
fn line_of(tree: &Tree) -> Option<Origin> {
    let line = tree.main_line();
    let origin = line.first().map_or(Origin::default(), |id| tree.node(*id).origin);
    let plain = |id| tree.notes(id) == Notes::default() && tree.node(id).children().len() <= 1;
    let plays_on = |id: &_| plain(*id) && tree.node(*id).origin == origin;
    (plain(Tree::ROOT) && line.iter().all(plays_on)).then_some(origin)
}

/// The code and the names of a game's opening in lines, if no tag tells it.
fn named_opening(record: &Record, actions: &[Action]) -> Option<String> {
    if OPENING_TAGS.iter().any(|name| record.tags.get(name).is_some_and(|value| !value.is_empty())) {
        return None;
    }
    let mut table = record.table().ok()?;
    for action in actions.iter().take(OPENING_PLIES) {
        table.play(*action).ok()?;
    }
    let (opening, _) = games::opening_name(&*table)?;
    Some([&opening.code[..], &opening.name.zh, &opening.name.en].join("\n"))
}

fn bytes_of(action: &Action) -> [u8; 5] {
    match *action {
        Action::Drop(at) => [0, at.x, at.y, 0, 0],
        Action::Step { from, to } => [1, from.x, from.y, to.x, to.y],
        Action::Pass => [2; 5],
        Action::Choose(choice) => [3, choice, 0, 0, 0],
    }
}

/// The text of a whole record; `None` if there is none, or it is damaged.
fn inflated(whole: &[u8]) -> Option<String> {
    let mut text = String::new();
    DeflateDecoder::new(whole).take(MOST_TEXT).read_to_string(&mut text).ok()?;
    (!text.is_empty()).then_some(text)
}

fn deflated(text: &str) -> io::Result<Vec<u8>> {
    let mut packed = DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(text.as_bytes())?;
    packed.finish()
}
