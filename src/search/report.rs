//! What a search tells while it runs.

use crate::rules::Outcome;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A score as people and protocols read it, from the view of the side to move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// Hundredths of the game's unit.
    Cp(i32),
    /// Won in so many of the winner's own moves; negative when the side to move is lost.
    Mate(i32),
    /// Known for certain: a win, draw or loss and its distance.
    #[serde(untagged)]
    Exact {
        /// Which of the three.
        outcome: Known,
        /// Plies to the end with best play; 0 for a draw.
        plies: u32,
    },
}

/// A position's true value for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Known {
    /// The side to move wins.
    Win,
    /// Neither side can win.
    Draw,
    /// The side to move loses.
    Loss,
}

/// What is known for certain of a position, and how far off its end is where that is known too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Win, draw or loss for the side to move.
    pub known: Known,
    /// Plies to the end with best play by both; 0 for a draw, `None` where only the outcome is known.
    pub plies: Option<u32>,
}

impl Verdict {
    /// How good it is for the side to move: more is better. A win is the better the sooner it comes and a loss the later; a decided
    /// position without a distance is far from its end.
    pub fn rank(self) -> i64 {
        const DECIDED: i64 = 1 << 40;
        let plies = self.plies.map_or(1 << 30, i64::from);
        match self.known {
            Known::Win => DECIDED - plies,
            Known::Draw => 0,
            Known::Loss => plies - DECIDED,
        }
    }

    /// What the same is to the other side.
    pub fn reversed(self) -> Verdict {
        let known = match self.known {
            Known::Win => Known::Loss,
            Known::Draw => Known::Draw,
            Known::Loss => Known::Win,
        };
        Verdict { known, plies: self.plies }
    }
}

/// One line of progress of a search.
#[derive(Clone, Debug)]
pub struct Info<M> {
    /// Depth finished, in plies.
    pub depth: u16,
    /// The deepest ply looked at.
    pub seldepth: u16,
    /// The value of the line for the side to move.
    pub value: Value,
    /// Positions visited so far.
    pub nodes: u64,
    /// Cut-offs so far: nodes where a move made the rest of the moves needless.
    pub cutoffs: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u16,
    /// The principal variation: what both sides are expected to play.
    pub pv: Vec<M>,
    /// 1 for the best line, 2 for the next, ...
    pub multipv: u16,
}

/// What a search has spent so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    /// Positions visited.
    pub nodes: u64,
    /// Nodes where a move made the rest of the moves needless.
    pub cutoffs: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u16,
}

impl<M> Info<M> {
    /// A best line: the depth finished, the deepest ply looked at, the value and the line itself.
    pub fn new(depth: usize, seldepth: usize, value: Value, pv: Vec<M>, effort: Effort) -> Self {
        let Effort { nodes, cutoffs, time, hashfull } = effort;
        Info { depth: depth as u16, seldepth: seldepth as u16, value, nodes, cutoffs, time, hashfull, pv, multipv: 1 }
    }

    /// The same as a further line: 1 is the best, 2 the next.
    pub fn with_multipv(self, line: usize) -> Self {
        Info { multipv: line as u16, ..self }
    }

    /// Positions visited a second.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// `nodes` a second over `time`; short times do not divide by zero.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64
}

impl Value {
    /// The value of a finished game for the side `mover`.
    pub fn of_outcome(outcome: Outcome, mover: crate::rules::Side) -> Value {
        let known = match outcome.winner {
            None => Known::Draw,
            Some(side) if side == mover => Known::Win,
            Some(_) => Known::Loss,
        };
        Value::Exact { outcome: known, plies: 0 }
    }
}
