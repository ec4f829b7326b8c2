//! The engines' turns: a search runs as an async compute task, tells its progress through a channel and stops when dropped.

use super::{Computer, CurrentMatch, MoveRequested, Seat};
use crate::app::library::Notices;
use crate::app::state::Phase;
use crate::search::{StopOnDrop, StopToken};
use crate::table::{Action, Brief, Memory, Progress};
use bevy::prelude::*;
use bevy::tasks::{AsyncComputeTaskPool, Task, futures::check_ready};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// A search that runs. Dropping it stops the search.
pub struct Search {
    task: Task<Option<Action>>,
    news: Mutex<Receiver<Progress>>,
    _stop: StopOnDrop,
}

/// What a look at a running search finds.
pub struct Look {
    /// The last line of progress, if there was one since the last look.
    pub news: Option<Progress>,
    /// The answer, once it is there: `Some(None)` where the engine had no move.
    pub answer: Option<Option<Action>>,
}

impl Search {
    /// Starts a search of the match's position on the compute pool.
    ///
    /// # Errors
    /// The game has no such algorithm.
    pub fn start(current: &CurrentMatch, brief: &Brief, memory: &Memory) -> Result<Search, String> {
        let thinker = current.table().thinker(brief, memory)?;
        let stop = StopToken::new();
        let token = stop.clone();
        let (tell, news) = channel();
        let task = AsyncComputeTaskPool::get().spawn(async move {
            thinker(&token, &mut |progress| {
                let _ = tell.send(progress);
            })
        });
        Ok(Search { task, news: Mutex::new(news), _stop: StopOnDrop(stop) })
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

/// On a seat whose engine has thought: the last line it told.
#[derive(Component, Clone, Debug)]
pub struct ThoughtLine(pub Progress);

/// The least time an answer takes, so that the eye can follow.
const LEAST_THOUGHT: Duration = Duration::from_millis(350);

fn start_thinking(
    mut commands: Commands,
    current: Res<CurrentMatch>,
    seats: Query<(Entity, &Seat, &Computer), Without<Thinking>>,
    time: Res<Time<Real>>,
    mut notices: ResMut<Notices>,
) {
    let turn = current.table().turn();
    let Some((entity, _, computer)) = seats.iter().find(|(_, seat, _)| seat.0 == turn) else { return };
    let level = &current.shelved().sheet.levels[usize::from(computer.level.clamp(1, 10)) - 1];
    let brief = level.brief(current.seed());
    match Search::start(&current, &brief, &computer.memory) {
        Ok(search) => {
            let thinking = Thinking { search, ply: current.table().ply(), since: time.elapsed(), answer: None };
            commands.entity(entity).insert(thinking);
        }
        Err(why) => notices.warn(why),
    }
}

fn follow_thoughts(
    mut commands: Commands,
    mut thinking: Query<(Entity, &mut Thinking)>,
    mut requests: MessageWriter<MoveRequested>,
    time: Res<Time<Real>>,
    settings: Res<crate::app::settings::Settings>,
) {
    for (entity, mut thinking) in &mut thinking {
        if thinking.answer.is_none() {
            let look = thinking.search.look();
            if let Some(progress) = look.news {
                commands.entity(entity).insert(ThoughtLine(progress));
            }
            match look.answer {
                None => continue,
                Some(answer) => thinking.answer = answer,
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

/// Whatever ends the phase ends the search: a move, an undo, a new match.
fn stop_thinking(mut commands: Commands, thinking: Query<Entity, With<Thinking>>) {
    for entity in &thinking {
        commands.entity(entity).remove::<Thinking>();
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (start_thinking, follow_thoughts)
            .chain()
            .in_set(crate::app::Step::Think)
            .run_if(in_state(Phase::Think).and_then(super::in_match)),
    )
    .add_systems(OnExit(Phase::Think), stop_thinking);
}
