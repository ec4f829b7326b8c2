//! The class of a point for a side: the shapes on its four lines together.
//!
//! The classes follow the table of "Gomoku in fourteen steps": five; open four, double four or four with open three; double open three; and so
//! on down to a two. Their values are defined by the engine.

use super::lines::{LineRule, Pattern};
use std::sync::OnceLock;

/// The shapes that a side would make on its four lines by a stone on an empty point. Ordered by strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Class {
    /// Nothing.
    Nothing,
    /// Forbidden: an overline or two fours of black in renju.
    Forbidden,
    /// A two blocked at one end.
    Two,
    /// An open two.
    OpenTwo,
    /// A three blocked at one end.
    Three,
    /// Two open twos.
    DoubleTwo,
    /// A three and an open two, or two threes.
    ThreePlus,
    /// An open three.
    OpenThree,
    /// An open three with a three or an open two.
    OpenThreePlus,
    /// Two open threes (in renju this may be forbidden).
    DoubleThree,
    /// A four.
    Four,
    /// A four with a three or an open two.
    FourPlus,
    /// A four and an open three.
    FourThree,
    /// An open four, or two fours.
    OpenFour,
    /// A five.
    Five,
}

impl Class {
    /// Number of classes.
    pub const COUNT: usize = 15;
    /// All classes, by number, and the first one once more, so that four bits are always a class.
    pub const ALL: [Class; CLASS_NUMBERS] = [
        Class::Nothing,
        Class::Forbidden,
        Class::Two,
        Class::OpenTwo,
        Class::Three,
        Class::DoubleTwo,
        Class::ThreePlus,
        Class::OpenThree,
        Class::OpenThreePlus,
        Class::DoubleThree,
        Class::Four,
        Class::FourPlus,
        Class::FourThree,
        Class::OpenFour,
        Class::Five,
        Class::Nothing,
    ];
}

/// The result of the four patterns of a point: its class and its code, in one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook(pub(super) u16);

/// The bits of a code in an outlook; those above are the class.
const CODE_BITS: u32 = 12;
/// What the code in an outlook is below.
pub const CODE_NUMBERS: usize = 1 << CODE_BITS;
/// What the number of a class in an outlook is below.
pub const CLASS_NUMBERS: usize = 1 << (16 - CODE_BITS);
const _: () = assert!(CODES < CODE_NUMBERS && Class::COUNT < CLASS_NUMBERS);

impl Outlook {
    /// That of a point with a stone: no code and no class have its numbers.
    pub const NONE: Outlook = Outlook(u16::MAX);

    fn new(class: Class, code: u16) -> Outlook {
        Outlook((class as u16) << CODE_BITS | code)
    }

    /// The class.
    #[inline]
    pub fn class(self) -> Class {
        Class::ALL[self.class_number()]
    }

    /// The number of the class, below [`CLASS_NUMBERS`].
    #[inline]
    pub fn class_number(self) -> usize {
        usize::from(self.0 >> CODE_BITS)
    }

    /// The four patterns, in any order, as one number below [`CODES`]; [`FORBIDDEN`] if the side may not play there.
    #[inline]
    pub fn code(self) -> u16 {
        self.0 & ((1 << CODE_BITS) - 1)
    }
}

/// The number of sets of four patterns, with repetition.
const FOURFOLDS: usize = Pattern::ALL.len() * (Pattern::ALL.len() + 1) * (Pattern::ALL.len() + 2) * (Pattern::ALL.len() + 3) / 24;
/// The code of a forbidden point.
pub const FORBIDDEN: u16 = FOURFOLDS as u16;
/// The number of codes: those of four patterns, and [`FORBIDDEN`].
pub const CODES: usize = FOURFOLDS + 1;
/// The number of families of codes: the sets of three patterns, and that of [`FORBIDDEN`].
pub const FAMILIES: usize = Pattern::ALL.len() * (Pattern::ALL.len() + 1) * (Pattern::ALL.len() + 2) / 6 + 1;

/// Four packed patterns, the strongest first.
fn sorted(packed: usize) -> [usize; 4] {
    let mut patterns = [0, 4, 8, 12].map(|shift| (packed >> shift & 15).min(Pattern::ALL.len() - 1));
    patterns.sort_unstable_by(|a, b| b.cmp(a));
    patterns
}

/// The code of four packed patterns.
fn code(packed: usize) -> u16 {
    let [a, b, c, d] = sorted(packed);
    (a * (a + 1) * (a + 2) * (a + 3) / 24 + b * (b + 1) * (b + 2) / 6 + c * (c + 1) / 2 + d) as u16
}

/// The family of every code: its three strongest patterns as one number below [`FAMILIES`]. Codes that are too rare for values of their own
/// have those of their family.
pub fn families() -> &'static [u16; CODES] {
    static TABLE: OnceLock<Box<[u16; CODES]>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Box::new([FAMILIES as u16 - 1; CODES]);
        for packed in 0..1usize << 16 {
            let [a, b, c, _] = sorted(packed);
            table[usize::from(code(packed))] = (a * (a + 1) * (a + 2) / 6 + b * (b + 1) / 2 + c) as u16;
        }
        table[usize::from(FORBIDDEN)] = FAMILIES as u16 - 1;
        table
    })
}

