//! The transposition table: results of earlier visits to a position, shared between threads without locks.
//!
//! An entry is two 64-bit words: key ^ data, and data. If two threads write at the same time, the key does not match
//! and the entry is ignored (Hyatt and Mann, "A lock-less transposition-table implementation for parallel search",
//! 2002).

use super::Score;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// What a stored score means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score is exact.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

impl Bound {
    /// What the score means that a search with this window found.
    #[inline]
    pub fn of<S: PartialOrd>(score: S, alpha: S, beta: S) -> Bound {
        if score >= beta {
            Bound::Lower
        } else if score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// True if a score of this kind gives a cut-off in the window: exact, at least beta, or at most alpha.
    #[inline]
    pub fn allows_cutoff(self, score: i32, alpha: i32, beta: i32) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        }
    }

    /// True if a score of this kind is better than an estimate: it is exact, or the estimate contradicts the bound.
    #[inline]
    pub fn corrects(self, score: i32, estimate: i32) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score > estimate,
            Bound::Upper => score < estimate,
        }
    }
}

/// The result of a search of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move's code ([`Position::move_code`](crate::rules::Position::move_code)); 0 if none.
    pub code: u16,
    /// The score relative to the position itself (see [`Score::from_root`]).
    pub score: Score,
    /// The static evaluation, or another 16-bit number of the engine.
    pub eval: i16,
    /// Depth of the search that gave the score, in plies.
    pub depth: u8,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
}

/// Entries per bucket: together they fill a cache line.
const BUCKET: usize = 4;
const CACHE_LINE: usize = 64;

type Slot = (AtomicU64, AtomicU64);
type Bucket = [Slot; BUCKET];

/// A table of fixed size with four entries per cache line. Shared by reference between threads.
///
/// The system provides zeroed memory when it is first used, so creating a large table takes no time.
pub struct Transposition {
    slots: Box<[Slot]>,
    /// Slots before the first whole cache line. (An aligned allocation would be zeroed by the allocator at once, which
    /// takes time.)
    skipped: usize,
    /// How many buckets there are.
    count: usize,
    generation: AtomicU8,
}

const GENERATIONS: u8 = 64;
/// Bytes of the largest table that asks for large pages.
#[cfg(target_os = "linux")]
const LARGE_PAGES_UP_TO: usize = 256 << 20;

fn pack(entry: Entry, generation: u8) -> u64 {
    u64::from(entry.code)
        | u64::from(entry.score.0 as i16 as u16) << 16
        | u64::from(entry.eval as u16) << 32
        | u64::from(entry.depth) << 48
        | (match entry.bound {
            Bound::Exact => 3u64,
            Bound::Lower => 1,
            Bound::Upper => 2,
        }) << 56
        | u64::from(generation) << 58
}

fn unpack(data: u64) -> Entry {
    Entry {
        code: data as u16,
        score: Score(i32::from((data >> 16) as i16)),
        eval: (data >> 32) as i16,
        depth: (data >> 48) as u8,
        bound: match (data >> 56) & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        },
    }
}

