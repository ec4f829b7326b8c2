//! Buttons of external programs that the user pressed and that wait until the program is asked the next time.

use super::engines::OtherEngine;
use super::notices::Notices;
use super::requests::PressOption;
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

/// A button of this program waits.
#[derive(Message, Clone, Debug)]
pub struct OptionPressed(pub OtherEngine);

fn press(
    mut requests: MessageReader<PressOption>,
    mut buttons: ResMut<ProgramButtons>,
    (words, mut notices, mut pressed): (Res<Words>, ResMut<Notices>, MessageWriter<OptionPressed>),
) {
    for PressOption { engine, option } in requests.read() {
        buttons.of(engine).press(option);
        notices.warn(words.with("engines.pressed", option));
        pressed.write(OptionPressed(engine.clone()));
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<ProgramButtons>().add_message::<OptionPressed>().add_systems(Update, press.in_set(Step::Input));
}
