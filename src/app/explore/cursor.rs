//! Looking back: an earlier moment of the match is shown while the match itself stays as it is.

use crate::app::ground::intent::{Intent, Look};
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::play::{BoardChanged, CurrentMatch, Judging, in_match};
use bevy::prelude::*;
use std::time::Duration;

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
        .add_systems(Update, (look_about, go_on_walking).chain().in_set(Step::Referee).before(Judging).run_if(in_match))
        .add_systems(OnExit(Screen::Match), |mut walk: ResMut<Walk>| walk.next = None);
}
