//! The loop of every training: epochs of steps over shuffled examples, with a checkpoint after each epoch.
//!
//! A batch is split into slices, whose gradients are added in order, so the result does not depend on the number of threads. The order of an epoch follows
//! from the seed and its number, so the result does not depend on interruptions either.

use super::adam::{Adam, Stride};
use super::checkpoint::Checkpoint;
use super::{Unfit, chart};
use qiju_core::rules::zobrist;
use qiju_core::storage::crc32;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use web_time::Instant;

/// What weights are trained for: examples, and how well weights explain them.
pub trait Objective: Sync {
    /// The number of examples to learn from.
    fn examples(&self) -> usize;

    /// The sum of the losses of these examples, by their numbers; adds their gradients to `slopes`. `noise` is drawn anew for each epoch.
    fn learn(&self, weights: &[f32], examples: &[u32], noise: u64, slopes: &mut [f32]) -> f64;

    /// The mean loss of the examples that are held out; `None` if none are.
    fn held_out(&self, weights: &[f32]) -> Option<f64>;

    /// The learning rate as a part of the first, when this part of all steps (from 0 to 1) is done.
    fn rate(&self, done: f64) -> f64;

    /// The number of slices of a batch, each with its own gradients: the most threads that can help.
    fn slices(&self) -> usize {
        1
    }

    /// Ranges of weights one after the other, each by its end and the largest absolute value of its weights.
    fn bounds(&self, weights: usize) -> Vec<(usize, f32)> {
        vec![(weights, f32::INFINITY)]
    }
}

/// How weights are trained.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The number of passes over all examples.
    pub epochs: usize,
    /// The number of examples per step.
    pub batch: usize,
    /// Learning rate of the first step.
    pub rate: f32,
    /// How strongly weights are pulled to zero, as a part of the learning rate.
    pub decay: f32,
    /// The seed for the order of examples and the initial weights.
    pub seed: u64,
    /// The number of threads.
    pub threads: usize,
    /// The folder for the checkpoint, the loss curves and what is trained.
    pub out: PathBuf,
}

/// What the loop writes besides the weights.
pub struct Telling<'a> {
    /// The name of the checkpoint's file.
    pub checkpoint: &'a str,
    /// What is trained; a checkpoint of something else is refused.
    pub name: String,
    /// The epochs from one line of the report to the next.
    pub every: usize,
    /// A loss to compare with, and its name in the chart of losses; without it no chart is drawn.
    pub chart: Option<(&'a str, f64)>,
}

/// A learning rate that falls along half a cosine to a hundredth.
pub fn cosine(done: f64) -> f64 {
    const LAST: f64 = 0.01;
    LAST + (1.0 - LAST) * (1.0 + (std::f64::consts::PI * done).cos()) / 2.0
}

/// Trains weights, and returns them. It continues from the checkpoint, if there is one. Progress is written to `report`.
///
/// # Errors
/// A file or the report cannot be written, or the checkpoint is damaged or of another training.
pub fn descend(
    objective: &dyn Objective,
    initial: Vec<f32>,
    plan: &Plan,
    telling: &Telling,
    report: &mut dyn Write,
) -> Result<Vec<f32>, Unfit> {
    let bytes: Vec<u8> = initial.iter().flat_map(|weight| weight.to_le_bytes()).collect();
    let Plan { epochs, batch, rate, decay, seed, .. } = plan;
    let name = format!(
        "{} from {:08x} examples {} rate {rate} decay {decay} batch {batch} epochs {epochs} seed {seed}",
        telling.name,
        crc32([&bytes[..]]),
        objective.examples()
    );
    let path = plan.out.join(telling.checkpoint);
    let mut checkpoint = match Checkpoint::read(&path, &name, initial.len())? {
        Some(found) => {
            writeln!(report, "continued after epoch {}", found.losses.len())?;
            found
        }
        None => Checkpoint { losses: Vec::new(), adam: Adam::new(initial) },
    };
    let mut slopes = vec![vec![0.0; checkpoint.adam.weights.len()]; objective.slices()];
    for number in checkpoint.losses.len()..plan.epochs {
        let begun = Instant::now();
        let loss = epoch(objective, number, plan, &mut checkpoint.adam, &mut slopes);
        let held_out = objective.held_out(&checkpoint.adam.weights);
        checkpoint.losses.push([loss, held_out.unwrap_or(f64::NAN)]);
        checkpoint.write(&path, &name)?;
        if number % telling.every == 0 || number + 1 == plan.epochs {
            let held_out = held_out.map_or_else(String::new, |loss| format!(", held out {loss:.6}"));
            let speed = objective.examples() as f64 / begun.elapsed().as_secs_f64().max(1e-3);
            writeln!(report, "epoch {}: loss {loss:.6}{held_out}, {speed:.0} examples a second", number + 1)?;
        }
        if let Some((other, loss)) = telling.chart {
            draw(&plan.out, &name, &checkpoint.losses, (other, loss))?;
        }
    }
    Ok(checkpoint.adam.weights)
}

