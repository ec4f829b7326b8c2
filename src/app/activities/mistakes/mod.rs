//! The player's own mistakes: the positions before them, from all games that were reviewed, are asked again when they are due.

mod collect;
mod page;
mod panel;
mod session;

pub use session::Exercise;

use crate::app::explore::BetterStage;
use crate::app::ground::activity::MISTAKES;
use crate::app::ground::background::WakeHandles;
use crate::app::ground::commands::Command;
use crate::app::ground::library::Library;
use crate::app::ground::mistakes::Mistakes;
use crate::app::ground::picture::InMotion;
use crate::app::ground::platform;
use crate::app::ground::requests::{BeginRequest, Go, MistakeStep, Requests};
use crate::app::ground::setup::{MatchSetup, Purpose};
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use crate::app::play::{BoardChanged, CurrentMatch, Judging, in_match, is_on};
use crate::app::view::{Drawn, FrameRequests, Overlay};
use crate::ui::activity::register;
use crate::ui::judgement::ink;
use crate::ui::panel::Place;
use crate::ui::widgets::Icon;
use bevy::prelude::*;
use qiju_core::record::SeatSpec;
use qiju_core::rules::{BySide, PlayError};
use qiju_core::study::schedule::{Memory, Rating};
use qiju_core::table::{Action, Judgement};
use std::collections::VecDeque;

/// What is asked today: one exercise after the other.
#[derive(Resource, Default)]
pub struct Practice {
    /// The names of those that are still to be asked.
    queue: VecDeque<String>,
    /// How many were asked, the one on the board included.
    asked: usize,
    /// How many were answered at the first try.
    right: usize,
    exercise: Option<Exercise>,
    /// The start of its match was requested, and it has not begun.
    awaited: bool,
}

impl Practice {
    /// The exercise on the board, if its match is the current one.
    pub fn shown(&self, current: &CurrentMatch) -> Option<&Exercise> {
        self.exercise.as_ref().filter(|_| current.purpose() == Purpose::Mistake)
    }

    /// The number of the exercise, from 1, how many there are today, and how many were answered at the first try.
    pub fn progress(&self) -> (usize, usize, usize) {
        (self.asked, self.asked + self.queue.len(), self.right)
    }

    /// The match of the next exercise; `None` if there is none any more. One that cannot be read is left out.
    fn next(&mut self, library: &Library, mistakes: &Mistakes) -> Option<MatchSetup> {
        self.exercise = std::iter::from_fn(|| self.queue.pop_front()).find_map(|name| {
            let mistake = mistakes.positions.get(&name)?;
            let entry = library.game(&mistake.game)?.entry;
            let moves = mistake.read(&*entry.table(&mistake.setup).ok()?)?;
            Some(Exercise::new(name, moves))
        });
        let exercise = self.exercise.as_ref()?;
        let mistake = mistakes.positions.get(exercise.name())?;
        self.asked += 1;
        // Nothing is played in the match itself; the computer only tells from whose side the board is seen.
        let other = SeatSpec::computer(10);
        let seats = BySide::from_fn(|side| if side == exercise.side() { SeatSpec::Human } else { other.clone() });
        let game = library.game(&mistake.game)?.entry.key;
        Some(MatchSetup::untimed(game, mistake.setup.clone(), seats, Purpose::Mistake))
    }
}

fn serve(
    mut steps: MessageReader<MistakeStep>,
    mut practice: ResMut<Practice>,
    (library, mistakes): (Res<Library>, Res<Mistakes>),
    (now, mut screen, mut menu): (Res<State<Screen>>, ResMut<NextState<Screen>>, ResMut<NextState<Menu>>),
    mut requests: Requests,
) {
    for step in steps.read() {
        let next = match step {
            MistakeStep::Open => None,
            MistakeStep::Begin(game) => {
                let queue = mistakes.due(*game, platform::today()).into_iter().map(str::to_owned).collect();
                *practice = Practice { queue, ..Practice::default() };
                practice.next(&library, &mistakes)
            }
            MistakeStep::Next => practice.next(&library, &mistakes),
            MistakeStep::Show => continue,
        };
        match next {
            Some(setup) => {
                practice.awaited = true;
                requests.write(BeginRequest::Start(setup));
            }
            None => {
                if *now.get() == Screen::Match {
                    screen.set(Screen::Title);
                }
                menu.set(Menu::Page(MISTAKES));
            }
        }
    }
}

