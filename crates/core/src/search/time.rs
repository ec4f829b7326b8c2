//! Time management: the clock of all searches, the time a move may take, and the deadline of a running search.
//!
//! This is the only module of the engines that uses the system clock; a build for another platform replaces [`Stopwatch`].

use super::{Limits, StopToken};
use web_time::{Duration, Instant};

/// Measures the time since it was started.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Self {
        Stopwatch(Instant::now())
    }

    /// The time since the start.
    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

/// Reserved for sending the answer to the caller.
const OVERHEAD: Duration = Duration::from_millis(12);
/// The expected number of moves to the end of the game, if the time is for the rest of the game.
const EXPECTED_MOVES: u16 = 38;
/// The part of a move's time after which no new depth is started, because it would probably not be finished in time.
const NEXT_DEPTH: f64 = 0.62;

/// The time one move may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allotment {
    /// The share of the game clock planned for the move; `None` without a clock.
    pub share: Option<Duration>,
    /// The time after which the search must have ended; `None` if only the stop token ends it.
    pub most: Option<Duration>,
}

impl Allotment {
    /// The time of a move under these limits. A fixed time is used except for the overhead (at most a twentieth of it). With a game
    /// clock, the share of a move is its part of the remaining time plus three quarters of the increment. The limit is up to five
    /// times the share, for moves where the search is unsure, but at most a third of the remaining time, or nine tenths before the
    /// last move of a time control.
    pub fn of(limits: &Limits) -> Self {
        let mut most = limits.time.map(|time| time.saturating_sub(OVERHEAD.min(time / 20)));
        let mut share = None;
        if let Some(clock) = limits.clock {
            let usable = clock.remaining.saturating_sub(OVERHEAD).max(Duration::from_millis(1));
            let moves = u32::from(clock.moves_to_go.unwrap_or(EXPECTED_MOVES).clamp(1, 60));
            let fair = (usable / moves + clock.increment * 3 / 4).min(usable * 7 / 10);
            let ceiling = if moves == 1 { usable * 9 / 10 } else { (fair * 5).min(usable / 3).max(fair) };
            share = Some(if moves == 1 { ceiling } else { fair });
            most = Some(most.map_or(ceiling, |fixed| fixed.min(ceiling)));
        }
        Allotment { share, most }
    }

    /// The expected time of the search: the share of the clock, or all of a fixed time. `None` without a limit.
    pub fn expected(&self) -> Option<Duration> {
        match (self.share, self.most) {
            (Some(share), Some(most)) => Some(share.min(most)),
            (share, most) => share.or(most),
        }
    }
}

/// How stable the best move is after a finished depth.
#[derive(Clone, Copy, Debug)]
pub struct Steadiness {
    /// The number of depths for which the move has been the best.
    pub stable: u32,
    /// The part of all nodes spent on it, 0 to 1.
    pub effort: f64,
    /// By how much its score fell in the last depth, in hundredths of the game's unit; negative if it rose.
    pub fallen: i32,
}

impl Steadiness {
    /// The factor for the time of a move: small for a clear move, large for an unclear one.
    fn factor(self) -> f64 {
        let calm = 1.25 - 0.07 * f64::from(self.stable.min(8));
        let clear = (1.6 - self.effort).max(0.5);
        let worried = 1.0 + f64::from(self.fallen.clamp(0, 100)) / 120.0;
        calm * clear * worried
    }
}

/// Checks the limits and the stop token of a running search. Reading the clock costs time, so the search passes its node count and
/// the clock is read only every [`Deadline::STRIDE`] nodes.
#[derive(Debug)]
pub struct Deadline {
    /// Runs since the search began.
    watch: Stopwatch,
    /// Runs since the time of the search counts: from the beginning, or from the ponder hit.
    counted: Stopwatch,
    allotment: Allotment,
    nodes: Option<u64>,
    stop: StopToken,
    stopped: bool,
    /// True while the search runs on the opponent's time.
    pondering: bool,
    /// True if the search would already have answered, but it is still pondering.
    ready: bool,
    /// Whether the search may end before its time is used: not if a depth was asked for, and not without a limit.
    early: bool,
    /// Whether the first depth is still searched, which only a limit of nodes ends.
    first_depth: bool,
    next_look: u64,
}

impl Deadline {
    /// Nodes between two readings of the clock: about a millisecond of search.
    pub const STRIDE: u64 = 512;

