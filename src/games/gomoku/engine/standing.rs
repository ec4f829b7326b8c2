//! The standing of a side: the sum of the values of all empty points for it. It is updated with every move that the search makes and takes back
//! (an accumulator).

use super::values::{self, Set};
use crate::games::gomoku::rules::board::{Board, Follower};
use crate::games::gomoku::rules::classes::CODES;
use crate::games::gomoku::rules::rule::Rule;
use crate::games::gomoku::rules::spot::Spot;
use crate::rules::{Position, Side};
use std::sync::OnceLock;

/// Two sums in one number, so that one addition changes both: the values if the side itself is to move in the lower half,
/// and if the other side is to move in the upper half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pair(i64);

impl Pair {
    fn new(mover: i16, waiter: i16) -> Pair {
        Pair(i64::from(mover) + (i64::from(waiter) << 32))
    }

    #[inline(always)]
    fn mover(self) -> i32 {
        self.0 as i32
    }

    #[inline(always)]
    fn waiter(self) -> i32 {
        // A negative lower half has borrowed one from the upper half.
        ((self.0 - i64::from(self.mover())) >> 32) as i32
    }
}

/// The value of a point for each code, for a side under a rule.
fn worths(rule: Rule, side: Side) -> &'static [Pair; CODES] {
    static TABLES: [OnceLock<Box<[Pair; CODES]>>; 4] = [const { OnceLock::new() }; 4];
    TABLES[Set::of(rule, side) as usize].get_or_init(|| {
        let mut table = Box::new([Pair::default(); CODES]);
        for (pair, [mover, waiter]) in table.iter_mut().zip(values::of(rule, side).codes.iter()) {
            *pair = Pair::new(*mover, *waiter);
        }
        table
    })
}

/// The standing of both sides.
pub struct Standing {
    worths: [&'static [Pair; CODES]; 2],
    /// The sum over the empty points, for each side.
    sums: [Pair; 2],
    past: Vec<[Pair; 2]>,
}

impl Standing {
    /// The standing in a position, computed from scratch.
    pub fn of(board: &Board) -> Self {
        let mut standing =
            Standing { worths: Side::BOTH.map(|side| worths(board.rule(), side)), sums: [Pair::default(); 2], past: Vec::new() };
        for spot in board.empty().iter() {
            for side in Side::BOTH {
                standing.sums[side.index()].0 += standing.worths[side.index()][usize::from(board.code(spot, side))].0;
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

    /// The difference between the side to move and its opponent, in hundredths of an open two.
    #[inline]
    pub fn balance(&self, mover: Side) -> i32 {
        self.sums[mover.index()].mover() - self.sums[(!mover).index()].waiter()
    }
}

impl Follower for Standing {
    #[inline(always)]
    fn changed(&mut self, side: usize, before: u16, after: u16) {
        self.sums[side].0 += self.worths[side][usize::from(after)].0 - self.worths[side][usize::from(before)].0;
    }

    #[inline(always)]
    fn filled(&mut self, side: usize, code: u16) {
        self.sums[side].0 -= self.worths[side][usize::from(code)].0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_keeps_both_sums() {
        let values = [(5, -7), (-300, 20), (-1, -1), (0, 32_000), (i16::MIN, i16::MAX)];
        let mut sum = Pair::default();
        for (count, (mover, waiter)) in (1..).zip(values) {
            sum.0 += Pair::new(mover, waiter).0;
            let wanted = values[..count].iter().fold((0, 0), |sum, one| (sum.0 + i32::from(one.0), sum.1 + i32::from(one.1)));
            assert_eq!((sum.mover(), sum.waiter()), wanted);
        }
    }

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
