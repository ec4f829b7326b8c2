use super::*;
use crate::games::gomoku::engine::engine::GomokuEngine;
use crate::games::gomoku::engine::evaluation::{WHOLE, evaluate};
use crate::games::gomoku::engine::standing::Standing;
use crate::rules::History;
use crate::search::{Engine, Info, Job, Limits, StopToken};
use crate::table::{EngineOptions, Evaluation};
use std::path::Path;

/// A network of random weights of at most this size.
fn random(seed: u64, points: i16, layers: i16) -> Network {
    let mut random = fastrand::Rng::with_seed(seed);
    let sets = std::array::from_fn(|_| {
        let mut row = |most: i16| std::array::from_fn::<i16, WIDTH, _>(|_| random.i16(-most..=most));
        let rows = Box::new(std::array::from_fn(|_| Row(row(points))));
        let (second, direct) = (std::array::from_fn(|_| row(layers)), row(layers));
        let result = row(layers)[..SECOND].try_into().unwrap();
        Weights { rows, second, result, direct, second_biases: std::array::from_fn(|at| at as i32 * 100), bias: -77 }
    });
    Network::new(sets)
}

/// Calls `each` for positions of random games.
fn play(rule: Rule, games: u64, mut each: impl FnMut(&Board)) {
    for seed in 0..games {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut board = Board::new(rule, 15);
        for _ in 0..random.usize(10..120) {
            let mut legal = Vec::new();
            board.legal_moves(&mut legal);
            let Some(&spot) = random.choice(&legal) else { break };
            board.make(spot);
            each(&board);
        }
    }
}

#[test]
fn every_processor_gets_the_same_result() {
    let fast = random(1, 100, 200);
    let any = Network { fast: false, ..fast.clone() };
    let mut results = std::collections::HashSet::new();
    for rule in [Rule::Freestyle, Rule::Renju] {
        play(rule, 20, |board| {
            assert_eq!(fast.judge(board), any.judge(board));
            results.insert(fast.judge(board));
        });
    }
    assert!(results.len() > 200, "{}", results.len());
}

#[test]
fn images_of_a_position_are_judged_alike() {
    let network = random(2, 100, 200);
    let mut seen = 0;
    play(Rule::Standard, 20, |board| {
        let image = |turn: &dyn Fn(u8, u8) -> (u8, u8)| {
            let stones: Vec<_> = Side::BOTH
                .into_iter()
                .flat_map(|side| board.stones(side).iter().map(move |spot| (spot.point(), side)))
                .map(|(at, side)| {
                    let (x, y) = turn(at.x, at.y);
                    (Spot::new(x, y), side)
                })
                .collect();
            network.judge(&Board::with_stones(Rule::Standard, 15, &stones, board.side_to_move()))
        };
        if board.winner().is_none() {
            let whole = network.judge(board);
            assert_eq!(image(&|x, y| (14 - x, y)), whole);
            assert_eq!(image(&|x, y| (y, x)), whole);
            seen += 1;
        }
    });
    assert!(seen > 300, "{seen}");
    // Where nothing is forbidden, exchanged colours change nothing either.
    let stones =
        |first: Side| [(7, 7, first), (8, 8, !first), (7, 8, first), (7, 6, !first)].map(|(x, y, s)| (Spot::new(x, y), s));
    let judge = |rule, first| network.judge(&Board::with_stones(rule, 15, &stones(first), first));
    assert_eq!(judge(Rule::Freestyle, Side::First), judge(Rule::Freestyle, Side::Second));
    assert_ne!(judge(Rule::Renju, Side::First), judge(Rule::Renju, Side::Second));
}

#[test]
fn the_largest_numbers_do_not_overflow() {
    for sign in [1, -1] {
        let set = || Weights {
            rows: Box::new([Row([POINT_MOST; WIDTH]); 2 * ROWS]),
            second: [[LAYER_MOST; WIDTH]; SECOND],
            result: [sign * LAYER_MOST; SECOND],
            direct: [sign * LAYER_MOST; WIDTH],
            second_biases: [BIAS_MOST; SECOND],
            bias: i32::from(sign) * BIAS_MOST,
        };
        let fast = Network::new([set(), set(), set()]);
        let any = Network { fast: false, ..fast.clone() };
        play(Rule::Freestyle, 5, |board| {
            assert_eq!(fast.judge(board), any.judge(board));
            assert!(board.stone_count() < 8 || fast.judge(board) == i32::from(sign) * MOST as i32);
        });
    }
}

