//! The editor of positions and the analysis board: the model of every game, and both in the program without a display, by mouse and keyboard.
#![cfg(feature = "gui")]

mod driver;

use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyCode, KeyboardInput, NativeKey};
use bevy::input::mouse::MouseButtonInput;
use bevy::prelude::*;
use bevy::window::WindowEvent;
use driver::{MINUTE, Phase, phase};
use qiju::app::Options;
use qiju::app::explore::{Analysis, Editing, PositionEditor, Study};
use qiju::app::home::Home;
use qiju::app::kept::Kept;
use qiju::app::layout::Layout;
use qiju::app::play::{CurrentMatch, Unfinished};
use qiju::app::position::{PositionWish, Tool};
use qiju::app::requests::{AnalysisRequest, AnyRequest, BeginRequest, CursorRequest, Go, StudyPage};
use qiju::app::settings::Settings;
use qiju::app::setup::{MatchSetup, Purpose};
use qiju::app::state::Screen;
use qiju::app::words::{Language, Words};
use qiju::window::unseen_plugins;
use qiju_core::games::{Entry, REGISTRY, find};
use qiju_core::rules::{FaultKind, Point, Side, zobrist};
use qiju_core::table::{Action, Draft, Origin, Piece, Placement, Setup, Tree};
use std::path::Path;
use std::time::{Duration, Instant};

/// The games with their variants.
fn all() -> impl Iterator<Item = (&'static Entry, &'static str, &'static dyn Placement)> {
    let variants = REGISTRY.iter().flat_map(|entry| (entry.variants)().iter().map(move |variant| (entry, *variant)));
    variants.map(|(entry, variant)| (entry, variant, (entry.capabilities)(variant).placement.expect("every game has it")))
}

fn of(variant: &str, position: Option<String>) -> Setup {
    Setup { variant: Some(variant.to_owned()), position }
}

#[test]
fn every_start_comes_back_and_is_sound() {
    for (entry, variant, placement) in all() {
        let table = entry.table(&of(variant, None)).unwrap();
        let draft = Draft::of(table.pieces(), table.turn());
        assert_eq!(placement.size(variant), table.size(), "{variant}");
        assert_eq!(placement.faults(variant, &draft), [], "{} {variant}", entry.key);
        let text = placement.text(variant, &draft);
        assert_eq!(placement.read(variant, &text).unwrap(), draft, "{text}");
        let same = entry.table(&of(variant, Some(text))).unwrap();
        assert_eq!(same.key(), table.key(), "{} {variant}", entry.key);
        let size = table.size();
        let exchange = placement.halves();
        assert_eq!(draft.mirrored(size).mirrored(size), draft);
        assert_eq!(draft.turned(size, exchange).turned(size, exchange), draft);
        assert_eq!(placement.faults(variant, &draft.turned(size, exchange)), [], "{} {variant}: turned", entry.key);
        for (at, piece) in &draft.pieces {
            assert!(placement.may_stand(variant, *piece, *at), "{variant} {at:?}");
        }
    }
}

/// Pieces put on a board at random: mostly where they can be, sometimes anywhere.
fn scattered(entry: &Entry, variant: &str, placement: &dyn Placement, seed: u64) -> Draft {
    let mut state = zobrist::mix(seed);
    let mut next = |below: u64| {
        state = zobrist::mix(state);
        state % below
    };
    let roles = entry.sheet().unwrap().roles.len() as u64;
    let (files, ranks) = placement.size(variant);
    let mut draft = match next(2) {
        0 => Draft::empty(),
        _ => {
            let table = entry.table(&of(variant, None)).unwrap();
            Draft::of(table.pieces(), table.turn())
        }
    };
    for _ in 0..next(12) {
        let piece = Piece { side: Side::BOTH[next(2) as usize], role: next(roles) as u8 };
        let at = Point::new(next(files.into()) as u8, next(ranks.into()) as u8);
        match next(4) {
            0 => {
                draft.pieces.remove(&at);
            }
            _ if placement.may_stand(variant, piece, at) || next(6) == 0 => draft.put(piece, at, placement.most(variant, piece)),
            _ => {}
        }
    }
    draft.turn = Side::BOTH[next(2) as usize];
    draft
}

