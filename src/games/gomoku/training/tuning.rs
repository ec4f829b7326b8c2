//! Tuning the standing tables on our own games: logistic regression of how positions went on what their points are.
//!
//! Of each quiet position (no five, open four or win by fours in it) of the games the codes of both sides' points are counted and its
//! stance is noted; the weights that best foretell how well the mover did become the tables. How well he did is told by what the
//! search thought of this and the later positions, each the less the later, and at last by who won; a move played at random ends the
//! story, for what follows it is not the position's doing. Texel's tuning (Österlund, 2014) with the returns of TD(λ) (Sutton, 1988)
//! for goals and Adam (Kingma and Ba, 2014) for the descent.

use super::selfplay::{self, Game, PROVEN};
use crate::games::gomoku::engine::evaluation::{self, STANCES};
use crate::games::gomoku::engine::threats;
use crate::games::gomoku::engine::vcf::Vcf;
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::worth::{self, CODES, Class};
use crate::rules::Position;
use std::io::{self, Write};

/// A sure win is worth about three times this.
const SCALE: f32 = 250.0;
/// What a position's own score counts in its goal; the rest is how it went on.
const TRUST: f32 = 0.3;
/// The weights are written so much smaller than they fit best: the search's margins are set for standings of this size.
const SIZE: f32 = 0.85;
/// Stones before the first position that counts.
const OPENING: usize = 5;
/// One game in so many is kept out to test on.
const TESTED: usize = 8;
const EPOCHS: usize = 8;
const BATCH: usize = 512;
const RATE: f32 = 0.002;
/// How strongly a weight is held where it was, for what is seldom met.
const HOLD: f32 = 5e-5;

/// Weights: movers' codes, waiters' codes, stances, the move in hand.
const WEIGHTS: usize = TEMPO_AT + 1;
const STANCES_AT: usize = 2 * CODES;
const TEMPO_AT: usize = STANCES_AT + STANCES;

/// A quiet position: how often each weight counts in it, and how well the mover did.
struct Sample {
    counts: Vec<(u16, f32)>,
    goal: f32,
    tested: bool,
}

/// Writes the tables that fit the games best, with a report on what was found.
///
/// # Errors
/// A table or the report cannot be written.
pub fn fit(games: &[Game], standing: &mut dyn Write, stances: &mut dyn Write, report: &mut dyn Write) -> io::Result<()> {
    let samples = samples(games);
    let weights = descend(&samples, report)?;
    let written = |at: usize| (weights[at] * SCALE * SIZE).round() as i16;
    writeln!(standing, "# CODE MOVER WAITER: hundredths of an open two by a point's three strongest patterns")?;
    writeln!(standing, "# tuned on {} positions of {} games", samples.len(), games.len())?;
    for code in 0..CODES {
        let [mover, waiter] = [code, code + CODES].map(written);
        if mover != 0 || waiter != 0 {
            writeln!(standing, "{code} {mover} {waiter}")?;
        }
    }
    writeln!(stances, "# STANCE WORTH: hundredths of an open two by the threats both sides have in hand")?;
    // The evaluation adds the move in hand for itself.
    let tempo = written(TEMPO_AT) - evaluation::TEMPO as i16;
    for stance in 0..STANCES {
        let worth = written(STANCES_AT + stance) + tempo;
        if worth != 0 {
            writeln!(stances, "{stance} {worth}")?;
        }
    }
    Ok(())
}

/// The chance to win that a score stands for.
fn chance(score: i32) -> f32 {
    if score >= PROVEN { 1.0 } else { squash(score as f32 / SCALE) }
}

