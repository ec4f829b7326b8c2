//! Tests of reviews of whole games: the assessments, the reasons, and the changes of the tree.

use qiju_core::games;
use qiju_core::rules::{Reason, Side};
use qiju_core::search::{Limits, Score, StopToken, Value};
use qiju_core::study::{Mistake, Review, StudyError, Summary, edits, judge_move, loss_by_repetition, mistakes, review, threat};
use qiju_core::table::{
    Action, Assessment, Chance, Judgement, MistakeKind, MoveVerdict, Notation, Origin, PlayedGame, Player, PlayerError, Progress,
    SearchRequest, Setup, Table, Tree, TreeEdit,
};

/// The nodes searched in each position: enough for the games of these tests.
const NODES: u64 = 4_000;

/// The table at the start and the moves of a game.
fn game(key: &str, position: Option<&str>, moves: &str) -> (Box<dyn Table>, Vec<Action>) {
    let setup = Setup { variant: None, position: position.map(str::to_owned) };
    let mut start = games::find(key).unwrap().table(&setup).unwrap();
    start.adjudicate(false);
    let mut table = start.boxed_clone();
    let actions = moves.split_whitespace().map(|text| {
        let action = table.read(text).unwrap_or_else(|error| panic!("{moves}: {text}: {error}"));
        table.play(action).unwrap();
        action
    });
    let actions = actions.collect();
    (start, actions)
}

fn reviewed(start: &dyn Table, moves: &[Action]) -> Review {
    let request = SearchRequest { limits: Limits::nodes(NODES), ..SearchRequest::default() };
    let (mut done, mut told) = (0, 0);
    let review = review(start, moves, &mut *start.player(), &request, &StopToken::new(), &mut |news| {
        done += 1;
        assert_eq!((news.done, news.of), (done, moves.len() + 1));
        told += usize::from(news.assessment.is_some());
    });
    assert_eq!((done, told), (moves.len() + 1, moves.len() + 1));
    review.unwrap()
}

fn verdict(review: &Review, ply: usize) -> &MoveVerdict {
    review.positions[ply].as_ref().unwrap().verdict.as_ref().unwrap()
}

/// Moves written in the game's own text, from a position.
fn written(start: &dyn Table, before: &[Action], line: &[Action]) -> String {
    let mut table = start.boxed_clone();
    before.iter().for_each(|action| drop(table.play(*action).unwrap()));
    let mut texts = Vec::new();
    for action in line {
        texts.push(table.write(*action, Notation::Uci).expect("a line of a reason can be played"));
        table.play(*action).unwrap();
    }
    texts.join(" ")
}

