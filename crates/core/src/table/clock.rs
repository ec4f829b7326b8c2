//! The game clock: the time of each side, and how it changes with every move.
//!
//! A clock does not measure time: its caller (the window, a protocol) reports the time used.

use crate::rules::{BySide, Side};
use crate::search::{self, Limits};
use ron::error::SpannedError;
use ron::value::RawValue;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::time::Duration;

/// The time control of a side. All times are in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TimeControl {
    /// No limit.
    #[default]
    Unlimited,
    /// A time for the whole game.
    Sudden {
        /// Seconds for the game.
        main: u32,
    },
    /// A time for the game and an increment after every move (Fischer).
    Increment {
        /// Seconds for the game.
        main: u32,
        /// Seconds added after each move.
        add: u32,
    },
    /// A time for the game, then periods. A move that ends within the period costs nothing (Japanese byo-yomi).
    ByoYomi {
        /// Seconds for the game.
        main: u32,
        /// Seconds of a period.
        period: u32,
        /// Number of periods.
        periods: u32,
    },
    /// A time for each move; unused time is lost.
    PerMove {
        /// Seconds for a move.
        seconds: u32,
    },
}

/// The longest time of a setting, in seconds: a day.
pub const LONGEST: u32 = 86_400;

impl TimeControl {
    /// The same time control with every number limited to its range.
    pub fn sane(self) -> TimeControl {
        let time = |seconds: u32| seconds.clamp(1, LONGEST);
        match self {
            TimeControl::Unlimited => self,
            TimeControl::Sudden { main } => TimeControl::Sudden { main: time(main) },
            TimeControl::Increment { main, add } => TimeControl::Increment { main: time(main), add: add.min(3600) },
            TimeControl::ByoYomi { main, period, periods } => {
                TimeControl::ByoYomi { main: main.min(LONGEST), period: time(period), periods: periods.clamp(1, 99) }
            }
            TimeControl::PerMove { seconds } => TimeControl::PerMove { seconds: time(seconds) },
        }
    }

    /// The time of a side before its first move.
    fn start(self) -> TimeLeft {
        let left = |seconds: u32| Duration::from_secs(u64::from(seconds));
        match self {
            TimeControl::Unlimited => TimeLeft { left: Duration::MAX, periods: 0 },
            TimeControl::Sudden { main } | TimeControl::Increment { main, .. } => TimeLeft { left: left(main), periods: 0 },
            TimeControl::ByoYomi { main: 0, period, periods } => TimeLeft { left: left(period), periods },
            TimeControl::ByoYomi { main, .. } => TimeLeft { left: left(main), periods: 0 },
            TimeControl::PerMove { seconds } => TimeLeft { left: left(seconds), periods: 0 },
        }
    }
}

/// The time controls of a match: most often both sides have the same.
impl BySide<TimeControl> {
    /// The same time control for both sides.
    pub const fn equal(control: TimeControl) -> Self {
        BySide::new(control, control)
    }

    /// True if the sides have different ones.
    pub fn differ(self) -> bool {
        self.first != self.second
    }

    /// True if the time of a side is limited.
    pub fn is_limited(self) -> bool {
        self != BySide::equal(TimeControl::Unlimited)
    }

    /// The same time controls with every number limited to its range.
    pub fn sane(self) -> Self {
        BySide::from_fn(|side| self[side].sane())
    }

    /// As text: one time control that both sides have, or `(first:..,second:..)`.
    ///
    /// # Errors
    /// None; RON can say all of them.
    pub fn written(self) -> ron::Result<String> {
        if self.differ() { ron::to_string(&self) } else { ron::to_string(&self.first) }
    }

    /// Reads what [`written`](Self::written) wrote.
    ///
    /// # Errors
    /// The text is neither one time control nor a pair.
    pub fn read(text: &str) -> Result<Self, SpannedError> {
        if text.trim_start().starts_with('(') { ron::from_str(text) } else { ron::from_str(text).map(BySide::equal) }
    }
}

/// The time controls in a file, for `serde(with)`: written as [`BySide::written`] does, so that files from the time when both sides had the same
/// are read as well.
pub mod controls_in_file {
    use super::*;

    /// Writes them.
    ///
    /// # Errors
    /// The serializer cannot write.
    pub fn serialize<S: Serializer>(controls: &BySide<TimeControl>, serializer: S) -> Result<S::Ok, S::Error> {
        if controls.differ() { controls.serialize(serializer) } else { controls.first.serialize(serializer) }
    }

    /// Reads them from a RON file.
    ///
    /// # Errors
    /// They are neither one time control nor a pair.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BySide<TimeControl>, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        BySide::read(text.get_ron()).map_err(|error| D::Error::custom(error.code))
    }
}

