//! What the threads of a search have to do.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The positions that the threads search with one effort.
pub struct Tasks {
    /// Those that are not proven yet.
    open: Vec<usize>,
    /// Those of them that are not given up with this effort, each with the number of its threads.
    running: Vec<(usize, u32)>,
}

impl Tasks {
    /// So many positions, none of them proven.
    pub fn of(count: usize) -> Tasks {
        Tasks { open: (0..count).collect(), running: Vec::new() }
    }

    /// The numbers of the positions that are not proven yet.
    pub fn open(&self) -> &[usize] {
        &self.open
    }

    /// A new effort begins.
    pub fn begin(&mut self) {
        self.running = self.open.iter().map(|&task| (task, 0)).collect();
    }

    /// The first one with the fewest threads.
    pub fn take(&mut self) -> Option<usize> {
        let (task, threads) = self.running.iter_mut().min_by_key(|(_, threads)| *threads)?;
        *threads += 1;
        Some(*task)
    }

    /// A thread has proven a task or gives it up. True if it is the first to prove it.
    pub fn end(&mut self, task: usize, proven: bool) -> bool {
        self.running.retain(|(running, _)| *running != task);
        let before = self.open.len();
        self.open.retain(|open| !proven || *open != task);
        self.open.len() < before
    }
}

/// Locks, even if a thread that held the lock has panicked.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_take_all_tasks_before_they_help_each_other() {
        let mut tasks = Tasks::of(3);
        tasks.begin();
        assert_eq!([tasks.take(), tasks.take(), tasks.take(), tasks.take()], [Some(0), Some(1), Some(2), Some(0)]);
        assert!(tasks.end(0, true) && !tasks.end(0, true), "two threads have proven it together");
        assert!(!tasks.end(1, false), "given up");
        assert_eq!((tasks.take(), tasks.open()), (Some(2), &[1, 2][..]));
        assert!(tasks.end(2, true));
        assert_eq!(tasks.take(), None);
        // The next effort has what is left.
        tasks.begin();
        assert_eq!(tasks.take(), Some(1));
    }
}
