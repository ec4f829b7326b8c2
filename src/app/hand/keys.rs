//! The keys people know.

use super::pointer::{KeysGo, Pointer};
use super::selection::Selection;
use crate::app::ground::intent::{Intent, Look, Stride};
use crate::app::ground::picture::Hurry;
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use crate::app::play::{CurrentMatch, in_match};
use crate::table::Choice;
use bevy::input::keyboard::KeyboardInput;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;

/// The reading of the arrow keys, after the board's cursor had them.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Keys;

/// Shortcuts.
fn shortcuts(
    keys: Res<ButtonInput<KeyCode>>,
    (menu, screen): (Res<State<Menu>>, Res<State<Screen>>),
    mut selection: ResMut<Selection>,
    mut intents: MessageWriter<Intent>,
    current: Option<Res<CurrentMatch>>,
    window: Option<Single<&mut Window, With<PrimaryWindow>>>,
    pointer: Res<Pointer>,
) {
    // In a slow frame a modifier may have come and gone with its key.
    let held =
        |keys_of: &[KeyCode]| keys_of.iter().any(|key| keys.pressed(*key) || keys.just_pressed(*key) || keys.just_released(*key));
    let ctrl = held(&[KeyCode::ControlLeft, KeyCode::ControlRight, KeyCode::SuperLeft, KeyCode::SuperRight]);
    let shift = held(&[KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    if keys.just_pressed(KeyCode::F11)
        && let Some(mut window) = window
    {
        use bevy::window::{MonitorSelection, WindowMode};
        window.mode = match window.mode {
            WindowMode::Windowed => WindowMode::BorderlessFullscreen(MonitorSelection::Current),
            _ => WindowMode::Windowed,
        };
    }
    if keys.just_pressed(KeyCode::F1) {
        let help = if *menu.get() == Menu::Help { Menu::None } else { Menu::Help };
        intents.write(Intent::Menu(help));
    }
    if keys.just_pressed(KeyCode::Escape) {
        let in_match = *screen.get() == Screen::Match;
        if *menu.get() != Menu::None {
            intents.write(Intent::Menu(Menu::None));
        } else if current.as_ref().is_some_and(|current| current.is_aside()) {
            // What is shown aside is left; nothing else.
        } else if in_match && selection.is_in_use() {
            *selection = Selection::default();
        } else if in_match {
            intents.write(Intent::Menu(Menu::Pause));
        } else if matches!(screen.get(), Screen::Setup | Screen::Trainer) {
            intents.write(Intent::Title);
        }
    }
    if pointer.keys == KeysGo::Text || *menu.get() != Menu::None {
        return;
    }
    if ctrl && keys.just_pressed(KeyCode::KeyO) {
        intents.write(Intent::Menu(Menu::Records));
    }
    if current.is_none() || *screen.get() != Screen::Match {
        return;
    }
    if ctrl && keys.just_pressed(KeyCode::KeyS) {
        intents.write(Intent::Save);
    }
    if ctrl && keys.just_pressed(KeyCode::KeyZ) {
        intents.write(if shift { Intent::Redo } else { Intent::Undo });
    }
    if ctrl && keys.just_pressed(KeyCode::KeyY) {
        intents.write(Intent::Redo);
    }
    if ctrl && keys.just_pressed(KeyCode::KeyN) {
        intents.write(Intent::Rematch(false));
    }
    for (key, intent) in [(KeyCode::KeyF, Intent::Flip), (KeyCode::KeyA, Intent::Analyse), (KeyCode::KeyT, Intent::Truth)] {
        if !ctrl && keys.just_pressed(key) {
            intents.write(intent);
        }
    }
    for (choice, key) in Choice::ALL.into_iter().zip([KeyCode::Digit1, KeyCode::Digit2, KeyCode::Digit3]) {
        if !ctrl && keys.just_pressed(key) {
            intents.write(Intent::Take(choice));
        }
    }
    if !ctrl && pointer.keys == KeysGo::Board && keys.just_pressed(KeyCode::Space) {
        intents.write(Intent::Hint);
    }
}

/// The arrows go through the moves while no cursor stands on the board. Held down they leap.
fn leaf_through(
    mut keys: MessageReader<KeyboardInput>,
    (menu, pointer, selection): (Res<State<Menu>>, Res<Pointer>, Res<Selection>),
    mut intents: MessageWriter<Intent>,
    mut hurry: ResMut<Hurry>,
    current: Res<CurrentMatch>,
    mut held: Local<u32>,
) {
    let aside = current.is_aside();
    for key in keys.read() {
        if !key.state.is_pressed() {
            *held = 0;
            continue;
        }
        if *menu.get() != Menu::None || pointer.keys != KeysGo::Board || selection.cursor.is_some() {
            continue;
        }
        let look = match key.key_code {
            KeyCode::ArrowLeft if aside => {
                intents.write(Intent::Aside(Stride::Back));
                continue;
            }
            KeyCode::ArrowRight if aside => {
                intents.write(Intent::Aside(Stride::Forward));
                continue;
            }
            KeyCode::ArrowLeft => Look::Back,
            KeyCode::ArrowRight => Look::Forward,
            KeyCode::ArrowUp | KeyCode::Home => Look::First,
            KeyCode::ArrowDown | KeyCode::End => Look::Last,
            _ => continue,
        };
        *held = if key.repeat { *held + 1 } else { 1 };
        if *held > STEPS_SEEN {
            hurry.bypass_change_detection().0 = true;
        }
        intents.write(Intent::Look(look));
    }
}

/// So many steps of a held key are seen as motions.
const STEPS_SEEN: u32 = 3;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, shortcuts.in_set(Step::Input).run_if(resource_exists::<ButtonInput<KeyCode>>))
        .add_systems(Update, leaf_through.in_set(Keys).in_set(Step::Input).run_if(in_match));
}
