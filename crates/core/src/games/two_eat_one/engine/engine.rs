//! The engines: [`TablebaseEngine`] plays perfectly from the tablebase, [`SearchEngine`] plays the lower levels by search with evaluation errors.
//!
//! The tablebase engine always keeps the result: it wins in the fewest plies, loses in the most, and in a drawn position chooses the move after which
//! the most replies lose.
//!
//! If the distance of a won or lost position is not known, a search chooses among the moves that keep the result. Winning moves with a known
//! distance come first: so it captures into a class with few stones if it can, and continues from there with known distances.

use super::evaluation::PiecesAndMobility;
use crate::games::two_eat_one::engine::tablebase::oracle::Oracle;
use crate::games::two_eat_one::rules::board::{Board, Step};
use crate::rules::{History, Position, zobrist};
use crate::search::{
    Allotment, AlphaBeta, Engine, Evaluate, Info, Job, Known, Limits, Misjudge, StopToken, Stopwatch, Value, Verdict,
};
use crate::table::EngineOptions;
use std::time::Duration;

/// The most moves of a reported line.
const LINE: usize = 40;
/// The size of the transposition table for the search among equal moves, in MiB.
const HASH_MB: usize = 16;

/// Plays perfectly, from the oracle.
pub struct TablebaseEngine {
    seed: u64,
}

impl TablebaseEngine {
    /// An engine that chooses among equal moves by the seed.
    pub fn new(options: &EngineOptions) -> TablebaseEngine {
        TablebaseEngine { seed: options.seed }
    }
}

/// A legal move, its value and its rank.
struct Choice {
    step: Step,
    verdict: Verdict,
    rank: i64,
}

/// The rank of a move with an unknown distance: a win below every win with a known distance, a loss above every loss with one.
const UNKNOWN_WIN: i64 = 1_000_000_000;
const DECIDED: i64 = 2_000_000_000;

/// How often a position has occurred in the game.
fn occurrences(root: &History<Board>, key: u64) -> i64 {
    root.keys().filter(|stood| *stood == key).count() as i64
}

impl TablebaseEngine {
    fn choices(&self, oracle: &Oracle, root: &History<Board>) -> Vec<Choice> {
        let board = root.current();
        let mut choices: Vec<Choice> = oracle
            .of_moves(board)
            .into_iter()
            .map(|(step, verdict)| {
                let mut next = board.clone();
                next.make(step);
                // The random part is smaller than all other parts.
                let chance = (zobrist::mix(next.key() ^ self.seed) & 0xFF) as i64;
                let rank = match (verdict.known, verdict.plies) {
                    (Known::Win, Some(plies)) => DECIDED - 1000 * i64::from(plies),
                    (Known::Win, None) => UNKNOWN_WIN - 1000 * occurrences(root, next.key()),
                    (Known::Loss, None) => -UNKNOWN_WIN - 1000 * occurrences(root, next.key()),
                    (Known::Loss, Some(plies)) => 1000 * i64::from(plies) - DECIDED,
                    (Known::Draw, _) => {
                        let replies = oracle.of_moves(&next);
                        let losing = replies.iter().filter(|(_, reply)| reply.known == Known::Loss).count() as i64;
                        let safe = replies.len() as i64 - losing;
                        // First avoid repeated positions; then prefer the most losing replies, then the fewest other replies.
                        -10_000_000 * occurrences(root, next.key()) + 100_000 * losing - 1000 * safe
                    }
                };
                Choice { step, verdict, rank: rank + chance }
            })
            .collect();
        choices.sort_by_key(|choice| -choice.rank);
        choices
    }

    /// The line of best play by the oracle, as far as its distances are known.
    fn line(&self, oracle: &Oracle, board: &Board, first: &Choice) -> Vec<Step> {
        let mut line = vec![first.step];
        let mut board = board.clone();
        board.make(first.step);
        let mut decided = first.verdict.known != Known::Draw && first.verdict.plies.is_some();
        while decided && line.len() < LINE && board.outcome().is_none() {
            let choices = self.choices(oracle, &History::new(board.clone()));
            let Some(best) = choices.first() else { break };
            decided = best.verdict.plies.is_some();
            line.push(best.step);
            board.make(best.step);
        }
        line
    }
}

/// An evaluation that generates only the allowed moves at the root.
struct RestrictedRoot<E> {
    inner: E,
    root: u64,
    allowed: Vec<Step>,
}

impl<E: Evaluate<Board>> Evaluate<Board> for RestrictedRoot<E> {
    fn evaluate(&mut self, position: &Board) -> i32 {
        self.inner.evaluate(position)
    }
    fn candidates(&mut self, position: &Board, out: &mut Vec<Step>) {
        if position.key() == self.root { out.extend(&self.allowed) } else { position.legal_moves(out) }
    }
    fn ordering_score(&mut self, position: &Board, mv: Step) -> i32 {
        self.inner.ordering_score(position, mv)
    }
    fn is_noisy(&mut self, position: &Board, mv: Step) -> bool {
        self.inner.is_noisy(position, mv)
    }
}

