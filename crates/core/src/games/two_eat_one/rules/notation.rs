//! Moves as text: `r,c-r,c`, row and column from 0, row 0 is White's edge; or by points, `a1-a2`, the file a letter and the rank a digit from 1.
//! Both are read everywhere.

use super::board::{Board, Step};
use crate::message;
use crate::message::Message;
use crate::rules::{Point, Position};
use crate::table::Notation;

/// A point by row and column, or by file and rank.
fn point(board: &Board, text: &str) -> Option<u8> {
    let on_board = |number: &u8| *number < board.kind().size();
    let number = |text: &str| text.trim().parse::<u8>().ok().filter(on_board);
    if let Some((row, column)) = text.split_once(',') {
        return Some(board.bit(Point::new(number(column)?, number(row)?)));
    }
    let mut letters = text.trim().chars();
    let file = letters.next().map(|letter| letter.to_ascii_lowercase()).filter(char::is_ascii_lowercase)? as u8 - b'a';
    let rank = letters.as_str().parse::<u8>().ok()?.checked_sub(1)?;
    (on_board(&file) && on_board(&rank)).then(|| board.bit(Point::new(file, rank)))
}

/// Reads a legal move.
///
/// # Errors
/// What is wrong with the text, or why the move is illegal.
pub fn read(board: &Board, text: &str) -> Result<Step, Message> {
    let last = board.kind().size() - 1;
    let (from, to) =
        text.trim().split_once('-').and_then(|(from, to)| Some((point(board, from)?, point(board, to)?))).ok_or_else(|| {
            message!("a move is row,column-row,column from 0 to {}, 0,0-1,0 for instance, or two points, a1-a2", last)
        })?;
    let step = Step { from, to };
    if board.is_legal(step) { Ok(step) } else { Err(board.refusal(from, to).into()) }
}

/// Writes a move in the game's own text.
pub fn write(board: &Board, step: Step) -> String {
    let (from, to) = (board.point(step.from), board.point(step.to));
    format!("{},{}-{},{}", from.y, from.x, to.y, to.x)
}

/// Writes a move in a notation; the game's own text where it has no such notation.
pub fn write_as(board: &Board, step: Step, notation: Notation) -> String {
    if notation != Notation::Points {
        return write(board, step);
    }
    let name = |point: Point| format!("{}{}", char::from(b'a' + point.x), point.y + 1);
    format!("{}-{}", name(board.point(step.from)), name(board.point(step.to)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::two_eat_one::rules::board::Kind;

    #[test]
    fn points_are_written_and_read_beside_rows_and_columns() {
        let board = Board::start(Kind::Standard);
        let step = read(&board, "0,2-1,2").unwrap();
        assert_eq!(write_as(&board, step, Notation::Points), "c1-c2");
        for text in ["c1-c2", "C1-C2", " c1 - c2 ", "0,2-1,2"] {
            assert_eq!(read(&board, text), Ok(step), "{text}");
        }
        for text in ["c0-c1", "f1-f2", "c1c2", "c1-c6", "1c-2c", "c1-", "ä1-a2"] {
            assert!(read(&board, text).is_err(), "{text}");
        }
    }
}
