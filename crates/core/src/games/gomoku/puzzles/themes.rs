//! The themes of puzzles, each by its definition on the board: the shape that decides, or how a defence defends.

use super::super::engine::threats;
use super::super::rules::board::Board;
use super::super::rules::lines::Pattern;
use super::super::rules::spot::Spot;
use crate::rules::{Forbidden, Position};
use crate::table::PuzzleKind;

/// All themes, in the order of the menus.
pub const ALL: &[&str] = &[
    "four-three",
    "double-four",
    "double-three",
    "open-four",
    "double-three-trap",
    "double-four-trap",
    "overline-trap",
    "counter",
    "block",
];

/// The themes of a line: what the first move of its first side that makes two threats at once or leaves no legal defence makes; of a defence, what
/// it does.
pub fn of(start: &Board, line: &[Spot], kind: PuzzleKind) -> Vec<&'static str> {
    let own = start.side_to_move();
    let mut board = start.clone();
    for (ply, &spot) in line.iter().enumerate() {
        let made = (0..4).map(|direction| board.pattern(spot, own, direction));
        let made: Vec<Pattern> = made.collect();
        board.make(spot);
        if ply % 2 == 1 {
            continue;
        }
        let threes = made.iter().filter(|pattern| pattern.is_open_three()).count();
        let fours: usize = made.iter().map(|pattern| fours(*pattern)).sum();
        if kind == PuzzleKind::Defence {
            return vec![if threes + fours > 0 { "counter" } else { "block" }];
        }
        if board.winner().is_some() {
            break;
        }
        let mut found = Vec::new();
        if made.contains(&Pattern::OpenFour) {
            found.push("open-four");
        } else if fours > 1 {
            found.push("double-four");
        } else if fours == 1 && threes > 0 {
            found.push("four-three");
        } else if threes > 1 {
            found.push("double-three");
        }
        // The point that stops the five is forbidden.
        let stops = if fours > 0 { threats::against_five(&board, !own) } else { Default::default() };
        for stop in stops.iter().filter(|stop| !board.may_play(*stop, !own)) {
            found.extend(board.forbidden(stop).map(|why| match why {
                Forbidden::DoubleThree => "double-three-trap",
                Forbidden::DoubleFour => "double-four-trap",
                Forbidden::Overline => "overline-trap",
            }));
        }
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// How many fours a pattern is.
fn fours(pattern: Pattern) -> usize {
    match pattern {
        Pattern::Four => 1,
        Pattern::TwoFours | Pattern::OpenFour => 2,
        _ => 0,
    }
}
