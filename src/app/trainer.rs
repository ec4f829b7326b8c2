//! The trainer of solved games: won positions of every class at graded distances, played against an opponent that never errs, and whether they were converted
//! in time.

use super::errand::{Bells, Errand};
use super::intent::Intent;
use super::library::{Library, Notices};
use super::play::{CurrentMatch, MatchSetup, Purpose, Truth};
use super::preparation::Preparations;
use super::settings::{Settings, SettingsFile};
use super::state::Screen;
use super::words::Words;
use crate::games::Entry;
use crate::record::SeatSpec;
use crate::rules::{BySide, zobrist};
use crate::table::{Exercise, ExerciseClass, Setup, TimeControl};
use bevy::prelude::*;
use bevy::window::RequestRedraw;
use std::ops::RangeInclusive;
use std::time::{SystemTime, UNIX_EPOCH};

/// Where each grade begins, in plies from the end; the last is open.
const GRADES: [u32; 5] = [1, 6, 12, 22, 42];

/// The distances of each grade of a class, nearest first.
pub fn grades(class: &ExerciseClass) -> Vec<RangeInclusive<u32>> {
    let (shortest, longest) = (class.shortest, class.longest);
    let ends = GRADES.into_iter().skip(1).map(|next| next - 1).chain([u32::MAX]);
    let all = GRADES.into_iter().zip(ends).map(|(from, to)| from.max(shortest)..=to.min(longest));
    all.filter(|grade| !grade.is_empty()).collect()
}

/// What is trained: a class of a variant and a grade of distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drill {
    /// The game's key.
    pub game: &'static str,
    /// The variant's.
    pub variant: String,
    /// The class.
    pub class: ExerciseClass,
    /// Index into [`grades`].
    pub grade: usize,
}

impl Drill {
    /// Its name among those converted.
    pub fn key(&self) -> String {
        let ExerciseClass { own, other, .. } = self.class;
        format!("{}/{}/{own}v{other}/{}", self.game, self.variant, self.grade)
    }

    /// The next grade of the class, if there is one.
    pub fn harder(&self) -> Option<Drill> {
        let grade = self.grade + 1;
        (grade < grades(&self.class).len()).then(|| Drill { grade, ..self.clone() })
    }

    fn exercise(&self, seed: u64) -> Option<Exercise> {
        let plies = grades(&self.class).get(self.grade)?.clone();
        let ExerciseClass { own, other, .. } = self.class;
        Some(Exercise { variant: self.variant.clone(), own, other, plies, seed })
    }

    /// A position of this kind and its exact distance.
    fn find(&self, entry: &Entry, seed: u64, stop: &crate::search::StopToken) -> Option<(Setup, u32)> {
        let solution = (entry.capabilities)(&self.variant).solution?;
        let setup = solution.exercise(&self.exercise(seed)?)?;
        let verdicts = solution.verdicts(&*entry.table(&setup).ok()?, stop)?;
        let best = verdicts.into_iter().map(|(_, verdict)| verdict).max_by_key(|verdict| verdict.rank())?;
        Some((setup, best.plies?))
    }
}

/// How an exercise went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// Won in exactly the plies it takes.
    Exact,
    /// Won in at most half as many again.
    InTime,
    /// Won, and too slowly.
    Slow,
    /// Not won.
    Missed,
}

/// The exercise on the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// What is trained.
    pub drill: Drill,
    /// Plies to the end with best play by both.
    pub plies: u32,
    /// A hint was asked for, a move taken back or the truth looked at.
    pub helped: bool,
    counted: bool,
}

impl Lesson {
    /// Plies in which the win still counts as converted in time.
    pub fn limit(&self) -> u32 {
        // Wins take an odd number of plies: so do limits.
        self.plies + (self.plies / 2).div_ceil(2) * 2
    }

    /// How it went; `None` while it goes on.
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
    wake: Option<Errand<()>>,
    sought: Option<(Drill, Errand<Option<(Setup, u32)>>)>,
    lesson: Option<Lesson>,
    classes: Vec<ExerciseClass>,
    incomplete: bool,
    seen: u32,
}

