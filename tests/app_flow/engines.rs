//! Engines as players: other people's programs, proven wins put to the test, lost matches learnt from.

use super::{Player, attempt, computer, from_moves, left};
use crate::driver::{Phase, phase};
use bevy::input::keyboard::KeyCode;
use bevy::prelude::*;
use qiju::app::activities::attempt::AttemptStage;
use qiju::app::engines::{Engines, OtherEngine};
use qiju::app::explore::ProofSearch;
use qiju::app::home::Home;
use qiju::app::kept::Kept;
use qiju::app::library::Library;
use qiju::app::notices::Notices;
use qiju::app::play::{Broken, Computer, CurrentMatch, Learning, table_of};
use qiju::app::requests::{AttemptRequest, CursorRequest, ForgetLessons, Go, SeekWin, TryAgain};
use qiju::app::settings::Settings;
use qiju::app::state::Menu;
use qiju_core::record::SeatSpec;
use qiju_core::rules::{BySide, Point, Side};
use qiju_core::table::{Action, TimeControl};
use std::path::Path;

/// The program with another engine for tic-tac-toe in its settings, named `program`.
fn with_program(folder: &Path, command: String) -> Player {
    let program = OtherEngine { name: "program".to_owned(), game: "tic-tac-toe".to_owned(), command, ..OtherEngine::default() };
    let settings = Settings { speed: 0.0, background_work: false, ..Settings::default() };
    settings.save(&Home(folder.to_path_buf())).unwrap();
    Engines { engines: vec![program] }.save(&Home(folder.to_path_buf())).unwrap();
    Player::reopened_in(folder)
}

#[test]
fn another_program_plays() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = with_program(folder.path(), format!("'{}' engine tic-tac-toe", env!("CARGO_BIN_EXE_qiju")));
    player.control = BySide::equal(TimeControl::Sudden { main: 3600 });
    player.start("tic-tac-toe", SeatSpec::External { name: "program".to_owned() }, computer(10));
    player.until("the end", |world| phase(world) == Some(Phase::Over));
    assert_eq!(player.current().outcome().unwrap().winner, None, "perfect play draws");
    player.assert_pieces_agree();
}

#[test]
fn a_program_that_fails_takes_no_time_and_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = with_program(folder.path(), "/nowhere/at/all".to_owned());
    player.control = BySide::equal(TimeControl::Sudden { main: 60 });
    player.start("tic-tac-toe", SeatSpec::Human, SeatSpec::External { name: "program".to_owned() });
    player.settle();
    player.play(Action::Drop(Point::new(1, 1)));
    let broken = |world: &mut World| world.query::<&Broken>().iter(world).count() == 1;
    player.until("the failure", broken);
    player.frame();
    let told = player.app.world().resource::<Notices>().shown.clone();
    assert!(told.iter().any(|(text, _)| text.contains("/nowhere/at/all")), "{told:?}");
    let before = left(&player, Side::Second);
    for _ in 0..100 {
        player.frame();
    }
    assert_eq!(left(&player, Side::Second), before);
    // It fails again when it is tried again; meanwhile the player can take the move back.
    player.send(TryAgain);
    player.until("the next failure", broken);
    player.send(CursorRequest::Undo);
    player.settle();
    assert_eq!((player.current().table().ply(), player.phase()), (0, Some(Phase::Human)));
}

#[test]
fn a_proven_win_can_be_tested_by_the_player() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    from_moves(&mut player, "freestyle", "h8 a1 i9 b1 j10 c1", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    assert!(player.app.world().resource::<ProofSearch>().found().is_none());
    for at in [Point::new(10, 10), Point::new(4, 0), Point::new(11, 11)] {
        player.click(at);
        player.settle();
    }
    assert_eq!(player.phase(), Some(Phase::Over));
    let played = player.current().table().played();
    player.until("a proof", |world| world.resource::<ProofSearch>().found().is_some());
    let found = player.app.world().resource::<ProofSearch>().found().unwrap().clone();
    assert!(found.winner == Side::First && found.ply <= 6 && found.ply.is_multiple_of(2), "{found:?}");
    player.send(AttemptRequest);
    let mut tried = 0;
    let stage = |world: &mut World| attempt(world).unwrap().stage();
    loop {
        player.until("the answer", |world| stage(world) != AttemptStage::Answer);
        player.assert_pieces_agree();
        if stage(player.app.world_mut()) == AttemptStage::Over {
            break;
        }
        assert_eq!(stage(player.app.world_mut()), AttemptStage::Defend);
        // Input is accepted after the answer was shown.
        player.frame();
        player.frame();
        // Alternately by pointer and by the longest defence.
        let attempt = attempt(player.app.world()).unwrap();
        let ply = attempt.table().ply();
        let defences = attempt.defences().to_vec();
        if tried % 2 == 0 {
            let action = defences.first().copied().unwrap_or(attempt.table().actions()[0]);
            player.play(action);
        } else {
            player.key(KeyCode::ArrowRight);
        }
        player.until("the defence", |world| world.resource::<CurrentMatch>().shown().ply() > ply);
        tried += 1;
        assert!(tried < 30, "no end");
    }
    assert!(tried > 0);
    assert_eq!(player.current().shown().outcome().unwrap().winner, Some(Side::First));
    // A step back returns to the player's last choice; another choice is answered as well.
    player.key(KeyCode::ArrowLeft);
    player.frame();
    assert_eq!(stage(player.app.world_mut()), AttemptStage::Defend);
    player.assert_pieces_agree();
    player.frame();
    player.frame();
    // A taken point is refused, and nothing changes.
    let ply = player.current().shown().ply();
    player.click(Point::new(7, 7));
    player.frame();
    assert_eq!(player.current().shown().ply(), ply);
    player.key(KeyCode::ArrowRight);
    player.until("the end again", |world| stage(world) == AttemptStage::Over);
    // The match is unchanged.
    player.key(KeyCode::Escape);
    player.frame();
    assert!(attempt(player.app.world()).is_none() && !player.current().is_looking_back());
    assert_eq!((player.current().table().played(), player.current().shown().ply()), (played, 9));
    player.assert_pieces_agree();
    assert_eq!(*player.app.world().resource::<State<Menu>>().get(), Menu::None);
    // At an earlier position it is offered from there.
    player.send(CursorRequest::Go(Go::Ply(8)));
    player.until("the proof there", |world| world.resource::<ProofSearch>().found().is_some_and(|found| found.ply == 8));
    player.send(AttemptRequest);
    player.until("five", |world| stage(world) == AttemptStage::Over);
    player.send(CursorRequest::Go(Go::Leave));
    player.settle();
    player.assert_pieces_agree();
}

