//! Adam, the gradient descent used for tuning (Kingma and Ba, "Adam: a method for stochastic optimization", 2014).

/// The state of a descent: the moving averages of each weight's gradient and of its square.
pub struct Adam {
    mean: Vec<f64>,
    square: Vec<f64>,
    steps: i32,
}

impl Adam {
    /// The decay rates of the two moving averages.
    const MEMORY: [f64; 2] = [0.9, 0.999];

    /// A new descent with this number of weights.
    pub fn new(weights: usize) -> Self {
        Adam { mean: vec![0.0; weights], square: vec![0.0; weights], steps: 0 }
    }

    /// Moves every weight against its gradient by about `rate`.
    pub fn step(&mut self, weights: &mut [f64], slopes: &[f64], rate: f64) {
        self.steps += 1;
        let [first, second] = Self::MEMORY.map(|memory| 1.0 - memory.powi(self.steps));
        for (at, weight) in weights.iter_mut().enumerate() {
            let slope = slopes[at];
            self.mean[at] = Self::MEMORY[0] * self.mean[at] + (1.0 - Self::MEMORY[0]) * slope;
            self.square[at] = Self::MEMORY[1] * self.square[at] + (1.0 - Self::MEMORY[1]) * slope * slope;
            *weight -= rate * (self.mean[at] / first) / ((self.square[at] / second).sqrt() + 1e-8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_minimum_of_a_quadratic_is_found() {
        let mut weights = [5.0, -3.0];
        let mut adam = Adam::new(2);
        for _ in 0..2000 {
            let slopes = [2.0 * (weights[0] - 1.0), 20.0 * (weights[1] - 2.0)];
            adam.step(&mut weights, &slopes, 0.02);
        }
        assert!((weights[0] - 1.0).abs() < 1e-2 && (weights[1] - 2.0).abs() < 1e-2, "{weights:?}");
    }
}
