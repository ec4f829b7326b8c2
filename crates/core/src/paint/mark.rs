//! Marks on the board: the selection, its targets, the last move, danger.

use super::board::{line_thickness, of_parity};
use super::canvas::{Coverage, Picture};
use super::colour::{Colour, Tone};
use super::glyph::{self, Font};
use super::noise::{length, smooth};
use super::theme::Theme;
use crate::rules::{Point, Side};
use crate::table::{Action, GameSheet, MarkColour, Piece, Shape};
use serde::{Deserialize, Serialize};
use tiny_skia::{Path, PathBuilder};

/// A mark on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Mark {
    /// The origin of the selected piece; under the pieces.
    Selected,
    /// An empty target point.
    Target,
    /// A piece that can be captured; over the piece.
    Capture,
    /// The origin and the target of the last move; under the pieces.
    LastMove,
    /// Around the last drawn mark, inside its cell.
    LastDrawn,
    /// Under a general in check.
    Check,
    /// A point that is forbidden.
    Forbidden,
    /// On the last stone.
    LastStone,
    /// The keyboard cursor; over the pieces.
    Cursor,
    /// The point of a hint.
    Hint,
}

impl Mark {
    /// All marks.
    pub const ALL: [Mark; 10] = [
        Mark::Selected,
        Mark::Target,
        Mark::Capture,
        Mark::LastMove,
        Mark::LastDrawn,
        Mark::Check,
        Mark::Forbidden,
        Mark::LastStone,
        Mark::Cursor,
        Mark::Hint,
    ];

    /// True for a mark over the pieces; the others lie under them.
    pub fn is_above(self) -> bool {
        matches!(self, Mark::Capture | Mark::LastDrawn | Mark::LastStone | Mark::Cursor | Mark::Hint | Mark::Forbidden)
    }

    /// The marks of the last move in a game whose pieces have this shape.
    pub fn of_move(shape: Shape, action: Action) -> Vec<(Mark, Point)> {
        match (action, shape) {
            (Action::Step { from, to }, _) => vec![(Mark::LastMove, from), (Mark::LastMove, to)],
            (Action::Drop(at), Shape::Mark) => vec![(Mark::LastDrawn, at)],
            (Action::Drop(at), Shape::Stone { .. }) => vec![(Mark::LastStone, at)],
            _ => Vec::new(),
        }
    }
}

/// Draws a mark for a board with `cell` pixels per cell: a square picture to be centred on the point.
pub fn mark(kind: Mark, theme: &Theme, cell: u32) -> Picture {
    let cell = cell.clamp(4, 512);
    let c = cell as f32;
    let odd = line_thickness(cell) % 2 == 1;
    let reach = match kind {
        Mark::Check => 1.5,
        Mark::Hint | Mark::Selected => 1.25,
        _ => 1.06,
    };
    let size = of_parity(c * reach, odd);
    let middle = size as f32 / 2.0;
    let mut out = Picture::clear(size, size);
    let accent = Tone::from(theme.accent);
    let alarm = Tone::from(theme.alarm);
    let mut radial = |shade: &(dyn Fn(f32) -> (Tone, f32) + Sync)| {
        out.paint(|x, y| shade(length(x - middle, y - middle)));
    };
    // A ring with this radius and thickness, in pixels.
    let ring = |r: f32, radius: f32, thickness: f32| ((thickness / 2.0 - (r - radius).abs()) + 0.5).clamp(0.0, 1.0);
    match kind {
        Mark::Selected => radial(&|r| {
            // Outside the piece, which is lifted and slightly larger.
            let glow = smooth(0.62 * c, 0.44 * c, r) * 0.40;
            let line = ring(r, 0.525 * c, (0.035 * c).max(1.2)) * 0.85;
            (accent, glow.max(line))
        }),
        Mark::Target => radial(&|r| {
            let inside = (0.12 * c - r + 0.5).clamp(0.0, 1.0);
            let halo = smooth(0.20 * c, 0.10 * c, r) * 0.30;
            (accent.mix(Tone::BLACK, 0.55 * (1.0 - inside)), (0.92 * inside).max(halo))
        }),
        Mark::Capture => radial(&|r| {
            let line = ring(r, 0.48 * c - (0.0275 * c).max(0.75), (0.055 * c).max(1.5));
            let glow = smooth(0.10 * c, 0.0, (r - 0.45 * c).abs()) * 0.25;
            (alarm, (0.95 * line).max(glow))
        }),
        Mark::Check => radial(&|r| {
            let t = smooth(0.74 * c, 0.40 * c, r);
            (alarm, 0.95 * t)
        }),
        // Visible on slate and on shell: a light ring between two dark edges.
        Mark::LastStone => radial(&|r| {
            let thickness = (0.065 * c).max(2.0);
            let line = ring(r, 0.20 * c, thickness);
            let edged = ring(r, 0.20 * c, thickness + (0.05 * c).max(2.0));
            (accent.times(0.35).mix(accent.lit(0.25), line), line.max(0.75 * edged))
        }),
        Mark::Hint => radial(&|r| {
            let line = ring(r, 0.50 * c, (0.06 * c).max(1.5));
            let glow = smooth(0.14 * c, 0.0, (r - 0.50 * c).abs()) * 0.35;
            (accent, line.max(glow))
        }),
        Mark::LastMove => edged_brackets(&mut out, theme, c, 0.485, 0.17, (0.055 * c).round().max(2.0)),
        Mark::LastDrawn => edged_brackets(&mut out, theme, c, 0.42, 0.13, (0.045 * c).round().max(1.0)),
        // A whole frame, light between two dark edges: unlike the corners of the last move on every ground.
        Mark::Cursor => {
            let t = (0.05 * c).round().max(2.0) as i32;
            let near = ((size as f32 / 2.0 - 0.51 * c).round() as i32).max(1);
            frame(&mut out, Tone([0.04, 0.04, 0.05]), 0.6, near, t + 2);
            frame(&mut out, Tone([0.98, 0.95, 0.88]), 0.97, near + 1, t);
        }
        Mark::Forbidden => {
            let arm = 0.13 * c;
            let mut builder = PathBuilder::new();
            for sign in [1.0, -1.0] {
                builder.move_to(middle - arm, middle - arm * sign);
                builder.line_to(middle + arm, middle + arm * sign);
            }
            if let Some(path) = builder.finish() {
                let mask = Coverage::stroke(&path, (0.065 * c).max(1.4), size, size);
                out.through(&mask, alarm, 0.95);
            }
        }
    }
    out
}

