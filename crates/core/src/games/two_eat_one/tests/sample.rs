//! Tests of the rules with the sample files (`tests/data/two_eat_one`), and of cases that they do not cover.

use crate::games::two_eat_one::TwoEatOne;
use crate::games::two_eat_one::engine::evaluation::PiecesAndMobility;
use crate::games::two_eat_one::rules::adjudication::QUIET_PLIES;
use crate::games::two_eat_one::rules::board::{Bits, Board, Kind, Step};
use crate::games::two_eat_one::rules::notation;
use crate::rules::{History, Position, Reason};
use crate::search::{Engine, Job, Limits, Plain, PlainKind, StopToken, Value};
use crate::table::Game;

/// The sample lines of a kind, numbered from 1, without comments.
pub fn sample(kind: Kind) -> impl Iterator<Item = (usize, &'static str)> {
    let text = match kind {
        Kind::Standard => include_str!("../../../../tests/data/two_eat_one/solved_sample.txt"),
        _ => include_str!("../../../../tests/data/two_eat_one/solved_sample_4x4.txt"),
    };
    (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#') && !line.is_empty())
}

/// The board of the first two words of a sample line.
pub fn board(kind: Kind, words: &mut dyn Iterator<Item = &'static str>) -> Board {
    let text = [words.next().unwrap(), words.next().unwrap()].join(" ");
    Board::parse(kind, &text).unwrap()
}

fn points(board: &Board, bits: Bits) -> String {
    let points = (0..25).filter(|bit| bits >> bit & 1 != 0).map(|bit| board.point(bit));
    points.map(|point| format!("x{},{}", point.y, point.x)).collect()
}

fn with_captures(board: &Board, step: Step) -> String {
    notation::write(board, step) + &points(board, board.taken_by(step))
}

#[test]
fn the_sheets_examples_are_cases_of_the_sample() {
    let sheet = crate::games::find(TwoEatOne::KEY).unwrap().sheet().unwrap();
    let cases: Vec<Vec<&str>> = sample(Kind::Standard)
        .filter_map(|(_, line)| Some(line.split('#').next()?.strip_prefix("case ")?.split_whitespace().collect()))
        .collect();
    assert!(sheet.examples.len() >= 9);
    for example in &sheet.examples {
        let wanted: Vec<&str> = example.position.split(' ').chain([example.moves.as_str()]).collect();
        match &example.variant {
            None => assert!(cases.iter().any(|case| case[..3] == wanted), "{example:?}"),
            // The sample has no cases of the big capture.
            Some(variant) => {
                let kind = Kind::from_key(variant).unwrap();
                let board = Board::parse(kind, &example.position).unwrap();
                let taken = board.taken_by(notation::read(&board, &example.moves).unwrap());
                assert_eq!((kind, taken.count_ones()), (Kind::FourBig, 2), "{example:?}");
            }
        }
    }
}

#[test]
fn moves_cases_and_perft() {
    let mut counts = [0; 3];
    for kind in [Kind::Standard, Kind::Four] {
        for (number, line) in sample(kind) {
            let line_text = line;
            let line = line.split('#').next().unwrap();
            let mut words = line.split_whitespace();
            match words.next().unwrap() {
                "moves" => {
                    let board = board(kind, &mut words);
                    let mut steps = Vec::new();
                    board.legal_moves(&mut steps);
                    let mut found: Vec<String> = steps.into_iter().map(|step| with_captures(&board, step)).collect();
                    let mut wanted: Vec<String> = words.map(str::to_owned).collect();
                    found.sort();
                    wanted.sort();
                    assert_eq!(found, wanted, "line {number}: {line_text}");
                    counts[0] += 1;
                }
                "case" => {
                    let mut board = board(kind, &mut words);
                    let step = notation::read(&board, words.next().unwrap()).unwrap();
                    let captures = words.next().unwrap().replace('-', "");
                    assert_eq!(points(&board, board.taken_by(step)), captures, "line {number}: {line_text}");
                    let mover = board.side_to_move();
                    board.make(step);
                    let won = board.outcome().map(|outcome| outcome.winner == Some(mover));
                    let wanted = match words.next().unwrap() {
                        "win" => Some(true),
                        "ongoing" => None,
                        other => panic!("line {number}: {other}"),
                    };
                    assert_eq!(won, wanted, "line {number}: {line_text}");
                    counts[1] += 1;
                }
                "perft" => {
                    let mut board = board(kind, &mut words);
                    let mut number_of = || words.next().unwrap().parse::<u64>().unwrap();
                    let (depth, leaves) = (number_of(), number_of());
                    assert_eq!(board.perft(depth as u32), leaves, "line {number}: {line_text}");
                    counts[2] += 1;
                }
                _ => {}
            }
        }
    }
    let [moves, cases, perfts] = counts;
    assert!(moves > 100 && cases > 60 && perfts > 20, "the samples were not read: {counts:?}");
}

#[test]
fn big_eat_takes_two() {
    // Position, step, captures.
    let cases = [
        (".o..o.xx........ o", "0,1-1,1", "x1,2x1,3"),
        ("xx.o..o......... o", "1,2-0,2", "x0,0x0,1"),
        (".o..o...x...x... o", "0,1-0,0", "x2,0x3,0"),
        (".o..o.x.......xx o", "0,1-1,1", "x1,2"),
        ("xo.x..o......... o", "1,2-0,2", ""),
        ("ox.x..o......... o", "1,2-0,2", ""),
        ("o.xx.x.......... x", "1,1-0,1", ""),
        ("...oo.xx.......o o", "1,0-1,1", ""),
    ];
    for (text, step, captures) in cases {
        let board = Board::parse(Kind::FourBig, text).unwrap();
        let step = notation::read(&board, step).unwrap();
        assert_eq!(points(&board, board.taken_by(step)), captures, "{text}");
        let plain = Board::parse(Kind::Four, text).unwrap();
        let fewer = points(&plain, plain.taken_by(step));
        assert_eq!(fewer, if captures.len() > 4 { "" } else { captures }, "{text}");
    }
}

#[test]
fn repetition_and_the_move_limit_end_in_a_draw() {
    let mut history = TwoEatOne::parse("standard", None).unwrap();
    let shuttle = ["0,0-1,0", "4,0-3,0", "1,0-0,0", "3,0-4,0"];
    for ply in 0.. {
        if let Some(outcome) = TwoEatOne::adjudicate(&history) {
            assert_eq!((ply, outcome.reason), (8, Reason::Repetition));
            break;
        }
        let step = notation::read(history.current(), shuttle[ply % 4]).unwrap();
        history.push(step);
    }
    // Moves without captures in which no position occurs a third time.
    let mut history: History<Board> = TwoEatOne::parse("standard", Some("o....o............x....x. o")).unwrap();
    let mut random = fastrand::Rng::with_seed(2);
    while history.ply() < QUIET_PLIES {
        assert_eq!(TwoEatOne::adjudicate(&history), None, "{}", history.ply());
        let mut steps = Vec::new();
        history.current().legal_moves(&mut steps);
        random.shuffle(&mut steps);
        let quiet = |step: &Step| history.current().taken_by(*step) == 0;
        let fresh = |step: &Step| {
            let mut next = history.clone();
            next.push(*step);
            next.occurrences() < 3 && next.current().outcome().is_none()
        };
        let step = steps.into_iter().find(|step| quiet(step) && fresh(step)).unwrap();
        history.push(step);
    }
    assert_eq!(TwoEatOne::adjudicate(&history).map(|outcome| outcome.reason), Some(Reason::MoveLimit));
}

#[test]
fn moves_are_read_and_refused() {
    let board = Board::start(Kind::Standard);
    let refused = ["", "0,0", "0,0-5,0", "0,0-0,1", "1,0-2,0", "4,0-3,0", "0,0-2,0", "a,b-c,d", "0,0-1,0-2,0", "0,0-4,0"];
    for text in refused {
        assert!(notation::read(&board, text).is_err(), "{text}");
    }
    for text in ["0,0-1,0", " 0,4 - 1,4 "] {
        assert!(notation::read(&board, text).is_ok(), "{text}");
    }
}

fn seed(text: &str, depth: Option<u16>) -> (String, Value) {
    let history = TwoEatOne::parse("standard", Some(text)).unwrap();
    let mut value = None;
    let mut info = |info: crate::search::Info<Step>| value = Some(info.value);
    let limits = Limits { depth, ..Limits::default() };
    let step =
        crate::games::two_eat_one::engine::seed::Seed.think(&history, Job::new(limits, StopToken::new(), &mut info)).unwrap();
    (notation::write(history.current(), step), value.unwrap())
}

#[test]
fn the_seed_plays_as_described() {
    // Nothing can be captured within five plies of the start, so the first generated step is chosen.
    assert_eq!(seed("ooooo...............xxxxx o", Some(1)), ("0,0-1,0".to_owned(), Value::Cp(0)));
    // It captures a stone if it can: White maximises the count, Black minimises it.
    assert_eq!(seed("..x....o..xo.o......x...x o", Some(1)).1, Value::Cp(100));
    // A side that cannot move has lost, and an earlier loss is worse. It needs one ply to see that.
    assert_eq!(seed("xx.oooo...o.............. o", Some(2)), ("0,3-0,2".to_owned(), Value::Mate(1)));
    // After a capture Black has one stone and the game is won, but this engine only counts stones.
    let won = "x..........ox..o......... o";
    assert_eq!(seed(won, None), ("3,0-2,0".to_owned(), Value::Cp(100)));
    let history = TwoEatOne::parse("standard", Some(won)).unwrap();
    let mut value = None;
    let mut info = |info: crate::search::Info<Step>| value = Some(info.value);
    let job = Job::new(Limits::depth(5), StopToken::new(), &mut info);
    Plain::new(PlainKind::Minimax, PiecesAndMobility).think(&history, job);
    assert_eq!(value, Some(Value::Mate(1)));
}

#[test]
fn the_sheet_shows_every_variant() {
    let entry = crate::games::find("two-eat-one").unwrap();
    let sheet = entry.sheet().unwrap();
    let keys: Vec<&str> = sheet.variants.iter().map(|variant| variant.key.as_str()).collect();
    assert_eq!(keys, TwoEatOne::variants());
    for key in keys {
        let history = TwoEatOne::parse(key, None).unwrap();
        assert!(sheet.board(TwoEatOne::size(history.current())).is_some(), "{key}");
    }
}
