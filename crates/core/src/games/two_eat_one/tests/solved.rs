//! Tests of the tablebase with the published figures and the solved sample lines.

use super::sample::{board, sample};
use crate::games::two_eat_one::TwoEatOne;
use crate::games::two_eat_one::engine::engine::TablebaseEngine;
use crate::games::two_eat_one::engine::seed::Seed;
use crate::games::two_eat_one::engine::tablebase::distances::{self, Distances};
use crate::games::two_eat_one::engine::tablebase::halves::Halves;
use crate::games::two_eat_one::engine::tablebase::indexing::{Layout, bits};
use crate::games::two_eat_one::engine::tablebase::oracle::{Oracle, seen};
use crate::games::two_eat_one::engine::tablebase::solver::{self, SolveError, Watch};
use crate::games::two_eat_one::engine::tablebase::tables::{Class, Tables, decode, encode, groups};
use crate::games::two_eat_one::engine::tablebase::verification::{self, Counts};
use crate::games::two_eat_one::rules::board::{Bits, Board, Kind, Step};
use crate::games::two_eat_one::rules::notation;
use crate::rules::{History, Position, Side};
use crate::search::{Engine, Info, Job, Known, Limits, StopToken, Value};
use crate::table::{EngineOptions, Exercise, Game};

/// Solves a kind up to `most` stones per side.
fn solved(kind: Kind, most: usize) -> Tables {
    let mut tables = Tables::new(kind);
    let stop = StopToken::new();
    let watch = Watch { threads: 2, stop: &stop, progress: &|_, _| {} };
    solver::solve::<()>(&mut tables, most, &watch, |_, _| Ok(())).unwrap();
    tables
}

/// The published figures, class by class. The lines of 5 x 5 also give the number of positions, those of 4 x 4 do not.
fn published(kind: Kind) -> Vec<(Class, Counts)> {
    let text = include_str!("../../../../tests/data/two_eat_one/solution.txt");
    let words_of_line = if kind == Kind::Standard { 7 } else { 6 };
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    lines
        .filter(|words| words.len() == words_of_line && words[0].as_bytes().get(1) == Some(&b'v'))
        .map(|words| {
            let (a, b) = words[0].split_once('v').unwrap();
            let number = |from_end: usize| words[words_of_line - from_end].parse::<u64>();
            let counts = Counts {
                wins: number(5).unwrap(),
                draws: number(4).unwrap(),
                losses: number(3).unwrap(),
                longest_win: number(2).ok().map(|n| n as u32),
                longest_loss: number(1).ok().map(|n| n as u32),
            };
            if kind == Kind::Standard {
                assert_eq!(counts.positions(), number(6).unwrap());
            }
            ((a.parse().unwrap(), b.parse().unwrap()), counts)
        })
        .collect()
}

/// Compares the classes with up to `most` stones per side with the published figures, and each position with its successors.
fn check(kind: Kind, most: usize) {
    let started = web_time::Instant::now();
    let tables = solved(kind, most);
    let mut compared = 0;
    for (class, counts) in published(kind).into_iter().filter(|((a, b), _)| *a.max(b) <= most) {
        assert_eq!(verification::count(&tables, class), Some(counts), "{class:?}");
        compared += 1;
    }
    assert_eq!(compared, if kind == Kind::Standard { (most - 1) * (most - 1) } else { 9 });
    println!("solved in {:?}", started.elapsed());
    for (a, b) in (2..=most).flat_map(|a| (2..=most).map(move |b| (a, b))) {
        assert_eq!(verification::verify(&tables, (a, b), 2), 0, "{a} v {b}");
    }
}

#[test]
fn small_classes_have_the_published_counts() {
    check(Kind::Standard, 3);
}

#[test]
fn four_by_four_has_the_published_counts() {
    check(Kind::Four, 4);
}

