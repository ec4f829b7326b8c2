//! Tests of the real plugins without a window: title page, setup, whole matches against the computer with pointer input, undo during
//! a search, quitting and resuming.
#![cfg(feature = "gui")]

mod driver;

use bevy::input::ButtonState;
use bevy::input::keyboard::KeyCode;
use bevy::prelude::*;
use bevy::window::{CursorLeft, WindowEvent, WindowFocused};
use bevy::winit::UpdateMode;
use driver::{MINUTE, Phase, phase};
use qiju::app::activities::teaching::Teacher;
use qiju::app::activities::threats::Threats;
use qiju::app::activities::{
    attempt::{Attempt, AttemptStage, ShownAttempt},
    guess::{GuessRequest, GuessStage, Guessing},
    library::LibraryPage,
    mistakes::Practice,
    puzzles::{MissReason, PuzzleStage, Puzzling},
    repertoire::{CourseStage, OpenGaps, Training},
    results::RESULTS,
    study::{GameReview, Learn},
};
use qiju::app::activity::{LIBRARY, PUZZLES};
use qiju::app::clipboard::Clipboard;
use qiju::app::confirmation::Confirmation;
use qiju::app::engines::{Engines, OtherEngine};
use qiju::app::explore::{Analysis, BetterStage, Explorer, Found, Hint, OpeningBook, ProofSearch, Study};
use qiju::app::hand::{Dragged, Restrictions, Selection};
use qiju::app::home::Home;
use qiju::app::kept::{Change, Kept};
use qiju::app::keys::{KeyFocus, KeysGo};
use qiju::app::layout::Layout;
use qiju::app::library::Library;
use qiju::app::mistakes::Mistakes;
use qiju::app::notices::Notices;
use qiju::app::picture::InMotion;
use qiju::app::platform::today;
use qiju::app::play::{
    At, BoardPiece, Broken, Computer, CurrentMatch, EndCard, ExportChoice, FileDialog, FolderPage, GameList, Learning,
    ListedGame, MatchClock, MoveRequested, OfferedData, Offers, Painting, SavedGame, SavedGames, ScoreSheet, Spoken, Thinking,
    Unfinished, table_of,
};
use qiju::app::progress::PlayerProgress;
use qiju::app::repertoires::Repertoires;
use qiju::app::requests::{
    AnalysisRequest, AnyRequest, AttemptRequest, BeginRequest, BookRequest, CopyRequest, CountGames, CursorRequest, DataRequest,
    DialogRequest, Effort, ExportRequest, FileAim, FileChosen, ForgetLessons, GamesFilter, GamesOf, Go, HintRequest,
    LayoutRequest, LearnStep, LibraryRequest, MistakeStep, Output, PageRequest, PasteClipboard, PictureKind, PictureOrder,
    PuzzleStep, PuzzleWish, ReadRequest, RecordsRequest, RefereeRequest, RepertoireDrill, RepertoireStep, ReviewRequest, SeekWin,
    SelectionRequest, StopPainting, StudyPage, StudyRequest, TeachRequest, ThreatRequest, TreePart, TryAgain,
};
use qiju::app::settings::Settings;
use qiju::app::setup::{MatchSetup, Purpose};
use qiju::app::state::{Menu, Screen};
use qiju::app::view::Moving;
use qiju::app::words::{Language, Words};
use qiju_core::book::{BookEdit, BookMove};
use qiju_core::games::REGISTRY;
use qiju_core::library::{GameId, Library as GamesFile};
use qiju_core::record::data::{self, Data, Kind};
use qiju_core::record::{Format, PAGE, Record, SeatSpec};
use qiju_core::rules::{BySide, Forbidden, Point, Reason, Side};
use qiju_core::search::{Known, Limits, StopToken};
use qiju_core::table::{
    Action, Choice, Duty, Glyph, Judgement, Mark, MarkColour, MistakeKind, Notation, Opener, Piece, Player as TablePlayer,
    SearchRequest, Setup, TimeControl, TreeEdit,
};
use std::collections::HashMap;
use std::path::Path;

/// The program with its own folder, without a visible window.
struct Player {
    app: App,
    control: BySide<TimeControl>,
}

/// The attempt to refute a win that is shown.
fn attempt(world: &World) -> Option<ShownAttempt<'_>> {
    world.resource::<Attempt>().shown(world.resource::<CurrentMatch>())
}

impl Player {
    fn opened_in(folder: &Path, speed: f32) -> Player {
        let settings = Settings { speed, background_work: false, free_take_backs: true, ..Settings::default() };
        settings.save(&Home(folder.to_path_buf())).unwrap();
        Player::reopened_in(folder)
    }

    /// The same with the settings in the folder.
    fn reopened_in(folder: &Path) -> Player {
        Player { app: driver::at_title(folder), control: BySide::default() }
    }

    fn frame(&mut self) {
        driver::frame(&mut self.app);
    }

    /// Runs frames until a condition holds, for a minute at most.
    fn until(&mut self, what: &str, so: impl FnMut(&mut World) -> bool) {
        driver::until(&mut self.app, MINUTE, what, so);
    }

    fn send(&mut self, request: impl Into<AnyRequest>) {
        request.into().send(self.app.world_mut());
        self.frame();
    }

    fn start(&mut self, game: &str, first: SeatSpec, second: SeatSpec) {
        let key = REGISTRY.iter().find(|entry| entry.key == game).unwrap().key;
        self.send(PageRequest::Choose(key));
        self.until("setup", |world| *world.resource::<State<Screen>>().get() == Screen::Setup);
        let seats = BySide::new(first, second);
        let (control, purpose) = (self.control, Purpose::Casual);
        let setup = MatchSetup { game: key, setup: Setup::default(), seats, control, purpose };
        self.send(BeginRequest::Start(setup));
        self.until("match", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
        self.until("deal", |world| phase(world) != Some(Phase::SetUp));
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

    fn point_at(&mut self, point: Point) {
        let cursor = self.app.world().resource::<Layout>().cursor_of(point);
        driver::move_to(&mut self.app, cursor);
    }

    fn button(&mut self, state: ButtonState) {
        driver::button(&mut self.app, MouseButton::Left, state);
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
            driver::key(&mut self.app, code, state);
            self.frame();
        }
    }

    /// Plays the first move of each side.
    fn play_both(&mut self) {
        for action in [CANNON, REPLY] {
            self.play(action);
            self.settle();
        }
    }

    /// Plays with the pointer: by clicks, every third time by dragging.
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

    /// Checks that the pieces shown are the pieces of the table, each once.
    fn assert_pieces_agree(&mut self) {
        let mut shown = self.app.world_mut().query::<(&BoardPiece, &At)>();
        let shown: Vec<(Point, Piece)> = shown.iter(self.app.world()).map(|(board_piece, at)| (at.0, board_piece.0)).collect();
        let count = shown.len();
        let shown: HashMap<Point, Piece> = shown.into_iter().collect();
        assert_eq!(shown.len(), count, "two pieces on one point");
        let table: HashMap<Point, Piece> = self.current().shown().pieces().into_iter().collect();
        assert_eq!(shown, table);
    }
}

fn computer(level: u8) -> SeatSpec {
    SeatSpec::computer(level)
}

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

/// The remaining time of a side in milliseconds.
fn left(player: &Player, side: Side) -> u128 {
    player.app.world().resource::<MatchClock>().get().left(side).unwrap().left.as_millis()
}

const CANNON: Action = Action::Step { from: Point::new(7, 2), to: Point::new(4, 2) };
const REPLY: Action = Action::Step { from: Point::new(7, 9), to: Point::new(6, 7) };

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
fn games_are_saved_and_opened_again_with_their_moves() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    player.play_both();
    let text = player.current().table().position_text();
    player.key(KeyCode::Escape);
    player.send(PageRequest::Menu(Menu::None));
    // A new match keeps the unfinished one; saving twice makes one file.
    player.send(RecordsRequest::Save);
    player.send(RecordsRequest::Save);
    player.send(BeginRequest::Rematch(false));
    player.settle();
    assert_eq!(player.current().table().ply(), 0);
    player.send(PageRequest::Menu(Menu::Records));
    player.frame();
    let games = player.app.world().resource::<SavedGames>().games.clone();
    assert_eq!(games.len(), 1, "{games:?}");
    player.send(ReadRequest::Open(vec![games[0].path.clone()]));
    player.until("the record", |world| world.resource::<CurrentMatch>().table().ply() == 2);
    player.settle();
    assert_eq!(player.current().table().position_text(), text);
    player.assert_pieces_agree();
    player.send(CursorRequest::Undo);
    player.settle();
    assert_eq!(player.current().table().ply(), 1);
    // An opened game is journalled like any match.
    drop(player);
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.send(BeginRequest::Resume);
    player.until("match", |world| world.get_resource::<CurrentMatch>().is_some());
    assert_eq!((player.current().table().ply(), player.current().played().undone().count()), (1, 1));
    // A file that is no game is reported and changes nothing.
    let rubbish = folder.path().join("rubbish.pgn");
    std::fs::write(&rubbish, "[Game \"Chess\"]\n1. e4").unwrap();
    player.send(ReadRequest::Open(vec![rubbish]));
    let told = |world: &mut World| world.resource::<Notices>().shown.iter().any(|(text, _)| text.contains("rubbish.pgn:1"));
    player.until("the reason", told);
    assert_eq!(player.current().table().ply(), 1);
}

