//! The database of the gomoku program Yixin, which Rapfi reads and writes too: positions with what was found of them.
//!
//! The number of records (four bytes), and for each the length of its key (two bytes), the key, the length of its contents and the contents, all with the lowest byte
//! first. A key is the rule (0 freestyle, 1 standard, 2 renju), files, ranks, and then the points of the black stones and of the white ones in order, file and rank of each;
//! -1 twice is a pass. Of the images of a position one stands for all. The contents are a label (`w`, `l` and `d`: the side that has moved wins, loses, draws; `x`: it
//! is not to move there), the value for the side to move (two bytes), depth and bound (two bytes), and a text. A file may be packed by LZ4.
//!
//! Programmed from public descriptions of the format, without a real file to compare with.

use super::entry::BookMove;
use super::pages::Place;
use crate::message;
use crate::message::Message;
use crate::record::charset;
use crate::rules::{Point, Side, zobrist};
use crate::storage::LARGEST_FILE;
use crate::table::{Action, Image, OpeningRule, Piece, Table};
use std::collections::{HashMap, HashSet};

/// How a file packed by LZ4 begins.
const LZ4: [u8; 4] = 0x184D_2204u32.to_le_bytes();
/// The score of a move that wins; that of one that loses is the opposite.
const DECIDED: i32 = 30_000;
/// How a text begins that also has texts on the board, which end with a backspace.
const BOARD_TEXTS: &str = "@BTXT@";
/// The largest board.
const MOST_LINES: u8 = 32;

/// What a position is worth for the side that has moved.
struct Found {
    score: i32,
    shunned: bool,
    note: String,
}

/// A whole database.
pub struct Yixin(HashMap<u64, Found>);

/// The key of a position by a rule.
fn key_of(rule: u8, pieces: &[(Point, Piece)], turn: Side, size: (u8, u8)) -> u64 {
    let images: Vec<Image> = Image::ALL.into_iter().filter(|image| image.fits(size)).collect();
    let board = u64::from(rule) << 16 | u64::from(size.0) << 8 | u64::from(size.1);
    Place::of(pieces, turn, size, &images).key ^ zobrist::mix(board)
}

fn stone(side: Side) -> Piece {
    Piece { side, role: 0 }
}

/// Reads the file from its beginning on.
struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Message> {
        let taken = self.bytes.get(self.at..).and_then(|rest| rest.get(..count));
        let taken = taken.ok_or_else(|| message!("byte {}: the file is cut off", self.at))?;
        self.at += count;
        Ok(taken)
    }

    fn number(&mut self, bytes: usize) -> Result<usize, Message> {
        Ok(self.take(bytes)?.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    }
}

impl Yixin {
    /// Reads a file.
    ///
    /// # Errors
    /// It is cut off, or this is no such database.
    pub fn read(file: &[u8]) -> Result<Yixin, Message> {
        let unpacked = if file.starts_with(&LZ4) { Some(unpacked(file)?) } else { None };
        let mut bytes = Bytes { bytes: unpacked.as_deref().unwrap_or(file), at: 0 };
        let (mut found, mut is_utf8) = (HashMap::new(), false);
        for _ in 0..bytes.number(4)? {
            let begin = bytes.at;
            let length = bytes.number(2)?;
            let key = bytes.take(length)?;
            let length = bytes.number(2)?;
            let contents = bytes.take(length)?;
            if let [_, 0, 0, ..] = key {
                // A record without a board tells how texts are written.
                is_utf8 |= contents.get(5..).is_some_and(|text| text.starts_with(b"charset=\"UTF-8\""));
                continue;
            }
            if key.is_empty() {
                continue;
            }
            let named = position(key).ok_or_else(|| message!("byte {}: this is no position of a database of Yixin", begin))?;
            found.insert(named, contents_of(contents, is_utf8));
        }
        if bytes.at < bytes.bytes.len() {
            return Err(message!("byte {}: there is more behind the last record, so this is no database of Yixin", bytes.at));
        }
        Ok(Yixin(found))
    }

    /// The legal moves to positions of the database.
    pub fn moves(&self, table: &dyn Table, legal: &HashSet<Action>) -> Vec<BookMove> {
        let variant = table.setup().variant.clone().unwrap_or_default();
        let rule = match OpeningRule::split(&variant).0.split(':').next() {
            Some("freestyle") => 0,
            Some("standard") => 1,
            Some("renju") => 2,
            _ => return Vec::new(),
        };
        let (mut pieces, mover, size) = (table.pieces(), table.turn(), table.size());
        let mut moves = Vec::new();
        for &action in legal {
            let Action::Drop(at) = action else { continue };
            pieces.push((at, stone(mover)));
            if let Some(found) = self.0.get(&key_of(rule, &pieces, !mover, size)) {
                let (score, note) = (found.score, found.note.clone());
                moves.push(BookMove { score, shunned: found.shunned, note, ..BookMove::new(action, 0) });
            }
            pieces.pop();
        }
        moves
    }
}

