//! Whole matches: every game to its end, what the hands do, taking back, resuming, what is announced and warned of.

use super::{CANNON, Player, REPLY, computer, from_moves};
use crate::driver;
use crate::driver::{Phase, phase};
use bevy::input::ButtonState;
use bevy::input::keyboard::KeyCode;
use bevy::prelude::*;
use bevy::window::{CursorLeft, WindowEvent, WindowFocused};
use qiju::app::confirmation::Confirmation;
use qiju::app::explore::Hint;
use qiju::app::hand::{Dragged, Selection};
use qiju::app::kept::Change;
use qiju::app::layout::Layout;
use qiju::app::notices::Notices;
use qiju::app::picture::InMotion;
use qiju::app::play::{BoardPiece, CurrentMatch, Offers, ScoreSheet, Spoken, Thinking, Unfinished};
use qiju::app::requests::{
    BeginRequest, CursorRequest, Go, HintRequest, LayoutRequest, PageRequest, RefereeRequest, SelectionRequest,
};
use qiju::app::settings::Settings;
use qiju::app::setup::{MatchSetup, Purpose};
use qiju::app::state::{Menu, Screen};
use qiju::app::view::Moving;
use qiju::app::words::{Language, Words};
use qiju_core::games::REGISTRY;
use qiju_core::record::SeatSpec;
use qiju_core::rules::{BySide, Point, Reason, Side};
use qiju_core::search::{Limits, StopToken};
use qiju_core::table::{Action, Player as TablePlayer, SearchRequest, Setup, TimeControl};

/// A good move in this position.
fn advice(current: &CurrentMatch, adviser: &mut dyn TablePlayer) -> Action {
    let request =
        SearchRequest { limits: Limits { nodes: Some(6000), depth: Some(6), ..Limits::default() }, ..SearchRequest::default() };
    let found = adviser.think(current.table(), &request, &StopToken::new(), &mut |_| {});
    found.unwrap().expect("the game goes on")
}

/// Plays a whole match by pointer against the lowest level.
fn whole_match(game: &str) {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start(game, SeatSpec::Human, computer(1));
    let mut adviser = player.current().table().player();
    for turn in 0..400 {
        player.settle();
        if player.phase() == Some(Phase::Over) {
            break;
        }
        let action = advice(player.current(), &mut *adviser);
        let ply = player.current().table().ply();
        player.play(action);
        player.until("the move", |world| world.resource::<CurrentMatch>().table().ply() > ply);
        if turn % 5 == 0 {
            player.settle();
            player.assert_pieces_agree();
        }
    }
    assert_eq!(player.phase(), Some(Phase::Over), "{game} does not end");
    player.assert_pieces_agree();
    let outcome = player.current().outcome().unwrap();
    assert_eq!(outcome, player.current().table().outcome().unwrap(), "ended by the rules");
    // A finished match is not offered again.
    player.send(PageRequest::Title);
    player.until("the title", |world| *world.resource::<State<Screen>>().get() == Screen::Title);
    assert!(player.app.world().resource::<Unfinished>().found().is_none());
}

#[test]
fn a_whole_match_of_xiangqi() {
    whole_match("xiangqi");
}

#[test]
fn a_whole_match_of_gomoku() {
    whole_match("gomoku");
}

#[test]
fn a_whole_match_of_two_eat_one() {
    whole_match("two-eat-one");
}

#[test]
fn a_whole_match_of_tic_tac_toe() {
    whole_match("tic-tac-toe");
}

#[test]
fn two_computers_play_by_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("tic-tac-toe", computer(10), computer(10));
    player.until("the end", |world| phase(world) == Some(Phase::Over));
    assert_eq!(player.current().outcome().unwrap().winner, None, "perfect play draws");
    player.assert_pieces_agree();
}

