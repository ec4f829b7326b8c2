//! The engine: principal-variation search with iterative deepening over a shared table, on as many threads as are given.
//!
//! Sources of the ideas, all common property of the field: principal-variation search (Marsland and Campbell 1982), null move with verification
//! (Donninger 1993, Tabibi and Netanyahu 2002), history heuristic (Schaeffer 1983), late-move reductions, futility and razoring,
//! ProbCut (Buro 1994), singular extensions (Anantharaman, Campbell and Hsu 1988), lazy SMP. Repetition inside the tree is judged by
//! the rule of the game, so perpetual checks and chases are no refuge. A depth counts as searched once any thread has finished it: the first
//! thread then gives its own try up and goes on from what was found.

use super::book;
use super::clock::Watch;
use super::evaluation::{self, Tally};
use super::exchange;
use super::history::{Arrival, Tables};
use super::ordering::{Picker, Promise};
use crate::games::xiangqi::rules::adjudication::{self, QUIET_LIMIT, Repetition};
use crate::games::xiangqi::rules::board::{Board, Move, Piece, Role, Undo, index};
use crate::rules::{History, Position};
use crate::search::{Bound, Engine, Entry, Info, Job, Limits, Misjudge, Score, Transposition};
use crate::table::{Action, EngineOptions};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Deepest ply a search may reach.
const MAX_PLY: usize = 120;
const WIN: i32 = Score::WIN.0;
const DECIDED: i32 = Score::DECIDED.0;
const INFINITE: i32 = Score::INFINITE.0;
/// A win by the other side's perpetual check or chase, less the plies to it. It hangs on the path, so it never enters the table.
const BANNED: i32 = 30_500;
/// Scores from here to [`DECIDED`] are such wins.
const BANNED_FROM: i32 = 30_200;
/// The largest score of an evaluation.
const MOST: i32 = 30_000;
/// No evaluation: the side to move is in check.
const UNKNOWN: i32 = i16::MIN as i32;

/// What the search keeps about a ply of the present line.
#[derive(Clone, Copy)]
struct Ply {
    tally: Tally,
    evaluation: i32,
    check: bool,
    arrival: Arrival,
    killers: [Move; 2],
    /// Left out of the node, to see whether it is the only good move.
    excluded: Move,
    /// Extensions on the way here.
    extended: i32,
}

const EMPTY_PLY: Ply = Ply {
    tally: Tally::NONE,
    evaluation: UNKNOWN,
    check: false,
    arrival: Arrival::NONE,
    killers: [Move::NONE; 2],
    excluded: Move::NONE,
    extended: 0,
};

/// What the threads of one search share.
struct Shared<'a> {
    table: &'a Transposition,
    stop: AtomicBool,
    /// Nodes of each thread, published now and then.
    nodes: Vec<AtomicU64>,
    lead: Lead,
}

/// The deepest depth any thread has finished, and the root as it found it.
#[derive(Default)]
struct Lead {
    depth: AtomicI32,
    roots: Mutex<Vec<RootMove>>,
}

impl Lead {
    /// Keeps what a thread found at a depth, if it is the first to finish it.
    fn offer(&self, depth: i32, roots: &[RootMove]) {
        let mut kept = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        if self.depth.load(Ordering::Relaxed) < depth {
            roots.clone_into(&mut kept);
            self.depth.store(depth, Ordering::Relaxed);
        }
    }

    /// The deepest finished depth and its root.
    fn take(&self) -> (i32, Vec<RootMove>) {
        let kept = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        (self.depth.load(Ordering::Relaxed), kept.clone())
    }
}

/// What stays the same during a search.
#[derive(Clone)]
struct Manner {
    width: Option<usize>,
    misjudge: Option<Arc<Misjudge<()>>>,
}

/// What is known of a node before its moves are tried.
struct Node {
    depth: i32,
    ply: usize,
    alpha: i32,
    beta: i32,
    /// It is expected to beat beta.
    cut: bool,
    check: bool,
    /// What the table holds of it, and the score of that as the root sees it.
    known: Option<Entry>,
    table_score: i32,
    table_move: Move,
    table_capture: bool,
    /// The evaluation, bettered by the table's score; [`UNKNOWN`] in check.
    evaluation: i32,
    improving: bool,
}

