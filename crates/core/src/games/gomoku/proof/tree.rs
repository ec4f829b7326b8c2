//! The format of a tree: sorted records, looked up where they lie.
//!
//! | bytes | |
//! |---|---|
//! | 8 | `qijutree` |
//! | 2 | the version, 2 |
//! | 1 | 0: five or more win; 1: exactly five |
//! | 1 | the number of lines of the board |
//! | 2 | plies to the end of the game, at most, from the first position |
//! | 2 | the number of stones of the first position |
//! | 2 | the number of open replies |
//! | 4 | the number of records |
//! | 2 each | the stones: twice the place, and 1 for the second side |
//! | 2 each | the open replies: their places |
//! | 9 each | the records: the upper 56 bits of the key with the highest byte first; then the place of the answer and, times 512, the winner's own moves to the end at most |
//! | 4 | the checksum (CRC-32) of all bytes before |
//!
//! Numbers of more than one byte have the lowest byte first, the keys excepted: so the records are in the order of their bytes. The side to
//! move in the first position is the one that wins.

use super::key::{Key, Place, turned_back};
use crate::rules::Side;
use crate::storage::crc32;
use std::borrow::Cow;

const MAGIC: &[u8; 8] = b"qijutree";
const VERSION: u16 = 2;
const HEAD: usize = 22;
const RECORD: usize = 9;
const KEY: usize = 7;
const PLACE_BITS: u32 = 9;
/// The most own moves that a record can name.
pub const MOST_MOVES: u16 = (1 << (16 - PLACE_BITS)) - 1;

/// What a tree is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Title {
    /// Whether exactly five win; otherwise five or more.
    pub exact: bool,
    /// The number of lines of the board.
    pub size: u8,
    /// The stones of the first position, in order.
    pub stones: Vec<(Place, Side)>,
    /// The replies to the answer in the first position against which nothing is proven yet; those equal to them by a symmetry are open too.
    pub open: Vec<Place>,
}

impl Title {
    /// The side that wins: the one to move in the first position.
    pub fn winner(&self) -> Side {
        let firsts = self.stones.iter().filter(|(_, side)| *side == Side::First).count();
        if firsts * 2 > self.stones.len() { Side::Second } else { Side::First }
    }
}

/// An answer of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The winner's move.
    pub place: Place,
    /// The winner's own moves to the end of the game, this one included, at most.
    pub moves: u16,
}

impl Answer {
    /// The answer with the number of a record.
    fn of(code: u16) -> Answer {
        Answer { place: code & ((1 << PLACE_BITS) - 1), moves: code >> PLACE_BITS }
    }
}

/// Why bytes are not a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damaged {
    /// They are something else.
    #[error("this is not a tree of answers")]
    Foreign,
    /// A later version of the program wrote them.
    #[error("the tree has version {0}, this program reads version {VERSION}")]
    Version(u16),
    /// They were changed or cut off.
    #[error("the tree is damaged: {0}")]
    Broken(&'static str),
}

/// A tree of answers.
#[derive(Clone, Debug)]
pub struct Tree {
    title: Title,
    plies: u16,
    /// Where the records begin.
    start: usize,
    count: usize,
    bytes: Cow<'static, [u8]>,
}

fn number(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn checksum(bytes: &[u8]) -> [u8; 4] {
    crc32([bytes]).to_le_bytes()
}

/// The part of a key that is kept.
fn kept(hash: u64) -> [u8; KEY] {
    let bytes = hash.to_be_bytes();
    [bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6]]
}

