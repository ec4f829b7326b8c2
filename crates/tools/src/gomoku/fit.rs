//! Fits the values of points and of stances to positions, by logistic regression.
//!
//! For each leaf of a search (see [`positions`](super::positions)) in which the evaluation is asked, the codes of the points of both sides are counted, now and before the last move, and the stance is
//! recorded. The weights that best predict the score of its own search become the values. This is Texel's tuning method (Österlund, 2014).
//!
//! A weight is the shipped value and a sum of changes that are pulled to zero: one of the code's family, one of the code, and one of the code in
//! this set of values. So rare codes change with their family, and sets with few positions with the others.

use super::ordering;
use super::positions::{self, Judged, Nodes};
use super::selfplay::Game;
use crate::training::descent::{self, Objective, Plan, Telling};
use crate::training::{Table, Unfit, chance};
use qiju_core::games::gomoku::engine::evaluation;
use qiju_core::games::gomoku::engine::values::{self, STANCES, Set, Values};
use qiju_core::games::gomoku::rules::board::Board;
use qiju_core::games::gomoku::rules::classes::{CODES, FAMILIES, families};
use qiju_core::rules::{Position, Side};
use qiju_core::storage::crc32;
use std::io::Write;
use std::path::Path;

/// The scale of the scores; about three times this is a certain win.
const SCALE: f64 = 250.0;
const EPOCHS: usize = 12;
const BATCH: usize = 512;
const RATE: f32 = 0.005;
/// The regularisation: keeps the changes of rare codes small.
const HOLD: f32 = 2e-5;

/// The weights of one set: the codes, then the stances.
const STANCES_AT: usize = CODES;
const WEIGHTS: usize = STANCES_AT + STANCES;
/// The changes: families, codes and stances, then the weights of each set.
const CODES_AT: usize = FAMILIES;
const SETS_AT: usize = CODES_AT + WEIGHTS;
const CHANGES: usize = SETS_AT + 4 * WEIGHTS;

/// A position: how often each code occurs, the stance, and the target for the side to move.
struct Sample {
    /// The sets of the side to move and of the other side.
    sets: [u8; 2],
    stance: u16,
    tested: bool,
    goal: f32,
    /// For each side: the codes, with the sum of their numbers now and before the last move.
    counts: [Box<[(u16, u8)]>; 2],
}

impl Sample {
    /// The weights with their counts.
    fn terms(&self) -> impl Iterator<Item = (usize, f64)> {
        let codes = [0.5, -0.5].into_iter().zip(&self.counts).zip(self.sets).flat_map(|((sign, counts), set)| {
            counts.iter().map(move |&(code, count)| (usize::from(set) * WEIGHTS + usize::from(code), sign * f64::from(count)))
        });
        codes.chain(std::iter::once((usize::from(self.sets[0]) * WEIGHTS + STANCES_AT + usize::from(self.stance), 1.0)))
    }

    fn value(&self, weights: &[f64]) -> f64 {
        self.terms().map(|(at, count)| weights[at] * count).sum()
    }

    /// The logistic loss.
    fn loss(&self, weights: &[f64]) -> f64 {
        let p = chance(self.value(weights), 1.0).clamp(1e-7, 1.0 - 1e-7);
        let goal = f64::from(self.goal);
        -(goal * p.ln() + (1.0 - goal) * (1.0 - p).ln())
    }
}

/// The file of values that fits the games best.
///
/// # Errors
/// There are no positions, the folder has leaves of other games, or a file or the report cannot be written.
pub fn fit(games: &[Game], nodes: Nodes, folder: &Path, report: &mut dyn Write) -> Result<Vec<Table>, Unfit> {
    let mut sets = values::all().clone();
    let judged = positions::of_searches(games, nodes, folder, report)?;
    let samples: Vec<Sample> = judged.iter().filter_map(sample).collect();
    if samples.is_empty() {
        return Err(Unfit::NoPositions);
    }
    let weights = descend(samples, games.len(), &sets, folder, report)?;
    let written = |at: usize| (weights[at] * SCALE).round() as i16;
    for (values, from) in sets.iter_mut().zip((0..).step_by(WEIGHTS)) {
        for (code, row) in values.codes.iter_mut().enumerate() {
            row.worth = written(from + code);
        }
        for (stance, worth) in values.stances.iter_mut().enumerate() {
            *worth = written(from + STANCES_AT + stance);
        }
    }
    ordering::fit(games, &judged, &mut sets, folder, report)?;
    Ok(vec![("gomoku.values", values::write(&sets))])
}

fn sample(judged: &Judged) -> Option<Sample> {
    let boards: [Board; 2] = judged.boards();
    let board = &boards[0];
    if !positions::is_learnt(board) {
        return None;
    }
    let side = board.side_to_move();
    let counts = [side, !side].map(|side: Side| {
        let mut all = [0u8; CODES];
        for board in &boards {
            board.empty().iter().for_each(|spot| {
                all[usize::from(board.code(spot, side))] = all[usize::from(board.code(spot, side))].saturating_add(1)
            });
        }
        all.iter().enumerate().filter(|(_, count)| **count > 0).map(|(code, count)| (code as u16, *count)).collect()
    });
    Some(Sample {
        sets: [side, !side].map(|side| Set::of(judged.rule, side) as u8),
        stance: evaluation::stance(board) as u16,
        tested: judged.tested,
        goal: chance(f64::from(judged.score), SCALE) as f32,
        counts,
    })
}

