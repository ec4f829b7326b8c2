//! Clocks of a match, and that nothing which is shown stops them.

use super::{CANNON, Player, computer, left};
use crate::driver;
use crate::driver::Phase;
use bevy::input::ButtonState;
use bevy::input::keyboard::KeyCode;
use bevy::winit::UpdateMode;
use qiju::app::activities::results::RESULTS;
use qiju::app::play::{CurrentMatch, EndCard, MoveRequested, Spoken, Thinking};
use qiju::app::requests::{AnyRequest, BeginRequest, CursorRequest, Go, PageRequest};
use qiju::app::settings::Settings;
use qiju::app::setup::{MatchSetup, Purpose};
use qiju::app::state::Menu;
use qiju::app::view::Moving;
use qiju_core::record::SeatSpec;
use qiju_core::rules::{BySide, Point, Reason, Side};
use qiju_core::table::{Action, TimeControl};

#[test]
fn the_clock_runs_only_for_the_side_to_move() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.control = BySide::equal(TimeControl::Increment { main: 60, add: 2 });
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    for _ in 0..100 {
        player.frame();
    }
    let spent = 60_000 - left(&player, Side::First);
    assert!((1500..=1700).contains(&spent), "a hundred frames of 16 ms cost {spent} ms");
    assert_eq!(left(&player, Side::Second), 60_000);
    // A pause costs nobody time.
    player.send(PageRequest::Menu(Menu::Pause));
    player.frame();
    let paused = left(&player, Side::First);
    for _ in 0..100 {
        player.frame();
    }
    assert_eq!(left(&player, Side::First), paused);
    player.send(PageRequest::Menu(Menu::None));
    // A move brings its increment, an undo the time it took.
    player.play(CANNON);
    player.settle();
    assert!(left(&player, Side::First) > paused + 1500);
    for _ in 0..50 {
        player.frame();
    }
    assert!(left(&player, Side::Second) < 60_000);
    player.send(CursorRequest::Undo);
    player.settle();
    assert!(left(&player, Side::First) > 59_900 && left(&player, Side::Second) == 60_000);
}

#[test]
fn time_runs_out_and_a_kill_gives_the_running_turn_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.control = BySide::equal(TimeControl::Sudden { main: 3 });
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    for _ in 0..60 {
        player.frame();
    }
    player.play(CANNON);
    player.settle();
    let before = left(&player, Side::First);
    assert!(before < 2100);
    for _ in 0..60 {
        player.frame();
    }
    drop(player);
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.send(BeginRequest::Resume);
    player.until("match", |world| world.get_resource::<CurrentMatch>().is_some());
    player.settle();
    assert!(left(&player, Side::First).abs_diff(before) <= 1, "{} and {before}", left(&player, Side::First));
    assert!(left(&player, Side::Second) > 2900);
    player.until("the flag", |world| world.resource::<CurrentMatch>().outcome().is_some());
    let outcome = player.current().outcome().unwrap();
    assert_eq!((outcome.winner, outcome.reason), (Some(Side::First), Reason::Time));
    // A lost game is not offered again. After a take-back it continues.
    player.send(CursorRequest::Undo);
    player.settle();
    assert_eq!((player.current().outcome(), player.phase()), (None, Some(Phase::Human)));
}

