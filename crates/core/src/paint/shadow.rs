//! Shadows of pieces.

use super::canvas::{Picture, shade_alpha};
use super::colour::Tone;
use super::noise::{length, smooth, unit};
use super::theme::Theme;
use serde::{Deserialize, Serialize};

/// How high a piece is above the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Height {
    /// It is on the board.
    Resting,
    /// It is lifted.
    Lifted,
}

/// The shadow of a piece with this diameter: a small dark shadow where it touches the board, and a soft one to the lower
/// right. The offset is part of the picture: centre it on the piece's point, under the piece. Its size has the same parity as the diameter.
pub fn shadow(theme: &Theme, diameter_px: u32, height: Height) -> Picture {
    let diameter = diameter_px.clamp(1, 4096);
    let d = diameter as f32;
    let margin = (d * 0.42).ceil() as u32 + 2;
    let size = diameter + 2 * margin;
    let mut picture = Picture::clear(size, size);
    let middle = size as f32 / 2.0;
    // Offset, blur and strength of the soft shadow, and strength of the contact shadow, in diameters.
    let (right, down, blur, strength, contact) = match height {
        Height::Resting => (0.055, 0.09, 0.13, 0.50, 0.55),
        Height::Lifted => (0.13, 0.20, 0.22, 0.42, 0.0),
    };
    let disc = |x: f32, y: f32, cx: f32, cy: f32, radius: f32, blur: f32| {
        let r = length(x - middle - cx * d, y - middle - cy * d);
        smooth(radius + blur, radius - blur, r)
    };
    picture.paint(|x, y| {
        let cast = strength * disc(x, y, right, down, d * 0.47, d * blur);
        let touch = contact * disc(x, y, 0.012, 0.022, d * 0.5, (d * 0.035).max(0.8));
        let dark = (1.0 - (1.0 - cast) * (1.0 - touch)) * theme.shadow;
        let dither = if dark > 0.0 { (unit(x as i32, y as i32, 3) - 0.5) / 255.0 } else { 0.0 };
        (Tone([0.06, 0.04, 0.025]), (shade_alpha(dark) + dither).clamp(0.0, 1.0))
    });
    picture
}
