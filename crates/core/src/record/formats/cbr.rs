//! CCBridge's records of xiangqi, and its libraries of records. Numbers are low byte first, texts are UTF-16 and end
//! with a 0. Source: files of both versions.
//!
//! A record: `CCBridge Record`, the version at 19, texts at fixed places, the result, a position of ninety bytes from
//! black's left corner row by row, then the tree. A library: `CCBridgeLibrary`, records as above, each at a multiple of
//! 4096 bytes from the first; empty boards are free places.

use super::binary::Bytes;
use super::preorder::{ListedNode, Preorder};
use super::squares::{Squares, step};
use super::{ReadItem, Sink, tell};
use crate::message;
use crate::record::builder::Partial;
use crate::record::fault::Fault;
use crate::record::{Record, charset};
use crate::rules::Side;

const RECORD: &[u8] = b"CCBridge Record\0";
const LIBRARY: &[u8] = b"CCBridgeLibrary\0";
/// The records of a library begin at multiples of this.
const BLOCK: usize = 4096;
/// The places of the texts in a record of version 2, and the names of their tags. In version 1 they are 128 bytes
/// earlier.
const TEXTS: [(usize, usize, &str); 5] =
    [(180, 128, "Title"), (692, 64, "Event"), (756, 64, "Round"), (884, 64, "Date"), (948, 64, "Site")];
const NAMES: [(usize, Side); 2] = [(1076, Side::First), (1300, Side::Second)];
/// The letters of the pieces 11 to 17 (red) and 21 to 27 (black), hexadecimal.
const PIECES: [char; 7] = ['R', 'N', 'B', 'A', 'K', 'C', 'P'];

/// Reads the games of a file.
pub fn read(bytes: &[u8], sink: &mut Sink) {
    if bytes.starts_with(RECORD) {
        let empty = |found: Option<Record>| found.ok_or_else(|| Fault::byte(0, message!("there is no piece on the board")));
        return super::one(|partial, sink| record(bytes, 0, partial, sink).and_then(empty), sink);
    }
    if !bytes.starts_with(LIBRARY) {
        let why = match bytes.starts_with(b"CCBridge") {
            true => message!("this is a library of an old version of CCBridge, whose packed moves cannot be read"),
            false => message!("there is no record here"),
        };
        return tell(sink, ReadItem::Refused(Fault::byte(8, why).into()));
    }
    let Some(first) = bytes.windows(RECORD.len()).position(|window| window == RECORD) else {
        return tell(sink, ReadItem::Refused(Fault::byte(LIBRARY.len(), message!("there is no record in this library")).into()));
    };
    for begin in (first..bytes.len()).step_by(BLOCK).filter(|begin| bytes[*begin..].starts_with(RECORD)) {
        let mut partial = Partial::default();
        match record(bytes, begin, &mut partial, sink) {
            Ok(Some(record)) => tell(sink, ReadItem::Game(Box::new(record))),
            Ok(None) => {}
            Err(fault) => tell(sink, ReadItem::Refused(partial.refused(fault))),
        }
    }
}

/// The record that begins at a byte; `None` for an empty board.
fn record(bytes: &[u8], begin: usize, partial: &mut Partial, sink: &mut Sink) -> Result<Option<Record>, Fault> {
    let version = *bytes.get(begin + 19).ok_or_else(|| Fault::byte(bytes.len(), message!("the header is incomplete")))?;
    let (shift, result, position) = match version {
        1 => (128, 1820, 1856),
        2 => (0, 2076, 2112),
        other => return Err(Fault::byte(begin + 19, message!("version {} of CCBridge's records is unknown", other))),
    };
    let mut data = Bytes::new(bytes, begin + position);
    let head = data.take(8)?;
    let mut board = Squares::empty();
    for (index, piece) in data.take(90)?.iter().enumerate() {
        let letter = |number: u8| PIECES.get(usize::from(number)).copied();
        let piece = match piece {
            0x11..=0x17 => letter(piece - 0x11),
            0x21..=0x27 => letter(piece - 0x21).map(|letter| letter.to_ascii_lowercase()),
            _ => None,
        };
        if let Some(piece) = piece {
            board.put(index % 9, 9 - index / 9, piece);
        }
    }
    if board.is_empty() {
        return Ok(None);
    }
    data.take(4)?;
    let first = node(&mut data, version)?;
    let mut goes_on = !first.last;
    let peeked = if goes_on { node(&mut Bytes::new(bytes, data.at), version).ok() } else { None };
    let told_side = if head[0] == 2 { Side::Second } else { Side::First };
    let mover = peeked.and_then(|node| board.side_at(node.from.0, node.from.1));
    let fen = board.fen(mover.unwrap_or(told_side));
    let builder = partial.xiangqi(Some(fen)).map_err(|why| Fault::byte(begin + position + 8, why))?;
    for (at, most, name) in TEXTS {
        builder.tag(name, &text(bytes, begin + at - shift, most));
    }
    for (at, side) in NAMES {
        builder.player(side, &text(bytes, begin + at - shift, 64));
    }
    let told = match bytes.get(begin + result) {
        Some(1) => Some(Some(Side::First)),
        Some(2) => Some(Some(Side::Second)),
        Some(3) => Some(None),
        _ => None,
    };
    builder.comment(&first.comment);
    let mut order = Preorder::new();
    while goes_on {
        let at = data.at;
        let node = node(&mut data, version)?;
        let entry = ListedNode {
            action: step(node.from, node.to),
            written: &|| format!("{}{} to {}{}", node.from.0, node.from.1, node.to.0, node.to.1),
            comment: &node.comment,
            goes_on: !node.last,
            has_sibling: node.has_sibling,
            fault: Fault::byte(at, message!("")),
        };
        goes_on = order.enter(builder, entry, sink)?;
    }
    Ok(Some(builder.finish(told, None)))
}

struct FileNode {
    last: bool,
    has_sibling: bool,
    from: (usize, usize),
    to: (usize, usize),
    comment: String,
}

fn node(data: &mut Bytes, version: u8) -> Result<FileNode, Fault> {
    let head = data.take(4)?;
    let square = |byte: u8| {
        let byte = usize::from(byte);
        if version == 1 { (byte >> 4, 9usize.wrapping_sub(byte & 15)) } else { (byte % 9, 9usize.wrapping_sub(byte / 9)) }
    };
    let mut comment = String::new();
    if head[0] & 4 != 0 {
        let length = data.number()? as usize;
        comment = charset::utf16(data.take(length)?).replace("\r\n", "\n").replace('\0', "");
    }
    Ok(FileNode { last: head[0] & 1 != 0, has_sibling: head[0] & 2 != 0, from: square(head[2]), to: square(head[3]), comment })
}

/// A text of at most `most` bytes that ends with a 0 of two bytes.
fn text(bytes: &[u8], at: usize, most: usize) -> String {
    let rest = bytes.get(at..).unwrap_or_default();
    let rest = &rest[..rest.len().min(most)];
    let units: Vec<u8> = rest.chunks_exact(2).take_while(|unit| *unit != [0, 0]).flatten().copied().collect();
    charset::utf16(&units)
}
