//! The tuner: fits the weights of the evaluation to games the engine plays against itself. Everything follows from a seed.
//!
//! Each quiet position of a game is a sample: how often each weight applies, the game's result and what the search thought. The weights
//! are moved (Adam; Kingma and Ba 2014) so that the logistic of the evaluation comes near a mixture of the two (Texel's method, Österlund 2014).
//! Run it with
//!
//! ```text
//! QIJU_TUNE="games=3000 nodes=3000 seed=1 out=weights.txt" cargo test --no-default-features --lib tune_the_weights -- --ignored --nocapture
//! ```
//!
//! and put the table it writes into `weights.rs`.

use crate::games::xiangqi::engine::engine::Strong;
use crate::games::xiangqi::engine::evaluation::{self, Count, Tally, WHOLE_PHASE, place};
use crate::games::xiangqi::engine::weights::{self as w, WEIGHTS, Worth};
use crate::games::xiangqi::rules::adjudication::adjudicate;
use crate::games::xiangqi::rules::attacks::Points;
use crate::games::xiangqi::rules::board::{Board, Move};
use crate::rules::{History, Position, Side};
use crate::search::{Engine, Job, Limits, StopToken, Value};
use crate::table::EngineOptions;
use std::fmt::Write;

/// Hundredths of a soldier at which the chances are e to 1.
const STEEPNESS: f64 = 260.0;
/// The part of a sample's aim that is the game's result; the rest is the search's score.
const RESULT_PART: f64 = 0.4;

/// How far a weight may be off to begin with, in hundredths of a soldier.
const DOUBT: f64 = 22.0;
/// The mean square of what stays unexplained, four times as much because samples of one game are alike.
const NOISE: f64 = 0.017 * 4.0;

