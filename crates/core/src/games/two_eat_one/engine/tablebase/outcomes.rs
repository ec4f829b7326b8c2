//! Win, draw and loss of every stored position, in a small compressed file. Blocks are unpacked when a position in them is needed.
//!
//! A block has a few rows of one class; a row has all positions with one set of the mover's stones. Blocks are independent, so a lookup
//! unpacks one block of some thousand positions, which takes a tenth of a millisecond. The last blocks used are kept. Each block has a checksum.
//!
//! Within a row, positions in which the opponent's stones differ by one step of one stone (neighbours) mostly have the same value. So each value is coded
//! with the frequencies of its context: the numbers of drawn, won and lost neighbours before it, and the two previous values. The coder is an
//! asymmetric numeral system (Duda, "Asymmetric numeral systems", arXiv:1311.2540, the range variant) with the frequencies of the whole class.
//!
//! The file, numbers with the low byte first:
//! - a line of text, padded with spaces to 128 bytes: `qiju two-eat-one outcomes VERSION KIND SLOTS BLOCKS BYTES_OF_MODELS BYTES_OF_BLOCKS CRC`, the
//!   checksum in hexadecimal over models and index;
//! - the models, one per class in the order of [`Halves::classes`]: the number of contexts (u16), for each the context, the frequency of a draw and
//!   that of a win (u16 each; the frequency of a loss is the rest of 16384);
//! - the index: for each block its length in bytes (u16) and its checksum (u32);
//! - the blocks: the state (u32), then the words (u16) that the decoder reads.

use super::halves::{Halves, Part};
use super::indexing::{BINOMIAL, MOST, bits};
use super::tables::decode;
use crate::games::two_eat_one::rules::board::{Bits, Kind};
use crate::search::Known;
use crate::storage::crc32;
use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The version of the file format.
const VERSION: u32 = 1;
/// The length of the first line in bytes, with its line end.
const HEADER: usize = 128;
/// A block ends with the row with which it reaches this number of positions, or at the end of its class.
const BLOCK: usize = 4096;
/// The number of unpacked blocks that are kept: about three megabytes.
const KEPT: usize = 2048;
/// The frequencies of a context add up to 2 to the power of this.
const PRECISION: u32 = 14;
/// Between two values the state of the decoder is at least this.
const LOWEST: u32 = 1 << 16;
/// The number of contexts of a class: counts of three values among up to six neighbours, the two previous values, the opponent's stones on even points.
const CONTEXTS: usize = 512 * 16 * (MOST + 1);
/// The counts of the neighbours' values, packed in one number, three bits each.
const COUNT: [usize; 3] = [1, 8, 64];
/// Stands for a value before the first of a row.
const NONE: usize = 3;

/// 0 a draw, 1 a win, 2 a loss for the side to move.
type Trit = u8;

fn trit(known: Known) -> Trit {
    match known {
        Known::Draw => 0,
        Known::Win => 1,
        Known::Loss => 2,
    }
}

fn known(trit: Trit) -> Known {
    match trit {
        0 => Known::Draw,
        1 => Known::Win,
        _ => Known::Loss,
    }
}

/// The frequencies of a draw and of a win in each context, as parts of 2 to the power of [`PRECISION`].
type Model = Vec<[u16; 2]>;

/// Some rows of one class.
struct Block {
    class: usize,
    first_orbit: usize,
    orbits: usize,
    /// The first slot, and the one after the last.
    slots: (usize, usize),
    /// The range of its bytes within the bytes of all blocks.
    bytes: (usize, usize),
    crc: u32,
}

/// The blocks of a kind's stored half; the ranges of their bytes are not set yet.
fn blocks(halves: &Halves) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (number, &(class, mut slot)) in halves.classes().iter().enumerate() {
        let new = |first_orbit, slot| Block { class: number, first_orbit, orbits: 0, slots: (slot, slot), bytes: (0, 0), crc: 0 };
        let orbits = halves.orbits(class);
        let mut block = new(0, slot);
        for orbit in 0..orbits {
            slot += halves.row(class, orbit).map(|part| part.positions()).sum::<usize>();
            block.orbits += 1;
            block.slots.1 = slot;
            if slot - block.slots.0 >= BLOCK || orbit + 1 == orbits {
                blocks.push(std::mem::replace(&mut block, new(orbit + 1, slot)));
            }
        }
    }
    blocks
}

