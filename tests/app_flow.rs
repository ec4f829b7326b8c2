//! The real plugins driven without a window: title, setup, whole matches against the computer with a real pointer, undo while
//! it thinks, quitting and resuming.
#![cfg(feature = "gui")]

use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyCode, KeyboardInput, NativeKey};
use bevy::input::mouse::MouseButtonInput;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::window::{PrimaryWindow, WindowEvent};
use qiju::app::intent::Intent;
use qiju::app::library::Notices;
use qiju::app::play::{
    At, Broken, CurrentMatch, Hint, Look, MatchClock, MatchSetup, Piece, Purpose, ScoreSheet, Selection, Shelf, Spoken, Thinking,
    Unfinished,
};
use qiju::app::settings::{Home, OtherEngine, Settings};
use qiju::app::state::{Menu, Phase, Screen};
use qiju::app::view::{Layout, Moving};
use qiju::app::words::Language;
use qiju::app::{Options, window_free_plugins};
use qiju::games::REGISTRY;
use qiju::record::SeatSpec;
use qiju::rules::{BySide, Point, Reason, Side};
use qiju::search::{Limits, StopToken};
use qiju::table::{Action, Brief, Man, Memory, Setup, TimeControl};
use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// A table in a folder of its own, with a window nobody sees.
struct Player {
    app: App,
    control: TimeControl,
}

const FRAME: Duration = Duration::from_millis(16);

impl Player {
    fn sit_down(folder: &Path, speed: f32) -> Player {
        let settings = Settings { speed, background_work: false, ..Settings::default() };
        settings.save(&Home(folder.to_path_buf())).unwrap();
        Player::look_in(folder)
    }

    /// The same with the settings that are there.
    fn look_in(folder: &Path) -> Player {
        let home = Home(folder.to_path_buf());
        let mut app = App::new();
        app.add_plugins(window_free_plugins(home, Options::default()));
        app.insert_resource(TimeUpdateStrategy::ManualDuration(FRAME));
        let window = Window { resolution: (1280, 800).into(), ..default() };
        app.world_mut().spawn((window, PrimaryWindow));
        app.finish();
        app.cleanup();
        let mut player = Player { app, control: TimeControl::Unlimited };
        player.until("the title", |world| *world.resource::<State<Screen>>().get() == Screen::Title);
        player
    }

    fn frame(&mut self) {
        self.app.update();
        std::thread::sleep(Duration::from_micros(300));
    }

    /// Frames until something is so; a minute is long enough for all of it.
    fn until(&mut self, what: &str, mut so: impl FnMut(&mut World) -> bool) {
        let start = Instant::now();
        while !so(self.app.world_mut()) {
            assert!(start.elapsed() < Duration::from_secs(60), "no {what} within a minute");
            self.frame();
        }
    }

    fn wish(&mut self, intent: Intent) {
        self.app.world_mut().write_message(intent);
        self.frame();
    }