#[test]
fn a_finished_game_stays_saved_when_its_match_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.send(Change::new(|settings: &mut Settings| settings.free_take_backs = true));
    player.start("tic-tac-toe", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    let put = |player: &mut Player, points: &[(u8, u8)]| {
        for &(x, y) in points {
            player.play(Action::Drop(Point::new(x, y)));
            player.settle();
        }
    };
    let saved = |player: &mut Player| -> Vec<usize> {
        player.send(PageRequest::Menu(Menu::Records));
        player.frame();
        let mut plies: Vec<usize> =
            player.app.world().resource::<SavedGames>().games.iter().map(|game| game.record.plies()).collect();
        player.send(PageRequest::Menu(Menu::None));
        player.frame();
        plies.sort_unstable();
        plies
    };
    put(&mut player, &[(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]);
    assert!(player.current().outcome().is_some());
    assert_eq!(saved(&mut player), [5]);
    player.send(CursorRequest::Undo);
    player.settle();
    assert!(player.current().outcome().is_none());
    assert_eq!(saved(&mut player), [5]);
    // The match goes on from an earlier position and ends in another way: these are two games.
    put(&mut player, &[(2, 2), (2, 1)]);
    assert!(player.current().outcome().is_some());
    assert_eq!(saved(&mut player), [5, 6]);
    // A game that is played again to its end is saved once.
    player.send(CursorRequest::Undo);
    player.settle();
    player.send(CursorRequest::Redo);
    player.settle();
    assert!(player.current().outcome().is_some());
    assert_eq!(saved(&mut player), [5, 6]);
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

/// A match with an opening rule that decides the sides.
fn opened(player: &mut Player, first: SeatSpec, second: SeatSpec, variant: &str) {
    gomoku(player, Setup { variant: Some(variant.to_owned()), position: None }, first, second);
}

/// A match of gomoku that begins as the setup says.
fn gomoku(player: &mut Player, setup: Setup, first: SeatSpec, second: SeatSpec) {
    let before = player.app.world().get_resource::<CurrentMatch>().map(CurrentMatch::seed);
    let (seats, control, purpose) = (BySide::new(first, second), player.control, Purpose::Casual);
    player.send(BeginRequest::Start(MatchSetup { game: "gomoku", setup, seats, control, purpose }));
    player.until("match", |world| world.get_resource::<CurrentMatch>().is_some_and(|current| Some(current.seed()) != before));
    player.until("deal", |world| phase(world) != Some(Phase::SetUp));
}

fn duty(player: &Player) -> Duty {
    let table = player.current().table();
    table.opening().unwrap().duty(table.pieces().len())
}

#[test]
fn the_opening_decides_the_sides() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.control = BySide::equal(TimeControl::Sudden { main: 600 });
    opened(&mut player, SeatSpec::Human, SeatSpec::Human, "freestyle+swap2");
    player.settle();
    assert_eq!(duty(&player), Duty::Put(Opener::Setter));
    // A choice that is made too early is ignored.
    player.key(KeyCode::Digit1);
    for (stones, at) in [(1, Point::new(7, 7)), (2, Point::new(8, 8)), (3, Point::new(6, 6))] {
        for _ in 0..20 {
            player.frame();
        }
        player.click(at);
        player.settle();
        assert_eq!(player.current().table().pieces().len(), stones);
    }
    // All that time was used by the first player, whatever the colours.
    assert!(left(&player, Side::First) < 599_500 && left(&player, Side::Second) > 599_900);
    assert!(matches!(duty(&player), Duty::Choose(Opener::Chooser, _)));
    // A stone is refused while a choice is due.
    player.click(Point::new(0, 0));
    player.settle();
    assert_eq!(player.current().table().ply(), 3);
    for _ in 0..50 {
        player.frame();
    }
    assert!(left(&player, Side::Second) < 599_500);
    player.key(KeyCode::Digit3);
    player.settle();
    assert_eq!(duty(&player), Duty::Put(Opener::Chooser));
    player.assert_pieces_agree();
    // Take-back and another choice, a look back, and a kill in the middle.
    player.send(CursorRequest::Undo);
    player.settle();
    assert!(matches!(duty(&player), Duty::Choose(Opener::Chooser, _)));
    player.send(CursorRequest::Redo);
    player.settle();
    player.click(Point::new(1, 1));
    player.settle();
    player.send(CursorRequest::Go(Go::Ply(2)));
    player.settle();
    player.assert_pieces_agree();
    player.send(CursorRequest::Go(Go::End));
    drop(player);
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.send(BeginRequest::Resume);
    player.until("match", |world| world.get_resource::<CurrentMatch>().is_some());
    player.settle();
    assert_eq!((player.current().table().ply(), duty(&player)), (5, Duty::Put(Opener::Chooser)));
    player.click(Point::new(2, 1));
    player.settle();
    assert!(matches!(duty(&player), Duty::Choose(Opener::Setter, _)));
    player.send(SelectionRequest::Take(Choice::TwoMore));
    assert_eq!(player.current().table().ply(), 6, "the choice is not offered twice");
    player.send(SelectionRequest::Take(Choice::Second));
    player.settle();
    // The first player took White: the second player has Black, and White is to move.
    assert_eq!(duty(&player), Duty::Play(Opener::Chooser));
    let table = player.current().table();
    assert_eq!(
        (table.turn(), table.seat_to_move(), player.current().seat_of(Side::First)),
        (Side::Second, Side::First, Side::Second)
    );
    let sheet = player.app.world().resource::<ScoreSheet>();
    let choices = (0..).zip(sheet.line()).filter(|(_, entry)| entry.side.is_none()).map(|(index, _)| index);
    assert_eq!(choices.collect::<Vec<usize>>(), [3, 6]);
    // Saved and opened again, it is the same.
    player.send(RecordsRequest::Save);
    player.send(PageRequest::Menu(Menu::Records));
    player.frame();
    let paper = player.app.world().resource::<SavedGames>().games[0].clone();
    let played = player.current().table().played();
    player.send(BeginRequest::Rematch(false));
    player.until("another", |world| world.resource::<CurrentMatch>().table().ply() == 0);
    player.settle();
    player.send(ReadRequest::Open(vec![paper.path]));
    player.until("the record", |world| world.resource::<CurrentMatch>().table().ply() == 7);
    assert_eq!((player.current().table().played(), duty(&player)), (played, Duty::Play(Opener::Chooser)));
}

#[test]
fn the_computer_opens_and_chooses() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    opened(&mut player, computer(3), SeatSpec::Human, "freestyle+swap2");
    player.settle();
    // The computer has placed three stones; the person takes White and is to move.
    assert!(matches!(duty(&player), Duty::Choose(Opener::Chooser, _)));
    player.assert_pieces_agree();
    player.send(SelectionRequest::Take(Choice::Second));
    player.settle();
    assert!(player.current().human_to_move());
    // The person takes Black instead: now the computer moves.
    player.send(CursorRequest::Undo);
    player.settle();
    player.send(SelectionRequest::Take(Choice::First));
    player.until("White's move", |world| world.resource::<CurrentMatch>().table().pieces().len() == 4);
    player.settle();
    assert!(player.current().human_to_move() && player.current().table().turn() == Side::First);
    // One undo goes back to the person's last choice.
    player.send(CursorRequest::Undo);
    player.settle();
    assert!(matches!(duty(&player), Duty::Choose(Opener::Chooser, _)));
    player.send(RefereeRequest::Resign(player.current().resigner().unwrap()));
    player.settle();
    // The person places the stones, and the computer chooses.
    player.send(BeginRequest::Rematch(true));
    player.until("another", |world| world.resource::<CurrentMatch>().outcome().is_none());
    player.settle();
    for at in [Point::new(7, 7), Point::new(8, 8), Point::new(3, 3)] {
        player.click(at);
        player.frame();
    }
    player.until("a choice", |world| world.resource::<CurrentMatch>().table().ply() > 3);
    player.settle();
    assert!(!player.current().table().opening().unwrap().choices().is_empty());
    player.assert_pieces_agree();
}

#[test]
fn every_match_has_another_balanced_opening() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let mut seen = std::collections::HashSet::new();
    opened(&mut player, SeatSpec::Human, SeatSpec::Human, "renju+balanced");
    for _ in 0..4 {
        player.settle();
        let table = player.current().table();
        assert!(table.pieces().len() >= 3 && table.setup().position.is_some());
        seen.insert(table.position_text());
        player.assert_pieces_agree();
        let seed = player.current().seed();
        player.send(BeginRequest::Rematch(false));
        player.until("another", |world| world.resource::<CurrentMatch>().seed() != seed);
    }
    assert!(seen.len() >= 3, "{seen:?}");
    player.settle();
    let text = player.current().table().position_text();
    let empty = player.current().table().actions()[0];
    player.play(empty);
    player.settle();
    player.send(CursorRequest::Undo);
    player.settle();
    assert_eq!(player.current().table().position_text(), text);
    drop(player);
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.send(BeginRequest::Resume);
    player.until("match", |world| world.get_resource::<CurrentMatch>().is_some());
    assert_eq!(player.current().table().position_text(), text);
    assert_eq!(player.app.world().resource::<Settings>().last_setup("gomoku").variant.as_deref(), None);
    // Saved and opened again, it begins with the same stones.
    let next = player.current().table().actions()[0];
    player.play(next);
    player.settle();
    let (stones, played) = (player.current().table().position_text(), player.current().table().played());
    player.send(RecordsRequest::Save);
    player.send(BeginRequest::Rematch(false));
    player.settle();
    assert_ne!(player.current().table().position_text(), stones);
    player.send(PageRequest::Menu(Menu::Records));
    player.frame();
    let games = player.app.world().resource::<SavedGames>().games.clone();
    // Matches without a move are not saved.
    assert_eq!(games.len(), 1, "{games:?}");
    player.send(ReadRequest::Open(vec![games[0].path.clone()]));
    player.until("the record", |world| world.resource::<CurrentMatch>().table().position_text() == stones);
    player.settle();
    assert_eq!(player.current().table().played(), played);
    player.assert_pieces_agree();
}

/// A match of two people, or with a computer, from moves already played.
fn from_moves(player: &mut Player, variant: &str, moves: &str, first: SeatSpec, second: SeatSpec) {
    gomoku(player, Setup { variant: Some(variant.to_owned()), position: Some(moves.to_owned()) }, first, second);
}