/// For each subset of a fixed number of points, in order: the distances back to the subsets in which one element is one point lower; 0 if there is none.
type Backs = Vec<[u16; MOST]>;

fn backs(points: usize, k: usize) -> Backs {
    let count = BINOMIAL[points][k] as usize;
    let mut all = Vec::with_capacity(count);
    let mut set: Bits = (1 << k) - 1;
    while all.len() < count {
        let mut back = [0; MOST];
        for (order, point) in bits(set).enumerate() {
            if point > 0 && (set >> (point - 1)) & 1 == 0 {
                // C(point, order + 1) - C(point - 1, order + 1)
                back[order] = BINOMIAL[point - 1][order] as u16;
            }
        }
        all.push(back);
        if set != 0 {
            let lowest = set & set.wrapping_neg();
            let ripple = set + lowest;
            set = ripple | (((set ^ ripple) >> 2) / lowest);
        }
    }
    all
}

/// [`backs`] of every size, each computed on first use.
struct AllBacks(Vec<OnceLock<Backs>>);

impl AllBacks {
    const SIZES: usize = 8;

    fn new() -> AllBacks {
        AllBacks((0..26 * Self::SIZES).map(|_| OnceLock::new()).collect())
    }

    fn of(&self, points: usize, k: usize) -> &Backs {
        self.0[points * Self::SIZES + k].get_or_init(|| backs(points, k))
    }

    /// Goes through a row: calls `next` with the context of each value and appends the value. `None` as soon as `next` returns `None`.
    fn walk(
        &self,
        row: impl Iterator<Item = Part>,
        values: &mut Vec<Trit>,
        next: &mut impl FnMut(usize) -> Option<Trit>,
    ) -> Option<()> {
        let (mut last, mut before) = (NONE, NONE);
        for part in row {
            let (evens, odds) = (self.of(part.even_free, part.even), self.of(part.odd_free, part.odd));
            for even in evens {
                for odd in odds {
                    let at = values.len();
                    let mut counts = 0;
                    for &back in odd[..part.odd].iter().filter(|back| **back > 0) {
                        counts += COUNT[usize::from(values[at - usize::from(back)])];
                    }
                    for &back in even[..part.even].iter().filter(|back| **back > 0) {
                        counts += COUNT[usize::from(values[at - usize::from(back) * odds.len()])];
                    }
                    let value = next(((counts * 4 + last) * 4 + before) * (MOST + 1) + part.even)?;
                    values.push(value);
                    (before, last) = (last, usize::from(value));
                }
            }
        }
        Some(())
    }

    fn walk_block(
        &self,
        halves: &Halves,
        block: &Block,
        values: &mut Vec<Trit>,
        next: &mut impl FnMut(usize) -> Option<Trit>,
    ) -> Option<()> {
        let class = halves.classes()[block.class].0;
        for orbit in block.first_orbit..block.first_orbit + block.orbits {
            self.walk(halves.row(class, orbit), values, next)?;
        }
        Some(())
    }
}

/// Scales counts to frequencies that add up to 2 to the power of [`PRECISION`]; a count above 0 gives at least 1.
fn frequencies(met: [u64; 3]) -> [u16; 3] {
    let whole = 1u64 << PRECISION;
    let total = met.iter().sum::<u64>().max(1);
    let mut shares = met.map(|count| if count == 0 { 0 } else { (count * whole / total).max(1) });
    let most = (0..3).max_by_key(|value| shares[*value]).unwrap_or(0);
    shares[most] = (shares[most] + whole).saturating_sub(shares.iter().sum());
    shares.map(|share| share as u16)
}