fn squash(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// How well the mover of each ply did.
fn goals(game: &Game) -> Vec<f32> {
    let mut goals = vec![0.5; game.plies.len()];
    let mut next: Option<f32> = None;
    for (at, ply) in game.plies.iter().enumerate().rev() {
        let mover = (game.opening.len() + at) % 2;
        let after = match next {
            Some(after) => 1.0 - after,
            None if game.winner > 1 => 0.5,
            None => f32::from(u8::from(game.winner == mover)),
        };
        let own = chance(ply.score);
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

fn counts(board: &Board) -> Vec<(u16, f32)> {
    let side = board.side_to_move();
    let mut all = vec![0f32; 2 * CODES];
    for spot in board.empty().iter() {
        all[worth::code(board.packed_patterns(spot, side))] += 1.0;
        all[CODES + worth::code(board.packed_patterns(spot, !side))] -= 1.0;
    }
    let mut counts: Vec<(u16, f32)> =
        all.iter().enumerate().filter(|(_, count)| **count != 0.0).map(|(code, count)| (code as u16, *count)).collect();
    counts.push(((STANCES_AT + evaluation::stance(board)) as u16, 1.0));
    counts.push((TEMPO_AT as u16, 1.0));
    counts
}

fn value(weights: &[f32], sample: &Sample) -> f32 {
    sample.counts.iter().map(|&(at, count)| weights[usize::from(at)] * count).sum()
}

/// Mean logistic loss on the positions kept out.
fn loss(weights: &[f32], samples: &[Sample]) -> f64 {
    let (mut sum, mut count) = (0.0, 0usize);
    for sample in samples.iter().filter(|sample| sample.tested) {
        let p = f64::from(squash(value(weights, sample))).clamp(1e-7, 1.0 - 1e-7);
        let goal = f64::from(sample.goal);
        sum -= goal * p.ln() + (1.0 - goal) * (1.0 - p).ln();
        count += 1;
    }
    sum / count.max(1) as f64
}

/// The weights with the least logistic loss.
fn descend(samples: &[Sample], report: &mut dyn Write) -> io::Result<Vec<f32>> {
    let start = starting_weights();
    let mut weights = start.clone();
    writeln!(report, "{} positions; loss before: {:.4}", samples.len(), loss(&weights, samples))?;
    let mut random = fastrand::Rng::with_seed(7);
    let mut order: Vec<usize> = (0..samples.len()).filter(|&index| !samples[index].tested).collect();
    let steps = EPOCHS * order.len().div_ceil(BATCH);
    let (mut mean, mut square) = (vec![0f32; WEIGHTS], vec![0f32; WEIGHTS]);
    let mut step = 0;
    for epoch in 1..=EPOCHS {
        random.shuffle(&mut order);
        for batch in order.chunks(BATCH) {
            let mut gradient = vec![0f32; WEIGHTS];
            for sample in batch.iter().map(|&index| &samples[index]) {
                let off = squash(value(&weights, sample)) - sample.goal;
                for &(at, count) in &sample.counts {
                    gradient[usize::from(at)] += off * count;
                }
            }
            step += 1;
            let rate = RATE * (1.0 - step as f32 / (steps as f32 * 1.02));
            let (first, second) = (1.0 - 0.9f32.powi(step), 1.0 - 0.999f32.powi(step));
            for at in 0..WEIGHTS {
                let g = gradient[at] / batch.len() as f32 + HOLD * (weights[at] - start[at]);
                mean[at] = 0.9 * mean[at] + 0.1 * g;
                square[at] = 0.999 * square[at] + 0.001 * g * g;
                weights[at] -= rate * (mean[at] / first) / ((square[at] / second).sqrt() + 1e-8);
            }
        }
        writeln!(report, "round {epoch}: {:.4}", loss(&weights, samples))?;
    }
    Ok(weights)
}

fn starting_weights() -> Vec<f32> {
    let mut weights = vec![0.0; WEIGHTS];
    for (code, [mover, waiter]) in worth::standings().iter().enumerate() {
        weights[code] = f32::from(*mover) / SCALE;
        weights[CODES + code] = f32::from(*waiter) / SCALE;
    }
    for (stance, worth) in evaluation::stances().iter().enumerate() {
        weights[STANCES_AT + stance] = f32::from(*worth) / SCALE;
    }
    weights[TEMPO_AT] = evaluation::TEMPO as f32 / SCALE;
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_looks_ahead_up_to_the_first_stray_move() {
        let game = selfplay::read("w h8i9 g7:0 h9:250 j10:0:a1 f6:10000").unwrap();
        let goals = goals(&game);
        // White won, who moves second and fourth; black's stray move hides it from what came before.
        assert_eq!((goals[3], goals[2]), (1.0, 0.5));
        let second = TRUST * chance(250) + (1.0 - TRUST) * 0.5;
        assert!((goals[1] - second).abs() < 1e-6, "{goals:?}");
        assert!((goals[0] - (TRUST * 0.5 + (1.0 - TRUST) * (1.0 - second))).abs() < 1e-6, "{goals:?}");
    }

    #[test]
    fn tables_are_fitted_to_games() {
        let mut random = fastrand::Rng::with_seed(5);
        let games: Vec<Game> = (0..12).map(|_| selfplay::play(300, &mut random)).collect();
        let (mut standing, mut stances, mut report) = (Vec::new(), Vec::new(), Vec::new());
        fit(&games, &mut standing, &mut stances, &mut report).unwrap();
        let standing = String::from_utf8(standing).unwrap();
        assert!(standing.lines().count() > 100, "{standing}");
        for line in standing.lines().filter(|line| !line.starts_with('#')) {
            assert_eq!(line.split_whitespace().filter_map(|word| word.parse::<i16>().ok()).count(), 3, "{line}");
        }
    }
}
