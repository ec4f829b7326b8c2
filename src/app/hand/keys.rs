//! Keyboard shortcuts.

use crate::app::explore::Study;
use crate::app::ground::intent::{Copied, Intent, StudyPage, TaskStep};
use crate::app::ground::keys::{CTRL, KeyFocus, KeysGo, ReadKeys, SHIFT, held};
use crate::app::ground::platform::PLATFORM;
use crate::app::ground::settings::{Settings, TEXT_SIZES};
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use crate::app::play::{CurrentMatch, Offers, Watch};
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use qiju_core::table::Choice;

/// How much larger or smaller a key makes the type.
const TEXT_STEP: f32 = 0.1;

/// Shortcuts. The arrow keys and Escape are handled with the navigation in the tree.
fn shortcuts(
    keys: Res<ButtonInput<KeyCode>>,
    (menu, screen): (Res<State<Menu>>, Res<State<Screen>>),
    mut intents: MessageWriter<Intent>,
    (current, study): (Option<Res<CurrentMatch>>, Res<Study>),
    (offers, watch): (Res<Offers>, Res<Watch>),
    window: Option<Single<&mut Window, With<PrimaryWindow>>>,
    (focus, settings): (Res<KeyFocus>, Res<Settings>),
) {
    let (ctrl, shift) = (held(&keys, &CTRL), held(&keys, &SHIFT));
    if PLATFORM.window
        && keys.just_pressed(KeyCode::F11)
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
    let step = match () {
        () if !ctrl => 0.0,
        () if keys.any_just_pressed([KeyCode::Equal, KeyCode::NumpadAdd]) => TEXT_STEP,
        () if keys.any_just_pressed([KeyCode::Minus, KeyCode::NumpadSubtract]) => -TEXT_STEP,
        () => 0.0,
    };
    if step != 0.0 {
        let text_size = ((settings.text_size + step) * 10.0).round() / 10.0;
        intents.write(Intent::Settings(Settings { text_size: text_size.clamp(TEXT_SIZES.0, TEXT_SIZES.1), ..settings.clone() }));
    }
    if focus.go == KeysGo::Text {
        return;
    }
    let opens = matches!(menu.get(), Menu::None | Menu::Pause | Menu::Records | Menu::Games) && *screen.get() != Screen::Loading;
    // A page hears what is pasted from the browser.
    if !cfg!(target_arch = "wasm32") && ctrl && opens && keys.just_pressed(KeyCode::KeyV) {
        intents.write(Intent::PasteClipboard);
    }
    if *menu.get() != Menu::None {
        return;
    }
    if ctrl && keys.just_pressed(KeyCode::KeyO) {
        intents.write(Intent::Menu(Menu::Records));
    }
    if current.is_none() || *screen.get() != Screen::Match {
        return;
    }
    if current.as_ref().is_some_and(|current| current.purpose().is_first_step()) {
        task_shortcuts(&keys, (ctrl, shift), &focus, &mut intents);
        return;
    }
    if ctrl && keys.just_pressed(KeyCode::KeyS) {
        intents.write(Intent::Save);
    }
    if ctrl && keys.just_pressed(KeyCode::KeyC) {
        intents.write(Intent::Copy(if shift { Copied::Position } else { Copied::Game }));
    }
    if ctrl && keys.just_pressed(KeyCode::KeyZ) {
        intents.write(if shift { Intent::Redo } else { Intent::Undo });
    }
    if ctrl && keys.just_pressed(KeyCode::KeyY) {
        intents.write(Intent::Redo);
    }
    if ctrl && keys.just_pressed(KeyCode::KeyD) {
        intents.write(Intent::OfferDraw);
    }
    if ctrl && keys.just_pressed(KeyCode::KeyN) {
        intents.write(Intent::Rematch(false));
    }
    let asked = current.as_ref().is_some_and(|current| offers.question(current).is_some());
    let watched = current.as_ref().is_some_and(|current| current.is_watched() && current.outcome().is_none());
    for (so, key, intent) in [
        (asked, KeyCode::KeyY, Intent::Answer(true)),
        (asked, KeyCode::KeyN, Intent::Answer(false)),
        (watched, KeyCode::KeyK, Intent::Pause(!watch.is_paused())),
    ] {
        if so && !ctrl && keys.just_pressed(key) {
            intents.write(intent);
        }
    }
    if !ctrl && keys.just_pressed(KeyCode::KeyL) {
        intents.write(Intent::Copy(if shift { Copied::PositionLink } else { Copied::Link }));
    }
    let page = |page: StudyPage| Intent::Study((study.page != Some(page)).then_some(page));
    for (key, intent) in [
        (KeyCode::KeyF, Intent::Flip),
        (KeyCode::KeyA, Intent::Analyse),
        (KeyCode::KeyT, Intent::Truth),
        (KeyCode::KeyR, page(StudyPage::Review)),
        (KeyCode::KeyN, Intent::NextError(true)),
        (KeyCode::KeyP, Intent::NextError(false)),
    ] {
        let answers = asked && key == KeyCode::KeyN;
        if !ctrl && !answers && keys.just_pressed(key) {
            intents.write(intent);
        }
    }
    for (choice, key) in Choice::ALL.into_iter().zip([KeyCode::Digit1, KeyCode::Digit2, KeyCode::Digit3]) {
        if !ctrl && keys.just_pressed(key) {
            intents.write(Intent::Take(choice));
        }
    }
    if !ctrl && focus.go == KeysGo::Board && keys.just_pressed(KeyCode::Space) {
        intents.write(if watched { Intent::Step } else { Intent::Hint });
    }
}

/// The shortcuts in a task of the first steps: it is neither saved nor analysed.
fn task_shortcuts(
    keys: &ButtonInput<KeyCode>,
    (ctrl, shift): (bool, bool),
    focus: &KeyFocus,
    intents: &mut MessageWriter<Intent>,
) {
    if ctrl && keys.just_pressed(KeyCode::KeyZ) {
        intents.write(if shift { Intent::Redo } else { Intent::Undo });
    }
    for (key, intent) in [
        (KeyCode::KeyF, Intent::Flip),
        (KeyCode::KeyN, Intent::Task(TaskStep::Next)),
        (KeyCode::KeyP, Intent::Task(TaskStep::Previous)),
        (KeyCode::KeyR, Intent::Task(TaskStep::Again)),
    ] {
        if !ctrl && keys.just_pressed(key) {
            intents.write(intent);
        }
    }
    if !ctrl && focus.go == KeysGo::Board && keys.just_pressed(KeyCode::Space) {
        intents.write(Intent::Task(TaskStep::Show));
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, shortcuts.in_set(Step::Input).before(ReadKeys).run_if(resource_exists::<ButtonInput<KeyCode>>));
}
