//! The values of the evaluation and of move ordering, for patterns and threats. The two text files are written by `qiju train`.

use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::{CODES, Class};
use crate::games::gomoku::rules::lines::Pattern;
use crate::games::gomoku::rules::spot::Spot;
use crate::rules::Side;
use std::sync::OnceLock;

/// The value of a point for its side, a line for each code that was frequent enough: `CODE MOVER WAITER` (values if the side is to move, and if not).
const STANDING: &str = include_str!("standing.txt");
/// The value of each stance (set of threats) for the side to move, in addition to the points: a line each, `STANCE WORTH`.
const STANCE: &str = include_str!("stances.txt");

/// The value of being to move, in hundredths of an open two.
pub const TEMPO: i32 = 40;

/// Number of stances.
pub const STANCES: usize = 1 << 11;

/// Reads a table of lines `ROW NUMBER ..`. Rows that are not listed are 0; malformed lines are ignored.
fn read<const COLUMNS: usize, const ROWS: usize>(text: &str) -> Box<[[i16; COLUMNS]; ROWS]> {
    let mut table = Box::new([[0; COLUMNS]; ROWS]);
    for line in text.lines() {
        let mut numbers = line.split_whitespace().map(str::parse::<i16>);
        let Some(Ok(row)) = numbers.next() else { continue };
        let Ok(numbers) = numbers.collect::<Result<Vec<i16>, _>>() else { continue };
        if let (Some(entry), Ok(numbers)) = (usize::try_from(row).ok().and_then(|row| table.get_mut(row)), numbers.try_into()) {
            *entry = numbers;
        }
    }
    table
}

/// The value of a point for each code, in hundredths of an open two: if its side is to move, and if the other side is.
pub fn standings() -> &'static [[i16; 2]; CODES] {
    static TABLE: OnceLock<Box<[[i16; 2]; CODES]>> = OnceLock::new();
    TABLE.get_or_init(|| read(STANDING))
}

/// The value of each stance for the side to move, in hundredths of an open two.
pub fn stances() -> &'static [[i16; 1]; STANCES] {
    static TABLE: OnceLock<Box<[[i16; 1]; STANCES]>> = OnceLock::new();
    TABLE.get_or_init(|| read(STANCE))
}

/// The ordering value of each pattern.
const PROMISE: [i16; Pattern::ALL.len()] = [0, 0, 2, 5, 8, 18, 24, 30, 26, 75, 90, 100, 100, 900, 4000];
/// The same for two patterns, packed four bits each.
const PROMISE_OF_TWO: [i16; 256] = {
    let mut table = [0; 256];
    let mut packed = 0;
    while packed < 256 {
        let (low, high) = (packed & 15, packed >> 4);
        if low < PROMISE.len() && high < PROMISE.len() {
            table[packed] = PROMISE[low] + PROMISE[high];
        }
        packed += 1;
    }
    table
};

/// The ordering value of each class, added to those of its patterns. A table is faster here than branches, which would often be mispredicted.
const PROMISE_OF_CLASS: [i16; Class::COUNT] = {
    let mut table = [0; Class::COUNT];
    table[Class::Five as usize] = 10_000;
    table[Class::OpenFour as usize] = 2000;
    table[Class::FourThree as usize] = 800;
    table[Class::DoubleThree as usize] = 300;
    table[Class::FourPlus as usize] = 60;
    table[Class::OpenThreePlus as usize] = 60;
    table[Class::ThreePlus as usize] = 20;
    table[Class::DoubleTwo as usize] = 20;
    table
};

/// The ordering value of a point for a side; higher is searched earlier, 0 is useless.
#[inline]
pub fn ordering_score(board: &Board, spot: Spot, side: Side) -> i32 {
    let (class, patterns) = (board.class(spot, side), board.packed_patterns(spot, side));
    if class == Class::Forbidden {
        return 0;
    }
    let of_two = |packed: u16| PROMISE_OF_TWO[usize::from(packed & 255)];
    i32::from(of_two(patterns) + of_two(patterns >> 8) + PROMISE_OF_CLASS[class as usize])
}

/// The score of a class for the side that makes it, after "Gomoku in fourteen steps". The reference searchers order moves by it.
pub fn score(class: Class) -> i32 {
    match class {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_tables_are_complete() {
        for (text, columns, rows) in [(STANDING, 3, CODES), (STANCE, 2, STANCES)] {
            for line in text.lines().filter(|line| !line.starts_with('#')) {
                let numbers: Vec<i16> = line.split_whitespace().map(|number| number.parse().unwrap()).collect();
                assert!(numbers.len() == columns && (numbers[0] as usize) < rows, "{line}");
            }
        }
        assert!(standings().iter().filter(|row| **row != [0; 2]).count() > 100);
        assert!(stances().iter().filter(|row| **row != [0]).count() > 100);
    }

    #[test]
    fn malformed_rows_are_ignored() {
        let table = read::<2, 3>("# A B C\n0 1 2\n1 5\n2 3 x\n7 1 1\n-1 2 2\n2 -3 4 # no\n1 6 7\n");
        assert_eq!(*table, [[1, 2], [6, 7], [0, 0]]);
    }
}