    /// Starts now. If the token is pondering, time counts from the ponder hit. A search that would have answered before that
    /// answers at once.
    pub fn new(limits: &Limits, stop: &StopToken) -> Self {
        let watch = Stopwatch::start();
        Deadline {
            watch,
            counted: watch,
            allotment: Allotment::of(limits),
            nodes: limits.nodes,
            stop: stop.clone(),
            stopped: false,
            pondering: stop.is_pondering(),
            ready: false,
            early: limits.depth.is_none() && limits.mate.is_none() && !limits.is_infinite(),
            first_depth: false,
            next_look: 0,
        }
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    /// The expected time of the search; `None` without a limit.
    pub fn expected(&self) -> Option<Duration> {
        self.allotment.expected()
    }

    /// To be called if there is only one legal move: almost none of the clock is spent on it.
    pub fn one_reply(&mut self) {
        if let Some(share) = &mut self.allotment.share {
            *share /= 20;
        }
    }

    /// To be called where a search begins with its first depth: that is finished whatever the token and the clock say, so the
    /// answer is a move that was searched. It takes some milliseconds at most.
    pub fn finish_first_depth(&mut self) {
        self.first_depth = true;
        self.stopped = false;
    }

    /// True once the search must end; stays true.
    #[inline(always)]
    pub fn reached(&mut self, nodes: u64) -> bool {
        self.reached_among(nodes, 0)
    }

    /// [`reached`](Deadline::reached) for one of several threads: its `own` nodes, and the last known count of the `others`.
    #[inline(always)]
    pub fn reached_among(&mut self, own: u64, others: u64) -> bool {
        if self.stopped {
            return true;
        }
        if self.nodes.is_some_and(|limit| own + others >= limit) {
            self.stopped = true;
            return true;
        }
        if own < self.next_look {
            return false;
        }
        self.next_look = own + Self::STRIDE;
        self.stopped = !self.first_depth && (self.stop.is_stopped() || !self.ponders() && (self.ready || self.time_is_up()));
        self.stopped
    }

    fn time_is_up(&self) -> bool {
        self.allotment.most.is_some_and(|limit| self.counted.elapsed() >= limit)
    }

    /// True while the search is pondering; its time counts from the end of this.
    fn ponders(&mut self) -> bool {
        if self.pondering && !self.stop.is_pondering() {
            self.pondering = false;
            self.counted = Stopwatch::start();
        }
        self.pondering
    }

    /// [`reached`](Deadline::reached) for callers that ask rarely: always reads the clock.
    pub fn look(&mut self, nodes: u64) -> bool {
        self.next_look = 0;
        self.reached(nodes)
    }

    /// True if no new depth should be started, because it would probably not be finished.
    pub fn enough_for_next_depth(&mut self) -> bool {
        self.spent(1.0)
    }

    /// The same for a search that knows how stable its best move is.
    pub fn enough(&mut self, steadiness: Steadiness) -> bool {
        self.spent(steadiness.factor())
    }

    fn spent(&mut self, factor: f64) -> bool {
        self.first_depth = false;
        let used_up = |share: Duration| self.watch.elapsed() >= share.mul_f64(NEXT_DEPTH * factor);
        self.ready = self.allotment.share.is_some_and(used_up);
        self.stopped || self.stop.is_stopped() || self.ready && !self.ponders()
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

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u16>) -> Limits {
        let [remaining, increment] = [remaining, increment].map(Duration::from_millis);
        Limits { clock: Some(RemainingTime { remaining, increment, moves_to_go }), ..Limits::default() }
    }

    /// Milliseconds left, increment, moves to go; then the ranges of the share and of the limit of a move.
    type Case = (u64, u64, Option<u16>, (u64, u64), (u64, u64));

    const CLOCKS: &[Case] = &[
        // A long game: a part of the time, with a reserve.
        (300_000, 0, None, (7_000, 8_000), (35_000, 40_000)),
        (60_000, 0, None, (1_500, 1_600), (7_500, 8_000)),
        // Most of the increment is used.
        (60_000, 2_000, None, (3_000, 3_100), (15_000, 16_000)),
        (2_000, 1_000, None, (750, 850), (650, 850)),
        // The next time control is near.
        (60_000, 0, Some(10), (5_900, 6_000), (19_000, 20_000)),
        (500, 0, Some(2), (200, 250), (200, 250)),
        (500, 0, Some(1), (400, 450), (400, 450)),
        // Almost no time left.
        (1_000, 0, None, (20, 30), (120, 140)),
        (100, 0, None, (1, 3), (8, 14)),
        (50, 1_000, None, (20, 30), (20, 30)),
        (20, 0, None, (0, 1), (0, 3)),
        (9, 0, Some(40), (0, 1), (0, 1)),
    ];

    #[test]
    fn the_first_depth_is_finished() {
        let stop = StopToken::new();
        stop.stop();
        let mut deadline = Deadline::new(&Limits::default(), &stop);
        assert!(deadline.look(0));
        deadline.finish_first_depth();
        assert!(!deadline.look(0));
        assert!(deadline.enough_for_next_depth() && deadline.look(0));
        // A limit of nodes is kept.
        let mut deadline = Deadline::new(&Limits::nodes(10), &stop);
        deadline.finish_first_depth();
        assert!(!deadline.reached(9) && deadline.reached(10));
    }

    #[test]
    fn a_clock_is_shared_out_and_never_overdrawn() {
        for &(remaining, increment, moves_to_go, share, most) in CLOCKS {
            let allotment = Allotment::of(&clock(remaining, increment, moves_to_go));
            let case = format!("{remaining}+{increment}/{moves_to_go:?}: {allotment:?}");
            let within = |time: Option<Duration>, (low, high): (u64, u64)| {
                time.is_some_and(|time| (Duration::from_millis(low)..=Duration::from_millis(high)).contains(&time))
            };
            assert!(within(allotment.share, share) && within(allotment.most, most), "{case}");
            assert!(allotment.most < Some(Duration::from_millis(remaining)) && allotment.share <= allotment.most, "{case}");
        }
    }

    #[test]
    fn a_game_by_these_shares_never_runs_out() {
        for (start, increment) in [(1_000, 0), (10_000, 0), (3_000, 100), (60_000, 1_000)] {
            let mut left = Duration::from_millis(start);
            for ply in 0..300 {
                let most = Allotment::of(&clock(left.as_millis() as u64, increment, None)).most.unwrap();
                // Every move takes its limit and a little for sending it; this may be too much only when almost no time is left.
                let spent = most + Duration::from_millis(1);
                assert!(spent <= left || left < Duration::from_millis(10), "{start}+{increment}: {left:?} left at move {ply}");
                left = left.saturating_sub(spent) + Duration::from_millis(increment);
            }
        }
    }

    #[test]
    fn a_fixed_time_is_kept_to_and_used() {
        for ms in [1, 100, 3_000, 600_000] {
            let time = Duration::from_millis(ms);
            let allotment = Allotment::of(&Limits::time(time));
            let most = allotment.most.unwrap();
            assert!(most < time && most >= time * 19 / 20, "{time:?}: {most:?}");
            assert_eq!(allotment.share, None);
        }
        // The smaller of a fixed time and the limit of the clock counts.
        let both = Limits { time: Some(Duration::from_millis(50)), ..clock(60_000, 0, None) };
        assert!(Allotment::of(&both).most.unwrap() < Duration::from_millis(50));
        assert_eq!(Allotment::of(&Limits::depth(3)), Allotment::default());
    }

    #[test]
    fn nodes_and_the_token_end_a_search() {
        let stop = StopToken::new();
        assert!(!Deadline::new(&Limits::nodes(1000), &stop).reached(999));
        assert!(Deadline::new(&Limits::nodes(1000), &stop).reached(1000));
        assert!(Deadline::new(&Limits::nodes(1000), &stop).reached_among(900, 100));
        let mut endless = Deadline::new(&Limits::default(), &stop);
        assert!(!endless.reached(1) && !endless.enough_for_next_depth());
        stop.stop();
        assert!(endless.reached(1 + Deadline::STRIDE) && endless.reached(1) && endless.enough_for_next_depth());
    }

    #[test]
    fn while_a_search_ponders_no_time_counts() {
        let look = |deadline: &mut Deadline| deadline.look(0);
        // A fixed time counts from the hit.
        let stop = StopToken::pondering();
        let mut deadline = Deadline::new(&Limits::time(Duration::from_millis(20)), &stop);
        std::thread::sleep(Duration::from_millis(25));
        assert!(!look(&mut deadline));
        stop.ponder_hit();
        assert!(!look(&mut deadline));
        std::thread::sleep(Duration::from_millis(25));
        assert!(look(&mut deadline));

        // A share of the clock that was used up while pondering ends the search at the hit; before it, it goes on.
        let stop = StopToken::pondering();
        let mut deadline = Deadline::new(&clock(1_000, 0, None), &stop);
        std::thread::sleep(Duration::from_millis(30));
        assert!(!deadline.enough_for_next_depth() && !look(&mut deadline));
        stop.ponder_hit();
        assert!(look(&mut deadline) && deadline.enough_for_next_depth());

        // A search that was not yet ready goes on after the hit.
        let stop = StopToken::pondering();
        let mut deadline = Deadline::new(&clock(1_000_000, 0, None), &stop);
        assert!(!deadline.enough_for_next_depth());
        stop.ponder_hit();
        assert!(!look(&mut deadline) && !deadline.enough_for_next_depth());

        // A raised token ends it, pondering or not.
        let stop = StopToken::pondering();
        stop.stop();
        assert!(look(&mut Deadline::new(&Limits::default(), &stop)));
    }

    #[test]
    fn a_clear_move_takes_less_time_than_one_in_doubt() {
        let factor = |stable, effort, fallen| Steadiness { stable, effort, fallen }.factor();
        assert!(factor(8, 0.95, 0) < 0.7 && factor(0, 0.2, 60) > 1.5);
        assert!(factor(3, 0.5, -50) == factor(3, 0.5, 0) && factor(9, 0.5, 0) == factor(8, 0.5, 0));
    }

    #[test]
    fn early_answers_are_for_limited_searches_without_a_depth() {
        let early = |limits| Deadline::new(&limits, &StopToken::new()).may_finish_early();
        assert!(early(Limits::nodes(5)) && early(Limits::time(Duration::from_secs(1))) && early(clock(1, 0, None)));
        assert!(!early(Limits::depth(5)) && !early(Limits::default()) && !early(Limits { mate: Some(2), ..Limits::default() }));
    }
}
