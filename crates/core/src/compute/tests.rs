//! What crosses the boundary as bytes must arrive unchanged: every question is answered once as it is and once from bytes.

use super::*;
use crate::games;
use crate::rules::Side;
use crate::search::{Known, Limits, PlainKind, Verdict};
use crate::study::laboratory::{Experiment, MOST_DRAWN};
use crate::study::{SolvedGame, refutation};
use crate::table::{
    EngineOptions, Exercise, Goal, Judgement, Lesson, Lessons, Notation, OtherSide, PlayerHandle, SearchRequest, Setup, Table,
    TreeRequest,
};
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn table(game: &str, variant: Option<&str>, position: Option<&str>, moves: &str) -> Box<dyn Table> {
    let setup = Setup { variant: variant.map(str::to_owned), position: position.map(str::to_owned) };
    let mut table = games::find(game).unwrap().table(&setup).unwrap();
    for word in moves.split_whitespace() {
        table.play(table.read(word).unwrap()).unwrap();
    }
    table
}

/// The answer and the news of a question that goes and comes back as bytes.
fn by_bytes<C: Computation>(question: &C) -> (C::Answer, Vec<C::News>) {
    assert!(KEYS.contains(&C::KEY), "{} is not answered", C::KEY);
    let mut news = Vec::new();
    let bytes = answer(C::KEY, &write(question).unwrap(), &StopToken::new(), &mut |told| news.push(told)).unwrap();
    (read_answer::<C>(&bytes).unwrap(), news.iter().map(|told| read_news::<C>(told).unwrap()).collect())
}

/// Checks that a question has the same answer and the same news both ways, and returns the answer.
fn same<C: Computation<Answer: PartialEq + Debug, News: PartialEq + Debug>>(question: impl Fn() -> C) -> C::Answer {
    let mut news = Vec::new();
    let here = question().run(&StopToken::new(), &mut |told| news.push(told));
    let (far, far_news) = by_bytes(&question());
    assert_eq!((&far, &far_news), (&here, &news), "{}", C::KEY);
    here
}

fn assert_same_table(one: &dyn Table, other: &dyn Table) {
    assert_eq!((one.game(), one.setup(), one.played()), (other.game(), other.setup(), other.played()));
    assert_eq!((one.position_text(), one.key(), one.ply()), (other.position_text(), other.key(), other.ply()));
    assert_eq!((one.outcome(), one.actions(), one.turn()), (other.outcome(), other.actions(), other.turn()));
    assert_eq!((one.opening(), one.occurrences()), (other.opening(), other.occurrences()));
    assert_eq!((one.adjudicates(), one.is_still()), (other.adjudicates(), other.is_still()));
}

fn sent(table: &dyn Table) -> Box<dyn Table> {
    let bytes = rmp_serde::to_vec_named(&SentTable::of(table)).unwrap();
    rmp_serde::from_slice::<SentTable>(&bytes).unwrap().into_inner()
}

#[test]
fn tables_arrive_with_their_past() {
    for entry in games::REGISTRY {
        for variant in (entry.variants)() {
            let mut played = table(entry.key, Some(variant), None, "");
            assert_same_table(&*played, &*sent(&*played));
            let mut random = fastrand::Rng::with_seed(23);
            for _ in 0..60 {
                let actions = played.actions();
                let Some(action) = random.choice(actions) else { break };
                played.play(action).unwrap();
                assert_same_table(&*played, &*sent(&*played));
            }
            // What was taken back stays behind.
            played.undo();
            assert_same_table(&*played, &*sent(&*played));
        }
    }
}

#[test]
fn openings_and_given_moves_arrive() {
    let given = table("gomoku", Some("freestyle"), Some("h8h9i8"), "i9 j8");
    assert_same_table(&*given, &*sent(&*given));
    let mut back = given.boxed_clone();
    while back.undo().is_some() {
        assert_same_table(&*back, &*sent(&*back));
    }
    let swap2 = table("gomoku", Some("freestyle+swap2"), None, "h8 h9 i8 two-more j8 j9 take-second k8");
    assert_same_table(&*swap2, &*sent(&*swap2));
    let still = games::find("xiangqi").unwrap().task_table(&Setup::default(), OtherSide::Skips).unwrap();
    assert!(still.is_still());
    assert_same_table(&*still, &*sent(&*still));
}

