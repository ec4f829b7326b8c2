//! The engine of xiangqi: principal variation search with iterative deepening and a shared transposition table, on one or more threads.
//!
//! Sources of the algorithms: principal variation search (Marsland and Campbell 1982), null move with verification
//! (Donninger 1993, Tabibi and Netanyahu 2002), history heuristic (Schaeffer 1983), late-move reductions, futility and razoring,
//! ProbCut (Buro 1994), singular extensions (Anantharaman, Campbell and Hsu 1988), lazy SMP. Repetitions inside the tree are scored by
//! the rules of the game, so perpetual checks and chases do not save a lost position. Several threads divide the work as `search/sharing.rs` says,
//! and every second one searches a ply deeper. A depth is finished when any thread has finished it: the others then stop their own search of it
//! and continue with that result.

use super::book;
use super::evaluation::Tally;
use super::history::{Shape, Tables};
use super::network::{Accumulators, Network, loading};
use super::parameters::Parameters;
use super::root::RootMove;
use super::scores::{INFINITE, value};
use super::worker::{EMPTY_PLY, MAX_PLY, Settings, Shared, Worker};
use crate::games::xiangqi::rules::board::{Board, Move};
use crate::rules::{History, Position};
use crate::search::{
    CurrentlySearching, Deadline, Engine, Info, Job, Lead, Limits, Lines, Misjudge, Reductions, Stopwatch, Transposition,
    reductions, spawn,
};
use crate::table::EngineOptions;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The least depth of a node whose moves are divided among the threads.
const DIVIDED: i32 = 4;

/// The xiangqi engine.
pub struct XiangqiEngine {
    table: Transposition,
    tables: Vec<Tables>,
    settings: Settings,
    parameters: Parameters,
    reductions: Box<Reductions>,
    /// The network of the evaluation; `None` for the hand-written evaluation.
    network: Option<Arc<Network>>,
    /// The seed for the choice among the moves of the book.
    seed: u64,
}

impl XiangqiEngine {
    /// An engine with these options. A network that cannot be loaded is not used: see [`loading::network`].
    pub fn new(options: &EngineOptions) -> XiangqiEngine {
        let misjudge = (options.misjudgement > 0).then(|| Arc::new(Misjudge::new((), options.misjudgement, options.seed)));
        let mut tables = Vec::new();
        tables.resize_with(options.threads.clamp(1, 256), Tables::new);
        let parameters = Parameters::of(&options.parameters);
        XiangqiEngine {
            parameters,
            reductions: reductions(100.0 / f64::from(parameters.late_divisor), 512),
            table: Transposition::new(options.hash_mb),
            tables,
            settings: Settings { width: options.width.map(|w| usize::from(w.max(1))), misjudge },
            network: loading::network(&options.evaluation).ok().flatten(),
            seed: options.seed,
        }
    }
}

