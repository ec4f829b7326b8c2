//! Makes drawn pictures like those that are found: of another size, unsharp, noisy, in another light.

use fastrand::Rng;
use qiju_core::paint::Picture;
use qiju_core::vision::raster::Raster;

/// The smallest cell that is left, in pixels.
const SMALLEST: f32 = 13.0;

/// A worn picture of a board with cells of this size, and how much it was scaled.
pub fn wear(picture: Picture, cell: f32, random: &mut Rng) -> (Picture, f32) {
    let (mut picture, mut scale) = (picture, 1.0);
    if random.u8(0..3) == 0 {
        scale = (0.45 + 1.1 * random.f32()).max(SMALLEST / cell);
        picture = scaled(&picture, scale);
    }
    if random.u8(0..2) == 0 {
        let width = 0.3 + 0.8 * random.f32() * (cell * scale / 24.0).min(1.6);
        blur(&mut picture, width);
    }
    light(&mut picture, random);
    if random.u8(0..4) == 0 {
        blocks(&mut picture, if random.bool() { 2 } else { 4 });
    }
    if random.u8(0..2) == 0 {
        let most = 14.0 * random.f32();
        for pixel in picture.rgba.chunks_exact_mut(4) {
            let grey = (random.f32() + random.f32() - 1.0) * most;
            pixel[..3].iter_mut().for_each(|value| *value = (f32::from(*value) + grey + (random.f32() - 0.5) * most * 0.6) as u8);
        }
    }
    (picture, scale)
}

/// The picture in another size.
fn scaled(picture: &Picture, scale: f32) -> Picture {
    let raster = Raster::of(picture);
    let size = |side: u32| ((side as f32 * scale).round() as u32).max(1);
    let (width, height) = (size(picture.width), size(picture.height));
    let fine = (1.0 / scale).ceil().max(1.0) as u32;
    let mut rgba = Vec::with_capacity((width * height * 4) as usize);
    for y in 0..height {
        for x in 0..width {
            let mut sum = [0.0; 3];
            for part in 0..fine * fine {
                let along = |whole: u32, part: u32| (whole as f32 + (part as f32 + 0.5) / fine as f32) / scale;
                let sample = raster.sample(along(x, part % fine), along(y, part / fine));
                sum.iter_mut().zip(sample).for_each(|(sum, value)| *sum += value / (fine * fine) as f32);
            }
            rgba.extend(sum.map(|value| value.round() as u8));
            rgba.push(255);
        }
    }
    Picture { width, height, rgba }
}

/// Blurs by three boxes, nearly a Gaussian with this deviation in pixels.
fn blur(picture: &mut Picture, deviation: f32) {
    let (width, height) = (picture.width as usize, picture.height as usize);
    // The kernel of one pass: the neighbours' share has a third of the variance.
    let share = (deviation * deviation / 6.0).min(0.33);
    for _ in 0..3 {
        for (step, lines, length) in [(4, height, width), (width * 4, width, height)] {
            for line in 0..lines {
                let from = if step == 4 { line * width * 4 } else { line * 4 };
                for channel in 0..3 {
                    let at = |place: usize| from + place * step + channel;
                    let mut before = f32::from(picture.rgba[at(0)]);
                    for place in 0..length {
                        let here = f32::from(picture.rgba[at(place)]);
                        let after = f32::from(picture.rgba[at((place + 1).min(length - 1))]);
                        picture.rgba[at(place)] = (here + share * (before + after - 2.0 * here) + 0.5) as u8;
                        before = here;
                    }
                }
            }
        }
    }
}

/// Another brightness, contrast and colour of the light, and a shade across the picture.
fn light(picture: &mut Picture, random: &mut Rng) {
    let mut change = |reach: f32| (random.f32() * 2.0 - 1.0) * reach;
    let (gain, lift) = (1.0 + change(0.25), change(22.0));
    let tint = [change(0.09), change(0.05), change(0.09)];
    let (across, down) = (change(0.14), change(0.14));
    let grey = random.u8(0..8) == 0;
    let (width, height) = (picture.width as usize, picture.height as f32);
    for (index, pixel) in picture.rgba.chunks_exact_mut(4).enumerate() {
        let shade = across * ((index % width) as f32 / width as f32 - 0.5) + down * ((index / width) as f32 / height - 0.5);
        let mut rgb: [f32; 3] = std::array::from_fn(|at| (f32::from(pixel[at]) - 128.0) * gain + 128.0 + lift);
        if grey {
            rgb = [0.3 * rgb[0] + 0.6 * rgb[1] + 0.1 * rgb[2]; 3];
        }
        pixel[..3]
            .iter_mut()
            .zip(rgb)
            .zip(tint)
            .for_each(|((to, value), tint)| *to = (value * (1.0 + tint + shade)).clamp(0.0, 255.0) as u8);
    }
}

/// Colours that are the same in squares of some pixels, like in JPEG.
fn blocks(picture: &mut Picture, side: usize) {
    let (width, height) = (picture.width as usize, picture.height as usize);
    for top in (0..height).step_by(side) {
        for left in (0..width).step_by(side) {
            let places = || {
                (top..(top + side).min(height))
                    .flat_map(move |y| (left..(left + side).min(width)).map(move |x| (y * width + x) * 4))
            };
            let bright = |rgba: &[u8], at: usize| {
                0.3 * f32::from(rgba[at]) + 0.6 * f32::from(rgba[at + 1]) + 0.1 * f32::from(rgba[at + 2])
            };
            let mut mean = [0.0; 3];
            let count = places().count() as f32;
            for at in places() {
                let bright = bright(&picture.rgba, at);
                (0..3).for_each(|i| mean[i] += (f32::from(picture.rgba[at + i]) - bright) / count);
            }
            for at in places() {
                let bright = bright(&picture.rgba, at);
                (0..3).for_each(|i| picture.rgba[at + i] = (bright + mean[i]).clamp(0.0, 255.0) as u8);
            }
        }
    }
}
