//! Numbers all positions: symmetries of the board, subsets of its points, and the slots of the tables.
//!
//! A class is `(a, b)`: `a` stones of the side to move (the mover), `b` of the opponent. The colour of a side does not matter, so a position is the set of
//! the mover's stones and the set of the opponent's. Its slot: a symmetry of the board takes the mover's stones to the representative of their orbit. The
//! same symmetry is applied to the opponent's stones, whose slot is their colexicographic rank among the remaining points.

use crate::games::two_eat_one::rules::board::{Bits, Kind};
use crate::rules::symmetry::{SYMMETRIES, turned};
use std::sync::{Arc, OnceLock};

/// The most stones a side can have in any kind.
pub const MOST: usize = 6;

/// `BINOMIAL[n][k]`: the number of subsets of `k` of `n` points.
pub const BINOMIAL: [[u32; MOST + 2]; 26] = {
    let mut table = [[0; MOST + 2]; 26];
    let mut n = 0;
    while n < 26 {
        table[n][0] = 1;
        let mut k = 1;
        while k < MOST + 2 {
            if n > 0 {
                table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            }
            k += 1;
        }
        n += 1;
    }
    table
};

/// The numbers of the set bits, ascending.
pub fn bits(mut set: Bits) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let bit = set.trailing_zeros() as usize;
            set &= set - 1;
            bit
        })
    })
}

/// The subsets of `k` of `points` points in colexicographic order, which is the numeric order of their bits.
pub struct Subsets {
    half: u32,
    low: Vec<u32>,
    high: Vec<u32>,
    all: Vec<Bits>,
}

impl Subsets {
    /// The subsets of `k` of `points` points.
    pub fn new(points: usize, k: usize) -> Subsets {
        // A rank is the sum over the stones, counted from 1 in ascending order, of C(point, count). The points are looked up in two halves; as
        // k is known, the number of stones in the upper half gives the number in the lower half.
        let half = points.div_ceil(2);
        let sum = |set: Bits, offset: usize, below: usize| -> u32 {
            bits(set).enumerate().map(|(order, point)| BINOMIAL[point + offset][(below + order + 1).min(MOST + 1)]).sum()
        };
        let low = (0..1 << half).map(|set| if Bits::count_ones(set) as usize <= k { sum(set, 0, 0) } else { 0 }).collect();
        let high = (0..1 << (points - half))
            .map(|set| k.checked_sub(Bits::count_ones(set) as usize).map_or(0, |below| sum(set, half, below)))
            .collect();
        let count = BINOMIAL[points][k] as usize;
        let mut all = Vec::with_capacity(count);
        let mut set: Bits = (1 << k) - 1;
        while all.len() < count {
            all.push(set);
            if set != 0 {
                // The next number with the same number of bits (Gosper).
                let lowest = set & set.wrapping_neg();
                let ripple = set + lowest;
                set = ripple | (((set ^ ripple) >> 2) / lowest);
            }
        }
        Subsets { half: half as u32, low, high, all }
    }

    /// The number of subsets.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// The rank of a subset.
    #[inline(always)]
    pub fn rank(&self, set: Bits) -> usize {
        (self.low[(set & ((1 << self.half) - 1)) as usize] + self.high[(set >> self.half) as usize]) as usize
    }

    /// All subsets, by rank.
    pub fn all(&self) -> &[Bits] {
        &self.all
    }
}

/// The subsets of a fixed number of points of a board, grouped into orbits under the board's symmetries.
pub struct Orbits {
    subsets: Subsets,
    /// For each subset, the number of its representative and the symmetry that maps it there.
    of: Vec<(u16, u8)>,
    representatives: Vec<Bits>,
    /// For each representative, the symmetries that do not change it (the identity first).
    stabilisers: Vec<Vec<u8>>,
    /// For each representative and point, the number of lower points that are not in it.
    free_below: Vec<[u8; 25]>,
}

impl Orbits {
    /// The number of orbits.
    pub fn len(&self) -> usize {
        self.representatives.len()
    }

