//! The opponent the project grew from, rebuilt from its description: plain minimax, five plies deep, on only the difference of
//! stones.
//!
//! White counts up, Black counts down. Steps are tried by rows from the top, each stone right, down, left, up, and the first of the best is
//! kept. A side that cannot move has lost by a hundred less the plies from the root, so a nearer loss is worse. The search does not know that a
//! side with fewer than two stones has lost: it plays on to its depth.

use crate::games::two_eat_one::rules::board::{Board, Step};
use crate::rules::{History, Position, Side};
use crate::search::{Deadline, Effort, Engine, Info, Job, Lines, Value};

/// Plies the original looks ahead.
const DEPTH: u16 = 5;
/// What being stuck at the root counts, in stones.
const STUCK: i32 = 100;

/// The seed's searcher.
pub struct Seed;

struct Run {
    board: Board,
    deadline: Deadline,
    nodes: u64,
    pv: Lines<Step>,
}

impl Run {
    /// White's stones less Black's, looked at from `depth` plies ahead; `None` when stopped.
    fn minimax(&mut self, depth: u16, ply: usize) -> Option<i32> {
        self.nodes += 1;
        self.pv.clear(ply);
        let turn = self.board.side_to_move();
        if depth == 0 {
            let count = |side| self.board.stones(side).count_ones() as i32;
            return Some(count(Side::First) - count(Side::Second));
        }
        let mut steps = Vec::with_capacity(20);
        self.board.steps(turn, &mut steps);
        let sign = if turn == Side::First { 1 } else { -1 };
        if steps.is_empty() {
            return Some(-sign * (STUCK - ply as i32));
        }
        let mut best: Option<i32> = None;
        for step in steps {
            let undo = self.board.make(step);
            let value = if self.deadline.reached(self.nodes) { None } else { self.minimax(depth - 1, ply + 1) };
            self.board.unmake(step, undo);
            let value = value?;
            if best.is_none_or(|best| sign * value > sign * best) {
                best = Some(value);
                self.pv.keep(ply, step);
            }
        }
        best
    }
}

/// The count as a value for the side to move.
fn value(count: i32, turn: Side) -> Value {
    let own = if turn == Side::First { count } else { -count };
    if own.abs() <= 12 {
        return Value::Cp(100 * own);
    }
    let moves = (STUCK - own.abs() + 1) / 2;
    Value::Mate(if own > 0 { moves } else { -moves })
}

impl Engine<Board> for Seed {
    /// Searches to `limits.depth` (5 where none is given) in one go; where time or nodes are limited, depth by depth so that there is
    /// always a finished answer.
    fn think(&mut self, root: &History<Board>, job: Job<'_, Step>) -> Option<Step> {
        let board = root.current().clone();
        let mut legal = Vec::new();
        board.legal_moves(&mut legal);
        let mut best = *legal.first()?;
        let depth = job.limits.depth.unwrap_or(DEPTH).clamp(1, 60);
        let bounded = job.limits.time.is_some() || job.limits.nodes.is_some() || job.limits.clock.is_some();
        let first_depth = if bounded { 1 } else { depth };
        let turn = board.side_to_move();
        let deadline = Deadline::new(&job.limits, &job.stop);
        let mut run = Run { board, deadline, nodes: 0, pv: Lines::new(usize::from(depth)) };
        for depth in first_depth..=depth {
            let count = run.minimax(depth, 0);
            if let Some(step) = run.pv.best()
                && (count.is_some() || depth == first_depth)
            {
                best = step;
            }
            let Some(count) = count else { break };
            let effort = Effort { nodes: run.nodes, time: run.deadline.elapsed(), ..Effort::default() };
            let depth = usize::from(depth);
            (job.info)(Info::new(depth, depth, value(count, turn), run.pv.root().to_vec(), effort));
            if run.deadline.enough_for_next_depth() {
                break;
            }
        }
        Some(best)
    }
}
