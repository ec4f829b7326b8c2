use super::*;
use crate::games::gomoku::engine::network::{WIDTH, set_of};
use crate::games::gomoku::engine::standing::Standing;
use crate::games::gomoku::rules::rule::Rule;
use crate::games::training::chance;
use crate::rules::Position;
use crate::table::Evaluation;
use std::path::Path;

fn plan(out: &Path, threads: usize) -> NetworkPlan {
    NetworkPlan {
        from: None,
        hidden: None,
        outputs: None,
        over_hand: false,
        epochs: 60,
        batch: 64,
        rate: 4e-3,
        result_part: 0.0,
        decay: 0.01,
        seed: 5,
        threads,
        out: out.to_owned(),
    }
}

fn trained(plan: NetworkPlan, games: &[String]) -> String {
    let mut trainer = Trainer::new(plan).unwrap();
    games.iter().for_each(|game| trainer.add(game.as_bytes()).unwrap());
    let mut report = Vec::new();
    trainer.train(&mut report).unwrap();
    String::from_utf8(report).unwrap()
}

#[test]
fn a_small_set_is_learnt_the_same_on_any_number_of_threads() {
    let (mut engine, mut random) = (selfplay::engine(&Evaluation::Hand), fastrand::Rng::with_seed(3));
    let games: Vec<String> = (0..40).map(|_| selfplay::write(&selfplay::play(&mut engine, 60, &mut random))).collect();
    let folders = [1, 2].map(|_| tempfile::tempdir().unwrap());
    let reports = [1, 2].map(|threads| trained(plan(folders[threads - 1].path(), threads), &games));
    let loss = |report: &str, from: &str| -> f64 {
        let line = report.lines().find(|line| line.starts_with(from)).unwrap();
        line.split("loss ").nth(1).unwrap().split([',', ' ']).next().unwrap().parse().unwrap()
    };
    let (first, last) = (loss(&reports[0], "epoch 1:"), loss(&reports[0], "epoch 60:"));
    assert!(last < 0.6 * first && last < loss(&reports[0], "evaluation by values"), "{}", reports[0]);
    let file = |folder: usize, name: &str| std::fs::read(folders[folder].path().join(name)).unwrap();
    assert_eq!(file(0, "gomoku.network"), file(1, "gomoku.network"));
    assert!(Network::read(&file(0, "gomoku.network")).is_ok());
    assert!(String::from_utf8(file(0, "losses.svg")).unwrap().contains("by values"));
}

#[test]
fn slopes_are_the_changes_of_the_loss() {
    let mut random = fastrand::Rng::with_seed(8);
    let weights = model::initial(&mut random);
    let sample = a_sample(Rule::Freestyle);
    let mut slopes = vec![0.0; model::COUNT];
    model::loss(&sample, &weights, Some(&mut slopes));
    let mut checked = 0;
    for at in (0..model::COUNT).filter(|&at| slopes[at].abs() > 1e-3).step_by(5) {
        let with = |change: f32| {
            let mut weights = weights.clone();
            weights[at] += change;
            model::loss(&sample, &weights, None)
        };
        let slope = (with(1e-2) - with(-1e-2)) / 2e-2;
        assert!((slope - f64::from(slopes[at])).abs() < 2e-3 + 0.1 * slope.abs(), "{at}: {slope} {}", slopes[at]);
        checked += 1;
    }
    assert!(checked > 5, "{checked}");
}

#[test]
fn whole_numbers_judge_as_the_weights_do() {
    let mut random = fastrand::Rng::with_seed(9);
    let weights: Vec<f32> = model::initial(&mut random);
    let (set, cut) = model::round(&weights);
    assert_eq!(cut, 0);
    let network = Network::new([set.clone(), set.clone(), set]);
    for rule in [Rule::Freestyle, Rule::Renju] {
        let board = a_board(rule);
        let sample = Sample::of(&board, &Standing::of(&board), 0.5);
        assert_eq!(usize::from(sample.set), set_of(rule, board.side_to_move()));
        let exact = model::correction(&sample, &weights);
        let judged = network.judge(&board) as f32;
        assert!((exact - judged).abs() < 3.0 + 0.02 * exact.abs(), "{rule:?}: {exact} {judged}");
    }
    let large = vec![1000.0; model::COUNT];
    assert!(model::round(&large).1 > WIDTH);
}

#[test]
fn what_cannot_be_trained_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let new = |change: fn(&mut NetworkPlan)| {
        let mut plan = plan(folder.path(), 1);
        change(&mut plan);
        Trainer::new(plan)
    };
    assert!(new(|plan| plan.hidden = Some(64)).err().unwrap().contains("--hidden"));
    assert!(new(|plan| plan.from = Some(Vec::new())).err().unwrap().contains("--from"));
    assert!(new(|plan| plan.over_hand = true).err().unwrap().contains("--over-hand"));
    let mut trainer = new(|_| {}).unwrap();
    assert!(trainer.add(b"x h8").is_err());
    assert!(matches!(trainer.train(&mut Vec::new()), Err(Unfit::NoPositions)));
}

fn a_board(rule: Rule) -> crate::games::gomoku::rules::board::Board {
    let game = selfplay::Game { rule, winner: 2, opening: Vec::new(), plies: Vec::new() };
    let mut board = game.start();
    let names = ["h8", "i9", "g7", "h9", "f6", "j9", "g9", "g8", "i8"];
    names.iter().for_each(|name| board.make(crate::games::gomoku::rules::spot::Spot::from_name(name, 15).unwrap()));
    board
}

fn a_sample(rule: Rule) -> Sample {
    let board = a_board(rule);
    let sample = Sample::of(&board, &Standing::of(&board), chance(0.9, 1.0) as f32);
    assert!(sample.points.len() > 10);
    sample
}
