//! XQStudio's records of xiangqi. Version 10 is not encrypted; later versions encrypt the numbers with keys in the
//! header. Numbers are low byte first, texts are GB18030. Source: descriptions by the community, compared with files of
//! versions 10 to 18.
//!
//! Header of 1024 bytes: `XQ`, version, key mask, four keys at 8, a key sum at 12, keys of pieces, origins and targets
//! at 13 to 15, the squares of the 32 pieces at 16 (file * 10 + rank), the side to move at 50, the result at 51, then
//! texts, each after its length. Then the tree.

use super::binary::Bytes;
use super::preorder::{ListedNode, Preorder, list};
use super::squares::{SET, Squares, squares_of_set, step};
use super::{Loss, Sink};
use crate::message;
use crate::message::Message;
use crate::record::Record;
use crate::record::builder::{Partial, StatedResult};
use crate::record::charset::{self, Charset};
use crate::record::fault::Fault;
use crate::rules::Side;
use crate::table::{Action, Tree};

/// The byte where the tree begins.
const TREE: usize = 1024;
/// The text that later versions combine with the keys of the file to encrypt the tree.
const LETTERS: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";
/// Texts of the header that become tags: their place, their length in bytes, and the tag's name.
const TEXTS: [(usize, usize, &str); 7] = [
    (80, 63, "Title"),
    (208, 63, "Event"),
    (272, 15, "Date"),
    (288, 15, "Site"),
    (336, 63, "TimeControl"),
    (464, 15, "Annotator"),
    (480, 15, "Author"),
];
/// The players' names.
const NAMES: [(usize, usize, Side); 2] = [(304, 15, Side::First), (320, 15, Side::Second)];

/// The numbers to subtract from the bytes of a file.
struct Keys {
    pieces: u8,
    from: u8,
    to: u8,
    comment: u32,
    bytes: [u8; 32],
}

impl Keys {
    fn of(header: &[u8]) -> Keys {
        if header[2] <= 10 {
            return Keys { pieces: 0, from: 0, to: 0, comment: 0, bytes: [0; 32] };
        }
        let [sum, a, b, c] = [header[12], header[13], header[14], header[15]];
        let spread = |key: u8| key.wrapping_mul(key).wrapping_mul(54).wrapping_add(221);
        let pieces = spread(a).wrapping_mul(a);
        let from = spread(b).wrapping_mul(pieces);
        let to = spread(c).wrapping_mul(from);
        let comment = (u32::from(sum) * 256 + u32::from(a)) % 32000 + 767;
        let mixed: [u8; 4] = std::array::from_fn(|i| (header[12 + i] & header[3]) | header[8 + i]);
        Keys { pieces, from, to, comment, bytes: std::array::from_fn(|i| LETTERS[i] & mixed[i % 4]) }
    }

    /// The next bytes of the tree, decrypted.
    fn take<const N: usize>(&self, bytes: &mut Bytes) -> Result<[u8; N], Fault> {
        let at = bytes.at;
        let taken = bytes.take(N)?;
        Ok(std::array::from_fn(|i| taken[i].wrapping_sub(self.bytes[(at + i) % 32])))
    }
}

/// Reads the game of a file.
pub fn read(bytes: &[u8], charset: Charset, partial: &mut Partial, sink: &mut Sink) -> Result<Record, Fault> {
    if bytes.len() < TREE {
        return Err(Fault::byte(bytes.len(), message!("the header of 1024 bytes is incomplete")));
    }
    let keys = Keys::of(bytes);
    let version = bytes[2];
    let mut board = Squares::empty();
    for (index, raw) in bytes[16..48].iter().enumerate() {
        let square = usize::from(raw.wrapping_sub(keys.pieces));
        let piece = if version >= 12 { (usize::from(keys.pieces) + index + 1) % 32 } else { index };
        if square < 90 {
            board.put(square / 10, square % 10, SET[piece]);
        }
    }
    if board.is_empty() {
        return Err(Fault::byte(16, message!("there is no piece on the board")));
    }
    let mut data = Bytes::new(bytes, TREE);
    // The start is also a node; its comment is that of the game. A file without moves may end before it.
    let first = if data.is_empty() { None } else { Some(node(&mut data, &keys, version, charset)?) };
    let goes_on = first.as_ref().is_some_and(|first| first.goes_on);
    let peeked = if goes_on { node(&mut Bytes::new(bytes, data.at), &keys, version, charset).ok() } else { None };
    // The side of the first piece that moves is more reliable than the byte for the side to move.
    let mover = peeked.and_then(|node| board.side_at(node.from.0, node.from.1));
    let told_side = if bytes[50] == 1 { Side::Second } else { Side::First };
    let told: StatedResult = match bytes[51] {
        1 => Some(Some(Side::First)),
        2 => Some(Some(Side::Second)),
        3 | 4 => Some(None),
        _ => None,
    };
    let turn = mover.unwrap_or(told_side);
    let builder = partial.xiangqi(Some(board.fen(turn))).map_err(|why| Fault::byte(16, why))?;
    for (at, most, name) in TEXTS {
        builder.tag(name, &text(bytes, at, most, charset));
    }
    for (at, most, side) in NAMES {
        builder.player(side, &text(bytes, at, most, charset));
    }
    builder.comment(&first.map(|first| first.comment).unwrap_or_default());
    let mut order = Preorder::new();
    let mut more = goes_on;
    while more {
        let begin = data.at;
        let node = node(&mut data, &keys, version, charset)?;
        let entry = ListedNode {
            action: step(node.from, node.to),
            written: &|| format!("{}{} to {}{}", node.from.0, node.from.1, node.to.0, node.to.1),
            comment: &node.comment,
            goes_on: node.goes_on,
            has_sibling: node.has_sibling,
            fault: Fault::byte(begin, message!("")),
        };
        more = order.enter(builder, entry, sink)?;
    }
    Ok(builder.finish(told, None))
}

