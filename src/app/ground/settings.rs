//! The user's settings, saved in one file, which is written atomically.

use super::confirmation::Confirmation;
use super::intent::Intent;
use super::layout::SMALLEST_WINDOW;
use super::notices::Notices;
use super::setup::NEAR;
use super::step::Step;
use super::user_files;
use super::words::{Language, Words};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use qiju_core::protocol::host::{OptionValues, ProgramOption, START_UP};
use qiju_core::record::RecordError;
use qiju_core::record::SeatSpec;
use qiju_core::record::data;
use qiju_core::rules::{BySide, Side};
use qiju_core::storage::{Blob, Storage};
use qiju_core::table::{Notation, Table, TimeControl, read_ron};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The settings. Unknown fields in the file are ignored, missing ones have their default.
#[derive(Resource, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The language; `None` follows the system.
    pub language: Option<Language>,
    /// The theme's key.
    pub theme: String,
    /// Western pictures instead of characters.
    pub western_pieces: bool,
    /// Colours for red-green colour blindness.
    pub red_blind_safe: bool,
    /// Show move numbers on stones.
    pub move_numbers: bool,
    /// The speed of animations: 1 is normal, 0 is instant.
    pub speed: f32,
    /// Coordinates stand along the board's edges.
    pub coordinates: bool,
    /// How pieces are written on the score sheet.
    pub sheet_pieces: SheetPieces,
    /// While the other side thinks, a move can be chosen that is played as soon as it is legal.
    pub premove: bool,
    /// Where two computers play, the least time between two moves, in milliseconds.
    pub watch_pace_ms: u64,
    /// In a match of two people, moves are taken back without asking the other one.
    pub free_take_backs: bool,
    /// Short fades instead of movements.
    pub reduced_motion: bool,
    /// Size of the interface's type: 1 is as the system has it.
    pub text_size: f32,
    /// The volume from 0 to 1.
    pub volume: f32,
    /// Mute all sounds.
    pub muted: bool,
    /// Mark the legal targets of a selected piece.
    pub show_targets: bool,
    /// Mark forbidden points, and explain them when pointed at.
    pub show_forbidden: bool,
    /// Our engine learns from the games it loses.
    pub learns: bool,
    /// Show the engine's line and value while it searches.
    pub show_thinking: bool,
    /// Compute the missing distances of solved games in the background.
    pub background_work: bool,
    /// The keys of exercises won in time.
    pub trained: BTreeSet<String>,
    /// The longest stand against a proof, in own moves, for each game and variant.
    pub stands: BTreeMap<String, u32>,
    /// The keys of the first steps that are done, and how often.
    pub first_steps: BTreeMap<String, u32>,
    /// The title page no longer offers the first steps.
    pub first_steps_known: bool,
    /// The notation of moves; `None` depends on the language.
    pub notation: Option<Notation>,
    /// When moves must be confirmed.
    pub confirm_moves: Confirmation,
    /// The last setup of each game.
    pub setups: BTreeMap<String, LastSetup>,
    /// External engines.
    pub engines: Vec<OtherEngine>,
    /// The window's size in logical pixels.
    pub window: (u32, u32),
}

/// How pieces are written on the score sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SheetPieces {
    /// By the notation's letters or characters.
    #[default]
    Letters,
    /// As small pictures.
    Pictures,
}

/// The longest time between two moves where two computers play, in milliseconds.
pub const LONGEST_PACE: u64 = 10_000;

/// The smallest and the largest type.
pub const TEXT_SIZES: (f32, f32) = (0.8, 1.6);

/// The last setup of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LastSetup {
    /// The variant; `None` is the game's first.
    pub variant: Option<String>,
    /// The players of the seats.
    pub seats: BySide<SeatSpec>,
    /// The level on the slider of each seat.
    pub levels: BySide<u8>,
    /// The time control.
    pub control: TimeControl,
}

