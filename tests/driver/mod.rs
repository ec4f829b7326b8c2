//! Drives the program without a screen: opens it, waits while its frames run, and sends what keyboard and mouse would send.
#![allow(dead_code, reason = "each test uses a part of it")]

use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyCode, KeyboardInput, NativeKey};
use bevy::input::mouse::{MouseButton, MouseButtonInput};
use bevy::input::touch::{TouchInput, TouchPhase};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::window::{CursorMoved, PrimaryWindow, WindowEvent};
use qiju::app::Options;
use qiju::app::home::Home;
use qiju::app::picture::{InMotion, Ready};
use qiju::app::play::CurrentMatch;
use qiju::app::state::Screen;
use qiju::window::window_free_plugins;
use std::path::Path;
use std::time::{Duration, Instant};

/// What the match on the board waits for, as the player sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The pictures of the board.
    SetUp,
    /// A piece that is moving.
    Animate,
    /// A person.
    Human,
    /// An engine.
    Think,
    /// Nothing: it has ended.
    Over,
}

/// What the match waits for; `None` where there is none.
pub fn phase(world: &World) -> Option<Phase> {
    let current = world.get_resource::<CurrentMatch>().filter(|_| *world.resource::<State<Screen>>().get() == Screen::Match)?;
    let moves = world.try_query_filtered::<(), With<InMotion>>().is_some_and(|mut moving| moving.iter(world).next().is_some());
    Some(match () {
        () if !world.resource::<Ready>().0 => Phase::SetUp,
        () if moves => Phase::Animate,
        () if current.outcome().is_some() => Phase::Over,
        () if current.human_to_move() => Phase::Human,
        () => Phase::Think,
    })
}

/// The time that passes from frame to frame.
pub const FRAME: Duration = Duration::from_millis(16);
/// How long to wait for what takes a moment.
pub const MINUTE: Duration = Duration::from_secs(60);

/// The program with its data in this folder, at the title page, in a window of 1280 by 800 pixels.
pub fn at_title(folder: &Path) -> App {
    let mut app = App::new();
    app.add_plugins(window_free_plugins(Home(folder.to_path_buf()), Options::default()));
    app.world_mut().spawn((Window { resolution: (1280, 800).into(), ..default() }, PrimaryWindow));
    started(app)
}

/// A program whose plugins are ready, at the title page.
pub fn started(mut app: App) -> App {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(FRAME));
    app.finish();
    app.cleanup();
    until(&mut app, MINUTE, "the title", |world| *world.resource::<State<Screen>>().get() == Screen::Title);
    app
}

/// One frame, and a moment for the work in the background.
pub fn frame(app: &mut App) {
    app.update();
    std::thread::sleep(Duration::from_micros(300));
}

/// Frames until something is so.
pub fn until(app: &mut App, patience: Duration, what: &str, mut so: impl FnMut(&mut World) -> bool) {
    let start = Instant::now();
    while !so(app.world_mut()) {
        assert!(start.elapsed() < patience, "no {what} within {patience:?}");
        frame(app);
    }
}

/// The window.
pub fn window(app: &mut App) -> Entity {
    let world = app.world_mut();
    world.query_filtered::<Entity, With<PrimaryWindow>>().single(world).unwrap()
}

/// Moves the mouse to a position in logical pixels.
pub fn move_to(app: &mut App, position: Vec2) {
    let window = window(app);
    app.world_mut().write_message(WindowEvent::CursorMoved(CursorMoved { window, position, delta: None }));
}

/// Presses or releases a button of the mouse.
pub fn button(app: &mut App, button: MouseButton, state: ButtonState) {
    let window = window(app);
    app.world_mut().write_message(WindowEvent::MouseButtonInput(MouseButtonInput { button, state, window }));
}

/// What a finger does at a position in logical pixels: in the stream of all events and as its own message, like the window system.
pub fn touch(app: &mut App, id: u64, phase: TouchPhase, position: Vec2) {
    let input = TouchInput { phase, position, window: window(app), force: None, id };
    app.world_mut().write_message(WindowEvent::TouchInput(input));
    app.world_mut().write_message(input);
}

/// The events of a key that is pressed and released while Control is held.
pub fn with_control(key_code: KeyCode) -> [(KeyCode, ButtonState); 4] {
    [
        (KeyCode::ControlLeft, ButtonState::Pressed),
        (key_code, ButtonState::Pressed),
        (key_code, ButtonState::Released),
        (KeyCode::ControlLeft, ButtonState::Released),
    ]
}

/// Presses or releases a key.
pub fn key(app: &mut App, key_code: KeyCode, state: ButtonState) {
    let (window, logical_key) = (window(app), Key::Unidentified(NativeKey::Unidentified));
    app.world_mut().write_message(KeyboardInput { key_code, logical_key, state, text: None, repeat: false, window });
}
