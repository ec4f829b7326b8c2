//! The root of the search: proofs first, then iterative deepening with an aspiration window. Before a move is played, the opponent's threats after it are
//! searched too: a move that loses by force is replaced by one that does not.

use super::candidates;
use super::node::PLY;
use super::threats;
use super::values;
use super::vct::Proof;
use super::worker::{BEFORE_ROOT, DECIDED, DepthResult, INFINITE, MAX_PLY, WIN, Worker};
use crate::games::gomoku::rules::spot::{Spot, Spots};
use crate::rules::Position;
use crate::search::{Info, Limits, Score};
use std::time::Duration;

/// The node budget for a win by fours at the root.
const ROOT_FOURS: u64 = 300_000;
/// The node budget assumed for a search without a node limit; proofs get parts of it.
const USUAL_NODES: u64 = 4_000_000;
/// With a score of at least this, the search for a winning threat sequence is repeated, up to this number of times per move.
const AHEAD: i32 = 300;
const AGAIN: u32 = 2;
/// The depth at which a search with one move to choose from may end: its value is wanted in analysis and review.
const FORCED_DEPTH: i32 = 12;

/// The task of a root search.
pub struct Task<'a> {
    pub limits: &'a Limits,
    /// The moves to choose from, and the default move.
    pub choices: Spots,
    pub fallback: Spot,
    /// The number of lines to report (multi-PV).
    pub lines: usize,
    /// Whether to search for proofs.
    pub proves: bool,
}

impl Task<'_> {
    fn nodes(&self) -> u64 {
        self.limits.nodes.unwrap_or(USUAL_NODES)
    }

    /// The depth at which the search ends.
    pub fn deepest(&self) -> i32 {
        let most = MAX_PLY as i32 / 2;
        self.limits.depth.map_or(most, |depth| i32::from(depth).clamp(1, most))
    }
}

