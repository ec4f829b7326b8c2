//! The network's arithmetic and file, tested with random networks.

use super::*;
use crate::games::xiangqi::engine::engine::XiangqiEngine;
use crate::games::xiangqi::rules::board::{Move, Undo};
use crate::games::xiangqi::rules::piece::Piece;
use crate::rules::{History, Position};
use crate::search::{Engine, Job, Limits, StopToken};
use crate::table::{EngineOptions, Evaluation};
use std::path::Path;
use std::sync::Arc;

/// A network with random weights up to the largest.
fn random(hidden: usize, outputs: usize, seed: u64) -> Network {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut list = |count: usize, most: i16| (0..count).map(|_| random.i16(-most..=most)).collect::<Vec<i16>>();
    let rows = list(INPUTS * hidden, 100);
    let (biases, weights) = (list(hidden, HIDDEN_MOST), list(outputs * 2 * hidden, OUTPUT_MOST));
    let output_biases = (0..outputs).map(|at| at as i32 * 1000 - 500).collect();
    Network::new(260, rows, biases, weights, output_biases).unwrap()
}

/// The same position with colours exchanged, or mirrored.
fn image(board: &Board, sides: bool, mirror: bool) -> Board {
    let text = board.text();
    let mut words = text.split(' ');
    let (pieces, side) = (words.next().unwrap(), words.next().unwrap());
    let swap = |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    let mut rows: Vec<String> = pieces.split('/').map(str::to_owned).collect();
    if sides {
        rows = rows.iter().rev().map(|row| row.chars().map(swap).collect()).collect();
    }
    if mirror {
        rows = rows.iter().map(|row| row.chars().rev().collect()).collect();
    }
    Board::parse(&format!("{} {}", rows.join("/"), if (side == "w") == sides { "b" } else { "w" })).unwrap()
}

fn random_move(board: &Board, random: &mut fastrand::Rng) -> Option<Move> {
    let mut legal = Vec::new();
    board.legal_moves(&mut legal);
    random.choice(&legal).copied()
}

#[test]
fn moves_and_moves_taken_back_lead_to_the_same_sums_as_counting_anew() {
    const DEEPEST: usize = 40;
    let network = Arc::new(random(32, 8, 1));
    let mut random = fastrand::Rng::with_seed(2);
    let (mut plies, mut judged, mut crossed, mut passes) = (0, 0, 0, 0);
    while plies < 100_000 {
        let mut board = Board::default();
        // Some moves of a random game, then moves forward and back as in a search.
        for _ in 0..random.usize(0..120) {
            let Some(mv) = random_move(&board, &mut random) else { break };
            board.apply(mv);
        }
        let mut sums = Accumulators::new(network.clone(), &board, DEEPEST + 1);
        let mut line: Vec<Option<(Move, Undo)>> = Vec::new();
        for _ in 0..1000 {
            plies += 1;
            let ply = line.len();
            let back = ply == DEEPEST || ply > 0 && random.u8(..) < 100;
            let after_pass = matches!(line.last(), Some(None));
            if back {
                match line.pop().flatten() {
                    Some((mv, undo)) => board.revert(mv, undo),
                    None => board.pass(),
                }
            } else if !after_pass && random.u8(..) < 20 && !board.in_check(board.turn()) {
                board.pass();
                sums.note_pass(ply);
                line.push(None);
                passes += 1;
            } else if let Some(mv) = random_move(&board, &mut random) {
                let piece: Piece = board.at(mv.from()).unwrap();
                let before = View::of(&board, board.turn());
                let undo = board.apply(mv);
                crossed += usize::from(View::of(&board, piece.side()) != before);
                sums.note(ply, mv, piece, undo.captured());
                line.push(Some((mv, undo)));
            }
            // Most positions of a search are never evaluated.
            if random.u8(..) < 80 {
                assert_eq!(sums.judge(line.len(), &board), network.judge_board(&board), "{}", board.text());
                judged += 1;
            }
        }
    }
    assert!(judged > 20_000 && crossed > 300 && passes > 1000, "{judged} {crossed} {passes}");
}

#[test]
fn sides_and_mirror_images_are_judged_alike() {
    let network = random(64, 4, 3);
    let mut random = fastrand::Rng::with_seed(4);
    let mut mirrored = 0;
    for _ in 0..40 {
        let mut board = Board::default();
        for _ in 0..100 {
            let Some(mv) = random_move(&board, &mut random) else { break };
            board.apply(mv);
            let whole = network.judge_board(&board);
            assert_eq!(network.judge_board(&image(&board, true, false)), whole, "{}", board.text());
            // With a general on the middle file both views are allowed.
            if [Side::First, Side::Second].into_iter().all(|side| board.general(side) % 9 != 4) {
                assert_eq!(network.judge_board(&image(&board, false, true)), whole, "{}", board.text());
                assert_eq!(network.judge_board(&image(&board, true, true)), whole, "{}", board.text());
                mirrored += 1;
            }
        }
    }
    assert!(mirrored > 100, "{mirrored}");
}

#[test]
fn every_processor_gets_the_same_result() {
    let fast = random(96, 8, 5);
    let any = Network { fast: false, ..fast.clone() };
    let mut random = fastrand::Rng::with_seed(6);
    let mut board = Board::default();
    let mut lines = [Arc::new(fast), Arc::new(any)].map(|network| Accumulators::new(network, &board, 101));
    for ply in 0..100 {
        let Some(mv) = random_move(&board, &mut random) else { break };
        let piece = board.at(mv.from()).unwrap();
        let taken = board.apply(mv).captured();
        let judged = lines.each_mut().map(|line| {
            line.note(ply, mv, piece, taken);
            line.judge(ply + 1, &board)
        });
        assert_eq!(judged[0], judged[1]);
    }
}

