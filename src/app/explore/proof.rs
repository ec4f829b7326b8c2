//! Searches for proven wins when there is a sign of one.

use super::analysis::Analysis;
use super::inquiry::Inquiry;
use crate::app::ground::background::WakeHandles;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::play::{CurrentMatch, Judging, Seat, ThoughtLine, in_match};
use crate::rules::Side;
use crate::search::{StopToken, Value};
use crate::table::{Action, Prover, Table};
use bevy::prelude::*;

/// The approximate node budget of the search for a proof.
pub(super) const NODES: u64 = 150_000;

/// A proven win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The ply of the match where it begins, with the winner to move.
    pub ply: usize,
    /// The winner.
    pub winner: Side,
    /// Plies to the end from there, as far as known.
    pub plies: u32,
}

/// The win of the side to move, if one is proven.
fn proven(table: &dyn Table, prover: &mut dyn Prover, stop: &StopToken) -> Option<Found> {
    let win = prover.prove(table, NODES, stop)?;
    Some(Found { ply: table.ply(), winner: table.turn(), plies: win.plies })
}

/// Searches for a proof at the winner's last turn; in a finished game, for the first turn from which on every turn has a proof. The first `given` plies
/// belong to the start position and are not searched.
fn look_for(mut table: Box<dyn Table>, given: usize, winner: Side, to_the_beginning: bool, stop: &StopToken) -> Option<Found> {
    let mut prover = table.capabilities().prover?();
    let mut found = None;
    loop {
        if table.turn() == winner
            && table.outcome().is_none()
            && table.actions().iter().all(|action| !matches!(action, Action::Choose(_)))
        {
            match proven(&*table, &mut *prover, stop) {
                Some(earlier) if to_the_beginning => found = Some(earlier),
                other => return found.or(other),
            }
        }
        if stop.is_stopped() || table.ply() <= given || table.undo().is_none() {
            return found;
        }
    }
}

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
pub struct ProofSearch(Inquiry<Question, Option<Found>>);

impl ProofSearch {
    /// The win that the user can try to refute.
    pub fn found(&self) -> Option<&Found> {
        self.0.answer()?.as_ref()
    }
}

impl CurrentMatch {
    /// The position to search, if there is a sign of a win.
    fn question(&self, analysis: &Analysis, thought: Option<(Side, Value)>) -> Option<Question> {
        if !self.help_allowed() || !self.traits().whole_game || !(self.outcome().is_some() || self.human_to_move()) {
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
        let winner = over.or(of_line).or(of_thought)?;
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
        let (table, given) = (current.shown().boxed_clone(), current.played().given());
        let (winner, to_the_beginning) = (question.winner, question.at_the_end);
        inquiry.ask(question, wake.handle(), move |stop| look_for(table, given, winner, to_the_beginning, stop));
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