/// Searches with some of the root moves only.
fn search_among(allowed: Vec<Step>, root: &History<Board>, job: Job<'_, Step>) -> Option<Step> {
    let among = RestrictedRoot { inner: PiecesAndMobility, root: root.current().key(), allowed };
    AlphaBeta::new(among, HASH_MB).think(root, job)
}

/// Plays the levels below the top by search with evaluation errors. It avoids repeating a position of the game while it has another move; otherwise games
/// between two such engines, whose errors in a position are always the same, would often end by repetition.
pub struct SearchEngine(EngineOptions);

impl SearchEngine {
    /// An engine with the evaluation errors of the options.
    pub fn new(options: &EngineOptions) -> SearchEngine {
        SearchEngine(options.clone())
    }
}

impl Engine<Board> for SearchEngine {
    fn think(&mut self, root: &History<Board>, job: Job<'_, Step>) -> Option<Step> {
        let board = root.current();
        let mut allowed = Vec::new();
        board.legal_moves(&mut allowed);
        allowed.retain(|step| !job.left_out.contains(step));
        let new = |step: &Step| {
            let mut next = board.clone();
            next.make(*step);
            occurrences(root, next.key()) == 0
        };
        if allowed.iter().any(new) {
            allowed.retain(new);
        }
        let inner = Misjudge::new(PiecesAndMobility, self.0.misjudgement, self.0.seed);
        let among = RestrictedRoot { inner, root: board.key(), allowed };
        AlphaBeta::new(among, HASH_MB.min(self.0.hash_mb)).with_width(self.0.width).think(root, job)
    }
}

impl Engine<Board> for TablebaseEngine {
    fn think(&mut self, root: &History<Board>, mut job: Job<'_, Step>) -> Option<Step> {
        let watch = Stopwatch::start();
        let board = root.current();
        let mut legal = Vec::new();
        board.legal_moves(&mut legal);
        legal.first()?;
        let oracle: &'static Oracle = Oracle::of(board.kind());
        // Stopped before anything is known: the move of a short search.
        if !oracle.wait_for(board, &job.stop, time_for_distances(&job.limits)) && job.stop.is_stopped() {
            let allowed: Vec<Step> = legal.into_iter().filter(|step| !job.left_out.contains(step)).collect();
            return search_among(allowed, root, job);
        }
        spend(&mut job.limits, watch.elapsed());
        let mut choices = self.choices(oracle, root);
        choices.retain(|choice| !job.left_out.contains(&choice.step));
        let best = choices.first()?;
        if best.verdict.plies.is_none() {
            // The best moves have no known distance: a search chooses among those that lead to the positions with the fewest occurrences in this game.
            let often = |choice: &Choice| {
                let mut next = board.clone();
                next.make(choice.step);
                occurrences(root, next.key())
            };
            let least = often(best);
            let alike = choices.iter().take_while(|choice| choice.verdict == best.verdict && often(choice) == least);
            // The outcome is known, so the search only chooses the move; its lines are reported with the exact value instead of its score.
            let tell = job.info;
            let mut info = |info: Info<Step>| tell(Info { value: Value::Exact(best.verdict), ..info });
            let among = Job::new(job.limits, job.stop, &mut info);
            return search_among(alike.map(|choice| choice.step).collect(), root, among).or(Some(best.step));
        }
        for (number, choice) in (1..).zip(choices.iter().take(job.multipv)) {
            let pv = self.line(oracle, board, choice);
            let info = Info::new(pv.len(), pv.len(), Value::Exact(choice.verdict), pv);
            (job.info)(Info { nodes: choices.len() as u64, time: watch.elapsed(), multipv: number, ..info });
        }
        Some(best.step)
    }
}

/// How long to wait for distances under these limits: half of the expected time of the move.
fn time_for_distances(limits: &Limits) -> Option<Duration> {
    Allotment::of(limits).expected().map(|time| time / 2)
}

/// Subtracts time used from the limits.
fn spend(limits: &mut Limits, spent: Duration) {
    limits.time = limits.time.map(|time| time.saturating_sub(spent));
    if let Some(clock) = &mut limits.clock {
        clock.remaining = clock.remaining.saturating_sub(spent);
    }
}

/// The exact value of each legal move, with its distance if that is available without solving the whole game; waits for the distances until the token is
/// raised.
pub fn verdicts(board: &Board, stop: &StopToken) -> Option<Vec<(Step, Verdict)>> {
    let oracle = Oracle::of(board.kind());
    oracle.wait_for(board, stop, None).then(|| oracle.of_moves(board))
}
