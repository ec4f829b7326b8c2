//! Tells the user what happened to the workers of the page.

use super::notices::Notices;
use super::step::Step;
use super::words::Words;
use crate::page::workers::{Trouble, trouble};
use bevy::prelude::*;

fn tell(mut notices: ResMut<Notices>, words: Res<Words>) {
    for trouble in trouble() {
        notices.warn(match trouble {
            Trouble::Restarted => words.say("page.restarted").to_owned(),
            Trouble::GivenUp(why) => words.with("page.given-up", why),
        });
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, tell.in_set(Step::Think));
}
