//! Answers to similar positions, which are tried first.

use qiju_core::games::gomoku::rules::board::Board;
use qiju_core::games::gomoku::rules::spot::Spot;
use qiju_core::rules::key_table::KeyTable;
use qiju_core::rules::zobrist::mix;
use qiju_core::rules::{Position, Side};

/// Answers that are told for one position.
const KEPT: usize = 3;

/// A position with so many stones but one of the defender in common counts as much as this number of positions with the same stones of the winner.
const CLOSER: u32 = 16;

/// Answers, each with the number of positions in which it won.
type Counts = Vec<(Spot, u32)>;

/// Answers by the positions in which they won.
#[derive(Default)]
pub struct Similar {
    /// By all stones but one of the defender.
    without_one: KeyTable<Counts>,
    /// By the winner's stones.
    of_winner: KeyTable<Counts>,
}

fn number(spot: Spot, side: Side) -> u64 {
    mix(spot.index() as u64 * 2 + side.index() as u64)
}

/// The number of all stones of one side.
pub fn number_of(board: &Board, side: Side) -> u64 {
    board.stones(side).iter().fold(0, |sum, spot| sum ^ number(spot, side))
}

fn count(counts: &mut Counts, answer: Spot, times: u32) {
    match counts.iter_mut().find(|(known, _)| *known == answer) {
        Some((_, before)) => *before += times,
        None => counts.push((answer, times)),
    }
}

impl Similar {
    /// Adds the answer to a position with the winner to move.
    pub fn add(&mut self, board: &Board, answer: Spot) {
        let winner = board.side_to_move();
        let (own, other) = (number_of(board, winner), number_of(board, !winner));
        for spot in board.stones(!winner).iter() {
            count(self.without_one.entry(own ^ other ^ number(spot, !winner)).or_default(), answer, 1);
        }
        count(self.of_winner.entry(own).or_default(), answer, 1);
    }

    /// The answers to similar positions: first those that won most often, and in the most similar ones.
    pub fn answers(&self, board: &Board) -> Vec<Spot> {
        let winner = board.side_to_move();
        let (own, other) = (number_of(board, winner), number_of(board, !winner));
        let mut all = Counts::new();
        for (spot, times) in self.of_winner.get(&own).into_iter().flatten() {
            count(&mut all, *spot, *times);
        }
        let close = board.stones(!winner).iter().filter_map(|spot| self.without_one.get(&(own ^ other ^ number(spot, !winner))));
        for (spot, times) in close.flatten() {
            count(&mut all, *spot, *times * CLOSER);
        }
        all.retain(|(spot, _)| board.is_empty(*spot));
        all.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
        all.into_iter().map(|(spot, _)| spot).take(KEPT).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qiju_core::games::gomoku::rules::notation::read_moves;
    use qiju_core::games::gomoku::rules::rule::Rule;

    #[test]
    fn answers_to_similar_positions_are_found() {
        let board = |moves: &str| read_moves(Rule::Freestyle, 15, moves).unwrap().current().clone();
        let spot = |name| Spot::from_name(name, 15).unwrap();
        let mut similar = Similar::default();
        similar.add(&board("h8a1g7b9"), spot("i9"));
        similar.add(&board("h8c1g7d9"), spot("j5"));
        // One stone of the defender is elsewhere: the answer to that position comes first.
        assert_eq!(similar.answers(&board("h8o15g7b9")), [spot("i9"), spot("j5")]);
        // Two are: only the winner's stones are the same. What won more often comes first.
        similar.add(&board("h8e1g7d9"), spot("j5"));
        assert_eq!(similar.answers(&board("h8n3g7o8")), [spot("j5"), spot("i9")]);
        // An answer on an occupied point is none.
        assert_eq!(similar.answers(&board("h8i9g7b9")), [spot("j5")]);
        assert!(similar.answers(&board("h8a1g6b9")).is_empty());
    }
}
