//! Opens and closes menus and screens, and quits the program.

use super::activity::Activity;
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

/// The page that the help or the files were opened over. Closing them leads back to it, because a page would lose what it shows.
#[derive(Resource, Default)]
pub struct Below(pub Option<Activity>);

/// Opens and closes them.
fn open_menus(
    mut requests: MessageReader<PageRequest>,
    (now, mut menu, mut below): (Res<State<Menu>>, ResMut<NextState<Menu>>, ResMut<Below>),
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
                let over = |menu: &Menu| matches!(menu, Menu::Help | Menu::Files);
                let closes = over(now.get()) && (*which == Menu::None || which == now.get());
                if over(which) && !closes {
                    below.0 = if let Menu::Page(page) = *now.get() { Some(page) } else { None };
                }
                menu.set(if closes { below.0.map_or(Menu::None, Menu::Page) } else { *which });
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
    app.init_resource::<WantedSetup>()
        .init_resource::<Below>()
        .add_systems(Update, open_menus.in_set(Step::Input).after(ReadKeys));
}
