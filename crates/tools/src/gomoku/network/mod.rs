//! Trains the network on judged leaves of searches (see [`positions`](super::positions)): gradient descent (AdamW) on the cross-entropy of its winning chance and that of the leaf's own search.
//! The leaves are shuffled over all games in each epoch; whole games are held out to measure the result.
//!
//! A batch is split into slices, whose gradients are added in order, so the result does not depend on the number of threads. It follows from the seed. The leaves are kept in the folder of the results; a training
//! takes minutes, so it has no checkpoints.

mod model;
mod sample;

use super::positions::{self, Judged, Nodes};
use super::selfplay::{self, Game};
use crate::training::{NetworkPlan, NetworkTrainer, Unfit, chart};
use model::Model;
use qiju_core::games::gomoku::engine::network::{Network, SUM_MOST};
use sample::Sample;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use web_time::Instant;

/// The slices of a batch, each with its own gradients.
const SLICES: usize = 4;
/// The learning rate of the last step, as a part of the first.
const LAST_RATE: f32 = 0.01;
/// The part of the steps in which the learning rate rises.
const WARMING: f32 = 0.1;
/// The memory of the two moving averages of the gradients.
const MEMORY: [f32; 2] = [0.9, 0.999];

/// A network in training, with the games whose leaves it learns from.
pub struct Trainer {
    plan: NetworkPlan,
    nodes: Nodes,
    games: Vec<Game>,
}

/// The weights and the moving averages of their gradients.
struct Descent {
    weights: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: usize,
}

impl Trainer {
    /// A trainer without games. The leaves are drawn and judged by searches of so many nodes.
    ///
    /// # Errors
    /// The plan is not possible, with the reason.
    pub fn new(plan: NetworkPlan, nodes: Nodes) -> Result<Trainer, String> {
        if plan.hidden.is_some() || plan.outputs.is_some() {
            return Err("the sizes of gomoku's network are fixed: --hidden and --outputs are for xiangqi".to_owned());
        }
        if plan.from.is_some() {
            return Err("gomoku's network always begins with random weights: --from is for xiangqi".to_owned());
        }
        Ok(Trainer { plan, nodes, games: Vec::new() })
    }

    /// One step with a batch of positions. Returns the sum of their losses.
    fn step(&self, descent: &mut Descent, slopes: &mut [Vec<f32>], batch: &[&Sample], rate: f32) -> f64 {
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
                for sample in batch.iter().skip(slice * part).take(part) {
                    *loss += Model(weights).learn(sample, slopes);
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

    /// The leaves as the network sees them, in their order.
    fn samples(&self, leaves: &[Judged]) -> Vec<Sample> {
        let parts = leaves.chunks(leaves.len().div_ceil(self.plan.threads).max(1));
        std::thread::scope(|scope| {
            let of = |part: &[Judged]| part.iter().filter_map(Sample::of).collect();
            let parts: Vec<_> = parts.map(|part| scope.spawn(move || -> Vec<Sample> { of(part) })).collect();
            parts.into_iter().flat_map(|part| part.join().expect("a thread that makes samples does not panic")).collect()
        })
    }

    /// Trains on these leaves and writes the network.
    fn train_on(&self, leaves: &[Judged], report: &mut dyn Write) -> Result<(), Unfit> {
        let samples = self.samples(leaves);
        let (held_out, learnt): (Vec<&Sample>, Vec<&Sample>) = samples.iter().partition(|sample| sample.tested);
        if learnt.is_empty() || held_out.is_empty() {
            return Err(Unfit::NoPositions);
        }
        let (epochs, batch) = (self.plan.epochs, self.plan.batch);
        let mut random = fastrand::Rng::with_seed(self.plan.seed);
        let mut weights = model::initial(&mut random);
        model::clear_unseen_rows(&mut weights, &learnt);
        let nothing = || vec![0f32; weights.len()];
        let mut slopes: Vec<Vec<f32>> = (0..SLICES).map(|_| nothing()).collect();
        let mut descent = Descent { mean: nothing(), square: nothing(), steps: 0, weights };
        let mean =
            |loss: &dyn Fn(&Sample) -> f64| held_out.iter().map(|sample| loss(sample)).sum::<f64>() / held_out.len() as f64;
        let by_values = mean(&model::loss_by_values);
        writeln!(report, "{} positions of {} games, {} held out", learnt.len(), self.games.len(), held_out.len())?;
        writeln!(report, "evaluation by values, held out: loss {by_values:.5}")?;
        let mut order = learnt.clone();
        let steps = epochs * order.len().div_ceil(batch);
        let mut losses: [Vec<f64>; 2] = Default::default();
        for epoch in 1..=epochs {
            let begun = Instant::now();
            random.shuffle(&mut order);
            let mut sum = 0.0;
            for batch in order.chunks(batch) {
                let done = descent.steps as f32 / steps as f32;
                let falling = (done - WARMING).max(0.0) / (1.0 - WARMING);
                let rate = LAST_RATE + (1.0 - LAST_RATE) * (1.0 + (std::f32::consts::PI * falling).cos()) / 2.0;
                sum +=
                    self.step(&mut descent, &mut slopes, batch, self.plan.rate * rate * (done / WARMING).clamp(LAST_RATE, 1.0));
            }
            let loss = sum / order.len() as f64;
            let model = Model(&descent.weights);
            let of_held_out = mean(&|sample| model.loss(sample));
            losses[0].push(loss);
            losses[1].push(of_held_out);
            let speed = order.len() as f64 / begun.elapsed().as_secs_f64().max(1e-3);
            writeln!(report, "epoch {epoch}: loss {loss:.5}, held out {of_held_out:.5}, {speed:.0} positions a second")?;
            let [learnt, held_out] = losses.clone();
            let by_values = ("by values, held out", vec![by_values; epoch]);
            let curves = [("learnt from", learnt), ("held out", held_out), by_values];
            std::fs::write(self.plan.out.join("losses.svg"), chart::draw("gomoku's network", &curves))?;
        }
        let model = Model(&descent.weights);
        let largest = held_out.iter().map(|sample| model.largest_sum(sample)).fold(0.0, f32::max);
        writeln!(
            report,
            "the largest sum is {largest:.1}; the sums of the engine wrap around at {}, and are cut off at {}",
            model::SUM_LIMIT,
            model::whole(SUM_MOST)
        )?;
        let (weights, cut) = model.round();
        if cut > 0 {
            writeln!(report, "{cut} weights were too large and were cut")?;
        }
        let path = self.plan.out.join("gomoku.network");
        std::fs::write(&path, Network::new(weights).write())?;
        writeln!(report, "{} written", path.display())?;
        Ok(())
    }
}

impl NetworkTrainer for Trainer {
    fn add(&mut self, game: &[u8]) -> Result<(), String> {
        let line = std::str::from_utf8(game).map_err(|_| "the game is no text".to_owned())?;
        self.games.push(selfplay::read(line)?);
        Ok(())
    }

    fn train(&mut self, report: &mut dyn Write) -> Result<(), Unfit> {
        let leaves = positions::of_searches(&self.games, self.nodes, &self.plan.out, report)?;
        self.train_on(&leaves, report)
    }
}

#[cfg(test)]
mod tests;
