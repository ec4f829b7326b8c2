//! The moments players feel, driven without a window: how a match ends and is told, what is offered again, watching two computers, choosing a move
//! ahead, marks, keys.
#![cfg(feature = "gui")]

mod driver;

use bevy::input::ButtonState;
use bevy::input::keyboard::KeyCode;
use bevy::prelude::*;
use driver::{MINUTE, Phase, phase};
use qiju::app::hand::Selection;
use qiju::app::home::Home;
use qiju::app::kept::Kept;
use qiju::app::layout::Layout;
use qiju::app::play::{CurrentMatch, EndCard, Thinking, Unfinished};
use qiju::app::requests::{
    AnyRequest, BeginRequest, CursorRequest, Discard, PageRequest, RefereeRequest, ShowEnding, WatchRequest,
};
use qiju::app::settings::Settings;
use qiju::app::setup::{MatchSetup, Purpose};
use qiju::app::state::Screen;
use qiju::app::words::{Language, Words};
use qiju_core::games::REGISTRY;
use qiju_core::record::SeatSpec;
use qiju_core::rules::{BySide, Point, Reason, Side};
use qiju_core::table::{Action, Mark, MarkColour, Notation, Setup};
use std::path::Path;

struct Player(App);

fn ply(world: &World) -> usize {
    world.resource::<CurrentMatch>().table().ply()
}

impl Player {
    fn begin(folder: &Path, settings: Settings) -> Player {
        let home = Home(folder.to_path_buf());
        Settings { background_work: false, speed: 0.0, language: Some(Language::En), ..settings }.save(&home).unwrap();
        Player(driver::at_title(folder))
    }

    fn frame(&mut self) {
        driver::frame(&mut self.0);
    }

    fn until(&mut self, what: &str, so: impl FnMut(&mut World) -> bool) {
        driver::until(&mut self.0, MINUTE, what, so);
    }

    fn ask(&mut self, request: impl Into<AnyRequest>) {
        request.into().send(self.0.world_mut());
        self.frame();
    }

    fn start(&mut self, game: &str, first: SeatSpec, second: SeatSpec) {
        let game = REGISTRY.iter().find(|entry| entry.key == game).unwrap().key;
        let seats = BySide::new(first, second);
        let (control, purpose) = (BySide::default(), Purpose::Casual);
        self.ask(BeginRequest::Start(MatchSetup { game, setup: Setup::default(), seats, control, purpose }));
        self.until("match", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
        self.until("board", |world| phase(world) != Some(Phase::SetUp));
        self.frame();
    }

    fn current(&self) -> &CurrentMatch {
        self.0.world().resource::<CurrentMatch>()
    }

    fn card_is_open(&self) -> bool {
        self.0.world().resource::<EndCard>().is_open()
    }

    /// The texts of the end card: who won and why.
    fn told(&self) -> (String, String) {
        let (words, current) = (self.0.world().resource::<Words>(), self.current());
        let outcome = current.outcome().unwrap();
        (words.headline(current, outcome), words.reason(current, outcome))
    }

    fn button(&mut self, button: MouseButton, state: ButtonState) {
        driver::button(&mut self.0, button, state);
        self.frame();
    }

    fn point_at(&mut self, point: Point) {
        let position = self.0.world().resource::<Layout>().cursor_of(point);
        driver::move_to(&mut self.0, position);
    }

    fn click(&mut self, button: MouseButton, point: Point) {
        self.point_at(point);
        self.button(button, ButtonState::Pressed);
        self.button(button, ButtonState::Released);
    }

    fn key(&mut self, key_code: KeyCode) {
        for state in [ButtonState::Pressed, ButtonState::Released] {
            driver::key(&mut self.0, key_code, state);
            self.frame();
        }
    }

    /// Plays moves with the mouse in a match of two people.
    fn put(&mut self, points: &[(u8, u8)]) {
        for (x, y) in points {
            let before = ply(self.0.world());
            self.click(MouseButton::Left, Point::new(*x, *y));
            self.until("the move", |world| ply(world) > before);
            // Wait until the animation has ended.
            for _ in 0..4 {
                self.frame();
            }
            self.until("rest", |world| matches!(phase(world), Some(Phase::Human | Phase::Over)));
        }
    }
}

const LEVEL_1: SeatSpec = SeatSpec::computer(1);
/// Three in the left column against two in the middle one.
const WON: [(u8, u8); 5] = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)];

