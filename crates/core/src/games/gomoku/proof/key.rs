//! Keys of positions that are the same for all positions equal by a symmetry of the board.

use crate::rules::Side;
use crate::rules::symmetry::{self, SYMMETRIES};
use crate::rules::zobrist::mix;

/// A point as the number of its row times the size of the board plus the number of its column.
pub type Place = u16;

/// The place to which a symmetry moves a place, on a board of this size.
pub fn turned(place: Place, symmetry: usize, size: u8) -> Place {
    let (place, size) = (usize::from(place), usize::from(size));
    let (x, y) = symmetry::turned((place % size, place / size), symmetry, size);
    (y * size + x) as Place
}

/// The place that a symmetry moves to this place.
pub fn turned_back(place: Place, symmetry: usize, size: u8) -> Place {
    turned(place, symmetry::inverse(symmetry), size)
}

/// The key of a position and the symmetry that leads to the position in which its answer is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The same for all positions equal by a symmetry.
    pub hash: u64,
    /// Leads from the position to the kept one.
    pub symmetry: usize,
}

/// The key of a position with these stones. The side to move follows from their number.
pub fn key(stones: impl Iterator<Item = (Place, Side)>, size: u8) -> Key {
    let mut hashes = [0; SYMMETRIES];
    for (place, side) in stones {
        for (symmetry, hash) in hashes.iter_mut().enumerate() {
            *hash ^= mix(u64::from(turned(place, symmetry, size)) * 2 + side.index() as u64);
        }
    }
    let (symmetry, hash) = hashes.into_iter().enumerate().min_by_key(|(_, hash)| *hash).unwrap_or((0, 0));
    Key { hash, symmetry }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_are_undone() {
        for size in [5, 15, 20] {
            for symmetry in 0..SYMMETRIES {
                for place in 0..u16::from(size) * u16::from(size) {
                    assert_eq!(turned_back(turned(place, symmetry, size), symmetry, size), place);
                }
            }
        }
    }

    #[test]
    fn symmetric_positions_have_one_key() {
        let stones = [(112, Side::First), (97, Side::Second), (80, Side::First), (3, Side::Second)];
        let first = key(stones.into_iter(), 15);
        for symmetry in 0..SYMMETRIES {
            let turned_stones = stones.map(|(place, side)| (turned(place, symmetry, 15), side));
            let other = key(turned_stones.into_iter(), 15);
            assert_eq!(other.hash, first.hash);
            // A point near the stones lands on the same kept point from both.
            let kept = turned(81, first.symmetry, 15);
            assert_eq!(turned(turned(81, symmetry, 15), other.symmetry, 15), kept);
        }
        let swapped = stones.map(|(place, side)| (place, !side));
        assert_ne!(key(swapped.into_iter(), 15).hash, first.hash);
    }
}