#[test]
fn the_editor_and_the_rules_agree_on_every_position() {
    for (entry, variant, placement) in all() {
        let (mut sound, mut faulty) = (0, 0);
        for seed in 0..400 {
            let draft = scattered(entry, variant, placement, seed);
            let text = placement.text(variant, &draft);
            assert_eq!(placement.read(variant, &text).unwrap(), draft, "{text}");
            let faults = placement.faults(variant, &draft);
            let table = entry.table(&of(variant, Some(text.clone())));
            assert_eq!(faults.is_empty(), table.is_ok(), "{} {variant} {text}: {faults:?}", entry.key);
            match table {
                Ok(table) => {
                    sound += 1;
                    assert_eq!(Draft::of(table.pieces(), table.turn()), draft, "{text}");
                }
                Err(_) => faulty += 1,
            }
            for fault in faults {
                let (files, ranks) = placement.size(variant);
                assert!(fault.at.iter().all(|at| at.x < files && at.y < ranks), "{fault:?}");
            }
        }
        assert!(sound > 20, "{} {variant}: {sound} sound, {faulty} faulty", entry.key);
    }
}

#[test]
fn what_is_wrong_is_found_at_its_points() {
    let faults = |game: &str, variant: &str, text: &str| {
        let placement = (find(game).unwrap().capabilities)(variant).placement.unwrap();
        placement.faults(variant, &placement.read(variant, text).unwrap())
    };
    let one = |game: &str, variant: &str, text: &str| {
        let found = faults(game, variant, text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        (found[0].kind, found[0].at.clone())
    };
    let missing = FaultKind::Missing { side: Side::Second, role: 0 };
    assert_eq!(one("xiangqi", "axf", "9/9/9/9/9/9/9/9/9/4K4 w"), (missing, vec![]));
    let misplaced = FaultKind::Misplaced { side: Side::First, role: 1 };
    assert_eq!(one("xiangqi", "axf", "3k5/9/9/9/9/9/9/9/9/A3K4 w"), (misplaced, vec![Point::new(0, 0)]));
    let (kind, at) = one("xiangqi", "axf", "3k5/9/9/9/RRR6/9/9/9/9/4K4 w");
    assert_eq!((kind, at.len()), (FaultKind::TooMany { side: Side::First, role: 4, most: 2 }, 3));
    assert_eq!(
        one("xiangqi", "axf", "4k4/9/9/9/9/9/9/9/9/4K4 w"),
        (FaultKind::GeneralsFace, vec![Point::new(4, 0), Point::new(4, 9)])
    );
    let (kind, at) = one("xiangqi", "axf", "4k4/9/9/9/4R4/9/9/9/9/3K5 w");
    assert_eq!(kind, FaultKind::CheckAfterMove { side: Side::Second });
    assert_eq!(at, [Point::new(4, 9), Point::new(4, 5)], "the general, then who attacks it");
    assert_eq!(one("tic-tac-toe", "standard", "xxx...... o").0, FaultKind::Uneven { first: 3, second: 0 });
    let (kind, at) = one("two-eat-one", "4x4", "ooooo........... o");
    assert_eq!((kind, at.len()), (FaultKind::TooMany { side: Side::First, role: 0, most: 4 }, 5));
    let row = |stones: &str| format!("{stones}..........{}", "/...............".repeat(14));
    let (kind, at) = one("gomoku", "freestyle", &format!("{} x", row("xxxxx")));
    assert_eq!((kind, at.len()), (FaultKind::WonBefore { side: Side::First }, 5));
    assert_eq!(at[0], Point::new(0, 14));
    let both = format!("xxxxx..........{}/ooooo.......... x", "/...............".repeat(13));
    let (kind, at) = one("gomoku", "freestyle", &both);
    assert_eq!((kind, at.len()), (FaultKind::BothWon, 10));
}

struct Player(App);

impl Player {
    fn begin(folder: &Path) -> Player {
        let home = Home(folder.to_path_buf());
        let settings = Settings { background_work: false, speed: 0.0, language: Some(Language::En), ..Settings::default() };
        settings.save(&home).unwrap();
        let mut app = App::new();
        app.add_plugins(unseen_plugins(home, Options::default(), (1280, 800)));
        let start = Instant::now();
        while app.plugins_state() == bevy::app::PluginsState::Adding {
            assert!(start.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(5));
        }
        Player(driver::started(app))
    }

    fn frame(&mut self) {
        driver::frame(&mut self.0);
    }

    fn frames(&mut self, count: u32) {
        (0..count).for_each(|_| self.frame());
    }

    fn until(&mut self, what: &str, so: impl FnMut(&mut World) -> bool) {
        driver::until(&mut self.0, MINUTE, what, so);
    }

    fn ask(&mut self, request: impl Into<AnyRequest>) {
        request.into().send(self.0.world_mut());
        self.frames(2);
    }

    fn screen(&mut self, screen: Screen) {
        self.until("the screen", |world| *world.resource::<State<Screen>>().get() == screen);
        self.frames(3);
    }

    fn edit(&mut self, game: &str, setup: Setup) {
        self.ask(PositionWish::Open { game: find(game).unwrap().key, setup });
        self.screen(Screen::Editor);
    }

    fn wish(&mut self, wish: PositionWish) {
        self.ask(wish);
    }

    fn editing(&self) -> &Editing {
        self.0.world().resource::<PositionEditor>().editing().expect("the editor is open")
    }

    fn at(&self, x: u8, y: u8) -> Option<Piece> {
        self.editing().draft().pieces.get(&Point::new(x, y)).copied()
    }

    fn current(&self) -> &CurrentMatch {
        self.0.world().resource::<CurrentMatch>()
    }

    fn window(&mut self) -> Entity {
        driver::window(&mut self.0)
    }

    fn point_at(&mut self, position: Vec2) {
        let window = self.window();
        let moved = CursorMoved { window, position, delta: None };
        let world = self.0.world_mut();
        world.get_mut::<Window>(window).unwrap().set_cursor_position(Some(position));
        world.write_message(moved.clone());
        world.write_message(WindowEvent::CursorMoved(moved));
        self.frame();
    }

    fn button(&mut self, button: MouseButton, state: ButtonState) {
        let window = self.window();
        let input = MouseButtonInput { button, state, window };
        let world = self.0.world_mut();
        world.write_message(input);
        world.write_message(WindowEvent::MouseButtonInput(input));
        self.frames(2);
    }

    fn press(&mut self, down: bool) {
        self.button(MouseButton::Left, if down { ButtonState::Pressed } else { ButtonState::Released });
    }

    fn place(&self, x: u8, y: u8) -> Vec2 {
        self.0.world().resource::<Layout>().cursor_of(Point::new(x, y))
    }

    fn click(&mut self, x: u8, y: u8) {
        let at = self.place(x, y);
        self.point_at(at);
        self.press(true);
        self.press(false);
    }

    fn drag(&mut self, from: Vec2, to: Vec2) {
        self.point_at(from);
        self.press(true);
        self.point_at(from.lerp(to, 0.5));
        self.point_at(to);
        self.press(false);
    }

    fn key(&mut self, key_code: KeyCode) {
        let window = self.window();
        for state in [ButtonState::Pressed, ButtonState::Released] {
            let logical_key = match key_code {
                KeyCode::Enter => Key::Enter,
                KeyCode::Escape => Key::Escape,
                KeyCode::Delete => Key::Delete,
                KeyCode::ArrowLeft => Key::ArrowLeft,
                KeyCode::ArrowUp => Key::ArrowUp,
                _ => Key::Unidentified(NativeKey::Unidentified),
            };
            let input = KeyboardInput { key_code, logical_key, state, text: None, repeat: false, window };
            self.0.world_mut().write_message(input);
            self.frames(2);
        }
    }

    /// Where this piece lies in the palette: found by pressing there.
    fn in_palette(&mut self, piece: Piece) -> Vec2 {
        let left = 1280.0 - self.0.world().resource::<Layout>().panel;
        for y in 0..6 {
            for x in 0..14 {
                let at = Vec2::new(left + 18.0 + 21.0 * x as f32, 78.0 + 16.0 * y as f32);
                self.point_at(at);
                self.press(true);
                self.press(false);
                if self.editing().tool() == Tool::Put(piece) {
                    return at;
                }
            }
        }
        panic!("{piece:?} is not in the palette");
    }

    /// What the page says is wrong.
    fn told(&self) -> Vec<String> {
        let (editing, words) = (self.editing(), self.0.world().resource::<Words>());
        editing.faults().iter().map(|fault| words.position_fault(editing.game(), editing.size(), fault)).collect()
    }
}

const RED_CHARIOT: Piece = Piece { side: Side::First, role: 4 };
const RED_GENERAL: Piece = Piece { side: Side::First, role: 0 };
const BLACK_GENERAL: Piece = Piece { side: Side::Second, role: 0 };

#[test]
fn a_position_is_set_up_by_mouse_and_a_match_begins_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::begin(folder.path());
    player.edit("xiangqi", Setup::default());
    assert_eq!(player.editing().draft().pieces.len(), 32);
    player.wish(PositionWish::Clear);
    assert_eq!(player.told(), ["Red's general is missing.", "Black's general is missing."]);
    // A click on the palette, then clicks on the board.
    player.in_palette(RED_GENERAL);
    player.click(4, 0);
    player.click(3, 0);
    assert_eq!((player.at(4, 0), player.at(3, 0)), (None, Some(RED_GENERAL)), "there is one general");
    // A piece is dragged from the palette to the board.
    let black = player.in_palette(BLACK_GENERAL);
    let to = player.place(3, 9);
    player.drag(black, to);
    assert_eq!(player.at(3, 9), Some(BLACK_GENERAL));
    assert_eq!(player.told(), ["The generals face each other on an open file (d0, d9)."]);
    assert_eq!(player.editing().faulty_points(), [Point::new(3, 0), Point::new(3, 9)]);
    player.wish(PositionWish::Play);
    assert_eq!(*player.0.world().resource::<State<Screen>>().get(), Screen::Editor, "no match begins with that");
    // Dragged on the board, with a chariot beside it.
    let (from, to) = (player.place(3, 9), player.place(4, 9));
    player.drag(from, to);
    assert_eq!((player.at(3, 9), player.at(4, 9)), (None, Some(BLACK_GENERAL)));
    player.in_palette(RED_CHARIOT);
    player.click(0, 8);
    player.click(1, 0);
    player.click(1, 0);
    assert_eq!((player.at(0, 8), player.at(1, 0)), (Some(RED_CHARIOT), None), "a second click takes it away");
    player.click(1, 0);
    assert_eq!(player.told(), [""; 0]);
    // The right button takes a piece away, and so does dragging it off the board.
    player.click(2, 0);
    assert_eq!(player.told(), ["Red has at most 2 of this piece (chariot), not 3."]);
    let at = player.place(2, 0);
    player.point_at(at);
    player.button(MouseButton::Right, ButtonState::Pressed);
    player.button(MouseButton::Right, ButtonState::Released);
    assert_eq!(player.at(2, 0), None);
    player.wish(PositionWish::Undo);
    assert_eq!(player.at(2, 0), Some(RED_CHARIOT));
    player.drag(at, Vec2::new(1100.0, 700.0));
    assert_eq!(player.at(2, 0), None);
    assert!(player.editing().is_playable());
    let text = player.editing().text().to_owned();
    assert_eq!(text, "4k4/R8/9/9/9/9/9/9/9/1R1K5 w - - 0 1");
    player.wish(PositionWish::Play);
    player.screen(Screen::Setup);
    player.key(KeyCode::Enter);
    player.screen(Screen::Match);
    assert_eq!(player.current().table().position_text(), text);
    assert_eq!(player.current().purpose(), Purpose::Casual);
}

