//! A quiet word when a position stands for the second time, in games whose sheet has one: at the third it is over.

use super::{BoardChanged, CurrentMatch, Passage};
use crate::app::library::Notices;
use crate::app::words::Words;
use bevy::prelude::*;

fn tell(mut changed: MessageReader<BoardChanged>, current: Res<CurrentMatch>, words: Res<Words>, mut notices: ResMut<Notices>) {
    let played = changed.read().filter(|change| change.passage == Passage::Played).count() > 0;
    if played
        && let Some(text) = &current.shelved().sheet.repeated
        && current.outcome().is_none()
        && current.table().occurrences() == 2
    {
        notices.warn(words.of(text));
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, tell.in_set(crate::app::Step::Animate).run_if(super::in_match));
}
