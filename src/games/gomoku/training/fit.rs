//! Fits the values of points and of stances to games, by logistic regression.
//!
//! For each quiet position (without a five, an open four or a win by fours), the codes of the points of both sides are counted and the
//! stance is recorded. The weights that best predict the result for the side to move become the values. The target of a position is a mean of
//! the search scores of this and the later positions, with decreasing weight, and of the final result. It stops before a random move, because
//! the moves after that say nothing about the position. This is Texel's tuning method (Österlund, 2014) with the returns of TD(λ) (Sutton, 1988)
//! as targets.
//!
//! A weight is the shipped value and a sum of changes that are pulled to zero: one of the code's family, one of the code, and one of the code in
//! this set of values. So rare codes change with their family, and sets with few games with the others.

use super::selfplay::{Game, PROVEN};
use crate::games::gomoku::engine::evaluation;
use crate::games::gomoku::engine::threats;
use crate::games::gomoku::engine::values::{self, STANCES, Set, TEMPO, Values};
use crate::games::gomoku::engine::vcf::Vcf;
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::{CODES, Class, FAMILIES, families};
use crate::games::gomoku::rules::rule::Rule;
use crate::games::training::{Adam, Table, Unfit, chance};
use crate::rules::Position;
use std::io::{self, Write};

/// The scale of the scores; about three times this is a certain win.
const SCALE: f64 = 250.0;
/// The weight of a position's own score in its target; the rest is from the later positions.
const TRUST: f64 = 0.3;
/// The fitted weights are multiplied by this, because the margins of the search are tuned for values of this size.
const SIZE: f64 = 0.85;
/// The number of stones of the first position that is used.
const OPENING: usize = 5;
/// One game in this many is used for validation only.
const TESTED: usize = 16;
/// The node budget of the search for a win by fours that makes a position not quiet.
const FOURS: u64 = 200;
const EPOCHS: usize = 6;
const BATCH: usize = 512;
const RATE: f64 = 0.002;
/// The regularisation: keeps the changes of rare codes small.
const HOLD: f64 = 2e-5;

/// The weights of one set: a point's codes if its side is to move and if not, and stances.
const WAITER_AT: usize = CODES;
const STANCES_AT: usize = 2 * CODES;
const WEIGHTS: usize = STANCES_AT + STANCES;
/// The changes: families, codes and stances, then the weights of each set.
const CODES_AT: usize = 2 * FAMILIES;
const SETS_AT: usize = CODES_AT + WEIGHTS;
const CHANGES: usize = SETS_AT + 4 * WEIGHTS;

/// A quiet position: how often each code occurs, the stance, and the target for the side to move.
struct Sample {
    /// The sets of the side to move and of the other side.
    sets: [u8; 2],
    stance: u16,
    tested: bool,
    goal: f32,
    counts: Box<[(u16, i8)]>,
}

impl Sample {
    /// The weights with their counts.
    fn terms(&self) -> impl Iterator<Item = (usize, f64)> {
        let [mover, waiter] = self.sets.map(|set| usize::from(set) * WEIGHTS);
        let codes = self.counts.iter().map(move |&(at, count)| {
            let from = if usize::from(at) < WAITER_AT { mover } else { waiter };
            (from + usize::from(at), f64::from(count))
        });
        codes.chain(std::iter::once((mover + STANCES_AT + usize::from(self.stance), 1.0)))
    }

    fn value(&self, weights: &[f64]) -> f64 {
        self.terms().map(|(at, count)| weights[at] * count).sum()
    }
}

/// The file of values that fits the games best.
///
/// # Errors
/// There are no quiet positions, or the report cannot be written.
pub fn fit(games: &[Game], report: &mut dyn Write) -> Result<Vec<Table>, Unfit> {
    let mut sets = values::all().clone();
    let samples = samples(games);
    if samples.is_empty() {
        return Err(Unfit::NoPositions);
    }
    let weights = descend(&samples, &sets, report)?;
    let written = |at: usize| (weights[at] * SCALE * SIZE).round() as i16;
    for (values, from) in sets.iter_mut().zip((0..).step_by(WEIGHTS)) {
        for (code, row) in values.codes.iter_mut().enumerate() {
            (row[0], row[1]) = (written(from + code), written(from + WAITER_AT + code));
        }
        for (stance, worth) in values.stances.iter_mut().enumerate() {
            // The evaluation adds the value of the side to move itself.
            *worth = written(from + STANCES_AT + stance) - TEMPO as i16;
        }
    }
    Ok(vec![("gomoku.values", values::write(&sets))])
}

