//! The engine: proofs by threats first, then a principal-variation search on the pattern tables.
//!
//! At the root the side to move asks for a win by fours, then by fours and threes; both are proofs. Otherwise it searches by iterative
//! deepening, with a table, aspiration, history, late-move reductions and pruning, futility, singular extensions, forced
//! answers that cost no depth, and a search for a win by fours at every quiet node. Before a move is played the enemy's
//! threats after it are searched, too: a move that loses by force gives way to one that does not.

use super::board::{Board, SPOTS, Spot, Spots};
use super::evaluation::{self, Judge};
use super::threats;
use super::vcf::Vcf;
use super::vct::Vct;
use super::worth::Class;
use crate::rules::{History, Position};
use crate::search::{
    Bound, Deadline, Engine, Entry, Evaluate, Info, Job, Limits, Lines, Misjudge, Score, StopOnDrop, StopToken, Transposition,
};
use std::sync::Arc;
use std::time::Duration;

/// Deepest ply.
const MAX_PLY: usize = 128;
const WIN: i32 = Score::WIN.0;
const INFINITE: i32 = Score::INFINITE.0;
const DECIDED: i32 = Score::DECIDED.0;
/// Nodes for a win by fours at a leaf, and further up.
const LEAF_FOURS: u64 = 120;
const ROOT_FOURS: u64 = 300_000;

/// What the engine is and remembers between moves.
pub struct Brain {
    judge: Misjudge<Judge>,
    /// Whether it proves wins; the gentle levels do not.
    proves: bool,
    width: Option<u16>,
    multipv: u16,
    /// Root moves that may not be played.
    left_out: Vec<Spot>,
    /// Shared with the helpers.
    table: Arc<Transposition>,
    /// Searchers for further threads, which only fill the table.
    helpers: Vec<Brain>,
    fours: Vcf,
    attack: Vct,
    defence: Vct,
    history: Box<[[i32; SPOTS]; 2]>,
    counter: Box<[[u16; SPOTS]; 2]>,
    reductions: [[i32; 64]; 64],
}