impl Default for LastSetup {
    fn default() -> Self {
        LastSetup {
            variant: None,
            seats: BySide::new(SeatSpec::Human, SeatSpec::Computer { level: 3 }),
            levels: BySide::new(3, 3),
            control: TimeControl::Unlimited,
        }
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

impl Default for Settings {
    fn default() -> Self {
        Settings {
            language: None,
            theme: "kaya".to_owned(),
            western_pieces: false,
            red_blind_safe: false,
            move_numbers: false,
            speed: 1.0,
            coordinates: true,
            sheet_pieces: SheetPieces::Letters,
            premove: false,
            watch_pace_ms: 1000,
            free_take_backs: false,
            reduced_motion: false,
            text_size: 1.0,
            volume: 0.7,
            muted: false,
            show_targets: true,
            show_forbidden: true,
            learns: true,
            show_thinking: false,
            background_work: true,
            trained: BTreeSet::new(),
            stands: BTreeMap::new(),
            first_steps: BTreeMap::new(),
            first_steps_known: false,
            notation: None,
            confirm_moves: Confirmation::default(),
            setups: BTreeMap::new(),
            engines: Vec::new(),
            window: (1280, 800),
        }
    }
}

pub use qiju_core::record::home;

/// Opens the storage of a page; awaited before the program begins.
#[cfg(target_arch = "wasm32")]
pub async fn open_storage() {
    qiju_core::storage::browser::open().await;
}

/// The folder of this program's files; a resource, so that tests can have their own.
#[derive(Resource, Clone, Debug)]
pub struct Home(pub PathBuf);

impl Home {
    /// The storage of all files of this program.
    pub fn storage(&self) -> Arc<dyn Storage> {
        #[cfg(target_arch = "wasm32")]
        return qiju_core::storage::browser::storage();
        #[cfg(not(target_arch = "wasm32"))]
        Arc::new(qiju_core::storage::Files::below(&self.0))
    }

    /// The name in the storage of a file below the folder; `None` for any other file.
    pub fn name_of(&self, path: &Path) -> Option<String> {
        Some(path.strip_prefix(&self.0).ok()?.to_str()?.replace('\\', "/"))
    }

    /// The bytes of a file: from the storage if it belongs to it, otherwise from the user's files.
    ///
    /// # Errors
    /// The file cannot be read, or it is too long.
    pub fn bytes_of(&self, path: &Path) -> Result<Vec<u8>, RecordError> {
        let Some(name) = self.name_of(path) else { return user_files::read(path) };
        let there = self.storage().read(&name).and_then(|bytes| bytes.ok_or_else(|| io::ErrorKind::NotFound.into()));
        there.map_err(|source| RecordError::File { path: path.to_owned(), source })
    }

    /// The settings.
    pub fn settings(&self) -> Blob {
        Blob::new(self.storage(), data::SETTINGS)
    }

    /// The results of puzzles.
    pub fn puzzles(&self) -> Blob {
        Blob::new(self.storage(), data::PUZZLES)
    }

    /// The journal of the current match (of the first window, if there are several).
    pub fn journal(&self) -> Blob {
        Blob::new(self.storage(), "match.journal")
    }
}

impl Settings {
    /// A pause for reading, at the chosen speed of animations. The slowest and the fastest speeds change it less.
    pub fn timed(&self, pause: Duration) -> Duration {
        pause.div_f32(self.speed.clamp(0.5, 2.0))
    }

    /// Reads the settings without changing anything; for a damaged file, the default settings.
    pub fn peek(home: &Home) -> Settings {
        let bytes = home.settings().read().ok().flatten().unwrap_or_default();
        Settings::parse(&bytes).unwrap_or_default().sane()
    }

    /// Reads the settings. A damaged file is renamed (`settings.ron.damaged-1`), and the message reports it.
    pub fn load(home: &Home) -> (Settings, Option<String>) {
        let blob = home.settings();
        let bytes = match blob.read() {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return (Settings::default(), None),
            Err(error) => return (Settings::default(), Some(format!("{blob}: {error}"))),
        };
        match Settings::parse(&bytes) {
            Ok(settings) => (settings.sane(), None),
            Err(why) => {
                let kept = match blob.keep_aside().and_then(|kept| blob.remove().map(|()| kept)) {
                    Ok(kept) => format!("{blob} -> {kept}"),
                    Err(error) => error.to_string(),
                };
                (Settings::default(), Some(format!("{why} ({kept})")))
            }
        }
    }

    fn parse(bytes: &[u8]) -> Result<Settings, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| "settings.ron: not valid UTF-8 text".to_owned())?;
        read_ron::<Settings>("settings.ron", text).map_err(|error| error.to_string())
    }

