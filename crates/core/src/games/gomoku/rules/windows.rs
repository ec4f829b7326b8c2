//! The windows of all points, from the view of the first side, side by side along each line: a stone changes neighbouring numbers, several at a time.

use super::lines::{Lookup, REACH, WEIGHT};
use super::spot::{SPOTS, STRIDE, Spot};

/// The windows along a line that a stone can change, its own in the middle, and one more, so that they are changed four at a time.
const LANES: usize = 2 * REACH + 2;
/// Windows in memory for each line. [`REACH`] of them before the board and those behind it are of no point, so that no stone is too near to an edge. Stones change
/// these numbers too, but they stay below the number of windows.
const LENGTH: usize = 32;
/// The lines of the four directions.
const LINES: usize = 2 * STRIDE + 2 * (2 * STRIDE - 1);
const _: () = assert!(STRIDE + LANES <= LENGTH);

/// Where the first of the [`LANES`] windows around each point (its segment) is, for each direction.
pub(super) static SEGMENTS: [[u16; 4]; SPOTS] = {
    let mut segments = [[0; 4]; SPOTS];
    let mut spot = 0;
    while spot < SPOTS {
        let (x, y) = (spot % STRIDE, spot / STRIDE);
        let lines = [y, STRIDE + x, 2 * STRIDE + (x + STRIDE - 1 - y), 4 * STRIDE - 1 + (x + y)];
        let mut direction = 0;
        while direction < 4 {
            segments[spot][direction] = (lines[direction] * LENGTH + if direction == 0 { x } else { y }) as u16;
            direction += 1;
        }
        spot += 1;
    }
    segments
};

/// The windows of all points in all directions.
#[derive(Clone)]
pub(super) struct LineWindows {
    windows: [u32; LINES * LENGTH],
    /// All bits if the point is on the board and empty, otherwise none.
    open: [u8; LINES * LENGTH],
    /// What a stone of each side adds to the windows around it.
    weights: [[u32; LANES]; 2],
}

impl LineWindows {
    /// No points.
    pub fn new(lookup: &Lookup) -> LineWindows {
        let mut weights = [[0; LANES]; 2];
        for (side, weights) in weights.iter_mut().enumerate() {
            // A stone of the first side is digit 1, of the second side digit 2.
            let digit = side as u32 + 1;
            for distance in 1..=lookup.sight {
                // It lies ahead of the points behind it.
                weights[REACH - distance] = digit * WEIGHT[distance - 1];
                weights[REACH + distance] = digit * WEIGHT[distance - 1] * lookup.strings;
            }
        }
        LineWindows { windows: [0; LINES * LENGTH], open: [0; LINES * LENGTH], weights }
    }

    /// Adds an empty point.
    pub fn insert(&mut self, spot: Spot, windows: [u32; 4]) {
        for (segment, window) in SEGMENTS[spot.index()].into_iter().zip(windows) {
            self.windows[usize::from(segment) + REACH] = window;
            self.open[usize::from(segment) + REACH] = u8::MAX;
        }
    }

    /// Adds a stone to the windows of a segment around it and closes its own. Returns the windows, and whether their points are open.
    #[inline(always)]
    pub fn add(&mut self, segment: u16, side: usize) -> (&[u32; LANES], &[u8; LANES]) {
        let at = usize::from(segment);
        let windows: &mut [u32; LANES] = (&mut self.windows[at..at + LANES]).try_into().expect("LANES windows");
        let open: &mut [u8; LANES] = (&mut self.open[at..at + LANES]).try_into().expect("LANES windows");
        open[REACH] = 0;
        for (window, weight) in windows.iter_mut().zip(&self.weights[side]) {
            *window += weight;
        }
        (windows, open)
    }

    /// Undoes [`LineWindows::add`].
    #[inline(always)]
    pub fn take(&mut self, segment: u16, side: usize) {
        let at = usize::from(segment);
        self.open[at + REACH] = u8::MAX;
        for (window, weight) in self.windows[at..at + LANES].iter_mut().zip(&self.weights[side]) {
            *window -= weight;
        }
    }
}
