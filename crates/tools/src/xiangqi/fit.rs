//! Fits the weights of the evaluation to games.
//!
//! Each quiet position of a game is a sample: the count of each weight, the game's result and the score of the search. The weights
//! are changed so that the logistic function of the evaluation is close to a mean of the two (Texel's method, Österlund 2014).

use super::selfplay::Game;
use crate::training::descent::{self, Objective, Plan, Telling};
use crate::training::{Unfit, chance};
use qiju_core::games::xiangqi::engine::evaluation::{self, Count, Tally, WHOLE_PHASE, place};
use qiju_core::games::xiangqi::engine::weights::{self as w, Tapered, WEIGHTS};
use qiju_core::games::xiangqi::rules::attacks::Points;
use qiju_core::games::xiangqi::rules::board::Board;
use qiju_core::rules::{Position, Side, zobrist};
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

/// The passes over all samples.
pub const EPOCHS: usize = 400;

/// The value, in hundredths of a soldier, at which the odds are e to 1.
const STEEPNESS: f64 = 260.0;
/// The weight of the game's result in the target of a sample; the rest is the score of the search.
const RESULT_PART: f64 = 0.4;

/// The expected error of the old weights, in hundredths of a soldier.
const DOUBT: f64 = 22.0;
/// The mean square of the residual, times four because samples of one game are similar.
const NOISE: f64 = 0.017 * 4.0;

/// A sample, from the first side's view.
pub struct Sample {
    counts: Vec<(u16, i8)>,
    /// The phase.
    opening: f32,
    /// The part of the evaluation that is not fitted: the value of being to move.
    fixed: f32,
    score: f32,
    result: f32,
}

#[derive(Default)]
struct Counter(Vec<i32>);

impl Count for Counter {
    fn add(&mut self, weight: usize, times: i32) {
        self.0[weight] += times;
    }
}

fn sample(board: &Board, score: i32) -> Sample {
    let mut counter = Counter(vec![0; w::COUNT]);
    for at in Points(board.all()) {
        let Some(piece) = board.at(at) else { continue };
        let (sign, at) = if piece.side() == Side::First { (1, at) } else { (-1, (9 - at / 9) * 9 + at % 9) };
        counter.add(w::MATERIAL + piece.role() as usize, sign);
        counter.add(place(piece.role() as usize, at), sign);
    }
    evaluation::terms(board, &mut counter);
    let counts = counter.0.iter().enumerate().filter(|(_, n)| **n != 0).map(|(weight, n)| (weight as u16, *n as i8)).collect();
    let sign = if board.turn() == Side::First { 1.0 } else { -1.0 };
    Sample {
        counts,
        opening: Tally::of(board).phase() as f32 / WHOLE_PHASE as f32,
        fixed: sign * w::TEMPO as f32,
        score: sign * score as f32,
        result: 0.5,
    }
}

/// Adds the quiet positions of a game: of those it passed through, about three in seven, chosen by the position so that the same games give the
/// same samples.
pub fn add_samples(game: &Game, samples: &mut Vec<Sample>) {
    let result = match game.winner {
        None => 0.5,
        Some(Side::First) => 1.0,
        Some(Side::Second) => 0.0,
    };
    let mut board = game.first_scored();
    for &(mv, score) in &game.plies {
        let quiet = board.at(mv.to()).is_none() && !board.in_check(board.turn());
        let chosen = zobrist::mix(board.key()) % 256 < 110;
        if quiet && chosen && score.abs() < 1200 && evaluation::scaled(&board, 1024) == 1024 {
            samples.push(Sample { result, ..sample(&board, score.into()) });
        }
        board.apply(mv);
    }
}

/// The samples, and the old weights.
struct Fitting<'a> {
    samples: &'a [Sample],
    start: Vec<f32>,
}

