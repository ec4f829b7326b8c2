//! How long a move may take: fixed limits, and a share of a playing clock that grows and shrinks with what the search sees.

use crate::search::{Limits, StopToken};
use std::time::{Duration, Instant};

/// Kept back for the way from the engine to whoever waits.
const OVERHEAD: Duration = Duration::from_millis(12);
/// Nodes between two looks at the time: a fraction of a millisecond.
const STRIDE: u64 = 1024;

/// Watches the limits of one search.
pub struct Watch {
    started: Instant,
    /// The share of a clock meant for this move.
    share: Option<Duration>,
    /// Never longer than this.
    most: Option<Duration>,
    nodes: Option<u64>,
    early: bool,
    stop: StopToken,
    next_look: u64,
}

impl Watch {
    /// Starts the watch now.
    pub fn new(limits: &Limits, stop: &StopToken) -> Watch {
        let mut most = limits.time.map(|time| time.saturating_sub(OVERHEAD.min(time / 20)));
        let mut share = None;
        if let Some(clock) = limits.clock {
            let usable = clock.remaining.saturating_sub(OVERHEAD).max(Duration::from_millis(1));
            let moves = u32::from(clock.moves_to_go.unwrap_or(38).clamp(1, 60));
            let fair = (usable / moves + clock.increment * 3 / 4).min(usable * 7 / 10);
            // The last move before more time comes may use what there is.
            let ceiling = if moves == 1 { usable * 9 / 10 } else { (fair * 5).min(usable / 3).max(fair) };
            share = Some(if moves == 1 { ceiling } else { fair });
            most = Some(most.map_or(ceiling, |fixed| fixed.min(ceiling)));
        }
        Watch {
            started: Instant::now(),
            share,
            most,
            nodes: limits.nodes,
            early: limits.depth.is_none() && limits.mate.is_none() && !limits.is_infinite(),
            stop: stop.clone(),
            next_look: 0,
        }
    }

    /// The moment the search began.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// There is but one legal move: a clock is not spent on it.
    pub fn one_reply(&mut self) {
        if let Some(share) = &mut self.share {
            *share /= 20;
        }
    }

    /// True once the search must end: `own` nodes of the main thread, `others` of the rest.
    #[inline(always)]
    pub fn reached(&mut self, own: u64, others: u64) -> bool {
        if self.nodes.is_some_and(|limit| own + others >= limit) {
            return true;
        }
        if own < self.next_look {
            return false;
        }
        self.next_look = own + STRIDE;
        self.stop.is_stopped() || self.most.is_some_and(|limit| self.started.elapsed() >= limit)
    }

    /// True if a further depth is not worth beginning: the best move has been so for `stable` depths, took this part of the
    /// nodes, and its score has fallen by so much.
    pub fn enough(&self, stable: u32, effort: f64, fallen: i32) -> bool {
        if self.stop.is_stopped() {
            return true;
        }
        let Some(share) = self.share else { return false };
        let calm = 1.25 - 0.07 * f64::from(stable.min(8));
        let clear = 1.6 - effort;
        let worried = 1.0 + f64::from(fallen.max(0)) / 120.0;
        self.started.elapsed().as_secs_f64() >= share.as_secs_f64() * 0.62 * calm * clear.max(0.5) * worried
    }

    /// True if the search may answer before its time is up.
    pub fn may_finish_early(&self) -> bool {
        self.early
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::RemainingTime;

    fn watch(remaining: u64, increment: u64, moves_to_go: Option<u16>) -> Watch {
        let [remaining, increment] = [remaining, increment].map(Duration::from_millis);
        let clock = Some(RemainingTime { remaining, increment, moves_to_go });
        Watch::new(&Limits { clock, ..Limits::default() }, &StopToken::new())
    }

    #[test]
    fn no_clock_is_overdrawn() {
        for (remaining, increment, to_go) in [
            (60_000, 0, None),
            (1000, 0, None),
            (100, 0, None),
            (50, 1000, None),
            (20, 0, None),
            (500, 0, Some(1)),
            (500, 0, Some(2)),
            (9, 0, Some(40)),
        ] {
            let watch = watch(remaining, increment, to_go);
            let most = watch.most.unwrap();
            assert!(most < Duration::from_millis(remaining), "{remaining}+{increment}/{to_go:?}: {most:?}");
            assert!(watch.share.unwrap() <= most);
        }
        assert!(watch(300_000, 0, None).most.unwrap() > Duration::from_secs(20));
    }

    #[test]
    fn a_fixed_time_leaves_room_for_the_answer() {
        for ms in [1, 100, 3000] {
            let time = Duration::from_millis(ms);
            let most = Watch::new(&Limits::time(time), &StopToken::new()).most.unwrap();
            assert!(most < time && most >= time * 19 / 20, "{time:?}: {most:?}");
        }
    }

    #[test]
    fn nodes_and_the_token_end_a_search() {
        let stop = StopToken::new();
        let mut watch = Watch::new(&Limits::nodes(1000), &stop);
        assert!(!watch.reached(999, 0) && watch.reached(1000, 0) && watch.reached(900, 100));
        let mut endless = Watch::new(&Limits::default(), &stop);
        assert!(!endless.reached(1, 0));
        stop.stop();
        assert!(endless.reached(1 + STRIDE, 0));
    }
}
