//! Only half of the positions are stored: which they are, and how the values of the others are computed from them.
//!
//! A quiet move changes the parity of the number of stones on even points (row + column is even) and the class from `(a, b)` to `(b, a)`. So only classes
//! with `a > b` are stored, and of classes with `a = b` only the positions with an even number of stones on even points. The value of every other
//! position follows from stored positions one ply later (with captures, a few plies later).

use super::indexing::{BINOMIAL, Layout, bits, rank};
use super::solver::steps_on;
use super::tables::{Class, Tables, groups};
use crate::games::two_eat_one::rules::board::{Bits, Kind};
use crate::games::two_eat_one::rules::lines;
use crate::search::Verdict;

/// A part of a row: all sets of the opponent's stones with fixed numbers of stones on even and on odd points. The even subsets are the outer loop, each in
/// colexicographic order.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The number of even points without a stone of the side to move; 0 if the parity of points does not matter.
    pub even_free: usize,
    /// The opponent's stones on even points; 0 if the parity does not matter.
    pub even: usize,
    /// The number of other points without a stone of the side to move.
    pub odd_free: usize,
    /// The opponent's stones on them.
    pub odd: usize,
}

impl Part {
    /// The number of positions.
    pub fn positions(&self) -> usize {
        (BINOMIAL[self.even_free][self.even] * BINOMIAL[self.odd_free][self.odd]) as usize
    }
}

/// The slot of each stored position of a kind.
pub struct Halves {
    layout: &'static Layout,
    even_points: Bits,
    /// The stored classes with their first slots.
    classes: Vec<(Class, usize)>,
    /// For classes `(a, a)`: the first slot of each orbit's row, counted within the class.
    rows: Vec<Vec<u32>>,
    slots: usize,
}

impl Halves {
    /// The stored half of a kind's classes with up to `most` stones per side.
    pub fn new(kind: Kind, most: usize) -> Halves {
        let layout = Layout::of(kind);
        let size = usize::from(kind.size());
        let even_points = (0..size * size)
            .filter(|point| (point / size + point % size).is_multiple_of(2))
            .fold(0, |set, point| set | 1 << point);
        let mut halves = Halves { layout, even_points, classes: Vec::new(), rows: vec![Vec::new(); most + 1], slots: 0 };
        for (a, b) in groups(most) {
            halves.classes.push(((a, b), halves.slots));
            if a == b {
                let mut slot = 0u32;
                let orbits = layout.orbits(a);
                for orbit in 0..orbits.len() {
                    halves.rows[a].push(slot);
                    let own = orbits.representative(orbit);
                    slot += (0..=a).map(|even| halves.part(own, a, even)).sum::<u32>();
                }
                halves.slots += slot as usize;
            } else {
                halves.slots += layout.slots((a, b));
            }
        }
        halves
    }

    /// The number of stored positions.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// The kept classes with the slot each begins at, in the order of their slots.
    pub fn classes(&self) -> &[(Class, usize)] {
        &self.classes
    }

    /// The number of sets of the mover's stones in a class, up to symmetry.
    pub fn orbits(&self, (a, _): Class) -> usize {
        self.layout.orbits(a).len()
    }

    /// The stored positions of a class with one set of the mover's stones, in the order of their slots.
    pub fn row(&self, (a, b): Class, orbit: usize) -> impl Iterator<Item = Part> {
        let own = self.layout.orbits(a).representative(orbit);
        let board = self.layout.kind().board();
        let even_free = (self.even_points & !own).count_ones() as usize;
        let odd_free = (board & !self.even_points & !own).count_ones() as usize;
        let own_even = (own & self.even_points).count_ones() as usize;
        let colours_matter = a == b;
        (0..=if colours_matter { b } else { 0 }).filter(move |even| !colours_matter || (own_even + even).is_multiple_of(2)).map(
            move |even| match colours_matter {
                true => Part { even_free, even, odd_free, odd: b - even },
                false => Part { even_free: 0, even: 0, odd_free: even_free + odd_free, odd: b },
            },
        )
    }