#[test]
fn reasons_are_given_with_their_line() {
    // (game, position, moves, ply of the bad move, kind, winner's moves, what the line begins with)
    let cases = [
        // The chariot goes where a horse takes it.
        ("xiangqi", Some("4k4/4a4/2n6/9/7R1/9/P8/9/4A4/2BAK1B2 w"), "h5d5", 1, MistakeKind::PieceLost, None, "h5d5 c7d5"),
        // A chariot that nobody guards is not taken.
        ("xiangqi", Some("2bak1b2/4a4/9/3r5/9/9/P7P/3R5/4A4/2BAK1B2 w"), "d2i2 d6d8", 1, MistakeKind::PieceMissed, None, "d2d6"),
        // Mate in one is not seen, and the other side mates.
        ("xiangqi", Some("3k5/R8/1R7/9/9/9/9/2r6/1r7/4K4 w"), "b7b6 c2c0", 1, MistakeKind::WinMissed, Some(1), "b7"),
        ("xiangqi", Some("3k5/4a4/9/9/1R7/9/9/2r6/1r7/4K4 w"), "b5b6 c2c0", 1, MistakeKind::WinAllowed, Some(1), "b5b6 c2c0"),
        // The chariot checks for ever.
        (
            "xiangqi",
            Some("3k5/9/9/9/9/9/9/4R4/9/5K3 w"),
            "e2d2 d9e9 d2e2 e9d9 e2d2 d9e9 d2e2 e9d9",
            7,
            MistakeKind::RepetitionLoses,
            None,
            "d2e2 e9d9",
        ),
        // An open three is left alone, and then not used.
        ("gomoku", None, "h8 i9 h10 g8 h9 a1", 6, MistakeKind::WinAllowed, Some(2), "a1 h"),
        ("gomoku", None, "h8 i9 j8 i7 h10 i10 h9 a1", 8, MistakeKind::WinMissed, Some(2), "i8 "),
        // Proven by the shipped tree, which knows the next move alone.
        ("gomoku", None, "a1", 1, MistakeKind::WinMissed, Some(20), "h8"),
        // A three is not stopped, and there was a longer win.
        ("gomoku", None, "h8 h6 i9 g7 h10 i5 g10", 7, MistakeKind::WinAllowed, Some(2), "g10 "),
        // The edge against the middle.
        ("tic-tac-toe", None, "b2 b1", 2, MistakeKind::Solved, Some(3), "b1 "),
        ("two-eat-one", Some("oooo......o.........xx..x o"), "2,0-2,1", 0, MistakeKind::Solved, None, ""),
    ];
    for (key, position, moves, ply, kind, winner_moves, line) in cases {
        let (start, actions) = game(key, position, moves);
        let review = reviewed(&*start, &actions);
        if ply == 0 {
            // Solved positions have exact chances, whatever they are.
            let exact = [Chance::WIN, Chance::EVEN, Chance::LOSS];
            assert!(review.chances().flatten().all(|chance| exact.contains(&chance)), "{moves}: {review:?}");
            continue;
        }
        let verdict = verdict(&review, ply);
        assert!(verdict.judgement.is_error(), "{moves}: {verdict:?}");
        let reason = verdict.reason.as_ref().unwrap_or_else(|| panic!("{moves}: no reason: {verdict:?}"));
        assert_eq!((reason.kind, reason.moves), (kind, winner_moves), "{moves}: {reason:?}");
        let text = written(&*start, &actions[..ply - 1], &reason.line);
        assert!(text.starts_with(line), "{moves}: {text}");
        let first = if kind.is_missed() { verdict.best[0] } else { actions[ply - 1] };
        assert_eq!(reason.line[0], first, "{moves}");
    }
}

#[test]
fn a_solved_game_is_judged_exactly() {
    let (start, actions) = game("tic-tac-toe", None, "b2 b1 a1 c1 c3");
    let review = reviewed(&*start, &actions);
    let judged: Vec<(u16, u16, Judgement)> =
        (1..=5).map(|ply| verdict(&review, ply)).map(|v| (v.before.0, v.after.0, v.judgement)).collect();
    use Judgement::{Best, Blunder, Good};
    // A lost side that loses sooner than it must has not lost any chance.
    let wanted = [(5000, 5000, Best), (5000, 0, Blunder), (10_000, 10_000, Best), (0, 0, Good), (10_000, 10_000, Best)];
    assert_eq!(judged, wanted);
    let positions: Vec<Option<&Assessment>> = review.positions.iter().map(Option::as_ref).collect();
    let summary = Summary::of(&positions, None);
    assert_eq!(summary.turning_point, Some(2));
    assert_eq!((summary.sides.first.count(Best), summary.sides.second.count(Blunder)), (3, 1));
    assert_eq!(summary.sides.first.accuracy, Some(100.0));
}

#[test]
fn a_quiet_opening_is_no_series_of_mistakes() {
    let (start, actions) = game("xiangqi", None, "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7");
    let review = reviewed(&*start, &actions);
    for ply in 1..=actions.len() {
        let verdict = verdict(&review, ply);
        assert!(verdict.judgement < Judgement::Mistake, "ply {ply}: {verdict:?}");
        assert!(verdict.before >= verdict.after, "ply {ply}");
    }
}

