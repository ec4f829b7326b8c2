//! The arithmetic of the network with 16-bit integers, compiled twice: for all processors, and for those with AVX2, which is detected at run time. Nothing overflows, so
//! the result is the same in both.

use super::{Inputs, LAYER_ONE, ROWS, SUM_PART, WIDTH, Weights};

/// The largest value of a neuron of the second layer.
const NEURON_MOST: i32 = i16::MAX as i32 / 2;

/// The result of a position with these points, in units of `1 / (POINT_ONE * LAYER_ONE)`. `fast` says that the processor has AVX2.
#[inline]
pub fn result(weights: &Weights, points: &[Inputs], fast: bool) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if fast {
        // SAFETY: the processor has AVX2.
        return unsafe { result_avx2(weights, points) };
    }
    let _ = fast;
    result_any(weights, points)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn result_avx2(weights: &Weights, points: &[Inputs]) -> i32 {
    result_any(weights, points)
}

#[inline(always)]
fn result_any(weights: &Weights, points: &[Inputs]) -> i32 {
    // What is added is not negative, so the order does not matter where a sum reaches its limit.
    let mut sums = [0i16; WIDTH];
    for point in points {
        let [a, b, c, d] = point.lines.map(|line| &weights.rows[usize::from(line)].0);
        let classes = &weights.rows[ROWS + usize::from(point.classes)].0;
        for at in 0..WIDTH {
            let lines = (a[at].wrapping_add(b[at])).wrapping_add(c[at].wrapping_add(d[at]));
            let value = lines.wrapping_add(classes[at]);
            sums[at] = sums[at].saturating_add(value.max(0));
        }
    }
    for sum in &mut sums {
        *sum /= SUM_PART as i16;
    }
    let mut total = weights.bias + product(&sums, &weights.direct);
    for ((row, bias), weight) in weights.second.iter().zip(weights.second_biases).zip(weights.result) {
        let value = ((product(&sums, row) + bias) / LAYER_ONE).clamp(0, NEURON_MOST);
        total += value * i32::from(weight);
    }
    total
}

/// The sum of the products.
#[inline(always)]
fn product(sums: &[i16; WIDTH], weights: &[i16; WIDTH]) -> i32 {
    sums.iter().zip(weights).map(|(sum, weight)| i32::from(*sum) * i32::from(*weight)).sum()
}
