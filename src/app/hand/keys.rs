//! Keyboard shortcuts.

use crate::app::explore::Study;
use crate::app::ground::keys::{CTRL, KeyFocus, KeysGo, ReadKeys, SHIFT, held};
use crate::app::ground::platform::PLATFORM;
use crate::app::ground::requests::{
    AnalysisRequest, AnyRequest, BeginRequest, CopyRequest, CursorRequest, HintRequest, LayoutRequest, PageRequest,
    PasteClipboard, RecordsRequest, RefereeRequest, Requests, ReviewRequest, SelectionRequest, StudyPage, StudyRequest, TaskStep,
    TruthRequest, WatchRequest,
};
use crate::app::ground::settings::Settings;
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use crate::app::play::{CurrentMatch, Offers, Walks, Watch};
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use qiju_core::table::Choice;

/// How much larger or smaller a key makes the type.
const TEXT_STEP: f32 = 0.1;

/// Shortcuts. The arrow keys and Escape are handled with the navigation in the tree.
fn shortcuts(
    keys: Res<ButtonInput<KeyCode>>,
    (menu, screen): (Res<State<Menu>>, Res<State<Screen>>),
    mut requests: Requests,
    (current, study, walks): (Option<Res<CurrentMatch>>, Res<Study>, Res<Walks>),
    (offers, watch): (Res<Offers>, Res<Watch>),
    window: Option<Single<&mut Window, With<PrimaryWindow>>>,
    focus: Res<KeyFocus>,
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
        requests.write(PageRequest::Menu(help));
    }
    let step = match () {
        () if !ctrl => 0.0,
        () if keys.any_just_pressed([KeyCode::Equal, KeyCode::NumpadAdd]) => TEXT_STEP,
        () if keys.any_just_pressed([KeyCode::Minus, KeyCode::NumpadSubtract]) => -TEXT_STEP,
        () => 0.0,
    };
    if step != 0.0 {
        requests.change(move |settings: &mut Settings| settings.text_size = ((settings.text_size + step) * 10.0).round() / 10.0);
    }
    if focus.go == KeysGo::Text {
        return;
    }
    let opens = matches!(menu.get(), Menu::None | Menu::Pause | Menu::Records | Menu::Games) && *screen.get() != Screen::Loading;
    // A page hears what is pasted from the browser.
    if !cfg!(target_arch = "wasm32") && ctrl && opens && keys.just_pressed(KeyCode::KeyV) {
        requests.write(PasteClipboard);
    }
    if *menu.get() != Menu::None {
        return;
    }
    if ctrl && keys.just_pressed(KeyCode::KeyO) {
        requests.write(PageRequest::Menu(Menu::Records));
    }
    if current.is_none() || *screen.get() != Screen::Match {
        return;
    }
    if current.as_ref().is_some_and(|current| current.purpose().is_first_step()) {
        task_shortcuts(&keys, (ctrl, shift), &focus, &mut requests);
        return;
    }
    if ctrl && keys.just_pressed(KeyCode::KeyS) {
        requests.write(RecordsRequest::Save);
    }
    if ctrl && keys.just_pressed(KeyCode::KeyC) {
        requests.write(if shift { CopyRequest::Position } else { CopyRequest::Game });
    }
    if ctrl && keys.just_pressed(KeyCode::KeyZ) {
        requests.write(if shift { CursorRequest::Redo } else { CursorRequest::Undo });
    }
    if ctrl && keys.just_pressed(KeyCode::KeyY) {
        requests.write(CursorRequest::Redo);
    }
    if ctrl && keys.just_pressed(KeyCode::KeyD) {
        requests.write(RefereeRequest::OfferDraw);
    }
    if ctrl && keys.just_pressed(KeyCode::KeyN) {
        requests.write(BeginRequest::Rematch(false));
    }
    let asked = current.as_ref().is_some_and(|current| offers.question(current).is_some());
    let watched = current.as_ref().is_some_and(|current| current.is_watched() && current.outcome().is_none());
    for (so, key, request) in [
        (asked, KeyCode::KeyY, AnyRequest::from(RefereeRequest::Answer(true))),
        (asked, KeyCode::KeyN, RefereeRequest::Answer(false).into()),
        (watched, KeyCode::KeyK, WatchRequest::Pause(!watch.is_paused()).into()),
    ] {
        if so && !ctrl && keys.just_pressed(key) {
            requests.write(request);
        }
    }
    if !ctrl && keys.just_pressed(KeyCode::KeyL) {
        requests.write(if shift { CopyRequest::PositionLink } else { CopyRequest::Link });
    }
    let page = |page: StudyPage| StudyRequest((study.page != Some(page)).then_some(page));
    // The activity that is on hears some keys itself.
    let own = current.as_ref().map_or(&[][..], |current| walks.of(current).keys);
    for (key, request) in [
        (KeyCode::KeyF, AnyRequest::from(LayoutRequest::Flip)),
        (KeyCode::KeyA, AnalysisRequest::Switch.into()),
        (KeyCode::KeyT, TruthRequest.into()),
        (KeyCode::KeyR, page(StudyPage::Review).into()),
        (KeyCode::KeyN, ReviewRequest::NextError(true).into()),
        (KeyCode::KeyP, ReviewRequest::NextError(false).into()),
    ] {
        let answers = asked && key == KeyCode::KeyN;
        if !ctrl && !answers && !own.contains(&key) && keys.just_pressed(key) {
            requests.write(request);
        }
    }
    for (choice, key) in Choice::ALL.into_iter().zip([KeyCode::Digit1, KeyCode::Digit2, KeyCode::Digit3]) {
        if !ctrl && keys.just_pressed(key) {
            requests.write(SelectionRequest::Take(choice));
        }
    }
    if !ctrl && focus.go == KeysGo::Board && !own.contains(&KeyCode::Space) && keys.just_pressed(KeyCode::Space) {
        requests.write(if watched { AnyRequest::from(WatchRequest::Step) } else { HintRequest.into() });
    }
}

/// The shortcuts in a task of the first steps: it is neither saved nor analysed.
fn task_shortcuts(keys: &ButtonInput<KeyCode>, (ctrl, shift): (bool, bool), focus: &KeyFocus, requests: &mut Requests) {
    if ctrl && keys.just_pressed(KeyCode::KeyZ) {
        requests.write(if shift { CursorRequest::Redo } else { CursorRequest::Undo });
    }
    for (key, request) in [
        (KeyCode::KeyF, AnyRequest::from(LayoutRequest::Flip)),
        (KeyCode::KeyN, TaskStep::Next.into()),
        (KeyCode::KeyP, TaskStep::Previous.into()),
        (KeyCode::KeyR, TaskStep::Again.into()),
    ] {
        if !ctrl && keys.just_pressed(key) {
            requests.write(request);
        }
    }
    if !ctrl && focus.go == KeysGo::Board && keys.just_pressed(KeyCode::Space) {
        requests.write(TaskStep::Show);
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, shortcuts.in_set(Step::Input).before(ReadKeys).run_if(resource_exists::<ButtonInput<KeyCode>>));
}
