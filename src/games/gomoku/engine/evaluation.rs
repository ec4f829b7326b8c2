//! What a quiet position is worth: the standing of both sides, the move in hand and the threats both have.

use super::candidates;
use super::standing::Standing;
use super::values::{self, TEMPO};
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::Class;
use crate::games::gomoku::rules::spot::Spot;
use crate::rules::{Position, Side};
use crate::search::Evaluate;

/// The evaluation of a position by itself, for the plain searchers.
#[derive(Clone, Copy, Debug)]
pub struct PatternEvaluation;

/// Which threats each side has in hand, five bits a side from the side to move on, and whether the enemy has an open four.
pub fn stance(board: &Board) -> usize {
    let (own, other) = (board.side_to_move(), !board.side_to_move());
    let has = |side: Side, class: Class| usize::from(board.count(side, class) > 0);
    let hand = |side: Side| {
        has(side, Class::Four)
            | has(side, Class::FourPlus) << 1
            | has(side, Class::FourThree) << 2
            | (has(side, Class::OpenThreePlus) | has(side, Class::DoubleThree)) << 3
            | has(side, Class::OpenThree) << 4
    };
    hand(own) | hand(other) << 5 | has(other, Class::OpenFour) << 10
}

/// The worth of a quiet position to the side to move, in hundredths of an open two; positions with a five or an open four in hand stand
/// far outside.
pub fn evaluate(board: &Board, standing: &Standing) -> i32 {
    let (own, other) = (board.side_to_move(), !board.side_to_move());
    if board.count(own, Class::Five) > 0 {
        return 20_000;
    }
    if board.count(other, Class::Five) > 1 {
        return -15_000;
    }
    if board.count(other, Class::Five) == 0 && board.count(own, Class::OpenFour) > 0 {
        return 12_000;
    }
    standing.balance(own) + TEMPO + i32::from(values::stances()[stance(board)][0])
}

impl Evaluate<Board> for PatternEvaluation {
    fn evaluate(&mut self, board: &Board) -> i32 {
        evaluate(board, &Standing::of(board))
    }

    fn candidates(&mut self, board: &Board, out: &mut Vec<Spot>) {
        if board.winner().is_none() {
            out.extend(candidates::worth_trying(board).iter());
        }
    }

    /// A point is worth what both sides would get there.
    fn promise(&mut self, board: &Board, spot: Spot) -> i32 {
        let side = board.side_to_move();
        let worth = |side: Side| values::score(board.class(spot, side)) + values::promise(board, spot, side);
        worth(side) + worth(!side) / 2
    }

    /// Fours, and answers to fours.
    fn is_noisy(&mut self, board: &Board, spot: Spot) -> bool {
        let side = board.side_to_move();
        board.class(spot, side) >= Class::Four || board.class(spot, !side) == Class::Five
    }
}
