//! Telling a search to stop, and that the move it ponders on was played.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Debug, Default)]
struct Flags {
    stopped: AtomicBool,
    pondering: AtomicBool,
}

/// Flags shared between a search and the one who waits for it. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct StopToken(Arc<Flags>);

impl StopToken {
    /// A token that has not been raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// The token of a search on the other side's time: its limits of time count from [`ponder_hit`](StopToken::ponder_hit) on.
    pub fn pondering() -> Self {
        let token = Self::default();
        token.0.pondering.store(true, Ordering::Relaxed);
        token
    }

    /// The expected move was played: time counts from now on.
    pub fn ponder_hit(&self) {
        self.0.pondering.store(false, Ordering::Relaxed);
    }

    /// True while the search runs on the other side's time.
    pub fn is_pondering(&self) -> bool {
        self.0.pondering.load(Ordering::Relaxed)
    }

    /// Asks the search to answer at once with what it has.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// True once [`stop`](StopToken::stop) was called on any clone.
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }
}

/// Raises its token when dropped: the search runs only as long as this is kept.
#[derive(Debug)]
pub struct StopOnDrop(pub StopToken);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}