#[test]
fn a_position_is_set_up_by_keyboard_and_analysed() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::begin(folder.path());
    player.edit("tic-tac-toe", Setup::default());
    for key in [KeyCode::Digit1, KeyCode::Enter, KeyCode::Enter, KeyCode::ArrowLeft, KeyCode::Enter] {
        player.key(key);
    }
    let cross = Piece { side: Side::First, role: 0 };
    assert_eq!((player.at(1, 1), player.at(0, 1)), (Some(cross), Some(cross)));
    assert_eq!(player.told(), ["The sides take turns: 2 of Cross and 0 of Ring cannot occur."]);
    player.key(KeyCode::Delete);
    assert_eq!(player.told(), [""; 0]);
    player.key(KeyCode::KeyT);
    assert_eq!(player.editing().draft().turn, Side::Second);
    player.key(KeyCode::KeyM);
    player.key(KeyCode::KeyR);
    assert_eq!(player.at(1, 1), Some(cross));
    player.key(KeyCode::Escape);
    assert_eq!((player.editing().tool(), player.editing().cursor()), (Tool::Hand, None));
    player.wish(PositionWish::Paste("xx.oo.... x".to_owned()));
    assert_eq!(player.editing().draft().pieces.len(), 4);
    player.wish(PositionWish::Paste("nothing of this kind".to_owned()));
    player.wish(PositionWish::Paste("  ".to_owned()));
    assert_eq!(player.editing().draft().pieces.len(), 4, "a wrong text changes nothing");
    // Opened again while it is open, it shows the other position.
    player.edit("tic-tac-toe", of("standard", Some("xx.o.o... x".to_owned())));
    assert_eq!(player.editing().text(), "xx.o.o... x");
    player.wish(PositionWish::Paste("xx.oo.... x".to_owned()));
    player.wish(PositionWish::Analyse);
    player.screen(Screen::Match);
    assert!(player.current().is_analysis());
    assert_eq!(player.current().table().position_text(), "xx.oo.... x");
}

