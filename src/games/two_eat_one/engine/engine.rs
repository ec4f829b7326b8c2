//! The engines: [`Knowing`] plays from the tablebase, [`Fallible`] searches and errs.
//!
//! The first never gives a result away: it wins in the fewest plies, loses in the most, and in a drawn position goes where the
//! most replies lose.
//!
//! Where the distances of a won or lost position are not known, a search chooses among the moves of the right value; among won ones those with a known
//! distance come first, so that a capture into the small classes is taken and the win continues from there by known distances.

use super::evaluation::PiecesAndMobility;
use crate::games::two_eat_one::engine::tablebase::oracle::Oracle;
use crate::games::two_eat_one::rules::board::{Board, Step};
use crate::rules::{History, Position, zobrist};
use crate::search::{
    Allotment, AlphaBeta, Effort, Engine, Evaluate, Info, Job, Known, Limits, Misjudge, StopToken, Stopwatch, Value, Verdict,
};
use crate::table::EngineOptions;
use std::time::Duration;

/// Longest line that is reported.
const LINE: usize = 40;
/// MiB for the search among moves of the same value.
const HASH_MB: usize = 16;

/// Plays from the oracle.
pub struct Knowing {
    seed: u64,
    lines: usize,
}

impl Knowing {
    /// A player whose choices among equals depend on the seed.
    pub fn new(options: &EngineOptions) -> Knowing {
        let lines = usize::from(options.multipv.max(1));
        Knowing { seed: options.seed, lines }
    }
}

/// A legal move, what it is worth and how it ranks.
struct Choice {
    step: Step,
    verdict: Verdict,
    rank: i64,
}

/// A move of unknown distance ranks between those of known ones: won ones below every known win, lost ones above every known loss.
const UNKNOWN_WIN: i64 = 1_000_000_000;
const DECIDED: i64 = 2_000_000_000;

/// How often a position has occurred in the game.
fn occurrences(root: &History<Board>, key: u64) -> i64 {
    root.keys().filter(|stood| *stood == key).count() as i64
}

impl Knowing {
    fn choices(&self, oracle: &Oracle, root: &History<Board>) -> Vec<Choice> {
        let board = root.current();
        let mut choices: Vec<Choice> = oracle
            .of_moves(board)
            .into_iter()
            .map(|(step, verdict)| {
                let mut next = board.clone();
                next.make(step);
                // What is left to chance is below all that counts.
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
                        // A position that stood before leads nowhere; then the most losing replies, then the fewest others.
                        -10_000_000 * occurrences(root, next.key()) + 100_000 * losing - 1000 * safe
                    }
                };
                Choice { step, verdict, rank: rank + chance }
            })
            .collect();
        choices.sort_by_key(|choice| -choice.rank);
        choices
    }

    /// The line both sides play from here by the oracle, as far as its distances are known.
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

/// An evaluation that, at the root, considers only the moves allowed there.
struct Among<E> {
    inner: E,
    root: u64,
    allowed: Vec<Step>,
}

impl<E: Evaluate<Board>> Evaluate<Board> for Among<E> {
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

/// Searches among some of the root's moves.
fn search_among(allowed: Vec<Step>, root: &History<Board>, job: Job<'_, Step>) -> Option<Step> {
    let among = Among { inner: PiecesAndMobility, root: root.current().key(), allowed };
    AlphaBeta::new(among, HASH_MB).think(root, job)
}

/// Plays by search and errs: the levels below the top. It does not repeat a position of the game while there is another move, so that two of its kind,
/// each misjudging the same positions the same way always, do not end every game by repetition.
pub struct Fallible(EngineOptions);

impl Fallible {
    /// A player that misjudges as the options say.
    pub fn new(options: &EngineOptions) -> Fallible {
        Fallible(options.clone())
    }
}

impl Engine<Board> for Fallible {
    fn think(&mut self, root: &History<Board>, job: Job<'_, Step>) -> Option<Step> {
        let board = root.current();
        let mut allowed = Vec::new();
        board.legal_moves(&mut allowed);
        let new = |step: &Step| {
            let mut next = board.clone();
            next.make(*step);
            occurrences(root, next.key()) == 0
        };
        if allowed.iter().any(new) {
            allowed.retain(new);
        }
        let inner = Misjudge::new(PiecesAndMobility, self.0.misjudgement, self.0.seed);
        let among = Among { inner, root: board.key(), allowed };
        AlphaBeta::new(among, HASH_MB.min(self.0.hash_mb)).with_width(self.0.width).with_multipv(self.0.multipv).think(root, job)
    }
}

impl Engine<Board> for Knowing {
    fn think(&mut self, root: &History<Board>, mut job: Job<'_, Step>) -> Option<Step> {
        let watch = Stopwatch::start();
        let board = root.current();
        let mut legal = Vec::new();
        board.legal_moves(&mut legal);
        let first = *legal.first()?;
        let oracle: &'static Oracle = Oracle::of(board.kind());
        // Told to stop before anything is known: any move.
        if !oracle.wait_for(board, &job.stop, patience(&job.limits)) && job.stop.is_stopped() {
            return Some(first);
        }
        spend(&mut job.limits, watch.elapsed());
        let mut choices = self.choices(oracle, root);
        choices.retain(|choice| !job.left_out.contains(&choice.step));
        let best = choices.first()?;
        if best.verdict.plies.is_none() {
            // The best moves have no known distance: a search chooses among those whose positions occurred least often in this game.
            let often = |choice: &Choice| {
                let mut next = board.clone();
                next.make(choice.step);
                occurrences(root, next.key())
            };
            let least = often(best);
            let alike = choices.iter().take_while(|choice| choice.verdict == best.verdict && often(choice) == least);
            // The outcome is known, so the search only chooses the move: its lines are reported with the exact value in place of its estimate.
            let tell = job.info;
            let mut info = |info: Info<Step>| tell(Info { value: Value::Exact(best.verdict), ..info });
            let among = Job { limits: job.limits, left_out: Vec::new(), stop: job.stop, info: &mut info };
            return search_among(alike.map(|choice| choice.step).collect(), root, among).or(Some(best.step));
        }
        for (number, choice) in (1..).zip(choices.iter().take(self.lines)) {
            let pv = self.line(oracle, board, choice);
            let effort = Effort { nodes: choices.len() as u64, time: watch.elapsed(), ..Effort::default() };
            (job.info)(Info::new(pv.len(), pv.len(), Value::Exact(choice.verdict), pv, effort).with_multipv(number));
        }
        Some(best.step)
    }
}

/// How long distances are waited for under these limits: half of what the move may be expected to take.
fn patience(limits: &Limits) -> Option<Duration> {
    Allotment::of(limits).expected().map(|time| time / 2)
}

/// Takes time that was spent from the limits.
fn spend(limits: &mut Limits, spent: Duration) {
    limits.time = limits.time.map(|time| time.saturating_sub(spent));
    if let Some(clock) = &mut limits.clock {
        clock.remaining = clock.remaining.saturating_sub(spent);
    }
}

/// What each legal move is worth, with its distance where it can be had without solving the whole game; waits for that until the token is raised.
pub fn verdicts(board: &Board, stop: &StopToken) -> Option<Vec<(Step, Verdict)>> {
    let oracle = Oracle::of(board.kind());
    oracle.wait_for(board, stop, None).then(|| oracle.of_moves(board))
}