    fn start(&mut self, game: &str, first: SeatSpec, second: SeatSpec) {
        let key = REGISTRY.iter().find(|entry| entry.key == game).unwrap().key;
        self.wish(Intent::Choose(key));
        self.until("setup", |world| *world.resource::<State<Screen>>().get() == Screen::Setup);
        let seats = BySide::new(first, second);
        let (control, purpose) = (self.control, Purpose::Casual);
        let setup = MatchSetup { game: key, setup: Setup::default(), seats, control, purpose };
        self.wish(Intent::Start(setup));
        self.until("match", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
        self.until("deal", |world| phase(world) != Some(Phase::Deal));
    }

    fn current(&self) -> &CurrentMatch {
        self.app.world().resource::<CurrentMatch>()
    }

    fn phase(&self) -> Option<Phase> {
        phase(self.app.world())
    }

    fn settle(&mut self) {
        self.until("rest", |world| {
            let current = world.resource::<CurrentMatch>();
            match phase(world) {
                Some(Phase::Human) => current.human_to_move(),
                Some(Phase::Over) => current.outcome().is_some(),
                _ => false,
            }
        });
        self.frame();
    }

    fn window(&mut self) -> Entity {
        let mut windows = self.app.world_mut().query_filtered::<Entity, With<PrimaryWindow>>();
        windows.single(self.app.world()).unwrap()
    }

    fn move_to(&mut self, position: Vec2) {
        let window = self.window();
        let moved = CursorMoved { window, position, delta: None };
        self.app.world_mut().write_message(WindowEvent::CursorMoved(moved));
    }

    fn point_at(&mut self, point: Point) {
        let cursor = self.app.world().resource::<Layout>().cursor_of(point);
        self.move_to(cursor);
    }

    fn button(&mut self, state: ButtonState) {
        let window = self.window();
        let input = MouseButtonInput { button: MouseButton::Left, state, window };
        self.app.world_mut().write_message(WindowEvent::MouseButtonInput(input));
        self.frame();
    }

    fn click(&mut self, point: Point) {
        self.point_at(point);
        self.button(ButtonState::Pressed);
        self.button(ButtonState::Released);
    }

    fn drag(&mut self, from: Point, to: Point) {
        self.point_at(from);
        self.button(ButtonState::Pressed);
        self.point_at(to);
        self.frame();
        self.button(ButtonState::Released);
    }

    fn key(&mut self, code: KeyCode) {
        for state in [ButtonState::Pressed, ButtonState::Released] {
            let window = self.window();
            let logical_key = Key::Unidentified(NativeKey::Unidentified);
            let (repeat, text) = (false, None);
            self.app.world_mut().write_message(KeyboardInput { key_code: code, logical_key, state, text, repeat, window });
            self.frame();
        }
    }

    /// Plays with the hand: clicks, or every third time drags.
    fn play(&mut self, action: Action) {
        match action {
            Action::Drop(at) => self.click(at),
            Action::Step { from, to } if self.current().table().ply() % 3 == 2 => self.drag(from, to),
            Action::Step { from, to } => {
                self.click(from);
                self.click(to);
            }
            other => panic!("no hand plays {other:?}"),
        }
    }

    /// The men shown are the men of the table, each once.
    fn men_agree(&mut self) {
        let mut shown = self.app.world_mut().query::<(&Piece, &At)>();
        let shown: Vec<(Point, Man)> = shown.iter(self.app.world()).map(|(piece, at)| (at.0, piece.0)).collect();
        let count = shown.len();
        let shown: HashMap<Point, Man> = shown.into_iter().collect();
        assert_eq!(shown.len(), count, "two men on one point");
        let table: HashMap<Point, Man> = self.current().shown().men().into_iter().collect();
        assert_eq!(shown, table);
    }
}

fn phase(world: &World) -> Option<Phase> {
    world.get_resource::<State<Phase>>().map(|phase| *phase.get())
}

fn computer(level: u8) -> SeatSpec {
    SeatSpec::Computer { level }
}

/// What a fair player would play here.
fn advice(current: &CurrentMatch, memory: &Memory) -> Action {
    let brief = Brief { limits: Limits { nodes: Some(6000), depth: Some(6), ..Limits::default() }, ..Brief::default() };
    let thinker = current.table().thinker(&brief, memory).unwrap();
    thinker(&StopToken::new(), &mut |_| {}).expect("the game goes on")
}

/// A whole match, by hand, against the gentlest level.
fn whole_match(game: &str) {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path(), 0.0);
    player.start(game, SeatSpec::Human, computer(1));
    let memory = Memory::default();
    for turn in 0..400 {
        player.settle();
        if player.phase() == Some(Phase::Over) {
            break;
        }
        let action = advice(player.current(), &memory);
        let ply = player.current().table().ply();
        player.play(action);
        player.until("the move", |world| world.resource::<CurrentMatch>().table().ply() > ply);
        if turn % 5 == 0 {
            player.settle();
            player.men_agree();
        }
    }
    assert_eq!(player.phase(), Some(Phase::Over), "{game} does not end");
    player.men_agree();
    let outcome = player.current().outcome().unwrap();
    assert_eq!(outcome, player.current().table().outcome().unwrap(), "ended by the rules");
    // What is over is not offered again.
    player.wish(Intent::Title);
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
    let mut player = Player::sit_down(folder.path(), 0.0);
    player.start("tic-tac-toe", computer(10), computer(10));
    player.until("the end", |world| phase(world) == Some(Phase::Over));
    assert_eq!(player.current().outcome().unwrap().winner, None, "perfect play draws");
    player.men_agree();
}

