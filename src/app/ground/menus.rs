//! Opens and closes menus and screens, and quits the program.

use super::intent::Intent;
use super::keys::ReadKeys;
use super::state::{Menu, Screen};
use super::step::Step;
use bevy::prelude::*;

fn open_menus(
    mut intents: MessageReader<Intent>,
    mut menu: ResMut<NextState<Menu>>,
    mut screen: ResMut<NextState<Screen>>,
    mut exit: MessageWriter<AppExit>,
) {
    for intent in intents.read() {
        match intent {
            Intent::Menu(which) => menu.set(*which),
            Intent::Results(_) => menu.set(Menu::Results),
            Intent::Title => {
                menu.set(Menu::None);
                screen.set(Screen::Title);
            }
            Intent::Choose(_) | Intent::SetUp { .. } => {
                menu.set(Menu::None);
                screen.set(Screen::Setup);
            }
            Intent::Quit => {
                exit.write(AppExit::Success);
            }
            _ => {}
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, open_menus.in_set(Step::Input).after(ReadKeys));
}
