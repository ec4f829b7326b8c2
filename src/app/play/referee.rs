//! The referee: the only module that changes the match.

use super::clock::MatchClock;
use super::game::{Beginning, CurrentMatch, in_match};
use super::journal::MatchJournal;
use super::letters::now_in_seconds;
use super::messages::{
    BoardChanged, Helped, MatchEnded, MoveArrived, MoveRefused, MoveRequested, MoveWarned, Passage, Rewind, Said, TakenBack,
};
use super::offers::{Answer, Offers, Question, Wish};
use super::records::set_aside;
use crate::app::ground::home::Home;
use crate::app::ground::notices::Notices;
use crate::app::ground::requests::RefereeRequest;
use crate::app::ground::settings::Settings;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use qiju_core::record::SeatSpec;
use qiju_core::record::accord::{self, Agreement, Asked};
use qiju_core::record::journal::Event;
use qiju_core::rules::{Outcome, PlayError, Reason, Refusal, Side};
use qiju_core::study::loss_by_repetition;
use qiju_core::table::{Action, NodeId, Table};

impl CurrentMatch {
    /// Plays a move, if the match is running and the move is legal. If the cursor is at the end of the match, it follows.
    fn play(&mut self, request: MoveRequested) -> Result<Option<BoardChanged>, PlayError> {
        if self.outcome().is_some() {
            return Err(Refusal::GameOver.into());
        }
        let mover = self.table().seat_to_move();
        let step = self.played.play(request.action)?;
        self.accord.moved(mover);
        self.hinted = None;
        self.went_on &= self.seats[mover] != SeatSpec::Human;
        self.offered = self.offered.filter(|seat| *seat == mover);
        Ok(step.map(|step| BoardChanged { passage: Passage::Played, ..BoardChanged::of_step(step) }))
    }

    /// The outcome of a legal move that loses by a forbidden repetition, at once or by an answer that completes it.
    fn pitfall(&self, action: Action) -> Option<Outcome> {
        let mut trial = self.table().boxed_clone();
        trial.play(action).ok()?;
        let lost = loss_by_repetition(&*trial)?;
        matches!(lost.outcome.reason, Reason::PerpetualCheck | Reason::PerpetualChase).then_some(lost.outcome)
    }

    fn take_back(&mut self) -> Option<Vec<BoardChanged>> {
        let steps = self.played.undo()?;
        (self.ended, self.hinted, self.went_on) = (None, None, false);
        Some(steps.into_iter().map(BoardChanged::of_step).collect())
    }

    fn play_again(&mut self) -> Option<Option<BoardChanged>> {
        let step = self.played.redo()?;
        (self.hinted, self.went_on) = (None, false);
        Some(step.map(BoardChanged::of_step))
    }

    /// The number of steps of an undo: to a turn of a person, or one move if no player or every player is a person.
    pub(super) fn steps_back(&self) -> usize {
        self.steps_to_a_person(|table| table.undo().is_some())
    }

    /// The number of steps of a redo: until a person is to move.
    fn steps_forward(&self) -> usize {
        let mut undone = self.played.undone();
        self.steps_to_a_person(|table| undone.next().is_some_and(|action| table.play(action).is_ok()))
    }

    fn steps_to_a_person(&self, mut step: impl FnMut(&mut dyn Table) -> bool) -> usize {
        let human = |seat| self.seats[seat] == SeatSpec::Human;
        if human(Side::First) == human(Side::Second) {
            return 1;
        }
        let mut trial = self.table().boxed_clone();
        trial.adjudicate(false);
        let mut steps = 0;
        while step(trial.as_mut()) {
            steps += 1;
            if human(trial.seat_to_move()) {
                break;
            }
        }
        steps.max(1)
    }