    /// The settings with every number limited to its range.
    fn sane(mut self) -> Settings {
        let clean = |value: f32, default: f32, max: f32| if value.is_finite() { value.clamp(0.0, max) } else { default };
        self.speed = clean(self.speed, 1.0, 4.0);
        self.volume = clean(self.volume, 0.7, 1.0);
        self.watch_pace_ms = self.watch_pace_ms.min(LONGEST_PACE);
        self.text_size = clean(self.text_size, 1.0, TEXT_SIZES.1).max(TEXT_SIZES.0);
        for setup in self.setups.values_mut() {
            let tame = |level: u8| level.clamp(1, 10);
            setup.levels = BySide::from_fn(|side| tame(setup.levels[side]));
            setup.control = setup.control.sane();
            for side in Side::BOTH {
                if let SeatSpec::Computer { level } = &mut setup.seats[side] {
                    // The level near the player's rating stays that.
                    *level = if *level == NEAR { NEAR } else { tame(*level) };
                }
            }
        }
        let mut seen = std::collections::HashSet::new();
        self.engines.retain(|engine| !engine.name.is_empty() && seen.insert((engine.game.clone(), engine.name.clone())));
        self.window = (self.window.0.clamp(SMALLEST_WINDOW.0, 7680), self.window.1.clamp(SMALLEST_WINDOW.1, 4320));
        self
    }

    /// The last setup of this game.
    pub fn last_setup(&self, game: &str) -> LastSetup {
        self.setups.get(game).cloned().unwrap_or_default()
    }

    /// True for who has neither begun a match nor done a task of the first steps, nor refused their offer.
    pub fn is_newcomer(&self) -> bool {
        !self.first_steps_known && self.first_steps.is_empty() && self.setups.is_empty()
    }

    /// The external engine with this name for this game.
    pub fn engine(&self, game: &str, name: &str) -> Option<&OtherEngine> {
        self.engines_of(game).find(|engine| engine.name == name)
    }

    /// The external engines for this game.
    pub fn engines_of(&self, game: &str) -> impl Iterator<Item = &OtherEngine> {
        self.engines.iter().filter(move |engine| engine.game == game)
    }

    /// The settings with a change of this external engine; `None` if it is not among them.
    pub fn with_engine(&self, engine: &OtherEngine, change: impl FnOnce(&mut OtherEngine)) -> Option<Settings> {
        let mut new = self.clone();
        change(new.engines.iter_mut().find(|known| known.game == engine.game && known.name == engine.name)?);
        Some(new)
    }

    /// The notation of this table's moves: as set, if the game has it, otherwise the usual one for the language.
    pub fn notation(&self, table: &dyn Table, language: Language) -> Notation {
        let offered = table.notations();
        let of_language = if language == Language::Zh { Notation::Chinese } else { Notation::Wxf };
        let chosen = self.notation.filter(|notation| *notation != Notation::Uci || offered.len() > 2);
        let wanted = chosen.into_iter().chain([of_language, Notation::Points]);
        wanted.into_iter().find(|notation| offered.contains(notation)).unwrap_or_default()
    }

    /// The current language.
    pub fn language(&self) -> Language {
        self.language.unwrap_or_else(Language::of_system)
    }

    /// Replaces the saved settings.
    ///
    /// # Errors
    /// The error, with the file.
    pub fn save(&self, home: &Home) -> Result<(), String> {
        let text = ron::ser::to_string_pretty(self, ron::ser::PrettyConfig::default()).map_err(|e| e.to_string())?;
        let blob = home.settings();
        blob.replace(text).map_err(|error| format!("{blob}: {error}"))
    }
}

/// The settings last read or written by this window.
#[derive(Resource)]
struct Saved(Settings);

impl FromWorld for Saved {
    fn from_world(world: &mut World) -> Self {
        Saved(world.get_resource::<Settings>().cloned().unwrap_or_default())
    }
}

/// Writes the settings of a window: only the fields it has changed itself, because another window with the same files may have changed others.
#[derive(SystemParam)]
pub struct SettingsFile<'w> {
    saved: ResMut<'w, Saved>,
    home: Res<'w, Home>,
}

impl SettingsFile<'_> {
    /// Writes the fields that have changed since the last time.
    ///
    /// # Errors
    /// The error, with the file.
    pub fn save(&mut self, settings: &Settings) -> Result<(), String> {
        let _owned = self.home.settings().own_for_a_moment();
        let there = self.home.settings().read().ok().flatten().and_then(|bytes| Settings::parse(&bytes).ok());
        let merged = there.map_or_else(|| settings.clone(), |there| merged(&self.saved.0, settings, &there));
        merged.save(&self.home)?;
        self.saved.0 = settings.clone();
        Ok(())
    }
}