/// A move of the root and what is known of it.
#[derive(Clone, Debug)]
struct RootMove {
    mv: Move,
    score: i32,
    previous: i32,
    nodes: u64,
    seldepth: usize,
    pv: Vec<Move>,
}

/// One thread of a search.
struct Worker<'a> {
    shared: &'a Shared<'a>,
    tables: &'a mut Tables,
    watch: Option<&'a mut Watch>,
    manner: Manner,
    index: usize,
    board: Board,
    /// Keys of the game and the line, the present position last.
    keys: Vec<u64>,
    /// How each position but the first came about; `None` is a null move.
    line: Vec<Option<(Move, Undo)>>,
    /// Positions of the game before the root.
    before_root: usize,
    plies: Vec<Ply>,
    pv: Vec<Vec<Move>>,
    list: Vec<Promise>,
    roots: Vec<RootMove>,
    /// Which of the best lines is being searched.
    multi: usize,
    root_depth: i32,
    nodes: u64,
    cutoffs: u64,
    seldepth: usize,
    /// Verifying a null move: none may be tried above this ply.
    no_null_until: usize,
    stopped: bool,
    /// Another thread has finished the depth this one is at.
    overtaken: bool,
}

/// The xiangqi engine.
pub struct Strong {
    table: Transposition,
    tables: Vec<Tables>,
    manner: Manner,
    multipv: usize,
    /// Root moves that may not be played.
    left_out: Vec<Move>,
    /// The seed of choices from the book; `None` plays without.
    book: Option<u64>,
}

/// Late-move reductions in 1024ths of a ply, by depth and number of the move.
static REDUCTIONS: std::sync::LazyLock<[[i32; 64]; 64]> = std::sync::LazyLock::new(|| {
    let mut table = [[0; 64]; 64];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (number, reduction) in row.iter_mut().enumerate().skip(1) {
            *reduction = ((0.5 + (depth as f64).ln() * (number as f64).ln() / 2.1) * 1024.0) as i32;
        }
    }
    table
});

fn win_in(ply: usize) -> i32 {
    WIN - ply as i32
}

fn loss_in(ply: usize) -> i32 {
    ply as i32 - WIN
}

/// True if the score hangs on the path to it.
fn is_banned(score: i32) -> bool {
    (BANNED_FROM..DECIDED).contains(&score.abs())
}

