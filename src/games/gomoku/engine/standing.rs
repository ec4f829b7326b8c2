//! The standing of a side: the sum of the values of all empty points for it. It is updated with every move that the search makes and takes back
//! (an accumulator).

use super::values::{self, Set};
use crate::games::gomoku::rules::board::{Board, Follower};
use crate::games::gomoku::rules::classes::CODES;
use crate::games::gomoku::rules::rule::Rule;
use crate::games::gomoku::rules::spot::Spot;
use crate::rules::{Position, Side};
use std::sync::OnceLock;

/// The value of a point for each code, for a side under a rule.
fn worths(rule: Rule, side: Side) -> &'static [i32; CODES] {
    static TABLES: [OnceLock<Box<[i32; CODES]>>; 4] = [const { OnceLock::new() }; 4];
    TABLES[Set::of(rule, side) as usize].get_or_init(|| {
        let mut table = Box::new([0; CODES]);
        for (worth, values) in table.iter_mut().zip(values::of(rule, side).codes.iter()) {
            *worth = i32::from(values.worth);
        }
        table
    })
}

/// The standing of both sides.
pub struct Standing {
    worths: [&'static [i32; CODES]; 2],
    /// The sum over the empty points, for each side.
    sums: [i32; 2],
    past: Vec<[i32; 2]>,
}

impl Standing {
    /// The standing in a position, computed from scratch.
    pub fn of(board: &Board) -> Self {
        let mut standing = Standing { worths: Side::BOTH.map(|side| worths(board.rule(), side)), sums: [0; 2], past: Vec::new() };
        for spot in board.empty().iter() {
            for side in Side::BOTH {
                standing.sums[side.index()] += standing.worths[side.index()][usize::from(board.code(spot, side))];
            }
        }
        standing
    }

    /// Makes a move on the board and updates the standing.
    #[inline]
    pub fn make(&mut self, board: &mut Board, spot: Spot) {
        self.past.push(self.sums);
        board.make_followed(spot, self);
    }

    /// Takes the last move back and updates the standing.
    #[inline]
    pub fn unmake(&mut self, board: &mut Board, spot: Spot) {
        board.unmake(spot, ());
        if let Some(sums) = self.past.pop() {
            self.sums = sums;
        }
    }

    /// The difference between a side and its opponent, in hundredths of an open two: the mean of that now and that before the last move. A stone that the opponent has just placed
    /// is not answered yet, so alone it would say too much.
    #[inline]
    pub fn balance(&self, side: Side) -> i32 {
        let difference = |sums: &[i32; 2]| sums[side.index()] - sums[(!side).index()];
        let now = difference(&self.sums);
        (now + self.past.last().map_or(now, difference)) / 2
    }
}

impl Follower for Standing {
    #[inline(always)]
    fn changed(&mut self, side: usize, before: u16, after: u16) {
        self.sums[side] += self.worths[side][usize::from(after)] - self.worths[side][usize::from(before)];
    }

    #[inline(always)]
    fn filled(&mut self, side: usize, code: u16) {
        self.sums[side] -= self.worths[side][usize::from(code)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_updated_standing_equals_the_computed_one() {
        let mut random = fastrand::Rng::with_seed(3);
        for (rule, size) in [(Rule::Freestyle, 15), (Rule::Renju, 15), (Rule::Caro, 19), (Rule::Standard, 20)] {
            let mut board = Board::new(rule, size);
            let mut standing = Standing::of(&board);
            let begin = standing.sums;
            let mut made = Vec::new();
            while made.len() < 80 {
                let mut legal = Vec::new();
                board.legal_moves(&mut legal);
                let Some(&spot) = random.choice(&legal) else { break };
                standing.make(&mut board, spot);
                made.push(spot);
                assert_eq!(standing.sums, Standing::of(&board).sums, "{rule:?} {size}: {made:?}");
            }
            assert_ne!(standing.sums, begin);
            while let Some(spot) = made.pop() {
                standing.unmake(&mut board, spot);
            }
            assert_eq!(standing.sums, begin);
        }
    }
}
