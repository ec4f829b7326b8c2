//! Attack tables: the points that each piece reaches from each point, as bit sets computed at compile time.
//!
//! Chariots and cannons are looked up by the pieces on their rank and file (nine and ten bits); horses and elephants by
//! the four neighbours that can block them. So every lookup is one or two loads.

/// A set of points, bit `rank * 9 + file`.
pub type Bits = u128;

/// Points of the board.
pub const POINTS: usize = 90;

/// The bit of a point. A shift of 128 bits takes longer than to load the result.
#[inline(always)]
pub const fn bit(at: usize) -> Bits {
    BITS[at & 127]
}

static BITS: [Bits; 128] = {
    let mut bits = [1; 128];
    let mut at = 1;
    while at < bits.len() {
        bits[at] = bits[at - 1] << 1;
        at += 1;
    }
    bits
};

/// `bits << by`. WebAssembly has no shift of 128 bits, and the compiler would call a function for it.
#[inline(always)]
pub const fn shifted(bits: Bits, by: usize) -> Bits {
    if !cfg!(target_arch = "wasm32") {
        return bits << by;
    }
    let (low, high, part) = (bits as u64, (bits >> 64) as u64, by & 63);
    let (kept, carried) = (low << part, low >> 1 >> (63 - part));
    if by < 64 { ((high << part | carried) as Bits) << 64 | kept as Bits } else { (kept as Bits) << 64 }
}

const fn on_board(file: i32, rank: i32) -> bool {
    file >= 0 && file < 9 && rank >= 0 && rank < 10
}

const fn point_bit(file: i32, rank: i32) -> Bits {
    if on_board(file, rank) { 1 << (rank * 9 + file) } else { 0 }
}

const fn in_palace(file: i32, rank: i32) -> bool {
    file >= 3 && file <= 5 && (rank <= 2 || rank >= 7)
}

/// The nine points of each side's palace.
pub const PALACE: [Bits; 2] = [0b111_000_000_111_000_000_111_000, 0b111_000_000_111_000_000_111_000 << 63];

/// The half of the board of each side.
pub const HOME: [Bits; 2] = [(1 << 45) - 1, ((1 << 45) - 1) << 45];

/// A rank shifted to where file 0 is bit 0.
pub const RANK_0: Bits = 0x1FF;

/// The points of file 0.
pub const FILE_0: Bits = {
    let mut bits = 0;
    let mut rank = 0;
    while rank < 10 {
        bits |= 1 << (rank * 9);
        rank += 1;
    }
    bits
};

