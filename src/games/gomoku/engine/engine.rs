//! The engine: proofs by threats first, then a principal-variation search.
//!
//! At the root the side to move asks for a win by fours, then by fours and threes; both are proofs. Otherwise it searches by
//! iterative deepening (`search.rs`), alone or with helpers that share the table. Before a move is played the enemy's threats after it are searched,
//! too: a move that loses by force gives way to one that does not.

use super::evaluation::{self, Judge};
use super::node::{DECIDED, MAX_PLY, Run, WIN};
use super::threats;
use super::vcf::Vcf;
use super::vct::Vct;
use crate::games::gomoku::rules::board::{Board, SPOTS, Spot, Spots};
use crate::rules::{History, Position};
use crate::search::{Deadline, Engine, Info, Job, Limits, Misjudge, Score, StopOnDrop, StopToken, Transposition};
use std::sync::Arc;

/// Nodes for a win by fours at the root.
const ROOT_FOURS: u64 = 300_000;
/// Standing so far ahead, a side asks again whether its threats win, so many times a move.
const AHEAD: i32 = 300;
const AGAIN: u32 = 2;

/// What the engine is and remembers between moves.
pub struct Brain {
    pub(super) judge: Misjudge<Judge>,
    /// Whether it proves wins; the gentle levels do not.
    pub(super) proves: bool,
    pub(super) width: Option<u16>,
    multipv: u16,
    /// Root moves that may not be played.
    pub(super) left_out: Vec<Spot>,
    /// Shared with the helpers.
    pub(super) table: Arc<Transposition>,
    /// Searchers for further threads, which only fill the table.
    helpers: Vec<Brain>,
    pub(super) fours: Vcf,
    pub(super) attack: Vct,
    pub(super) defence: Vct,
    pub(super) history: Box<[[i32; SPOTS]; 2]>,
    pub(super) counter: Box<[[u16; SPOTS]; 2]>,
    pub(super) reductions: [[i32; 64]; 64],
}

impl Brain {
    /// An engine with a table of `hash_mb` MiB whose judgement errs by up to `misjudgement`. One that errs proves nothing.
    pub fn new(hash_mb: usize, misjudgement: u16, seed: u64) -> Self {
        let mut reductions = [[0; 64]; 64];
        for (depth, row) in reductions.iter_mut().enumerate().skip(1) {
            for (count, reduction) in row.iter_mut().enumerate().skip(1) {
                *reduction = ((depth as f64).ln() * (count as f64).ln() + 0.5) as i32;
            }
        }
        Brain {
            judge: Misjudge::new(Judge, misjudgement, seed),
            proves: misjudgement == 0,
            width: None,
            multipv: 1,
            left_out: Vec::new(),
            table: Arc::new(Transposition::new(hash_mb)),
            helpers: Vec::new(),
            fours: Vcf::new(18),
            attack: Vct::new(17),
            defence: Vct::new(17),
            history: Box::new([[0; SPOTS]; 2]),
            counter: Box::new([[0; SPOTS]; 2]),
            reductions,
        }
    }

    /// Looks only at the `width` most promising moves of each position that is not forced.
    pub fn with_width(mut self, width: Option<u16>) -> Self {
        self.width = width.map(|w| w.max(1));
        self
    }

    /// Leaves moves of the root out.
    pub fn without(mut self, left_out: Vec<Spot>) -> Self {
        self.left_out = left_out;
        self
    }

    /// Reports the best `lines` root moves instead of one.
    pub fn with_multipv(mut self, lines: u16) -> Self {
        self.multipv = lines.max(1);
        self
    }
}

impl Brain {
    /// Searches with `threads` threads in all, who share the table (lazy SMP).
    pub fn with_threads(mut self, threads: usize) -> Self {
        let helper = |_| Brain {
            judge: self.judge.clone(),
            proves: self.proves,
            width: self.width,
            multipv: 1,
            left_out: self.left_out.clone(),
            table: Arc::clone(&self.table),
            helpers: Vec::new(),
            fours: Vcf::new(16),
            attack: Vct::new(0),
            defence: Vct::new(0),
            history: Box::new([[0; SPOTS]; 2]),
            counter: Box::new([[0; SPOTS]; 2]),
            reductions: self.reductions,
        };
        self.helpers = (1..threads).map(helper).collect();
        self
    }

