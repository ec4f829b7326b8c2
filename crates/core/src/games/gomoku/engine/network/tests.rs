use super::*;
use crate::games::gomoku::engine::accumulator::Accumulator;
use crate::games::gomoku::engine::engine::GomokuEngine;
use crate::games::gomoku::engine::evaluation::evaluate;
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::rule::Rule;
use crate::games::gomoku::rules::spot::Spot;
use crate::rules::{History, Position, Side};
use crate::search::{Engine, Info, Job, Limits, StopToken};
use crate::table::{EngineOptions, Evaluation};
use std::path::Path;
use std::sync::Arc;

/// A network of random weights of at most this size.
fn random(seed: u64, rows: i16, layers: i16) -> Network {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut weights = Box::new(Weights::NOTHING);
    let Weights { codes, pairs, start, first, second, result, first_biases, second_biases, bias } = &mut *weights;
    codes[..CODES]
        .iter_mut()
        .chain(pairs)
        .chain([start])
        .flat_map(|row| &mut row.0)
        .for_each(|number| *number = random.i16(-rows..=rows));
    let shorts = first.as_flattened_mut().iter_mut().chain(second.as_flattened_mut()).chain(result);
    shorts.for_each(|number| *number = random.i16(-layers..=layers));
    first_biases.iter_mut().chain(second_biases).zip(0..).for_each(|(bias, at)| *bias = 1000 * at);
    *bias = -77;
    Network::new(weights)
}

/// Calls `each` for positions of random games, with the correction for the side to move.
fn play(network: &Network, rule: Rule, games: u64, mut each: impl FnMut(&Board, i32)) {
    for seed in 0..games {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut board = Board::new(rule, 15);
        let mut accumulator = Accumulator::of(&board, Some(Arc::new(network.clone())));
        for _ in 0..random.usize(10..120) {
            let mut legal = Vec::new();
            board.legal_moves(&mut legal);
            let Some(&spot) = random.choice(&legal) else { break };
            accumulator.make(&mut board, spot);
            each(&board, accumulator.correction(&board, board.side_to_move()));
        }
    }
}

/// The correction for the side to move without the moves before.
fn judged(network: &Network, board: &Board) -> i32 {
    Accumulator::of(board, Some(Arc::new(network.clone()))).correction(board, board.side_to_move())
}

#[test]
fn every_processor_gets_the_same_result() {
    let fast = random(1, 30, 150);
    let any = Network { fast: false, ..fast.clone() };
    for rule in [Rule::Freestyle, Rule::Renju] {
        let [mut first, mut second] = [Vec::new(), Vec::new()];
        play(&fast, rule, 20, |_, correction| first.push(correction));
        play(&any, rule, 20, |_, correction| second.push(correction));
        assert_eq!(first, second);
        first.sort_unstable();
        first.dedup();
        assert!(first.len() > 100, "{}", first.len());
    }
}

#[test]
fn images_of_a_position_are_judged_alike() {
    let network = random(2, 30, 150);
    let mut seen = 0;
    play(&network, Rule::Standard, 20, |board, _| {
        let image = |turn: &dyn Fn(u8, u8) -> (u8, u8)| {
            let stones = Side::BOTH.into_iter().flat_map(|side| board.stones(side).iter().map(move |spot| (spot.point(), side)));
            let turned = stones.map(|(at, side)| {
                let (x, y) = turn(at.x, at.y);
                (Spot::new(x, y), side)
            });
            judged(&network, &Board::with_stones(Rule::Standard, 15, &turned.collect::<Vec<_>>(), board.side_to_move()))
        };
        if board.winner().is_none() {
            let whole = judged(&network, board);
            assert_eq!(image(&|x, y| (14 - x, y)), whole);
            assert_eq!(image(&|x, y| (y, x)), whole);
            seen += 1;
        }
    });
    assert!(seen > 300, "{seen}");
    // Where nothing is forbidden, exchanged colours change nothing either.
    let stones =
        |first: Side| [(7, 7, first), (8, 8, !first), (7, 8, first), (7, 6, !first)].map(|(x, y, s)| (Spot::new(x, y), s));
    let judge = |rule, first| judged(&network, &Board::with_stones(rule, 15, &stones(first), first));
    assert_eq!(judge(Rule::Freestyle, Side::First), judge(Rule::Freestyle, Side::Second));
}

#[test]
fn the_size_of_the_board_means_nothing() {
    let network = random(6, 30, 150);
    // No line of a point that they change reaches the edge.
    let stones = [(9, 9, Side::First), (10, 10, Side::Second), (9, 10, Side::First)].map(|(x, y, side)| (Spot::new(x, y), side));
    let [small, large] = [19, 20].map(|size| judged(&network, &Board::with_stones(Rule::Freestyle, size, &stones, Side::Second)));
    assert!(small != 0 && small == large, "{small} {large}");
}