#[test]
fn a_repetition_that_was_played_on_arrives() {
    let dance = "h2e2 h9g7 e2h2 g7h9 ".repeat(3);
    let mut judged = table("xiangqi", None, None, "");
    for word in dance.split_whitespace() {
        if judged.outcome().is_some() {
            break;
        }
        judged.play(judged.read(word).unwrap()).unwrap();
    }
    assert!(judged.outcome().is_some());
    assert_same_table(&*judged, &*sent(&*judged));
    let mut on = judged.boxed_clone();
    on.adjudicate(false);
    on.play(on.actions()[0]).unwrap();
    assert_same_table(&*on, &*sent(&*on));
}

#[test]
fn a_search_finds_the_same_and_keeps_its_table() {
    let table = table("xiangqi", None, None, "h2e2 h9g7");
    let request = SearchRequest { limits: Limits::nodes(20_000), ..SearchRequest::default() };
    let handle = || PlayerHandle::new(table.player());
    let nodes = |news: &[Thought]| {
        assert!(matches!(news[0], Thought::Begun));
        match news.last() {
            Some(Thought::Progress(progress)) => (progress.nodes, progress.value, progress.pv.clone()),
            other => panic!("{other:?}"),
        }
    };
    let think = |player: &PlayerHandle, depth: Option<u16>| Think {
        player: SentPlayer(player.clone()),
        table: SentTable::of(&*table),
        request: SearchRequest { limits: Limits { depth, ..request.limits.clone() }, ..request.clone() },
    };
    let (here, there) = (handle(), handle());
    let mut news = Vec::new();
    let found = think(&here, None).run(&StopToken::new(), &mut |told| news.push(told));
    let (far, far_news) = by_bytes(&think(&there, None));
    assert_eq!((&far, nodes(&far_news)), (&found, nodes(&news)));
    assert!(found.unwrap().is_some());
    // The same player again: its transposition table is still there, so a smaller search needs fewer nodes than one of a new player.
    let depth = 8;
    let again = nodes(&by_bytes(&think(&there, Some(depth))).1).0;
    let fresh = nodes(&by_bytes(&think(&handle(), Some(depth))).1).0;
    assert!(again < fresh, "{again} nodes with the table, {fresh} without");
}

#[test]
fn a_search_is_stopped_from_outside() {
    let table = table("gomoku", None, None, "h8 h9 i8 g8");
    let looks = Arc::new(AtomicUsize::new(0));
    let counted = looks.clone();
    let stop = StopToken::looking(move || counted.fetch_add(1, Ordering::Relaxed) >= 20);
    let request = SearchRequest { options: EngineOptions::default(), ..SearchRequest::default() };
    let player = SentPlayer(PlayerHandle::new(table.player()));
    // Without limits this search would go on for ever.
    let question = write(&Think { player, table: SentTable::of(&*table), request }).unwrap();
    let bytes = answer(Think::KEY, &question, &stop, &mut |_| {}).unwrap();
    assert!(read_answer::<Think>(&bytes).unwrap().unwrap().is_some(), "a stopped search has its best move so far");
    assert!(looks.load(Ordering::Relaxed) >= 21);
    assert!(stop.is_stopped());
}

#[test]
fn solved_games_are_judged_the_same() {
    let game = || SentTable::of(&*table("tic-tac-toe", None, None, "b2 b1 a1 c1"));
    assert_eq!(same(|| ExactValues { table: game() }).unwrap().len(), 5);
    assert_eq!(same(|| JudgeGame { table: game() }).unwrap().moves.len(), 4);
    assert!(same(|| Refute { table: game(), ply: 1, notation: Notation::Uci }).unwrap().len() > 1);
    assert_eq!(same(|| ExactValues { table: SentTable::of(&*table("xiangqi", None, None, "")) }), None);
    let variant = (games::find("two-eat-one").unwrap().variants)()[0].to_owned();
    let class = games::find("two-eat-one").unwrap().exercise_classes(&variant)[0];
    let exercise = Exercise { variant, own: class.own, other: class.other, plies: 1..=u32::MAX, seed: 4 };
    let question = FindExercise { game: "two-eat-one".to_owned(), exercise };
    let (setup, plies) = same(|| question.clone()).expect("there are such positions");
    assert!(setup.position.is_some() && plies > 0);
}

