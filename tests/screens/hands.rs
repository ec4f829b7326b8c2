//! What the keys do in a text field after a slow frame, in which several arrive at once.

use super::stage::Stage;
use super::{over_match, skipped, still};
use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyCode, KeyboardInput};
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use qiju::app::play::CurrentMatch;
use qiju::app::state::Menu;
use std::slice::from_ref;

const CONTROL: (KeyCode, Key) = (KeyCode::ControlLeft, Key::Control);

fn letter(code: KeyCode, text: &str) -> (KeyCode, Key) {
    (code, Key::Character(text.into()))
}

/// Presses and releases keys in one frame; the last ones of a list are inside the first ones, as a letter while Control is held.
fn at_once(stage: &mut Stage, chords: &[&[(KeyCode, Key)]]) {
    let world = stage.world();
    let window = world.query_filtered::<Entity, With<PrimaryWindow>>().single(world).unwrap();
    for chord in chords {
        let pressed = chord.iter().map(|key| (key, ButtonState::Pressed));
        for ((key_code, logical_key), state) in pressed.chain(chord.iter().rev().map(|key| (key, ButtonState::Released))) {
            let (key_code, logical_key) = (*key_code, logical_key.clone());
            world.write_message(KeyboardInput { key_code, logical_key, state, text: None, repeat: false, window });
        }
    }
    stage.settle();
}

#[test]
fn control_counts_for_the_letter_it_was_held_with() {
    if skipped() {
        return;
    }
    let mut stage = Stage::new(&still());
    over_match(&mut stage, Menu::Comment);
    stage.settle();
    let (a, x) = (letter(KeyCode::KeyA, "a"), letter(KeyCode::KeyX, "x"));
    at_once(&mut stage, &[from_ref(&a), from_ref(&x), &[CONTROL, a.clone()], from_ref(&x)]);
    at_once(&mut stage, &[&[a], &[CONTROL, (KeyCode::Enter, Key::Enter)]]);
    let current = stage.world().resource::<CurrentMatch>();
    assert_eq!(current.tree().notes(current.cursor()).comment, "xa");
}
