//! Tests of the first steps: every task is read, can be done within its moves by a search over the rules, and a wrong move is told why.

use qiju_core::games::{self, Entry, REGISTRY, opening_name};
use qiju_core::rules::{Forbidden, Point, Refusal};
use qiju_core::search::StopToken;
use qiju_core::study::next_move;
use qiju_core::table::{Action, Goal, Miss, MoveGoal, OtherSide, Setup, Table, Task};

fn tasks() -> Vec<(&'static Entry, Task)> {
    let of = |entry: &'static Entry| entry.first_steps().unwrap_or_else(|error| panic!("{error}")).tasks.into_iter();
    REGISTRY.iter().flat_map(|entry| of(entry).map(move |task| (entry, task))).collect()
}

fn task(game: &str, key: &str) -> (&'static Entry, Task) {
    tasks().into_iter().find(|(entry, task)| entry.key == game && task.key == key).unwrap_or_else(|| panic!("{game} {key}"))
}

fn open(entry: &Entry, task: &Task) -> Box<dyn Table> {
    entry.task_table(&task.setup(), task.goal.other_side()).unwrap()
}

/// A win with more moves than this is an ending of a tablebase.
const LONG: u32 = 6;

/// Plays a task to its end against every answer of the other side, each of the learner's moves by the search. Returns the most moves it took.
fn play_out(goal: &Goal, table: &dyn Table) -> u32 {
    let action = next_move(goal, table, &StopToken::new()).unwrap_or_else(|| panic!("no way on from\n{}", table.diagram()));
    let mut next = table.boxed_clone();
    next.play(action).unwrap();
    match goal.standing(&*next).result {
        Some(result) => {
            assert_eq!(result, Ok(()), "{action:?} on\n{}", table.diagram());
            1
        }
        // In an ending of the tablebase the other side plays the longest defence.
        None if goal.moves() > LONG && next.proven().is_some() => {
            let after = |answer: Action| {
                let mut after = next.boxed_clone();
                after.play(answer).unwrap();
                let plies = after.proven().and_then(|win| win.plies);
                (plies, after)
            };
            let longest = next.actions().into_iter().map(after).max_by_key(|(plies, _)| *plies).unwrap();
            1 + play_out(goal, &*longest.1)
        }
        None if goal.other_side() == OtherSide::Follows => {
            next.play(goal.in_line(&*next).unwrap().unwrap()).unwrap();
            1 + play_out(goal, &*next)
        }
        None if goal.other_side() == OtherSide::Plays => {
            let answers = next.actions().into_iter().map(|answer| {
                let mut after = next.boxed_clone();
                after.play(answer).unwrap();
                1 + play_out(goal, &*after)
            });
            answers.max().unwrap()
        }
        None => 1 + play_out(goal, &*next),
    }
}

#[test]
fn every_game_has_its_tasks() {
    for entry in REGISTRY {
        let count = entry.first_steps().unwrap_or_else(|error| panic!("{error}")).tasks.len();
        let few = entry.key == "tic-tac-toe";
        assert!(if few { (2..=3).contains(&count) } else { (5..=25).contains(&count) }, "{}: {count}", entry.key);
    }
}

#[test]
fn every_task_can_be_done_within_its_moves() {
    for (entry, task) in tasks() {
        let table = open(entry, &task);
        assert_eq!(table.ply(), 0, "{} {}", entry.key, task.key);
        let moves = play_out(&task.goal, &*table);
        // One move to spare, at most; in an ending half as many and two.
        let given = task.goal.moves();
        let spare = if given > LONG { moves / 2 + 2 } else { 1 };
        assert!(moves <= given && given <= moves + spare, "{} {}: {moves} moves are needed, {given} given", entry.key, task.key);
    }
}

#[test]
fn there_is_something_to_find_in_every_task() {
    for (entry, task) in tasks() {
        let table = open(entry, &task);
        let name = format!("{} {}", entry.key, task.key);
        let results = table.actions().into_iter().map(|action| {
            let mut next = table.boxed_clone();
            next.play(action).unwrap();
            task.goal.standing(&*next).result
        });
        let results: Vec<_> = results.collect();
        let done = results.iter().filter(|result| **result == Some(Ok(()))).count();
        match task.goal {
            // Here the illegal moves are the wrong ones.
            Goal::Play(MoveGoal::Escape) => assert_eq!(done, results.len(), "{name}"),
            _ => assert!(done * 2 <= results.len(), "{name}: {done} of {} moves do it", results.len()),
        }
        if task.goal.other_side() == OtherSide::Waits {
            assert!(done > 0 && results.iter().all(Option::is_some), "{name}: one move decides");
        } else {
            assert!(done == 0, "{name} takes more than one move");
        }
    }
}