/// The winning chance of a score.
pub fn chance_of(score: i32) -> f64 {
    if score >= PROVEN { 1.0 } else { chance(f64::from(score), SCALE) }
}

/// The target of each ply, for its side to move.
pub fn goals(game: &Game) -> Vec<f64> {
    let mut goals = vec![0.5; game.plies.len()];
    let mut next: Option<f64> = None;
    for (at, ply) in game.plies.iter().enumerate().rev() {
        let mover = (game.opening.len() + at) % 2;
        let after = match next {
            Some(after) => 1.0 - after,
            None if game.winner > 1 => 0.5,
            None => f64::from(u8::from(game.winner == mover)),
        };
        let own = chance_of(ply.score);
        let goal = if ply.played != ply.best || ply.score >= PROVEN { own } else { TRUST * own + (1.0 - TRUST) * after };
        goals[at] = goal;
        next = Some(goal);
    }
    goals
}

/// True if neither side has a five to make or an open four, and the side to move no win by fours that is found with few nodes.
pub fn is_quiet(board: &mut Board, fours: &mut Vcf) -> bool {
    threats::forced(board).is_none()
        && board.count(board.side_to_move(), Class::OpenFour) == 0
        && fours.wins(board, FOURS).is_none()
}

fn samples(games: &[Game]) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut fours = Vcf::new(12);
    for (number, game) in games.iter().enumerate() {
        let mut board = game.start();
        game.opening.iter().for_each(|&spot| board.make(spot));
        for (ply, goal) in game.plies.iter().zip(goals(game)) {
            if is_quiet(&mut board, &mut fours) && board.stone_count() > OPENING {
                samples.push(sample(&board, game.rule, goal, number % TESTED == 0));
            }
            board.make(ply.played);
        }
    }
    samples
}

fn sample(board: &Board, rule: Rule, goal: f64, tested: bool) -> Sample {
    let side = board.side_to_move();
    let mut all = [0i16; STANCES_AT];
    for spot in board.empty().iter() {
        all[usize::from(board.code(spot, side))] += 1;
        all[WAITER_AT + usize::from(board.code(spot, !side))] -= 1;
    }
    let counts = all.iter().enumerate().filter(|(_, count)| **count != 0);
    Sample {
        sets: [side, !side].map(|side| Set::of(rule, side) as u8),
        stance: evaluation::stance(board) as u16,
        tested,
        goal: goal as f32,
        counts: counts.map(|(at, count)| (at as u16, (*count).clamp(-127, 127) as i8)).collect(),
    }
}

/// The mean logistic loss on the validation positions: of each set whose side is to move, and of all.
fn losses(weights: &[f64], samples: &[Sample]) -> String {
    let mut sums = [(0.0, 0usize); 5];
    for sample in samples.iter().filter(|sample| sample.tested) {
        let p = chance(sample.value(weights), 1.0).clamp(1e-7, 1.0 - 1e-7);
        let goal = f64::from(sample.goal);
        for at in [usize::from(sample.sets[0]), 4] {
            sums[at].0 -= goal * p.ln() + (1.0 - goal) * (1.0 - p).ln();
            sums[at].1 += 1;
        }
    }
    let names = Set::ALL.iter().map(|(_, name)| *name).chain(["all"]);
    let told = names.zip(sums).map(|(name, (sum, count))| format!("{name} {:.4}", sum / count.max(1) as f64));
    told.collect::<Vec<_>>().join(", ")
}

/// The changes that a weight is the sum of, besides the shipped value.
fn changes_of(weight: usize, set: usize) -> [Option<usize>; 3] {
    let family = (weight < STANCES_AT).then(|| weight / CODES * FAMILIES + usize::from(families()[weight % CODES]));
    [family, Some(CODES_AT + weight), Some(SETS_AT + set * WEIGHTS + weight)]
}

