//! The simple reference searchers: minimax, negamax and alpha-beta, to a fixed depth, without a transposition table.
//!
//! The strong engines are tested against them, and they are a good place to start reading. All three give the same value;
//! alpha-beta visits fewer nodes (Knuth and Moore, "An analysis of alpha-beta pruning", 1975).

use super::{Deadline, Effort, Engine, Evaluate, Info, Job, Lines, Score};
use crate::rules::{History, Position};

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainKind {
    /// Two functions: one side maximises the value, the other minimises it.
    Minimax,
    /// One function; the score changes its sign from ply to ply.
    Negamax,
    /// Negamax without the branches that cannot change the result.
    AlphaBeta,
}

/// A simple searcher with an evaluation. Leaves get their static evaluation. A finished game is scored wherever it occurs:
/// an earlier win is higher, an earlier loss is lower.
pub struct Plain<E> {
    kind: PlainKind,
    evaluate: E,
}

impl<E> Plain<E> {
    /// A searcher with this algorithm.
    pub fn new(kind: PlainKind, evaluate: E) -> Self {
        Plain { kind, evaluate }
    }
}

/// One run of a searcher.
struct Run<'a, P: Position, E> {
    evaluate: &'a mut E,
    position: P,
    deadline: Deadline,
    nodes: u64,
    cutoffs: u64,
    pv: Lines<P::Move>,
}

impl<P: Position, E: Evaluate<P>> Run<'_, P, E> {
    /// The score of the position if the tree ends here, for the side to move.
    fn leaf(&mut self, depth: u16, ply: usize) -> Option<Score> {
        self.nodes += 1;
        self.pv.clear(ply);
        let mover = self.position.side_to_move();
        if let Some(outcome) = self.position.outcome() {
            return Some(match outcome.winner {
                None => Score::DRAW,
                Some(side) if side == mover => Score::win_in(ply),
                Some(_) => Score::loss_in(ply),
            });
        }
        (depth == 0).then(|| Score::evaluation(self.evaluate.evaluate(&self.position)))
    }

    fn moves(&mut self) -> Vec<P::Move> {
        let mut moves = Vec::new();
        self.position.legal_moves(&mut moves);
        moves
    }

    /// The first function of minimax: the side to move at the root chooses the largest value. `None` when stopped.
    fn maximum(&mut self, depth: u16, ply: usize) -> Option<Score> {
        if let Some(score) = self.leaf(depth, ply) {
            return Some(score);
        }
        let mut best = -Score::INFINITE;
        for mv in self.moves() {
            let undo = self.position.make(mv);
            let score = if self.deadline.reached(self.nodes) { None } else { self.minimum(depth - 1, ply + 1) };
            self.position.unmake(mv, undo);
            let score = score?;
            if score > best {
                best = score;
                self.pv.keep(ply, mv);
            }
        }
        Some(best)
    }

    /// The second function of minimax: the other side chooses the smallest. All values are from the view of the root's side.
    fn minimum(&mut self, depth: u16, ply: usize) -> Option<Score> {
        if let Some(score) = self.leaf(depth, ply) {
            return Some(-score);
        }
        let mut best = Score::INFINITE;
        for mv in self.moves() {
            let undo = self.position.make(mv);
            let score = if self.deadline.reached(self.nodes) { None } else { self.maximum(depth - 1, ply + 1) };
            self.position.unmake(mv, undo);
            let score = score?;
            if score < best {
                best = score;
                self.pv.keep(ply, mv);
            }
        }
        Some(best)
    }

    fn negamax(&mut self, depth: u16, ply: usize) -> Option<Score> {
        if let Some(score) = self.leaf(depth, ply) {
            return Some(score);
        }
        let mut best = -Score::INFINITE;
        for mv in self.moves() {
            let undo = self.position.make(mv);
            let score = if self.deadline.reached(self.nodes) { None } else { self.negamax(depth - 1, ply + 1) };
            self.position.unmake(mv, undo);
            let score = -score?;
            if score > best {
                best = score;
                self.pv.keep(ply, mv);
            }
        }
        Some(best)
    }

    fn alpha_beta(&mut self, depth: u16, ply: usize, mut alpha: Score, beta: Score) -> Option<Score> {
        if let Some(score) = self.leaf(depth, ply) {
            return Some(score);
        }
        let mut best = -Score::INFINITE;
        for mv in self.moves() {
            let undo = self.position.make(mv);
            let score = if self.deadline.reached(self.nodes) { None } else { self.alpha_beta(depth - 1, ply + 1, -beta, -alpha) };
            self.position.unmake(mv, undo);
            let score = -score?;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    self.pv.keep(ply, mv);
                }
                if alpha >= beta {
                    self.cutoffs += 1;
                    break;
                }
            }
        }
        Some(best)
    }
}

impl<P: Position, E: Evaluate<P>> Engine<P> for Plain<E> {
    /// Searches directly to `limits.depth` (by default 4). With a time or node limit it searches depth by depth,
    /// so that there is always a result of a finished depth.
    fn think(&mut self, root: &History<P>, job: Job<'_, P::Move>) -> Option<P::Move> {
        let position = root.current().clone();
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        let fallback = *legal.first()?;
        let depth = job.limits.depth.unwrap_or(4).max(1);
        let bounded = job.limits.time.is_some() || job.limits.nodes.is_some() || job.limits.clock.is_some();
        let first_depth = if bounded { 1 } else { depth };
        let mut run = Run {
            evaluate: &mut self.evaluate,
            position,
            deadline: Deadline::new(&job.limits, &job.stop),
            nodes: 0,
            cutoffs: 0,
            pv: Lines::new(usize::from(depth)),
        };
        let mut best = fallback;
        for depth in first_depth..=depth {
            let score = match self.kind {
                PlainKind::Minimax => run.maximum(depth, 0),
                PlainKind::Negamax => run.negamax(depth, 0),
                PlainKind::AlphaBeta => run.alpha_beta(depth, 0, -Score::INFINITE, Score::INFINITE),
            };
            let Some(score) = score else {
                // Stopped inside the first depth: the best root move met so far is better than none.
                if depth == first_depth {
                    best = run.pv.best().unwrap_or(fallback);
                }
                break;
            };
            best = run.pv.best().unwrap_or(fallback);
            let effort = Effort { nodes: run.nodes, cutoffs: run.cutoffs, time: run.deadline.elapsed(), hashfull: 0 };
            let depth = usize::from(depth);
            (job.info)(Info::new(depth, depth, score.value(), run.pv.root().to_vec(), effort));
            if run.deadline.enough_for_next_depth() {
                break;
            }
        }
        Some(best)
    }
}

#[cfg(test)]
#[path = "toy_tests.rs"]
mod tests;
