//! The pattern tables: what a line through an empty point would become if one side played there.
//!
//! A window is the five points in both directions; a board whose rule needs no more looks up those of four (see [`Lookup`]). Each direction is one of 364 strings: up to five points that are empty, own or
//! the opponent's, then the edge. Patterns are defined recursively from the five: a four has a move that makes a
//! five; an open three has a move that makes an open four; and so on. So the patterns of each rule follow from its definition
//! of a five.

use std::sync::OnceLock;

/// When a row wins, and other restrictions on the lines of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineRule {
    /// Five or more.
    FiveOrMore,
    /// Exactly five.
    ExactlyFive,
    /// Exactly five; longer rows and two fours are forbidden, so only a straight four is an open four.
    RenjuBlack,
    /// Exactly five, and not blocked by the opponent at both ends.
    OpenExactlyFive,
    /// Five or more, and not blocked by the opponent at both ends.
    OpenFiveOrMore,
}

/// The shape that a line gets by a stone on its middle point. Ordered by strength, except `Overline`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Pattern {
    /// A five is impossible.
    Dead,
    /// Six or more, if that does not win.
    Overline,
    /// Two moves from a four.
    One,
    /// Two moves from an open three.
    OpenOne,
    /// One move from a three.
    Two,
    /// One move from an open three, by one move.
    OpenTwo,
    /// By two.
    WideTwo,
    /// By three.
    BroadTwo,
    /// By four or more.
    FreeTwo,
    /// One move from a four.
    Three,
    /// One move from an open four, by one move.
    OpenThree,
    /// By two or more.
    FreeThree,
    /// One move makes five.
    Four,
    /// Two moves make five, but they are two separate fours (distinguished in renju only).
    TwoFours,
    /// Two moves make five.
    OpenFour,
    /// Five.
    Five,
}

impl Pattern {
    /// All patterns, by number.
    pub const ALL: [Pattern; 16] = [
        Pattern::Dead,
        Pattern::Overline,
        Pattern::One,
        Pattern::OpenOne,
        Pattern::Two,
        Pattern::OpenTwo,
        Pattern::WideTwo,
        Pattern::BroadTwo,
        Pattern::FreeTwo,
        Pattern::Three,
        Pattern::OpenThree,
        Pattern::FreeThree,
        Pattern::Four,
        Pattern::TwoFours,
        Pattern::OpenFour,
        Pattern::Five,
    ];

    /// True for the two open threes.
    pub fn is_open_three(self) -> bool {
        matches!(self, Pattern::OpenThree | Pattern::FreeThree)
    }
}

/// The points of a window in each direction.
pub const REACH: usize = 5;
/// The number of strings for one direction of a window.
pub const STRINGS: usize = 364;
/// Number of windows.
pub const WINDOWS: usize = STRINGS * STRINGS;
/// The first string with this number of points before the edge.
pub const FIRST_STRING: [u32; REACH + 1] = [0, 1, 4, 13, 40, 121];
/// The weight of a point at distance 1, 2, .. in a string.
pub const WEIGHT: [u32; REACH] = [1, 3, 9, 27, 81];

/// The patterns of all windows for a rule: `table[back * STRINGS + forth]`, as [`Pattern`] numbers.
pub type Table = Box<[u8; WINDOWS]>;

/// The table of a rule, computed on first use.
pub fn table(rule: LineRule) -> &'static [u8; WINDOWS] {
    static TABLES: [OnceLock<Table>; 5] = [const { OnceLock::new() }; 5];
    TABLES[rule as usize].get_or_init(|| Windows::new(rule).all())
}

/// The patterns of all windows for both sides, where each has its rule: that of the first side in the low four bits. The window is from the view of the
/// first side. Computed on first use.
fn tables(first: LineRule, second: LineRule) -> &'static [u8; WINDOWS] {
    static TABLES: [[OnceLock<Table>; 5]; 5] = [const { [const { OnceLock::new() }; 5] }; 5];
    TABLES[first as usize][second as usize].get_or_init(|| {
        let tables = [table(first), table(second)];
        let strings: Vec<usize> = (0..STRINGS).map(exchanged).collect();
        let both = |window: usize| {
            let other = strings[window / STRINGS] * STRINGS + strings[window % STRINGS];
            tables[0][window] | tables[1][other] << 4
        };
        let all: Vec<u8> = (0..WINDOWS).map(both).collect();
        all.into_boxed_slice().try_into().expect("there are WINDOWS windows")
    })
}