#[test]
fn escape_leads_back_to_the_match_that_was_left() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::begin(folder.path());
    player.ask(BeginRequest::Start(MatchSetup {
        purpose: Purpose::Casual,
        ..MatchSetup::analysis("tic-tac-toe", Setup::default())
    }));
    player.screen(Screen::Match);
    player.until("board", |world| phase(world) == Some(Phase::Human));
    player.click(1, 1);
    player.until("the move", |world| world.resource::<CurrentMatch>().table().ply() == 1);
    let text = player.current().table().position_text();
    player.edit("tic-tac-toe", of("standard", Some(text.clone())));
    assert!(player.0.world().resource::<Unfinished>().found().is_some());
    player.wish(PositionWish::Clear);
    player.key(KeyCode::Escape);
    player.screen(Screen::Match);
    assert_eq!(player.current().table().position_text(), text);
}

#[test]
fn on_an_analysis_board_both_sides_are_moved_and_going_back_makes_variations() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::begin(folder.path());
    player.ask(BeginRequest::Start(MatchSetup::analysis("xiangqi", Setup::default())));
    player.screen(Screen::Match);
    player.until("board", |world| phase(world) == Some(Phase::Human));
    let step = |a, b, c, d| Action::Step { from: Point::new(a, b), to: Point::new(c, d) };
    let study = |player: &Player| player.0.world().resource::<Study>().page;
    assert_eq!(study(&player), Some(StudyPage::Analysis), "the page is open");
    player.until("lines", |world| world.resource::<Analysis>().lines().count() == 3);
    for (a, b, c, d) in [(7, 2, 4, 2), (7, 9, 6, 7)] {
        player.click(a, b);
        player.click(c, d);
        player.frames(4);
    }
    assert_eq!(player.current().table().played(), [step(7, 2, 4, 2), step(7, 9, 6, 7)]);
    // Back at the beginning another move makes a variation; the moves before stay.
    player.ask(CursorRequest::Go(Go::Start));
    player.click(1, 2);
    player.click(4, 2);
    player.frames(4);
    player.click(7, 9);
    player.click(6, 7);
    player.frames(4);
    let tree = player.current().tree();
    let children = tree.node(Tree::ROOT).children();
    assert_eq!(children.len(), 2);
    assert_eq!(tree.node(children[1]).action(), Some(step(1, 2, 4, 2)));
    assert_eq!(tree.node(children[1]).origin, Origin::Variation);
    assert_eq!(tree.node(player.current().cursor()).action(), Some(step(7, 9, 6, 7)));
    assert_eq!(player.current().table().ply(), 2, "the first line is as it was");
    // The engine thinks about what is shown, rests on request and goes on.
    player.until("lines", |world| world.resource::<Analysis>().lines().count() == 3);
    player.ask(AnalysisRequest::Pause(true));
    assert!(!player.0.world().resource::<Analysis>().is_thinking());
    assert!(player.0.world().resource::<Analysis>().lines().count() == 3, "what was found stays");
    player.ask(AnalysisRequest::Pause(false));
    player.until("thought", |world| world.resource::<Analysis>().is_thinking());
    // After a kill it is an analysis board again, with its variations.
    drop(player);
    let mut player = Player::begin(folder.path());
    player.ask(BeginRequest::Resume);
    player.screen(Screen::Match);
    assert!(player.current().is_analysis());
    assert_eq!(player.current().tree().node(Tree::ROOT).children().len(), 2);
}

#[test]
fn the_chances_follow_the_curve_of_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::begin(folder.path());
    player.ask(BeginRequest::Start(MatchSetup::analysis("gomoku", of("freestyle", Some("h8i9h7".to_owned())))));
    player.screen(Screen::Match);
    player.until("lines", |world| world.resource::<Analysis>().lines().count() == 3);
    player.ask(AnalysisRequest::Pause(true));
    let curve = player.current().table().curve();
    assert_ne!(curve, qiju_core::table::Curve::USUAL);
    for line in player.0.world().resource::<Analysis>().lines() {
        assert_eq!(line.chance, curve.chance(line.value));
        let (value, chance) = line.seen_by(Side::Second);
        assert_eq!(chance, curve.chance(value));
    }
}
