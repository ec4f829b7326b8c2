//! The capture patterns of a line, as tables.
//!
//! After a step, only the row and the column through its target point can have captures; both are examined in the same position. If a line has
//! exactly three stones, adjacent, with two of the mover's side by side and one of the opponent at an end, the opponent's stone is captured.

use super::board::Bits;

/// The captured stones of a line, indexed by the mover's stones and the opponent's stones on it (bit 0 is the first point).
pub type LineTable = [[u8; 32]; 32];

/// Lines of five points.
pub static FIVE: LineTable = table(5, false);
/// Lines of four points.
pub static FOUR: LineTable = table(4, false);
/// Lines of four points, where two adjacent stones next to two adjacent stones of the opponent capture both.
pub static FOUR_BIG: LineTable = table(4, true);

/// The captured stones of a line: `own` and `other` are the stones on it as bits.
const fn given_up(length: u32, own: u32, other: u32, big: bool) -> u8 {
    let mut at = 0;
    while at + 3 <= length {
        if own == 0b011 << at && other == 0b100 << at || own == 0b110 << at && other == 0b001 << at {
            return other as u8;
        }
        at += 1;
    }
    let mut at = 0;
    while big && at + 4 <= length {
        if own == 0b0011 << at && other == 0b1100 << at || own == 0b1100 << at && other == 0b0011 << at {
            return other as u8;
        }
        at += 1;
    }
    0
}

const fn table(length: u32, big: bool) -> LineTable {
    let mut table = [[0; 32]; 32];
    let mut own = 0;
    while own < 1 << length {
        let mut other = 0;
        while other < 1 << length {
            if own & other == 0 {
                table[own as usize][other as usize] = given_up(length, own, other, big);
            }
            other += 1;
        }
        own += 1;
    }
    table
}

/// The bits of a column as adjacent bits. The multiplier moves bit `size * k` to bit `16 + k` (`12 + k` for size four) and no other
/// bit of the column into that range.
#[inline(always)]
const fn column(size: u8, stones: Bits, column: u8) -> usize {
    if size == 5 {
        ((((stones >> column) & 0x10_8421).wrapping_mul(0x1_1111) >> 16) & 31) as usize
    } else {
        ((((stones >> column) & 0x1111).wrapping_mul(0x1248) >> 12) & 15) as usize
    }
}

/// The inverse of [`column`]: puts adjacent bits on a column.
#[inline(always)]
const fn on_column(size: u8, bits: u8, column: u8) -> Bits {
    let bits = bits as Bits;
    let size = size as Bits;
    let spread = (bits & 1)
        | (bits >> 1 & 1) << size
        | (bits >> 2 & 1) << (2 * size)
        | (bits >> 3 & 1) << (3 * size)
        | (bits >> 4 & 1) << (4 * size);
    spread << column
}

/// The opponent's stones that are captured, if the mover's stones are now `own` and the moved stone is on bit `at`.
#[inline(always)]
pub fn taken(size: u8, table: &LineTable, own: Bits, other: Bits, at: u8) -> Bits {
    let (row, file) = (at / size, at % size);
    let mask = (1 << size) - 1;
    let shift = row * size;
    let on_row = table[(own >> shift & mask) as usize][(other >> shift & mask) as usize];
    let on_file = table[column(size, own, file)][column(size, other, file)];
    Bits::from(on_row) << shift | on_column(size, on_file, file)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The six patterns of five points and the four of four, as the rules list them.
    const PATTERNS: [&str; 10] = ["OOX__", "_OOX_", "__OOX", "XOO__", "_XOO_", "__XOO", "OOX_", "_OOX", "XOO_", "_XOO"];

    #[test]
    fn the_tables_have_exactly_the_patterns() {
        for (length, table, big) in [(5, &FIVE, false), (4, &FOUR, false), (4, &FOUR_BIG, true)] {
            for code in 0..3u32.pow(length) {
                let text: String = (0..length).map(|at| ['_', 'O', 'X'][(code / 3u32.pow(at) % 3) as usize]).collect();
                let bits =
                    |wanted| text.chars().enumerate().filter(|(_, c)| *c == wanted).fold(0, |bits, (at, _)| bits | 1 << at);
                let (own, other): (usize, usize) = (bits('O'), bits('X'));
                let takes = PATTERNS.contains(&text.as_str()) || big && ["OOXX", "XXOO"].contains(&text.as_str());
                assert_eq!(usize::from(table[own][other]), if takes { other } else { 0 }, "{text}");
            }
        }
    }

    #[test]
    fn columns_are_read_and_written() {
        for size in [4, 5] {
            for file in 0..size {
                for bits in 0..1u8 << size {
                    let column_bits = on_column(size, bits, file);
                    let others = !on_column(size, 31 >> (5 - size), file) & if size == 5 { 0x1FF_FFFF } else { 0xFFFF };
                    assert_eq!(column(size, column_bits, file), usize::from(bits));
                    assert_eq!(column(size, column_bits | others, file), usize::from(bits));
                }
            }
        }
    }
}
