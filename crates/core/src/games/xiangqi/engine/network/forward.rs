//! The arithmetic of the network with 16-bit integers, compiled twice: for all processors, and for those with AVX2, which is detected at run time.
//! Integer arithmetic without overflow gives the same result in both.

use super::{HIDDEN_ONE, Network};

/// Adds the rows of some inputs, and subtracts those of others.
#[inline]
pub fn change(network: &Network, sums: &mut [i16], added: &[u16], removed: &[u16]) {
    #[cfg(target_arch = "x86_64")]
    if network.fast {
        // SAFETY: the processor has AVX2.
        return unsafe { change_avx2(network, sums, added, removed) };
    }
    change_any(network, sums, added, removed);
}

/// The sums after a move: adds the first input of `moved`, and subtracts the second one and the captured piece.
#[inline]
pub fn step(network: &Network, before: &[i16], after: &mut [i16], moved: [u16; 2], taken: Option<u16>) {
    #[cfg(target_arch = "x86_64")]
    if network.fast {
        // SAFETY: the processor has AVX2.
        return unsafe { step_avx2(network, before, after, moved, taken) };
    }
    step_any(network, before, after, moved, taken);
}

/// The weighted sum of the squares of the hidden values, clipped to 0..1, in units of `1 / (HIDDEN_ONE² OUTPUT_ONE)`.
#[inline]
pub fn weigh(network: &Network, own: &[i16], other: &[i16], weights: &[i16]) -> i64 {
    let (first, second) = weights.split_at(network.hidden);
    #[cfg(target_arch = "x86_64")]
    if network.fast {
        // SAFETY: the processor has AVX2.
        return unsafe { weigh_avx2(own, first) + weigh_avx2(other, second) };
    }
    weigh_any(own, first) + weigh_any(other, second)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn change_avx2(network: &Network, sums: &mut [i16], added: &[u16], removed: &[u16]) {
    change_any(network, sums, added, removed);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn step_avx2(network: &Network, before: &[i16], after: &mut [i16], moved: [u16; 2], taken: Option<u16>) {
    step_any(network, before, after, moved, taken);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn weigh_avx2(sums: &[i16], weights: &[i16]) -> i64 {
    weigh_any(sums, weights)
}

#[inline(always)]
fn row(network: &Network, input: u16) -> &[i16] {
    &network.rows[usize::from(input) * network.hidden..][..network.hidden]
}

#[inline(always)]
fn change_any(network: &Network, sums: &mut [i16], added: &[u16], removed: &[u16]) {
    for &input in added {
        sums.iter_mut().zip(row(network, input)).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
    }
    for &input in removed {
        sums.iter_mut().zip(row(network, input)).for_each(|(sum, weight)| *sum = sum.wrapping_sub(*weight));
    }
}

/// The size of the hidden layer of the program's network. With it as a constant the compiler leaves out all questions about the rest of a vector.
const USUAL: usize = 256;

#[inline(always)]
fn step_any(network: &Network, before: &[i16], after: &mut [i16], [to, from]: [u16; 2], taken: Option<u16>) {
    let (to, from, taken) = (row(network, to), row(network, from), taken.map(|taken| row(network, taken)));
    if network.hidden == USUAL {
        let taken = taken.map(|taken| &taken[..USUAL]);
        step_sized(&before[..USUAL], &mut after[..USUAL], &to[..USUAL], &from[..USUAL], taken);
    } else {
        step_sized(before, after, to, from, taken);
    }
}

#[inline(always)]
fn step_sized(before: &[i16], after: &mut [i16], to: &[i16], from: &[i16], taken: Option<&[i16]>) {
    let sums = after.iter_mut().zip(before).zip(to.iter().zip(from));
    match taken {
        None => {
            for ((after, before), (to, from)) in sums {
                *after = before.wrapping_add(*to).wrapping_sub(*from);
            }
        }
        Some(taken) => {
            for (((after, before), (to, from)), taken) in sums.zip(taken) {
                *after = before.wrapping_add(*to).wrapping_sub(*from).wrapping_sub(*taken);
            }
        }
    }
}

#[inline(always)]
fn weigh_any(sums: &[i16], weights: &[i16]) -> i64 {
    if sums.len() == USUAL { weigh_sized(&sums[..USUAL], &weights[..USUAL]) } else { weigh_sized(sums, weights) }
}

#[inline(always)]
fn weigh_sized(sums: &[i16], weights: &[i16]) -> i64 {
    /// As many products of at most 255 * 255 * 126 fit in 32 bits.
    const TOGETHER: usize = 256;
    let mut total = 0;
    for (sums, weights) in sums.chunks(TOGETHER).zip(weights.chunks(TOGETHER)) {
        let mut part = 0;
        for (sum, weight) in sums.iter().zip(weights) {
            let value = (*sum).clamp(0, HIDDEN_ONE as i16);
            part += i32::from(value.wrapping_mul(*weight)) * i32::from(value);
        }
        total += i64::from(part);
    }
    total
}
