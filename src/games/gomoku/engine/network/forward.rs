//! The arithmetic of the network with 16-bit integers, compiled twice: for all processors, and for those with AVX2, which is detected at run time. The sums wrap around and nothing else overflows, so
//! the result is the same in both.

use super::{Change, INPUTS, LAYER_ONE, NEURON_MOST, NEURONS, Row, STATES, SUM_MOST, WIDTH, Weights, pair};
use crate::games::gomoku::rules::classes::Outlook;

/// The sums of both sides after these changes. `fast` says that the processor has AVX2.
#[inline]
pub fn changed(weights: &Weights, sums: [Row; 2], changes: &[Change], fast: bool) -> [Row; 2] {
    #[cfg(target_arch = "x86_64")]
    if fast {
        // SAFETY: the processor has AVX2.
        return unsafe { changed_avx2(weights, sums, changes) };
    }
    let _ = fast;
    changed_any(weights, sums, changes)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn changed_avx2(weights: &Weights, sums: [Row; 2], changes: &[Change]) -> [Row; 2] {
    changed_any(weights, sums, changes)
}

#[inline(always)]
fn changed_any(weights: &Weights, sums: [Row; 2], changes: &[Change]) -> [Row; 2] {
    let [mut first, mut second] = sums.map(|row| row.0);
    for &Change { before, after } in changes {
        first = moved(weights, first, (before[0], before[1]), (after[0], after[1]));
        second = moved(weights, second, (before[1], before[0]), (after[1], after[0]));
    }
    [Row(first), Row(second)]
}

/// The sums of a side after the change of a point, whose outlooks are those of the side and of the other one.
#[inline(always)]
fn moved(weights: &Weights, mut sums: [i16; WIDTH], before: (Outlook, Outlook), after: (Outlook, Outlook)) -> [i16; WIDTH] {
    let codes = |(own, _): (Outlook, Outlook)| &weights.codes[usize::from(own.code())].0;
    let pairs = |(own, other)| &weights.pairs[pair(own, other)].0;
    let (to, from, pair_to, pair_from) = (codes(after), codes(before), pairs(after), pairs(before));
    for at in 0..WIDTH {
        let added = to[at].wrapping_add(pair_to[at]);
        let taken = from[at].wrapping_add(pair_from[at]);
        sums[at] = sums[at].wrapping_add(added.wrapping_sub(taken));
    }
    sums
}

/// The result for these sums, in units of `1 / (ROW_ONE * LAYER_ONE)`. `fast` says that the processor has AVX2.
#[inline]
pub fn result(weights: &Weights, sums: [[&Row; 2]; STATES], fast: bool) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if fast {
        // SAFETY: the processor has AVX2.
        return unsafe { result_avx2(weights, sums) };
    }
    let _ = fast;
    result_any(weights, sums)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn result_avx2(weights: &Weights, sums: [[&Row; 2]; STATES]) -> i32 {
    result_any(weights, sums)
}

#[inline(always)]
fn result_any(weights: &Weights, sums: [[&Row; 2]; STATES]) -> i32 {
    let mut inputs = [0i16; INPUTS];
    for (part, row) in inputs.chunks_exact_mut(WIDTH).zip(sums.as_flattened()) {
        for (input, sum) in part.iter_mut().zip(&row.0) {
            *input = (*sum).clamp(-SUM_MOST, SUM_MOST);
        }
    }
    let first = layer(&weights.first, &weights.first_biases, &inputs);
    let second = layer(&weights.second, &weights.second_biases, &first);
    weights.bias + product(&second, &weights.result)
}

/// The values of the neurons of a layer.
// Plain loops: a function of the standard library that is not inlined would not be compiled for AVX2.
#[inline(always)]
fn layer<const N: usize>(weights: &[[i16; N]; NEURONS], biases: &[i32; NEURONS], inputs: &[i16; N]) -> [i16; NEURONS] {
    let mut neurons = [0i16; NEURONS];
    for (neuron, (row, bias)) in neurons.iter_mut().zip(weights.iter().zip(biases)) {
        *neuron = ((product(inputs, row) + bias) / LAYER_ONE).clamp(0, NEURON_MOST) as i16;
    }
    neurons
}

/// The sum of the products.
#[inline(always)]
fn product<const N: usize>(inputs: &[i16; N], weights: &[i16; N]) -> i32 {
    let mut sum = 0;
    for (input, weight) in inputs.iter().zip(weights) {
        sum += i32::from(*input) * i32::from(*weight);
    }
    sum
}