/// The remaining time of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLeft {
    /// Time left: of the main time, or of the current period.
    pub left: Duration,
    /// Byo-yomi: periods left, the current one included; 0 during the main time.
    pub periods: u32,
}

/// The time of one move.
#[derive(Clone, Copy, Debug)]
struct Turn {
    side: Side,
    before: TimeLeft,
    spent: Duration,
    after: TimeLeft,
}

/// The clock of a match.
#[derive(Clone, Debug)]
pub struct Clock {
    controls: BySide<TimeControl>,
    now: BySide<TimeLeft>,
    /// The time of each side at the beginning of its turn.
    before: BySide<TimeLeft>,
    spent: Duration,
    fallen: Option<Side>,
    past: Vec<Turn>,
    ahead: Vec<Turn>,
}

impl Clock {
    /// A new clock.
    pub fn new(controls: BySide<TimeControl>) -> Clock {
        let start = BySide::from_fn(|side| controls[side].start());
        Clock { controls, now: start, before: start, spent: Duration::ZERO, fallen: None, past: Vec::new(), ahead: Vec::new() }
    }

    /// The time control of each side.
    pub fn controls(&self) -> BySide<TimeControl> {
        self.controls
    }

    /// The remaining time of a side; `None` without a limit.
    pub fn left(&self, side: Side) -> Option<TimeLeft> {
        (self.controls[side] != TimeControl::Unlimited).then(|| self.now[side])
    }

    /// The side whose time ran out.
    pub fn fallen(&self) -> Option<Side> {
        self.fallen
    }

    /// Time used since the last move.
    pub fn spent(&self) -> Duration {
        self.spent
    }

    /// Time used for each move, first to last.
    pub fn times(&self) -> Vec<Duration> {
        self.past.iter().map(|turn| turn.spent).collect()
    }

    /// Subtracts time from the side to move. True if its time has run out, now or before.
    pub fn spend(&mut self, side: Side, time: Duration) -> bool {
        self.spent += time;
        if self.controls[side] == TimeControl::Unlimited {
            return false;
        }
        let now = &mut self.now[side];
        let mut due = time;
        while due >= now.left {
            due -= now.left;
            now.left = Duration::ZERO;
            let TimeControl::ByoYomi { period, periods, .. } = self.controls[side] else { break };
            now.periods = if now.periods == 0 { periods } else { now.periods - 1 };
            if now.periods == 0 {
                break;
            }
            now.left = Duration::from_secs(u64::from(period));
        }
        if now.left.is_zero() {
            self.fallen = Some(side);
            return true;
        }
        now.left -= due;
        false
    }

    /// Replaces the time used since the last move by what the side says it used. True if that is more than it had.
    pub fn told(&mut self, side: Side, time: Duration) -> bool {
        self.now = self.before;
        (self.spent, self.fallen) = (Duration::ZERO, None);
        self.spend(side, time)
    }

    /// To be called after the side has moved.
    pub fn moved(&mut self, side: Side) {
        let now = &mut self.now[side];
        match self.controls[side] {
            TimeControl::Increment { add, .. } => now.left += Duration::from_secs(u64::from(add)),
            TimeControl::ByoYomi { period, .. } if now.periods > 0 => now.left = Duration::from_secs(u64::from(period)),
            TimeControl::PerMove { seconds } => now.left = Duration::from_secs(u64::from(seconds)),
            _ => {}
        }
        self.past.push(Turn { side, before: self.before[side], spent: self.spent, after: self.now[side] });
        self.ahead.clear();
        self.begin_turn();
    }

    fn begin_turn(&mut self) {
        self.before = self.now;
        self.spent = Duration::ZERO;
        self.fallen = None;
    }

    /// To be called after undo: gives back the time of the last move and of the current turn.
    pub fn taken_back(&mut self) {
        self.now = self.before;
        if let Some(turn) = self.past.pop() {
            self.now[turn.side] = turn.before;
            self.ahead.push(turn);
        }
        self.begin_turn();
    }

    /// To be called after redo: subtracts the time of the move again.
    pub fn played_again(&mut self) {
        self.now = self.before;
        if let Some(turn) = self.ahead.pop() {
            self.now[turn.side] = turn.after;
            self.past.push(turn);
        }
        self.begin_turn();
    }