    /// The journal's events of a match that begins with moves already played.
    pub(super) fn events_so_far(&self) -> Vec<Event> {
        let post = self.post.clone().map(Event::Post);
        let (Beginning::Record(clock) | Beginning::Journal(clock)) = &self.beginning else { return post.into_iter().collect() };
        let (tree, times) = (self.tree(), clock.times());
        let moves = self.played.line().iter().filter_map(|id| tree.node(*id).action());
        let mut events: Vec<Event> = moves
            .enumerate()
            .flat_map(|(index, action)| {
                let spent = times.get(index).map(|time| Event::Spent(time.as_millis() as u64));
                spent.into_iter().chain([Event::Move(action)])
            })
            .collect();
        events.extend(self.helped.then_some(Event::Helped));
        events.extend(std::iter::repeat_n(Event::TriedAgain, self.tries));
        events.extend(self.went_on.then_some(Event::WentOn));
        events.extend(self.hinted.map(|(action, whole)| Event::Hinted { action, whole }));
        events.extend(self.offered.map(Event::Offered).into_iter().chain(post));
        events.extend(self.played.edits().into_iter().map(Event::Tree));
        let by_word = self.ended.filter(|_| self.table().outcome().is_none());
        events.extend(by_word.and_then(|outcome| match (outcome.reason, outcome.winner) {
            (Reason::Resignation, Some(winner)) => Some(Event::Resign(!winner)),
            (Reason::Time, Some(winner)) => Some(Event::TimeOut(!winner)),
            (Reason::Agreement, None) => Some(Event::Agreed),
            _ => None,
        }));
        events
    }
}

/// The systems of the referee.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Judging;

/// The resources that the referee changes in addition to the match.
#[derive(SystemParam)]
struct Effects<'w> {
    current: ResMut<'w, CurrentMatch>,
    clock: ResMut<'w, MatchClock>,
    changed: MessageWriter<'w, BoardChanged>,
    taken_back: MessageWriter<'w, TakenBack>,
    journal: ResMut<'w, MatchJournal>,
    notices: ResMut<'w, Notices>,
    home: Res<'w, Home>,
}

impl Effects<'_> {
    fn note(&mut self, events: &[Event]) {
        (self.current.worked_on, self.current.letter_shown) = (true, false);
        self.journal.write(&self.home, events);
    }

    /// Writes events down, and since when the player to move uses time, in a match against a friend.
    fn note_with_turn(&mut self, events: &[Event]) {
        let since = self.current.since(self.clock.get());
        self.note(&[events, since.as_slice()].concat());
    }

    /// Moves the cursor to the end of the match before it changes.
    fn show_present(&mut self) {
        if self.current.is_looking_back() {
            let steps = self.current.go_to_present();
            self.changed.write_batch(steps);
        }
    }

    /// What a player and their friend have agreed on beside the moves, or ask each other.
    fn agree_on(&mut self, step: Agreement) {
        let before = self.current.accord;
        if !before.follows(step) {
            return;
        }
        self.current.accord.apply(step);
        if let Agreement::TakenBack { to, .. } = step {
            self.show_present();
            self.taken_back.write(TakenBack);
            if self.current.outcome().is_some()
                && let Err(why) = set_aside(&self.home, &self.current, self.clock.get())
            {
                self.notices.fail(why);
            }
            while self.current.moves().len() > to
                && let Some(done) = self.current.take_back()
            {
                self.clock.taken_back();
                self.changed.write_batch(done);
            }
            self.current.offered = None;
        }
        if let Agreement::Declined { by, .. } = step {
            self.current.offered = self.current.offered.filter(|offers| *offers == by);
        }
        if self.current.accord != before {
            self.note_with_turn(&[Event::Accord(step)]);
        }
    }

    /// Takes one move back; false if there is none.
    fn take_back(&mut self) -> bool {
        let running = self.current.outcome().is_none();
        let Some(done) = self.current.take_back() else { return false };
        self.current.helped |= running;
        self.clock.taken_back();
        self.note(&[Event::Undo]);
        self.changed.write_batch(done);
        true
    }

    /// Plays a move taken back again; false if there is none.
    fn play_again(&mut self) -> bool {
        let Some(done) = self.current.play_again() else { return false };
        self.clock.played_again();
        self.note(&[Event::Redo]);
        self.changed.write_batch(done);
        true
    }

    /// Undo or redo.
    fn rewind(&mut self, rewind: Rewind) {
        // What stands at the node does not move.
        if !matches!(rewind, Rewind::To(_)) {
            self.show_present();
        }
        if rewind != Rewind::Again {
            self.taken_back.write(TakenBack);
        }
        if rewind != Rewind::Again
            && self.current.outcome().is_some()
            && self.current.traits().whole_game
            && let Err(why) = set_aside(&self.home, &self.current, self.clock.get())
        {
            self.notices.fail(why);
        }
        match rewind {
            Rewind::Back => {
                let steps = self.current.steps_back();
                for _ in 0..steps {
                    self.take_back();
                }
            }
            Rewind::Again => {
                let steps = self.current.steps_forward();
                for _ in 0..steps {
                    if !self.play_again() {
                        break;
                    }
                }
            }
            Rewind::To(place) => self.take_back_to(place),
        }
    }

    /// Asks the friend for something beside the moves.
    fn ask(&mut self, wish: accord::Wish) {
        let Some(friend) = self.current.friend() else { return };
        let asked = Asked { at: self.current.moves().len(), wish };
        self.agree_on(Agreement::Asked { by: !friend, asked });
    }

    /// The match is drawn by agreement.
    fn agree(&mut self) {
        self.current.ended = Some(Outcome::draw(Reason::Agreement));
        self.note(&[Event::Agreed]);
    }

    /// A player has no time left and loses.
    fn out_of_time(&mut self, seat: Side) {
        let side = self.current.seat_of(seat);
        self.current.ended = Some(Outcome::win(!side, Reason::Time));
        self.note(&[Event::TimeOut(side)]);
    }

    /// A match that is watched has ended, by a word of one of its players.
    fn ended(&mut self, outcome: Outcome) {
        match (outcome.reason, outcome.winner) {
            (Reason::Resignation, Some(winner)) => {
                self.current.ended = Some(outcome);
                self.note(&[Event::Resign(!winner)]);
            }
            (Reason::Time, Some(winner)) => self.out_of_time(self.current.seat_of(!winner)),
            (Reason::Agreement, None) => self.agree(),
            _ => {}
        }
    }

    /// Takes back all moves after a node of the match.
    fn take_back_to(&mut self, place: NodeId) {
        while self.current.played.is_of_line(place) && self.current.played.present() != place && self.take_back() {}
    }
}