#[test]
fn each_side_may_have_a_clock_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let (long, short) = (TimeControl::Sudden { main: 600 }, TimeControl::Increment { main: 3, add: 1 });
    let control = BySide::new(long, short);
    player.control = control;
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    player.play_both();
    let played = Side::BOTH.map(|side| left(&player, side));
    assert!(played[0] < 600_000 && (3001..4000).contains(&played[1]), "{played:?}");
    player.send(CursorRequest::Undo);
    player.settle();
    assert!(left(&player, Side::First) > 599_000 && (2900..=3000).contains(&left(&player, Side::Second)));
    // It is killed and resumed while the second side thinks.
    for _ in 0..60 {
        player.frame();
    }
    drop(player);
    let mut player = Player::reopened_in(folder.path());
    player.send(BeginRequest::Resume);
    player.until("match", |world| world.get_resource::<CurrentMatch>().is_some());
    player.settle();
    assert_eq!(player.current().match_setup().control, control);
    assert!(left(&player, Side::First) > 599_000 && left(&player, Side::Second) > 2900);
    player.until("the flag", |world| world.resource::<CurrentMatch>().outcome().is_some());
    let outcome = player.current().outcome().unwrap();
    assert_eq!((outcome.winner, outcome.reason), (Some(Side::First), Reason::Time));
    assert!(left(&player, Side::First) > 599_000);
    // In the next match each player keeps their clock on the other side, and the setup offers it again.
    let begun = |player: &mut Player, request: BeginRequest| {
        let before = player.current().seed();
        player.send(request);
        player.until("match", |world| world.resource::<CurrentMatch>().seed() != before);
        player.settle();
        player.current().match_setup()
    };
    assert_eq!(begun(&mut player, BeginRequest::Rematch(true)).control, BySide::new(short, long));
    assert_eq!(left(&player, Side::Second), 600_000);
    let last = player.app.world().resource::<Settings>().last_setup("xiangqi");
    assert_eq!(last.control, control);
    // Ratings are of players who have the same time.
    let rated = MatchSetup { control, purpose: Purpose::Rated, ..player.current().match_setup() };
    assert_eq!(begun(&mut player, BeginRequest::Start(rated)).control, BySide::equal(long));
}

#[test]
fn an_engine_keeps_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.control = BySide::equal(TimeControl::PerMove { seconds: 600 });
    player.start("tic-tac-toe", computer(10), SeatSpec::Human);
    player.settle();
    assert_eq!(player.current().table().ply(), 1);
    assert_eq!(left(&player, Side::First), 600_000);
}

#[test]
fn the_computer_plays_on_while_an_earlier_position_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 1.0);
    player.start("xiangqi", SeatSpec::Human, computer(3));
    player.settle();
    player.play(CANNON);
    player.until("thought", |world| world.query::<&Thinking>().iter(world).count() == 1);
    player.send(CursorRequest::Go(Go::Start));
    assert!(player.current().is_looking_back());
    player.until("the answer", |world| world.resource::<CurrentMatch>().table().ply() == 2);
    // The view stays where it was, and the move is announced.
    assert_eq!((player.current().shown().ply(), player.current().arrived()), (0, Some(Side::Second)));
    player.frame();
    let text = player.app.world().resource::<Spoken>().text.clone();
    assert_eq!(text.split(' ').next(), Some("Black"), "{text}");
    player.assert_pieces_agree();
    player.key(KeyCode::End);
    player.settle();
    assert_eq!((player.current().shown().ply(), player.current().arrived()), (2, None));
    player.assert_pieces_agree();
    // It is not announced again when the position before it is shown once more.
    player.key(KeyCode::ArrowLeft);
    assert_eq!((player.current().shown().ply(), player.current().arrived()), (1, None));
}

/// One frame; `lost` counts the frames that the clock of each side should lose.
fn count_frame(player: &mut Player, lost: &mut BySide<u128>) {
    let world = player.app.world_mut();
    let at_work = world.query::<&Thinking>().iter(world).any(Thinking::is_at_work);
    let current = player.current();
    if current.human_to_move() || at_work {
        lost[current.table().seat_to_move()] += 1;
    }
    player.frame();
}

