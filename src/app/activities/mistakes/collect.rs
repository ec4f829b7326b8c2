//! Finds the player's own mistakes in the game on the board as soon as it is reviewed, or opened with its review.

use crate::app::ground::mistakes::Mistakes;
use crate::app::ground::notices::Notices;
use crate::app::ground::requests::Requests;
use crate::app::ground::settings::Settings;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::{CurrentMatch, in_match};
use bevy::prelude::*;
use qiju_core::record::SeatSpec;
use qiju_core::rules::Side;
use qiju_core::study::{Mistake, mistakes};
use std::collections::BTreeMap;

/// True if a side of the game on the board is the player: the one person in a match against the computer, or one of the player's names in a record.
fn is_own(current: &CurrentMatch, settings: &Settings, side: Side) -> bool {
    let seat = current.seat_of(side);
    let name = |seat: Side| current.heading().names[seat].as_deref();
    if let Some(name) = name(seat) {
        return settings.is_me(name);
    }
    // A saved match against the computer has no names.
    let of_computer = |seat: Side| matches!(current.seats()[seat], SeatSpec::Computer { .. }) && name(seat).is_none();
    let own_match = current.seats()[seat] == SeatSpec::Human && of_computer(!seat);
    if current.is_of_record() { own_match } else { current.viewer() == Some(seat) }
}

fn collect(
    (current, settings, known): (Res<CurrentMatch>, Res<Settings>, Res<Mistakes>),
    (words, mut notices, mut requests): (Res<Words>, ResMut<Notices>, Requests),
    mut seen: Local<Option<(u64, String)>>,
) {
    let looked = (current.played().revision(), settings.my_names.clone());
    if !current.traits().counts || seen.as_ref() == Some(&looked) {
        return;
    }
    *seen = Some(looked);
    let found: BTreeMap<String, Mistake> = mistakes(current.played(), &|side| is_own(&current, &settings, side))
        .into_iter()
        .filter(|(name, _)| !known.positions.contains_key(name))
        .collect();
    match found.len() {
        0 => return,
        1 => notices.warn(words.say("mistakes.added.one")),
        count => notices.warn(words.with("mistakes.added", count)),
    }
    requests.change(move |mistakes: &mut Mistakes| found.iter().for_each(|(name, mistake)| mistakes.add(name, mistake)));
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, collect.in_set(Step::Settle).run_if(in_match));
}
