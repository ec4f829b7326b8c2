//! The standing of a side: the sum of the values of all empty points for it, and the sum of their rows in the network. It is updated with every move that the search makes and takes back
//! (an accumulator).

use super::network::{Change, Network, Row};
use super::values::{self, Set};
use crate::games::gomoku::rules::board::{Board, Follower};
use crate::games::gomoku::rules::classes::{CODES, Outlook};
use crate::games::gomoku::rules::rule::Rule;
use crate::games::gomoku::rules::spot::Spot;
use crate::rules::{Position, Side};
use std::sync::{Arc, OnceLock};

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

/// The sums of a position on the path of the search.
#[derive(Clone, Copy, Debug)]
struct Sums {
    /// The values of the empty points, for each side.
    values: [i32; 2],
    /// The sums of rows of the network, for each side, if they are [ready](Standing::ready).
    rows: [Row; 2],
    /// Where the changes of the move that led here begin.
    begin: usize,
}

/// The standing of both sides.
pub struct Standing {
    worths: [&'static [i32; CODES]; 2],
    network: Option<Arc<Network>>,
    /// The sums of the first position and after each move.
    path: Vec<Sums>,
    /// What the moves changed, for the network: its sums are computed when they are asked for.
    changes: Vec<Change>,
    /// The number of positions of the path, from the first one, whose sums of rows are computed.
    ready: usize,
}

impl Standing {
    /// The standing in a position, computed from scratch; without a network by values alone.
    pub fn of(board: &Board, network: Option<Arc<Network>>) -> Self {
        let worths = Side::BOTH.map(|side| worths(board.rule(), side));
        let mut values = [0; 2];
        for spot in board.empty().iter() {
            let outlooks = board.outlooks_of(spot);
            (0..2).for_each(|side| values[side] += worths[side][usize::from(outlooks[side].code())]);
        }
        let rows = network.as_ref().map_or_else(Default::default, |network| network.sums(board));
        Standing { worths, network, path: vec![Sums { values, rows, begin: 0 }], changes: Vec::new(), ready: 1 }
    }

    /// The sums of the position.
    fn last(&mut self) -> &mut Sums {
        self.path.last_mut().expect("the path has the first position at least")
    }

    /// Makes a move on the board and updates the standing.
    #[inline]
    pub fn make(&mut self, board: &mut Board, spot: Spot) {
        let next = Sums { begin: self.changes.len(), ..*self.last() };
        self.path.push(next);
        board.make_followed(spot, self);
    }

    /// Takes the last move back and updates the standing.
    #[inline]
    pub fn unmake(&mut self, board: &mut Board, spot: Spot) {
        board.unmake(spot, ());
        if let Some(sums) = self.path.pop() {
            self.changes.truncate(sums.begin);
            self.ready = self.ready.min(self.path.len());
        }
    }

    /// The difference between a side and its opponent by values, in hundredths of an open two: the mean of that now and that before the last move. A stone that the opponent has just placed
    /// is not answered yet, so alone it would say too much.
    #[inline]
    pub fn balance(&self, side: Side) -> i32 {
        let difference = |sums: &Sums| sums.values[side.index()] - sums.values[(!side).index()];
        let mut latest = self.path.iter().rev();
        let now = latest.next().map_or(0, difference);
        (now + latest.next().map_or(now, difference)) / 2
    }

    /// The network's correction for the side to move. Where the moves before are not known, the position is taken instead of those before them.
    pub fn correction(&mut self, side: Side) -> i32 {
        let Some(network) = &self.network else { return 0 };
        for at in self.ready..self.path.len() {
            let end = self.path.get(at + 1).map_or(self.changes.len(), |next| next.begin);
            self.path[at].rows = network.changed(self.path[at - 1].rows, &self.changes[self.path[at].begin..end]);
        }
        self.ready = self.path.len();
        let sums = |back: usize| {
            let rows = &self.path[(self.path.len() - 1).saturating_sub(back)].rows;
            [&rows[side.index()], &rows[(!side).index()]]
        };
        network.judge(std::array::from_fn(sums))
    }
}

impl Follower for Standing {
    #[inline(always)]
    fn changed(&mut self, before: [Outlook; 2], after: [Outlook; 2]) {
        let worths = self.worths;
        let values = &mut self.last().values;
        for side in 0..2 {
            let worth = |outlooks: [Outlook; 2]| worths[side][usize::from(outlooks[side].code())];
            values[side] += worth(after) - worth(before);
        }
        if self.network.is_some() {
            self.changes.push(Change { before, after });
        }
    }

    #[inline(always)]
    fn filled(&mut self, outlooks: [Outlook; 2]) {
        let worths = self.worths;
        let values = &mut self.last().values;
        for side in 0..2 {
            values[side] -= worths[side][usize::from(outlooks[side].code())];
        }
        if self.network.is_some() {
            self.changes.push(Change { before: outlooks, after: [Outlook::NONE; 2] });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::engine::network::loading;
    use crate::table::Evaluation;

    #[test]
    fn the_updated_standing_equals_the_computed_one() {
        let mut random = fastrand::Rng::with_seed(3);
        for (rule, size) in [(Rule::Freestyle, 15), (Rule::Renju, 15), (Rule::Caro, 19), (Rule::Standard, 20)] {
            let mut board = Board::new(rule, size);
            let network = loading::network(&Evaluation::Own).unwrap();
            let mut standing = Standing::of(&board, network.clone());
            let begin = standing.last().values;
            let mut made = Vec::new();
            let rows = |standing: &mut Standing| {
                standing.correction(Side::First);
                standing.last().rows
            };
            let first = rows(&mut standing);
            while made.len() < 80 {
                let mut legal = Vec::new();
                board.legal_moves(&mut legal);
                let Some(&spot) = random.choice(&legal) else { break };
                standing.make(&mut board, spot);
                made.push(spot);
                let mut computed = Standing::of(&board, network.clone());
                assert_eq!(standing.last().values, computed.last().values, "{rule:?} {size}: {made:?}");
                // The sums of the network are asked for in some positions only.
                if random.bool() {
                    assert_eq!(rows(&mut standing), rows(&mut computed), "{rule:?} {size}: {made:?}");
                }
                if random.u8(..4) == 0 {
                    made.pop().into_iter().for_each(|spot| standing.unmake(&mut board, spot));
                }
            }
            assert!(standing.last().values != begin && rows(&mut standing) != first);
            while let Some(spot) = made.pop() {
                standing.unmake(&mut board, spot);
            }
            assert!(standing.last().values == begin && rows(&mut standing) == first);
        }
    }
}