#[test]
fn a_win_the_computer_has_found_can_be_tested_before_it_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    // Black has an open three and the move.
    from_moves(&mut player, "freestyle", "h8 a1 i9 b1 j10 c1", computer(9), SeatSpec::Human);
    player.until("the computer's move", |world| world.resource::<CurrentMatch>().table().ply() == 7);
    player.settle();
    assert!(player.current().table().outcome().is_none());
    // It is not told unasked.
    for _ in 0..50 {
        player.frame();
    }
    assert!(player.app.world().resource::<ProofSearch>().found().is_none());
    player.send(SeekWin);
    player.until("a proof", |world| world.resource::<ProofSearch>().found().is_some());
    player.frame();
    assert!(player.current().is_helped());
    let found = player.app.world().resource::<ProofSearch>().found().unwrap().clone();
    assert_eq!((found.winner, found.ply), (Side::First, 6));
    let stage = |world: &mut World| attempt(world).unwrap().stage();
    player.send(AttemptRequest);
    for _ in 0..12 {
        player.until("the answer", |world| stage(world) != AttemptStage::Answer);
        if stage(player.app.world_mut()) == AttemptStage::Over {
            break;
        }
        player.frame();
        player.frame();
        player.key(KeyCode::ArrowRight);
        player.until("the defence", |world| stage(world) != AttemptStage::Defend);
    }
    assert_eq!(player.current().shown().outcome().unwrap().winner, Some(Side::First));
    // The match is as it was, and continues.
    player.key(KeyCode::Escape);
    player.settle();
    assert!(attempt(player.app.world()).is_none() && player.current().human_to_move());
    assert_eq!(player.current().table().ply(), 7);
    player.assert_pieces_agree();
    player.play(Action::Drop(Point::new(3, 0)));
    player.until("the computer's next move", |world| world.resource::<CurrentMatch>().table().ply() == 9);
    player.assert_pieces_agree();
}

#[test]
fn the_engine_learns_from_a_lost_match() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    // White has an open four: whatever the computer plays, it has lost.
    from_moves(&mut player, "freestyle", "a1 h8 a3 h9 a5 h10 o1 h11", computer(10), SeatSpec::Human);
    let remembers = |player: &mut Player| {
        let mut seats = player.app.world_mut().query::<&Computer>();
        seats.iter(player.app.world()).all(|computer| computer.lessons.is_some())
    };
    assert!(remembers(&mut player));
    player.settle();
    let taken: Vec<Point> = player.current().table().pieces().into_iter().map(|(at, _)| at).collect();
    let five = [Point::new(7, 11), Point::new(7, 6)].into_iter().find(|at| !taken.contains(at)).unwrap();
    player.click(five);
    player.settle();
    assert_eq!(player.current().outcome().unwrap().winner, Some(Side::Second));
    player.until("a lesson", |world| world.resource::<Learning>().lessons().len() == 1);
    player.frame();
    let lesson = player.app.world().resource::<Learning>().lessons().list().remove(0);
    assert_eq!((lesson.game.as_str(), lesson.variant.as_str(), lesson.learnt.is_some()), ("gomoku", "freestyle", true));
    let library = player.app.world().resource::<Library>().clone();
    let table = table_of(&library, &lesson).unwrap();
    assert_eq!((table.turn(), table.position_text()), (Side::First, lesson.position.clone()));
    assert!(table.read(&lesson.avoid).is_ok() && table.read(&lesson.instead).is_ok());
    // A low level makes mistakes on purpose and does not learn.
    from_moves(&mut player, "freestyle", "h8", computer(3), SeatSpec::Human);
    assert!(!remembers(&mut player));
    drop(player);
    // It is there at the next start. A damaged file is reported once and kept under another name.
    let file = folder.path().join("lessons.txt");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes.extend_from_slice(b"rubbish");
    std::fs::write(&file, &bytes).unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.frame();
    let told = player.app.world().resource::<Notices>().shown.clone();
    assert!(told.iter().any(|(text, _)| text.contains("lessons.txt.damaged-1")), "{told:?}");
    assert_eq!(std::fs::read(folder.path().join("lessons.txt.damaged-1")).unwrap(), bytes);
    assert_eq!(player.app.world().resource::<Learning>().lessons().list(), [lesson]);
    player.send(ForgetLessons(Some("xiangqi")));
    assert_eq!(player.app.world().resource::<Learning>().lessons().len(), 1);
    player.send(ForgetLessons(None));
    assert!(player.app.world().resource::<Learning>().lessons().is_empty());
}