#[test]
fn the_other_small_boards_are_consistent() {
    // Published: with the capture of two, the start is a draw; with six stones too, where two of the first moves draw and two lose.
    for (kind, first_moves) in [(Kind::FourBig, [4, 0]), (Kind::FourSix, [2, 2])] {
        let tables = solved(kind, kind.stones() as usize);
        for (a, b) in groups(kind.stones() as usize).into_iter().flat_map(|(a, b)| [(a, b), (b, a)]) {
            assert_eq!(verification::verify(&tables, (a, b), 2), 0, "{kind:?} {a} v {b}");
        }
        let start = Board::start(kind);
        let mut steps = Vec::new();
        start.legal_moves(&mut steps);
        let mut counted = [0; 2];
        for step in steps {
            let mut next = start.clone();
            next.make(step);
            let (own, other) = seen(&next);
            match tables.probe(own, other).unwrap().through().known {
                Known::Draw => counted[0] += 1,
                Known::Loss => counted[1] += 1,
                Known::Win => panic!("{kind:?} is won by {step:?}"),
            }
        }
        if kind == Kind::FourSix {
            assert_eq!(counted, first_moves);
        } else {
            assert!(counted[0] > 0, "{counted:?}");
        }
    }
}

#[test]
#[ignore = "solves the whole game: about a minute of two cores and 450 MB"]
fn every_class_has_the_published_counts() {
    check(Kind::Standard, 5);
}

/// Compares every `solved` line with the oracle: the value and, if the distance is known, the distance and all best moves. Returns the numbers of
/// lines compared and of lines with distances.
fn compare_solved_lines(kind: Kind) -> (usize, usize) {
    let oracle = Oracle::of(kind);
    assert!(oracle.wait(&StopToken::new()));
    let (mut compared, mut with_distance) = (0, 0);
    for (number, line) in sample(kind) {
        if line.starts_with(|c| "mcp".contains(c)) {
            continue;
        }
        let mut words = line.split_whitespace();
        let board = board(kind, &mut words);
        let known = match words.next().unwrap() {
            "W" => Known::Win,
            "D" => Known::Draw,
            "L" => Known::Loss,
            other => panic!("line {number}: {other}"),
        };
        let plies = words.next().unwrap().parse::<u32>().unwrap_or(0);
        let best: Vec<&str> = words.filter(|word| *word != "-").collect();
        let (own, other) = seen(&board);
        let verdict = oracle.verdict(own, other);
        assert_eq!(verdict.known, known, "line {number}: {line}");
        let keeping: Vec<_> = oracle.of_moves(&board).into_iter().filter(|(_, verdict)| verdict.known == known).collect();
        let written = |moves: &mut dyn Iterator<Item = Step>| {
            let mut written: Vec<String> = moves.map(|step| notation::write(&board, step)).collect();
            written.sort();
            written
        };
        compared += 1;
        if verdict.plies.is_none() || keeping.iter().any(|(_, verdict)| verdict.plies.is_none()) {
            let keeping = written(&mut keeping.iter().map(|(step, _)| *step));
            assert!(best.iter().all(|best| keeping.iter().any(|step| step == best)), "line {number}: {line}");
            continue;
        }
        assert_eq!(verdict.plies, Some(plies), "line {number}: {line}");
        let found = written(&mut keeping.iter().filter(|(_, verdict)| verdict.plies == Some(plies)).map(|(step, _)| *step));
        assert_eq!(found, best, "line {number}: {line}");
        with_distance += 1;
    }
    (compared, with_distance)
}

#[test]
fn solved_lines_of_four_by_four() {
    assert_eq!(compare_solved_lines(Kind::Four), (95, 95));
}

#[test]
fn solved_lines_of_five_by_five() {
    let (compared, with_distance) = compare_solved_lines(Kind::Standard);
    assert!(compared >= 250 && with_distance >= 100, "{compared}, {with_distance}");
}

#[test]
#[ignore = "needs the exact distances in the cache: qiju solve two-eat-one"]
fn solved_lines_of_five_by_five_with_every_distance() {
    let (compared, with_distance) = compare_solved_lines(Kind::Standard);
    assert_eq!(compared, with_distance);
}