impl Trainer {
    /// Game and variant of the page.
    pub fn open(&self) -> Option<(&'static str, &str)> {
        self.open.as_ref().map(|(game, variant)| (*game, variant.as_str()))
    }

    /// The classes there are exercises of now.
    pub fn classes(&self) -> &[ExerciseClass] {
        &self.classes
    }

    /// There will be more classes once the background work is done.
    pub fn is_incomplete(&self) -> bool {
        self.incomplete
    }

    /// True while a position is looked for.
    pub fn is_busy(&self) -> bool {
        self.sought.is_some()
    }

    /// True while what answers are read from is loaded.
    pub fn is_waking(&self) -> bool {
        self.wake.is_some()
    }

    /// The exercise on the table.
    pub fn lesson(&self) -> Option<&Lesson> {
        self.lesson.as_ref()
    }
}

fn open(
    mut intents: MessageReader<Intent>,
    mut trainer: ResMut<Trainer>,
    library: Res<Library>,
    settings: Res<Settings>,
    preparations: Res<Preparations>,
    mut screen: ResMut<NextState<Screen>>,
    mut menu: ResMut<NextState<super::state::Menu>>,
    (bells, mut redraw): (Bells, MessageWriter<RequestRedraw>),
) {
    let mut look =
        trainer.wake.is_some() && trainer.bypass_change_detection().wake.as_mut().is_some_and(|errand| errand.look().is_some());
    if look {
        trainer.wake = None;
    }
    look |= trainer.open.is_some() && trainer.seen != preparations.finished();
    for intent in intents.read() {
        let (game, variant) = match intent {
            Intent::Trainer(game) => (*game, settings.last_setup(game).variant),
            Intent::TrainVariant(variant) => match trainer.open {
                Some((game, _)) => (game, Some(variant.clone())),
                None => continue,
            },
            _ => continue,
        };
        let Some(shelved) = library.game(game) else { continue };
        let offered = |variant: &String| !shelved.entry.exercise_classes(variant).is_empty();
        let variants = &shelved.sheet.variants;
        let Some(variant) = variant.filter(offered).or_else(|| variants.iter().map(|v| v.key.clone()).find(offered)) else {
            continue;
        };
        let setup = Setup { variant: Some(variant.clone()), position: None };
        if let Ok(table) = shelved.entry.table(&setup) {
            let work = move |stop: &crate::search::StopToken| {
                table.capabilities().solution.map(|solution| solution.verdicts(&*table, stop));
            };
            trainer.wake = Some(Errand::send(bells.bell(), work));
        }
        trainer.open = Some((game, variant));
        look = true;
        if matches!(intent, Intent::Trainer(_)) {
            screen.set(Screen::Trainer);
            menu.set(super::state::Menu::None);
        }
    }
    if look {
        take_stock(&mut trainer, &library);
        redraw.write(RequestRedraw);
        trainer.seen = preparations.finished();
    }
}

/// What there is to be trained now.
fn take_stock(trainer: &mut Trainer, library: &Library) {
    let Some((game, variant)) = trainer.open.clone() else { return };
    let Some(shelved) = library.game(game) else { return };
    trainer.classes = shelved.entry.exercise_classes(&variant);
    let solution = (shelved.entry.capabilities)(&variant).solution;
    trainer.incomplete = solution.is_some_and(|solution| solution.preparation(&variant).is_some());
}

fn train(mut intents: MessageReader<Intent>, mut trainer: ResMut<Trainer>, library: Res<Library>, bells: Bells) {
    for intent in intents.read() {
        match intent {
            Intent::Train(drill) => {
                let Some(shelved) = library.game(drill.game) else { continue };
                let (entry, wanted) = (shelved.entry, drill.clone());
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                let seed = zobrist::mix(now.as_nanos() as u64);
                let errand = Errand::send(bells.bell(), move |stop| wanted.find(entry, seed, stop));
                trainer.sought = Some((drill.clone(), errand));
            }
            // Whoever goes elsewhere no longer waits for a position.
            Intent::Title | Intent::Choose(_) | Intent::Start(_) => trainer.sought = None,
            _ => {}
        }
    }
}

