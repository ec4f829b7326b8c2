//! The referee: the only one who changes the match.

use super::clock::MatchClock;
use super::game::{CurrentMatch, Origin};
use super::journal::MatchJournal;
use super::messages::{BoardChanged, MatchEnded, MoveRefused, MoveRequested, MoveWarned, Passage};
use super::phase::in_match;
use crate::app::ground::intent::{Intent, Look};
use crate::app::ground::notices::Notices;
use crate::app::ground::settings::Home;
use crate::app::ground::setup::Purpose;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::record::SeatSpec;
use crate::record::journal::Event;
use crate::rules::{Outcome, PlayError, Reason, Refusal, Side};
use crate::table::{Action, Table};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

impl CurrentMatch {
    /// Plays a move, if the match goes on and the rules allow it.
    fn play(&mut self, request: MoveRequested) -> Result<BoardChanged, PlayError> {
        if self.outcome().is_some() {
            return Err(Refusal::GameOver.into());
        }
        let mover = self.table.turn();
        let changes = self.table.play(request.action)?;
        let check = self.table.check().is_some();
        Ok(BoardChanged { changes, action: request.action, mover, passage: Passage::Played, check })
    }

    /// What a legal move would lose by although it looks like any other: a repetition that is forbidden to its maker.
    fn pitfall(&self, action: Action) -> Option<Outcome> {
        let mover = self.table.turn();
        let mut trial = self.table.boxed_clone();
        trial.play(action).ok()?;
        let forgotten = |reason| matches!(reason, Reason::PerpetualCheck | Reason::PerpetualChase);
        trial.outcome().filter(|outcome| outcome.winner == Some(!mover) && forgotten(outcome.reason))
    }

    fn take_back(&mut self) -> Option<BoardChanged> {
        let done = BoardChanged::by_undo(self.table.as_mut())?;
        self.ended = None;
        Some(done)
    }

    fn play_again(&mut self) -> Option<BoardChanged> {
        BoardChanged::by_redo(self.table.as_mut())
    }

    /// Steps one undo takes back: to a turn of a person's, one move where nobody or everybody is one.
    fn steps_back(&self) -> usize {
        self.steps_to_a_person(|table| table.undo().is_some())
    }

    /// Steps one redo plays again: until a person is to move.
    fn steps_forward(&self) -> usize {
        self.steps_to_a_person(|table| table.redo().is_some())
    }

    fn steps_to_a_person(&self, step: impl Fn(&mut dyn Table) -> bool) -> usize {
        let human = |seat| self.seats[seat] == SeatSpec::Human;
        if human(Side::First) == human(Side::Second) {
            return 1;
        }
        let mut trial = self.table.boxed_clone();
        let mut steps = 0;
        while step(trial.as_mut()) {
            steps += 1;
            if human(trial.seat_to_move()) {
                break;
            }
        }
        steps.max(1)
    }

    /// The match as a journal or a record told it.
    pub(super) fn told(mut self, table: Box<dyn Table>, ended: Option<Outcome>, origin: Origin) -> Self {
        (self.table, self.ended, self.origin) = (table, ended, origin);
        self
    }

    /// What a journal says of a match that came with moves played.
    pub(super) fn events_so_far(&self) -> Vec<Event> {
        let (Origin::Record(clock) | Origin::Journal(clock)) = &self.origin else { return Vec::new() };
        let times = clock.times();
        // Moves that belong to the setup are none of the clock's.
        let moves = self.table.played();
        let mut events: Vec<Event> = (moves[moves.len().saturating_sub(times.len())..].iter().zip(times))
            .flat_map(|(&action, time)| [Event::Spent(time.as_millis() as u64), Event::Move(action)])
            .collect();
        let by_word = self.ended.filter(|_| self.table.outcome().is_none());
        events.extend(by_word.and_then(|outcome| match (outcome.reason, outcome.winner) {
            (Reason::Resignation, Some(winner)) => Some(Event::Resign(!winner)),
            (Reason::Time, Some(winner)) => Some(Event::TimeOut(!winner)),
            (Reason::Agreement, None) => Some(Event::Agreed),
            _ => None,
        }));
        events
    }
}

/// The referee's own work.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Judging;