/// Brackets in the accent with an edge of a pixel that tells them from any ground: light where the accent is dark, dark where it is light.
fn edged_brackets(out: &mut Picture, theme: &Theme, cell: f32, half: f32, arm: f32, thickness: f32) {
    let accent = Tone::from(theme.accent);
    let light = 0.299 * f32::from(theme.accent.r) + 0.587 * f32::from(theme.accent.g) + 0.114 * f32::from(theme.accent.b);
    let edge = if light < 140.0 { Tone([0.98, 0.95, 0.88]) } else { Tone([0.04, 0.04, 0.05]) };
    let pixel = 1.0 / cell;
    brackets(out, edge, 0.55, cell, half + pixel, arm + 2.0 * pixel, thickness + 2.0);
    brackets(out, accent, 0.97, cell, half, arm, thickness);
}

/// The four sides of a square that begins `near` pixels from the picture's edge, `thickness` pixels wide.
fn frame(out: &mut Picture, tone: Tone, alpha: f32, near: i32, thickness: i32) {
    let (length, far) = (out.width as i32 - 2 * near, out.width as i32 - near - thickness);
    for edge in [near, far] {
        out.rectangle(near, edge, length, thickness, tone, alpha);
        out.rectangle(edge, near + thickness, thickness, length - 2 * thickness, tone, alpha);
    }
}

/// Four corners of whole pixels around the centre: half the side and the length of the arms in cells, thickness in pixels.
fn brackets(out: &mut Picture, tone: Tone, alpha: f32, cell: f32, half: f32, arm: f32, thickness: f32) {
    for (x, y, width, height) in corners(out.width as i32, cell, half, arm, thickness) {
        out.rectangle(x, y, width, height, tone, alpha);
    }
}

/// The rectangles of [`brackets`] in a square picture: left, top, width, height.
pub(super) fn corners(size: i32, cell: f32, half: f32, arm: f32, thickness: f32) -> Vec<(i32, i32, i32, i32)> {
    let t = thickness as i32;
    // The picture's own edge stays clear.
    let near = (((size as f32) / 2.0 - half * cell).round() as i32).max(1);
    let far = size - near;
    let length = ((arm * cell).round() as i32).max(t + 1);
    let ends = [(near, near), (far - t, far - length)];
    let corner = |(x, along_x): (i32, i32), (y, along_y): (i32, i32)| {
        let upright = if y == near { y + t } else { along_y };
        [(along_x, y, length, t), (x, upright, t, length - t)]
    };
    ends.into_iter().flat_map(|across| ends.into_iter().flat_map(move |down| corner(across, down))).collect()
}

/// A horizontal bar with round ends for a winning line, to be rotated and drawn over the pieces.
pub fn line(theme: &Theme, length_px: u32, thickness_px: u32) -> Picture {
    let (reach, thickness) = (length_px.clamp(1, 8192) as f32, thickness_px.clamp(1, 512) as f32);
    let pad = 2.0;
    let mut out = Picture::clear((reach + thickness + 2.0 * pad) as u32, (thickness + 2.0 * pad) as u32);
    let accent = Tone::from(theme.accent);
    let half = thickness / 2.0;
    let middle = out.height as f32 / 2.0;
    let (from, to) = (pad + half, pad + half + reach);
    out.paint(|x, y| {
        let away = length(x - x.clamp(from, to), y - middle);
        // Light enough for slate, with an edge dark enough for shell.
        let edge = smooth(0.45 * half, 0.95 * half, away);
        (accent.lit(0.32 + 0.12 * (middle - y) / half).mix(accent.times(0.45), edge), 0.95 * (half - away + 0.5).clamp(0.0, 1.0))
    });
    out
}

