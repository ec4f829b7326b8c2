//! Exact results of a solved game on request: the exact value of each move, now and in the game so far. They are computed in the
//! background; an answer for an earlier state of the game is dropped.

use super::inquiry::Inquiry;
use super::preparation::Preparations;
use crate::app::ground::background::WakeHandles;
use crate::app::ground::notices::Notices;
use crate::app::ground::requests::TruthRequest;
use crate::app::ground::setup::Purpose;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::{CurrentMatch, Helped, in_match};
use bevy::prelude::*;
use bevy::window::RequestRedraw;
use qiju_core::compute::{ExactValues, JudgeGame, SentTable};
use qiju_core::search::Verdict;
use qiju_core::study::{SolvedGame, best};
use qiju_core::table::{Action, Table};

/// The question of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Question {
    seed: u64,
    played: Vec<Action>,
    /// Increased when more exact values become available.
    knowledge: u32,
}

/// Whether exact results are shown, and the known results.
#[derive(Resource, Default)]
pub struct Truth {
    on: bool,
    /// The match from its beginning to now.
    game: Inquiry<Question, JudgeGame>,
    shows_game: bool,
    /// The node of a variation that is shown.
    place: Inquiry<Question, ExactValues>,
    shows_place: bool,
}

impl Truth {
    /// True if they are switched on.
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// The exact results of the match, if they are computed. They may be shown only if [`CurrentMatch::truth_allowed`] is true.
    pub fn review(&self) -> Option<&SolvedGame> {
        self.game.answer().filter(|_| self.shows_game)?.as_ref()
    }

    /// The legal moves at the node that is shown, with their exact values; empty if they are unknown.
    pub fn choices(&self, current: &CurrentMatch) -> &[(Action, Verdict)] {
        if current.played().is_on_line() {
            return self.review().map_or(&[], |review| review.at(current.shown().ply()));
        }
        let known = self.place.answer().filter(|_| self.shows_place);
        known.and_then(Option::as_deref).unwrap_or_default()
    }

    /// The exact value of the node that is shown, for the side to move.
    pub fn value(&self, current: &CurrentMatch) -> Option<Verdict> {
        best(self.choices(current)).map(|(_, verdict)| verdict)
    }
}

impl CurrentMatch {
    /// True if exact results can be shown: the game is solved, and there is no running rated match.
    pub fn truth_allowed(&self) -> bool {
        self.table().capabilities().solution.is_some() && self.help_allowed()
    }
}

fn toggle(
    mut requests: MessageReader<TruthRequest>,
    mut truth: ResMut<Truth>,
    current: Res<CurrentMatch>,
    words: Res<Words>,
    mut notices: ResMut<Notices>,
) {
    for _ in requests.read() {
        if current.table().capabilities().solution.is_none() {
            continue;
        }
        match current.help_refused() {
            Some(why) => notices.warn(words.say(why)),
            None => truth.on = !truth.on,
        }
    }
}

/// Asks again when the game has changed, or another node of a variation is shown.
fn ask(
    mut truth: ResMut<Truth>,
    current: Res<CurrentMatch>,
    preparations: Res<Preparations>,
    wake: WakeHandles,
    mut helped: MessageWriter<Helped>,
) {
    let truth = truth.bypass_change_detection();
    let allowed = current.truth_allowed();
    let question =
        |table: &dyn Table| Question { seed: current.seed(), played: table.played(), knowledge: preparations.finished() };
    let over = current.outcome().is_some();
    if allowed && truth.on && !over && !current.is_helped() {
        helped.write(Helped);
    }
    truth.shows_game = false;
    if allowed && (truth.on || over || current.purpose() == Purpose::Exercise) {
        let about = question(current.table());
        truth.shows_game = truth.game.answer_to(&about).is_some();
        if !truth.game.is_about(&about) {
            truth.game.ask(about, wake.handle(), JudgeGame { table: SentTable::of(current.table()) });
        }
    } else {
        truth.game.give_up();
    }
    truth.shows_place = false;
    if allowed && truth.on && current.played().sketch().is_none() && !current.played().is_on_line() {
        let about = question(current.shown());
        truth.shows_place = truth.place.answer_to(&about).is_some();
        if !truth.place.is_about(&about) {
            truth.place.ask(about, wake.handle(), ExactValues { table: SentTable::of(current.shown()) });
        }
    } else {
        truth.place.give_up();
    }
}

fn hear(mut truth: ResMut<Truth>, mut redraw: MessageWriter<RequestRedraw>) {
    let quiet = truth.bypass_change_detection();
    let (game, place) = (quiet.game.poll(), quiet.place.poll());
    if game || place {
        // Marks the resource as changed, so that the interface is updated; new texts are complete in the next frame.
        truth.set_changed();
        redraw.write(RequestRedraw);
    }
}

/// On the analysis board of a solved game they are switched on.
fn begin(mut truth: ResMut<Truth>, current: Option<Res<CurrentMatch>>) {
    let on = current.is_some_and(|current| current.is_analysis() && current.truth_allowed());
    *truth = Truth { on, ..Truth::default() };
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Truth>()
        .add_systems(Update, toggle.in_set(Step::Input).run_if(in_match))
        .add_systems(Update, (hear, ask).chain().in_set(Step::Ui).run_if(in_match))
        .add_systems(OnEnter(Screen::Match), begin)
        .add_systems(OnExit(Screen::Match), |mut truth: ResMut<Truth>| *truth = Truth::default());
}