    /// A helper's work: depth after depth, every other helper a ply ahead, until stopped.
    fn assist(&mut self, board: Board, ahead: i32, stop: &StopToken) {
        let mut run = Run::new(self, board, Deadline::new(&Limits::default(), stop));
        let mut guess = 0;
        for depth in 1 + ahead..MAX_PLY as i32 / 2 {
            run.root_depth = depth;
            guess = run.aspire(depth, guess);
            if run.stopped {
                return;
            }
        }
    }
}

impl Engine<Board> for Brain {
    fn think(&mut self, root: &History<Board>, job: Job<'_, Spot>) -> Option<Spot> {
        let mut board = root.current().clone();
        if board.outcome().is_some() {
            return None;
        }
        let mut deadline = Deadline::new(&job.limits, &job.stop);
        let choices = self.choices(&board);
        let side = board.side_to_move();
        let promise =
            |spot: &Spot| i32::from(board.worth(*spot, side).promise) + i32::from(board.worth(*spot, !side).promise) * 3 / 4;
        let fallback = choices.iter().max_by_key(promise)?;
        self.table.age();
        for worth in self.history.iter_mut().flatten() {
            *worth /= 2;
        }
        let before_fours = self.fours.nodes();
        let mut nodes = 0;
        // What part of the search the proofs may cost.
        let whole_time = job.limits.time.or(job.limits.clock.map(|clock| clock.remaining / 30));
        let whole_nodes = job.limits.nodes.unwrap_or(4_000_000);
        let sure = self.proves && job.limits.depth.is_none_or(|depth| depth > 3) && self.multipv == 1;
        if sure && threats::forced(&board).is_none() {
            let started = deadline.elapsed();
            let mut proof = self.fours.wins(&mut board, ROOT_FOURS.min(whole_nodes / 4)).map(|length| {
                let line = self.fours.line(&board, ROOT_FOURS);
                (line, length)
            });
            if proof.is_none() {
                let limit = whole_time.map(|time| time / 12);
                let budget = whole_nodes / 12;
                let fours = &mut self.fours;
                let mut stop = || deadline.look(0) || limit.is_some_and(|limit| deadline.elapsed() - started >= limit);
                proof = self.attack.proves(&mut board, fours, budget, &mut stop).map(|proof| (proof.line, proof.length));
                nodes += self.attack.nodes();
            }
            if let Some((line, length)) = proof
                && let Some(&first) = line.first()
                && choices.contains(first)
            {
                (job.info)(Info {
                    depth: length as u16,
                    seldepth: length as u16,
                    value: Score::win_in(length).value(),
                    nodes: nodes + self.fours.nodes() - before_fours,
                    cutoffs: 0,
                    time: deadline.elapsed(),
                    hashfull: self.table.hashfull(),
                    pv: line,
                    multipv: 1,
                });
                return Some(first);
            }
        }
        let fours_spent = self.fours.nodes() - before_fours;
        // The helpers are stopped when the search returns, and awaited at the end of the scope.
        let mut helpers = std::mem::take(&mut self.helpers);
        let mv = std::thread::scope(|scope| {
            let done = StopOnDrop(StopToken::new());
            for (index, helper) in helpers.iter_mut().enumerate() {
                let (board, stop) = (board.clone(), done.0.clone());
                scope.spawn(move || helper.assist(board, index as i32 % 2, &stop));
            }
            self.deepen(board, deadline, nodes + fours_spent, &choices, fallback, sure, job)
        });
        self.helpers = helpers;
        // A five or an open four on the board is answered before the moves left out are looked at.
        Some(if choices.contains(mv) { mv } else { fallback })
    }

    fn forget(&mut self) {
        self.table.clear();
        self.fours.clear();
        self.attack.clear();
        self.defence.clear();
        self.history.iter_mut().for_each(|side| side.fill(0));
        self.counter.iter_mut().for_each(|side| side.fill(0));
    }
}

impl Brain {
    /// The root moves worth trying, without those left out unless no other is.
    fn choices(&self, board: &Board) -> Spots {
        let mut choices = evaluation::worth_trying(board);
        for &spot in &self.left_out {
            choices.remove(spot);
        }
        if !choices.is_empty() {
            return choices;
        }
        let mut legal = Vec::new();
        board.legal_moves(&mut legal);
        let allowed = legal.iter().filter(|spot| !self.left_out.contains(spot));
        allowed.for_each(|&spot| choices.insert(spot));
        if choices.is_empty() { evaluation::worth_trying(board) } else { choices }
    }

