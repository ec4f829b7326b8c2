//! Thin lines of a picture, the places where they cross, and which of these are neighbours on a line.

use super::raster::Grey;

/// The shortest line beside a crossing, in pixels.
const ARM: usize = 8;
/// The largest gap of a line under a piece, in pixels.
const GAP: usize = 120;
/// A crossing that is larger, in pixels, is none.
const LARGEST: usize = 14;
/// So many crossings are looked at: pictures with more are of text.
const MOST: usize = 20_000;

/// For each pixel whether a line goes through it or beside it.
pub struct Mask {
    width: usize,
    height: usize,
    set: Vec<bool>,
}

/// The lines of a picture.
pub struct Lines {
    /// Those from left to right.
    pub across: Mask,
    /// Those from top to bottom.
    pub down: Mask,
    /// The crossings.
    pub crossings: Vec<(f32, f32)>,
    /// Pairs of crossings that are neighbours on a line from left to right.
    pub beside: Vec<(usize, usize)>,
    /// The same from top to bottom.
    pub below: Vec<(usize, usize)>,
}

impl Mask {
    /// True if a line is at a place or next to it.
    pub fn is_set(&self, x: f32, y: f32) -> bool {
        let (x, y) = (x.floor() as i64, y.floor() as i64);
        let inside = (0..self.width as i64).contains(&x) && (0..self.height as i64).contains(&y);
        inside && self.set[y as usize * self.width + x as usize]
    }

    fn transposed(&self) -> Mask {
        let set = transposed(&self.set, self.width, self.height);
        Mask { width: self.height, height: self.width, set }
    }

    /// Lines from left to right: darker (or lighter) by `contrast` than what is two to four pixels above and below.
    fn across(grey: &Grey, dark: bool, contrast: f32) -> Mask {
        let Grey { width, height, ref values } = *grey;
        let mut set = vec![false; values.len()];
        let sign = if dark { 1.0 } else { -1.0 };
        // The mean of three pixels along the line.
        let smooth: Vec<f32> = values
            .chunks_exact(width)
            .flat_map(|row| {
                (0..width).map(move |x| sign * (row[x.saturating_sub(1)] + row[x] + row[(x + 1).min(width - 1)]) / 3.0)
            })
            .collect();
        for y in 2..height.saturating_sub(2) {
            let row = |y: usize| &smooth[y * width..][..width];
            let far = |away: usize| (row(y.saturating_sub(away)), row((y + away).min(height - 1)));
            let ((above, below), (higher, lower)) = (far(2), far(4));
            let here = row(y);
            for x in 0..width {
                let ridge = (above[x].min(below[x])).max(higher[x].min(lower[x])) - here[x];
                if ridge >= contrast {
                    (y - 1..=y + 1).for_each(|y| set[y * width + x] = true);
                }
            }
        }
        for row in set.chunks_exact_mut(width) {
            close(row, 2, 2);
        }
        Mask { width, height, set }
    }

    /// This mask with lines that go on under pieces.
    fn bridged(&self) -> Mask {
        let mut set = self.set.clone();
        set.chunks_exact_mut(self.width).for_each(|row| close(row, GAP, ARM));
        Mask { width: self.width, height: self.height, set }
    }
}

/// Fills gaps up to a length between two runs of at least `shortest` pixels that are not much shorter than the gap.
fn close(row: &mut [bool], longest: usize, shortest: usize) {
    let mut before: Option<(usize, usize)> = None;
    let mut at = 0;
    while at < row.len() {
        if !row[at] {
            at += 1;
            continue;
        }
        let length = row[at..].iter().take_while(|set| **set).count();
        let (start, end) = (at, at + length);
        if let Some((from, to)) = before {
            let (gap, first) = (start - to, to - from);
            if gap <= longest && first.min(length) >= shortest.max(gap / 2) {
                row[to..start].fill(true);
            }
        }
        before = Some((start, end));
        at = end;
    }
}

fn transposed<T: Copy>(values: &[T], width: usize, height: usize) -> Vec<T> {
    (0..width).flat_map(|x| (0..height).map(move |y| values[y * width + x])).collect()
}

/// For each pixel of a row the longer of the runs to its left and to its right, itself included.
fn arms(mask: &Mask) -> Vec<u16> {
    let mut out = vec![0; mask.set.len()];
    for (row, out) in mask.set.chunks_exact(mask.width).zip(out.chunks_exact_mut(mask.width)) {
        let mut run = 0u16;
        for (set, out) in row.iter().zip(out.iter_mut()) {
            run = if *set { run.saturating_add(1) } else { 0 };
            *out = run;
        }
        run = 0;
        for (set, out) in row.iter().zip(out.iter_mut()).rev() {
            run = if *set { run.saturating_add(1) } else { 0 };
            *out = run.max(*out);
        }
    }
    out
}

