//! The shared alpha-beta search: iterative deepening, transposition table, move ordering and quiescence search with any
//! [`Evaluate`]. It works for every game; the strong engines are in the games' folders.

use super::{Bound, Deadline, Engine, Entry, Evaluate, Info, Job, Lines, Score, Transposition};
use crate::rules::{History, Position};

/// The deepest ply a search may reach.
const MAX_PLY: usize = 96;
/// The most plies of quiescence search.
const MAX_QUIESCENCE: usize = 12;

/// A searcher with an evaluation and a transposition table that is kept between moves.
pub struct AlphaBeta<E> {
    evaluate: E,
    table: Transposition,
    width: Option<u16>,
    history: Vec<i32>,
}

impl<E> AlphaBeta<E> {
    /// A searcher with a transposition table of `hash_mb` MiB.
    pub fn new(evaluate: E, hash_mb: usize) -> Self {
        AlphaBeta { evaluate, table: Transposition::new(hash_mb), width: None, history: vec![0; 2 << 15] }
    }

    /// Searches only the `width` first moves of each position, and all noisy moves. `None` is all moves.
    pub fn with_width(mut self, width: Option<u16>) -> Self {
        self.width = width.map(|w| w.max(1));
        self
    }
}

struct Run<'a, P: Position, E> {
    engine: &'a mut AlphaBeta<E>,
    position: P,
    deadline: Deadline,
    /// Keys of the positions of the game and of the path from the root.
    keys: Vec<u64>,
    nodes: u64,
    cutoffs: u64,
    seldepth: usize,
    killers: Vec<[u16; 2]>,
    pv: Lines<P::Move>,
    /// Root moves that earlier lines of multi-PV begin with.
    excluded: Vec<P::Move>,
}

/// The moves of a node with their ordering scores; picked best first.
struct Ordered<M> {
    moves: Vec<(M, i32, bool)>,
}

impl<M: Copy> Ordered<M> {
    fn pick(&mut self, index: usize) -> (M, bool) {
        let mut best = index;
        for other in index + 1..self.moves.len() {
            if self.moves[other].1 > self.moves[best].1 {
                best = other;
            }
        }
        self.moves.swap(index, best);
        let (mv, _, noisy) = self.moves[index];
        (mv, noisy)
    }
}

impl<P: Position, E: Evaluate<P>> Run<'_, P, E> {
    fn history_slot(&self, code: u16) -> usize {
        usize::from(code & 0x7FFF) << 1 | self.position.side_to_move().index()
    }

    fn order(&mut self, ply: usize, table_code: u16, only_noisy: bool) -> Ordered<P::Move> {
        let mut moves = Vec::with_capacity(64);
        self.engine.evaluate.candidates(&self.position, &mut moves);
        let killers = self.killers[ply];
        let mut out = Vec::with_capacity(moves.len());
        for mv in moves {
            let noisy = self.engine.evaluate.is_noisy(&self.position, mv);
            if only_noisy && !noisy {
                continue;
            }
            let code = P::move_code(mv);
            let worth = if code == table_code {
                i32::MAX
            } else if code == killers[0] {
                500_000
            } else if code == killers[1] {
                499_999
            } else {
                let hint = self.engine.evaluate.ordering_score(&self.position, mv).clamp(-10_000, 10_000);
                let slot = self.history_slot(code);
                // Noisy moves with a positive hint first, then killers, then quiet moves by history and hint.
                if noisy && hint > 0 { 1_000_000 + hint } else { hint * 16 + self.engine.history[slot] }
            };
            out.push((mv, worth, noisy));
        }
        Ordered { moves: out }
    }

    fn ended(&self, ply: usize) -> Option<Score> {
        let outcome = self.position.outcome()?;
        Some(match outcome.winner {
            None => Score::DRAW,
            Some(side) if side == self.position.side_to_move() => Score::win_in(ply),
            Some(_) => Score::loss_in(ply),
        })
    }

    fn quiesce(&mut self, ply: usize, left: usize, mut alpha: Score, beta: Score) -> Option<Score> {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if let Some(score) = self.ended(ply) {
            return Some(score);
        }
        let stand = Score::evaluation(self.engine.evaluate.evaluate(&self.position));
        if stand >= beta || left == 0 || ply >= MAX_PLY {
            return Some(stand);
        }
        alpha = alpha.max(stand);
        let mut best = stand;
        let mut moves = self.order(ply, 0, true);
        for index in 0..moves.moves.len() {
            let (mv, _) = moves.pick(index);
            let undo = self.position.make(mv);
            let score = if self.deadline.reached(self.nodes) { None } else { self.quiesce(ply + 1, left - 1, -beta, -alpha) };
            self.position.unmake(mv, undo);
            let score = -score?;
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                self.cutoffs += 1;
                break;
            }
        }
        Some(best)
    }

    fn search(&mut self, depth: usize, ply: usize, mut alpha: Score, beta: Score) -> Option<Score> {
        self.pv.clear(ply);
        if depth == 0 || ply >= MAX_PLY {
            return self.quiesce(ply, MAX_QUIESCENCE, alpha, beta);
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if let Some(score) = self.ended(ply) {
            return Some(score);
        }
        let key = self.position.key();
        let root = ply == 0;
        if !root && self.keys[..self.keys.len() - 1].contains(&key) {
            return Some(Score::DRAW);
        }
        let known = self.engine.table.probe(key);
        if let Some(entry) = known
            && !root
            && usize::from(entry.depth) >= depth
        {
            let score = entry.score.to_root(ply);
            if entry.bound.allows_cutoff(score.0, alpha.0, beta.0) {
                return Some(score);
            }
        }
        let table_code = known.map_or(0, |entry| entry.code);
        let mut moves = self.order(ply, table_code, false);
        let original_alpha = alpha;
        let mut best = -Score::INFINITE;
        let mut best_code = 0;
        let mut looked_at = 0;
        for index in 0..moves.moves.len() {
            let (mv, noisy) = moves.pick(index);
            if root && self.excluded.contains(&mv) {
                continue;
            }
            if let Some(width) = self.engine.width
                && looked_at >= usize::from(width)
                && !noisy
            {
                continue;
            }
            looked_at += 1;
            let code = P::move_code(mv);
            let slot = self.history_slot(code);
            let undo = self.position.make(mv);
            self.keys.push(self.position.key());
            let score = if self.deadline.reached(self.nodes) {
                None
            } else if index == 0 {
                self.search(depth - 1, ply + 1, -beta, -alpha).map(|s| -s)
            } else {
                self.later_move(depth, ply, index, noisy, alpha, beta)
            };
            self.keys.pop();
            self.position.unmake(mv, undo);
            let score = score?;
            if score > best {
                best = score;
                best_code = code;
                if score > alpha {
                    alpha = score;
                    self.pv.keep(ply, mv);
                }
                if alpha >= beta {
                    self.cutoffs += 1;
                    if !noisy {
                        let killers = &mut self.killers[ply];
                        if killers[0] != code {
                            *killers = [code, killers[0]];
                        }
                        let history = &mut self.engine.history[slot];
                        *history = (*history + (depth * depth) as i32).min(300_000);
                    }
                    break;
                }
            }
        }
        let bound = Bound::of(best, original_alpha, beta);
        if !root || self.excluded.is_empty() {
            let depth = depth.min(255) as u8;
            let score = best.from_root(ply);
            self.engine.table.store(key, Entry { code: best_code, score, eval: 0, depth, bound });
        }
        Some(best)
    }

    /// Searches a move after the first with a zero window, and with reduced depth if it is late and quiet; again with
    /// the full window and depth if its score is above alpha.
    fn later_move(&mut self, depth: usize, ply: usize, index: usize, noisy: bool, alpha: Score, beta: Score) -> Option<Score> {
        let closed = Score(alpha.0 + 1);
        let reduction = usize::from(depth >= 3 && index >= 4 && !noisy) + usize::from(depth >= 6 && index >= 12 && !noisy);
        let mut score = -self.search(depth - 1 - reduction, ply + 1, -closed, -alpha)?;
        if reduction > 0 && score > alpha {
            score = -self.search(depth - 1, ply + 1, -closed, -alpha)?;
        }
        if score > alpha && score < beta {
            score = -self.search(depth - 1, ply + 1, -beta, -alpha)?;
        }
        Some(score)
    }
}

