//! Stopping a search, and telling a pondering search that the expected move was played.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::Duration;

/// How long a search that waits for a lock sleeps before it tries again.
const AGAIN: Duration = Duration::from_millis(1);

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

    /// Locks what searches share; `None` if this search is stopped before the lock is free. A search that is no longer wanted must not wait: the next one
    /// may have got the lock before it, and each keeps a thread of the pool.
    pub fn lock<'a, T>(&self, shared: &'a Mutex<T>) -> Option<MutexGuard<'a, T>> {
        while !self.is_stopped() {
            match shared.try_lock() {
                Ok(guard) => return Some(guard),
                Err(TryLockError::Poisoned(guard)) => return Some(guard.into_inner()),
                Err(TryLockError::WouldBlock) => std::thread::sleep(AGAIN),
            }
        }
        None
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stopped_search_does_not_wait_for_a_lock() {
        let (shared, stop) = (Mutex::new(0), StopToken::new());
        assert!(stop.lock(&shared).is_some());
        let busy = shared.lock().unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| stop.lock(&shared).is_some());
            std::thread::sleep(Duration::from_millis(20));
            let gave_up = waiting.is_finished();
            stop.stop();
            assert!(!gave_up && !waiting.join().unwrap());
        });
        drop(busy);
        assert!(stop.lock(&shared).is_none());
        assert!(StopToken::new().lock(&shared).is_some());
    }
}
