//! The clock of the match. It runs for the side to move whatever is shown, but not in a pause and while an engine or the board is loaded.

use super::game::{Beginning, CurrentMatch, in_match};
use super::think::Thinking;
use crate::app::ground::picture::Ready;
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use bevy::prelude::*;
use qiju_core::rules::{BySide, Side};
use qiju_core::table::{Clock, TimeLeft};
use std::time::Duration;

/// The clock of the match, with each seat's time. Only this file, the referee and what a friend tells change it.
#[derive(Resource)]
pub struct MatchClock {
    clock: Clock,
    /// True if the time until the next frame is that of the side to move.
    running: bool,
    /// True from a pause until the user returns to the board, also in a page opened from the pause.
    paused: bool,
}

impl Default for MatchClock {
    fn default() -> Self {
        MatchClock { clock: Clock::new(BySide::default()), running: false, paused: false }
    }
}

/// Sent when a person's time is low: once at [`SHORT`], then in each of the last five seconds.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct LowTime(pub Side);

/// Below this time, tenths of a second are shown.
pub const SHORT: Duration = Duration::from_secs(10);

impl MatchClock {
    /// The clock, read only.
    pub fn get(&self) -> &Clock {
        &self.clock
    }

    /// The side whose time has run out.
    pub fn fallen(&self) -> Option<Side> {
        self.clock.fallen()
    }

    /// The time a friend used for the move that comes next, as their own clock has it.
    pub fn told(&mut self, seat: Side, time: Duration) {
        self.clock.told(seat, time);
    }

    /// To be called after a move; returns the time it took.
    pub(super) fn moved(&mut self, side: Side) -> Duration {
        let spent = self.clock.spent();
        self.clock.moved(side);
        spent
    }

    /// The player to move has used time that was not seen here.
    pub(super) fn waited(&mut self, side: Side, time: Duration) {
        self.clock.spend(side, time);
    }

    pub(super) fn taken_back(&mut self) {
        self.clock.taken_back();
    }

    pub(super) fn played_again(&mut self) {
        self.clock.played_again();
    }

    /// The time until the display of the clock changes; `None` if it does not run.
    pub fn next_change(&self, turn: Side) -> Option<Duration> {
        // That of a friend stands at nothing until they say so.
        let TimeLeft { left, .. } = self.clock.left(turn).filter(|left| self.running && !left.left.is_zero())?;
        if left <= SHORT {
            return Some(Duration::from_millis(100));
        }
        // Seconds are rounded up.
        Some(Duration::from_nanos(u64::from(left.subsec_nanos())) + Duration::from_millis(2))
    }
}

fn wind_up(current: Res<CurrentMatch>, mut clock: ResMut<MatchClock>) {
    let told = match &current.beginning {
        Beginning::Fresh => Clock::new(current.control),
        Beginning::Journal(clock) | Beginning::Record(clock) => clock.clone(),
    };
    *clock = MatchClock { clock: told, ..MatchClock::default() };
}

/// Takes the time since the last frame from the side whose clock ran.
fn spend(current: Res<CurrentMatch>, mut clock: ResMut<MatchClock>, time: Res<Time<Real>>, mut low: MessageWriter<LowTime>) {
    let clock = clock.bypass_change_detection();
    if !clock.running {
        return;
    }
    let turn = current.table().seat_to_move();
    let before = clock.clock.left(turn).map(|left| left.left);
    clock.clock.spend(turn, time.delta());
    let after = clock.clock.left(turn).map(|left| left.left);
    if let (Some(before), Some(after)) = (before, after)
        && current.human_to_move()
    {
        let crossed = |mark: Duration| before > mark && after <= mark;
        if crossed(SHORT) || (1..=5).any(|second| crossed(Duration::from_secs(second))) {
            low.write(LowTime(turn));
        }
    }
}

/// Decides whether the clock runs until the next frame.
fn run(
    current: Res<CurrentMatch>,
    mut clock: ResMut<MatchClock>,
    (ready, menu): (Res<Ready>, Res<State<Menu>>),
    thinking: Query<&Thinking>,
) {
    let clock = clock.bypass_change_detection();
    let by_letter = current.is_by_letter();
    clock.paused = match menu.get() {
        Menu::None => false,
        // A friend elsewhere sees no pause.
        Menu::Pause => !by_letter,
        _ => clock.paused,
    };
    // An engine that is still being loaded costs nobody time, and neither does an answer that is held back for the eye.
    let at_work = || thinking.iter().any(|thinking| thinking.is_of(&current) && thinking.is_at_work());
    let both_sit = current.goes_by_itself() || current.looks_on();
    clock.running = match by_letter {
        // Both clocks run as soon as both sit at the board. What the friend's shows is a guess until their move comes.
        true => current.outcome().is_none() && both_sit && !current.is_paused(),
        false => ready.0 && !clock.paused && (current.human_to_move() || current.engine_to_move() && at_work()),
    };
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<MatchClock>()
        .add_message::<LowTime>()
        .add_systems(OnEnter(Screen::Match), wind_up)
        .add_systems(Update, spend.in_set(Step::Tick).run_if(in_match))
        .add_systems(Update, run.in_set(Step::Settle).run_if(in_match));
}