/// In practice positions, the other side never moves, and the pieces move as the rules say.
#[test]
fn the_other_side_stands_still() {
    for (entry, task) in tasks() {
        if task.goal.other_side() != OtherSide::Skips {
            continue;
        }
        let mut table = open(entry, &task);
        let (own, real) = (table.turn(), entry.table(&task.setup()).unwrap());
        assert!(table.actions().iter().all(|action| real.actions().contains(action)), "{}", task.key);
        let others = |table: &dyn Table| table.pieces().iter().filter(|(_, piece)| piece.side != own).count();
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..30 {
            table.self_check().unwrap_or_else(|why| panic!("{}: {why}", task.key));
            let actions = table.actions();
            let Some(action) = random.choice(&actions) else { break };
            let (before, key) = (others(&*table), table.key());
            table.play(*action).unwrap();
            assert_eq!(table.turn() == own, table.outcome().is_none());
            assert!(others(&*table) <= before && table.check().is_none());
            table.undo().unwrap();
            assert_eq!(table.key(), key);
            table.play(*action).unwrap();
        }
    }
}

/// Game, task, a move as two points (a stone: the same twice), and what is said.
#[test]
fn the_rules_say_why_a_move_is_refused() {
    for (game, key, from, to, why) in [
        ("xiangqi", "chariot", (1, 1), (2, 2), Refusal::WrongWay),
        ("xiangqi", "chariot", (1, 1), (1, 9), Refusal::Blocked),
        ("xiangqi", "chariot", (3, 0), (2, 0), Refusal::OutOfPalace),
        ("xiangqi", "cannon", (0, 2), (0, 2), Refusal::OwnPiece),
        ("xiangqi", "horse", (2, 3), (1, 5), Refusal::Blocked),
        ("xiangqi", "horse", (2, 3), (3, 5), Refusal::Blocked),
        ("xiangqi", "soldier", (2, 3), (3, 3), Refusal::WrongWay),
        ("xiangqi", "elephant", (2, 0), (4, 2), Refusal::Blocked),
        ("xiangqi", "palace", (4, 0), (4, 2), Refusal::WrongWay),
        ("xiangqi", "palace", (4, 0), (5, 1), Refusal::WrongWay),
        ("xiangqi", "escape", (4, 0), (4, 1), Refusal::LeavesCheck),
        ("xiangqi", "escape", (4, 0), (5, 0), Refusal::GeneralsFace),
        ("xiangqi", "face", (4, 0), (3, 0), Refusal::GeneralsFace),
        ("gomoku", "forbidden", (7, 7), (7, 7), Refusal::Forbidden(Forbidden::DoubleThree)),
        ("gomoku", "stop", (4, 5), (4, 5), Refusal::Occupied),
        ("two-eat-one", "move", (1, 0), (2, 1), Refusal::WrongWay),
        ("tic-tac-toe", "three", (0, 0), (0, 0), Refusal::Occupied),
    ] {
        let (entry, task) = task(game, key);
        let [from, to] = [from, to].map(|(x, y)| Point::new(x, y));
        let action = if game == "gomoku" || game == "tic-tac-toe" { Action::Drop(to) } else { Action::Step { from, to } };
        assert_eq!(open(entry, &task).refusal(action), Some(why), "{game} {key}");
    }
    // A cannon needs its screen, and a check would need an answer.
    let (entry, task) = task("xiangqi", "cannon");
    let mut table = open(entry, &task);
    let step = |from: (u8, u8), to: (u8, u8)| Action::Step { from: Point::new(from.0, from.1), to: Point::new(to.0, to.1) };
    table.play(step((0, 2), (0, 8))).unwrap();
    assert_eq!(table.refusal(step((0, 8), (1, 8))), Some(Refusal::NoScreen));
    table.play(step((0, 8), (0, 9))).unwrap();
    table.play(step((0, 9), (4, 9))).unwrap();
    assert_eq!(table.refusal(step((4, 9), (5, 9))), Some(Refusal::NoScreen));
    let (entry, task) = self::task("xiangqi", "chariot");
    assert_eq!(open(entry, &task).refusal(step((1, 1), (5, 1))), Some(Refusal::NeedsAnswer));
}

