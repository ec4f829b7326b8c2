//! A library of RenLib: a tree of renju positions. A header of 20 bytes (`FF RenLib FF`, the version in two bytes, then
//! FF; old libraries have none and begin with the point h8), then the nodes in preorder: all descendants of a node come
//! before its siblings. A node is a point (file from 1 in the lower four bits, row from the top in the upper; 00 is a
//! pass) and a byte of flags; with flag 01 two more bytes follow, the upper one first. Flags: 80 a sibling follows, 40
//! the line ends, 20 and 08 a comment, 10 a mark, 02 no move; in the two additional bytes, 01 of the lower byte is a
//! text on the board. Texts end with a 0 and are padded to an even number of bytes; 08 in them separates the title. An
//! old comment, flag 20 alone, ends with a byte whose upper bit is set.
//!
//! Programmed from public descriptions of the format, without a real file to compare with.

use super::binary::Bytes;
use super::preorder::{ListedNode, Preorder};
use super::{ReadItem, Sink, rules};
use crate::message;
use crate::record::Record;
use crate::record::builder::Partial;
use crate::record::charset::Charset;
use crate::record::fault::Fault;
use crate::rules::Point;
use crate::table::{Action, LabelText, Mark};

const HEADER: usize = 20;
const SIGNATURE: &[u8] = b"\xFFRenLib\xFF";
const SIZE: u8 = 15;
/// The first byte of a library without a header: h8.
const CENTRE: u8 = 0x78;
/// Flags of a node.
const SIBLING: u8 = 0x80;
const RIGHT: u8 = 0x40;
const OLD_COMMENT: u8 = 0x20;
const COMMENT: u8 = 0x08;
const NO_MOVE: u8 = 0x02;
const EXTENSION: u8 = 0x01;
/// A flag in the lower byte of the extension.
const BOARD_TEXT: u8 = 0x01;

struct FileNode {
    begin: usize,
    point: u8,
    has_sibling: bool,
    /// The flag 40, which has two possible meanings.
    right: bool,
    no_move: bool,
    comment: String,
    on_board: String,
}

impl FileNode {
    /// Its point; `None` if it is not on the board.
    fn point(&self) -> Option<Point> {
        let (file, row) = (self.point & 15, self.point >> 4);
        let y = SIZE.checked_sub(row + 1);
        y.filter(|_| (1..=SIZE).contains(&file)).map(|y| Point::new(file - 1, y))
    }
}

/// True if the bytes are a library without a header.
pub fn looks_like(bytes: &[u8]) -> bool {
    // A text has no such flags.
    bytes.first() == Some(&CENTRE)
        && bytes.get(1).is_some_and(|flags| flags & !(OLD_COMMENT | COMMENT) == 0)
        && bytes.contains(&0)
        && nodes(bytes, 0, Charset::default()).is_ok_and(|nodes| is_tree(&nodes, true))
}

/// All nodes from a byte on.
fn nodes(bytes: &[u8], at: usize, charset: Charset) -> Result<Vec<FileNode>, (Vec<FileNode>, Fault)> {
    let mut data = Bytes::new(bytes, at.min(bytes.len()));
    let mut nodes = Vec::new();
    while !data.is_empty() {
        match node(&mut data, charset) {
            Ok(node) => nodes.push(node),
            Err(fault) => return Err((nodes, fault)),
        }
    }
    Ok(nodes)
}

/// True if the nodes are a whole tree, by this meaning of the flag 40.
fn is_tree(nodes: &[FileNode], ends_line: bool) -> bool {
    let mut open = 1i64;
    for (index, node) in nodes.iter().enumerate() {
        open += i64::from(node.has_sibling) - i64::from(node.right == ends_line);
        if open <= 0 {
            return index + 1 == nodes.len();
        }
    }
    open == 0
}