fn judge_moves(
    mut requests: MessageReader<MoveRequested>,
    mut effects: Effects,
    (mut refused, mut warned): (MessageWriter<MoveRefused>, MessageWriter<MoveWarned>),
    mut arrived: MessageWriter<MoveArrived>,
    mut last_warning: Local<Option<MoveRequested>>,
) {
    for &request in requests.read() {
        if request.ply != effects.current.table().ply() {
            debug!("a late answer for ply {} is dropped", request.ply);
            continue;
        }
        let by_person = effects.current.human_to_move();
        if by_person
            && *last_warning != Some(request)
            && let Some(outcome) = effects.current.pitfall(request.action)
        {
            *last_warning = Some(request);
            warned.write(MoveWarned { action: request.action, outcome });
            continue;
        }
        *last_warning = None;
        // The move of an engine leaves the view where the user is.
        if by_person {
            effects.show_present();
            // Whoever moves lets the clocks go on.
            effects.current.accord.go_on().into_iter().for_each(|step| effects.agree_on(step));
        }
        let (seat, mover) = (effects.current.table().seat_to_move(), effects.current.table().turn());
        match effects.current.play(request) {
            Ok(done) => {
                let spent = effects.clock.moved(seat);
                effects.note_with_turn(&[Event::Spent(spent.as_millis() as u64), Event::Move(request.action)]);
                if done.is_none() {
                    effects.current.arrived = Some(seat);
                    arrived.write(MoveArrived { action: request.action, mover });
                }
                effects.changed.write_batch(done);
            }
            Err(PlayError::Refused(reason)) => {
                refused.write(MoveRefused { action: request.action, reason });
            }
            Err(error) => effects.notices.fail(error),
        }
    }
}

/// Undo and redo. In a match of two people, the other one is asked before moves are taken back.
fn judge_rewinds(
    mut rewinds: MessageReader<Rewind>,
    mut effects: Effects,
    (mut offers, mut said): (ResMut<Offers>, MessageWriter<Said>),
    (words, settings): (Res<Words>, Res<Settings>),
) {
    for rewind in rewinds.read() {
        if *rewind == Rewind::Back
            && let Some(wish) = effects.current.back_wish()
        {
            effects.ask(wish);
            said.write(Said(words.say("letters.asked").to_owned()));
            continue;
        }
        let looks_on = effects.current.looks_on().then_some("letters.watching");
        if let Some(why) = looks_on.or(effects.current.traits().no_undo) {
            effects.notices.warn(words.say(why));
            continue;
        }
        if *rewind != Rewind::Again && offers.ask_back(*rewind, &effects.current, &settings) {
            said.write_batch(offers.question(&effects.current).map(|question| Said(words.question(&effects.current, question))));
            continue;
        }
        effects.rewind(*rewind);
    }
}