#[test]
fn the_shipped_table_agrees_with_the_solver() {
    // All classes with up to three stones; the probe uses both parities and both orders of a class.
    let tables = solved(Kind::Standard, 3);
    let layout = tables.layout();
    for class @ (a, b) in [(2, 2), (3, 2), (2, 3), (3, 3)] {
        let codes = tables.class(class).unwrap();
        let columns = layout.among_free(a, b);
        for orbit in (0..layout.orbits(a).len()).step_by(3) {
            let own = layout.orbits(a).representative(orbit);
            let free: Vec<usize> = bits(layout.kind().board() & !own).collect();
            for (column, &numbers) in columns.all().iter().enumerate() {
                let other = bits(numbers).fold(0, |set: Bits, number| set | 1 << free[number]);
                let exact = decode(codes[orbit * columns.len() + column]);
                assert_eq!(Oracle::of(Kind::Standard).shipped_outcome(own, other), Some(exact.known), "{own:x} {other:x}");
            }
        }
    }
}

#[test]
fn distances_are_saved_and_checked_and_continued() {
    let kind = Kind::Four;
    let folder = tempfile::tempdir().unwrap();
    let stop = StopToken::new();
    // Stopped halfway: the parts are kept.
    let halfway = |done: u64, whole: u64| {
        if done * 2 > whole {
            stop.stop();
        }
    };
    let watch = Watch { threads: 1, stop: &stop, progress: &halfway };
    assert!(matches!(distances::solve(kind, Some(folder.path()), &watch), Err(SolveError::Stopped)));
    let parts = folder.path().join("two-eat-one-4x4.parts");
    let finished = std::fs::read_dir(&parts).unwrap().count();
    assert!(finished >= 2, "{finished} parts");
    // A damaged part is computed again.
    let part = parts.join("3v2");
    let mut bytes = std::fs::read(&part).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&part, bytes).unwrap();
    let watch = Watch { threads: 1, stop: &StopToken::new(), progress: &|_, _| {} };
    let tables = distances::solve(kind, Some(folder.path()), &watch).unwrap();
    let whole = solved(kind, 4);
    for class in groups(4) {
        assert_eq!(tables.class(class), whole.class(class), "{class:?}");
    }
    let halves = Halves::new(kind, 4);
    let codes = halves.gather(&tables).unwrap();
    distances::store(kind, &codes, folder.path()).unwrap();
    assert!(!parts.exists());
    let kept = Distances::open(folder.path(), kind, &halves).unwrap();
    let read: Vec<u8> = (0..halves.slots()).map(|slot| encode(kept.read(slot).unwrap())).collect();
    assert_eq!(read, codes);
    // Every position, stored or not, is looked up from the stored ones.
    let layout = tables.layout();
    for class @ (a, b) in groups(4).into_iter().flat_map(|(a, b)| [(a, b), (b, a)]) {
        let columns = layout.among_free(a, b);
        for (slot, &code) in tables.class(class).unwrap().iter().enumerate().step_by(7) {
            let own = layout.orbits(a).representative(slot / columns.len());
            let free: Vec<usize> = bits(kind.board() & !own).collect();
            let numbers = columns.all()[slot % columns.len()];
            let other = bits(numbers).fold(0, |set: Bits, number| set | 1 << free[number]);
            assert_eq!(halves.probe(own, other, &mut |slot| kept.read(slot)).unwrap(), decode(code));
        }
    }
    // Files with a changed, a missing or an additional byte are refused.
    let path = distances::path(folder.path(), kind);
    let good = std::fs::read(&path).unwrap();
    let mut changed = good.clone();
    changed[good.len() / 2] ^= 4;
    for bad in [changed, good[..good.len() - 1].to_vec(), [good.clone(), vec![0]].concat(), Vec::new()] {
        std::fs::write(&path, bad).unwrap();
        assert!(Distances::open(folder.path(), kind, &halves).is_none());
    }
    std::fs::write(&path, good).unwrap();
    assert!(Distances::open(folder.path(), kind, &halves).is_some());
}