#[test]
fn undo_while_it_thinks() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 1.0);
    player.start("xiangqi", SeatSpec::Human, computer(10));
    player.settle();
    let start = player.current().table().position_text();
    player.play(Action::Step { from: Point::new(7, 2), to: Point::new(4, 2) });
    player.until("thought", |world| world.query::<&Thinking>().iter(world).count() == 1);
    assert_eq!(player.current().table().ply(), 1);
    player.send(CursorRequest::Undo);
    player.settle();
    assert_eq!(player.current().table().position_text(), start);
    player.assert_pieces_agree();
    // The search that was running has stopped, and its answer never comes.
    let mut thinking = player.app.world_mut().query::<&Thinking>();
    assert_eq!(thinking.iter(player.app.world()).count(), 0);
    for _ in 0..50 {
        player.frame();
    }
    assert_eq!(player.current().table().ply(), 0);
    // Redo brings the move back, and the computer answers.
    player.send(CursorRequest::Redo);
    player.until("the answer", |world| world.resource::<CurrentMatch>().table().ply() == 2);
    player.settle();
    player.assert_pieces_agree();
    // Undo now takes both back.
    player.send(CursorRequest::Undo);
    player.settle();
    assert_eq!(player.current().table().ply(), 0);
    assert!(player.current().can_redo());
}

#[test]
fn quit_and_resume() {
    let folder = tempfile::tempdir().unwrap();
    let text = {
        let mut player = Player::opened_in(folder.path(), 0.0);
        player.start("gomoku", computer(2), SeatSpec::Human);
        player.settle();
        let mut adviser = player.current().table().player();
        for _ in 0..3 {
            let action = advice(player.current(), &mut *adviser);
            let ply = player.current().table().ply();
            player.play(action);
            player.until("answer", |world| world.resource::<CurrentMatch>().table().ply() == ply + 2);
            player.settle();
        }
        // The program is killed: nothing is closed or saved.
        player.current().table().position_text()
    };
    let mut player = Player::opened_in(folder.path(), 0.0);
    assert!(player.app.world().resource::<Unfinished>().found().is_some());
    player.send(BeginRequest::Resume);
    player.until("match", |world| world.get_resource::<CurrentMatch>().is_some());
    player.settle();
    assert_eq!(player.current().table().position_text(), text);
    assert_eq!(player.current().table().ply(), 7);
    assert_eq!(player.current().seats().first, computer(2));
    player.assert_pieces_agree();
    // The match continues where it was, in the same journal.
    let mut adviser = player.current().table().player();
    let action = advice(player.current(), &mut *adviser);
    player.play(action);
    player.until("answer", |world| world.resource::<CurrentMatch>().table().ply() >= 9);
    let text = player.current().table().position_text();
    drop(player);
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.send(BeginRequest::Resume);
    player.until("match", |world| world.get_resource::<CurrentMatch>().is_some());
    assert_eq!(player.current().table().position_text(), text);
}

#[test]
fn refusals_change_nothing_and_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    let start = player.current().table().position_text();
    let horse = Point::new(1, 0);
    // A horse does not move two points straight.
    player.click(horse);
    assert_eq!(player.app.world().resource::<Selection>().picked, Some(horse));
    player.click(Point::new(1, 1));
    assert_eq!(player.current().table().position_text(), start);
    player.click(horse);
    // Red cannot select a piece of Black.
    player.click(Point::new(1, 9));
    assert_eq!(player.current().table().position_text(), start);
    // A piece dragged off the board does not move.
    player.point_at(horse);
    player.button(ButtonState::Pressed);
    driver::move_to(&mut player.app, Vec2::new(3.0, 3.0));
    player.frame();
    player.button(ButtonState::Released);
    assert_eq!(player.current().table().position_text(), start);
    player.assert_pieces_agree();
}

#[test]
fn the_keyboard_alone_plays() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("tic-tac-toe", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    player.key(KeyCode::Enter);
    assert_eq!(player.app.world().resource::<Selection>().cursor, Some(Point::new(1, 1)));
    player.key(KeyCode::Enter);
    player.settle();
    assert_eq!(player.current().table().played(), [Action::Drop(Point::new(1, 1))]);
    player.key(KeyCode::ArrowLeft);
    player.key(KeyCode::ArrowUp);
    player.key(KeyCode::ArrowUp);
    player.key(KeyCode::Enter);
    player.settle();
    assert_eq!(player.current().table().played()[1], Action::Drop(Point::new(0, 2)));
    player.assert_pieces_agree();
}

