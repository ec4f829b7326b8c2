//! Tells how long frames take, for `scripts/measure`: the first one, and many with or without a search beside them.

use crate::app::play::Thinking;
use crate::app::state::Screen;
use bevy::prelude::*;
use bevy::window::RequestRedraw;
use std::time::{Duration, Instant};

/// Set to anything, the program says on standard error how long the title took to appear, and ends.
const FIRST_FRAME: &str = "QIJU_MEASURE_FIRST_FRAME";
/// Set to `search` or `rest`, the program draws without pause, says how long frames took while an engine was thinking or while none
/// was, and ends.
const FRAMES: &str = "QIJU_MEASURE_FRAMES";
/// So many frames are measured, after so many that warm up.
const MEASURED: usize = 600;
const WARM_UP: usize = 60;

/// When the program began.
#[derive(Resource)]
struct Began(Instant);

fn tell_first(began: Res<Began>, screen: Res<State<Screen>>, mut frames: Local<u32>, mut exit: MessageWriter<AppExit>) {
    if *screen.get() != Screen::Loading {
        *frames += 1;
        // The first frame of the title is on the screen when the second begins.
        if *frames == 2 {
            eprintln!("first frame {} ms", began.0.elapsed().as_millis());
            exit.write(AppExit::Success);
        }
    }
}

/// Frames of one kind.
#[derive(Resource)]
struct Frames {
    searching: bool,
    last: Option<Instant>,
    times: Vec<Duration>,
}

/// The time that so many hundredths of the frames did not exceed, in milliseconds. The times are in order.
fn percentile(times: &[Duration], hundredths: usize) -> f64 {
    let index = (times.len() * hundredths).div_ceil(100).clamp(1, times.len()) - 1;
    times[index].as_secs_f64() * 1000.0
}

fn tell_frames(
    mut frames: ResMut<Frames>,
    thinking: Query<(), With<Thinking>>,
    mut redraw: MessageWriter<RequestRedraw>,
    mut exit: MessageWriter<AppExit>,
) {
    redraw.write(RequestRedraw);
    let now = Instant::now();
    let last = frames.last.replace(now);
    if thinking.is_empty() == frames.searching {
        // A frame of the other kind: what lies between it and the next is none of ours.
        frames.last = None;
        return;
    }
    frames.times.extend(last.map(|last| now - last));
    if frames.times.len() == WARM_UP + MEASURED {
        let mut times = frames.times.split_off(WARM_UP);
        times.sort_unstable();
        eprintln!("frames median {:.1} ms, 99 % within {:.1} ms", percentile(&times, 50), percentile(&times, 99));
        exit.write(AppExit::Success);
    }
}

pub(super) fn plugin(app: &mut App) {
    if std::env::var_os(FIRST_FRAME).is_some() {
        app.insert_resource(Began(Instant::now())).add_systems(First, tell_first);
    }
    if let Some(kind) = std::env::var_os(FRAMES) {
        let frames = Frames { searching: kind == "search", last: None, times: Vec::new() };
        app.insert_resource(frames).add_systems(First, tell_frames);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_ordered_times() {
        let times: Vec<Duration> = (1..=200).map(Duration::from_millis).collect();
        assert_eq!((percentile(&times, 50), percentile(&times, 99)), (100.0, 198.0));
        assert_eq!(percentile(&times[..1], 99), 1.0);
    }
}
