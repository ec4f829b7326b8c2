//! One search thread: its position with the accumulator, the current line, and its tables.

use super::accumulator::Accumulator;
use super::evaluation;
use super::network::Network;
use super::ordering::Candidate;
use super::parameters::Parameters;
use super::tables::Tables;
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::Class;
use crate::games::gomoku::rules::spot::Spot;
use crate::rules::{Position, Side};
use crate::search::{CurrentlySearching, Deadline, Entry, Info, Lead, Lines, Misjudge, Reductions, Score, Transposition, Value};
use std::sync::Arc;

/// What the search keeps of each ply of its path.
#[derive(Clone, Copy)]
pub struct Level {
    /// The evaluation for the side to move.
    pub eval: i32,
    /// The move that is searched, and what its point was for both sides.
    pub spot: Option<Spot>,
    pub made: [Class; 2],
    /// By how much more than a ply the moves so far were extended, in all.
    pub extended: i32,
    pub killers: [u16; 2],
}

impl Level {
    const NOTHING: Level = Level { eval: 0, spot: None, made: [Class::Nothing; 2], extended: 0, killers: [0; 2] };
}

/// Draws some of the leaves of a search, each with the same chance.
pub struct Sampler {
    /// The moves from the root to each leaf drawn.
    pub drawn: Vec<Vec<Spot>>,
    offered: u64,
    random: fastrand::Rng,
}

impl Sampler {
    /// The number of leaves.
    const COUNT: usize = 4;

    /// A sampler that has drawn nothing.
    pub fn new(seed: u64) -> Sampler {
        Sampler { drawn: Vec::new(), offered: 0, random: fastrand::Rng::with_seed(seed) }
    }

    /// Perhaps takes this leaf.
    pub fn offer(&mut self, path: &[Spot]) {
        self.offered += 1;
        let at = self.random.u64(0..self.offered) as usize;
        if self.drawn.len() < Self::COUNT {
            self.drawn.push(path.to_vec());
        } else if let Some(one) = self.drawn.get_mut(at) {
            *one = path.to_vec();
        }
    }
}

/// The levels before that of the root.
pub const BEFORE_ROOT: usize = 4;

/// The deepest ply a search may reach.
pub const MAX_PLY: usize = 128;
/// A win in 0 plies.
pub const WIN: i32 = Score::WIN.0;
/// Scores of at least this absolute value encode the plies to the end of the game.
pub const DECIDED: i32 = Score::DECIDED.0;
/// Larger than every score.
pub const INFINITE: i32 = Score::INFINITE.0;

/// The settings of a search.
pub struct Settings {
    /// The evaluation errors of a low level.
    pub misjudge: Option<Misjudge<()>>,
    /// Whether it searches for proofs; the low levels do not.
    pub proves: bool,
    /// The number of moves searched in a position without threats; `None` is the engine's own choice.
    pub width: Option<usize>,
    pub parameters: Parameters,
    /// The network of the evaluation; `None` for the one by values alone.
    pub network: Option<Arc<Network>>,
    pub reductions: Box<Reductions>,
    /// The number of moves that are searched, for each depth in plies, if the side to move improves.
    pub move_limits: Box<[usize; 64]>,
}

/// The data shared by the threads of one search.
pub struct Shared<'a> {
    pub table: &'a Transposition,
    pub searching: CurrentlySearching,
    pub lead: Lead<DepthResult>,
}

/// What a thread found at a depth.
#[derive(Clone, Debug, Default)]
pub struct DepthResult {
    pub score: i32,
    /// The best line.
    pub line: Vec<Spot>,
    pub seldepth: usize,
}

/// A running search.
pub struct Worker<'a> {
    pub settings: &'a Settings,
    pub shared: &'a Shared<'a>,
    /// Whether a depth that another thread has finished is given up.
    pub follows: bool,
    /// Root moves that may not be chosen.
    pub left_out: &'a [Spot],
    /// This thread's own.
    pub tables: &'a mut Tables,
    pub board: Board,
    pub accumulator: Accumulator,
    pub deadline: Deadline,
    pub nodes: u64,
    /// The node count of the search for fours when this search began.
    fours_before: u64,
    pub cutoffs: u64,
    pub seldepth: usize,
    pub stopped: bool,
    pub root_depth: i32,
    pub pv: Lines<Spot>,
    /// The moves from the root to the current node.
    pub path: Vec<Spot>,
    /// Stacks of the nodes on the path: the moves of each that are still to be searched, and those that were searched.
    pub candidates: Vec<Candidate>,
    pub tried: Vec<Spot>,
    /// Of each ply, after those [before the root](BEFORE_ROOT).
    pub levels: Vec<Level>,
    /// The width of the window at the root.
    pub root_window: i32,
    /// Root moves that earlier lines of multi-PV begin with.
    pub excluded: Vec<Spot>,
    /// Draws leaves, for training.
    pub sampler: Option<Sampler>,
    /// Root moves that are proven to lose, with the plies to the opponent's five.
    pub lost: Vec<(Spot, usize)>,
}

