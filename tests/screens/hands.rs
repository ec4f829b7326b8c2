//! Keys in a window that is drawn: in a text field, after a slow frame in which several arrive at once, and in the score sheet.

use super::stage::Stage;
use super::{over_match, people, skipped, still, texts};
use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyCode, KeyboardInput};
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_egui::EguiContext;
use bevy_egui::egui::Rect;
use qiju::app::explore::Explorer;
use qiju::app::play::{CurrentMatch, Spoken};
use qiju::app::requests::{AnalysisRequest, BeginRequest, GamesOf};
use qiju::app::setup::MatchSetup;
use qiju::app::state::Menu;
use qiju::app::words::Language;
use qiju_core::table::Setup;
use std::slice::from_ref;

const CONTROL: (KeyCode, Key) = (KeyCode::ControlLeft, Key::Control);

fn letter(code: KeyCode, text: &str) -> (KeyCode, Key) {
    (code, Key::Character(text.into()))
}

/// Presses and releases keys in one frame; the last ones of a list are inside the first ones, as a letter while Control is held.
fn at_once(stage: &mut Stage, chords: &[&[(KeyCode, Key)]]) {
    press(stage, chords);
    stage.frames(4);
}

fn press(stage: &mut Stage, chords: &[&[(KeyCode, Key)]]) {
    let world = stage.world();
    let window = world.query_filtered::<Entity, With<PrimaryWindow>>().single(world).unwrap();
    for chord in chords {
        let pressed = chord.iter().map(|key| (key, ButtonState::Pressed));
        for ((key_code, logical_key), state) in pressed.chain(chord.iter().rev().map(|key| (key, ButtonState::Released))) {
            let (key_code, logical_key) = (*key_code, logical_key.clone());
            world.write_message(KeyboardInput { key_code, logical_key, state, text: None, repeat: false, window });
        }
    }
}

/// The Tab key stops once in the score sheet, at the move that is shown, and the arrow keys lead on from there.
#[test]
fn the_score_sheet_is_one_stop() {
    if skipped() {
        return;
    }
    let tab = (KeyCode::Tab, Key::Tab);
    let mut stage = Stage::new(&still());
    stage.draws(false);
    stage.begin("xiangqi", Setup::default(), people(), super::MIDDLE_GAME);
    // The widget that gets the focus from the Tab key, pressed so many times.
    let stop = |stage: &mut Stage, presses: usize| {
        let focused = |stage: &mut Stage, lost: bool| {
            let world = stage.world();
            let mut context = world.query::<&mut EguiContext>().single_mut(world).unwrap();
            context.get_mut().memory_mut(|memory| {
                let focused = memory.focused();
                focused.filter(|_| lost).into_iter().for_each(|id| memory.surrender_focus(id));
                focused
            })
        };
        focused(stage, true);
        (0..presses).for_each(|_| at_once(stage, &[from_ref(&tab)]));
        focused(stage, false)
    };
    let shown = |stage: &mut Stage| stage.world().resource::<CurrentMatch>().shown().ply();
    let (mut stops, mut led) = (Vec::new(), Vec::new());
    for presses in 1.. {
        let at = stop(&mut stage, presses);
        if stops.contains(&at) {
            break;
        }
        stops.push(at);
        let before = shown(&mut stage);
        at_once(&mut stage, &[&[(KeyCode::ArrowUp, Key::ArrowUp)]]);
        if shown(&mut stage) != before {
            at_once(&mut stage, &[&[(KeyCode::ArrowRight, Key::ArrowRight)]]);
            led.push((before, shown(&mut stage)));
        }
    }
    assert_eq!(led, [(18, 17)], "{stops:?}");
}

/// Presses the Tab key until the focus is on what has this text.
fn tab_to(stage: &mut Stage, wanted: &str) {
    for _ in 0..60 {
        at_once(stage, &[&[(KeyCode::Tab, Key::Tab)]]);
        let world = stage.world();
        let mut context = world.query::<&mut EguiContext>().single_mut(world).unwrap();
        let context = context.get_mut();
        let focused = context.memory(|memory| memory.focused()).and_then(|id| context.read_response(id));
        let has_text = |rect: Rect| texts::seen(stage.drawn()).iter().any(|(text, at)| text == wanted && rect.contains_rect(*at));
        if focused.is_some_and(|response| has_text(response.rect)) {
            return;
        }
    }
    panic!("the Tab key does not come to '{wanted}'");
}

/// The games are chosen, and a move is played, by keyboard alone.
#[test]
fn the_explorer_by_keyboard() {
    if skipped() {
        return;
    }
    let enter = (KeyCode::Enter, Key::Enter);
    let found = |stage: &mut Stage, of: GamesOf| {
        stage.wait("what was played", |world| {
            let found = world.resource::<Explorer>().found();
            found.is_some_and(|(found, fresh)| fresh && found.as_ref().is_ok_and(|found| found.of == of))
        });
    };
    let mut stage = Stage::new(&still());
    stage.speak(Language::En);
    stage.collect();
    stage.tell(BeginRequest::Start(MatchSetup::analysis("xiangqi", Setup::default())));
    stage.settle_shown();
    stage.tell(AnalysisRequest::Switch);
    at_once(&mut stage, &[&[letter(KeyCode::KeyE, "e")]]);
    found(&mut stage, GamesOf::Library);
    tab_to(&mut stage, "Engine games");
    at_once(&mut stage, &[from_ref(&enter)]);
    found(&mut stage, GamesOf::Engine);
    stage.frames(2);
    let first = stage.world().resource::<Explorer>().found().unwrap().0.as_ref().unwrap().moves[0].0.clone();
    tab_to(&mut stage, &first);
    at_once(&mut stage, &[from_ref(&enter)]);
    stage.wait("the move", |world| world.resource::<CurrentMatch>().shown().ply() == 1);
}

