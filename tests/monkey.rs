//! The monkey test: ten thousand random inputs on all screens. Nothing panics,
//! the position stays legal, the pieces shown are those of the position, and every journal can be read.
#![cfg(feature = "gui")]

use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyCode, KeyboardInput, NativeKey};
use bevy::input::mouse::{MouseButtonInput, MouseScrollUnit, MouseWheel};
use bevy::input::touch::TouchPhase;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::window::{FileDragAndDrop, PrimaryWindow, WindowEvent, WindowResized, WindowScaleFactorChanged};
use qiju::app::Options;
use qiju::app::confirmation::Confirmation;
use qiju::app::home::Home;
use qiju::app::kept::Change;
use qiju::app::layout::Layout;
use qiju::app::picture::Ready;
use qiju::app::play::{At, BoardPiece, CurrentMatch};
use qiju::app::requests::{PageRequest, Sent};
use qiju::app::settings::Settings;
use qiju::app::state::Screen;
use qiju::app::words::Language;
use qiju::window::unseen_plugins;
use qiju_core::games::REGISTRY;
use qiju_core::record::journal;
use qiju_core::rules::Point;
use qiju_core::table::{Piece, Tree};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::Duration;

const INPUTS: u32 = 10_000;

/// The requests of menus and keys, for the report of a failure.
#[derive(Resource, Default)]
struct Requested(Vec<String>);

fn note_requests(sent: Res<Sent>, mut requested: ResMut<Requested>, screen: Res<State<Screen>>) {
    for request in sent.before() {
        let mut text = format!("{request:?}");
        text.truncate(text.floor_char_boundary(60));
        requested.0.push(format!("{:?}: {text}", screen.get()));
    }
}

struct Monkey {
    app: App,
    window: Entity,
    dice: fastrand::Rng,
    home: Home,
    size: Vec2,
    seen: BTreeMap<String, u32>,
}

