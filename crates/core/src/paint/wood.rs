//! Materials: the colour of a surface at a place, from its grain.

use super::colour::Tone;
use super::noise::{noise, noise_along, smooth, unit, whole};
use super::theme::{Grain, Material};

/// A material at a scale.
pub(super) struct Surface {
    light: Tone,
    dark: Tone,
    grain: Grain,
    seed: u32,
    /// The visibility of the rings, the fibre and the finest fibre at this scale: grain finer than a pixel is left out,
    /// to avoid flicker.
    shown: [f32; 3],
    /// The slowly varying part, computed in advance.
    slow: Option<Lattice>,
}

/// The slowly varying part of a surface: the bending of the grain, the density of its rings, the large-scale brightness.
type Slow = [f32; 3];

/// The slow part at the points of a grid, to be interpolated: this halves the cost of large areas.
struct Lattice {
    from: (f32, f32),
    across: usize,
    values: Vec<Slow>,
}

/// Grid points per cell. The fastest of the slow parts varies about once per cell.
const NET: f32 = 8.0;

impl Surface {
    /// The surface of `material` with `cell` pixels per cell; another seed gives another piece of it.
    pub fn new(material: &Material, seed: u32, cell: f32) -> Surface {
        let Material { light, dark, grain } = *material;
        let visible = |repeats: f32| 1.0 - smooth(0.22, 0.5, repeats / cell.max(1.0));
        let shown = match grain {
            Grain::Plain => [0.0; 3],
            Grain::Straight => [7.0, 34.0, 80.0].map(visible),
            Grain::Figured => [4.0, 34.0, 70.0].map(visible),
            Grain::Cloth => [0.0, 40.0, 60.0].map(visible),
        };
        Surface { light: light.into(), dark: dark.into(), grain, seed, shown, slow: None }
    }

    /// The same with its slow part computed in advance between two corners, in cells.
    pub fn laid_out(mut self, from: (f32, f32), to: (f32, f32)) -> Surface {
        if self.grain == Grain::Straight || self.grain == Grain::Figured {
            let steps = |from: f32, to: f32| ((to - from) * NET).ceil().max(0.0) as usize + 2;
            let (across, down) = (steps(from.0, to.0), steps(from.1, to.1));
            let values = (0..across * down)
                .map(|i| self.slow_at(from.0 + (i % across) as f32 / NET, from.1 + (i / across) as f32 / NET))
                .collect();
            self.slow = Some(Lattice { from, across, values });
        }
        self
    }

    /// The slow part at a place.
    fn slow(&self, x: f32, y: f32) -> Slow {
        self.slow.as_ref().and_then(|lattice| lattice.read(x, y)).unwrap_or_else(|| self.slow_at(x, y))
    }

    fn slow_at(&self, x: f32, y: f32) -> Slow {
        let seed = self.seed;
        if self.grain == Grain::Straight {
            let bend = 0.22 * noise(x * 0.16, y * 0.07, seed) + 0.035 * noise(x * 0.9, y * 0.22, seed + 1);
            [bend, 2.2 * noise_along((x + bend) * 0.7, seed + 2), noise(x * 0.45, y * 0.10, seed + 6)]
        } else {
            let bend = 0.55 * noise(x * 0.22, y * 0.09, seed) + 0.16 * noise(x * 0.5, y * 0.26, seed + 1);
            [bend, 1.4 * noise((x + bend) * 0.5, y * 0.03, seed + 2), noise(x * 0.5, y * 0.12, seed + 8)]
        }
    }

    /// The colour at a place in cells; the grain is along `y`.
    pub fn at(&self, x: f32, y: f32) -> Tone {
        let amount = match self.grain {
            Grain::Plain => return self.light,
            Grain::Straight => self.straight(x, y),
            Grain::Figured => self.figured(x, y),
            Grain::Cloth => self.cloth(x, y),
        };
        self.light.mix(self.dark, amount)
    }

    /// Fine noise of one band; not computed if it is not visible.
    fn fine(&self, band: usize, x: f32, y: f32, seed: u32) -> f32 {
        if self.shown[band] <= 0.0 { 0.0 } else { noise(x, y, seed) * self.shown[band] }
    }

