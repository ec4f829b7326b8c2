//! The network during training, with weights in single precision: its result and its gradients.
//!
//! The weights of a set are in one list, and so are their gradients: the rows of lines and classes, the second layer, the result's weights from the
//! second layer and from the sums, the biases of the second layer and of the result.

use super::sample::Sample;
use crate::games::gomoku::engine::network::{
    BIAS_MOST, LAYER_MOST, LAYER_ONE, POINT_MOST, POINT_ONE, ROWS, Row, SCALE, SECOND, SUM_PART, WIDTH, Weights,
};

const LAYER: usize = 2 * ROWS * WIDTH;
const RESULT: usize = LAYER + SECOND * WIDTH;
const DIRECT: usize = RESULT + SECOND;
const LAYER_BIASES: usize = DIRECT + WIDTH;
const BIAS: usize = LAYER_BIASES + SECOND;
/// The number of weights of a set.
pub const COUNT: usize = BIAS + 1;

/// Random initial weights of a set. The result is 0 at first, except for what the second layer makes of small random weights.
pub fn initial(random: &mut fastrand::Rng) -> Vec<f32> {
    let size = |at: usize| match at {
        ..RESULT => 0.3,
        RESULT..DIRECT => 0.05,
        _ => 0.0,
    };
    (0..COUNT).map(|at| (random.f32() * 2.0 - 1.0) * size(at)).collect()
}

/// The winning chance of a logit.
fn chance(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// The cross-entropy of a chance, and what it is at least: with the target itself.
fn cross_entropy(target: f32, chance: f32) -> f64 {
    f64::from(-target * chance.max(1e-6).ln() - (1.0 - target) * (1.0 - chance).max(1e-6).ln())
}

/// The loss of the evaluation by values alone.
pub fn loss_by_values(sample: &Sample) -> f64 {
    cross_entropy(sample.target, chance(sample.base)) - cross_entropy(sample.target, sample.target)
}

/// The loss of a position: the cross-entropy of the winning chance and the target, less its least value. Adds the gradients.
pub fn loss(sample: &Sample, weights: &[f32], slopes: Option<&mut [f32]>) -> f64 {
    let mut sums = [0f32; WIDTH];
    let mut values = Vec::with_capacity(sample.points.len());
    for (inputs, count) in &sample.points {
        let mut value = [0f32; WIDTH];
        for input in rows_of(inputs) {
            value.iter_mut().zip(row::<WIDTH>(weights, input * WIDTH)).for_each(|(value, weight)| *value += weight);
        }
        let times = f32::from(*count) / SUM_PART as f32;
        sums.iter_mut().zip(&value).for_each(|(sum, value)| *sum += times * value.max(0.0));
        values.push(value);
    }
    let product = |row: &[f32; WIDTH]| row.iter().zip(&sums).map(|(weight, sum)| weight * sum).sum::<f32>();
    let mut logit = sample.base + weights[BIAS] + product(row(weights, DIRECT));
    let neurons: [f32; SECOND] = std::array::from_fn(|at| weights[LAYER_BIASES + at] + product(row(weights, LAYER + at * WIDTH)));
    logit += neurons.iter().zip(&weights[RESULT..]).map(|(neuron, weight)| neuron.max(0.0) * weight).sum::<f32>();
    let won = chance(logit);
    if let Some(slopes) = slopes {
        let off = won - sample.target;
        let mut back = *row::<WIDTH>(weights, DIRECT);
        back.iter_mut().for_each(|slope| *slope *= off);
        slopes[BIAS] += off;
        add(slopes, DIRECT, &sums, off);
        for (at, neuron) in neurons.iter().enumerate().filter(|(_, neuron)| **neuron > 0.0) {
            slopes[RESULT + at] += off * neuron;
            let slope = off * weights[RESULT + at];
            slopes[LAYER_BIASES + at] += slope;
            add(slopes, LAYER + at * WIDTH, &sums, slope);
            back.iter_mut().zip(row::<WIDTH>(weights, LAYER + at * WIDTH)).for_each(|(back, weight)| *back += slope * weight);
        }
        for ((inputs, count), value) in sample.points.iter().zip(&values) {
            let times = f32::from(*count) / SUM_PART as f32;
            let point: [f32; WIDTH] = std::array::from_fn(|at| if value[at] > 0.0 { back[at] } else { 0.0 });
            for from in rows_of(inputs).map(|input| input * WIDTH) {
                add(slopes, from, &point, times);
            }
        }
    }
    cross_entropy(sample.target, won) - cross_entropy(sample.target, sample.target)
}

/// The rows of a point.
fn rows_of(inputs: &crate::games::gomoku::engine::network::Inputs) -> [usize; 5] {
    let [a, b, c, d] = inputs.lines.map(usize::from);
    [a, b, c, d, ROWS + usize::from(inputs.classes)]
}

fn row<const N: usize>(weights: &[f32], from: usize) -> &[f32; N] {
    weights[from..].first_chunk().expect("the list has all weights")
}

/// Adds `factor` times the numbers to the slopes from `from` on.
fn add(slopes: &mut [f32], from: usize, numbers: &[f32; WIDTH], factor: f32) {
    slopes[from..from + WIDTH].iter_mut().zip(numbers).for_each(|(slope, number)| *slope += factor * number);
}

/// The weights in whole numbers, and how many were too large and were cut.
pub fn round(weights: &[f32]) -> (Weights, usize) {
    let mut cut = 0;
    let mut whole = |at: usize, one: i32, most: i32| {
        let number = (weights[at] * one as f32).round() as i32;
        cut += usize::from(number.abs() > most);
        number.clamp(-most, most)
    };
    let point = |at: usize, whole: &mut dyn FnMut(usize, i32, i32) -> i32| whole(at, POINT_ONE, POINT_MOST.into()) as i16;
    let layer = |at: usize, whole: &mut dyn FnMut(usize, i32, i32) -> i32| whole(at, LAYER_ONE, LAYER_MOST.into()) as i16;
    let mut rows = Box::new([Row([0; WIDTH]); 2 * ROWS]);
    rows.iter_mut().flat_map(|row| &mut row.0).enumerate().for_each(|(at, number)| *number = point(at, &mut whole));
    let second = std::array::from_fn(|at| std::array::from_fn(|from| layer(LAYER + at * WIDTH + from, &mut whole)));
    let result = std::array::from_fn(|at| layer(RESULT + at, &mut whole));
    let direct = std::array::from_fn(|at| layer(DIRECT + at, &mut whole));
    let second_biases = std::array::from_fn(|at| whole(LAYER_BIASES + at, POINT_ONE * LAYER_ONE, BIAS_MOST));
    let bias = whole(BIAS, POINT_ONE * LAYER_ONE, BIAS_MOST);
    (Weights { rows, second, result, direct, second_biases, bias }, cut)
}

/// The correction in hundredths of an open two, for the comparison with whole numbers.
#[cfg(test)]
pub fn correction(sample: &Sample, weights: &[f32]) -> f32 {
    // The chance is 1/2 at a logit of 0: found by halving the interval of the base at which the loss is least for a target of 1/2.
    let (mut low, mut high) = (-30f32, 30f32);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        let mut slopes = vec![0.0; COUNT];
        loss(&Sample { base: middle, target: 0.5, ..sample.clone() }, weights, Some(&mut slopes));
        if slopes[BIAS] > 0.0 { high = middle } else { low = middle }
    }
    -low * SCALE as f32
}

/// A correction of so many hundredths of an open two is a logit of 1.
pub const STEEPNESS: f32 = SCALE as f32;
