//! Buttons of external programs that the user pressed and that wait until the program is asked the next time.

use super::intent::Intent;
use super::notices::Notices;
use super::settings::OtherEngine;
use super::step::Step;
use super::words::Words;
use bevy::prelude::*;
use qiju_core::protocol::host::Buttons;
use std::collections::HashMap;

/// The buttons that wait, by the program's game and name.
#[derive(Resource, Default)]
pub struct ProgramButtons(HashMap<(String, String), Buttons>);

impl ProgramButtons {
    /// The buttons of a program.
    pub fn of(&mut self, engine: &OtherEngine) -> Buttons {
        self.0.entry((engine.game.clone(), engine.name.clone())).or_default().clone()
    }
}

fn press(
    mut intents: MessageReader<Intent>,
    mut buttons: ResMut<ProgramButtons>,
    (words, mut notices): (Res<Words>, ResMut<Notices>),
) {
    for intent in intents.read() {
        if let Intent::PressOption { engine, option } = intent {
            buttons.of(engine).press(option);
            notices.warn(words.with("engines.pressed", option));
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<ProgramButtons>().add_systems(Update, press.in_set(Step::Input));
}
