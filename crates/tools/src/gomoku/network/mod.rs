//! Trains the network on judged leaves of searches (see [`positions`](super::positions)): gradient descent (AdamW) on the cross-entropy of its winning chance and that of the leaf's own search.
//! The leaves are shuffled over all games in each epoch; whole games are held out to measure the result. They are kept in the folder of the results.

mod model;
mod sample;

use super::positions::{self, Judged, Nodes};
use super::selfplay::{self, Game};
use crate::training::descent::{self, Objective, Plan, Telling};
use crate::training::{NetworkTrainer, Unfit};
use model::Model;
use qiju_core::games::gomoku::engine::network::{Network, SUM_MOST};
use sample::Sample;
use std::io::Write;

/// The part of the steps in which the learning rate rises.
const WARMING: f64 = 0.1;

/// A network in training, with the games whose leaves it learns from.
pub struct Trainer {
    plan: Plan,
    nodes: Nodes,
    games: Vec<Game>,
}

/// The positions of a training.
struct Positions {
    learnt: Vec<Sample>,
    held_out: Vec<Sample>,
    threads: usize,
}

impl Positions {
    /// The mean of a loss over the positions held out.
    fn mean(&self, loss: &(dyn Fn(&Sample) -> f64 + Sync)) -> f64 {
        let sum = descent::total(self.held_out.len(), self.threads, &|range| self.held_out[range].iter().map(loss).sum());
        sum / self.held_out.len() as f64
    }
}

impl Objective for Positions {
    fn examples(&self) -> usize {
        self.learnt.len()
    }

    fn learn(&self, weights: &[f32], examples: &[u32], _: u64, slopes: &mut [f32]) -> f64 {
        examples.iter().map(|&at| Model(weights).learn(&self.learnt[at as usize], slopes)).sum()
    }

    fn held_out(&self, weights: &[f32]) -> Option<f64> {
        Some(self.mean(&|sample| Model(weights).loss(sample)))
    }

    fn slices(&self) -> usize {
        4
    }

    fn rate(&self, done: f64) -> f64 {
        let falling = (done - WARMING).max(0.0) / (1.0 - WARMING);
        descent::cosine(falling) * (done / WARMING).clamp(0.01, 1.0)
    }
}

impl Trainer {
    /// A trainer without games. The leaves are drawn and judged by searches of so many nodes.
    pub fn new(plan: Plan, nodes: Nodes) -> Trainer {
        Trainer { plan, nodes, games: Vec::new() }
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
        let (held_out, learnt): (Vec<_>, Vec<_>) = self.samples(leaves).into_iter().partition(|sample| sample.tested);
        let positions = Positions { learnt, held_out, threads: self.plan.threads };
        if positions.learnt.is_empty() || positions.held_out.is_empty() {
            return Err(Unfit::NoPositions);
        }
        let (learnt, held_out) = (positions.learnt.len(), positions.held_out.len());
        writeln!(report, "{} games: {learnt} positions to learn from, {held_out} held out", self.games.len())?;
        let by_values = positions.mean(&model::loss_by_values);
        writeln!(report, "the evaluation by values: loss {by_values:.6} on those held out")?;
        let mut weights = model::initial(&mut fastrand::Rng::with_seed(self.plan.seed));
        model::clear_unseen_rows(&mut weights, &positions.learnt);
        let telling = Telling {
            checkpoint: "checkpoint",
            name: format!("gomoku's network games {}", self.games.len()),
            every: 1,
            chart: Some(("by values, held out", by_values)),
        };
        let weights = descent::descend(&positions, weights, &self.plan, &telling, report)?;
        let model = Model(&weights);
        let largest = positions.held_out.iter().map(|sample| model.largest_sum(sample)).fold(0.0, f32::max);
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
