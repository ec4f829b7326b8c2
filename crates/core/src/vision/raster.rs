//! Pictures as they are looked at: sampled between pixels, turned and made smaller, as brightness.

use crate::paint::Picture;

/// Colours without transparency.
pub struct Raster {
    /// Pixels from left to right.
    pub width: usize,
    /// Pixels from top to bottom.
    pub height: usize,
    rgb: Vec<[u8; 3]>,
}

/// Brightness from 0 to 255.
pub struct Grey {
    /// Pixels from left to right.
    pub width: usize,
    /// Pixels from top to bottom.
    pub height: usize,
    /// Rows from the top.
    pub values: Vec<f32>,
}

impl Raster {
    /// The colours of a picture on white.
    pub fn of(picture: &Picture) -> Raster {
        let on_white = |pixel: &[u8]| {
            let alpha = u32::from(pixel[3]);
            [0, 1, 2].map(|at| ((u32::from(pixel[at]) * alpha + 255 * (255 - alpha) + 127) / 255) as u8)
        };
        let rgb = picture.rgba.chunks_exact(4).map(on_white).collect();
        Raster { width: picture.width as usize, height: picture.height as usize, rgb }
    }

    /// The picture again.
    pub fn picture(&self) -> Picture {
        let rgba = self.rgb.iter().flat_map(|[r, g, b]| [*r, *g, *b, 255]).collect();
        Picture { width: self.width as u32, height: self.height as u32, rgba }
    }

    /// The colour at a place, each channel from 0 to 255, mixed from the four nearest pixels; outside that of the nearest edge.
    pub fn sample(&self, x: f32, y: f32) -> [f32; 3] {
        let x = (x - 0.5).clamp(0.0, (self.width - 1) as f32);
        let y = (y - 0.5).clamp(0.0, (self.height - 1) as f32);
        let (left, top) = (x as usize, y as usize);
        let (right, bottom) = ((left + 1).min(self.width - 1), (top + 1).min(self.height - 1));
        let (u, v) = (x - left as f32, y - top as f32);
        let at = |x: usize, y: usize| self.rgb[y * self.width + x].map(f32::from);
        let (a, b, c, d) = (at(left, top), at(right, top), at(left, bottom), at(right, bottom));
        std::array::from_fn(|i| (a[i] * (1.0 - u) + b[i] * u) * (1.0 - v) + (c[i] * (1.0 - u) + d[i] * u) * v)
    }

    /// The brightness of the picture turned by a small angle around its centre and scaled, with [`Turned::back`] from its pixels to those
    /// of the picture.
    pub fn grey(&self, scale: f32, angle: f32) -> (Grey, Turned) {
        let (width, height) = ((self.width as f32 * scale).round().max(1.0), (self.height as f32 * scale).round().max(1.0));
        let turned = Turned {
            scale,
            sin: angle.sin(),
            cos: angle.cos(),
            from: (width / 2.0, height / 2.0),
            to: (self.width as f32 / 2.0, self.height as f32 / 2.0),
        };
        let fine = (1.0 / scale).round().clamp(1.0, 6.0) as usize;
        let mut values = Vec::with_capacity(width as usize * height as usize);
        for y in 0..height as usize {
            for x in 0..width as usize {
                let mut sum = 0.0;
                for part in 0..fine * fine {
                    let along = |whole: usize, part: usize| whole as f32 + (part as f32 + 0.5) / fine as f32;
                    let (px, py) = turned.back((along(x, part % fine), along(y, part / fine)));
                    sum += brightness(self.sample(px, py));
                }
                values.push(sum / (fine * fine) as f32);
            }
        }
        (Grey { width: width as usize, height: height as usize, values }, turned)
    }
}

/// The brightness of a colour (ITU-R BT.601).
pub(super) fn brightness([r, g, b]: [f32; 3]) -> f32 {
    0.299 * r + 0.587 * g + 0.114 * b
}

/// How a turned and scaled picture lies on the original.
#[derive(Clone, Copy, Debug)]
pub struct Turned {
    scale: f32,
    sin: f32,
    cos: f32,
    from: (f32, f32),
    to: (f32, f32),
}

impl Turned {
    /// True if a place of the original is inside of it, or outside by no more than so many pixels of the turned picture.
    pub fn holds(&self, (x, y): (f32, f32), slack: f32) -> bool {
        let slack = slack / self.scale;
        let inside = |at: f32, middle: f32| (-slack..=2.0 * middle + slack).contains(&at);
        inside(x, self.to.0) && inside(y, self.to.1)
    }

    /// The place in the original.
    pub fn back(&self, (x, y): (f32, f32)) -> (f32, f32) {
        let (x, y) = ((x - self.from.0) / self.scale, (y - self.from.1) / self.scale);
        (self.to.0 + x * self.cos - y * self.sin, self.to.1 + x * self.sin + y * self.cos)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_sampled_between_pixels() {
        let picture = Picture { width: 2, height: 1, rgba: vec![0, 0, 0, 255, 200, 100, 50, 255] };
        let raster = Raster::of(&picture);
        assert_eq!(raster.sample(1.0, 0.5), [100.0, 50.0, 25.0]);
        assert_eq!(raster.sample(-5.0, 9.0), [0.0; 3]);
        // What is transparent is white.
        assert_eq!(Raster::of(&Picture { width: 1, height: 1, rgba: vec![0; 4] }).sample(0.0, 0.0), [255.0; 3]);
    }
}
