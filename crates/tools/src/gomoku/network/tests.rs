use super::*;
use crate::training::descent::tests::StopAfter;
use qiju_core::games::gomoku::engine::accumulator::Accumulator;
use qiju_core::games::gomoku::engine::network::STATES;
use qiju_core::games::gomoku::rules::notation;
use qiju_core::games::gomoku::rules::rule::Rule;
use qiju_core::rules::Position;
use qiju_core::table::Evaluation;
use std::path::Path;
use std::sync::Arc;

const NODES: Nodes = Nodes { searching: 200, judging: 300 };

fn plan(out: &Path, threads: usize) -> Plan {
    Plan { epochs: 40, batch: 64, rate: 4e-3, decay: 0.01, seed: 5, threads, out: out.to_owned() }
}

#[test]
fn a_small_set_is_learnt_and_a_killed_training_continues() {
    let (mut engine, mut random) = (selfplay::engine(&Evaluation::Hand), fastrand::Rng::with_seed(3));
    let games: Vec<String> = (0..18).map(|_| selfplay::write(&selfplay::play(&mut engine, 60, &mut random))).collect();
    let folders = [1, 2].map(|_| tempfile::tempdir().unwrap());
    let trainer = |threads: usize| {
        let mut trainer = Trainer::new(plan(folders[threads - 1].path(), threads), NODES);
        games.iter().for_each(|game| trainer.add(game.as_bytes()).unwrap());
        trainer
    };
    assert!(trainer(2).train(&mut StopAfter::epoch(9)).is_err());
    let reports = [1, 2].map(|threads| {
        let mut report = Vec::new();
        trainer(threads).train(&mut report).unwrap();
        String::from_utf8(report).unwrap()
    });
    let loss = |from: &str| -> f64 {
        let line = reports[0].lines().find(|line| line.starts_with(from)).unwrap();
        line.split("loss ").nth(1).unwrap().split([',', ' ']).next().unwrap().parse().unwrap()
    };
    assert!(loss("epoch 40:") < 0.6 * loss("epoch 1:"), "{}", reports[0]);
    assert!(reports[1].contains("continued after epoch 9") && !reports[1].contains("epoch 9:"), "{}", reports[1]);
    let file = |folder: usize, name: &str| std::fs::read(folders[folder].path().join(name)).unwrap();
    assert_eq!(file(0, "gomoku.network"), file(1, "gomoku.network"));
    assert!(Network::read(&file(0, "gomoku.network")).is_ok());
    assert!(String::from_utf8(file(0, "losses.svg")).unwrap().contains("by values"));
}

/// A leaf with these moves.
fn leaf(rule: Rule, score: i32) -> Judged {
    let moves = notation::read_moves(rule, 15, "h8i9g7h9f6j9g9g8i8k10").unwrap().moves().into();
    Judged { rule, lines: 15, moves, best: qiju_core::games::gomoku::rules::spot::Spot::new(0, 0), score, tested: false }
}

/// Weights that are random everywhere, so that every part of the network has an effect.
fn weights() -> Vec<f32> {
    let mut random = fastrand::Rng::with_seed(9);
    let mut weights = model::initial(&mut random);
    weights.iter_mut().for_each(|weight| *weight = if *weight == 0.0 { random.f32() * 0.4 - 0.1 } else { *weight });
    weights
}

#[test]
fn slopes_are_the_changes_of_the_loss() {
    let weights = weights();
    let sample = Sample::of(&leaf(Rule::Freestyle, 120)).unwrap();
    assert!(sample.terms.iter().flatten().all(|terms| terms.len() > 10), "{sample:?}");
    let mut slopes = vec![0.0; model::COUNT];
    let loss = model::Model(&weights).learn(&sample, &mut slopes);
    assert!((loss - model::Model(&weights).loss(&sample)).abs() < 1e-6);
    let mut checked = 0;
    for at in (0..model::COUNT).filter(|&at| slopes[at].abs() > 3e-3).step_by(5) {
        let with = |change: f32| {
            let mut weights = weights.clone();
            weights[at] += change;
            model::Model(&weights).loss(&sample)
        };
        let slope = (with(2e-3) - with(-2e-3)) / 4e-3;
        assert!((slope - f64::from(slopes[at])).abs() < 2e-3 + 0.1 * slope.abs(), "{at}: {slope} {}", slopes[at]);
        checked += 1;
    }
    assert!(checked > 20, "{checked}");
}

#[test]
fn whole_numbers_judge_as_the_weights_do() {
    let weights = weights();
    let (whole, cut) = model::Model(&weights).round();
    assert_eq!(cut, 0);
    let network = Arc::new(Network::new(whole));
    let mut corrections = Vec::new();
    for rule in [Rule::Freestyle, Rule::Renju, Rule::Standard] {
        let leaf = leaf(rule, 0);
        let exact = model::Model(&weights).correction(&Sample::of(&leaf).unwrap());
        let mut board = leaf.boards::<{ STATES + 1 }>()[STATES].clone();
        let mut accumulator = Accumulator::of(&board, Some(network.clone()));
        leaf.moves[leaf.moves.len() - STATES..].iter().for_each(|&spot| accumulator.make(&mut board, spot));
        let judged = accumulator.correction(&board, board.side_to_move()) as f32;
        assert!((exact - judged).abs() < 3.0 + 0.02 * exact.abs(), "{rule:?}: {exact} {judged}");
        corrections.push(judged);
    }
    assert!(corrections.iter().any(|correction| correction.abs() > 20.0), "{corrections:?}");
    let large = vec![1000.0; model::COUNT];
    assert_eq!(model::Model(&large).round().1, model::COUNT);
}

#[test]
fn what_cannot_be_trained_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut trainer = Trainer::new(plan(folder.path(), 1), NODES);
    assert!(trainer.add(b"x h8").is_err());
    assert!(matches!(trainer.train(&mut Vec::new()), Err(Unfit::NoPositions)));
}