/// The outlook for every combination of four patterns, packed in four bits each.
pub type Outlooks = [Outlook; 1 << 16];

/// The table for a side's rule.
pub fn outlooks(rule: LineRule) -> &'static Outlooks {
    static PLAIN: OnceLock<Box<Outlooks>> = OnceLock::new();
    static RENJU_BLACK: OnceLock<Box<Outlooks>> = OnceLock::new();
    let renju = rule == LineRule::RenjuBlack;
    let table = if renju { &RENJU_BLACK } else { &PLAIN };
    table.get_or_init(|| {
        let all: Vec<Outlook> = (0..1usize << 16).map(|packed| outlook(packed, renju)).collect();
        all.into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("there are 2^16 packed patterns"))
    })
}

fn outlook(packed: usize, renju: bool) -> Outlook {
    let patterns = [0, 4, 8, 12].map(|shift| Pattern::ALL[(packed >> shift & 15).min(Pattern::ALL.len() - 1)]);
    let count = |wanted: fn(Pattern) -> bool| patterns.iter().filter(|p| wanted(**p)).count();
    let fives = count(|p| p == Pattern::Five);
    let open_fours = count(|p| p == Pattern::OpenFour);
    let fours = count(|p| p == Pattern::Four);
    let two_fours = count(|p| p == Pattern::TwoFours);
    let overlines = count(|p| p == Pattern::Overline);
    let open_threes = count(Pattern::is_open_three);
    let threes = count(|p| p == Pattern::Three);
    let open_twos = count(|p| matches!(p, Pattern::OpenTwo | Pattern::WideTwo | Pattern::BroadTwo | Pattern::FreeTwo));
    let twos = count(|p| p == Pattern::Two);
    let class = if fives > 0 {
        Class::Five
    } else if renju && (overlines > 0 || open_fours + fours + 2 * two_fours > 1) {
        Class::Forbidden
    } else if open_fours + two_fours > 0 || fours > 1 {
        Class::OpenFour
    } else if fours == 1 {
        match (open_threes, threes + open_twos) {
            (1.., _) => Class::FourThree,
            (0, 1..) => Class::FourPlus,
            _ => Class::Four,
        }
    } else if open_threes > 1 {
        Class::DoubleThree
    } else if open_threes == 1 {
        if threes + open_twos > 0 { Class::OpenThreePlus } else { Class::OpenThree }
    } else if threes > 0 {
        if threes + open_twos > 1 { Class::ThreePlus } else { Class::Three }
    } else if open_twos > 1 {
        Class::DoubleTwo
    } else if open_twos == 1 {
        Class::OpenTwo
    } else if twos > 0 {
        Class::Two
    } else {
        Class::Nothing
    };
    let code = if class == Class::Forbidden { FORBIDDEN } else { code(packed) };
    Outlook::new(class, code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(patterns: [Pattern; 4]) -> usize {
        patterns.iter().fold(0, |packed, p| packed << 4 | *p as usize)
    }

    #[test]
    fn classes_of_four_lines() {
        use Pattern::*;
        for (patterns, plain, renju) in [
            ([Five, Overline, Four, Four], Class::Five, Class::Five),
            ([Dead, Overline, Four, Dead], Class::Four, Class::Forbidden),
            ([Four, Four, Dead, Dead], Class::OpenFour, Class::Forbidden),
            ([OpenFour, Dead, Dead, FreeThree], Class::OpenFour, Class::OpenFour),
            ([Four, FreeThree, Dead, Dead], Class::FourThree, Class::FourThree),
            ([Four, WideTwo, Dead, Dead], Class::FourPlus, Class::FourPlus),
            ([OpenThree, FreeThree, Dead, Dead], Class::DoubleThree, Class::DoubleThree),
            ([OpenThree, Three, Dead, Dead], Class::OpenThreePlus, Class::OpenThreePlus),
            ([FreeTwo, WideTwo, Dead, Dead], Class::DoubleTwo, Class::DoubleTwo),
            ([OpenOne, One, Dead, Dead], Class::Nothing, Class::Nothing),
        ] {
            assert_eq!(outlooks(LineRule::FiveOrMore)[packed(patterns)].class(), plain, "{patterns:?}");
            assert_eq!(outlooks(LineRule::RenjuBlack)[packed(patterns)].class(), renju, "{patterns:?}");
        }
    }

    #[test]
    fn every_set_of_four_patterns_has_its_own_code() {
        let mut seen = vec![None; CODES];
        for packed in 0..1usize << 16 {
            if [0, 4, 8, 12].iter().all(|shift| (packed >> shift & 15) < Pattern::ALL.len()) {
                let sorted = sorted(packed);
                assert_eq!(*seen[usize::from(code(packed))].get_or_insert(sorted), sorted);
            }
        }
        assert!(seen.iter().filter(|sorted| sorted.is_some()).count() == CODES - 1 && seen[usize::from(FORBIDDEN)].is_none());
        let mut families = families().to_vec();
        families.sort_unstable();
        families.dedup();
        assert_eq!(families, (0..FAMILIES as u16).collect::<Vec<_>>());
    }
}