#[test]
fn a_forbidden_point_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    from_moves(&mut player, "renju", "h9 a1 h10 a15 i8 o1 j8 o15", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    let explained = |player: &Player| {
        let restrictions = player.app.world().resource::<Restrictions>();
        restrictions.explained().map(|one| (one.at, one.reason, one.lines.len()))
    };
    let (point, free) = (Point::new(7, 7), Point::new(3, 3));
    let why = Some((point, Forbidden::DoubleThree, 2));
    assert_eq!(player.app.world().resource::<Restrictions>().all().len(), 1);
    assert_eq!(explained(&player), None);
    player.point_at(point);
    player.frame();
    player.frame();
    assert_eq!(explained(&player), why);
    player.point_at(free);
    player.frame();
    player.frame();
    assert_eq!(explained(&player), None);
    // The reason stays until a move is played.
    player.click(point);
    player.point_at(free);
    player.frame();
    player.frame();
    assert_eq!((player.current().table().ply(), explained(&player)), (8, why));
    player.click(free);
    player.settle();
    assert_eq!((player.current().table().ply(), explained(&player)), (9, None));
    assert!(player.app.world().resource::<Restrictions>().all().is_empty(), "white is free");
    // The reason is announced at the keyboard's cursor. With the setting off, nothing is marked.
    player.send(CursorRequest::Undo);
    player.settle();
    player.key(KeyCode::Enter);
    player.frame();
    let said = player.app.world().resource::<Spoken>().text.clone();
    assert!(said.contains("three") || said.contains("三"), "{said}");
    player.send(Change::new(|settings: &mut Settings| settings.show_forbidden = false));
    player.frame();
    assert!(player.app.world().resource::<Restrictions>().all().is_empty());
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

/// The moves and comments of the tree with their plies, whatever the numbers of its nodes are.
fn told(current: &CurrentMatch) -> Vec<(usize, Option<Action>, String)> {
    let tree = current.played().kept_tree();
    tree.walk().map(|id| (tree.depth(id), tree.node(id).action(), tree.notes(id).comment.to_owned())).collect()
}

fn point(text: &str) -> Action {
    let table = REGISTRY.iter().find(|entry| entry.key == "tic-tac-toe").unwrap().table(&Setup::default()).unwrap();
    table.read(text).unwrap()
}

/// In a finished game moves at earlier positions become variations, which survive a kill and are saved with the game.
#[test]
fn variations_are_made_in_a_finished_game_and_outlive_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("tic-tac-toe", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    for text in ["b2", "a2", "a1", "c3", "c1", "b1", "a3"] {
        let ply = player.current().table().ply();
        player.click(point(text).target().unwrap());
        player.until("the move", |world| world.resource::<CurrentMatch>().table().ply() > ply);
        player.settle();
    }
    assert_eq!(player.phase(), Some(Phase::Over));
    // Two moves back, another move is tried and answered.
    player.key(KeyCode::ArrowLeft);
    player.key(KeyCode::ArrowLeft);
    player.frame();
    assert_eq!(player.current().shown().ply(), 5);
    for text in ["a3", "b1"] {
        player.click(point(text).target().unwrap());
        player.frame();
        player.frame();
        player.assert_pieces_agree();
    }
    let current = player.current();
    assert_eq!((current.table().ply(), current.shown().ply(), current.played().is_on_line()), (7, 7, false));
    assert_eq!(current.tree().variations(), 1);
    let sheet = player.app.world().resource::<ScoreSheet>();
    let variation = sheet.entries()[6].clone();
    assert_eq!((sheet.line().count(), sheet.entries().len(), variation.depth, variation.begins), (7, 9, 1, 2));
    // It gets a comment. Undo steps back in the variation and does not change the match; Escape leaves the variation.
    let at = current.cursor();
    player.send(CursorRequest::Edit(TreeEdit::Comment { at, text: "better".to_owned() }));
    player.send(CursorRequest::Undo);
    assert_eq!((player.current().shown().ply(), player.current().table().ply()), (6, 7));
    player.key(KeyCode::ArrowRight);
    assert_eq!(player.current().cursor(), at);
    player.key(KeyCode::Escape);
    player.frame();
    assert!(player.current().played().is_on_line() && player.current().shown().ply() == 5);
    assert_eq!(*player.app.world().resource::<State<Menu>>().get(), Menu::None);
    // A click in the score sheet leads to it.
    player.send(CursorRequest::Go(Go::To(variation.node)));
    player.frame();
    player.assert_pieces_agree();
    assert_eq!(player.current().shown().ply(), 6);
    // Home, End, and back into the game.
    player.key(KeyCode::Home);
    assert_eq!(player.current().shown().ply(), 0);
    player.key(KeyCode::End);
    player.frame();
    player.assert_pieces_agree();
    let wanted = told(player.current());
    assert_eq!(wanted.len(), 1 + 7 + 2);

    // After a kill the finished game is not offered again, but it is among the saved games with all variations and comments.
    drop(player);
    let mut player = Player::reopened_in(folder.path());
    assert!(player.app.world().resource::<Unfinished>().found().is_none());
    player.send(PageRequest::Menu(Menu::Records));
    player.frame();
    let games = player.app.world().resource::<SavedGames>().games.clone();
    assert_eq!(games.len(), 1);
    player.send(ReadRequest::Open(vec![games[0].path.clone()]));
    player.until("match", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
    player.settle();
    assert_eq!((told(player.current()), player.current().table().ply()), (wanted.clone(), 7));
    // A deleted variation stays deleted.
    let variation = player.current().tree().node(player.current().played().line()[4]).children()[1];
    player.send(CursorRequest::Edit(TreeEdit::Remove { at: variation }));
    assert_eq!(told(player.current()).len(), 1 + 7);
    drop(player);
    let mut player = Player::reopened_in(folder.path());
    player.send(PageRequest::Menu(Menu::Records));
    player.frame();
    let games = player.app.world().resource::<SavedGames>().games.clone();
    let variations = |game: &SavedGame| qiju_core::record::open(&game.path).unwrap().records[0].tree.variations();
    assert!(games.iter().any(|game| variations(game) == 0), "{games:?}");
}

/// While a match runs, an earlier position can be shown, but a move there makes no variation.
#[test]
fn a_running_match_has_no_variations() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("tic-tac-toe", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    for text in ["b2", "a1"] {
        player.click(point(text).target().unwrap());
        player.settle();
    }
    player.send(CursorRequest::Go(Go::Ply(1)));
    player.send(CursorRequest::Try(point("c1")));
    assert_eq!(player.current().tree().variations(), 0);
    player.click(Point::new(2, 0));
    player.settle();
    assert_eq!((player.current().table().ply(), player.current().is_looking_back()), (2, false));
}

/// The moves of the sheet with the depth of their lines and their glyphs.
fn sheet_of(player: &Player) -> Vec<(u16, String)> {
    let (sheet, tree) = (player.app.world().resource::<ScoreSheet>(), player.current().tree());
    let glyphs = |node| tree.notes(node).glyphs.iter().filter_map(|glyph| glyph.sign()).collect::<String>();
    sheet.entries().iter().map(|entry| (entry.depth, format!("{}{}", entry.text, glyphs(entry.node)))).collect()
}

/// The sheet of a record with variations; what the player changes in it survives a kill.
#[test]
fn the_score_sheet_shows_the_tree_and_what_is_changed_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let path = folder.path().join("three.pgn");
    std::fs::write(&path, "[Game \"tic-tac-toe\"]\n\n1. b2 a1 (1... a2 2. a1) (1... c3! 2. c1) 2. c1 *\n").unwrap();
    player.send(ReadRequest::Open(vec![path]));
    player.until("match", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
    player.settle();
    let wanted = |list: &[(u16, &str)]| list.iter().map(|(depth, text)| (*depth, (*text).to_owned())).collect::<Vec<_>>();
    let whole = [(0, "b2"), (0, "a1"), (1, "a2"), (1, "a1"), (1, "c3!"), (1, "c1"), (0, "c1")];
    assert_eq!(sheet_of(&player), wanted(&whole));
    // The second variation moves up, never above the match; another one gets a glyph and is shortened.
    let node = |player: &Player, index: usize| player.app.world().resource::<ScoreSheet>().entries()[index].node;
    let (first, second) = (node(&player, 2), node(&player, 4));
    assert_eq!(player.current().variation_of(node(&player, 5)), Some(second));
    assert!(player.current().can_promote(second) && !player.current().can_promote(first));
    player.send(CursorRequest::Edit(TreeEdit::Promote { at: second }));
    player.send(CursorRequest::Edit(TreeEdit::Promote { at: second }));
    player.frame();
    player.send(CursorRequest::Edit(TreeEdit::Glyphs { at: first, glyphs: vec![Glyph::MISTAKE] }));
    let last = node(&player, 5);
    player.send(CursorRequest::Edit(TreeEdit::Remove { at: last }));
    player.frame();
    let changed = [(0, "b2"), (0, "a1"), (1, "c3!"), (1, "c1"), (1, "a2?"), (0, "c1")];
    assert_eq!(sheet_of(&player), wanted(&changed));
    // The moves of the match stay.
    let of_match = node(&player, 1);
    player.send(CursorRequest::Edit(TreeEdit::Remove { at: of_match }));
    player.frame();
    assert_eq!(sheet_of(&player), wanted(&changed));
    // When only the position shown changes, the sheet is not made again.
    let revision = player.app.world().resource::<ScoreSheet>().revision();
    player.send(CursorRequest::Go(Go::To(first)));
    player.frame();
    assert_eq!((player.current().cursor(), player.app.world().resource::<ScoreSheet>().revision()), (first, revision));
    drop(player);
    let mut player = Player::reopened_in(folder.path());
    player.send(BeginRequest::Resume);
    player.until("match", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
    player.settle();
    assert_eq!(sheet_of(&player), wanted(&changed));
}

/// Waits for the review of the current match.
fn reviewed(player: &mut Player) -> qiju_core::study::Summary {
    player.until("a review", |world| {
        let running = world.resource::<GameReview>().progress().is_some();
        !running && GameReview::summary(world.resource::<CurrentMatch>()).is_some()
    });
    GameReview::summary(player.current()).unwrap()
}

#[test]
fn a_finished_game_is_reviewed_and_the_review_is_kept_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("tic-tac-toe", SeatSpec::Human, SeatSpec::Human);
    player.send(ReviewRequest::Show);
    assert!(player.app.world().resource::<GameReview>().progress().is_none(), "a running match is not reviewed");
    for text in ["b2", "b1", "a1", "c1", "c3"] {
        let action = player.current().table().read(text).unwrap();
        player.play(action);
        player.settle();
    }
    player.send(ReviewRequest::Show);
    assert_eq!(player.app.world().resource::<Study>().page, Some(StudyPage::Review));
    // It continues while another page is shown.
    player.send(StudyRequest(None));
    let summary = reviewed(&mut player);
    assert_eq!((summary.turning_point, summary.sides.second.count(Judgement::Blunder)), (Some(2), 1));
    let bad = player.current().played().line()[1];
    let tree = player.current().tree();
    let notes = tree.notes(bad);
    assert!(notes.glyphs.contains(&Glyph::BLUNDER) && !notes.comment.is_empty(), "{notes:?}");
    let siblings = tree.node(tree.previous(bad).unwrap()).children().len();
    assert_eq!(siblings, 2, "the better move is a variation");
    // A key goes from mistake to mistake; there is only one.
    player.send(CursorRequest::Go(Go::Start));
    for key in [KeyCode::KeyN, KeyCode::KeyN] {
        player.key(key);
        assert_eq!(player.current().cursor(), bad);
    }
    // Escape closes the page before it opens the menu.
    player.key(KeyCode::KeyR);
    assert_eq!(player.app.world().resource::<Study>().page, Some(StudyPage::Review));
    player.key(KeyCode::Escape);
    let world = player.app.world();
    assert_eq!((world.resource::<Study>().page, *world.resource::<State<Menu>>().get()), (None, Menu::None));
    // A review that is stopped changes nothing.
    player.send(ReviewRequest::With(Effort::Thorough));
    player.send(ReviewRequest::Stop);
    assert!(player.app.world().resource::<GameReview>().progress().is_none());
    // Saved and opened again, the review is there.
    player.send(RecordsRequest::Save);
    player.send(PageRequest::Menu(Menu::Records));
    player.frame();
    let path = player.app.world().resource::<SavedGames>().games[0].path.clone();
    player.send(PageRequest::Title);
    player.until("the title", |world| *world.resource::<State<Screen>>().get() == Screen::Title);
    player.send(ReadRequest::Open(vec![path]));
    player.until("the record", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
    player.frame();
    assert_eq!(GameReview::summary(player.current()), Some(summary));
}

#[test]
fn mistakes_are_replayed_until_a_better_move_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("tic-tac-toe", SeatSpec::Human, SeatSpec::Human);
    for text in ["b2", "b1", "a1", "c1", "c3"] {
        let action = player.current().table().read(text).unwrap();
        player.play(action);
        player.settle();
    }
    player.send(ReviewRequest::Show);
    reviewed(&mut player);
    let stage = |world: &World| world.resource::<Learn>().stage(world.resource::<CurrentMatch>());
    player.send(LearnStep::Begin(Side::First));
    assert_eq!(stage(player.app.world()), None, "the first side made no mistake");
    player.send(LearnStep::Begin(Side::Second));
    assert_eq!(stage(player.app.world()), Some(BetterStage::Find));
    assert_eq!(player.current().shown().ply(), 1);
    // The move that was played is not better, and is taken back.
    let point = |text: &str| player.current().shown().read(text).unwrap().target().unwrap();
    let (bad, good) = (point("b1"), point("c3"));
    player.click(bad);
    player.until("the word on the bad move", |world| stage(world) == Some(BetterStage::Wrong));
    assert_eq!(player.current().shown().ply(), 1);
    // Another corner is as good as the one the review names.
    player.click(good);
    player.until("the word", |world| matches!(stage(world), Some(BetterStage::AsGood | BetterStage::Best)));
    assert_eq!(player.app.world().resource::<Learn>().progress(), (1, 1, 0), "it was not found at once");
    player.send(LearnStep::Next);
    assert_eq!(stage(player.app.world()), None);
    assert_eq!(player.current().played().sketch(), None);
    // The better move can be shown, and Escape leaves it.
    player.send(LearnStep::Begin(Side::Second));
    player.send(LearnStep::Show);
    assert_eq!(stage(player.app.world()), Some(BetterStage::Shown));
    assert_eq!(player.current().shown().ply(), 2);
    player.key(KeyCode::Escape);
    player.frame();
    assert_eq!((stage(player.app.world()), player.current().played().sketch()), (None, None));
    player.assert_pieces_agree();
    // So does another page, which would tell it, and the match's own panel.
    for page in [Some(StudyPage::Analysis), None] {
        player.send(StudyRequest(Some(StudyPage::Review)));
        player.send(LearnStep::Begin(Side::Second));
        assert_eq!(stage(player.app.world()), Some(BetterStage::Find));
        player.send(StudyRequest(page));
        player.frame();
        assert_eq!((stage(player.app.world()), player.current().played().sketch()), (None, None), "{page:?}");
    }
}

/// How it stands with the exercise on the board.
fn exercise_stage(world: &World) -> Option<BetterStage> {
    let current = world.get_resource::<CurrentMatch>()?;
    let exercise = world.resource::<Practice>().shown(current).filter(|exercise| exercise.is_shown(current))?;
    exercise.stage()
}

/// Asks what is due, and waits for the first of it.
fn practise(player: &mut Player) {
    player.send(MistakeStep::Begin(None));
    player.until("an exercise", |world| exercise_stage(world) == Some(BetterStage::Find));
    player.until("its pieces", |world| world.query::<&Moving>().iter(world).count() == 0);
    player.frame();
}

/// How it stands with the repertoire that is asked on the board, once the pieces are at rest.
fn course_stage(world: &mut World) -> Option<CourseStage> {
    let rests = world.query::<&Moving>().iter(world).count() == 0;
    let current = world.get_resource::<CurrentMatch>()?;
    let course = world.resource::<Training>().shown(current).filter(|course| course.is_shown(current) && rests)?;
    Some(course.stage())
}

/// Opens a game from its text and adds its moves to the repertoire of the first side. The name of the repertoire.
fn own_moves(player: &mut Player, text: &str, part: TreePart) -> String {
    player.send(ReadRequest::Paste(text.to_owned()));
    player.until("the game", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
    player.send(RepertoireStep::Open);
    player.frame();
    assert!(matches!(*player.app.world().resource::<State<Menu>>().get(), Menu::Page(_)));
    player.send(RepertoireStep::Add(Side::First, part));
    player.until("the repertoire", |world| !world.resource::<Repertoires>().all.is_empty());
    player.app.world().resource::<Repertoires>().all.keys().next().unwrap().clone()
}

/// Plays a move where one is asked.
fn try_move(player: &mut Player, text: &str) {
    let action = player.current().shown().read(text).unwrap();
    player.send(CursorRequest::Try(action));
}

#[test]
fn own_openings_are_asked_and_their_gaps_are_filled() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let text = r#"(game:"xiangqi",moves:["h2e2","h9g7","h0g2"],variations:[(after:1,moves:["h7e7","h0g2"])])"#;
    let name = own_moves(&mut player, text, TreePart::Whole);
    let due = |player: &Player| player.app.world().resource::<Repertoires>().due(None, today());
    assert_eq!(due(&player), 3);
    // What leads to the position that is shown is there already.
    player.send(RepertoireStep::Add(Side::First, TreePart::Line));
    player.frame();
    assert_eq!(player.app.world().resource::<Repertoires>().all[&name].len(), 3);

    player.send(RepertoireStep::Train(name.clone(), RepertoireDrill::Due));
    player.until("the first position", |world| course_stage(world) == Some(CourseStage::Asked));
    assert_eq!((player.current().purpose(), player.current().shown().ply()), (Purpose::Repertoire, 0));
    // Another move is taken back, and the position comes back tomorrow. The mirrored one is as good.
    try_move(&mut player, "c3c4");
    player.until("that it is wrong", |world| course_stage(world) == Some(CourseStage::Wrong));
    player.frame();
    player.assert_pieces_agree();
    assert_eq!((player.current().shown().ply(), due(&player)), (0, 2));
    try_move(&mut player, "b2e2");
    player.until("the second position", |world| course_stage(world) == Some(CourseStage::Asked));
    assert_eq!(player.current().shown().ply(), 2);
    try_move(&mut player, "b0c2");
    player.until("the end of the line", |world| course_stage(world) == Some(CourseStage::LineOver));
    player.frame();
    assert_eq!(due(&player), 1);
    // In the next line only what is still to be asked is asked.
    player.key(KeyCode::KeyN);
    player.until("the third position", |world| course_stage(world) == Some(CourseStage::Asked));
    assert_eq!((player.current().shown().ply(), player.current().table().ply()), (2, 0));
    player.send(RepertoireStep::Show);
    player.until("the end", |world| course_stage(world) == Some(CourseStage::Over));
    player.frame();
    player.assert_pieces_agree();
    let progress = player.app.world().resource::<Training>().shown(player.current()).unwrap().progress();
    assert_eq!((progress, due(&player)), ((3, Some(3), 1), 0));
    player.key(KeyCode::KeyN);
    player.until("the title", |world| *world.resource::<State<Screen>>().get() == Screen::Title);
    player.until("the page", |world| matches!(*world.resource::<State<Menu>>().get(), Menu::Page(_)));

    // What others play in the games of the engine has no answer; one is given.
    player.send(RepertoireStep::Gaps(name.clone()));
    player.until("the gaps", |world| world.resource::<OpenGaps>().of(&name).is_some());
    let gaps = player.app.world().resource::<OpenGaps>().of(&name).unwrap().len();
    assert!(gaps > 1, "{gaps}");
    player.send(RepertoireStep::Fill(0));
    player.until("the answer", |world| world.resource::<Repertoires>().all[&name].len() == 4);
    player.frame();
    assert_eq!((player.app.world().resource::<OpenGaps>().of(&name).unwrap().len(), due(&player)), (gaps - 1, 1));
    // It can be removed and brought back, and is there after a restart.
    player.send(RepertoireStep::Remove(name.clone()));
    player.frame();
    assert!(player.app.world().resource::<Repertoires>().all.is_empty());
    player.send(RepertoireStep::Restore);
    player.frame();
    let kept = player.app.world().resource::<Repertoires>().clone();
    drop(player);
    let player = Player::reopened_in(folder.path());
    assert_eq!(*player.app.world().resource::<Repertoires>(), kept);
    assert_eq!((kept.all.len(), kept.next_day(today())), (1, Some(today() + 1)));
}

#[test]
fn own_openings_stand_the_test_of_a_proof() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let name = own_moves(&mut player, r#"(game:"gomoku",moves:["h8","i9"])"#, TreePart::Line);
    player.send(RepertoireStep::Train(name, RepertoireDrill::Proof));
    let asked = |ply: usize| {
        move |world: &mut World| {
            course_stage(world) == Some(CourseStage::Asked) && world.resource::<CurrentMatch>().shown().ply() == ply
        }
    };
    player.until("the first stone", asked(0));
    try_move(&mut player, "h8");
    player.until("the defence", asked(2));
    let left = |player: &Player| player.app.world().resource::<Training>().shown(player.current()).unwrap().moves_left();
    let before = left(&player).unwrap();
    // A stone in the corner throws the win away.
    try_move(&mut player, "a15");
    player.until("that it is wrong", |world| course_stage(world) == Some(CourseStage::Wrong));
    player.send(RepertoireStep::Show);
    player.until("the next defence", |world| matches!(course_stage(world), Some(CourseStage::Asked | CourseStage::LineOver)));
    assert!(left(&player).unwrap() < before);
    // Escape leads back to the page.
    player.key(KeyCode::Escape);
    player.until("the page", |world| matches!(*world.resource::<State<Menu>>().get(), Menu::Page(_)));
}

fn mistakes(player: &Player) -> &Mistakes {
    player.app.world().resource::<Mistakes>()
}

#[test]
fn an_own_mistake_is_asked_again_on_the_days_of_its_schedule() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home(folder.path().to_path_buf());
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("tic-tac-toe", computer(10), SeatSpec::Human);
    player.settle();
    let before = player.current().table().position_text();
    // A move that loses, and then any.
    let solution = player.current().table().capabilities().solution.unwrap();
    let verdicts = solution.verdicts_now(player.current().table()).unwrap();
    let bad = verdicts.iter().find(|(_, verdict)| verdict.known == Known::Loss).unwrap().0;
    player.play(bad);
    player.settle();
    while player.phase() == Some(Phase::Human) {
        let any = player.current().table().actions()[0];
        player.play(any);
        player.settle();
    }
    assert!(mistakes(&player).positions.is_empty(), "it was not reviewed");
    for _ in 0..2 {
        player.send(ReviewRequest::With(Effort::Quick));
        reviewed(&mut player);
        player.until("the mistake", |world| !world.resource::<Mistakes>().positions.is_empty());
        assert_eq!(mistakes(&player).positions.len(), 1, "none is there twice");
    }
    player.send(PageRequest::Title);
    player.until("the title", |world| *world.resource::<State<Screen>>().get() == Screen::Title);
    player.send(MistakeStep::Open);
    player.frame();
    assert!(matches!(*player.app.world().resource::<State<Menu>>().get(), Menu::Page(_)));
    assert_eq!(mistakes(&player).due(None, today()).len(), 1);

    // The same move is wrong again: what it loses is told, and it is taken back.
    practise(&mut player);
    assert_eq!((player.current().purpose(), player.current().shown().position_text()), (Purpose::Mistake, before.clone()));
    player.click(bad.target().unwrap());
    player.until("the word on it", |world| exercise_stage(world) == Some(BetterStage::Wrong));
    player.frame();
    player.assert_pieces_agree();
    assert_eq!(player.current().shown().position_text(), before);
    let exercise = player.app.world().resource::<Practice>().shown(player.current()).unwrap();
    assert_eq!(exercise.task().unwrap().verdict().map(|verdict| verdict.judgement), Some(Judgement::Blunder));
    let missed = mistakes(&player).positions.values().next().unwrap().memory.unwrap();
    assert_eq!((missed.seen, missed.due), (today(), today() + 1));
    // Every move that does not lose is as good as the best one. It was not found at once.
    let good = verdicts.iter().find(|(_, verdict)| verdict.known == Known::Draw).unwrap().0;
    player.click(good.target().unwrap());
    player.until("the word", |world| exercise_stage(world).is_some_and(BetterStage::is_over));
    player.frame();
    assert_eq!(player.app.world().resource::<Practice>().progress(), (1, 1, 0));
    // The moves that led there and the better line can be looked at; the match itself is empty.
    player.send(CursorRequest::Go(Go::Start));
    assert_eq!((player.current().cursor(), player.current().table().ply()), (qiju_core::table::Tree::ROOT, 0));
    player.send(CursorRequest::Go(Go::End));
    assert!(player.current().shown().ply() >= 2);
    player.key(KeyCode::KeyN);
    player.until("the title", |world| *world.resource::<State<Screen>>().get() == Screen::Title);
    assert!(mistakes(&player).due(None, today()).is_empty());

    // The program is killed; the day is kept, and in the file of all data as well.
    let kept = mistakes(&player).clone();
    drop(player);
    let player = Player::reopened_in(folder.path());
    assert_eq!(*mistakes(&player), kept);
    drop(player);
    let other = tempfile::tempdir().unwrap();
    let (all, there) = (Data::of(&*home.storage()).unwrap(), Home(other.path().to_path_buf()).storage());
    assert_eq!(all.count(Kind::Mistakes), 1);
    data::stage(&*there, &all).unwrap();
    data::finish(&there).unwrap().unwrap();
    let mut player = Player::reopened_in(other.path());
    assert_eq!(*mistakes(&player), kept);

    // On its day the right move at once makes the pause longer.
    player.send(Change::new(|mistakes: &mut Mistakes| {
        for memory in mistakes.positions.values_mut().filter_map(|mistake| mistake.memory.as_mut()) {
            (memory.seen, memory.due) = (memory.seen - 1, memory.due - 1);
        }
    }));
    player.frame();
    practise(&mut player);
    player.click(good.target().unwrap());
    player.until("the word", |world| exercise_stage(world).is_some_and(BetterStage::is_over));
    player.until("the day", |world| world.resource::<Mistakes>().due(None, today()).is_empty());
    assert_eq!(player.app.world().resource::<Practice>().progress(), (1, 1, 1));
    let known = mistakes(&player).positions.values().next().unwrap().memory.unwrap();
    assert!(known.due > today() && known.stability > missed.stability, "{known:?}");
    player.key(KeyCode::Escape);
    player.until("the title", |world| *world.resource::<State<Screen>>().get() == Screen::Title);
}

#[test]
fn in_games_from_elsewhere_the_player_is_known_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let game = "(game: \"tic-tac-toe\", seats: (first: External(name: \"Li Na\"), second: External(name: \"Wang Wei\")), \
                moves: [\"b2\", \"b1\", \"a1\", \"c1\", \"c3\"])";
    player.send(ReadRequest::Paste(game.to_owned()));
    player.until("the game", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
    player.send(ReviewRequest::With(Effort::Quick));
    reviewed(&mut player);
    player.frame();
    let names = |player: &mut Player, names: &'static str| {
        player.send(Change::new(move |settings: &mut Settings| settings.my_names = names.to_owned()));
        for _ in 0..3 {
            player.frame();
        }
        mistakes(player).positions.len()
    };
    // The first side made no mistake.
    assert_eq!((names(&mut player, ""), names(&mut player, "Li Na"), names(&mut player, "weiwang, wang wei")), (0, 0, 1));
    let mistake = mistakes(&player).positions.values().next().unwrap();
    assert_eq!((mistake.moves.join(" "), mistake.played.as_str()), ("b2".to_owned(), "b1"));
}