#[test]
fn exercises_match_the_request() {
    for (variant, own, other, plies) in [("4x4", 4, 3, 5..=9), ("4x4", 3, 3, 11..=21), ("standard", 4, 3, 7..=15)] {
        let wanted = Exercise { variant: variant.to_owned(), own, other, plies: plies.clone(), seed: 3 };
        let text = crate::games::two_eat_one::engine::tablebase::exercises::find(&wanted).unwrap();
        let board = Board::parse(Kind::from_key(variant).unwrap(), &text).unwrap();
        let (white, black) = seen(&board);
        assert_eq!((white.count_ones(), black.count_ones()), (u32::from(own), u32::from(other)));
        let verdict = Oracle::of(board.kind()).verdict(white, black);
        assert!(verdict.known == Known::Win && plies.contains(&verdict.plies.unwrap()), "{text}: {verdict:?}");
    }
    let impossible = Exercise { variant: "4x4".to_owned(), own: 9, other: 2, plies: 1..=9, seed: 0 };
    assert_eq!(crate::games::two_eat_one::engine::tablebase::exercises::find(&impossible), None);
}

/// The first plies of the window's difficulty grades.
const GRADES: [u32; 5] = [1, 6, 12, 22, 42];

/// Searches for an exercise of every class and grade of a kind.
fn exercises_of(kind: Kind) {
    Oracle::of(kind).wait(&StopToken::new());
    let classes = crate::games::two_eat_one::engine::tablebase::exercises::classes(kind);
    assert!(classes.len() >= 7, "{classes:?}");
    for class in classes {
        for (grade, &from) in GRADES.iter().enumerate().filter(|(_, from)| **from <= class.longest) {
            let to = GRADES.get(grade + 1).map_or(class.longest, |next| (next - 1).min(class.longest));
            if to < class.shortest {
                continue;
            }
            for seed in 0..3 {
                let (variant, own, other) = (kind.key().to_owned(), class.own, class.other);
                let wanted = Exercise { variant, own, other, plies: from..=to, seed };
                let started = web_time::Instant::now();
                let found = crate::games::two_eat_one::engine::tablebase::exercises::find(&wanted);
                assert!(found.is_some(), "none of {wanted:?}");
                let took = started.elapsed();
                if took.as_millis() > 100 {
                    println!("{} {own} v {other}, {from} to {to} plies: {took:?}", kind.key());
                }
            }
        }
    }
}

/// The shortest win of a class, found among all its positions.
fn shortest_win(kind: Kind, own: usize, other: usize) -> Option<u32> {
    let layout = Layout::of(kind);
    let (orbits, opponent_sets) = (layout.orbits(own), layout.among_free(own, other));
    let wins = (0..orbits.len()).flat_map(|orbit| {
        let white = orbits.representative(orbit);
        let free: Vec<usize> = (0..layout.points()).filter(|point| white >> point & 1 == 0).collect();
        opponent_sets.all().iter().filter_map(move |opponent| {
            let black = bits(*opponent).fold(0, |set: Bits, place| set | 1 << free[place]);
            let verdict = Oracle::of(kind).verdict(white, black);
            verdict.plies.filter(|_| verdict.known == Known::Win)
        })
    });
    wins.min()
}

#[test]
fn the_listed_shortest_wins_are_right() {
    for kind in [Kind::Four, Kind::FourBig, Kind::FourSix] {
        Oracle::of(kind).wait(&StopToken::new());
        for class in crate::games::two_eat_one::engine::tablebase::exercises::classes(kind) {
            let shortest = shortest_win(kind, class.own.into(), class.other.into());
            assert_eq!(shortest, Some(class.shortest), "{class:?}");
        }
    }
}

#[test]
fn every_class_has_exercises_at_every_distance() {
    [Kind::Standard, Kind::Four, Kind::FourBig, Kind::FourSix].into_iter().for_each(exercises_of);
}

