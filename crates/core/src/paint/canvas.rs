//! Drawing of pictures: pixels, coverage masks of paths, rows processed in parallel.

use super::colour::{Tone, byte};
use serde::{Deserialize, Serialize};
use tiny_skia::{FillRule, Mask, Path, Stroke, Transform};

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// sRGB with straight (not premultiplied) alpha, four bytes per pixel, top row first.
    #[serde(with = "serde_bytes")]
    pub rgba: Vec<u8>,
}

impl Picture {
    /// A transparent picture; a size of 0 counts as 1.
    pub(super) fn clear(width: u32, height: u32) -> Picture {
        let (width, height) = (width.max(1), height.max(1));
        Picture { width, height, rgba: vec![0; width as usize * height as usize * 4] }
    }

    /// Red, green, blue and alpha of a pixel.
    ///
    /// # Panics
    /// The pixel is outside.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let at = self.at(x, y);
        [0, 1, 2, 3].map(|i| self.rgba[at + i])
    }

    fn at(&self, x: u32, y: u32) -> usize {
        assert!(x < self.width && y < self.height, "({x}, {y}) in a picture of {} by {}", self.width, self.height);
        (y as usize * self.width as usize + x as usize) * 4
    }

    /// Sets every pixel: `shade(x, y)` is the colour and alpha at its centre. The rows are processed in parallel.
    pub(super) fn paint(&mut self, shade: impl Fn(f32, f32) -> (Tone, f32) + Sync) {
        let width = self.width as usize;
        let rows = self.height as usize;
        let row_bytes = width * 4;
        let workers = if width * rows < 100_000 { 1 } else { std::thread::available_parallelism().map_or(1, |n| n.get().min(8)) };
        let band = rows.div_ceil(workers);
        let fill = |first: usize, bytes: &mut [u8]| {
            for (i, pixel) in bytes.chunks_exact_mut(4).enumerate() {
                let (tone, alpha) = shade((i % width) as f32 + 0.5, (first + i / width) as f32 + 0.5);
                let [r, g, b] = tone.0.map(byte);
                pixel.copy_from_slice(&[r, g, b, byte(alpha)]);
            }
        };
        if workers == 1 {
            return fill(0, &mut self.rgba);
        }
        std::thread::scope(|scope| {
            for (index, bytes) in self.rgba.chunks_mut(band * row_bytes).enumerate() {
                let fill = &fill;
                scope.spawn(move || fill(index * band, bytes));
            }
        });
    }

    /// Blends `tone` over a pixel.
    pub(super) fn over(&mut self, x: u32, y: u32, tone: Tone, alpha: f32) {
        if alpha <= 0.0 {
            return;
        }
        let at = self.at(x, y);
        let below = f32::from(self.rgba[at + 3]) / 255.0;
        let total = alpha + below * (1.0 - alpha);
        for i in 0..3 {
            let old = f32::from(self.rgba[at + i]) / 255.0;
            self.rgba[at + i] = byte((tone.0[i] * alpha + old * below * (1.0 - alpha)) / total);
        }
        self.rgba[at + 3] = byte(total);
    }

    /// Blends `tone` over a rectangle, clipped to the picture.
    pub(super) fn rectangle(&mut self, x: i32, y: i32, width: i32, height: i32, tone: Tone, alpha: f32) {
        for py in y.max(0)..(y + height).min(self.height as i32) {
            for px in x.max(0)..(x + width).min(self.width as i32) {
                self.over(px as u32, py as u32, tone, alpha);
            }
        }
    }

    /// Blends `tone` over the pixels of a mask.
    pub(super) fn through(&mut self, mask: &Coverage, tone: Tone, alpha: f32) {
        for (y, row) in mask.rows() {
            for (x, &value) in row.iter().enumerate() {
                if value > 0 {
                    self.over(x as u32, y, tone, alpha * f32::from(value) / 255.0);
                }
            }
        }
    }

    /// Blends another picture over this one with its upper left corner at (`x`, `y`), in linear light like the window;
    /// it is clipped to this picture.
    pub(super) fn stamp(&mut self, other: &Picture, x: i32, y: i32) {
        for (row, py) in (y..).take(other.height as usize).enumerate() {
            for (column, px) in (x..).take(other.width as usize).enumerate() {
                if (0..self.width as i32).contains(&px) && (0..self.height as i32).contains(&py) {
                    let at = self.at(px as u32, py as u32);
                    let above = other.pixel(column as u32, row as u32);
                    let below = [0, 1, 2, 3].map(|i| self.rgba[at + i]);
                    self.rgba[at..at + 4].copy_from_slice(&blend(below, above));
                }
            }
        }
    }
}