impl Worker<'_> {
    /// True once the search must end.
    #[inline(always)]
    fn reached(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        if self.nodes & 511 == 0 {
            self.shared.nodes[self.index].store(self.nodes, Ordering::Relaxed);
            self.overtaken = self.index == 0 && self.shared.lead.depth.load(Ordering::Relaxed) >= self.root_depth;
            self.stopped = self.overtaken || self.shared.stop.load(Ordering::Relaxed);
        }
        let others = if self.shared.nodes.len() > 1 && self.nodes & 511 == 0 {
            self.shared.nodes.iter().map(|n| n.load(Ordering::Relaxed)).sum::<u64>() - self.nodes
        } else {
            0
        };
        if let Some(watch) = &mut self.watch
            && watch.reached(self.nodes, others)
        {
            self.stopped = true;
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        self.stopped
    }

    fn total_nodes(&self) -> u64 {
        let others = self.shared.nodes.iter().enumerate().filter(|(index, _)| *index != self.index);
        self.nodes + others.map(|(_, n)| n.load(Ordering::Relaxed)).sum::<u64>()
    }

    /// Makes a legal move.
    #[inline]
    fn make(&mut self, mv: Move, ply: usize) {
        let Some(piece) = self.board.at(mv.from()) else { return };
        let undo = self.board.apply(mv);
        self.shared.table.prefetch(self.board.hash());
        self.plies[ply].arrival = Arrival::new(piece, mv.to());
        let tally = self.plies[ply].tally.after(mv, piece, undo.captured());
        let check = self.board.in_check(self.board.turn());
        let below = &mut self.plies[ply + 1];
        below.tally = tally;
        below.check = check;
        self.keys.push(self.board.hash());
        self.line.push(Some((mv, undo)));
    }

    #[inline]
    fn unmake(&mut self) {
        self.keys.pop();
        if let Some(Some((mv, undo))) = self.line.pop() {
            self.board.revert(mv, undo);
        }
    }

    fn make_null(&mut self, ply: usize) {
        self.board.pass();
        self.plies[ply].arrival = Arrival::NONE;
        let tally = self.plies[ply].tally;
        self.plies[ply + 1].tally = tally;
        self.plies[ply + 1].check = false;
        self.keys.push(self.board.hash());
        self.line.push(None);
    }

    fn unmake_null(&mut self) {
        self.keys.pop();
        self.line.pop();
        self.board.pass();
    }

    /// The position's worth for the side to move, misjudged as the level has it.
    fn evaluate(&mut self, ply: usize) -> i32 {
        let worth = evaluation::evaluate(&self.board, self.plies[ply].tally);
        let error = self.manner.misjudge.as_ref().map_or(0, |misjudge| misjudge.error(self.board.hash()));
        (worth + error).clamp(-MOST, MOST)
    }

    /// The arrivals one, two and four plies before.
    fn before(&self, ply: usize) -> [Arrival; 3] {
        let at = |back: usize| if ply >= back { self.plies[ply - back].arrival } else { Arrival::NONE };
        [at(1), at(2), at(4)]
    }

    /// The score if the position has stood before on this line, or twice in the game.
    fn repetition(&self, ply: usize) -> Option<i32> {
        let last = self.keys.len() - 1;
        let key = self.keys[last];
        let reach = usize::from(self.board.quiet_plies()).min(last);
        let mut seen = 0;
        let mut back = 2;
        while back <= reach {
            // A null move is not part of the game: nothing before it repeats.
            if self.line[last - back].is_none() || self.line[last - back + 1].is_none() {
                return None;
            }
            if back >= 4 && self.keys[last - back] == key {
                seen += 1;
                if last - back >= self.before_root || seen == 2 {
                    return Some(self.judge(back, ply));
                }
            }
            back += 2;
        }
        None
    }

    /// The verdict over the last `length` moves, as a score for the side to move.
    fn judge(&self, length: usize, ply: usize) -> i32 {
        if self.board.repetition() == Repetition::Draw {
            return 0;
        }
        let from = self.line.len() - length;
        let mut start = self.board.clone();
        let mut moves = [Move::NONE; 256];
        for (slot, made) in self.line[from..].iter().enumerate().rev() {
            let Some((mv, undo)) = *made else { return 0 };
            start.revert(mv, undo);
            if slot < moves.len() {
                moves[slot] = mv;
            }
        }
        let outcome = adjudication::judge(&start, &moves[..length.min(moves.len())]);
        match outcome.winner {
            None => 0,
            Some(side) if side == self.board.turn() => BANNED - ply as i32,
            Some(_) => ply as i32 - BANNED,
        }
    }

    /// What a finished search of a node tells the table.
    fn store(&self, code: Move, score: i32, note: i32, depth: i32, bound: Bound, ply: usize) {
        if is_banned(score) {
            return;
        }
        let entry = Entry {
            code: code.0,
            score: Score(score).from_root(ply),
            note: note as i16,
            depth: depth.clamp(0, 255) as u8,
            bound,
        };
        self.shared.table.store(self.board.hash(), entry);
    }

    /// Captures (out of check all moves) until the position is quiet.
    fn quiesce<const PV: bool>(&mut self, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        if PV {
            self.seldepth = self.seldepth.max(ply);
            self.pv[ply].clear();
        }
        if self.reached() {
            return 0;
        }
        if let Some(score) = self.repetition(ply) {
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
            if entry.bound.settles(score, alpha, beta) {
                return score;
            }
        }
        let table_move = known.map_or(Move::NONE, |entry| Move(entry.code));
        let mut note = UNKNOWN;
        let mut best = loss_in(ply);
        let mut floor = best;
        if !check {
            note = match known {
                Some(entry) if i32::from(entry.note) != UNKNOWN => i32::from(entry.note),
                _ => self.evaluate(ply),
            };
            best = self.corrected(note);
            if let Some(entry) = known {
                let score = entry.score.to_root(ply).0;
                if entry.bound.corrects(score, best) && score.abs() < BANNED_FROM {
                    best = score;
                }
            }
            if best >= beta {
                if known.is_none() {
                    self.store(Move::NONE, best, note, 0, Bound::Lower, ply);
                }
                return best;
            }
            alpha = alpha.max(best);
            floor = best + 180;
        }
        let guard = self.board.guard();
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
            if !self.board.is_legal_under(&guard, mv) {
                continue;
            }
            tried += 1;
            if best > -DECIDED {
                if !check {
                    // Even with the piece for nothing alpha stays out of reach.
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
                        self.keep(ply, mv);
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
        let bound = if best >= beta {
            Bound::Lower
        } else if PV && best > original {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.store(best_move, best, note, 0, bound, ply);
        best
    }

    /// An evaluation with what positions like this have taught.
    fn corrected(&self, evaluation: i32) -> i32 {
        (evaluation + self.tables.correction(&self.board)).clamp(-MOST, MOST)
    }

    fn keep(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.pv.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    /// True if the side to move has a piece besides general, guards and soldiers: a null move then seldom deceives.
    fn has_force(&self) -> bool {
        let turn = self.board.turn();
        self.board.of(turn, Role::Chariot) | self.board.of(turn, Role::Horse) | self.board.of(turn, Role::Cannon) != 0
    }

    fn search<const PV: bool, const ROOT: bool>(
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
            self.pv[ply].clear();
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
            // A nearer mate than any from here is known already.
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
            && entry.bound.settles(table_score, alpha, beta)
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
        // Without a move to begin with the node is not worth its whole depth.
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
        while let Some(mv) = picker.next(&self.board, self.tables, &mut self.list) {
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
            {
                continue;
            }
            number += 1;
            quiets_seen += usize::from(quiet);
            let worth = match taken {
                None => self.tables.quiet(side, mv, piece, before),
                Some(taken) => self.tables.capture(piece, mv.to(), taken.role()),
            };
            let reduction = REDUCTIONS[depth.min(63) as usize][number.min(63)];

            let prunable = !ROOT && best > -BANNED_FROM;
            if prunable && !check {
                let dull = if quiet {
                    let limit = if node.improving { 4 + depth * depth } else { 3 + depth * depth / 2 };
                    let left = (depth - reduction / 1024).max(0);
                    !PV && number as i32 > limit
                        || left <= 5 && worth < -3600 * depth
                        || left <= 6 && !exchange::wins(&self.board, mv, -40 * left * left)
                } else {
                    depth <= 7 && !exchange::wins(&self.board, mv, -110 * depth)
                };
                // Checks are looked at: mating attacks are made of sacrifices.
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
                // The evaluation is so low that a quiet move will not raise it to alpha.
                let left = (depth - reduction / 1024).max(0);
                if left <= 7 && self.plies[ply].evaluation + 110 + 95 * left + worth / 256 <= alpha {
                    self.unmake();
                    continue;
                }
            }
            if gives_check && extension == 0 && self.plies[ply].extended < 2 * self.root_depth {
                extension = 1;
            }
            self.plies[ply + 1].extended = self.plies[ply].extended + extension.max(0);
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
                        self.keep(ply, mv);
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
        let further_line = ROOT && self.multi > 0;
        if !searching_one && !further_line {
            let bound = if best >= beta {
                Bound::Lower
            } else if PV && best > original {
                Bound::Exact
            } else {
                Bound::Upper
            };
            self.store(best_move, best, note, depth, bound, ply);
            let taken = best_move != Move::NONE && self.board.at(best_move.to()).is_some();
            let stands = self.plies[ply].evaluation;
            if !check && !taken && best.abs() < BANNED_FROM && bound.corrects(best, stands) {
                self.tables.learn_correction(&self.board, depth, best - note);
            }
        }
        best
    }

    /// The node's evaluation: as it goes into the table, and as good as it is known. The one corrected by what searches have shown is kept
    /// for the nodes below. [`UNKNOWN`] in check; a search that leaves a move out stands as the whole one did.
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

    /// True if the side to move stands better than before its last move, or nothing is known of that.
    fn improving(&self, ply: usize) -> bool {
        let mut before = [2, 4].into_iter().filter(|back| ply >= *back).map(|back| self.plies[ply - back].evaluation);
        before.find(|then| *then != UNKNOWN).is_none_or(|then| self.plies[ply].evaluation > then)
    }

    /// Whether a node stands so far from its window that its moves need not all be tried: razoring, reverse futility, null move and
    /// ProbCut. Its score if so.
    fn settled(&mut self, node: &Node) -> Option<i32> {
        let &Node { depth, ply, alpha, beta, cut, evaluation, improving, .. } = node;
        // So far below alpha that only a capture can help.
        if depth <= 3 && evaluation + 350 + 220 * depth * depth < alpha {
            let score = self.quiesce::<false>(ply, alpha, alpha + 1);
            if score <= alpha || self.stopped {
                return Some(score);
            }
        }
        // So far above beta that nothing quiet spoils it.
        if depth <= 8
            && evaluation - 75 * (depth - i32::from(improving)) >= beta
            && evaluation < BANNED_FROM
            && beta > -BANNED_FROM
        {
            return Some((evaluation + beta) / 2);
        }
        if depth >= 3
            && evaluation >= beta
            && self.plies[ply].evaluation >= beta - 18 * depth + 120
            && ply >= self.no_null_until
            && self.plies[ply - 1].arrival != Arrival::NONE
            && beta > -BANNED_FROM
            && self.has_force()
            && let Some(score) = self.pass(node)
        {
            return Some(score);
        }
        // A capture that beats beta by a margin at a lesser depth would most likely beat beta here.
        let raised = beta + 170 - 50 * i32::from(improving);
        if depth >= 5
            && beta.abs() < BANNED_FROM
            && !node.known.is_some_and(|entry| i32::from(entry.depth) >= depth - 3 && node.table_score < raised)
        {
            return self.try_captures(depth, ply, raised, node.table_move, cut);
        }
        None
    }

    /// Lets the other side move twice: the score if that does not bring it below beta. Deep down, where zugzwang matters, a search
    /// without null moves verifies it.
    fn pass(&mut self, node: &Node) -> Option<i32> {
        let &Node { depth, ply, beta, cut, evaluation, .. } = node;
        let reduction = 3 + depth / 4 + ((evaluation - beta) / 180).min(3);
        self.make_null(ply);
        let score = -self.search::<false, false>(depth - reduction, ply + 1, -beta, 1 - beta, !cut);
        self.unmake_null();
        if self.stopped {
            return Some(0);
        }
        if score < beta {
            return None;
        }
        let score = if score >= BANNED_FROM { beta } else { score };
        if depth < 10 || self.no_null_until > 0 {
            return Some(score);
        }
        self.no_null_until = ply + (depth - reduction) as usize * 3 / 4;
        let verified = self.search::<false, false>(depth - reduction, ply, beta - 1, beta, false);
        self.no_null_until = 0;
        if self.stopped {
            return Some(0);
        }
        (verified >= beta).then_some(score)
    }

    /// Is the table's move the only good one? Then it is searched deeper, by the plies given.
    ///
    /// # Errors
    /// Several moves beat beta, or the search was stopped: the node's score.
    fn single_out(&mut self, node: &Node, pv: bool) -> Result<i32, i32> {
        let &Node { depth, ply, beta, cut, table_score, .. } = node;
        let worthwhile = depth >= 7
            && self.plies[ply].extended < self.root_depth
            && table_score.abs() < BANNED_FROM
            && node.known.is_some_and(|entry| i32::from(entry.depth) >= depth - 3 && entry.bound != Bound::Upper);
        if !worthwhile {
            return Ok(0);
        }
        let lowered = table_score - 2 * depth;
        self.plies[ply].excluded = node.table_move;
        let score = self.search::<false, false>((depth - 1) / 2, ply, lowered - 1, lowered, cut);
        self.plies[ply].excluded = Move::NONE;
        if self.stopped {
            return Err(0);
        }
        if score < lowered {
            return Ok(if !pv && score < lowered - 30 { 2 } else { 1 });
        }
        if lowered >= beta {
            return Err(lowered);
        }
        Ok(if table_score >= beta { -1 } else { 0 })
    }

    /// What a late move's reduction is changed by, in 1024ths of a ply.
    #[allow(clippy::too_many_arguments, reason = "all that is known of the move")]
    fn adjustment(&self, node: &Node, pv: bool, mv: Move, quiet: bool, gives_check: bool, worth: i32, counter: bool) -> i32 {
        let favoured = counter || self.plies[node.ply].killers.contains(&mv);
        let changes = [
            (pv, -1024),
            (node.cut, 1400),
            (node.table_capture, 700),
            (!node.improving, 512),
            (gives_check, -700),
            (node.check, -700),
            (favoured, -1024),
        ];
        let change: i32 = changes.iter().map(|(holds, change)| if *holds { *change } else { 0 }).sum();
        change - if quiet { worth / 10 } else { worth / 12 + 900 }
    }

    /// Writes down what the search of a root move has shown: its line where it is the best so far.
    fn note_root(&mut self, mv: Move, score: i32, is_best: bool, spent: u64) {
        let Some(root) = self.roots.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += spent;
        root.score = if is_best { score } else { -INFINITE };
        if is_best {
            root.seldepth = self.seldepth;
            root.pv.clear();
            root.pv.push(mv);
            root.pv.extend_from_slice(&self.pv[1]);
        }
    }

    /// Tries captures for ProbCut: the score if one beats `raised` at a lesser depth.
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

    fn reward_quiet(&mut self, mv: Move, ply: usize, depth: i32) {
        if let Some(piece) = self.board.at(mv.from())
            && piece.side() == self.board.turn()
        {
            let before = self.before(ply);
            self.tables.learn_quiet(self.board.turn(), mv, piece, before, bonus(depth) / 2);
        }
    }

    /// The best move cut off: it is remembered, and those tried before it are held against themselves.
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
                // One quick cut-off is no lesson.
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

    /// One depth of one line, with a window around what the last depth found.
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
            // Stable: moves not searched yet keep their order.
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

    /// Deepens until something says stop; tells of each finished line.
    fn deepen(&mut self, limits: &Limits, multipv: usize, tell: &mut dyn FnMut(&Worker<'_>, usize, i32)) {
        let deepest = limits.depth.map_or(MAX_PLY as i32 - 20, |d| i32::from(d).clamp(1, MAX_PLY as i32 - 20));
        let mut stable = 0;
        let mut last_best = Move::NONE;
        let mut depth = 0;
        while depth < deepest {
            depth += 1;
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
            let fallen = (best.previous - score).clamp(-100, 100);
            if let Some(watch) = &self.watch {
                if watch.enough(stable, effort, fallen) {
                    break;
                }
                // A decided game needs no deeper look, and a forced move no long one, unless a depth was asked for.
                let decided = score.abs() >= DECIDED && depth >= 2 * (WIN - score.abs()) + 4;
                let forced = self.roots.len() == 1 && depth >= 8;
                if watch.may_finish_early() && (decided || forced) && multipv == 1 {
                    break;
                }
            }
        }
    }
}

fn bonus(depth: i32) -> i32 {
    (130 * depth - 60).min(1500)
}

/// The move of an action, legal or not.
fn step(action: Action) -> Option<Move> {
    match action {
        Action::Step { from, to } => Some(Move::new(index(from)?, index(to)?)),
        _ => None,
    }
}

impl Strong {
    /// An engine of these options.
    pub fn new(options: &EngineOptions) -> Strong {
        let misjudge = (options.misjudgement > 0).then(|| Arc::new(Misjudge::new((), options.misjudgement, options.seed)));
        let mut tables = Vec::new();
        tables.resize_with(options.threads.clamp(1, 256), Tables::new);
        Strong {
            table: Transposition::new(options.hash_mb),
            tables,
            manner: Manner { width: options.width.map(|w| usize::from(w.max(1))), misjudge },
            multipv: usize::from(options.multipv.max(1)),
            book: options.book.then_some(options.seed),
            left_out: options.left_out.iter().filter_map(|action| step(*action)).collect(),
        }
    }
}

impl Engine<Board> for Strong {
    fn think(&mut self, root: &History<Board>, job: Job<'_, Move>) -> Option<Move> {
        let mut watch = Watch::new(&job.limits, &job.stop);
        let mut legal = Vec::new();
        root.current().legal_moves(&mut legal);
        legal.retain(|mv| !self.left_out.contains(mv));
        let first = *legal.first()?;
        if let Some(seed) = self.book
            && self.left_out.is_empty()
            && !job.limits.is_infinite()
            && let Some(mv) = book::choose(root.current(), seed)
        {
            return Some(mv);
        }
        self.table.age();
        let multipv = self.multipv.min(legal.len());
        if legal.len() == 1 {
            watch.one_reply();
        }
        let roots: Vec<RootMove> = legal
            .into_iter()
            .map(|mv| RootMove { mv, score: -INFINITE, previous: -INFINITE, nodes: 0, seldepth: 0, pv: vec![mv] })
            .collect();
        // The game is played through once more for what taking its moves back needs.
        let mut board = root.start().clone();
        let mut line = Vec::with_capacity(root.ply() + MAX_PLY);
        for &mv in root.moves() {
            line.push(Some((mv, board.apply(mv))));
        }
        let threads = self.tables.len();
        let mut nodes = Vec::new();
        nodes.resize_with(threads, || AtomicU64::new(0));
        let shared = Shared { table: &self.table, stop: AtomicBool::new(false), nodes, lead: Lead::default() };
        let manner = &self.manner;
        let worker = |index: usize, tables| {
            let mut plies = vec![EMPTY_PLY; MAX_PLY + 4];
            plies[0].tally = Tally::of(&board);
            plies[0].check = board.in_check(board.turn());
            Worker {
                shared: &shared,
                tables,
                watch: None,
                manner: manner.clone(),
                index,
                board: board.clone(),
                keys: root.keys().collect(),
                line: line.clone(),
                before_root: root.ply(),
                plies,
                pv: vec![Vec::new(); MAX_PLY + 4],
                list: Vec::with_capacity(4096),
                roots: roots.clone(),
                multi: 0,
                root_depth: 0,
                nodes: 0,
                cutoffs: 0,
                seldepth: 0,
                no_null_until: 0,
                stopped: false,
                overtaken: false,
            }
        };
        let mut best = first;
        std::thread::scope(|scope| {
            let mut tables = self.tables.iter_mut().enumerate();
            let (_, main_tables) = tables.next().expect("an engine has at least one thread");
            for (index, tables) in tables {
                let mut helper = worker(index, tables);
                let limits = Limits { depth: job.limits.depth, ..Limits::default() };
                scope.spawn(move || helper.deepen(&limits, multipv, &mut |_, _, _| {}));
            }
            let mut main = worker(0, main_tables);
            let elapsed = watch.started();
            main.watch = Some(&mut watch);
            let info = job.info;
            let table = &shared.table;
            main.deepen(&job.limits, multipv, &mut |worker, multi, depth| {
                let line = &worker.roots[multi];
                info(Info {
                    depth: depth as u16,
                    seldepth: line.seldepth.max(depth as usize) as u16,
                    value: Score(line.score).value(),
                    nodes: worker.total_nodes(),
                    cutoffs: worker.cutoffs,
                    time: elapsed.elapsed(),
                    hashfull: table.hashfull(),
                    pv: line.pv.clone(),
                    multipv: multi as u16 + 1,
                });
            });
            shared.stop.store(true, Ordering::Relaxed);
            best = main.roots[0].mv;
        });
        Some(best)
    }

    fn forget(&mut self) {
        self.table.clear();
        self.tables.iter_mut().for_each(Tables::clear);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::xiangqi::rules::notation;
    use crate::search::{StopToken, Value};
    use crate::table::Notation;
    use std::time::{Duration, Instant};

    fn history(fen: &str, moves: &str) -> History<Board> {
        let mut history = History::new(Board::parse(fen).unwrap());
        for text in moves.split_whitespace() {
            history.push(notation::read(history.current(), text).unwrap());
        }
        history
    }

    /// What the engine plays, how many nodes it took and what it thinks of it.
    fn think(options: &EngineOptions, root: &History<Board>, limits: Limits) -> (Option<String>, u64, Option<Value>) {
        let (mut nodes, mut value) = (0, None);
        let mut info = |info: Info<Move>| (nodes, value) = (info.nodes, Some(info.value));
        let job = Job { limits, stop: StopToken::new(), info: &mut info };
        let mv = Strong::new(options).think(root, job);
        (mv.map(|mv| notation::write(root.current(), mv, Notation::Uci)), nodes, value)
    }

    fn small() -> EngineOptions {
        EngineOptions { hash_mb: 2, ..EngineOptions::default() }
    }

    const MIDDLE: &str = "r1bakabr1/9/1cn3nc1/p1p1p1p1p/9/2P3P2/P3P3P/1C2C1N2/9/RNBAKABR1 b - - 0 5";

    #[test]
    fn the_same_search_gives_the_same_answer() {
        let root = history(MIDDLE, "");
        let options = EngineOptions { misjudgement: 80, seed: 5, width: Some(12), ..small() };
        let first = think(&options, &root, Limits::nodes(20_000));
        assert_eq!(first, think(&options, &root, Limits::nodes(20_000)));
        let seeds: std::collections::HashSet<u64> =
            (0..4).map(|seed| think(&EngineOptions { seed, ..options.clone() }, &root, Limits::depth(4)).1).collect();
        assert!(seeds.len() > 1, "a seed has errors of its own");
    }

    #[test]
    fn the_first_to_finish_a_depth_is_heard() {
        let root = |score| RootMove { mv: Move::NONE, score, previous: 0, nodes: 0, seldepth: 0, pv: Vec::new() };
        let lead = Lead::default();
        lead.offer(7, &[root(20)]);
        lead.offer(7, &[root(30)]);
        lead.offer(6, &[root(40)]);
        let (depth, roots) = lead.take();
        assert_eq!((depth, roots[0].score), (7, 20));
        let mut heard = Vec::new();
        let mut info = |info: Info<Move>| heard.push(info.depth);
        let job = Job { limits: Limits::depth(9), stop: StopToken::new(), info: &mut info };
        Strong::new(&EngineOptions { threads: 4, ..small() }).think(&history(MIDDLE, ""), job);
        assert!(heard.is_sorted_by(|a, b| a < b) && heard.last() == Some(&9), "{heard:?}");
    }

    #[test]
    fn more_threads_and_more_lines_answer_too() {
        let root = history(MIDDLE, "");
        let options = EngineOptions { threads: 3, multipv: 3, ..small() };
        let (mv, nodes, _) = think(&options, &root, Limits::depth(6));
        assert!(mv.is_some() && nodes > 0);
    }

    #[test]
    fn moves_left_out_are_not_played() {
        let mate = history("2b1kab2/9/3a5/9/9/9/3R5/2n1r4/3K5/9 b - - 0 1", "");
        assert_eq!(
            think(&small(), &mate, Limits::depth(5)),
            (Some("c2b0".to_owned()), think(&small(), &mate, Limits::depth(5)).1, Some(Value::Mate(2)))
        );
        let mv = notation::read(mate.current(), "c2b0").unwrap();
        let action = crate::table::Action::Step {
            from: crate::games::xiangqi::rules::board::point(mv.from()),
            to: crate::games::xiangqi::rules::board::point(mv.to()),
        };
        let (other, ..) = think(&EngineOptions { left_out: vec![action], ..small() }, &mate, Limits::depth(5));
        assert!(other.is_some_and(|mv| mv != "c2b0"));
    }

    #[test]
    fn no_perpetual_check_is_played_into_its_loss() {
        // Red has checked at every move; once more brings the position about for the third time and loses.
        let root = history("1Nb3b2/8R/5k3/9/9/9/4P4/4K4/9/5A3 w - - 0 1", "i8i7 f7f8 i7i8 f8f7 i8i7 f7f8");
        for depth in [1, 4, 8] {
            let (mv, ..) = think(&small(), &root, Limits::depth(depth));
            assert_ne!(mv.as_deref(), Some("i7i8"), "depth {depth}");
        }
    }

    #[test]
    fn a_stopped_search_answers_at_once() {
        let root = history(MIDDLE, "");
        let stop = StopToken::new();
        let raise = stop.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(60));
            raise.stop();
        });
        let begun = Instant::now();
        let job = Job { limits: Limits::default(), stop, info: &mut |_| {} };
        assert!(Strong::new(&small()).think(&root, job).is_some());
        // 50 ms are the bar on an idle machine; a busy one gets more.
        assert!(begun.elapsed() < Duration::from_millis(600), "{:?}", begun.elapsed());
    }
}
