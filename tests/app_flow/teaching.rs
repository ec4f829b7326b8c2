//! Matches with a teacher, and threats.

use super::{Player, computer};
use bevy::prelude::*;
use qiju::app::activities::study::GameReview;
use qiju::app::activities::teaching::Teacher;
use qiju::app::activities::threats::Threats;
use qiju::app::explore::Hint;
use qiju::app::kept::Change;
use qiju::app::notices::Notices;
use qiju::app::play::{CurrentMatch, Thinking};
use qiju::app::requests::{BeginRequest, CursorRequest, Go, HintRequest, RefereeRequest, TeachRequest, ThreatRequest};
use qiju::app::settings::Settings;
use qiju::app::setup::{MatchSetup, Purpose};
use qiju::app::state::Screen;
use qiju_core::record::SeatSpec;
use qiju_core::rules::{BySide, Side};
use qiju_core::table::{Judgement, MistakeKind, Setup};

/// Begins a teaching match as Red, in a position where a cannon can be lost.
fn begin_teaching(player: &mut Player) {
    let position = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w";
    let setup = Setup { variant: None, position: Some(position.to_owned()) };
    let seats = BySide::new(SeatSpec::Human, computer(1));
    player.app.world_mut().resource_mut::<Teacher>().nodes = 20_000;
    player.send(BeginRequest::Start(MatchSetup::untimed("xiangqi", setup, seats, Purpose::Teaching)));
    player.until("match", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
    player.settle();
}

/// In a teaching match each move of the user is judged; after an error the opponent waits, the reason is shown on the board, and the move is tried again.
#[test]
fn a_teaching_match_judges_the_moves_of_the_user() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 1.0);
    begin_teaching(&mut player);
    let step = |text: &str, player: &Player| player.current().table().read(text).unwrap();
    let verdict = |world: &World| {
        let teacher = world.resource::<Teacher>();
        teacher.verdict().map(|verdict| (verdict.judgement, verdict.reason.as_ref().map(|reason| reason.kind)))
    };
    // The cannon is lost. The opponent has found its answer, and waits.
    player.play(step("e2e6", &player));
    player.until("the verdict", |world| verdict(world).is_some());
    assert_eq!(verdict(player.app.world()), Some((Judgement::Blunder, Some(MistakeKind::PieceLost))));
    player.until("its answer", |world| world.query::<&Thinking>().iter(world).any(Thinking::has_answer));
    (0..100).for_each(|_| player.frame());
    assert_eq!(player.current().table().ply(), 1);
    // Why: the line is shown step by step, beside the match.
    player.send(TeachRequest::Why);
    let shown = |player: &Player| player.app.world().resource::<Teacher>().shown(player.current());
    let (at, of) = shown(&player).unwrap();
    assert!(at == 1 && of > 1);
    player.send(CursorRequest::Go(Go::Forward));
    assert_eq!(shown(&player), Some((2, of)));
    player.send(CursorRequest::Go(Go::Leave));
    assert_eq!((shown(&player), player.current().table().ply(), player.current().is_looking_back()), (None, 1, false));
    // Another move instead, which is no error: the opponent answers. A hint comes in steps: what moves, then the move.
    player.send(TeachRequest::Again);
    player.settle();
    assert_eq!((player.current().table().ply(), player.current().tries()), (0, 1));
    player.send(HintRequest);
    player.until("the first step of the hint", |world| world.resource::<Hint>().part.is_some());
    let hint = player.app.world().resource::<Hint>();
    let whole = hint.part.unwrap();
    assert_eq!((hint.shown, hint.at), (None, whole.origin()));
    player.send(HintRequest);
    player.frame();
    assert_eq!(player.app.world().resource::<Hint>().shown, Some(whole));
    player.play(step("h0g2", &player));
    player.until("the answer", |world| world.resource::<CurrentMatch>().table().ply() == 2);
    player.until("the verdict", |world| verdict(world).is_some_and(|(judgement, _)| !judgement.is_error()));
    // After a restart it is a teaching match still, with the same counts.
    drop(player);
    let mut player = Player::reopened_in(folder.path());
    player.app.world_mut().resource_mut::<Teacher>().nodes = 5_000;
    player.send(BeginRequest::Resume);
    player.until("the match", |world| world.get_resource::<CurrentMatch>().is_some());
    assert_eq!(
        (player.current().purpose(), player.current().tries(), player.current().is_helped()),
        (Purpose::Teaching, 1, true)
    );
    // Where the opponent does not wait, it plays on.
    player.settle();
    player.send(Change::new(|settings: &mut Settings| settings.teacher_waits = false));
    let bad = step("i0i1", &player);
    player.play(bad);
    player.until("the answer", |world| world.resource::<CurrentMatch>().table().ply() == 4);
    // The moves of both sides were judged on the way: when the match ends, its review is there.
    assert!(GameReview::summary(player.current()).is_none());
    player.send(RefereeRequest::Resign(Side::First));
    player.until("the review", |world| GameReview::summary(world.resource::<CurrentMatch>()).is_some());
    let reviewed = player.current().assessments().flatten().filter(|position| position.verdict.is_some()).count();
    assert_eq!(reviewed, 4);
    // The panel tells the same numbers.
    let tally = player.app.world().resource::<Teacher>().tally().copied();
    assert_eq!(tally, GameReview::summary(player.current()).map(|summary| summary.sides.first));
    player.assert_pieces_agree();
}