/// Blends one pixel over another in linear light.
fn blend(below: [u8; 4], above: [u8; 4]) -> [u8; 4] {
    match above[3] {
        0 => return below,
        255 => return above,
        _ => {}
    }
    let (alpha, under) = (f32::from(above[3]) / 255.0, f32::from(below[3]) / 255.0);
    let total = alpha + under * (1.0 - alpha);
    let mixed: [u8; 3] = std::array::from_fn(|i| {
        let light = LINEAR[usize::from(above[i])] * alpha + LINEAR[usize::from(below[i])] * under * (1.0 - alpha);
        byte((light / total).powf(1.0 / GAMMA))
    });
    [mixed[0], mixed[1], mixed[2], byte(total)]
}

/// An approximation of sRGB's curve for blending.
pub(super) const GAMMA: f32 = 2.2;

static LINEAR: std::sync::LazyLock<[f32; 256]> =
    std::sync::LazyLock::new(|| std::array::from_fn(|v| (v as f32 / 255.0).powf(GAMMA)));

/// The alpha of black that darkens in linear light as much as `dark` does in sRGB, because shadows are designed by their appearance.
pub(super) fn shade_alpha(dark: f32) -> f32 {
    1.0 - (1.0 - dark.clamp(0.0, 1.0)).powf(GAMMA)
}

/// A mask: how much of each pixel a shape covers.
pub(super) struct Coverage {
    width: u32,
    bytes: Vec<u8>,
}

impl Coverage {
    /// The inside of a path. It is rasterised four times as large and averaged, so that edges are smooth.
    pub fn of(path: &Path, width: u32, height: u32) -> Coverage {
        const FINE: u32 = 4;
        let (width, height) = (width.max(1), height.max(1));
        let mut bytes = vec![0; width as usize * height as usize];
        if let Some(mut mask) = Mask::new(width * FINE, height * FINE) {
            mask.fill_path(path, FillRule::Winding, true, Transform::from_scale(FINE as f32, FINE as f32));
            let fine_row = (width * FINE) as usize;
            for (y, row) in bytes.chunks_exact_mut(width as usize).enumerate() {
                for (x, byte) in row.iter_mut().enumerate() {
                    let corner = y * FINE as usize * fine_row + x * FINE as usize;
                    let sum: u32 = (0..FINE as usize)
                        .flat_map(|line| &mask.data()[corner + line * fine_row..][..FINE as usize])
                        .map(|&v| u32::from(v))
                        .sum();
                    *byte = ((sum + 8) / 16) as u8;
                }
            }
        }
        Coverage { width, bytes }
    }

    /// A path's stroke with round ends and joins.
    pub fn stroke(path: &Path, thickness: f32, width: u32, height: u32) -> Coverage {
        let stroke = Stroke {
            width: thickness,
            line_cap: tiny_skia::LineCap::Round,
            line_join: tiny_skia::LineJoin::Round,
            ..Stroke::default()
        };
        match path.stroke(&stroke, 8.0) {
            Some(outline) => Coverage::of(&outline, width, height),
            None => Coverage::nothing(width, height),
        }
    }

    /// An empty mask.
    pub fn nothing(width: u32, height: u32) -> Coverage {
        let (width, height) = (width.max(1), height.max(1));
        Coverage { width, bytes: vec![0; width as usize * height as usize] }
    }

    /// This mask without `other`.
    pub fn cut(mut self, other: &Coverage) -> Coverage {
        for (a, &b) in self.bytes.iter_mut().zip(&other.bytes) {
            *a = ((u32::from(*a) * (255 - u32::from(b)) + 127) / 255) as u8;
        }
        self
    }

    /// The covered part of the whole, 0 to 1.
    #[cfg(test)]
    pub fn share(&self) -> f32 {
        self.bytes.iter().map(|&b| f32::from(b)).sum::<f32>() / 255.0 / self.bytes.len() as f32
    }

    /// The union of both masks: the greater coverage.
    pub fn join(mut self, other: &Coverage) -> Coverage {
        for (a, &b) in self.bytes.iter_mut().zip(&other.bytes) {
            *a = (*a).max(b);
        }
        self
    }

    fn rows(&self) -> impl Iterator<Item = (u32, &[u8])> {
        (0..).zip(self.bytes.chunks_exact(self.width as usize))
    }

    /// The interpolated coverage at a place, 0 to 1; 0 outside.
    pub fn sample(&self, x: f32, y: f32) -> f32 {
        let (x, y) = (x - 0.5, y - 0.5);
        let (xf, yf) = (x.floor(), y.floor());
        let (u, v) = (x - xf, y - yf);
        let value = |dx: i32, dy: i32| {
            let (px, py) = (xf as i32 + dx, yf as i32 + dy);
            let height = (self.bytes.len() / self.width as usize) as i32;
            if px < 0 || py < 0 || px >= self.width as i32 || py >= height {
                return 0.0;
            }
            f32::from(self.bytes[py as usize * self.width as usize + px as usize]) / 255.0
        };
        let top = value(0, 0) * (1.0 - u) + value(1, 0) * u;
        let bottom = value(0, 1) * (1.0 - u) + value(1, 1) * u;
        top * (1.0 - v) + bottom * v
    }
}