impl Brain {
    /// An engine with a table of `hash_mb` MiB whose judgement errs by up to `misjudgement`. One that errs proves nothing.
    pub fn new(hash_mb: usize, misjudgement: u16, seed: u64) -> Self {
        let mut reductions = [[0; 64]; 64];
        for (depth, row) in reductions.iter_mut().enumerate().skip(1) {
            for (count, reduction) in row.iter_mut().enumerate().skip(1) {
                *reduction = ((depth as f64).ln() * (count as f64).ln() / 1.5 + 0.5) as i32;
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

/// A move with the order it is tried in.
#[derive(Clone, Copy)]
struct Candidate {
    spot: Spot,
    order: i32,
}

struct Run<'a> {
    brain: &'a mut Brain,
    board: Board,
    deadline: Deadline,
    nodes: u64,
    /// What the searcher for fours had visited when this search began.
    fours_before: u64,
    cutoffs: u64,
    seldepth: usize,
    stopped: bool,
    root_depth: i32,
    pv: Lines<Spot>,
    /// The moves on the way from the root.
    path: Vec<Spot>,
    evals: Vec<i32>,
    killers: Vec<[u16; 2]>,
    excluded: Vec<Spot>,
    /// Root moves the enemy is proven to win against, with the plies to his five.
    lost: Vec<(Spot, usize)>,
}

impl<'a> Run<'a> {
    fn new(brain: &'a mut Brain, board: Board, deadline: Deadline) -> Self {
        let fours_before = brain.fours.nodes();
        Run {
            brain,
            fours_before,
            board,
            deadline,
            nodes: 0,
            cutoffs: 0,
            seldepth: 0,
            stopped: false,
            root_depth: 0,
            pv: Lines::new(MAX_PLY),
            path: Vec::new(),
            evals: vec![0; MAX_PLY + 2],
            killers: vec![[0; 2]; MAX_PLY + 2],
            excluded: Vec::new(),
            lost: Vec::new(),
        }
    }

    fn visited(&self) -> u64 {
        self.nodes + self.brain.fours.nodes() - self.fours_before
    }

    fn evaluate(&mut self) -> i32 {
        Score::evaluation(self.brain.judge.evaluate(&self.board)).0
    }

    /// Plies to a five by fours alone, asked within a budget.
    fn wins_by_fours(&mut self, budget: u64) -> Option<usize> {
        if !self.brain.proves {
            return None;
        }
        let side = self.board.side_to_move();
        let fours: usize =
            [Class::Four, Class::FourPlus, Class::FourThree, Class::OpenFour].iter().map(|&c| self.board.count(side, c)).sum();
        if fours < 2 { None } else { self.brain.fours.wins(&mut self.board, budget) }
    }

    fn order(&self, spots: &Spots, table_code: u16, ply: usize) -> Vec<Candidate> {
        let side = self.board.side_to_move();
        let mut list = Vec::with_capacity(64);
        let killers = self.killers[ply];
        let counter = self.path.last().map_or(0, |last| self.brain.counter[side.index()][last.index()]);
        for spot in spots.iter() {
            let code = Board::move_code(spot);
            let order = if code == table_code {
                i32::MAX
            } else {
                let own = i32::from(self.board.worth(spot, side).promise);
                let other = i32::from(self.board.worth(spot, !side).promise);
                let mut order = 8 * own + 6 * other + self.brain.history[side.index()][spot.index()] / 16;
                if code == killers[0] || code == killers[1] {
                    order += 250;
                }
                if code == counter {
                    order += 200;
                }
                order
            };
            list.push(Candidate { spot, order });
        }
        list
    }

    fn leaf(&mut self, ply: usize) -> i32 {
        if let Some(length) = self.wins_by_fours(LEAF_FOURS) {
            return WIN - (ply + length) as i32;
        }
        self.evaluate()
    }

    #[allow(clippy::too_many_lines, reason = "one node read from the top down")]
    fn node(&mut self, mut depth: i32, mut alpha: i32, mut beta: i32, ply: usize, skip: Option<Spot>) -> i32 {
        self.nodes += 1;
        self.pv.clear(ply);
        let visited = self.visited();
        // The first depth is always finished: a few milliseconds that give a move with a reason.
        if self.root_depth > 1 && self.deadline.reached(visited) {
            self.stopped = true;
            return 0;
        }
        self.seldepth = self.seldepth.max(ply);
        let (side, enemy) = (self.board.side_to_move(), !self.board.side_to_move());
        let root = ply == 0;
        // The end of the game, and what leads there whatever is played.
        if self.board.count(side, Class::Five) > 0 {
            let five = self.board.of_class(side, Class::Five).first();
            self.pv.end(ply, five);
            return WIN - (ply as i32 + 1);
        }
        let pressed = self.board.count(enemy, Class::Five) > 0;
        let mut spots = Spots::default();
        let mut threatened = false;
        if pressed {
            spots = threats::against_five(&self.board, side);
            threats::keep_legal(&self.board, &mut spots);
            if spots.is_empty() {
                let last = threats::last_answer(&self.board);
                self.pv.end(ply, last);
                return -(WIN - (ply as i32 + 2));
            }
        } else {
            if let Some(spot) = threats::open_four(&self.board, side) {
                self.pv.end(ply, [spot]);
                return WIN - (ply as i32 + 3);
            }
            if self.board.empty().is_empty() {
                return 0;
            }
            threatened = threats::open_four(&self.board, enemy).is_some();
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluate();
        }
        if !root {
            alpha = alpha.max(-(WIN - (ply as i32 + 2)));
            beta = beta.min(WIN - (ply as i32 + 3));
            if alpha >= beta {
                return alpha;
            }
        }
        let open_window = beta - alpha > 1;
        if depth <= 0 && threatened && (ply as i32) < 2 * self.root_depth + 4 {
            depth = 1;
        }
        if depth <= 0 && !pressed {
            return self.leaf(ply);
        }
        let depth_was = depth.max(0);
        let key = self.board.key() ^ skip.map_or(0, |spot| crate::rules::zobrist::mix(spot.index() as u64));
        let known = self.brain.table.probe(key);
        if let Some(entry) = known
            && !root
            && !open_window
            && i32::from(entry.depth) >= depth
        {
            let score = entry.score.to_root(ply).0;
            let usable = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if usable {
                return score;
            }
        }
        let table_code = known.map_or(0, |entry| entry.code);
        let eval = if pressed { -INFINITE } else { self.evaluate() };
        self.evals[ply] = eval;
        let improving = ply >= 2 && !pressed && eval > self.evals[ply - 2];
        if !pressed && !root && skip.is_none() {
            if let Some(length) = self.wins_by_fours(LEAF_FOURS * (1 + depth as u64 / 2)) {
                return WIN - (ply + length) as i32;
            }
            if !open_window && !threatened && beta.abs() < DECIDED {
                // Standing far above or far below the window at the end of a line.
                if depth <= 6 && eval - 90 * depth + if improving { 45 } else { 0 } >= beta {
                    return eval;
                }
                if depth <= 3 && eval + 180 * depth + 120 < alpha {
                    return self.leaf(ply);
                }
            }
        }
        if depth >= 5 && table_code == 0 && !pressed {
            depth -= 1;
        }
        if !pressed {
            spots = if threatened {
                let mut defences = threats::against_open_four(&self.board, side);
                threats::keep_legal(&self.board, &mut defences);
                defences
            } else {
                evaluation::worth_trying(&self.board)
            };
            if spots.is_empty() {
                // No defence: the enemy's open four comes.
                return -(WIN - (ply as i32 + 4));
            }
        }
        if root {
            for spot in self.brain.left_out.iter().copied().chain(self.lost.iter().map(|(spot, _)| *spot)) {
                if spots.len() > 1 {
                    spots.remove(spot);
                }
            }
        }
        let mut list = self.order(&spots, table_code, ply);
        let first_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_code = 0;
        let mut count = 0;
        let mut quiet_tried: Vec<Spot> = Vec::new();
        for index in 0..list.len() {
            let mut pick = index;
            for other in index + 1..list.len() {
                if list[other].order > list[pick].order {
                    pick = other;
                }
            }
            list.swap(index, pick);
            let spot = list[index].spot;
            if Some(spot) == skip || root && self.excluded.contains(&spot) {
                continue;
            }
            let own = self.board.class(spot, side);
            let other = self.board.class(spot, enemy);
            let quiet = own < Class::OpenThree && other < Class::OpenThree;
            if count > 0 && !root && !pressed && !threatened && best > -DECIDED {
                if let Some(width) = self.brain.width
                    && count >= usize::from(width)
                    && own < Class::Four
                {
                    continue;
                }
                if quiet && !open_window {
                    let limit = (4 + depth * depth) / if improving { 1 } else { 2 } + 3;
                    if depth <= 7 && count as i32 >= limit {
                        break;
                    }
                    if depth <= 5 && eval + 110 * depth + 150 + 8 * i32::from(self.board.worth(spot, side).promise) / 16 <= alpha
                    {
                        continue;
                    }
                }
            }
            count += 1;
            let code = Board::move_code(spot);
            // The known best move, if all others fall short of it, is looked at deeper.
            let mut extension = 0;
            if depth >= 7
                && !root
                && skip.is_none()
                && code == table_code
                && let Some(entry) = known
                && entry.bound != Bound::Upper
                && i32::from(entry.depth) >= depth - 3
                && entry.score.0.abs() < DECIDED
                && (ply as i32) < 2 * self.root_depth
            {
                let bar = entry.score.0 - 3 * depth;
                let score = self.node(depth / 2 - 1, bar - 1, bar, ply, Some(spot));
                if self.stopped {
                    return 0;
                }
                if score < bar {
                    extension = 1;
                } else if bar >= beta {
                    return bar;
                }
                self.pv.clear(ply);
            }
            // A forced answer costs no depth.
            let next = depth - 1 + extension + i32::from(pressed && list.len() == 1 && (ply as i32) < 3 * self.root_depth + 8);
            self.board.make(spot);
            self.brain.table.prefetch(self.board.key());
            self.path.push(spot);
            let score = if count == 1 {
                -self.node(next, -beta, -alpha, ply + 1, None)
            } else {
                let mut reduction = 0;
                if depth >= 3 && count > 2 {
                    reduction = self.brain.reductions[(depth as usize).min(63)][count.min(63)];
                    if !quiet {
                        reduction -= 1;
                    }
                    if own >= Class::Four {
                        reduction -= 1;
                    }
                    if open_window {
                        reduction -= 1;
                    }
                    if !improving {
                        reduction += 1;
                    }
                    reduction -= self.brain.history[side.index()][spot.index()] / 4000;
                    reduction = reduction.clamp(0, (next - 1).max(0));
                }
                let mut score = -self.node(next - reduction, -alpha - 1, -alpha, ply + 1, None);
                if reduction > 0 && score > alpha && !self.stopped {
                    score = -self.node(next, -alpha - 1, -alpha, ply + 1, None);
                }
                if score > alpha && score < beta && !self.stopped {
                    score = -self.node(next, -beta, -alpha, ply + 1, None);
                }
                score
            };
            self.path.pop();
            self.board.unmake(spot, ());
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha || count == 1 {
                    best_code = code;
                    self.pv.keep(ply, spot);
                }
                if score > alpha {
                    alpha = score;
                    if alpha >= beta {
                        self.cutoffs += 1;
                        if !pressed {
                            self.reward(spot, &quiet_tried, depth, ply);
                        }
                        break;
                    }
                }
            }
            if quiet_tried.len() < 32 {
                quiet_tried.push(spot);
            }
        }
        if count == 0 {
            return if skip.is_some() { alpha } else { eval.max(-WIN) };
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if !root || self.excluded.is_empty() {
            let note = eval.clamp(-30_000, 30_000) as i16;
            let entry =
                Entry { code: best_code, score: Score(best).from_root(ply), note, depth: depth_was.min(255) as u8, bound };
            self.brain.table.store(key, entry);
        }
        best
    }

    fn reward(&mut self, spot: Spot, tried: &[Spot], depth: i32, ply: usize) {
        let side = self.board.side_to_move();
        let code = Board::move_code(spot);
        let killers = &mut self.killers[ply];
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
        if let Some(last) = self.path.last() {
            self.brain.counter[side.index()][last.index()] = code;
        }
        let bonus = (depth * depth * 8).min(1200);
        let table = &mut self.brain.history[side.index()];
        let mut add = |spot: Spot, bonus: i32| {
            let worth = &mut table[spot.index()];
            *worth += bonus - *worth * bonus.abs() / 12_000;
        };
        add(spot, bonus);
        for &other in tried {
            add(other, -bonus / 2);
        }
    }

    /// The root searched to a depth in a window around the last score.
    fn aspire(&mut self, depth: i32, guess: i32) -> i32 {
        let mut delta = 60;
        let (mut alpha, mut beta) =
            if depth < 4 || guess.abs() >= DECIDED { (-INFINITE, INFINITE) } else { (guess - delta, guess + delta) };
        loop {
            let score = self.node(depth, alpha, beta, 0, None);
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

    /// Plies to the enemy's five if he is proven to win after `spot`, looked for during `time`.
    fn loses(&mut self, spot: Spot, time: Option<Duration>, budget: u64) -> Option<usize> {
        self.board.make(spot);
        let until = time.map(|time| self.deadline.elapsed() + time);
        let nodes = self.visited();
        let brain = &mut *self.brain;
        let deadline = &mut self.deadline;
        let mut stop = || deadline.look(nodes) || until.is_some_and(|until| deadline.elapsed() >= until);
        let proof = brain.defence.proves(&mut self.board, &mut brain.fours, budget, &mut stop);
        self.nodes += brain.defence.nodes();
        self.board.unmake(spot, ());
        proof.map(|proof| proof.length)
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
                let limit = whole_time.map(|time| time / 6);
                let budget = whole_nodes / 6;
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
                let time = whole_time.map(|time| time / 16);
                let Some(length) = run.loses(best, time, whole_nodes / 16) else { break };
                run.lost.push((best, length));
                if run.lost.len() >= choices.len() {
                    break;
                }
            }
            if run.lost.len() >= choices.len() {
                break;
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
