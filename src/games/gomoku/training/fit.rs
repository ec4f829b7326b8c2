//! Fits the tables of point values and of stances to games, by logistic regression.
//!
//! For each quiet position (without a five, an open four or a win by fours), the codes of the points of both sides are counted and the
//! stance is recorded. The weights that best predict the result for the side to move become the tables. The target of a position is a mean of
//! the search scores of this and the later positions, with decreasing weight, and of the final result. It stops before a random move, because
//! the moves after that say nothing about the position. This is Texel's tuning method (Österlund, 2014) with the returns of TD(λ) (Sutton, 1988)
//! as targets.

use super::selfplay::{self, Game, PROVEN};
use crate::games::gomoku::engine::evaluation;
use crate::games::gomoku::engine::threats;
use crate::games::gomoku::engine::values::{self, STANCES, TEMPO};
use crate::games::gomoku::engine::vcf::Vcf;
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::{CODES, Class};
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
const TESTED: usize = 8;
const EPOCHS: usize = 8;
const BATCH: usize = 512;
const RATE: f64 = 0.002;
/// The regularisation: keeps the weights of rare codes near their old values.
const HOLD: f64 = 5e-5;

/// Weights: codes of the side to move, codes of the other side, stances, and the side to move.
const WEIGHTS: usize = TEMPO_AT + 1;
const STANCES_AT: usize = 2 * CODES;
const TEMPO_AT: usize = STANCES_AT + STANCES;

/// A quiet position: the count of each weight, and the target for the side to move.
struct Sample {
    counts: Vec<(u16, f64)>,
    goal: f64,
    tested: bool,
}

/// The tables that fit the games best.
///
/// # Errors
/// There are no quiet positions, or the report cannot be written.
pub fn fit(games: &[Game], report: &mut dyn Write) -> Result<Vec<Table>, Unfit> {
    let samples = samples(games);
    if samples.is_empty() {
        return Err(Unfit::NoPositions);
    }
    let weights = descend(&samples, report)?;
    let written = |at: usize| (weights[at] * SCALE * SIZE).round() as i16;
    let mut standing = "# CODE MOVER WAITER: hundredths of an open two by a point's three strongest patterns\n".to_owned();
    standing += &format!("# fitted to {} positions of {} games\n", samples.len(), games.len());
    for code in 0..CODES {
        let [mover, waiter] = [code, code + CODES].map(written);
        if mover != 0 || waiter != 0 {
            standing += &format!("{code} {mover} {waiter}\n");
        }
    }
    let mut stances = "# STANCE WORTH: hundredths of an open two by the threats both sides have in hand\n".to_owned();
    // The evaluation adds the value of the side to move itself.
    let tempo = written(TEMPO_AT) - TEMPO as i16;
    for stance in 0..STANCES {
        let worth = written(STANCES_AT + stance) + tempo;
        if worth != 0 {
            stances += &format!("{stance} {worth}\n");
        }
    }
    Ok(vec![("standing.txt", standing), ("stances.txt", stances)])
}

/// The winning chance of a score.
fn chance_of(score: i32) -> f64 {
    if score >= PROVEN { 1.0 } else { chance(f64::from(score), SCALE) }
}

/// The target of each ply, for its side to move.
fn goals(game: &Game) -> Vec<f64> {
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

fn samples(games: &[Game]) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut fours = Vcf::new(12);
    for (number, game) in games.iter().enumerate() {
        let mut board = selfplay::start();
        game.opening.iter().for_each(|&spot| board.make(spot));
        for (ply, goal) in game.plies.iter().zip(goals(game)) {
            let side = board.side_to_move();
            let quiet = threats::forced(&board).is_none()
                && board.count(side, Class::OpenFour) == 0
                && fours.wins(&mut board, 200).is_none();
            if quiet && board.stone_count() > OPENING {
                samples.push(Sample { counts: counts(&board), goal, tested: number % TESTED == 0 });
            }
            board.make(ply.played);
        }
    }
    samples
}