    /// The number of sets of `b` opponent's stones with `even` of them on even points, if the position is then even; otherwise 0.
    fn part(&self, own: Bits, b: usize, even: usize) -> u32 {
        let own_even = (own & self.even_points).count_ones() as usize;
        if (own_even + even) % 2 == 1 {
            return 0;
        }
        let even_free = (self.even_points & !own).count_ones() as usize;
        let odd_free = (self.layout.kind().board() & !self.even_points & !own).count_ones() as usize;
        BINOMIAL[even_free][even] * BINOMIAL[odd_free][b - even]
    }

    /// The slot of a position, if it is stored.
    pub fn slot(&self, own: Bits, other: Bits) -> Option<usize> {
        let class @ (a, b) = (own.count_ones() as usize, other.count_ones() as usize);
        let &(_, start) = self.classes.iter().find(|(kept, _)| *kept == class)?;
        if a > b {
            return Some(start + self.layout.slot(own, other));
        }
        if !((own | other) & self.even_points).count_ones().is_multiple_of(2) {
            return None;
        }
        let (orbit, other) = self.layout.canonical(own, other);
        let own = self.layout.orbits(a).representative(orbit);
        let odd_points = self.layout.kind().board() & !self.even_points;
        let among = |points: Bits| {
            let free = points & !own;
            rank(bits(other & points).map(|point| (free & ((1 << point) - 1)).count_ones() as usize))
        };
        let even = (other & self.even_points).count_ones() as usize;
        let before: u32 = (0..even).map(|fewer| self.part(own, b, fewer)).sum();
        let odd_free = (odd_points & !own).count_ones() as usize;
        let within = among(self.even_points) * BINOMIAL[odd_free][b - even] as usize + among(odd_points);
        Some(start + self.rows[a][orbit] as usize + before as usize + within)
    }

    /// The bytes of the stored positions, in the order of their slots.
    pub fn gather(&self, tables: &Tables) -> Option<Vec<u8>> {
        let mut codes = vec![0; self.slots];
        for &((a, b), start) in &self.classes {
            let class = tables.class((a, b))?;
            if a > b {
                codes[start..start + class.len()].copy_from_slice(class);
                continue;
            }
            let orbits = self.layout.orbits(a);
            let columns = self.layout.among_free(a, b);
            for orbit in 0..orbits.len() {
                let own = orbits.representative(orbit);
                let free: Vec<usize> = bits(self.layout.kind().board() & !own).collect();
                let row = &class[orbit * columns.len()..];
                for (&code, &numbers) in row.iter().zip(columns.all()) {
                    let other = bits(numbers).fold(0, |out: Bits, number| out | 1 << free[number]);
                    if let Some(slot) = self.slot(own, other) {
                        codes[slot] = code;
                    }
                }
            }
        }
        Some(codes)
    }

    /// The exact value of a position, computed from stored positions, which `read` looks up. A side with fewer than two stones or
    /// without a move has lost.
    ///
    /// # Errors
    /// The error of `read`.
    pub fn probe<E>(&self, own: Bits, other: Bits, read: &mut impl FnMut(usize) -> Result<Verdict, E>) -> Result<Verdict, E> {
        if own.count_ones() < 2 {
            return Ok(Verdict::LOST);
        }
        if let Some(slot) = self.slot(own, other) {
            return read(slot);
        }
        let kind = self.layout.kind();
        let mut best: Option<Verdict> = None;
        for (from, to) in moves(kind, own, other) {
            let moved = own ^ (1 << from | 1 << to);
            let left = other & !lines::taken(kind.size(), kind.line_table(), moved, other, to as u8);
            let exact = self.probe(left, moved, read)?.through();
            if best.is_none_or(|best| exact.rank() > best.rank()) {
                best = Some(exact);
            }
        }
        Ok(best.unwrap_or(Verdict::LOST))
    }
}

/// The steps of the side whose stones are `own`.
pub fn moves(kind: Kind, own: Bits, other: Bits) -> impl Iterator<Item = (usize, usize)> {
    let steps = steps_on(kind);
    bits(own).flat_map(move |from| bits(steps[from] & !own & !other).map(move |to| (from, to)))
}