#[test]
fn stones_of_an_opening_are_not_judged() {
    let setup = Setup { variant: Some("freestyle+swap2".into()), position: None };
    let mut start = games::find("gomoku").unwrap().table(&setup).unwrap();
    start.adjudicate(false);
    let mut table = start.boxed_clone();
    let mut moves = Vec::new();
    for text in ["h8", "i9", "j7"] {
        moves.push(table.read(text).unwrap());
        table.play(*moves.last().unwrap()).unwrap();
    }
    moves.push(table.actions()[0]);
    table.play(moves[3]).unwrap();
    moves.push(table.actions()[30]);
    let request = SearchRequest { limits: Limits::nodes(500), ..SearchRequest::default() };
    let review = review(&*start, &moves, &mut *start.player(), &request, &StopToken::new(), &mut |_| {}).unwrap();
    let judged: Vec<bool> = review.positions.iter().map(|it| it.as_ref().is_some_and(|it| it.verdict.is_some())).collect();
    assert_eq!(judged, [false, false, false, false, false, true]);
}

#[test]
fn a_review_that_is_stopped_says_so() {
    let (start, actions) = game("xiangqi", None, "h2e2 h9g7");
    let stop = StopToken::new();
    let request = SearchRequest { limits: Limits::nodes(NODES), ..SearchRequest::default() };
    let answer = review(&*start, &actions, &mut *start.player(), &request, &stop, &mut |_| stop.stop());
    assert_eq!(answer, Err(StudyError::Stopped));
    let bad = [Action::Pass];
    let answer = review(&*start, &bad, &mut *start.player(), &request, &StopToken::new(), &mut |_| {});
    assert!(matches!(answer, Err(StudyError::Move(1, _))), "{answer:?}");
}

/// Applies a review to a game and says how many changes there were.
fn apply(played: &mut PlayedGame, start: &dyn Table, review: &Review, words: &str) -> usize {
    let wording = |_: &dyn Table, verdict: &MoveVerdict| format!("{words} {}", verdict.judgement.key());
    let line = played.line().to_vec();
    let changes: Vec<TreeEdit> = edits(start, played.tree(), &line, &review.positions, &wording);
    for change in &changes {
        played.edit(change).unwrap_or_else(|error| panic!("{change:?}: {error}"));
    }
    changes.len()
}

#[test]
fn a_review_is_written_into_the_tree_and_replaced_by_the_next() {
    let (start, actions) = game("xiangqi", Some("3k5/9/1R7/9/9/9/9/2r6/1r7/4K4 w"), "b7b6 c2c0");
    let review = reviewed(&*start, &actions);
    let mut played = PlayedGame::with_tree(start.boxed_clone(), Tree::of_line(actions, Origin::Main)).unwrap();
    let bad = played.line()[0];
    played.edit(&TreeEdit::Comment { at: bad, text: "mine".into() }).unwrap();
    assert!(apply(&mut played, &*start, &review, "first") > 0);
    let notes = played.tree().notes(bad);
    assert_eq!((notes.comment, notes.glyphs.to_vec()), ("mine\nfirst blunder", vec![Judgement::Blunder.glyph().unwrap()]));
    let better = played.tree().child_with(Tree::ROOT, review_best(&review, 1)).expect("the better move is a variation");
    assert_eq!(played.tree().node(better).origin, Origin::Review);
    assert_eq!(played.tree().next(Tree::ROOT), Some(bad), "the match stays the main line");
    let kept = played.tree().notes(bad).assessment.cloned().unwrap();
    assert_eq!(kept.verdict.as_ref().unwrap().judgement, Judgement::Blunder);
    // Again with other words: they take the place of the first ones, and nothing is there twice.
    apply(&mut played, &*start, &review, "second");
    assert_eq!(played.tree().notes(bad).comment, "mine\nsecond blunder");
    assert_eq!(played.tree().node(Tree::ROOT).children().len(), 2);
    // A variation that somebody wrote about stays.
    let better = played.tree().child_with(Tree::ROOT, review_best(&review, 1)).unwrap();
    played.edit(&TreeEdit::Comment { at: better, text: "why?".into() }).unwrap();
    apply(&mut played, &*start, &review, "third");
    assert!(played.tree().is_attached(better));
    // What makes the tree can be repeated, the review with it.
    let line = played.line().to_vec();
    let moves: Vec<Action> = line.iter().filter_map(|id| played.tree().node(*id).action()).collect();
    let mut again = PlayedGame::with_tree(start.boxed_clone(), Tree::of_line(moves, Origin::Main)).unwrap();
    for edit in played.edits() {
        let at = again.node_of(edit.at()).unwrap();
        again.edit(&edit.moved_to(at)).unwrap();
    }
    assert_eq!(again.tree().packed(), played.tree().packed());
}