    /// Iterative deepening at the root, with the search for the enemy's threats after the wanted move.
    #[allow(clippy::too_many_arguments, reason = "the second half of one function, cut for the threads' scope")]
    fn deepen(
        &mut self,
        board: Board,
        deadline: Deadline,
        nodes: u64,
        choices: &Spots,
        fallback: Spot,
        sure: bool,
        job: Job<'_, Spot>,
    ) -> Spot {
        let whole_time = job.limits.time.or(job.limits.clock.map(|clock| clock.remaining / 30));
        let whole_nodes = job.limits.nodes.unwrap_or(4_000_000);
        let deepest = job.limits.depth.map_or(MAX_PLY as i32 / 2, |d| i32::from(d).clamp(1, MAX_PLY as i32 / 2));
        let lines = usize::from(self.multipv).min(choices.len());
        let only_one = choices.len() == 1;
        let mut run = Run::new(self, board, deadline);
        run.nodes = nodes;
        let mut best = fallback;
        let mut guess = 0;
        let mut checked: Vec<Spot> = Vec::new();
        let mut asked = 0;
        'deepening: for depth in 1..=deepest {
            run.root_depth = depth;
            loop {
                run.excluded.clear();
                for line in 0..lines {
                    let score = run.aspire(depth, if line == 0 { guess } else { 0 });
                    if run.stopped {
                        // Moves of an unfinished depth come in the order of the last: what was best so far is at least as good.
                        if line == 0
                            && let Some(mv) = run.pv.best()
                        {
                            best = mv;
                        }
                        if run.lost.iter().any(|(spot, _)| *spot == best) {
                            let kept = choices.iter().filter(|spot| run.lost.iter().all(|(lost, _)| lost != spot));
                            let side = run.board.side_to_move();
                            best = kept.max_by_key(|&spot| run.board.worth(spot, side).promise).unwrap_or(best);
                        }
                        break 'deepening;
                    }
                    let Some(mv) = run.pv.best() else { break };
                    if line == 0 {
                        best = mv;
                        guess = score;
                    }
                    run.excluded.push(mv);
                    (job.info)(Info {
                        depth: depth as u16,
                        seldepth: run.seldepth as u16,
                        value: Score(score).value(),
                        nodes: run.visited(),
                        cutoffs: run.cutoffs,
                        time: run.deadline.elapsed(),
                        hashfull: run.brain.table.hashfull(),
                        pv: run.pv.root().to_vec(),
                        multipv: line as u16 + 1,
                    });
                }
                // Would the enemy win by threats after this move? Then another one.
                if !sure || depth < 6 || checked.contains(&best) || run.lost.len() >= 40 || guess.abs() >= DECIDED {
                    break;
                }
                checked.push(best);
                let time = whole_time.map(|time| time / 32);
                let Some(length) = run.loses(best, time, whole_nodes / 32) else { break };
                run.lost.push((best, length));
                if run.lost.len() >= choices.len() {
                    break;
                }
            }
            if run.lost.len() >= choices.len() {
                break;
            }
            if sure && depth >= 6 && asked < AGAIN && (AHEAD..DECIDED).contains(&guess) {
                asked += 1;
                let proof = run.wins(whole_time.map(|time| time / 24), whole_nodes / 24);
                if let Some(proof) = proof.filter(|proof| proof.line.first().is_some_and(|&first| choices.contains(first))) {
                    best = proof.line[0];
                    (job.info)(Info {
                        depth: depth as u16,
                        seldepth: proof.length as u16,
                        value: Score::win_in(proof.length).value(),
                        nodes: run.visited(),
                        cutoffs: run.cutoffs,
                        time: run.deadline.elapsed(),
                        hashfull: run.brain.table.hashfull(),
                        pv: proof.line,
                        multipv: 1,
                    });
                    break;
                }
            }
            let decided = guess.abs() >= DECIDED && depth >= WIN - guess.abs();
            if run.deadline.enough_for_next_depth() || (decided || only_one) && job.limits.depth.is_none() && lines == 1 {
                break;
            }
        }
        if run.lost.len() >= choices.len()
            && let Some(&(longest, length)) = run.lost.iter().max_by_key(|(_, length)| *length)
        {
            best = longest;
            (job.info)(Info {
                depth: run.root_depth as u16,
                seldepth: run.seldepth as u16,
                value: Score::loss_in(length + 1).value(),
                nodes: run.visited(),
                cutoffs: run.cutoffs,
                time: run.deadline.elapsed(),
                hashfull: run.brain.table.hashfull(),
                pv: vec![best],
                multipv: 1,
            });
        }
        best
    }
}
