//! The simple reference searchers: minimax, negamax and alpha-beta, to a fixed depth, in three forms: plain, with move
//! ordering, and with a transposition table too.
//!
//! The strong engines are tested against them, and they are a good place to start reading. All give the same value;
//! each visits fewer nodes than the one before (Knuth and Moore, "An analysis of alpha-beta pruning", 1975). An
//! [`Observer`] can watch them.

use super::{Bound, Deadline, Engine, Entry, Evaluate, Info, Job, Lines, NodeEnd, Observer, Score, Transposition};
use crate::rules::{History, Position};
use serde::{Deserialize, Serialize};

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PlainKind {
    /// Two functions: one side maximises the value, the other minimises it.
    Minimax,
    /// One function; the score changes its sign from ply to ply.
    Negamax,
    /// Negamax without the branches that cannot change the result.
    AlphaBeta,
    /// The same, with the most promising moves first.
    Ordered,
    /// The same, and positions that were reached before by other moves are not searched again.
    Table,
}

impl PlainKind {
    /// Every algorithm, each faster than the one before.
    pub const ALL: [PlainKind; 5] =
        [PlainKind::Minimax, PlainKind::Negamax, PlainKind::AlphaBeta, PlainKind::Ordered, PlainKind::Table];

    /// The name used on the command line.
    pub const fn key(self) -> &'static str {
        match self {
            PlainKind::Minimax => "minimax",
            PlainKind::Negamax => "negamax",
            PlainKind::AlphaBeta => "alphabeta",
            PlainKind::Ordered => "ordered",
            PlainKind::Table => "table",
        }
    }

    /// The algorithm with this name.
    pub fn from_key(key: &str) -> Option<PlainKind> {
        PlainKind::ALL.into_iter().find(|kind| kind.key() == key.replace('-', ""))
    }
}

/// The size of the transposition table, in MiB.
const TABLE_MB: usize = 16;

/// A simple searcher with an evaluation. Leaves get their static evaluation. A finished game is scored wherever it
/// occurs: an earlier win is higher, an earlier loss is lower.
pub struct Plain<E, O = ()> {
    kind: PlainKind,
    evaluate: E,
    width: Option<u16>,
    deepens: bool,
    observer: O,
}

impl<E> Plain<E> {
    /// A searcher with this algorithm.
    pub fn new(kind: PlainKind, evaluate: E) -> Self {
        Plain { kind, evaluate, width: None, deepens: false, observer: () }
    }
}

impl<E, O> Plain<E, O> {
    /// Searches only the `width` most promising moves of each position. `None` is all moves.
    pub fn with_width(mut self, width: Option<u16>) -> Self {
        self.width = width.map(|width| width.max(1));
        self
    }

    /// Searches to depth 1 first, then to depth 2, and so on (iterative deepening). The transposition table is kept
    /// from depth to depth. With a limit of time or nodes this is so in any case.
    pub fn with_deepening(mut self, deepens: bool) -> Self {
        self.deepens = deepens;
        self
    }

    /// The same searcher, watched.
    pub fn watched<N>(self, observer: N) -> Plain<E, N> {
        Plain { kind: self.kind, evaluate: self.evaluate, width: self.width, deepens: self.deepens, observer }
    }
}

/// One run of a searcher.
struct Run<'a, P: Position, E, O> {
    kind: PlainKind,
    width: Option<u16>,
    evaluate: &'a mut E,
    observer: &'a mut O,
    position: P,
    deadline: Deadline,
    table: Option<Transposition>,
    nodes: u64,
    cutoffs: u64,
    pv: Lines<P::Move>,
}