#[test]
fn proofs_are_the_same() {
    // An open three of the side to move.
    let won = || SentTable::of(&*table("gomoku", Some("freestyle"), None, "h8 a1 i8 a3 j8 a5"));
    let win = same(|| Prove { table: won(), prover: SentProver::default() }).expect("an open three wins");
    assert_eq!(win.plies, 3);
    let found = same(|| LookForWin { table: won(), given: 0, winner: Side::First, to_the_beginning: false });
    assert_eq!(found.map(|found| (found.ply, found.winner)), Some((6, Side::First)));
}

#[test]
fn reviews_tasks_and_lessons_are_the_same() {
    let start = || SentTable::of(&*table("tic-tac-toe", None, None, ""));
    let moves = table("tic-tac-toe", None, None, "b2 b1 a1 c1 c3").played();
    let request = SearchRequest { limits: Limits::nodes(1000), ..SearchRequest::default() };
    let review = same(|| ReviewGame { table: start(), moves: moves.clone(), request: request.clone(), paused: Arc::default() });
    let review = review.unwrap();
    assert!(review.positions.iter().flatten().any(|position| position.verdict.is_some()));

    let judged = same(|| JudgeMove { table: start(), action: moves[0], known: None, request: request.clone() }).unwrap().unwrap();
    let after = || SentTable::of(&*table("tic-tac-toe", None, None, "b2"));
    let known = || Some(judged.after.clone());
    let next =
        same(|| JudgeMove { table: after(), action: moves[1], known: known(), request: request.clone() }).unwrap().unwrap();
    assert_eq!(next.assessment.verdict.unwrap().judgement, Judgement::Blunder);
    assert_eq!(judged.assessment.verdict.unwrap().judgement, Judgement::Best);
    // Two stones in a row, and the other side to move.
    let open = || SentTable::of(&*table("tic-tac-toe", None, None, "b2 a1 c1"));
    let threat = same(|| FindThreat { table: open(), request: request.clone() }).unwrap().unwrap();
    assert_eq!((threat.piece, threat.moves), (None, Some(1)));

    for entry in games::REGISTRY {
        for task in entry.first_steps().unwrap().tasks.iter().step_by(4) {
            let goal: Goal = task.goal.clone();
            let set = entry.task_table(&task.setup(), goal.other_side()).unwrap();
            same(|| NextMove { table: SentTable::of(&*set), goal: goal.clone() });
        }
    }

    let lost = table("tic-tac-toe", None, None, "b2 b1 a1 a2 c3");
    let learn = |lessons: Lessons| {
        same(|| LearnFromLoss {
            lessons: lessons.clone(),
            table: SentTable::of(&*lost),
            loser: Side::Second,
            request: request.clone(),
        })
    };
    let better = learn(Lessons::default()).unwrap().expect("the second side had a better move");
    assert_eq!(lost.played()[better.ply], better.avoid);
    // With a lesson about that position the other move is not taken again.
    let lesson: Lesson = Lessons::default().keep(&*lost, &better).unwrap().unwrap();
    let known: Lessons = std::iter::once(lesson).collect();
    assert_eq!(known.len(), 1);
    assert_eq!(learn(known).unwrap(), Some(better));
}

#[test]
fn trees_and_experiments_are_the_same() {
    let table = || SentTable::of(&*table("tic-tac-toe", None, None, "b2 a1"));
    let requests = || PlainKind::ALL.map(|kind| TreeRequest::new(kind, 3, MOST_DRAWN)).to_vec();
    same(|| CountTree { table: table(), requests: requests() });
    let (tree, layout) = same(|| DrawTree { table: table(), request: requests()[0].clone() }).unwrap();
    assert_eq!(tree.nodes.len(), layout.x.len());
    let figures = same(|| MeasureExperiment { number: 0, notation: Notation::Uci });
    assert!(!figures.unwrap().unwrap().0.is_empty());
    let beyond = Experiment::shipped().unwrap().len();
    assert_eq!(same(|| MeasureExperiment { number: beyond, notation: Notation::Uci }), None);
}

