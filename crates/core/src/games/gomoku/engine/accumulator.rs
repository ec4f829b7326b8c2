//! The sums of a position: the values of all empty points for each side, and their rows in the network. They follow the
//! moves that the search makes and takes back: the sums of a position are those of the one before it and what the move
//! changed, added up when the position is evaluated.

use super::network::{Network, Row};
use super::values::{self, Set};
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::{CODE_NUMBERS, Outlook};
use crate::games::gomoku::rules::rule::Rule;
use crate::games::gomoku::rules::shapes::Change;
use crate::games::gomoku::rules::spot::Spot;
use crate::rules::{Position, Side};
use std::sync::{Arc, OnceLock};

/// The value of a point for each code, for a side under a rule. Those of a point with a stone are 0.
fn worths(rule: Rule, side: Side) -> &'static [i32; CODE_NUMBERS] {
    static TABLES: [OnceLock<Box<[i32; CODE_NUMBERS]>>; 4] = [const { OnceLock::new() }; 4];
    TABLES[Set::of(rule, side) as usize].get_or_init(|| {
        let mut table = Box::new([0; CODE_NUMBERS]);
        for (worth, values) in table.iter_mut().zip(values::of(rule, side).codes.iter()) {
            *worth = i32::from(values.worth);
        }
        table
    })
}

/// The sums of a position on the path of the search, if they are [ready](Accumulator::ready).
#[derive(Clone, Copy, Debug)]
struct Sums {
    /// The values of the empty points, for each side.
    values: [i32; 2],
    /// The sums of rows of the network, for each side.
    rows: [Row; 2],
    /// Where the changes of the move that led here begin and end among those of the board.
    changes: (usize, usize),
}

/// The accumulator of both sides.
pub struct Accumulator {
    worths: [&'static [i32; CODE_NUMBERS]; 2],
    network: Option<Arc<Network>>,
    /// The sums of the first position and after each move. They are computed when they are asked for.
    path: Vec<Sums>,
    /// The number of positions of the path, from the first one, whose sums are computed.
    ready: usize,
}

impl Accumulator {
    /// The accumulator in a position, computed from scratch; without a network by values alone.
    pub fn of(board: &Board, network: Option<Arc<Network>>) -> Self {
        let worths = Side::BOTH.map(|side| worths(board.rule(), side));
        let mut values = [0; 2];
        for spot in board.empty().iter() {
            let outlooks = board.outlooks_of(spot);
            (0..2).for_each(|side| values[side] += worths[side][usize::from(outlooks[side].code())]);
        }
        let rows = network.as_ref().map_or_else(Default::default, |network| network.sums(board));
        Accumulator { worths, network, path: vec![Sums { values, rows, changes: (0, 0) }], ready: 1 }
    }

    /// Makes a move on the board, which is that of the last position.
    #[inline]
    pub fn make(&mut self, board: &mut Board, spot: Spot) {
        let begin = board.changes().len();
        board.make(spot);
        self.path.push(Sums { values: [0; 2], rows: Default::default(), changes: (begin, board.changes().len()) });
    }

    /// Takes the last move back.
    #[inline]
    pub fn unmake(&mut self, board: &mut Board, spot: Spot) {
        board.unmake(spot, ());
        self.path.pop();
        self.ready = self.ready.min(self.path.len());
    }

    /// Computes the sums of all positions of the path.
    fn follow(&mut self, board: &Board) {
        for at in self.ready..self.path.len() {
            let (begin, end) = self.path[at].changes;
            let changes = &board.changes()[begin..end];
            let Sums { values, rows, .. } = self.path[at - 1];
            self.path[at].values = self.changed(values, changes);
            if let Some(network) = &self.network {
                self.path[at].rows = network.changed(rows, changes);
            }
        }
        self.ready = self.path.len();
    }

    /// The sums of values after these changes.
    #[inline]
    fn changed(&self, [mut first, mut second]: [i32; 2], changes: &[Change]) -> [i32; 2] {
        let worth = |side: usize, outlook: Outlook| self.worths[side][usize::from(outlook.code())];
        for change in changes {
            let (before, after) = (change.before(), change.after());
            first += worth(0, after[0]) - worth(0, before[0]);
            second += worth(1, after[1]) - worth(1, before[1]);
        }
        [first, second]
    }

    /// The difference between a side and its opponent by values, in hundredths of an open two: the mean of that now and
    /// that before the last move. A stone that the opponent has just placed is not answered yet, so alone it would say
    /// too much.
    #[inline]
    pub fn balance(&mut self, board: &Board, side: Side) -> i32 {
        self.follow(board);
        let last = self.path.len() - 1;
        let difference = |back: usize| {
            let values = &self.path[last.saturating_sub(back)].values;
            values[side.index()] - values[(!side).index()]
        };
        (difference(0) + difference(1)) / 2
    }

    /// The network's correction for the side to move. Where the moves before are not known, the position is taken
    /// instead of those before them.
    #[inline]
    pub fn correction(&mut self, board: &Board, side: Side) -> i32 {
        self.follow(board);
        let Some(network) = &self.network else { return 0 };
        let last = self.path.len() - 1;
        let sums = |back: usize| {
            let rows = &self.path[last.saturating_sub(back)].rows;
            [&rows[side.index()], &rows[(!side).index()]]
        };
        network.judge(std::array::from_fn(sums))
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
            let mut accumulator = Accumulator::of(&board, network.clone());
            let mut made = Vec::new();
            let sums = |accumulator: &mut Accumulator, board: &Board| {
                accumulator.follow(board);
                accumulator.path.last().map(|sums| (sums.values, sums.rows))
            };
            let first = sums(&mut accumulator, &board);
            while made.len() < 80 {
                let mut legal = Vec::new();
                board.legal_moves(&mut legal);
                let Some(&spot) = random.choice(&legal) else { break };
                accumulator.make(&mut board, spot);
                made.push(spot);
                let mut computed = Accumulator::of(&board, network.clone());
                // The sums are asked for in some positions only.
                if random.bool() {
                    assert_eq!(sums(&mut accumulator, &board), sums(&mut computed, &board), "{rule:?} {size}: {made:?}");
                }
                if random.u8(..4) == 0 {
                    made.pop().into_iter().for_each(|spot| accumulator.unmake(&mut board, spot));
                }
            }
            assert!(sums(&mut accumulator, &board) != first);
            while let Some(spot) = made.pop() {
                accumulator.unmake(&mut board, spot);
            }
            assert!(sums(&mut accumulator, &board) == first);
        }
    }
}
