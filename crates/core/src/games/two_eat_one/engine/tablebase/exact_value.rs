//! The value of a position in a solved class, and the tables of values.

use super::indexing::{Layout, MOST};
use crate::games::two_eat_one::rules::board::{Bits, Kind};
use crate::search::Known;

/// Stones of the side to move and of the other.
pub type Class = (usize, usize);

/// A position's value and, unless drawn, its exact distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactValue {
    /// Win, draw or loss for the side to move.
    pub known: Known,
    /// Plies to the end; 0 for a draw.
    pub plies: u32,
}

impl ExactValue {
    /// Neither side wins.
    pub const DRAW: ExactValue = ExactValue { known: Known::Draw, plies: 0 };
    /// The side to move has lost.
    pub const LOST: ExactValue = ExactValue { known: Known::Loss, plies: 0 };

    /// Decodes a byte of the tables: 0 is a draw, otherwise the plies plus one; losses take an even number of plies, wins an odd number.
    #[inline(always)]
    pub fn from_code(code: u8) -> ExactValue {
        match code {
            0 => ExactValue::DRAW,
            _ => ExactValue { known: if code % 2 == 1 { Known::Loss } else { Known::Win }, plies: u32::from(code) - 1 },
        }
    }

    /// The byte of the tables.
    pub fn code(self) -> u8 {
        if self.known == Known::Draw { 0 } else { self.plies as u8 + 1 }
    }

    /// The value of a move that leads to a position with this exact value.
    pub fn through(self) -> ExactValue {
        match self.known {
            Known::Draw => ExactValue::DRAW,
            Known::Loss => ExactValue { known: Known::Win, plies: self.plies + 1 },
            Known::Win => ExactValue { known: Known::Loss, plies: self.plies + 1 },
        }
    }

    /// A number for comparison: larger is better for the side to move (an earlier win, a draw, a later loss).
    pub fn worth(self) -> i32 {
        match self.known {
            Known::Win => 1000 - self.plies as i32,
            Known::Draw => 0,
            Known::Loss => self.plies as i32 - 1000,
        }
    }
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
    pub fn probe(&self, own: Bits, other: Bits) -> Option<ExactValue> {
        let (a, b) = (own.count_ones() as usize, other.count_ones() as usize);
        let codes = self.class((a, b))?;
        Some(ExactValue::from_code(codes[self.layout.slot(own, other)]))
    }
}
