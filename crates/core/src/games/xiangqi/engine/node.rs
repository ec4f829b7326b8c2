//! A node of the search: table lookup, pruning, the depth of each move, and history updates.

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
    /// The evaluation, improved by the table's score; [`UNKNOWN`] in check.
    pub evaluation: i32,
    pub improving: bool,
}

impl Worker<'_> {
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
        let excluded = self.plies[ply].excluded;
        let searching_one = excluded != Move::NONE;
        if !ROOT {
            if !searching_one && let Some(score) = self.repetition(ply) {
                return score;
            }
            if self.board.quiet_plies() >= QUIET_LIMIT {
                return if check && !self.board.can_move() { loss_in(ply) } else { 0 };
            }
            if ply >= MAX_PLY - 2 {
                return if check { 0 } else { self.evaluate(ply) };
            }
            // Mate distance pruning: a shorter mate is already known.
            alpha = alpha.max(loss_in(ply));
            beta = beta.min(win_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        let known = if searching_one { None } else { self.shared.table.probe(self.board.hash()) };
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
        let mut table_move = known.map_or(Move::NONE, |entry| Move(entry.code));
        if ROOT && self.roots[self.multi].score != -INFINITE {
            table_move = self.roots[self.multi].mv;
        }
        if table_move != Move::NONE && !self.board.is_pseudo_legal(table_move) {
            table_move = Move::NONE;
        }
        let table_capture = table_move != Move::NONE && self.board.at(table_move.to()).is_some();

        let (note, evaluation) = self.stand(ply, known, table_score);
        if let Some(further) = self.plies.get_mut(ply + 2) {
            further.killers = [Move::NONE; 2];
        }

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
            evaluation,
            improving: !check && self.improving(ply),
        };
        if !PV
            && !check
            && !searching_one
            && let Some(score) = self.settled(&node)
        {
            return score;
        }
        if self.stopped {
            return 0;
        }
        // Without a table move the depth is reduced (internal iterative reduction).
        if depth >= 4 && table_move == Move::NONE && !searching_one && (PV || cut) {
            depth -= 1;
            node.depth = depth;
        }

        let guard = self.board.guard();
        let before = self.before(ply);
        let counter = self.tables.counter(before[0]);
        let start = self.list.len();
        let mut picker = Picker::new(table_move, self.plies[ply].killers, counter, before, start);
        let mut best = -INFINITE;
        let mut best_move = Move::NONE;
        let original = alpha;
        let mut number = 0;
        let mut quiets_seen = 0;
        let mut vain_quiets: [Move; 48] = [Move::NONE; 48];
        let mut vain_count = 0;
        let mut vain_captures: [Move; 24] = [Move::NONE; 24];
        let mut vain_capture_count = 0;
        let side = self.board.turn();
        let parameters = &self.shared.parameters;
        let busy = &self.shared.busy;
        let divides = busy.divides(depth) && !searching_one;
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
                && let Some(width) = self.manner.width
                && quiets_seen >= width
                && number > 0
                && earlier.is_none()
            {
                continue;
            }
            if earlier.is_none() {
                number += 1;
                quiets_seen += usize::from(quiet);
            }
            let hint = Hint::new(key, mv.0);
            if divides && earlier.is_none() && number > 1 && busy.contains(hint) && deferred.push(mv, number) {
                continue;
            }
            let number = earlier.unwrap_or(number);
            let worth = match taken {
                None => self.tables.quiet(side, mv, piece, before),
                Some(taken) => self.tables.capture(piece, mv.to(), taken.role()),
            };
            let reduction = self.shared.reductions[depth.min(63) as usize][number.min(63)];

            let prunable = !ROOT && best > -BANNED_FROM;
            if prunable && !check {
                let dull = if quiet {
                    let limit = if node.improving { 4 + depth * depth } else { 3 + depth * depth / 2 };
                    let left = (depth - reduction / 1024).max(0);
                    !PV && number as i32 > limit
                        || left <= 5 && worth < -parameters.history_pruning * depth
                        || left <= 6 && !exchange::wins(&self.board, mv, -parameters.quiet_loss * left * left)
                } else {
                    depth <= 7 && !exchange::wins(&self.board, mv, -parameters.capture_loss * depth)
                };
                // Checks are not pruned, because mating attacks often need sacrifices.
                if dull && !self.board.checks_directly(mv) {
                    continue;
                }
            }

            let mut extension = 0;
            if !ROOT && mv == table_move && !searching_one {
                extension = match self.single_out(&node, PV) {
                    Ok(extension) => extension,
                    Err(score) => {
                        self.list.truncate(start);
                        return score;
                    }
                };
            }

            let nodes_before = self.nodes;
            self.make(mv, ply);
            let gives_check = self.plies[ply + 1].check;
            if prunable && quiet && !check && !gives_check && !PV {
                // Futility pruning: the evaluation is so low that a quiet move will not raise it to alpha.
                let left = (depth - reduction / 1024).max(0);
                let margin = parameters.futility + parameters.futility_depth * left;
                if left <= 7 && self.plies[ply].evaluation + margin + worth / 256 <= alpha {
                    self.unmake();
                    continue;
                }
            }
            if gives_check && extension == 0 && self.plies[ply].extended < 2 * self.root_depth {
                extension = 1;
            }
            self.plies[ply + 1].extended = self.plies[ply].extended + extension.max(0);
            if divides {
                busy.begin(hint);
            }
            let full = depth - 1 + extension;
            let mut score = -INFINITE;
            let mut searched = false;
            if depth >= 2 && number > 1 + usize::from(ROOT) && (quiet || cut || number > 6) {
                let reduction = reduction + self.adjustment(&node, PV, mv, quiet, gives_check, worth, mv == counter);
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
            self.unmake();
            if divides {
                busy.end(hint);
            }
            if self.stopped {
                self.list.truncate(start);
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
                if quiet && vain_count < vain_quiets.len() {
                    vain_quiets[vain_count] = mv;
                    vain_count += 1;
                } else if !quiet && vain_capture_count < vain_captures.len() {
                    vain_captures[vain_capture_count] = mv;
                    vain_capture_count += 1;
                }
            }
        }
        self.list.truncate(start);
        if number == 0 {
            return if searching_one { alpha } else { loss_in(ply) };
        }
        if best >= beta {
            self.learn(best_move, ply, depth, &vain_quiets[..vain_count], &vain_captures[..vain_capture_count]);
        }
        let not_all_moves = ROOT && (self.multi > 0 || self.leaves_out);
        if !searching_one && !not_all_moves {
            let bound = Bound::of(best, original, beta);
            self.store(best_move, best, note, depth, bound, ply);
            let taken = best_move != Move::NONE && self.board.at(best_move.to()).is_some();
            let stands = self.plies[ply].evaluation;
            if !check && !taken && best.abs() < BANNED_FROM && bound.corrects(best, stands) {
                self.tables.learn_correction(&self.board, depth, best - note);
            }
        }
        best
    }

    /// The evaluation of the node: the raw value for the table, and the best estimate. The corrected evaluation is stored
    /// for the nodes below. [`UNKNOWN`] in check; a search with an excluded move uses the values of the whole node.
    fn stand(&mut self, ply: usize, known: Option<Entry>, table_score: i32) -> (i32, i32) {
        if self.plies[ply].check {
            self.plies[ply].evaluation = UNKNOWN;
            return (UNKNOWN, UNKNOWN);
        }
        if self.plies[ply].excluded != Move::NONE {
            return (UNKNOWN, self.plies[ply].evaluation);
        }
        let note = match known {
            Some(entry) if i32::from(entry.note) != UNKNOWN => i32::from(entry.note),
            _ => self.evaluate(ply),
        };
        let corrected = self.corrected(note);
        self.plies[ply].evaluation = corrected;
        let searched = known.is_some_and(|entry| entry.bound.corrects(table_score, corrected) && table_score.abs() < BANNED_FROM);
        (note, if searched { table_score } else { corrected })
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
    fn single_out(&mut self, node: &Node, pv: bool) -> Result<i32, i32> {
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
    #[allow(clippy::too_many_arguments, reason = "all that is known of the move")]
    fn adjustment(&self, node: &Node, pv: bool, mv: Move, quiet: bool, gives_check: bool, worth: i32, counter: bool) -> i32 {
        let favoured = counter || self.plies[node.ply].killers.contains(&mv);
        let parameters = &self.shared.parameters;
        let changes = [
            (pv, parameters.reduce_pv),
            (node.cut, parameters.reduce_cut),
            (node.table_capture, parameters.reduce_table_capture),
            (!node.improving, parameters.reduce_not_improving),
            (gives_check, parameters.reduce_gives_check),
            (node.check, parameters.reduce_in_check),
            (favoured, parameters.reduce_favoured),
            (!quiet, parameters.reduce_capture),
        ];
        let change: i32 = changes.iter().map(|(holds, change)| if *holds { *change } else { 0 }).sum();
        let divisor = if quiet { parameters.reduce_history } else { parameters.reduce_capture_history };
        change - worth * 10 / divisor
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
