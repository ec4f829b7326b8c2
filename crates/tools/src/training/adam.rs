//! AdamW, the gradient descent of every training here (Kingma and Ba, "Adam: a method for stochastic optimization", 2014; Loshchilov and Hutter,
//! "Decoupled weight decay regularization", 2019).

/// The decay rates of the two moving averages.
const MEMORY: [f32; 2] = [0.9, 0.999];

/// The weights, and the state of their descent.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// The weights.
    pub weights: Vec<f32>,
    /// The moving average of each gradient.
    pub mean: Vec<f32>,
    /// The moving average of its square.
    pub square: Vec<f32>,
    /// The number of steps done.
    pub steps: u32,
}

/// How far a step goes.
#[derive(Clone, Copy, Debug)]
pub struct Stride<'a> {
    /// About how much a weight changes.
    pub rate: f32,
    /// How strongly weights are pulled to zero, as a part of the rate.
    pub decay: f32,
    /// Ranges of weights one after the other, each by its end and the largest absolute value of its weights.
    pub bounds: &'a [(usize, f32)],
}

impl Adam {
    /// The descent from these weights.
    pub fn new(weights: Vec<f32>) -> Self {
        let zeros = vec![0.0; weights.len()];
        Adam { weights, mean: zeros.clone(), square: zeros, steps: 0 }
    }

    /// Moves every weight against its gradient: the sum of those given, times `share`. They are set to zero afterwards.
    pub fn step(&mut self, slopes: &mut [Vec<f32>], share: f32, stride: Stride) {
        self.steps += 1;
        let [first, second] = MEMORY.map(|memory| 1.0 - memory.powi(self.steps.min(100_000) as i32));
        let (sum, others) = slopes.split_first_mut().expect("there is a list of slopes");
        for other in others {
            sum.iter_mut().zip(&*other).for_each(|(sum, slope)| *sum += slope);
            other.fill(0.0);
        }
        let mut from = 0;
        for &(end, bound) in stride.bounds {
            let range = from..end;
            from = end;
            let weights = self.weights[range.clone()].iter_mut().zip(&mut sum[range.clone()]);
            for ((weight, slope), (mean, square)) in weights.zip(self.mean[range.clone()].iter_mut().zip(&mut self.square[range]))
            {
                let push = *slope * share;
                *slope = 0.0;
                *mean = MEMORY[0] * *mean + (1.0 - MEMORY[0]) * push;
                *square = MEMORY[1] * *square + (1.0 - MEMORY[1]) * push * push;
                let moved = (*mean / first) / ((*square / second).sqrt() + 1e-8) + stride.decay * *weight;
                *weight = (*weight - stride.rate * moved).clamp(-bound, bound);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_minimum_of_a_quadratic_is_found() {
        let mut adam = Adam::new(vec![5.0, -3.0, 0.0]);
        // The last weight may not go as far as it would.
        let stride = Stride { rate: 0.02, decay: 0.0, bounds: &[(2, f32::INFINITY), (3, 0.5)] };
        for _ in 0..2000 {
            let [a, b, c] = adam.weights[..] else { unreachable!() };
            adam.step(&mut [vec![2.0 * (a - 1.0), 20.0 * (b - 2.0), 0.0], vec![0.0, 0.0, 2.0 * (c - 1.0)]], 0.5, stride);
        }
        let [a, b, c] = adam.weights[..] else { unreachable!() };
        assert!((a - 1.0).abs() < 1e-2 && (b - 2.0).abs() < 1e-2 && c == 0.5, "{a} {b} {c}");
    }
}
