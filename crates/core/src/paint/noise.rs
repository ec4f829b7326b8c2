//! Reproducible noise: the grain of wood, the variation of stones.

/// A well-mixed number from two coordinates and a seed.
pub(super) fn hash(x: i32, y: i32, seed: u32) -> u32 {
    let mut h = (x as u32).wrapping_mul(0x9e37_79b1) ^ (y as u32).wrapping_mul(0x85eb_ca77) ^ seed.wrapping_mul(0xc2b2_ae3d);
    h ^= h >> 15;
    h = h.wrapping_mul(0x2c1b_3c6d);
    h ^= h >> 12;
    h = h.wrapping_mul(0x297a_2d39);
    h ^ (h >> 15)
}

/// A number in 0..1 from two integer coordinates and a seed.
pub(super) fn unit(x: i32, y: i32, seed: u32) -> f32 {
    (hash(x, y, seed) >> 8) as f32 / (1 << 24) as f32
}

/// Smooth noise in -1..1 with features about one unit wide. It is called millions of times per picture, so it uses a cheaper hash than
/// [`hash`], and computes the integer part without a call.
pub(super) fn noise(x: f32, y: f32, seed: u32) -> f32 {
    let (xi, yi) = (whole(x), whole(y));
    let ease = |t: f32| t * t * (3.0 - 2.0 * t);
    let (u, v) = (ease(x - xi as f32), ease(y - yi as f32));
    let row = (yi as u32).wrapping_mul(0x85eb_ca77) ^ seed.wrapping_mul(0xc2b2_ae3d);
    let next_row = (yi as u32).wrapping_add(1).wrapping_mul(0x85eb_ca77) ^ seed.wrapping_mul(0xc2b2_ae3d);
    let column = (xi as u32).wrapping_mul(0x9e37_79b1);
    let next_column = column.wrapping_add(0x9e37_79b1);
    let (a, b) = (stir(column ^ row), stir(next_column ^ row));
    let (c, d) = (stir(column ^ next_row), stir(next_column ^ next_row));
    let (top, bottom) = (a + (b - a) * u, c + (d - c) * u);
    top + (bottom - top) * v
}

/// The same along a line.
pub(super) fn noise_along(x: f32, seed: u32) -> f32 {
    let xi = whole(x);
    let t = x - xi as f32;
    let u = t * t * (3.0 - 2.0 * t);
    let seed = seed.wrapping_mul(0xc2b2_ae3d);
    let column = (xi as u32).wrapping_mul(0x9e37_79b1);
    let (a, b) = (stir(column ^ seed), stir(column.wrapping_add(0x9e37_79b1) ^ seed));
    a + (b - a) * u
}

/// The largest integer not above `x`.
pub(super) fn whole(x: f32) -> i32 {
    let cut = x as i32;
    cut - i32::from(cut as f32 > x)
}

/// A number in -1..1 from mixed bits.
fn stir(mut h: u32) -> f32 {
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    h ^= h >> 13;
    h = h.wrapping_mul(0x297a_2d39);
    (h >> 8) as i32 as f32 * (2.0 / (1 << 24) as f32) - 1.0
}

/// 0 below `low`, 1 above `high` (reversed if `low > high`), smooth between.
pub(super) fn smooth(low: f32, high: f32, v: f32) -> f32 {
    let t = ((v - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The length of a vector. `hypot` is slower, because it avoids overflows that cannot occur here.
pub(super) fn length(x: f32, y: f32) -> f32 {
    (x * x + y * y).sqrt()
}