/// Begins the exercise once its position is found.
fn begin(
    mut trainer: ResMut<Trainer>,
    library: Res<Library>,
    (words, mut notices): (Res<Words>, ResMut<Notices>),
    mut starts: MessageWriter<Intent>,
) {
    let Some((_, errand)) = &mut trainer.bypass_change_detection().sought else { return };
    let Some(answer) = errand.look() else { return };
    let Some((drill, _)) = trainer.sought.take() else { return };
    let Some((setup, plies)) = answer else {
        notices.warn(words.say("trainer.none"));
        return;
    };
    let Some(shelved) = library.game(drill.game) else { return };
    let Ok(table) = shelved.entry.table(&setup) else { return };
    let turn = table.turn();
    let seats = BySide::from_fn(|side| if side == turn { SeatSpec::Human } else { SeatSpec::Computer { level: 10 } });
    let game = drill.game;
    trainer.lesson = Some(Lesson { drill, plies, helped: false, counted: false });
    starts.write(Intent::Start(MatchSetup { game, setup, seats, control: TimeControl::Unlimited, purpose: Purpose::Exercise }));
}

/// A lesson belongs to the match that was begun for it, and begins anew with it.
fn settle(mut trainer: ResMut<Trainer>, current: Res<CurrentMatch>) {
    if current.purpose() == Purpose::Exercise {
        if let Some(lesson) = &mut trainer.lesson {
            (lesson.helped, lesson.counted) = (false, false);
        }
    } else {
        trainer.lesson = None;
    }
}

fn follow(
    mut trainer: ResMut<Trainer>,
    mut intents: MessageReader<Intent>,
    current: Res<CurrentMatch>,
    truth: Res<Truth>,
    mut settings: ResMut<Settings>,
    (mut file, mut notices): (SettingsFile, ResMut<Notices>),
) {
    let helping = intents.read().any(|intent| matches!(intent, Intent::Undo | Intent::Hint));
    let Some(lesson) = trainer.bypass_change_detection().lesson.as_mut() else { return };
    let over = current.outcome().is_some();
    if !over && (helping || truth.is_on()) && !lesson.helped {
        lesson.helped = true;
    }
    if over && !lesson.counted {
        lesson.counted = true;
        let converted = matches!(lesson.conversion(&current), Some(Conversion::Exact | Conversion::InTime));
        if converted
            && !lesson.helped
            && settings.trained.insert(lesson.drill.key())
            && let Err(why) = file.save(&settings)
        {
            notices.warn(why);
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Trainer>()
        .add_systems(Update, (open, begin, train).chain().in_set(super::Step::Input))
        .add_systems(OnEnter(Screen::Match), settle)
        .add_systems(
            Update,
            follow.in_set(super::Step::Ui).run_if(in_state(Screen::Match).and_then(resource_exists::<CurrentMatch>)),
        );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_cover_every_distance_once() {
        for longest in [1, 5, 6, 13, 23, 41, 42, 209] {
            let grades = grades(&ExerciseClass { own: 3, other: 2, shortest: 1, longest });
            for plies in 1..=longest {
                assert_eq!(grades.iter().filter(|grade| grade.contains(&plies)).count(), 1, "{plies} of {longest}");
            }
            assert_eq!(*grades.last().unwrap().end(), longest);
        }
    }

    #[test]
    fn limits_are_half_as_long_again_and_odd() {
        let class = ExerciseClass { own: 3, other: 2, shortest: 1, longest: 47 };
        let lesson = |plies| Lesson {
            drill: Drill { game: "x", variant: "y".to_owned(), class, grade: 0 },
            plies,
            helped: false,
            counted: false,
        };
        for (plies, limit) in [(1, 1), (3, 5), (5, 7), (7, 11), (13, 19), (41, 61)] {
            assert_eq!(lesson(plies).limit(), limit, "{plies}");
        }
        assert_eq!(lesson(1).drill.harder().map(|drill| drill.key()), Some("x/y/3v2/1".to_owned()));
        assert_eq!(Drill { grade: 4, ..lesson(1).drill }.harder(), None);
    }
}