impl Worker<'_> {
    /// The candidate moves at the root, without the excluded ones unless all are excluded.
    pub fn choices(&self) -> Spots {
        let mut choices = candidates::candidates(&self.board);
        for &spot in self.left_out {
            choices.remove(spot);
        }
        if !choices.is_empty() {
            return choices;
        }
        let mut legal = Vec::new();
        self.board.legal_moves(&mut legal);
        let allowed = legal.iter().filter(|spot| !self.left_out.contains(spot));
        allowed.for_each(|&spot| choices.insert(spot));
        if choices.is_empty() { candidates::candidates(&self.board) } else { choices }
    }

    /// A proof that the side to move wins: by fours, then by fours and threes, within a part of the time and nodes.
    pub fn proof_at_root(&mut self, task: &Task<'_>) -> Option<Proof> {
        if !task.proves || threats::forced(&self.board).is_some() {
            return None;
        }
        let time = self.deadline.expected();
        let budget = ROOT_FOURS.min(task.nodes() / 4);
        let until = time.map(|time| self.deadline.elapsed() + time / 4);
        let nodes = self.visited();
        let deadline = &mut self.deadline;
        let mut stop = || deadline.look(nodes) || until.is_some_and(|until| deadline.elapsed() >= until);
        if let Some(plies) = self.tables.fours.wins_until(&mut self.board, budget, &mut stop) {
            return Some(Proof { line: self.tables.fours.line(&self.board, ROOT_FOURS), plies });
        }
        self.wins(time.map(|time| time / 12), task.nodes() / 12)
    }

    /// Iterative deepening at the root, with a search for the opponent's threats after the best move.
    pub fn deepen(&mut self, task: &Task<'_>, info: &mut dyn FnMut(Info<Spot>)) -> Spot {
        let whole_time = self.deadline.expected();
        let whole_nodes = task.nodes();
        let deepest = task.deepest();
        let only_one = task.choices.len() == 1;
        let mut best = task.fallback;
        let mut guess = 0;
        let mut checked: Vec<Spot> = Vec::new();
        let mut asked = 0;
        let mut depth = 0;
        self.deadline.finish_first_depth();
        'deepening: while depth < deepest {
            depth += 1;
            self.root_depth = depth;
            loop {
                self.excluded.clear();
                for line in 0..task.lines {
                    // The other threads know nothing of further lines and of moves that were found to lose.
                    self.follows = task.lines == 1 && self.lost.is_empty();
                    let mut score = self.aspiration_search(depth, if line == 0 { guess } else { 0 });
                    if !self.stopped {
                        if line == 0 {
                            self.offer(score);
                        }
                    } else if let Some(other) = self.take_over() {
                        score = other;
                        depth = self.root_depth;
                    } else {
                        // An unfinished depth searches the best move of the last depth first, so its best move so far is at least as good.
                        if line == 0
                            && let Some(mv) = self.pv.best()
                        {
                            best = mv;
                        }
                        if self.lost.iter().any(|(spot, _)| *spot == best) {
                            let kept = task.choices.iter().filter(|spot| self.lost.iter().all(|(lost, _)| lost != spot));
                            let side = self.board.side_to_move();
                            best = kept.max_by_key(|&spot| values::ordering_score(&self.board, spot, side)).unwrap_or(best);
                        }
                        break 'deepening;
                    }
                    let Some(mv) = self.pv.best() else {
                        // A loss that needs no search has no line; it is reported all the same, with the default move.
                        if line == 0 && score.abs() >= DECIDED {
                            guess = score;
                            info(self.report(depth as usize, self.seldepth, Score(score).value(), vec![best]));
                        }
                        break;
                    };
                    if line == 0 {
                        best = mv;
                        guess = score;
                    }
                    self.excluded.push(mv);
                    let pv = self.pv.root().to_vec();
                    let told = self.report(depth as usize, self.seldepth, Score(score).value(), pv);
                    info(Info { multipv: line as u16 + 1, ..told });
                }
                // If the opponent wins by threats after this move, choose another one.
                if !task.proves || depth < 6 || checked.contains(&best) || self.lost.len() >= 40 || guess.abs() >= DECIDED {
                    break;
                }
                checked.push(best);
                let time = whole_time.map(|time| time / 32);
                let Some(length) = self.loses(best, time, whole_nodes / 32) else { break };
                self.lost.push((best, length));
                if self.lost.len() >= task.choices.len() {
                    break;
                }
            }
            if self.lost.len() >= task.choices.len() {
                break;
            }
            if task.proves && depth >= 6 && asked < AGAIN && (AHEAD..DECIDED).contains(&guess) {
                asked += 1;
                let proof = self.wins(whole_time.map(|time| time / 24), whole_nodes / 24);
                if let Some(proof) = proof.filter(|proof| proof.line.first().is_some_and(|&first| task.choices.contains(first))) {
                    best = proof.line[0];
                    info(self.report(depth as usize, proof.plies, Score::win_in(proof.plies).value(), proof.line));
                    break;
                }
            }
            // A decided game needs no deeper search, and a forced move no long one, unless a depth was asked for.
            let decided = guess.abs() >= DECIDED && depth >= WIN - guess.abs() && task.limits.depth.is_none();
            let forced = only_one && depth >= FORCED_DEPTH && self.deadline.may_finish_early();
            if self.deadline.enough_for_next_depth() || (decided || forced) && task.lines == 1 {
                break;
            }
        }
        if self.lost.len() >= task.choices.len()
            && let Some(&(longest, length)) = self.lost.iter().max_by_key(|(_, length)| *length)
        {
            best = longest;
            let value = Score::loss_in(length + 1).value();
            info(self.report(self.root_depth as usize, self.seldepth, value, vec![best]));
        }
        best
    }

    /// The search of a helper thread: depth after depth up to `deepest` or until stopped, `ahead` plies deeper than the first thread.
    pub fn assist(&mut self, ahead: i32, deepest: i32) {
        let mut guess = 0;
        self.follows = true;
        while self.root_depth < deepest {
            self.root_depth = (self.root_depth + 1).max(self.shared.lead.depth() + 1 + ahead).min(deepest);
            let score = self.aspiration_search(self.root_depth, guess);
            if !self.stopped {
                guess = score;
                self.offer(score);
            } else if self.is_overtaken() {
                self.stopped = false;
                guess = self.shared.lead.take().1.score;
            } else {
                return;
            }
        }
    }

    /// Tells the other threads that this depth is finished.
    fn offer(&self, score: i32) {
        let finding = DepthResult { score, line: self.pv.root().to_vec(), seldepth: self.seldepth };
        self.shared.lead.offer(self.root_depth, &finding);
    }

    /// The result of another thread that has finished this depth or a deeper one, which becomes that of this thread; `None` if the search must end.
    fn take_over(&mut self) -> Option<i32> {
        if !self.is_overtaken() {
            return None;
        }
        let (depth, finding) = self.shared.lead.take();
        self.stopped = false;
        self.root_depth = depth;
        self.seldepth = self.seldepth.max(finding.seldepth);
        self.pv.clear(0);
        self.pv.end(0, finding.line);
        Some(finding.score)
    }

    /// Searches the root to a depth with an aspiration window around the last score.
    fn aspiration_search(&mut self, depth: i32, guess: i32) -> i32 {
        let mut delta = self.settings.parameters.window;
        let (mut alpha, mut beta) =
            if depth < 5 || guess.abs() >= DECIDED { (-INFINITE, INFINITE) } else { (guess - delta, guess + delta) };
        let eval = self.evaluate();
        for (back, level) in self.levels[..=BEFORE_ROOT].iter_mut().rev().enumerate() {
            level.eval = if back % 2 == 0 { eval } else { -eval };
        }
        loop {
            self.root_window = beta - alpha;
            let score = self.node(depth * PLY, alpha, beta, 0, None, false);
            if self.stopped {
                return score;
            }
            if score <= alpha && alpha > -INFINITE {
                beta = (alpha + beta) / 2;
                alpha = if delta > 1000 { -INFINITE } else { (score - delta).max(-INFINITE) };
            } else if score >= beta && beta < INFINITE {
                beta = if delta > 1000 { INFINITE } else { (score + delta).min(INFINITE) };
            } else {
                return score;
            }
            delta = delta * 3 / 2 + delta / 4;
        }
    }

    /// Plies to the opponent's five if a win after `spot` is proven within `time` and `budget`.
    fn loses(&mut self, spot: Spot, time: Option<Duration>, budget: u64) -> Option<usize> {
        self.board.make(spot);
        let proof = self.prove(false, time, budget);
        self.board.unmake(spot, ());
        proof.map(|proof| proof.plies)
    }

    /// Searches for a proof that the side to move wins, within `time` and `budget`; it continues the last search of this kind.
    fn wins(&mut self, time: Option<Duration>, budget: u64) -> Option<Proof> {
        self.prove(true, time, budget)
    }

    fn prove(&mut self, attack: bool, time: Option<Duration>, budget: u64) -> Option<Proof> {
        let until = time.map(|time| self.deadline.elapsed() + time);
        let nodes = self.visited();
        let deadline = &mut self.deadline;
        let mut stop = || deadline.look(nodes) || until.is_some_and(|until| deadline.elapsed() >= until);
        let prover = if attack { &mut self.tables.attack } else { &mut self.tables.defence };
        let proof = prover.proves(&mut self.board, &mut self.tables.fours, budget, &mut stop);
        self.nodes += prover.nodes();
        proof
    }
}