impl<P: Position, E: Evaluate<P>, O: Observer<P::Move>> Run<'_, P, E, O> {
    /// The score of the position if the tree ends here, for the side to move.
    fn leaf(&mut self, depth: u16, ply: usize) -> Option<(Score, NodeEnd)> {
        self.nodes += 1;
        self.pv.clear(ply);
        let mover = self.position.side_to_move();
        if let Some(outcome) = self.position.outcome() {
            let score = match outcome.winner {
                None => Score::DRAW,
                Some(side) if side == mover => Score::win_in(ply),
                Some(_) => Score::loss_in(ply),
            };
            return Some((score, NodeEnd::GameOver));
        }
        (depth == 0).then(|| (Score::evaluation(self.evaluate.evaluate(&self.position)), NodeEnd::Leaf))
    }

    /// Closes the open node.
    fn close(&mut self, score: Score, end: NodeEnd) -> Option<Score> {
        self.observer.close(score, end);
        Some(score)
    }

    /// How promising a move is: a win first, then by the game's hint, then by the static evaluation after the move.
    fn promise(&mut self, mv: P::Move) -> (bool, i32, i32) {
        let hint = self.evaluate.ordering_score(&self.position, mv);
        let mover = self.position.side_to_move();
        let undo = self.position.make(mv);
        let outcome = self.position.outcome();
        let value = if outcome.is_some() { 0 } else { -self.evaluate.evaluate(&self.position) };
        self.position.unmake(mv, undo);
        (outcome.is_some_and(|outcome| outcome.winner == Some(mover)), hint, value)
    }

    /// The moves to search, the one of the transposition table first.
    fn moves(&mut self, table_code: u16) -> Vec<P::Move> {
        let mut moves = Vec::new();
        self.position.legal_moves(&mut moves);
        let ordered = matches!(self.kind, PlainKind::Ordered | PlainKind::Table);
        // A stable sort: equal moves keep the order of generation.
        match self.width.map(usize::from) {
            Some(width) if !ordered && width < moves.len() => {
                let mut best: Vec<usize> = (0..moves.len()).collect();
                best.sort_by_cached_key(|&index| std::cmp::Reverse(self.promise(moves[index])));
                best.truncate(width);
                // The most promising moves, but in the order of generation.
                best.sort_unstable();
                moves = best.into_iter().map(|index| moves[index]).collect();
            }
            width if ordered => {
                moves.sort_by_cached_key(|&mv| std::cmp::Reverse(self.promise(mv)));
                moves.truncate(width.unwrap_or(usize::MAX));
            }
            _ => {}
        }
        if let Some(place) = moves.iter().position(|&mv| table_code != 0 && P::move_code(mv) == table_code) {
            moves[..=place].rotate_right(1);
        }
        moves
    }

    /// Searches the position after a move; `None` when stopped.
    fn after(
        &mut self,
        mv: P::Move,
        window: Option<(Score, Score)>,
        search: impl FnOnce(&mut Self) -> Option<Score>,
    ) -> Option<Score> {
        if self.deadline.reached(self.nodes) {
            return None;
        }
        let undo = self.position.make(mv);
        self.observer.open(Some(mv), window);
        let score = search(self);
        self.position.unmake(mv, undo);
        score
    }

    /// The first function of minimax: the side to move at the root chooses the largest value. `None` when stopped.
    fn maximum(&mut self, depth: u16, ply: usize) -> Option<Score> {
        if let Some((score, end)) = self.leaf(depth, ply) {
            return self.close(score, end);
        }
        let mut best = -Score::INFINITE;
        for mv in self.moves(0) {
            let score = self.after(mv, None, |run| run.minimum(depth - 1, ply + 1))?;
            if score > best {
                best = score;
                self.observer.improve(best);
                self.pv.keep(ply, mv);
            }
        }
        self.close(best, NodeEnd::Searched)
    }

    /// The second function of minimax: the other side chooses the smallest. All values are from the view of the root's
    /// side.
    fn minimum(&mut self, depth: u16, ply: usize) -> Option<Score> {
        if let Some((score, end)) = self.leaf(depth, ply) {
            return self.close(-score, end);
        }
        let mut best = Score::INFINITE;
        for mv in self.moves(0) {
            let score = self.after(mv, None, |run| run.maximum(depth - 1, ply + 1))?;
            if score < best {
                best = score;
                self.observer.improve(best);
                self.pv.keep(ply, mv);
            }
        }
        self.close(best, NodeEnd::Searched)
    }

    fn negamax(&mut self, depth: u16, ply: usize) -> Option<Score> {
        if let Some((score, end)) = self.leaf(depth, ply) {
            return self.close(score, end);
        }
        let mut best = -Score::INFINITE;
        for mv in self.moves(0) {
            let score = -self.after(mv, None, |run| run.negamax(depth - 1, ply + 1))?;
            if score > best {
                best = score;
                self.observer.improve(best);
                self.pv.keep(ply, mv);
            }
        }
        self.close(best, NodeEnd::Searched)
    }

    fn alpha_beta(&mut self, depth: u16, ply: usize, mut alpha: Score, beta: Score) -> Option<Score> {
        if let Some((score, end)) = self.leaf(depth, ply) {
            return self.close(score, end);
        }
        let key = self.position.key();
        let known = self.table.as_ref().and_then(|table| table.probe(key));
        // Only an entry of the same depth: a deeper one would give another value than the other searchers.
        if let Some(entry) = known.filter(|entry| ply > 0 && u16::from(entry.depth) == depth) {
            let score = entry.score.to_root(ply);
            if entry.bound.allows_cutoff(score.0, alpha.0, beta.0) {
                return self.close(score, NodeEnd::Table);
            }
        }
        let moves = self.moves(known.map_or(0, |entry| entry.code));
        let (count, before) = (moves.len(), alpha);
        let (mut best, mut best_code, mut end) = (-Score::INFINITE, 0, NodeEnd::Searched);
        for (index, mv) in moves.into_iter().enumerate() {
            let window = (-beta, -alpha);
            let score = -self.after(mv, Some(window), |run| run.alpha_beta(depth - 1, ply + 1, window.0, window.1))?;
            if score > best {
                (best, best_code) = (score, P::move_code(mv));
                self.observer.improve(best);
                if score > alpha {
                    alpha = score;
                    self.pv.keep(ply, mv);
                }
                if alpha >= beta {
                    self.cutoffs += 1;
                    end = NodeEnd::CutOff(count - 1 - index);
                    break;
                }
            }
        }
        if let Some(table) = &self.table {
            let bound = Bound::of(best, before, beta);
            let depth = u8::try_from(depth).unwrap_or(u8::MAX);
            table.store(key, Entry { code: best_code, score: best.from_root(ply), eval: 0, depth, bound });
        }
        self.close(best, end)
    }
}