#[test]
fn a_slow_frame_loses_no_click() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    // Two whole clicks before the next frame.
    for point in [Point::new(7, 2), Point::new(4, 2)] {
        player.point_at(point);
        for state in [ButtonState::Pressed, ButtonState::Released] {
            driver::button(&mut player.app, MouseButton::Left, state);
        }
    }
    player.frame();
    player.settle();
    assert_eq!(player.current().table().played(), [Action::Step { from: Point::new(7, 2), to: Point::new(4, 2) }]);
    player.assert_pieces_agree();
}

/// However a press ends, nothing hangs at the pointer: the button is released outside the window, where the pointer went in one step;
/// another window gets the keyboard, and the release with it; Escape lets go; a menu opens.
#[test]
fn what_is_dragged_never_hangs_at_the_pointer() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    let window = driver::window(&mut player.app);
    let leave = |player: &mut Player| {
        player.app.world_mut().write_message(WindowEvent::CursorLeft(CursorLeft { window }));
        player.button(ButtonState::Released);
    };
    let lose_focus = |player: &mut Player| {
        player.app.world_mut().write_message(WindowEvent::WindowFocused(WindowFocused { window, focused: false }));
    };
    let ways: [(&str, &dyn Fn(&mut Player)); 4] = [
        ("left", &leave),
        ("focus", &lose_focus),
        ("Escape", &|player| player.key(KeyCode::Escape)),
        ("menu", &|player| player.send(PageRequest::Menu(Menu::Pause))),
    ];
    for (name, ends) in ways {
        player.point_at(Point::new(7, 2));
        player.button(ButtonState::Pressed);
        player.point_at(Point::new(4, 2));
        player.frame();
        let mut dragged = player.app.world_mut().query::<&Dragged>();
        assert_eq!(dragged.iter(player.app.world()).count(), 1, "{name}");
        ends(&mut player);
        (0..3).for_each(|_| player.frame());
        assert_eq!(dragged.iter(player.app.world()).count(), 0, "{name}");
        // A release that comes after all does nothing.
        player.point_at(Point::new(4, 2));
        player.button(ButtonState::Released);
        player.send(PageRequest::Menu(Menu::None));
        player.frame();
        assert_eq!(*player.app.world().resource::<Selection>(), Selection::default(), "{name}");
        assert_eq!(player.current().table().ply(), 0, "{name}");
    }
    player.drag(Point::new(7, 2), Point::new(4, 2));
    player.settle();
    assert_eq!(player.current().table().played(), [CANNON]);
}

#[test]
fn a_click_ends_a_motion_and_counts() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.5);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    player.play(Action::Step { from: Point::new(7, 2), to: Point::new(4, 2) });
    player.frame();
    let mut moving = player.app.world_mut().query::<&Moving>();
    assert_eq!(moving.iter(player.app.world()).count(), 1);
    // Black selects a piece at once.
    player.click(Point::new(7, 9));
    assert_eq!(player.app.world().resource::<Selection>().picked, Some(Point::new(7, 9)));
    let mut moving = player.app.world_mut().query::<&Moving>();
    assert_eq!(moving.iter(player.app.world()).count(), 0);
}