impl Lines {
    /// The dark (or light) lines of a picture that stand out by `contrast`; `None` if it is full of them.
    pub fn of(grey: &Grey, dark: bool, contrast: f32) -> Option<Lines> {
        let (width, height) = (grey.width, grey.height);
        let turned = Grey { width: height, height: width, values: transposed(&grey.values, width, height) };
        let across = Mask::across(grey, dark, contrast);
        let down = Mask::across(&turned, dark, contrast);
        let (long_across, long_down) = (across.bridged(), down.bridged());
        let arms_across = arms(&long_across);
        let arms_down = transposed(&arms(&long_down), height, width);
        let crosses = |at: usize| arms_across[at].min(arms_down[at]) >= ARM as u16;
        let mut labels = vec![0u32; width * height];
        let mut crossings = Vec::new();
        for at in 0..labels.len() {
            if labels[at] != 0 || !crosses(at) {
                continue;
            }
            let number = crossings.len() as u32 + 1;
            let (mut stack, mut pixels) = (vec![at], Vec::new());
            labels[at] = number;
            while let Some(at) = stack.pop() {
                pixels.push(at);
                let (x, y) = (at % width, at / width);
                for (nx, ny) in (y.saturating_sub(1)..(y + 2).min(height))
                    .flat_map(|ny| (x.saturating_sub(1)..(x + 2).min(width)).map(move |nx| (nx, ny)))
                {
                    let next = ny * width + nx;
                    if labels[next] == 0 && crosses(next) {
                        labels[next] = number;
                        stack.push(next);
                    }
                }
            }
            let range = |of: &dyn Fn(usize) -> usize| {
                let (low, high) = pixels.iter().fold((usize::MAX, 0), |(low, high), at| (low.min(of(*at)), high.max(of(*at))));
                (low, high)
            };
            let ((left, right), (top, bottom)) = (range(&|at| at % width), range(&|at| at / width));
            // What is too large keeps its number, so that lines end there.
            let whole = right - left <= LARGEST && bottom - top <= LARGEST;
            let middle = ((left + right + 1) as f32 / 2.0, (top + bottom + 1) as f32 / 2.0);
            crossings.push(if whole { middle } else { (f32::NAN, f32::NAN) });
            if crossings.len() > MOST {
                return None;
            }
        }
        let beside = neighbours(&crossings, &labels, &long_across, |x, y| y * width + x);
        let turned_crossings: Vec<(f32, f32)> = crossings.iter().map(|(x, y)| (*y, *x)).collect();
        let below = neighbours(&turned_crossings, &labels, &long_down, |x, y| x * width + y);
        Some(Lines { across, down: down.transposed(), crossings, beside, below })
    }
}

/// Pairs of crossings with nothing but a line from left to right between them. `place` is the index of a pixel in `labels`.
fn neighbours(
    crossings: &[(f32, f32)],
    labels: &[u32],
    mask: &Mask,
    place: impl Fn(usize, usize) -> usize,
) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (number, &(x, y)) in crossings.iter().enumerate().filter(|(_, at)| !at.0.is_nan()) {
        let mut row = (y as usize).min(mask.height - 1);
        'line: for column in x as usize + 1..mask.width {
            let near = [row, row.saturating_sub(1), (row + 1).min(mask.height - 1)];
            let Some(next) = near.into_iter().find(|row| mask.set[row * mask.width + column]) else { break };
            row = next;
            for row in near {
                let label = labels[place(column, row)] as usize;
                if label != 0 && label != number + 1 {
                    if !crossings[label - 1].0.is_nan() {
                        pairs.push((number, label - 1));
                    }
                    break 'line;
                }
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crossings_of_a_grid_are_found_and_joined() {
        // Lines at 20, 50, 80, the crossing in the middle under a white square.
        let mut values = vec![230.0; 100 * 100];
        for along in 20..=80 {
            for line in [20, 50, 80] {
                values[line * 100 + along] = 60.0;
                values[along * 100 + line] = 60.0;
            }
        }
        for y in 42..58 {
            values[y * 100 + 42..y * 100 + 58].fill(255.0);
        }
        let lines = Lines::of(&Grey { width: 100, height: 100, values }, true, 20.0).unwrap();
        assert_eq!(lines.crossings.len(), 9, "{:?}", lines.crossings);
        assert_eq!((lines.beside.len(), lines.below.len()), (6, 6));
        for &(x, y) in &lines.crossings {
            let near = |at: f32| [20.5, 50.5, 80.5].iter().any(|line| (at - line).abs() <= 1.0);
            assert!(near(x) && near(y), "{x} {y}");
        }
        assert!(lines.across.is_set(35.0, 20.5) && !lines.across.is_set(50.0, 50.0) && !lines.down.is_set(35.0, 20.5));
    }
}
