//! Pieces: wooden discs with engraved characters, stones of slate and shell, drawn marks.

use super::canvas::{Coverage, Picture};
use super::colour::Tone;
use super::drawing::{Drawing, Ink};
use super::glyph::{self, Font};
use super::noise::{hash, length, noise, smooth, unit};
use super::theme::Theme;
use super::western;
use super::wood::Surface;
use crate::rules::Side;
use crate::table::{GameSheet, Piece, Shape};
use serde::{Deserialize, Serialize};
use tiny_skia::{Path, PathBuilder, Point, Transform};

/// The symbols on the discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PieceSet {
    /// Characters.
    Characters,
    /// Pictures: a king, a knight, a castle. Pieces without a picture show their character.
    Western,
    /// None: all pieces are the same.
    Blank,
}

impl PieceSet {
    /// The piece whose picture this set has for a piece.
    const fn shown(self, piece: Piece) -> Piece {
        match self {
            PieceSet::Blank => Piece { side: Side::First, role: u8::MAX },
            PieceSet::Characters | PieceSet::Western => piece,
        }
    }

    /// The one that the settings choose.
    pub const fn of(western: bool) -> PieceSet {
        if western { PieceSet::Western } else { PieceSet::Characters }
    }
}

/// Transparent pixels around a piece in its picture.
const MARGIN: u32 = 2;
/// The direction of the light, from the upper left above the board.
const LIGHT: [f32; 2] = [-0.64, -0.77];

/// Draws a piece with a diameter of `diameter_px`, centred in a square picture with two more pixels on every side. `identity` varies
/// the grain and the stone of pieces of the same kind. A role that the sheet does not have gives a blank piece.
pub fn piece(sheet: &GameSheet, piece: Piece, theme: &Theme, set: PieceSet, diameter_px: u32, identity: u64) -> Picture {
    let piece = set.shown(piece);
    let diameter = diameter_px.clamp(1, 2048);
    let size = diameter + 2 * MARGIN;
    let seed = hash(identity as i32, (identity >> 32) as i32, 77);
    let brush = Brush { theme, side: piece.side, size, middle: size as f32 / 2.0, radius: diameter as f32 / 2.0, seed };
    match sheet.shape {
        Shape::Disc => {
            let role = sheet.roles.get(usize::from(piece.role));
            let glyph = role.map_or("", |role| role.glyph[piece.side].as_str());
            let picture = role.map(|role| role.key.as_str()).filter(|key| set == PieceSet::Western && western::has(key));
            brush.disc(glyph, picture)
        }
        Shape::Stone { first_is_dark } => brush.stone((piece.side == Side::First) == first_is_dark),
        Shape::Mark => brush.mark(),
    }
}

struct Brush<'a> {
    theme: &'a Theme,
    side: Side,
    size: u32,
    middle: f32,
    radius: f32,
    seed: u32,
}