#[test]
fn the_largest_numbers_do_not_overflow() {
    let board = Board::default();
    for sign in [1, -1] {
        for size in [32, HIDDEN_LARGEST] {
            let rows = vec![HIDDEN_MOST; INPUTS * size];
            let biases = vec![HIDDEN_MOST; size];
            let weights = vec![OUTPUT_MOST * sign; 2 * size];
            for fast in [false, has_avx2()] {
                let network = Network::new(1, rows.clone(), biases.clone(), weights.clone(), vec![0]).unwrap();
                let network = Network { fast, ..network };
                let mut sums = vec![0; size];
                network.refresh(&board, Side::First, &mut sums);
                assert!(sums.iter().all(|sum| *sum == 33 * HIDDEN_MOST));
                let exact = i64::from(sign) * 2 * size as i64 * 255 * i64::from(OUTPUT_MOST) / i64::from(OUTPUT_ONE * HIDDEN_ONE);
                assert_eq!(i64::from(network.judge(&sums, &sums, 32)), exact);
            }
        }
    }
}

#[test]
fn a_file_is_read_back_and_a_bad_one_refused() {
    let network = random(32, 3, 7);
    assert_eq!(Network::read(&network.write()), Ok(network));
    let whole = random(32, 3, 7).write();
    let refused = |bytes: &[u8]| Network::read(bytes).unwrap_err();
    for at in (0..whole.len()).step_by(997).chain(0..90) {
        let mut bad = whole.clone();
        bad[at] ^= 1;
        refused(&bad);
        refused(&whole[..at]);
    }
    assert_eq!(refused(&whole[..whole.len() - 1]), "the file does not match its checksum");
    let (_, numbers) = networks::opened(&whole, GAME, VERSION).unwrap();
    for words in ["hidden 64 outputs 3 scale 100", "hidden 32 outputs 2 scale 100"] {
        let other = networks::sealed(GAME, VERSION, words, numbers);
        assert_eq!(refused(&other), "its numbers are not those of its layers");
    }
    assert_eq!(refused(b"notes\n"), "this is no network for xiangqi");
    let text = String::from_utf8_lossy(&whole[..20]).replace("network", "NETWORK");
    assert_eq!(refused([text.as_bytes(), &whole[20..]].concat().as_slice()), "this is no network for xiangqi");
    let later = [b"qiju xiangqi network 2", &whole[22..]].concat();
    assert_eq!(refused(&later), "this version of the network's file is not known");
}

#[test]
fn numbers_that_could_overflow_are_no_network() {
    let new = |rows: i16, weights: i16, hidden: usize| {
        let (rows, biases) = (vec![rows; INPUTS * hidden], vec![0; hidden]);
        Network::new(100, rows, biases, vec![weights; 2 * hidden], vec![0]).map(drop)
    };
    assert_eq!(new(HIDDEN_MOST, -OUTPUT_MOST, 32), Ok(()));
    for (rows, weights, hidden, part) in [
        (HIDDEN_MOST + 1, 0, 32, "too large"),
        (0, OUTPUT_MOST + 1, 32, "too large"),
        (i16::MIN, 0, 32, "too large"),
        (0, 0, 33, "multiple"),
    ] {
        assert!(new(rows, weights, hidden).unwrap_err().contains(part));
    }
}

/// The result of a search with an evaluation: the best line of each depth and the nodes searched.
fn searched(evaluation: Evaluation, threads: usize) -> Vec<(Vec<Move>, u64)> {
    let mut found = Vec::new();
    let mut info = |info: crate::search::Info<Move>| found.push((info.pv, info.nodes));
    let job = Job::new(Limits::depth(6), StopToken::new(), &mut info);
    let options = EngineOptions { hash_mb: 2, threads, evaluation, ..EngineOptions::default() };
    XiangqiEngine::new(&options).think(&History::new(Board::default()), job).unwrap();
    found
}

#[test]
fn the_network_of_the_program_is_whole_and_knows_the_pieces() {
    let network = loading::network(&Evaluation::Own).unwrap().unwrap();
    assert_eq!(loading::network(&Evaluation::Network(None)).unwrap(), Some(network.clone()));
    assert_eq!(loading::network(&Evaluation::Hand), Ok(None));
    assert!(network.judge_board(&Board::default()).abs() < 100);
    // The side to move lacks a piece.
    let without = |file: usize| {
        let mut row: Vec<char> = "RNBAKABNR".chars().collect();
        row[file] = '1';
        let row: String = row.into_iter().collect();
        let board = Board::parse(&format!("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/{row} w - - 0 1")).unwrap();
        network.judge_board(&board)
    };
    let [chariot, horse, elephant] = [without(0), without(1), without(2)];
    assert!(chariot < horse - 100 && horse < elephant - 50 && elephant < -50, "{chariot} {horse} {elephant}");
}

#[test]
fn the_engine_searches_by_the_network_or_falls_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("xiangqi.network");
    let of_file = |path: &Path| Evaluation::Network(Some(path.to_owned()));
    let hand = searched(Evaluation::Hand, 1);
    let good = random(32, 2, 9).write();
    std::fs::write(&path, &good).unwrap();
    let by_network = searched(of_file(&path), 1);
    assert_ne!(by_network, hand);
    assert_eq!(searched(of_file(&path), 1), by_network);
    assert!(!searched(of_file(&path), 2).is_empty());
    std::fs::write(&path, &good[..good.len() - 1]).unwrap();
    assert_eq!(searched(of_file(&path), 1), hand);
    let told = loading::network(&of_file(&path)).unwrap_err();
    assert_eq!(told, format!("{}: the file does not match its checksum", path.display()));
    assert!(loading::network(&of_file(&folder.path().join("none"))).unwrap_err().contains("none: "));
}