#[test]
fn control_counts_for_the_letter_it_was_held_with() {
    if skipped() {
        return;
    }
    let mut stage = Stage::new(&still());
    stage.draws(false);
    over_match(&mut stage, Menu::Comment);
    stage.settle();
    let (a, x) = (letter(KeyCode::KeyA, "a"), letter(KeyCode::KeyX, "x"));
    at_once(&mut stage, &[from_ref(&a), from_ref(&x), &[CONTROL, a.clone()], from_ref(&x)]);
    at_once(&mut stage, &[&[a], &[CONTROL, (KeyCode::Enter, Key::Enter)]]);
    let current = stage.world().resource::<CurrentMatch>();
    assert_eq!(current.tree().notes(current.cursor()).comment, "xa");
}

/// A letter that was never drawn before is there in the frame that shows it first.
#[test]
fn a_new_letter_is_drawn_at_once() {
    if skipped() {
        return;
    }
    let mut stage = Stage::new(&still());
    over_match(&mut stage, Menu::Comment);
    stage.settle();
    // The first letter takes the place of the hint, a frame later.
    at_once(&mut stage, &[&[letter(KeyCode::KeyA, "a")]]);
    for text in ["鑫", "Ŵ", "鬱"] {
        let before = stage.picture();
        press(&mut stage, &[&[letter(KeyCode::KeyA, text)]]);
        let first = stage.picture();
        let later = stage.picture();
        assert!(before.rgba != first.rgba, "{text} is not drawn");
        assert!(first.rgba == later.rgba, "{text} is drawn late");
    }
}

/// A match without looking: the cursor says what stands where, keys read the board, and a move is typed.
#[test]
fn the_board_is_read_and_moves_are_typed() {
    if skipped() {
        return;
    }
    let mut stage = Stage::new(&still());
    stage.draws(false);
    stage.speak(Language::En);
    stage.begin("xiangqi", Setup::default(), people(), "h2e2 b9c7");
    let enter = (KeyCode::Enter, Key::Enter);
    let said = |stage: &mut Stage| stage.world().resource::<Spoken>().text.clone();
    let hear = |stage: &mut Stage, key: (KeyCode, Key)| {
        at_once(stage, &[from_ref(&key)]);
        said(stage)
    };
    assert_eq!(hear(&mut stage, letter(KeyCode::KeyW, "w")), "Press Enter to move over the board with the arrow keys");
    assert_eq!(hear(&mut stage, enter.clone()), "e5: empty");
    assert_eq!(hear(&mut stage, (KeyCode::ArrowDown, Key::ArrowDown)), "e4: empty");
    assert_eq!(hear(&mut stage, (KeyCode::ArrowDown, Key::ArrowDown)), "e3: Red soldier");
    assert_eq!(hear(&mut stage, (KeyCode::ArrowDown, Key::ArrowDown)), "e2: Red cannon");
    let cannon = hear(&mut stage, letter(KeyCode::KeyW, "w"));
    assert_eq!(cannon, "e2: Red cannon. It can go to e1, c2, d2, f2, g2, h2, i2, e6");
    for _ in 0..4 {
        at_once(&mut stage, &[from_ref(&(KeyCode::ArrowUp, Key::ArrowUp))]);
    }
    // The soldier in the middle is attacked by the cannon and defended by the horse.
    let soldier = hear(&mut stage, letter(KeyCode::KeyW, "w"));
    assert_eq!(soldier, "e6: Black soldier. It can go to e5. Attacked from e2. Defended");
    assert_eq!(hear(&mut stage, letter(KeyCode::KeyV, "v")), "C2=5, H2+3");
    let pieces = hear(&mut stage, letter(KeyCode::KeyB, "b"));
    assert!(pieces.starts_with("Red general e0; Red advisor d0, f0; "), "{pieces}");
    assert!(pieces.contains(". Black general e9; "), "{pieces}");
    let shift = (KeyCode::ShiftLeft, Key::Shift);
    at_once(&mut stage, &[&[shift, letter(KeyCode::KeyB, "B")]]);
    let rows = said(&mut stage);
    assert!(rows.starts_with("a9: Black chariot, c9: Black elephant, ") && rows.ends_with("i0: Red chariot"), "{rows}");
    assert_eq!(hear(&mut stage, letter(KeyCode::KeyC, "c")), "Red to move");
    // What is no move is told, and changes nothing.
    for (text, plies) in [("h9", 2), ("H2+3", 3)] {
        at_once(&mut stage, &[from_ref(&letter(KeyCode::KeyI, "i"))]);
        for sign in text.chars() {
            at_once(&mut stage, &[from_ref(&letter(KeyCode::KeyH, &sign.to_string()))]);
        }
        let told = hear(&mut stage, enter.clone());
        stage.settle();
        assert_eq!(stage.world().resource::<CurrentMatch>().table().ply(), plies, "{text}: {told}");
    }
    assert_eq!(hear(&mut stage, letter(KeyCode::KeyV, "v")), "C2=5, H2+3, H2+3");
    // Escape closes the field, and nothing below it.
    let escape = || (KeyCode::Escape, Key::Escape);
    for menu in [Menu::None, Menu::Pause] {
        at_once(&mut stage, &[from_ref(&letter(KeyCode::KeyI, "i"))]);
        at_once(&mut stage, &[from_ref(&escape())]);
        if menu == Menu::Pause {
            at_once(&mut stage, &[from_ref(&escape())]);
        }
        stage.settle();
        assert_eq!(*stage.world().resource::<State<Menu>>().get(), menu);
    }
}
