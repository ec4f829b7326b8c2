//! Injected faults for tests: a full disk, a disk that is full for some time, a power failure.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Which steps of a storage fail. A step is one system call that changes something: create, write, truncate, sync, rename,
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
    /// Step `first` (from 0) and the next `count - 1` steps fail. If the first failing step is a write, it still writes
    /// `length` bytes.
    pub fn new(first: usize, count: usize, length: usize) -> Faults {
        Faults(Arc::new(Mutex::new(State { done: 0, first, count, length })))
    }

    /// No step fails; the steps are only counted.
    pub fn none() -> Faults {
        Faults::new(0, 0, 0)
    }

    /// All steps from this one on fail, as after a power failure.
    pub fn for_good(first: usize, length: usize) -> Faults {
        Faults::new(first, usize::MAX, length)
    }

    /// The number of steps so far.
    pub fn steps(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).done
    }

    /// Counts a step that writes `length` bytes or changes something else. Returns how many bytes are written, and the result.
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