#[test]
fn undo_while_it_thinks() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path(), 1.0);
    player.start("xiangqi", SeatSpec::Human, computer(10));
    player.settle();
    let start = player.current().table().position_text();
    player.play(Action::Step { from: Point::new(7, 2), to: Point::new(4, 2) });
    player.until("thought", |world| world.query::<&Thinking>().iter(world).count() == 1);
    assert_eq!(player.current().table().ply(), 1);
    player.wish(Intent::Undo);
    player.settle();
    assert_eq!(player.current().table().position_text(), start);
    player.men_agree();
    // The search that was going on has stopped, and its answer never comes.
    let mut thinking = player.app.world_mut().query::<&Thinking>();
    assert_eq!(thinking.iter(player.app.world()).count(), 0);
    for _ in 0..50 {
        player.frame();
    }
    assert_eq!(player.current().table().ply(), 0);
    // Redo brings the move back, and the computer answers.
    player.wish(Intent::Redo);
    player.until("the answer", |world| world.resource::<CurrentMatch>().table().ply() == 2);
    player.settle();
    player.men_agree();
    // Undo now takes both back.
    player.wish(Intent::Undo);
    player.settle();
    assert_eq!(player.current().table().ply(), 0);
    assert!(player.current().can_redo());
}

#[test]
fn quit_and_resume() {
    let folder = tempfile::tempdir().unwrap();
    let text = {
        let mut player = Player::sit_down(folder.path(), 0.0);
        player.start("gomoku", computer(2), SeatSpec::Human);
        player.settle();
        let memory = Memory::default();
        for _ in 0..3 {
            let action = advice(player.current(), &memory);
            let ply = player.current().table().ply();
            player.play(action);
            player.until("answer", |world| world.resource::<CurrentMatch>().table().ply() == ply + 2);
            player.settle();
        }
        // The program is killed: nothing is closed, nothing is said.
        player.current().table().position_text()
    };
    let mut player = Player::sit_down(folder.path(), 0.0);
    assert!(player.app.world().resource::<Unfinished>().found().is_some());
    player.wish(Intent::Resume);
    player.until("match", |world| world.get_resource::<CurrentMatch>().is_some());
    player.settle();
    assert_eq!(player.current().table().position_text(), text);
    assert_eq!(player.current().table().ply(), 7);
    assert_eq!(player.current().seats().first, computer(2));
    player.men_agree();
    // It goes on where it was, in the same journal.
    let memory = Memory::default();
    let action = advice(player.current(), &memory);
    player.play(action);
    player.until("answer", |world| world.resource::<CurrentMatch>().table().ply() >= 9);
    let text = player.current().table().position_text();
    drop(player);
    let mut player = Player::sit_down(folder.path(), 0.0);
    player.wish(Intent::Resume);
    player.until("match", |world| world.get_resource::<CurrentMatch>().is_some());
    assert_eq!(player.current().table().position_text(), text);
}

#[test]
fn refusals_change_nothing_and_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    let start = player.current().table().position_text();
    let horse = Point::new(1, 0);
    // The horse's leg is not blocked here, but it does not go two points straight.
    player.click(horse);
    assert_eq!(player.app.world().resource::<Selection>().picked, Some(horse));
    player.click(Point::new(1, 1));
    assert_eq!(player.current().table().position_text(), start);
    player.click(horse);
    // Black's man is not Red's to pick.
    player.click(Point::new(1, 9));
    assert_eq!(player.current().table().position_text(), start);
    // Dragged off the board nothing happens either.
    player.point_at(horse);
    player.button(ButtonState::Pressed);
    player.move_to(Vec2::new(3.0, 3.0));
    player.frame();
    player.button(ButtonState::Released);
    assert_eq!(player.current().table().position_text(), start);
    player.men_agree();
}

#[test]
fn the_keyboard_alone_plays() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path(), 0.0);
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
    player.men_agree();
}

#[test]
fn a_slow_frame_loses_no_click() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    let window = player.window();
    // Two whole clicks before the next frame.
    for point in [Point::new(7, 2), Point::new(4, 2)] {
        player.point_at(point);
        for state in [ButtonState::Pressed, ButtonState::Released] {
            let input = MouseButtonInput { button: MouseButton::Left, state, window };
            player.app.world_mut().write_message(WindowEvent::MouseButtonInput(input));
        }
    }
    player.frame();
    player.settle();
    assert_eq!(player.current().table().played(), [Action::Step { from: Point::new(7, 2), to: Point::new(4, 2) }]);
    player.men_agree();
}

#[test]
fn a_click_ends_a_motion_and_counts() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path(), 0.5);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    player.play(Action::Step { from: Point::new(7, 2), to: Point::new(4, 2) });
    player.frame();
    let mut moving = player.app.world_mut().query::<&Moving>();
    assert_eq!(moving.iter(player.app.world()).count(), 1);
    // Black picks a man at once.
    player.click(Point::new(7, 9));
    assert_eq!(player.app.world().resource::<Selection>().picked, Some(Point::new(7, 9)));
    let mut moving = player.app.world_mut().query::<&Moving>();
    assert_eq!(moving.iter(player.app.world()).count(), 0);
}