fn review_best(review: &Review, ply: usize) -> Action {
    verdict(review, ply).best[0]
}

/// Red checks with every move, and Black's next answer makes the position stand for the third time.
#[test]
fn an_answer_may_complete_a_repetition() {
    let setup = Setup { variant: None, position: Some("1Nb3b2/8R/5k3/9/9/9/4P4/4K4/9/5A3 w".to_owned()) };
    let mut table = games::find("xiangqi").unwrap().table(&setup).unwrap();
    for text in ["i8i7", "f7f8", "i7i8", "f8f7", "i8i7", "f7f8", "i7i8"] {
        assert!(loss_by_repetition(&*table).is_none(), "before {text}");
        table.play(table.read(text).unwrap()).unwrap();
    }
    let lost = loss_by_repetition(&*table).unwrap();
    assert_eq!((lost.outcome.reason, lost.answer), (Reason::PerpetualCheck, table.read("f8f7").ok()));
    table.play(lost.answer.unwrap()).unwrap();
    assert_eq!(table.outcome(), Some(lost.outcome));
}

/// One move is judged as in a review of its game, whether the position before it was searched already or not.
#[test]
fn one_move_is_judged_as_in_a_review() {
    // (game, moves, judgement of the last, kind of its reason)
    let cases = [
        ("xiangqi", "h2e2 h9g7 e2e6", Judgement::Blunder, Some(MistakeKind::PieceLost)),
        ("xiangqi", "h2e2 h9g7 h0g2", Judgement::Best, None),
        ("gomoku", "h8 a1 h7 a2 h6 a3", Judgement::Best, None),
        ("tic-tac-toe", "b2 b1", Judgement::Blunder, Some(MistakeKind::Solved)),
    ];
    for (key, moves, judgement, kind) in cases {
        let (start, actions) = game(key, None, moves);
        let (last, first) = actions.split_last().unwrap();
        let mut before = start.boxed_clone();
        first.iter().for_each(|action| drop(before.play(*action).unwrap()));
        let (request, stop) = (SearchRequest { limits: Limits::nodes(20_000), ..SearchRequest::default() }, StopToken::new());
        // What is known of the position before, from the move that led there.
        let known = first.split_last().map(|(action, earlier)| {
            let mut table = start.boxed_clone();
            earlier.iter().for_each(|action| drop(table.play(*action).unwrap()));
            judge_move(&*table, *action, None, &mut *table.player(), &request, &stop).unwrap().unwrap()
        });
        for known in [known.map(|judged| judged.after), None] {
            let judged = judge_move(&*before, *last, known, &mut *before.player(), &request, &stop).unwrap().unwrap();
            let verdict = judged.assessment.verdict.unwrap();
            let reason = verdict.reason.map(|reason| reason.kind);
            let is_good = |judgement| judgement < Judgement::Inaccuracy;
            assert!(verdict.judgement == judgement || is_good(verdict.judgement) && is_good(judgement), "{key} {moves}");
            assert_eq!(reason, kind, "{key} {moves}");
        }
    }
    // Before an opening has decided the sides, nothing is judged.
    let setup = Setup { variant: Some("freestyle+swap2".to_owned()), position: None };
    let opening = games::find("gomoku").unwrap().table(&setup).unwrap();
    let request = SearchRequest { limits: Limits::nodes(100), ..SearchRequest::default() };
    let judged = judge_move(&*opening, opening.actions()[0], None, &mut *opening.player(), &request, &StopToken::new());
    assert_eq!(judged, Ok(None));
}

