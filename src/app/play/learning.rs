//! Learning from lost matches: a lost match is analysed in the background, and the lessons are used in later matches. Only the levels without
//! deliberate errors learn; the lower levels can be beaten in the same way again.

use super::game::{CurrentMatch, in_match};
use super::messages::MatchEnded;
use crate::app::ground::background::{BackgroundTask, Place, Running, WakeHandles};
use crate::app::ground::home::Home;
use crate::app::ground::library::Library;
use crate::app::ground::notices::Notices;
use crate::app::ground::requests::ForgetLessons;
use crate::app::ground::settings::Settings;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use bevy::prelude::*;
use qiju_core::compute::{LearnFromLoss, SentTable};
use qiju_core::message;
use qiju_core::message::Message;
use qiju_core::record::SeatSpec;
use qiju_core::rules::Side;
use qiju_core::search::Limits;
use qiju_core::storage::Blob;
use qiju_core::table::{EngineOptions, LESSONS_FILE, Lesson, Lessons, SearchRequest, Setup, Table};
use std::collections::VecDeque;
use std::time::Duration;

/// The search time for each position of a lost match.
const LOOK: Duration = Duration::from_secs(3);

/// A lost match that waits for its analysis.
struct Lost {
    table: Box<dyn Table>,
    loser: Side,
}

/// The analysis of a lost match: the search for a better move, then the writing of the lesson.
enum Work {
    Search(Lost, Running<LearnFromLoss>),
    Save(BackgroundTask<Result<Option<Lesson>, Message>>),
}

/// The user's lessons, and the running analysis.
#[derive(Resource, Default)]
pub struct Learning {
    lessons: Lessons,
    work: Option<Work>,
    waiting: VecDeque<Lost>,
}

impl Learning {
    /// Opens the lessons of a user. Errors are reported; the program continues without the lost lessons.
    pub fn open(home: &Home, words: &Words, notices: &mut Notices) -> Learning {
        let lessons = match Lessons::open_blob(Blob::new(home.storage(), LESSONS_FILE)) {
            Ok((lessons, None)) => lessons,
            Ok((lessons, Some(damage))) => {
                notices.warn(words.fill("lessons.set-aside", &[&damage.kept, &damage.saved.to_string()]));
                lessons
            }
            Err(error) => {
                notices.fail(message!("{}: {}", home.0.display(), error));
                Lessons::default()
            }
        };
        Learning { lessons, ..Learning::default() }
    }

    /// The lessons so far.
    pub fn lessons(&self) -> &Lessons {
        &self.lessons
    }

    /// True while a lost match is being analysed.
    pub fn is_at_work(&self) -> bool {
        self.work.is_some()
    }
}

/// True if a level learns: it makes no deliberate errors, and the game is not solved.
pub fn learns(current: &CurrentMatch, level: u8) -> bool {
    let levels = &current.game().sheet.levels;
    let level = levels.get(usize::from(level.max(1)) - 1);
    level.is_some_and(|level| level.misjudgement == 0) && current.table().capabilities().solution.is_none()
}

/// The table of a lesson's position; the variant of a lesson has no board size.
pub fn table_of(library: &Library, lesson: &Lesson) -> Option<Box<dyn Table>> {
    let entry = library.game(&lesson.game)?.entry;
    let of_it = |key: &&&str| key.split(':').next() == Some(lesson.variant.as_str());
    let setup = |key: &str| Setup { variant: Some(key.to_owned()), position: Some(lesson.position.clone()) };
    (entry.variants)().iter().filter(of_it).find_map(|key| entry.table(&setup(key)).ok())
}

/// Adds a match that our engine lost on the board to the queue.
fn notice(
    mut ended: MessageReader<MatchEnded>,
    mut learning: ResMut<Learning>,
    current: Res<CurrentMatch>,
    settings: Res<Settings>,
) {
    for _ in ended.read() {
        // Only matches lost on the board: a loss on time or by resignation teaches no move.
        let winner = current.table().outcome().and_then(|outcome| outcome.winner);
        let Some(loser) = winner.map(|winner| !winner) else { continue };
        let SeatSpec::Computer { level, .. } = current.seats()[current.seat_of(loser)] else { continue };
        if settings.learns && current.traits().counts && learns(&current, level) {
            learning.waiting.push_back(Lost { table: current.table().boxed_clone(), loser });
        }
    }
}

/// Analyses one match after the other, in a thread of the lowest priority.
fn learn(mut learning: ResMut<Learning>, (words, mut notices): (Res<Words>, ResMut<Notices>), wake: WakeHandles) {
    let quiet = learning.bypass_change_detection();
    let learnt = match &mut quiet.work {
        Some(Work::Search(lost, search)) => match search.poll() {
            Some(Ok(Some(better))) => {
                let (lessons, table) = (quiet.lessons.clone(), lost.table.boxed_clone());
                quiet.work = Some(Work::Save(BackgroundTask::start(wake.handle(), move |_| lessons.keep(&*table, &better))));
                return;
            }
            found => found.map(|found| found.map(|_| None)),
        },
        Some(Work::Save(task)) => task.poll(),
        None => None,
    };
    if let Some(learnt) = learnt {
        quiet.work = None;
        match learnt {
            Ok(Some(_)) => notices.warn(words.say("lessons.learnt")),
            Ok(None) => {}
            Err(why) => notices.fail(why),
        }
        learning.set_changed();
    }
    let quiet = learning.bypass_change_detection();
    if quiet.work.is_none()
        && let Some(lost) = quiet.waiting.pop_front()
    {
        let options = EngineOptions { hash_mb: 16, ..EngineOptions::default() };
        let request = SearchRequest { options, limits: Limits::time(LOOK), ..SearchRequest::default() };
        let (lessons, table) = (quiet.lessons.clone(), SentTable::of(&*lost.table));
        let question = LearnFromLoss { lessons, table, loser: lost.loser, request };
        quiet.work = Some(Work::Search(lost, Running::start(Place::Pool, wake.handle(), question)));
        learning.set_changed();
    }
}

fn forget(mut requests: MessageReader<ForgetLessons>, mut learning: ResMut<Learning>, mut notices: ResMut<Notices>) {
    for ForgetLessons(game) in requests.read() {
        // A running analysis is cancelled too.
        (learning.work, learning.waiting) = (None, VecDeque::new());
        if let Err(error) = learning.lessons.clear(*game) {
            notices.fail(error);
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Learning>()
        .add_systems(Update, notice.in_set(Step::Animate).run_if(in_match))
        .add_systems(Update, (forget, learn).chain().in_set(Step::Think));
}
