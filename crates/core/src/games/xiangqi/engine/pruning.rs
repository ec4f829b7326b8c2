//! Pruning of nodes far outside their window: razoring, reverse futility pruning, null move and
//! ProbCut (Buro 1994).

use super::history::PieceTo;
use super::node::Node;
use super::ordering::Picker;
use super::scores::{BANNED_FROM, UNKNOWN};
use super::worker::Worker;
use crate::games::xiangqi::rules::board::Move;
use crate::search::Bound;

impl Worker<'_> {
    /// The score of the node if it can be pruned by razoring, reverse futility, null move or
    /// ProbCut.
    pub fn pruned(&mut self, node: &Node) -> Option<i32> {
        let &Node { depth, ply, alpha, beta, cut, evaluation, improving, .. } = node;
        let parameters = &self.shared.parameters;
        // Razoring: so far below alpha that only a capture can help.
        if depth <= 3 && evaluation + parameters.razoring + parameters.razoring_depth * depth * depth < alpha {
            let score = self.quiesce::<false>(ply, alpha, alpha + 1);
            if score <= alpha || self.stopped {
                return Some(score);
            }
        }
        // Reverse futility: so far above beta that a quiet move will not change it.
        if depth <= 8
            && evaluation - parameters.reverse_futility * (depth - i32::from(improving)) >= beta
            && evaluation < BANNED_FROM
            && beta > -BANNED_FROM
        {
            return Some((evaluation + beta) / 2);
        }
        if depth >= 3
            && evaluation >= beta
            && self.plies[ply].evaluation >= beta - parameters.null_margin_depth * depth + parameters.null_margin
            && ply >= self.no_null_until
            && self.plies[ply - 1].piece_to != PieceTo::NONE
            && beta > -BANNED_FROM
            && self.has_force()
            && let Some(score) = self.null_move(node)
        {
            return Some(score);
        }
        // ProbCut: a capture that exceeds beta by a margin at a lower depth will most likely exceed beta here.
        let raised = beta + parameters.prob_cut - parameters.prob_cut_improving * i32::from(improving);
        if depth >= 5
            && beta.abs() < BANNED_FROM
            && !node.known.is_some_and(|entry| i32::from(entry.depth) >= depth - 3 && node.table_score < raised)
        {
            return self.try_captures(depth, ply, raised, node.table_move, cut);
        }
        None
    }

    /// Tries captures for ProbCut: the score if one reaches `raised` at a lower depth.
    fn try_captures(&mut self, depth: i32, ply: usize, raised: i32, table_move: Move, cut: bool) -> Option<i32> {
        let guard = self.board.guard();
        let start = self.list.len();
        let first = if table_move != Move::NONE && self.board.at(table_move.to()).is_some() { table_move } else { Move::NONE };
        let mut picker = Picker::captures(first, raised - self.plies[ply].evaluation, start);
        let mut result = None;
        while let Some(mv) = picker.next(&self.board, self.tables, &mut self.list) {
            if !self.board.is_legal_under(&guard, mv) {
                continue;
            }
            self.make(mv, ply);
            self.plies[ply + 1].extended = self.plies[ply].extended;
            let mut score = -self.quiesce::<false>(ply + 1, -raised, 1 - raised);
            if score >= raised {
                score = -self.search::<false, false>(depth - 4, ply + 1, -raised, 1 - raised, !cut);
            }
            self.unmake();
            if self.stopped {
                break;
            }
            if score >= raised {
                self.store(mv, score, UNKNOWN, depth - 3, Bound::Lower, ply);
                result = Some(score);
                break;
            }
        }
        self.list.truncate(start);
        result
    }
}