#[test]
fn a_file_is_read_back_and_a_bad_one_refused() {
    let network = random(3, POINT_MOST, LAYER_MOST);
    let whole = network.write();
    assert_eq!(Network::read(&whole), Ok(network.clone()));
    let refused = |bytes: &[u8]| Network::read(bytes).unwrap_err();
    for at in (0..whole.len()).step_by(997).chain(0..60) {
        let mut bad = whole.clone();
        bad[at] ^= 1;
        refused(&bad);
        refused(&whole[..at]);
    }
    assert_eq!(refused(&whole[..whole.len() - 1]), "the file does not match its checksum");
    assert_eq!(refused(b"notes\n"), "this is no network for gomoku");
    let later = [b"qiju gomoku network 2", &whole[21..]].concat();
    assert_eq!(refused(&later), "this version of the network's file is not known");
    let mut large = network.clone();
    large.sets[1].rows[7].0[3] = POINT_MOST + 1;
    assert_eq!(refused(&large.write()), "a weight is too large");
    let mut large = network;
    large.sets[2].bias = BIAS_MOST + 1;
    assert_eq!(refused(&large.write()), "a weight is too large");
}

/// The best lines of a search with an evaluation, and its nodes.
fn searched(evaluation: Evaluation) -> Vec<(Vec<Spot>, u64)> {
    let mut found = Vec::new();
    let mut info = |info: Info<Spot>| found.push((info.pv, info.nodes));
    let job = Job { limits: Limits::depth(6), left_out: Vec::new(), stop: StopToken::new(), info: &mut info };
    let options = EngineOptions { hash_mb: 2, evaluation, ..EngineOptions::default() };
    let mut history = History::new(Board::new(Rule::Freestyle, 15));
    for (x, y) in [(7, 7), (8, 8), (6, 8), (9, 7)] {
        history.push(Spot::new(x, y));
    }
    GomokuEngine::new(&options).think(&history, job).unwrap();
    found
}

#[test]
fn the_engine_searches_by_the_network_or_falls_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gomoku.network");
    let of_file = |path: &Path| Evaluation::Network(Some(path.to_owned()));
    let by_values = searched(Evaluation::Hand);
    let good = random(4, 60, 100).write();
    std::fs::write(&path, &good).unwrap();
    assert_ne!(searched(of_file(&path)), by_values);
    assert_eq!(searched(of_file(&path)), searched(of_file(&path)));
    // A network whose correction is always zero changes nothing.
    let mut nothing = random(4, 0, 0);
    nothing.sets.iter_mut().for_each(|set| (set.bias, set.second_biases) = (0, [0; SECOND]));
    std::fs::write(&path, nothing.write()).unwrap();
    assert_eq!(searched(of_file(&path)), by_values);
    std::fs::write(&path, &good[..good.len() - 1]).unwrap();
    assert_eq!(searched(of_file(&path)), by_values);
    let told = loading::network(&of_file(&path)).unwrap_err();
    assert_eq!(told, format!("{}: the file does not match its checksum", path.display()));
    assert!(loading::network(&of_file(&folder.path().join("none"))).unwrap_err().contains("none: "));
}

#[test]
fn the_network_of_the_program_corrects_the_values() {
    let network = loading::network(&Evaluation::Network(None)).unwrap().unwrap();
    assert_eq!(loading::network(&Evaluation::Own), Ok(None));
    assert_eq!(loading::network(&Evaluation::Hand), Ok(None));
    let stones = [(7, 7, Side::First), (8, 8, Side::Second), (6, 8, Side::First), (9, 7, Side::Second)];
    let board = Board::with_stones(Rule::Freestyle, 15, &stones.map(|(x, y, side)| (Spot::new(x, y), side)), Side::First);
    let standing = Standing::of(&board);
    let (values, corrected) = (evaluate(&board, &standing, None, WHOLE), evaluate(&board, &standing, Some(&network), WHOLE));
    assert!(network.judge(&board) != 0 && corrected == values + network.judge(&board));
    // Far outside of the window the values alone decide.
    assert_eq!(evaluate(&board, &standing, Some(&network), (values + 1000, values + 1001)), values);
}
