//! The window sleeps when nothing moves: a frame is drawn only on request.

use super::frames::{FrameRequests, LOOK};
use super::motion::Moving;
use super::pipelines::Unbuilt;
use crate::app::explore::{Analysis, Film, Hint};
use crate::app::ground::notices::Notices;
use crate::app::ground::picture::Ready;
use crate::app::ground::requests::Sent;
use crate::app::ground::state::{Menu, Screen};
use crate::app::hand::{Dragged, Pointer};
use crate::app::play::{BoardChanged, CurrentMatch, HeldBack, MatchClock, MatchEnded, MoveArrived, Thinking, Watch};
use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy::time::{TimeReceiver, TimeSystems, TimeUpdateStrategy};
use bevy::window::RequestRedraw;
use bevy::winit::{UpdateMode, WinitSettings};
use std::time::Duration;

/// The longest sleep of an idle window.
const IDLE: Duration = Duration::from_secs(3600);
/// The time after the title is ready in which frames are always drawn, and their interval: a busy desktop may lose the first
/// frames of a new window.
const OPENING: Duration = Duration::from_secs(4);
const HEARTBEAT: Duration = Duration::from_millis(500);

/// The age from which the time of the last drawn frame is too old for the next frame.
const OLD: Duration = Duration::from_millis(50);

/// The times at which frames were drawn, as the renderer sends them.
#[derive(Resource)]
struct Drawn(TimeReceiver);

/// Takes the renderer's times from Bevy, which would use them without a look at their age. A test that sets its own time keeps it.
fn take_times(mut commands: Commands, drawn: Option<Res<TimeReceiver>>, strategy: Res<TimeUpdateStrategy>) {
    if let (Some(drawn), TimeUpdateStrategy::Automatic) = (drawn, &*strategy) {
        commands.insert_resource(Drawn(TimeReceiver(drawn.0.clone())));
        commands.remove_resource::<TimeReceiver>();
    }
}

/// After a sleep the time of a frame is the present one.
///
/// Otherwise it is the time at which the frame before it was drawn, which is steadier. After a sleep that would be the beginning of the sleep: a
/// touch that wakes the window would have lasted the whole sleep, and an animation that begins would be over in the next frame.
fn keep_time(drawn: Res<Drawn>, time: Res<Time<Real>>, mut strategy: ResMut<TimeUpdateStrategy>) {
    let now = Instant::now();
    let steady = drawn.0.0.try_iter().last().filter(|drawn| now.saturating_duration_since(*drawn) < OLD).unwrap_or(now);
    // Time does not run backwards.
    let frame = time.last_update().map_or(steady, |last| last.max(steady));
    *strategy = TimeUpdateStrategy::ManualInstant(frame);
}

fn keep_awake(
    mut redraw: MessageWriter<RequestRedraw>,
    mut settings: Option<ResMut<WinitSettings>>,
    moving: Query<(), Or<(With<Moving>, With<Dragged>)>>,
    (thinking, watch, held): (Query<&Thinking>, Res<Watch>, Res<HeldBack>),
    (hint, notices, mut frames): (Res<Hint>, Res<Notices>, ResMut<FrameRequests>),
    (current, clock, film, analysis, time): (
        Option<Res<CurrentMatch>>,
        Res<MatchClock>,
        Res<Film>,
        Res<Analysis>,
        Res<Time<Real>>,
    ),
    (pointer, screen): (Res<Pointer>, Res<State<Screen>>),
    transition: Option<Res<Messages<StateTransitionEvent<Screen>>>>,
    (unbuilt, mut ready): (Option<Res<Unbuilt>>, Local<Option<Duration>>),
) {
    let FrameRequests { now, after } = std::mem::take(frames.bypass_change_detection());
    let settling = transition.is_some_and(|messages| !messages.is_empty());
    if now || !moving.is_empty() || *screen.get() == Screen::Loading || settling {
        redraw.write(RequestRedraw);
    }
    let clock = current.as_ref().and_then(|current| clock.next_change(current.table().seat_to_move()));
    let step = film.next().map(|due| due.saturating_sub(time.elapsed()));
    // A match that is stopped, or whose engines are held back, waits with its next move.
    let waits = watch.is_paused() || held.holds();
    let thinks = thinking.iter().any(|thinking| !thinking.has_answer() || !waits);
    let wait = if thinks || hint.is_sought() || analysis.is_thinking() {
        LOOK
    } else if !notices.shown.is_empty() {
        Duration::from_millis(250)
    } else {
        IDLE
    };
    let loaded = *screen.get() != Screen::Loading;
    let opening = loaded && time.elapsed() < *ready.get_or_insert_with(|| time.elapsed()) + OPENING;
    let building = unbuilt.is_some_and(|unbuilt| unbuilt.any());
    let wait = [clock, step, after, pointer.wakes_in(time.elapsed()), opening.then_some(HEARTBEAT), building.then_some(LOOK)]
        .into_iter()
        .flatten()
        .fold(wait, Duration::min)
        .max(Duration::from_millis(5));
    let Some(settings) = &mut settings else { return };
    let (focused, unfocused) = (UpdateMode::reactive(wait), UpdateMode::reactive_low_power(wait));
    if settings.focused_mode != focused {
        settings.focused_mode = focused;
        settings.unfocused_mode = unfocused;
    }
}

/// A request, a move or a change of state is handled in the next frame, and its changes are drawn in the frame after.
fn one_more_frame(
    mut redraw: MessageWriter<RequestRedraw>,
    (changed, arrived, ended): (MessageReader<BoardChanged>, MessageReader<MoveArrived>, MessageReader<MatchEnded>),
    mut sent: ResMut<Sent>,
    (screen, menu, ready): (Res<State<Screen>>, Res<State<Menu>>, Res<Ready>),
) {
    let requests = sent.bypass_change_detection().end_frame();
    let state = screen.is_changed() || menu.is_changed() || ready.is_changed();
    if state || !changed.is_empty() || !arrived.is_empty() || !ended.is_empty() || requests {
        redraw.write(RequestRedraw);
    }
}

fn time(app: &mut App) {
    app.add_systems(PreStartup, take_times).add_systems(First, keep_time.before(TimeSystems).run_if(resource_exists::<Drawn>));
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<FrameRequests>().add_plugins(time).add_systems(Last, (keep_awake, one_more_frame));
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::time::{TimePlugin, TimeSender, create_time_channels};

    /// An application with two frames, a pause between them, and the time that passed between them. Both frames hear that a frame was drawn
    /// at the beginning.
    fn across(pause: Duration) -> (Duration, Duration) {
        let mut app = App::new();
        let (sender, receiver) = create_time_channels();
        app.add_plugins((TimePlugin, time)).insert_resource(receiver);
        let drawn = Instant::now();
        let frame = |app: &mut App| {
            let TimeSender(sender) = &sender;
            sender.try_send(drawn).unwrap();
            app.update();
            app.world().resource::<Time<Real>>().elapsed()
        };
        let first = frame(&mut app);
        let start = Instant::now();
        std::thread::sleep(pause);
        let slept = start.elapsed();
        (frame(&mut app) - first, slept)
    }

    #[test]
    fn a_frame_after_a_sleep_has_the_present_time() {
        let (passed, slept) = across(Duration::from_millis(200));
        assert!(passed >= slept, "{passed:?} of {slept:?}");
    }
}