/// What a judgement changes beside the match.
#[derive(SystemParam)]
struct Effects<'w> {
    current: ResMut<'w, CurrentMatch>,
    clock: ResMut<'w, MatchClock>,
    changed: MessageWriter<'w, BoardChanged>,
    journal: ResMut<'w, MatchJournal>,
    notices: ResMut<'w, Notices>,
    home: Res<'w, Home>,
}

impl Effects<'_> {
    fn note(&mut self, events: &[Event]) {
        self.journal.write(&self.home, events);
    }

    /// The present is looked at before it changes.
    fn look_up(&mut self) {
        if self.current.is_looking_back() {
            let steps = self.current.look(Look::Last);
            self.changed.write_batch(steps);
        }
    }
}

fn judge_moves(
    mut requests: MessageReader<MoveRequested>,
    mut effects: Effects,
    (mut refused, mut warned): (MessageWriter<MoveRefused>, MessageWriter<MoveWarned>),
    mut last_warning: Local<Option<MoveRequested>>,
) {
    for &request in requests.read() {
        if request.ply != effects.current.table().ply() {
            debug!("a late answer for ply {} is dropped", request.ply);
            continue;
        }
        if effects.current.human_to_move()
            && *last_warning != Some(request)
            && let Some(outcome) = effects.current.pitfall(request.action)
        {
            *last_warning = Some(request);
            warned.write(MoveWarned { action: request.action, outcome });
            continue;
        }
        *last_warning = None;
        effects.look_up();
        let seat = effects.current.table().seat_to_move();
        match effects.current.play(request) {
            Ok(done) => {
                let spent = effects.clock.moved(seat);
                effects.note(&[Event::Spent(spent.as_millis() as u64), Event::Move(request.action)]);
                effects.changed.write(done);
            }
            Err(PlayError::Refused(reason)) => {
                refused.write(MoveRefused { action: request.action, reason });
            }
            Err(error) => effects.notices.warn(error.to_string()),
        }
    }
}

fn judge_wishes(mut intents: MessageReader<Intent>, mut effects: Effects, words: Res<Words>) {
    for intent in intents.read() {
        match *intent {
            // They are the attempt's.
            Intent::Undo | Intent::Redo if effects.current.attempt().is_some() => {}
            Intent::GoOnFromHere if effects.current.is_aside() => {}
            Intent::Undo | Intent::Redo | Intent::GoOnFromHere if effects.current.purpose() == Purpose::Rated => {
                effects.notices.warn(words.say("rated.refused"));
            }
            Intent::Undo => {
                effects.look_up();
                for _ in 0..effects.current.steps_back() {
                    effects.take_back();
                }
            }
            Intent::Redo => {
                effects.look_up();
                for _ in 0..effects.current.steps_forward() {
                    let Some(done) = effects.current.play_again() else { break };
                    effects.clock.played_again();
                    effects.note(&[Event::Redo]);
                    effects.changed.write(done);
                }
            }
            Intent::GoOnFromHere => {
                let here = effects.current.shown().ply();
                effects.look_up();
                while effects.current.table().ply() > here && effects.take_back() {}
            }
            Intent::Resign(side) if effects.current.outcome().is_none() => {
                effects.current.ended = Some(Outcome::win(!side, Reason::Resignation));
                effects.note(&[Event::Resign(side)]);
            }
            _ => {}
        }
    }
}

impl Effects<'_> {
    /// Takes one move back; false if there is none.
    fn take_back(&mut self) -> bool {
        let Some(done) = self.current.take_back() else { return false };
        self.clock.taken_back();
        self.note(&[Event::Undo]);
        self.changed.write(done);
        true
    }
}

/// Who has no time left has lost.
fn judge_time(mut effects: Effects) {
    if effects.current.outcome().is_none()
        && let Some(seat) = effects.clock.fallen()
    {
        let side = effects.current.seat_of(seat);
        effects.current.ended = Some(Outcome::win(!side, Reason::Time));
        effects.note(&[Event::TimeOut(side)]);
    }
}

/// Tells once that the match is over.
fn announce(current: Res<CurrentMatch>, mut ended: MessageWriter<MatchEnded>, mut told: Local<Option<Outcome>>) {
    let outcome = current.outcome();
    if *told != outcome {
        *told = outcome;
        if let Some(outcome) = outcome {
            ended.write(MatchEnded(outcome));
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (judge_moves, judge_wishes, judge_time, announce).chain().in_set(Judging).in_set(Step::Referee).run_if(in_match),
    );
}
