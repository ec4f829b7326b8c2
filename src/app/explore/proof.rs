//! Searches for proven wins when there is a sign of one.

use super::analysis::Analysis;
use super::inquiry::Inquiry;
use crate::app::ground::background::WakeHandles;
use crate::app::ground::setup::Purpose;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::play::{CurrentMatch, Judging, Seat, ThoughtLine, in_match};
use bevy::prelude::*;
use qiju_core::compute::{LookForWin, SentTable};
use qiju_core::rules::Side;
use qiju_core::search::Value;
use qiju_core::study::Found;
use qiju_core::table::Action;

/// The position for which a proof is searched.
#[derive(Clone, Debug, PartialEq)]
struct Question {
    /// The match.
    seed: u64,
    /// The moves to the node that is shown.
    played: Vec<Action>,
    winner: Side,
    /// True if the end of a finished match is shown.
    at_the_end: bool,
}

/// The proof for the position that is shown, if there is one.
#[derive(Resource, Default)]
pub struct ProofSearch(Inquiry<Question, LookForWin>);

impl ProofSearch {
    /// The win that the user can try to refute.
    pub fn found(&self) -> Option<&Found> {
        self.0.answer()?.as_ref()
    }
}

impl CurrentMatch {
    /// The position to search, if there is a sign of a win.
    fn question(&self, analysis: &Analysis, thought: Option<(Side, Value)>) -> Option<Question> {
        if self.purpose() == Purpose::HoldOut
            || !self.help_allowed()
            || !self.traits().whole_game
            || !(self.outcome().is_some() || self.human_to_move())
        {
            return None;
        }
        let over = self.outcome().filter(|_| self.table().outcome().is_some()).and_then(|outcome| outcome.winner);
        let of_line = analysis.lines().next().and_then(|line| match line.value {
            Value::Mate(moves) if moves != 0 => Some(if moves > 0 { Side::First } else { Side::Second }),
            _ => None,
        });
        let of_thought = thought.and_then(|(side, value)| match value {
            Value::Mate(moves) if moves != 0 => Some(if moves > 0 { side } else { !side }),
            _ => None,
        });
        let proven = || self.shown().capabilities().proofs?.known(self.shown()).map(|win| win.winner);
        let winner = over.or(of_line).or(of_thought).or_else(proven)?;
        let at_the_end = over.is_some() && !self.is_looking_back();
        Some(Question { seed: self.seed(), played: self.shown().played(), winner, at_the_end })
    }
}

fn ask(
    mut proof: ResMut<ProofSearch>,
    current: Res<CurrentMatch>,
    analysis: Res<Analysis>,
    thoughts: Query<(&Seat, &ThoughtLine)>,
    wake: WakeHandles,
) {
    if proof.bypass_change_detection().0.poll() {
        proof.set_changed();
        return;
    }
    if current.played().sketch().is_some() {
        return;
    }
    // The last progress line of the computer.
    let decided = |(seat, line): (&Seat, &ThoughtLine)| {
        let side = current.table().seat_of(seat.0)?;
        matches!(line.0.value, Value::Mate(_)).then_some((side, line.0.value))
    };
    let question = current.question(&analysis, thoughts.iter().find_map(decided));
    let inquiry = &mut proof.bypass_change_detection().0;
    if question.as_ref().is_some_and(|question| inquiry.is_about(question)) {
        return;
    }
    inquiry.give_up();
    let outdated = inquiry.take().is_some_and(|(_, found)| found.is_some());
    if let Some(question) = question {
        let (table, given) = (SentTable::of(current.shown()), current.played().given());
        let (winner, to_the_beginning) = (question.winner, question.at_the_end);
        inquiry.ask(question, wake.handle(), LookForWin { table, given, winner, to_the_beginning });
    }
    if outdated {
        proof.set_changed();
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<ProofSearch>()
        .add_systems(Update, ask.in_set(Step::Referee).before(Judging).run_if(in_match))
        .add_systems(OnEnter(Screen::Match), |mut proof: ResMut<ProofSearch>| *proof = ProofSearch::default())
        .add_systems(OnExit(Screen::Match), |mut proof: ResMut<ProofSearch>| *proof = ProofSearch::default());
}