/// The weights of all sets with the least logistic loss.
fn descend(samples: &[Sample], sets: &[Values; 4], report: &mut dyn Write) -> io::Result<Vec<f64>> {
    let start = starting_weights(sets);
    let mut changes = vec![0.0; CHANGES];
    let weights = |changes: &[f64]| -> Vec<f64> {
        let change = |at: usize| changes_of(at % WEIGHTS, at / WEIGHTS).iter().flatten().map(|&part| changes[part]).sum::<f64>();
        start.iter().enumerate().map(|(at, start)| start + change(at)).collect()
    };
    writeln!(report, "evaluation: {} positions; losses before: {}", samples.len(), losses(&start, samples))?;
    let mut random = fastrand::Rng::with_seed(7);
    let mut order: Vec<usize> = (0..samples.len()).filter(|&index| !samples[index].tested).collect();
    let steps = EPOCHS * order.len().div_ceil(BATCH);
    let mut adam = Adam::new(CHANGES);
    let mut step = 0;
    for epoch in 1..=EPOCHS {
        random.shuffle(&mut order);
        for batch in order.chunks(BATCH) {
            let weights = weights(&changes);
            let mut slopes = vec![0f64; 4 * WEIGHTS];
            for sample in batch.iter().map(|&index| &samples[index]) {
                let off = chance(sample.value(&weights), 1.0) - f64::from(sample.goal);
                sample.terms().for_each(|(at, count)| slopes[at] += off * count);
            }
            let mut gradient: Vec<f64> = changes.iter().map(|change| HOLD * change).collect();
            for (at, slope) in slopes.iter().enumerate().filter(|(_, slope)| **slope != 0.0) {
                let slope = slope / batch.len() as f64;
                changes_of(at % WEIGHTS, at / WEIGHTS).iter().flatten().for_each(|&part| gradient[part] += slope);
            }
            step += 1;
            adam.step(&mut changes, &gradient, RATE * (1.0 - f64::from(step) / (steps as f64 * 1.02)));
        }
        writeln!(report, "round {epoch}: {}", losses(&weights(&changes), samples))?;
    }
    Ok(weights(&changes))
}

fn starting_weights(sets: &[Values; 4]) -> Vec<f64> {
    let mut weights = Vec::with_capacity(4 * WEIGHTS);
    for values in sets {
        weights.extend(values.codes.iter().map(|row| f64::from(row[0]) / SCALE));
        weights.extend(values.codes.iter().map(|row| f64::from(row[1]) / SCALE));
        weights.extend(values.stances.iter().map(|worth| (f64::from(*worth) + f64::from(TEMPO)) / SCALE));
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::training::selfplay;

    #[test]
    fn a_target_includes_scores_up_to_the_first_random_move() {
        let game = selfplay::read("w h8i9 g7:0 h9:250 j10:0:a1 f6:10000").unwrap();
        let goals = goals(&game);
        // White won and moves second and fourth. The random move of black separates the earlier positions from the result.
        assert_eq!((goals[3], goals[2]), (1.0, 0.5));
        let second = TRUST * chance_of(250) + (1.0 - TRUST) * 0.5;
        assert!((goals[1] - second).abs() < 1e-6, "{goals:?}");
        assert!((goals[0] - (TRUST * 0.5 + (1.0 - TRUST) * (1.0 - second))).abs() < 1e-6, "{goals:?}");
    }

    #[test]
    fn values_are_fitted_to_games() {
        let (mut engine, mut random) = (selfplay::engine(&crate::table::Evaluation::Hand), fastrand::Rng::with_seed(5));
        let games: Vec<Game> = (0..16).map(|_| selfplay::play(&mut engine, 300, &mut random)).collect();
        let tables = fit(&games, &mut Vec::new()).unwrap();
        let [("gomoku.values", text)] = &tables[..] else { panic!("{tables:?}") };
        let sets = values::read(text).unwrap();
        for (values, shipped) in sets.iter().zip(values::all()) {
            assert_ne!(values.codes, shipped.codes);
        }
    }
}
