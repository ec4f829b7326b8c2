//! How books of other xiangqi programs name positions and points.
//!
//! A point is a byte: on a board of 16 by 16 points that of xiangqi begins at rank 3 from the top and file 3 from the left. A position is named by a Zobrist key, the
//! exclusive or of a number for each piece on its point and one for the side to move.

use crate::games::xiangqi::rules::piece::Piece as Kind;
use crate::rules::{Point, Side};
use crate::table::{Action, Image, Piece, Table};
use std::ops::BitXor;
use std::sync::LazyLock;

/// Files and ranks.
const SIZE: (u8, u8) = (9, 10);
const POINTS: usize = 90;

/// The byte of a point.
pub fn square(at: Point) -> u8 {
    (12 - at.y) << 4 | (at.x + 3)
}

/// The point of a byte; `None` if it is off the board.
pub fn point(square: u8) -> Option<Point> {
    let (x, y) = ((square & 15).checked_sub(3)?, 12u8.checked_sub(square >> 4)?);
    (x < SIZE.0 && y < SIZE.1).then_some(Point::new(x, y))
}

/// The move between two bytes.
pub fn step(from: u8, to: u8) -> Option<Action> {
    Some(Action::Step { from: point(from)?, to: point(to)? })
}

/// The bytes of a move.
pub fn bytes_of(action: Action) -> Option<(u8, u8)> {
    match action {
        Action::Step { from, to } => Some((square(from), square(to))),
        _ => None,
    }
}

/// The move on the board with left and right swapped.
pub fn mirrored(action: Action) -> Action {
    Image::MIRROR.of_action(action, SIZE)
}

/// A number for each kind of piece on each point, in the order of [`Point`]s, and one for a side to move.
pub struct Keys<K> {
    pieces: [[K; POINTS]; Kind::KINDS],
    mover: K,
    /// The side to move that has this number.
    side: Side,
}

impl<K: Copy + Default + BitXor<Output = K>> Keys<K> {
    fn new(side: Side, mut next: impl FnMut(usize, Point) -> K, mover: K) -> Keys<K> {
        let mut pieces = [[K::default(); POINTS]; Kind::KINDS];
        for (kind, points) in pieces.iter_mut().enumerate() {
            for (at, key) in points.iter_mut().enumerate() {
                *key = next(kind, Point::new(at as u8 % SIZE.0, at as u8 / SIZE.0));
            }
        }
        Keys { pieces, mover, side }
    }

    /// The key of the position of a table of xiangqi, and that of its mirror image.
    pub fn of(&self, table: &dyn Table) -> [K; 2] {
        let mover = if table.turn() == self.side { self.mover } else { K::default() };
        table.pieces().into_iter().fold([mover; 2], |[key, mirror], (at, Piece { side, role })| {
            let points = &self.pieces[7 * side.index() + usize::from(role)];
            let of = |at: Point| points[usize::from(at.y) * usize::from(SIZE.0) + usize::from(at.x)];
            [key ^ of(at), mirror ^ of(Image::MIRROR.of(at, SIZE))]
        })
    }
}

/// Those of SQLite books: random numbers that all programs with such books share, which the file holds in this order with the first for Red to move.
#[cfg(any(test, all(feature = "sqlite", not(target_arch = "wasm32"))))]
pub static OBK: LazyLock<Keys<u64>> = LazyLock::new(|| {
    let (numbers, _) = include_bytes!("../../assets/books/obk.keys").as_chunks::<8>();
    let number = |index: usize| u64::from_le_bytes(numbers[index]);
    let of = |kind: usize, at: Point| number(1 + kind * POINTS + usize::from(at.y) * usize::from(SIZE.0) + usize::from(at.x));
    Keys::new(Side::First, of, number(0))
});

/// Those of ElephantEye: the stream of RC4 with a key of zeros gives three words for Black to move and then for each piece on each of 256 points; the third is that
/// of the book.
pub static ELEPHANT: LazyLock<Keys<u32>> = LazyLock::new(|| {
    let mut stream = Rc4::new();
    let mover = stream.third_word();
    let words: Vec<u32> = (0..Kind::KINDS * 256).map(|_| stream.third_word()).collect();
    Keys::new(Side::Second, |kind, at| words[kind * 256 + usize::from(square(at))], mover)
});

/// The cipher RC4 with a key of zeros, as a source of numbers.
struct Rc4 {
    state: [u8; 256],
    x: u8,
    y: u8,
}

impl Rc4 {
    fn new() -> Rc4 {
        let mut state = std::array::from_fn(|index| index as u8);
        let mut other = 0u8;
        for index in 0..256 {
            other = other.wrapping_add(state[index]);
            state.swap(index, usize::from(other));
        }
        Rc4 { state, x: 0, y: 0 }
    }

    fn byte(&mut self) -> u8 {
        self.x = self.x.wrapping_add(1);
        self.y = self.y.wrapping_add(self.state[usize::from(self.x)]);
        self.state.swap(usize::from(self.x), usize::from(self.y));
        let sum = self.state[usize::from(self.x)].wrapping_add(self.state[usize::from(self.y)]);
        self.state[usize::from(sum)]
    }

    fn third_word(&mut self) -> u32 {
        for _ in 0..8 {
            self.byte();
        }
        u32::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use crate::table::Setup;

    #[test]
    fn keys_are_those_of_the_programs() {
        let table = games::find("xiangqi").unwrap().table(&Setup::default()).unwrap();
        // As books of these programs name the start position.
        assert_eq!(OBK.of(&*table), [0x628d_04d7_c9c1_44ae; 2]);
        assert_eq!(ELEPHANT.of(&*table), [0x0526_56d5; 2]);
        let cannon = table.read("h2e2").unwrap();
        assert_eq!(bytes_of(cannon), Some((0xaa, 0xa7)));
        assert_eq!(step(0xaa, 0xa7), Some(cannon));
        assert_eq!(mirrored(cannon), table.read("b2e2").unwrap());
        assert_eq!([0x32, 0x3c, 0x23, 0xd3].map(point), [None; 4]);
    }
}