#[test]
fn the_moves_of_a_game_are_guessed_and_compared_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let game = "(game: \"tic-tac-toe\", seats: (first: External(name: \"A\"), second: External(name: \"B\")), \
                moves: [\"b2\", \"b1\", \"a1\", \"c3\", \"a3\", \"a2\", \"c1\"])";
    player.send(ReadRequest::Paste(game.to_owned()));
    player.until("the game", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
    let stage = |world: &World| world.resource::<Guessing>().stage(world.resource::<CurrentMatch>());
    player.key(KeyCode::KeyG);
    assert_eq!(stage(player.app.world()), Some(GuessStage::Choose));
    player.send(GuessRequest::Begin(Side::Second));
    player.until("the first guess", |world| stage(world) == Some(GuessStage::Find));
    assert_eq!(player.current().shown().ply(), 1);
    // The keys do not tell what was played.
    player.key(KeyCode::ArrowRight);
    assert_eq!(player.current().shown().ply(), 1);
    // The move of the game loses; a corner does not.
    let point = |player: &Player, text: &str| player.current().shown().read(text).unwrap().target().unwrap();
    let corner = point(&player, "a3");
    player.click(corner);
    player.until("the word", |world| stage(world) == Some(GuessStage::Told));
    let guess = player.app.world().resource::<Guessing>().guesses()[0].clone();
    assert!(guess.is_better() && !guess.is_same, "{guess:?}");
    assert_eq!((guess.own.judgement.is_error(), guess.played.judgement), (false, Judgement::Blunder));
    // It goes on from the move of the game, and the other side answers.
    player.key(KeyCode::KeyN);
    player.until("the second guess", |world| stage(world) == Some(GuessStage::Find));
    assert_eq!((player.current().shown().ply(), player.app.world().resource::<Guessing>().progress()), (3, (2, 3)));
    player.assert_pieces_agree();
    let same = point(&player, "c3");
    player.click(same);
    player.until("the word", |world| stage(world) == Some(GuessStage::Told));
    assert!(player.app.world().resource::<Guessing>().guesses()[1].is_same);
    player.send(GuessRequest::Next);
    player.until("the third guess", |world| stage(world) == Some(GuessStage::Find));
    // One can be looked at without a guess.
    player.send(GuessRequest::Show);
    player.frame();
    assert_eq!((stage(player.app.world()), player.current().shown().ply()), (Some(GuessStage::Told), 6));
    player.send(GuessRequest::Next);
    player.until("the end", |world| stage(world) == Some(GuessStage::Over));
    let guessing = player.app.world().resource::<Guessing>();
    let (own, played) = guessing.accuracies();
    assert!(guessing.guesses().len() == 2 && own > played, "{own} {played}");
    // Nothing of it stays in the game.
    player.send(GuessRequest::End);
    player.frame();
    assert_eq!((stage(player.app.world()), player.current().played().sketch()), (None, None));
    assert_eq!(player.current().tree().lines().count(), 1);
    player.assert_pieces_agree();
    // Escape ends it as well.
    player.key(KeyCode::KeyG);
    player.send(GuessRequest::Begin(Side::First));
    player.until("a guess", |world| stage(world) == Some(GuessStage::Find));
    player.key(KeyCode::Escape);
    player.frame();
    assert_eq!((stage(player.app.world()), player.current().played().sketch()), (None, None));
}

/// What the explorer tells of the position that is shown: the moves with their numbers of games, and in how many games of how many it occurs.
fn explored(player: &mut Player) -> (Vec<(String, usize)>, usize, usize) {
    (0..3).for_each(|_| player.frame());
    player.until("what was played", |world| world.resource::<Explorer>().found().is_some_and(|(_, fresh)| fresh));
    let (found, _) = player.app.world().resource::<Explorer>().found().unwrap();
    let found = found.as_ref().unwrap();
    (found.moves.iter().map(|(text, count)| (text.clone(), count.games)).collect(), found.games, found.all)
}

/// A game of tic-tac-toe that has ended, as it is saved.
fn shelve(folder: &Path, name: &str, moves: &[&str]) {
    std::fs::create_dir_all(folder.join("records")).unwrap();
    let game = format!("(game: \"tic-tac-toe\", moves: {moves:?}, result: Some((winner: Some(first), reason: resignation)))");
    std::fs::write(folder.join("records").join(name), game).unwrap();
}

/// The games in the library of a folder.
fn in_library(folder: &Path) -> Vec<Record> {
    let library = GamesFile::open(Home(folder.to_path_buf()).storage()).unwrap();
    library.ids().map(|id| library.record(id).unwrap()).collect()
}