/// The saved settings with the changes from `before` to `mine`.
fn merged(before: &Settings, mine: &Settings, there: &Settings) -> Settings {
    let value = |settings: &Settings| serde_json::to_value(settings).ok();
    let (Some(before), Some(ours), Some(there)) = (value(before), value(mine), value(there)) else { return mine.clone() };
    serde_json::from_value(merged_values(&before, ours, there)).unwrap_or_else(|_| mine.clone())
}

fn merged_values(before: &Value, mine: Value, there: Value) -> Value {
    match (mine, there) {
        (mine, there) if mine == *before => there,
        (Value::Object(mut mine), Value::Object(there)) => {
            let was = |key: &str| before.get(key).unwrap_or(&Value::Null).clone();
            let mut merged = serde_json::Map::new();
            for (key, there) in there {
                match mine.remove(&key) {
                    Some(mine) => drop(merged.insert(key.clone(), merged_values(&was(&key), mine, there))),
                    // Either this window has removed it or another window has added it.
                    None if was(&key).is_null() => drop(merged.insert(key, there)),
                    None => {}
                }
            }
            merged.extend(mine.into_iter().filter(|(key, mine)| *mine != was(key)));
            Value::Object(merged)
        }
        (mine, _) => mine,
    }
}

fn apply_settings(
    mut intents: MessageReader<Intent>,
    mut settings: ResMut<Settings>,
    mut words: ResMut<Words>,
    mut notices: ResMut<Notices>,
    mut file: SettingsFile,
) {
    for intent in intents.read() {
        if let Intent::Settings(new) = intent {
            let before = std::mem::replace(&mut *settings, new.clone().sane());
            // A language of the command line stays until another one is chosen.
            if settings.language != before.language {
                words.language = settings.language();
            }
            if let Err(why) = file.save(&settings) {
                notices.warn(why);
            }
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Saved>().add_systems(Update, apply_settings.in_set(Step::Input));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back_and_damage_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home(folder.path().join("deep"));
        let mut settings = Settings { speed: 2.0, ..Settings::default() };
        settings.setups.insert("xiangqi".to_owned(), LastSetup { levels: BySide::new(7, 2), ..LastSetup::default() });
        settings.save(&home).unwrap();
        assert_eq!(Settings::load(&home), (settings, None));
        // Invalid settings, invalid UTF-8 and other damage: each file is kept under its own name.
        let damages: [(&[u8], &str); 3] =
            [(b"(speed: oops", "settings.ron:1"), (b"(\xff)", "UTF-8"), (b"(speed", "settings.ron:1")];
        for (number, (bytes, words)) in (1..).zip(damages) {
            home.settings().replace(bytes).unwrap();
            let (settings, why) = Settings::load(&home);
            assert_eq!(settings, Settings::default());
            assert!(why.as_ref().unwrap().contains(words), "{why:?}");
            let kept = home.0.join(format!("settings.ron.damaged-{number}"));
            assert_eq!(std::fs::read(kept).unwrap(), bytes);
            assert_eq!(home.settings().read().unwrap(), None);
        }
    }

    #[test]
    fn two_windows_keep_each_others_changes() {
        let setup = |level| LastSetup { levels: BySide::new(level, level), ..LastSetup::default() };
        let mut before = Settings::default();
        before.setups.insert("gomoku".to_owned(), setup(5));
        let (mut one, mut two) = (before.clone(), before.clone());
        one.speed = 0.5;
        one.setups.insert("xiangqi".to_owned(), setup(7));
        two.theme = "night".to_owned();
        two.setups.insert("gomoku".to_owned(), setup(2));
        let both = merged(&before, &two, &one);
        assert_eq!((both.speed, both.theme.as_str()), (0.5, "night"));
        assert_eq!(both.setups["xiangqi"], setup(7));
        assert_eq!(both.setups["gomoku"], setup(2));
        // An entry removed by this window stays removed.
        let mut none = both.clone();
        none.setups.clear();
        assert_eq!(merged(&both, &none, &both).setups, BTreeMap::new());
    }

    #[test]
    fn absurd_numbers_are_tamed() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home(folder.path().to_path_buf());
        let text = "(speed: -3.0, volume: inf, setups: {\"xiangqi\": (levels: (first: 99, second: 0))}, window: (1, 1))";
        home.settings().replace(text).unwrap();
        let (settings, why) = Settings::load(&home);
        assert_eq!(why, None);
        assert_eq!((settings.speed, settings.volume, settings.window), (0.0, 0.7, SMALLEST_WINDOW));
        assert_eq!(settings.setups["xiangqi"].levels, BySide::new(10, 1));
    }
}
