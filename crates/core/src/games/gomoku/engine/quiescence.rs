//! Leaves of the search: a search of fours alone, in which the side to move may also stop at the evaluation.

use super::node::{LAST_PLY, LEAF, is_searched};
use super::threats;
use super::worker::{BEFORE_ROOT, Worker};
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::Class;
use crate::games::gomoku::rules::spot::{Spot, Spots};
use crate::rules::{Position, Side};
use crate::search::{Bound, Entry, Score};

/// Leaves whose evaluation is further outside of the window teach nothing.
const SAMPLED: i32 = 400;

impl Worker<'_> {
    /// The score of a leaf. `fours` is the number of fours since the leaf.
    pub fn leaf(&mut self, mut alpha: i32, beta: i32, ply: usize, fours: u32) -> i32 {
        if !self.enter(ply) {
            return 0;
        }
        if let Some(score) = self.immediate_result(ply) {
            return score;
        }
        let side = self.board.side_to_move();
        if self.board.has(!side, Class::Five) {
            return self.answer_four(alpha, beta, ply, fours);
        }
        if ply >= LAST_PLY {
            return self.evaluate();
        }
        let open_window = beta - alpha > 1;
        let depth = LEAF - fours.min(2) as u8;
        let first_alpha = alpha;
        let key = self.board.key();
        let known = self.shared.table.probe(key);
        let searched = known.filter(is_searched).map(|entry| (entry, entry.score.to_root(ply).0));
        if !open_window
            && let Some((entry, score)) = searched
            && entry.depth >= depth
            && entry.bound.allows_cutoff(score, alpha, beta)
        {
            return score;
        }
        let judged = self.judged(known);
        let at = BEFORE_ROOT + ply;
        self.levels[at].eval = judged;
        if known.is_none() && judged > alpha - SAMPLED && judged < beta + SAMPLED {
            let Worker { sampler, path, .. } = self;
            sampler.iter_mut().for_each(|sampler| sampler.offer(path));
        }
        let corrected = searched.filter(|(entry, score)| entry.bound.corrects(*score, judged));
        let mut best = corrected.map_or(judged, |(_, score)| score);
        if best >= beta || !open_window && best + self.settings.parameters.hopeless < alpha {
            if known.is_none() {
                self.store_evaluation(key, judged);
            }
            return best;
        }
        alpha = alpha.max(best);
        let mut best_code = 0;
        if self.settings.proves {
            let first = self.candidates.len();
            self.fours(side, fours, at, known.map_or(0, |entry| entry.code));
            for next in first..self.candidates.len() {
                let spot = self.candidates[next].spot;
                self.make(spot, ply);
                let score = -self.answer_four(-beta, -alpha, ply + 1, fours + 1);
                self.unmake(spot);
                if self.stopped {
                    break;
                }
                if score > best {
                    best = score;
                    if score > alpha {
                        alpha = score;
                        best_code = Board::move_code(spot);
                        self.pv.keep(ply, spot);
                        if score >= beta {
                            break;
                        }
                    }
                }
            }
            self.candidates.truncate(first);
            if self.stopped {
                return 0;
            }
        }
        let bound = Bound::of(best, first_alpha, beta);
        let entry = Entry { code: best_code, score: Score(best).from_root(ply), eval: judged as i16, depth, bound };
        self.shared.table.store(key, entry);
        best
    }

    /// The opponent has made a four: the only answer, or the evaluation if it threatens no five.
    fn answer_four(&mut self, alpha: i32, beta: i32, ply: usize, fours: u32) -> i32 {
        self.pv.clear(ply);
        let side = self.board.side_to_move();
        if let Some(score) = self.immediate_result(ply) {
            return score;
        }
        let stop = threats::against_five(&self.board, side).iter().find(|&spot| self.board.may_play(spot, side));
        let Some(spot) = stop.filter(|_| ply < LAST_PLY) else { return self.evaluate() };
        self.nodes += 1;
        self.make(spot, ply);
        let score = -self.leaf(-beta, -alpha, ply + 1, fours);
        self.unmake(spot);
        if !self.stopped {
            self.pv.keep(ply, spot);
        }
        score
    }

    /// Puts the fours of a leaf on the stack of candidates, best first, those near the side's last stone: after the
    /// first one only those that make something else as well, unless the last two did. That of the table comes first.
    fn fours(&mut self, side: Side, fours: u32, at: usize, table_code: u16) {
        let strong = |back: usize| self.levels[at - back].made[side.index()] >= Class::FourPlus;
        let least = if fours < 2 || strong(2) && strong(4) { Class::Four } else { Class::FourPlus };
        let mut spots = self.board.at_least(side, least);
        if spots.is_empty() {
            return;
        }
        threats::keep_legal(&self.board, &mut spots);
        let mut near = Spots::default();
        match self.levels[at - 2].spot {
            Some(last) => {
                let middle = last.point();
                let close = |spot: Spot| {
                    let point = spot.point();
                    point.x.abs_diff(middle.x).max(point.y.abs_diff(middle.y)) <= 2
                };
                spots.iter().filter(|&spot| close(spot) || spot.is_in_reach_of(last)).for_each(|spot| near.insert(spot));
            }
            None => near = spots,
        }
        let first = self.candidates.len();
        self.order(&near, table_code, true);
        self.candidates[first..].sort_by_key(|candidate| -candidate.order);
    }
}