fn counts(board: &Board) -> Vec<(u16, f64)> {
    let side = board.side_to_move();
    let mut all = vec![0f64; 2 * CODES];
    for spot in board.empty().iter() {
        all[usize::from(board.code(spot, side))] += 1.0;
        all[CODES + usize::from(board.code(spot, !side))] -= 1.0;
    }
    let mut counts: Vec<(u16, f64)> =
        all.iter().enumerate().filter(|(_, count)| **count != 0.0).map(|(code, count)| (code as u16, *count)).collect();
    counts.push(((STANCES_AT + evaluation::stance(board)) as u16, 1.0));
    counts.push((TEMPO_AT as u16, 1.0));
    counts
}

fn value(weights: &[f64], sample: &Sample) -> f64 {
    sample.counts.iter().map(|&(at, count)| weights[usize::from(at)] * count).sum()
}

/// The mean logistic loss on the validation positions.
fn loss(weights: &[f64], samples: &[Sample]) -> f64 {
    let (mut sum, mut count) = (0.0, 0usize);
    for sample in samples.iter().filter(|sample| sample.tested) {
        let p = chance(value(weights, sample), 1.0).clamp(1e-7, 1.0 - 1e-7);
        let goal = sample.goal;
        sum -= goal * p.ln() + (1.0 - goal) * (1.0 - p).ln();
        count += 1;
    }
    sum / count.max(1) as f64
}

/// The weights with the least logistic loss.
fn descend(samples: &[Sample], report: &mut dyn Write) -> io::Result<Vec<f64>> {
    let start = starting_weights();
    let mut weights = start.clone();
    writeln!(report, "{} positions; loss before: {:.4}", samples.len(), loss(&weights, samples))?;
    let mut random = fastrand::Rng::with_seed(7);
    let mut order: Vec<usize> = (0..samples.len()).filter(|&index| !samples[index].tested).collect();
    let steps = EPOCHS * order.len().div_ceil(BATCH);
    let mut adam = Adam::new(WEIGHTS);
    let mut step = 0;
    for epoch in 1..=EPOCHS {
        random.shuffle(&mut order);
        for batch in order.chunks(BATCH) {
            let mut gradient = vec![0f64; WEIGHTS];
            for sample in batch.iter().map(|&index| &samples[index]) {
                let off = chance(value(&weights, sample), 1.0) - sample.goal;
                for &(at, count) in &sample.counts {
                    gradient[usize::from(at)] += off * count;
                }
            }
            for (at, slope) in gradient.iter_mut().enumerate() {
                *slope = *slope / batch.len() as f64 + HOLD * (weights[at] - start[at]);
            }
            step += 1;
            adam.step(&mut weights, &gradient, RATE * (1.0 - f64::from(step) / (steps as f64 * 1.02)));
        }
        writeln!(report, "round {epoch}: {:.4}", loss(&weights, samples))?;
    }
    Ok(weights)
}

fn starting_weights() -> Vec<f64> {
    let mut weights = vec![0.0; WEIGHTS];
    for (code, [mover, waiter]) in values::standings().iter().enumerate() {
        weights[code] = f64::from(*mover) / SCALE;
        weights[CODES + code] = f64::from(*waiter) / SCALE;
    }
    for (stance, [worth]) in values::stances().iter().enumerate() {
        weights[STANCES_AT + stance] = f64::from(*worth) / SCALE;
    }
    weights[TEMPO_AT] = TEMPO as f64 / SCALE;
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn tables_are_fitted_to_games() {
        let mut random = fastrand::Rng::with_seed(5);
        let games: Vec<Game> = (0..12).map(|_| selfplay::play(300, &mut random)).collect();
        let tables = fit(&games, &mut Vec::new()).unwrap();
        let [("standing.txt", standing), ("stances.txt", _)] = &tables[..] else { panic!("{tables:?}") };
        assert!(standing.lines().count() > 100, "{standing}");
        for line in standing.lines().filter(|line| !line.starts_with('#')) {
            assert_eq!(line.split_whitespace().filter_map(|word| word.parse::<i16>().ok()).count(), 3, "{line}");
        }
    }
}
