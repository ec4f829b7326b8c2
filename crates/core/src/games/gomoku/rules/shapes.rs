//! What a stone would make on each point, what a move changes of it, and the points of each class.

use super::classes::{CLASS_NUMBERS, Class, Outlook};
use super::spot::{Spot, Spots, WORDS};
use crate::rules::Side;

/// What a stone would make on a point, in one number, since it is read and written as a whole: the patterns of the four directions in the low half, a byte
/// each, that of the first side in its low four bits; then the outlooks of both sides, which follow from the patterns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shapes(u64);

impl Shapes {
    /// The patterns of the four directions, a byte each, and the outlooks that follow from them.
    #[inline]
    pub fn new(patterns: u32, [first, second]: [Outlook; 2]) -> Shapes {
        Shapes(u64::from(patterns) | u64::from(first.0) << 32 | u64::from(second.0) << 48)
    }

    /// The patterns of the four directions, a byte each, that of the first side in its low four bits.
    #[inline]
    pub fn patterns(self) -> u32 {
        self.0 as u32
    }

    /// The pattern of a side in a direction.
    #[inline]
    pub fn pattern(self, side: usize, direction: usize) -> usize {
        (self.0 >> (8 * direction + 4 * side) & 15) as usize
    }

    /// The outlooks of both sides.
    #[inline]
    pub fn outlooks(self) -> [Outlook; 2] {
        [self.outlook(0), self.outlook(1)]
    }

    /// The outlook of a side.
    #[inline]
    pub fn outlook(self, side: usize) -> Outlook {
        Outlook((self.0 >> (32 + 16 * side)) as u16)
    }
}

/// The patterns of a side, packed four bits each.
#[inline]
pub(super) fn packed(patterns: u32, side: usize) -> u16 {
    let one = patterns >> (4 * side) & 0x0F0F_0F0F;
    let two = (one | one >> 4) & 0x00FF_00FF;
    (two | two >> 8) as u16
}

/// What a move changed at a point.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    pub(super) spot: Spot,
    pub(super) after: [Outlook; 2],
    /// What it was before.
    pub(super) shapes: Shapes,
}

impl Change {
    /// The change of the outlooks of a point; with a stone they are [`Outlook::NONE`].
    pub fn new(spot: Spot, before: [Outlook; 2], after: [Outlook; 2]) -> Change {
        Change { spot, after, shapes: Shapes::new(0, before) }
    }

    /// The outlooks for both sides before.
    #[inline]
    pub fn before(&self) -> [Outlook; 2] {
        self.shapes.outlooks()
    }

    /// The outlooks for both sides now; [`Outlook::NONE`] if the point got a stone.
    #[inline]
    pub fn after(&self) -> [Outlook; 2] {
        self.after
    }
}

/// The empty points of each class, for each side.
#[derive(Clone)]
pub(super) struct ClassSets {
    /// For each word of a set the words of all classes: a move changes few words, but points of many classes. Points with a stone are in the set of the number that is no class.
    words: [[[u64; CLASS_NUMBERS]; WORDS]; 2],
    /// For each side one bit for each class: without it, there is no point of this class.
    perhaps: [u16; 2],
}

impl ClassSets {
    /// No points.
    pub fn new() -> ClassSets {
        ClassSets { words: [[[0; CLASS_NUMBERS]; WORDS]; 2], perhaps: [0; 2] }
    }

    /// The classes that there may be, one bit each, for each side.
    #[inline]
    pub fn perhaps(&self) -> [u16; 2] {
        self.perhaps
    }

    /// Adds a point with these outlooks.
    pub fn insert(&mut self, spot: Spot, outlooks: [Outlook; 2]) {
        for (side, outlook) in outlooks.into_iter().enumerate() {
            let class = outlook.class_number();
            self.words[side][spot.index() / 64][class] |= 1 << (spot.index() % 64);
            self.perhaps[side] |= 1 << class;
        }
    }

    /// Moves points from their classes to others.
    #[inline]
    pub fn change(&mut self, changes: &[Change]) {
        let mut perhaps = self.perhaps;
        for change in changes {
            self.exchange(change);
            (0..2).for_each(|side| perhaps[side] |= 1 << change.after[side].class_number());
        }
        self.perhaps = perhaps;
    }

    /// Moves points back to their classes before. `perhaps` is [`ClassSets::perhaps`] of that time.
    #[inline]
    pub fn change_back(&mut self, changes: &[Change], perhaps: [u16; 2]) {
        changes.iter().for_each(|change| self.exchange(change));
        self.perhaps = perhaps;
    }

    /// Moves a point from its classes before a change to those after it, or back. Often they are the same; a branch would be mispredicted, which takes longer.
    #[inline]
    fn exchange(&mut self, change: &Change) {
        let bit = 1 << (change.spot.index() % 64);
        for side in 0..2 {
            let words = &mut self.words[side][change.spot.index() / 64];
            words[change.shapes.outlook(side).class_number()] ^= bit;
            words[change.after[side].class_number()] ^= bit;
        }
    }

    /// The points of a class for a side.
    #[inline]
    pub fn of(&self, side: Side, class: Class) -> Spots {
        Spots::from_words(std::array::from_fn(|word| self.words[side.index()][word][class as usize]))
    }

    /// True if there is a point of a class for a side.
    #[inline]
    pub fn has(&self, side: Side, class: Class) -> bool {
        self.perhaps[side.index()] >> class as usize & 1 != 0 && !self.of(side, class).is_empty()
    }

    /// The points of a class or a stronger one for a side.
    pub fn at_least(&self, side: Side, class: Class) -> Spots {
        let any = |words: &[u64; CLASS_NUMBERS]| words[class as usize..Class::COUNT].iter().fold(0, |any, word| any | word);
        Spots::from_words(std::array::from_fn(|word| any(&self.words[side.index()][word])))
    }
}