#[test]
fn the_last_two_moves_matter_and_those_before_do_not() {
    let network = Arc::new(random(5, 30, 150));
    let correction = |known: usize| {
        let moves = [(7, 7), (8, 8), (6, 8), (9, 7), (8, 6), (7, 9)].map(|(x, y)| Spot::new(x, y));
        let (before, last) = moves.split_at(moves.len() - known);
        let mut board = Board::new(Rule::Freestyle, 15);
        before.iter().for_each(|&spot| board.make(spot));
        let mut accumulator = Accumulator::of(&board, Some(network.clone()));
        last.iter().for_each(|&spot| accumulator.make(&mut board, spot));
        accumulator.correction(&board, board.side_to_move())
    };
    let [none, one, two, three] = [0, 1, 2, 3].map(correction);
    assert!(none != one && one != two, "{none} {one} {two}");
    assert_eq!(two, three);
}

#[test]
fn the_largest_numbers_do_not_overflow() {
    for sign in [1, -1] {
        let mut weights = Box::new(Weights::NOTHING);
        weights.codes.fill(Row([ROW_MOST; WIDTH]));
        weights.pairs.fill(Row([ROW_MOST; WIDTH]));
        weights.first.fill([LAYER_MOST; INPUTS]);
        weights.second.fill([LAYER_MOST; NEURONS]);
        weights.result.fill(sign * LAYER_MOST);
        weights.first_biases.fill(BIAS_MOST);
        weights.second_biases.fill(BIAS_MOST);
        weights.bias = i32::from(sign) * BIAS_MOST;
        let fast = Network::new(weights);
        let any = Network { fast: false, ..fast.clone() };
        for most in [i16::MAX, i16::MIN] {
            let row = Row([most; WIDTH]);
            let sums = [[&row; 2]; STATES];
            assert_eq!(fast.judge(sums), any.judge(sums));
            assert!(most < 0 || fast.judge(sums) == i32::from(sign) * MOST as i32);
        }
    }
}

#[test]
fn a_file_is_read_back_and_a_bad_one_refused() {
    let network = random(3, ROW_MOST, LAYER_MOST);
    let whole = network.write();
    assert!(Network::read(&whole) == Ok(network.clone()));
    let refused = |bytes: &[u8]| Network::read(bytes).unwrap_err();
    for at in (0..whole.len()).step_by(997).chain(0..60) {
        let mut bad = whole.clone();
        bad[at] ^= 1;
        refused(&bad);
        refused(&whole[..at]);
    }
    assert_eq!(refused(&whole[..whole.len() - 1]), "the file does not match its checksum");
    assert_eq!(refused(b"notes\n"), "this is no network for gomoku");
    let later = [b"qiju gomoku network 3", &whole[21..]].concat();
    assert_eq!(refused(&later), "this version of the network's file is not known");
    let mut large = network.clone();
    large.weights.codes[7].0[3] = ROW_MOST + 1;
    assert_eq!(refused(&large.write()), "a weight is too large");
    let mut large = network;
    large.weights.bias = BIAS_MOST + 1;
    assert_eq!(refused(&large.write()), "a weight is too large");
}

/// The best lines of a search with an evaluation, and its nodes.
fn searched(evaluation: Evaluation) -> Vec<(Vec<Spot>, u64)> {
    let mut found = Vec::new();
    let mut info = |info: Info<Spot>| found.push((info.pv, info.nodes));
    let job = Job::new(Limits::depth(6), StopToken::new(), &mut info);
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
    let good = random(4, 30, 150).write();
    std::fs::write(&path, &good).unwrap();
    assert_ne!(searched(of_file(&path)), by_values);
    assert_eq!(searched(of_file(&path)), searched(of_file(&path)));
    // A network whose correction is always zero changes nothing.
    std::fs::write(&path, Network::new(Box::new(Weights::NOTHING)).write()).unwrap();
    assert_eq!(searched(of_file(&path)), by_values);
    std::fs::write(&path, &good[..good.len() - 1]).unwrap();
    assert_eq!(searched(of_file(&path)), by_values);
    let told = loading::network(&of_file(&path)).unwrap_err();
    assert_eq!(told, format!("{}: the file does not match its checksum", path.display()));
    assert!(loading::network(&of_file(&folder.path().join("none"))).unwrap_err().contains("none: "));
}

#[test]
fn the_network_of_the_program_corrects_the_values() {
    let network = loading::network(&Evaluation::Own).unwrap().unwrap();
    assert_eq!(loading::network(&Evaluation::Network(None)).unwrap(), Some(network.clone()));
    assert_eq!(loading::network(&Evaluation::Hand), Ok(None));
    let stones = [(7, 7, Side::First), (8, 8, Side::Second), (6, 8, Side::First), (9, 7, Side::Second)];
    let board = Board::with_stones(Rule::Freestyle, 15, &stones.map(|(x, y, side)| (Spot::new(x, y), side)), Side::First);
    let by = |network| evaluate(&board, &mut Accumulator::of(&board, network));
    let correction = judged(&network, &board);
    assert!(correction != 0 && by(Some(network)) == by(None) + correction);
}