#[test]
fn finished_matches_come_into_the_library_and_the_explorer_counts_their_moves() {
    let folder = tempfile::tempdir().unwrap();
    shelve(folder.path(), "2026-05-04 12.30 tic-tac-toe 0000000a.ron", &["b2", "a2", "a1", "b1"]);
    shelve(folder.path(), "2026-05-05 12.30 tic-tac-toe 0000000b.ron", &["b2", "a1", "a2", "c2"]);
    shelve(folder.path(), "2026-05-06 12.30 tic-tac-toe 0000000c.ron", &["b2", "a1"]);
    let unfinished = folder.path().join("records/2026-05-07 12.30 tic-tac-toe 0000000d.ron");
    std::fs::write(unfinished, "(game: \"tic-tac-toe\", moves: [\"a1\", \"a2\", \"a3\"])").unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.until("the saved games", |_| in_library(folder.path()).len() == 3);
    assert_eq!(in_library(folder.path())[0].tags.get("Date"), Some("2026.05.04"));
    // In a running match it is there for who asks for it, as the analysis is.
    player.start("tic-tac-toe", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    player.key(KeyCode::KeyE);
    assert_eq!(explored(&mut player), (vec![("b2".to_owned(), 3)], 3, 3));
    player.click(Point::new(1, 1));
    player.settle();
    assert_eq!(explored(&mut player), (vec![("a1".to_owned(), 2), ("a2".to_owned(), 1)], 3, 3));
    // The match that ends comes to the others.
    for (x, y) in [(2, 2), (2, 1), (0, 0), (0, 1)] {
        player.click(Point::new(x, y));
        player.settle();
    }
    assert_eq!(player.phase(), Some(Phase::Over));
    fn found(world: &World) -> Option<&Found> {
        world.resource::<Explorer>().found()?.0.as_ref().ok()
    }
    player.until("the match", |world| found(world).is_some_and(|found| found.all == 4));
    assert_eq!(in_library(folder.path()).len(), 4);
    player.send(CursorRequest::Go(Go::Start));
    assert_eq!(explored(&mut player), (vec![("b2".to_owned(), 4)], 4, 4));
    player.key(KeyCode::KeyE);
    player.frame();
    assert!(player.app.world().resource::<Explorer>().found().is_none());
    // A game is opened where the position occurs in it.
    player.send(CursorRequest::Go(Go::Ply(1)));
    player.key(KeyCode::KeyE);
    explored(&mut player);
    let oldest = found(player.app.world()).unwrap().latest.last().unwrap().0;
    player.send(LibraryRequest::Open(oldest.id, oldest.ply));
    player.until("the game", |world| world.resource::<CurrentMatch>().is_of_record());
    player.until("its place", |world| {
        world.resource::<CurrentMatch>().cursor() == world.resource::<CurrentMatch>().played().at_ply(1)
    });
    assert_eq!(player.current().heading().tags.get("Date"), Some("2026.05.04"));
    // The next start finds nothing new, and tells of damage.
    drop(player);
    let file = folder.path().join("library.games");
    let whole = std::fs::read(&file).unwrap();
    let mut player = Player::reopened_in(folder.path());
    player.start("tic-tac-toe", SeatSpec::Human, SeatSpec::Human);
    player.key(KeyCode::KeyE);
    assert_eq!((explored(&mut player).1, std::fs::read(&file).unwrap() == whole), (4, true));
    drop(player);
    std::fs::write(&file, &whole[..whole.len() - 1]).unwrap();
    let mut player = Player::reopened_in(folder.path());
    let told = |world: &mut World| world.resource::<Notices>().shown.iter().any(|(text, _)| text.contains("cut off"));
    player.until("the damage", told);
    // What was lost came from a file that is still there.
    player.until("the saved games", |_| in_library(folder.path()).len() == 4);
}

#[test]
fn a_book_is_shown_changed_and_played_from() {
    let folder = tempfile::tempdir().unwrap();
    let books = tempfile::tempdir().unwrap();
    let file = books.path().join("a.book");
    std::fs::write(&file, "qiju book 1 tic-tac-toe standard\n......... x\n a1 5 3 2 1\n b1 0 0 0 0\nx........ o\n b1 1 0 0 0\n")
        .unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let told = |world: &mut World, text: &str| world.resource::<Notices>().shown.iter().any(|(shown, _)| shown.contains(text));
    let choose = |player: &mut Player, game: &'static str, plays: bool| {
        player.send(FileChosen(FileAim::Book { game, plays }, vec![file.clone()]));
    };
    choose(&mut player, "xiangqi", false);
    player.until("why it is none", |world| told(world, "a.book: this is a book of tic-tac-toe, not of xiangqi"));
    choose(&mut player, "tic-tac-toe", false);
    player.until("the book", |world| world.resource::<Settings>().books.contains_key("tic-tac-toe"));
    fn in_book(player: &mut Player) -> Vec<(String, i32)> {
        (0..3).for_each(|_| player.frame());
        player.until("the book", |world| world.resource::<OpeningBook>().found().is_some_and(|(_, fresh)| fresh));
        let (found, _) = player.app.world().resource::<OpeningBook>().found().unwrap();
        found.as_ref().unwrap().moves.iter().map(|(text, one, _)| (text.clone(), one.score)).collect()
    }
    player.send(BeginRequest::Start(MatchSetup::analysis("tic-tac-toe", Setup::default())));
    player.until("the board", |world| world.get_resource::<CurrentMatch>().is_some_and(CurrentMatch::is_analysis));
    player.send(StudyRequest(Some(StudyPage::Explorer)));
    // The corners are one corner, and the edges one edge.
    let start = in_book(&mut player);
    assert_eq!(start.iter().map(|(_, score)| *score).collect::<Vec<_>>(), [5, 0], "{start:?}");
    // A move that the book does not have is put into it, changed, and taken out.
    player.click(Point::new(1, 1));
    player.settle();
    assert_eq!(in_book(&mut player), []);
    let missing = |world: &World| world.resource::<OpeningBook>().found().unwrap().0.as_ref().unwrap().missing.clone();
    assert_eq!(missing(player.app.world()).as_deref(), Some("b2"));
    player.send(BookRequest::AddLast);
    player
        .until("the change", |world| std::fs::read_to_string(&file).unwrap().contains(" b2 1 0 0 0") && missing(world).is_none());
    let kept = std::fs::read_to_string(books.path().join("a.book.backup")).unwrap();
    assert!(!kept.contains("b2") && kept.contains(" a1 5 3 2 1"));
    player.send(CursorRequest::Go(Go::Start));
    let centre = Action::Drop(Point::new(1, 1));
    assert_eq!(in_book(&mut player).len(), 3);
    player.send(BookRequest::Edit(BookEdit::Put(BookMove::new(centre, 9))));
    player.until("the change", |_| std::fs::read_to_string(&file).unwrap().contains(" b2 9 0 0 0"));
    player.until("the book", |world| {
        let found = world.resource::<OpeningBook>().found();
        found.is_some_and(|(found, fresh)| fresh && found.as_ref().is_ok_and(|found| found.moves[0].1.score == 9))
    });
    player.send(BookRequest::Edit(BookEdit::Remove(centre)));
    player.until("the change", |_| !std::fs::read_to_string(&file).unwrap().contains(" b2 "));
    // The computer plays from it when it is told to, and not in a rated match.
    choose(&mut player, "tic-tac-toe", true);
    player.until("the book", |world| world.resource::<Settings>().books["tic-tac-toe"].plays);
    player.start("tic-tac-toe", SeatSpec::computer(10), SeatSpec::Human);
    player.until("its move", |world| world.resource::<CurrentMatch>().table().ply() == 1);
    let corner = player.current().table().played()[0].target().unwrap();
    assert!([0, 2].contains(&corner.x) && [0, 2].contains(&corner.y), "{corner:?}");
    // A book that is gone is told once, and the computer plays on.
    std::fs::remove_file(&file).unwrap();
    player.start("tic-tac-toe", SeatSpec::computer(10), SeatSpec::Human);
    player.until("why", |world| told(world, "a.book: there is no such file"));
    player.send(TryAgain);
    player.until("its move", |world| world.resource::<CurrentMatch>().table().ply() == 1);
}

#[test]
fn files_are_added_to_the_library() {
    let folder = tempfile::tempdir().unwrap();
    let files = tempfile::tempdir().unwrap();
    let game = |moves: &str| format!("[Game \"Chinese Chess\"]\n[Date \"2019.01.01\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n");
    let drawn = game("1. b2e2 b9c7").replace("1-0", "1/2-1/2");
    let games = [game("1. h2e2 h9g7"), drawn, game("1. g3g4 g6g5"), game("1. h2e2 h2e2")].concat();
    std::fs::write(files.path().join("all.pgn"), &games).unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.send(BeginRequest::Start(MatchSetup::analysis("xiangqi", Setup::default())));
    player.until("the board", |world| world.get_resource::<CurrentMatch>().is_some_and(CurrentMatch::is_analysis));
    player.send(StudyRequest(Some(StudyPage::Explorer)));
    // The games of our engine are shown until there are others.
    let engine = explored(&mut player);
    assert!(engine.1 == engine.2 && engine.1 > 1000, "{engine:?}");
    player.send(CountGames::Of(GamesOf::Library));
    assert_eq!(explored(&mut player), (Vec::new(), 0, 0));
    player.app.world_mut().write_message(FileChosen(FileAim::Add, vec![files.path().to_owned()]));
    let told = |world: &mut World, text: &str| world.resource::<Notices>().shown.iter().any(|(shown, _)| shown.contains(text));
    player.until("the games", |world| told(world, "3 games added, 0 were there already, 1 could not be read"));
    player.frame();
    assert!(told(player.app.world_mut(), "all.pgn:"));
    let (moves, ..) = explored(&mut player);
    assert_eq!(moves.iter().map(|(_, games)| *games).collect::<Vec<_>>(), [2, 1]);
    // On the page of the library games are found, deleted and brought back, and written to a file.
    player.key(KeyCode::Escape);
    player.send(PageRequest::Menu(Menu::None));
    player.send(LibraryRequest::Show);
    let shows = |player: &mut Player, count: usize| {
        player.until("the games", |world| world.resource::<LibraryPage>().count() == Some(count));
    };
    shows(&mut player, 3);
    player.app.world_mut().resource_mut::<LibraryPage>().look_for("2019", Some("xiangqi"));
    (0..3).for_each(|_| player.frame());
    shows(&mut player, 3);
    // How the list says that a game was drawn is found, too.
    player.app.world_mut().resource_mut::<LibraryPage>().look_for("2019 draw", None);
    player.frame();
    shows(&mut player, 1);
    player.app.world_mut().resource_mut::<LibraryPage>().look_for("nobody", None);
    player.frame();
    shows(&mut player, 0);
    player.app.world_mut().resource_mut::<LibraryPage>().look_for("", None);
    player.frame();
    shows(&mut player, 3);
    let ids: Vec<GameId> = GamesFile::open(Home(folder.path().to_owned()).storage()).unwrap().ids().collect();
    player.send(LibraryRequest::Delete(ids[..1].into()));
    shows(&mut player, 2);
    assert_eq!(in_library(folder.path()).len(), 2);
    player.send(LibraryRequest::Restore);
    shows(&mut player, 3);
    assert_eq!(in_library(folder.path()).len(), 3);
    // What is told of several games is changed, then they are deleted and brought back at once.
    let change = |id: &GameId| {
        let mut record = GamesFile::open(Home(folder.path().to_owned()).storage()).unwrap().outline(*id).unwrap();
        record.tags.set_keyword("to study", true);
        record.tags.set("Date", "2021");
        (*id, record)
    };
    player.send(LibraryRequest::Tell(ids[1..].iter().map(change).collect()));
    let tagged = |record: &&Record| record.tags.keywords().eq(["to study"]) && record.tags.get("Date") == Some("2021");
    player.until("the tags", |_| in_library(folder.path()).iter().filter(tagged).count() == 2);
    player.app.world_mut().resource_mut::<LibraryPage>().look_for("STUDY", None);
    player.frame();
    shows(&mut player, 2);
    player.send(LibraryRequest::Delete(ids[1..].into()));
    shows(&mut player, 0);
    assert_eq!(in_library(folder.path()).len(), 1);
    player.send(LibraryRequest::Restore);
    shows(&mut player, 2);
    assert_eq!(in_library(folder.path()).iter().filter(tagged).count(), 2);
    let (output, name) = (Output::Games(ids.into()), String::new());
    let written = files.path().join("out.pgn");
    let aim = FileAim::Save { output, name, ending: "pgn" };
    player.app.world_mut().write_message(FileChosen(aim, vec![written.clone()]));
    player.until("the file", |world| told(world, "out.pgn"));
    assert_eq!(qiju_core::record::open(&written).unwrap().records.len(), 3);
    player.send(PageRequest::Menu(Menu::None));
    player.send(StudyRequest(Some(StudyPage::Explorer)));
    // A move of the explorer is a move of the board, and the next position is looked for.
    player.app.world_mut().write_message(MoveRequested { action: CANNON, ply: 0 });
    player.until("the move", |world| world.resource::<CurrentMatch>().table().ply() == 1);
    assert_eq!(explored(&mut player).1, 2);
    // In a match it counts as help, and a rated match has none.
    player.start("xiangqi", SeatSpec::Human, computer(1));
    assert!(!player.current().is_helped());
    player.key(KeyCode::KeyE);
    player.until("help", |world| world.resource::<CurrentMatch>().is_helped());
    let seats = BySide::new(SeatSpec::Human, computer(1));
    let setup = MatchSetup::untimed("xiangqi", Setup::default(), seats, Purpose::Rated);
    player.send(BeginRequest::Start(setup));
    player.until("the match", |world| world.resource::<CurrentMatch>().purpose() == Purpose::Rated);
    player.key(KeyCode::KeyE);
    (0..5).for_each(|_| player.frame());
    assert!(player.app.world().resource::<Explorer>().found().is_none());
}

