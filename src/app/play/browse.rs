//! Looking back: an earlier moment of the match is shown while the match itself stays as it is.

use super::{BoardChanged, CurrentMatch, Passage};
use crate::app::intent::Intent;
use crate::app::settings::Settings;
use crate::app::state::Screen;
use bevy::prelude::*;
use std::time::Duration;

/// A step through the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// To the beginning.
    First,
    /// One move back.
    Back,
    /// One move forward.
    Forward,
    /// To the present.
    Last,
    /// To the position after so many moves.
    At(usize),
}

/// More steps than this are not shown one by one.
const SHOWN_STEPS: usize = 1;

impl CurrentMatch {
    /// Looks at another moment; what that changes on the board, in order.
    pub(super) fn look(&mut self, look: Look) -> Vec<BoardChanged> {
        let mut steps = self.leave_aside();
        let (now, here) = (self.table.ply(), self.shown().ply());
        let there = match look {
            Look::First => 0,
            Look::Back => here.saturating_sub(1),
            Look::Forward => here + 1,
            Look::Last => now,
            Look::At(ply) => ply,
        };
        let there = there.min(now);
        if there == here {
            return steps;
        }
        let mut shown = self.looked_at.take().unwrap_or_else(|| self.table.boxed_clone());
        let passage = match here.abs_diff(there) {
            steps if steps > SHOWN_STEPS => Passage::Leapt,
            _ if there < here => Passage::TakenBack,
            _ => Passage::Replayed,
        };
        while shown.ply() != there {
            let back = there < shown.ply();
            let step = if back { BoardChanged::by_undo(shown.as_mut()) } else { BoardChanged::by_redo(shown.as_mut()) };
            let Some(step) = step else { break };
            steps.push(BoardChanged { passage, ..step });
        }
        self.looked_at = (shown.ply() != now).then_some(shown);
        steps
    }

    /// The first and the last ply of the cycle that closed with the present position: its earlier appearance, and now.
    pub fn cycle(&self) -> Option<(usize, usize)> {
        let mut table = self.table.boxed_clone();
        let (key, last) = (table.key(), table.ply());
        while table.undo().is_some() {
            if table.key() == key {
                return Some((table.ply(), last));
            }
        }
        None
    }
}

/// Moves shown one after the other, as a film.
#[derive(Resource, Default)]
pub struct Walk {
    next: Option<Duration>,
}

impl Walk {
    /// When the next step is due, on the program's clock.
    pub fn next(&self) -> Option<Duration> {
        self.next
    }
}

/// Between two steps of the film, at normal speed.
const STEP: Duration = Duration::from_millis(700);

fn look_about(
    mut intents: MessageReader<Intent>,
    mut current: ResMut<CurrentMatch>,
    mut changed: MessageWriter<BoardChanged>,
    mut walk: ResMut<Walk>,
    time: Res<Time<Real>>,
) {
    for intent in intents.read() {
        match *intent {
            Intent::Look(look) => {
                walk.next = None;
                changed.write_batch(current.look(look));
            }
            Intent::ShowCycle => {
                if let Some((from, _)) = current.cycle() {
                    changed.write_batch(current.look(Look::At(from)));
                    walk.next = Some(time.elapsed() + STEP);
                }
            }
            _ => {}
        }
    }
}

fn go_on_walking(
    mut walk: ResMut<Walk>,
    mut current: ResMut<CurrentMatch>,
    mut changed: MessageWriter<BoardChanged>,
    time: Res<Time<Real>>,
    settings: Res<Settings>,
) {
    if walk.next.is_none_or(|due| time.elapsed() < due) {
        return;
    }
    changed.write_batch(current.look(Look::Forward));
    let pause = STEP.div_f32(settings.speed.clamp(0.5, 2.0));
    walk.next = current.is_looking_back().then(|| time.elapsed() + pause);
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Walk>()
        .add_systems(
            Update,
            (look_about, go_on_walking)
                .chain()
                .in_set(crate::app::Step::Referee)
                .before(super::referee::Judge)
                .run_if(super::in_match),
        )
        .add_systems(OnExit(Screen::Match), |mut walk: ResMut<Walk>| walk.next = None);
}