impl<'a> Worker<'a> {
    /// A new search of this position.
    pub fn new(settings: &'a Settings, shared: &'a Shared<'a>, tables: &'a mut Tables, board: Board, deadline: Deadline) -> Self {
        Worker {
            settings,
            shared,
            follows: false,
            left_out: &[],
            accumulator: Accumulator::of(&board, settings.network.clone()),
            fours_before: tables.fours.nodes(),
            tables,
            board,
            deadline,
            nodes: 0,
            cutoffs: 0,
            seldepth: 0,
            stopped: false,
            root_depth: 0,
            pv: Lines::new(MAX_PLY),
            path: Vec::new(),
            candidates: Vec::new(),
            tried: Vec::new(),
            levels: vec![Level::NOTHING; BEFORE_ROOT + MAX_PLY + 4],
            root_window: 1,
            excluded: Vec::new(),
            sampler: None,
            lost: Vec::new(),
        }
    }

    /// The same search with these root moves excluded.
    pub fn leaving_out(self, left_out: &'a [Spot]) -> Self {
        Worker { left_out, ..self }
    }

    /// Whether the search must end: the limit is reached, or the current depth is given up.
    pub fn ends(&mut self) -> bool {
        // The first depth is always finished, so that there is a searched move; it takes a few milliseconds.
        let visited = self.visited();
        self.root_depth > 1 && self.deadline.reached(visited) || self.is_overtaken()
    }

    /// Whether another thread has finished the current depth, and this one follows it.
    pub fn is_overtaken(&self) -> bool {
        self.follows && self.shared.lead.depth() >= self.root_depth
    }

    /// Positions visited, including the search for fours.
    pub fn visited(&self) -> u64 {
        self.nodes + self.tables.fours.nodes() - self.fours_before
    }

    /// The report of a line, with the work done so far.
    pub fn report(&self, depth: usize, seldepth: usize, value: Value, pv: Vec<Spot>) -> Info<Spot> {
        Info {
            nodes: self.visited(),
            cutoffs: self.cutoffs,
            time: self.deadline.elapsed(),
            hashfull: self.shared.table.hashfull(),
            ..Info::new(depth, seldepth, value, pv)
        }
    }

    /// Begins a node of the search. `false` if the search must end: it is stopped then.
    pub fn enter(&mut self, ply: usize) -> bool {
        self.nodes += 1;
        self.pv.clear(ply);
        if self.ends() {
            self.stopped = true;
            return false;
        }
        self.seldepth = self.seldepth.max(ply);
        true
    }

    /// Makes a move of the search.
    pub fn make(&mut self, spot: Spot, ply: usize) {
        let level = &mut self.levels[BEFORE_ROOT + ply];
        (level.spot, level.made) = (Some(spot), Side::BOTH.map(|side| self.board.class(spot, side)));
        self.shared.table.prefetch(self.board.key_after(spot));
        self.accumulator.make(&mut self.board, spot);
        self.path.push(spot);
    }

    /// Takes the last move back.
    pub fn unmake(&mut self, spot: Spot) {
        self.path.pop();
        self.accumulator.unmake(&mut self.board, spot);
    }

    /// The evaluation of a position in which the side to move need not stop a five; a table entry keeps it.
    pub fn judged(&mut self, known: Option<Entry>) -> i32 {
        known.map_or_else(|| self.evaluate(), |entry| entry.eval.into())
    }

    /// The static evaluation for the side to move, with the error of the level.
    pub fn evaluate(&mut self) -> i32 {
        let error = self.settings.misjudge.as_ref().map_or(0, |misjudge| misjudge.error(self.board.key()));
        Score::evaluation(evaluation::evaluate(&self.board, &mut self.accumulator) + error).0
    }
}
