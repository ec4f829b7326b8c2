//! Moves of xiangqi as nested XML elements `<n m="..">`: the first has the FEN, every other one is a move after its
//! parent; `c` is a comment, `default` marks the main line among several moves. Source: a file of the format.

use super::xml::{Piece, Xml, attribute};
use super::{ReadItem, Sink};
use crate::message;
use crate::record::Record;
use crate::record::builder::Partial;
use crate::record::fault::Fault;
use crate::table::{NodeId, Tree};

/// Reads the game of a file.
pub fn read(text: &str, partial: &mut Partial, sink: &mut Sink) -> Result<Record, Fault> {
    let mut xml = Xml::new(text);
    // The nodes of the open elements; `None` after an illegal move.
    let mut open: Vec<Option<NodeId>> = Vec::new();
    let mut leading: Vec<NodeId> = Vec::new();
    while let Some(piece) = xml.next()? {
        match piece {
            Piece::Begin(name, attributes, ends) if name == "n" => {
                let line = xml.line();
                let written = attribute(&attributes, "m").unwrap_or_default();
                let mut node = None;
                match partial.builder() {
                    None => {
                        let position = Some(written.to_owned()).filter(|fen| fen.contains('/'));
                        partial.xiangqi(position).map_err(|why| Fault::line(line, why))?;
                        node = Some(Tree::ROOT);
                    }
                    Some(builder) => {
                        if let Some(parent) = open.last().copied().flatten() {
                            builder.go(parent);
                            let main = builder.is_main_end();
                            let ply = builder.ply() + 1;
                            match builder.play_text(written) {
                                Ok(id) => node = Some(id),
                                Err(why) => {
                                    let fault =
                                        Fault::line(line, message!("move {}: '{}': {}", ply, written.escape_debug(), why));
                                    if main {
                                        return Err(fault);
                                    }
                                    sink(ReadItem::Remark(fault));
                                }
                            }
                        }
                    }
                }
                if let (Some(builder), Some(id)) = (partial.builder(), node) {
                    builder.go(id);
                    builder.comment(attribute(&attributes, "c").unwrap_or_default());
                    let default = attribute(&attributes, "default").is_some_and(|word| !matches!(word, "0" | "false" | ""));
                    leading.extend(Some(id).filter(|id| default && *id != Tree::ROOT));
                }
                if !ends {
                    open.push(node);
                }
            }
            Piece::End(name) if name == "n" => drop(open.pop()),
            _ => {}
        }
    }
    if !open.is_empty() {
        let line = xml.line();
        sink(ReadItem::Remark(Fault::line(line, message!("the file ends before its elements do"))));
    }
    let builder = partial.builder().ok_or_else(|| Fault::line(1, message!("there is no <n> in this file")))?;
    let mut record = builder.finish(None, None);
    leading.into_iter().for_each(|id| record.tree.lead(id));
    Ok(record)
}