#[test]
fn nothing_that_is_shown_stops_an_engine_or_a_clock() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 1.0);
    player.control = BySide::equal(TimeControl::Sudden { main: 30 });
    // A frame takes longer than this.
    let frame = std::time::Duration::from_millis(1);
    player.app.insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(frame));
    player.app.insert_resource(bevy::winit::WinitSettings::default());
    player.start("xiangqi", SeatSpec::Human, computer(10));
    let mut lost = BySide::new(0, 0);
    let begun = BySide::from_fn(|side| left(&player, side));
    // No book knows an answer to this move.
    let action = Action::Step { from: Point::new(0, 0), to: Point::new(0, 1) };
    player.app.world_mut().write_message(MoveRequested { action, ply: 0 });
    count_frame(&mut player, &mut lost);
    let (mut glides, mut begins) = (0, 0);
    let mut before = None;
    let keys = [KeyCode::ArrowLeft, KeyCode::ArrowRight, KeyCode::Home, KeyCode::End, KeyCode::ArrowUp];
    let menus = [Menu::Help, Menu::Settings, Menu::Resign, Menu::Page(RESULTS)];
    for turn in 0.. {
        let world = player.app.world_mut();
        let thinks = world.query::<&Thinking>().iter(world).count();
        let moves = world.query::<&Moving>().iter(world).count();
        glides += usize::from(moves > 0 && thinks > 0);
        begins += usize::from(before == Some(0) && thinks == 1);
        before = Some(thinks);
        if player.current().table().ply() == 2 {
            break;
        }
        // The window is not seen, and a page is open now and then.
        let unseen = player.app.world().resource::<bevy::winit::WinitSettings>().unfocused_mode;
        if let UpdateMode::Reactive { wait, .. } = unseen {
            assert!(thinks == 0 || wait.as_millis() < 100, "{wait:?}");
        }
        match turn % 50 {
            0..40 => {
                let state = if turn % 2 == 0 { ButtonState::Pressed } else { ButtonState::Released };
                driver::key(&mut player.app, keys[turn / 2 % keys.len()], state);
            }
            40 => drop(player.app.world_mut().write_message(PageRequest::Menu(menus[turn / 50 % menus.len()]))),
            49 => drop(player.app.world_mut().write_message(PageRequest::Menu(Menu::None))),
            _ => {}
        }
        count_frame(&mut player, &mut lost);
    }
    assert!(glides > 0, "it thinks while the piece glides");
    assert_eq!(begins, 1, "one search, from beginning to end");
    assert_eq!(player.current().outcome(), None);
    // While the user still looks at an earlier position or reads a page, it is the user's turn and time.
    for request in [
        AnyRequest::from(PageRequest::Menu(Menu::None)),
        CursorRequest::Go(Go::Start).into(),
        PageRequest::Menu(Menu::Help).into(),
        PageRequest::Menu(Menu::None).into(),
    ] {
        request.send(player.app.world_mut());
        for _ in 0..20 {
            count_frame(&mut player, &mut lost);
        }
    }
    let spent = BySide::from_fn(|side| begun[side] - left(&player, side));
    assert_eq!(spent, lost);
    assert!(spent.second > 0 && spent.first >= 80, "{spent:?}");
    // A pause stops the clock, and so does a page that is opened from it.
    for menu in [Menu::Pause, Menu::Settings, Menu::Pause] {
        player.send(PageRequest::Menu(menu));
        player.frame();
        let paused = left(&player, Side::First);
        for _ in 0..20 {
            player.frame();
        }
        assert_eq!(left(&player, Side::First), paused);
    }
    player.send(PageRequest::Menu(Menu::None));
    let on = left(&player, Side::First);
    for _ in 0..20 {
        player.frame();
    }
    assert!(left(&player, Side::First) < on);
    // Both moves are taken back, and the end of the match is shown.
    player.send(CursorRequest::Undo);
    player.settle();
    assert_eq!((player.current().table().ply(), player.current().is_looking_back()), (0, false));
    player.assert_pieces_agree();
}

#[test]
fn time_runs_out_while_an_earlier_position_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.control = BySide::equal(TimeControl::Sudden { main: 2 });
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.play(CANNON);
    player.key(KeyCode::Home);
    player.until("the flag", |world| world.resource::<CurrentMatch>().outcome().is_some());
    let outcome = player.current().outcome().unwrap();
    assert_eq!((outcome.winner, outcome.reason), (Some(Side::First), Reason::Time));
    assert_eq!(player.current().shown().ply(), 0);
    player.frame();
    let text = player.app.world().resource::<Spoken>().text.clone();
    assert!(text.starts_with("Red wins"), "{text}");
    assert!(player.app.world().resource::<EndCard>().is_open());
}
