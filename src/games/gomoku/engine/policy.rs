//! The policy: how likely a move is the best one, judged by the four lines through its point and by the classes of the point for both sides.
//!
//! The logit of a move is the sum of five numbers: one for each line, the window of the four points on both sides from the view of the side to move (a window and its mirror image
//! have the same), and one for the two classes. The numbers are in a text file that `qiju train gomoku evaluation` writes. The chance of a move is the exponential of its logit, divided by the sum of those of
//! all moves.
//!
//! The first line is `qiju gomoku policy 1 SUM`; `SUM` is the CRC-32 of all other lines, in hexadecimal. Then come the sets: `set NAME NAME..` (sides with the same
//! numbers stand together), followed by 121 lines `window N ..` (the numbers of the windows whose larger half is string N, by their smaller half), and by 16 lines `class N ..` (the numbers of points of the side's
//! class N, by the other side's class). All numbers are in hundredths.

use super::values::Set;
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::CLASS_NUMBERS;
use crate::games::gomoku::rules::lines::{FIRST_STRING, Lookup, exchanged};
use crate::games::gomoku::rules::rule::Rule;
use crate::games::gomoku::rules::spot::Spot;
use crate::rules::Side;
use crate::storage::crc32;
use std::sync::OnceLock;

/// The text of the shipped policy.
const TEXT: &str = include_str!("../../../../assets/engines/gomoku.policy");
const TITLE: &str = "qiju gomoku policy 1";

/// The strings of at most four points: one half of a window.
pub const HALVES: usize = FIRST_STRING[5] as usize;
/// The number of windows, each with its mirror image.
pub const WINDOWS: usize = HALVES * (HALVES + 1) / 2;
/// The number of pairs of classes.
pub const PAIRS: usize = CLASS_NUMBERS * CLASS_NUMBERS;

/// The numbers of a set: of the windows, see [`window`], then of the pairs of classes, see [`pair`].
pub type Numbers = Vec<i16>;

/// The index of a window with these halves.
fn window(one: usize, other: usize) -> usize {
    let (low, high) = (one.min(other), one.max(other));
    high * (high + 1) / 2 + low
}

/// The index of a point's classes, the class of the side itself first.
#[inline]
fn pair(board: &Board, spot: Spot, side: Side) -> usize {
    board.class(spot, side) as usize * CLASS_NUMBERS + board.class(spot, !side) as usize
}

/// Reads a text.
///
/// # Errors
/// What is wrong, and in which line.
pub fn read(text: &str) -> Result<[Numbers; 4], String> {
    let (head, body) = text.split_once('\n').ok_or("the text has no lines")?;
    let sum = head.strip_prefix(TITLE).ok_or_else(|| format!("the first line does not begin with \"{TITLE}\""))?;
    if sum.trim() != format!("{:08x}", crc32([body.as_bytes()])) {
        return Err("the checksum does not match".to_owned());
    }
    let mut sets = [const { Numbers::new() }; 4];
    let mut lines = (2..).zip(body.lines());
    while let Some((number, line)) = lines.next() {
        let names = line.strip_prefix("set ").ok_or_else(|| format!("line {number} should begin a set: {line}"))?;
        let mut numbers = Numbers::with_capacity(WINDOWS + PAIRS);
        let windows = (0..HALVES).map(|half| ("window", half, half + 1));
        for (kind, index, count) in windows.chain((0..CLASS_NUMBERS).map(|class| ("class", class, CLASS_NUMBERS))) {
            let (number, line) = lines.next().ok_or_else(|| format!("the set \"{names}\" is cut off"))?;
            let row = line.strip_prefix(&format!("{kind} {index} ")).map(|rest| rest.split(' ').map(str::parse).collect());
            let Some(Ok(row)) = row.filter(|row: &Result<Numbers, _>| row.as_ref().is_ok_and(|row| row.len() == count)) else {
                return Err(format!("line {number} should be \"{kind} {index}\" with {count} numbers"));
            };
            numbers.extend(row);
        }
        for name in names.split(' ') {
            let set = Set::ALL.iter().position(|(_, known)| *known == name);
            sets[set.ok_or_else(|| format!("line {number} names an unknown set: {name}"))?].clone_from(&numbers);
        }
    }
    match Set::ALL.iter().zip(&sets).find(|(_, numbers)| numbers.is_empty()) {
        Some(((_, name), _)) => Err(format!("the set \"{name}\" is missing")),
        None => Ok(sets),
    }
}

