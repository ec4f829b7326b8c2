//! The tables of the values of all positions of solved classes.

use super::indexing::{Layout, MOST};
use crate::games::two_eat_one::rules::board::{Bits, Kind};
use crate::search::{Known, Verdict};

/// Stones of the side to move and of the other.
pub type Class = (usize, usize);

/// The value of a byte of the tables: 0 is a draw, otherwise the plies plus one; losses take an even number of plies, wins an odd number.
#[inline(always)]
pub fn decode(code: u8) -> Verdict {
    match code {
        0 => Verdict::DRAW,
        _ => {
            let known = if code % 2 == 1 { Known::Loss } else { Known::Win };
            Verdict { known, plies: Some(u32::from(code) - 1) }
        }
    }
}

/// The byte of the tables for a value with its distance.
pub fn encode(verdict: Verdict) -> u8 {
    if verdict.known == Known::Draw { 0 } else { verdict.plies.unwrap_or_default() as u8 + 1 }
}

/// Solved classes of one kind, one byte per slot.
pub struct Tables {
    layout: &'static Layout,
    classes: Vec<Option<Vec<u8>>>,
}

fn class_number((a, b): Class) -> usize {
    a * (MOST + 1) + b
}

/// The groups of classes in the order of solving: a class and its mirror class depend on each other and, through captures, on classes with fewer stones.
pub fn groups(most: usize) -> Vec<Class> {
    let mut groups: Vec<Class> = (2..=most).flat_map(|a| (2..=a).map(move |b| (a, b))).collect();
    groups.sort_by_key(|&(a, b)| (a + b, a));
    groups
}

impl Tables {
    /// Tables without any solved class.
    pub fn new(kind: Kind) -> Tables {
        let classes = (0..(MOST + 1) * (MOST + 1)).map(|_| None).collect();
        Tables { layout: Layout::of(kind), classes }
    }

    /// The layout of the kind.
    pub fn layout(&self) -> &'static Layout {
        self.layout
    }

    /// The bytes of a class, if it is solved.
    pub fn class(&self, class: Class) -> Option<&[u8]> {
        self.classes[class_number(class)].as_deref()
    }

    /// Adds a solved class. `codes` has one byte for each slot of the class.
    pub fn insert(&mut self, class: Class, codes: Vec<u8>) {
        debug_assert_eq!(codes.len(), self.layout.slots(class));
        self.classes[class_number(class)] = Some(codes);
    }

    /// The exact value of a position for the side whose stones are `own`; `None` if its class is not solved.
    pub fn probe(&self, own: Bits, other: Bits) -> Option<Verdict> {
        let (a, b) = (own.count_ones() as usize, other.count_ones() as usize);
        let codes = self.class((a, b))?;
        Some(decode(codes[self.layout.slot(own, other)]))
    }
}
