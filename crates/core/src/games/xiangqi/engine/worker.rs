//! One search thread: its position and current line, and the data shared by all threads.

use super::evaluation::{self, Tally};
use super::history::{PieceTo, Shape, Tables};
use super::network::{Accumulators, Network};
use super::ordering::ScoredMove;
use super::parameters::Parameters;
use super::root::RootMove;
use super::scores::{MOST, UNKNOWN, is_banned};
use crate::games::xiangqi::rules::board::{Board, Move, Undo};
use crate::search::{Bound, CurrentlySearching, Deadline, Entry, Lead, Lines, Misjudge, Reductions, Score, Transposition};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The deepest ply a search may reach.
pub const MAX_PLY: usize = 120;

/// One thread of a search.
pub struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    pub tables: &'a mut Tables,
    pub deadline: Option<&'a mut Deadline>,
    pub settings: Settings,
    pub index: usize,
    pub board: Board,
    /// Keys of the game and the line, the current position last.
    pub keys: Vec<u64>,
    /// The last move of each position except the first; `None` is a null move.
    pub line: Vec<Option<(Move, Undo)>>,
    /// The number of positions of the game before the root.
    pub before_root: usize,
    pub plies: Vec<Ply>,
    /// The network, if it replaces the hand-written evaluation.
    pub network: Option<Accumulators>,
    pub pv: Lines<Move>,
    pub list: Vec<ScoredMove>,
    pub roots: Vec<RootMove>,
    /// The index of the multi-PV line being searched.
    pub multi: usize,
    /// Whether root moves are excluded, so that the root's score is not that of the position.
    pub leaves_out: bool,
    pub root_depth: i32,
    pub nodes: u64,
    pub cutoffs: u64,
    pub seldepth: usize,
    /// During the verification of a null move: no null move before this ply.
    pub no_null_until: usize,
    pub stopped: bool,
    /// Another thread has finished the current depth.
    pub overtaken: bool,
}

/// The search state of a ply of the current line.
#[derive(Clone, Copy)]
pub struct Ply {
    /// Of the hand-written evaluation.
    pub tally: Tally,
    pub evaluation: i32,
    pub shape: Shape,
    pub check: bool,
    /// The moves since the last null move, or very many.
    pub since_null: u16,
    pub piece_to: PieceTo,
    pub killers: [Move; 2],
    /// The excluded move of a singular search.
    pub excluded: Move,
    /// The extensions on the path to this ply.
    pub extended: i32,
}

pub const EMPTY_PLY: Ply = Ply {
    tally: Tally::NONE,
    evaluation: UNKNOWN,
    shape: Shape::NONE,
    check: false,
    since_null: u16::MAX,
    piece_to: PieceTo::NONE,
    killers: [Move::NONE; 2],
    excluded: Move::NONE,
    extended: 0,
};

/// The data shared by the threads of one search.
pub struct Shared<'a> {
    pub table: &'a Transposition,
    pub parameters: Parameters,
    pub reductions: &'a Reductions,
    pub stop: AtomicBool,
    /// The node counts of the threads, updated from time to time.
    pub nodes: Vec<AtomicU64>,
    /// The root moves of the deepest finished depth.
    pub lead: Lead<Vec<RootMove>>,
    pub searching: CurrentlySearching,
}

/// The settings of a search.
#[derive(Clone)]
pub struct Settings {
    pub width: Option<usize>,
    pub misjudge: Option<Arc<Misjudge<()>>>,
}

impl Worker<'_> {
    /// True once the search must end.
    #[inline(always)]
    pub fn reached(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        if self.nodes & 511 == 0 {
            self.shared.nodes[self.index].store(self.nodes, Ordering::Relaxed);
            self.overtaken = self.shared.lead.depth() >= self.root_depth;
            self.stopped = self.overtaken || self.shared.stop.load(Ordering::Relaxed);
        }
        let others = if self.shared.nodes.len() > 1 && self.nodes & 511 == 0 {
            self.shared.nodes.iter().map(|n| n.load(Ordering::Relaxed)).sum::<u64>() - self.nodes
        } else {
            0
        };
        if let Some(deadline) = &mut self.deadline
            && deadline.reached_among(self.nodes, others)
        {
            self.stopped = true;
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        self.stopped
    }

    pub fn total_nodes(&self) -> u64 {
        let others = self.shared.nodes.iter().enumerate().filter(|(index, _)| *index != self.index);
        self.nodes + others.map(|(_, n)| n.load(Ordering::Relaxed)).sum::<u64>()
    }

    /// Makes a legal move.
    #[inline]
    pub fn make(&mut self, mv: Move, ply: usize) {
        let Some(piece) = self.board.at(mv.from()) else { return };
        let undo = self.board.apply(mv);
        self.shared.table.prefetch(self.board.hash());
        self.plies[ply].piece_to = PieceTo::new(piece, mv.to());
        self.plies[ply + 1].check = self.board.in_check(self.board.turn());
        self.plies[ply + 1].since_null = self.plies[ply].since_null.saturating_add(1);
        self.plies[ply + 1].shape = self.plies[ply].shape.after(&self.board, piece, undo.captured());
        match &mut self.network {
            None => self.plies[ply + 1].tally = self.plies[ply].tally.after(mv, piece, undo.captured()),
            Some(network) => network.note(ply, mv, piece, undo.captured()),
        }
        self.keys.push(self.board.hash());
        self.line.push(Some((mv, undo)));
    }

    #[inline]
    pub fn unmake(&mut self) {
        self.keys.pop();
        if let Some(Some((mv, undo))) = self.line.pop() {
            self.board.revert(mv, undo);
        }
    }

    /// The static evaluation for the side to move, with the error of the level.
    pub fn evaluate(&mut self, ply: usize) -> i32 {
        let worth = match &mut self.network {
            None => evaluation::evaluate(&self.board, self.plies[ply].tally),
            Some(network) => Network::worth(&self.board, network.judge(ply, &self.board)),
        };
        let error = self.settings.misjudge.as_ref().map_or(0, |misjudge| misjudge.error(self.board.hash()));
        (worth + error).clamp(-MOST, MOST)
    }

    /// The moves one, two and four plies before.
    pub fn before(&self, ply: usize) -> [PieceTo; 3] {
        let at = |back: usize| if ply >= back { self.plies[ply - back].piece_to } else { PieceTo::NONE };
        [at(1), at(2), at(4)]
    }

    /// Stores the result of a node in the table.
    pub fn store(&self, code: Move, score: i32, static_evaluation: i32, depth: i32, bound: Bound, ply: usize) {
        if is_banned(score) {
            return;
        }
        let entry = Entry {
            code: code.0,
            score: Score(score).from_root(ply),
            eval: static_evaluation as i16,
            depth: depth.clamp(0, 255) as u8,
            bound,
        };
        self.shared.table.store(self.board.hash(), entry);
    }

    /// An evaluation with the correction of similar positions.
    pub fn corrected(&self, ply: usize, evaluation: i32) -> i32 {
        (evaluation + self.tables.correction(self.board.turn(), self.plies[ply].shape)).clamp(-MOST, MOST)
    }
}