/// Writes the numbers of all sets as a text.
#[cfg(any(test, feature = "training"))]
pub fn write(sets: &[Numbers; 4]) -> String {
    let mut body = String::new();
    for (index, numbers) in sets.iter().enumerate().filter(|(index, numbers)| !sets[..*index].contains(numbers)) {
        let same = Set::ALL.iter().zip(sets).skip(index).filter(|(_, other)| *other == numbers);
        body += &format!("set {}\n", same.map(|((_, name), _)| *name).collect::<Vec<_>>().join(" "));
        let mut row = |kind: &str, index: usize, from: usize, count: usize| {
            let row: Vec<String> = numbers[from..from + count].iter().map(i16::to_string).collect();
            body += &format!("{kind} {index} {}\n", row.join(" "));
        };
        (0..HALVES).for_each(|half| row("window", half, window(half, 0), half + 1));
        (0..CLASS_NUMBERS).for_each(|class| row("class", class, WINDOWS + class * CLASS_NUMBERS, CLASS_NUMBERS));
    }
    format!("{TITLE} {:08x}\n{body}", crc32([body.as_bytes()]))
}

/// Finds the numbers of a move under a rule.
pub struct Reader {
    /// For each side: the string of four points for each string that the board stores, from the view of the side.
    halves: [Vec<usize>; 2],
}

impl Reader {
    /// The reader of a rule.
    pub fn new(rule: Rule) -> Reader {
        let strings = Lookup::of(rule.line_rule(Side::First), rule.line_rule(Side::Second)).strings as usize;
        // A fifth point is left out.
        let near = |string: usize| {
            let (four, five) = (FIRST_STRING[4] as usize, FIRST_STRING[5] as usize);
            if string < five { string } else { four + (string - five) % (five - four) }
        };
        let seen = |side: Side, string: usize| near(if side == Side::First { string } else { exchanged(string) });
        Reader { halves: Side::BOTH.map(|side| (0..strings).map(|string| seen(side, string)).collect()) }
    }

    /// The index of a window of the board for a side.
    fn window(&self, stored: usize, side: Side) -> usize {
        let halves = &self.halves[side.index()];
        window(halves[stored / halves.len()], halves[stored % halves.len()])
    }

    /// The indices of the five numbers of a move.
    #[cfg(any(test, feature = "training"))]
    pub fn inputs(&self, board: &Board, spot: Spot, side: Side) -> [usize; 5] {
        let [a, b, c, d] = board.windows(spot).map(|stored| self.window(stored as usize, side));
        [a, b, c, d, WINDOWS + pair(board, spot, side)]
    }
}

/// The policy under a rule.
pub struct Policy {
    /// For each side: the number of each window that the board stores.
    windows: [Box<[i16]>; 2],
    /// For each side: the number of each pair of classes.
    pairs: [Box<[i16]>; 2],
}

impl Policy {
    /// The policy under a rule with these numbers.
    fn new(rule: Rule, sets: &[Numbers; 4]) -> Policy {
        let reader = Reader::new(rule);
        let numbers = |side: Side| &sets[Set::of(rule, side) as usize];
        let windows = |side: Side| {
            let stored = 0..reader.halves[side.index()].len().pow(2);
            stored.map(|stored| numbers(side)[reader.window(stored, side)]).collect()
        };
        Policy { windows: Side::BOTH.map(windows), pairs: Side::BOTH.map(|side| numbers(side)[WINDOWS..].into()) }
    }

    /// The logit of a move of `side` on an empty point, in hundredths.
    #[inline]
    pub fn logit(&self, board: &Board, spot: Spot, side: Side) -> i32 {
        let windows = &self.windows[side.index()];
        let lines: i32 = board.windows(spot).iter().map(|stored| i32::from(windows[*stored as usize])).sum();
        lines + i32::from(self.pairs[side.index()][pair(board, spot, side)])
    }
}

