//! The engines' turns: a search runs as an async compute task, tells its progress through a channel and stops when dropped.

use super::{Computer, CurrentMatch, Guest, MatchClock, MoveRequested, Seat};
use crate::app::intent::Intent;
use crate::app::library::Notices;
use crate::app::settings::Settings;
use crate::app::state::Phase;
use crate::search::{Limits, StopOnDrop, StopToken};
use crate::table::{Action, PlayerHandle, Progress, SearchRequest, Table};
use bevy::prelude::*;
use bevy::tasks::{AsyncComputeTaskPool, Task, futures::check_ready};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What a search comes to: a move, none, or why it could not be looked for.
type Answer = Result<Option<Action>, String>;

/// A search that runs. Dropping it stops the search.
pub struct Search {
    task: Task<Answer>,
    news: Mutex<Receiver<Progress>>,
    begun: Arc<AtomicBool>,
    _stop: StopOnDrop,
}

/// What a look at a running search finds.
pub struct Look {
    /// The last line of progress, if there was one since the last look.
    pub news: Option<Progress>,
    /// The answer, once it is there: `Some(Ok(None))` where the engine had no move.
    pub answer: Option<Answer>,
}

impl Search {
    /// Starts a search of a position on the compute pool by this player: an engine of ours or another program.
    pub fn start(table: &dyn Table, request: &SearchRequest, player: &PlayerHandle) -> Search {
        let (table, request, player) = (table.boxed_clone(), request.clone(), player.clone());
        Search::spawn(move |stop, begun, tell| {
            let mut player = player.lock();
            player.prepare(&*table, &request).map_err(|error| error.to_string())?;
            begun.store(true, Ordering::Relaxed);
            player.think(&*table, &request, stop, tell).map_err(|error| error.to_string())
        })
    }

    fn spawn(work: impl FnOnce(&StopToken, &AtomicBool, &mut dyn FnMut(Progress)) -> Answer + Send + 'static) -> Search {
        let stop = StopToken::new();
        let (token, begun) = (stop.clone(), Arc::new(AtomicBool::new(false)));
        let (tell, news) = channel();
        let told = begun.clone();
        let task = AsyncComputeTaskPool::get().spawn(async move {
            work(&token, &told, &mut |progress| {
                let _ = tell.send(progress);
            })
        });
        Search { task, news: Mutex::new(news), begun, _stop: StopOnDrop(stop) }
    }

    /// Every line of progress since the last look.
    pub fn news(&mut self) -> Vec<Progress> {
        self.news.get_mut().map(|news| news.try_iter().collect()).unwrap_or_default()
    }

    /// Looks without waiting.
    pub fn look(&mut self) -> Look {
        let news = self.news.get_mut().ok().and_then(|news| news.try_iter().last());
        Look { news, answer: check_ready(&mut self.task) }
    }
}

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
        self.search.begun.load(Ordering::Relaxed)
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
/// How long another program thinks where there is no clock.
const GUEST_TIME: Duration = Duration::from_secs(3);
/// How much longer than its time a program is waited for.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

fn start_thinking(
    mut commands: Commands,
    (current, clock): (Res<CurrentMatch>, Res<MatchClock>),
    mut seats: Query<(Entity, &Seat, Option<&Computer>, Option<&mut Guest>), (Without<Thinking>, Without<Broken>)>,
    time: Res<Time<Real>>,
    (mut notices, settings): (ResMut<Notices>, Res<Settings>),
) {
    let turn = current.table().seat_to_move();
    let Some((entity, _, computer, guest)) = seats.iter_mut().find(|(_, seat, ..)| seat.0 == turn) else { return };
    let opens = current.table().opening().is_some_and(|opening| !opening.is_over(current.table().pieces().len()));
    let (mut request, player) = match (computer, guest) {
        (Some(computer), _) => {
            let level = &current.shelved().sheet.levels[usize::from(computer.level.clamp(1, 10)) - 1];
            let mut request = level.request(current.seed());
            if let Some(lessons) = &computer.lessons {
                request.avoid(lessons, current.table());
            }
            (request, computer.player.clone())
        }
        // Protocols for programs know no such openings: ours does it for them.
        (_, Some(_)) if opens => {
            let mut request = SearchRequest { limits: Limits::time(GUEST_TIME), ..SearchRequest::default() };
            request.options.seed = current.seed();
            (request, PlayerHandle::new(current.table().player()))
        }
        (_, Some(mut guest)) => {
            let request = SearchRequest { limits: Limits::time(GUEST_TIME), ..SearchRequest::default() };
            match settings.engine(current.table().game(), &guest.name) {
                Some(engine) => (request, guest.player(&engine.command)),
                None => {
                    notices.warn(format!("there is no external engine '{}' in the settings", guest.name));
                    commands.entity(entity).insert(Broken);
                    return;
                }
            }
        }
        (None, None) => return,
    };
    clock.get().limit(turn, &mut request.limits);
    let search = Search::start(current.table(), &request, &player);
    let thinking = Thinking { search, ply: current.table().ply(), since: time.elapsed(), answer: None };
    commands.entity(entity).insert(thinking);
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
            let look = thinking.search.look();
            if let Some(progress) = look.news {
                commands.entity(entity).insert(ThoughtLine(progress));
            }
            match look.answer {
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
            .in_set(crate::app::Step::Think)
            .run_if(in_state(Phase::Think).and_then(super::in_match)),
    )
    .add_systems(OnExit(Phase::Think), stop_thinking);
}
