//! Computes the missing distances of a solved game once, in the background, while a match of it is open: in threads of the lowest priority, with progress;
//! the user can stop and continue it.

use crate::app::ground::background::{WakeHandle, WakeHandles};
use crate::app::ground::library::Library;
use crate::app::ground::notices::Notices;
use crate::app::ground::requests::PrepareRequest;
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::play::CurrentMatch;
use bevy::prelude::*;
use bevy::window::RequestRedraw;
use qiju_core::message::Message;
use qiju_core::search::{StopOnDrop, StopToken, lower_priority};
use qiju_core::table::{Preparation, Setup, Table};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A running computation.
struct Work {
    permille: Arc<AtomicU32>,
    answer: Mutex<Receiver<Result<(), Message>>>,
    _stop: StopOnDrop,
}

/// The state of the computations.
#[derive(Resource, Default)]
pub struct Preparations {
    work: Option<Work>,
    finished: u32,
    /// The computation needed for the current game, if it is not running.
    left: bool,
    failed: bool,
    since: Option<Duration>,
}

impl Preparations {
    /// The progress of the running computation, 0 to 1.
    pub fn progress(&self) -> Option<f32> {
        self.work.as_ref().map(|work| work.permille.load(Ordering::Relaxed) as f32 / 1000.0)
    }

    /// The number of computations finished since the program was started; when it changes, exact results are requested again.
    pub fn finished(&self) -> u32 {
        self.finished
    }

    /// True if distances of the current game are missing and no computation is running.
    pub fn is_left(&self) -> bool {
        self.left && self.work.is_none()
    }
}

/// The delay after the start of a match.
const PATIENCE: Duration = Duration::from_secs(8);

fn set_to_work(preparation: Preparation, wake: WakeHandle) -> Option<Work> {
    let stop = StopToken::new();
    let token = stop.clone();
    let permille = Arc::new(AtomicU32::new(0));
    let told = permille.clone();
    let (tell, answer) = channel();
    let work = move || {
        lower_priority();
        let progress = |part: f32| {
            let now = (part.clamp(0.0, 1.0) * 1000.0) as u32;
            // A frame for each hundredth only.
            if told.fetch_max(now, Ordering::Relaxed) / 10 < now / 10 {
                wake.wake();
            }
        };
        let done = preparation(&token, &progress);
        if tell.send(done).is_ok() {
            wake.wake();
        }
    };
    std::thread::Builder::new().name("preparation".to_owned()).spawn(work).ok()?;
    Some(Work { permille, answer: Mutex::new(answer), _stop: StopOnDrop(stop) })
}

/// The computation of the missing distances of a table's variant, if any are missing.
fn work_left(table: &dyn Table) -> Option<Preparation> {
    let variant = table.setup().variant.as_deref().unwrap_or_default();
    table.capabilities().solution?.preparation(variant)
}

/// Checks what is missing for the game of a new match.
fn look(mut preparations: ResMut<Preparations>, current: Res<CurrentMatch>, time: Res<Time<Real>>) {
    preparations.left = work_left(current.table()).is_some();
    preparations.since = Some(time.elapsed());
}

fn begin(
    mut preparations: ResMut<Preparations>,
    current: Option<Res<CurrentMatch>>,
    settings: Res<Settings>,
    time: Res<Time<Real>>,
    wake: WakeHandles,
) {
    let quiet = preparations.bypass_change_detection();
    let waited = quiet.since.is_some_and(|since| time.elapsed().saturating_sub(since) >= PATIENCE);
    // It starts automatically only with a window, not in tests.
    if !wake.has_window() || !quiet.left || quiet.work.is_some() || quiet.failed || !settings.background_work || !waited {
        return;
    }
    let Some(preparation) = current.and_then(|current| work_left(current.table())) else {
        // The distances were loaded in the meantime, for a move or for an answer.
        quiet.left = false;
        return;
    };
    preparations.work = set_to_work(preparation, wake.handle());
    preparations.failed = preparations.work.is_none();
}

fn follow(
    mut preparations: ResMut<Preparations>,
    settings: Res<Settings>,
    mut notices: ResMut<Notices>,
    mut redraw: MessageWriter<RequestRedraw>,
    mut shown: Local<u32>,
) {
    let Some(work) = &mut preparations.bypass_change_detection().work else { return };
    let now = work.permille.load(Ordering::Relaxed) / 10;
    if std::mem::replace(&mut *shown, now) != now {
        redraw.write(RequestRedraw);
    }
    if !settings.background_work {
        // Dropping it stops it; finished parts are saved and continued later.
        preparations.work = None;
        return;
    }
    let answer = work.answer.get_mut().ok().and_then(|answer| answer.try_recv().ok());
    let Some(answer) = answer else { return };
    preparations.work = None;
    redraw.write(RequestRedraw);
    match answer {
        Ok(()) => {
            preparations.left = false;
            preparations.finished += 1;
        }
        Err(why) => {
            preparations.failed = true;
            notices.fail(why);
        }
    }
}

/// When it is switched on again, it starts at once.
fn go_on(
    mut requests: MessageReader<PrepareRequest>,
    mut preparations: ResMut<Preparations>,
    library: Res<Library>,
    wake: WakeHandles,
) {
    for PrepareRequest { game, variant } in requests.read() {
        let Some(library_game) = library.game(game) else { continue };
        let setup = Setup { variant: Some(variant.clone()), position: None };
        let Ok(table) = library_game.entry.table(&setup) else { continue };
        if preparations.work.is_some() {
            continue;
        }
        preparations.failed = false;
        match work_left(&*table) {
            Some(preparation) => preparations.work = set_to_work(preparation, wake.handle()),
            None => preparations.left = false,
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Preparations>()
        .add_systems(OnEnter(Screen::Match), look)
        .add_systems(Update, (go_on, follow, begin.run_if(in_state(Screen::Match))).chain().in_set(Step::Think));
}
