//! Quiescence search: captures, and all moves in check, until the position is quiet.

use super::exchange;
use super::ordering::Picker;
use super::scores::{BANNED_FROM, DECIDED, UNKNOWN, loss_in};
use super::worker::{MAX_PLY, Worker};
use crate::games::xiangqi::rules::board::Move;
use crate::search::{Bound, Entry};

impl Worker<'_> {
    /// Searches captures (in check, all moves) until the position is quiet.
    pub fn quiesce<const PV: bool>(&mut self, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        if PV {
            self.seldepth = self.seldepth.max(ply);
            self.pv.clear(ply);
        }
        if self.reached() {
            return 0;
        }
        if let Some(score) = self.repetition(ply) {
            return score;
        }
        if let Some(score) = self.ending(ply) {
            return score;
        }
        let check = self.plies[ply].check;
        if ply >= MAX_PLY - 2 {
            return if check { 0 } else { self.evaluate(ply) };
        }
        let known = self.shared.table.probe(self.board.hash());
        if let Some(entry) = known
            && !PV
        {
            let score = entry.score.to_root(ply).0;
            if entry.bound.allows_cutoff(score, alpha, beta) {
                return score;
            }
        }
        let table_move = known.map_or(Move::NONE, |entry| Move(entry.code));
        let mut static_evaluation = UNKNOWN;
        let mut best = loss_in(ply);
        let mut floor = best;
        if !check {
            (static_evaluation, best) = self.stand_pat(ply, known);
            if best >= beta {
                if known.is_none() {
                    self.store(Move::NONE, best, static_evaluation, 0, Bound::Lower, ply);
                }
                return best;
            }
            alpha = alpha.max(best);
            floor = best + self.shared.parameters.delta;
        }
        let mut guard = None;
        let start = self.list.len();
        let table_move = if self.board.is_pseudo_legal(table_move) && (check || self.board.at(table_move.to()).is_some()) {
            table_move
        } else {
            Move::NONE
        };
        let mut picker = if check {
            let killers = self.plies[ply].killers;
            Picker::new(table_move, killers, Move::NONE, self.before(ply), start)
        } else {
            Picker::captures(table_move, 0, start)
        };
        let mut best_move = Move::NONE;
        let original = alpha;
        let mut tried = 0;
        while let Some(mv) = picker.next(&self.board, self.tables, &mut self.list) {
            if !self.board.is_legal_under(guard.get_or_insert_with(|| self.board.guard()), mv) {
                continue;
            }
            tried += 1;
            if best > -DECIDED {
                if !check {
                    // Delta pruning: even with the captured piece the score stays below alpha.
                    let gain = self.board.at(mv.to()).map_or(0, exchange::price);
                    if floor + gain <= alpha && !PV {
                        best = best.max(floor + gain);
                        continue;
                    }
                } else if tried > 3 && self.board.at(mv.to()).is_none() {
                    continue;
                }
            }
            self.make(mv, ply);
            let score = -self.quiesce::<PV>(ply + 1, -beta, -alpha);
            self.unmake();
            if self.stopped {
                self.list.truncate(start);
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = mv;
                    alpha = score;
                    if PV {
                        self.pv.keep(ply, mv);
                    }
                    if score >= beta {
                        self.cutoffs += 1;
                        break;
                    }
                }
            }
        }
        self.list.truncate(start);
        if check && tried == 0 {
            return loss_in(ply);
        }
        let bound = Bound::of(best, original, beta);
        self.store(best_move, best, static_evaluation, 0, bound, ply);
        best
    }

    /// The score without a capture: the evaluation as the table keeps it, and the best estimate.
    #[inline(always)]
    fn stand_pat(&mut self, ply: usize, known: Option<Entry>) -> (i32, i32) {
        let static_evaluation = match known {
            Some(entry) if i32::from(entry.eval) != UNKNOWN => i32::from(entry.eval),
            _ => self.evaluate(ply),
        };
        let corrected = self.corrected(ply, static_evaluation);
        let searched = known.map(|entry| (entry.bound, entry.score.to_root(ply).0));
        let searched = searched.filter(|(bound, score)| bound.corrects(*score, corrected) && score.abs() < BANNED_FROM);
        (static_evaluation, searched.map_or(corrected, |(_, score)| score))
    }
}