/// Asks the system for large pages, so that looking up an entry seldom waits for the address of its page. A large page
/// is zeroed as a whole at its first use: larger tables than [`LARGE_PAGES_UP_TO`] would make the first move wait for
/// that.
fn prefer_large_pages(slots: &[Slot]) {
    #[cfg(target_os = "linux")]
    if size_of_val(slots) <= LARGE_PAGES_UP_TO {
        const PAGE: usize = 4096;
        let start = slots.as_ptr().addr().next_multiple_of(PAGE);
        let end = (slots.as_ptr().addr() + size_of_val(slots)) / PAGE * PAGE;
        // SAFETY: whole pages within memory that is ours; the advice changes nothing of what they hold. A refusal does
        // no harm.
        unsafe {
            libc::madvise(slots.as_ptr().with_addr(start).cast_mut().cast(), end.saturating_sub(start), libc::MADV_HUGEPAGE)
        };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = slots;
}

impl Transposition {
    /// A table of about `megabytes` MiB (at least one bucket); smaller if the system does not have so much memory.
    pub fn new(megabytes: usize) -> Self {
        let mut count = (megabytes.max(1) << 20) / size_of::<Bucket>();
        while Vec::<Slot>::new().try_reserve_exact((count + 1) * BUCKET).is_err() && count > 1 {
            count /= 2;
        }
        Transposition::of_buckets(count)
    }

    fn of_buckets(count: usize) -> Self {
        let slots = Box::<[Slot]>::new_zeroed_slice((count + 1) * BUCKET);
        // SAFETY: a slot is two atomic integers, for which all bits zero is a valid value: 0.
        let slots = unsafe { slots.assume_init() };
        prefer_large_pages(&slots);
        let behind_line = slots.as_ptr().addr() % CACHE_LINE;
        let skipped = (CACHE_LINE - behind_line) % CACHE_LINE / size_of::<Slot>();
        Transposition { slots, skipped, count, generation: AtomicU8::new(0) }
    }

    #[inline]
    fn buckets(&self) -> &[Bucket] {
        let (buckets, _) = self.slots[self.skipped..].as_chunks();
        &buckets[..self.count]
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets()[((u128::from(key) * self.count as u128) >> 64) as usize]
    }

    /// Begins a new search: older entries are replaced first.
    pub fn age(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// Removes all entries.
    pub fn clear(&self) {
        for (check, data) in self.buckets().iter().flatten() {
            check.store(0, Ordering::Relaxed);
            data.store(0, Ordering::Relaxed);
        }
    }

    /// Loads the cache line of `key` in advance; to be called right after a move is made.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let line: *const Bucket = self.bucket(key);
            // SAFETY: prefetching is a hint; the address is inside our own allocation.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// The entry of the position with `key`.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        for (check, data) in self.bucket(key) {
            let word = data.load(Ordering::Relaxed);
            if word != 0 && check.load(Ordering::Relaxed) ^ word == key {
                return Some(unpack(word));
            }
        }
        None
    }

    /// Stores `entry` for the position with `key`. It replaces the entry of the same position or the least useful one
    /// of the bucket.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let bucket = self.bucket(key);
        let mut worst = 0;
        let mut worst_worth = i32::MAX;
        for (slot, (check, data)) in bucket.iter().enumerate() {
            let word = data.load(Ordering::Relaxed);
            if word == 0 {
                if worst_worth != i32::MIN {
                    (worst, worst_worth) = (slot, i32::MIN);
                }
                continue;
            }
            let old = unpack(word);
            let age = i32::from((generation + GENERATIONS - (word >> 58) as u8) % GENERATIONS);
            if check.load(Ordering::Relaxed) ^ word == key {
                if entry.code == 0 {
                    entry.code = old.code;
                }
                // A much deeper result of the same search is more useful than a shallow bound.
                if entry.bound != Bound::Exact && age == 0 && old.depth > entry.depth.saturating_add(3) {
                    return;
                }
                worst = slot;
                break;
            }
            let worth = i32::from(old.depth) - 8 * age;
            if worth < worst_worth {
                (worst, worst_worth) = (slot, worth);
            }
        }
        let word = pack(entry, generation);
        let (check, data) = &bucket[worst];
        check.store(key ^ word, Ordering::Relaxed);
        data.store(word, Ordering::Relaxed);
    }

    /// The part of the table filled with entries of this search, in thousandths (from a sample).
    pub fn hashfull(&self) -> u16 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = self.count.min(250);
        let used = self.buckets()[..sample]
            .iter()
            .flatten()
            .filter(|(_, data)| {
                let word = data.load(Ordering::Relaxed);
                word != 0 && (word >> 58) as u8 == generation
            })
            .count();
        (used * 1000 / (sample * BUCKET)) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8, score: i32) -> Entry {
        Entry { code: 1234, score: Score(score), eval: -77, depth, bound: Bound::Lower }
    }

    #[test]
    fn a_score_is_a_bound_at_and_beyond_the_edges_of_its_window() {
        let of = |score| Bound::of(score, -3, 5);
        assert_eq!([-9, -3, -2, 4, 5, 9].map(of), {
            use Bound::{Exact, Lower, Upper};
            [Upper, Upper, Exact, Exact, Lower, Lower]
        });
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = Transposition::new(1);
        for key in 1..1000u64 {
            let key = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            table.store(key, entry((key % 60) as u8, -(key as i32 & 0x7FFF) / 2));
        }
        let key = 500u64.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        assert_eq!(table.probe(key), Some(entry((key % 60) as u8, -(key as i32 & 0x7FFF) / 2)));
        assert_eq!(table.probe(key ^ 1), None);
        table.clear();
        assert_eq!(table.probe(key), None);
    }

    #[test]
    fn a_bucket_is_a_cache_line() {
        for megabytes in [1, 3, 64] {
            let table = Transposition::new(megabytes);
            assert_eq!(table.buckets().len(), (megabytes << 20) / CACHE_LINE);
            assert_eq!(table.buckets().as_ptr().addr() % CACHE_LINE, 0);
        }
    }

    #[test]
    fn a_table_larger_than_memory_is_made_smaller() {
        let table = Transposition::new(1 << 40);
        table.store(7, entry(1, 2));
        assert_eq!(table.probe(7), Some(entry(1, 2)));
    }

    #[test]
    fn old_and_shallow_entries_give_way() {
        let table = Transposition::of_buckets(1);
        for key in 0..4 {
            table.store(key + 10, entry(key as u8 + 1, 0));
        }
        table.store(99, entry(5, 0));
        assert!(table.probe(10).is_none() && table.probe(13).is_some() && table.probe(99).is_some());
        for _ in 0..3 {
            table.age();
        }
        table.store(100, entry(1, 0));
        assert!(table.probe(100).is_some());
    }
}
