//! The network during training, with weights in single precision: its result and its gradients.
//!
//! All weights are in one list: the rows of the inputs, the hidden layer's biases, the weights of each output (the side to move first), the outputs'
//! biases. The gradients are in a list of the same shape. The row of an input is the sum of two: one that counts wherever the own general stands, so that
//! positions teach about generals elsewhere too, and its change for the general's point. The network's file has the sums.

use super::sample::{Active, Sample};
use qiju_core::games::xiangqi::engine::network::{
    GENERALS, HIDDEN_MOST, HIDDEN_ONE, INPUTS, Network, OUTPUT_MOST, OUTPUT_ONE, PLACES, output_of,
};

/// The score, in hundredths of a soldier, at which the odds are e to 1.
pub const STEEPNESS: f32 = 260.0;

/// The shape of a network and its training target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// The number of hidden neurons.
    pub hidden: usize,
    /// The number of outputs; the number of pieces selects one.
    pub outputs: usize,
    /// The weight of the game's result in the target, 0 to 1; the rest is the search's score.
    pub result_part: f32,
}

impl Shape {
    /// The number of weights.
    pub fn weights(self) -> usize {
        self.output_biases() + self.outputs
    }

    fn biases(self) -> usize {
        (PLACES + INPUTS) * self.hidden
    }

    /// Where the two rows of an input begin.
    #[inline(always)]
    fn rows(self, input: u16) -> [usize; 2] {
        let input = usize::from(input);
        [input % PLACES * self.hidden, (PLACES + input) * self.hidden]
    }

    fn output_weights(self) -> usize {
        self.biases() + self.hidden
    }

    fn output_biases(self) -> usize {
        self.output_weights() + self.outputs * 2 * self.hidden
    }

    /// The ends of ranges of weights, each with the largest absolute value that the network's file can hold.
    pub fn bounds(self) -> [(usize, f32); 3] {
        [
            (self.output_weights(), f32::from(HIDDEN_MOST) / HIDDEN_ONE as f32),
            (self.output_biases(), f32::from(OUTPUT_MOST) / OUTPUT_ONE as f32),
            (self.weights(), 60.0),
        ]
    }

    /// Random initial weights.
    pub fn begin(self, random: &mut fastrand::Rng) -> Vec<f32> {
        let mut within = |size: f32| (random.f32() * 2.0 - 1.0) * size;
        let output = 1.0 / (self.hidden as f32).sqrt();
        (0..self.weights())
            .map(|at| match at {
                _ if at < PLACES * self.hidden => within(0.08),
                _ if at < self.biases() => 0.0,
                _ if at < self.output_weights() => 0.2 + within(0.05),
                _ if at < self.output_biases() => within(output),
                _ => 0.0,
            })
            .collect()
    }

    /// The weights of a network, whose hidden layer may be smaller than this shape's: the inverse of [`round`](Shape::round). The row for all points of the
    /// general is the mean. Further hidden neurons begin at random and weigh nothing, so the network judges as before.
    pub fn weights_of(self, network: &Network, random: &mut fastrand::Rng) -> Vec<f32> {
        let part = |numbers: &[i16], one: i32| numbers.iter().map(|number| f32::from(*number) / one as f32).collect::<Vec<f32>>();
        let mut changes = part(&network.rows, HIDDEN_ONE);
        let size = PLACES * network.hidden;
        let mean = |at: usize| changes[at..].iter().step_by(size).sum::<f32>() / GENERALS as f32;
        let mut known: Vec<f32> = (0..size).map(mean).collect();
        changes.chunks_exact_mut(size).for_each(|changes| changes.iter_mut().zip(&known).for_each(|(row, mean)| *row -= mean));
        known.append(&mut changes);
        known.extend(part(&network.biases, HIDDEN_ONE));
        known.extend(part(&network.weights, OUTPUT_ONE));
        // All but the outputs' biases are rows of as many numbers as there are hidden neurons.
        let mut weights = self.begin(random);
        weights[self.output_weights()..].fill(0.0);
        let rows = weights.chunks_exact_mut(self.hidden).zip(known.chunks_exact(network.hidden));
        rows.for_each(|(row, known)| row[..network.hidden].copy_from_slice(known));
        let biases = weights[self.output_biases()..].iter_mut().zip(&network.output_biases);
        biases.for_each(|(weight, bias)| *weight = *bias as f32 / (HIDDEN_ONE * OUTPUT_ONE) as f32);
        weights
    }

