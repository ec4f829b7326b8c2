//! Stopping a search, and telling a pondering search that the expected move was played.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Looks outside for a request to stop.
type Look = Box<dyn Fn() -> bool + Send + Sync>;

#[derive(Default)]
struct Flags {
    stopped: AtomicBool,
    pondering: AtomicBool,
    look: Option<Look>,
}

impl fmt::Debug for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Flags").field("stopped", &self.stopped).field("pondering", &self.pondering).finish_non_exhaustive()
    }
}

/// Flags shared between a search and its caller. Clones share the flags.
#[derive(Clone, Debug, Default)]
pub struct StopToken(Arc<Flags>);

impl StopToken {
    /// A token that has not been raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// The token of a pondering search (on the opponent's time): its time limits start at [`ponder_hit`](StopToken::ponder_hit).
    pub fn pondering() -> Self {
        let token = Self::default();
        token.0.pondering.store(true, Ordering::Relaxed);
        token
    }

    /// A token that is also raised by someone who cannot reach it: `look` says whether that has happened. It is called by the searching thread
    /// about every millisecond, until it returns true.
    pub fn looking(look: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        StopToken(Arc::new(Flags { look: Some(Box::new(look)), ..Flags::default() }))
    }

    /// To be called when the expected move was played: time counts from now on.
    pub fn ponder_hit(&self) {
        self.0.pondering.store(false, Ordering::Relaxed);
    }

    /// True while the search runs on the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.0.pondering.load(Ordering::Relaxed)
    }

    /// Asks the search to return its best move so far at once.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// True once [`stop`](StopToken::stop) was called on any clone.
    pub fn is_stopped(&self) -> bool {
        if self.0.stopped.load(Ordering::Relaxed) {
            return true;
        }
        let raised = self.0.look.as_ref().is_some_and(|look| look());
        if raised {
            self.stop();
        }
        raised
    }
}

/// Raises its token when dropped, so the search stops with its owner.
#[derive(Debug)]
pub struct StopOnDrop(pub StopToken);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}