/// The start and the size of a value's share.
fn share(frequencies: [u16; 2], value: Trit) -> (u32, u32) {
    let [draw, win] = frequencies.map(u32::from);
    match value {
        0 => (0, draw),
        1 => (draw, win),
        _ => (draw + win, (1 << PRECISION) - draw - win),
    }
}

/// Encodes values given by their shares.
fn encode(shares: &[(u32, u32)]) -> Vec<u8> {
    let mut words = Vec::new();
    let mut state = LOWEST;
    for &(start, size) in shares.iter().rev() {
        if u64::from(state) >= (u64::from(size) << (32 - PRECISION)) {
            words.push(state as u16);
            state >>= 16;
        }
        state = ((state / size) << PRECISION) + state % size + start;
    }
    let mut bytes = state.to_le_bytes().to_vec();
    bytes.extend(words.iter().rev().flat_map(|word| word.to_le_bytes()));
    bytes
}

/// Decodes the values of a block, one after the other.
struct Decoder<'a> {
    state: u32,
    words: std::slice::ChunksExact<'a, u8>,
}

impl<'a> Decoder<'a> {
    fn new(bytes: &'a [u8]) -> Option<Decoder<'a>> {
        let (state, words) = bytes.split_first_chunk()?;
        Some(Decoder { state: u32::from_le_bytes(*state), words: words.chunks_exact(2) })
    }

    #[inline]
    fn next(&mut self, frequencies: [u16; 2]) -> Option<Trit> {
        let place = self.state & ((1 << PRECISION) - 1);
        let [draw, win] = frequencies.map(u32::from);
        let value = Trit::from(place >= draw) + Trit::from(place >= draw + win);
        let (start, size) = share(frequencies, value);
        self.state = size * (self.state >> PRECISION) + place - start;
        if self.state < LOWEST {
            let word = self.words.next()?;
            self.state = (self.state << 16) | u32::from(u16::from_le_bytes([word[0], word[1]]));
        }
        Some(value)
    }

    fn is_at_its_end(&self) -> bool {
        self.state == LOWEST && self.words.len() == 0
    }
}

fn header(kind: Kind, slots: usize, blocks: usize, models: usize, bytes: usize, crc: u32) -> Vec<u8> {
    let text = format!("qiju two-eat-one outcomes {VERSION} {} {slots} {blocks} {models} {bytes} {crc:08x}", kind.key());
    format!("{text:<width$}\n", width = HEADER - 1).into_bytes()
}

/// The compressed file of a kind, from the bytes of the stored positions in the order of their slots ([`Halves::gather`]).
pub fn pack(kind: Kind, halves: &Halves, codes: &[u8]) -> Vec<u8> {
    let backs = AllBacks::new();
    let mut blocks = blocks(halves);
    let value = |slot: usize| trit(decode(codes[slot]).known);
    let mut met = vec![vec![[0u64; 3]; CONTEXTS]; halves.classes().len()];
    let mut values = Vec::new();
    for block in &blocks {
        values.clear();
        let mut slots = block.slots.0..block.slots.1;
        let met = &mut met[block.class];
        let _ = backs.walk_block(halves, block, &mut values, &mut |context| {
            let value = value(slots.next()?);
            met[context][usize::from(value)] += 1;
            Some(value)
        });
    }
    let mut models = Vec::new();
    let mut shares: Vec<Model> = Vec::new();
    for met in met {
        let used: Vec<(u16, [u16; 3])> =
            (0u16..).zip(met).filter(|(_, met)| *met != [0; 3]).map(|(context, met)| (context, frequencies(met))).collect();
        models.extend((used.len() as u16).to_le_bytes());
        let mut model = vec![[0; 2]; CONTEXTS];
        for (context, [draw, win, _]) in used {
            model[usize::from(context)] = [draw, win];
            models.extend([context, draw, win].iter().flat_map(|word| word.to_le_bytes()));
        }
        shares.push(model);
    }
    let (mut index, mut bytes) = (Vec::new(), Vec::new());
    for block in &mut blocks {
        values.clear();
        let mut slots = block.slots.0..block.slots.1;
        let model = &shares[block.class];
        let mut coded = Vec::new();
        let _ = backs.walk_block(halves, block, &mut values, &mut |context| {
            let value = value(slots.next()?);
            coded.push(share(model[context], value));
            Some(value)
        });
        let packed = encode(&coded);
        index.extend((packed.len() as u16).to_le_bytes());
        index.extend(crc32([&packed[..]]).to_le_bytes());
        bytes.extend(packed);
    }
    let lengths = (models.len(), bytes.len());
    models.extend(index);
    let mut file = header(kind, halves.slots(), blocks.len(), lengths.0, lengths.1, crc32([&models[..]]));
    file.extend(models);
    file.extend(bytes);
    file
}

/// The last blocks unpacked, four values to a byte.
#[derive(Default)]
struct Kept {
    blocks: HashMap<usize, Arc<[u8]>>,
    order: VecDeque<usize>,
}

/// Win, draw and loss of the stored positions of a kind, looked up in a file made by [`pack`].
pub struct Outcomes<'a> {
    blocks: Vec<Block>,
    models: Vec<Model>,
    bytes: &'a [u8],
    backs: AllBacks,
    kept: Mutex<Kept>,
}

