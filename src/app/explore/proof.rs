//! Searches for proven wins: when a match is over or on an analysis board, if there is a sign of one; in a running match only on request.

use super::analysis::Analysis;
use super::inquiry::Inquiry;
use crate::app::ground::background::WakeHandles;
use crate::app::ground::notices::Notices;
use crate::app::ground::requests::SeekWin;
use crate::app::ground::setup::Purpose;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::{CurrentMatch, Helped, Judging, Seat, ThoughtLine, in_match};
use bevy::prelude::*;
use qiju_core::compute::{LookForWin, SentTable};
use qiju_core::rules::Side;
use qiju_core::search::Value;
use qiju_core::study::FoundWin;
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
pub struct ProofSearch {
    inquiry: Inquiry<Question, LookForWin>,
    /// The moves to the position for which the user asked in a running match.
    wanted: Option<Vec<Action>>,
}

impl ProofSearch {
    /// The win that the user can try to refute.
    pub fn found(&self) -> Option<&FoundWin> {
        self.inquiry.answer()?.as_ref()
    }
}

impl CurrentMatch {
    /// True if the user may ask whether there is a forced win: it is the user's turn in a running match, and engines may help.
    pub fn may_seek_win(&self) -> bool {
        self.human_to_move() && self.may_be_proven() && !self.is_analysis() && self.played().sketch().is_none()
    }

    fn may_be_proven(&self) -> bool {
        let is_match = self.purpose() != Purpose::HoldOut && self.traits().whole_game;
        is_match && self.help_allowed() && self.shown().capabilities().prover.is_some()
    }

    /// The position to search: the one for which the user asked, or one with a sign of a win where it may be told unasked.
    fn question(&self, analysis: &Analysis, thought: Option<(Side, Value)>, wanted: Option<&[Action]>) -> Option<Question> {
        let told = self.outcome().is_some() || self.is_analysis();
        let asked = wanted.is_some_and(|wanted| wanted == self.shown().played()) && self.human_to_move();
        if !self.may_be_proven() || !told && !asked {
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
        let proven = || self.shown().proven().map(|win| win.winner);
        let winner = over.or(of_line).or(of_thought).or_else(proven).or(asked.then(|| self.shown().turn()))?;
        let at_the_end = over.is_some() && !self.is_looking_back();
        Some(Question { seed: self.seed(), played: self.shown().played(), winner, at_the_end })
    }
}

/// Notes the position for which the user asks. What follows counts as help.
fn want(
    mut requests: MessageReader<SeekWin>,
    mut proof: ResMut<ProofSearch>,
    current: Res<CurrentMatch>,
    (words, mut notices): (Res<Words>, ResMut<Notices>),
    mut helped: MessageWriter<Helped>,
) {
    if requests.read().count() > 0 && current.may_seek_win() {
        helped.write(Helped);
        notices.warn(words.say("proof.looking"));
        *proof = ProofSearch { wanted: Some(current.shown().played()), ..ProofSearch::default() };
    }
}

fn ask(
    mut proof: ResMut<ProofSearch>,
    current: Res<CurrentMatch>,
    analysis: Res<Analysis>,
    thoughts: Query<(&Seat, &ThoughtLine)>,
    wake: WakeHandles,
    (words, mut notices): (Res<Words>, ResMut<Notices>),
) {
    if proof.bypass_change_detection().inquiry.poll() {
        proof.set_changed();
        if proof.found().is_none() && current.outcome().is_none() && proof.wanted.is_some() {
            notices.warn(words.say("proof.none"));
        }
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
    let question = current.question(&analysis, thoughts.iter().find_map(decided), proof.wanted.as_deref());
    let inquiry = &mut proof.bypass_change_detection().inquiry;
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
        .add_systems(Update, (want, ask).chain().in_set(Step::Referee).before(Judging).run_if(in_match))
        .add_systems(OnEnter(Screen::Match), |mut proof: ResMut<ProofSearch>| *proof = ProofSearch::default())
        .add_systems(OnExit(Screen::Match), |mut proof: ResMut<ProofSearch>| *proof = ProofSearch::default());
}
