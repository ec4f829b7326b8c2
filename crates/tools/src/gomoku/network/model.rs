//! The network during training, with weights in single precision: its result and its gradients.
//!
//! The weights are in one list, and so are their gradients: the rows, the sums of a board without stones, the first layer, the second, the result's weights, the biases of the first layer, of the second, and of the result.

use super::sample::{ROWS, Sample};
use qiju_core::games::gomoku::engine::network::{
    BIAS_MOST, INPUTS, LAYER_MOST, LAYER_ONE, NEURONS, ROW_MOST, ROW_ONE, Row, STATES, SUM_MOST, WIDTH, Weights,
};
use qiju_core::games::gomoku::rules::classes::CODES;

const START: usize = ROWS * WIDTH;
const FIRST: usize = START + WIDTH;
const SECOND: usize = FIRST + NEURONS * INPUTS;
const RESULT: usize = SECOND + NEURONS * NEURONS;
const FIRST_BIASES: usize = RESULT + NEURONS;
const SECOND_BIASES: usize = FIRST_BIASES + NEURONS;
const BIAS: usize = SECOND_BIASES + NEURONS;
/// The number of weights.
pub const COUNT: usize = BIAS + 1;

/// The largest sum that fits in 16 bits.
pub const SUM_LIMIT: i32 = (i16::MAX as i32 + 1) / ROW_ONE;

/// A sum of the engine as a number of the training.
pub fn whole(sum: i16) -> f32 {
    f32::from(sum) / ROW_ONE as f32
}

/// Random initial weights. The result is 0 at first.
pub fn initial(random: &mut fastrand::Rng) -> Vec<f32> {
    let size = |at: usize| match at {
        ..START => 0.02,
        FIRST..SECOND => 0.1,
        SECOND..RESULT => 0.25,
        _ => 0.0,
    };
    (0..COUNT).map(|at| (random.f32() * 2.0 - 1.0) * size(at)).collect()
}

/// Sets the rows that none of these positions has to 0: they stay so, and say nothing where they are met in play.
pub fn clear_unseen_rows(weights: &mut [f32], samples: &[Sample]) {
    let mut seen = vec![false; ROWS];
    samples.iter().flat_map(|sample| sample.terms.iter().flatten().flatten()).for_each(|(row, _)| seen[usize::from(*row)] = true);
    for (row, _) in weights.chunks_exact_mut(WIDTH).zip(&seen).filter(|(_, seen)| !**seen) {
        row.fill(0.0);
    }
}

/// The winning chance of a logit.
fn chance(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// The cross-entropy of a chance, and what it is at least: with the target itself.
fn cross_entropy(target: f32, chance: f32) -> f64 {
    f64::from(-target * chance.max(1e-6).ln() - (1.0 - target) * (1.0 - chance).max(1e-6).ln())
}

/// The loss of a logit: the cross-entropy of its winning chance and the target, less its least value.
fn loss_of(sample: &Sample, logit: f32) -> f64 {
    cross_entropy(sample.target, chance(logit)) - cross_entropy(sample.target, sample.target)
}

/// The loss of the evaluation by values alone.
pub fn loss_by_values(sample: &Sample) -> f64 {
    loss_of(sample, sample.base)
}

/// The weights of a network in training.
#[derive(Clone, Copy)]
pub struct Model<'a>(pub &'a [f32]);

/// What a network computes for a position.
struct Run {
    sums: [f32; INPUTS],
    inputs: [f32; INPUTS],
    first: [f32; NEURONS],
    second: [f32; NEURONS],
    /// The result: the correction as a logit.
    logit: f32,
}

