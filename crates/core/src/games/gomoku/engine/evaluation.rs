//! The static evaluation: the sums of point values of both sides (the accumulator), the side to move, and the threats
//! of both sides; a network corrects it.

use super::accumulator::Accumulator;
use super::candidates;
use super::values;
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::Class;
use crate::games::gomoku::rules::spot::Spot;
use crate::rules::{Position, Side};
use crate::search::Evaluate;

/// The static evaluation by values for the reference searchers. It is computed from scratch.
#[derive(Clone, Copy, Debug)]
pub struct PatternEvaluation;

/// The index of the threats on the board (the stance): five bits per side, the side to move first, and one bit for an
/// open four of the opponent.
pub fn stance(board: &Board) -> usize {
    let (own, other) = (board.side_to_move(), !board.side_to_move());
    let has = |side: Side, class: Class| usize::from(board.has(side, class));
    let hand = |side: Side| {
        has(side, Class::Four)
            | has(side, Class::FourPlus) << 1
            | has(side, Class::FourThree) << 2
            | (has(side, Class::OpenThreePlus) | has(side, Class::DoubleThree)) << 3
            | has(side, Class::OpenThree) << 4
    };
    hand(own) | hand(other) << 5 | has(other, Class::OpenFour) << 10
}

/// The static evaluation for the side to move, in hundredths of an open two. If the side to move can make a five or an
/// open four, it is far above all other values.
pub fn evaluate(board: &Board, accumulator: &mut Accumulator) -> i32 {
    let (own, other) = (board.side_to_move(), !board.side_to_move());
    if board.has(own, Class::Five) {
        return 20_000;
    }
    if board.count(other, Class::Five) > 1 {
        return -15_000;
    }
    if !board.has(other, Class::Five) && board.has(own, Class::OpenFour) {
        return 12_000;
    }
    accumulator.balance(board, own)
        + i32::from(values::of(board.rule(), own).stances[stance(board)])
        + accumulator.correction(board, own)
}

impl Evaluate<Board> for PatternEvaluation {
    fn evaluate(&mut self, board: &Board) -> i32 {
        evaluate(board, &mut Accumulator::of(board, None))
    }

    fn candidates(&mut self, board: &Board, out: &mut Vec<Spot>) {
        if board.winner().is_none() {
            out.extend(candidates::candidates(board).iter());
        }
    }

    /// The value of the point for both sides together.
    fn ordering_score(&mut self, board: &Board, spot: Spot) -> i32 {
        let side = board.side_to_move();
        let worth = |side: Side| values::score(board.class(spot, side)) + values::ordering_score(board, spot, side);
        worth(side) + worth(!side) / 2
    }

    /// Fours and answers to fours.
    fn is_noisy(&mut self, board: &Board, spot: Spot) -> bool {
        let side = board.side_to_move();
        board.class(spot, side) >= Class::Four || board.class(spot, !side) == Class::Five
    }
}
