//! The rotation of the board about its centre when it is flipped.

use super::fade::Fade;
use super::frames::FrameRequests;
use super::pace;
use super::pace::Run;
use crate::app::ground::layout::Layout;
use crate::app::ground::picture::Hurry;
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use bevy::prelude::*;
use std::f32::consts::PI;

/// The time of a half turn, in seconds.
const SECONDS: f32 = 0.35;

/// The rotation of the board.
#[derive(Resource, Default)]
pub struct BoardRotation {
    run: Run,
    seen: Option<bool>,
}

impl BoardRotation {
    /// The remaining angle, in radians; 0 at rest.
    pub fn left(&self) -> f32 {
        PI * (1.0 - pace::ease_in_out(self.run.part()))
    }

    /// True while the board is turning.
    pub fn is_on(&self) -> bool {
        !self.run.is_over()
    }

    /// The current position of something whose final world position is given.
    pub fn on_the_way(&self, layout: &Layout, place: Vec2) -> Vec2 {
        if !self.is_on() {
            return place;
        }
        let middle = layout.middle();
        middle + Vec2::from_angle(self.left()).rotate(place - middle)
    }

    /// The current rotation of a board's picture, drawn for this view or for the opposite one.
    pub fn of_picture(&self, painted_for_this_seat: bool) -> f32 {
        if painted_for_this_seat { self.left() } else { self.left() - PI }
    }
}

fn turn(
    (mut turn, mut fade): (ResMut<BoardRotation>, ResMut<Fade>),
    (layout, settings, hurry): (Res<Layout>, Res<Settings>, Res<Hurry>),
    time: Res<Time<Real>>,
    mut frames: ResMut<FrameRequests>,
) {
    let turn = turn.bypass_change_detection();
    if turn.seen.replace(layout.flipped).is_some_and(|seen| seen != layout.flipped) {
        let seconds = pace::seconds(&settings, SECONDS);
        if settings.reduced_motion && seconds > 0.0 {
            fade.over_board();
        } else {
            turn.run = Run::of(seconds);
        }
    }
    if hurry.0 {
        turn.run.finish();
    }
    if turn.is_on() {
        turn.run.step(pace::step(&time));
        frames.keep();
    }
}

/// A new match begins without rotation.
fn rest(mut turn: ResMut<BoardRotation>) {
    *turn = BoardRotation::default();
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<BoardRotation>()
        .add_systems(OnEnter(Screen::Match), rest)
        .add_systems(Update, turn.in_set(Step::Animate).before(super::apply_changes).run_if(in_state(Screen::Match)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_begins_where_things_were_and_ends_where_they_are() {
        let before = Layout { corner: Vec2::new(-240.5, -270.5), ..Layout::default() };
        let after = Layout { flipped: true, ..before.clone() };
        let at = Vec2::new(2.0, 7.0);
        let mut turn = BoardRotation { run: Run::of(1.0), seen: Some(true) };
        assert!(turn.on_the_way(&after, after.place(at)).distance(before.place(at)) < 0.01);
        turn.run.finish();
        assert_eq!(turn.on_the_way(&after, after.place(at)), after.place(at));
        assert_eq!(turn.left(), 0.0);
    }
}