/// The patterns of all windows that a board needs for its rule.
#[derive(Clone, Copy)]
pub struct Lookup {
    /// How far a stone has an effect along a line, and so the points of a window in each direction: four, or five if the exact length of a row matters.
    pub sight: usize,
    /// The number of strings for one direction.
    pub strings: u32,
    /// The patterns of both sides: `patterns[back * strings + forth]`, see [`tables`].
    pub patterns: &'static [u8],
}

impl Lookup {
    /// The patterns for the rules of both sides. Where the fifth point of a direction says nothing it is left out: a smaller table stays in the nearest cache.
    pub fn of(first: LineRule, second: LineRule) -> Lookup {
        let patterns = tables(first, second);
        if first != LineRule::FiveOrMore || second != LineRule::FiveOrMore {
            return Lookup { sight: REACH, strings: STRINGS as u32, patterns };
        }
        static NEAR: OnceLock<Vec<u8>> = OnceLock::new();
        let strings = FIRST_STRING[REACH] as usize;
        let near = NEAR.get_or_init(|| {
            let strings = 0..strings;
            strings.clone().flat_map(|back| strings.clone().map(move |forth| patterns[back * STRINGS + forth])).collect()
        });
        Lookup { sight: REACH - 1, strings: strings as u32, patterns: near }
    }

    /// The window of a point with so many points behind and ahead, without stones.
    pub fn empty_window(&self, back: usize, ahead: usize) -> u32 {
        FIRST_STRING[back.min(self.sight)] * self.strings + FIRST_STRING[ahead.min(self.sight)]
    }
}

/// A string with the stones of both sides exchanged.
pub fn exchanged(string: usize) -> usize {
    let first = FIRST_STRING.iter().rfind(|&&first| string >= first as usize).map_or(0, |&first| first as usize);
    let digits = string - first;
    let exchanged = WEIGHT.iter().map(|&weight| weight as usize * [0, 2, 1][digits / weight as usize % 3]);
    first + exchanged.sum::<usize>()
}

/// The pattern of a window.
pub fn pattern(rule: LineRule, window: usize) -> Pattern {
    Pattern::ALL[usize::from(table(rule)[window])]
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Empty,
    Own,
    Enemy,
    Edge,
}

type Window = [Place; 2 * REACH + 1];

/// The recursion over windows, with its results so far.
struct Windows {
    rule: LineRule,
    known: Vec<u8>,
}

const UNKNOWN: u8 = u8::MAX;

impl Windows {
    fn new(rule: LineRule) -> Self {
        Windows { rule, known: vec![UNKNOWN; WINDOWS] }
    }

    fn all(mut self) -> Table {
        for key in 0..WINDOWS {
            self.pattern(key);
        }
        self.known.into_boxed_slice().try_into().expect("there are WINDOWS windows")
    }

    fn window(key: usize) -> Window {
        let mut window = [Place::Edge; 2 * REACH + 1];
        window[REACH] = Place::Own;
        for (string, step) in [(key / STRINGS, -1), (key % STRINGS, 1)] {
            let length = FIRST_STRING.iter().rposition(|&first| string >= first as usize).unwrap_or(0);
            let mut rest = string - FIRST_STRING[length] as usize;
            for distance in 1..=length as isize {
                window[(REACH as isize + step * distance) as usize] = [Place::Empty, Place::Own, Place::Enemy][rest % 3];
                rest /= 3;
            }
        }
        window
    }

    /// The own row through the middle: its length and the points at its two ends.
    fn row(window: &Window) -> (usize, Place, Place) {
        let (mut from, mut to) = (REACH, REACH);
        while from > 0 && window[from - 1] == Place::Own {
            from -= 1;
        }
        while to < 2 * REACH && window[to + 1] == Place::Own {
            to += 1;
        }
        let end = |at: Option<usize>| at.and_then(|at| window.get(at)).copied().unwrap_or(Place::Edge);
        (to - from + 1, end(from.checked_sub(1)), end(Some(to + 1)))
    }

