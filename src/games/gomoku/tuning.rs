//! Tuning the standing table on our own games: logistic regression of the result on what the points of quiet positions are.
//!
//! The engine plays itself at few nodes from random openings. Of each quiet position (no five, open four or win by fours in
//! it) the codes of both sides' points are counted and its stance is noted; the weights that best foretell what the search thought and
//! who won become the tables. Texel's tuning (Österlund, 2014), with Adam for the descent.

use super::board::{Board, Spot};
use super::brain::Brain;
use super::evaluation::{self, STANCES};
use super::rule::Rule;
use super::threats;
use super::vcf::Vcf;
use super::worth::{self, CODES, Class};
use crate::rules::{History, Position};
use crate::search::{Engine, Job, Limits, StopToken, Value};
use std::io::{self, Write};

/// A sure win is worth about three times this.
const SCALE: f64 = 250.0;

/// What the searched score counts in a position's target; the rest is the game's result.
const TRUST: f32 = 0.5;
/// Weights: movers' codes, waiters' codes, stances, the move in hand.
const WEIGHTS: usize = TEMPO_AT + 1;
const STANCES_AT: usize = 2 * CODES;
const TEMPO_AT: usize = STANCES_AT + STANCES;

/// A quiet position: how often each weight counts in it, and how well the mover did.
struct Sample {
    counts: Vec<(u16, f32)>,
    result: f32,
}

/// Plays `games` games of `nodes` a move and writes the tables that fit them best, with a report on what was found.
///
/// # Errors
/// The report or the table cannot be written.
pub fn tune(
    games: usize,
    nodes: u64,
    seed: u64,
    table: &mut dyn Write,
    stances: &mut dyn Write,
    report: &mut dyn Write,
) -> io::Result<()> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut samples = Vec::new();
    let mut wins = [0usize; 3];
    for game in 0..games {
        let winner = play(nodes, &mut random, &mut samples);
        wins[winner] += 1;
        if (game + 1) % 50 == 0 {
            let [black, white, draws] = wins;
            writeln!(report, "{} games: black {black}, white {white}, drawn {draws}; {} positions", game + 1, samples.len())?;
            report.flush()?;
        }
    }
    let weights = fit(&samples, report)?;
    writeln!(table, "# CODE MOVER WAITER: hundredths of an open two by a point's three strongest patterns")?;
    writeln!(table, "# tuned on {games} games of {nodes} nodes a move, {} positions", samples.len())?;
    for code in 0..CODES {
        let [mover, waiter] = [code, code + CODES].map(|index| weights[index].round() as i16);
        if mover != 0 || waiter != 0 {
            writeln!(table, "{code} {mover} {waiter}")?;
        }
    }
    writeln!(stances, "# STANCE WORTH: hundredths of an open two by the threats both sides have in hand")?;
    for stance in 0..STANCES {
        let worth = weights[STANCES_AT + stance].round() as i16;
        if worth != 0 {
            writeln!(stances, "{stance} {worth}")?;
        }
    }
    writeln!(report, "the move in hand: {}", weights[TEMPO_AT].round())
}

/// Plays a game; 0 and 1 say who won, 2 is a draw.
fn play(nodes: u64, random: &mut fastrand::Rng, samples: &mut Vec<Sample>) -> usize {
    let mut history = History::new(Board::new(Rule::Freestyle, 15));
    for _ in 0..random.usize(2..7) {
        let spot = Spot::new(random.u8(4..11), random.u8(4..11));
        if history.current().is_legal(spot) {
            history.push(spot);
        }
    }
    let mut brain = Brain::new(4, 0, 0);
    let mut fours = Vcf::new(12);
    let first = samples.len();
    let (mut movers, mut scores) = (Vec::new(), Vec::new());
    while history.current().outcome().is_none() && history.ply() < 120 {
        let mut board = history.current().clone();
        let side = board.side_to_move();
        let quiet =
            threats::forced(&board).is_none() && board.count(side, Class::OpenFour) == 0 && fours.wins(&mut board, 200).is_none();
        if quiet && history.ply() > 5 {
            samples.push(Sample { counts: counts(&board), result: 0.5 });
            movers.push(side);
        }
        let limit = nodes / 2 + random.u64(0..nodes);
        let mut value = Value::Cp(0);
        let job = Job { limits: Limits::nodes(limit), stop: StopToken::new(), info: &mut |info| value = info.value };
        let Some(spot) = brain.think(&history, job) else { break };
        if quiet && history.ply() > 5 {
            scores.push(match value {
                Value::Cp(cp) => 1.0 / (1.0 + (-cp as f32 / SCALE as f32).exp()),
                Value::Mate(plies) => f32::from(u8::from(plies > 0)),
                Value::Exact { .. } => 0.5,
            });
        }
        history.push(spot);
    }
    let winner = history.current().winner();
    samples.truncate(first + scores.len());
    for ((sample, mover), score) in samples[first..].iter_mut().zip(movers).zip(scores) {
        sample.result = winner.map_or(0.5, |winner| f32::from(winner == mover)) * (1.0 - TRUST) + score * TRUST;
    }
    winner.map_or(2, |winner| winner.index())
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
    counts
}