impl<P: Position, E: Evaluate<P>, O: Observer<P::Move> + Send> Engine<P> for Plain<E, O> {
    /// Searches directly to `limits.depth` (by default 4). With a time or node limit it searches depth by depth,
    /// so that there is always a result of a finished depth.
    fn think(&mut self, root: &History<P>, job: Job<'_, P::Move>) -> Option<P::Move> {
        let position = root.current().clone();
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        let fallback = *legal.first()?;
        let depth = job.limits.depth.unwrap_or(4).max(1);
        let bounded = job.limits.time.is_some() || job.limits.nodes.is_some() || job.limits.clock.is_some();
        let first_depth = if bounded || self.deepens { 1 } else { depth };
        let mut run = Run {
            kind: self.kind,
            width: self.width,
            evaluate: &mut self.evaluate,
            observer: &mut self.observer,
            position,
            deadline: Deadline::new(&job.limits, &job.stop),
            table: (self.kind == PlainKind::Table).then(|| Transposition::new(TABLE_MB)),
            nodes: 0,
            cutoffs: 0,
            pv: Lines::new(usize::from(depth)),
        };
        let mut best = fallback;
        if first_depth == 1 {
            run.deadline.finish_first_depth();
        }
        for depth in first_depth..=depth {
            let widest = (-Score::INFINITE, Score::INFINITE);
            let window = (!matches!(self.kind, PlainKind::Minimax | PlainKind::Negamax)).then_some(widest);
            run.observer.open(None, window);
            let score = match self.kind {
                PlainKind::Minimax => run.maximum(depth, 0),
                PlainKind::Negamax => run.negamax(depth, 0),
                PlainKind::AlphaBeta | PlainKind::Ordered | PlainKind::Table => run.alpha_beta(depth, 0, widest.0, widest.1),
            };
            let Some(score) = score else {
                // Stopped inside the first depth: the best root move met so far is better than none.
                if depth == first_depth {
                    best = run.pv.best().unwrap_or(fallback);
                }
                break;
            };
            best = run.pv.best().unwrap_or(fallback);
            let depth = usize::from(depth);
            let info = Info::new(depth, depth, score.value(), run.pv.root().to_vec());
            (job.info)(Info { nodes: run.nodes, cutoffs: run.cutoffs, time: run.deadline.elapsed(), ..info });
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
