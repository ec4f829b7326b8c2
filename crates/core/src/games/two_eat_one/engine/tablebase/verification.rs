//! Statistics of a solved class, and the check that the value of every position agrees with its successors.

use super::indexing::bits;
use super::solver::steps_on;
use super::tables::{Class, Tables, decode, encode};
use crate::games::two_eat_one::rules::board::Bits;
use crate::games::two_eat_one::rules::lines;
use crate::search::{Known, Verdict};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Statistics of a class, over all positions, not only up to symmetry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions won for the side to move.
    pub wins: u64,
    /// Positions drawn.
    pub draws: u64,
    /// Positions lost.
    pub losses: u64,
    /// Plies of the longest win.
    pub longest_win: Option<u32>,
    /// Plies of the longest loss.
    pub longest_loss: Option<u32>,
}

impl Counts {
    /// All positions.
    pub fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses
    }
}

/// Counts a solved class.
pub fn count(tables: &Tables, class: Class) -> Option<Counts> {
    let codes = tables.class(class)?;
    let orbits = tables.layout().orbits(class.0);
    let columns = tables.layout().among_free(class.0, class.1).len();
    let mut weighed = [0u64; 256];
    for (orbit, row) in codes.chunks(columns).enumerate() {
        let mut histogram = [0u32; 256];
        for &code in row {
            histogram[usize::from(code)] += 1;
        }
        for (sum, count) in weighed.iter_mut().zip(histogram) {
            *sum += u64::from(count) * orbits.size(orbit) as u64;
        }
    }
    let mut counts = Counts::default();
    for (code, &number) in weighed.iter().enumerate().filter(|(_, number)| **number > 0) {
        let exact = decode(code as u8);
        match exact.known {
            Known::Win => {
                counts.wins += number;
                counts.longest_win = exact.plies;
            }
            Known::Draw => counts.draws += number,
            Known::Loss => {
                counts.losses += number;
                counts.longest_loss = exact.plies;
            }
        }
    }
    Some(counts)
}

/// Checks a solved class: the number of positions whose value does not agree with their successors. Here the moves are made forward, by the rules of the
/// board. Positions are visited by the opponent's stones, so that their quiet successors are in one row.
pub fn verify(tables: &Tables, class: Class, threads: usize) -> u64 {
    let layout = tables.layout();
    let kind = layout.kind();
    let (a, b) = class;
    let (Some(codes), Some(mirror)) = (tables.class(class), tables.class((b, a))) else { return layout.slots(class) as u64 };
    let opponent_sets = layout.orbits(b);
    let columns = layout.among_free(b, a);
    let steps = steps_on(kind);
    let next = AtomicUsize::new(0);
    let failures = AtomicU64::new(0);
    let check_row = |orbit: usize| {
        let opponent = opponent_sets.representative(orbit);
        let row = &mirror[orbit * columns.len()..][..columns.len()];
        let free: Vec<usize> = bits(kind.board() & !opponent).collect();
        let number_of = opponent_sets.free_below(orbit);
        for &numbers in columns.all() {
            let own = bits(numbers).fold(0, |out: Bits, number| out | 1 << free[number]);
            let mut best: Option<Verdict> = None;
            for number in bits(numbers) {
                let from = free[number];
                let rest = numbers ^ 1 << number;
                for to in bits(steps[from] & !own & !opponent) {
                    let moved = own ^ (1 << from | 1 << to);
                    let taken = lines::taken(kind.size(), kind.line_table(), moved, opponent, to as u8);
                    let left = opponent & !taken;
                    let after = if taken == 0 {
                        decode(row[columns.rank(rest | 1 << number_of[to])])
                    } else if left.count_ones() < 2 {
                        Verdict::LOST
                    } else {
                        // If a class is missing, every position that needs it fails.
                        tables.probe(left, moved).unwrap_or(Verdict { known: Known::Win, plies: Some(0) })
                    };
                    let exact = after.through();
                    if best.is_none_or(|best| exact.rank() > best.rank()) {
                        best = Some(exact);
                    }
                }
            }
            if encode(best.unwrap_or(Verdict::LOST)) != codes[layout.slot(own, opponent)] {
                failures.fetch_add(1, Relaxed);
            }
        }
    };
    let run = || {
        loop {
            let orbit = next.fetch_add(1, Relaxed);
            if orbit >= opponent_sets.len() {
                break;
            }
            check_row(orbit);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
    failures.into_inner()
}
