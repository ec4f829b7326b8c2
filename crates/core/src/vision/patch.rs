//! The square around a point, and what is measured in it.
//!
//! Strokes are measured by histograms of the directions of gradients in small squares, in relation to what is around them (Dalal and Triggs, "Histograms
//! of oriented gradients for human detection", 2005). A direction and its opposite are the same, so that light strokes on dark ground are those of dark
//! ones on light ground. Brightness and colours are measured more coarsely.

use super::raster::{Raster, brightness};

/// Pixels along a side.
pub const SIDE: usize = 40;
/// The side of the square, in cells.
const REACH: f32 = 1.1;
/// Small squares along a side, and their pixels.
const CELLS: usize = 10;
const CELL: usize = SIDE / CELLS;
/// Directions from 0 to 180 degrees.
const DIRECTIONS: usize = 8;
/// Larger squares along a side, for colours.
const AREAS: usize = 5;
/// What is measured: directions, brightness, how red and how blue, and the colours of strokes and ground in the middle.
pub const INPUTS: usize = CELLS * CELLS * (DIRECTIONS + 1) + AREAS * AREAS * 2 + 11;
/// Contrasts below this share of the range from black to white are not made larger: they are noise.
const FLAT: f32 = 0.06;
const FAINT: f32 = 0.25;

/// The colours of the square around a point, each channel from 0 to 1, rows from the top.
pub type Colours = [[f32; 3]; SIDE * SIDE];

/// What is measured in the square around a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch(pub Box<[f32; INPUTS]>);

/// How red and how blue a colour is.
fn tint([r, g, b]: [f32; 3]) -> [f32; 2] {
    [3.0 * (r - g), 3.0 * (b - g)]
}

impl Patch {
    /// The square around a place of a picture. `right` and `down` lead from there to the next points.
    pub fn of(picture: &Raster, at: (f32, f32), right: (f32, f32), down: (f32, f32)) -> Patch {
        Patch::measured(&colours(picture, at, right, down))
    }

    /// Measures colours. The brightness is relative to its mean and its deviation, so that light and contrast do not matter.
    pub fn measured(rgb: &Colours) -> Patch {
        let mut bright = rgb.map(brightness);
        let count = bright.len() as f32;
        let mean = bright.iter().sum::<f32>() / count;
        let deviation = (bright.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / count).sqrt().max(FLAT);
        bright.iter_mut().for_each(|value| *value = (*value - mean) / deviation);
        let mut out = Box::new([0.0; INPUTS]);
        let (strokes, rest) = out.split_at_mut(CELLS * CELLS * DIRECTIONS);
        directions(&bright, strokes);
        let (dims, rest) = rest.split_at_mut(CELLS * CELLS);
        let (tints, middle) = rest.split_at_mut(AREAS * AREAS * 2);
        for (at, (value, colour)) in bright.iter().zip(rgb).enumerate() {
            let (x, y) = (at % SIDE, at / SIDE);
            dims[y / CELL * CELLS + x / CELL] += value / (CELL * CELL) as f32;
            let area = (SIDE / AREAS) * (SIDE / AREAS);
            let place = (y * AREAS / SIDE * AREAS + x * AREAS / SIDE) * 2;
            tint(*colour).into_iter().zip(&mut tints[place..]).for_each(|(tint, sum)| *sum += tint / area as f32);
        }
        self::middle(&bright, rgb, middle);
        Patch(out)
    }
}

/// The histograms of directions.
fn directions(bright: &[f32; SIDE * SIDE], out: &mut [f32]) {
    let mut sums = [[0.0f32; DIRECTIONS]; CELLS * CELLS];
    for y in 1..SIDE - 1 {
        for x in 1..SIDE - 1 {
            let at = y * SIDE + x;
            let (dx, dy) = (bright[at + 1] - bright[at - 1], bright[at + SIDE] - bright[at - SIDE]);
            let strength = dx.hypot(dy);
            if strength < 0.05 {
                continue;
            }
            // Each gradient counts for the two nearest directions and the four nearest squares.
            let direction = (dy.atan2(dx) / std::f32::consts::PI).rem_euclid(1.0) * DIRECTIONS as f32;
            let (first, share) = (direction as usize % DIRECTIONS, direction.fract());
            let second = (first + 1) % DIRECTIONS;
            let place = |along: usize| (along as f32 + 0.5) / CELL as f32 - 0.5;
            let (u, v) = (place(x), place(y));
            for (column, across) in [(u.floor(), 1.0 - (u - u.floor())), (u.floor() + 1.0, u - u.floor())] {
                for (row, down) in [(v.floor(), 1.0 - (v - v.floor())), (v.floor() + 1.0, v - v.floor())] {
                    let inside = (0.0..CELLS as f32).contains(&column) && (0.0..CELLS as f32).contains(&row);
                    if inside {
                        let sums = &mut sums[row as usize * CELLS + column as usize];
                        sums[first] += strength * (1.0 - share) * across * down;
                        sums[second] += strength * share * across * down;
                    }
                }
            }
        }
    }
    let energy = sums.map(|sums| sums.iter().map(|sum| sum * sum).sum::<f32>());
    for (at, (sums, out)) in sums.iter().zip(out.chunks_exact_mut(DIRECTIONS)).enumerate() {
        let near = |along: usize| along.saturating_sub(1)..(along + 2).min(CELLS);
        let around = near(at / CELLS).flat_map(|row| near(at % CELLS).map(move |column| row * CELLS + column));
        let (total, count) = around.fold((0.0, 0.0), |(total, count), at| (total + energy[at], count + 1.0));
        let size = (total / count).sqrt() + FAINT * CELL as f32;
        out.iter_mut().zip(sums).for_each(|(out, sum)| *out = (sum / size).min(1.5));
    }
}