#[test]
fn the_end_opens_a_card_that_can_be_closed_and_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::begin(folder.path(), Settings::default());
    player.start("tic-tac-toe", SeatSpec::Human, SeatSpec::Human);
    player.put(&WON[..4]);
    assert!(!player.card_is_open());
    player.put(&WON[4..]);
    player.frame();
    assert!(player.card_is_open());
    // Two people play: the side is named.
    assert_eq!(player.told(), ("Cross wins".to_owned(), "three in a row".to_owned()));
    player.key(KeyCode::Escape);
    assert!(!player.card_is_open(), "Escape closes it and opens no menu");
    player.ask(ShowEnding(true));
    assert!(player.card_is_open());
    player.key(KeyCode::ArrowLeft);
    assert!(!player.card_is_open(), "an earlier position is shown");
    player.ask(ShowEnding(true));
    player.ask(CursorRequest::Undo);
    player.frame();
    assert!(!player.card_is_open() && player.current().outcome().is_none());
}

#[test]
fn the_end_is_described_from_the_view_of_the_player() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::begin(folder.path(), Settings::default());
    player.start("gomoku", SeatSpec::Human, LEVEL_1);
    player.ask(RefereeRequest::Resign(Side::First));
    player.frame();
    assert_eq!(player.told(), ("You lost".to_owned(), "You resigned".to_owned()));
    player.start("gomoku", SeatSpec::Human, SeatSpec::Human);
    player.ask(RefereeRequest::Resign(Side::Second));
    player.frame();
    assert_eq!(player.told(), ("Black wins".to_owned(), "White resigned".to_owned()));
    assert_eq!(player.current().outcome().unwrap().reason, Reason::Resignation);
}

#[test]
fn lengths_are_counted_as_players_count() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::begin(folder.path(), Settings::default());
    let length = |player: &Player, plies| player.0.world().resource::<Words>().length(player.current().game(), plies);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    assert_eq!([39, 40, 1].map(|plies| length(&player, plies)), ["20 moves", "20 moves", "1 move"]);
    player.ask(PageRequest::Title);
    player.until("the title", |world| *world.resource::<State<Screen>>().get() == Screen::Title);
    player.start("gomoku", SeatSpec::Human, SeatSpec::Human);
    assert_eq!([39, 1].map(|plies| length(&player, plies)), ["39 stones", "1 stone"]);
}

#[test]
fn a_finished_match_is_not_offered_again_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::begin(folder.path(), Settings::default());
    player.start("tic-tac-toe", SeatSpec::Human, SeatSpec::Human);
    player.put(&WON[..4]);
    drop(player);
    let mut player = Player::begin(folder.path(), Settings::default());
    assert!(player.0.world().resource::<Unfinished>().found().is_some(), "a running match is offered");
    player.ask(BeginRequest::Resume);
    player.until("match", |world| world.get_resource::<CurrentMatch>().is_some() && phase(world) == Some(Phase::Human));
    player.put(&WON[4..]);
    drop(player);
    // The program was killed while the end was shown.
    let player = Player::begin(folder.path(), Settings::default());
    assert!(player.0.world().resource::<Unfinished>().found().is_none());
}

#[test]
fn discarding_can_be_undone() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::begin(folder.path(), Settings::default());
    player.start("tic-tac-toe", SeatSpec::Human, SeatSpec::Human);
    player.put(&WON[..3]);
    let text = player.current().table().position_text();
    drop(player);
    let mut player = Player::begin(folder.path(), Settings::default());
    player.ask(Discard(true));
    let unfinished = player.0.world().resource::<Unfinished>();
    assert!(unfinished.found().is_none() && unfinished.discarded().is_some());
    player.ask(Discard(false));
    assert!(player.0.world().resource::<Unfinished>().found().is_some());
    drop(player);
    // It is in its file again.
    let mut player = Player::begin(folder.path(), Settings::default());
    player.ask(BeginRequest::Resume);
    player.until("match", |world| world.get_resource::<CurrentMatch>().is_some());
    assert_eq!(player.current().table().position_text(), text);
    drop(player);
    let mut player = Player::begin(folder.path(), Settings::default());
    player.ask(Discard(true));
    drop(player);
    let player = Player::begin(folder.path(), Settings::default());
    assert!(player.0.world().resource::<Unfinished>().found().is_none(), "discarded for good");
}

