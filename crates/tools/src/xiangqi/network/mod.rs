//! Trains the network on self-play games.
//!
//! Gradient descent (AdamW) on the squared difference between the network's winning chance and the target: a mean of the game's result and of the
//! search's score. All positions are in memory and shuffled in each epoch over all games; each is used as it is or mirrored, at
//! random. Whole games are used for validation, so no position of a training game is used to measure the result.
//!
//! A batch is split into slices, whose gradients are added in order, so the result does not depend on the number of threads. Everything depends only on the seed.

mod checkpoint;
mod model;
mod sample;

use super::selfplay;
use crate::training::{NetworkPlan, NetworkTrainer, Unfit, chart};
use checkpoint::Checkpoint;
use model::{Descent, STEEPNESS, Shape};
use qiju_core::games::xiangqi::engine::network::{HIDDEN_LARGEST, HIDDEN_STEP, Network, OUTPUTS_MOST};
use qiju_core::rules::zobrist;
use qiju_core::storage::crc32;
use sample::Sample;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use web_time::Instant;

/// The usual sizes.
const HIDDEN: usize = 128;
const OUTPUTS: usize = 8;
/// One game in this many is used for validation.
const HELD_OUT: u64 = 40;
/// The slices of a batch, each with its own gradients.
const SLICES: usize = 16;
/// The learning rate of the last step, as a part of the first.
const LAST_RATE: f64 = 0.01;

/// A network in training, with its games.
pub struct Trainer {
    plan: NetworkPlan,
    shape: Shape,
    /// The network to begin with.
    from: Option<Network>,
    learnt: Vec<Sample>,
    held_out: Vec<Sample>,
    games: u64,
}

impl Trainer {
    /// A trainer without games.
    ///
    /// # Errors
    /// The plan is not possible, with the reason.
    pub fn new(plan: NetworkPlan) -> Result<Trainer, String> {
        let from =
            plan.from.as_deref().map(Network::read).transpose().map_err(|why| format!("the network to begin with: {why}"))?;
        let (mut hidden, mut outputs) = (plan.hidden.unwrap_or(HIDDEN), plan.outputs.unwrap_or(OUTPUTS));
        if let Some(network) = &from {
            (hidden, outputs) = (network.hidden, network.outputs);
        }
        if hidden == 0 || hidden > HIDDEN_LARGEST || !hidden.is_multiple_of(HIDDEN_STEP) {
            return Err(format!("a hidden layer of {hidden} is not a multiple of {HIDDEN_STEP} up to {HIDDEN_LARGEST}"));
        }
        if outputs == 0 || outputs > OUTPUTS_MOST {
            return Err(format!("{outputs} outputs are not between 1 and {OUTPUTS_MOST}"));
        }
        let shape = Shape { hidden, outputs, result_part: plan.result_part, decay: plan.decay };
        Ok(Trainer { plan, shape, from, learnt: Vec::new(), held_out: Vec::new(), games: 0 })
    }

    /// The description of the training in the checkpoint.
    fn name(&self) -> String {
        let plan = &self.plan;
        let from = plan.from.as_ref().map_or_else(String::new, |file| format!("from {:08x} ", crc32([file.as_slice()])));
        format!(
            "{from}hidden {} outputs {} result {} rate {} decay {} batch {} epochs {} seed {} games {} positions {}",
            self.shape.hidden,
            self.shape.outputs,
            plan.result_part,
            plan.rate,
            plan.decay,
            plan.batch,
            plan.epochs,
            plan.seed,
            self.games,
            self.learnt.len()
        )
    }

    /// The mean loss of the validation positions.
    fn measure(&self, weights: &[f32]) -> f64 {
        self.total(self.held_out.len(), &|range| {
            let samples = self.held_out[range].iter().map(|sample| (sample, false));
            model::losses(self.shape, weights, &mut { samples }, None)
        }) / self.held_out.len() as f64
    }