/// The colours in the middle: those of the darkest and of the lightest pixels and of all, and the most and the least red.
fn middle(bright: &[f32; SIDE * SIDE], rgb: &Colours, out: &mut [f32]) {
    let centre = (SIDE as f32 - 1.0) / 2.0;
    let radius = 0.3 / REACH * SIDE as f32;
    let inside = |at: &usize| ((at % SIDE) as f32 - centre).hypot((at / SIDE) as f32 - centre) < radius;
    let mut places: Vec<usize> = (0..SIDE * SIDE).filter(inside).collect();
    let few = places.len() / 7;
    let mean = |places: &[usize]| {
        let sum = places.iter().fold([0.0; 3], |[a, b, c], at| {
            let [red, blue] = tint(rgb[*at]);
            [a + bright[*at], b + red, c + blue]
        });
        sum.map(|sum| sum / places.len() as f32)
    };
    places.sort_by(|a, b| bright[*a].total_cmp(&bright[*b]));
    let colours = [mean(&places[..few]), mean(&places[places.len() - few..]), mean(&places)];
    places.sort_by(|a, b| tint(rgb[*a])[0].total_cmp(&tint(rgb[*b])[0]));
    let reds = [mean(&places[..few])[1], mean(&places[places.len() - few..])[1]];
    out.iter_mut().zip(colours.as_flattened().iter().chain(&reds)).for_each(|(out, value)| *out = *value);
}

/// The colours of the square around a place of a picture; see [`Patch::of`].
pub fn colours(picture: &Raster, at: (f32, f32), right: (f32, f32), down: (f32, f32)) -> Box<Colours> {
    let pixel = REACH / SIDE as f32;
    // As many samples along a side of a pixel as it has pixels of the picture.
    let fine = ((right.0.abs() + right.1.abs()).max(down.0.abs() + down.1.abs()) * pixel).round().clamp(1.0, 6.0) as usize;
    let mut rgb = Box::new([[0.0; 3]; SIDE * SIDE]);
    for (index, colour) in rgb.iter_mut().enumerate() {
        for part in 0..fine * fine {
            let along = |whole: usize, part: usize| (whole as f32 + (part as f32 + 0.5) / fine as f32) * pixel - REACH / 2.0;
            let (u, v) = (along(index % SIDE, part % fine), along(index / SIDE, part / fine));
            let sample = picture.sample(at.0 + u * right.0 + v * down.0, at.1 + u * right.1 + v * down.1);
            colour.iter_mut().zip(sample).for_each(|(sum, value)| *sum += value);
        }
        colour.iter_mut().for_each(|sum| *sum /= (fine * fine) as f32 * 255.0);
    }
    rgb
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_on_dark_has_the_strokes_of_dark_on_light() {
        let stroke = |ground: f32, ink: f32| {
            let mut rgb = Box::new([[ground; 3]; SIDE * SIDE]);
            (10..30).for_each(|y| (18..22).for_each(|x| rgb[y * SIDE + x] = [ink; 3]));
            Patch::measured(&rgb).0
        };
        let (dark, light) = (stroke(0.9, 0.2), stroke(0.1, 0.6));
        let strokes = CELLS * CELLS * DIRECTIONS;
        let most = (0..strokes).map(|at| (dark[at] - light[at]).abs()).fold(0.0, f32::max);
        assert!(most < 1e-3, "{most}");
        assert!(dark[..strokes].iter().any(|value| *value > 0.5));
        // Its brightness and its contrast do not matter, but which of both is the darker.
        assert!(dark[strokes..strokes + CELLS * CELLS].iter().zip(&light[strokes..]).any(|(a, b)| (a - b).abs() > 1.0));
    }
}
