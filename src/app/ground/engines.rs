//! The external engines that the user has added.

use super::kept::{self, Kept};
use bevy::prelude::*;
use qiju_core::protocol::host::{OptionValues, ProgramOption, START_UP};
use qiju_core::record::data;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::time::Duration;

/// The external engines.
#[derive(Resource, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Engines {
    /// In the order in which they were added.
    pub engines: Vec<OtherEngine>,
}

impl Engines {
    /// The one with this name for this game.
    pub fn find(&self, game: &str, name: &str) -> Option<&OtherEngine> {
        self.of_game(game).find(|engine| engine.name == name)
    }

    /// Those for this game.
    pub fn of_game(&self, game: &str) -> impl Iterator<Item = &OtherEngine> {
        self.engines.iter().filter(move |engine| engine.game == game)
    }

    /// The same engine, to be changed, if it is still there.
    pub fn find_mut(&mut self, engine: &OtherEngine) -> Option<&mut OtherEngine> {
        self.engines.iter_mut().find(|known| known.game == engine.game && known.name == engine.name)
    }
}

impl Kept for Engines {
    const FILE: &'static str = data::ENGINES;

    fn earlier(read: &mut dyn FnMut(&str) -> Option<Engines>) -> Option<Engines> {
        read(data::SETTINGS)
    }

    fn sane(mut self) -> Engines {
        let mut seen = HashSet::new();
        self.engines.retain(|engine| !engine.name.is_empty() && seen.insert((engine.game.clone(), engine.name.clone())));
        self
    }
}

/// An external engine with UCI, UCCI or Gomocup.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherEngine {
    /// Its name.
    pub name: String,
    /// The game's key.
    pub game: String,
    /// Its command line; quotes keep words together.
    pub command: String,
    /// The options that it declared when it was last asked; `None` if it was not asked yet.
    #[serde(default)]
    pub options: Option<Vec<ProgramOption>>,
    /// The values that differ from its own.
    #[serde(default)]
    pub values: OptionValues,
    /// The seconds that it may take to start, if not the usual ones.
    #[serde(default)]
    pub start_up_s: Option<u16>,
}

impl OtherEngine {
    /// The time that it may take to start.
    pub fn start_up(&self) -> Duration {
        self.start_up_s.map_or(START_UP, |seconds| Duration::from_secs(seconds.into()))
    }

    /// The value of an option: as set, or the program's own.
    pub fn value(&self, option: &ProgramOption) -> String {
        let set = self.values.get(&option.name).filter(|value| option.takes(value));
        set.cloned().or_else(|| option.default()).unwrap_or_default()
    }

    /// Sets an option; false if the program does not take the value.
    pub fn set(&mut self, option: &ProgramOption, value: &str) -> bool {
        if option.default().as_deref() == Some(value) {
            self.values.remove(&option.name);
        } else if option.takes(value) {
            self.values.insert(option.name.clone(), value.to_owned());
        } else {
            return false;
        }
        true
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(kept::plugin::<Engines>);
}