impl<P: Position, E: Evaluate<P>> Engine<P> for AlphaBeta<E> {
    fn think(&mut self, root: &History<P>, job: Job<'_, P::Move>) -> Option<P::Move> {
        let position = root.current().clone();
        let mut candidates = Vec::new();
        self.evaluate.candidates(&position, &mut candidates);
        let mut best = *candidates.first()?;
        self.table.age();
        for worth in &mut self.history {
            *worth /= 4;
        }
        let lines = job.multipv.min(candidates.len());
        let deepest = job.limits.depth.map_or(MAX_PLY - 1, |d| usize::from(d).clamp(1, MAX_PLY - 1));
        let mut run = Run {
            deadline: Deadline::new(&job.limits, &job.stop),
            keys: root.keys().collect(),
            position,
            nodes: 0,
            cutoffs: 0,
            seldepth: 0,
            killers: vec![[0; 2]; MAX_PLY + MAX_QUIESCENCE + 2],
            pv: Lines::new(MAX_PLY + MAX_QUIESCENCE),
            excluded: Vec::new(),
            engine: self,
        };
        run.deadline.finish_first_depth();
        'deepening: for depth in 1..=deepest {
            run.excluded.clear();
            let mut top = Score::DRAW;
            for line in 0..lines {
                let Some(score) = run.search(depth, 0, -Score::INFINITE, Score::INFINITE) else {
                    // An unfinished depth searches the best move of the last depth first, so its best move so far is
                    // at least as good.
                    if line == 0
                        && let Some(mv) = run.pv.best()
                    {
                        best = mv;
                    }
                    break 'deepening;
                };
                let Some(mv) = run.pv.best() else { break };
                if line == 0 {
                    best = mv;
                    top = score;
                }
                run.excluded.push(mv);
                (job.info)(Info {
                    nodes: run.nodes,
                    cutoffs: run.cutoffs,
                    time: run.deadline.elapsed(),
                    hashfull: run.engine.table.hashfull(),
                    multipv: line as u16 + 1,
                    ..Info::new(depth, run.seldepth, score.value(), run.pv.root().to_vec())
                });
            }
            // A decided game needs no deeper search, unless a depth was asked for.
            let decided = top.is_decided() && depth >= (Score::WIN.0 - top.0.abs()) as usize;
            if run.deadline.enough_for_next_depth() || (decided && job.limits.depth.is_none() && lines == 1) {
                break;
            }
        }
        Some(best)
    }

    fn forget(&mut self) {
        self.table.clear();
        self.history.fill(0);
    }
}