    /// Sums the results of slices of some thousand positions, on all threads, in order.
    fn total(&self, count: usize, each: &(dyn Fn(std::ops::Range<usize>) -> f64 + Sync)) -> f64 {
        const PART: usize = 4096;
        let next = AtomicUsize::new(0);
        let parts = Mutex::new(vec![0.0; count.div_ceil(PART)]);
        std::thread::scope(|scope| {
            for _ in 0..self.plan.threads {
                scope.spawn(|| {
                    loop {
                        let part = next.fetch_add(1, Ordering::Relaxed);
                        let range = part * PART..count.min((part + 1) * PART);
                        if range.start >= count {
                            return;
                        }
                        let sum = each(range);
                        parts.lock().expect("nobody panics")[part] = sum;
                    }
                });
            }
        });
        parts.into_inner().expect("nobody panics").iter().sum()
    }

    /// Runs one epoch; returns the mean loss of its positions.
    fn epoch(&self, number: usize, descent: &mut Descent, slopes: &mut [Vec<f32>]) -> f64 {
        let mut random = fastrand::Rng::with_seed(zobrist::mix(self.plan.seed ^ zobrist::mix(1 + number as u64)));
        let mut order: Vec<u32> = (0..self.learnt.len() as u32).collect();
        random.shuffle(&mut order);
        let mirror = random.u64(..);
        let batches = order.len().div_ceil(self.plan.batch);
        let mut total = 0.0;
        for (batch, order) in order.chunks(self.plan.batch).enumerate() {
            let done = (number * batches + batch) as f64 / (self.plan.epochs * batches) as f64;
            let wave = (1.0 + (std::f64::consts::PI * done).cos()) / 2.0;
            let rate = f64::from(self.plan.rate) * (LAST_RATE + (1.0 - LAST_RATE) * wave);
            let parts: Vec<&[u32]> = order.chunks(order.len().div_ceil(SLICES)).collect();
            let losses = Mutex::new([0.0; SLICES]);
            {
                let work = Mutex::new(parts.iter().zip(slopes.iter_mut()).enumerate());
                let weights = &descent.weights;
                std::thread::scope(|scope| {
                    for _ in 0..self.plan.threads {
                        scope.spawn(|| {
                            loop {
                                let taken = work.lock().expect("nobody panics").next();
                                let Some((slice, (part, slopes))) = taken else { return };
                                let samples = part.iter().map(|&at| {
                                    let mirrored = zobrist::mix(mirror ^ u64::from(at)) & 1 == 1;
                                    (&self.learnt[at as usize], mirrored)
                                });
                                let loss = model::losses(self.shape, weights, &mut { samples }, Some(slopes));
                                losses.lock().expect("nobody panics")[slice] = loss;
                            }
                        });
                    }
                });
            }
            total += losses.into_inner().expect("nobody panics").iter().sum::<f64>();
            descent.step(self.shape, slopes, 1.0 / order.len() as f32, rate as f32);
        }
        total / order.len() as f64
    }

    /// The scale of a logit of 1 for which the network's values have the same spread as the hand-written evaluation, because the margins of the search are tuned for that.
    fn scale(&self, weights: &[f32]) -> Result<i32, String> {
        const TRIAL: i32 = 1000;
        let network = self.shape.round(weights, TRIAL)?;
        let (mut hand, mut own) = (0.0, 0.0);
        for sample in self.held_out.iter().filter(|sample| sample.hand.abs() < 1000) {
            hand += f64::from(sample.hand).abs();
            own += f64::from(network.judge_board(&sample.board())).abs() / f64::from(TRIAL);
        }
        Ok(if own > 0.0 { ((hand / own).round() as i32).clamp(20, 2000) } else { STEEPNESS as i32 })
    }

    /// The mean loss of the hand-written evaluation on some positions at a given scale.
    fn hand_loss<'a>(&self, samples: impl ExactSizeIterator<Item = &'a Sample>, steepness: f32) -> f64 {
        let count = samples.len() as f64;
        let miss = |sample: &Sample| {
            let guess = model::chance(f32::from(sample.hand) / steepness);
            f64::from((guess - self.shape.aim(sample)).powi(2))
        };
        samples.map(miss).sum::<f64>() / count
    }

    /// The scale at which the hand-written evaluation fits the training positions best.
    fn hand_steepness(&self) -> f32 {
        let tried = (8..30).map(|tens| tens as f32 * 20.0);
        let losses = tried.map(|steepness| (self.hand_loss(self.learnt.iter().step_by(8), steepness), steepness));
        losses.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(STEEPNESS, |(_, steepness)| steepness)
    }
}