    fn pattern(&mut self, key: usize) -> Pattern {
        if self.known[key] != UNKNOWN {
            return Pattern::ALL[usize::from(self.known[key])];
        }
        let pattern = self.define(key);
        self.known[key] = pattern as u8;
        pattern
    }

    /// True if one stone of the opponent prevents every five. If a five needs an open end, a stone at the end may do this too.
    fn one_stone_stops(&mut self, key: usize, window: &Window) -> bool {
        let empties: Vec<usize> = [-1isize, 1]
            .into_iter()
            .flat_map(|step| (1..=REACH).map(move |distance| (step, distance)))
            .filter(|&(step, distance)| window[(REACH as isize + step * distance as isize) as usize] == Place::Empty)
            .map(|(step, distance)| WEIGHT[distance - 1] as usize * if step < 0 { STRINGS } else { 1 })
            .collect();
        empties.iter().any(|&stone| !empties.iter().any(|&five| five != stone && self.makes_five(key + 2 * stone + five)))
    }

    fn makes_five(&mut self, key: usize) -> bool {
        let (length, before, after) = Self::row(&Self::window(key));
        let exact = self.rule == LineRule::OpenExactlyFive;
        (length == 5 || length > 5 && !exact) && !(before == Place::Enemy && after == Place::Enemy)
    }

