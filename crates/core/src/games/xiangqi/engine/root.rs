//! The root of the search: iterative deepening with an aspiration window.
//!
//! A depth is finished when any thread has finished it: the others then stop their own search of it and continue with that result.

use super::scores::{BANNED_FROM, DECIDED, INFINITE, WIN, win_in};
use super::worker::{MAX_PLY, Worker};
use crate::games::xiangqi::rules::board::Move;
use crate::search::{Limits, Steadiness};

/// A root move and its results.
#[derive(Clone, Debug)]
pub struct RootMove {
    pub mv: Move,
    pub score: i32,
    pub previous: i32,
    pub nodes: u64,
    pub seldepth: usize,
    pub pv: Vec<Move>,
}

impl Worker<'_> {
    /// Iterative deepening until a limit is reached; reports each finished line.
    pub fn deepen(&mut self, limits: &Limits, multipv: usize, tell: &mut dyn FnMut(&Worker<'_>, usize, i32)) {
        let deepest = limits.depth.map_or(MAX_PLY as i32 - 20, |d| i32::from(d).clamp(1, MAX_PLY as i32 - 20));
        let mut stable = 0;
        let mut last_best = Move::NONE;
        let mut depth = 0;
        while depth < deepest {
            depth += 1;
            if self.index > 0 {
                // Every second helper searches a ply deeper than the first thread.
                let ahead = self.shared.lead.depth() + 1 + (self.index as i32 & 1);
                depth = depth.max(ahead).min(deepest);
            }
            self.root_depth = depth;
            self.seldepth = 0;
            for root in &mut self.roots {
                root.previous = root.score;
                root.nodes /= 2;
            }
            for multi in 0..multipv {
                self.multi = multi;
                self.aspire(depth);
                self.roots[..=multi].sort_by_key(|root| std::cmp::Reverse(root.score));
                if self.stopped {
                    break;
                }
            }
            if self.overtaken {
                (self.overtaken, self.stopped) = (false, false);
                self.no_null_until = 0;
                (depth, self.roots) = self.shared.lead.take();
            } else if self.stopped {
                break;
            } else if multipv == 1 {
                self.shared.lead.offer(depth, &self.roots);
            }
            for multi in 0..multipv {
                tell(self, multi, depth);
            }
            let best = &self.roots[0];
            stable = if best.mv == last_best { stable + 1 } else { 0 };
            last_best = best.mv;
            let score = best.score;
            if let Some(mate) = limits.mate
                && score >= win_in(2 * usize::from(mate))
            {
                break;
            }
            let effort = best.nodes as f64 / self.roots.iter().map(|root| root.nodes).sum::<u64>().max(1) as f64;
            let fallen = best.previous - score;
            if let Some(deadline) = &mut self.deadline {
                if deadline.enough(Steadiness { stable, effort, fallen }) {
                    break;
                }
                // A decided game needs no deeper search, unless a depth was asked for. Nor does a forced move, unless nodes were asked for: then the
                // value is wanted (a review, a mate behind that move), and an answer is not waited for.
                let decided = score.abs() >= DECIDED && depth >= 2 * (WIN - score.abs()) + 4;
                let forced = self.roots.len() == 1 && depth >= 8 && limits.nodes.is_none();
                if deadline.may_finish_early() && (decided || forced) && multipv == 1 {
                    break;
                }
            }
        }
    }

    /// Searches one depth of one line, with a window around the last score.
    fn aspire(&mut self, depth: i32) -> i32 {
        let expected = self.roots[self.multi].previous;
        let mut margin = 18;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= 5 && expected.abs() < BANNED_FROM {
            alpha = (expected - margin).max(-INFINITE);
            beta = (expected + margin).min(INFINITE);
        }
        let mut fail_highs = 0;
        loop {
            let reduced = (depth - fail_highs).max(1);
            let score = self.search::<true, true>(reduced, 0, alpha, beta, false);
            // A stable sort: moves not searched yet keep their order.
            let multi = self.multi;
            self.roots[multi..].sort_by_key(|root| std::cmp::Reverse(root.score));
            if self.stopped {
                return score;
            }
            if score <= alpha && alpha > -INFINITE {
                beta = (alpha + beta) / 2;
                alpha = (score - margin).max(-INFINITE);
                fail_highs = 0;
            } else if score >= beta && beta < INFINITE {
                beta = (score + margin).min(INFINITE);
                fail_highs = (fail_highs + 1).min(3);
            } else {
                return score;
            }
            margin += margin / 2 + 5;
            if margin > 900 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Stores the result of a root move, with its line if it is the best so far.
    pub fn note_root(&mut self, mv: Move, score: i32, is_best: bool, spent: u64) {
        let Some(root) = self.roots.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += spent;
        root.score = if is_best { score } else { -INFINITE };
        if is_best {
            root.seldepth = self.seldepth;
            root.pv.clear();
            root.pv.push(mv);
            root.pv.extend_from_slice(self.pv.line(1));
        }
    }
}