#[test]
fn resigning_hinting_and_menus() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("two-eat-one", SeatSpec::Human, computer(1));
    player.settle();
    player.send(HintRequest);
    player.until("hint", |world| world.resource::<Hint>().shown.is_some());
    let hint = player.app.world().resource::<Hint>().shown.unwrap();
    assert!(player.current().table().actions().contains(&hint));
    player.app.update();
    let (spoken, language) = (player.app.world().resource::<Spoken>(), player.app.world().resource::<Words>().language);
    let notation = player.app.world().resource::<Settings>().notation(player.current().table(), language);
    let text = player.current().table().write(hint, notation).unwrap();
    assert!(spoken.text.ends_with(&text), "{}", spoken.text);
    player.key(KeyCode::Escape);
    assert_eq!(*player.app.world().resource::<State<Menu>>().get(), Menu::Pause);
    player.key(KeyCode::Escape);
    assert_eq!(*player.app.world().resource::<State<Menu>>().get(), Menu::None);
    player.send(RefereeRequest::Resign(Side::First));
    player.settle();
    let outcome = player.current().outcome().unwrap();
    assert_eq!((outcome.winner, outcome.reason), (Some(Side::Second), Reason::Resignation));
    // A second press does the opposite.
    player.send(BeginRequest::Rematch(true));
    player.until("a new match", |world| world.resource::<CurrentMatch>().outcome().is_none());
    assert_eq!(player.current().seats().first, computer(1));
    player.settle();
    assert_eq!(player.current().table().ply(), 1);
    assert!(player.app.world().resource::<Layout>().flipped);
    assert!(player.app.world().resource::<Notices>().shown.is_empty());
    player.assert_pieces_agree();
}

#[test]
fn showing_an_earlier_position_changes_nothing_and_a_click_leads_to_the_present() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    let start = player.current().table().position_text();
    player.play_both();
    let now = player.current().table().position_text();
    player.key(KeyCode::ArrowLeft);
    player.settle();
    assert_eq!(player.current().shown().ply(), 1);
    player.assert_pieces_agree();
    player.key(KeyCode::Home);
    player.settle();
    assert_eq!((player.current().shown().position_text(), player.current().table().position_text()), (start, now.clone()));
    player.assert_pieces_agree();
    player.key(KeyCode::ArrowRight);
    player.settle();
    player.assert_pieces_agree();
    player.send(CursorRequest::Go(Go::Ply(2)));
    assert!(!player.current().is_looking_back());
    // While an earlier position is shown, a click leads back to the present and is not a move.
    player.send(CursorRequest::Go(Go::Ply(1)));
    player.click(Point::new(1, 0));
    player.settle();
    assert_eq!(player.current().shown().position_text(), now);
    assert_eq!(player.app.world().resource::<Selection>().picked, None);
    // Playing from an earlier position takes back the later moves.
    player.send(CursorRequest::Go(Go::Ply(1)));
    player.send(CursorRequest::GoOnFromHere);
    player.settle();
    assert_eq!((player.current().table().ply(), player.current().played().undone().count()), (1, 1));
    player.assert_pieces_agree();
    assert_eq!(player.app.world().resource::<ScoreSheet>().line().count(), 1);
}

/// Before more moves are lost than one undo takes back, the player is asked; and no piece moves, since the position is on the board already.
#[test]
fn continuing_from_an_earlier_position_asks_first() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 1.0);
    player.start("xiangqi", SeatSpec::Human, computer(1));
    player.settle();
    for _ in 0..3 {
        let action = player.current().table().actions()[0];
        player.play(action);
        player.until("the answer", |world| phase(world) == Some(Phase::Human));
    }
    player.send(CursorRequest::Go(Go::Ply(2)));
    player.settle();
    let asked = |player: &Player| {
        let world = player.app.world();
        let question = world.resource::<Offers>().question(player.current());
        question.map(|question| world.resource::<Words>().question(player.current(), question))
    };
    player.send(CursorRequest::GoOnFromHere);
    player.frame();
    assert_eq!(asked(&player).as_deref(), Some("The 4 moves after this position will be taken back. Continue?"));
    player.send(RefereeRequest::Answer(false));
    player.frame();
    assert_eq!((asked(&player), player.current().table().ply()), (None, 6));
    player.send(CursorRequest::GoOnFromHere);
    player.frame();
    player.send(RefereeRequest::Answer(true));
    assert_eq!((player.current().table().ply(), player.current().played().undone().count()), (2, 4));
    let moving = player.app.world_mut().query::<&InMotion>().iter(player.app.world()).count();
    assert_eq!(moving, 0);
    player.assert_pieces_agree();
}

