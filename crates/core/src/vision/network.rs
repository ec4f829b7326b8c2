//! The network that names what stands on a point: a layer of neurons over what is measured around it, and a layer of sums.
//!
//! Training and reading run the same code; a [`Run`] keeps the neurons, from which the training computes gradients.

use super::patch::{INPUTS, Patch};
use crate::games::networks;

/// What can be seen on a point; see [`class_of`](super::class_of).
pub const CLASSES: usize = 21;
/// The neurons.
pub const NEURONS: usize = 64;
/// The first bias of the neurons: before it a list of [`INPUTS`] weights for each.
pub const BIASES: usize = INPUTS * NEURONS;
/// The first weight of the last layer: a list of [`NEURONS`] for each class, then one bias for each class.
pub const LAST: usize = BIASES + NEURONS;
/// The number of weights.
pub const WEIGHTS: usize = LAST + (NEURONS + 1) * CLASSES;

/// One in the whole numbers of the file.
const UNIT: f32 = 4096.0;
/// The name of the network in its file, and the version of the file.
const NAME: &str = "picture";
const VERSION: u32 = 1;

/// The weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    weights: Vec<f32>,
}

/// What the layers gave for a patch.
pub struct Run {
    /// The neurons, negative numbers cut off.
    pub neurons: [f32; NEURONS],
    /// The logit of each class.
    pub logits: [f32; CLASSES],
}

impl Network {
    /// Reads the file of a network.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(file: &[u8]) -> Result<Network, String> {
        let (_, body) = networks::opened(file, NAME, VERSION)?;
        if body.len() != 2 * WEIGHTS {
            return Err("the network has other layers".to_owned());
        }
        let whole = body.chunks_exact(2).map(|two| i16::from_le_bytes([two[0], two[1]]));
        Ok(Network { weights: whole.map(|number| f32::from(number) / UNIT).collect() })
    }

    /// The file of a network with these weights; they are rounded.
    pub fn file(weights: &[f32]) -> Vec<u8> {
        let whole = weights.iter().map(|weight| (weight * UNIT).round().clamp(-32768.0, 32767.0) as i16);
        let words = format!("layers {INPUTS} {NEURONS} classes {CLASSES}");
        networks::sealed(NAME, VERSION, &words, &whole.flat_map(i16::to_le_bytes).collect::<Vec<u8>>())
    }

    /// The logits of a patch.
    pub fn logits(&self, patch: &Patch) -> [f32; CLASSES] {
        Run::of(&self.weights, &patch.0).logits
    }
}

impl Run {
    /// Runs a network with these weights.
    pub fn of(weights: &[f32], inputs: &[f32; INPUTS]) -> Run {
        let mut neurons = [0.0; NEURONS];
        for ((neuron, row), bias) in neurons.iter_mut().zip(weights.chunks_exact(INPUTS)).zip(&weights[BIASES..]) {
            *neuron = (bias + product(row, inputs)).max(0.0);
        }
        let mut logits = [0.0; CLASSES];
        let biases = &weights[LAST + NEURONS * CLASSES..];
        for ((logit, row), bias) in logits.iter_mut().zip(weights[LAST..].chunks_exact(NEURONS)).zip(biases) {
            *logit = bias + product(row, &neurons);
        }
        Run { neurons, logits }
    }
}

/// The probabilities of logits among the possible classes.
pub fn probabilities(logits: &[f32; CLASSES], possible: &[bool; CLASSES]) -> [f32; CLASSES] {
    let most = logits.iter().zip(possible).filter(|(_, possible)| **possible).fold(f32::MIN, |most, (logit, _)| most.max(*logit));
    let mut out = [0.0; CLASSES];
    for ((out, logit), _) in out.iter_mut().zip(logits).zip(possible).filter(|(_, possible)| **possible) {
        *out = (logit - most).exp();
    }
    let sum: f32 = out.iter().sum();
    out.map(|value| value / sum)
}

/// The scalar product, summed in eight parts so that the processor can work on them at once.
fn product(a: &[f32], b: &[f32]) -> f32 {
    const PARTS: usize = 8;
    let (a, b) = (a.chunks_exact(PARTS), b.chunks_exact(PARTS));
    let rest: f32 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; PARTS];
    for (a, b) in a.zip(b) {
        (0..PARTS).for_each(|at| sums[at] += a[at] * b[at]);
    }
    rest + sums.iter().sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_is_written_and_read() {
        let weights: Vec<f32> = (0..WEIGHTS).map(|at| (at % 97) as f32 / 64.0 - 0.5).collect();
        let file = Network::file(&weights);
        assert!(file.len() < 300_000, "{}", file.len());
        let network = Network::read(&file).unwrap();
        assert!(network.weights.iter().zip(&weights).all(|(a, b)| (a - b).abs() < 1e-3));
        assert!(Network::read(&file[..file.len() - 1]).is_err());
    }

    #[test]
    fn neurons_and_classes_are_sums() {
        let mut weights = vec![0.0; WEIGHTS];
        // Two neurons read one input, one of them with a negative weight.
        (weights[5], weights[INPUTS + 5], weights[BIASES]) = (3.0, -2.0, 0.5);
        (weights[LAST + 4 * NEURONS], weights[LAST + 4 * NEURONS + 1], weights[LAST + CLASSES * NEURONS + 4]) = (2.0, 7.0, 1.0);
        let mut inputs = [0.0; INPUTS];
        inputs[5] = 2.0;
        let run = Run::of(&weights, &inputs);
        assert_eq!((run.neurons[0], run.neurons[1], run.logits[4], run.logits[3]), (6.5, 0.0, 14.0, 0.0));
    }
}