/// An error: the file is damaged or has another version.
fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the table of outcomes is damaged: {what}"))
}

impl<'a> Outcomes<'a> {
    /// Opens a file and reads its index only.
    ///
    /// # Errors
    /// It is damaged, of another kind or another version.
    pub fn open(file: &'a [u8], kind: Kind, halves: &Halves) -> io::Result<Outcomes<'a>> {
        let mut blocks = blocks(halves);
        let (first, rest) = file.split_at_checked(HEADER).ok_or_else(|| damaged("too short"))?;
        let number = |at: usize| std::str::from_utf8(first).ok()?.split_whitespace().nth(at)?.parse::<usize>().ok();
        let (models, bytes) = number(7).zip(number(8)).ok_or_else(|| damaged("its first line"))?;
        let index = blocks.len() * 6;
        if rest.len() != models.saturating_add(index).saturating_add(bytes) {
            return Err(damaged("its length"));
        }
        let (head, bytes) = rest.split_at(models + index);
        if first != header(kind, halves.slots(), blocks.len(), models, bytes.len(), crc32([head])) {
            return Err(damaged("the checksum of its index"));
        }
        let (models, index) = head.split_at(models);
        let mut words = models.chunks_exact(2).map(|word| u16::from_le_bytes([word[0], word[1]]));
        let mut models = Vec::new();
        for _ in halves.classes() {
            let mut model = vec![[0; 2]; CONTEXTS];
            let mut next = || words.next().ok_or_else(|| damaged("its models"));
            for _ in 0..next()? {
                let (context, draw, win) = (usize::from(next()?), next()?, next()?);
                let whole = u32::from(draw) + u32::from(win) <= 1 << PRECISION;
                *model.get_mut(context).filter(|_| whole).ok_or_else(|| damaged("its models"))? = [draw, win];
            }
            models.push(model);
        }
        let mut at = 0;
        for (block, entry) in blocks.iter_mut().zip(index.chunks_exact(6)) {
            let end = at + usize::from(u16::from_le_bytes([entry[0], entry[1]]));
            block.bytes = (at, end);
            block.crc = u32::from_le_bytes([entry[2], entry[3], entry[4], entry[5]]);
            at = end;
        }
        if at != bytes.len() {
            return Err(damaged("its index"));
        }
        Ok(Outcomes { blocks, models, bytes, backs: AllBacks::new(), kept: Mutex::default() })
    }

    /// The value at a slot of the stored half.
    ///
    /// # Errors
    /// The block is damaged, or there is no such slot.
    pub fn read(&self, halves: &Halves, slot: usize) -> io::Result<Known> {
        let number = self.blocks.partition_point(|block| block.slots.1 <= slot);
        let block = self.blocks.get(number).ok_or(io::ErrorKind::InvalidInput)?;
        let held = |kept: &Mutex<Kept>| kept.lock().unwrap_or_else(PoisonError::into_inner).blocks.get(&number).cloned();
        let values = match held(&self.kept) {
            Some(values) => values,
            None => {
                let values: Arc<[u8]> = self.unpack(halves, block).ok_or_else(|| damaged("one of its blocks"))?.into();
                let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.blocks.insert(number, values.clone()).is_none() {
                    kept.order.push_back(number);
                }
                if kept.order.len() > KEPT
                    && let Some(oldest) = kept.order.pop_front()
                {
                    kept.blocks.remove(&oldest);
                }
                values
            }
        };
        let place = slot - block.slots.0;
        Ok(known((values[place / 4] >> (place % 4 * 2)) & 3))
    }

    /// The values of a block, four to a byte; `None` if its bytes are damaged.
    fn unpack(&self, halves: &Halves, block: &Block) -> Option<Vec<u8>> {
        let bytes = self.bytes.get(block.bytes.0..block.bytes.1)?;
        if crc32([bytes]) != block.crc {
            return None;
        }
        let mut decoder = Decoder::new(bytes)?;
        let model = &self.models[block.class];
        let mut values = Vec::with_capacity(block.slots.1 - block.slots.0);
        self.backs.walk_block(halves, block, &mut values, &mut |context| decoder.next(model[context]))?;
        let packed = |four: &[Trit]| four.iter().rev().fold(0, |byte, value| (byte << 2) | value);
        decoder.is_at_its_end().then(|| values.chunks(4).map(packed).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test data in which neighbours are similar as in the real data: the exact values of a small kind.
    fn small() -> (Halves, Vec<u8>) {
        let kind = Kind::Four;
        let halves = Halves::new(kind, 4);
        let watch = super::super::solver::Watch { threads: 1, stop: &crate::search::StopToken::new(), progress: &|_, _| {} };
        let tables = super::super::distances::solve(kind, None, &watch).unwrap();
        let codes = halves.gather(&tables).unwrap();
        (halves, codes)
    }

    #[test]
    fn packed_values_are_read_back() {
        let (halves, codes) = small();
        let file = pack(Kind::Four, &halves, &codes);
        assert!(file.len() < codes.len() / 6, "{} bytes for {} positions", file.len(), codes.len());
        let outcomes = Outcomes::open(&file, Kind::Four, &halves).unwrap();
        for (slot, &code) in codes.iter().enumerate() {
            assert_eq!(outcomes.read(&halves, slot).unwrap(), decode(code).known, "slot {slot}");
        }
        assert!(outcomes.read(&halves, codes.len()).is_err());
    }

    #[test]
    fn every_value_can_be_the_only_one() {
        let halves = Halves::new(Kind::Four, 4);
        for code in [0, 1, 2] {
            let file = pack(Kind::Four, &halves, &vec![code; halves.slots()]);
            let outcomes = Outcomes::open(&file, Kind::Four, &halves).unwrap();
            assert!((0..halves.slots()).all(|slot| outcomes.read(&halves, slot).unwrap() == decode(code).known));
        }
    }

    #[test]
    fn damage_is_noticed() {
        let (halves, codes) = small();
        let file = pack(Kind::Four, &halves, &codes);
        let mut random = fastrand::Rng::with_seed(8);
        for round in 0..300 {
            let mut bad = file.clone();
            match round % 3 {
                0 => bad.truncate(random.usize(..file.len())),
                1 => bad.insert(random.usize(..file.len()), random.u8(..)),
                _ => bad[random.usize(..file.len())] ^= 1 << random.u8(..8),
            }
            // Either opening fails, or only the damaged block gives an error and all others are right.
            let Ok(outcomes) = Outcomes::open(&bad, Kind::Four, &halves) else { continue };
            assert_eq!(round % 3, 2, "another length was opened");
            let wrong = outcomes.blocks.iter().filter(|block| match outcomes.read(&halves, block.slots.0) {
                Ok(found) => {
                    assert_eq!(found, decode(codes[block.slots.0]).known);
                    false
                }
                Err(_) => true,
            });
            assert_eq!(wrong.count(), 1);
        }
    }
}
