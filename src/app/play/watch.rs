//! Two computers play and people watch: the match can be stopped and played step by step.

use super::game::{CurrentMatch, in_match};
use crate::app::ground::requests::WatchRequest;
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use bevy::prelude::*;
use qiju_core::record::SeatSpec;
use qiju_core::rules::Side;
use std::time::Duration;

/// Whether a match that people only watch goes on.
#[derive(Resource, Default)]
pub struct Watch {
    paused: bool,
    /// One more move is played although it is stopped.
    step: bool,
}

impl Watch {
    /// True while the match is stopped.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// True if the next move may be played now.
    pub(super) fn lets_play(&self) -> bool {
        !self.paused || self.step
    }

    /// A move was played.
    pub(super) fn played(&mut self) {
        self.step = false;
    }
}

impl CurrentMatch {
    /// True where no person plays, here or elsewhere.
    pub fn is_watched(&self) -> bool {
        Side::BOTH.into_iter().all(|seat| !matches!(self.seats[seat], SeatSpec::Human | SeatSpec::Friend))
    }

    /// The least time between two moves, so that the eye can follow.
    pub(super) fn pace(&self, settings: &Settings) -> Duration {
        if self.is_watched() { Duration::from_millis(settings.watch_pace_ms) } else { Duration::ZERO }
    }
}

fn follow(mut requests: MessageReader<WatchRequest>, mut watch: ResMut<Watch>, current: Res<CurrentMatch>) {
    for request in requests.read() {
        match request {
            WatchRequest::Pause(paused) if current.is_watched() => *watch = Watch { paused: *paused, step: false },
            WatchRequest::Step if current.is_watched() => *watch = Watch { paused: true, step: true },
            _ => {}
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Watch>()
        .add_systems(OnEnter(Screen::Match), |mut watch: ResMut<Watch>| *watch = Watch::default())
        .add_systems(Update, follow.in_set(Step::Input).run_if(in_match));
}
