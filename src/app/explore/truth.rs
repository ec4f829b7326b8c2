//! The truth of a solved game, when it is asked for: what each move is certainly worth, now and in the game so far. Worked out beside the
//! frame; an answer for a game that has gone on meanwhile is dropped.

use super::preparation::Preparations;
use super::review::Review;
use crate::app::ground::background::{BackgroundTask, WakeHandles};
use crate::app::ground::intent::Intent;
use crate::app::ground::notices::Notices;
use crate::app::ground::setup::Purpose;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::{CurrentMatch, in_match};
use crate::table::Action;
use bevy::prelude::*;
use bevy::window::RequestRedraw;

/// A game so far: an answer holds for this one alone.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stand {
    seed: u64,
    played: Vec<Action>,
    over: bool,
    /// Counted up when more has become known.
    knowledge: u32,
}

/// Whether the truth is shown, and what is known of it.
#[derive(Resource, Default)]
pub struct Truth {
    on: bool,
    asked: Option<(Stand, BackgroundTask<Option<Review>>)>,
    review: Option<(Stand, Review)>,
    shows_game: bool,
}

impl Truth {
    /// The player wants to see it.
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// What is certain of the game as it stands, if that was worked out. It may be shown only where [`CurrentMatch::truth_allowed`] says so.
    pub fn review(&self) -> Option<&Review> {
        self.review.as_ref().filter(|_| self.shows_game).map(|(_, review)| review)
    }
}

impl CurrentMatch {
    /// True where the truth can be shown: the game is solved, and the match is not a rated one that still goes on.
    pub fn truth_allowed(&self) -> bool {
        self.table().capabilities().solution.is_some() && self.help_allowed()
    }
}

fn toggle(
    mut intents: MessageReader<Intent>,
    mut truth: ResMut<Truth>,
    current: Res<CurrentMatch>,
    words: Res<Words>,
    mut notices: ResMut<Notices>,
) {
    for intent in intents.read() {
        if *intent != Intent::Truth || current.table().capabilities().solution.is_none() {
            continue;
        }
        if current.truth_allowed() {
            truth.on = !truth.on;
        } else {
            notices.warn(words.say("rated.refused"));
        }
    }
}

/// Asks anew when the game has gone on.
fn ask(mut truth: ResMut<Truth>, current: Res<CurrentMatch>, preparations: Res<Preparations>, wake: WakeHandles) {
    let truth = truth.bypass_change_detection();
    let over = current.outcome().is_some();
    let wanted = current.truth_allowed() && (truth.on || over || current.purpose() == Purpose::Exercise);
    if !wanted {
        truth.asked = None;
        truth.shows_game = false;
        return;
    }
    let stand = Stand { seed: current.seed(), played: current.table().played(), over, knowledge: preparations.finished() };
    let same = |other: &Stand| *other == stand;
    truth.shows_game = truth.review.as_ref().is_some_and(|(of, _)| same(of));
    if truth.shows_game || truth.asked.as_ref().is_some_and(|(of, _)| same(of)) {
        return;
    }
    let table = current.table().boxed_clone();
    truth.asked = Some((stand, BackgroundTask::start(wake.handle(), move |stop| Review::of(table, stop))));
}

fn hear(mut truth: ResMut<Truth>, mut redraw: MessageWriter<RequestRedraw>) {
    let quiet = truth.bypass_change_detection();
    let Some(answer) = quiet.asked.as_mut().and_then(|(_, task)| task.poll()) else { return };
    let Some((stand, _)) = quiet.asked.take() else { return };
    if let Some(review) = answer {
        // A change, so that what shows it looks again.
        truth.review = Some((stand, review));
        truth.shows_game = true;
        // What is said for the first time is drawn whole in the frame after.
        redraw.write(RequestRedraw);
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Truth>()
        .add_systems(Update, toggle.in_set(Step::Input).run_if(in_match))
        .add_systems(Update, (hear, ask).chain().in_set(Step::Ui).run_if(in_match))
        .add_systems(OnEnter(Screen::Match), |mut truth: ResMut<Truth>| *truth = Truth::default())
        .add_systems(OnExit(Screen::Match), |mut truth: ResMut<Truth>| *truth = Truth::default());
}
