//! The standing of both sides: what their empty points are worth, summed up and kept while a search makes and takes back moves.

use super::values;
use crate::games::gomoku::rules::board::{Board, Follower};
use crate::games::gomoku::rules::classes::{self, Class};
use crate::games::gomoku::rules::lines::LineRule;
use crate::games::gomoku::rules::spot::Spot;
use crate::rules::{Position, Side};
use std::sync::OnceLock;

/// Of the two sums of a side: it has the move.
const MOVER: usize = 0;
/// The other side has it.
const WAITER: usize = 1;

/// What a point of every four packed patterns adds, as mover and as waiter.
type Worths = [[i16; 2]; 1 << 16];

/// The table for a side's rule.
fn worths(rule: LineRule) -> &'static Worths {
    static PLAIN: OnceLock<Box<Worths>> = OnceLock::new();
    static RENJU_BLACK: OnceLock<Box<Worths>> = OnceLock::new();
    let table = if rule == LineRule::RenjuBlack { &RENJU_BLACK } else { &PLAIN };
    table.get_or_init(|| {
        let worth = |(packed, outlook): (usize, &classes::Outlook)| match outlook.class {
            Class::Forbidden => [0; 2],
            _ => values::standings()[values::code(packed as u16)],
        };
        let all: Vec<[i16; 2]> = classes::outlooks(rule).iter().enumerate().map(worth).collect();
        all.into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("there are 2^16 packed patterns"))
    })
}

/// Sums of each side, as mover and as waiter.
type Sums = [[i32; 2]; 2];

/// The standing in a position, and in those on the way to it.
pub struct Standing {
    worths: [&'static Worths; 2],
    sums: Sums,
    past: Vec<Sums>,
}

impl Standing {
    /// The standing in a position, counted point by point.
    pub fn of(board: &Board) -> Self {
        let worths = Side::BOTH.map(|side| worths(board.rule().line_rule(side)));
        let mut sums = Sums::default();
        for spot in board.empty().iter() {
            for side in Side::BOTH {
                let worth = worths[side.index()][usize::from(board.packed_patterns(spot, side))];
                sums[side.index()][MOVER] += i32::from(worth[MOVER]);
                sums[side.index()][WAITER] += i32::from(worth[WAITER]);
            }
        }
        Standing { worths, sums, past: Vec::new() }
    }

    /// Makes a move on the board this is the standing of.
    #[inline]
    pub fn make(&mut self, board: &mut Board, spot: Spot) {
        self.past.push(self.sums);
        board.make_followed(spot, self);
    }

    /// Takes the last move made back.
    #[inline]
    pub fn unmake(&mut self, board: &mut Board, spot: Spot) {
        board.unmake(spot, ());
        if let Some(sums) = self.past.pop() {
            self.sums = sums;
        }
    }

    /// By how much the side to move stands better, in hundredths of an open two.
    #[inline]
    pub fn balance(&self, mover: Side) -> i32 {
        self.sums[mover.index()][MOVER] - self.sums[(!mover).index()][WAITER]
    }
}

impl Follower for Standing {
    #[inline(always)]
    fn changed(&mut self, side: usize, before: u16, after: u16) {
        let worths = self.worths[side];
        let (before, after) = (worths[usize::from(before)], worths[usize::from(after)]);
        for role in [MOVER, WAITER] {
            self.sums[side][role] += i32::from(after[role]) - i32::from(before[role]);
        }
    }

    #[inline(always)]
    fn filled(&mut self, side: usize, patterns: u16) {
        let worth = self.worths[side][usize::from(patterns)];
        for role in [MOVER, WAITER] {
            self.sums[side][role] -= i32::from(worth[role]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::rules::rule::Rule;

    #[test]
    fn what_is_followed_is_what_is_counted() {
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