/// What a position is worth to the side to move, and its best move, by the moves that led there and the nodes of a search. A word after the moves tells
/// that the best move is left out.
type Script = fn(&str, u64) -> (i32, &'static str);

/// A player that knows no more than that.
struct Scripted(Script);

impl Player for Scripted {
    fn prepare(&mut self, _: &dyn Table, _: &SearchRequest) -> Result<(), PlayerError> {
        Ok(())
    }

    fn think(
        &mut self,
        table: &dyn Table,
        request: &SearchRequest,
        _: &StopToken,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Option<Action>, PlayerError> {
        let start = games::find(table.game()).unwrap().table(&Setup::default()).unwrap();
        let nodes = request.limits.nodes.unwrap();
        let mut at = written(&*start, &[], &table.played());
        if !request.left_out.is_empty() {
            at.push_str(" without");
        }
        let (value, best) = (self.0)(&at, nodes);
        let best = table.read(best).unwrap();
        tell(Progress { nodes, ..Progress::new(1, 1, Score(value).value(), vec![best]) });
        Ok(table
            .actions()
            .into_iter()
            .find(|action| *action == best && !request.left_out.contains(action))
            .or(table.actions().pop()))
    }

    fn new_game(&mut self) {}
}

/// The first verdict of a review by a scripted player with 1 000 nodes a position, and the nodes it took.
fn scripted(moves: &str, script: Script) -> (MoveVerdict, u64) {
    scripted_in("xiangqi", moves, script)
}

fn scripted_in(key: &str, moves: &str, script: Script) -> (MoveVerdict, u64) {
    let (start, actions) = game(key, None, moves);
    let request = SearchRequest { limits: Limits::nodes(1_000), ..SearchRequest::default() };
    let mut nodes = 0;
    let review = review(&*start, &actions, &mut Scripted(script), &request, &StopToken::new(), &mut |news| nodes = news.nodes);
    (verdict(&review.unwrap(), 1).clone(), nodes)
}

#[test]
fn a_verdict_in_doubt_is_searched_until_it_holds() {
    let cases: [(Script, Judgement, u64); 5] = [
        // Until four times the nodes are searched, 0.18 seems lost.
        (
            |at, nodes| if at.is_empty() { (0, "b2e2") } else { (if at == "h2e2" && nodes < 4_000 { 200 } else { 0 }, "h9g7") },
            Judgement::Best,
            19_000,
        ),
        // It stays so with as many nodes as are allowed.
        (
            |at, _| if at.is_empty() { (0, "b2e2") } else { (if at == "h2e2" { 200 } else { 0 }, "h9g7") },
            Judgement::Mistake,
            31_000,
        ),
        // So close to the limit the last search leaves a doubt, and no more is told than is sure.
        (
            |at, _| if at.is_empty() { (0, "b2e2") } else { (if at == "h2e2" { 140 } else { 0 }, "h9g7") },
            Judgement::Inaccuracy,
            31_000,
        ),
        // So much is lost that the first search suffices.
        (
            |at, _| if at.is_empty() { (500, "b2e2") } else { (if at == "h2e2" { 2_000 } else { -500 }, "h9g7") },
            Judgement::Blunder,
            3_000,
        ),
        // Nothing is lost.
        (|at, _| (0, if at.is_empty() { "b2e2" } else { "h9g7" }), Judgement::Best, 2_000),
    ];
    for (number, (script, judgement, nodes)) in (0..).zip(cases) {
        let (verdict, took) = scripted("h2e2", script);
        assert_eq!((verdict.judgement, took), (judgement, nodes), "{number}: {verdict:?}");
    }
}

/// A position is worth at least what the move played there is: the answer that was played is one that the search did not see.
#[test]
fn a_good_answer_shows_the_blunder_before_it() {
    let (verdict, _) = scripted("h2e2 h9g7", |at, _| match at {
        "" => (0, "b2e2"),
        "h2e2" => (0, "b9c7"),
        "b2e2" => (0, "h9g7"),
        "h2e2 h9g7" => (-500, "h0g2"),
        _ => (0, "h0g2"),
    });
    assert_eq!(verdict.judgement, Judgement::Blunder, "{verdict:?}");
}

/// Where threats decide, neither the move that the engine would play nor a search that finds nothing is trusted at once.
#[test]
fn a_mild_verdict_is_doubted_where_threats_decide() {
    let own_choice: Script = |at, _| match at {
        "" => (-300, "h8"),
        " without" => (0, "g7"),
        "h8" => (300, "h9"),
        _ => (0, "i9"),
    };
    let seen_again: Script = |at, nodes| match at {
        "" | " without" => (0, "g7"),
        "h8" => (if nodes == 2_000 { 0 } else { 200 }, "h9"),
        _ => (0, "i9"),
    };
    for script in [own_choice, seen_again] {
        let (verdict, nodes) = scripted_in("gomoku", "h8", script);
        assert_eq!(verdict.judgement, Judgement::Blunder, "{nodes} nodes: {verdict:?}");
    }
}

/// A longer search after a move changes what the next one is measured by.
#[test]
fn a_verdict_follows_the_value_of_the_position_before_it() {
    let (start, actions) = game("xiangqi", None, "h2e2 h9g7");
    let request = SearchRequest { limits: Limits::nodes(1_000), ..SearchRequest::default() };
    // Until four times the nodes are searched, Black seems to have an attack, which the next move gives away.
    let script: Script = |at, nodes| match at {
        "" => (0, "b2e2"),
        "h2e2" if nodes < 4_000 => (200, "b9c7"),
        "h2e2" => (0, "b9c7"),
        "b2e2" => (0, "h9g7"),
        "h2e2 b9c7" => (-200, "h0g2"),
        _ => (0, "h0g2"),
    };
    let review = review(&*start, &actions, &mut Scripted(script), &request, &StopToken::new(), &mut |_| {}).unwrap();
    let chance = |ply: usize| review.positions[ply].as_ref().unwrap().chance;
    assert_eq!((chance(1), verdict(&review, 1).judgement), (Chance::EVEN, Judgement::Best));
    let next = verdict(&review, 2);
    assert_eq!(
        (next.judgement, next.before, next.after, &next.best),
        (Judgement::Best, Chance::EVEN, Chance::EVEN, &vec![actions[1]])
    );
}

/// A player that cannot leave out the only defence tells the value of this move: no other is better.
#[test]
fn the_only_defence_is_the_best_move() {
    let (verdict, _) = scripted("h2e2", |at, _| if at == "h2e2" { (100, "h9g7") } else { (300, "h2e2") });
    assert_eq!(verdict.judgement, Judgement::Best, "{verdict:?}");
}

/// What is known for certain before the first move of a proof is known after it, and after every move of a lost position.
#[test]
fn the_first_move_of_a_proof_is_no_mistake() {
    let (verdict, _) = scripted("h2e2", |at, _| if at.is_empty() { (Score::win_in(5).0, "h2e2") } else { (0, "h9g7") });
    assert_eq!((verdict.judgement, verdict.after), (Judgement::Best, Chance::WIN), "{verdict:?}");
    let (verdict, _) = scripted("h2e2", |at, _| if at.is_empty() { (Score::loss_in(6).0, "b2e2") } else { (0, "h9g7") });
    assert_eq!((verdict.judgement, verdict.after), (Judgement::Best, Chance::LOSS), "{verdict:?}");
}

/// A long win by threats is found however short the searches are.
#[test]
fn what_threats_decide_is_not_estimated() {
    let (start, actions) = game("gomoku", Some("k2n3n6"), "l6 k5 k3 l3 j5 j7 l8 l7 k7 j6 i7 h6 k8 i8 h9");
    let review = reviewed(&*start, &actions);
    let verdict = verdict(&review, 15);
    let reason = verdict.reason.as_ref().map(|reason| (reason.kind, reason.moves));
    assert_eq!((verdict.judgement, verdict.before), (Judgement::Blunder, Chance::WIN), "{verdict:?}");
    assert_eq!(reason, Some((MistakeKind::WinMissed, Some(13))));
}

/// A threat is a win to its end or a piece; where the side to move may not pass, and where nothing is threatened, there is none.
#[test]
fn threats_are_verified() {
    // (game, position, moves, what is threatened: the piece's letter or the winner's own moves, the first move)
    let cases = [
        ("gomoku", None, "h8 a1 h7 a2 h6", Some((None, Some(2)))),
        ("gomoku", None, "h8 a1", None),
        ("tic-tac-toe", None, "b2 a1 c1", Some((None, Some(1)))),
        // The horse on a4 is attacked by a chariot.
        ("xiangqi", Some("r2ak4/9/9/9/9/N8/9/9/4A4/1R2KA3 w"), "", Some((Some(()), None))),
        ("xiangqi", Some("4k4/9/9/9/9/9/9/9/4R4/3K5 b"), "", None),
        ("xiangqi", None, "", None),
        ("two-eat-one", None, "", None),
    ];
    for (key, position, moves, wanted) in cases {
        let (start, actions) = game(key, position, moves);
        let mut table = start.boxed_clone();
        actions.iter().for_each(|action| drop(table.play(*action).unwrap()));
        let request = SearchRequest { limits: Limits::nodes(20_000), ..SearchRequest::default() };
        let found = threat(&*table, &mut *table.player(), &request, &StopToken::new()).unwrap();
        assert_eq!(found.as_ref().map(|it| (it.piece.map(drop), it.moves)), wanted, "{key} {moves}");
        let Some(found) = found else { continue };
        let mut passed = table.passed().unwrap();
        assert_eq!(passed.turn(), !table.turn());
        found.line.iter().for_each(|action| drop(passed.play(*action).unwrap()));
    }
}

/// A game in which the moves with these numbers were judged as blunders, each with the first other move as the better one.
fn with_blunders(game: &str, moves: &str, bad: &[usize]) -> PlayedGame {
    let mut game = PlayedGame::new(games::find(game).unwrap().table(&Setup::default()).unwrap());
    for text in moves.split(' ') {
        game.play(game.table().read(text).unwrap()).unwrap();
    }
    for number in bad {
        let node = game.line()[*number];
        let before = game.table_at(game.tree().previous(node).unwrap());
        let played = game.tree().node(node).action();
        let best = before.actions().into_iter().find(|action| Some(*action) != played).unwrap();
        let verdict = MoveVerdict {
            mover: before.turn(),
            judgement: Judgement::Blunder,
            before: Chance::EVEN,
            after: Chance::LOSS,
            best: vec![best],
            only: false,
            reason: None,
            comment: String::new(),
        };
        let assessment = Assessment { value: Value::Cp(0), chance: Chance::EVEN, verdict: Some(verdict) };
        game.edit(&TreeEdit::Assess { at: node, assessment: Some(Box::new(assessment)) }).unwrap();
    }
    game
}

#[test]
fn the_mistakes_of_a_side_are_found_with_their_moves() {
    let game = with_blunders("tic-tac-toe", "b2 b1 a1 c1 c3", &[1, 2]);
    let of = |side: Side| mistakes(&game, &|mover| mover == side);
    let (first, second) = (of(Side::First), of(Side::Second));
    assert_eq!((first.len(), second.len()), (1, 1));
    let (_, mistake) = &second[0];
    assert_eq!((mistake.moves.join(" "), mistake.played.as_str()), ("b2".to_owned(), "b1"));
    let start = games::find("tic-tac-toe").unwrap().table(&mistake.setup).unwrap();
    let read = mistake.read(&*start).unwrap();
    assert_eq!((read.before.len(), read.side, read.best.len()), (1, Side::Second, 1));
    assert!(mistake.learnt().is_due(0));
    let broken = Mistake { moves: vec!["b2".to_owned(), "b2".to_owned()], ..mistake.clone() };
    assert_eq!(broken.read(&*start), None);
    // The same position by other moves, or mirrored, has the same name; another one has not.
    let name = |game: &str, moves: &str, bad: usize| mistakes(&with_blunders(game, moves, &[bad]), &|_| true).remove(0).0;
    assert_eq!(name("tic-tac-toe", "a1 b2 c3 b1", 3), name("tic-tac-toe", "c3 b2 a1 b1", 3));
    assert_ne!(name("tic-tac-toe", "a1 b2 c3 b1", 3), name("tic-tac-toe", "a1 b2 b3 b1", 3));
    assert_eq!(name("xiangqi", "h2e2 h9g7 h0g2", 2), name("xiangqi", "b2e2 b9c7 b0c2", 2));
    assert_ne!(name("xiangqi", "h2e2 h9g7 h0g2", 2), name("xiangqi", "h2e2 b9c7 b0c2", 2));
}