    /// The target of a position: a winning chance.
    pub fn aim(self, sample: &Sample) -> f32 {
        let seen = chance(f32::from(sample.score) / STEEPNESS);
        self.result_part * f32::from(sample.result) / 2.0 + (1.0 - self.result_part) * seen
    }

    /// The network with these weights, rounded to integers; a logit of 1 is worth `scale` hundredths of a soldier.
    ///
    /// # Errors
    /// The file format does not allow this shape.
    pub fn round(self, weights: &[f32], scale: i32) -> Result<Network, String> {
        let rounded = |weight: f32, one: i32| (weight * one as f32).round() as i16;
        let whole = |range: std::ops::Range<usize>, one: i32| -> Vec<i16> {
            weights[range].iter().map(|weight| rounded(*weight, one)).collect()
        };
        let (wherever, changes) = weights[..self.biases()].split_at(PLACES * self.hidden);
        let rows = wherever.iter().cycle().zip(changes);
        let rows = rows.map(|(row, change)| rounded(row + change, HIDDEN_ONE).clamp(-HIDDEN_MOST, HIDDEN_MOST)).collect();
        let biases = weights[self.output_biases()..].iter().map(|bias| (bias * (HIDDEN_ONE * OUTPUT_ONE) as f32).round() as i32);
        Network::new(
            scale,
            rows,
            whole(self.biases()..self.output_weights(), HIDDEN_ONE),
            whole(self.output_weights()..self.output_biases(), OUTPUT_ONE),
            biases.collect(),
        )
    }
}

/// The winning chance of a logit.
pub fn chance(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// Buffers for one position.
struct Scratch {
    active: Active,
    /// The hidden layer of each view, and its gradient.
    hidden: [Vec<f32>; 2],
    pushes: [Vec<f32>; 2],
}

impl Scratch {
    fn new(hidden: usize) -> Scratch {
        let room = || [vec![0.0; hidden], vec![0.0; hidden]];
        Scratch { active: Active::default(), hidden: room(), pushes: room() }
    }
}

/// The sum of the losses of some positions. If gradients are asked for, they are added to `slopes`. `mirrored` says for each position whether its mirror
/// image is used.
pub fn losses(
    shape: Shape,
    weights: &[f32],
    samples: &mut dyn Iterator<Item = (&Sample, bool)>,
    slopes: Option<&mut [f32]>,
) -> f64 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { losses_avx2(shape, weights, samples, slopes) };
    }
    losses_any(shape, weights, samples, slopes)
}

/// The same arithmetic in wider registers. The order of the additions is the same, so the result is the same.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn losses_avx2(
    shape: Shape,
    weights: &[f32],
    samples: &mut dyn Iterator<Item = (&Sample, bool)>,
    slopes: Option<&mut [f32]>,
) -> f64 {
    losses_any(shape, weights, samples, slopes)
}

#[inline(always)]
fn losses_any(
    shape: Shape,
    weights: &[f32],
    samples: &mut dyn Iterator<Item = (&Sample, bool)>,
    mut slopes: Option<&mut [f32]>,
) -> f64 {
    let mut scratch = Scratch::new(shape.hidden);
    let mut total = 0.0;
    for (sample, mirrored) in samples {
        sample.inputs(mirrored, &mut scratch.active);
        let guess = chance(forward(shape, weights, &mut scratch));
        let miss = guess - shape.aim(sample);
        total += f64::from(miss * miss);
        if let Some(slopes) = slopes.as_deref_mut() {
            backward(shape, weights, &mut scratch, 2.0 * miss * guess * (1.0 - guess), slopes);
        }
    }
    total
}

/// The logit of the position in `scratch`.
#[inline(always)]
fn forward(shape: Shape, weights: &[f32], scratch: &mut Scratch) -> f32 {
    let size = shape.hidden;
    let output = output_of(scratch.active.count as u32, shape.outputs);
    let mut logit = weights[shape.output_biases() + output];
    for (view, hidden) in scratch.hidden.iter_mut().enumerate() {
        hidden.copy_from_slice(&weights[shape.biases()..][..size]);
        for &input in &scratch.active.inputs[view][..scratch.active.count] {
            shape.rows(input).into_iter().for_each(|row| add(hidden, &weights[row..][..size]));
        }
        let weighing = &weights[shape.output_weights() + (2 * output + view) * size..][..size];
        // Eight sums in parallel, always in the same order.
        let mut parts = [0.0_f32; 8];
        for (hidden, weighing) in hidden.chunks_exact(8).zip(weighing.chunks_exact(8)) {
            for ((part, value), weight) in parts.iter_mut().zip(hidden).zip(weighing) {
                let value = value.clamp(0.0, 1.0);
                *part += value * value * weight;
            }
        }
        logit += parts.iter().sum::<f32>();
    }
    logit
}

