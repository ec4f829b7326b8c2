//! Positions and moves as text, and the board drawn with line characters.

use super::board::Board;
use super::rule::Rule;
use super::spot::Spot;
use crate::message;
use crate::message::Message;
use crate::rules::{FaultKind, History, Position, PositionFault, Side};

/// An error in a text: the character where it is (from 1), and what is wrong.
pub type Fault = (usize, Message);

/// Reads a list of moves from the empty board (`h8i9..`; spaces and commas between moves are allowed).
///
/// # Errors
/// The character and the reason: not a point, an occupied or forbidden point, or a move after the end of the game.
pub fn read_moves(rule: Rule, size: u8, text: &str) -> Result<History<Board>, Fault> {
    let mut history = History::new(Board::new(rule, size));
    for (at, name) in names(text) {
        let spot = read_move(history.current(), &name).map_err(|why| (at, why))?;
        history.push(spot);
    }
    Ok(history)
}

/// The names in a list of moves, each with the character where it begins (from 1).
pub fn names(text: &str) -> Vec<(usize, String)> {
    let chars: Vec<char> = text.chars().collect();
    let mut names = Vec::new();
    let mut next = 0;
    while next < chars.len() {
        if chars[next].is_whitespace() || chars[next] == ',' {
            next += 1;
            continue;
        }
        let start = next;
        next += 1;
        while next < chars.len() && chars[next].is_ascii_digit() {
            next += 1;
        }
        names.push((start + 1, chars[start..next].iter().collect()));
    }
    names
}

/// Reads one move.
///
/// # Errors
/// What is wrong with it, as a message.
pub fn read_move(board: &Board, name: &str) -> Result<Spot, Message> {
    let name = name.trim();
    let last = Spot::new(board.size() - 1, board.size() - 1);
    let spot = Spot::from_name(name, board.size())
        .ok_or_else(|| message!("'{}' is not a point from a1 to {}", name, last.to_string()))?;
    if board.winner().is_some() {
        return Err(message!("{} comes after the end of the game", spot.to_string()));
    }
    if !board.is_empty(spot) {
        return Err(message!("{} is occupied", spot.to_string()));
    }
    match board.forbidden(spot) {
        Some(reason) if board.side_to_move() == Side::First => {
            Err(message!("{} is forbidden to black: {}", spot.to_string(), reason))
        }
        _ => Ok(spot),
    }
}

/// Reads rows from the top, `x` black, `o` white, `.` empty, joined by `/`, then a space and the side to move.
///
/// # Errors
/// The character and the reason.
pub fn read_rows(rule: Rule, size: u8, text: &str) -> Result<Board, Fault> {
    let (stones, turn, at) = read_stones(size, text)?;
    set_up(rule, size, &stones, turn).map_err(|fault| match fault.kind {
        FaultKind::BothWon => (1, message!("both sides have five")),
        _ => (at, message!("the side to move has won already")),
    })
}

/// Reads the same text as stones and the side to move, which is at the character returned.
///
/// # Errors
/// The character and the reason.
pub fn read_stones(size: u8, text: &str) -> Result<(Vec<(Spot, Side)>, Side, usize), Fault> {
    let lines = usize::from(size);
    let (rows, side) = text.split_once(' ').ok_or((text.chars().count() + 1, message!("the side to move is missing")))?;
    let mut stones = Vec::new();
    let mut at = 1;
    let mut count = 0;
    for (row, points) in rows.split('/').enumerate() {
        let length = points.chars().count();
        if row >= lines {
            return Err((at, message!("the board has {} rows, but there is one more", size)));
        }
        if length != lines {
            return Err((at + length.min(lines), message!("row {} has {} points, not {}", lines - row, length, size)));
        }
        for (x, mark) in points.chars().enumerate() {
            let spot = Spot::new(x as u8, (lines - 1 - row) as u8);
            match mark {
                'x' | 'X' => stones.push((spot, Side::First)),
                'o' | 'O' => stones.push((spot, Side::Second)),
                '.' => {}
                other => return Err((at + x, message!("'{}' is not x, o or .", other))),
            }
        }
        at += length + 1;
        count += 1;
    }
    if count != lines {
        return Err((at - 1, message!("the board has {} rows, but there are only {}", size, count)));
    }
    let turn = match side.trim() {
        "x" | "X" => Side::First,
        "o" | "O" => Side::Second,
        other => return Err((at, message!("'{}' is not a side: x or o", other))),
    };
    Ok((stones, turn, at))
}

/// The position with these stones, on different points, and this side to move.
///
/// # Errors
/// The side to move has won already, or both sides have: the stones of the rows that win.
pub fn set_up(rule: Rule, size: u8, stones: &[(Spot, Side)], turn: Side) -> Result<Board, PositionFault> {
    let mut board = Board::with_stones(rule, size, stones, turn);
    let winners = board.winners_from_scratch();
    let kind = match winners[..] {
        [] => {
            board.clear_winner();
            return Ok(board);
        }
        [winner] if winner != turn => {
            board.declare_winner(winner);
            return Ok(board);
        }
        [winner] => FaultKind::WonBefore { side: winner },
        _ => FaultKind::BothWon,
    };
    let mut at = Vec::new();
    for winner in winners {
        board.declare_winner(winner);
        at.extend(board.winning_row().into_iter().map(Spot::point));
    }
    Err(PositionFault { kind, at })
}

/// The position as text that [`read_rows`] can read.
pub fn text(board: &Board) -> String {
    let size = board.size();
    let mut text = String::with_capacity(usize::from(size) * (usize::from(size) + 1) + 1);
    for y in (0..size).rev() {
        for x in 0..size {
            text.push(match board.at(Spot::new(x, y)) {
                Some(Side::First) => 'x',
                Some(Side::Second) => 'o',
                None => '.',
            });
        }
        text.push(if y > 0 { '/' } else { ' ' });
    }
    text.push(if board.side_to_move() == Side::First { 'x' } else { 'o' });
    text
}

/// The board with its lines, `●` black and `○` white.
pub fn diagram(board: &Board) -> String {
    let size = board.size();
    let mut text = String::new();
    for y in (0..size).rev() {
        text.push_str(&format!("{:>2} ", y + 1));
        for x in 0..size {
            text.push(match board.at(Spot::new(x, y)) {
                Some(Side::First) => '●',
                Some(Side::Second) => '○',
                None => {
                    let row = if y == size - 1 {
                        "┌┬┐"
                    } else if y == 0 {
                        "└┴┘"
                    } else {
                        "├┼┤"
                    };
                    let place = if x == 0 {
                        0
                    } else if x == size - 1 {
                        2
                    } else {
                        1
                    };
                    row.chars().nth(place).unwrap_or('┼')
                }
            });
            if x + 1 < size {
                text.push('─');
            }
        }
        text.push('\n');
    }
    text.push_str("   ");
    for x in 0..size {
        text.push(char::from(b'a' + x));
        if x + 1 < size {
            text.push(' ');
        }
    }
    text
}