    /// The smallest subset of an orbit.
    pub fn representative(&self, orbit: usize) -> Bits {
        self.representatives[orbit]
    }

    /// The number of subsets in an orbit.
    pub fn size(&self, orbit: usize) -> usize {
        SYMMETRIES / self.stabilisers[orbit].len()
    }

    /// The symmetries that do not change an orbit's representative.
    pub fn stabiliser(&self, orbit: usize) -> &[u8] {
        &self.stabilisers[orbit]
    }

    /// For each point, the number of lower points that are not in an orbit's representative.
    #[inline(always)]
    pub fn free_below(&self, orbit: usize) -> &[u8; 25] {
        &self.free_below[orbit]
    }

    /// The orbit of a subset given by its rank, and the symmetry that maps it to the representative.
    #[inline(always)]
    pub fn by_rank(&self, rank: usize) -> (usize, usize) {
        let (orbit, symmetry) = self.of[rank];
        (usize::from(orbit), usize::from(symmetry))
    }

    /// The orbit of a subset, and the symmetry that maps it to the representative.
    pub fn of(&self, set: Bits) -> (usize, usize) {
        self.by_rank(self.subsets.rank(set))
    }
}

/// A board's symmetries and the orbits of its subsets, up to the most stones of a side.
pub struct Layout {
    kind: Kind,
    points: usize,
    symmetries: [[u8; 25]; SYMMETRIES],
    orbits: Vec<Orbits>,
    /// At `[j][k]`: the subsets of `k` of the points that remain free with `j` stones on the board.
    among_free: Vec<Vec<Arc<Subsets>>>,
}

impl Layout {
    /// The layout of a kind; computed once.
    pub fn of(kind: Kind) -> &'static Layout {
        static LAYOUTS: [OnceLock<Layout>; 4] = [const { OnceLock::new() }; 4];
        LAYOUTS[kind as usize].get_or_init(|| Layout::new(kind))
    }

    fn new(kind: Kind) -> Layout {
        let size = usize::from(kind.size());
        let points = size * size;
        let mut symmetries = [[0; 25]; SYMMETRIES];
        for (number, symmetry) in symmetries.iter_mut().enumerate() {
            for (point, image) in symmetry.iter_mut().enumerate().take(points) {
                let (row, column) = turned((point / size, point % size), number, size);
                *image = (row * size + column) as u8;
            }
        }
        let most = kind.stones() as usize;
        let orbits = (0..=most).map(|k| orbits(&symmetries, points, k)).collect();
        let among_free = (0..=most).map(|j| (0..=most).map(|k| Arc::new(Subsets::new(points - j, k))).collect()).collect();
        Layout { kind, points, symmetries, orbits, among_free }
    }

    /// The kind of the game.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The number of points of the board.
    pub fn points(&self) -> usize {
        self.points
    }

    /// The orbits of the subsets of `k` points.
    pub fn orbits(&self, k: usize) -> &Orbits {
        &self.orbits[k]
    }

    /// The subsets of `k` of the points that remain free with `stones` stones on the board.
    pub fn among_free(&self, stones: usize, k: usize) -> &Subsets {
        &self.among_free[stones][k]
    }

    /// The image of a set under a symmetry.
    pub fn image(&self, symmetry: usize, set: Bits) -> Bits {
        bits(set).fold(0, |image, bit| image | 1 << self.symmetries[symmetry][bit])
    }

    /// The number of slots of a class.
    pub fn slots(&self, (a, b): (usize, usize)) -> usize {
        self.orbits[a].len() * self.among_free[a][b].len()
    }

    /// The orbit of the mover's stones, and the opponent's stones under the symmetry that maps the mover's to the representative.
    pub fn canonical(&self, own: Bits, other: Bits) -> (usize, Bits) {
        let (orbit, symmetry) = self.orbits[own.count_ones() as usize].of(own);
        (orbit, self.image(symmetry, other))
    }

    /// The slot of a position in the table of its class.
    pub fn slot(&self, own: Bits, other: Bits) -> usize {
        let (a, b) = (own.count_ones() as usize, other.count_ones() as usize);
        let (orbit, other) = self.canonical(own, other);
        let below = self.orbits[a].free_below(orbit);
        orbit * self.among_free[a][b].len() + rank(bits(other).map(|point| usize::from(below[point])))
    }
}