#[test]
fn a_move_that_misses_is_told_why() {
    let standing = |game: &str, key: &str, text: &str| {
        let (entry, task) = task(game, key);
        let mut table = open(entry, &task);
        for word in text.split_whitespace() {
            let action = table.read(word).unwrap();
            table.play(action).unwrap();
        }
        (task.goal.standing(&*table), table)
    };
    let miss = |game: &str, key: &str, text: &str| standing(game, key, text).0.result;
    assert_eq!(miss("xiangqi", "check", "h2h3"), Some(Err(Miss::NotDone)));
    assert_eq!(miss("xiangqi", "check", "b2e2"), Some(Ok(())));
    assert_eq!(miss("xiangqi", "chariot", "b1b2 b2b3 b3b4 b4b5"), Some(Err(Miss::OutOfMoves)));
    assert_eq!(miss("xiangqi", "chariot", "b1b7"), None);
    assert_eq!(miss("gomoku", "overline", "f8"), Some(Err(Miss::Overline)));
    assert_eq!(miss("gomoku", "open-four", "a1"), Some(Err(Miss::NotDone)));
    assert_eq!(miss("two-eat-one", "only-three", "3,1-2,1"), Some(Err(Miss::NotDone)));
    // An answer is legal, and it is shown.
    for (game, key, text, answer) in [
        ("xiangqi", "face", "b5b9", None),
        ("gomoku", "stop", "a1", Some("j6")),
        ("two-eat-one", "guard", "4,2-4,1", Some("1,2-2,2")),
        ("tic-tac-toe", "stop", "a1", Some("c3")),
    ] {
        let (standing, table) = standing(game, key, text);
        let Some(Err(Miss::Answered(action))) = standing.result else { panic!("{game} {key}: {standing:?}") };
        let written = table.write(action, qiju_core::table::Notation::Uci).unwrap();
        assert!(answer.is_none_or(|answer| answer == written), "{game} {key}: {written}");
    }
    // A line goes on only with its own moves, and says where the next one leads.
    let h2e2 = Action::Step { from: Point::new(7, 2), to: Point::new(4, 2) };
    assert_eq!(miss("xiangqi", "screen-horses", "b2e2"), Some(Err(Miss::OffLine(h2e2))));
    let (on_line, _) = standing("xiangqi", "screen-horses", "h2e2 h9g7");
    assert_eq!((on_line.left, on_line.moves_left, on_line.result), (vec![Point::new(6, 2)], 4, None));
    // Points are ticked off, and a move taken back counts no more.
    let (standing, mut table) = standing("xiangqi", "chariot", "b1b7");
    assert_eq!((standing.left.len(), standing.moves_left), (2, 3));
    table.undo();
    let (_, task) = task("xiangqi", "chariot");
    let standing = task.goal.standing(&*table);
    assert_eq!((standing.left.len(), standing.moves_left, standing.result), (3, 4, None));
}

/// The line of an opening begins at the start of the game and leads to that opening, by its code.
#[test]
fn lines_lead_to_their_openings() {
    let codes = [
        ("xiangqi", "screen-horses", "C30"),
        ("xiangqi", "same-cannons", "D20"),
        ("xiangqi", "opposite-cannons", "D50"),
        ("xiangqi", "elephant-opening", "A28"),
        ("xiangqi", "soldier-opening", "E40"),
        ("gomoku", "kagetsu", "D4"),
        ("gomoku", "hogetsu", "I7"),
    ];
    for (game, key, code) in codes {
        let (entry, task) = task(game, key);
        let mut table = entry.table(&Setup::default()).unwrap();
        assert_eq!(table.key(), open(entry, &task).key(), "{key}");
        // Gomoku's have a name while their three stones are alone.
        let mut last = None;
        while let Some(next) = task.goal.in_line(&*table) {
            table.play(next.unwrap()).unwrap();
            last = opening_name(&*table).map(|(opening, _)| &*opening.code).or(last);
        }
        assert_eq!(last, Some(code), "{key}");
    }
    let lines = tasks().into_iter().filter(|(_, task)| matches!(task.goal, Goal::Follow { .. }));
    assert_eq!(lines.count(), codes.len());
}

#[test]
fn a_bad_file_is_refused_with_its_place() {
    let entry = games::find("xiangqi").unwrap();
    let good = entry.first_steps_text;
    assert!(entry.read_first_steps("x.ron", good).is_ok());
    let line_of = |needle: &str| good[..good.find(needle).unwrap()].matches('\n').count() + 1;
    let horse = "3k5/9/9/9/3c5/2B1p4/2N6/9/9/4K4 w";
    for (old, new, line, why) in [
        ("(1, 7), (6, 7)", "(1, 6), (6, 7)", line_of("key: \"chariot\""), "no piece to capture on (1, 6)"),
        ("(1, 7), (6, 7)", "(9, 7), (6, 7)", line_of("key: \"chariot\""), "outside the board"),
        (horse, "3k5/9/9/9/3c5/2B1p4/2N6/9/9 w", line_of(horse), "'horse': position, character"),
        ("key: \"horse\"", "key: \"chariot\"", line_of("key: \"chariot\""), "two tasks 'chariot'"),
        ("key: \"horse\"", "key: \"The horse\"", line_of("key: \"horse\""), "is not a key"),
        ("goal: Play(Escape)", "goal: Play(Make(OpenFour))", line_of("key: \"escape\""), "no such shapes"),
        ("goal: Play(Check)", "goal: Play(Escape)", line_of("4k4/4a4"), "not in check"),
        ("c3c4 g6g5 h0h6", "c3c5 g6g5 h0h6", line_of("key: \"screen-horses\""), "c3c5: "),
        ("g6g5 h0h6", "g6g5", line_of("key: \"screen-horses\""), "does not end with the learner's move"),
        ("goal: Play(Check)", "goal: Play(Jump)", line_of("goal: Play(Check)"), "Jump"),
        (
            "goal: Win(moves: 1),\n            marks",
            "goal: Win(moves: 21),\n            marks",
            line_of("key: \"face\""),
            "1 to 20",
        ),
        ("en: \"Check!\"", "en: \"\"", line_of("key: \"check\""), "empty"),
    ] {
        assert!(good.contains(old), "{old}");
        let error = entry.read_first_steps("x.ron", &good.replacen(old, new, 1)).unwrap_err();
        assert_eq!((error.file.as_str(), error.line), ("x.ron", line), "{error}");
        assert!(error.why.to_string().contains(why), "{error}");
    }
}
