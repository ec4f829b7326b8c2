//! A plain board: stones, and for each window of five points the number of stones of each side.

use crate::games::gomoku::proof::key::{Key, Place, key};
use crate::rules::Side;

/// At least the windows of the largest board, 20 by 20, and the 64-bit words with a bit for each of them.
const MOST_WINDOWS: usize = 1152;
const WORDS: usize = MOST_WINDOWS / 64;

/// The number of a window.
type Window = u16;

/// A window of five points in a row, and the points before and after it if they are on the board.
struct Row {
    points: [Place; 5],
    ends: [Option<Place>; 2],
}

/// A board with a side to attack: the winner of the proof.
pub struct Plain {
    size: u8,
    exact: bool,
    /// The side of the stone on each point.
    stones: Vec<Option<Side>>,
    rows: Vec<Row>,
    /// The windows through each point.
    through: Vec<Vec<Window>>,
    /// The number of stones of each side in each window.
    counts: [[u8; MOST_WINDOWS]; 2],
    /// For each side and each number of its stones from 0 to 5: the windows with so many of them and none of the other side, one bit each.
    alone: [[[u64; WORDS]; 6]; 2],
    /// For each side a number that changes with every stone and is the same for the same stones.
    prints: [u64; 2],
}

impl Plain {
    /// The empty board. With `exact` exactly five win, otherwise five or more.
    pub fn new(size: u8, exact: bool) -> Plain {
        let mut board = Plain {
            size,
            exact,
            stones: vec![None; usize::from(size) * usize::from(size)],
            rows: Vec::new(),
            through: vec![Vec::new(); usize::from(size) * usize::from(size)],
            counts: [[0; MOST_WINDOWS]; 2],
            alone: [[[0; WORDS]; 6]; 2],
            prints: [0; 2],
        };
        let lines = i32::from(size);
        let place = |x: i32, y: i32| ((0..lines).contains(&x) && (0..lines).contains(&y)).then_some((y * lines + x) as Place);
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            for y in 0..lines {
                for x in 0..lines {
                    let row: Option<Vec<Place>> = (0..5).map(|step| place(x + step * dx, y + step * dy)).collect();
                    let Some(Ok(points)) = row.map(<[Place; 5]>::try_from) else { continue };
                    for point in points {
                        board.through[usize::from(point)].push(board.rows.len() as Window);
                    }
                    let ends = [place(x - dx, y - dy), place(x + 5 * dx, y + 5 * dy)];
                    board.rows.push(Row { points, ends });
                }
            }
        }
        for window in 0..board.rows.len() {
            board.alone.iter_mut().for_each(|alone| alone[0][window / 64] |= 1 << (window % 64));
        }
        board
    }

    /// The number of points.
    pub fn points(&self) -> Place {
        self.stones.len() as Place
    }

    /// True if no stone is there.
    pub fn is_empty(&self, place: Place) -> bool {
        self.stones.get(usize::from(place)).is_some_and(Option::is_none)
    }

    /// Puts a stone on an empty point.
    pub fn put(&mut self, place: Place, side: Side) {
        debug_assert!(self.is_empty(place));
        self.stones[usize::from(place)] = Some(side);
        self.change(place, side, 1);
    }

    /// Takes the stone away again.
    pub fn take(&mut self, place: Place) {
        if let Some(side) = self.stones[usize::from(place)].take() {
            self.change(place, side, u8::MAX);
        }
    }

    /// Moves every stone to another place.
    pub fn rearrange(&mut self, to: impl Fn(Place) -> Place) {
        let stones: Vec<(Place, Side)> = self.placed().collect();
        stones.iter().for_each(|(place, _)| self.take(*place));
        stones.iter().for_each(|&(place, side)| self.put(to(place), side));
    }

    fn placed(&self) -> impl Iterator<Item = (Place, Side)> + '_ {
        self.stones.iter().enumerate().filter_map(|(place, side)| Some((place as Place, (*side)?)))
    }

    fn change(&mut self, place: Place, side: Side, by: u8) {
        let (own, other) = (side.index(), (!side).index());
        for &window in &self.through[usize::from(place)] {
            let window = usize::from(window);
            let (word, bit) = (window / 64, 1 << (window % 64));
            let before = self.counts[own][window];
            let after = before.wrapping_add(by);
            self.counts[own][window] = after;
            let others = self.counts[other][window];
            if others == 0 {
                self.alone[own][usize::from(before)][word] &= !bit;
                self.alone[own][usize::from(after)][word] |= bit;
            }
            if before == 0 {
                self.alone[other][usize::from(others)][word] &= !bit;
            } else if after == 0 {
                self.alone[other][usize::from(others)][word] |= bit;
            }
        }
        self.prints[side.index()] ^= number(place, side);
    }

    /// The number of the position with this stone more (or less).
    pub fn print_after(&self, place: Place, side: Side) -> u64 {
        self.print() ^ number(place, side)
    }

    /// The same with two stones more.
    pub fn print_after_both(&self, (place, side): (Place, Side), (other, other_side): (Place, Side)) -> u64 {
        self.print() ^ number(place, side) ^ number(other, other_side)
    }

    /// A number that is the same for the same stones.
    pub fn print(&self) -> u64 {
        self.prints[0] ^ self.prints[1]
    }

    /// A number that is the same for the same stones of this side.
    pub fn print_of(&self, side: Side) -> u64 {
        self.prints[side.index()]
    }

    /// The number of windows through a point with two stones of the side or more, and none of the other.
    pub fn rows_through(&self, place: Place, side: Side) -> u32 {
        let (own, other) = (&self.counts[side.index()], &self.counts[(!side).index()]);
        let through = self.through[usize::from(place)].iter().map(|window| usize::from(*window));
        through.filter(|&window| own[window] >= 2 && other[window] == 0).count() as u32
    }

    /// The key of the position in a tree.
    pub fn key(&self) -> Key {
        key(self.placed(), self.size)
    }

    /// True if the side has five (and not more, if exactly five win).
    pub fn has_five(&self, side: Side) -> bool {
        self.windows(side, 5).next().is_some()
    }

    /// True unless exactly five win and the row would be longer.
    fn ends_allow(&self, window: usize, side: Side) -> bool {
        let own = |end: &Option<Place>| end.is_some_and(|end| self.stones[usize::from(end)] == Some(side));
        !self.exact || !self.rows[window].ends.iter().any(own)
    }

    /// The windows with this number of stones of a side, and none of the other, in which a five is possible.
    fn windows(&self, side: Side, number: u8) -> impl Iterator<Item = usize> + '_ {
        self.alone(side, number).filter(move |window| self.ends_allow(*window, side))
    }

    /// The windows with this number of stones of a side, and none of the other.
    fn alone(&self, side: Side, number: u8) -> impl Iterator<Item = usize> + '_ {
        self.alone[side.index()][usize::from(number)][..self.rows.len().div_ceil(64)].iter().enumerate().flat_map(
            |(index, word)| {
                let mut left = *word;
                std::iter::from_fn(move || {
                    let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                    left &= left - 1;
                    Some(index * 64 + bit)
                })
            },
        )
    }

    /// The empty points of a window.
    fn gaps(&self, window: usize) -> impl Iterator<Item = Place> + '_ {
        self.rows[window].points.into_iter().filter(|point| self.is_empty(*point))
    }

    /// The points where the side makes five, each once.
    pub fn fives(&self, side: Side) -> Vec<Place> {
        let mut fives: Vec<Place> = Vec::new();
        for window in self.windows(side, 4) {
            for gap in self.gaps(window) {
                if !fives.contains(&gap) {
                    fives.push(gap);
                }
            }
        }
        fives
    }

    /// The points where the side would make five after a stone on an empty point, each once, if it can make none before: so only windows through the point
    /// matter.
    pub fn fives_after(&self, place: Place, side: Side) -> Vec<Place> {
        let (own, other) = (&self.counts[side.index()], &self.counts[(!side).index()]);
        let mut fives: Vec<Place> = Vec::new();
        for window in self.through[usize::from(place)].iter().map(|window| usize::from(*window)) {
            if own[window] != 3 || other[window] != 0 || !self.ends_allow(window, side) {
                continue;
            }
            for gap in self.gaps(window) {
                if gap != place && !fives.contains(&gap) {
                    fives.push(gap);
                }
            }
        }
        fives
    }

    /// The points where a stone of the side makes a window of at least this number of its stones and none of the other side, each once, in
    /// order.
    pub fn builders(&self, side: Side, number: u8) -> Vec<Place> {
        let mut builders = Vec::new();
        for number in number - 1..5 {
            for window in self.windows(side, number) {
                builders.extend(self.gaps(window));
            }
        }
        builders.sort_unstable();
        builders.dedup();
        builders
    }

    /// The empty points of the windows with at least `number` stones of the side and none of the other, of those through `place` or of all.
    pub fn near_rows(&self, side: Side, number: u8, place: Option<Place>, out: &mut Zone) {
        match place {
            Some(place) => {
                let (own, other) = (&self.counts[side.index()], &self.counts[(!side).index()]);
                let through = self.through[usize::from(place)].iter().map(|window| usize::from(*window));
                let wanted = through.filter(|&window| own[window] >= number && other[window] == 0);
                wanted.for_each(|window| self.gaps(window).for_each(|gap| out.add(gap)));
            }
            None => (number..=5).for_each(|number| {
                self.alone(side, number).for_each(|window| self.gaps(window).for_each(|gap| out.add(gap)));
            }),
        }
    }
}

/// The number of a stone.
fn number(place: Place, side: Side) -> u64 {
    let number = (u64::from(place) * 2 + side.index() as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (number ^ number >> 31).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    mixed ^ mixed >> 32
}

/// A set of points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zone([u64; 7]);

impl Zone {
    /// Adds a point.
    pub fn add(&mut self, place: Place) {
        self.0[usize::from(place / 64)] |= 1 << (place % 64);
    }

    /// True if the point is in the set.
    pub fn has(&self, place: Place) -> bool {
        self.0[usize::from(place / 64)] >> (place % 64) & 1 != 0
    }
}