/// The colexicographic rank of ascending points.
#[inline(always)]
pub fn rank(points: impl Iterator<Item = usize>) -> usize {
    points.enumerate().map(|(order, point)| BINOMIAL[point][order + 1] as usize).sum()
}

fn orbits(symmetries: &[[u8; 25]; SYMMETRIES], points: usize, k: usize) -> Orbits {
    let subsets = Subsets::new(points, k);
    let image = |symmetry: usize, set: Bits| bits(set).fold(0, |image, bit| image | 1 << symmetries[symmetry][bit]);
    let mut of = vec![(u16::MAX, 0); subsets.len()];
    let mut representatives: Vec<Bits> = Vec::new();
    let mut stabilisers = Vec::new();
    for &set in subsets.all() {
        if of[subsets.rank(set)].0 != u16::MAX {
            continue;
        }
        // In ascending order the first of an orbit is its smallest.
        let orbit = representatives.len() as u16;
        representatives.push(set);
        stabilisers.push((0..SYMMETRIES as u8).filter(|symmetry| image(usize::from(*symmetry), set) == set).collect());
        for symmetry in 0..SYMMETRIES {
            let member = image(symmetry, set);
            let back = (0..SYMMETRIES).find(|back| image(*back, member) == set).expect("symmetries have inverses");
            of[subsets.rank(member)] = (orbit, back as u8);
        }
    }
    let free_below = representatives
        .iter()
        .map(|&set| std::array::from_fn(|point| point as u8 - (set & ((1 << point) - 1)).count_ones() as u8))
        .collect();
    Orbits { subsets, of, representatives, stabilisers, free_below }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_numbered_in_order() {
        for (points, k) in [(25, 5), (20, 5), (23, 2), (16, 6), (10, 6), (4, 0)] {
            let subsets = Subsets::new(points, k);
            assert_eq!(subsets.len(), BINOMIAL[points][k] as usize);
            for (number, &set) in subsets.all().iter().enumerate() {
                assert_eq!(subsets.rank(set), number);
                assert_eq!(rank(bits(set)), number);
            }
        }
    }

    #[test]
    fn the_sizes_are_the_published_ones() {
        let layout = Layout::of(Kind::Standard);
        assert_eq!(layout.orbits(5).len(), 6814);
        let classes = (2..=5).flat_map(|a| (2..=5).map(move |b| (a, b)));
        assert_eq!(classes.map(|class| layout.slots(class)).sum::<usize>(), 207_639_642);
        for (k, subsets) in [1, 25, 300, 2300, 12_650, 53_130].into_iter().enumerate() {
            let orbits = layout.orbits(k);
            assert_eq!((0..orbits.len()).map(|orbit| orbits.size(orbit)).sum::<usize>(), subsets);
        }
    }

    #[test]
    fn a_position_and_its_images_share_a_value_slot_up_to_the_stabiliser() {
        let layout = Layout::of(Kind::Standard);
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..20_000 {
            let mut points: Vec<u32> = (0..25).collect();
            random.shuffle(&mut points);
            let set = |points: &[u32]| points.iter().fold(0, |set, point| set | 1 << point);
            let (own, other): (Bits, Bits) = (set(&points[..5]), set(&points[5..9]));
            let (orbit, _) = layout.canonical(own, other);
            let slots: Vec<usize> = (0..SYMMETRIES).map(|s| layout.slot(layout.image(s, own), layout.image(s, other))).collect();
            let mut different = slots.clone();
            different.sort_unstable();
            different.dedup();
            assert!(different.len() <= layout.orbits(5).stabiliser(orbit).len());
        }
    }
}
