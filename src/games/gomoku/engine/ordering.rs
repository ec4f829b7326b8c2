//! Move ordering, and its update after a cut-off: history, killer moves and counter moves.

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

impl Worker<'_> {
    /// The spots with their ordering scores; those in `late` come after all others.
    pub fn order(&self, spots: &Spots, late: &Spots, table_code: u16, ply: usize) -> Vec<Candidate> {
        let side = self.board.side_to_move();
        let mut list = Vec::with_capacity(64);
        let killers = self.killers[ply];
        let parameters = &self.settings.parameters;
        let counter = self.path.last().map_or(0, |last| self.tables.counter[side.index()][last.index()]);
        for spot in spots.iter() {
            let code = Board::move_code(spot);
            let order = if late.contains(spot) {
                i32::MIN
            } else if code == table_code {
                i32::MAX
            } else {
                let own = values::ordering_score(&self.board, spot, side);
                let other = values::ordering_score(&self.board, spot, !side);
                let worth = (parameters.order_own * own + parameters.order_other * other) / 16;
                let history = self.tables.history[side.index()][spot.index()];
                let policy = self.policy.logit(&self.board, spot, side) * parameters.order_policy / 16;
                let mut order = worth + policy + history * parameters.order_history / 256;
                // The search for fours has already seen what a simple four leads to, so it is searched late.
                if matches!(self.board.class(spot, side), Class::Four | Class::FourPlus) {
                    order -= parameters.order_four;
                }
                if code == killers[0] || code == killers[1] {
                    order += parameters.order_killer;
                }
                if code == counter {
                    order += parameters.order_counter;
                }
                order
            };
            list.push(Candidate { spot, order });
        }
        list
    }

    pub fn update_ordering(&mut self, spot: Spot, tried: &[Spot], depth: i32, ply: usize) {
        let side = self.board.side_to_move();
        let code = Board::move_code(spot);
        let killers = &mut self.killers[ply];
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
        if let Some(last) = self.path.last() {
            self.tables.counter[side.index()][last.index()] = code;
        }
        let bonus = (depth * depth * 8).min(1200);
        let table = &mut self.tables.history[side.index()];
        let mut add = |spot: Spot, bonus: i32| {
            let worth = &mut table[spot.index()];
            *worth += bonus - *worth * bonus.abs() / 12_000;
        };
        add(spot, bonus);
        for &other in tried {
            add(other, -bonus / 2);
        }
    }
}
