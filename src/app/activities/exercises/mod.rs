//! The trainer of solved games: won positions of every class and grade of distance, played against an opponent that defends perfectly, with a check whether the
//! user wins in time.

mod page;

use crate::app::explore::{Preparations, Truth};
use crate::app::ground::activity::EXERCISE;
use crate::app::ground::background::{Place as Where, Running, WakeHandles};
use crate::app::ground::exercise::Drill;
use crate::app::ground::library::{Library, LibraryGame};
use crate::app::ground::notices::Notices;
use crate::app::ground::progress::PlayerProgress;
use crate::app::ground::requests::{BeginRequest, Requests, TrainerRequest};
use crate::app::ground::settings::Settings;
use crate::app::ground::setup::{MatchSetup, Purpose};
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::{CurrentMatch, Helped, TakenBack, in_match};
use crate::ui::activity::register;
use crate::ui::draw::Draw;
use crate::ui::panel::Place;
use crate::ui::style::Palette;
use crate::ui::widgets::Icon;
use bevy::prelude::*;
use bevy::window::RequestRedraw;
use bevy_egui::EguiPrimaryContextPass;
use qiju_core::compute::{ExactValues, FindExercise, SentTable};
use qiju_core::record::SeatSpec;
use qiju_core::rules::{BySide, zobrist};
use qiju_core::table::{ExerciseClass, Setup};
use web_time::{SystemTime, UNIX_EPOCH};

/// The result of an exercise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// Won in the fewest plies.
    Exact,
    /// Won in at most 1.5 times as many plies.
    InTime,
    /// Won, but too slowly.
    Slow,
    /// Not won.
    Missed,
}

/// The current exercise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exercise {
    /// The kind of exercise.
    pub drill: Drill,
    /// Plies to the end with best play by both.
    pub plies: u32,
    /// True if the user asked for a hint, took a move back or viewed exact results.
    pub helped: bool,
    counted: bool,
}

impl Exercise {
    /// The most plies of a win in time.
    pub fn limit(&self) -> u32 {
        // Wins take an odd number of plies, so the limit is odd too.
        self.plies + (self.plies / 2).div_ceil(2) * 2
    }

    /// The result; `None` before the end.
    pub fn conversion(&self, current: &CurrentMatch) -> Option<Conversion> {
        let outcome = current.outcome()?;
        let won = outcome.winner.is_some_and(|side| current.seats()[side] == SeatSpec::Human);
        Some(match current.table().ply() as u32 {
            _ if !won => Conversion::Missed,
            used if used <= self.plies => Conversion::Exact,
            used if used <= self.limit() => Conversion::InTime,
            _ => Conversion::Slow,
        })
    }
}

/// The trainer.
#[derive(Resource, Default)]
pub struct Trainer {
    /// Game and variant of the page.
    open: Option<(&'static str, String)>,
    wake: Option<Running<ExactValues>>,
    sought: Option<(Drill, Running<FindExercise>)>,
    exercise: Option<Exercise>,
    classes: Vec<ExerciseClass>,
    incomplete: bool,
    seen: u32,
}

impl Trainer {
    /// Game and variant of the page.
    pub fn open(&self) -> Option<(&'static str, &str)> {
        self.open.as_ref().map(|(game, variant)| (*game, variant.as_str()))
    }

    /// The classes with exercises now.
    pub fn classes(&self) -> &[ExerciseClass] {
        &self.classes
    }

    /// True if there will be more classes after the background computation.
    pub fn is_incomplete(&self) -> bool {
        self.incomplete
    }

    /// True while a position is being searched.
    pub fn is_busy(&self) -> bool {
        self.sought.is_some()
    }

    /// True while the tablebase is being loaded.
    pub fn is_waking(&self) -> bool {
        self.wake.is_some()
    }