impl Model<'_> {
    fn run(self, sample: &Sample) -> Run {
        let Model(weights) = self;
        let mut sums = [0f32; INPUTS];
        for (side, terms) in sample.terms.iter().enumerate() {
            let mut sum = *row::<WIDTH>(weights, START);
            for (state, terms) in terms.iter().enumerate() {
                for &(from, count) in terms {
                    let row = row::<WIDTH>(weights, usize::from(from) * WIDTH);
                    sum.iter_mut().zip(row).for_each(|(sum, weight)| *sum += f32::from(count) * weight);
                }
                sums[(2 * state + side) * WIDTH..][..WIDTH].copy_from_slice(&sum);
            }
        }
        let inputs = sums.map(|sum| sum.clamp(-whole(SUM_MOST), whole(SUM_MOST)));
        let first = self.layer(&inputs, FIRST, FIRST_BIASES);
        let second = self.layer(&first, SECOND, SECOND_BIASES);
        let logit = weights[BIAS] + product(&second, row(weights, RESULT));
        Run { sums, inputs, first, second, logit }
    }

    /// The neurons of a layer.
    fn layer<const N: usize>(self, inputs: &[f32; N], layer: usize, biases: usize) -> [f32; NEURONS] {
        std::array::from_fn(|at| (self.0[biases + at] + product(inputs, row(self.0, layer + at * N))).max(0.0))
    }

    /// The loss of a position: the cross-entropy of the winning chance and the target, less its least value.
    pub fn loss(self, sample: &Sample) -> f64 {
        loss_of(sample, sample.base + self.run(sample).logit)
    }

    /// The largest absolute value of a sum.
    pub fn largest_sum(self, sample: &Sample) -> f32 {
        self.run(sample).sums.iter().fold(0.0, |largest, sum| largest.max(sum.abs()))
    }

    /// The correction in hundredths of an open two, for the comparison with whole numbers.
    #[cfg(test)]
    pub fn correction(self, sample: &Sample) -> f32 {
        self.run(sample).logit * qiju_core::games::gomoku::engine::network::SCALE as f32
    }

    /// The loss of a position; adds its gradients to `slopes`.
    pub fn learn(self, sample: &Sample, slopes: &mut [f32]) -> f64 {
        let Run { sums, inputs, first, second, logit } = self.run(sample);
        let off = chance(sample.base + logit) - sample.target;
        slopes[BIAS] += off;
        add(slopes, RESULT, &second, off);
        let above = row::<NEURONS>(self.0, RESULT).map(|weight| off * weight);
        let above = self.learn_layer((&first, SECOND, SECOND_BIASES), (&second, &above), slopes);
        let mut back = self.learn_layer((&inputs, FIRST, FIRST_BIASES), (&first, &above), slopes);
        for (back, (sum, input)) in back.iter_mut().zip(sums.iter().zip(&inputs)) {
            *back = if sum == input { *back } else { 0.0 };
        }
        for (side, terms) in sample.terms.iter().enumerate() {
            let mut slope = [0f32; WIDTH];
            for (state, terms) in terms.iter().enumerate().rev() {
                slope.iter_mut().zip(&back[(2 * state + side) * WIDTH..]).for_each(|(slope, back)| *slope += back);
                for &(from, count) in terms {
                    add(slopes, usize::from(from) * WIDTH, &slope, f32::from(count));
                }
            }
            add(slopes, START, &slope, 1.0);
        }
        loss_of(sample, sample.base + logit)
    }

    /// Adds the gradients of a layer with these inputs, neurons, and gradients of the neurons. Returns the gradients of the inputs.
    fn learn_layer<const N: usize>(
        self,
        (inputs, layer, biases): (&[f32; N], usize, usize),
        (neurons, above): (&[f32; NEURONS], &[f32; NEURONS]),
        slopes: &mut [f32],
    ) -> [f32; N] {
        let mut back = [0f32; N];
        for (at, (_, &slope)) in neurons.iter().zip(above).enumerate().filter(|(_, (neuron, _))| **neuron > 0.0) {
            slopes[biases + at] += slope;
            add(slopes, layer + at * N, inputs, slope);
            back.iter_mut().zip(row::<N>(self.0, layer + at * N)).for_each(|(back, weight)| *back += slope * weight);
        }
        back
    }

    /// The weights in whole numbers, and how many were too large and were cut.
    pub fn round(self) -> (Box<Weights>, usize) {
        let mut cut = 0;
        let mut whole = |at: usize, one: i32, most: i32| {
            let number = (self.0[at] * one as f32).round() as i32;
            cut += usize::from(number.abs() > most);
            number.clamp(-most, most)
        };
        let mut weights = Box::new(Weights::NOTHING);
        let rows = weights.codes[..CODES].iter_mut().chain(&mut weights.pairs).chain([&mut weights.start]);
        for (number, at) in rows.flat_map(|Row(row)| row).zip(0..) {
            *number = whole(at, ROW_ONE, ROW_MOST.into()) as i16;
        }
        let layers =
            weights.first.as_flattened_mut().iter_mut().chain(weights.second.as_flattened_mut()).chain(&mut weights.result);
        for (number, at) in layers.zip(FIRST..) {
            *number = whole(at, LAYER_ONE, LAYER_MOST.into()) as i16;
        }
        let biases = weights.first_biases.iter_mut().chain(&mut weights.second_biases).chain([&mut weights.bias]);
        for (number, at) in biases.zip(FIRST_BIASES..) {
            *number = whole(at, ROW_ONE * LAYER_ONE, BIAS_MOST);
        }
        (weights, cut)
    }
}

const _: () = assert!(CODES < ROWS && STATES * 2 * WIDTH == INPUTS);

fn product<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn row<const N: usize>(weights: &[f32], from: usize) -> &[f32; N] {
    weights[from..].first_chunk().expect("the list has all weights")
}

/// Adds `factor` times the numbers to the slopes from `from` on.
fn add<const N: usize>(slopes: &mut [f32], from: usize, numbers: &[f32; N], factor: f32) {
    slopes[from..from + N].iter_mut().zip(numbers).for_each(|(slope, number)| *slope += factor * number);
}