#[test]
fn the_explorer_tells_own_games_from_those_of_others_and_of_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let files = tempfile::tempdir().unwrap();
    let game = |red: &str, elo: &str, moves: &str| {
        format!("[Game \"Chinese Chess\"]\n[Red \"{red}\"]\n[Black \"Li\"]\n{elo}[Result \"1-0\"]\n\n{moves} 1-0\n\n")
    };
    let games = [
        game("Wang Wei", "[RedElo \"2100\"]\n[BlackElo \"1901\"]\n", "1. h2e2 h9g7"),
        game("Zhao", "[RedElo \"?\"]\n[Date \"1999.05.??\"]\n", "1. h2e2 b9c7"),
        game("Zhao", "[Date \"2001.12.31\"]\n", "1. c3c4 b9c7"),
    ];
    std::fs::write(files.path().join("all.pgn"), games.concat()).unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.send(BeginRequest::Start(MatchSetup::analysis("xiangqi", Setup::default())));
    player.until("the board", |world| world.get_resource::<CurrentMatch>().is_some_and(CurrentMatch::is_analysis));
    player.app.world_mut().write_message(FileChosen(FileAim::Add, vec![files.path().to_owned()]));
    player.until("the games", |_| in_library(folder.path()).len() == 3);
    player.key(KeyCode::KeyE);
    let numbers = |player: &mut Player| {
        let (moves, games, all) = explored(player);
        (moves.into_iter().map(|(_, games)| games).collect::<Vec<_>>(), games, all)
    };
    player.until("the library", |world| {
        world.resource::<Explorer>().found().is_some_and(|(found, _)| found.as_ref().is_ok_and(|found| found.all == 3))
    });
    assert_eq!(numbers(&mut player), (vec![2, 1], 3, 3));
    let rating = |player: &Player| {
        let found = player.app.world().resource::<Explorer>().found().unwrap().0.as_ref().unwrap();
        found.moves.iter().map(|(_, count)| count.rating()).collect::<Vec<_>>()
    };
    assert_eq!(rating(&player), [Some(2001), None]);
    // Without a name of the player nobody knows which games are his.
    player.send(CountGames::Of(GamesOf::Mine));
    assert_eq!(numbers(&mut player), (vec![2, 1], 3, 3));
    player.send(Change::new(|settings: &mut Settings| settings.my_names = "wang wei".to_owned()));
    assert_eq!(numbers(&mut player), (vec![1], 1, 1));
    player.send(CountGames::Of(GamesOf::Others));
    assert_eq!(numbers(&mut player), (vec![1, 1], 2, 2));
    player.send(CountGames::Of(GamesOf::Library));
    // A filter by player and side, by years, and by result.
    let filter = GamesFilter { player: "zha".to_owned(), ..GamesFilter::default() };
    for (filter, counts) in [
        (filter.clone(), (vec![1, 1], 2, 2)),
        (GamesFilter { side: Some(Side::First), ..filter.clone() }, (vec![1, 1], 2, 2)),
        (GamesFilter { side: Some(Side::Second), ..filter }, (vec![], 0, 0)),
        (GamesFilter { result: Some(Some(Side::First)), ..GamesFilter::default() }, (vec![2, 1], 3, 3)),
        (GamesFilter { result: Some(None), ..GamesFilter::default() }, (vec![], 0, 0)),
        (GamesFilter { from: "2001".to_owned(), ..GamesFilter::default() }, (vec![1], 1, 1)),
        (GamesFilter { to: "2000".to_owned(), ..GamesFilter::default() }, (vec![1], 1, 1)),
    ] {
        player.send(CountGames::Only(Some(filter.clone())));
        assert_eq!(numbers(&mut player), counts, "{filter:?}");
    }
    player.send(CountGames::Only(None));
    assert_eq!(numbers(&mut player), (vec![2, 1], 3, 3));
    // A game of the engine is opened like any other.
    player.send(CountGames::Of(GamesOf::Engine));
    let (moves, games, all) = numbers(&mut player);
    assert!(games == all && games > 1000 && moves.len() > 2, "{moves:?}");
    let found = player.app.world().resource::<Explorer>().found().unwrap().0.as_ref().unwrap();
    let newest = found.latest[0].0;
    player.send(LibraryRequest::Open(newest.id, newest.ply));
    player.until("the game", |world| world.resource::<CurrentMatch>().is_of_record());
    assert!(player.current().tree().main_line().len() > 8);
}

#[test]
fn arrows_and_circles_are_drawn_with_the_right_button_and_kept_with_the_move() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    let draw = |player: &mut Player, from: Point, to: Point| {
        for (point, state) in [(from, ButtonState::Pressed), (to, ButtonState::Released)] {
            player.point_at(point);
            driver::button(&mut player.app, MouseButton::Right, state);
            player.frame();
        }
        player.frame();
    };
    let marks = |player: &Player| player.current().tree().notes(player.current().cursor()).marks.to_vec();
    let (from, to) = (Point::new(7, 2), Point::new(4, 2));
    draw(&mut player, from, to);
    draw(&mut player, from, from);
    let colour = MarkColour::Green;
    assert_eq!(marks(&player), [Mark::Arrow { from, to, colour }, Mark::Circle { at: from, colour }]);
    draw(&mut player, from, to);
    assert_eq!(marks(&player), [Mark::Circle { at: from, colour }]);
    // They belong to the position: the next position has none.
    player.play(Action::Step { from, to });
    player.settle();
    assert_eq!(marks(&player), []);
    player.key(KeyCode::ArrowLeft);
    assert_eq!(marks(&player).len(), 1);
}

#[test]
fn the_analysis_page_runs_pauses_and_continues() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("gomoku", SeatSpec::Human, SeatSpec::Human);
    player.click(Point::new(7, 7));
    player.settle();
    player.send(StudyRequest(Some(StudyPage::Analysis)));
    player.send(AnalysisRequest::Lines(5));
    player.until("five lines", |world| world.resource::<Analysis>().lines().count() == 5);
    let reached = player.app.world().resource::<Analysis>().reached().unwrap();
    assert!(reached.depth > 0 && reached.nodes > 0, "{reached:?}");
    player.send(AnalysisRequest::Pause(true));
    player.frame();
    let analysis = player.app.world().resource::<Analysis>();
    assert_eq!((analysis.is_thinking(), analysis.lines().count()), (false, 5), "what was found stays");
    // At another position a paused engine shows nothing; after that it analyses the position that is shown.
    player.send(CursorRequest::Go(Go::Start));
    player.frame();
    assert_eq!(player.app.world().resource::<Analysis>().lines().count(), 0);
    player.send(AnalysisRequest::Pause(false));
    player.until("a line", |world| world.resource::<Analysis>().lines().count() > 0);
    // Choosing an engine starts the analysis again.
    player.send(AnalysisRequest::With(None));
    player.until("a line", |world| world.resource::<Analysis>().lines().count() > 0);
    player.send(AnalysisRequest::Switch);
    player.until("rest", |world| !world.resource::<Analysis>().is_thinking());
}

/// The text that was copied last.
fn copied(player: &mut Player, what: CopyRequest) -> String {
    player.send(what);
    player.frame();
    player.app.world_mut().resource_mut::<Clipboard>().take().expect("something was copied")
}

/// Pastes a text and waits for the match made from it.
fn paste(player: &mut Player, text: &str) {
    let before = player.app.world().get_resource::<CurrentMatch>().map(|current| current.played().number());
    player.send(ReadRequest::Paste(text.to_owned()));
    player.until("the pasted game", |world| {
        world.get_resource::<CurrentMatch>().is_some_and(|current| Some(current.played().number()) != before)
    });
    player.settle();
}

/// A copied text can be pasted: a game with all its contents, a part of it, and a position of each game.
#[test]
fn what_is_copied_can_be_pasted() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let pgn = "[Game \"Chinese Chess\"]\n[Event \"Cup\"]\n[Date \"2024.05.01\"]\n[Red \"Li\"]\n[Black \"Wu\"]\n[Result \"1-0\"]\n\n\
               1. H2-E2 {central} (1. C3-C4 B7-C7) 1... H9-G7 $1 2. H0-G2 1-0\n";
    paste(&mut player, pgn);
    let whole = sheet_of(&player);
    let wanted = [(0, "h2e2"), (1, "c3c4"), (1, "b7c7"), (0, "h9g7!"), (0, "h0g2")];
    player.app.world_mut().resource_mut::<Settings>().notation = Some(Notation::Uci);
    player.frame();
    let read = sheet_of(&player);
    assert_eq!(read.iter().map(|(depth, text)| (*depth, text.as_str())).collect::<Vec<_>>(), wanted);
    let text = copied(&mut player, CopyRequest::Game);
    for part in ["[Event \"Cup\"]", "[Date \"2024.05.01\"]", "[Red \"Li\"]", "[Black \"Wu\"]", "{central}", "1-0"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert_eq!(copied(&mut player, CopyRequest::Moves), "1. h2e2 h9g7 2. h0g2");
    // From the second move on.
    let second = player.current().played().line()[1];
    let part = copied(&mut player, CopyRequest::From(second));
    paste(&mut player, &text);
    assert_eq!(sheet_of(&player).len(), whole.len());
    assert_eq!(player.current().heading().names[Side::First].as_deref(), Some("Li"));
    paste(&mut player, &part);
    let read = sheet_of(&player);
    assert_eq!(read.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["h9g7!", "h0g2"]);
    // A position of each game whose text tells the game.
    let whole_game = text;
    for (game, moves) in [("xiangqi", ["h2e2", "h9g7"]), ("gomoku", ["h8", "i9"])] {
        player.start(game, SeatSpec::Human, SeatSpec::Human);
        player.settle();
        for text in moves {
            let action = player.current().table().read(text).unwrap();
            player.play(action);
            player.settle();
        }
        let wanted = player.current().table().pieces();
        let text = copied(&mut player, CopyRequest::Position);
        paste(&mut player, &text);
        let now = player.current();
        assert_eq!((now.game().entry.key, now.table().pieces()), (game, wanted), "{text}");
    }
    // A link to the game, with its variation; and to the position of an earlier move. What a link leaves out is told.
    paste(&mut player, &whole_game);
    let (sheet, pieces) = (sheet_of(&player), player.current().table().pieces());
    let link = copied(&mut player, CopyRequest::Link);
    assert!(link.starts_with(PAGE) && !link.contains(char::is_whitespace), "{link}");
    player.send(CursorRequest::Go(Go::Ply(1)));
    player.frame();
    let shown = player.current().shown().pieces();
    let position = copied(&mut player, CopyRequest::PositionLink);
    paste(&mut player, &format!("Look: {link}"));
    assert_eq!((sheet_of(&player), player.current().table().pieces()), (sheet, pieces));
    assert_eq!(player.current().heading().names[Side::First].as_deref(), Some("Li"));
    paste(&mut player, &position);
    assert_eq!((player.current().table().pieces(), player.current().played().line().len()), (shown, 0));
    player.send(ReadRequest::Paste(link[..link.len() - 1].to_owned()));
    let told =
        |world: &mut World| world.resource::<Notices>().shown.iter().any(|(text, _)| text.contains("the link is not complete"));
    player.until("what is wrong with the link", told);
    // What is pasted is no file: it is what was copied, whatever encoding it declares.
    paste(&mut player, "(;GM[4]FF[4]CA[GB2312]SZ[15]PB[Müller]PW[棋谱];B[hh];W[ii])");
    let names = &player.current().heading().names;
    assert_eq!((names[Side::First].as_deref(), names[Side::Second].as_deref()), (Some("Müller"), Some("棋谱")));
    // A text that is no game is reported once, with the place of the fault, and changes nothing.
    let number = player.current().played().number();
    player.send(ReadRequest::Paste("neither moves nor a position".to_owned()));
    let told = |world: &mut World| world.resource::<Notices>().shown.iter().any(|(text, _)| text.contains("clipboard:1:"));
    player.until("the reason", told);
    assert_eq!(player.current().played().number(), number);
}