/// Draws the losses so far beside another.
fn draw(folder: &Path, title: &str, losses: &[[f64; 2]], (name, loss): (&str, f64)) -> std::io::Result<()> {
    let curve = |which: usize| losses.iter().map(|losses| losses[which]).collect();
    let curves = [("learnt from", curve(0)), ("held out", curve(1)), (name, vec![loss; losses.len()])];
    std::fs::write(folder.join("losses.svg"), chart::draw(title, &curves))
}

/// Runs one epoch; returns the mean loss of its examples.
fn epoch(objective: &dyn Objective, number: usize, plan: &Plan, adam: &mut Adam, slopes: &mut [Vec<f32>]) -> f64 {
    let mut random = fastrand::Rng::with_seed(zobrist::mix(plan.seed ^ zobrist::mix(1 + number as u64)));
    let mut order: Vec<u32> = (0..objective.examples() as u32).collect();
    random.shuffle(&mut order);
    let noise = random.u64(..);
    let steps = plan.epochs * order.len().div_ceil(plan.batch);
    let bounds = objective.bounds(adam.weights.len());
    let mut total = 0.0;
    for batch in order.chunks(plan.batch) {
        let done = f64::from(adam.steps) / steps as f64;
        let stride = Stride { rate: (f64::from(plan.rate) * objective.rate(done)) as f32, decay: plan.decay, bounds: &bounds };
        let mut parts: Vec<_> =
            batch.chunks(batch.len().div_ceil(slopes.len())).zip(&mut *slopes).map(|part| (part, 0.0)).collect();
        {
            let work = Mutex::new(parts.iter_mut());
            let weights = &adam.weights;
            let help = || {
                loop {
                    let taken = work.lock().expect("nobody panics").next();
                    let Some(((examples, slopes), loss)) = taken else { return };
                    *loss = objective.learn(weights, examples, noise, slopes);
                }
            };
            std::thread::scope(|scope| {
                (1..plan.threads).for_each(|_| drop(scope.spawn(help)));
                help();
            });
        }
        total += parts.iter().map(|(_, loss)| loss).sum::<f64>();
        adam.step(slopes, 1.0 / batch.len() as f32, stride);
    }
    total / order.len() as f64
}

/// Sums what `each` returns for ranges of some thousand examples, on several threads, in order.
pub fn total(count: usize, threads: usize, each: &(dyn Fn(Range<usize>) -> f64 + Sync)) -> f64 {
    const PART: usize = 4096;
    let next = AtomicUsize::new(0);
    let parts = Mutex::new(vec![0.0; count.div_ceil(PART)]);
    std::thread::scope(|scope| {
        for _ in 0..threads {
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

#[cfg(test)]
pub mod tests {
    use super::*;
    use std::io;

    /// A report that fails after the line of an epoch.
    pub struct StopAfter {
        epoch: usize,
        told: Vec<u8>,
    }

    impl StopAfter {
        pub fn epoch(epoch: usize) -> Self {
            StopAfter { epoch, told: Vec::new() }
        }
    }

    impl Write for StopAfter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.told.extend(bytes);
            let last = format!("epoch {}:", self.epoch);
            if self.told.windows(last.len()).any(|part| part == last.as_bytes()) {
                return Err(io::Error::other("enough"));
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A straight line through points, with noise that must be the same when the training continues.
    struct Line;

    impl Objective for Line {
        fn examples(&self) -> usize {
            100
        }

        fn learn(&self, weights: &[f32], examples: &[u32], noise: u64, slopes: &mut [f32]) -> f64 {
            let miss = |&at: &u32| {
                let x = at as f32 / 100.0;
                let off = weights[0] + weights[1] * x - (3.0 - 2.0 * x) + (noise % 7) as f32 * 1e-3;
                slopes[0] += off;
                slopes[1] += off * x;
                f64::from(off * off)
            };
            examples.iter().map(miss).sum()
        }

        fn held_out(&self, _: &[f32]) -> Option<f64> {
            None
        }

        fn slices(&self) -> usize {
            4
        }

        fn rate(&self, done: f64) -> f64 {
            cosine(done)
        }
    }

    #[test]
    fn neither_threads_nor_interruptions_change_the_weights() {
        let trained = |threads: usize, stopped: Option<usize>| {
            let folder = tempfile::tempdir().unwrap();
            let plan = Plan { epochs: 60, batch: 30, rate: 0.3, decay: 0.0, seed: 4, threads, out: folder.path().to_owned() };
            let telling = Telling { checkpoint: "a", name: "a line".to_owned(), every: 1, chart: None };
            let train = |report: &mut dyn Write| descend(&Line, vec![0.0; 2], &plan, &telling, report);
            if let Some(epoch) = stopped {
                assert!(train(&mut StopAfter::epoch(epoch)).is_err());
            }
            let mut report = Vec::new();
            let weights = train(&mut report).unwrap();
            let report = String::from_utf8(report).unwrap();
            assert_eq!(report.lines().count(), stopped.map_or(60, |epoch| 61 - epoch), "{report}");
            weights
        };
        let weights = trained(1, None);
        assert!((weights[0] - 3.0).abs() < 0.05 && (weights[1] + 2.0).abs() < 0.05, "{weights:?}");
        assert_eq!(trained(3, None), weights);
        assert_eq!(trained(2, Some(7)), weights);
    }
}
