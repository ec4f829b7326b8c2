//! A node of the search: table lookup, pruning, the depth of each move, and history updates.

use super::endings;
use super::exchange;
use super::ordering::Picker;
use super::scores::{BANNED_FROM, INFINITE, UNKNOWN, loss_in, win_in};
use super::worker::{MAX_PLY, Worker};
use crate::games::xiangqi::rules::adjudication::QUIET_LIMIT;
use crate::games::xiangqi::rules::board::{Board, Move};
use crate::games::xiangqi::rules::piece::Piece;
use crate::search::{Bound, Deferred, Entry, Hint};

/// The state of a node before its moves are searched.
pub struct Node {
    pub depth: i32,
    pub ply: usize,
    pub alpha: i32,
    pub beta: i32,
    /// Whether a cut-off is expected (an expected cut node).
    pub cut: bool,
    pub check: bool,
    /// The table entry, and its score relative to the root.
    pub known: Option<Entry>,
    pub table_score: i32,
    pub table_move: Move,
    pub table_capture: bool,
    /// The evaluation as it is kept in the table, without corrections; [`UNKNOWN`] in check.
    pub static_evaluation: i32,
    /// The evaluation, improved by the table's score; [`UNKNOWN`] in check.
    pub evaluation: i32,
    pub improving: bool,
}

impl Node {
    /// Whether a quiet move with this number is too late to be searched.
    #[inline(always)]
    fn is_late(&self, number: usize) -> bool {
        let depth = self.depth;
        number as i32 > if self.improving { 4 + depth * depth } else { 3 + depth * depth / 2 }
    }
}

/// A move of a node.
#[derive(Clone, Copy)]
struct Candidate {
    mv: Move,
    quiet: bool,
    /// Its number among the moves of the node, from 1.
    number: usize,
    /// Its history.
    history: i32,
    /// The reduction by depth and number, in 1024ths of a ply.
    reduction: i32,
}

impl Candidate {
    /// What is left of the depth after the reduction, at least 0.
    #[inline(always)]
    fn depth_left(self, depth: i32) -> i32 {
        (depth - self.reduction / 1024).max(0)
    }
}

/// Moves of a node that were searched and did not become its best; those beyond the room are left out.
struct Tried<const N: usize> {
    moves: [Move; N],
    count: usize,
}

impl<const N: usize> Tried<N> {
    fn new() -> Self {
        Tried { moves: [Move::NONE; N], count: 0 }
    }

    #[inline(always)]
    fn push(&mut self, mv: Move) {
        if self.count < N {
            self.moves[self.count] = mv;
            self.count += 1;
        }
    }
}

