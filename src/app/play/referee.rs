//! The referee: the only one who changes the match.

use super::{BoardChanged, CurrentMatch, Diary, MatchEnded, MoveRefused, MoveRequested, Passage, Purpose};
use crate::app::intent::Intent;
use crate::app::library::Notices;
use crate::app::words::Words;
use crate::record::SeatSpec;
use crate::record::journal::Event;
use crate::rules::{Outcome, PlayError, Reason, Refusal};
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

    fn take_back(&mut self) -> Option<BoardChanged> {
        let action = *self.table.played().last()?;
        let changes = self.table.undo()?;
        self.ended = None;
        let mover = self.table.turn();
        let check = self.table.check().is_some();
        Some(BoardChanged { changes, action, mover, passage: Passage::TakenBack, check })
    }

    fn play_again(&mut self) -> Option<BoardChanged> {
        let mover = self.table.turn();
        let changes = self.table.redo()?;
        let action = *self.table.played().last()?;
        let check = self.table.check().is_some();
        Some(BoardChanged { changes, action, mover, passage: Passage::Replayed, check })
    }

    /// Steps one undo takes back: to a turn of a person's, one move where nobody or everybody is one.
    fn steps_back(&self) -> usize {
        let human = |side| self.seats[side] == SeatSpec::Human;
        let turn = self.table.turn();
        // A match whose very end is taken back counts from the side that would move.
        match (human(turn), human(!turn)) {
            (true, false) => 2.min(self.table.ply()),
            _ => 1,
        }
    }

    /// Steps one redo plays again: until a person is to move.
    fn steps_forward(&self) -> usize {
        let human = |side| self.seats[side] == SeatSpec::Human;
        let turn = self.table.turn();
        match (human(turn), human(!turn)) {
            (true, false) => 2.min(self.table.undone()),
            _ => 1,
        }
    }

    /// The match as the journal found it.
    pub(super) fn resumed(mut self, table: Box<dyn crate::table::Table>) -> Self {
        (self.table, self.resumed) = (table, true);
        self
    }
}

fn judge_moves(
    mut requests: MessageReader<MoveRequested>,
    mut current: ResMut<CurrentMatch>,
    mut changed: MessageWriter<BoardChanged>,
    mut refused: MessageWriter<MoveRefused>,
    mut diary: ResMut<Diary>,
    mut notices: ResMut<Notices>,
) {
    for &request in requests.read() {
        if request.ply != current.table().ply() {
            debug!("a late answer for ply {} is dropped", request.ply);
            continue;
        }
        match current.play(request) {
            Ok(done) => {
                diary.write(&Event::Move(request.action), &mut notices);
                changed.write(done);
            }
            Err(PlayError::Refused(reason)) => {
                refused.write(MoveRefused { action: request.action, reason });
            }
            Err(error) => notices.warn(error.to_string()),
        }
    }
}

fn judge_wishes(
    mut intents: MessageReader<Intent>,
    mut current: ResMut<CurrentMatch>,
    mut changed: MessageWriter<BoardChanged>,
    mut diary: ResMut<Diary>,
    mut notices: ResMut<Notices>,
    words: Res<Words>,
) {
    for intent in intents.read() {
        match *intent {
            Intent::Undo | Intent::Redo if current.purpose() == Purpose::Rated => notices.warn(words.say("rated.refused")),
            Intent::Undo => {
                for _ in 0..current.steps_back() {
                    let Some(done) = current.take_back() else { break };
                    diary.write(&Event::Undo, &mut notices);
                    changed.write(done);
                }
            }
            Intent::Redo => {
                for _ in 0..current.steps_forward() {
                    let Some(done) = current.play_again() else { break };
                    diary.write(&Event::Redo, &mut notices);
                    changed.write(done);
                }
            }
            Intent::Resign(side) if current.outcome().is_none() => {
                current.ended = Some(Outcome::win(!side, Reason::Resignation));
                diary.write(&Event::Resign(side), &mut notices);
            }
            _ => {}
        }
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
        (judge_moves, judge_wishes, announce).chain().in_set(crate::app::Step::Referee).run_if(super::in_match),
    );
}
