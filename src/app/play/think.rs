//! The turns of the engines: starts a search, reads its progress and plays its move.

use super::activity::HeldBack;
use super::clock::MatchClock;
use super::game::{CurrentMatch, in_match};
use super::messages::MoveRequested;
use super::offers::Offers;
use super::search::Search;
use super::seats::{Computer, ExternalProgram, Seat};
use super::watch::Watch;
use crate::app::ground::engines::Engines;
use crate::app::ground::notices::Notices;
use crate::app::ground::picture::Ready;
use crate::app::ground::programs::ProgramButtons;
use crate::app::ground::requests::TryAgain;
use crate::app::ground::settings::Settings;
use crate::app::ground::step::Step;
use bevy::prelude::*;
use qiju_core::message;
use qiju_core::search::{Limits, Value};
use qiju_core::table::{Action, NodeId, PlayerHandle, Progress, SearchRequest};
use std::time::Duration;

/// On a seat whose engine searches: the search, and its start time.
#[derive(Component)]
pub struct Thinking {
    search: Search,
    /// The last move of the match when it began.
    at: NodeId,
    ply: usize,
    since: Duration,
    /// What the best line so far is worth.
    value: Option<Value>,
    answer: Option<Action>,
}

impl Thinking {
    /// True if it looks for the next move of the match.
    pub(super) fn is_of(&self, current: &CurrentMatch) -> bool {
        current.outcome().is_none() && current.played().present() == self.at
    }

    /// True once the engine has found its move.
    pub fn has_answer(&self) -> bool {
        self.answer.is_some()
    }

    /// True while the engine, once it is loaded, looks for its move.
    pub fn is_at_work(&self) -> bool {
        self.search.has_begun() && self.answer.is_none()
    }
}

/// On a seat whose engine has searched: its last progress line.
#[derive(Component, Clone, Debug)]
pub struct ThoughtLine(pub Progress);

/// On a seat whose program failed: it is not used again until the user restarts it.
#[derive(Component, Clone, Debug)]
pub struct Broken;

/// The shortest time of an answer at normal speed, so that the user can follow: the move before it has come to rest.
const LEAST_THOUGHT: Duration = Duration::from_millis(700);
/// The time per move of an external program without a clock.
const PROGRAM_TIME: Duration = Duration::from_secs(3);

fn start_thinking(
    mut commands: Commands,
    (current, clock, ready): (Res<CurrentMatch>, Res<MatchClock>, Res<Ready>),
    mut seats: Query<(Entity, &Seat, Option<&Computer>, Option<&mut ExternalProgram>), (Without<Thinking>, Without<Broken>)>,
    time: Res<Time<Real>>,
    (mut notices, engines, mut buttons): (ResMut<Notices>, Res<Engines>, ResMut<ProgramButtons>),
) {
    if !ready.0 || !current.engine_to_move() {
        return;
    }
    let turn = current.table().seat_to_move();
    let Some((entity, _, computer, program)) = seats.iter_mut().find(|(_, seat, ..)| seat.0 == turn) else { return };
    let opens = current.table().opening().is_some_and(|opening| !opening.is_over(current.table().pieces().len()));
    let (mut request, player) = match (computer, program) {
        (Some(computer), _) => {
            let mut request = current.game().sheet.request(computer.level, computer.manner.as_deref(), current.seed());
            if let Some(lessons) = &computer.lessons {
                lessons.advise(&mut request, current.table());
            }
            (request, computer.player.clone())
        }
        // The protocols have no such openings, so our engine plays them.
        (_, Some(_)) if opens => {
            let mut request = SearchRequest { limits: Limits::time(PROGRAM_TIME), ..SearchRequest::default() };
            request.options.seed = current.seed();
            (request, PlayerHandle::new(current.table().player()))
        }
        (_, Some(mut program)) => {
            let request = SearchRequest { limits: Limits::time(PROGRAM_TIME), ..SearchRequest::default() };
            match engines.find(current.table().game(), &program.name) {
                Some(engine) => (request, program.player(engine, buttons.of(engine))),
                None => {
                    notices.fail(message!("there is no external engine '{}' in the settings", &program.name));
                    commands.entity(entity).insert(Broken);
                    return;
                }
            }
        }
        (None, None) => return,
    };
    clock.get().limit(turn, &mut request.limits);
    let search = Search::start(current.table(), &request, &player);
    let (at, ply) = (current.played().present(), current.table().ply());
    let thinking = Thinking { search, at, ply, since: time.elapsed(), value: None, answer: None };
    commands.entity(entity).insert(thinking);
}

fn follow_thoughts(
    mut commands: Commands,
    mut thinking: Query<(Entity, &Seat, &mut Thinking)>,
    mut requests: MessageWriter<MoveRequested>,
    time: Res<Time<Real>>,
    (settings, mut notices): (Res<Settings>, ResMut<Notices>),
    (current, mut watch, mut offers, held): (Res<CurrentMatch>, ResMut<Watch>, ResMut<Offers>, Res<HeldBack>),
) {
    let pace = current.pace(&settings);
    let least = if settings.speed == 0.0 { pace } else { pace.max(settings.timed(LEAST_THOUGHT)) };
    for (entity, seat, mut thinking) in &mut thinking {
        if thinking.answer.is_none() {
            let told = thinking.search.poll();
            if let Some(progress) = told.news {
                if progress.multipv <= 1 {
                    thinking.value = Some(progress.value);
                }
                commands.entity(entity).insert(ThoughtLine(progress));
            }
            match told.answer {
                None => continue,
                Some(Ok(answer)) => thinking.answer = answer,
                Some(Err(why)) => {
                    notices.fail(why);
                    commands.entity(entity).insert(Broken);
                }
            }
        }
        let Some(action) = thinking.answer else {
            commands.entity(entity).remove::<Thinking>();
            continue;
        };
        if watch.lets_play() && !held.holds() && time.elapsed() - thinking.since >= least {
            watch.played();
            if let Some(value) = thinking.value {
                offers.note(seat.0, thinking.ply, value);
            }
            requests.write(MoveRequested { action, ply: thinking.ply });
            commands.entity(entity).remove::<Thinking>();
        }
    }
}

/// Restarts a failed program on request.
fn try_again(mut commands: Commands, mut requests: MessageReader<TryAgain>, broken: Query<Entity, With<Broken>>) {
    if requests.read().any(|request| *request == TryAgain) {
        for entity in &broken {
            commands.entity(entity).remove::<Broken>();
        }
    }
}

/// A search ends when the match has moved on from its position: by undo, or by its end.
fn stop_thinking(mut commands: Commands, thinking: Query<(Entity, &Thinking)>, current: Res<CurrentMatch>) {
    for (entity, _) in thinking.iter().filter(|(_, thinking)| !thinking.is_of(&current)) {
        commands.entity(entity).remove::<Thinking>();
    }
}

pub(super) fn plugin(app: &mut App) {
    let turns = (stop_thinking, try_again, start_thinking, follow_thoughts).chain();
    app.add_systems(Update, turns.in_set(Step::Think).run_if(in_match));
}