impl Worker<'_> {
    /// The score of the position within the window, searched to this depth. `cut` says that a cut-off is expected.
    pub fn search<const PV: bool, const ROOT: bool>(
        &mut self,
        mut depth: i32,
        ply: usize,
        mut alpha: i32,
        mut beta: i32,
        cut: bool,
    ) -> i32 {
        let check = self.plies[ply].check;
        if depth <= 0 {
            return self.quiesce::<PV>(ply, alpha, beta);
        }
        self.nodes += 1;
        if PV {
            self.seldepth = self.seldepth.max(ply);
            self.pv.clear(ply);
        }
        if self.reached() {
            return 0;
        }
        let singular = self.plies[ply].excluded != Move::NONE;
        if !ROOT {
            if let Some(score) = self.without_moves::<PV>(depth, ply, singular) {
                return score;
            }
            // Mate distance pruning: a shorter mate is already known.
            alpha = alpha.max(loss_in(ply));
            beta = beta.min(win_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        let known = if singular { None } else { self.shared.table.probe(self.board.hash()) };
        let table_score = known.map_or(0, |entry| entry.score.to_root(ply).0);
        if let Some(entry) = known
            && !PV
            && i32::from(entry.depth) >= depth
            && self.board.quiet_plies() < QUIET_LIMIT - 20
            && entry.bound.allows_cutoff(table_score, alpha, beta)
        {
            let mv = Move(entry.code);
            if table_score >= beta && mv != Move::NONE && self.board.at(mv.to()).is_none() {
                self.reward_quiet(mv, ply, depth);
            }
            return table_score;
        }
        let table_move = self.table_move::<ROOT>(known);
        let table_capture = table_move != Move::NONE && self.board.at(table_move.to()).is_some();
        let (static_evaluation, evaluation) = self.evaluations(ply, known, table_score);
        if let Some(further) = self.plies.get_mut(ply + 2) {
            further.killers = [Move::NONE; 2];
        }
        let improving = !check && self.improving(ply);
        let mut node = Node {
            depth,
            ply,
            alpha,
            beta,
            cut,
            check,
            known,
            table_score,
            table_move,
            table_capture,
            static_evaluation,
            evaluation,
            improving,
        };
        if !PV
            && !check
            && !singular
            && let Some(score) = self.pruned(&node)
        {
            return score;
        }
        if self.stopped {
            return 0;
        }
        // Without a table move the depth is reduced (internal iterative reduction).
        if depth >= 4 && table_move == Move::NONE && !singular && (PV || cut) {
            depth -= 1;
            node.depth = depth;
        }
        let start = self.list.len();
        let score = self.search_moves::<PV, ROOT>(&node);
        self.list.truncate(start);
        score
    }

    /// The score of a node that needs no moves: a repetition, an ending of the tablebase, a draw by quiet moves, or the deepest ply.
    #[inline(always)]
    fn without_moves<const PV: bool>(&mut self, depth: i32, ply: usize, singular: bool) -> Option<i32> {
        if !singular && let Some(score) = self.repetition(ply) {
            return Some(score);
        }
        // On the principal variation the moves of the ending are found, as far as the depth goes.
        if (!PV || depth <= 1)
            && let Some(score) = self.ending(ply)
        {
            return Some(score);
        }
        let check = self.plies[ply].check;
        if self.board.quiet_plies() >= QUIET_LIMIT {
            return Some(if check && !self.board.can_move() { loss_in(ply) } else { 0 });
        }
        (ply >= MAX_PLY - 2).then(|| if check { 0 } else { self.evaluate(ply) })
    }

    /// The exact score of an ending of the tablebase, where the draw by quiet moves does not come before the win.
    #[inline(always)]
    pub fn ending(&self, ply: usize) -> Option<i32> {
        if self.settings.misjudge.is_some() {
            return None;
        }
        let ending = endings::probe(&self.board)?;
        let Some(plies) = ending.plies else { return Some(0) };
        let end = ply + plies as usize;
        let in_time = u32::from(self.board.quiet_plies()) + plies < u32::from(QUIET_LIMIT);
        in_time.then(|| if ending.attacker == self.board.turn() { win_in(end) } else { loss_in(end) })
    }

    /// The move to search first: that of the table, at the root the best so far.
    #[inline(always)]
    fn table_move<const ROOT: bool>(&self, known: Option<Entry>) -> Move {
        let mut mv = known.map_or(Move::NONE, |entry| Move(entry.code));
        if ROOT && self.roots[self.multi].score != -INFINITE {
            mv = self.roots[self.multi].mv;
        }
        if mv != Move::NONE && self.board.is_pseudo_legal(mv) { mv } else { Move::NONE }
    }

    /// Searches the moves of a node, and learns from their scores.
    #[inline(always)]
    fn search_moves<const PV: bool, const ROOT: bool>(&mut self, node: &Node) -> i32 {
        let &Node { depth, ply, mut alpha, beta, check, table_move, .. } = node;
        let excluded = self.plies[ply].excluded;
        let singular = excluded != Move::NONE;
        let guard = self.board.guard();
        let before = self.before(ply);
        let counter = self.tables.counter(before[0]);
        let mut picker = Picker::new(table_move, self.plies[ply].killers, counter, before, self.list.len());
        let (mut best, mut best_move) = (-INFINITE, Move::NONE);
        let (mut numbered, mut quiets_seen) = (0, 0);
        let (mut quiets, mut captures) = (Tried::<48>::new(), Tried::<24>::new());
        let side = self.board.turn();
        let searching = &self.shared.searching;
        let defers = searching.defers(depth) && !singular;
        let key = self.board.hash();
        let mut deferred = Deferred::new(Move::NONE);
        loop {
            // The next move, and its number if it was put off.
            let (mv, earlier) = match picker.next(&self.board, self.tables, &mut self.list) {
                Some(mv) => (mv, None),
                None => match deferred.pop() {
                    Some((mv, number)) => (mv, Some(number)),
                    None => break,
                },
            };
            if mv == excluded || !self.board.is_legal_under(&guard, mv) {
                continue;
            }
            if ROOT && !self.roots[self.multi..].iter().any(|root| root.mv == mv) {
                continue;
            }
            let Some(piece) = self.board.at(mv.from()) else { continue };
            let taken = self.board.at(mv.to());
            let quiet = taken.is_none();
            if quiet
                && let Some(width) = self.settings.width
                && quiets_seen >= width
                && numbered > 0
                && earlier.is_none()
            {
                continue;
            }
            if earlier.is_none() {
                numbered += 1;
                quiets_seen += usize::from(quiet);
            }
            let hint = Hint::new(key, mv.0);
            if defers && earlier.is_none() && numbered > 1 && searching.contains(hint) && deferred.push(mv, numbered) {
                continue;
            }
            let number = earlier.unwrap_or(numbered);
            let history = match taken {
                None => self.tables.quiets(side, before).score(mv, piece),
                Some(taken) => self.tables.capture(piece, mv.to(), taken.role()),
            };
            let reduction = self.shared.reductions[depth.min(63) as usize][number.min(63)];
            let candidate = Candidate { mv, quiet, number, history, reduction };
            let prunable = !ROOT && best > -BANNED_FROM && !check;
            if prunable && self.is_pruned::<PV>(node, candidate) {
                // All quiet moves after a late one are late too; only their number is needed, by which captures behind them are reduced.
                if quiet
                    && !PV
                    && node.is_late(number)
                    && let Some(legal) = picker.pass_quiets(&self.board, &guard, excluded, &self.list)
                {
                    let within = self.settings.width.map_or(legal, |width| legal.min(width.saturating_sub(quiets_seen)));
                    numbered += within;
                    quiets_seen += within;
                }
                continue;
            }
            let mut extension = 0;
            if !ROOT && mv == table_move && !singular {
                extension = match self.singular_extension(node, PV) {
                    Ok(extension) => extension,
                    Err(score) => return score,
                };
            }

            if prunable && quiet && !PV && self.is_futile(node, candidate, alpha) && !self.board.gives_check(mv) {
                continue;
            }
            let nodes_before = self.nodes;
            self.make(mv, ply);
            let gives_check = self.plies[ply + 1].check;
            if gives_check && extension == 0 && self.plies[ply].extended < 2 * self.root_depth {
                extension = 1;
            }
            self.plies[ply + 1].extended = self.plies[ply].extended + extension.max(0);
            if defers {
                searching.begin(hint);
            }
            let score = self.search_move::<PV, ROOT>(node, candidate, extension, alpha, mv == counter);
            self.unmake();
            if defers {
                searching.end(hint);
            }
            if self.stopped {
                return 0;
            }
            if ROOT {
                self.note_root(mv, score, number == 1 || score > alpha, self.nodes - nodes_before);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = mv;
                    alpha = score;
                    if PV && !ROOT {
                        self.pv.keep(ply, mv);
                    }
                    if score >= beta {
                        self.cutoffs += 1;
                        break;
                    }
                }
            }
            if mv != best_move {
                if quiet { quiets.push(mv) } else { captures.push(mv) }
            }
        }
        if numbered == 0 {
            return if singular { alpha } else { loss_in(ply) };
        }
        if best >= beta {
            self.learn(best_move, ply, depth, &quiets.moves[..quiets.count], &captures.moves[..captures.count]);
        }
        let not_all_moves = ROOT && (self.multi > 0 || self.leaves_out);
        if !singular && !not_all_moves {
            self.keep(node, best_move, best);
        }
        best
    }

    /// Whether a move is not worth a search: too late, of bad history, or losing material. Checks are searched, because
    /// mating attacks often need sacrifices.
    #[inline(always)]
    fn is_pruned<const PV: bool>(&self, node: &Node, candidate: Candidate) -> bool {
        let &Node { depth, .. } = node;
        let Candidate { mv, number, history, .. } = candidate;
        let parameters = &self.shared.parameters;
        let pruned = if candidate.quiet {
            let left = candidate.depth_left(depth);
            !PV && node.is_late(number)
                || left <= 5 && history < -parameters.history_pruning * depth
                || left <= 6 && !exchange::wins(&self.board, mv, -parameters.quiet_loss * left * left)
        } else {
            depth <= 7 && !exchange::wins(&self.board, mv, -parameters.capture_loss * depth)
        };
        pruned && !self.board.checks_directly(mv)
    }

    /// Futility pruning: the evaluation is so low that a quiet move will not raise it to alpha.
    #[inline(always)]
    fn is_futile(&self, node: &Node, candidate: Candidate, alpha: i32) -> bool {
        let parameters = &self.shared.parameters;
        let left = candidate.depth_left(node.depth);
        let margin = parameters.futility + parameters.futility_depth * left;
        left <= 7 && self.plies[node.ply].evaluation + margin + candidate.history / 256 <= alpha
    }

    /// The score of a move that has been made: with a null window, a late move first with a reduced depth, then with the
    /// window of the node if it may be the best.
    #[inline(always)]
    fn search_move<const PV: bool, const ROOT: bool>(
        &mut self,
        node: &Node,
        candidate: Candidate,
        extension: i32,
        alpha: i32,
        is_counter: bool,
    ) -> i32 {
        let &Node { depth, ply, beta, cut, .. } = node;
        let Candidate { quiet, number, .. } = candidate;
        let full = depth - 1 + extension;
        let mut score = -INFINITE;
        let mut searched = false;
        if depth >= 2 && number > 1 + usize::from(ROOT) && (quiet || cut || number > 6) {
            let reduction = candidate.reduction + self.adjustment(node, PV, candidate, is_counter);
            let reduced = (full - (reduction / 1024).max(0)).max(1).min(full);
            score = -self.search::<false, false>(reduced, ply + 1, -alpha - 1, -alpha, true);
            searched = true;
            if score > alpha && reduced < full {
                score = -self.search::<false, false>(full, ply + 1, -alpha - 1, -alpha, !cut);
            }
        }
        if !searched && (!PV || number > 1) {
            score = -self.search::<false, false>(full, ply + 1, -alpha - 1, -alpha, !cut);
        }
        if PV && (number == 1 || score > alpha) {
            score = -self.search::<true, false>(full, ply + 1, -beta, -alpha, false);
        }
        score
    }

    /// Keeps the score of a node in the table, and corrects the evaluation of similar positions by it.
    #[inline(always)]
    fn keep(&mut self, node: &Node, best_move: Move, best: i32) {
        let &Node { depth, ply, static_evaluation, .. } = node;
        let bound = Bound::of(best, node.alpha, node.beta);
        self.store(best_move, best, static_evaluation, depth, bound, ply);
        let taken = best_move != Move::NONE && self.board.at(best_move.to()).is_some();
        let corrected = self.plies[ply].evaluation;
        if !node.check && !taken && best.abs() < BANNED_FROM && bound.corrects(best, corrected) {
            self.tables.learn_correction(self.board.turn(), self.plies[ply].shape, depth, best - static_evaluation);
        }
    }

    /// The evaluation of the node: the raw value for the table, and the best estimate. The corrected evaluation is stored
    /// for the nodes below. [`UNKNOWN`] in check; a search with an excluded move uses the values of the whole node.
    fn evaluations(&mut self, ply: usize, known: Option<Entry>, table_score: i32) -> (i32, i32) {
        if self.plies[ply].check {
            self.plies[ply].evaluation = UNKNOWN;
            return (UNKNOWN, UNKNOWN);
        }
        if self.plies[ply].excluded != Move::NONE {
            return (UNKNOWN, self.plies[ply].evaluation);
        }
        let static_evaluation = match known {
            Some(entry) if i32::from(entry.eval) != UNKNOWN => i32::from(entry.eval),
            _ => self.evaluate(ply),
        };
        let corrected = self.corrected(ply, static_evaluation);
        self.plies[ply].evaluation = corrected;
        let searched = known.is_some_and(|entry| entry.bound.corrects(table_score, corrected) && table_score.abs() < BANNED_FROM);
        (static_evaluation, if searched { table_score } else { corrected })
    }

    /// True if the side to move has a better evaluation than before its last move, or that is unknown.
    fn improving(&self, ply: usize) -> bool {
        let mut before = [2, 4].into_iter().filter(|back| ply >= *back).map(|back| self.plies[ply - back].evaluation);
        before.find(|then| *then != UNKNOWN).is_none_or(|then| self.plies[ply].evaluation > then)
    }

    /// Singular extension: the number of plies by which the table move is extended, if it is the only good move.
    ///
    /// # Errors
    /// The score of the node, if several moves reach beta (multi-cut) or the search was stopped.
    fn singular_extension(&mut self, node: &Node, pv: bool) -> Result<i32, i32> {
        let &Node { depth, ply, beta, cut, table_score, .. } = node;
        let worthwhile = depth >= 7
            && self.plies[ply].extended < self.root_depth
            && table_score.abs() < BANNED_FROM
            && node.known.is_some_and(|entry| i32::from(entry.depth) >= depth - 3 && entry.bound != Bound::Upper);
        if !worthwhile {
            return Ok(0);
        }
        let lowered = table_score - self.shared.parameters.singular * depth / 100;
        self.plies[ply].excluded = node.table_move;
        let score = self.search::<false, false>((depth - 1) / 2, ply, lowered - 1, lowered, cut);
        self.plies[ply].excluded = Move::NONE;
        if self.stopped {
            return Err(0);
        }
        if score < lowered {
            return Ok(if !pv && score < lowered - self.shared.parameters.singular_double { 2 } else { 1 });
        }
        if lowered >= beta {
            return Err(lowered);
        }
        Ok(if table_score >= beta { -1 } else { 0 })
    }

    /// The adjustment of a late move's reduction, in 1024ths of a ply.
    fn adjustment(&self, node: &Node, pv: bool, candidate: Candidate, is_counter: bool) -> i32 {
        let Candidate { mv, quiet, history, .. } = candidate;
        let favoured = is_counter || self.plies[node.ply].killers.contains(&mv);
        let parameters = &self.shared.parameters;
        let changes = [
            (pv, parameters.reduce_pv),
            (node.cut, parameters.reduce_cut),
            (node.table_capture, parameters.reduce_table_capture),
            (!node.improving, parameters.reduce_not_improving),
            (self.plies[node.ply + 1].check, parameters.reduce_gives_check),
            (node.check, parameters.reduce_in_check),
            (favoured, parameters.reduce_favoured),
            (!quiet, parameters.reduce_capture),
        ];
        let change: i32 = changes.iter().map(|(holds, change)| if *holds { *change } else { 0 }).sum();
        let divisor = if quiet { parameters.reduce_history } else { parameters.reduce_capture_history };
        change - history * 10 / divisor
    }

    fn reward_quiet(&mut self, mv: Move, ply: usize, depth: i32) {
        if let Some(piece) = self.board.at(mv.from())
            && piece.side() == self.board.turn()
        {
            let before = self.before(ply);
            self.tables.learn_quiet(self.board.turn(), mv, piece, before, bonus(depth) / 2);
        }
    }

    /// Updates the history after a cut-off: rewards the best move and penalises the moves searched before it.
    fn learn(&mut self, best: Move, ply: usize, depth: i32, quiets: &[Move], captures: &[Move]) {
        let side = self.board.turn();
        let before = self.before(ply);
        let bonus = bonus(depth);
        let piece_of = |board: &Board, mv: Move| -> Option<Piece> { board.at(mv.from()) };
        let Some(piece) = piece_of(&self.board, best) else { return };
        match self.board.at(best.to()) {
            None => {
                let killers = &mut self.plies[ply].killers;
                if killers[0] != best {
                    *killers = [best, killers[0]];
                }
                self.tables.set_counter(before[0], best);
                // Not after a quick cut-off at low depth.
                if depth > 2 || !quiets.is_empty() {
                    self.tables.learn_quiet(side, best, piece, before, bonus);
                }
                for &mv in quiets {
                    if let Some(piece) = piece_of(&self.board, mv) {
                        self.tables.learn_quiet(side, mv, piece, before, -bonus);
                    }
                }
            }
            Some(taken) => self.tables.learn_capture(piece, best.to(), taken.role(), bonus),
        }
        for &mv in captures {
            if let (Some(piece), Some(taken)) = (piece_of(&self.board, mv), self.board.at(mv.to())) {
                self.tables.learn_capture(piece, mv.to(), taken.role(), -bonus);
            }
        }
    }
}

fn bonus(depth: i32) -> i32 {
    (130 * depth - 60).min(1500)
}
