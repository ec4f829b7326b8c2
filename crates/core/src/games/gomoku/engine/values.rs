//! The values of the evaluation and of move ordering. They are in a text file that `qiju-tools train gomoku evaluation` writes.
//!
//! The first line is `qiju gomoku values 4 SUM`; `SUM` is the CRC-32 of all other lines, in hexadecimal. Then come the sets: `set NAME NAME..` (sets with
//! the same values stand together), followed by `family FAMILY WORTH ATTACK DEFENCE` (the values of all codes of a family), `code CODE WORTH ATTACK DEFENCE` (those of one code, if they are others) and
//! `stance STANCE WORTH`. What is not listed is 0.

use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::{CODES, Class, FAMILIES, families};
use crate::games::gomoku::rules::lines::Pattern;
use crate::games::gomoku::rules::rule::Rule;
use crate::games::gomoku::rules::spot::Spot;
use crate::rules::Side;
use crate::storage::crc32;
use std::sync::OnceLock;

/// The text of the shipped values.
const TEXT: &str = include_str!("../../../../assets/engines/gomoku.values");
const TITLE: &str = "qiju gomoku values 4";

/// Number of stances.
pub const STANCES: usize = 1 << 11;

/// The values of a point for a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PointValues {
    /// In the evaluation, in hundredths of an open two.
    pub worth: i16,
    /// In move ordering, if this side moves there. The chance of a move is proportional to the exponential of both values of its point, in 32nds.
    pub attack: i16,
    /// In move ordering, if the other side moves there.
    pub defence: i16,
}

impl PointValues {
    fn of([worth, attack, defence]: [i16; 3]) -> PointValues {
        PointValues { worth, attack, defence }
    }

    fn numbers(self) -> [i16; 3] {
        [self.worth, self.attack, self.defence]
    }
}

/// The values of a side under a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    /// Those of a point, for each code.
    pub codes: Box<[PointValues; CODES]>,
    /// The value of each stance (set of threats) for the side to move, in addition to the points, in hundredths of an open two.
    pub stances: Box<[i16; STANCES]>,
}

/// The sets of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// Freestyle, both sides.
    Freestyle,
    /// Exactly five, both sides.
    Standard,
    /// Renju, Black.
    Black,
    /// Renju, White.
    White,
}

impl Set {
    /// All sets with their names.
    pub const ALL: [(Set, &str); 4] =
        [(Set::Freestyle, "freestyle"), (Set::Standard, "standard"), (Set::Black, "black"), (Set::White, "white")];

    /// The set of a side under a rule.
    pub fn of(rule: Rule, side: Side) -> Set {
        match (rule, side) {
            (Rule::Freestyle | Rule::CaroLong, _) => Set::Freestyle,
            (Rule::Standard | Rule::Caro, _) => Set::Standard,
            (Rule::Renju, Side::First) => Set::Black,
            (Rule::Renju, Side::Second) => Set::White,
        }
    }
}

impl Values {
    /// All values 0.
    pub fn nothing() -> Values {
        Values { codes: Box::new([PointValues::default(); CODES]), stances: Box::new([0; STANCES]) }
    }
}

/// Reads a text of values.
///
/// # Errors
/// What is wrong, and in which line.
pub fn read(text: &str) -> Result<[Values; 4], String> {
    let (head, body) = text.split_once('\n').ok_or("the text has no lines")?;
    let sum = head.strip_prefix(TITLE).ok_or_else(|| format!("the first line does not begin with \"{TITLE}\""))?;
    if sum.trim() != format!("{:08x}", crc32([body.as_bytes()])) {
        return Err("the checksum does not match".to_owned());
    }
    let mut all = [(); 4].map(|()| Values::nothing());
    let mut named = Vec::new();
    let mut values = Values::nothing();
    for (number, line) in (2..).zip(body.lines()) {
        let malformed = || format!("line {number} is malformed: {line}");
        if let Some(names) = line.strip_prefix("set ") {
            keep(&mut all, &named, &values);
            let index = |name| Set::ALL.iter().position(|(_, known)| *known == name);
            named = names.split(' ').map(index).collect::<Option<_>>().ok_or_else(malformed)?;
            values = Values::nothing();
        } else {
            read_line(line, &mut values).filter(|()| !named.is_empty()).ok_or_else(malformed)?;
        }
    }
    keep(&mut all, &named, &values);
    Ok(all)
}

/// The values belong to these sets.
fn keep(all: &mut [Values; 4], named: &[usize], values: &Values) {
    for &set in named {
        all[set].clone_from(values);
    }
}

