//! Candidate moves.

use super::threats;
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::spot::{Spot, Spots};
use crate::rules::Position;

/// The candidate moves: a five; the points that stop a five; the defences against an open four together with the mover's own fours; or
/// all points near stones. Never empty while the game is not over.
pub fn candidates(board: &Board) -> Spots {
    let side = board.side_to_move();
    let mut spots = match threats::forced(board) {
        Some(spots) => spots,
        None => board.near_stones(),
    };
    threats::keep_legal(board, &mut spots);
    if spots.is_empty() {
        if board.stone_count() == 0 {
            let middle = board.size() / 2;
            spots.insert(Spot::new(middle, middle));
        } else {
            spots = *board.empty();
            for spot in spots.iter() {
                if !board.may_play(spot, side) {
                    spots.remove(spot);
                }
            }
        }
    }
    spots
}
