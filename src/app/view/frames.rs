//! Requests for the next frame of a sleeping window.

use bevy::prelude::*;
use std::time::Duration;

/// The interval of frames during a search, or while pipelines are built.
pub(super) const LOOK: Duration = Duration::from_millis(66);

/// The requested frames. Without a request no frame is drawn.
#[derive(Resource, Default)]
pub struct FrameRequests {
    pub(super) now: bool,
    pub(super) after: Option<Duration>,
}

impl FrameRequests {
    /// Requests another frame at once, because something moves.
    pub fn keep(&mut self) {
        self.now = true;
    }

    /// Requests the frames in which one looks whether a search has ended.
    pub fn look(&mut self) {
        self.wake_in(LOOK.as_secs_f32());
    }

    /// Requests a frame after this number of seconds.
    pub fn wake_in(&mut self, seconds: f32) {
        let wait = Duration::from_secs_f32(seconds.clamp(0.0, 3600.0));
        self.after = Some(self.after.map_or(wait, |other| other.min(wait)));
    }
}