impl Objective for Fitting<'_> {
    fn examples(&self) -> usize {
        self.samples.len()
    }

    fn learn(&self, weights: &[f32], examples: &[u32], _: u64, gradient: &mut [f32]) -> f64 {
        // In double precision, because all samples are added up.
        let mut slopes = vec![0f64; weights.len()];
        let mut loss = 0.0;
        for sample in examples.iter().map(|&at| &self.samples[at as usize]) {
            let parts = [f64::from(sample.opening), 1.0 - f64::from(sample.opening)];
            let mut score = f64::from(sample.fixed);
            for &(weight, times) in &sample.counts {
                let [opening, ending] = [0, 1].map(|part| f64::from(weights[2 * usize::from(weight) + part]));
                score += (opening * parts[0] + ending * parts[1]) * f64::from(times);
            }
            let seen = chance(f64::from(sample.score), STEEPNESS);
            let aim = RESULT_PART * f64::from(sample.result) + (1.0 - RESULT_PART) * seen;
            let guess = chance(score, STEEPNESS);
            loss += (guess - aim) * (guess - aim);
            let push = (guess - aim) * guess * (1.0 - guess);
            for &(weight, times) in &sample.counts {
                for (part, share) in parts.into_iter().enumerate() {
                    slopes[2 * usize::from(weight) + part] += push * share * f64::from(times);
                }
            }
        }
        // Regularisation: weights of rare terms stay near their old values.
        let doubt = STEEPNESS * NOISE / (DOUBT * DOUBT) * (examples.len() as f64 / self.samples.len() as f64);
        for (at, slope) in slopes.into_iter().enumerate() {
            gradient[at] += (slope + doubt * f64::from(weights[at] - self.start[at])) as f32;
        }
        loss
    }

    fn held_out(&self, _: &[f32]) -> Option<f64> {
        None
    }

    fn rate(&self, done: f64) -> f64 {
        if done * 3.0 < 2.0 { 1.5 } else { 0.4 }
    }
}

/// The weights that fit, as pairs of opening and ending.
///
/// # Errors
/// A file or the report cannot be written, or the checkpoint is of another training.
pub fn fit(
    samples: &[Sample],
    games: usize,
    epochs: usize,
    folder: &Path,
    report: &mut dyn Write,
) -> Result<Vec<[f32; 2]>, Unfit> {
    // Each weight has its opening and ending values side by side.
    let start: Vec<f32> = WEIGHTS.iter().flat_map(|Tapered(a, b)| [*a as f32, *b as f32]).collect();
    let fitting = Fitting { samples, start: start.clone() };
    // Each epoch is one step with all samples.
    let (batch, out) = (samples.len(), folder.to_owned());
    let plan = Plan { epochs, batch, rate: 1.0, decay: 0.0, seed: 0, threads: 1, out };
    let name = format!("xiangqi's weights games {games}");
    let telling = Telling { checkpoint: "weights.checkpoint", name, every: 20, chart: None };
    let weights = descent::descend(&fitting, start, &plan, &telling, report)?;
    Ok(weights.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect())
}

/// The table as Rust source.
pub fn table(weights: &[[f32; 2]]) -> String {
    let mut text = String::new();
    let mut rows = vec![7];
    rows.extend(std::iter::repeat_n(5, 70));
    rows.extend(std::iter::repeat_n(1, w::COUNT - 357));
    let mut at = 0;
    for length in rows {
        let row: Vec<String> = weights[at..at + length]
            .iter()
            .map(|[a, b]| format!("Tapered({}, {}),", a.round(), b.round()).replace("(-0,", "(0,").replace(" -0)", " 0)"))
            .collect();
        writeln!(text, "    {}", row.join(" ")).expect("a string grows");
        at += length;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::selfplay;
    use qiju_core::games::xiangqi::rules::board::Move;
    use qiju_core::table::Evaluation;

    #[test]
    fn a_sample_sums_to_the_evaluation() {
        let mut random = fastrand::Rng::with_seed(3);
        let mut board = Board::default();
        for _ in 0..60 {
            let mut legal: Vec<Move> = Vec::new();
            board.legal_moves(&mut legal);
            let Some(mv) = random.choice(&legal) else { break };
            board.apply(*mv);
            let sample = sample(&board, 0);
            let (mut opening, mut ending) = (0, 0);
            for &(weight, times) in &sample.counts {
                let Tapered(a, b) = WEIGHTS[weight as usize];
                opening += a * i32::from(times);
                ending += b * i32::from(times);
            }
            let phase = Tally::of(&board).phase();
            let total = evaluation::scaled(&board, (opening * phase + ending * (WHOLE_PHASE - phase)) / WHOLE_PHASE);
            let sign = if board.turn() == Side::First { 1 } else { -1 };
            assert_eq!(evaluation::evaluate(&board, Tally::of(&board)), sign * total + w::TEMPO);
        }
    }

    #[test]
    fn weights_are_fitted_to_games() {
        let mut samples = Vec::new();
        for seed in 0..3 {
            add_samples(&selfplay::Games::new(200, &Evaluation::Hand).play(seed), &mut samples);
        }
        let (mut report, folder) = (Vec::new(), tempfile::tempdir().unwrap());
        let text = table(&fit(&samples, 3, 21, folder.path(), &mut report).unwrap());
        assert_eq!(text.matches("Tapered(").count(), WEIGHTS.len());
        let report = String::from_utf8(report).unwrap();
        let loss = |line: &str| line.split("loss ").nth(1)?.split(',').next()?.parse().ok();
        let losses: Vec<f64> = report.lines().filter_map(loss).collect();
        assert!(losses.len() == 2 && losses[1] < losses[0], "{losses:?}");
    }
}
