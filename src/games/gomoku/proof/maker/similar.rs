//! Answers to similar positions, which are tried first.

use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::spot::Spot;
use crate::rules::key_table::KeyTable;
use crate::rules::zobrist::mix;
use crate::rules::{Position, Side};

/// Answers that are kept for the same stones of the winner.
const KEPT: usize = 4;

/// Answers by the positions in which they won.
#[derive(Default)]
pub struct Similar {
    /// By all stones but one of the defender.
    without_one: KeyTable<Spot>,
    /// By the winner's stones, the latest first.
    of_winner: KeyTable<Vec<Spot>>,
}

fn number(spot: Spot, side: Side) -> u64 {
    mix(spot.index() as u64 * 2 + side.index() as u64)
}

/// The number of all stones of one side.
pub fn number_of(board: &Board, side: Side) -> u64 {
    board.stones(side).iter().fold(0, |sum, spot| sum ^ number(spot, side))
}

impl Similar {
    /// Adds the answer to a position with the winner to move.
    pub fn add(&mut self, board: &Board, answer: Spot) {
        let winner = board.side_to_move();
        let (own, other) = (number_of(board, winner), number_of(board, !winner));
        for spot in board.stones(!winner).iter() {
            self.without_one.insert(own ^ other ^ number(spot, !winner), answer);
        }
        let list = self.of_winner.entry(own).or_default();
        list.retain(|known| *known != answer);
        list.insert(0, answer);
        list.truncate(KEPT);
    }

    /// The answers to similar positions, those to the most similar ones first.
    pub fn answers(&self, board: &Board) -> Vec<Spot> {
        let winner = board.side_to_move();
        let (own, other) = (number_of(board, winner), number_of(board, !winner));
        let close = board.stones(!winner).iter().filter_map(|spot| self.without_one.get(&(own ^ other ^ number(spot, !winner))));
        let mut answers: Vec<Spot> = Vec::new();
        for &answer in close.chain(self.of_winner.get(&own).into_iter().flatten()) {
            if board.is_empty(answer) && !answers.contains(&answer) {
                answers.push(answer);
            }
        }
        answers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::rules::notation::read_moves;
    use crate::games::gomoku::rules::rule::Rule;

    #[test]
    fn answers_to_similar_positions_are_found() {
        let board = |moves: &str| read_moves(Rule::Freestyle, 15, moves).unwrap().current().clone();
        let spot = |name| Spot::from_name(name, 15).unwrap();
        let mut similar = Similar::default();
        similar.add(&board("h8a1g7b9"), spot("i9"));
        similar.add(&board("h8c1g7d9"), spot("j5"));
        // One stone of the defender is elsewhere: the answer to that position comes first.
        assert_eq!(similar.answers(&board("h8o15g7b9")), [spot("i9"), spot("j5")]);
        // Two are: only the winner's stones are the same.
        assert_eq!(similar.answers(&board("h8n3g7o8")), [spot("j5"), spot("i9")]);
        // An answer on an occupied point is none.
        assert_eq!(similar.answers(&board("h8i9g7b9")), [spot("j5")]);
        assert!(similar.answers(&board("h8a1g6b9")).is_empty());
    }
}