/// The weights with the least logistic loss.
fn fit(samples: &[Sample], report: &mut dyn Write) -> io::Result<Vec<f64>> {
    let size = WEIGHTS;
    let start = starting_weights();
    let mut weights = start.clone();
    let (mut mean, mut square) = (vec![0.0; size], vec![0.0; size]);
    let predict = |weights: &[f64], sample: &Sample| {
        let value: f64 = sample.counts.iter().map(|&(code, count)| weights[usize::from(code)] * f64::from(count)).sum();
        1.0 / (1.0 + (-(value + weights[TEMPO_AT]) / SCALE).exp())
    };
    let loss = |weights: &[f64], part: usize| {
        let tested = samples.iter().enumerate().filter(|(index, _)| (index / 64 % 8 == 0) == (part == 0));
        let (mut sum, mut count) = (0.0, 0usize);
        for (_, sample) in tested {
            let p = predict(weights, sample).clamp(1e-9, 1.0 - 1e-9);
            let result = f64::from(sample.result);
            sum -= result * p.ln() + (1.0 - result) * (1.0 - p).ln();
            count += 1;
        }
        sum / count.max(1) as f64
    };
    writeln!(report, "loss before: tried {:.4}, fitted {:.4}", loss(&weights, 0), loss(&weights, 1))?;
    for round in 1..=400 {
        let mut gradient = vec![0.0; size];
        for (index, sample) in samples.iter().enumerate() {
            // Runs of 64 positions are kept out to test on.
            if index / 64 % 8 == 0 {
                continue;
            }
            let off = predict(&weights, sample) - f64::from(sample.result);
            for &(code, count) in &sample.counts {
                gradient[usize::from(code)] += off * f64::from(count);
            }
            gradient[TEMPO_AT] += off;
        }
        for index in 0..size {
            // What is seldom met stays near where it was.
            let g = gradient[index] / samples.len() as f64 + 2e-6 * (weights[index] - start[index]);
            mean[index] = 0.9 * mean[index] + 0.1 * g;
            square[index] = 0.999 * square[index] + 0.001 * g * g;
            let step = mean[index] / (1.0 - 0.9f64.powi(round)) / ((square[index] / (1.0 - 0.999f64.powi(round))).sqrt() + 1e-9);
            weights[index] -= 1.0 * step * (1.0 - f64::from(round) / 450.0);
        }
        if round % 100 == 0 {
            writeln!(report, "round {round}: tried {:.4}, fitted {:.4}", loss(&weights, 0), loss(&weights, 1))?;
        }
    }
    Ok(weights)
}

fn starting_weights() -> Vec<f64> {
    let mut weights = vec![0.0; WEIGHTS];
    for (code, [mover, waiter]) in worth::standings().iter().enumerate() {
        weights[code] = f64::from(*mover);
        weights[CODES + code] = f64::from(*waiter);
    }
    for (stance, worth) in evaluation::stances().iter().enumerate() {
        weights[STANCES_AT + stance] = f64::from(*worth);
    }
    weights[TEMPO_AT] = f64::from(evaluation::TEMPO);
    weights
}