#[test]
fn resigning_hinting_and_menus() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path(), 0.0);
    player.start("two-eat-one", SeatSpec::Human, computer(1));
    player.settle();
    player.wish(Intent::Hint);
    player.until("hint", |world| world.resource::<Hint>().shown.is_some());
    let hint = player.app.world().resource::<Hint>().shown.unwrap();
    assert!(player.current().table().actions().contains(&hint));
    player.key(KeyCode::Escape);
    assert_eq!(*player.app.world().resource::<State<Menu>>().get(), Menu::Pause);
    player.key(KeyCode::Escape);
    assert_eq!(*player.app.world().resource::<State<Menu>>().get(), Menu::None);
    player.wish(Intent::Resign(Side::First));
    player.settle();
    let outcome = player.current().outcome().unwrap();
    assert_eq!((outcome.winner, outcome.reason), (Some(Side::Second), Reason::Resignation));
    // The other way round next time.
    player.wish(Intent::Rematch(true));
    player.until("a new match", |world| world.resource::<CurrentMatch>().outcome().is_none());
    assert_eq!(player.current().seats().first, computer(1));
    player.settle();
    assert_eq!(player.current().table().ply(), 1);
    assert!(player.app.world().resource::<Layout>().flipped);
    assert!(player.app.world().resource::<Notices>().shown.is_empty());
    player.men_agree();
}

/// The left time of a side in milliseconds.
fn left(player: &Player, side: Side) -> u128 {
    player.app.world().resource::<MatchClock>().get().left(side).unwrap().left.as_millis()
}

const CANNON: Action = Action::Step { from: Point::new(7, 2), to: Point::new(4, 2) };
const REPLY: Action = Action::Step { from: Point::new(7, 9), to: Point::new(6, 7) };

#[test]
fn the_clock_runs_for_who_is_to_move_and_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path(), 0.0);
    player.control = TimeControl::Increment { main: 60, add: 2 };
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    for _ in 0..100 {
        player.frame();
    }
    let spent = 60_000 - left(&player, Side::First);
    assert!((1500..=1700).contains(&spent), "a hundred frames of 16 ms cost {spent} ms");
    assert_eq!(left(&player, Side::Second), 60_000);
    // A pause costs nobody time.
    player.wish(Intent::Menu(Menu::Pause));
    player.frame();
    let paused = left(&player, Side::First);
    for _ in 0..100 {
        player.frame();
    }
    assert_eq!(left(&player, Side::First), paused);
    player.wish(Intent::Menu(Menu::None));
    // A move brings its increment, an undo the time it took.
    player.play(CANNON);
    player.settle();
    assert!(left(&player, Side::First) > paused + 1500);
    for _ in 0..50 {
        player.frame();
    }
    assert!(left(&player, Side::Second) < 60_000);
    player.wish(Intent::Undo);
    player.settle();
    assert!(left(&player, Side::First) > 59_900 && left(&player, Side::Second) == 60_000);
}

#[test]
fn a_flag_falls_and_a_kill_gives_the_running_turn_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path(), 0.0);
    player.control = TimeControl::Sudden { main: 3 };
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
    let mut player = Player::sit_down(folder.path(), 0.0);
    player.wish(Intent::Resume);
    player.until("match", |world| world.get_resource::<CurrentMatch>().is_some());
    player.settle();
    assert!(left(&player, Side::First).abs_diff(before) <= 1, "{} and {before}", left(&player, Side::First));
    assert!(left(&player, Side::Second) > 2900);
    player.until("the flag", |world| world.resource::<CurrentMatch>().outcome().is_some());
    let outcome = player.current().outcome().unwrap();
    assert_eq!((outcome.winner, outcome.reason), (Some(Side::First), Reason::Time));
    // A lost game is not offered again, and taken back it goes on.
    player.wish(Intent::Undo);
    player.settle();
    assert_eq!((player.current().outcome(), player.phase()), (None, Some(Phase::Human)));
}

#[test]
fn an_engine_keeps_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path(), 0.0);
    player.control = TimeControl::PerMove { seconds: 600 };
    player.start("tic-tac-toe", computer(10), SeatSpec::Human);
    player.settle();
    assert_eq!(player.current().table().ply(), 1);
    assert_eq!(left(&player, Side::First), 600_000);
}