/// A board of stones has no ends: it turns for White only where that is wanted; the player's seat is below all the same.
#[test]
fn a_board_of_stones_turns_only_when_asked() {
    for (game, turns, wanted) in [("gomoku", false, false), ("gomoku", true, true), ("xiangqi", false, true)] {
        let folder = tempfile::tempdir().unwrap();
        let mut player = Player::opened_in(folder.path(), 0.0);
        player.send(Change::new(move |settings: &mut Settings| settings.turn_stones = turns));
        player.start(game, computer(1), SeatSpec::Human);
        player.settle();
        let layout = player.app.world().resource::<Layout>();
        assert_eq!((layout.flipped, layout.below), (wanted, Side::Second), "{game}");
        player.send(LayoutRequest::Flip);
        let layout = player.app.world().resource::<Layout>();
        assert_eq!((layout.flipped, layout.below), (!wanted, Side::First), "{game}");
    }
}

#[test]
fn moves_are_confirmed_where_that_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    player.send(Change::new(|settings: &mut Settings| settings.confirm_moves = Confirmation::Always));
    player.click(Point::new(7, 2));
    player.click(Point::new(4, 2));
    player.settle();
    assert_eq!(player.current().table().ply(), 0);
    assert_eq!(player.app.world().resource::<Selection>().pending, Some(CANNON));
    player.send(SelectionRequest::Confirm(false));
    assert_eq!(player.app.world().resource::<Selection>().pending, None);
    // Another target replaces the first one; the same target again plays the move.
    player.click(Point::new(7, 2));
    player.click(Point::new(5, 2));
    player.click(Point::new(7, 2));
    player.click(Point::new(4, 2));
    player.click(Point::new(4, 2));
    player.settle();
    assert_eq!(player.current().table().played(), [CANNON]);
    player.click(Point::new(7, 9));
    player.click(Point::new(6, 7));
    player.send(SelectionRequest::Confirm(true));
    player.settle();
    assert_eq!(player.current().table().played(), [CANNON, REPLY]);
}

#[test]
fn a_language_of_the_command_line_stays_when_another_setting_changes() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.send(Change::new(|settings: &mut Settings| settings.language = None));
    let settings = player.app.world().resource::<Settings>().clone();
    let other = if settings.language() == Language::Zh { Language::En } else { Language::Zh };
    player.app.world_mut().resource_mut::<Words>().language = other;
    player.send(Change::new(|settings: &mut Settings| settings.theme = "night".to_owned()));
    assert_eq!(player.app.world().resource::<Words>().language, other);
    player.send(Change::new(|settings: &mut Settings| settings.language = Some(settings.language())));
    assert_eq!(player.app.world().resource::<Words>().language, settings.language());
}

#[test]
fn a_game_is_set_up_as_it_was_last_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.control = BySide::equal(TimeControl::ByoYomi { main: 60, period: 10, periods: 2 });
    player.start("gomoku", computer(7), SeatSpec::Human);
    player.app.world_mut().write_message(AppExit::Success);
    player.frame();
    drop(player);
    let player = Player::reopened_in(folder.path());
    let last = player.app.world().resource::<Settings>().last_setup("gomoku");
    assert_eq!(last.control, BySide::equal(TimeControl::ByoYomi { main: 60, period: 10, periods: 2 }));
    assert_eq!((last.seats.first, last.seats.second, last.levels.first), (computer(7), SeatSpec::Human, 7));
}

#[test]
fn moves_are_announced_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    player.send(Change::new(|settings: &mut Settings| settings.language = Some(Language::Zh)));
    player.play(CANNON);
    player.settle();
    assert_eq!(player.app.world().resource::<Spoken>().text, "红方 炮二平五");
    player.click(Point::new(1, 9));
    player.click(Point::new(1, 8));
    player.frame();
    let refused = player.app.world().resource::<Spoken>().clone();
    assert_ne!(refused.text, "红方 炮二平五");
    player.send(RefereeRequest::Resign(Side::Second));
    player.frame();
    assert_eq!(player.app.world().resource::<Spoken>().text, "红方胜 · 黑方认输");
}

