//! The symmetries of a square board.

/// The number of symmetries of a square.
pub const SYMMETRIES: usize = 8;

/// Where a symmetry moves a point, on a board with `size` lines. Bit 0 mirrors the first coordinate, bit 1 the second; bit 2 then swaps them.
pub fn turned((mut a, mut b): (usize, usize), symmetry: usize, size: usize) -> (usize, usize) {
    if symmetry & 1 != 0 {
        a = size - 1 - a;
    }
    if symmetry & 2 != 0 {
        b = size - 1 - b;
    }
    if symmetry & 4 != 0 { (b, a) } else { (a, b) }
}

/// The symmetry that undoes this one.
pub fn inverse(symmetry: usize) -> usize {
    // After the swap the mirrors belong to the other coordinates.
    if symmetry & 4 == 0 { symmetry } else { 4 | (symmetry & 1) << 1 | (symmetry & 2) >> 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_are_different_and_are_undone() {
        let points = || (0..5).flat_map(|a| (0..5).map(move |b| (a, b)));
        let mut images: Vec<Vec<_>> =
            (0..SYMMETRIES).map(|symmetry| points().map(|at| turned(at, symmetry, 5)).collect()).collect();
        for (symmetry, image) in images.iter().enumerate() {
            let back: Vec<_> = image.iter().map(|at| turned(*at, inverse(symmetry), 5)).collect();
            assert!(back.into_iter().eq(points()), "{symmetry}");
        }
        images.sort();
        images.dedup();
        assert_eq!(images.len(), SYMMETRIES);
    }
}
