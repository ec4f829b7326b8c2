//! Opens and closes menus and screens, and quits the program.

use super::intent::Intent;
use super::keys::ReadKeys;
use super::state::{Menu, Screen};
use super::step::Step;
use bevy::prelude::*;

/// Opens and closes them. `below` is the page that the help was opened over, if closing the help leads back there: the search laboratory, which
/// would lose what it has searched.
fn open_menus(
    mut intents: MessageReader<Intent>,
    (now, mut menu, mut below): (Res<State<Menu>>, ResMut<NextState<Menu>>, Local<Menu>),
    mut screen: ResMut<NextState<Screen>>,
    mut exit: MessageWriter<AppExit>,
) {
    for intent in intents.read() {
        match intent {
            Intent::Menu(which) => {
                let in_help = *now.get() == Menu::Help;
                if *which == Menu::Help && !in_help {
                    *below = if *now.get() == Menu::Laboratory { Menu::Laboratory } else { Menu::None };
                }
                menu.set(if *which == Menu::None && in_help { *below } else { *which });
            }
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
