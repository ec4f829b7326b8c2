//! How the picture asks for the next frame of a window that sleeps.

use bevy::prelude::*;
use std::time::Duration;

/// The frames that are asked for. Without a request no frame is made.
#[derive(Resource, Default)]
pub struct Stir {
    pub(super) now: bool,
    pub(super) after: Option<Duration>,
}

impl Stir {
    /// Another frame at once: something moves.
    pub fn keep(&mut self) {
        self.now = true;
    }

    /// A frame in so many seconds: something is going to happen.
    pub fn wake_in(&mut self, seconds: f32) {
        let wait = Duration::from_secs_f32(seconds.clamp(0.0, 3600.0));
        self.after = Some(self.after.map_or(wait, |other| other.min(wait)));
    }
}
