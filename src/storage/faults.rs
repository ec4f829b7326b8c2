//! Failing steps, for tests: a full disk, a disk that is full for a while, a power cut.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Which steps of a storage fail. A step is one call of the system that changes something: create, write, cut, sync, rename,
/// remove. Clones count together.
#[derive(Clone, Debug)]
pub struct Faults(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    done: usize,
    first: usize,
    count: usize,
    length: usize,
}

impl Faults {
    /// Steps number `first` (from 0) and the next `count - 1` fail. A write among them that is the first to fail still writes
    /// `length` bytes.
    pub fn new(first: usize, count: usize, length: usize) -> Faults {
        Faults(Arc::new(Mutex::new(State { done: 0, first, count, length })))
    }

    /// Nothing fails; the steps are only counted.
    pub fn none() -> Faults {
        Faults::new(0, 0, 0)
    }

    /// From this step on everything fails, as after a power cut.
    pub fn for_good(first: usize, length: usize) -> Faults {
        Faults::new(first, usize::MAX, length)
    }

    /// How many steps were asked for so far.
    pub fn steps(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).done
    }

    /// Counts a step that writes `length` bytes, or changes something else: how many bytes are still written, and how it ends.
    pub(super) fn step(&self, length: usize) -> (usize, io::Result<()>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let number = state.done;
        state.done += 1;
        if number < state.first || number - state.first >= state.count {
            return (length, Ok(()));
        }
        let written = if number == state.first { state.length.min(length) } else { 0 };
        (written, Err(io::ErrorKind::StorageFull.into()))
    }
}