/// Reads the tree of a file.
pub fn read(bytes: &[u8], charset: Charset, partial: &mut Partial, sink: &mut Sink) -> Result<Record, Fault> {
    let mut begin = 0;
    if bytes.starts_with(SIGNATURE) {
        let version =
            bytes.get(8..10).ok_or_else(|| Fault::byte(bytes.len(), message!("the header of 20 bytes is incomplete")))?;
        if version[0] != 3 {
            return Err(Fault::byte(8, message!("version {}.{} of RenLib's libraries is unknown", version[0], version[1])));
        }
        begin = HEADER;
    } else if bytes.first() != Some(&CENTRE) {
        return Err(Fault::byte(0, message!("a library of RenLib begins with FF and RenLib, or with the point h8")));
    }
    let (nodes, damage) = match nodes(bytes, begin, charset) {
        Ok(nodes) => (nodes, None),
        Err((nodes, fault)) => (nodes, Some(fault)),
    };
    // The flag means that the line ends. If the file is a valid tree only with the opposite meaning, that is used.
    let ends_line = is_tree(&nodes, true) || !is_tree(&nodes, false);
    let builder = partial.gomoku(rules::variant("freestyle", SIZE)).map_err(|why| Fault::byte(0, why))?;
    let mut order = Preorder::new();
    let mut more = true;
    for (index, node) in nodes.iter().enumerate() {
        if !more {
            let why = message!("the tree ends here; {} nodes behind it are left out", nodes.len() - index);
            sink(ReadItem::Remark(Fault::byte(node.begin, why)));
            break;
        }
        let goes_on = node.right != ends_line;
        let point = node.point();
        if !node.on_board.is_empty() {
            match (point.zip(LabelText::new(&node.on_board)), order.parent()) {
                (Some((at, text)), Some(parent)) => {
                    builder.go(parent);
                    builder.mark(Mark::Label { at, text });
                }
                _ => {
                    let why = message!("the text '{}' on the board is left out", node.on_board.escape_debug());
                    sink(ReadItem::Remark(Fault::byte(node.begin, why)));
                }
            }
        }
        // The first node may be the empty board.
        let is_root = index == 0 && node.point == 0 && !node.has_sibling;
        let entry = ListedNode {
            action: if node.point == 0 { Some(Action::Pass) } else { point.map(Action::Drop) },
            written: &|| if node.point == 0 { "a pass".to_owned() } else { format!("point {:02x}", node.point) },
            comment: &node.comment,
            goes_on,
            has_sibling: node.has_sibling,
            fault: Fault::byte(node.begin, message!("")),
        };
        if node.point == 0 && !is_root && !node.no_move && !goes_on {
            sink(ReadItem::Remark(Fault::byte(node.begin, message!("a pass at the end of a line is left out"))));
            more = order.pause(builder, &entry);
            continue;
        }
        more = if is_root || node.no_move { order.pause(builder, &entry) } else { order.enter(builder, entry, sink)? };
    }
    match damage {
        Some(fault) => Err(fault),
        None => Ok(builder.finish(None, None)),
    }
}

fn node(data: &mut Bytes, charset: Charset) -> Result<FileNode, Fault> {
    let begin = data.at;
    let head = data.take(2)?;
    let (point, flags) = (head[0], head[1]);
    let extension = if flags & EXTENSION != 0 { data.take(2)?[1] } else { 0 };
    let comment = match flags {
        flags if flags & COMMENT != 0 => text(data, charset)?,
        flags if flags & OLD_COMMENT != 0 => old_text(data, charset)?,
        _ => String::new(),
    };
    let on_board = if extension & BOARD_TEXT != 0 { text(data, charset)? } else { String::new() };
    let (has_sibling, right, no_move) = (flags & SIBLING != 0, flags & RIGHT != 0, flags & NO_MOVE != 0);
    Ok(FileNode { begin, point, has_sibling, right, no_move, comment, on_board })
}

fn text(data: &mut Bytes, charset: Charset) -> Result<String, Fault> {
    let mut bytes = Vec::new();
    loop {
        let pair = data.take(2)?;
        let end = pair.iter().position(|byte| *byte == 0);
        bytes.extend_from_slice(&pair[..end.unwrap_or(2)]);
        if end.is_some() {
            return Ok(plain(&bytes, charset));
        }
    }
}

/// A text of seven bits a letter, whose last letter has the upper bit.
fn old_text(data: &mut Bytes, charset: Charset) -> Result<String, Fault> {
    let mut bytes = Vec::new();
    loop {
        let pair = data.take(2)?;
        let end = pair.iter().position(|byte| byte & 0x80 != 0);
        bytes.extend(pair[..end.map_or(2, |end| end + 1)].iter().map(|byte| byte & 0x7F));
        if end.is_some() {
            return Ok(plain(&bytes, charset));
        }
    }
}

fn plain(bytes: &[u8], charset: Charset) -> String {
    charset.decode(bytes).replace('\u{8}', "\n").replace("\r\n", "\n").replace('\r', "\n").trim().to_owned()
}