#[test]
fn the_longest_wins_are_those_of_the_solution() {
    for kind in [Kind::Four, Kind::FourBig, Kind::FourSix] {
        let solution = crate::games::two_eat_one::engine::tablebase::solution::Solution::work_out(
            kind.key(),
            None,
            1,
            &StopToken::new(),
            &|_, _| {},
        )
        .unwrap();
        let classes = crate::games::two_eat_one::engine::tablebase::exercises::classes(kind);
        for class @ (own, other) in solution.classes() {
            let listed = classes.iter().find(|listed| (usize::from(listed.own), usize::from(listed.other)) == class);
            let counts = solution.count(class);
            let expected = counts.longest_win.filter(|_| counts.wins >= 1000);
            assert_eq!(listed.map(|listed| listed.longest), expected, "{} {own} v {other}", kind.key());
        }
    }
    let text = include_str!("../../../../tests/data/two_eat_one/solution.txt");
    let longest = |own: u8, other: u8| {
        let line = text.lines().find(|line| line.starts_with(&format!("{own}v{other} "))).unwrap();
        line.split_whitespace().nth(5).unwrap().parse::<u32>().unwrap()
    };
    for class in crate::games::two_eat_one::engine::tablebase::exercises::classes(Kind::Standard) {
        assert_eq!(class.longest, longest(class.own, class.other), "{class:?}");
    }
}

/// An opponent of the tablebase engine.
enum Opponent {
    Random(fastrand::Rng),
    Seed,
}

/// Plays one game of the top level from the start of a kind. Returns the points of the top level (2 for a win, 1 for a draw) and the plies.
fn play(kind: Kind, seed: u64, top: Side, opponent: &mut Opponent) -> (u32, usize) {
    let mut history = History::new(Board::start(kind));
    let mut top_engine = TablebaseEngine::new(&EngineOptions { seed, ..EngineOptions::default() });
    let mut ends = fastrand::Rng::with_seed(seed);
    loop {
        let ended = history.current().outcome().or_else(|| TwoEatOne::adjudicate(&history));
        if let Some(outcome) = ended {
            let points = outcome.winner.map_or(1, |winner| if winner == top { 2 } else { 0 });
            return (points, history.ply());
        }
        let mut steps = Vec::new();
        history.current().legal_moves(&mut steps);
        // The top level reports the exact outcome even if a search chooses its move.
        let ask = |engine: &mut dyn Engine<Board>, depth, knows: bool| {
            let mut info = |info: Info<Step>| assert!(!knows || matches!(info.value, Value::Exact(_)), "{:?}", info.value);
            let limits = Limits::depth(depth);
            engine.think(&history, Job::new(limits, StopToken::new(), &mut info)).unwrap()
        };
        let step = if history.current().side_to_move() == top {
            ask(&mut top_engine, 1, true)
        } else {
            match opponent {
                Opponent::Random(random) => steps[random.usize(..steps.len())],
                // This opponent always plays the same moves, so its first move is random to get different games.
                Opponent::Seed if history.ply() < 2 => steps[ends.usize(..steps.len())],
                Opponent::Seed => ask(&mut Seed, 5, false),
            }
        };
        history.push(step);
    }
}

/// Games of the top level as both sides; none may be lost. Prints the result.
fn match_of(kind: Kind, games: u64, seed_opponent: bool) {
    let mut results = [0; 3];
    let mut plies = 0;
    for game in 0..games {
        let mut opponent = if seed_opponent { Opponent::Seed } else { Opponent::Random(fastrand::Rng::with_seed(game)) };
        let top = if game % 2 == 0 { Side::First } else { Side::Second };
        let (points, length) = play(kind, game, top, &mut opponent);
        results[points as usize] += 1;
        plies += length;
    }
    let [losses, draws, wins] = results;
    let against = if seed_opponent { "minimax of depth 5" } else { "random play" };
    let mean = plies as u64 / games;
    println!("{} against {against}: {wins} won, {draws} drawn, {losses} lost of {games}, {mean} plies per game", kind.key());
    assert_eq!(losses, 0);
    assert!(wins > draws, "a perfect player must win more than it draws against these: {wins}, {draws}");
}

#[test]
fn the_top_level_never_loses() {
    for kind in [Kind::Standard, Kind::Four, Kind::FourBig] {
        match_of(kind, 20, false);
    }
    match_of(Kind::Standard, 2, true);
    match_of(Kind::Four, 4, true);
}

#[test]
#[ignore = "the two thousand games: minutes"]
fn two_thousand_games_without_a_loss() {
    match_of(Kind::Standard, 2000, false);
    match_of(Kind::Standard, 2000, true);
}
