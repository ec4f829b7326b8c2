//! Measures frame times for `scripts/measure`: of the first frame, and of many frames with or without a search.

use crate::app::play::Thinking;
use crate::app::state::Screen;
use bevy::prelude::*;
use bevy::window::RequestRedraw;
use web_time::{Duration, Instant};

/// If this variable is set, the program prints the time until the first frame of the title on standard error, and exits.
const FIRST_FRAME: &str = "QIJU_MEASURE_FIRST_FRAME";
/// If this is `search` or `rest`, the program draws continuously, prints the frame times with or without a running
/// search, and exits.
const FRAMES: &str = "QIJU_MEASURE_FRAMES";
/// The number of measured frames, and of frames before them.
const MEASURED: usize = 600;
const WARM_UP: usize = 60;

/// The start time of the program.
#[derive(Resource)]
struct Began(Instant);

fn tell_first(began: Res<Began>, screen: Res<State<Screen>>, mut frames: Local<u32>, mut exit: MessageWriter<AppExit>) {
    if *screen.get() != Screen::Loading {
        *frames += 1;
        // The first frame of the title is on the screen when the second frame begins.
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

/// A percentile of the sorted frame times, in milliseconds.
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
        // A frame of the other kind: the time between it and the next frame is not counted.
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
