//! The fade between screens: a new screen appears from the desk and rises slightly.

use super::desk::Desk;
use super::frames::FrameRequests;
use super::pace;
use super::pace::Run;
use crate::app::ground::layout::Layout;
use crate::app::ground::picture::{Hurry, Ready};
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use bevy::prelude::*;

/// The time of a fade, in seconds.
const SECONDS: f32 = 0.18;
/// How far a new screen rises, in logical pixels.
const RISE: f32 = 8.0;

/// The desk over a screen that has just appeared, fading out.
#[derive(Resource, Default)]
pub struct Fade {
    run: Run,
    rises: bool,
    waiting: bool,
    board_only: bool,
}

impl Fade {
    /// The opacity, 0 to 1.
    pub fn strength(&self) -> f32 {
        if self.waiting { 1.0 } else { 1.0 - pace::ease_in_out(self.run.part()) }
    }

    /// True if it covers only the board, not the panel.
    pub fn is_of_the_board(&self) -> bool {
        self.board_only
    }

    /// A short fade of the board only.
    pub(super) fn over_board(&mut self) {
        *self = Fade { run: Run::of(pace::FADE), rises: false, waiting: false, board_only: true };
    }

    /// The distance of the screen below its final place, in logical pixels.
    pub fn drop(&self) -> f32 {
        if self.rises { RISE * (1.0 - pace::ease_out(self.run.part())) } else { 0.0 }
    }
}

fn advance_fade(
    mut fade: ResMut<Fade>,
    mut transitions: MessageReader<StateTransitionEvent<Screen>>,
    (settings, desk, ready, hurry): (Res<Settings>, Res<Desk>, Res<Ready>, Res<Hurry>),
    (screen, layout): (Res<State<Screen>>, Res<Layout>),
    mut cameras: Query<&mut Transform, With<Camera2d>>,
    time: Res<Time<Real>>,
    mut frames: ResMut<FrameRequests>,
) {
    let fade = fade.bypass_change_detection();
    for change in transitions.read() {
        if change.exited == change.entered {
            continue;
        }
        // The first screen appears without a fade.
        let seconds = if change.exited == Some(Screen::Loading) { 0.0 } else { pace::seconds_or_fade(&settings, SECONDS) };
        *fade = Fade { run: Run::of(seconds), rises: !settings.reduced_motion, waiting: seconds > 0.0, board_only: false };
    }
    // A board is shown only when its picture is ready.
    fade.waiting &= desk.picture().is_some() && *screen.get() == Screen::Match && !ready.0;
    if hurry.0 {
        fade.run.finish();
    }
    if !fade.waiting && !fade.run.is_over() {
        fade.run.step(pace::step(&time));
        frames.keep();
    }
    let below = (fade.drop() * layout.scale).round();
    for mut camera in &mut cameras {
        if camera.translation.y != below {
            camera.translation.y = below;
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Fade>().add_systems(Update, advance_fade.after(Step::Animate));
}