impl Brush<'_> {
    fn disc(&self, glyph: &str, picture: Option<&str>) -> Picture {
        let Brush { theme, side, size, middle, radius, seed } = *self;
        let material = &theme.discs[side];
        let relief = theme.relief;
        let ink = Tone::from(theme.inks[side]);
        // The diameter of a piece is 0.9 cells; its grain is slightly finer than the board's.
        let scale = 0.62 / radius;
        let wood = Surface::new(material, 100 + seed % 50, radius / 0.62);
        let angle = unit(1, 2, seed) * std::f32::consts::TAU;
        let (sin, cos) = angle.sin_cos();
        let (shift_x, shift_y) = (unit(3, 4, seed) * 40.0, unit(5, 6, seed) * 40.0);
        let rim = 0.150;
        // Rings: centre and half width, in radii; at least a pixel thick.
        let ring = |at: f32, thickness: f32| (at, (thickness / 2.0).max(0.5 / radius));
        // On small pieces two rings would merge: they have one broad ring, and the smallest pieces none.
        let rings: &[(f32, f32)] = &match side {
            _ if radius < 11.0 => vec![],
            Side::First if radius < 17.0 => vec![ring(0.785, 0.095)],
            Side::Second if radius < 17.0 => vec![ring(0.800, 0.040)],
            Side::First => vec![ring(0.800, 0.036), ring(0.735, 0.022)],
            Side::Second => vec![ring(0.785, 0.046)],
        };
        let mask = self.carving(glyph, picture);
        let offset = (radius * 0.028).clamp(0.4, 2.5);
        let mut out = Picture::clear(size, size);
        out.paint(|x, y| {
            let (dx, dy) = ((x - middle) / radius, (y - middle) / radius);
            let r = length(dx, dy);
            let cover = ((1.0 - r) * radius + 0.5).clamp(0.0, 1.0);
            if cover <= 0.0 {
                return (Tone::BLACK, 0.0);
            }
            let (gx, gy) = ((dx * cos - dy * sin) * radius * scale, (dx * sin + dy * cos) * radius * scale);
            let mut tone = wood.at(gx + shift_x, gy + shift_y);
            // Towards the light: 1 at the upper left of a circle, -1 at its lower right.
            let toward = (dx * LIGHT[0] + dy * LIGHT[1]) / r.max(1e-3);
            // The outward slope of the profile: at the outer edge, then down to the face.
            let outer = smooth(0.90, 1.0, r);
            let inner = smooth(0.825, 0.85, r) * smooth(0.895, 0.86, r);
            let mut lit = 0.62 * outer * toward - 0.36 * inner * toward;
            // The rim has a slight highlight on the lit side; the face is slightly hollow.
            let crown = (1.0 - ((r - 0.915) / 0.035).abs()).max(0.0);
            lit += 0.10 * crown + 0.22 * crown * toward.max(0.0);
            if r < 1.0 - rim {
                lit -= 0.06 * r * toward;
            }
            lit -= 0.12 * smooth(0.95, 1.0, r);
            tone = tone.lit(lit * relief);
            for &(ring, half) in rings {
                let away = (r - ring).abs() * radius;
                let cut = (half * radius - away + 0.5).clamp(0.0, 1.0);
                let edge = (half * radius + offset * 0.8 - away).clamp(0.0, 1.0) - cut;
                // Light on the far wall of the groove: outside at the lower right, inside at the upper left.
                let wall = if r > ring { -toward } else { toward };
                tone = tone.lit(0.22 * relief * edge.max(0.0) * wall.max(0.0));
                tone = tone.mix(ink, 0.88 * cut);
            }
            let here = mask.sample(x, y);
            let shifted = mask.sample(x - offset, y - offset);
            let lip = (shifted - here).max(0.0);
            tone = tone.lit(0.5 * relief * lip);
            let deep = (here - shifted).max(0.0);
            let carved = ink.lit(-0.38 * relief * deep);
            tone = tone.mix(carved, here);
            (tone, cover)
        });
        out
    }

    /// Draws the symbol of a disc.
    fn carving(&self, glyph: &str, picture: Option<&str>) -> Coverage {
        let Brush { size, middle, radius, .. } = *self;
        let free = free(self.side, radius);
        if let Some(mask) = picture.and_then(|role| western::picture(role, size, radius * free * 1.12)) {
            return mask;
        }
        let Some(path) = character(glyph, middle, radius, free) else { return Coverage::nothing(size, size) };
        let mask = Coverage::of(&path, size, size);
        // The bold font is thin for wood; small pieces get even thicker strokes.
        let fuller = radius * 0.022 + (0.5 - radius * 0.01).clamp(0.0, 0.4);
        if fuller > 0.05 { mask.join(&Coverage::stroke(&path, fuller, size, size)) } else { mask }
    }

    fn stone(&self, dark: bool) -> Picture {
        let Brush { theme, size, middle, radius, seed, .. } = *self;
        let base = Tone::from(if dark { theme.slate } else { theme.shell });
        let relief = theme.relief;
        let vary = |n: i32| unit(n, 9, seed) - 0.5;
        let (sin, cos) = (unit(1, 2, seed) * std::f32::consts::TAU).sin_cos();
        let (lx, ly, lz) = (-0.42 + 0.05 * vary(1), -0.55 + 0.05 * vary(2), 0.72);
        let norm = f32::sqrt(lx * lx + ly * ly + lz * lz);
        let (lx, ly, lz) = (lx / norm, ly / norm, lz / norm);
        let tint = 0.03 * vary(3);
        let bands = 5.0 + 3.0 * unit(4, 9, seed);
        let mut out = Picture::clear(size, size);
        out.paint(|x, y| {
            let (dx, dy) = ((x - middle) / radius, (y - middle) / radius);
            let r = length(dx, dy);
            let cover = ((1.0 - r) * radius + 0.5).clamp(0.0, 1.0);
            if cover <= 0.0 {
                return (base, 0.0);
            }
            // A lens, flatter than a ball.
            let (nx, ny) = (dx * 0.94, dy * 0.94);
            let nz = (1.0 - (nx * nx + ny * ny).min(1.0)).sqrt();
            let diffuse = nx * lx + ny * ly + nz * lz;
            let (hx, hy, hz) = (lx, ly, lz + 1.0);
            let half = (nx * hx + ny * hy + nz * hz) / (hx * hx + hy * hy + hz * hz).sqrt();
            let half = half.max(0.0);
            let (u, v) = (dx * cos - dy * sin, dx * sin + dy * cos);
            let tone = if dark {
                let speckle = 0.012 * noise(u * 22.0, v * 22.0, seed) + 0.02 * noise(u * 4.0, v * 4.0, seed + 1);
                let lit = base.times(0.62 + 0.42 * diffuse.max(0.0) * relief + 0.30 * (1.0 - relief));
                let dull = 0.30 * half.powi(7) + 0.12 * half.powi(40);
                let bounce = 0.10 * smooth(0.75, 1.0, r) * (-(dx * LIGHT[0] + dy * LIGHT[1])).max(0.0);
                lit.lit((dull + bounce) * relief + speckle + tint)
            } else {
                let bow = u + 0.12 * v * v;
                let stripe = (bow * bands + 0.5 * noise(bow * 2.0, v * 0.6, seed)).sin();
                let shade = -0.24 * (1.0 - diffuse.max(0.0)).powf(1.5) - 0.08 * smooth(0.86, 1.0, r);
                let grain = -0.030 * smooth(0.2, 1.0, stripe);
                base.lit(shade * relief + grain * (0.4 + 0.6 * relief) + tint * 0.5).lit(0.85 * half.powi(70) * relief)
            };
            // A light stone on light wood needs a visible edge even without a shadow.
            let edge = smooth(1.0 - 1.6 / radius.max(2.0), 1.0, r);
            let tone = if dark { tone } else { tone.mix(Tone([0.35, 0.31, 0.25]), 0.35 * edge * (1.2 - relief)) };
            (tone, cover)
        });
        out
    }

    /// A cross and a ring, drawn with a broad pen.
    fn mark(&self) -> Picture {
        let Brush { theme, side, size, middle, radius, .. } = *self;
        let ink = Tone::from(theme.pens[side]);
        let mut out = Picture::clear(size, size);
        let (path, pen) = cross_or_ring(side, middle, radius);
        let Some(path) = path else { return out };
        let mask = Coverage::stroke(&path, pen, size, size);
        let offset = (radius * 0.05).clamp(0.4, 3.0);
        out.paint(|x, y| {
            let here = mask.sample(x, y);
            // Raised lacquer: light on its upper left edge, dark on its lower right edge.
            let light = (here - mask.sample(x - offset, y - offset)).max(0.0);
            let dark = (here - mask.sample(x + offset, y + offset)).max(0.0);
            (ink.lit((0.40 * light - 0.35 * dark) * theme.relief), here)
        });
        out
    }
}