    /// The current exercise.
    pub fn exercise(&self) -> Option<&Exercise> {
        self.exercise.as_ref()
    }
}

fn open(
    mut requests: MessageReader<TrainerRequest>,
    mut trainer: ResMut<Trainer>,
    library: Res<Library>,
    settings: Res<Settings>,
    preparations: Res<Preparations>,
    mut screen: ResMut<NextState<Screen>>,
    mut menu: ResMut<NextState<Menu>>,
    (wake, mut redraw): (WakeHandles, MessageWriter<RequestRedraw>),
) {
    let mut look =
        trainer.wake.is_some() && trainer.bypass_change_detection().wake.as_mut().is_some_and(|task| task.poll().is_some());
    if look {
        trainer.wake = None;
    }
    look |= trainer.open.is_some() && trainer.seen != preparations.finished();
    for request in requests.read() {
        let (game, variant) = match request {
            TrainerRequest::Open(game) => (*game, settings.last_setup(game).variant),
            TrainerRequest::Variant(variant) => match trainer.open {
                Some((game, _)) => (game, Some(variant.clone())),
                None => continue,
            },
            TrainerRequest::Begin(_) => continue,
        };
        let Some(library_game) = library.game(game) else { continue };
        let offered = |variant: &String| !library_game.entry.exercise_classes(variant).is_empty();
        let variants = &library_game.sheet.variants;
        let Some(variant) = variant.filter(offered).or_else(|| variants.iter().map(|v| v.key.clone()).find(offered)) else {
            continue;
        };
        let setup = Setup { variant: Some(variant.clone()), position: None };
        if let Ok(table) = library_game.entry.table(&setup) {
            // The answer does not matter: its data are loaded.
            let question = ExactValues { table: SentTable::of(&*table) };
            trainer.wake = Some(Running::start(Where::Pool, wake.handle(), question));
        }
        trainer.open = Some((game, variant));
        look = true;
        if matches!(request, TrainerRequest::Open(_)) {
            screen.set(Screen::Trainer);
            menu.set(Menu::None);
        }
    }
    if look {
        take_stock(&mut trainer, &library);
        redraw.write(RequestRedraw);
        trainer.seen = preparations.finished();
    }
}

/// Updates the available exercises.
fn take_stock(trainer: &mut Trainer, library: &Library) {
    let Some((game, variant)) = trainer.open.clone() else { return };
    let Some(library_game) = library.game(game) else { return };
    trainer.classes = library_game.entry.exercise_classes(&variant);
    let solution = (library_game.entry.capabilities)(&variant).solution;
    trainer.incomplete = solution.is_some_and(|solution| solution.preparation(&variant).is_some());
}

fn train(
    mut requests: MessageReader<TrainerRequest>,
    mut trainer: ResMut<Trainer>,
    (words, mut notices): (Res<Words>, ResMut<Notices>),
    wake: WakeHandles,
) {
    for request in requests.read() {
        let TrainerRequest::Begin(drill) = request else { continue };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let seed = zobrist::mix(now.as_nanos() as u64);
        let Some(exercise) = drill.exercise(seed) else {
            notices.warn(words.say("trainer.none"));
            continue;
        };
        let question = FindExercise { game: drill.game.to_owned(), exercise };
        trainer.sought = Some((drill.clone(), Running::start(Where::Pool, wake.handle(), question)));
    }
}

/// Begins the exercise when its position is found.
fn begin(
    mut trainer: ResMut<Trainer>,
    library: Res<Library>,
    (words, mut notices): (Res<Words>, ResMut<Notices>),
    mut requests: Requests,
) {
    let Some((_, task)) = &mut trainer.bypass_change_detection().sought else { return };
    let Some(answer) = task.poll() else { return };
    let Some((drill, _)) = trainer.sought.take() else { return };
    let Some((setup, plies)) = answer else {
        notices.warn(words.say("trainer.none"));
        return;
    };
    let Some(library_game) = library.game(drill.game) else { return };
    let Ok(table) = library_game.entry.table(&setup) else { return };
    let turn = table.turn();
    let seats = BySide::from_fn(|side| if side == turn { SeatSpec::Human } else { SeatSpec::computer(10) });
    let game = drill.game;
    trainer.exercise = Some(Exercise { drill, plies, helped: false, counted: false });
    requests.write(BeginRequest::Start(MatchSetup::untimed(game, setup, seats, Purpose::Exercise)));
}

/// Leaving the page or the match ends the search for a position.
fn leave(mut trainer: ResMut<Trainer>) {
    trainer.sought = None;
}

/// An exercise belongs to the match that was started for it, and restarts with it.
fn settle(mut trainer: ResMut<Trainer>, current: Res<CurrentMatch>) {
    if current.purpose() == Purpose::Exercise {
        if let Some(exercise) = &mut trainer.exercise {
            (exercise.helped, exercise.counted) = (false, false);
        }
    } else {
        trainer.exercise = None;
    }
}

fn follow(
    mut trainer: ResMut<Trainer>,
    (mut helped, mut taken_back): (MessageReader<Helped>, MessageReader<TakenBack>),
    current: Res<CurrentMatch>,
    truth: Res<Truth>,
    mut requests: Requests,
) {
    let helping = helped.read().count() + taken_back.read().count() > 0;
    let Some(exercise) = trainer.bypass_change_detection().exercise.as_mut() else { return };
    let over = current.outcome().is_some();
    if !over && (helping || truth.is_on()) && !exercise.helped {
        exercise.helped = true;
    }
    if over && !exercise.counted {
        exercise.counted = true;
        let converted = matches!(exercise.conversion(&current), Some(Conversion::Exact | Conversion::InTime));
        if converted && !exercise.helped {
            let key = exercise.drill.key();
            requests.change(move |progress: &mut PlayerProgress| {
                progress.trained.insert(key.clone());
            });
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    let entry = |game: &LibraryGame, variant: &str, _: &Setup| {
        (!game.entry.exercise_classes(variant).is_empty()).then_some(TrainerRequest::Open(game.entry.key).into())
    };
    register(app, EXERCISE).section(Place::Status, page::card).entry(3, Icon::Target, "trainer.title", entry);
    app.add_systems(
        EguiPrimaryContextPass,
        page::page.in_set(Draw::Screen).run_if(in_state(Screen::Trainer).and_then(resource_exists::<Palette>)),
    );
    app.init_resource::<Trainer>()
        .add_systems(Update, (open, begin, train).chain().in_set(Step::Input))
        .add_systems(OnExit(Screen::Trainer), leave)
        .add_systems(OnExit(Screen::Match), leave)
        .add_systems(OnEnter(Screen::Match), settle)
        .add_systems(Update, follow.in_set(Step::Ui).run_if(in_match));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_half_as_long_again_and_odd() {
        let class = ExerciseClass { own: 3, other: 2, shortest: 1, longest: 47 };
        let exercise = |plies| Exercise {
            drill: Drill { game: "x", variant: "y".to_owned(), class, grade: 0 },
            plies,
            helped: false,
            counted: false,
        };
        for (plies, limit) in [(1, 1), (3, 5), (5, 7), (7, 11), (13, 19), (41, 61)] {
            assert_eq!(exercise(plies).limit(), limit, "{plies}");
        }
        assert_eq!(exercise(1).drill.harder().map(|drill| drill.key()), Some("x/y/3v2/1".to_owned()));
        assert_eq!(Drill { grade: 4, ..exercise(1).drill }.harder(), None);
    }
}
