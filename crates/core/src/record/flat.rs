//! A tree as a list: its lines one after the other, the main line first, and what is written about its moves. Moves are numbered from 1 in this order; 0 is the
//! start. Our own format and links are written from it and read into it.

use super::Record;
use super::builder::Builder;
use crate::message;
use crate::message::Message;
use crate::table::{Action, Assessment, Glyph, Mark, NodeId, Origin, Table, Tree};
use serde::{Deserialize, Serialize};

/// A line of moves.
pub(super) struct Line<M> {
    /// The number of the move after which it begins.
    pub after: u32,
    pub moves: Vec<M>,
}

/// What is written about a move.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Note {
    pub at: u32,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub comment: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub glyphs: Vec<Glyph>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review: Option<Box<Assessment>>,
}

/// The origin of the moves of a line, if a note does not give another.
pub(super) fn usual_origin(main: bool) -> Origin {
    if main { Origin::Main } else { Origin::Variation }
}

/// The first lines of a record, at most `most`, with each move as `write` gives it, and the nodes of the moves by their numbers. There is always a main line.
/// A record that was read has only legal moves; in one made by other code a line ends before an illegal move.
pub(super) fn flatten<M>(
    record: &Record,
    most: usize,
    mut write: impl FnMut(&dyn Table, Action) -> Option<M>,
) -> Result<(Vec<Line<M>>, Vec<NodeId>), Message> {
    let (tree, mut cursor) = (&record.tree, record.cursor()?);
    let (mut lines, mut nodes) = (vec![Line { after: 0, moves: Vec::new() }], vec![Tree::ROOT]);
    let mut number_of = vec![0u32; tree.len()];
    for (index, line) in tree.lines().take(most).enumerate() {
        let before = line.first().and_then(|begin| tree.previous(*begin)).unwrap_or(Tree::ROOT);
        let mut moves = Vec::with_capacity(line.len());
        for id in line {
            let parent = tree.previous(id).unwrap_or(Tree::ROOT);
            cursor.go(tree, parent);
            let action = tree.node(id).action().filter(|_| cursor.at() == parent);
            let Some(mv) = action.and_then(|action| write(cursor.table(), action)) else { break };
            number_of[id.0 as usize] = nodes.len() as u32;
            nodes.push(id);
            moves.push(mv);
        }
        if index == 0 {
            lines[0].moves = moves;
        } else if !moves.is_empty() {
            lines.push(Line { after: number_of[before.0 as usize], moves });
        }
    }
    Ok((lines, nodes))
}

/// Plays the lines with `play`, and returns the nodes of the moves by their numbers, which differ from those in the tree if a move is written twice.
///
/// # Errors
/// The line, from 0, the number of the move, and what is wrong with it.
pub(super) fn build<M>(
    builder: &mut Builder,
    lines: impl IntoIterator<Item = Line<M>>,
    mut play: impl FnMut(&mut Builder, M) -> Result<NodeId, Message>,
) -> Result<Vec<NodeId>, (usize, usize, Message)> {
    let mut nodes = vec![Tree::ROOT];
    for (index, line) in lines.into_iter().enumerate() {
        let after = nodes.get(line.after as usize).copied();
        builder.go(after.ok_or_else(|| (index, nodes.len(), message!("there is no move {}", line.after)))?);
        for mv in line.moves {
            let id = play(builder, mv).map_err(|why| (index, nodes.len(), why))?;
            builder.origin(id, usual_origin(index == 0));
            nodes.push(id);
        }
    }
    Ok(nodes)
}
