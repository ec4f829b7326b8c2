//! The root: proofs first, then deepening in a window around the last score. Before a move is played the enemy's threats after it are searched,
//! too: a move that loses by force gives way to one that does not.

use super::candidates;
use super::threats;
use super::values;
use super::vct::Proof;
use super::worker::{DECIDED, INFINITE, MAX_PLY, WIN, Worker};
use crate::games::gomoku::rules::spot::{Spot, Spots};
use crate::rules::Position;
use crate::search::{Info, Limits, Score};
use std::time::Duration;

/// Nodes for a win by fours at the root.
const ROOT_FOURS: u64 = 300_000;
/// Nodes a search is taken to have where it is not limited by them; proofs get parts of it.
const USUAL_NODES: u64 = 4_000_000;
/// Standing so far ahead, a side asks again whether its threats win, so many times a move.
const AHEAD: i32 = 300;
const AGAIN: u32 = 2;

/// What is asked of the root.
pub struct Task<'a> {
    pub limits: &'a Limits,
    /// The moves to choose from, and the one to play if nothing is found out.
    pub choices: Spots,
    pub fallback: Spot,
    /// Lines to report.
    pub lines: usize,
    /// Whether to look for proofs.
    pub proves: bool,
}

impl Task<'_> {
    fn nodes(&self) -> u64 {
        self.limits.nodes.unwrap_or(USUAL_NODES)
    }
}

impl Worker<'_> {
    /// The root moves worth trying, without those left out unless no other is.
    pub fn choices(&self) -> Spots {
        let mut choices = candidates::worth_trying(&self.board);
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
        if choices.is_empty() { candidates::worth_trying(&self.board) } else { choices }
    }

    /// A proof that the side to move wins: by fours, then by fours and threes, for a part of the time and nodes there are.
    pub fn proof_at_root(&mut self, task: &Task<'_>) -> Option<Proof> {
        if !task.proves || threats::forced(&self.board).is_some() {
            return None;
        }
        let budget = ROOT_FOURS.min(task.nodes() / 4);
        if let Some(plies) = self.tables.fours.wins(&mut self.board, budget) {
            return Some(Proof { line: self.tables.fours.line(&self.board, ROOT_FOURS), plies });
        }
        let time = self.deadline.expected();
        self.wins(time.map(|time| time / 12), task.nodes() / 12)
    }

    /// Iterative deepening at the root, with the search for the enemy's threats after the wanted move.
    pub fn deepen(&mut self, task: &Task<'_>, info: &mut dyn FnMut(Info<Spot>)) -> Spot {
        let whole_time = self.deadline.expected();
        let whole_nodes = task.nodes();
        let deepest = task.limits.depth.map_or(MAX_PLY as i32 / 2, |d| i32::from(d).clamp(1, MAX_PLY as i32 / 2));
        let only_one = task.choices.len() == 1;
        let mut best = task.fallback;
        let mut guess = 0;
        let mut checked: Vec<Spot> = Vec::new();
        let mut asked = 0;
        'deepening: for depth in 1..=deepest {
            self.root_depth = depth;
            loop {
                self.excluded.clear();
                for line in 0..task.lines {
                    let score = self.aspire(depth, if line == 0 { guess } else { 0 });
                    if self.stopped {
                        // Moves of an unfinished depth come in the order of the last: what was best so far is at least as good.
                        if line == 0
                            && let Some(mv) = self.pv.best()
                        {
                            best = mv;
                        }
                        if self.lost.iter().any(|(spot, _)| *spot == best) {
                            let kept = task.choices.iter().filter(|spot| self.lost.iter().all(|(lost, _)| lost != spot));
                            let side = self.board.side_to_move();
                            best = kept.max_by_key(|&spot| values::promise(&self.board, spot, side)).unwrap_or(best);
                        }
                        break 'deepening;
                    }
                    let Some(mv) = self.pv.best() else { break };
                    if line == 0 {
                        best = mv;
                        guess = score;
                    }
                    self.excluded.push(mv);
                    let pv = self.pv.root().to_vec();
                    let told = Info::new(depth as usize, self.seldepth, Score(score).value(), pv, self.effort());
                    info(told.with_multipv(line + 1));
                }
                // Would the enemy win by threats after this move? Then another one.
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
                    info(Info::new(depth as usize, proof.plies, Score::win_in(proof.plies).value(), proof.line, self.effort()));
                    break;
                }
            }
            let decided = guess.abs() >= DECIDED && depth >= WIN - guess.abs();
            if self.deadline.enough_for_next_depth() || (decided || only_one) && task.limits.depth.is_none() && task.lines == 1 {
                break;
            }
        }
        if self.lost.len() >= task.choices.len()
            && let Some(&(longest, length)) = self.lost.iter().max_by_key(|(_, length)| *length)
        {
            best = longest;
            let value = Score::loss_in(length + 1).value();
            info(Info::new(self.root_depth as usize, self.seldepth, value, vec![best], self.effort()));
        }
        best
    }

    /// A helper's work: depth after depth, begun a ply ahead by every other helper, until stopped.
    pub fn assist(&mut self, ahead: i32) {
        let mut guess = 0;
        for depth in 1 + ahead..MAX_PLY as i32 / 2 {
            self.root_depth = depth;
            guess = self.aspire(depth, guess);
            if self.stopped {
                return;
            }
        }
    }

    /// The root searched to a depth in a window around the last score.
    fn aspire(&mut self, depth: i32, guess: i32) -> i32 {
        let mut delta = 60;
        let (mut alpha, mut beta) =
            if depth < 4 || guess.abs() >= DECIDED { (-INFINITE, INFINITE) } else { (guess - delta, guess + delta) };
        loop {
            let score = self.node(depth, alpha, beta, 0, None, false);
            if self.stopped {
                return score;
            }
            if score <= alpha && alpha > -INFINITE {
                alpha = if delta > 1000 { -INFINITE } else { (score - delta).max(-INFINITE) };
            } else if score >= beta && beta < INFINITE {
                beta = if delta > 1000 { INFINITE } else { (score + delta).min(INFINITE) };
            } else {
                return score;
            }
            delta *= 3;
        }
    }

    /// Plies to the enemy's five if it is proven to win after `spot`, looked for during `time`.
    fn loses(&mut self, spot: Spot, time: Option<Duration>, budget: u64) -> Option<usize> {
        self.board.make(spot);
        let proof = self.prove(false, time, budget);
        self.board.unmake(spot, ());
        proof.map(|proof| proof.plies)
    }

    /// A proof that the side to move wins, looked for during `time` where the last one like it left off.
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