impl Engine<Board> for XiangqiEngine {
    fn think(&mut self, root: &History<Board>, job: Job<'_, Move>) -> Option<Move> {
        let mut deadline = Deadline::new(&job.limits, &job.stop);
        let watch = Stopwatch::start();
        let mut legal = Vec::new();
        root.current().legal_moves(&mut legal);
        legal.retain(|mv| !job.left_out.contains(mv));
        let first = *legal.first()?;
        if job.book
            && job.left_out.is_empty()
            && !job.limits.is_infinite()
            && let Some(mv) = book::choose(root.current(), self.seed)
        {
            return Some(mv);
        }
        self.table.age();
        let multipv = job.multipv.min(legal.len());
        if legal.len() == 1 {
            deadline.one_reply();
        }
        let roots: Vec<RootMove> = legal
            .into_iter()
            .map(|mv| RootMove { mv, score: -INFINITE, previous: -INFINITE, nodes: 0, seldepth: 0, pv: vec![mv] })
            .collect();
        // The game is replayed to get the undo data of its moves.
        let mut board = root.start().clone();
        let mut line = Vec::with_capacity(root.ply() + MAX_PLY);
        for &mv in root.moves() {
            line.push(Some((mv, board.apply(mv))));
        }
        let threads = self.tables.len();
        let mut nodes = Vec::new();
        nodes.resize_with(threads, || AtomicU64::new(0));
        let shared = Shared {
            table: &self.table,
            parameters: self.parameters,
            reductions: &self.reductions,
            stop: AtomicBool::new(false),
            nodes,
            lead: Lead::default(),
            searching: CurrentlySearching::new(threads, DIVIDED),
        };
        let settings = &self.settings;
        let worker = |index: usize, tables| {
            let mut plies = vec![EMPTY_PLY; MAX_PLY + 4];
            plies[0].tally = Tally::of(&board);
            plies[0].shape = Shape::of(&board);
            plies[0].check = board.in_check(board.turn());
            Worker {
                shared: &shared,
                tables,
                deadline: None,
                settings: settings.clone(),
                index,
                board: board.clone(),
                keys: root.keys().collect(),
                line: line.clone(),
                before_root: root.ply(),
                plies,
                network: self.network.clone().map(|network| Accumulators::new(network, &board, MAX_PLY + 4)),
                pv: Lines::new(MAX_PLY + 2),
                list: Vec::with_capacity(4096),
                roots: roots.clone(),
                multi: 0,
                leaves_out: !job.left_out.is_empty(),
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
                spawn(scope, move || helper.deepen(&limits, multipv, &mut |_, _, _| {}));
            }
            let mut main = worker(0, main_tables);
            deadline.finish_first_depth();
            main.deadline = Some(&mut deadline);
            let info = job.info;
            let table = &shared.table;
            main.deepen(&job.limits, multipv, &mut |worker, multi, depth| {
                let line = &worker.roots[multi];
                let depth = depth as usize;
                info(Info {
                    nodes: worker.total_nodes(),
                    cutoffs: worker.cutoffs,
                    time: watch.elapsed(),
                    hashfull: table.hashfull(),
                    multipv: multi as u16 + 1,
                    ..Info::new(depth, line.seldepth.max(depth), value(line.score), line.pv.clone())
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
    use web_time::{Duration, Instant};

    fn history(fen: &str, moves: &str) -> History<Board> {
        let mut history = History::new(Board::parse(fen).unwrap());
        for text in moves.split_whitespace() {
            history.push(notation::read(history.current(), text).unwrap());
        }
        history
    }

    /// The engine's move, its node count and its value.
    fn think(options: &EngineOptions, root: &History<Board>, limits: Limits) -> (Option<String>, u64, Option<Value>) {
        let (mut nodes, mut value) = (0, None);
        let mut info = |info: Info<Move>| (nodes, value) = (info.nodes, Some(info.value));
        let job = Job::new(limits, StopToken::new(), &mut info);
        let mv = XiangqiEngine::new(options).think(root, job);
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
        assert!(seeds.len() > 1, "each seed has different errors");
    }

    #[test]
    fn each_depth_is_heard_once() {
        let mut heard = Vec::new();
        let mut info = |info: Info<Move>| heard.push(info.depth);
        let job = Job::new(Limits::depth(9), StopToken::new(), &mut info);
        XiangqiEngine::new(&EngineOptions { threads: 4, ..small() }).think(&history(MIDDLE, ""), job);
        assert!(heard.is_sorted_by(|a, b| a < b) && heard.last() == Some(&9), "{heard:?}");
    }

    #[test]
    fn more_threads_and_more_lines_answer_too() {
        let root = history(MIDDLE, "");
        let mut nodes = 0;
        let mut info = |info: Info<Move>| nodes = info.nodes;
        let job = Job { multipv: 3, ..Job::new(Limits::depth(6), StopToken::new(), &mut info) };
        let mv = XiangqiEngine::new(&EngineOptions { threads: 3, ..small() }).think(&root, job);
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
        let mut engine = XiangqiEngine::new(&small());
        let mut answer =
            |left_out| engine.think(&mate, Job { left_out, ..Job::new(Limits::depth(5), StopToken::new(), &mut |_| {}) });
        assert_eq!(answer(Vec::new()), Some(mv));
        assert!(answer(vec![mv]).is_some_and(|other| other != mv));
        assert_eq!(answer(Vec::new()), Some(mv), "an excluded move does not affect the next search");
    }

    #[test]
    fn no_perpetual_check_is_played_into_its_loss() {
        // Red has given check with every move; one more check repeats the position for the third time and loses.
        let root = history("1Nb3b2/8R/5k3/9/9/9/4P4/4K4/9/5A3 w - - 0 1", "i8i7 f7f8 i7i8 f8f7 i8i7 f7f8");
        for depth in [1, 4, 8] {
            let (mv, ..) = think(&small(), &root, Limits::depth(depth));
            assert_ne!(mv.as_deref(), Some("i7i8"), "depth {depth}");
        }
    }

    #[test]
    fn a_draw_by_checks_and_chases_in_turn_is_found() {
        // Black is mated unless the chariot goes on attacking the cannon or giving check.
        // Either alone loses by rule, both in turn draw.
        let root = history("3aka3/4n4/9/9/9/9/9/2C6/6r2/3AK4 b", "");
        assert_eq!(think(&small(), &root, Limits::depth(14)).2, Some(Value::Cp(0)));
        // Nor is it called lost before the other cycle is seen.
        assert!((1..14).all(|depth| think(&small(), &root, Limits::depth(depth)).2.unwrap().known().is_none()));
        // After each cycle the other one still draws.
        for cycle in ["g1c1 c2g2 c1g1 g2c2", "g1g0 e0e1 g0g1 e1e0"] {
            let root = history("3aka3/4n4/9/9/9/9/9/2C6/6r2/3AK4 b", cycle);
            assert_eq!(think(&small(), &root, Limits::depth(14)).2, Some(Value::Cp(0)), "{cycle}");
        }
    }

    #[test]
    fn a_mate_behind_a_forced_move_is_found_within_nodes() {
        for (fen, moves) in [
            ("2rak1R2/4a4/4b3b/p3C3N/4P1p2/2B3P2/8P/3R1A3/rc7/c2K1A3 b - - 0 1", 3),
            ("3akabC1/4n4/b3c4/p3C3p/9/P1R6/4r3P/N4R3/4A4/2BrKAB2 w - - 0 1", 4),
        ] {
            let (_, _, value) = think(&small(), &history(fen, ""), Limits::nodes(1_000_000));
            assert_eq!(value, Some(Value::Mate(moves)), "{fen}");
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
        let mv = XiangqiEngine::new(&small()).think(&root, Job::new(Limits::default(), stop, &mut |_| {}));
        assert!(mv.is_some());
        // The limit is 50 ms on an idle machine; a busy one gets more.
        assert!(begun.elapsed() < Duration::from_millis(600), "{:?}", begun.elapsed());
    }
}