/// The colour of marks that a user draws: told apart by eyes that do not see red by their lightness.
pub fn ink_of(colour: MarkColour) -> Colour {
    let (r, g, b) = match colour {
        MarkColour::Green => (0x2E, 0x9E, 0x6B),
        MarkColour::Red => (0xB5, 0x2A, 0x20),
        MarkColour::Blue => (0x2C, 0x6F, 0xD1),
        MarkColour::Yellow => (0xF2, 0xC2, 0x2E),
    };
    Colour { r, g, b }
}

/// How strong rings and arrows are: what lies below is still read.
const STRENGTH: f32 = 0.8;

/// A ring around a point, for a board with `cell` pixels per cell: a square picture to be centred on the point.
pub fn ring(ink: Colour, cell: u32) -> Picture {
    let c = cell.clamp(4, 512) as f32;
    let size = of_parity(c * 1.06, line_thickness(c as u32) % 2 == 1);
    let (mut out, middle) = (Picture::clear(size, size), size as f32 / 2.0);
    let half = (0.035 * c).max(1.0);
    out.paint(|x, y| {
        let away = (length(x - middle, y - middle) - 0.46 * c).abs();
        (Tone::from(ink), STRENGTH * (half - away + 0.5).clamp(0.0, 1.0))
    });
    out
}

/// A tapered arrow with a round tail, pointing right. The centre of its tail is `thickness_px` from the picture's left edge, its tip the same
/// distance from the right edge.
pub fn arrow(ink: Colour, length_px: u32, thickness_px: u32) -> Picture {
    let (length, thickness) = (length_px.clamp(4, 8192) as f32, thickness_px.clamp(2, 512) as f32);
    let mut out = Picture::clear((length + 2.0 * thickness) as u32, (4.0 * thickness) as u32);
    let middle = out.height as f32 / 2.0;
    let half = thickness / 2.0;
    let head = (thickness * 2.2).min(length * 0.6);
    let (tail, tip) = (thickness, thickness + length);
    let neck = tip - head;
    let mut builder = PathBuilder::new();
    builder.move_to(tail, middle - half * 0.55);
    builder.line_to(neck, middle - half);
    builder.line_to(neck - head * 0.12, middle - half * 2.5);
    builder.line_to(tip, middle);
    builder.line_to(neck - head * 0.12, middle + half * 2.5);
    builder.line_to(neck, middle + half);
    builder.line_to(tail, middle + half * 0.55);
    builder.quad_to(tail - half * 0.7, middle, tail, middle - half * 0.55);
    builder.close();
    let Some(path) = builder.finish() else { return out };
    let mask = rounded(&path, thickness * 0.08, out.width, out.height);
    out.through(&mask, Tone::from(ink), STRENGTH);
    out
}

/// A filled path with rounded corners.
fn rounded(path: &Path, radius: f32, width: u32, height: u32) -> Coverage {
    Coverage::of(path, width, height).join(&Coverage::stroke(path, radius * 2.0, width, height))
}

/// The size of a number on a stone of this diameter.
pub(super) fn em_of_number(text: &str, diameter: f32) -> f32 {
    diameter * [0.62, 0.54, 0.42].get(text.len() - 1).copied().unwrap_or(0.33)
}

/// The number of a move, to be drawn over its stone: light on dark stones, dark on light ones, as large as possible. The last
/// one has a disc in the accent colour, so that it needs no other mark.
pub fn number(sheet: &GameSheet, piece: Piece, theme: &Theme, number: u32, last: bool, diameter_px: u32) -> Picture {
    let size = diameter_px.clamp(4, 2048);
    let (d, middle) = (size as f32, size as f32 / 2.0);
    let mut out = Picture::clear(size, size);
    let text = number.to_string();
    let em = em_of_number(&text, d);
    let dark = matches!(sheet.shape, Shape::Stone { first_is_dark } if (piece.side == Side::First) == first_is_dark);
    let tone = if dark || last { Tone::from(theme.shell) } else { Tone::from(theme.slate).times(0.8) };
    if last {
        let disc = Tone::from(theme.accent).times(0.72);
        out.paint(|x, y| (disc, 0.95 * (0.40 * d - length(x - middle, y - middle) + 0.5).clamp(0.0, 1.0)));
    }
    if let Some(path) = glyph::written(&text, Font::Text, em, middle, middle + em * 0.365) {
        out.through(&Coverage::of(&path, size, size), tone, 0.95);
    }
    out
}