#[test]
fn looking_back_changes_nothing_and_a_move_leads_to_the_present() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    let start = player.current().table().position_text();
    player.play(CANNON);
    player.settle();
    player.play(REPLY);
    player.settle();
    let now = player.current().table().position_text();
    player.key(KeyCode::ArrowLeft);
    player.settle();
    assert_eq!(player.current().shown().ply(), 1);
    player.men_agree();
    player.key(KeyCode::Home);
    player.settle();
    assert_eq!((player.current().shown().position_text(), player.current().table().position_text()), (start, now.clone()));
    player.men_agree();
    player.key(KeyCode::ArrowRight);
    player.settle();
    player.men_agree();
    player.wish(Intent::Look(Look::At(2)));
    assert!(!player.current().is_looking_back());
    // From an earlier moment a click leads back, and is no move.
    player.wish(Intent::Look(Look::At(1)));
    player.click(Point::new(1, 0));
    player.settle();
    assert_eq!(player.current().shown().position_text(), now);
    assert_eq!(player.app.world().resource::<Selection>().picked, None);
    // Going on from an earlier moment takes back what came later.
    player.wish(Intent::Look(Look::At(1)));
    player.wish(Intent::GoOnFromHere);
    player.settle();
    assert_eq!((player.current().table().ply(), player.current().table().undone()), (1, 1));
    player.men_agree();
    assert_eq!(player.app.world().resource::<ScoreSheet>().moves.len(), 1);
}

#[test]
fn the_computer_plays_on_while_one_looks_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path(), 1.0);
    player.start("xiangqi", SeatSpec::Human, computer(3));
    player.settle();
    player.play(CANNON);
    player.until("thought", |world| world.query::<&Thinking>().iter(world).count() == 1);
    player.wish(Intent::Look(Look::First));
    assert!(player.current().is_looking_back());
    player.until("the answer", |world| world.resource::<CurrentMatch>().table().ply() == 2);
    player.settle();
    assert!(!player.current().is_looking_back());
    player.men_agree();
}

#[test]
fn moves_are_confirmed_where_that_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    let settings = Settings { confirm_moves: true, ..player.app.world().resource::<Settings>().clone() };
    player.wish(Intent::Settings(settings));
    player.click(Point::new(7, 2));
    player.click(Point::new(4, 2));
    player.settle();
    assert_eq!(player.current().table().ply(), 0);
    assert_eq!(player.app.world().resource::<Selection>().pending, Some(CANNON));
    player.wish(Intent::Confirm(false));
    assert_eq!(player.app.world().resource::<Selection>().pending, None);
    // Another target takes the first one's place; the same target once more plays.
    player.click(Point::new(7, 2));
    player.click(Point::new(5, 2));
    player.click(Point::new(7, 2));
    player.click(Point::new(4, 2));
    player.click(Point::new(4, 2));
    player.settle();
    assert_eq!(player.current().table().played(), [CANNON]);
    player.click(Point::new(7, 9));
    player.click(Point::new(6, 7));
    player.wish(Intent::Confirm(true));
    player.settle();
    assert_eq!(player.current().table().played(), [CANNON, REPLY]);
}

#[test]
fn games_are_kept_and_opened_again_with_their_moves() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    player.play(CANNON);
    player.settle();
    player.play(REPLY);
    player.settle();
    let text = player.current().table().position_text();
    player.key(KeyCode::Escape);
    player.wish(Intent::Menu(Menu::None));
    // Making room for another match keeps the unfinished one; saving twice makes one file.
    player.wish(Intent::Save);
    player.wish(Intent::Save);
    player.wish(Intent::Rematch(false));
    player.settle();
    assert_eq!(player.current().table().ply(), 0);
    player.wish(Intent::Menu(Menu::Records));
    player.frame();
    let papers = player.app.world().resource::<Shelf>().papers.clone();
    assert_eq!(papers.len(), 1, "{papers:?}");
    player.wish(Intent::Open(papers[0].path.clone()));
    player.until("the record", |world| world.resource::<CurrentMatch>().table().ply() == 2);
    player.settle();
    assert_eq!(player.current().table().position_text(), text);
    player.men_agree();
    player.wish(Intent::Undo);
    player.settle();
    assert_eq!(player.current().table().ply(), 1);
    // What was opened is written in the journal like any match.
    drop(player);
    let mut player = Player::sit_down(folder.path(), 0.0);
    player.wish(Intent::Resume);
    player.until("match", |world| world.get_resource::<CurrentMatch>().is_some());
    assert_eq!((player.current().table().ply(), player.current().table().undone()), (1, 1));
    // Rubbish is told, and changes nothing.
    let rubbish = folder.path().join("rubbish.pgn");
    std::fs::write(&rubbish, "[Game \"Chess\"]\n1. e4").unwrap();
    player.wish(Intent::Open(rubbish));
    player.frame();
    assert!(player.app.world().resource::<Notices>().shown.iter().any(|(text, _)| text.contains("rubbish.pgn:1")));
    assert_eq!(player.current().table().ply(), 1);
}