/// What the user answered to the teacher, and how much of a hint was told, are the same after a restart.
#[test]
fn what_was_said_in_a_teaching_match_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let again = |nodes: u64| {
        let mut player = Player::reopened_in(folder.path());
        player.app.world_mut().resource_mut::<Teacher>().nodes = nodes;
        player.send(BeginRequest::Resume);
        player.until("the match", |world| world.get_resource::<CurrentMatch>().is_some());
        player
    };
    begin_teaching(&mut player);
    let bad = player.current().table().read("e2e6").unwrap();
    player.play(bad);
    let is_error = |world: &mut World| world.resource::<Teacher>().verdict().is_some_and(|verdict| verdict.judgement.is_error());
    player.until("the verdict", is_error);
    // The error is told again, and the opponent waits still.
    drop(player);
    let mut player = again(20_000);
    player.until("the verdict", is_error);
    player.until("its answer", |world| world.query::<&Thinking>().iter(world).any(Thinking::has_answer));
    (0..100).for_each(|_| player.frame());
    assert_eq!(player.current().table().ply(), 1);
    // The user goes on, and closes the program before the answer: it comes without a verdict.
    player.send(TeachRequest::GoOn);
    assert_eq!((player.current().table().ply(), player.current().went_on()), (1, true));
    drop(player);
    let mut player = again(u64::MAX);
    player.until("the answer", |world| world.resource::<CurrentMatch>().table().ply() == 2);
    assert!(player.app.world().resource::<Teacher>().is_looking() && player.current().went_on());
    player.settle();
    // A hint, the first step, the second, and neither after another move.
    player.send(HintRequest);
    player.until("the first step of the hint", |world| world.resource::<Hint>().part.is_some());
    let told = |player: &Player| {
        let hint = player.app.world().resource::<Hint>();
        (hint.part, hint.shown)
    };
    let whole = told(&player).0;
    player.frame();
    drop(player);
    let mut player = again(5_000);
    assert_eq!(told(&player), (whole, None));
    player.send(HintRequest);
    player.frame();
    assert_eq!(told(&player), (None, whole));
    drop(player);
    let mut player = again(5_000);
    assert_eq!(told(&player), (None, whole));
    player.settle();
    let other = player.current().table().actions().into_iter().find(|action| Some(*action) != whole).unwrap();
    player.play(other);
    assert_eq!((player.current().hinted(), player.current().went_on()), (None, false));
    drop(player);
    assert_eq!(told(&again(5_000)), (None, None));
}

/// A threat is shown on request, in the position on the board, and goes with it; where the side to move must answer a check it is refused.
#[test]
fn a_threat_is_shown_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("gomoku", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    for at in ["h8", "a1", "h7", "a2", "h6"] {
        let action = player.current().table().read(at).unwrap();
        player.play(action);
        player.settle();
    }
    player.send(ThreatRequest);
    let is_found = |world: &mut World| world.resource::<Threats>().found(world.resource::<CurrentMatch>()).is_some();
    player.until("the threat", is_found);
    let found = |player: &Player| {
        let found = player.app.world().resource::<Threats>().found(player.current());
        found.map(|threat| threat.map(|threat| (threat.piece, threat.moves, threat.line.len())))
    };
    assert_eq!(found(&player), Some(Some((None, Some(2), 3))));
    player.send(CursorRequest::Go(Go::Back));
    assert_eq!(found(&player), None);
    player.send(ThreatRequest);
    player.until("no threat", is_found);
    assert_eq!(found(&player), Some(None));
    player.send(ThreatRequest);
    assert_eq!(found(&player), None);
    // A check has to be answered.
    let setup = Setup { variant: None, position: Some("4k4/9/9/9/9/9/9/9/4R4/3K5 b".to_owned()) };
    player.send(BeginRequest::Start(MatchSetup::analysis("xiangqi", setup)));
    player.until("match", |world| world.resource::<CurrentMatch>().game().entry.key == "xiangqi");
    player.send(ThreatRequest);
    assert!(player.app.world().resource::<Notices>().shown.iter().any(|(text, _)| text.contains("check")));
    assert!(!player.app.world().resource::<Threats>().is_sought());
}
