//! Men: turned discs with carved characters, slate and shell, drawn marks.

use super::canvas::{Coverage, Picture};
use super::colour::Tone;
use super::glyph::{self, Font};
use super::noise::{hash, noise, smooth, unit};
use super::theme::Theme;
use super::western;
use super::wood::Surface;
use crate::rules::Side;
use crate::table::{GameSheet, Man, Shape};
use tiny_skia::{Path, PathBuilder};

/// What is on the discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MenSet {
    /// Characters.
    Characters,
    /// Pictures: a king, a knight, a castle. Men without a picture show their character.
    Western,
}

/// Clear pixels around a man in its picture.
const MARGIN: u32 = 2;
/// Light from the upper left, over the board.
const LIGHT: [f32; 2] = [-0.64, -0.77];

/// Paints a man `diameter_px` across, centred in a square picture two pixels wider on every side. `identity` tells men of
/// the same kind apart: grain and stone vary with it. A role the sheet does not have gives a blank man.
pub fn man(sheet: &GameSheet, man: Man, theme: &Theme, set: MenSet, diameter_px: u32, identity: u64) -> Picture {
    let diameter = diameter_px.clamp(1, 2048);
    let size = diameter + 2 * MARGIN;
    let seed = hash(identity as i32, (identity >> 32) as i32, 77);
    let brush = Brush { theme, side: man.side, size, middle: size as f32 / 2.0, radius: diameter as f32 / 2.0, seed };
    match sheet.shape {
        Shape::Disc => {
            let role = sheet.roles.get(usize::from(man.role));
            let glyph = role.map_or("", |role| role.glyph[man.side].as_str());
            let picture = role.filter(|_| set == MenSet::Western).and_then(|role| western::outline(&role.key));
            brush.disc(glyph, picture)
        }
        Shape::Stone { first_is_dark } => brush.stone((man.side == Side::First) == first_is_dark),
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
    fn disc(&self, glyph: &str, picture: Option<Path>) -> Picture {
        let Brush { theme, side, size, middle, radius, seed } = *self;
        let material = &theme.discs[side];
        let relief = theme.relief;
        let ink = Tone::from(theme.inks[side]);
        // A man is 0.9 cells across; its grain is a little finer than the board's.
        let scale = 0.62 / radius;
        let wood = Surface::new(material, 100 + seed % 50, radius / 0.62);
        let angle = unit(1, 2, seed) * std::f32::consts::TAU;
        let (sin, cos) = angle.sin_cos();
        let (shift_x, shift_y) = (unit(3, 4, seed) * 40.0, unit(5, 6, seed) * 40.0);
        let rim = 0.150;
        // Rings: middle and half width, in radii.
        let half_ring = (0.5 / radius).max(0.0155);
        let rings: &[f32] = match side {
            Side::First => &[0.785, 0.715],
            Side::Second => &[0.755],
        };
        let mask = self.carving(glyph, picture);
        let offset = (radius * 0.028).clamp(0.4, 2.5);
        let mut out = Picture::clear(size, size);
        out.paint(|x, y| {
            let (dx, dy) = ((x - middle) / radius, (y - middle) / radius);
            let r = dx.hypot(dy);
            let cover = ((1.0 - r) * radius + 0.5).clamp(0.0, 1.0);
            if cover <= 0.0 {
                return (Tone::BLACK, 0.0);
            }
            let (gx, gy) = ((dx * cos - dy * sin) * radius * scale, (dx * sin + dy * cos) * radius * scale);
            let mut tone = wood.at(gx + shift_x, gy + shift_y);
            // Towards the light: 1 at the upper left of a circle, -1 at its lower right.
            let toward = (dx * LIGHT[0] + dy * LIGHT[1]) / r.max(1e-3);
            // How steeply the turned profile falls outwards: over the outer edge, then down into the face.
            let outer = smooth(1.0 - rim * 0.55, 1.0, r);
            let inner = smooth(1.0 - rim * 1.25, 1.0 - rim * 1.02, r) * smooth(1.0 - rim * 0.78, 1.0 - rim * 0.95, r);
            let mut lit = 0.50 * outer * outer * toward - 0.34 * inner * toward;
            // The rim's crown shines a little where it faces the lamp; the face is slightly hollow.
            let crown = 1.0 - ((r - (1.0 - rim * 0.55)) / (rim * 0.30)).abs();
            lit += 0.16 * crown.max(0.0) * toward.max(0.0);
            if r < 1.0 - rim {
                lit -= 0.05 * r * toward;
            }
            lit -= 0.10 * smooth(0.97, 1.0, r);
            tone = tone.lit(lit * relief);
            for &ring in rings {
                let away = (r - ring).abs() * radius;
                let cut = (half_ring * radius - away + 0.5).clamp(0.0, 1.0);
                let edge = (half_ring * radius + offset * 0.8 - away).clamp(0.0, 1.0) - cut;
                // Light on the far wall of the groove, outside it at the lower right, inside it at the upper left.
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

    /// What is carved into a disc.
    fn carving(&self, glyph: &str, picture: Option<Path>) -> Coverage {
        let Brush { size, middle, radius, .. } = *self;
        let reach = if self.side == Side::First { 0.66 } else { 0.69 };
        let path = match picture {
            Some(path) => {
                let scale = radius * reach * 1.42;
                let place = tiny_skia::Transform::from_row(scale, 0.0, 0.0, scale, middle - scale / 2.0, middle - scale / 2.0);
                path.transform(place)
            }
            None => glyph::centred(glyph, Font::Kai, radius * 1.22, middle, middle, false).and_then(|path| {
                // Wide characters are drawn in so that no stroke touches the ring.
                let bounds = path.compute_tight_bounds()?;
                let corner = (bounds.width() / 2.0).hypot(bounds.height() / 2.0);
                let fit = (radius * reach * 1.22 / corner).min(1.0);
                let place = tiny_skia::Transform::from_row(fit, 0.0, 0.0, fit, middle * (1.0 - fit), middle * (1.0 - fit));
                path.transform(place)
            }),
        };
        let Some(path) = path else { return Coverage::stroke(&dot(middle), 0.0, size, size) };
        let mask = Coverage::of(&path, size, size);
        // Small men are written with a fuller brush.
        let fuller = (0.9 - radius * 0.03).clamp(0.0, 0.45);
        if fuller > 0.05 { mask.join(&Coverage::stroke(&path, fuller, size, size)) } else { mask }
    }

    fn stone(&self, dark: bool) -> Picture {
        let Brush { theme, size, middle, radius, seed, .. } = *self;
        let base = Tone::from(if dark { theme.slate } else { theme.shell });
        let relief = theme.relief;
        let vary = |n: i32| unit(n, 9, seed) - 0.5;
        let (sin, cos) = (unit(1, 2, seed) * std::f32::consts::TAU).sin_cos();
        let (lx, ly, lz) = (-0.42 + 0.05 * vary(1), -0.55 + 0.05 * vary(2), 0.72);
        let length = f32::sqrt(lx * lx + ly * ly + lz * lz);
        let (lx, ly, lz) = (lx / length, ly / length, lz / length);
        let tint = 0.03 * vary(3);
        let bands = 5.0 + 3.0 * unit(4, 9, seed);
        let mut out = Picture::clear(size, size);
        out.paint(|x, y| {
            let (dx, dy) = ((x - middle) / radius, (y - middle) / radius);
            let r = dx.hypot(dy);
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
                let shade = -0.30 * (1.0 - diffuse.max(0.0)).powf(1.4) - 0.10 * smooth(0.86, 1.0, r);
                let grain = -0.020 * smooth(0.2, 1.0, stripe);
                base.lit(shade * relief + grain * (0.4 + 0.6 * relief) + tint * 0.5).lit(0.85 * half.powi(70) * relief)
            };
            // A light stone on light wood needs its edge even where there is no shadow.
            let edge = smooth(1.0 - 1.6 / radius.max(2.0), 1.0, r);
            let tone = if dark { tone } else { tone.mix(Tone([0.35, 0.31, 0.25]), 0.35 * edge * (1.2 - relief)) };
            (tone, cover)
        });
        out
    }

    /// A cross and a ring, drawn with a broad pen.
    fn mark(&self) -> Picture {
        let Brush { theme, side, size, middle, radius, .. } = *self;
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
        let ink = Tone::from(theme.inks[side]);
        let mut out = Picture::clear(size, size);
        let Some(path) = builder.finish() else { return out };
        let mask = Coverage::stroke(&path, pen, size, size);
        let offset = (radius * 0.05).clamp(0.4, 3.0);
        out.paint(|x, y| {
            let here = mask.sample(x, y);
            // Raised lacquer: light on its upper left edge, dark on its lower right one.
            let light = (here - mask.sample(x - offset, y - offset)).max(0.0);
            let dark = (here - mask.sample(x + offset, y + offset)).max(0.0);
            (ink.lit((0.40 * light - 0.35 * dark) * theme.relief), here)
        });
        out
    }
}

/// A path that covers nothing.
fn dot(at: f32) -> Path {
    PathBuilder::from_circle(at, at, 0.001)
        .unwrap_or_else(|| PathBuilder::from_rect(tiny_skia::Rect::from_xywh(0.0, 0.0, 1.0, 1.0).expect("a unit square")))
}