/// A table at which another program for tic-tac-toe is known by the name of `guest`.
fn with_guest(folder: &Path, command: String) -> Player {
    let guest = OtherEngine { name: "guest".to_owned(), game: "tic-tac-toe".to_owned(), command };
    let settings = Settings { speed: 0.0, background_work: false, engines: vec![guest], ..Settings::default() };
    settings.save(&Home(folder.to_path_buf())).unwrap();
    Player::look_in(folder)
}

#[test]
fn another_program_sits_at_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = with_guest(folder.path(), format!("'{}' engine tic-tac-toe", env!("CARGO_BIN_EXE_qiju")));
    player.control = TimeControl::Sudden { main: 3600 };
    player.start("tic-tac-toe", SeatSpec::External { name: "guest".to_owned() }, computer(10));
    player.until("the end", |world| phase(world) == Some(Phase::Over));
    assert_eq!(player.current().outcome().unwrap().winner, None, "perfect play draws");
    player.men_agree();
}

#[test]
fn a_program_that_fails_costs_nobody_time_and_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = with_guest(folder.path(), "/nowhere/at/all".to_owned());
    player.control = TimeControl::Sudden { main: 60 };
    player.start("tic-tac-toe", SeatSpec::Human, SeatSpec::External { name: "guest".to_owned() });
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
    // It fails again when it is tried again, and the player can take the move back meanwhile.
    player.wish(Intent::TryAgain);
    player.until("the next failure", broken);
    player.wish(Intent::Undo);
    player.settle();
    assert_eq!((player.current().table().ply(), player.phase()), (0, Some(Phase::Human)));
}

#[test]
fn a_game_is_set_up_as_it_was_last_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path(), 0.0);
    player.control = TimeControl::ByoYomi { main: 60, period: 10, periods: 2 };
    player.start("gomoku", computer(7), SeatSpec::Human);
    player.app.world_mut().write_message(AppExit::Success);
    player.frame();
    drop(player);
    let player = Player::look_in(folder.path());
    let last = player.app.world().resource::<Settings>().last_setup("gomoku");
    assert_eq!(last.control, TimeControl::ByoYomi { main: 60, period: 10, periods: 2 });
    assert_eq!((last.seats.first, last.seats.second, last.levels.first), (computer(7), SeatSpec::Human, 7));
}

#[test]
fn moves_are_announced_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    let settings = Settings { language: Some(Language::Zh), ..player.app.world().resource::<Settings>().clone() };
    player.wish(Intent::Settings(settings));
    player.play(CANNON);
    player.settle();
    assert_eq!(player.app.world().resource::<Spoken>().text, "红方 炮二平五");
    player.click(Point::new(1, 9));
    player.click(Point::new(1, 8));
    player.frame();
    let refused = player.app.world().resource::<Spoken>().clone();
    assert_ne!(refused.text, "红方 炮二平五");
    player.wish(Intent::Resign(Side::Second));
    player.frame();
    assert_eq!(player.app.world().resource::<Spoken>().text, "红方胜 · 认输");
}

/// A chariot that would check for ever is warned before the move that loses; played again it counts, and the cycle can be seen.
#[test]
fn a_perpetual_check_is_warned_of_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path(), 0.0);
    let key = REGISTRY.iter().find(|entry| entry.key == "xiangqi").unwrap().key;
    let position = Some("3k5/9/9/9/9/9/9/9/4A4/3RK4 b - - 0 1".to_owned());
    let setup = Setup { variant: None, position };
    let seats = BySide::new(SeatSpec::Human, SeatSpec::Human);
    player.wish(Intent::Start(MatchSetup { game: key, setup, seats, control: TimeControl::Unlimited, purpose: Purpose::Casual }));
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
            // Warned: nothing has changed, and the words say why.
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
    player.wish(Intent::ShowCycle);
    assert!(player.current().is_looking_back());
    player.until("the film's end", |world| !world.resource::<CurrentMatch>().is_looking_back());
    player.men_agree();
}
