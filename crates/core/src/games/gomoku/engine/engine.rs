//! The engine of gomoku: threat-space search first, then principal variation search.
//!
//! At the root the engine first searches for a win by fours (VCF), then by fours and threes (VCT); both are proofs. Otherwise it searches by
//! iterative deepening, on one thread or on several that share the transposition table and divide the work (see `search/sharing.rs`).

use super::network::loading;
use super::parameters::Parameters;
use super::root::Task;
use super::tables::Tables;
use super::values;
use super::worker::{Settings, Shared, Worker};
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::spot::Spot;
use crate::rules::{History, Position};
use crate::search::{
    CurrentlySearching, Deadline, Engine, Job, Lead, Limits, Misjudge, Score, StopOnDrop, StopToken, Transposition, reductions,
    spawn,
};
use crate::table::EngineOptions;

/// The least depth of a node whose moves are divided among the threads: a narrow search has few moves below it.
const DIVIDED: i32 = 9;
/// By how many plies every other helper thread searches deeper than the first thread.
const AHEAD: i32 = 2;

/// The engine, with the tables it keeps between moves.
pub struct GomokuEngine {
    settings: Settings,
    table: Transposition,
    /// One set of tables per thread. The first thread gives the answer, the others only fill the transposition table.
    threads: Vec<Tables>,
}

impl GomokuEngine {
    /// An engine with these options. A network that cannot be loaded is not used: see [`loading::network`]. A level with evaluation errors does not search for proofs.
    pub fn new(options: &EngineOptions) -> Self {
        let errs = options.misjudgement > 0;
        let mut threads = vec![Tables::of_main()];
        threads.resize_with(options.threads.clamp(1, 256), Tables::of_helper);
        let parameters = Parameters::of(&options.parameters);
        GomokuEngine {
            settings: Settings {
                misjudge: errs.then(|| Misjudge::new((), options.misjudgement, options.seed)),
                proves: !errs,
                width: options.width.map(|width| usize::from(width.max(1))),
                parameters,
                network: loading::network(&options.evaluation).ok().flatten(),
                reductions: reductions(f64::from(parameters.late_factor) / 100.0, 0),
                move_limits: Box::new(std::array::from_fn(|plies| parameters.move_limit(plies))),
            },
            table: Transposition::new(options.hash_mb),
            threads,
        }
    }
}

impl GomokuEngine {
    /// The moves to some leaves, drawn at random, of a search of so many nodes.
    pub fn leaves(&mut self, board: &Board, nodes: u64, seed: u64) -> Vec<Vec<Spot>> {
        let (limits, stop) = (Limits::nodes(nodes), StopToken::new());
        let shared = Shared { table: &self.table, searching: CurrentlySearching::new(1, DIVIDED), lead: Lead::default() };
        let deadline = Deadline::new(&limits, &stop);
        let mut worker = Worker::new(&self.settings, &shared, &mut self.threads[0], board.clone(), deadline);
        worker.sampler = Some(super::worker::Sampler::new(seed));
        worker.assist(0, SAMPLED_DEPTH);
        worker.sampler.map_or_else(Vec::new, |sampler| sampler.drawn)
    }
}

/// The greatest depth of a search from which leaves are drawn.
const SAMPLED_DEPTH: i32 = 24;

impl Engine<Board> for GomokuEngine {
    fn think(&mut self, root: &History<Board>, job: Job<'_, Spot>) -> Option<Spot> {
        let board = root.current().clone();
        if board.outcome().is_some() {
            return None;
        }
        let GomokuEngine { settings, table, threads } = self;
        let (tables, helpers) = threads.split_first_mut()?;
        table.age();
        tables.age();
        let deadline = Deadline::new(&job.limits, &job.stop);
        let shared = Shared { table, searching: CurrentlySearching::new(helpers.len() + 1, DIVIDED), lead: Lead::default() };
        let mut worker = Worker::new(settings, &shared, tables, board.clone(), deadline).leaving_out(&job.left_out);
        let choices = worker.choices();
        let side = board.side_to_move();
        let ordering_score =
            |spot: &Spot| values::ordering_score(&board, *spot, side) + values::ordering_score(&board, *spot, !side) * 3 / 4;
        let fallback = choices.iter().max_by_key(ordering_score)?;
        let proves = settings.proves && job.limits.depth.is_none_or(|depth| depth > 3) && job.multipv == 1;
        let task = Task { limits: &job.limits, choices, fallback, lines: job.multipv.min(choices.len()), proves };
        if let Some(proof) = worker.proof_at_root(&task)
            && let Some(&first) = proof.line.first()
            && choices.contains(first)
        {
            (job.info)(worker.report(proof.plies, proof.plies, Score::win_in(proof.plies).value(), proof.line));
            return Some(first);
        }
        let deepest = task.deepest();
        // The helper threads are stopped when the search returns, and joined at the end of the scope.
        let mv = std::thread::scope(|scope| {
            let done = StopOnDrop(StopToken::new());
            for (index, tables) in helpers.iter_mut().enumerate() {
                let deadline = Deadline::new(&Limits::default(), &done.0);
                let mut helper = Worker::new(settings, &shared, tables, board.clone(), deadline).leaving_out(&job.left_out);
                spawn(scope, move || helper.assist(if index % 2 == 0 { AHEAD } else { 0 }, deepest));
            }
            worker.deepen(&task, job.info)
        });
        // A five or an open four is answered first, even with an excluded move.
        Some(if choices.contains(mv) { mv } else { fallback })
    }

    fn forget(&mut self) {
        self.table.clear();
        self.threads.iter_mut().for_each(Tables::clear);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::rules::notation::read_moves;
    use crate::games::gomoku::rules::rule::Rule;
    use crate::search::Info;

    #[test]
    fn several_threads_reach_the_depth_asked_for() {
        for (threads, multipv) in [(2, 1), (4, 1), (3, 2)] {
            let options = EngineOptions { threads, hash_mb: 4, ..EngineOptions::default() };
            let root = History::new(read_moves(Rule::Freestyle, 15, "h8i9").unwrap().current().clone());
            let mut heard = Vec::new();
            let mut info = |info: Info<Spot>| heard.push((info.depth, info.multipv, info.pv[0]));
            let job = Job { multipv, ..Job::new(Limits::depth(9), StopToken::new(), &mut info) };
            let mv = GomokuEngine::new(&options).think(&root, job).unwrap();
            let first: Vec<(u16, Spot)> = heard.iter().filter(|line| line.1 == 1).map(|line| (line.0, line.2)).collect();
            assert!(first.is_sorted_by_key(|(depth, _)| *depth), "{threads} threads: {heard:?}");
            assert_eq!(first.last(), Some(&(9, mv)), "{threads} threads: {heard:?}");
        }
    }
}