    /// Adds the clock of `side` to an engine's limits. It replaces a fixed time per move if that is the engine's only
    /// limit.
    pub fn limit(&self, side: Side, limits: &mut Limits) {
        /// Reserved for the communication with the engine and for slow frames.
        const MARGIN: Duration = Duration::from_millis(250);
        let Some(TimeLeft { left, periods }) = self.left(side) else { return };
        let usable = left.saturating_sub(MARGIN).max(left / 4);
        if limits.depth.is_none() && limits.nodes.is_none() && limits.mate.is_none() {
            limits.time = None;
        }
        let increment = match self.controls[side] {
            TimeControl::Increment { add, .. } => add,
            // A period restarts with each move, like an increment.
            TimeControl::ByoYomi { period, .. } if periods == 0 => period,
            TimeControl::PerMove { .. } | TimeControl::ByoYomi { .. } => {
                limits.time = Some(limits.time.map_or(usable, |time| time.min(usable)));
                return;
            }
            _ => 0,
        };
        let increment = Duration::from_secs(u64::from(increment));
        limits.clock = Some(search::RemainingTime { remaining: usable, increment, moves_to_go: None });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// A clock that is the same for both sides.
    fn even(control: TimeControl) -> Clock {
        Clock::new(BySide::equal(control))
    }

    fn left(clock: &Clock, side: Side) -> (u64, u32) {
        let left = clock.left(side).unwrap();
        (left.left.as_secs(), left.periods)
    }

    #[test]
    fn sudden_death_counts_down_and_falls_once() {
        let mut clock = even(TimeControl::Sudden { main: 10 });
        assert!(!clock.spend(Side::First, seconds(4)));
        clock.moved(Side::First);
        assert!(!clock.spend(Side::Second, seconds(9)));
        assert_eq!((left(&clock, Side::First), left(&clock, Side::Second)), ((6, 0), (1, 0)));
        assert!(clock.spend(Side::Second, seconds(1)));
        assert_eq!((clock.fallen(), left(&clock, Side::Second)), (Some(Side::Second), (0, 0)));
        assert_eq!(clock.times(), [seconds(4)]);
    }

    #[test]
    fn an_increment_comes_after_the_move() {
        let mut clock = even(TimeControl::Increment { main: 10, add: 3 });
        clock.spend(Side::First, seconds(5));
        assert_eq!(left(&clock, Side::First), (5, 0));
        clock.moved(Side::First);
        assert_eq!(left(&clock, Side::First), (8, 0));
    }

    #[test]
    fn byo_yomi_gives_periods_that_come_back() {
        let mut clock = even(TimeControl::ByoYomi { main: 10, period: 5, periods: 3 });
        // Twelve seconds: the main time and two seconds of the first period.
        assert!(!clock.spend(Side::First, seconds(12)));
        assert_eq!(left(&clock, Side::First), (3, 3));
        clock.moved(Side::First);
        assert_eq!(left(&clock, Side::First), (5, 3));
        // Eleven seconds use up two periods.
        assert!(!clock.spend(Side::First, seconds(11)));
        assert_eq!(left(&clock, Side::First), (4, 1));
        clock.moved(Side::First);
        assert_eq!(left(&clock, Side::First), (5, 1));
        assert!(clock.spend(Side::First, seconds(5)));
        assert_eq!(clock.fallen(), Some(Side::First));
        // Without main time the first period runs from the start; one long time counts the same as many short ones.
        let mut clock = even(TimeControl::ByoYomi { main: 0, period: 5, periods: 2 });
        assert_eq!(left(&clock, Side::Second), (5, 2));
        assert!(clock.spend(Side::Second, seconds(60)));
    }

    #[test]
    fn a_time_a_move_starts_anew() {
        let mut clock = even(TimeControl::PerMove { seconds: 5 });
        clock.spend(Side::First, seconds(4));
        clock.moved(Side::First);
        assert_eq!(left(&clock, Side::First), (5, 0));
        assert!(clock.spend(Side::Second, seconds(5)));
    }

    #[test]
    fn a_move_taken_back_gives_its_time_back() {
        let mut clock = even(TimeControl::Increment { main: 60, add: 2 });
        clock.spend(Side::First, seconds(10));
        clock.moved(Side::First);
        clock.spend(Side::Second, seconds(20));
        clock.taken_back();
        // Both have their time from before the move; the time used by the other side since then is given back too.
        assert_eq!((left(&clock, Side::First), left(&clock, Side::Second)), ((60, 0), (60, 0)));
        assert_eq!(clock.spent(), Duration::ZERO);
        clock.spend(Side::First, seconds(1));
        clock.played_again();
        assert_eq!((left(&clock, Side::First), left(&clock, Side::Second)), ((52, 0), (60, 0)));
        assert_eq!(clock.times(), [seconds(10)]);
        // After undo, the time has no longer run out.
        assert!(clock.spend(Side::Second, seconds(60)));
        clock.taken_back();
        assert_eq!(clock.fallen(), None);
        // A new move discards the moves that could be redone.
        clock.moved(Side::First);
        clock.played_again();
        assert_eq!(clock.times().len(), 1);
    }

    #[test]
    fn each_side_has_the_clock_it_was_given() {
        let (period, periods) = (5, 2);
        let controls =
            BySide::new(TimeControl::ByoYomi { main: 10, period, periods }, TimeControl::Increment { main: 60, add: 3 });
        let mut clock = Clock::new(controls);
        assert!(!clock.spend(Side::First, seconds(12)));
        clock.moved(Side::First);
        assert!(!clock.spend(Side::Second, seconds(13)));
        clock.moved(Side::Second);
        assert_eq!((left(&clock, Side::First), left(&clock, Side::Second)), ((5, 2), (50, 0)));
        clock.taken_back();
        clock.taken_back();
        assert_eq!((left(&clock, Side::First), left(&clock, Side::Second)), ((10, 0), (60, 0)));
        clock.played_again();
        assert_eq!(left(&clock, Side::First), (5, 2));
        // The second side's turn: it has more than the first side ever had.
        assert!(!clock.spend(Side::Second, seconds(59)));
        assert!(clock.spend(Side::Second, seconds(1)));
        assert_eq!(clock.fallen(), Some(Side::Second));
        // Who has no clock has all the time; the other side's still falls, and an engine gets its own.
        let mut clock = Clock::new(BySide::new(TimeControl::Unlimited, TimeControl::Sudden { main: 10 }));
        assert!(!clock.spend(Side::First, seconds(1_000_000)));
        clock.moved(Side::First);
        assert_eq!((clock.left(Side::First), left(&clock, Side::Second)), (None, (10, 0)));
        let limits = Side::BOTH.map(|side| {
            let mut limits = Limits::time(seconds(2));
            clock.limit(side, &mut limits);
            (limits.time, limits.clock.is_some())
        });
        assert_eq!(limits, [(Some(seconds(2)), false), (None, true)]);
        assert!(clock.spend(Side::Second, seconds(10)));
        assert_eq!(clock.times(), [seconds(1_000_000)]);
    }

    #[test]
    fn controls_are_written_once_if_both_sides_have_the_same() {
        let (ten, one) = (TimeControl::Sudden { main: 600 }, TimeControl::PerMove { seconds: 60 });
        for (controls, text) in [
            (BySide::equal(ten), "Sudden(main:600)"),
            (BySide::default(), "Unlimited"),
            (BySide::new(ten, one), "(first:Sudden(main:600),second:PerMove(seconds:60))"),
            (BySide::new(TimeControl::Unlimited, one), "(first:Unlimited,second:PerMove(seconds:60))"),
        ] {
            assert_eq!((controls.written().unwrap().as_str(), BySide::read(text)), (text, Ok(controls)));
            let in_file = InFile { control: controls };
            let text = format!("(control:{text})");
            assert_eq!((ron::to_string(&in_file).unwrap(), ron::from_str(&text)), (text.clone(), Ok(in_file)));
        }
        for wrong in
            ["", "(", "Sudden", "Sudden(main:-1)", "(first:Unlimited)", "(first:Unlimited,second:7)", "Unlimited,Unlimited"]
        {
            assert!(BySide::read(wrong).is_err(), "{wrong}");
            assert!(ron::from_str::<InFile>(&format!("(control:{wrong})")).is_err(), "{wrong}");
        }
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct InFile {
        #[serde(with = "controls_in_file")]
        control: BySide<TimeControl>,
    }

    #[test]
    fn engines_get_the_time_left() {
        let mut limits = Limits { nodes: Some(100), time: Some(seconds(2)), ..Limits::default() };
        even(TimeControl::Unlimited).limit(Side::First, &mut limits);
        assert_eq!(limits.clock, None);
        even(TimeControl::Increment { main: 60, add: 1 }).limit(Side::First, &mut limits);
        let told = limits.clock.unwrap();
        assert!(told.remaining < seconds(60) && told.remaining > seconds(59) && told.increment == seconds(1));
        assert_eq!((limits.time, limits.nodes), (Some(seconds(2)), Some(100)));
        // The only limit of the strongest level is a time per move: the clock replaces it.
        let mut limits = Limits::time(seconds(2));
        even(TimeControl::Sudden { main: 600 }).limit(Side::First, &mut limits);
        assert_eq!(limits.time, None);
        let mut limits = Limits::time(seconds(20));
        even(TimeControl::PerMove { seconds: 5 }).limit(Side::First, &mut limits);
        assert!(limits.time.is_some_and(|time| time < seconds(5) && time > seconds(4)));
    }

    #[test]
    fn settings_out_of_range_are_limited() {
        assert_eq!(TimeControl::Sudden { main: 0 }.sane(), TimeControl::Sudden { main: 1 });
        let tamed = TimeControl::ByoYomi { main: u32::MAX, period: 0, periods: 0 }.sane();
        assert_eq!(tamed, TimeControl::ByoYomi { main: LONGEST, period: 1, periods: 1 });
    }
}
