//! Trains the network on self-play games: gradient descent (AdamW) on the cross-entropy of its winning chance and the target, a mean of the search's own score and of
//! the later scores with the result. The positions are shuffled over all games in each epoch; whole games are held out to measure the result.
//!
//! A batch is split into slices, whose gradients are added in order, so the result does not depend on the number of threads. It follows from the seed. A training takes minutes,
//! so it has no checkpoints.

mod model;
mod sample;

use super::selfplay;
use crate::games::gomoku::engine::network::{Network, SETS};
use crate::games::gomoku::engine::vcf::Vcf;
use crate::games::training::{NetworkPlan, NetworkTrainer, Unfit, chart};
use sample::Sample;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use web_time::Instant;

/// One game in this many is held out.
const HELD_OUT: u64 = 16;
/// The slices of a batch, each with its own gradients.
const SLICES: usize = 4;
/// The learning rate of the last step, as a part of the first.
const LAST_RATE: f32 = 0.01;
/// The memory of the two moving averages of the gradients.
const MEMORY: [f32; 2] = [0.9, 0.999];

/// A network in training, with its positions.
pub struct Trainer {
    plan: NetworkPlan,
    fours: Vcf,
    learnt: Vec<Sample>,
    held_out: Vec<Sample>,
    games: u64,
}

/// The weights of all sets and the moving averages of their gradients.
struct Descent {
    weights: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: usize,
}

impl Trainer {
    /// A trainer without games.
    ///
    /// # Errors
    /// The plan is not possible, with the reason.
    pub fn new(plan: NetworkPlan) -> Result<Trainer, String> {
        if plan.hidden.is_some() || plan.outputs.is_some() {
            return Err("the sizes of gomoku's network are fixed: --hidden and --outputs are for xiangqi".to_owned());
        }
        if plan.from.is_some() {
            return Err("gomoku's network always begins with random weights: --from is for xiangqi".to_owned());
        }
        if plan.over_hand {
            return Err("gomoku's network is always added to the evaluation by values: --over-hand is for xiangqi".to_owned());
        }
        Ok(Trainer { plan, fours: Vcf::new(12), learnt: Vec::new(), held_out: Vec::new(), games: 0 })
    }

    /// One step with a batch of positions. Returns the sum of their losses.
    fn step(&self, descent: &mut Descent, slopes: &mut [Vec<f32>], batch: &[usize], rate: f32) -> f64 {
        let part = batch.len().div_ceil(SLICES).max(1);
        let next = AtomicUsize::new(0);
        let weights = &descent.weights;
        let places: Vec<Mutex<(&mut Vec<f32>, f64)>> = slopes.iter_mut().map(|slopes| Mutex::new((slopes, 0.0))).collect();
        let work = || {
            loop {
                let slice = next.fetch_add(1, Ordering::Relaxed);
                let Some(place) = places.get(slice) else { return };
                let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
                let (slopes, loss) = &mut *place;
                slopes.fill(0.0);
                for &index in batch.iter().skip(slice * part).take(part) {
                    let sample = &self.learnt[index];
                    let set = usize::from(sample.set) * model::COUNT..(usize::from(sample.set) + 1) * model::COUNT;
                    *loss += model::loss(sample, &weights[set.clone()], Some(&mut slopes[set]));
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.plan.threads {
                scope.spawn(work);
            }
            work();
        });
        let loss = places.iter().map(|place| place.lock().unwrap_or_else(PoisonError::into_inner).1).sum();
        drop(places);
        descent.steps += 1;
        let [first, second] = MEMORY.map(|memory| 1.0 - memory.powf(descent.steps as f32));
        for at in 0..descent.weights.len() {
            let slope = slopes.iter().map(|slopes| slopes[at]).sum::<f32>() / batch.len() as f32;
            let (mean, square) = (&mut descent.mean[at], &mut descent.square[at]);
            *mean = MEMORY[0] * *mean + (1.0 - MEMORY[0]) * slope;
            *square = MEMORY[1] * *square + (1.0 - MEMORY[1]) * slope * slope;
            let weight = &mut descent.weights[at];
            *weight -= rate * (*mean / first / ((*square / second).sqrt() + 1e-8) + self.plan.decay * *weight);
        }
        loss
    }

    /// The mean loss of the positions held out, by set and of all.
    fn measure(&self, loss: impl Fn(&Sample) -> f64) -> (f64, String) {
        let mut sums = [(0.0, 0usize); SETS + 1];
        for sample in &self.held_out {
            let loss = loss(sample);
            for set in [usize::from(sample.set), SETS] {
                sums[set].0 += loss;
                sums[set].1 += 1;
            }
        }
        let means = sums.map(|(sum, count)| sum / count.max(1) as f64);
        let [plain, black, white, all] = means;
        (all, format!("{all:.5} (without forbidden moves {plain:.5}, renju's Black {black:.5}, White {white:.5})"))
    }
}

impl NetworkTrainer for Trainer {
    fn add(&mut self, game: &[u8]) -> Result<(), String> {
        let line = std::str::from_utf8(game).map_err(|_| "the game is no text".to_owned())?;
        let game = selfplay::read(line)?;
        let samples = sample::samples(&game, self.plan.result_part, &mut self.fours);
        let held_out = self.games.is_multiple_of(HELD_OUT);
        if held_out { &mut self.held_out } else { &mut self.learnt }.extend(samples);
        self.games += 1;
        Ok(())
    }