/// The free radius inside the rings of a disc, in radii.
fn free(side: Side, radius: f32) -> f32 {
    match side {
        _ if radius < 11.0 => 0.84,
        _ if radius < 17.0 => 0.75,
        Side::First => 0.71,
        Side::Second => 0.75,
    }
}

/// The character of a disc with its centre at (`middle`, `middle`).
fn character(glyph: &str, middle: f32, radius: f32, free: f32) -> Option<Path> {
    let path = glyph::centred(glyph, Font::Kai, radius * 1.36, middle, middle, false)?;
    // Moved half of the distance to the centre of the circle around it, then scaled down until no stroke touches the ring;
    // but only slightly, so that all characters seem equally large.
    let (x, y, around) = circle_around(path.points());
    let (x, y) = ((x - middle) / 2.0, (y - middle) / 2.0);
    let reach = around + length(x, y) * 0.5;
    let fit = (radius * (free - 0.03) / reach).clamp(0.86, 1.0);
    path.transform(Transform::from_row(fit, 0.0, 0.0, fit, middle - (middle + x) * fit, middle - (middle + y) * fit))
}

/// The first side's cross or the second side's ring, and the thickness of the pen.
fn cross_or_ring(side: Side, middle: f32, radius: f32) -> (Option<Path>, f32) {
    let pen = radius * 0.26;
    let reach = radius * 0.93 - pen / 2.0;
    let mut builder = PathBuilder::new();
    match side {
        Side::First => {
            let arm = reach * 0.80;
            for sign in [1.0, -1.0] {
                builder.move_to(middle - arm, middle - arm * sign);
                builder.line_to(middle + arm, middle + arm * sign);
            }
        }
        Side::Second => builder.push_circle(middle, middle, reach),
    }
    (builder.finish(), pen)
}

