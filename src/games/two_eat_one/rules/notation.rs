//! Moves as text: `r,c-r,c`, row and column from 0; row 0 is White's edge.

use super::board::{Board, Step};
use crate::rules::{Point, Position};

fn point(board: &Board, text: &str) -> Option<u8> {
    let (row, column) = text.split_once(',')?;
    let number = |text: &str| text.trim().parse::<u8>().ok().filter(|n| *n < board.kind().size());
    Some(board.bit(Point::new(number(column)?, number(row)?)))
}

/// Reads a legal move.
///
/// # Errors
/// What is wrong with the text, or why the move is illegal.
pub fn read(board: &Board, text: &str) -> Result<Step, String> {
    let last = board.kind().size() - 1;
    let (from, to) = text
        .trim()
        .split_once('-')
        .and_then(|(from, to)| Some((point(board, from)?, point(board, to)?)))
        .ok_or_else(|| format!("a move must be row,column-row,column from 0 to {last}, for example 0,0-1,0"))?;
    let step = Step { from, to };
    if board.is_legal(step) { Ok(step) } else { Err(board.refusal(from, to).to_string()) }
}

/// Writes a move.
pub fn write(board: &Board, step: Step) -> String {
    let (from, to) = (board.point(step.from), board.point(step.to));
    format!("{},{}-{},{}", from.y, from.x, to.y, to.x)
}
