//! The card that tells how the match ended: it is shown when a match ends on this table, until it is put away.

use super::game::{CurrentMatch, in_match};
use super::messages::{BoardChanged, MatchEnded};
use crate::app::ground::requests::ShowEnding;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use bevy::prelude::*;

/// Whether the card that tells how the match ended is shown.
#[derive(Resource, Default)]
pub struct EndCard {
    open: bool,
}

impl EndCard {
    /// True while it is shown.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Puts it away, because something else is shown.
    pub fn put_away(&mut self) {
        self.open = false;
    }
}

/// Anything else that is shown puts the card away.
fn follow(
    mut card: ResMut<EndCard>,
    (mut ended, mut changed): (MessageReader<MatchEnded>, MessageReader<BoardChanged>),
    mut requests: MessageReader<ShowEnding>,
    current: Res<CurrentMatch>,
) {
    let moved = changed.read().count() > 0;
    let mut open = card.open && !moved;
    // A game that was opened ended long ago, an exercise has a card of its own, and on an analysis board nobody wins.
    if ended.read().count() > 0 && current.worked_on && current.traits().counts {
        open = true;
    }
    for ShowEnding(wanted) in requests.read() {
        open = *wanted;
    }
    open &= current.outcome().is_some();
    if open != card.open {
        card.open = open;
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<EndCard>()
        .add_systems(OnEnter(Screen::Match), |mut card: ResMut<EndCard>| *card = EndCard::default())
        .add_systems(Update, follow.in_set(Step::Animate).run_if(in_match));
}
