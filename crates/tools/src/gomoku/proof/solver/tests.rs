//! Tests of the solver: trees are made, checked, gone on with and altered.

use super::*;
use qiju_core::games::gomoku::proof::check::{check, first_move, open_replies};
use qiju_core::games::gomoku::proof::tree::Answer;

/// Won, but not by plain threats.
const SMALL: [(&str, &str); 2] = [("freestyle", "h8n8g7f6i7f5"), ("standard", "h8n8g7f6i7f5")];

fn solved(variant: &str, position: &str) -> Solved {
    solved_by(1, variant, position)
}

fn solved_by(threads: usize, variant: &str, position: &str) -> Solved {
    let solver = Solver::new(variant, Some(position)).unwrap();
    solver.run(threads, false, &StopToken::new(), &|_| {}, &|_| {}).unwrap()
}

fn fault(bytes: Vec<u8>) -> Option<String> {
    check(&Tree::read(bytes).unwrap(), 2, &StopToken::new(), &|_| {}).fault
}

#[test]
fn a_tree_is_made_and_is_a_proof() {
    for (variant, position) in SMALL {
        let solved = solved(variant, position);
        let tree = Tree::read(solved.bytes.clone()).unwrap();
        assert_eq!(variant_of(tree.title()), variant);
        assert!(tree.len() >= 2 && (9..=45).contains(&tree.plies()), "{} {}", tree.len(), tree.plies());
        assert!(solved.report.left_out > 100 && solved.report.leaves >= 3, "{:?}", solved.report);
        assert_eq!(fault(solved.bytes), None, "{variant}");
    }
}

/// Threads search the same position together, and walk over the same tree.
#[test]
fn any_number_of_threads_makes_and_checks_a_tree() {
    let position = "h8n8g7i9";
    for threads in [2, 5] {
        let solved = solved_by(threads, "freestyle", position);
        let tree = Tree::read(solved.bytes).unwrap();
        let reports = [1, 2, 5].map(|threads| {
            let checked = check(&tree, threads, &StopToken::new(), &|_| {});
            assert_eq!(checked.fault, None, "{threads}");
            checked.report
        });
        assert!(reports[0].positions > 100 && reports[0].answers.len() > 8, "{:?}", reports[0]);
        assert!(reports.iter().all(|report| *report == reports[0]), "{reports:?}");
    }
}