fn read_line(line: &str, values: &mut Values) -> Option<()> {
    let mut words = line.split(' ');
    let kind = words.next()?;
    let numbers: Vec<i16> = words.map(str::parse).collect::<Result<_, _>>().ok()?;
    match (kind, &numbers[..]) {
        ("family", &[family, ref row @ ..]) => {
            let row = PointValues::of(row.try_into().ok()?);
            (0..FAMILIES as i16).contains(&family).then_some(())?;
            let members = families().iter().zip(values.codes.iter_mut()).filter(|(other, _)| **other == family as u16);
            members.for_each(|(_, values)| *values = row);
        }
        ("code", &[code, ref row @ ..]) => {
            *values.codes.get_mut(usize::try_from(code).ok()?)? = PointValues::of(row.try_into().ok()?);
        }
        ("stance", &[stance, worth]) => *values.stances.get_mut(usize::try_from(stance).ok()?)? = worth,
        _ => return None,
    }
    Some(())
}

/// Writes values as a text.
pub fn write(all: &[Values; 4]) -> String {
    use std::fmt::Write;
    let mut body = String::new();
    for (index, values) in all.iter().enumerate() {
        if all[..index].contains(values) {
            continue;
        }
        let same = Set::ALL.iter().zip(all).filter(|(_, other)| *other == values);
        let names: Vec<&str> = same.map(|((_, name), _)| *name).collect();
        let _ = writeln!(body, "set {}", names.join(" "));
        for family in 0..FAMILIES {
            let rows =
                families().iter().zip(values.codes.iter()).enumerate().filter(|(_, (other, _))| usize::from(**other) == family);
            let rows: Vec<(usize, [i16; 3])> = rows.map(|(code, (_, row))| (code, row.numbers())).collect();
            let usual = rows.iter().max_by_key(|(_, row)| rows.iter().filter(|(_, other)| other == row).count());
            let Some(&(_, usual)) = usual else { continue };
            let words = |row: [i16; 3]| row.map(|value| value.to_string()).join(" ");
            if usual != [0; 3] {
                let _ = writeln!(body, "family {family} {}", words(usual));
            }
            for (code, row) in rows.into_iter().filter(|(_, row)| *row != usual) {
                let _ = writeln!(body, "code {code} {}", words(row));
            }
        }
        for (stance, worth) in values.stances.iter().enumerate().filter(|(_, worth)| **worth != 0) {
            let _ = writeln!(body, "stance {stance} {worth}");
        }
    }
    format!("{TITLE} {:08x}\n{body}", crc32([body.as_bytes()]))
}

/// The values of each set.
///
/// # Panics
/// If the shipped file is damaged; a test reads it.
pub fn all() -> &'static [Values; 4] {
    static TABLE: OnceLock<[Values; 4]> = OnceLock::new();
    TABLE.get_or_init(|| read(TEXT).unwrap_or_else(|why| panic!("gomoku.values: {why}")))
}

/// The values of a side under a rule.
pub fn of(rule: Rule, side: Side) -> &'static Values {
    &all()[Set::of(rule, side) as usize]
}

/// The ordering value of each pattern.
const PROMISE: [i16; Pattern::ALL.len()] = [0, 0, 2, 5, 8, 18, 23, 26, 30, 26, 75, 90, 100, 100, 900, 4000];
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
    fn the_shipped_values_are_complete() {
        let all = read(TEXT).unwrap();
        for ((_, name), values) in Set::ALL.iter().zip(&all) {
            assert!(values.codes.iter().filter(|row| **row != PointValues::default()).count() > 500, "{name}");
            assert!(values.stances.iter().filter(|worth| **worth != 0).count() > 100, "{name}");
        }
        assert_eq!(write(&all), TEXT);
    }

    #[test]
    fn damaged_values_are_refused() {
        let same = || Values { stances: Box::new([3; STANCES]), ..Values::nothing() };
        let all = [same(), same(), Values { codes: Box::new([PointValues::of([1, 2, 3]); CODES]), ..same() }, same()];
        let text = write(&all);
        assert_eq!(read(&text).as_ref(), Ok(&all));
        assert!(text.contains("\nset freestyle standard white\n") && text.contains("\nset black\n"));
        let summed = |body: &str| format!("{TITLE} {:08x}\n{body}", crc32([body.as_bytes()]));
        for (bad, part) in [
            (String::new(), "no lines"),
            (text.replacen("values 4", "values 3", 1), "first line"),
            (text.replacen("stance 7 3", "stance 7 4", 1), "checksum"),
            (summed("code 1 2 3 4\n"), "line 2"),
            (summed("set red\n"), "line 2"),
            (summed("set black red\n"), "line 2"),
            (summed("set black\ncode 1 2\n"), "line 3"),
            (summed("set black\nfamily 817 1 2 3\n"), "line 3"),
            (summed("set black\ncode 3877 1 2 3\n"), "line 3"),
            (summed("set black\nstance 0 1\nstance 2048 1\n"), "line 4"),
            (summed("set black\nstance 0 x\n"), "line 3"),
        ] {
            let error = read(&bad).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