impl Monkey {
    fn opened_in(folder: &Path, seed: u64) -> Monkey {
        let home = Home(folder.to_path_buf());
        let mut app = App::new();
        app.add_plugins(unseen_plugins(home.clone(), Options::default(), (1280, 800)));
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(16)));
        app.init_resource::<Requested>().add_systems(First, note_requests);
        app.finish();
        app.cleanup();
        let mut windows = app.world_mut().query_filtered::<Entity, With<PrimaryWindow>>();
        let window = windows.single(app.world()).unwrap();
        let dice = fastrand::Rng::with_seed(seed);
        Monkey { app, window, dice, home, size: Vec2::new(1280.0, 800.0), seen: BTreeMap::new() }
    }

    /// Sends an event like the window system: as its own message and in the stream of all events.
    fn send<E: Message + Clone>(&mut self, event: E)
    where
        WindowEvent: From<E>,
    {
        self.app.world_mut().write_message(WindowEvent::from(event.clone()));
        self.app.world_mut().write_message(event);
    }

    fn frame(&mut self) {
        self.app.update();
    }

    fn move_to(&mut self, position: Vec2) {
        let window = self.window;
        if let Some(mut shown) = self.app.world_mut().get_mut::<Window>(window) {
            shown.set_cursor_position(Some(position));
        }
        self.send(CursorMoved { window, position, delta: None });
    }

    fn button(&mut self, state: ButtonState) {
        let window = self.window;
        self.send(MouseButtonInput { button: MouseButton::Left, state, window });
    }

    fn anywhere(&mut self) -> Vec2 {
        Vec2::new(self.dice.f32() * self.size.x, self.dice.f32() * self.size.y)
    }

    fn on_board(&mut self) -> Vec2 {
        let (x, y) = (self.dice.u8(0..15), self.dice.u8(0..15));
        let layout = self.app.world().resource::<Layout>();
        layout.cursor_of(Point::new(x % layout.size.0.max(1), y % layout.size.1.max(1)))
    }

    fn key(&mut self, key_code: KeyCode, logical_key: Key, state: ButtonState, repeat: bool) {
        let text = match &logical_key {
            Key::Character(text) if state.is_pressed() => Some(text.clone()),
            _ => None,
        };
        let window = self.window;
        self.send(KeyboardInput { key_code, logical_key, state, text, repeat, window });
    }

    fn type_key(&mut self) {
        const KEYS: [(KeyCode, Key); 20] = [
            (KeyCode::Enter, Key::Enter),
            (KeyCode::Escape, Key::Escape),
            (KeyCode::Tab, Key::Tab),
            (KeyCode::Space, Key::Space),
            (KeyCode::ArrowLeft, Key::ArrowLeft),
            (KeyCode::ArrowRight, Key::ArrowRight),
            (KeyCode::ArrowUp, Key::ArrowUp),
            (KeyCode::ArrowDown, Key::ArrowDown),
            (KeyCode::Home, Key::Home),
            (KeyCode::End, Key::End),
            (KeyCode::F1, Key::F1),
            (KeyCode::F11, Key::F11),
            (KeyCode::Backspace, Key::Backspace),
            (KeyCode::KeyF, Key::Unidentified(NativeKey::Unidentified)),
            (KeyCode::KeyN, Key::Unidentified(NativeKey::Unidentified)),
            (KeyCode::KeyO, Key::Unidentified(NativeKey::Unidentified)),
            (KeyCode::KeyS, Key::Unidentified(NativeKey::Unidentified)),
            (KeyCode::KeyT, Key::Unidentified(NativeKey::Unidentified)),
            (KeyCode::KeyY, Key::Unidentified(NativeKey::Unidentified)),
            (KeyCode::KeyZ, Key::Unidentified(NativeKey::Unidentified)),
        ];
        let (code, mut key) = KEYS[self.dice.usize(0..KEYS.len())].clone();
        if matches!(key, Key::Unidentified(_)) {
            let letter = char::from(b'a' + self.dice.u8(0..26)).to_string();
            key = Key::Character(letter.as_str().into());
        }
        let ctrl = self.dice.u8(0..4) == 0;
        let control = (KeyCode::ControlLeft, Key::Control);
        if ctrl {
            self.key(control.0, control.1.clone(), ButtonState::Pressed, false);
        }
        for repeat in 0..self.dice.u8(1..6) {
            self.key(code, key.clone(), ButtonState::Pressed, repeat > 0);
            if self.dice.u8(0..4) > 0 {
                break;
            }
        }
        self.key(code, key, ButtonState::Released, false);
        if ctrl {
            self.key(control.0, control.1, ButtonState::Released, false);
        }
    }

    /// Changes the size or the pixel ratio like the window system.
    fn reshape(&mut self) {
        // Large boards take long to draw, and there are ten thousand inputs.
        const SHAPES: [(f32, f32, f32); 6] = [
            (900.0, 700.0, 1.0),
            (1280.0, 800.0, 1.0),
            (640.0, 480.0, 2.0),
            (640.0, 480.0, 1.0),
            (1111.0, 777.0, 1.0),
            (900.0, 700.0, 1.5),
        ];
        let (width, height, scale) = SHAPES[self.dice.usize(0..SHAPES.len())];
        let window = self.window;
        if let Some(mut shown) = self.app.world_mut().get_mut::<Window>(window) {
            shown.resolution.set_scale_factor(scale);
            shown.resolution.set(width, height);
        }
        self.size = Vec2::new(width, height);
        self.send(WindowScaleFactorChanged { window, scale_factor: f64::from(scale) });
        self.send(WindowResized { window, width, height });
    }

    fn switch_settings(&mut self) {
        let mut settings = self.app.world().resource::<Settings>().clone();
        match self.dice.u8(0..5) {
            0 => settings.language = Some(Language::Zh),
            1 => settings.language = Some(Language::En),
            2 => {
                let all = [Confirmation::Never, Confirmation::Touch, Confirmation::Always];
                settings.confirm_moves = all[self.dice.usize(0..3)];
            }
            3 => settings.reduced_motion ^= true,
            _ => settings.speed = self.dice.f32() * 3.0,
        }
        self.app.world_mut().write_message(Change::new(move |there: &mut Settings| *there = settings.clone()));
    }

    fn drop_file(&mut self) {
        let files = ["nothing-here.ron", "preferences.ron", "match.journal"];
        let path_buf: PathBuf = self.home.0.join(files[self.dice.usize(0..files.len())]);
        let window = self.window;
        self.send(FileDragAndDrop::DroppedFile { window, path_buf });
    }

    fn touch(&mut self) {
        let (from, to, window) = (self.on_board(), self.on_board(), self.window);
        let phases = [TouchPhase::Started, TouchPhase::Moved, TouchPhase::Ended];
        for (phase, position) in phases.into_iter().zip([from, to, to]) {
            self.send(bevy::input::touch::TouchInput { phase, position, window, force: None, id: 7 });
        }
    }

    /// One input.
    fn act(&mut self) {
        let what = self.dice.u32(0..1000);
        match what {
            0..330 => {
                let place = self.anywhere();
                self.move_to(place);
                self.button(ButtonState::Pressed);
                if self.dice.bool() {
                    self.frame();
                }
                self.button(ButtonState::Released);
            }
            330..620 => {
                let place = self.on_board();
                self.move_to(place);
                self.button(ButtonState::Pressed);
                self.button(ButtonState::Released);
            }
            620..720 => {
                let (from, to) = (self.on_board(), self.on_board());
                self.move_to(from);
                self.button(ButtonState::Pressed);
                self.frame();
                self.move_to(to);
                self.frame();
                self.button(ButtonState::Released);
            }
            720..900 => self.type_key(),
            900..930 => self.touch(),
            930..940 => self.switch_settings(),
            940..943 => {
                self.reshape();
                self.frame();
                self.wait_for_the_board();
            }
            943..950 => self.drop_file(),
            950..960 => {
                let (y, window) = (self.dice.f32() * 40.0 - 20.0, self.window);
                let (unit, phase) = (MouseScrollUnit::Pixel, TouchPhase::Moved);
                self.send(MouseWheel { unit, x: 0.0, y, window, phase });
            }
            960..985 => {
                // Without help the random input would rarely start a game.
                let key = REGISTRY[self.dice.usize(0..REGISTRY.len())].key;
                self.app.world_mut().write_message(PageRequest::Choose(key));
                self.frame();
                self.frame();
                self.type_one(KeyCode::Enter, Key::Enter);
                self.frame();
                self.frame();
                self.frame();
                self.wait_for_the_board();
            }
            _ => {
                for _ in 0..self.dice.u8(1..30) {
                    self.frame();
                    std::thread::sleep(Duration::from_micros(200));
                }
            }
        }
        self.frame();
    }

    /// Sometimes waits until the board is drawn, so that more inputs have an effect.
    fn wait_for_the_board(&mut self) {
        for _ in 0..1500 {
            let world = self.app.world();
            if *world.resource::<State<Screen>>().get() != Screen::Match || world.resource::<Ready>().0 {
                break;
            }
            self.frame();
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn type_one(&mut self, code: KeyCode, key: Key) {
        self.key(code, key.clone(), ButtonState::Pressed, false);
        self.key(code, key, ButtonState::Released, false);
    }

    /// Checks that the journal holds the match as it is.
    fn agrees_with_journal(&self, input: u32, tree: Tree, (ply, text): (usize, &str), tail: &dyn Fn() -> String) {
        let told = journal::recover(&self.home.journal()).unwrap_or_else(|error| panic!("input {input}: {error}"));
        let told = told.unwrap_or_else(|| panic!("input {input}: there is no journal"));
        let game = journal::replay(&told.header, &told.events).unwrap();
        // The times of the moves are events of their own, not part of the tree in the journal.
        let without_times = |mut tree: Tree| {
            for id in tree.walk().collect::<Vec<_>>() {
                tree.set_time(id, None);
            }
            tree
        };
        let replayed = without_times(game.tree().packed());
        assert_eq!(replayed, without_times(tree), "input {input}, journal {:?}", told.events);
        assert_eq!(
            (game.table().ply(), game.table().position_text()),
            (ply, text.to_owned()),
            "input {input}, journal {:?}; last requests\n{}",
            told.events,
            tail()
        );
    }

    /// Conditions that must always be true.
    fn look(&mut self, input: u32) {
        let screen = *self.app.world().resource::<State<Screen>>().get();
        *self.seen.entry(format!("{screen:?}")).or_default() += 1;
        let Some(current) = self.app.world().get_resource::<CurrentMatch>() else { return };
        let requested = self.app.world().resource::<Requested>().0.clone();
        let tail = || requested[requested.len().saturating_sub(25)..].join("\n");
        if let Err(why) = current.table().self_check() {
            panic!("input {input}: {why}; last requests\n{}", tail());
        }
        // A match requested in this frame is set up in the next.
        let settled = matches!(self.app.world().resource::<NextState<Screen>>(), NextState::Unchanged);
        if screen != Screen::Match || !self.app.world().resource::<Ready>().0 || !settled {
            return;
        }
        if current.human_to_move() {
            *self.seen.entry("Human".to_owned()).or_default() += 1;
        }
        let expected: HashMap<Point, Piece> = current.shown().pieces().into_iter().collect();
        let (ply, text) = (current.table().ply(), current.table().position_text());
        // An exercise has no journal.
        let journalled = current.traits().journal;
        let tree = current.played().kept_tree().packed();
        if journalled {
            self.agrees_with_journal(input, tree, (ply, &text), &tail);
        }
        let mut pieces = self.app.world_mut().query::<(&BoardPiece, &At)>();
        let shown: Vec<(Point, Piece)> = pieces.iter(self.app.world()).map(|(board_piece, at)| (at.0, board_piece.0)).collect();
        assert_eq!(shown.len(), expected.len(), "input {input}: pieces shown and pieces there; last requests\n{}", tail());
        let shown: HashMap<Point, Piece> = shown.into_iter().collect();
        assert_eq!(shown, expected, "input {input}; last requests\n{}", tail());
    }
}

#[test]
fn random_input_breaks_nothing() {
    let seed = std::env::var("QIJU_MONKEY_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(20);
    let folder = tempfile::tempdir().unwrap();
    let mut monkey = Monkey::opened_in(folder.path(), seed);
    for input in 0..INPUTS {
        monkey.act();
        if input % 5 == 0 {
            monkey.look(input);
        }
    }
    println!("seed {seed}: {:?}", monkey.seen);
    // All screens were visited.
    for place in ["Title", "Setup", "Match", "Human"] {
        assert!(monkey.seen.contains_key(place), "never in {place}: {:?}", monkey.seen);
    }
    // All files can be read, and none was renamed as damaged.
    for file in std::fs::read_dir(folder.path()).unwrap().flatten() {
        assert!(!file.file_name().to_string_lossy().contains("damaged"), "{:?}", file.path());
    }
    for file in std::fs::read_dir(Home(folder.path().to_path_buf()).records()).into_iter().flatten().flatten() {
        qiju_core::record::Record::load(&file.path()).unwrap();
    }
}
