//! A library of RenLib: a tree of renju positions. A header of 20 bytes (`FF RenLib FF`, the version in two bytes, then FF), then the nodes in preorder: all
//! descendants of a node come before its siblings. A node is a point (file from 1 in the lower four bits, row from the top in the upper) and a byte of flags;
//! with flag 01 two more bytes follow. Flags: 80 a sibling follows, 40 the line ends, 20 and 08 a comment, 10 a mark, 02 no move; in the two
//! additional bytes, 01 of the upper byte is a text on the board. Texts end with a 0 and are padded to an even number of bytes; 08 in them separates the title.
//!
//! Programmed from public descriptions of the format, without a real file to compare with.

use super::binary::Bytes;
use super::preorder::{Entry, Preorder};
use super::{Sink, rules};
use crate::record::builder::Builder;
use crate::record::fault::Fault;
use crate::record::{Record, charset};
use crate::rules::Point;
use crate::table::Action;

const HEADER: usize = 20;
const SIZE: u8 = 15;

struct Node {
    begin: usize,
    point: u8,
    has_sibling: bool,
    /// The flag 40, which has two possible meanings.
    right: bool,
    no_move: bool,
    comment: String,
}

/// Reads the tree of a file.
pub fn read(bytes: &[u8], sink: &mut Sink) -> Result<Record, Fault> {
    let version = bytes.get(8..10).ok_or_else(|| Fault::byte(bytes.len(), "the header of 20 bytes is incomplete"))?;
    if version[0] != 3 {
        return Err(Fault::byte(8, format!("version {}.{} of RenLib's libraries is unknown", version[0], version[1])));
    }
    let mut data = Bytes::new(bytes, HEADER.min(bytes.len()));
    let mut nodes = Vec::new();
    while !data.is_empty() {
        nodes.push(node(&mut data)?);
    }
    let fits = |ends_line: bool| {
        let mut open = 1i64;
        for (index, node) in nodes.iter().enumerate() {
            open += i64::from(node.has_sibling) - i64::from(node.right == ends_line);
            if open <= 0 {
                return index + 1 == nodes.len();
            }
        }
        open == 0
    };
    // The flag means that the line ends. If the file is a valid tree only with the opposite meaning, that is used.
    let ends_line = fits(true) || !fits(false);
    let mut builder = Builder::gomoku(rules::variant("freestyle", SIZE)).map_err(|why| Fault::byte(0, why))?;
    let mut order = Preorder::new();
    let mut more = true;
    for (index, node) in nodes.iter().enumerate() {
        if !more {
            break;
        }
        let goes_on = node.right != ends_line;
        // The first node may be the empty board.
        if index == 0 && (node.point == 0 || node.no_move) && !node.has_sibling {
            builder.comment(&node.comment);
            more = goes_on;
            continue;
        }
        let (x, y) = (node.point & 15, node.point >> 4);
        let point =
            (1..=SIZE).contains(&x).then(|| Point::new(x - 1, SIZE.wrapping_sub(1).wrapping_sub(y))).filter(|at| at.y < SIZE);
        let entry = Entry {
            action: point.map(Action::Drop),
            written: &|| format!("point {:02x}", node.point),
            comment: &node.comment,
            goes_on,
            has_sibling: node.has_sibling,
            fault: Fault::byte(node.begin, ""),
        };
        more = order.enter(&mut builder, entry, sink)?;
    }
    Ok(builder.finish(None, None))
}

fn node(data: &mut Bytes) -> Result<Node, Fault> {
    let begin = data.at;
    let head = data.take(2)?;
    let (point, flags) = (head[0], head[1]);
    let extended = if flags & 0x01 != 0 { data.take(2)?[0] } else { 0 };
    let mut comment = String::new();
    if flags & 0x28 != 0 {
        comment = text(data)?;
    }
    if extended & 0x01 != 0 {
        // A text on the board becomes a comment.
        let on_board = text(data)?;
        if !on_board.is_empty() {
            comment = if comment.is_empty() { on_board } else { format!("{on_board}\n{comment}") };
        }
    }
    Ok(Node { begin, point, has_sibling: flags & 0x80 != 0, right: flags & 0x40 != 0, no_move: flags & 0x02 != 0, comment })
}

fn text(data: &mut Bytes) -> Result<String, Fault> {
    let mut bytes = Vec::new();
    loop {
        let pair = data.take(2)?;
        let end = pair.iter().position(|byte| *byte == 0);
        bytes.extend_from_slice(&pair[..end.unwrap_or(2)]);
        if end.is_some() {
            break;
        }
    }
    Ok(charset::decode(&bytes).replace('\u{8}', "\n").replace("\r\n", "\n").replace('\r', "\n").trim().to_owned())
}