    fn train(&mut self, report: &mut dyn Write) -> Result<(), Unfit> {
        if self.learnt.is_empty() || self.held_out.is_empty() {
            return Err(Unfit::NoPositions);
        }
        let (epochs, batch) = (self.plan.epochs, self.plan.batch);
        let mut random = fastrand::Rng::with_seed(self.plan.seed);
        let weights: Vec<f32> = (0..SETS).flat_map(|_| model::initial(&mut random)).collect();
        let nothing = || vec![0f32; weights.len()];
        let mut slopes: Vec<Vec<f32>> = (0..SLICES).map(|_| nothing()).collect();
        let mut descent = Descent { mean: nothing(), square: nothing(), steps: 0, weights };
        let (by_values, told) = self.measure(model::loss_by_values);
        writeln!(report, "{} positions of {} games, {} held out", self.learnt.len(), self.games, self.held_out.len())?;
        writeln!(report, "evaluation by values, held out: loss {told}")?;
        let mut order: Vec<usize> = (0..self.learnt.len()).collect();
        let steps = epochs * order.len().div_ceil(batch);
        let mut losses: [Vec<f64>; 2] = Default::default();
        for epoch in 1..=epochs {
            let begun = Instant::now();
            random.shuffle(&mut order);
            let mut sum = 0.0;
            for batch in order.chunks(batch) {
                let done = descent.steps as f32 / steps as f32;
                let rate = LAST_RATE + (1.0 - LAST_RATE) * (1.0 + (std::f32::consts::PI * done).cos()) / 2.0;
                sum += self.step(&mut descent, &mut slopes, batch, self.plan.rate * rate);
            }
            let loss = sum / order.len() as f64;
            let of_set = |sample: &Sample| &descent.weights[usize::from(sample.set) * model::COUNT..][..model::COUNT];
            let (held_out, told) = self.measure(|sample| model::loss(sample, of_set(sample), None));
            losses[0].push(loss);
            losses[1].push(held_out);
            let speed = order.len() as f64 / begun.elapsed().as_secs_f64().max(1e-3);
            writeln!(report, "epoch {epoch}: loss {loss:.5}, held out {told}, {speed:.0} positions a second")?;
            let [learnt, held_out] = losses.clone();
            let by_values = ("by values, held out", vec![by_values; epoch]);
            let curves = [("learnt from", learnt), ("held out", held_out), by_values];
            std::fs::write(self.plan.out.join("losses.svg"), chart::draw("gomoku's network", &curves))?;
        }
        let mut cut = 0;
        let sets = std::array::from_fn(|set| {
            let (weights, too_large) = model::round(&descent.weights[set * model::COUNT..][..model::COUNT]);
            cut += too_large;
            weights
        });
        if cut > 0 {
            writeln!(report, "{cut} weights were too large and were cut")?;
        }
        let path = self.plan.out.join("gomoku.network");
        std::fs::write(&path, Network::new(sets).write())?;
        writeln!(report, "{} written", path.display())?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