/// Resignation, draw offers, the answers to questions, and help.
fn judge_wishes(
    mut requests: MessageReader<RefereeRequest>,
    mut helped: MessageReader<Helped>,
    mut effects: Effects,
    (mut offers, mut said): (ResMut<Offers>, MessageWriter<Said>),
    words: Res<Words>,
) {
    for request in requests.read() {
        match *request {
            RefereeRequest::Resign(side) if effects.current.outcome().is_none() && !effects.current.looks_on() => {
                effects.current.ended = Some(Outcome::win(!side, Reason::Resignation));
                effects.note(&[Event::Resign(side)]);
            }
            RefereeRequest::OfferDraw => match offers.offer(&effects.current) {
                Ok(Answer::Agreed) => effects.agree(),
                Ok(Answer::Written) => {
                    let by = effects.current.friend().map(|friend| !friend);
                    effects.current.offered = by;
                    effects.note(&by.map(Event::Offered).into_iter().collect::<Vec<_>>());
                    let told = if effects.current.goes_by_itself() { "letters.asked" } else { "letters.offered" };
                    said.write(Said(words.say(told).to_owned()));
                }
                Ok(Answer::Asked) => {
                    let question = offers.question(&effects.current);
                    said.write_batch(question.map(|question| Said(words.question(&effects.current, question))));
                }
                Ok(Answer::TooEarly) => drop(said.write(Said(words.say("draw.too-early").to_owned()))),
                Ok(Answer::Declined) => drop(said.write(Said(words.say("draw.declined").to_owned()))),
                Err(why) => effects.notices.warn(words.no_offer(why)),
            },
            RefereeRequest::FriendOffers => {
                let Some(friend) = effects.current.friend().filter(|_| effects.current.outcome().is_none()) else { continue };
                effects.current.offered = Some(friend);
                effects.note(&[Event::Offered(friend)]);
                let question = offers.question(&effects.current);
                said.write_batch(question.map(|question| Said(words.question(&effects.current, question))));
            }
            RefereeRequest::FriendAgrees => {
                let offered = effects.current.friend().is_some_and(|friend| effects.current.offered == Some(!friend));
                if offered && effects.current.outcome().is_none() {
                    effects.agree();
                }
            }
            RefereeRequest::Letter(ref from) => {
                if !effects.current.is_by_letter() {
                    continue;
                }
                effects.note(&[Event::Letter { at: now_in_seconds(), from: from.clone() }]);
                (effects.current.letter_shown, effects.current.invited) = (true, true);
                if let Some((friend, name)) = effects.current.friend().zip(from.as_deref()) {
                    effects.current.name_player(friend, name);
                }
            }
            RefereeRequest::Post(ref post) if effects.current.is_by_letter() => {
                let shown = effects.current.letter_shown;
                effects.current.post = Some((**post).clone());
                effects.note_with_turn(&[Event::Post((**post).clone())]);
                effects.current.letter_shown = shown;
            }
            RefereeRequest::Post(_) => {}
            RefereeRequest::Say(phrase) => {
                // Later than the last time, whatever the clock of the computer says.
                let last = effects.current.said.map_or(0, |(at, _)| at);
                let at = (now_in_seconds() as u64).max(last.saturating_add(1));
                effects.current.said = Some((at, phrase));
                effects.note(&[Event::Said { at, phrase }]);
            }
            RefereeRequest::Heard(at) => {
                effects.current.heard = at;
                effects.note(&[Event::Heard(at)]);
            }
            RefereeRequest::TriedAgain => {
                effects.current.tries += 1;
                effects.note(&[Event::TriedAgain]);
            }
            RefereeRequest::WentOn => {
                effects.current.went_on = true;
                effects.note(&[Event::WentOn]);
            }
            RefereeRequest::Hinted(action, whole) => {
                effects.current.hinted = Some((action, whole));
                effects.note(&[Event::Hinted { action, whole }]);
            }
            RefereeRequest::AskPause => {
                let Some(wish) = effects.current.pause_wish() else { continue };
                effects.ask(wish);
                said.write(Said(words.say("letters.asked").to_owned()));
            }
            RefereeRequest::GoOn => effects.current.accord.go_on().into_iter().for_each(|step| effects.agree_on(step)),
            RefereeRequest::Agree(step) => {
                let asked = effects.current.asked_by_friend();
                let told = match step {
                    Agreement::TakenBack { .. } if effects.current.looks_on() => Some("letters.were-taken-back"),
                    Agreement::TakenBack { .. } => Some("letters.taken-back"),
                    Agreement::Paused(times) if times % 2 == 1 => Some("letters.paused"),
                    Agreement::Paused(_) if effects.current.is_paused() => Some("letters.goes-on"),
                    Agreement::Declined { .. } => Some("answer.declined"),
                    _ => None,
                };
                effects.agree_on(step);
                told.into_iter().for_each(|key| effects.notices.warn(words.say(key)));
                if asked.is_none() && effects.current.asked_by_friend().is_some() {
                    let question = offers.question(&effects.current);
                    said.write_batch(question.map(|question| Said(words.question(&effects.current, question))));
                }
            }
            RefereeRequest::Waited(time) => {
                let turn = effects.current.table().seat_to_move();
                if effects.current.has_shared_clock() && effects.current.friend() != Some(turn) && !effects.current.is_paused() {
                    effects.clock.waited(turn, time);
                    effects.note_with_turn(&[]);
                }
            }
            RefereeRequest::FriendIsLate => {
                let Some(friend) = effects.current.friend().filter(|_| effects.current.outcome().is_none()) else { continue };
                effects.out_of_time(friend);
            }
            RefereeRequest::Ended(outcome) => {
                if effects.current.looks_on() && effects.current.outcome().is_none() {
                    effects.ended(outcome);
                }
            }
            RefereeRequest::FriendKnows => effects.current.friend_knows = true,
            RefereeRequest::Answer(yes) => match offers.answered(&effects.current) {
                None => {}
                Some(Question { wish: Wish::GoOn(_), .. }) if !yes => {}
                Some(Question { wish: Wish::Friend(asked), by, .. }) => {
                    let step = effects.current.accord.answer(!by, asked, yes);
                    effects.agree_on(step);
                    if !yes {
                        said.write(Said(words.say("answer.declined").to_owned()));
                    }
                }
                Some(Question { by, .. }) if !yes => {
                    effects.current.offered = None;
                    // By letters that are sent by hand the next move says it.
                    if effects.current.friend() == Some(by) && effects.current.goes_by_itself() {
                        let at = effects.current.table().ply();
                        effects.agree_on(Agreement::Declined { by: !by, at });
                    }
                    said.write(Said(words.say("answer.declined").to_owned()));
                }
                Some(question) => match question.wish {
                    Wish::Draw => effects.agree(),
                    Wish::TakeBack(rewind) => effects.rewind(rewind),
                    Wish::GoOn(place) => effects.rewind(Rewind::To(place)),
                    Wish::Friend(_) => {}
                },
            },
            RefereeRequest::Resign(_) => {}
        }
    }
    let counts = effects.current.viewer().is_some() && effects.current.outcome().is_none();
    if helped.read().count() > 0 && counts && !effects.current.helped {
        effects.current.helped = true;
        effects.note(&[Event::Helped]);
    }
}

/// A side without time left loses.
fn judge_time(mut effects: Effects) {
    if effects.current.outcome().is_none()
        && let Some(seat) = effects.clock.fallen()
        // A friend's own clock decides.
        && effects.current.seats()[seat] != SeatSpec::Friend
    {
        effects.out_of_time(seat);
    }
}

/// Once the user has returned to the end of the match, no move waits to be seen.
fn see(mut current: ResMut<CurrentMatch>) {
    if current.arrived.is_some() && current.arrived().is_none() {
        current.arrived = None;
    }
}

/// Reports the end of the match once.
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
        (see, judge_moves, judge_rewinds, judge_wishes, judge_time, announce)
            .chain()
            .in_set(Judging)
            .in_set(Step::Referee)
            .run_if(in_match),
    );
}