#[test]
fn a_match_that_is_watched_is_stopped_and_played_step_by_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::begin(folder.path(), Settings { watch_pace_ms: 0, ..Settings::default() });
    player.start("tic-tac-toe", LEVEL_1, LEVEL_1);
    player.ask(WatchRequest::Pause(true));
    let stopped = ply(player.0.world());
    for _ in 0..100 {
        player.frame();
    }
    assert_eq!(ply(player.0.world()), stopped, "nothing is played");
    if player.current().outcome().is_none() {
        player.ask(WatchRequest::Step);
        player.until("a step", |world| ply(world) == stopped + 1);
        for _ in 0..100 {
            player.frame();
        }
        assert_eq!(ply(player.0.world()), stopped + 1, "one step and no more");
    }
    player.ask(WatchRequest::Pause(false));
    player.until("the end", |world| world.resource::<CurrentMatch>().outcome().is_some());
}

#[test]
fn a_premove_is_played_when_its_turn_comes() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::begin(folder.path(), Settings { premove: true, ..Settings::default() });
    player.start("xiangqi", SeatSpec::Human, SeatSpec::computer(9));
    // No opening book knows the answer to this: the other side has to think.
    player.click(MouseButton::Left, Point::new(0, 0));
    player.click(MouseButton::Left, Point::new(0, 1));
    player.until("thought", |world| world.query::<&Thinking>().iter(world).count() == 1);
    // A soldier's move that nothing prevents.
    let ahead = Action::Step { from: Point::new(0, 3), to: Point::new(0, 4) };
    player.click(MouseButton::Left, Point::new(0, 3));
    player.click(MouseButton::Left, Point::new(0, 4));
    assert_eq!(player.0.world().resource::<Selection>().premove, Some(ahead));
    assert_eq!(ply(player.0.world()), 1, "the other side still thinks");
    player.until("both moves", |world| ply(world) >= 3);
    assert_eq!(player.current().table().played()[2], ahead);
    assert_eq!(player.0.world().resource::<Selection>().premove, None);
}

#[test]
fn the_right_button_draws_and_removes_marks() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::begin(folder.path(), Settings::default());
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.frame();
    let marks = |player: &Player| player.current().tree().notes(player.current().cursor()).marks.to_vec();
    let (a, b) = (Point::new(4, 4), Point::new(4, 7));
    player.click(MouseButton::Right, a);
    player.frame();
    let circle = Mark::Circle { at: a, colour: MarkColour::Green };
    assert_eq!(marks(&player), [circle]);
    player.point_at(a);
    player.button(MouseButton::Right, ButtonState::Pressed);
    player.point_at(b);
    player.button(MouseButton::Right, ButtonState::Released);
    player.frame();
    assert_eq!(marks(&player), [circle, Mark::Arrow { from: a, to: b, colour: MarkColour::Green }]);
    player.click(MouseButton::Right, a);
    player.frame();
    assert_eq!(marks(&player).len(), 1);
    assert_eq!(ply(player.0.world()), 0, "no move was made");
}

#[test]
fn tab_takes_the_keyboard_from_the_board() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::begin(folder.path(), Settings::default());
    player.start("tic-tac-toe", SeatSpec::Human, SeatSpec::Human);
    player.frame();
    player.key(KeyCode::Enter);
    assert!(player.0.world().resource::<Selection>().cursor.is_some());
    player.key(KeyCode::Tab);
    assert!(player.0.world().resource::<Selection>().cursor.is_none());
}

#[test]
fn two_eat_one_is_written_by_its_points_and_read_both_ways() {
    let settings = Settings::default();
    let table = REGISTRY.iter().find(|entry| entry.key == "two-eat-one").unwrap().table(&Setup::default()).unwrap();
    let notation = settings.notation(&*table, Language::En);
    assert_eq!(notation, Notation::Points);
    for action in table.actions() {
        let text = table.write(action, notation).unwrap();
        assert_eq!(table.read(&text), Ok(action), "{text}");
        assert_eq!(table.read(&table.write(action, Notation::Uci).unwrap()), Ok(action));
    }
}