/// The shipped numbers of all sets.
///
/// # Panics
/// If the shipped file is damaged; a test reads it.
pub fn shipped() -> &'static [Numbers; 4] {
    static SETS: OnceLock<[Numbers; 4]> = OnceLock::new();
    SETS.get_or_init(|| read(TEXT).unwrap_or_else(|why| panic!("gomoku.policy: {why}")))
}

/// The policy under a rule.
pub fn of(rule: Rule) -> &'static Policy {
    static POLICIES: [OnceLock<Policy>; 5] = [const { OnceLock::new() }; 5];
    POLICIES[rule as usize].get_or_init(|| Policy::new(rule, shipped()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::rules::notation::read_moves;

    #[test]
    fn a_text_is_read_back_and_a_damaged_one_refused() {
        assert_eq!(write(shipped()), TEXT);
        let numbers = |by: i16| -> Numbers { (0..WINDOWS + PAIRS).map(|at| at as i16 * by).collect() };
        let sets = [numbers(1), numbers(-2), numbers(1), numbers(3)];
        let text = write(&sets);
        assert_eq!(read(&text).as_ref(), Ok(&sets));
        assert!(text.contains("\nset freestyle black\n") && text.contains("\nset white\n"));
        let summed = |body: &str| format!("{TITLE} {:08x}\n{body}", crc32([body.as_bytes()]));
        let body = text.split_once('\n').unwrap().1;
        for (bad, part) in [
            (String::new(), "no lines"),
            (text.replacen("policy 1", "policy 2", 1), "first line"),
            (text.replacen("window 1 1 2", "window 1 1 3", 1), "checksum"),
            (summed("window 0 1\n"), "line 2 should begin a set"),
            (summed(&body.replacen("window 1 1 2", "window 1 1", 1)), "line 4 should be \"window 1\" with 2 numbers"),
            (summed(&body.replacen("window 1 1 2", "window 1 1 x", 1)), "line 4"),
            (summed(&body.replacen("set white", "set red", 1)), "unknown set: red"),
            (summed(&body[..body.find("set white").unwrap()]), "\"white\" is missing"),
            (summed(&body[..body.rfind("class 15").unwrap()]), "cut off"),
        ] {
            let error = read(&bad).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn images_and_exchanged_colours_have_the_same_logits() {
        let sets = shipped();
        for (rule, size) in [(Rule::Freestyle, 15), (Rule::Standard, 15), (Rule::Renju, 15), (Rule::Freestyle, 20)] {
            let (policy, reader) = (Policy::new(rule, sets), Reader::new(rule));
            let mut random = fastrand::Rng::with_seed(4);
            let mut history = read_moves(rule, size, "h8").unwrap();
            let mut mirrored = read_moves(rule, size, &Spot::new(size - 1 - 7, 7).to_string()).unwrap();
            for _ in 0..40 {
                let (board, image) = (history.current().clone(), mirrored.current().clone());
                for spot in board.empty().iter() {
                    let turned = Spot::new(size - 1 - spot.point().x, spot.point().y);
                    for side in Side::BOTH {
                        assert_eq!(policy.logit(&board, spot, side), policy.logit(&image, turned, side), "{rule:?} {spot}");
                        let numbers = &sets[Set::of(rule, side) as usize];
                        let inputs = reader.inputs(&board, spot, side);
                        let sum: i32 = inputs.iter().map(|input| i32::from(numbers[*input])).sum();
                        assert_eq!(policy.logit(&board, spot, side), sum);
                    }
                }
                let mut legal = Vec::new();
                crate::rules::Position::legal_moves(&board, &mut legal);
                let Some(&spot) = random.choice(&legal) else { break };
                history.push(spot);
                mirrored.push(Spot::new(size - 1 - spot.point().x, spot.point().y));
            }
        }
        // Where both sides have the same rule, a stone counts by whose it is alone.
        let stones = |first: Side| [(7, 7, first), (8, 8, !first), (7, 8, first)].map(|(x, y, side)| (Spot::new(x, y), side));
        let board = |first: Side| Board::with_stones(Rule::Freestyle, 15, &stones(first), !first);
        let spot = Spot::new(6, 7);
        let logit = |first: Side| of(Rule::Freestyle).logit(&board(first), spot, !first);
        assert_eq!(logit(Side::First), logit(Side::Second));
        assert_ne!(logit(Side::First), of(Rule::Freestyle).logit(&board(Side::First), spot, Side::First));
    }
}
