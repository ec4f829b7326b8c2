//! Leaves of the search: the static evaluation, unless there is a win by fours.

use super::worker::{WIN, Worker};
use crate::games::gomoku::rules::classes::Class;
use crate::rules::Position;
use crate::search::Entry;

/// The node budget of the search for a win by fours at a leaf.
const LEAF_FOURS: u64 = 50;

impl Worker<'_> {
    /// The score of a leaf, with its table entry. A win by fours is searched only if the evaluation is below beta.
    pub fn leaf(&mut self, known: Option<Entry>, ply: usize, alpha: i32, beta: i32) -> i32 {
        let eval = self.judged(known, (alpha, beta));
        if eval >= beta {
            return eval;
        }
        self.wins_by_fours(LEAF_FOURS).map_or(eval, |length| WIN - (ply + length) as i32)
    }

    /// Plies to a five by fours alone, if found within a node budget; for a side that need not stop a five.
    pub fn wins_by_fours(&mut self, budget: u64) -> Option<usize> {
        if !self.settings.proves {
            return None;
        }
        let side = self.board.side_to_move();
        let more: usize = [Class::FourPlus, Class::FourThree, Class::OpenFour].iter().map(|&c| self.board.count(side, c)).sum();
        let fours = more + self.board.count(side, Class::Four);
        if more == 0 || fours < 2 { None } else { self.tables.fours.wins_nearby(&mut self.board, budget) }
    }
}