/// A piece for print around the point (0, 0), and the colour of its ground: the first side's discs are white with black characters, the
/// second side's black with white ones, as in books.
pub(super) fn printed(sheet: &GameSheet, piece: Piece, set: PieceSet, radius: f32) -> (Drawing, Ink) {
    let piece = set.shown(piece);
    let side = piece.side;
    let mut out = Drawing::new(2.0 * radius, 2.0 * radius);
    let dark = match sheet.shape {
        Shape::Disc => side == Side::Second,
        Shape::Stone { first_is_dark } => (side == Side::First) == first_is_dark,
        Shape::Mark => {
            let (path, pen) = cross_or_ring(side, 0.0, radius);
            out.add(path, Some(pen), Ink::Black);
            return (out, Ink::White);
        }
    };
    let ground = if dark { Ink::Black } else { Ink::White };
    let (ink, pen) = (Ink::on(ground), radius * 0.06);
    let circle = |share: f32| PathBuilder::from_circle(0.0, 0.0, radius * share);
    out.add(circle(0.97), None, ground);
    out.add(circle(0.97), Some(pen), Ink::Black);
    if sheet.shape != Shape::Disc {
        return (out, ground);
    }
    out.add(circle(0.84), Some(pen / 2.0), ink);
    let role = sheet.roles.get(usize::from(piece.role));
    let free = free(side, radius);
    let steps = role.filter(|_| set == PieceSet::Western).and_then(|role| western::steps(&role.key, 0.0, radius * free * 1.12));
    match steps {
        Some(steps) => steps.for_each(|step| out.add(Some(step.path), step.pen, if step.cut { ground } else { ink })),
        None => out.add(role.and_then(|role| character(&role.glyph[side], 0.0, radius, free)), None, ink),
    }
    (out, ground)
}

/// An approximation of the smallest circle around points: centre and radius (Bădoiu and Clarkson, 2003: steps towards the farthest
/// point, each step smaller).
fn circle_around(points: &[Point]) -> (f32, f32, f32) {
    let Some(first) = points.first() else { return (0.0, 0.0, 1.0) };
    let farthest = |x: f32, y: f32| {
        let away = |p: &&Point| length(p.x - x, p.y - y);
        points.iter().max_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(first)
    };
    let (mut x, mut y) = (first.x, first.y);
    for step in 1..200 {
        let far = farthest(x, y);
        x += (far.x - x) / (step + 1) as f32;
        y += (far.y - y) / (step + 1) as f32;
    }
    let far = farthest(x, y);
    (x, y, length(far.x - x, far.y - y))
}