/// Before a move that loses by perpetual check there is a warning; played again the move counts, and the repeated moves can be shown.
#[test]
fn a_perpetual_check_is_warned_of_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let key = REGISTRY.iter().find(|entry| entry.key == "xiangqi").unwrap().key;
    let position = Some("3k5/9/9/9/9/9/9/9/4A4/3RK4 b - - 0 1".to_owned());
    let setup = Setup { variant: None, position };
    let seats = BySide::new(SeatSpec::Human, SeatSpec::Human);
    player.send(BeginRequest::Start(MatchSetup {
        game: key,
        setup,
        seats,
        control: BySide::default(),
        purpose: Purpose::Casual,
    }));
    player.until("match", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
    player.settle();
    let step = |a: (u8, u8), b: (u8, u8)| Action::Step { from: Point::new(a.0, a.1), to: Point::new(b.0, b.1) };
    let mut ended = None;
    let mut played = 0;
    let moves = [
        step((3, 9), (4, 9)),
        step((3, 0), (3, 9)),
        step((4, 9), (4, 8)),
        step((3, 9), (3, 8)),
        step((4, 8), (4, 9)),
        step((3, 8), (3, 9)),
        step((4, 9), (4, 8)),
        step((3, 9), (3, 8)),
        step((4, 8), (4, 9)),
        step((3, 8), (3, 9)),
        step((4, 9), (4, 8)),
        step((3, 9), (3, 8)),
    ];
    for action in moves {
        let ply = player.current().table().ply();
        player.play(action);
        player.settle();
        if player.current().table().ply() == ply {
            // The warning changes nothing and says why.
            let spoken = player.app.world().resource::<Spoken>().text.clone();
            assert!(spoken.contains("perpetual check") || spoken.contains("长将"), "{spoken}");
            player.play(action);
            player.settle();
        }
        played += 1;
        ended = player.current().outcome();
        if ended.is_some() {
            break;
        }
    }
    let outcome = ended.unwrap_or_else(|| panic!("still going after {played} moves"));
    assert_eq!((outcome.winner, outcome.reason), (Some(Side::Second), Reason::PerpetualCheck));
    player.send(CursorRequest::ShowCycle);
    assert!(player.current().is_looking_back());
    player.until("the film's end", |world| !world.resource::<CurrentMatch>().is_looking_back());
    player.assert_pieces_agree();
}

#[test]
fn a_match_can_be_played_without_seeing_the_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let shown = |player: &mut Player| {
        let world = player.app.world_mut();
        let mut pieces = world.query_filtered::<&Visibility, With<BoardPiece>>();
        pieces.iter(world).filter(|visibility| **visibility != Visibility::Hidden).count()
    };
    from_moves(&mut player, "freestyle", "h8 i9", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    assert_eq!(shown(&mut player), 2);
    player.send(Change::new(|settings: &mut Settings| settings.blindfold = true));
    player.settle();
    assert_eq!(shown(&mut player), 0);
    // Or there are equal discs.
    player.send(Change::new(|settings: &mut Settings| settings.blind_discs = true));
    player.settle();
    assert_eq!(shown(&mut player), 2);
    player.send(Change::new(|settings: &mut Settings| settings.blind_discs = false));
    player.settle();
    // A new stone is hidden too; when the match is over all are there.
    let free = player.current().table().read("j10").unwrap().target().unwrap();
    player.click(free);
    player.settle();
    assert_eq!((player.current().table().ply(), shown(&mut player)), (3, 0));
    let side = player.current().resigner().unwrap();
    player.send(RefereeRequest::Resign(side));
    player.settle();
    assert_eq!(shown(&mut player), 3);
}
