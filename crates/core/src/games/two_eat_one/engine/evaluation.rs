//! The static evaluation of searches without the tablebase: material and mobility.

use crate::games::two_eat_one::rules::board::{Board, Step};
use crate::rules::Position;
use crate::search::Evaluate;

/// A hundred points for each stone and two for each possible step.
pub struct PiecesAndMobility;

impl Evaluate<Board> for PiecesAndMobility {
    fn evaluate(&mut self, position: &Board) -> i32 {
        let mover = position.side_to_move();
        let pieces = |side| position.stones(side).count_ones() as i32;
        let mobility = |side| position.mobility(side) as i32;
        100 * (pieces(mover) - pieces(!mover)) + 2 * (mobility(mover) - mobility(!mover))
    }

    fn ordering_score(&mut self, position: &Board, mv: Step) -> i32 {
        100 * position.taken_by(mv).count_ones() as i32
    }

    fn is_noisy(&mut self, position: &Board, mv: Step) -> bool {
        position.taken_by(mv) != 0
    }
}