impl Tree {
    /// The bytes of a tree with these answers by the hash of their position, and the plies of its longest line. `None` if two positions have
    /// keys that cannot be told apart.
    ///
    /// # Panics
    /// If a number is too large for the format.
    pub fn pack(title: &Title, plies: u16, answers: &[(u64, Answer)]) -> Option<Vec<u8>> {
        let mut records: Vec<[u8; RECORD]> = answers
            .iter()
            .map(|(hash, answer)| {
                assert!(answer.moves <= MOST_MOVES && answer.place < 1 << PLACE_BITS, "{answer:?} does not fit");
                let [low, high] = (answer.place | answer.moves << PLACE_BITS).to_le_bytes();
                let [a, b, c, d, e, f, g] = kept(*hash);
                [a, b, c, d, e, f, g, low, high]
            })
            .collect();
        records.sort_unstable();
        if records.windows(2).any(|pair| pair[0][..KEY] == pair[1][..KEY]) {
            return None;
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([u8::from(title.exact), title.size]);
        bytes.extend(plies.to_le_bytes());
        bytes.extend((title.stones.len() as u16).to_le_bytes());
        bytes.extend((title.open.len() as u16).to_le_bytes());
        bytes.extend((records.len() as u32).to_le_bytes());
        for (place, side) in &title.stones {
            bytes.extend((place * 2 + side.index() as u16).to_le_bytes());
        }
        title.open.iter().for_each(|reply| bytes.extend(reply.to_le_bytes()));
        bytes.extend(records.iter().flatten());
        let sum = checksum(&bytes);
        bytes.extend(sum);
        Some(bytes)
    }

    /// Whether a file seems to be a tree.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads a tree; the whole of it is checked against its checksum.
    ///
    /// # Errors
    /// It is not a tree, or a damaged one.
    pub fn read(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Tree, Damaged> {
        let bytes = bytes.into();
        if !Tree::is_one(&bytes) {
            return Err(Damaged::Foreign);
        }
        if bytes.len() < HEAD + 4 {
            return Err(Damaged::Broken("its end is missing"));
        }
        if number(&bytes, 8) != VERSION {
            return Err(Damaged::Version(number(&bytes, 8)));
        }
        let (exact, size) = (bytes[10], bytes[11]);
        let (plies, stones) = (number(&bytes, 12), usize::from(number(&bytes, 14)));
        let open = usize::from(number(&bytes, 16));
        let count = usize::from(number(&bytes, 18)) | usize::from(number(&bytes, 20)) << 16;
        let start = HEAD + 2 * (stones + open);
        if count.checked_mul(RECORD).and_then(|length| length.checked_add(start + 4)) != Some(bytes.len()) {
            return Err(Damaged::Broken("it has not the length that it says"));
        }
        let (body, sum) = bytes.split_at(bytes.len() - 4);
        if checksum(body) != *sum {
            return Err(Damaged::Broken("it does not match its checksum"));
        }
        let points = u16::from(size) * u16::from(size);
        let stone = |at: usize| (number(&bytes, HEAD + 2 * at) / 2, Side::BOTH[usize::from(bytes[HEAD + 2 * at] & 1)]);
        let open: Vec<Place> = (stones..stones + open).map(|at| number(&bytes, HEAD + 2 * at)).collect();
        let stones: Vec<(Place, Side)> = (0..stones).map(stone).collect();
        let mut places: Vec<Place> = stones.iter().map(|(place, _)| *place).collect();
        places.sort_unstable();
        places.dedup();
        let firsts = stones.iter().filter(|(_, side)| *side == Side::First).count();
        let seconds = stones.len() - firsts;
        let fair = firsts == seconds || firsts == seconds + 1;
        if exact > 1 || !(5..=20).contains(&size) || places.len() != stones.len() || !fair {
            return Err(Damaged::Broken("its first position is none"));
        }
        if places.last().is_some_and(|last| *last >= points) || open.iter().any(|reply| *reply >= points) {
            return Err(Damaged::Broken("a stone is off the board"));
        }
        let records = &body[start..];
        if records.chunks(RECORD).any(|record| Answer::of(number(record, KEY)).place >= points) {
            return Err(Damaged::Broken("an answer is off the board"));
        }
        if !records.chunks(RECORD).map(|record| &record[..KEY]).is_sorted_by(|a, b| a < b) {
            return Err(Damaged::Broken("its records are not in order"));
        }
        let title = Title { exact: exact == 1, size, stones, open };
        Ok(Tree { title, plies, start, count, bytes })
    }

    /// What it is about.
    pub fn title(&self) -> &Title {
        &self.title
    }

    /// The number of answers.
    pub fn len(&self) -> usize {
        self.count
    }

    /// True if it has no answers: the first position is won by plain threats.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The plies of the longest line from the first position.
    pub fn plies(&self) -> u16 {
        self.plies
    }

    /// All answers, as moves of the kept positions, by the part of the hash that is kept.
    pub fn answers(&self) -> impl Iterator<Item = (u64, Answer)> + '_ {
        self.bytes[self.start..self.bytes.len() - 4].chunks(RECORD).map(|record| {
            let hash = record[..KEY].iter().fold(0, |hash, byte| hash << 8 | u64::from(*byte)) << (64 - 8 * KEY);
            (hash, Answer::of(number(record, KEY)))
        })
    }

    /// The answer in the position with this key, as a move of that position.
    pub fn answer(&self, key: Key) -> Option<Answer> {
        let wanted = kept(key.hash);
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low.midpoint(high);
            let at = self.start + middle * RECORD;
            match self.bytes[at..at + KEY].cmp(&wanted[..]) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => {
                    let answer = Answer::of(number(&self.bytes, at + KEY));
                    return Some(Answer { place: turned_back(answer.place, key.symmetry, self.title.size), ..answer });
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::key::{key, turned};
    use super::*;

    fn title() -> Title {
        Title { exact: true, size: 15, stones: vec![(112, Side::First), (3, Side::Second)], open: vec![7, 9] }
    }

    fn answers() -> Vec<(u64, Answer)> {
        (1..200u64)
            .map(|n| (n.wrapping_mul(0x9E37_79B9_7F4A_7C15), Answer { place: (n % 225) as u16, moves: (n % 128) as u16 }))
            .collect()
    }

    #[test]
    fn every_answer_is_found_in_every_symmetry() {
        let tree = Tree::read(Tree::pack(&title(), 31, &answers()).unwrap()).unwrap();
        assert_eq!((tree.title(), tree.len(), tree.plies()), (&title(), 199, 31));
        for (hash, answer) in answers() {
            for symmetry in 0..8 {
                let place = turned_back(answer.place, symmetry, 15);
                assert_eq!(tree.answer(Key { hash, symmetry }), Some(Answer { place, ..answer }));
                assert_eq!(turned(place, symmetry, 15), answer.place);
            }
            assert_eq!(tree.answer(Key { hash: hash ^ 1 << 8, symmetry: 0 }), None);
        }
        assert_eq!(tree.answer(key(std::iter::empty(), 15)), None);
        let mut wanted: Vec<(u64, Answer)> = answers().into_iter().map(|(hash, answer)| (hash & !255, answer)).collect();
        wanted.sort_unstable_by_key(|(hash, _)| *hash);
        assert_eq!(tree.answers().collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn keys_that_cannot_be_told_apart_are_refused() {
        let answer = Answer { place: 1, moves: 1 };
        assert_eq!(Tree::pack(&title(), 1, &[(0x1234_5600, answer), (0x1234_5678, answer)]), None);
    }

    #[test]
    fn every_changed_bit_and_every_cut_is_noticed() {
        let bytes = Tree::pack(&title(), 31, &answers()).unwrap();
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                assert!(Tree::read(changed).is_err(), "bit {bit} of byte {at}");
            }
            assert!(Tree::read(bytes[..at].to_vec()).is_err(), "{at} bytes");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(Tree::read(longer).err(), Some(Damaged::Broken("it has not the length that it says")));
        assert_eq!(Tree::read(b"something else".to_vec()).err(), Some(Damaged::Foreign));
    }
}