#[test]
fn the_answers_of_a_tree_are_taken_over() {
    let (variant, position) = SMALL[0];
    let bytes = solved(variant, position).bytes;
    let tree = Tree::read(bytes.clone()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut solver = Solver::new(variant, Some(position)).unwrap();
    solver.keep_in(folder.path()).unwrap();
    solver.take_over(bytes.clone()).unwrap();
    assert_eq!(solver.answers(), tree.len() as u64);
    let again = solver.run(1, false, &StopToken::new(), &|_| {}, &|_| {}).unwrap();
    assert_eq!((again.bytes == bytes, solver.answers()), (true, tree.len() as u64), "nothing is searched");
    drop(solver);
    let mut later = Solver::new(variant, Some(position)).unwrap();
    later.keep_in(folder.path()).unwrap();
    assert_eq!(later.answers(), 0, "they are not written into the file of work");
}

/// A shorter tree of the same position is a proof too. Answers of the longer one count only where they are short enough.
#[test]
fn wins_of_fewer_plies_are_found() {
    let position = "h8n8g7i9";
    let long = solved("freestyle", position).bytes;
    let plies = |bytes: &[u8]| Tree::read(bytes.to_vec()).unwrap().plies();
    assert!(plies(&long) > 35, "{}", plies(&long));
    for from in [None, Some(&long)] {
        let mut solver = Solver::new("freestyle", Some(position)).unwrap();
        solver.within(35).unwrap();
        from.into_iter().for_each(|long| solver.take_over(long.clone()).unwrap());
        let short = solver.run(2, false, &StopToken::new(), &|_| {}, &|_| {}).unwrap();
        assert!(plies(&short.bytes) <= 35, "{}", plies(&short.bytes));
        assert_eq!(fault(short.bytes), None);
    }
    // No win is that short, and no win ends with a move of the other side.
    let mut solver = Solver::new(SMALL[0].0, Some(SMALL[0].1)).unwrap();
    solver.within(5).unwrap();
    let end = solver.run(1, false, &StopToken::new(), &|_| {}, &|_| {}).err();
    assert!(matches!(end, Some(Unproven::NotFound)), "{end:?}");
    for plies in [0, 30, 255] {
        assert!(matches!(solver.within(plies), Err(Unproven::Plies(253))), "{plies}");
    }
}

/// Of the replies to a tree's answer, those are searched first after which it takes too long, and then the position itself is won soon enough.
#[test]
fn what_takes_too_long_in_a_tree_is_searched_first() {
    let position = "h8n8g7i9";
    let bytes = solved("freestyle", position).bytes;
    let long = Tree::read(bytes.clone()).unwrap();
    let most = long.plies().div_ceil(2);
    let stop = StopToken::new();
    let within = |most: u16, then: &dyn Fn(&Solver, Maker)| {
        let mut solver = Solver::new("freestyle", Some(position)).unwrap();
        solver.within(2 * most - 1).unwrap();
        solver.take_over(bytes.clone()).unwrap();
        then(&solver, solver.maker(&stop));
    };
    within(most, &|solver, maker| assert!(solver.long_replies(&maker, &solver.root).is_empty()));
    within(most - 3, &|solver, maker| {
        let replies = solver.long_replies(&maker, &solver.root);
        let key = key_of(&solver.root);
        let first = spot(long.answer(key).unwrap().place, 15);
        let moves = replies.iter().map(|[answer, reply]| {
            let mut board = solver.root.clone();
            board.make(*answer);
            board.make(*reply);
            (*answer == first).then(|| long.answer(key_of(&board)).unwrap().moves)
        });
        let moves: Vec<u16> = moves.collect::<Option<_>>().unwrap();
        assert!(moves.is_sorted() && moves.first() >= Some(&(most - 3)) && moves.last() == Some(&(most - 1)), "{moves:?}");
        assert!(!maker.is_known(&solver.root));
        assert!(solver.shorten(&mut [maker], &solver.root, &[], 0));
        assert!(matches!(solver.work.known(key.hash, most - 3), Some(Known::Won(_))));
    });
}

/// One file of work serves all positions and lengths. What was found counts where it is short enough.
#[test]
fn work_is_continued_where_its_wins_are_short_enough() {
    let folder = tempfile::tempdir().unwrap();
    let (variant, position) = SMALL[0];
    let mut known = Vec::new();
    for plies in [None, Some(29), Some(41), Some(27), None] {
        let mut solver = Solver::new(variant, Some(position)).unwrap();
        plies.into_iter().for_each(|plies| solver.within(plies).unwrap());
        solver.keep_in(folder.path()).unwrap();
        let before = solver.answers();
        let solved = solver.run(1, false, &StopToken::new(), &|_| {}, &|_| {}).unwrap();
        assert_eq!(fault(solved.bytes), None, "{plies:?}");
        known.push((before > 0, solver.answers() > before));
    }
    // Wins of any length are not those within 29 plies, but these are within 41.
    assert_eq!(known, [(false, true), (false, true), (true, false), (false, true), (true, false)]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    // The position two plies on is known from it.
    let mut further = Solver::new(variant, Some("h8n8g7f6")).unwrap();
    further.within(31).unwrap();
    further.keep_in(folder.path()).unwrap();
    assert!(further.answers() > 0);
}

/// With too few nodes to find it at once, a position is won after parts of it.
#[test]
fn what_resists_is_searched_in_parts() {
    let position = "h8n8g7i9";
    let mut solver = Solver::new("freestyle", Some(position)).unwrap();
    solver.nodes = 20_000;
    let mut ways = Vec::new();
    let solved = std::thread::scope(|scope| {
        let solving = scope.spawn(|| solver.run(2, false, &StopToken::new(), &|_| {}, &|_| {}).unwrap());
        while !solving.is_finished() {
            ways.push(solver.searched.lock().unwrap().1.len());
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        solving.join().unwrap()
    });
    assert!(ways.iter().any(|way| *way >= 2), "{ways:?}");
    assert_eq!(fault(solved.bytes), None);
}

#[test]
fn trees_about_something_else_are_not_taken_over() {
    let (variant, position) = SMALL[0];
    let bytes = solved(variant, position).bytes;
    let refused = |variant: &str, position: &str, bytes: &[u8]| {
        Solver::new(variant, Some(position)).unwrap().take_over(bytes.to_vec()).unwrap_err().to_string()
    };
    let other = refused("standard", position, &bytes);
    let wanted = "the tree is about freestyle, won by the first player, not standard, won by the first player";
    assert_eq!(other, wanted);
    assert!(refused(variant, "h8i9i7", &bytes).ends_with("not freestyle, won by the second player"));
    assert!(refused(variant, position, &bytes[1..]).contains("not a tree"));
}

/// Every answer in turn is changed to every other point of a few; none of these trees passes.
#[test]
fn a_tree_with_one_altered_answer_fails() {
    let (variant, position) = SMALL[0];
    let Solved { report, .. } = solved(variant, position);
    let solver = Solver::new(variant, Some(position)).unwrap();
    for altered in 0..report.answers.len() {
        // Two corners, a stone of the first position, and the number of moves alone.
        for place in [14, 224, 112] {
            let mut answers = report.answers.clone();
            answers[altered].1.place = place;
            let bytes = Tree::pack(&solver.title, report.moves * 2 - 1, &answers).unwrap();
            assert!(fault(bytes).is_some(), "answer {altered} as {place}");
        }
        let mut answers = report.answers.clone();
        answers[altered].1.moves += 1;
        let bytes = Tree::pack(&solver.title, report.moves * 2 - 1, &answers).unwrap();
        assert_eq!(fault(bytes).as_deref(), Some("a number of moves in it is wrong"));
        let mut answers = report.answers.clone();
        answers.remove(altered);
        let bytes = Tree::pack(&solver.title, report.moves * 2 - 1, &answers).unwrap();
        assert!(fault(bytes).is_some(), "without answer {altered}");
    }
    let more = [&report.answers[..], &[(5 << 8, Answer { place: 3, moves: 2 })]].concat();
    let bytes = Tree::pack(&solver.title, report.moves * 2 - 1, &more).unwrap();
    let expected = format!("1 of its {} answers belong to no line", more.len());
    assert_eq!(fault(bytes), Some(expected));
    let bytes = Tree::pack(&solver.title, report.moves * 2 + 1, &report.answers).unwrap();
    assert!(fault(bytes).is_some_and(|why| why.contains("plies")));
}

/// The game itself, move by move: random defences lose within the plies that the tree names.
#[test]
fn the_tree_wins_every_game() {
    use qiju_core::games::gomoku::engine::prover::ThreatProver;
    let (variant, position) = SMALL[0];
    let tree = Tree::read(solved(variant, position).bytes).unwrap();
    let root = Gomoku::parse(variant, Some(position)).unwrap().current().clone();
    let mut random = fastrand::Rng::with_seed(3);
    let mut prover = ThreatProver::default();
    let mut answered = 0;
    for _ in 0..60 {
        let mut board = root.clone();
        let winner = board.side_to_move();
        for ply in 0.. {
            assert!(ply < 60, "{board:?}");
            if board.winner().is_some() {
                break;
            }
            let mv = if board.side_to_move() == winner {
                let answer = tree.answer(key_of(&board)).map(|answer| spot(answer.place, 15));
                answered += u32::from(answer.is_some());
                let won =
                    |prover: &mut ThreatProver| prover.line(&mut board.clone(), 400_000, &StopToken::new()).map(|win| win.0[0]);
                let forced = qiju_core::games::gomoku::engine::threats::forced(&board).filter(|spots| spots.len() == 1);
                let mv = forced.and_then(|spots| spots.first()).or(answer).or_else(|| won(&mut prover));
                mv.unwrap_or_else(|| panic!("no answer in {board:?}"))
            } else {
                let forced = qiju_core::games::gomoku::engine::threats::forced(&board);
                let near = forced.filter(|spots| !spots.is_empty()).unwrap_or_else(|| board.near_stones());
                near.iter().nth(random.usize(..near.len())).unwrap()
            };
            board.make(mv);
        }
        assert_eq!(board.winner(), Some(winner), "{board:?}");
    }
    assert!(answered > 60, "{answered}");
}

#[test]
fn a_stopped_run_says_how_far_it_is() {
    let stop = StopToken::new();
    stop.stop();
    let told = Mutex::new(Vec::new());
    let solver = Solver::new("standard", None).unwrap();
    let end = solver.run(2, false, &stop, &|standing| told.lock().unwrap().push(standing.clone()), &|_| {});
    assert!(matches!(end, Err(Unproven::Stopped)));
    let told = told.into_inner().unwrap();
    let last = told.last().unwrap();
    assert_eq!((last.first.as_str(), last.answered, last.replies), ("h8", 0, 35));
    assert_eq!((last.open.len(), last.open[0].as_str(), last.open[34].as_str()), (35, "o15", "i8"));
}

/// Replies that the title leaves open are not walked, and others are, on any number of threads.
#[test]
fn open_replies_are_left_out() {
    let solver = Solver::new("freestyle", None).unwrap();
    let middle = place(Spot::new(7, 7), 15);
    let all: Vec<Place> = solver.replies_to_first().1.into_iter().map(|reply| place(reply, 15)).collect();
    assert_eq!(all.len(), 35);
    let hash = key_of(&solver.root).hash;
    let tree = |open: &[Place]| {
        let title = Title { open: open.to_vec(), ..solver.title.clone() };
        let plies = if open.len() == all.len() { 1 } else { 9 };
        Tree::read(Tree::pack(&title, plies, &[(hash, Answer { place: middle, moves: 1 })]).unwrap()).unwrap()
    };
    let everything = tree(&all);
    assert_eq!((open_replies(&everything).len(), first_move(&everything).as_deref()), (35, Some("h8")));
    let checked = check(&everything, 1, &StopToken::new(), &|_| {});
    assert_eq!((checked.fault, checked.report.answers.len(), checked.report.positions), (None, 1, 1));
    // Without an answer to the last three, one of them is found by each number of threads.
    for threads in [1, 2, 5] {
        let checked = check(&tree(&all[..32]), threads, &StopToken::new(), &|_| {});
        assert!(checked.fault.is_some_and(|why| why.contains("there is no answer")), "{threads}");
    }
}

#[test]
fn what_has_no_proof_is_refused() {
    let refused = |variant, position| Solver::new(variant, position).err().map(|error| error.to_string());
    assert_eq!(refused("renju", None).as_deref(), Some("proofs are made by the rules freestyle and standard, not for 'renju'"));
    assert_eq!(refused("freestyle", Some("a1a2b1b2c1c2d1d2e1")).as_deref(), Some("the game is over in this position"));
    assert!(refused("freestyle", Some("z9")).is_some());
    assert!(refused("freestyle:17", None).is_some());
}