/// Sets the exercise up on its board, shows the answer, judges.
fn lead(
    mut steps: MessageReader<MistakeStep>,
    mut practice: ResMut<Practice>,
    mut current: ResMut<CurrentMatch>,
    mut changed: MessageWriter<BoardChanged>,
    (moving, wake): (Query<(), With<InMotion>>, WakeHandles),
) {
    let shows = steps.read().filter(|step| **step == MistakeStep::Show).count() > 0;
    // The match of the next exercise may be about to begin.
    if current.purpose() != Purpose::Mistake || practice.awaited {
        return;
    }
    let Some(exercise) = &mut practice.bypass_change_detection().exercise else { return };
    let steps = match () {
        () if !exercise.is_shown(&current) => Some(exercise.set_up(&mut current, &wake)),
        // The player sees the move before it is judged.
        () if !moving.is_empty() => None,
        () if shows => exercise.show(&mut current),
        () => exercise.check(current.bypass_change_detection()),
    };
    if let Some(steps) = steps {
        changed.write_batch(steps);
        practice.set_changed();
        current.set_changed();
    }
}

/// Takes down what came of the exercise as soon as it is known.
fn count(mut practice: ResMut<Practice>, mistakes: Res<Mistakes>, mut requests: Requests) {
    let quiet = practice.bypass_change_detection();
    let Some(exercise) = &mut quiet.exercise else { return };
    let Some(rating) = exercise.rating().filter(|_| exercise.memory.is_none()) else { return };
    let (today, name) = (platform::today(), exercise.name().to_owned());
    let before = mistakes.positions.get(&name).and_then(|mistake| mistake.memory);
    exercise.memory = Some(Memory::after(before, rating, today));
    quiet.right += usize::from(rating == Rating::Good);
    practice.set_changed();
    requests.change(move |mistakes: &mut Mistakes| mistakes.count(&name, rating, today));
}

/// The move that was played, while a better one is looked for.
fn mark(practice: Res<Practice>, current: Res<CurrentMatch>, mut overlay: ResMut<Overlay>) {
    let exercise = practice.shown(&current).filter(|one| one.is_at_start(&current));
    let asks = exercise.filter(|exercise| exercise.stage() == Some(BetterStage::Find));
    let played = asks.and_then(|exercise| Drawn::of(exercise.played(), ink(Judgement::Blunder)));
    overlay.show("mistakes", played.into_iter().collect());
}

/// The window wakes for the word on the player's move.
fn stay_awake(practice: Res<Practice>, mut frames: ResMut<FrameRequests>) {
    if practice.exercise.as_ref().and_then(Exercise::stage) == Some(BetterStage::Check) {
        frames.look();
    }
}

/// A match has begun. If it is not that of an exercise, there is none any more.
fn leave(mut practice: ResMut<Practice>, current: Option<Res<CurrentMatch>>) {
    practice.awaited = false;
    if current.is_none_or(|current| current.purpose() != Purpose::Mistake) {
        *practice = Practice::default();
    }
}

/// A step through the moves that led to the position, and when it is over through the better line.
fn walk(In(go): In<Go>, practice: Res<Practice>, mut current: ResMut<CurrentMatch>) -> Option<Vec<BoardChanged>> {
    Some(practice.shown(&current)?.go(&mut current, go))
}

fn play(
    In(action): In<Action>,
    mut practice: ResMut<Practice>,
    mut current: ResMut<CurrentMatch>,
    wake: WakeHandles,
) -> Result<Option<BoardChanged>, PlayError> {
    let Some(exercise) = practice.exercise.as_mut().filter(|exercise| exercise.is_shown(&current)) else { return Ok(None) };
    exercise.answer(&mut current, action, &wake)
}

static COMMANDS: &[Command] = &[Command::new("N", "learn.next", is_over, || MistakeStep::Next.into())];

fn is_over(world: &World) -> bool {
    let stage = || world.resource::<Practice>().exercise.as_ref().and_then(Exercise::stage);
    is_on(world, MISTAKES) && stage().is_some_and(BetterStage::is_over)
}

pub(super) fn plugin(app: &mut App) {
    register(app, MISTAKES)
        .section(Place::Page, panel::page)
        .entry(8, Icon::Again, "mistakes.title", |_, _, _| Some(MistakeStep::Open.into()))
        .go(walk)
        .play(play)
        .commands("mistakes.title", COMMANDS)
        .leave(|_| MistakeStep::Open.into());
    app.add_plugins((collect::plugin, page::plugin))
        .init_resource::<Practice>()
        .add_systems(Update, serve.in_set(Step::Input))
        .add_systems(Update, lead.in_set(Step::Referee).before(Judging).run_if(in_match))
        .add_systems(Update, (count, mark).in_set(Step::Settle).run_if(in_match))
        .add_systems(Update, stay_awake.after(Step::Ui))
        .add_systems(OnEnter(Screen::Match), leave);
}
