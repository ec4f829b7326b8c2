//! The network during training: its loss and its gradients.

use qiju_core::vision::network::{BIASES, CLASSES, LAST, NEURONS, Run, WEIGHTS, probabilities};
use qiju_core::vision::patch::INPUTS;

/// How much of the target goes to all classes alike, so that the network does not become surer than it is right.
const SMOOTHING: f32 = 0.02;

/// Random initial weights (He and others, "Delving deep into rectifiers", 2015).
pub fn initial(random: &mut fastrand::Rng) -> Vec<f32> {
    let mut weights = vec![0.0; WEIGHTS];
    for (range, inputs) in [(0..BIASES, INPUTS), (LAST..LAST + NEURONS * CLASSES, NEURONS)] {
        let reach = (3.0 / inputs as f32).sqrt();
        weights[range].iter_mut().for_each(|weight| *weight = (random.f32() * 2.0 - 1.0) * reach);
    }
    weights
}

/// The class that a network names, and the cross-entropy with the right one.
pub fn judge(weights: &[f32], inputs: &[f32; INPUTS], possible: &[bool; CLASSES], right: usize) -> (usize, f64) {
    let found = probabilities(&Run::of(weights, inputs).logits, possible);
    let named = (0..CLASSES).max_by(|a, b| found[*a].total_cmp(&found[*b])).unwrap_or(0);
    (named, -f64::from(found[right].max(1e-6).ln()))
}

/// The cross-entropy of a point; adds its gradients to `slopes`.
pub fn learn(weights: &[f32], inputs: &[f32; INPUTS], possible: &[bool; CLASSES], right: usize, slopes: &mut [f32]) -> f64 {
    let run = Run::of(weights, inputs);
    let found = probabilities(&run.logits, possible);
    let share = SMOOTHING / possible.iter().filter(|possible| **possible).count() as f32;
    let mut back = [0.0; NEURONS];
    for class in (0..CLASSES).filter(|class| possible[*class]) {
        let off = found[class] - share - if class == right { 1.0 - SMOOTHING } else { 0.0 };
        let row = LAST + class * NEURONS;
        add(&mut slopes[row..row + NEURONS], &run.neurons, off);
        add(&mut back, &weights[row..row + NEURONS], off);
        slopes[LAST + CLASSES * NEURONS + class] += off;
    }
    for (at, slope) in back.into_iter().enumerate().filter(|(at, _)| run.neurons[*at] > 0.0) {
        slopes[BIASES + at] += slope;
        add(&mut slopes[at * INPUTS..][..INPUTS], inputs, slope);
    }
    -f64::from(found[right].max(1e-6).ln())
}

/// Adds `factor` times the numbers.
fn add(to: &mut [f32], numbers: &[f32], factor: f32) {
    to.iter_mut().zip(numbers).for_each(|(to, number)| *to += factor * number);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_are_those_of_the_loss() {
        let weights = initial(&mut fastrand::Rng::with_seed(7));
        let inputs: [f32; INPUTS] = std::array::from_fn(|at| (at * 37 % 101) as f32 / 100.0);
        let mut possible = [false; CLASSES];
        [0, 3, 9, 20].into_iter().for_each(|class| possible[class] = true);
        let mut slopes = vec![0.0; WEIGHTS];
        learn(&weights, &inputs, &possible, 3, &mut slopes);
        // The loss that is learnt, with its smoothed target.
        let loss = |weights: &[f32]| {
            let found = probabilities(&Run::of(weights, &inputs).logits, &possible);
            let target = |class: usize| SMOOTHING / 4.0 + if class == 3 { 1.0 - SMOOTHING } else { 0.0 };
            (0..CLASSES).filter(|class| possible[*class]).map(|class| -f64::from(target(class) * found[class].ln())).sum::<f64>()
        };
        let mut compared = 0;
        for at in (0..WEIGHTS).step_by(701).chain(LAST..LAST + 20).chain([BIASES, BIASES + 3, WEIGHTS - 1]) {
            let moved = |by: f32| {
                let mut weights = weights.clone();
                weights[at] += by;
                loss(&weights)
            };
            let slope = (moved(4e-3) - moved(-4e-3)) / 8e-3;
            assert!((slope - f64::from(slopes[at])).abs() < 0.01 + 0.03 * slope.abs(), "weight {at}: {slope} {}", slopes[at]);
            compared += usize::from(slope.abs() > 1e-3);
        }
        assert!(compared > 10, "{compared}");
    }
}
