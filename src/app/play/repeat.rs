//! Shows a message at the second occurrence of a position, in games whose sheet has a text for it; the third occurrence ends the game.

use super::game::{CurrentMatch, in_match};
use super::messages::{BoardChanged, MoveArrived, Passage};
use crate::app::ground::notices::Notices;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use bevy::prelude::*;

fn tell(
    (mut changed, mut arrived): (MessageReader<BoardChanged>, MessageReader<MoveArrived>),
    current: Res<CurrentMatch>,
    words: Res<Words>,
    mut notices: ResMut<Notices>,
) {
    let played = changed.read().filter(|change| change.passage == Passage::Played).count() > 0;
    if (arrived.read().count() > 0 || played)
        && let Some(text) = &current.game().sheet.repeated
        && current.outcome().is_none()
        && current.table().occurrences() == 2
        && current.traits().whole_game
    {
        notices.warn(words.of(text));
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, tell.in_set(Step::Animate).run_if(in_match));
}