/// All data go into a file and out of it, in another home: after the question everything is there at once, and what was there before is kept. Over a
/// match nothing is replaced.
#[test]
fn all_data_move_to_another_home() {
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = from.path().join("all");
    let mut player = Player::opened_in(from.path(), 0.0);
    player.start("gomoku", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    for text in ["h8", "i9"] {
        let action = player.current().table().read(text).unwrap();
        player.play(action);
        player.settle();
    }
    player.send(RecordsRequest::Save);
    player.send(Change::new(|settings: &mut Settings| settings.theme = "night".to_owned()));
    player.frame();
    let aim = FileAim::Save { output: Output::Data, name: "all".to_owned(), ending: "qiju" };
    player.send(FileChosen(aim, vec![file.clone()]));
    let file = file.with_extension("qiju");
    player.until("the file", |_| file.exists());
    drop(player);

    let mut player = Player::opened_in(to.path(), 0.0);
    let before = std::fs::read(to.path().join("preferences.ron")).unwrap();
    player.send(ReadRequest::Open(vec![file.clone()]));
    player.until("the question", |world| *world.resource::<State<Menu>>().get() == Menu::Data);
    let offered = |world: &World| world.resource::<OfferedData>().get().map(|(_, data)| data.to_string());
    assert_eq!(offered(player.app.world()).as_deref(), Some("settings, 1 saved game, 1 unfinished match"));
    assert_eq!(std::fs::read(to.path().join("preferences.ron")).unwrap(), before, "nothing is replaced before the answer");
    player.send(DataRequest::Take);
    player.until("the data", |world| world.resource::<Settings>().theme == "night");
    player.until("the match", |world| world.resource::<Unfinished>().found().is_some());
    assert_eq!(offered(player.app.world()), None);
    assert!(player.app.world().resource::<Notices>().shown.iter().any(|(text, _)| text.contains("before-import-1.qiju")));
    player.send(PageRequest::Menu(Menu::Records));
    player.until("the saved game", |world| world.resource::<SavedGames>().games.len() == 1);
    player.send(PageRequest::Menu(Menu::None));
    player.send(BeginRequest::Resume);
    player.until("the match", |world| world.get_resource::<CurrentMatch>().is_some_and(|current| current.table().ply() == 2));
    // What was there before can be brought back, but not over a match.
    let kept = to.path().join("before-import-1.qiju");
    player.send(ReadRequest::Open(vec![kept.clone()]));
    let told = |world: &mut World| {
        let text = world.resource::<Words>().say("data.in-match").to_owned();
        world.resource::<Notices>().shown.iter().any(|(shown, _)| *shown == text)
    };
    player.until("the reason", told);
    player.send(PageRequest::Title);
    player.until("the title", |world| *world.resource::<State<Screen>>().get() == Screen::Title);
    player.send(ReadRequest::Open(vec![kept]));
    player.until("the question", |world| *world.resource::<State<Menu>>().get() == Menu::Data);
    player.send(DataRequest::Take);
    player.until("the old settings", |world| world.resource::<Settings>().theme != "night");
    // An import that was begun is completed by the next start.
    drop(player);
    std::fs::copy(&file, to.path().join("import-7.qiju")).unwrap();
    let player = Player::reopened_in(to.path());
    assert_eq!(player.app.world().resource::<Settings>().theme, "night");
    assert!(!to.path().join("import-7.qiju").exists() && to.path().join("before-import-7.qiju").exists());
}

/// A quick press of Ctrl+V, of which all four events are in one slow frame, pastes; in a text field the field does it.
#[test]
fn a_quick_press_of_the_keys_pastes() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let mut pastes = |receiver: KeysGo| {
        player.app.world_mut().resource_mut::<KeyFocus>().go = receiver;
        player.app.world_mut().resource_mut::<Messages<PasteClipboard>>().clear();
        for (code, state) in driver::with_control(KeyCode::KeyV) {
            driver::key(&mut player.app, code, state);
        }
        player.frame();
        let requests = player.app.world().resource::<Messages<PasteClipboard>>();
        requests.iter_current_update_messages().count()
    };
    assert_eq!([pastes(KeysGo::Button), pastes(KeysGo::Text)], [1, 0]);
}

/// A file with many games becomes a list, damaged games with their reason; a click opens one.
#[test]
fn many_games_are_listed_and_opened_from_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let game = |number: usize, moves: &str| {
        format!("[Game \"Chinese Chess\"]\n[Event \"Cup {number}\"]\n[Red \"Li {number}\"]\n[Result \"0-1\"]\n\n{moves} 0-1\n\n")
    };
    let good = "1. H2-E2 H9-G7 2. H0-G2";
    let text: String = (1..=300).map(|number| game(number, if number == 7 { "1. A0-I9" } else { good })).collect();
    let path = folder.path().join("many.pgn");
    std::fs::write(&path, text).unwrap();
    let other = folder.path().join("one.pgn");
    std::fs::write(&other, game(1, good)).unwrap();
    player.send(ReadRequest::Open(vec![path, other, folder.path().join("missing.pgn")]));
    player.until("the list", |world| *world.resource::<State<Menu>>().get() == Menu::Games);
    player.until("the end", |world| !world.resource::<GameList>().is_at_work());
    let list = player.app.world().resource::<GameList>();
    assert_eq!((list.files.len(), list.games.len()), (3, 302));
    let bad: Vec<&ListedGame> = list.games.iter().filter(|game| game.content.is_err()).collect();
    assert_eq!(bad.iter().map(|game| (game.file, game.number)).collect::<Vec<_>>(), [(0, 7), (2, 0)]);
    let why = bad[0].content.as_ref().unwrap_err();
    assert!(why.to_string().contains("many.pgn:") && why.to_string().contains("move 1"), "{why}");
    let listed = &list.games[41];
    assert_eq!((listed.players[0].as_str(), listed.event.as_str(), listed.plies), ("Li 42", "Cup 42", 3));
    // A damaged game says why and opens nothing; another one opens.
    player.send(ReadRequest::Listed(6));
    player.frame();
    assert!(player.app.world().get_resource::<CurrentMatch>().is_none());
    player.send(ReadRequest::Listed(41));
    player.until("match", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
    player.settle();
    assert_eq!(player.current().table().ply(), 3);
    assert_eq!(player.current().heading().tags.get("Event"), Some("Cup 42"));
    assert_eq!(player.app.world().resource::<GameList>().games.len(), 302);
}

/// The page of folders that is shown.
fn folder_page(player: &Player) -> &FolderPage {
    player.app.world().resource::<FileDialog>().page().expect("the page of folders is open")
}

/// Without a file dialog of the system, the program's own page lists folders; a game is written to a file and read again.
#[test]
fn files_are_chosen_on_the_own_page_and_games_are_exported() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("games");
    std::fs::create_dir(&other).unwrap();
    std::fs::create_dir(other.join("Old")).unwrap();
    for name in ["b.pgn", "A.XQF", "notes.odt", ".hidden.pgn"] {
        std::fs::write(other.join(name), "").unwrap();
    }
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    player.play(CANNON);
    player.settle();
    let at = player.current().played().line()[0];
    player.send(CursorRequest::Edit(TreeEdit::Comment { at, text: "central".to_owned() }));
    // The formats that can hold the game, each with what it cannot hold of it.
    player.send(ExportRequest(None));
    player.until("the choice", |world| *world.resource::<State<Menu>>().get() == Menu::Export);
    let choice = player.app.world().resource::<ExportChoice>();
    let lost = |format: Format| choice.formats.iter().find(|(known, _)| *known == format).map(|(_, lost)| lost.is_some());
    assert_eq!((lost(Format::Pgn), lost(Format::Lines), lost(Format::Psq)), (Some(false), Some(true), None));
    let name = choice.name.clone();
    let aim = FileAim::Save { output: Output::Game(Format::Pgn, None), name, ending: "pgn" };
    player.send(DialogRequest::Choose(aim.clone()));
    player.until("the page", |world| *world.resource::<State<Menu>>().get() == Menu::Files);
    player.send(DialogRequest::Enter(other.clone()));
    player.until("the folder", |world| {
        world.resource::<FileDialog>().page().is_some_and(|page| page.folder.ends_with("games") && !page.entries.is_empty())
    });
    let entries: Vec<(&str, bool, bool)> =
        folder_page(&player).entries.iter().map(|entry| (entry.name.as_str(), entry.is_folder, entry.is_record)).collect();
    assert_eq!(entries, [("Old", true, false), ("A.XQF", false, true), ("b.pgn", false, true), ("notes.odt", false, false)]);
    // A missing folder is reported and changes nothing.
    player.send(DialogRequest::Enter(other.join("nowhere")));
    player.until("the reason", |world| world.resource::<FileDialog>().page().is_some_and(|page| page.fault.is_some()));
    assert_eq!(folder_page(&player).folder, other);
    // Where the folder that was shown last is gone, the next dialog does not begin there.
    let gone = other.join("Old");
    player.send(DialogRequest::Enter(gone.clone()));
    player.until("the old games", |world| world.resource::<FileDialog>().page().is_some_and(|page| page.folder.ends_with("Old")));
    player.send(PageRequest::Menu(Menu::None));
    std::fs::remove_dir(&gone).unwrap();
    player.send(DialogRequest::Choose(aim.clone()));
    player.until("a folder that is there", |world| {
        world.resource::<FileDialog>().page().is_some_and(|page| page.folder != gone && page.fault.is_none())
    });
    // Another typed file extension chooses another format.
    player.send(FileChosen(aim.clone(), vec![other.join("mine")]));
    player.send(FileChosen(aim, vec![other.join("mine.ron")]));
    player.frame();
    let pgn = std::fs::read_to_string(other.join("mine.pgn")).unwrap();
    assert!(pgn.contains("central}"), "{pgn}");
    assert!(std::fs::read_to_string(other.join("mine.ron")).unwrap().contains("central"));
    player.send(PageRequest::Menu(Menu::None));
    player.frame();
    player.send(FileChosen(FileAim::Open, vec![other.join("mine.pgn")]));
    player.until("the game", |world| {
        !world.resource::<CurrentMatch>().played().tree().is_empty() && world.resource::<CurrentMatch>().explores()
    });
    assert_eq!(player.current().table().ply(), 1);
    // A page over which files are chosen is there again afterwards.
    let menu = |world: &World| *world.resource::<State<Menu>>().get();
    player.send(LibraryRequest::Show);
    player.until("the library", |world| menu(world) == Menu::Page(LIBRARY));
    player.send(DialogRequest::Choose(FileAim::AddFolder));
    player.until("the page", |world| menu(world) == Menu::Files);
    player.send(PageRequest::Menu(Menu::None));
    player.until("the library", |world| menu(world) == Menu::Page(LIBRARY));
}

/// The position becomes a PNG or an SVG and the moves an animated GIF or a PDF, in the background; the GIF can be stopped.
#[test]
fn pictures_of_the_match_are_painted() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    for action in [CANNON, REPLY] {
        player.play(action);
        player.settle();
    }
    let order = PictureOrder { kind: PictureKind::Png, pixels: 120, from: 0, to: 2, pace_ms: 500, every: 1 };
    let save = |order: PictureOrder| FileAim::Save { output: Output::Picture(order), name: "x".to_owned(), ending: "png" };
    let idle = |world: &mut World| world.resource::<Painting>().progress().is_none();
    player.send(FileChosen(save(order), vec![folder.path().join("one")]));
    player.until("the picture", idle);
    assert!(std::fs::read(folder.path().join("one.png")).unwrap().starts_with(b"\x89PNG"));
    let film = PictureOrder { kind: PictureKind::Gif, ..order };
    player.send(FileChosen(save(film), vec![folder.path().join("film.gif")]));
    player.until("the film", idle);
    let bytes = std::fs::read(folder.path().join("film.gif")).unwrap();
    let mut reader = gif::DecodeOptions::new().read_info(&bytes[..]).unwrap();
    let delays: Vec<u16> = std::iter::from_fn(|| reader.read_next_frame().unwrap().map(|frame| frame.delay)).collect();
    assert_eq!(delays, [80, 50, 200]);
    for (kind, file, head) in [(PictureKind::Svg, "one.svg", "<svg "), (PictureKind::Pdf, "game.pdf", "%PDF-")] {
        player.send(FileChosen(save(PictureOrder { kind, ..order }), vec![folder.path().join(file)]));
        player.until(file, idle);
        assert!(std::fs::read(folder.path().join(file)).unwrap().starts_with(head.as_bytes()), "{file}");
    }
    player.send(FileChosen(save(PictureOrder { pixels: 1600, ..film }), vec![folder.path().join("stopped.gif")]));
    player.send(StopPainting);
    player.until("the stop", idle);
    // A file that cannot be written is reported.
    player.send(FileChosen(save(order), vec![folder.path().join("one.png/x.png")]));
    player.until("the reason", |world| world.resource::<Notices>().shown.iter().any(|(text, _)| text.contains("one.png/x.png:")));
    assert!(!folder.path().join("stopped.gif").exists());
}

/// A saved game is renamed, deleted and brought back; opened and saved again it stays one file.
#[test]
fn saved_games_are_renamed_deleted_and_brought_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    for action in [CANNON, REPLY] {
        player.play(action);
        player.settle();
    }
    player.send(RecordsRequest::Save);
    let listed = |player: &mut Player| {
        player.send(PageRequest::Menu(Menu::Records));
        player.frame();
        let games = player.app.world().resource::<SavedGames>().games.clone();
        player.send(PageRequest::Menu(Menu::None));
        player.frame();
        games
    };
    let path = listed(&mut player)[0].path.clone();
    player.send(RecordsRequest::Rename(path.clone(), "My best game".to_owned()));
    player.frame();
    // Saved once more, the title stays; opened, changed and saved, it is the same file.
    player.send(RecordsRequest::Save);
    player.send(ReadRequest::Open(vec![path.clone()]));
    player.until("the game", |world| world.resource::<CurrentMatch>().explores());
    player.settle();
    let at = player.current().played().line()[0];
    player.send(CursorRequest::Edit(TreeEdit::Comment { at, text: "central".to_owned() }));
    player.send(RecordsRequest::Save);
    let games = listed(&mut player);
    assert_eq!(games.len(), 1, "{games:?}");
    assert_eq!(games[0].record.tags.get("Title"), Some("My best game"));
    assert!(std::fs::read_to_string(&path).unwrap().contains("central"));
    player.send(PageRequest::Menu(Menu::Records));
    player.frame();
    player.send(RecordsRequest::Delete(path.clone()));
    player.frame();
    assert!(!path.exists());
    assert!(player.app.world().resource::<SavedGames>().games.is_empty());
    player.send(RecordsRequest::Restore);
    player.frame();
    assert!(path.exists());
    assert_eq!(player.app.world().resource::<SavedGames>().games, games);
    // Files in other folders are refused.
    let elsewhere = tempfile::NamedTempFile::new().unwrap();
    player.send(RecordsRequest::Delete(elsewhere.path().to_owned()));
    player.frame();
    assert!(elsewhere.path().exists());
}

