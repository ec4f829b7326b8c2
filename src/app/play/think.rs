//! The engines' turns: a search is started, followed and asked for its move.

use super::clock::MatchClock;
use super::game::CurrentMatch;
use super::messages::MoveRequested;
use super::phase::in_match;
use super::search::{PROGRAM_TIME, Search};
use super::seats::{Computer, ExternalProgram, Seat};
use crate::app::ground::intent::Intent;
use crate::app::ground::notices::Notices;
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Phase;
use crate::app::ground::step::Step;
use crate::search::Limits;
use crate::table::{Action, Memory, Progress, SearchRequest};
use bevy::prelude::*;
use std::time::Duration;

/// On a seat whose engine thinks: the search, and when it began.
#[derive(Component)]
pub struct Thinking {
    search: Search,
    ply: usize,
    since: Duration,
    answer: Option<Action>,
}

impl Thinking {
    /// True once the engine is loaded and thinks.
    pub fn has_begun(&self) -> bool {
        self.search.has_begun()
    }
}

/// On a seat whose engine has thought: the last line it told.
#[derive(Component, Clone, Debug)]
pub struct ThoughtLine(pub Progress);

/// On a seat whose program failed: it is not asked again until the player says so.
#[derive(Component, Clone, Debug)]
pub struct Broken;

/// The least time an answer takes, so that the eye can follow.
const LEAST_THOUGHT: Duration = Duration::from_millis(350);

fn start_thinking(
    mut commands: Commands,
    (current, clock): (Res<CurrentMatch>, Res<MatchClock>),
    seats: Query<(Entity, &Seat, Option<&Computer>, Option<&ExternalProgram>), (Without<Thinking>, Without<Broken>)>,
    time: Res<Time<Real>>,
    (mut notices, settings): (ResMut<Notices>, Res<Settings>),
) {
    let turn = current.table().seat_to_move();
    let Some((entity, _, computer, program)) = seats.iter().find(|(_, seat, ..)| seat.0 == turn) else { return };
    let opens = current.table().opening().is_some_and(|opening| !opening.is_over(current.table().pieces().len()));
    let started = match (computer, program) {
        (Some(computer), _) => {
            let level = &current.game().sheet.levels[usize::from(computer.level.clamp(1, 10)) - 1];
            let mut request = level.request(current.seed());
            clock.get().limit(turn, &mut request.limits);
            Search::start(current.table(), &request, &computer.memory)
        }
        // Protocols for programs know no such openings: ours does it for them.
        (_, Some(_)) if opens => {
            let mut request = SearchRequest { limits: Limits::time(PROGRAM_TIME), ..SearchRequest::default() };
            request.options.seed = current.seed();
            clock.get().limit(turn, &mut request.limits);
            Search::start(current.table(), &request, &Memory::default())
        }
        (_, Some(program)) => match settings.engine(current.table().game(), &program.name) {
            Some(engine) => {
                let mut limits = Limits::time(PROGRAM_TIME);
                clock.get().limit(turn, &mut limits);
                Ok(Search::ask(current.table().boxed_clone(), engine.command.clone(), limits, program.memory.clone()))
            }
            None => Err(format!("there is no external engine '{}' in the settings", program.name)),
        },
        (None, None) => return,
    };
    match started {
        Ok(search) => {
            let thinking = Thinking { search, ply: current.table().ply(), since: time.elapsed(), answer: None };
            commands.entity(entity).insert(thinking);
        }
        Err(why) => {
            notices.warn(why);
            commands.entity(entity).insert(Broken);
        }
    }
}

fn follow_thoughts(
    mut commands: Commands,
    mut thinking: Query<(Entity, &mut Thinking)>,
    mut requests: MessageWriter<MoveRequested>,
    time: Res<Time<Real>>,
    (settings, mut notices): (Res<Settings>, ResMut<Notices>),
) {
    for (entity, mut thinking) in &mut thinking {
        if thinking.answer.is_none() {
            let told = thinking.search.poll();
            if let Some(progress) = told.news {
                commands.entity(entity).insert(ThoughtLine(progress));
            }
            match told.answer {
                None => continue,
                Some(Ok(answer)) => thinking.answer = answer,
                Some(Err(why)) => {
                    notices.warn(why);
                    commands.entity(entity).insert(Broken);
                }
            }
        }
        let Some(action) = thinking.answer else {
            commands.entity(entity).remove::<Thinking>();
            continue;
        };
        if settings.speed == 0.0 || time.elapsed() - thinking.since >= LEAST_THOUGHT {
            requests.write(MoveRequested { action, ply: thinking.ply });
            commands.entity(entity).remove::<Thinking>();
        }
    }
}

/// The player has a failed program started again.
fn try_again(mut commands: Commands, mut intents: MessageReader<Intent>, broken: Query<Entity, With<Broken>>) {
    if intents.read().any(|intent| *intent == Intent::TryAgain) {
        for entity in &broken {
            commands.entity(entity).remove::<Broken>();
        }
    }
}

/// Whatever ends the phase ends the search: a move, an undo, a new match.
fn stop_thinking(mut commands: Commands, thinking: Query<Entity, With<Thinking>>) {
    for entity in &thinking {
        commands.entity(entity).remove::<Thinking>();
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (try_again, start_thinking, follow_thoughts)
            .chain()
            .in_set(Step::Think)
            .run_if(in_state(Phase::Think).and_then(in_match)),
    )
    .add_systems(OnExit(Phase::Think), stop_thinking);
}
