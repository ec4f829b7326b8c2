//! The desk under the board.

use super::canvas::Picture;
use super::colour::Tone;
use super::noise::unit;
use super::theme::Theme;
use super::wood::Surface;

/// The desk that fills a window, with light from the upper left that decreases towards the corners.
pub fn desk(theme: &Theme, width: u32, height: u32) -> Picture {
    let mut picture = Picture::clear(width, height);
    let (w, h) = (picture.width as f32, picture.height as f32);
    let cell = 80.0;
    let wood = Surface::new(&theme.desk, 11, cell).laid_out((0.0, 0.0), (h / cell, w / cell));
    let falloff = 0.10 + 0.25 * theme.relief;
    picture.paint(|x, y| {
        // The desk's grain is horizontal.
        let tone = wood.at(y / cell, x / cell);
        let (dx, dy) = (x / w - 0.36, y / h - 0.30);
        let away = dx * dx + dy * dy;
        let dither = (unit(x as i32, y as i32, 5) - 0.5) / 255.0;
        let light = 1.0 + 0.06 * theme.relief - falloff * away;
        (Tone(tone.0.map(|c| c * light + dither)), 1.0)
    });
    picture
}
