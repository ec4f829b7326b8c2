//! Points of the board and sets of them.

use crate::rules::Point;
use std::fmt;

/// Points per row in memory, for every board size.
pub const STRIDE: usize = 20;
/// Points in memory.
pub const SPOTS: usize = STRIDE * STRIDE;
/// 64-bit words of a set of points.
pub(super) const WORDS: usize = SPOTS.div_ceil(64);
/// Steps of the four directions: along a row, up a file, and the two diagonals.
pub const STEPS: [usize; 4] = [1, STRIDE, STRIDE + 1, STRIDE - 1];

/// A point of the board; as a move, a stone placed there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot(pub(super) u16);

impl Spot {
    /// The spot of a point on a board of at most 20 by 20.
    pub const fn new(x: u8, y: u8) -> Spot {
        Spot(y as u16 * STRIDE as u16 + x as u16)
    }

    /// The spot as a point of the board.
    pub fn point(self) -> Point {
        Point::new((usize::from(self.0) % STRIDE) as u8, (usize::from(self.0) / STRIDE) as u8)
    }

    /// A number below [`SPOTS`].
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The spot with this number.
    #[inline]
    pub fn from_index(index: usize) -> Spot {
        debug_assert!(index < SPOTS);
        Spot(index as u16)
    }

    /// True if both spots are on one line and fit in one row of five.
    pub fn is_in_reach_of(self, other: Spot) -> bool {
        let (a, b) = (self.point(), other.point());
        let (across, up) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
        (across == 0 || up == 0 || across == up) && across.max(up) < 5
    }

    /// The point with this name (`a1`.., upper or lower case) on a board of this size.
    pub fn from_name(name: &str, size: u8) -> Option<Spot> {
        let mut chars = name.chars();
        let x = chars.next()?.to_ascii_lowercase() as u32;
        let x = u8::try_from(x.checked_sub('a' as u32)?).ok()?;
        let digits = chars.as_str();
        if digits.starts_with('0') || digits.len() > 2 || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let y: u8 = digits.parse::<u8>().ok()?.checked_sub(1)?;
        (x < size && y < size).then_some(Spot::new(x, y))
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Point { x, y } = self.point();
        write!(f, "{}{}", char::from(b'a' + x), y + 1)
    }
}

/// A set of spots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spots([u64; WORDS]);

impl Spots {
    /// Adds a spot.
    #[inline]
    pub fn insert(&mut self, spot: Spot) {
        self.0[spot.index() / 64] |= 1 << (spot.index() % 64);
    }

    /// Removes a spot.
    #[inline]
    pub fn remove(&mut self, spot: Spot) {
        self.0[spot.index() / 64] &= !(1 << (spot.index() % 64));
    }

    /// True if the spot is in the set.
    #[inline]
    pub fn contains(&self, spot: Spot) -> bool {
        self.0[spot.index() / 64] >> (spot.index() % 64) & 1 != 0
    }

    /// Adds all spots of another set.
    #[inline]
    pub fn unite(&mut self, other: &Spots) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
    }

    /// Keeps only the spots that are in the other set too.
    #[inline]
    pub fn intersect(&mut self, other: &Spots) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= other;
        }
    }

    /// Removes all spots of another set.
    #[inline]
    pub fn subtract(&mut self, other: &Spots) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= !other;
        }
    }

    /// The set with these words, a bit for each spot.
    #[inline]
    pub(super) fn from_words(words: [u64; WORDS]) -> Spots {
        Spots(words)
    }

    /// True if no spot is in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |any, word| any | word) == 0
    }

    /// The number of spots.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The first spot.
    #[inline]
    pub fn first(&self) -> Option<Spot> {
        self.iter().next()
    }

    /// The spots in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Spot> + use<> {
        let words = self.0;
        (0..WORDS).flat_map(move |index| {
            let mut word = words[index];
            std::iter::from_fn(move || {
                if word == 0 {
                    return None;
                }
                let bit = word.trailing_zeros() as usize;
                word &= word - 1;
                Some(Spot((index * 64 + bit) as u16))
            })
        })
    }

    /// The set with every index increased by `by`.
    pub fn shifted_up(&self, by: usize) -> Spots {
        let mut out = [0; WORDS];
        for (index, word) in out.iter_mut().enumerate() {
            *word = self.0[index] << by;
            if index > 0 {
                *word |= self.0[index - 1] >> (64 - by);
            }
        }
        Spots(out)
    }

    /// The set with every index decreased by `by`.
    pub fn shifted_down(&self, by: usize) -> Spots {
        let mut out = [0; WORDS];
        for (index, word) in out.iter_mut().enumerate() {
            *word = self.0[index] >> by;
            if index + 1 < WORDS {
                *word |= self.0[index + 1] << (64 - by);
            }
        }
        Spots(out)
    }
}
