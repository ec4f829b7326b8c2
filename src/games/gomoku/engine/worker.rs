//! One thread of a search: its position with the standing, the line that led there, and what it keeps between searches.

use super::evaluation;
use super::standing::Standing;
use super::tables::Tables;
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::spot::Spot;
use crate::rules::Position;
use crate::search::{Deadline, Effort, Lines, Misjudge, Score, Transposition};
use std::sync::LazyLock;

/// Deepest ply a search may reach.
pub const MAX_PLY: usize = 128;
/// A win in 0 plies.
pub const WIN: i32 = Score::WIN.0;
/// Scores at least this far from zero count plies to the end of the game.
pub const DECIDED: i32 = Score::DECIDED.0;
/// Beyond every score.
pub const INFINITE: i32 = Score::INFINITE.0;

/// What stays the same during a search.
pub struct Manner {
    /// The errors of a low level.
    pub misjudge: Option<Misjudge<()>>,
    /// Whether it proves wins; the low levels do not.
    pub proves: bool,
    /// Moves searched in a position that is not forced; `None` is all that are worth it.
    pub width: Option<usize>,
}

/// Late-move reductions in plies, by depth and number of the move.
static REDUCTIONS: LazyLock<[[i32; 64]; 64]> = LazyLock::new(|| {
    let mut reductions = [[0; 64]; 64];
    for (depth, row) in reductions.iter_mut().enumerate().skip(1) {
        for (count, reduction) in row.iter_mut().enumerate().skip(1) {
            *reduction = ((depth as f64).ln() * (count as f64).ln() + 0.5) as i32;
        }
    }
    reductions
});

/// A search that is running.
pub struct Worker<'a> {
    pub manner: &'a Manner,
    /// Root moves that may not be played.
    pub left_out: &'a [Spot],
    /// Shared by all threads.
    pub table: &'a Transposition,
    /// This thread's own.
    pub tables: &'a mut Tables,
    pub reductions: &'static [[i32; 64]; 64],
    pub board: Board,
    pub standing: Standing,
    pub deadline: Deadline,
    pub nodes: u64,
    /// What the searcher for fours had visited when this search began.
    fours_before: u64,
    pub cutoffs: u64,
    pub seldepth: usize,
    pub stopped: bool,
    pub root_depth: i32,
    pub pv: Lines<Spot>,
    /// The moves on the way from the root.
    pub path: Vec<Spot>,
    pub evals: Vec<i32>,
    pub killers: Vec<[u16; 2]>,
    /// Root moves already reported as better lines.
    pub excluded: Vec<Spot>,
    /// Root moves the enemy is proven to win against, with the plies to its five.
    pub lost: Vec<(Spot, usize)>,
}

impl<'a> Worker<'a> {
    /// A search of this position that has not begun.
    pub fn new(manner: &'a Manner, table: &'a Transposition, tables: &'a mut Tables, board: Board, deadline: Deadline) -> Self {
        Worker {
            manner,
            left_out: &[],
            table,
            reductions: &REDUCTIONS,
            standing: Standing::of(&board),
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
            evals: vec![0; MAX_PLY + 2],
            killers: vec![[0; 2]; MAX_PLY + 2],
            excluded: Vec::new(),
            lost: Vec::new(),
        }
    }

    /// The same without these moves at the root.
    pub fn leaving_out(self, left_out: &'a [Spot]) -> Self {
        Worker { left_out, ..self }
    }

    /// Positions visited, those of the search for fours among them.
    pub fn visited(&self) -> u64 {
        self.nodes + self.tables.fours.nodes() - self.fours_before
    }

    /// What the search has spent so far.
    pub fn effort(&self) -> Effort {
        Effort { nodes: self.visited(), cutoffs: self.cutoffs, time: self.deadline.elapsed(), hashfull: self.table.hashfull() }
    }

    /// The position's worth for the side to move, misjudged as the level has it.
    pub fn evaluate(&self) -> i32 {
        let error = self.manner.misjudge.as_ref().map_or(0, |misjudge| misjudge.error(self.board.key()));
        Score::evaluation(evaluation::evaluate(&self.board, &self.standing) + error).0
    }
}