    fn straight(&self, x: f32, y: f32) -> f32 {
        let seed = self.seed;
        let [bend, crowd, broad] = self.slow(x, y);
        let across = x + bend;
        let rings = across * 5.5 + crowd;
        let ring = whole(rings);
        let t = rings - ring as f32;
        // Early wood darkens slowly into a thin line of late wood.
        let line = if t < 0.78 { (t / 0.78).powi(2) } else { 1.0 - smooth(0.78, 1.0, t) };
        let strength = 0.25 + 0.75 * unit(ring, 7, seed + 3);
        let fibre = self.fine(1, across * 34.0, y * 0.9, seed + 4) + 0.8 * self.fine(2, across * 80.0, y * 2.2, seed + 5);
        let shown = self.shown[0];
        let rings = line * strength * shown + 0.24 * (1.0 - shown);
        (0.26 + 0.42 * rings + 0.085 * fibre + 0.16 * broad).clamp(0.0, 1.0)
    }

    fn figured(&self, x: f32, y: f32) -> f32 {
        let seed = self.seed;
        let [bend, crowd, broad] = self.slow(x, y);
        let across = x + bend;
        let rings = across * 2.6 + crowd;
        let ring = whole(rings);
        let t = rings - ring as f32;
        // Bands that become wider and fade, with a few darker lines in each.
        let threads = 0.5 + 0.5 * (1.0 - (t * 5.0 - whole(t * 5.0) as f32 - 0.5).abs() * 2.0) * self.shown[0];
        let line = smooth(0.0, 0.62, t) * (1.0 - smooth(0.62, 1.0, t)) * (0.6 + 0.4 * threads);
        let strength = 0.3 + 0.7 * unit(ring, 7, seed + 3);
        let fibre = self.fine(1, across * 26.0, y * 0.8, seed + 4) + 0.8 * self.fine(2, across * 70.0, y * 2.4, seed + 5);
        let pores = smooth(0.50, 0.85, self.fine(1, across * 42.0, y * 3.2, seed + 6));
        (0.27 + 0.42 * line * strength + 0.13 * fibre + 0.30 * pores + 0.20 * broad).clamp(0.0, 1.0)
    }

    fn cloth(&self, x: f32, y: f32) -> f32 {
        let seed = self.seed;
        let threads = self.fine(1, x * 40.0, y * 6.0, seed) + self.fine(1, x * 6.0, y * 40.0, seed + 1);
        let nap = self.fine(2, x * 60.0, y * 60.0, seed + 2);
        (0.5 + 0.16 * threads + 0.14 * nap + 0.12 * noise(x * 0.5, y * 0.5, seed + 3)).clamp(0.0, 1.0)
    }
}

impl Lattice {
    /// The interpolated slow part at a place; `None` outside the grid.
    fn read(&self, x: f32, y: f32) -> Option<Slow> {
        let (x, y) = ((x - self.from.0) * NET, (y - self.from.1) * NET);
        if x < 0.0 || y < 0.0 {
            return None;
        }
        let (column, row) = (x as usize, y as usize);
        let (u, v) = (x - column as f32, y - row as f32);
        if column + 1 >= self.across {
            return None;
        }
        let at = row * self.across + column;
        let upper = self.values.get(at..at + 2)?;
        let lower = self.values.get(at + self.across..at + self.across + 2)?;
        Some(std::array::from_fn(|i| {
            let (top, bottom) = (upper[0][i] + (upper[1][i] - upper[0][i]) * u, lower[0][i] + (lower[1][i] - lower[0][i]) * u);
            top + (bottom - top) * v
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::Theme;

    #[test]
    fn a_surface_laid_out_beforehand_looks_the_same() {
        for &(key, text) in Theme::builtin() {
            let theme = Theme::parse(key, text).unwrap_or_else(|e| panic!("{e}"));
            for material in [theme.desk, theme.field, theme.frame] {
                let (there, beforehand) =
                    (Surface::new(&material, 5, 64.0), Surface::new(&material, 5, 64.0).laid_out((-1.0, 0.0), (9.0, 10.0)));
                let mut worst = 0.0_f32;
                let mut sum = 0.0;
                for i in 0..4000 {
                    let (x, y) = (-1.5 + (i % 97) as f32 * 0.11, (i / 97) as f32 * 0.26);
                    let (Tone(a), Tone(b)) = (there.at(x, y), beforehand.at(x, y));
                    let away = (a[0] - b[0]).abs();
                    worst = worst.max(away);
                    sum += away;
                }
                assert!(sum / 4000.0 < 0.004 && worst < 0.2, "{key}: mean {:.4}, worst {worst:.3}", sum / 4000.0);
            }
        }
    }
}
