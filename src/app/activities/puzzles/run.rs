//! A timed run: as many puzzles as possible in three minutes, easy ones first. It changes neither the rating nor the schedule of missed puzzles.

use qiju_core::rules::zobrist;
use qiju_core::study::puzzles::Puzzle;
use std::time::Duration;

/// How long a run lasts.
pub const LENGTH: Duration = Duration::from_secs(180);
/// Puzzles whose ratings are as near as this come in a random order.
const STEP: f64 = 100.0;

/// A run, and how it stands.
#[derive(Clone, Debug)]
pub struct Run {
    /// When it ends, on the program's clock.
    ends: Duration,
    /// The puzzles to come, the last one first.
    left: Vec<usize>,
    /// The puzzles that were solved.
    pub solved: u32,
    /// The puzzles that were missed or left out.
    pub missed: u32,
    /// The best earlier result.
    pub best: u32,
    /// True after its end.
    pub over: bool,
}

impl Run {
    /// A run that begins now. `seed` decides the order.
    pub fn new(puzzles: &[Puzzle], now: Duration, seed: u64, best: u32) -> Run {
        let mut left: Vec<usize> = (0..puzzles.len()).collect();
        let key = |index: &usize| {
            let puzzle = &puzzles[*index];
            ((puzzle.rating() / STEP) as u64, zobrist::hash(seed, puzzle.id().to_le_bytes()))
        };
        left.sort_by_cached_key(|index| std::cmp::Reverse(key(index)));
        Run { ends: now + LENGTH, left, solved: 0, missed: 0, best, over: false }
    }

    /// The time that is left.
    pub fn left(&self, now: Duration) -> Duration {
        if self.over { Duration::ZERO } else { self.ends.saturating_sub(now) }
    }

    /// Counts the puzzle on the board.
    pub fn count(&mut self, solved: bool) {
        *(if solved { &mut self.solved } else { &mut self.missed }) += 1;
    }

    /// The next puzzle's number. Without one, or without time, the run is over.
    pub fn next(&mut self, now: Duration) -> Option<usize> {
        let next = self.left.pop().filter(|_| !self.over && now < self.ends);
        self.over = next.is_none();
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qiju_core::table::PuzzleKind;

    #[test]
    fn easy_ones_come_first_each_once_and_the_time_ends_it() {
        let puzzle = |number: usize| Puzzle {
            kind: PuzzleKind::Mate,
            variant: String::new(),
            position: number.to_string(),
            line: Vec::new(),
            asked: 1,
            level: (number % 10) as u8 + 1,
        };
        let puzzles: Vec<Puzzle> = (0..200).map(puzzle).collect();
        let start = Duration::from_secs(1000);
        let order = |seed| {
            let mut run = Run::new(&puzzles, start, seed, 0);
            std::iter::from_fn(|| run.next(start)).collect::<Vec<usize>>()
        };
        let first = order(1);
        let levels: Vec<u8> = first.iter().map(|index| puzzles[*index].level).collect();
        assert!(levels.is_sorted() && first != order(2) && first == order(1));
        let mut all = first;
        all.sort_unstable();
        assert_eq!(all, (0..200).collect::<Vec<usize>>());
        let mut run = Run::new(&puzzles, start, 1, 0);
        let late = start + LENGTH;
        assert!(run.next(late - Duration::from_millis(1)).is_some() && run.left(start) == LENGTH);
        run.count(true);
        assert!(run.next(late).is_none() && run.over && run.left(start).is_zero() && run.next(start).is_none());
        assert_eq!((run.solved, run.missed), (1, 0));
    }
}
