//! Repeatable noise: the grain of the wood, the difference between two stones.

/// A well-stirred number from two coordinates and a seed.
pub(super) fn hash(x: i32, y: i32, seed: u32) -> u32 {
    let mut h = (x as u32).wrapping_mul(0x9e37_79b1) ^ (y as u32).wrapping_mul(0x85eb_ca77) ^ seed.wrapping_mul(0xc2b2_ae3d);
    h ^= h >> 15;
    h = h.wrapping_mul(0x2c1b_3c6d);
    h ^= h >> 12;
    h = h.wrapping_mul(0x297a_2d39);
    h ^ (h >> 15)
}

/// 0..1 from two whole coordinates and a seed.
pub(super) fn unit(x: i32, y: i32, seed: u32) -> f32 {
    (hash(x, y, seed) >> 8) as f32 / (1 << 24) as f32
}

/// Smooth noise of -1..1 with features about one unit wide.
pub(super) fn noise(x: f32, y: f32, seed: u32) -> f32 {
    let (xf, yf) = (x.floor(), y.floor());
    let (xi, yi) = (xf as i32, yf as i32);
    let ease = |t: f32| t * t * (3.0 - 2.0 * t);
    let (u, v) = (ease(x - xf), ease(y - yf));
    let (a, b) = (unit(xi, yi, seed), unit(xi + 1, yi, seed));
    let (c, d) = (unit(xi, yi + 1, seed), unit(xi + 1, yi + 1, seed));
    let (top, bottom) = (a + (b - a) * u, c + (d - c) * u);
    (top + (bottom - top) * v) * 2.0 - 1.0
}

/// 0 below `low`, 1 above `high` (or the other way round if `low > high`), smooth between.
pub(super) fn smooth(low: f32, high: f32, v: f32) -> f32 {
    let t = ((v - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