#[test]
fn pictures_are_the_same() {
    use crate::paint::{BoardLook, Labels, Mark, Pace, PieceSet, SheetText, Theme};
    let entry = games::find("tic-tac-toe").unwrap();
    let sheet = Arc::new(entry.sheet().unwrap());
    let size = entry.table(&Setup::default()).unwrap().size();
    for &(key, text) in Theme::builtin() {
        for theme in [Theme::parse(key, text).unwrap(), Theme::parse(key, text).unwrap().red_blind_safe()] {
            let theme = Arc::new(theme);
            let desk = same(|| PaintDesk { theme: theme.clone(), size: (70, 40) });
            assert_eq!((desk.width, desk.height, desk.rgba.len()), (70, 40, 70 * 40 * 4));
        }
    }
    let (key, text) = Theme::builtin()[0];
    let theme = Arc::new(Theme::parse(key, text).unwrap());
    let set = PieceSet::of(false);
    let board = |size| PaintBoard {
        sheet: sheet.clone(),
        theme: theme.clone(),
        size,
        cell: 20,
        look: BoardLook { flipped: true, labels: Labels::Letters },
    };
    assert_eq!(same(|| board(size)).unwrap().cell, 20.0);
    assert!(by_bytes(&board((99, 99))).0.is_none());
    let stones = Arc::new(games::find("gomoku").unwrap().sheet().unwrap());
    for (sheet, grains) in [(&sheet, 1), (&stones, 2)] {
        let question = || PaintPieces { sheet: sheet.clone(), theme: theme.clone(), set, cell: 20, diameter: 18, grains: 2 };
        let painted = same(question);
        assert_eq!(painted.marks.iter().map(|(mark, _)| *mark).collect::<Vec<_>>(), Mark::ALL);
        assert_eq!(painted.pieces.len(), grains * sheet.kinds().count(), "drawn marks have no grain");
    }

    let saved = |moves: &[&str]| SavedMoves {
        game: "tic-tac-toe".to_owned(),
        setup: Setup::default(),
        moves: moves.iter().map(|&text| text.to_owned()).collect(),
    };
    let last = same(|| LastPositions(vec![saved(&["b2", "a1"]), saved(&["b2", "b2"])]));
    assert_eq!(last[0].as_ref().map(|last| (last.size, last.pieces.len())), Some((size, 2)));
    assert_eq!(last[1], None);

    let table = table("tic-tac-toe", None, None, "b2 a1 c3");
    let film = |shown: PictureContent| PaintGame {
        sheet: sheet.clone(),
        theme: theme.clone(),
        set,
        look: BoardLook { flipped: false, labels: Labels::Letters },
        table: SentTable::of(&*entry.table(&Setup::default()).unwrap()),
        actions: table.played(),
        pixels: 80,
        shown,
    };
    let png = same(|| film(PictureContent::Position(2))).unwrap().unwrap();
    assert!(png.starts_with(b"\x89PNG"));
    let svg = same(|| film(PictureContent::Drawing(2))).unwrap().unwrap();
    assert!(svg.starts_with(b"<svg "));
    let text = SheetText {
        title: "title".to_owned(),
        lines: vec!["line".to_owned()],
        notation: Notation::Uci,
        start: "start".to_owned(),
        result: "result".to_owned(),
        page: "{} of {}".to_owned(),
    };
    let pdf = same(|| film(PictureContent::Sheet(vec![0, 3], text.clone()))).unwrap().unwrap();
    assert!(pdf.starts_with(b"%PDF"));
    let pace = Pace { first_ms: 100, move_ms: 100, last_ms: 200 };
    let gif = same(|| film(PictureContent::Film { from: 0, to: 3, pace })).unwrap().unwrap();
    assert!(gif.starts_with(b"GIF89a"));
    let (_, news) = by_bytes(&film(PictureContent::Film { from: 0, to: 3, pace }));
    assert_eq!(news.last(), Some(&3));
    same(|| film(PictureContent::Film { from: 3, to: 1, pace })).unwrap_err();
}

#[test]
fn bad_messages_are_refused() {
    let stop = StopToken::new();
    let mut tell = |_| {};
    assert_eq!(answer("fly", &[], &stop, &mut tell), Err(BadMessage::Unknown("fly".to_owned())));
    let good = write(&ExactValues { table: SentTable::of(&*table("tic-tac-toe", None, None, "b2")) }).unwrap();
    for key in KEYS {
        assert!(matches!(answer(key, &[], &stop, &mut tell), Err(BadMessage::Invalid { .. })), "{key}");
    }
    for end in 0..good.len() {
        assert!(answer("exact-values", &good[..end], &stop, &mut tell).is_err(), "cut off after {end} bytes");
    }
    // A game that is not in the registry.
    let bytes = write(&ExactValues { table: SentTable::of(&*table("gomoku", None, None, "h8 h9")) }).unwrap();
    let (from, to) = (b"gomoku".as_slice(), b"nogame".as_slice());
    let at = bytes.windows(from.len()).position(|part| part == from).unwrap();
    let renamed = [&bytes[..at], to, &bytes[at + from.len()..]].concat();
    let refused = answer("exact-values", &renamed, &stop, &mut tell).unwrap_err().to_string();
    assert!(refused.contains("nogame") && !refused.contains('\n'), "{refused}");
}

