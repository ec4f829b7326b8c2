//! Tells how long the first frame took, for `scripts/measure`.

use super::state::Screen;
use bevy::prelude::*;
use std::time::Instant;

/// Set to anything, the program says on standard error how long the title took to appear, and ends.
const ASKED: &str = "QIJU_MEASURE_FIRST_FRAME";

/// When the program began.
#[derive(Resource)]
struct Began(Instant);

fn tell(began: Res<Began>, screen: Res<State<Screen>>, mut frames: Local<u32>, mut exit: MessageWriter<AppExit>) {
    if *screen.get() != Screen::Loading {
        *frames += 1;
        // The first frame of the title is on the screen when the second begins.
        if *frames == 2 {
            eprintln!("first frame {} ms", began.0.elapsed().as_millis());
            exit.write(AppExit::Success);
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    if std::env::var_os(ASKED).is_some() {
        app.insert_resource(Began(Instant::now())).add_systems(First, tell);
    }
}
