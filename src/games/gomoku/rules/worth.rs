//! What a point promises a side: its four lines together, as one class with its worth.
//!
//! The classes and their steps of ten follow the table of "Gomoku in fourteen steps": five 100000; open four, double four or four
//! with open three 10000; double open three 5000; three with open three 1000; four 500; and so on down to 3.

use super::lines::{LineRule, Pattern};
use std::sync::OnceLock;

/// What a side would make of an empty point by its four lines together. Ordered by strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Class {
    /// Nothing.
    Nothing,
    /// Not to be played: an overline or two fours of renju's black.
    Forbidden,
    /// A two that an enemy shuts at one end.
    Two,
    /// An open two.
    OpenTwo,
    /// A three shut at one end.
    Three,
    /// Two open twos.
    DoubleTwo,
    /// A three and an open two, or two threes.
    ThreePlus,
    /// An open three.
    OpenThree,
    /// An open three with a three or an open two.
    OpenThreePlus,
    /// Two open threes (in renju to be looked at closely).
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

    /// The article's score of the class for the side that makes it.
    pub fn score(self) -> i32 {
        match self {
            Class::Nothing | Class::Forbidden => 0,
            Class::Two => 2,
            Class::OpenTwo => 5,
            Class::Three => 50,
            Class::DoubleTwo => 100,
            Class::ThreePlus => 120,
            Class::OpenThree => 200,
            Class::Four => 500,
            Class::FourPlus => 600,
            Class::OpenThreePlus => 1000,
            Class::DoubleThree => 5000,
            Class::FourThree | Class::OpenFour => 10_000,
            Class::Five => 100_000,
        }
    }
}

/// All that is looked up at once for a point's four patterns.
#[derive(Clone, Copy, Debug)]
pub struct Worth {
    /// The class.
    pub class: Class,
    /// How many of the lines are open threes.
    pub open_threes: u8,
    /// What the point adds to its side's standing, in hundredths of an open two: while it is that side's turn, and while not.
    pub standing: [i16; 2],
    /// How early to try the point.
    pub promise: i16,
}

/// The worth of a point before its patterns are known.
pub const NOTHING: Worth = Worth { class: Class::Nothing, open_threes: 0, standing: [0; 2], promise: 0 };

/// Index into [`Worth::standing`]: the side has the move.
pub const MOVER: usize = 0;
/// The side waits.
pub const WAITER: usize = 1;

/// The worth of every four patterns, packed four bits each.
pub type Worths = [Worth; 1 << 16];

/// The standing table: a line a code that was met often enough, `CODE MOVER WAITER`; written by the tuner.
const STANDING: &str = include_str!("../engine/standing.txt");
/// What early trial each pattern earns.
const PROMISE: [i16; Pattern::ALL.len()] = [0, 0, 2, 5, 8, 18, 24, 30, 26, 75, 90, 100, 100, 900, 4000];

/// Codes of a point: its three strongest patterns.
pub const CODES: usize = Pattern::ALL.len() * (Pattern::ALL.len() + 1) * (Pattern::ALL.len() + 2) / 6;

/// The code of four packed patterns.
pub fn code(packed: u16) -> usize {
    let mut best = [0; 3];
    for shift in [0, 4, 8, 12] {
        let mut pattern = usize::from(packed >> shift & 15).min(Pattern::ALL.len() - 1);
        for slot in &mut best {
            if pattern > *slot {
                std::mem::swap(slot, &mut pattern);
            }
        }
    }
    let [a, b, c] = best;
    a * (a + 1) * (a + 2) / 6 + b * (b + 1) / 2 + c
}

/// The rows of a table the tuner wrote. Comments and malformed lines are left out.
pub fn rows<const COLUMNS: usize>(table: &'static str) -> impl Iterator<Item = [i16; COLUMNS]> {
    table.lines().filter_map(|line| {
        let numbers: Result<Vec<i16>, _> = line.split_whitespace().map(str::parse).collect();
        numbers.ok()?.try_into().ok()
    })
}

/// The standing of each code, as mover and as waiter. Malformed lines count as nothing.
pub fn standings() -> &'static [[i16; 2]; CODES] {
    static TABLE: OnceLock<[[i16; 2]; CODES]> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = [[0; 2]; CODES];
        for [code, mover, waiter] in rows(STANDING) {
            if let Some(entry) = table.get_mut(code as usize) {
                *entry = [mover, waiter];
            }
        }
        table
    })
}

/// The table for a side's rule.
pub fn worths(rule: LineRule) -> &'static Worths {
    static PLAIN: OnceLock<Box<Worths>> = OnceLock::new();
    static RENJU_BLACK: OnceLock<Box<Worths>> = OnceLock::new();
    let renju = rule == LineRule::RenjuBlack;
    let table = if renju { &RENJU_BLACK } else { &PLAIN };
    table.get_or_init(|| {
        let all: Vec<Worth> = (0..1usize << 16).map(|packed| worth(packed, renju)).collect();
        all.into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("there are 2^16 worths"))
    })
}

fn worth(packed: usize, renju: bool) -> Worth {
    let patterns = [0, 4, 8, 12].map(|shift| Pattern::ALL[(packed >> shift & 15).min(Pattern::ALL.len() - 1)]);
    let count = |wanted: fn(Pattern) -> bool| patterns.iter().filter(|p| wanted(**p)).count();
    let fives = count(|p| p == Pattern::Five);
    let open_fours = count(|p| p == Pattern::OpenFour);
    let fours = count(|p| p == Pattern::Four);
    let two_fours = count(|p| p == Pattern::TwoFours);
    let overlines = count(|p| p == Pattern::Overline);
    let open_threes = count(Pattern::is_open_three);
    let threes = count(|p| p == Pattern::Three);
    let open_twos = count(|p| matches!(p, Pattern::OpenTwo | Pattern::WideTwo | Pattern::FreeTwo));
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
    let sum = |table: &[i16; Pattern::ALL.len()]| patterns.iter().map(|p| table[*p as usize]).sum::<i16>();
    let promise_extra = match class {
        Class::Five => 10_000,
        Class::OpenFour => 2000,
        Class::FourThree => 800,
        Class::DoubleThree => 300,
        Class::FourPlus | Class::OpenThreePlus => 60,
        Class::ThreePlus | Class::DoubleTwo => 20,
        _ => 0,
    };
    let (standing, promise) = if class == Class::Forbidden {
        ([0; 2], 0)
    } else {
        (standings()[code(packed as u16)], sum(&PROMISE).saturating_add(promise_extra))
    };
    Worth { class, open_threes: open_threes as u8, standing, promise }
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
            assert_eq!(worths(LineRule::FiveOrMore)[packed(patterns)].class, plain, "{patterns:?}");
            assert_eq!(worths(LineRule::RenjuBlack)[packed(patterns)].class, renju, "{patterns:?}");
        }
    }
}
