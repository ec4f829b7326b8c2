//! How the threads of one search divide the work.
//!
//! A depth is finished when any thread has finished it ([`Lead`]): the others give it up and continue with that result.
//! A move that another thread is searching is put off to the end of its node ([`CurrentlySearching`], [`Deferred`]).
//! By then the other thread has often finished, and its result is in the transposition table. The idea is that of ABDADA (Weill 1996)
//! in its simplified form (Kerrigan 2017): only hints are shared, so a lost or doubled one costs time but never changes a result.

use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The number of slots a hint may be in.
const WAYS: usize = 4;
const SETS: usize = 4096;

/// The deepest depth finished by any thread, and its result.
#[derive(Debug, Default)]
pub struct Lead<T> {
    depth: AtomicI32,
    result: Mutex<T>,
}

impl<T: Clone> Lead<T> {
    /// The deepest finished depth; 0 at first.
    pub fn depth(&self) -> i32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// Stores the result of a thread, if it is the first to finish this depth.
    pub fn offer(&self, depth: i32, result: &T) {
        let mut kept = self.result.lock().unwrap_or_else(PoisonError::into_inner);
        if self.depth() < depth {
            kept.clone_from(result);
            self.depth.store(depth, Ordering::Relaxed);
        }
    }

    /// The deepest finished depth and its result.
    pub fn take(&self) -> (i32, T) {
        let kept = self.result.lock().unwrap_or_else(PoisonError::into_inner);
        (self.depth(), kept.clone())
    }
}

/// The moves that are being searched now, by all threads. Empty if there is only one thread.
pub struct CurrentlySearching {
    slots: Vec<AtomicU64>,
    least_depth: i32,
}

/// A move of a position, as a key. Never 0, which is a free slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hint(u64);

impl Hint {
    /// The hint for the move with this code, in the position with this key.
    pub fn new(key: u64, code: u16) -> Hint {
        Hint((key ^ (u64::from(code) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)).max(1))
    }
}

impl CurrentlySearching {
    /// No move yet, for a search with this number of threads. Moves are put off from `least_depth` on: below it the bookkeeping costs more than it saves.
    pub fn new(threads: usize, least_depth: i32) -> CurrentlySearching {
        let slots = if threads > 1 { SETS * WAYS } else { 0 };
        CurrentlySearching { slots: std::iter::repeat_with(|| AtomicU64::new(0)).take(slots).collect(), least_depth }
    }

    /// Whether moves are put off in nodes of this depth.
    pub fn defers(&self, depth: i32) -> bool {
        !self.slots.is_empty() && depth >= self.least_depth
    }

    fn set(&self, hint: Hint) -> &[AtomicU64] {
        let first = (hint.0 as usize % SETS) * WAYS;
        &self.slots[first..first + WAYS]
    }

    /// Whether a thread is searching the move now.
    pub fn contains(&self, hint: Hint) -> bool {
        self.set(hint).iter().any(|slot| slot.load(Ordering::Relaxed) == hint.0)
    }

    /// Notes that a thread begins to search the move. If no slot is free, the hint in the first slot is lost.
    pub fn begin(&self, hint: Hint) {
        let set = self.set(hint);
        let free = set.iter().find(|slot| [0, hint.0].contains(&slot.load(Ordering::Relaxed)));
        free.unwrap_or(&set[0]).store(hint.0, Ordering::Relaxed);
    }

    /// Notes that a thread has searched the move, or has stopped.
    pub fn end(&self, hint: Hint) {
        for slot in self.set(hint) {
            if slot.load(Ordering::Relaxed) == hint.0 {
                slot.store(0, Ordering::Relaxed);
            }
        }
    }
}

/// The moves of a node that were put off, with their numbers in the order of the node.
pub struct Deferred<M> {
    moves: [(M, u8); MOST_DEFERRED],
    count: usize,
    next: usize,
}

/// The most moves that a node puts off.
const MOST_DEFERRED: usize = 16;

impl<M: Copy> Deferred<M> {
    /// None yet; `blank` is any move.
    pub fn new(blank: M) -> Deferred<M> {
        Deferred { moves: [(blank, 0); MOST_DEFERRED], count: 0, next: 0 }
    }

    /// Keeps a move for later. `false` if there is no room: the move must be searched now.
    pub fn push(&mut self, mv: M, number: usize) -> bool {
        let Ok(number) = u8::try_from(number) else { return false };
        if self.count == MOST_DEFERRED {
            return false;
        }
        self.moves[self.count] = (mv, number);
        self.count += 1;
        true
    }

    /// The next move that was put off, with its number.
    pub fn pop(&mut self) -> Option<(M, usize)> {
        let &(mv, number) = self.moves[..self.count].get(self.next)?;
        self.next += 1;
        Some((mv, usize::from(number)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_to_finish_a_depth_is_heard() {
        let lead = Lead::default();
        assert_eq!(lead.take(), (0, ""));
        [(7, "first"), (7, "second"), (6, "third")].iter().for_each(|(depth, result)| lead.offer(*depth, result));
        assert_eq!((lead.depth(), lead.take()), (7, (7, "first")));
    }

    #[test]
    fn a_move_is_searched_from_its_beginning_to_its_end() {
        let searching = CurrentlySearching::new(2, 4);
        let hint = Hint::new(7, 12);
        assert!(!searching.contains(hint));
        searching.begin(hint);
        searching.begin(hint);
        assert!(searching.contains(hint) && !searching.contains(Hint::new(7, 13)) && !searching.contains(Hint::new(8, 12)));
        searching.end(hint);
        assert!(!searching.contains(hint));
        // More hints than the slots of one set: the newest is known, and ending all leaves nothing.
        let crowd: Vec<Hint> = (1..=9).map(|n| Hint(5 + n * SETS as u64)).collect();
        for &hint in &crowd {
            searching.begin(hint);
            assert!(searching.contains(hint));
        }
        crowd.iter().for_each(|hint| searching.end(*hint));
        assert!(searching.slots.iter().all(|slot| slot.load(Ordering::Relaxed) == 0));
    }

    #[test]
    fn one_thread_divides_nothing() {
        assert!(!CurrentlySearching::new(1, 4).defers(30));
        assert!(CurrentlySearching::new(2, 4).defers(4) && !CurrentlySearching::new(2, 4).defers(3));
    }

    #[test]
    fn moves_put_off_come_back_in_order() {
        let mut deferred = Deferred::new(0);
        assert_eq!(deferred.pop(), None);
        assert!((0..MOST_DEFERRED).all(|n| deferred.push(n, n + 2)));
        assert!(!deferred.push(99, 3), "full");
        assert!((0..MOST_DEFERRED).all(|n| deferred.pop() == Some((n, n + 2))));
        assert_eq!(deferred.pop(), None);
        assert!(!Deferred::new(0).push(1, 300), "a number too large to keep");
    }
}