/// A position as the fit sees it, from the first side's view.
struct Sample {
    counts: Vec<(u16, i8)>,
    /// The part of the opening in it.
    opening: f32,
    /// What the evaluation adds that is not fitted: the side to move.
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

/// Plays a game from a random opening and adds its quiet positions.
fn play(engine: &mut Strong, random: &mut fastrand::Rng, nodes: u64, samples: &mut Vec<Sample>) {
    let mut history = History::new(Board::default());
    for _ in 0..random.usize(4..=11) {
        let mut legal = Vec::new();
        history.current().legal_moves(&mut legal);
        let Some(mv) = random.choice(&legal) else { return };
        history.push(*mv);
    }
    engine.forget();
    let begin = samples.len();
    let mut decided = 0;
    let outcome = loop {
        let board = history.current().clone();
        if let Some(outcome) = board.outcome().or_else(|| adjudicate(&history)) {
            break outcome.winner;
        }
        let mut value = Value::Cp(0);
        let job = Job { limits: Limits::nodes(nodes), stop: StopToken::new(), info: &mut |info| value = info.value };
        let Some(mv) = engine.think(&history, job) else { return };
        let score = match value {
            Value::Cp(cp) => cp,
            Value::Mate(n) => n.signum() * 10_000,
            Value::Exact(_) => 0,
        };
        if history.ply() < 12 && score.abs() > 500 {
            return;
        }
        let red = if board.turn() == Side::First { score } else { -score };
        decided = if score.abs() > 1400 && red.signum() == i32::signum(decided) {
            decided + red.signum()
        } else if score.abs() > 1400 {
            red.signum()
        } else {
            0
        };
        if decided.abs() >= 6 {
            break Some(if decided > 0 { Side::First } else { Side::Second });
        }
        let quiet = board.at(mv.to()).is_none() && !board.in_check(board.turn());
        if quiet && score.abs() < 1200 && random.u8(..) < 110 && evaluation::scaled(&board, 1024) == 1024 {
            samples.push(sample(&board, score));
        }
        history.push(mv);
        if history.ply() > 300 {
            break None;
        }
    };
    let result = match outcome {
        None => 0.5,
        Some(Side::First) => 1.0,
        Some(Side::Second) => 0.0,
    };
    samples[begin..].iter_mut().for_each(|sample| sample.result = result);
}

fn logistic(score: f64) -> f64 {
    1.0 / (1.0 + (-score / STEEPNESS).exp())
}

/// The weights that fit, as pairs of opening and ending.
fn fit(samples: &[Sample], rounds: usize) -> Vec<[f64; 2]> {
    let mut weights: Vec<[f64; 2]> = WEIGHTS.iter().map(|Worth(a, b)| [f64::from(*a), f64::from(*b)]).collect();
    let start = weights.clone();
    let mut mean = vec![[0.0; 2]; w::COUNT];
    let mut spread = vec![[0.0; 2]; w::COUNT];
    for round in 1..=rounds {
        let mut slope = vec![[0.0; 2]; w::COUNT];
        let mut loss = 0.0;
        for sample in samples {
            let (opening, ending) = (f64::from(sample.opening), 1.0 - f64::from(sample.opening));
            let mut score = f64::from(sample.fixed);
            for &(weight, times) in &sample.counts {
                let [a, b] = weights[weight as usize];
                score += (a * opening + b * ending) * f64::from(times);
            }
            let aim = RESULT_PART * f64::from(sample.result) + (1.0 - RESULT_PART) * logistic(f64::from(sample.score));
            let guess = logistic(score);
            loss += (guess - aim) * (guess - aim);
            let push = (guess - aim) * guess * (1.0 - guess);
            for &(weight, times) in &sample.counts {
                slope[weight as usize][0] += push * opening * f64::from(times);
                slope[weight as usize][1] += push * ending * f64::from(times);
            }
        }
        if round % 20 == 1 || round == rounds {
            println!("round {round}: loss {:.6}", loss / samples.len() as f64);
        }
        let rate = if round * 3 < rounds * 2 { 1.5 } else { 0.4 };
        for weight in 0..w::COUNT {
            for part in 0..2 {
                // Held near where it was, as if by a doubt of that size: what is seldom seen hardly moves.
                let doubt = STEEPNESS * NOISE / (DOUBT * DOUBT * samples.len() as f64);
                let g = slope[weight][part] / samples.len() as f64 + doubt * (weights[weight][part] - start[weight][part]);
                mean[weight][part] = 0.9 * mean[weight][part] + 0.1 * g;
                spread[weight][part] = 0.999 * spread[weight][part] + 0.001 * g * g;
                let m = mean[weight][part] / (1.0 - 0.9f64.powi(round as i32));
                let v = spread[weight][part] / (1.0 - 0.999f64.powi(round as i32));
                weights[weight][part] -= rate * m / (v.sqrt() + 1e-9);
            }
        }
    }
    weights
}

/// The table as Rust source.
fn table(weights: &[[f64; 2]]) -> String {
    let mut text = String::new();
    let mut rows = vec![7];
    rows.extend(std::iter::repeat_n(5, 70));
    rows.extend(std::iter::repeat_n(1, w::COUNT - 357));
    let mut at = 0;
    for length in rows {
        let row: Vec<String> = weights[at..at + length]
            .iter()
            .map(|[a, b]| format!("Worth({}, {}),", a.round(), b.round()).replace("(-0,", "(0,").replace(" -0)", " 0)"))
            .collect();
        writeln!(text, "    {}", row.join(" ")).expect("a string grows");
        at += length;
    }
    text
}

fn setting(settings: &str, name: &str, default: u64) -> u64 {
    let found = settings.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('=')?.parse().ok());
    found.unwrap_or(default)
}

#[test]
#[ignore = "plays thousands of games; see the head of the file"]
fn tune_the_weights() {
    let settings = std::env::var("QIJU_TUNE").unwrap_or_default();
    let (games, nodes, seed) =
        (setting(&settings, "games", 3000), setting(&settings, "nodes", 3000), setting(&settings, "seed", 1));
    let out = settings.split_whitespace().find_map(|word| word.strip_prefix("out=")).unwrap_or("weights.txt").to_owned();
    let mut engine = Strong::new(&EngineOptions { hash_mb: 4, ..EngineOptions::default() });
    let mut random = fastrand::Rng::with_seed(seed);
    let mut samples = Vec::new();
    for game in 1..=games {
        play(&mut engine, &mut random, nodes, &mut samples);
        if game % 200 == 0 {
            println!("{game} games, {} samples", samples.len());
            if game % 1000 == 0 || game == games {
                std::fs::write(&out, table(&fit(&samples, 200))).expect("the table is written");
            }
        }
    }
    assert!(!samples.is_empty());
    std::fs::write(&out, table(&fit(&samples, 400))).expect("the table is written");
}

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
            let Worth(a, b) = WEIGHTS[weight as usize];
            opening += a * i32::from(times);
            ending += b * i32::from(times);
        }
        let phase = Tally::of(&board).phase();
        let total = evaluation::scaled(&board, (opening * phase + ending * (WHOLE_PHASE - phase)) / WHOLE_PHASE);
        let sign = if board.turn() == Side::First { 1 } else { -1 };
        assert_eq!(evaluation::evaluate(&board, Tally::of(&board)), sign * total + w::TEMPO);
    }
}
