//! How far a search may go, and the clock that says when it has gone there.

use super::StopToken;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Limits of one search. The first one reached ends it; with none, it runs until stopped.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Plies to search.
    pub depth: Option<u16>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Wall time for the move.
    pub time: Option<Duration>,
    /// The playing clock, from which the engine takes a share.
    pub clock: Option<RemainingTime>,
    /// Look only for a win in so many of one's own moves.
    pub mate: Option<u16>,
}

impl Limits {
    /// Only a depth.
    pub fn depth(depth: u16) -> Self {
        Limits { depth: Some(depth), ..Self::default() }
    }

    /// Only a number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        Limits { nodes: Some(nodes), ..Self::default() }
    }

    /// Only a time.
    pub fn time(time: Duration) -> Self {
        Limits { time: Some(time), ..Self::default() }
    }

    /// True if nothing but the stop token ends the search.
    pub fn is_infinite(&self) -> bool {
        *self == Limits::default()
    }
}

/// The mover's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemainingTime {
    /// Time left.
    pub remaining: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves until more time comes; `None` is the rest of the game.
    pub moves_to_go: Option<u16>,
}

/// Watches limits and stop token for a running search. Looking at the time costs, so a search asks with its node
/// count and the time is looked at only every [`Deadline::STRIDE`] nodes.
#[derive(Debug)]
pub struct Deadline {
    started: Instant,
    soft: Option<Duration>,
    hard: Option<Duration>,
    nodes: Option<u64>,
    stop: StopToken,
    stopped: bool,
    next_look: u64,
}

impl Deadline {
    /// Nodes between two looks at the time: well under a millisecond of search.
    pub const STRIDE: u64 = 512;
    /// Kept back for the way from the engine to whoever waits.
    const OVERHEAD: Duration = Duration::from_millis(10);

    /// Starts the watch now.
    pub fn new(limits: &Limits, stop: &StopToken) -> Self {
        let mut soft = None;
        let mut hard = limits.time;
        if let Some(clock) = limits.clock {
            let usable = clock.remaining.saturating_sub(Self::OVERHEAD * 3).max(Duration::from_millis(1));
            let moves = u32::from(clock.moves_to_go.unwrap_or(35).clamp(1, 60));
            let share = usable / moves + clock.increment * 3 / 4;
            let share_hard = (share * 4).min(usable / 2).max(share.min(usable));
            soft = Some(share.min(usable) * 6 / 10);
            hard = Some(hard.map_or(share_hard, |h| h.min(share_hard)));
        }
        Deadline { started: Instant::now(), soft, hard, nodes: limits.nodes, stop: stop.clone(), stopped: false, next_look: 0 }
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// True once the search must end; stays true.
    #[inline]
    pub fn reached(&mut self, nodes: u64) -> bool {
        if self.stopped {
            return true;
        }
        if self.nodes.is_some_and(|limit| nodes >= limit) {
            self.stopped = true;
            return true;
        }
        if nodes >= self.next_look {
            self.next_look = nodes + Self::STRIDE;
            self.stopped = self.stop.is_stopped() || self.hard.is_some_and(|limit| self.started.elapsed() >= limit);
        }
        self.stopped
    }

    /// [`reached`](Deadline::reached) for callers that ask seldom: looks at the time in any case.
    pub fn look(&mut self, nodes: u64) -> bool {
        self.next_look = 0;
        self.reached(nodes)
    }

    /// True if a further depth is not worth beginning: it would hardly finish.
    pub fn enough_for_next_depth(&self) -> bool {
        let elapsed = self.started.elapsed();
        self.stopped || self.stop.is_stopped() || self.soft.is_some_and(|limit| elapsed >= limit)
    }
}