/// Adds the gradients of the position in `scratch`; `push` is the derivative of the loss with respect to the logit.
#[inline(always)]
fn backward(shape: Shape, weights: &[f32], scratch: &mut Scratch, push: f32, slopes: &mut [f32]) {
    let size = shape.hidden;
    let output = output_of(scratch.active.count as u32, shape.outputs);
    slopes[shape.output_biases() + output] += push;
    let Scratch { active, hidden, pushes } = scratch;
    for (view, (hidden, pushes)) in hidden.iter().zip(pushes).enumerate() {
        let place = shape.output_weights() + (2 * output + view) * size;
        let weighing = &weights[place..][..size];
        let slope = &mut slopes[place..][..size];
        for (((value, weight), slope), pushed) in hidden.iter().zip(weighing).zip(slope).zip(pushes.iter_mut()) {
            let cut = value.clamp(0.0, 1.0);
            *slope += push * cut * cut;
            let moves = if *value > 0.0 && *value < 1.0 { 1.0 } else { 0.0 };
            *pushed = push * 2.0 * cut * weight * moves;
        }
        add(&mut slopes[shape.biases()..][..size], pushes);
        for &input in &active.inputs[view][..active.count] {
            shape.rows(input).into_iter().for_each(|row| add(&mut slopes[row..][..size], pushes));
        }
    }
}

#[inline(always)]
fn add(sums: &mut [f32], row: &[f32]) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum += weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qiju_core::games::xiangqi::rules::board::Board;
    use qiju_core::rules::{Position, Side};

    const SHAPE: Shape = Shape { hidden: 32, outputs: 4, result_part: 0.3 };

    fn samples(count: usize) -> Vec<Sample> {
        let mut random = fastrand::Rng::with_seed(8);
        let mut samples = Vec::new();
        while samples.len() < count {
            let mut board = Board::default();
            for _ in 0..random.usize(20..90) {
                let mut legal = Vec::new();
                board.legal_moves(&mut legal);
                let Some(&mv) = random.choice(&legal) else { break };
                board.apply(mv);
            }
            samples.push(Sample::new(&board, random.i16(-500..500), random.bool().then_some(Side::First)));
        }
        samples
    }

    #[test]
    fn a_slope_is_how_the_loss_changes() {
        let samples = samples(3);
        let weights = SHAPE.begin(&mut fastrand::Rng::with_seed(1));
        let loss = |weights: &[f32]| losses(SHAPE, weights, &mut samples.iter().map(|sample| (sample, false)), None);
        let mut slopes = vec![0.0; SHAPE.weights()];
        let told = losses(SHAPE, &weights, &mut samples.iter().map(|sample| (sample, false)), Some(&mut slopes));
        assert_eq!(told, loss(&weights));
        let mut checked = 0;
        for at in (0..SHAPE.weights()).filter(|at| slopes[*at].abs() > 2e-3) {
            let step = 2e-3;
            let mut moved = weights.clone();
            moved[at] += step;
            let up = loss(&moved);
            moved[at] -= 2.0 * step;
            let seen = (up - loss(&moved)) / f64::from(2.0 * step);
            assert!((seen - f64::from(slopes[at])).abs() < 2e-3 + 0.1 * seen.abs(), "weight {at}: {seen} and {}", slopes[at]);
            checked += 1;
        }
        assert!(checked > 100, "{checked}");
    }

    #[test]
    fn whole_numbers_judge_as_the_weights_do() {
        let mut weights = SHAPE.begin(&mut fastrand::Rng::with_seed(2));
        let mut random = fastrand::Rng::with_seed(3);
        // The rows change with the general's point.
        weights[PLACES * SHAPE.hidden..SHAPE.biases()].iter_mut().for_each(|change| *change = (random.f32() - 0.5) * 0.1);
        let network = SHAPE.round(&weights, 10_000).unwrap();
        let mut board = Board::default();
        for _ in 0..60 {
            let mut legal = Vec::new();
            board.legal_moves(&mut legal);
            let Some(&mv) = random.choice(&legal) else { break };
            board.apply(mv);
            let mut scratch = Scratch::new(SHAPE.hidden);
            Sample::new(&board, 0, None).inputs(false, &mut scratch.active);
            let logit = forward(SHAPE, &weights, &mut scratch);
            let whole = network.judge_board(&board) as f32 / 10_000.0;
            assert!((logit - whole).abs() < 0.03, "{logit} and {whole}");
        }
    }
}
