//! Opens and closes menus and screens, and quits the program.

use super::keys::ReadKeys;
use super::requests::PageRequest;
use super::state::{Menu, Screen};
use super::step::Step;
use bevy::prelude::*;
use qiju_core::table::Setup;

/// What the setup page was opened for last: a game, and a position of it.
#[derive(Resource, Default)]
pub struct WantedSetup {
    /// The game's key.
    pub game: &'static str,
    /// The variant and the position, if they were named.
    pub setup: Option<Setup>,
}

/// Opens and closes them. `below` is the page that the help was opened over, if closing the help leads back there: the search laboratory, which
/// would lose what it has searched.
fn open_menus(
    mut requests: MessageReader<PageRequest>,
    (now, mut menu, mut below): (Res<State<Menu>>, ResMut<NextState<Menu>>, Local<Menu>),
    mut screen: ResMut<NextState<Screen>>,
    (mut wanted, mut exit): (ResMut<WantedSetup>, MessageWriter<AppExit>),
) {
    for request in requests.read() {
        let mut set_up = |game, setup| {
            *wanted = WantedSetup { game, setup };
            menu.set(Menu::None);
            screen.set(Screen::Setup);
        };
        match request {
            PageRequest::Menu(which) => {
                let in_help = *now.get() == Menu::Help;
                if *which == Menu::Help && !in_help {
                    *below = if *now.get() == Menu::Laboratory { Menu::Laboratory } else { Menu::None };
                }
                menu.set(if *which == Menu::None && in_help { *below } else { *which });
            }
            PageRequest::Title => {
                menu.set(Menu::None);
                screen.set(Screen::Title);
            }
            PageRequest::Choose(game) => set_up(game, None),
            PageRequest::SetUp { game, setup } => set_up(game, Some(setup.clone())),
            PageRequest::Quit => {
                exit.write(AppExit::Success);
            }
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<WantedSetup>().add_systems(Update, open_menus.in_set(Step::Input).after(ReadKeys));
}
