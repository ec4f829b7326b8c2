//! A tree of moves drawn as a grid of Chinese characters, written by a converter of xiangqi records: five characters
//! per cell, moves below each other with `↓` between them, and `…` before an alternative move. Comments follow below
//! the drawing as `(row,column): {..}`.

use super::Sink;
use crate::message;
use crate::record::builder::Builder;
use crate::record::fault::Fault;
use crate::table::{NodeId, Tree};
use std::collections::HashMap;

/// The characters of a cell: a move and the link to the next column.
const CELL: usize = 5;

/// True if a line is the first line of such a drawing.
pub fn begins(line: &str) -> bool {
    line.contains("开始") && line.starts_with('\u{3000}')
}

/// Reads the drawing that begins at a line into a game at its start.
///
/// # Errors
/// A move of the main line is illegal.
pub fn read(builder: &mut Builder, text: &str, first_line: usize, sink: &mut Sink) -> Result<(), Fault> {
    let lines: Vec<&str> = text.lines().collect();
    let mut nodes: HashMap<(usize, usize), NodeId> = HashMap::from([((0, 0), Tree::ROOT)]);
    let mut row = 0;
    while let Some(drawn) = lines.get(2 * (row + 1)) {
        let cells: Vec<char> = drawn.chars().collect();
        let links: Vec<char> = lines[2 * row + 1].chars().collect();
        if !links.contains(&'↓') {
            break;
        }
        row += 1;
        let line = first_line + 2 * row;
        let mut left = None;
        for (column, cell) in cells.chunks(CELL).enumerate() {
            let text: String = cell.iter().take(CELL - 1).collect();
            let text = text.trim();
            if text.is_empty() || text.chars().all(|c| "…─━".contains(c)) {
                continue;
            }
            let from_above = links.iter().skip(column * CELL).take(CELL).any(|c| *c == '↓');
            let parent = if from_above { nodes.get(&(row - 1, column)).copied() } else { left.map(|left| builder.before(left)) };
            let Some(parent) = parent else { continue };
            builder.go(parent);
            let main = builder.is_main_end();
            match builder.play_text(text) {
                Ok(id) => {
                    left = Some(id);
                    nodes.insert((row, column), id);
                }
                Err(why) => {
                    let fault = Fault::line(line, message!("move {}: '{}': {}", row, text.escape_debug(), why));
                    if main {
                        return Err(fault);
                    }
                    sink(super::ReadItem::Remark(fault));
                }
            }
        }
    }
    let rest = lines.get(2 * row + 1..).unwrap_or_default().join("\n");
    for part in rest.split("\n(").map(|part| part.trim_start_matches('(')) {
        let Some((place, comment)) = part.split_once("): {") else { continue };
        let Some((row, column)) = place.trim().split_once(',') else { continue };
        let (Ok(row), Ok(column)) = (row.trim().parse(), column.trim().parse()) else { continue };
        if let Some(&id) = nodes.get(&(row, column)) {
            builder.go(id);
            builder.comment(comment.split('}').next().unwrap_or_default());
        }
    }
    Ok(())
}