/// The mean logistic loss on the validation positions: of each set whose side is to move, and of all.
fn losses(weights: &[f64], samples: &[Sample]) -> String {
    let mut sums = [(0.0, 0usize); 5];
    for sample in samples {
        for at in [usize::from(sample.sets[0]), 4] {
            sums[at].0 += sample.loss(weights);
            sums[at].1 += 1;
        }
    }
    let names = Set::ALL.iter().map(|(_, name)| *name).chain(["all"]);
    let told = names.zip(sums).map(|(name, (sum, count))| format!("{name} {:.4}", sum / count.max(1) as f64));
    told.collect::<Vec<_>>().join(", ")
}

/// The changes that a weight is the sum of, besides the shipped value.
fn changes_of(weight: usize, set: usize) -> [Option<usize>; 3] {
    let family = (weight < STANCES_AT).then(|| usize::from(families()[weight]));
    [family, Some(CODES_AT + weight), Some(SETS_AT + set * WEIGHTS + weight)]
}

/// The positions, and the weights to begin with.
struct Fitting {
    learnt: Vec<Sample>,
    tested: Vec<Sample>,
    start: Vec<f64>,
}

impl Fitting {
    fn weights(&self, changes: &[f32]) -> Vec<f64> {
        let change =
            |at| changes_of(at % WEIGHTS, at / WEIGHTS).iter().flatten().map(|&part| f64::from(changes[part])).sum::<f64>();
        self.start.iter().enumerate().map(|(at, start)| start + change(at)).collect()
    }
}

impl Objective for Fitting {
    fn examples(&self) -> usize {
        self.learnt.len()
    }

    fn learn(&self, changes: &[f32], examples: &[u32], _: u64, gradient: &mut [f32]) -> f64 {
        let weights = self.weights(changes);
        let mut slopes = vec![0f64; weights.len()];
        let mut loss = 0.0;
        for sample in examples.iter().map(|&at| &self.learnt[at as usize]) {
            let off = chance(sample.value(&weights), 1.0) - f64::from(sample.goal);
            sample.terms().for_each(|(at, count)| slopes[at] += off * count);
            loss += sample.loss(&weights);
        }
        for (slope, change) in gradient.iter_mut().zip(changes) {
            *slope += HOLD * change * examples.len() as f32;
        }
        for (at, slope) in slopes.iter().enumerate().filter(|(_, slope)| **slope != 0.0) {
            changes_of(at % WEIGHTS, at / WEIGHTS).iter().flatten().for_each(|&part| gradient[part] += *slope as f32);
        }
        loss
    }

    fn held_out(&self, changes: &[f32]) -> Option<f64> {
        let weights = self.weights(changes);
        let sum: f64 = self.tested.iter().map(|sample| sample.loss(&weights)).sum();
        (!self.tested.is_empty()).then(|| sum / self.tested.len() as f64)
    }

    fn rate(&self, done: f64) -> f64 {
        1.0 - done / 1.02
    }
}

/// The weights of all sets with the least logistic loss.
fn descend(
    samples: Vec<Sample>,
    games: usize,
    sets: &[Values; 4],
    folder: &Path,
    report: &mut dyn Write,
) -> Result<Vec<f64>, Unfit> {
    writeln!(report, "evaluation: {} positions", samples.len())?;
    let (tested, learnt) = samples.into_iter().partition(|sample| sample.tested);
    let fitting = Fitting { learnt, tested, start: starting_weights(sets) };
    writeln!(report, "losses before: {}", losses(&fitting.start, &fitting.tested))?;
    let plan = Plan { epochs: EPOCHS, batch: BATCH, rate: RATE, decay: 0.0, seed: 7, threads: 1, out: folder.to_owned() };
    let name = format!("gomoku's values after {:08x} games {games}", crc32([values::write(sets).as_bytes()]));
    let telling = Telling { checkpoint: "values.checkpoint", name, every: 1, chart: None };
    let changes = descent::descend(&fitting, vec![0.0; CHANGES], &plan, &telling, report)?;
    let weights = fitting.weights(&changes);
    writeln!(report, "losses after: {}", losses(&weights, &fitting.tested))?;
    Ok(weights)
}

fn starting_weights(sets: &[Values; 4]) -> Vec<f64> {
    let mut weights = Vec::with_capacity(4 * WEIGHTS);
    for values in sets {
        weights.extend(values.codes.iter().map(|row| f64::from(row.worth) / SCALE));
        weights.extend(values.stances.iter().map(|worth| f64::from(*worth) / SCALE));
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gomoku::selfplay;
    use qiju_core::table::Evaluation;

    #[test]
    fn values_are_fitted_to_positions_of_searches() {
        let (mut engine, mut random) = (selfplay::engine(&Evaluation::Hand), fastrand::Rng::with_seed(5));
        let games: Vec<Game> = (0..12).map(|_| selfplay::play(&mut engine, 200, &mut random)).collect();
        let nodes = Nodes { searching: 200, judging: 300 };
        let folder = tempfile::tempdir().unwrap();
        let fitted = || {
            let mut report = Vec::new();
            let tables = fit(&games, nodes, folder.path(), &mut report).unwrap();
            let [("gomoku.values", text)] = &tables[..] else { panic!("{tables:?}") };
            (text.clone(), String::from_utf8(report).unwrap())
        };
        let (text, report) = fitted();
        let sets = values::read(&text).unwrap();
        for (values, shipped) in sets.iter().zip(values::all()) {
            assert_ne!(values.codes, shipped.codes, "{report}");
        }
        // The same games give the same values, and a run that was stopped is continued.
        let leaves = folder.path().join("leaves.games");
        let whole = std::fs::read(&leaves).unwrap();
        std::fs::write(&leaves, &whole[..whole.len() * 2 / 3]).unwrap();
        assert_eq!(fitted().0, text);
        assert!(std::fs::read(&leaves).unwrap() == whole);
        let error = fit(&games[1..], nodes, folder.path(), &mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains("leaves.games: it holds games of gomoku-leaves at 300 nodes"), "{error}");
    }
}
