//! What the plain searchers think of a position: the standing of both sides, the move in hand, and the points worth trying.

use super::threats;
use crate::games::gomoku::rules::board::{Board, Spot, Spots};
use crate::games::gomoku::rules::worth::{self, Class};
use crate::rules::{Position, Side};
use crate::search::Evaluate;
use std::sync::OnceLock;

/// The judgement from classes of points.
#[derive(Clone, Copy, Debug)]
pub struct Judge;

/// What the move in hand is worth, in hundredths of an open two.
pub const TEMPO: i32 = 40;

/// Number of stances.
pub const STANCES: usize = 1 << 11;

/// What each stance is worth to the side to move beside the points' own worth, a line each, `STANCE WORTH`; written by the tuner.
const WORTH_OF_STANCES: &str = include_str!("stances.txt");

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

/// The worth of each stance to the side to move. Malformed lines count as nothing.
pub fn stances() -> &'static [i16; STANCES] {
    static TABLE: OnceLock<[i16; STANCES]> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = [0; STANCES];
        for [stance, worth] in worth::rows(WORTH_OF_STANCES) {
            if let Some(entry) = table.get_mut(stance as usize) {
                *entry = worth;
            }
        }
        table
    })
}

/// The worth of a quiet position to the side to move; positions with a five or an open four in hand stand far outside.
pub fn judge(board: &Board) -> i32 {
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
    board.standing(own) - board.standing(other) + TEMPO + i32::from(stances()[stance(board)])
}

/// The points to try: the five, the stop of a five, the defences against an open four with one's own fours, or all near
/// stones. Never empty where the game goes on.
pub fn worth_trying(board: &Board) -> Spots {
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

impl Evaluate<Board> for Judge {
    fn evaluate(&mut self, board: &Board) -> i32 {
        judge(board)
    }

    fn candidates(&mut self, board: &Board, out: &mut Vec<Spot>) {
        if board.winner().is_none() {
            out.extend(worth_trying(board).iter());
        }
    }

    /// The article's way: a point is worth what both sides would get there.
    fn promise(&mut self, board: &Board, spot: Spot) -> i32 {
        let side = board.side_to_move();
        let worth = |side: Side| board.class(spot, side).score() + i32::from(board.worth(spot, side).promise);
        worth(side) + worth(!side) / 2
    }

    /// Fours, and answers to fours.
    fn is_noisy(&mut self, board: &Board, spot: Spot) -> bool {
        let side = board.side_to_move();
        board.class(spot, side) >= Class::Four || board.class(spot, !side) == Class::Five
    }
}