/// The four straight neighbours' offsets: left, down, right, up. The order is that of the bits in [`HORSE`]'s index.
const STRAIGHT: [(i32, i32); 4] = [(-1, 0), (0, -1), (1, 0), (0, 1)];
/// The four diagonal neighbours' offsets, in the order of the bits in [`ELEPHANT`]'s and [`HORSE_TO`]'s index.
const DIAGONAL: [(i32, i32); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// The targets of a horse, by its occupied straight neighbours.
pub static HORSE: [[Bits; 16]; POINTS] =
    leaps(&[[(-2, -1), (-2, 1)], [(-1, -2), (1, -2)], [(2, -1), (2, 1)], [(-1, 2), (1, 2)]], false);

/// The points of horses that reach a point, by that point's occupied diagonal neighbours (the horses' legs).
pub static HORSE_TO: [[Bits; 16]; POINTS] =
    leaps(&[[(-2, -1), (-1, -2)], [(-2, 1), (-1, 2)], [(2, -1), (1, -2)], [(2, 1), (1, 2)]], false);

/// The targets of an elephant, by its occupied diagonal neighbours (eyes). It stays on its half of the board.
pub static ELEPHANT: [[Bits; 16]; POINTS] = leaps(&[[(-2, -2); 2], [(-2, 2); 2], [(2, -2); 2], [(2, 2); 2]], true);

/// The targets of a piece that moves over four neighbours, by the occupied ones: each of the four, in the order of [`STRAIGHT`] or [`DIAGONAL`],
/// blocks two moves if it is occupied.
const fn leaps(over: &[[(i32, i32); 2]; 4], stays_home: bool) -> [[Bits; 16]; POINTS] {
    let mut table = [[0; 16]; POINTS];
    let mut at = 0;
    while at < POINTS {
        let (file, rank) = (at as i32 % 9, at as i32 / 9);
        let within = if stays_home { HOME[(rank >= 5) as usize] } else { HOME[0] | HOME[1] };
        let mut taken = 0;
        while taken < 16 {
            let mut neighbour = 0;
            while neighbour < 4 {
                if taken & 1 << neighbour == 0 {
                    let [(ax, ay), (bx, by)] = over[neighbour];
                    table[at][taken] |= (point_bit(file + ax, rank + ay) | point_bit(file + bx, rank + by)) & within;
                }
                neighbour += 1;
            }
            taken += 1;
        }
        at += 1;
    }
    table
}

/// The targets of an advisor; empty outside the palaces.
pub static ADVISOR: [Bits; POINTS] = palace_steps(&DIAGONAL);

/// The targets of a general; empty outside the palaces.
pub static GENERAL: [Bits; POINTS] = palace_steps(&STRAIGHT);

const fn palace_steps(steps: &[(i32, i32); 4]) -> [Bits; POINTS] {
    let mut table = [0; POINTS];
    let mut at = 0;
    while at < POINTS {
        let (file, rank) = (at as i32 % 9, at as i32 / 9);
        let mut step = 0;
        while step < 4 {
            let (dx, dy) = steps[step];
            if in_palace(file, rank) && in_palace(file + dx, rank + dy) {
                table[at] |= point_bit(file + dx, rank + dy);
            }
            step += 1;
        }
        at += 1;
    }
    table
}

/// The targets of a soldier of each side: forward, and sideways across the river.
pub static SOLDIER: [[Bits; POINTS]; 2] = soldier_steps(1);

/// The points of each side's soldiers that reach a point.
pub static SOLDIER_TO: [[Bits; POINTS]; 2] = soldier_steps(-1);

const fn soldier_steps(way: i32) -> [[Bits; POINTS]; 2] {
    let mut table = [[0; POINTS]; 2];
    let mut side = 0;
    while side < 2 {
        let ahead = if side == 0 { 1 } else { -1 };
        let mut at = 0;
        while at < POINTS {
            let (file, rank) = (at as i32 % 9, at as i32 / 9);
            table[side][at] |= point_bit(file, rank + ahead * way);
            let crossed = (rank >= 5) == (side == 0);
            if crossed {
                table[side][at] |= point_bit(file - 1, rank) | point_bit(file + 1, rank);
            }
            at += 1;
        }
        side += 1;
    }
    table
}

/// The points reached on a line of `LENGTH` points from `at`, with `pieces` as occupied points: by a chariot (`over` 0), or the captures of a
/// cannon (`over` 1).
const fn along(length: usize, at: usize, pieces: usize, over: usize) -> usize {
    let mut reached = 0;
    let mut way = 0;
    while way < 2 {
        let mut next = at as i32;
        let mut screens = 0;
        loop {
            next += if way == 0 { 1 } else { -1 };
            if next < 0 || next >= length as i32 {
                break;
            }
            let taken = pieces >> next & 1 == 1;
            if screens == over && (taken || over == 0) {
                reached |= 1 << next;
            }
            if taken {
                if screens == over {
                    break;
                }
                screens += 1;
            }
        }
        way += 1;
    }
    reached
}

const fn lines<const LENGTH: usize, const PATTERNS: usize>(over: usize) -> [[u16; PATTERNS]; LENGTH] {
    let mut table = [[0; PATTERNS]; LENGTH];
    let mut at = 0;
    while at < LENGTH {
        let mut pieces = 0;
        while pieces < PATTERNS {
            table[at][pieces] = along(LENGTH, at, pieces, over) as u16;
            pieces += 1;
        }
        at += 1;
    }
    table
}

/// The points of file 0 that stand for the bits of ten ranks. So the tables of files need two bytes for each pattern, and stay in the cache.
pub static SPREAD: [Bits; 1024] = {
    let mut table = [0; 1024];
    let mut ranks = 1;
    while ranks < 1024usize {
        table[ranks] = table[ranks & (ranks - 1)] | 1 << (ranks.trailing_zeros() * 9);
        ranks += 1;
    }
    table
};

/// The points of its rank that a chariot on a file reaches, by the pieces on the rank.
pub static CHARIOT_RANK: [[u16; 512]; 9] = lines(0);
/// The points of its rank that a cannon on a file could capture.
pub static CANNON_RANK: [[u16; 512]; 9] = lines(1);
/// The ranks of its file that a chariot on a rank reaches, by the pieces on the file; [`SPREAD`] makes them points.
#[allow(long_running_const_eval)] // ten thousand short loops
pub static CHARIOT_FILE: [[u16; 1024]; 10] = lines(0);
/// The ranks of its file that a cannon on a rank could capture.
#[allow(long_running_const_eval)]
pub static CANNON_FILE: [[u16; 1024]; 10] = lines(1);

/// The points of a point's rank and file, without the point itself.
pub static LINES: [Bits; POINTS] = {
    let mut table = [0; POINTS];
    let mut at = 0;
    while at < POINTS {
        table[at] = (RANK_0 << (at / 9 * 9) | FILE_0 << (at % 9)) & !(1 << at);
        at += 1;
    }
    table
};

/// The points strictly between two points of one line; empty for other points.
pub static BETWEEN: [[Bits; POINTS]; POINTS] = {
    let mut table = [[0; POINTS]; POINTS];
    let mut a = 0;
    while a < POINTS {
        let mut b = 0;
        while b < POINTS {
            let step = if a == b {
                0
            } else if a / 9 == b / 9 {
                1
            } else if a % 9 == b % 9 {
                9
            } else {
                0
            };
            if step != 0 {
                let (mut at, end) = if a < b { (a + step, b) } else { (b + step, a) };
                while at < end {
                    table[a][b] |= 1 << at;
                    at += step;
                }
            }
            b += 1;
        }
        a += 1;
    }
    table
};

/// The points of a set, lowest first.
#[derive(Clone, Copy)]
pub struct Points(pub Bits);

impl Iterator for Points {
    type Item = usize;
    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let at = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(at)
    }

    /// The two halves one after the other: fewer steps for each point than with all bits. `for_each` comes here.
    #[inline(always)]
    fn fold<B, F: FnMut(B, usize) -> B>(self, init: B, mut f: F) -> B {
        let mut folded = init;
        for (half, first) in [(self.0 as u64, 0), ((self.0 >> 64) as u64, 64)] {
            let mut left = half;
            while left != 0 {
                folded = f(folded, first + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
        folded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_agree_with_the_rules() {
        let at = |file: usize, rank: usize| rank * 9 + file;
        assert_eq!(HORSE[at(4, 4)][0].count_ones(), 8);
        assert_eq!(HORSE[at(0, 0)][0], bit(at(1, 2)) | bit(at(2, 1)));
        // A piece on the right neighbour blocks both jumps to the right.
        assert_eq!(HORSE[at(4, 4)][4].count_ones(), 6);
        assert_eq!(HORSE[at(4, 4)][4] & (bit(at(6, 5)) | bit(at(6, 3))), 0);
        assert_eq!(ELEPHANT[at(2, 4)][0], bit(at(0, 2)) | bit(at(4, 2)));
        assert_eq!(ADVISOR[at(4, 1)].count_ones(), 4);
        assert_eq!(GENERAL[at(3, 9)], bit(at(4, 9)) | bit(at(3, 8)));
        assert_eq!(SOLDIER[0][at(4, 4)], bit(at(4, 5)));
        assert_eq!(SOLDIER[1][at(4, 4)], bit(at(4, 3)) | bit(at(3, 4)) | bit(at(5, 4)));
        assert_eq!(CANNON_RANK[0][0b0_1010_0101], 0b0_0010_0000);
        assert_eq!(CHARIOT_RANK[2][0b0_1000_0001], 0b0_1111_1011);
        for (from, reached) in HORSE.iter().enumerate() {
            for to in Points(reached[0]) {
                assert!(HORSE_TO[to][0] & bit(from) != 0);
            }
        }
    }
}