#[test]
fn a_game_is_judged_move_by_move() {
    let mut table = table("tic-tac-toe", None, None, "");
    // The edge against the middle loses; then the win is thrown away, and the draw too.
    for text in ["b2", "b1", "a1", "c1"] {
        table.play(table.read(text).unwrap()).unwrap();
    }
    let review = SolvedGame::of(table.boxed_clone(), &StopToken::new()).unwrap();
    let kinds: Vec<(Known, bool)> = review.moves.iter().map(|m| (m.played.1.known, m.is_mistake())).collect();
    assert_eq!(kinds, [(Known::Draw, false), (Known::Loss, true), (Known::Win, false), (Known::Loss, false)]);
    assert_eq!(review.mistakes().collect::<Vec<_>>(), [1]);
    assert_eq!(review.value(), Some(Verdict { known: Known::Win, plies: Some(1) }));
    assert_eq!((review.now().len(), review.at(0).len()), (5, 9));
    // The game it was given is untouched by looking back.
    assert_eq!(table.ply(), 4);
    // Played out, nothing is left to choose.
    table.play(table.read("c3").unwrap()).unwrap();
    let over = SolvedGame::of(table, &StopToken::new()).unwrap();
    assert_eq!((over.moves.len(), over.value()), (5, None));
    let xiangqi = self::table("xiangqi", None, None, "");
    assert_eq!(SolvedGame::of(xiangqi, &StopToken::new()), None);
}

#[test]
fn a_refutation_is_played_to_the_end() {
    let mut table = table("tic-tac-toe", None, None, "");
    for text in ["b2", "b1", "a1", "c1"] {
        table.play(table.read(text).unwrap()).unwrap();
    }
    let line = refutation(table, 1, Notation::Uci, &StopToken::new()).unwrap();
    assert_eq!((line[0].text.as_str(), line[0].side, line[0].verdict.known), ("b1", Side::Second, Known::Loss));
    // The length of the line equals the distance of the exact value.
    assert_eq!(line.len() as u32, line[0].verdict.plies.unwrap());
    assert_eq!((line.last().unwrap().side, line.last().unwrap().verdict.plies), (Side::First, Some(1)));
    for pair in line.windows(2) {
        assert_eq!(pair[0].side, !pair[1].side);
    }
}

#[test]
fn a_stopped_search_does_not_wait_for_its_player_or_its_prover() {
    let player = PlayerHandle::new(table("tic-tac-toe", None, None, "").player());
    let (won, prover) = (table("gomoku", None, None, "h8 a1 i8 a3 j8 a5"), SentProver::default());
    let stop = StopToken::new();
    assert!(player.lock_unless(&stop).is_some());
    assert_eq!(prover.with(&*won, &stop, |_| Some(1)), Some(1));
    let busy = player.lock();
    let asked_meanwhile = prover.with(&*won, &stop, |_| {
        stop.stop();
        Some((player.lock_unless(&stop).is_none(), prover.with(&*won, &stop, |_| Some(()))))
    });
    drop(busy);
    assert_eq!(asked_meanwhile, Some((true, None)));
    assert!(player.lock_unless(&StopToken::new()).is_some());
    assert_eq!(prover.with(&*won, &StopToken::new(), |_| Some(2)), Some(2));
}

#[test]
fn pictures_are_read_far_away_too() {
    let games = || vec![("two-eat-one".to_owned(), None), ("tic-tac-toe".to_owned(), None)];
    let nothing = crate::paint::Picture { width: 90, height: 90, rgba: vec![200; 90 * 90 * 4] };
    let why = same(|| ReadPicture { shot: Shot::Pixels(nothing.clone()), games: games() }).unwrap_err();
    assert!(why.to_string().contains("no board"), "{why}");
    let why = same(|| ReadPicture { shot: Shot::File(b"text".to_vec().into()), games: games() }).unwrap_err();
    assert!(why.to_string().contains("PNG"), "{why}");
}
