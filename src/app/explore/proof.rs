//! A win that is proven, and the player's attempt to refute it.

use super::analysis::Analysis;
use crate::app::ground::background::{BackgroundTask, WakeHandles};
use crate::app::ground::intent::{Intent, Stride};
use crate::app::ground::picture::InMotion;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::play::{
    BoardChanged, CurrentMatch, Judging, MoveRefused, PROOF_NODES as NODES, Seat, Stage, ThoughtLine, in_match,
};
use crate::rules::{PlayError, Side};
use crate::search::{StopToken, Value};
use crate::table::{Action, Prover, Table};
use bevy::prelude::*;

/// A win that is certain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// After so many plies of the match, with the winner to move.
    pub ply: usize,
    /// Who wins.
    pub winner: Side,
    /// Plies to the end from there, as far as is known.
    pub plies: u32,
}

/// The win of the side to move, if one is proven.
fn proven(table: &dyn Table, prover: &mut dyn Prover, stop: &StopToken) -> Option<Found> {
    let win = prover.prove(table, NODES, stop)?;
    Some(Found { ply: table.ply(), winner: table.turn(), plies: win.plies })
}

/// Looks for a proof on the winner's last turn; in a finished game for the first turn from which one proof led to the next.
fn look_for(mut table: Box<dyn Table>, winner: Side, to_the_beginning: bool, stop: &StopToken) -> Option<Found> {
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
        if stop.is_stopped() || table.undo().is_none() {
            return found;
        }
    }
}

/// What a proof is looked for: the match, its moves so far, the winner, and whether the match is over.
type Question = (u64, Vec<Action>, Side, bool);

/// The proof of what is shown, if there is one.
#[derive(Resource, Default)]
pub struct Proof {
    asked: Option<(Question, BackgroundTask<Option<Found>>)>,
    answered: Option<(Question, Option<Found>)>,
}

impl Proof {
    /// The win that can be tried to be refuted.
    pub fn found(&self) -> Option<&Found> {
        self.answered.as_ref()?.1.as_ref()
    }
}

impl CurrentMatch {
    /// What a proof is to be looked for, if there is a sign of one.
    fn question(&self, analysis: &Analysis, thought: Option<(Side, Value)>) -> Option<Question> {
        let shown = self.shown();
        if self.is_aside() || !self.help_allowed() || !(self.outcome().is_some() || self.human_to_move()) {
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
        let played = self.table().played().into_iter().take(shown.ply()).collect();
        Some((self.seed(), played, winner, over.is_some() && !self.is_looking_back()))
    }
}

fn ask(
    mut proof: ResMut<Proof>,
    current: Res<CurrentMatch>,
    analysis: Res<Analysis>,
    thoughts: Query<(&Seat, &ThoughtLine)>,
    wake: WakeHandles,
) {
    let quiet = proof.bypass_change_detection();
    if let Some((_, task)) = &mut quiet.asked
        && let Some(found) = task.poll()
        && let Some((question, _)) = quiet.asked.take()
    {
        quiet.answered = Some((question, found));
        proof.set_changed();
        return;
    }
    if current.is_aside() {
        return;
    }
    // The last thought of a computer that sits here.
    let decided = |(seat, line): (&Seat, &ThoughtLine)| {
        let side = current.table().seat_of(seat.0)?;
        matches!(line.0.value, Value::Mate(_)).then_some((side, line.0.value))
    };
    let question = current.question(&analysis, thoughts.iter().find_map(decided));
    let known = quiet.answered.as_ref().is_some_and(|(of, _)| Some(of) == question.as_ref());
    let asked = quiet.asked.as_ref().is_some_and(|(of, _)| Some(of) == question.as_ref());
    if known || asked {
        return;
    }
    if quiet.answered.take().is_some_and(|(_, found)| found.is_some()) {
        proof.set_changed();
    }
    let quiet = proof.bypass_change_detection();
    quiet.asked = question.map(|question| {
        let table = current.shown().boxed_clone();
        let (winner, to_the_beginning) = (question.2, question.3);
        (question, BackgroundTask::start(wake.handle(), move |stop| look_for(table, winner, to_the_beginning, stop)))
    });
}

fn act(
    mut intents: MessageReader<Intent>,
    proof: Res<Proof>,
    mut current: ResMut<CurrentMatch>,
    (mut changed, mut refused): (MessageWriter<BoardChanged>, MessageWriter<MoveRefused>),
) {
    for intent in intents.read() {
        match *intent {
            Intent::Attempt => {
                if let Some(found) = proof.found().filter(|_| current.attempt().is_none()) {
                    changed.write_batch(current.begin_attempt(found.ply, found.winner));
                }
            }
            Intent::Defend(action) => {
                let Some(attempt) = current.attempt_mut().filter(|attempt| attempt.stage() == Stage::Defend) else { continue };
                match attempt.defend(action) {
                    Ok(step) => drop(changed.write(step)),
                    Err(PlayError::Refused(reason)) => drop(refused.write(MoveRefused { action, reason })),
                    Err(_) => {}
                }
            }
            _ => {
                // What takes moves back in the match does so here.
                let stride = match intent {
                    Intent::Aside(stride) => *stride,
                    Intent::Undo => Stride::Back,
                    Intent::Redo => Stride::Forward,
                    _ => continue,
                };
                let steps = match (stride, current.bypass_change_detection().attempt_mut()) {
                    (_, None) => continue,
                    (Stride::Back, Some(attempt)) => attempt.back(),
                    (Stride::Forward, Some(attempt)) => attempt.on(),
                    (Stride::Leave, Some(_)) => current.leave_attempt(),
                };
                current.set_changed();
                changed.write_batch(steps);
            }
        }
    }
}

/// The table answers once the last piece lies.
fn answer(
    mut current: ResMut<CurrentMatch>,
    mut changed: MessageWriter<BoardChanged>,
    moving: Query<(), With<InMotion>>,
    wake: WakeHandles,
) {
    if current.attempt().is_none() || !moving.is_empty() {
        return;
    }
    let quiet = current.bypass_change_detection();
    let Some(attempt) = quiet.attempt_mut() else { return };
    let before = attempt.stage();
    let step = attempt.answer(&wake);
    if attempt.stage() != before {
        current.set_changed();
    }
    changed.write_batch(step);
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Proof>()
        .add_systems(Update, (act, answer, ask).chain().in_set(Step::Referee).before(Judging).run_if(in_match))
        .add_systems(OnEnter(Screen::Match), |mut proof: ResMut<Proof>| *proof = Proof::default())
        .add_systems(OnExit(Screen::Match), |mut proof: ResMut<Proof>| *proof = Proof::default());
}
