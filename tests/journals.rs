//! Tests of journals in the application without a window: a disk that cannot be written for some time, and two windows with one data folder.
#![cfg(feature = "gui")]

mod driver;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::window::PrimaryWindow;
use driver::{Phase, phase};
use qiju::app::Options;
use qiju::app::home::Home;
use qiju::app::kept::Kept;
use qiju::app::notices::Notices;
use qiju::app::play::{CurrentMatch, MoveRequested, Unfinished};
use qiju::app::requests::{AnyRequest, BeginRequest, Discard};
use qiju::app::settings::Settings;
use qiju::app::setup::{MatchSetup, Purpose};
use qiju::app::state::Screen;
use qiju::window::window_free_plugins;
use qiju_core::record::SeatSpec;
use qiju_core::record::journal::{self, Event};
use qiju_core::rules::BySide;
use qiju_core::storage::Blob;
use qiju_core::table::Setup;
use std::path::Path;
use std::time::{Duration, Instant};

/// An application in which two people play tic-tac-toe.
struct Window(App);

impl Window {
    fn open(folder: &Path) -> Window {
        let home = Home(folder.to_path_buf());
        let settings = Settings { speed: 0.0, ..Settings::peek(&home) };
        settings.save(&home).unwrap();
        let mut app = App::new();
        app.add_plugins(window_free_plugins(home, Options::default()));
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(16)));
        app.world_mut().spawn((bevy::window::Window { resolution: (640, 480).into(), ..default() }, PrimaryWindow));
        app.finish();
        app.cleanup();
        let mut window = Window(app);
        window.until("the title", |world| *world.resource::<State<Screen>>().get() == Screen::Title);
        window
    }

    fn until(&mut self, what: &str, is: impl Fn(&World) -> bool) {
        // The match waits for its pictures, which take some time on a busy machine.
        let since = Instant::now();
        while since.elapsed() < Duration::from_secs(120) {
            self.0.update();
            if is(self.0.world()) {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let phase = phase(self.0.world());
        panic!("{what} never came; {:?}, {phase:?}, told: {}", self.0.world().resource::<State<Screen>>().get(), self.told());
    }

    fn write(&mut self, request: impl Into<AnyRequest>) {
        request.into().send(self.0.world_mut());
    }

    fn start(&mut self) {
        let seats = BySide::new(SeatSpec::Human, SeatSpec::Human);
        let setup = MatchSetup {
            game: "tic-tac-toe",
            setup: Setup::default(),
            seats,
            control: BySide::default(),
            purpose: Purpose::default(),
        };
        self.write(BeginRequest::Start(setup));
        self.until("the match", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
        self.until_play();
    }

    fn until_play(&mut self) {
        let plays = |world: &World| phase(world) == Some(Phase::Human);
        self.until("the turn", plays);
    }

    fn play(&mut self, text: &str) {
        let (ply, action) = {
            let table = self.0.world().resource::<CurrentMatch>().table();
            (table.ply(), table.read(text).unwrap())
        };
        self.0.world_mut().write_message(MoveRequested { action, ply });
        self.until("the move", |world| world.resource::<CurrentMatch>().table().ply() == ply + 1);
        self.until_play();
    }

    /// All notices to the user so far.
    fn told(&self) -> String {
        let shown = &self.0.world().resource::<Notices>().shown;
        shown.iter().map(|(text, _)| format!("{text}\n")).collect()
    }

    fn is_offered_a_match(&self) -> bool {
        self.0.world().resource::<Unfinished>().found().is_some()
    }
}

fn moves(blob: &Blob) -> usize {
    let told = journal::recover(blob).unwrap().unwrap();
    assert_eq!(told.missing, None);
    told.events.iter().filter(|event| matches!(event, Event::Move(_))).count()
}

#[test]
fn a_disk_that_fails_for_some_time_loses_no_move() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home(folder.path().to_path_buf());
    let file = folder.path().join("match.journal");
    let mut window = Window::open(folder.path());
    window.start();
    window.play("b2");
    assert_eq!((moves(&home.journal()), window.told().as_str()), (1, ""));
    // A folder replaces the journal, so nothing can be written.
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    window.play("a1");
    assert!(window.told().contains("match.journal"), "{}", window.told());
    window.play("c3");
    std::fs::remove_dir(&file).unwrap();
    window.play("a2");
    assert_eq!(moves(&home.journal()), 4, "what waited is written");
    let told = window.told();
    assert_eq!(told.lines().count(), 2, "told once that moves are not kept, and once that they are: {told}");
}

#[test]
fn two_windows_with_one_home_have_separate_journals() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home(folder.path().to_path_buf());
    let second = Blob::new(home.storage(), "match-2.journal");
    let mut one = Window::open(folder.path());
    one.start();
    one.play("b2");
    let mut two = Window::open(folder.path());
    assert!(!two.is_offered_a_match(), "the other window is playing it");
    two.start();
    two.play("a1");
    two.play("c3");
    one.play("a2");
    assert_eq!((moves(&home.journal()), moves(&second)), (2, 2));
    // Both are closed; each of the next two windows is offered one match, a third window none.
    drop((one, two));
    let mut windows: Vec<Window> = (0..3).map(|_| Window::open(folder.path())).collect();
    let offered: Vec<bool> = windows.iter().map(Window::is_offered_a_match).collect();
    assert_eq!(offered, [true, true, false]);
    windows[1].write(BeginRequest::Resume);
    windows[1].until_play();
    windows[1].play("b2");
    assert_eq!((moves(&home.journal()), moves(&second)), (2, 3));
    // Discarding one match keeps the other.
    windows[0].write(Discard(true));
    windows[0].0.update();
    assert_eq!((home.journal().read().unwrap(), moves(&second)), (None, 3));
}