/// The stage of the puzzle on the board.
fn puzzle_stage(world: &World) -> Option<PuzzleStage> {
    let current = world.get_resource::<CurrentMatch>()?;
    let session = world.resource::<Puzzling>().shown(current)?;
    let is_of = current.table().setup() == &session.puzzle.setup();
    (is_of && session.is_shown(current)).then_some(session.stage)
}

/// Begins a puzzle of a game and waits until it is on the board.
fn puzzle(player: &mut Player, step: PuzzleStep) -> (usize, Vec<Action>) {
    let before = player.app.world().get_resource::<CurrentMatch>().map(|current| current.seed());
    player.send(step);
    player.until("a puzzle", |world| {
        let begun = world.get_resource::<CurrentMatch>().is_some_and(|current| Some(current.seed()) != before);
        let session = world.resource::<Puzzling>().session();
        let wanted = session.is_some_and(|session| step == PuzzleStep::Next || step == PuzzleStep::Open(session.game));
        begun && wanted && puzzle_stage(world) == Some(PuzzleStage::Find) && phase(world) == Some(Phase::Human)
    });
    let session = player.app.world().resource::<Puzzling>().session().unwrap();
    let solution = session.puzzle.solution(player.current().table()).unwrap();
    (session.index, solution.line)
}

/// Plays a move of a puzzle by clicks, and waits until it is judged.
fn try_in_puzzle(player: &mut Player, action: Action) -> PuzzleStage {
    for point in action.origin().into_iter().chain(action.target()) {
        player.click(point);
    }
    player.until("the judgement", |world| {
        let waits = [PuzzleStage::Answer, PuzzleStage::Check, PuzzleStage::Refuted].map(Some).contains(&puzzle_stage(world));
        !waits && world.query::<&Moving>().iter(world).count() == 0
    });
    puzzle_stage(player.app.world()).unwrap()
}

#[test]
fn puzzles_are_solved_by_clicks_and_the_results_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    for (number, game) in (1..).zip(["two-eat-one", "xiangqi", "gomoku"]) {
        let (index, line) = puzzle(&mut player, PuzzleStep::Open(game));
        assert_eq!(player.current().purpose(), Purpose::Puzzle);
        let asked = player.app.world().resource::<Puzzling>().session().unwrap().puzzle.asked;
        for (turn, action) in line.iter().step_by(2).take(asked).enumerate() {
            let stage = try_in_puzzle(&mut player, *action);
            let expected = if turn + 1 == asked { PuzzleStage::Solved } else { PuzzleStage::Find };
            assert_eq!(stage, expected, "{game}, puzzle {index}, move {turn}");
            player.assert_pieces_agree();
        }
        // What is kept is changed by the one system that writes it, in the next frame.
        player.until("the result", |world| world.resource::<PlayerProgress>().of_puzzles(game).tried > 0);
        let progress = player.app.world().resource::<PlayerProgress>().of_puzzles(game);
        assert_eq!((progress.solved, progress.tried, progress.streak, progress.seen()), (1, 1, 1, 1), "{number}");
        assert!(progress.rating.value > 1000.0 && progress.rating.error < 350.0);
        // The match itself is unchanged, and the solution can be browsed.
        assert_eq!(player.current().table().ply(), player.current().played().given());
        player.send(CursorRequest::Go(Go::Start));
        assert_eq!(player.current().shown().position_text(), player.current().table().position_text());
        player.key(KeyCode::ArrowRight);
        assert_eq!(player.current().shown().ply(), player.current().table().ply() + 1);
        player.send(CursorRequest::Go(Go::End));
        assert_eq!(player.current().shown().ply(), player.current().table().ply() + line.len());
        player.assert_pieces_agree();
        // A key leads to another puzzle.
        player.key(KeyCode::KeyN);
        player.until("the next", |world| {
            puzzle_stage(world) == Some(PuzzleStage::Find) && world.resource::<Puzzling>().session().unwrap().index != index
        });
    }
    // Escape leads to the page of the game. A match is not changed by puzzles.
    player.key(KeyCode::Escape);
    player.until("setup", |world| *world.resource::<State<Screen>>().get() == Screen::Setup);
    assert!(player.app.world().resource::<Unfinished>().found().is_none());
    drop(player);
    let mut player = Player::reopened_in(folder.path());
    puzzle(&mut player, PuzzleStep::Open("gomoku"));
    let progress = player.app.world().resource::<PlayerProgress>();
    for game in ["two-eat-one", "xiangqi", "gomoku"] {
        let progress = progress.of_puzzles(game);
        assert_eq!((progress.solved, progress.streak, progress.best_streak), (1, 1, 1), "{game}");
    }
    player.send(PuzzleStep::Erase(None));
    assert!(player.app.world().resource::<Puzzling>().asks_erase);
    player.send(PuzzleStep::Erase(Some(true)));
    player.frame();
    let progress = player.app.world().resource::<PlayerProgress>();
    assert_eq!((progress.of_puzzles("gomoku").tried, progress.of_puzzles("xiangqi").tried), (0, 1));
}

#[test]
fn a_theme_is_chosen_and_practised() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    for (game, theme) in [("gomoku", "double-three"), ("xiangqi", "cannon-horse")] {
        let (before, _) = puzzle(&mut player, PuzzleStep::Open(game));
        player.send(PuzzleStep::Themes);
        player.until("the page", |world| *world.resource::<State<Menu>>().get() == Menu::Page(PUZZLES));
        let world = player.app.world();
        let count = world.resource::<Puzzling>().of_theme(world.resource::<Library>().game(game).unwrap(), theme);
        player.send(PuzzleStep::Wish(PuzzleWish { theme: Some(theme), ..PuzzleWish::default() }));
        player.send(PageRequest::Menu(Menu::None));
        let mut seen = vec![before];
        for _ in 0..count.min(3) {
            player.until("one of the theme", |world| {
                let puzzling = world.resource::<Puzzling>();
                let session = puzzling.session().unwrap();
                puzzle_stage(world) == Some(PuzzleStage::Find)
                    && Some(&session.index) != seen.last()
                    && session.themes.contains(&theme)
            });
            seen.push(player.app.world().resource::<Puzzling>().session().unwrap().index);
            player.send(PuzzleStep::Next);
        }
        assert!(count > 3 && seen.len() == 4, "{count}");
    }
}

#[test]
fn in_a_timed_run_puzzles_follow_each_other_and_only_the_best_result_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    puzzle(&mut player, PuzzleStep::Open("gomoku"));
    let tally = |world: &World| {
        let run = world.resource::<Puzzling>().run().unwrap();
        (run.solved, run.missed, run.over)
    };
    let next = |player: &mut Player, tally_is: (u32, u32, bool)| {
        player.until("the next puzzle of the run", |world| {
            world.resource::<Puzzling>().run().is_some()
                && tally(world) == tally_is
                && puzzle_stage(world) == Some(PuzzleStage::Find)
                && phase(world) == Some(Phase::Human)
                && world.query::<&Moving>().iter(world).count() == 0
        });
        let session = player.app.world().resource::<Puzzling>().session().unwrap();
        (session.puzzle.solution(player.current().table()).unwrap().line, session.puzzle.asked)
    };
    player.send(PuzzleStep::Run(true));
    player.frame();
    for solved in 0..2 {
        let (line, asked) = next(&mut player, (solved, 0, false));
        for action in line.iter().step_by(2).take(asked) {
            player.until("the turn", |world| {
                puzzle_stage(world) == Some(PuzzleStage::Find) && world.query::<&Moving>().iter(world).count() == 0
            });
            player.click(action.target().unwrap());
        }
    }
    // A wrong move, and one that is left out; there is no help.
    let (line, _) = next(&mut player, (2, 0, false));
    player.send(PuzzleStep::Hint);
    player.send(PuzzleStep::Show);
    assert_eq!(puzzle_stage(player.app.world()), Some(PuzzleStage::Find));
    let five = |table: &dyn qiju_core::table::Table, action| {
        let mut table = table.boxed_clone();
        table.play(action).is_ok() && table.outcome().is_some()
    };
    let shown = player.current().shown().boxed_clone();
    let wrong = *shown.actions().iter().find(|action| **action != line[0] && !five(&*shown, **action)).unwrap();
    player.click(wrong.target().unwrap());
    next(&mut player, (2, 1, false));
    player.send(PuzzleStep::Next);
    next(&mut player, (2, 2, false));
    player.send(PuzzleStep::Run(false));
    player.frame();
    assert_eq!(tally(player.app.world()), (2, 2, true));
    let progress = player.app.world().resource::<PlayerProgress>().of_puzzles("gomoku");
    assert_eq!((progress.best_run, progress.tried, progress.returning()), (2, 0, 0));
    // Then single puzzles count again.
    puzzle(&mut player, PuzzleStep::Next);
    assert!(player.app.world().resource::<Puzzling>().run().is_none());
    player.send(PuzzleStep::Show);
    player.until("the result", |world| world.resource::<PlayerProgress>().of_puzzles("gomoku").tried == 1);
}

#[test]
fn a_wrong_move_in_a_puzzle_is_taken_back_and_hints_lead_to_the_solution() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 1.0);
    let (first, line) = puzzle(&mut player, PuzzleStep::Open("two-eat-one"));
    let start = player.current().shown().position_text();
    let wrong = *player.current().shown().actions().iter().find(|action| **action != line[0]).unwrap();
    assert_eq!(try_in_puzzle(&mut player, wrong), PuzzleStage::Wrong);
    player.assert_pieces_agree();
    assert_eq!(player.current().shown().position_text(), start);
    // The best reply to it was shown.
    let session = player.app.world().resource::<Puzzling>().session().unwrap();
    let miss = session.miss.as_ref().unwrap();
    assert!(
        matches!(miss.reason(), Some(MissReason::Loses | MissReason::Draws | MissReason::WinsOtherwise)),
        "{:?}",
        miss.reason()
    );
    let mut after = player.current().table().boxed_clone();
    after.play(wrong).unwrap();
    after.play(miss.reply().unwrap()).unwrap();
    assert_eq!(miss.texts(Notation::Uci).len(), 2);
    let results = |player: &Player| {
        let progress = player.app.world().resource::<PlayerProgress>().of_puzzles("two-eat-one");
        (progress.solved, progress.tried, progress.returning())
    };
    assert_eq!(results(&player), (0, 1, 1));
    // It can be solved now, but not at the first try.
    let asked = player.app.world().resource::<Puzzling>().session().unwrap().puzzle.asked;
    for action in line.iter().step_by(2).take(asked) {
        try_in_puzzle(&mut player, *action);
    }
    assert_eq!(puzzle_stage(player.app.world()), Some(PuzzleStage::Solved));
    assert_eq!(results(&player), (0, 1, 1));
    // The engine gives no hints, and taking back browses the solution.
    player.send(AnalysisRequest::Switch);
    assert!(!player.app.world().resource::<Analysis>().is_on());
    let ply = player.current().shown().ply();
    player.send(CursorRequest::Undo);
    assert_eq!(player.current().shown().ply(), ply - 1);

    // Where the result is not exact, a search finds the reply.
    for game in ["xiangqi", "gomoku"] {
        let (_, line) = puzzle(&mut player, PuzzleStep::Open(game));
        let wrong = *player.current().shown().actions().iter().find(|action| **action != line[0]).unwrap();
        assert_eq!(try_in_puzzle(&mut player, wrong), PuzzleStage::Wrong, "{game}");
        player.assert_pieces_agree();
        let session = player.app.world().resource::<Puzzling>().session().unwrap();
        let miss = session.miss.as_ref().unwrap();
        assert!(miss.reason().is_some() && miss.reply().is_some(), "{game}");
    }
    puzzle(&mut player, PuzzleStep::Open("two-eat-one"));

    // Hints: the piece, the move, the solution.
    let (second, line) = puzzle(&mut player, PuzzleStep::Next);
    assert_ne!(first, second);
    player.key(KeyCode::Space);
    let hint = |player: &Player| (player.app.world().resource::<Hint>().at, player.app.world().resource::<Hint>().shown);
    assert_eq!(hint(&player), (line[0].origin(), None));
    player.key(KeyCode::Space);
    assert_eq!(hint(&player), (line[0].origin(), Some(line[0])));
    player.key(KeyCode::Space);
    player.until("the solution", |world| puzzle_stage(world) == Some(PuzzleStage::Shown));
    assert_eq!(results(&player), (0, 2, 2));
    let session = player.app.world().resource::<Puzzling>().session().unwrap();
    assert_eq!(session.solution().len(), line.len());
    // Leaving a puzzle unsolved does not count; started again it is the same puzzle from its beginning.
    puzzle(&mut player, PuzzleStep::Next);
    assert_eq!(results(&player), (0, 2, 2));
    player.send(BeginRequest::Rematch(false));
    player.until("afresh", |world| puzzle_stage(world) == Some(PuzzleStage::Find));
    player.assert_pieces_agree();
}