struct FileNode {
    from: (usize, usize),
    to: (usize, usize),
    goes_on: bool,
    has_sibling: bool,
    comment: String,
}

fn node(data: &mut Bytes, keys: &Keys, version: u8, charset: Charset) -> Result<FileNode, Fault> {
    let [from, to, flags, _] = keys.take(data)?;
    let square = |byte: u8| (usize::from(byte) / 10, usize::from(byte) % 10);
    let (goes_on, has_sibling, has_comment, extra) = if version <= 10 {
        (flags & 0xF0 != 0, flags & 0x0F != 0, true, 0)
    } else {
        (flags & 0x80 != 0, flags & 0x40 != 0, flags & 0x20 != 0, keys.comment)
    };
    let mut comment = String::new();
    if has_comment {
        let length = u32::from_le_bytes(keys.take(data)?).wrapping_sub(extra) as usize;
        let at = data.at;
        let taken = data.take(length)?;
        let plain: Vec<u8> = taken.iter().enumerate().map(|(i, byte)| byte.wrapping_sub(keys.bytes[(at + i) % 32])).collect();
        comment = charset.gb(&plain).replace("\r\n", "\n").replace('\0', "");
    }
    let from = square(from.wrapping_sub(24).wrapping_sub(keys.from));
    let to = square(to.wrapping_sub(32).wrapping_sub(keys.to));
    Ok(FileNode { from, to, goes_on, has_sibling, comment })
}

/// Reads a text after its length.
fn text(bytes: &[u8], at: usize, most: usize, charset: Charset) -> String {
    let length = usize::from(bytes[at]).min(most);
    charset.gb(&bytes[at + 1..at + 1 + length]).replace('\0', "")
}

/// Writes a game, in version 10.
pub fn write(record: &Record) -> Result<(Vec<u8>, Loss), Message> {
    if record.game != "xiangqi" {
        return Err(message!("an .xqf file holds games of xiangqi, not of {}", &record.game));
    }
    let start = record.table()?;
    let mut out = vec![0u8; TREE];
    out[..4].copy_from_slice(&[b'X', b'Q', 10, 0]);
    for (index, square) in squares_of_set(&*start).into_iter().enumerate() {
        out[16 + index] = square.map_or(0xFF, |at| at.x * 10 + at.y);
    }
    out[50] = u8::from(start.turn() == Side::Second);
    out[51] = match record.result.map(|result| result.winner) {
        None => 0,
        Some(Some(Side::First)) => 1,
        Some(Some(Side::Second)) => 2,
        Some(None) => 3,
    };
    // A game from the start position, or from another position.
    out[64] = if record.setup.position.is_some() { 2 } else { 0 };
    let mut loss = Loss { comments: 0, variations: 0, ..Loss::beside_the_main_line(record) };
    let mut put = |at: usize, most: usize, text: &str| {
        let bytes = charset::to_gb(text);
        // A text that is too long is cut before the first character that does not fit.
        let mut length = bytes.len().min(most);
        while charset::gb(&bytes[..length]).contains('\u{FFFD}') && length > 0 {
            length -= 1;
        }
        out[at] = length as u8;
        out[at + 1..at + 1 + length].copy_from_slice(&bytes[..length]);
        length == bytes.len()
    };
    for (at, most, name) in TEXTS {
        if let Some(value) = record.tags.get(name) {
            loss.tags -= usize::from(put(at, most, value));
        }
    }
    for (at, most, side) in NAMES {
        loss.names += usize::from(!put(at, most, &record.seats[side].to_string()));
    }
    let tree = &record.tree;
    let mut node = |squares: [u8; 2], goes_on: bool, has_sibling: bool, comment: &str| {
        let comment = charset::to_gb(&comment.replace('\n', "\r\n"));
        let flags = if goes_on { 0xF0 } else { 0 } | if has_sibling { 0x0F } else { 0 };
        out.extend_from_slice(&[squares[0], squares[1], flags, 0]);
        out.extend_from_slice(&(comment.len() as u32).to_le_bytes());
        out.extend_from_slice(&comment);
    };
    node([24, 32], !tree.is_empty(), false, tree.notes(Tree::ROOT).comment);
    for (id, goes_on, has_sibling) in list(tree) {
        let squares = match tree.node(id).action() {
            Some(Action::Step { from, to }) => [from.x * 10 + from.y + 24, to.x * 10 + to.y + 32],
            _ => return Err(message!("a move of xiangqi must go from one square to another")),
        };
        node(squares, goes_on, has_sibling, tree.notes(id).comment);
    }
    Ok((out, loss))
}