impl NetworkTrainer for Trainer {
    fn add(&mut self, game: &[u8]) -> Result<(), String> {
        let game = selfplay::read(game)?;
        // The choice depends only on the moves of the game, so it stays the same when games are added.
        let key = game.plies.iter().take(40).fold(game.first_scored().hash(), |key, (mv, _)| zobrist::mix(key ^ u64::from(mv.0)));
        let samples = if key.is_multiple_of(HELD_OUT) { &mut self.held_out } else { &mut self.learnt };
        sample::add(&game, samples);
        self.games += 1;
        Ok(())
    }

    fn train(&mut self, report: &mut dyn Write) -> Result<(), Unfit> {
        if self.learnt.is_empty() || self.held_out.is_empty() {
            return Err(Unfit::NoPositions);
        }
        let name = self.name();
        let file = |name: &str| self.plan.out.join(name);
        writeln!(
            report,
            "{} games: {} positions to learn from, {} held out",
            self.games,
            self.learnt.len(),
            self.held_out.len()
        )?;
        let steepness = self.hand_steepness();
        let hand = self.hand_loss(self.held_out.iter(), steepness);
        writeln!(report, "the hand-written evaluation: loss {hand:.6} on those held out, at a steepness of {steepness:.0}")?;
        let path = file("checkpoint");
        let mut checkpoint = match Checkpoint::read(&path, &name, self.shape.weights())? {
            Some(found) => {
                writeln!(report, "continued after epoch {}", found.losses.len())?;
                found
            }
            None => {
                let random = || self.shape.begin(&mut fastrand::Rng::with_seed(zobrist::mix(self.plan.seed)));
                let weights = self.from.as_ref().map_or_else(random, |network| self.shape.weights_of(network));
                if self.from.is_some() {
                    writeln!(report, "the network to begin with: loss {:.6} on those held out", self.measure(&weights))?;
                }
                Checkpoint { losses: Vec::new(), descent: Descent::new(weights) }
            }
        };
        let mut slopes = vec![vec![0.0; self.shape.weights()]; SLICES];
        for epoch in checkpoint.losses.len()..self.plan.epochs {
            let begun = Instant::now();
            let loss = self.epoch(epoch, &mut checkpoint.descent, &mut slopes);
            let held_out = self.measure(&checkpoint.descent.weights);
            checkpoint.losses.push([loss, held_out]);
            checkpoint.write(&path, &name)?;
            let speed = self.learnt.len() as f64 / begun.elapsed().as_secs_f64().max(1e-3);
            writeln!(report, "epoch {}: loss {loss:.6}, held out {held_out:.6}, {speed:.0} positions a second", epoch + 1)?;
            let curve = |which: usize| checkpoint.losses.iter().map(|losses| losses[which]).collect::<Vec<f64>>();
            let hand = ("hand-written, held out", vec![hand; checkpoint.losses.len()]);
            let curves = [("learnt from", curve(0)), ("held out", curve(1)), hand];
            std::fs::write(file("losses.svg"), chart::draw(&name, &curves))?;
        }
        let weights = &checkpoint.descent.weights;
        let scale = self.scale(weights).map_err(Unfit::Failed)?;
        let network = self.shape.round(weights, scale).map_err(Unfit::Failed)?;
        let path = file("xiangqi.network");
        std::fs::write(&path, network.write())?;
        writeln!(report, "{} written; a logit of 1 is worth {scale} hundredths of a soldier", path.display())?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qiju_core::table::Evaluation;
    use std::path::Path;

    fn plan(out: &Path, threads: usize, epochs: usize) -> NetworkPlan {
        NetworkPlan {
            from: None,
            hidden: Some(32),
            outputs: Some(4),
            epochs,
            batch: 256,
            rate: 4e-3,
            result_part: 0.3,
            decay: 0.01,
            seed: 5,
            threads,
            out: out.to_owned(),
        }
    }

    fn trained(plan: NetworkPlan, games: &[Vec<u8>]) -> String {
        let mut trainer = Trainer::new(plan).unwrap();
        games.iter().for_each(|game| trainer.add(game).unwrap());
        let mut report = Vec::new();
        trainer.train(&mut report).unwrap();
        String::from_utf8(report).unwrap()
    }

    fn loss(report: &str, epoch: usize) -> f64 {
        let line = report.lines().find(|line| line.starts_with(&format!("epoch {epoch}:"))).unwrap();
        line.split("loss ").nth(1).unwrap().split(',').next().unwrap().parse().unwrap()
    }

    #[test]
    fn a_small_set_is_learnt_and_a_killed_training_continues() {
        let mut player = selfplay::Games::new(20, &Evaluation::Hand);
        let games: Vec<Vec<u8>> = (0..90).map(|seed| selfplay::write(&player.play(seed))).collect();
        let folders: Vec<_> = (0..4).map(|_| tempfile::tempdir().unwrap()).collect();
        let report = trained(plan(folders[0].path(), 2, 12), &games);
        let (first, last) = (loss(&report, 1), loss(&report, 12));
        assert!(last < 0.012 && last < first / 3.0, "{report}");
        let file = |folder: usize, name: &str| std::fs::read(folders[folder].path().join(name)).unwrap();
        let network = Network::read(&file(0, "xiangqi.network")).unwrap();
        assert_eq!((network.hidden, network.outputs), (32, 4));
        assert!(String::from_utf8(file(0, "losses.svg")).unwrap().contains("held out"));
        // One thread gives the same result.
        trained(plan(folders[1].path(), 1, 12), &games);
        assert_eq!(file(1, "xiangqi.network"), file(0, "xiangqi.network"));
        // A run that was killed after its fifth epoch.
        let mut trainer = Trainer::new(plan(folders[2].path(), 2, 12)).unwrap();
        games.iter().for_each(|game| trainer.add(game).unwrap());
        let mut report = StopAfter { epochs: 5, told: Vec::new() };
        assert!(trainer.train(&mut report).is_err());
        let report = trained(plan(folders[2].path(), 2, 12), &games);
        assert!(report.contains("continued after epoch 5") && !report.contains("epoch 5:"), "{report}");
        assert_eq!(file(2, "xiangqi.network"), file(0, "xiangqi.network"));
        // A training that begins with a network begins with its weights and its sizes.
        let from = Some(file(0, "xiangqi.network"));
        let report = trained(NetworkPlan { from, hidden: Some(64), rate: 0.0, ..plan(folders[3].path(), 2, 1) }, &games);
        assert!(report.contains("the network to begin with: loss 0.0"), "{report}");
        assert_eq!(file(3, "xiangqi.network"), file(0, "xiangqi.network"));
        let damaged = Some(b"no network".to_vec());
        assert!(Trainer::new(NetworkPlan { from: damaged, ..plan(folders[3].path(), 2, 1) }).is_err());
        // A checkpoint of another plan is refused.
        let mut trainer = Trainer::new(plan(folders[2].path(), 2, 13)).unwrap();
        games.iter().for_each(|game| trainer.add(game).unwrap());
        let told = trainer.train(&mut Vec::new()).unwrap_err().to_string();
        assert!(told.contains("another training"), "{told}");
    }

    /// A report that fails when an epoch is reported.
    struct StopAfter {
        epochs: usize,
        told: Vec<u8>,
    }

    impl Write for StopAfter {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.told.extend(bytes);
            let last = format!("epoch {}:", self.epochs);
            if self.told.windows(last.len()).any(|part| part == last.as_bytes()) {
                return Err(std::io::Error::other("enough"));
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_cannot_be_trained_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let new = |change: fn(&mut NetworkPlan)| {
            let mut plan = plan(folder.path(), 1, 1);
            change(&mut plan);
            Trainer::new(plan)
        };
        assert!(new(|plan| plan.hidden = Some(40)).err().unwrap().contains("multiple of 32"));
        assert!(new(|plan| plan.outputs = Some(9)).err().unwrap().contains("between 1 and 8"));
        let mut trainer = new(|_| {}).unwrap();
        assert!(trainer.add(b"no game").is_err());
        assert!(matches!(trainer.train(&mut Vec::new()), Err(Unfit::NoPositions)));
    }
}
