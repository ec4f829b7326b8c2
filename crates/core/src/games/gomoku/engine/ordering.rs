//! Move ordering, and what is learnt from the moves that were searched: history, killer moves and counter moves.

use super::values;
use super::worker::Worker;
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::Class;
use crate::games::gomoku::rules::spot::{Spot, Spots};
use crate::rules::Position;

/// A move with its ordering score; the largest is searched first.
#[derive(Clone, Copy)]
pub struct Candidate {
    pub spot: Spot,
    pub order: i32,
}

/// The largest absolute value of a history score.
const MOST_HISTORY: i32 = 10_000;

impl Worker<'_> {
    /// Puts the spots with their ordering scores on the stack of candidates. `forced` says that the last stone leaves few answers, so that its counter move says nothing.
    pub fn order(&mut self, spots: &Spots, table_code: u16, forced: bool) {
        let side = self.board.side_to_move();
        let parameters = &self.settings.parameters;
        let [own, other] = [side, !side].map(|side| values::of(self.board.rule(), side));
        let history = &self.tables.history[side.index()];
        let last = self.path.last().filter(|_| !forced);
        let (counter, least) = last.map_or((0, Class::Nothing), |last| self.tables.counter[side.index()][last.index()]);
        for spot in spots.iter() {
            let code = Board::move_code(spot);
            if code == table_code {
                self.candidates.push(Candidate { spot, order: i32::MAX });
                continue;
            }
            let class = self.board.class(spot, side);
            let attack = own.codes[usize::from(self.board.code(spot, side))].attack;
            let defence = other.codes[usize::from(self.board.code(spot, !side))].defence;
            let (kind, weight) = if class >= Class::OpenThree { (0, 2) } else { (1, 1) };
            let mut order = i32::from(attack) + i32::from(defence);
            order += history[kind][spot.index()] * weight * parameters.order_history / 4096;
            if code == counter && least <= class {
                order += parameters.order_counter;
            }
            self.candidates.push(Candidate { spot, order });
        }
    }

    /// The candidate of the stack from `at` on with the largest score, which is brought to that place.
    pub fn pick(&mut self, at: usize) -> Spot {
        let rest = &mut self.candidates[at..];
        // The first of the largest; a branch for each would be mispredicted.
        let ranks = rest.iter().zip(0u32..).map(|(candidate, at)| i64::from(candidate.order) << 32 | i64::from(!at));
        let pick = !(ranks.fold(i64::MIN, i64::max) as u32) as usize;
        rest.swap(0, pick);
        rest[0].spot
    }

    /// Learns from a node's best move and from the moves that were searched beside it: those of the stack of tried moves from `tried` on.
    pub fn learn(&mut self, spot: Spot, tried: usize, depth: i32, at: usize, (pressed, threatened): (bool, bool)) {
        let side = self.board.side_to_move();
        let code = Board::move_code(spot);
        let plies = depth / 1024;
        let bonus = (25 * plies * plies + 105 * plies - 100).clamp(20, 9000);
        let history = &mut self.tables.history[side.index()];
        let mut add = |kind: usize, spot: Spot, bonus: i32| {
            let worth = &mut history[kind][spot.index()];
            *worth += bonus - *worth * bonus.abs() / MOST_HISTORY;
        };
        let class = |spot: Spot| self.board.class(spot, side);
        let quiet = class(spot) < Class::OpenThree;
        if !quiet {
            add(0, spot, bonus);
        } else if !threatened {
            add(1, spot, bonus);
            let killers = &mut self.levels[at].killers;
            if killers[0] != code {
                *killers = [code, killers[0]];
            }
        }
        for &other in &self.tried[tried..] {
            if class(other) >= Class::OpenThree {
                add(0, other, -bonus);
            } else if quiet && !threatened {
                add(1, other, -bonus);
            }
        }
        if let Some(last) = self.path.last().filter(|_| !pressed) {
            self.tables.counter[side.index()][last.index()] = (code, class(spot));
        }
    }
}