    fn define(&mut self, key: usize) -> Pattern {
        let window = Self::window(key);
        let (length, before, after) = Self::row(&window);
        let shut = before == Place::Enemy && after == Place::Enemy;
        let exact = matches!(self.rule, LineRule::ExactlyFive | LineRule::RenjuBlack | LineRule::OpenExactlyFive);
        let needs_an_end = matches!(self.rule, LineRule::OpenExactlyFive | LineRule::OpenFiveOrMore);
        if length >= 5 {
            return if exact && length > 5 {
                Pattern::Overline
            } else if needs_an_end && shut {
                Pattern::Dead
            } else {
                Pattern::Five
            };
        }
        let mut made = [0; Pattern::ALL.len()];
        // A point at distance five can make a row too long (six) but is never part of a five with the middle.
        for distance in 1..REACH {
            if window[REACH - distance] == Place::Empty {
                made[self.pattern(key + STRINGS * WEIGHT[distance - 1] as usize) as usize] += 1;
            }
            if window[REACH + distance] == Place::Empty {
                made[self.pattern(key + WEIGHT[distance - 1] as usize) as usize] += 1;
            }
        }
        let count = |pattern: Pattern| made[pattern as usize];
        if count(Pattern::Five) > 0 {
            return match count(Pattern::Five) {
                1 => Pattern::Four,
                _ if needs_an_end && self.one_stone_stops(key, &window) => Pattern::Four,
                _ if self.rule == LineRule::RenjuBlack && length != 4 => Pattern::TwoFours,
                _ => Pattern::OpenFour,
            };
        }
        match count(Pattern::OpenFour) {
            0 => {}
            1 => return Pattern::OpenThree,
            _ => return Pattern::FreeThree,
        }
        if count(Pattern::Four) + count(Pattern::TwoFours) > 0 {
            return Pattern::Three;
        }
        match count(Pattern::OpenThree) + count(Pattern::FreeThree) {
            0 => {}
            1 => return Pattern::OpenTwo,
            2 => return Pattern::WideTwo,
            3 => return Pattern::BroadTwo,
            _ => return Pattern::FreeTwo,
        }
        if count(Pattern::Three) > 0 {
            return Pattern::Two;
        }
        if [Pattern::OpenTwo, Pattern::WideTwo, Pattern::BroadTwo, Pattern::FreeTwo].into_iter().any(|two| count(two) > 0) {
            return Pattern::OpenOne;
        }
        if count(Pattern::Two) > 0 { Pattern::One } else { Pattern::Dead }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The window's key of a drawing: `x` own, `o` the opponent's, `.` empty, `|` edge, `*` the middle.
    fn key(drawing: &str) -> usize {
        let middle = drawing.find('*').unwrap();
        let string = |points: &mut dyn Iterator<Item = char>| {
            let points: Vec<char> = points.take(REACH).take_while(|c| *c != '|').collect();
            let digits = points.iter().zip(WEIGHT).map(|(c, w)| w * ".xo".find(*c).unwrap() as u32).sum::<u32>();
            (FIRST_STRING[points.len()] + digits) as usize
        };
        let back = string(&mut drawing[..middle].chars().rev());
        back * STRINGS + string(&mut drawing[middle + 1..].chars())
    }

    #[test]
    fn drawings() {
        use LineRule::*;
        use Pattern::*;
        for (drawing, rule, expected) in [
            (".....*.....", FiveOrMore, OpenOne),
            (".xxxx*.....", FiveOrMore, Five),
            ("xxxxx*.....", FiveOrMore, Five),
            ("xxxxx*.....", ExactlyFive, Overline),
            ("xxxxx*.....", RenjuBlack, Overline),
            (".oxxx*o....", FiveOrMore, Dead),
            (".oxxx*.....", FiveOrMore, Four),
            ("..xxx*.....", FiveOrMore, OpenFour),
            ("x.xxx*.....", ExactlyFive, Four),
            ("x.xxx*.....", FiveOrMore, OpenFour),
            (".x.xx*.x...", FiveOrMore, OpenFour),
            ("..x.x*x.x..", RenjuBlack, TwoFours),
            (".....*xx...", FiveOrMore, FreeThree),
            ("..o..*xx.o.", FiveOrMore, OpenThree),
            ("....o*xx...", FiveOrMore, Three),
            (".....*x....", FiveOrMore, FreeTwo),
            (".....*.x...", FiveOrMore, BroadTwo),
            (".....*..x..", FiveOrMore, WideTwo),
            ("....o*x....", FiveOrMore, Two),
            ("|*....", FiveOrMore, One),
            ("|....*|", FiveOrMore, One),
            ("|...*|", FiveOrMore, Dead),
            ("oxxxx*o....", OpenExactlyFive, Dead),
            ("|xxxx*o....", OpenExactlyFive, Five),
            ("|xxxx*|", OpenExactlyFive, Five),
            ("oxxxx*.....", OpenExactlyFive, Five),
            ("oxxxx*x....", OpenExactlyFive, Overline),
            ("oxxxx*x....", OpenFiveOrMore, Five),
            (".oxxx*.....", OpenExactlyFive, Four),
            ("..oxxx*.o..", OpenExactlyFive, Dead),
            ("o.xxx*.....", OpenExactlyFive, Four),
            ("o..xxx*.....", OpenExactlyFive, OpenFour),
            ("|.xxx*..", OpenExactlyFive, OpenFour),
        ] {
            assert_eq!(Pattern::ALL[usize::from(table(rule)[key(drawing)])], expected, "{drawing} {rule:?}");
        }
    }

    #[test]
    fn the_fifth_point_says_nothing_where_longer_rows_win() {
        let (whole, near) =
            (tables(LineRule::FiveOrMore, LineRule::FiveOrMore), Lookup::of(LineRule::FiveOrMore, LineRule::FiveOrMore));
        assert_eq!((near.sight, near.patterns.len()), (4, 121 * 121));
        // Strings of five points end with the fifth: without it they are among those of four.
        let shortened = |string: usize| {
            let (four, five) = (FIRST_STRING[4] as usize, FIRST_STRING[5] as usize);
            if string < five { string } else { four + (string - five) % 81 }
        };
        for (window, pattern) in whole.iter().enumerate() {
            let (back, forth) = (shortened(window / STRINGS), shortened(window % STRINGS));
            assert_eq!(*pattern, near.patterns[back * 121 + forth], "{window}");
        }
    }

    #[test]
    fn a_window_and_its_mirror_image_are_equal() {
        for rule in [LineRule::FiveOrMore, LineRule::RenjuBlack, LineRule::OpenExactlyFive] {
            let table = table(rule);
            for back in (0..STRINGS).step_by(7) {
                for forth in 0..STRINGS {
                    assert_eq!(table[back * STRINGS + forth], table[forth * STRINGS + back]);
                }
            }
        }
    }
}