/// The key of the position in a record.
fn position(key: &[u8]) -> Option<u64> {
    let (&[rule, files, ranks], stones) = key.split_first_chunk::<3>()?;
    let (points, rest) = stones.as_chunks::<2>();
    if files > MOST_LINES || ranks > MOST_LINES || !rest.is_empty() || points.len() > usize::from(files) * usize::from(ranks) {
        return None;
    }
    let black = points.len().div_ceil(2);
    let turn = if points.len().is_multiple_of(2) { Side::First } else { Side::Second };
    let mut pieces = Vec::with_capacity(points.len());
    for (number, [x, y]) in points.iter().enumerate() {
        if [*x, *y] == [0xff, 0xff] {
            continue;
        }
        if *x >= files || *y >= ranks {
            return None;
        }
        pieces.push((Point::new(*x, *y), stone(if number < black { Side::First } else { Side::Second })));
    }
    Some(key_of(rule, &pieces, turn, (files, ranks)))
}

/// What a record tells of its position.
fn contents_of(contents: &[u8], is_utf8: bool) -> Found {
    let label = contents.first().map(u8::to_ascii_lowercase);
    let value = contents.get(1..3).map_or(0, |value| i16::from_le_bytes([value[0], value[1]]));
    let score = match label {
        Some(b'w') => DECIDED,
        Some(b'l') => -DECIDED,
        Some(b'd') => 0,
        _ => -i32::from(value),
    };
    let text = contents.get(5..).unwrap_or_default();
    let text = if is_utf8 { String::from_utf8_lossy(text).into_owned() } else { charset::gb(text) };
    let comment = match text.strip_prefix(BOARD_TEXTS) {
        Some(more) => more.split_once('\u{8}').map_or("", |(_, comment)| comment),
        None => &text,
    };
    let note = comment.trim_end_matches('\0').replace('\u{8}', "\n").trim().to_owned();
    Found { score, shunned: label == Some(b'x'), note }
}

/// The contents of a frame of LZ4. Its checksums are not looked at.
fn unpacked(file: &[u8]) -> Result<Vec<u8>, Message> {
    let mut bytes = Bytes { bytes: file, at: LZ4.len() };
    let flags = bytes.take(2)?[0];
    let (has_size, has_dictionary, has_sums) = (flags & 0x08 != 0, flags & 0x01 != 0, flags & 0x10 != 0);
    bytes.take(if has_size { 8 } else { 0 } + if has_dictionary { 4 } else { 0 } + 1)?;
    let mut out = Vec::new();
    loop {
        let size = bytes.number(4)?;
        if size == 0 {
            return Ok(out);
        }
        let begin = bytes.at;
        let block = bytes.take(size & 0x7fff_ffff)?;
        if size & 0x8000_0000 != 0 {
            out.extend_from_slice(block);
        } else {
            unpack_block(block, &mut out).ok_or_else(|| message!("byte {}: the packed data are damaged", begin))?;
        }
        if out.len() as u64 > LARGEST_FILE {
            return Err(message!("there are more than the allowed {} MiB", LARGEST_FILE >> 20));
        }
        bytes.take(if has_sums { 4 } else { 0 })?;
    }
}

/// Unpacks a block of LZ4 behind what was unpacked before: runs of bytes as they are, each followed by a repetition of earlier ones.
fn unpack_block(mut block: &[u8], out: &mut Vec<u8>) -> Option<()> {
    fn length(block: &mut &[u8], nibble: u8) -> Option<usize> {
        let mut length = usize::from(nibble);
        let mut more = nibble == 15;
        while more {
            let (byte, rest) = block.split_first()?;
            (*block, length, more) = (rest, length + usize::from(*byte), *byte == 255);
        }
        Some(length)
    }
    while let Some((token, rest)) = block.split_first() {
        block = rest;
        let plain = length(&mut block, token >> 4)?;
        out.extend_from_slice(block.get(..plain)?);
        block = &block[plain..];
        if block.is_empty() {
            return Some(());
        }
        let (back, rest) = block.split_first_chunk::<2>()?;
        block = rest;
        let count = 4 + length(&mut block, token & 15)?;
        let from = out.len().checked_sub(usize::from(u16::from_le_bytes(*back))).filter(|from| *from < out.len())?;
        if (out.len() + count) as u64 > LARGEST_FILE {
            return None;
        }
        for at in from..from + count {
            out.push(out[at]);
        }
    }
    Some(())
}
