//! The phase of the match.

use super::game::CurrentMatch;
use crate::app::ground::picture::{InMotion, Ready};
use crate::app::ground::state::{Phase, Screen};
use crate::app::ground::step::Step;
use bevy::prelude::*;

/// Updates the phase of the match.
fn direct_phase(
    current: Res<CurrentMatch>,
    phase: Res<State<Phase>>,
    mut next: ResMut<NextState<Phase>>,
    moving: Query<(), With<InMotion>>,
    ready: Res<Ready>,
) {
    let wanted = if !ready.0 {
        Phase::SetUp
    } else if !moving.is_empty() {
        Phase::Animate
    } else if current.outcome().is_some() {
        Phase::Over
    } else if current.human_to_move() {
        Phase::Human
    } else {
        Phase::Think
    };
    if *phase.get() != wanted {
        next.set(wanted);
    }
}

/// True while there is a current match.
pub fn in_match(screen: Res<State<Screen>>, current: Option<Res<CurrentMatch>>) -> bool {
    *screen.get() == Screen::Match && current.is_some()
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, direct_phase.in_set(Step::Settle).run_if(in_match));
}
