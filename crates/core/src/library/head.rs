//! A game as it stands in the file: numbers of seven bits a byte, and strings by their numbers in the block.

use crate::rules::{Outcome, Reason, Side};
use crate::table::Origin;

/// A game as it stands in the file. Texts are numbers of strings; those of the setup and of the opening are 0 if there is none, else one more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<'a> {
    pub id: u64,
    pub game: u32,
    pub variant: u32,
    pub position: u32,
    /// 0 for a person, an odd number for a level, an even one for a name.
    pub seats: [u32; 2],
    pub result: Option<Outcome>,
    pub origin: Origin,
    pub plies: u32,
    /// The pieces at the end.
    pub pieces: u32,
    /// The opening by our own table, its code and names in lines, if no tag tells one: 0 if there is none, else one more than its string.
    pub opening: u32,
    /// The names and values of the tags, as numbers of strings.
    pub tags: &'a [u8],
    pub moves: &'a [u8],
    /// The whole record in our own format, deflated, if it is more than a line of moves.
    pub whole: &'a [u8],
}

const ORIGINS: [Origin; 5] = [Origin::Main, Origin::Variation, Origin::Engine, Origin::Review, Origin::Record];

impl<'a> Head<'a> {
    /// Reads a game; `None` if it is damaged.
    pub fn read(id: u64, bytes: &'a [u8]) -> Option<Head<'a>> {
        let mut reader = Reader::new(bytes);
        let [game, variant, position] = [reader.number()?, reader.number()?, reader.number()?];
        let seats = [reader.number()?, reader.number()?];
        let result = match reader.number()? {
            0 => None,
            told => {
                let winner = [None, Some(Side::First), Some(Side::Second)].get((told as usize - 1) % 3).copied()?;
                Some(Outcome { winner, reason: *Reason::ALL.get((told as usize - 1) / 3)? })
            }
        };
        let origin = *ORIGINS.get(reader.number()? as usize)?;
        let [plies, pieces, opening] = [reader.number()?, reader.number()?, reader.number()?];
        let mut part = || {
            let length = reader.number()?;
            reader.take(length as usize)
        };
        let (tags, moves, whole) = (part()?, part()?, part()?);
        Some(Head { id, game, variant, position, seats, result, origin, plies, pieces, opening, tags, moves, whole })
    }

    /// The names and values of its tags.
    pub fn each_tag(&self) -> impl Iterator<Item = (u32, u32)> + use<'a> {
        let mut reader = Reader::new(self.tags);
        std::iter::from_fn(move || Some((reader.number()?, reader.number()?)))
    }

    /// Writes it with other strings.
    pub fn write(&self, out: &mut Vec<u8>, mut string: impl FnMut(u32) -> u32) {
        let mut body = Vec::with_capacity(self.moves.len() + self.whole.len() + 64);
        let mut optional = |text: u32| if text == 0 { 0 } else { 1 + string(text - 1) };
        let [variant, position, opening] = [self.variant, self.position, self.opening].map(&mut optional);
        number(&mut body, string(self.game));
        number(&mut body, variant);
        number(&mut body, position);
        for seat in self.seats {
            number(&mut body, if seat == 0 || seat % 2 == 1 { seat } else { 2 + 2 * string(seat / 2 - 1) });
        }
        let winner = |winner: Option<Side>| winner.map_or(0, |side| 1 + side as u32);
        let reason =
            |reason: Reason| Reason::ALL.iter().position(|other| *other == reason).unwrap_or(Reason::ALL.len() - 1) as u32;
        number(&mut body, self.result.map_or(0, |end| 1 + winner(end.winner) + 3 * reason(end.reason)));
        number(&mut body, ORIGINS.iter().position(|origin| *origin == self.origin).unwrap_or_default() as u32);
        number(&mut body, self.plies);
        number(&mut body, self.pieces);
        number(&mut body, opening);
        let mut tags = Vec::new();
        for (name, value) in self.each_tag() {
            number(&mut tags, string(name));
            number(&mut tags, string(value));
        }
        for part in [&tags, self.moves, self.whole] {
            number(&mut body, part.len() as u32);
            body.extend_from_slice(part);
        }
        out.extend(self.id.to_le_bytes());
        number(out, body.len() as u32);
        out.extend(body);
    }
}

/// Writes a number, seven bits a byte.
pub(super) fn number(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads numbers and bytes one after the other.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    pub at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0 }
    }

    pub fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    #[inline]
    pub fn number(&mut self) -> Option<u32> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = *self.bytes.get(self.at).filter(|_| shift < 32)?;
            self.at += 1;
            number |= u32::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(number);
            }
            shift += 7;
        }
    }

    #[inline]
    pub fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let part = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(part)
    }

    pub fn take_long(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }
}
