//! The user's settings: how things look and what the program does.

use super::confirmation::Confirmation;
use super::kept::{self, Kept};
use super::layout::SMALLEST_WINDOW;
use super::platform::locale;
use super::setup::NEAR;
use super::step::Step;
use super::words::{Language, Words};
use bevy::prelude::*;
use qiju_core::book::BookUse;
use qiju_core::library::folded;
use qiju_core::record::SeatSpec;
use qiju_core::record::data;
use qiju_core::record::letter::short_name;
use qiju_core::rules::{BySide, Side};
use qiju_core::table::{Judgement, Notation, Table, TimeControl, controls_in_file};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// The settings.
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
    /// The board of a game of stones turns when a person plays the second side alone, as the boards of other games do.
    pub turn_stones: bool,
    /// In a teaching match, the best judgement that is told: worse ones are told as well.
    pub teacher_tells: Judgement,
    /// In a teaching match the opponent waits for the verdict, and after an error until the user goes on.
    pub teacher_waits: bool,
    /// The player's own names in games of elsewhere, separated by commas.
    pub my_names: String,
    /// How the letters of a new match go to a friend.
    pub letters: LettersBy,
    /// The address of the broker, for letters that go by themselves.
    pub broker: String,
    /// The address of a page with this program, for letters to friends; an empty one makes texts to be pasted.
    pub page: String,
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
    /// Hide the pieces while a match is played.
    pub blindfold: bool,
    /// While they are hidden, there are equal discs in their places.
    pub blind_discs: bool,
    /// What is announced to screen readers is also said aloud.
    pub speak_aloud: bool,
    /// Our engine learns from the games it loses.
    pub learns: bool,
    /// Show the engine's line and value while it searches.
    pub show_thinking: bool,
    /// Compute the missing distances of solved games in the background.
    pub background_work: bool,
    /// The notation of moves; `None` depends on the language.
    pub notation: Option<Notation>,
    /// When moves must be confirmed.
    pub confirm_moves: Confirmation,
    /// The last setup of each game.
    pub setups: BTreeMap<String, LastSetup>,
    /// The opening book that was chosen for a game.
    pub books: BTreeMap<String, ChosenBook>,
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

/// How letters go to a friend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum LettersBy {
    /// The user sends each of them.
    #[default]
    Hand,
    /// By themselves on the local network: this program is the broker.
    Network,
    /// By themselves, through a broker elsewhere.
    Broker,
}

/// What stands between own names.
const OWN_NAMES_END: [char; 5] = [',', '，', '、', ';', '；'];

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
    /// The time controls.
    #[serde(with = "controls_in_file")]
    pub control: BySide<TimeControl>,
}

impl Default for LastSetup {
    fn default() -> Self {
        LastSetup {
            variant: None,
            seats: BySide::new(SeatSpec::Human, SeatSpec::computer(3)),
            levels: BySide::new(3, 3),
            control: BySide::default(),
        }
    }
}

/// An opening book that was chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChosenBook {
    /// Its file.
    pub file: PathBuf,
    /// The computer plays from it,
    pub plays: bool,
    /// for so many plies from the beginning of a match.
    pub plies: usize,
}

impl Default for ChosenBook {
    fn default() -> Self {
        ChosenBook { file: PathBuf::new(), plays: false, plies: BookUse::USUAL }
    }
}

impl ChosenBook {
    /// A change of the settings: of the book that was chosen for a game, if one was.
    pub fn change(
        game: &'static str,
        edit: impl Fn(&mut ChosenBook) + Send + Sync + 'static,
    ) -> impl Fn(&mut Settings) + Send + Sync + 'static {
        move |settings| drop(settings.books.entry(game.to_owned()).and_modify(&edit))
    }

    /// The name of its file, as it is shown: the beginning of a long one.
    pub fn name(&self) -> String {
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        match name.char_indices().nth(LONGEST_NAME) {
            Some((at, _)) => format!("{}…", &name[..at]),
            None => name.into_owned(),
        }
    }
}

/// The most letters of a book's name that are shown.
const LONGEST_NAME: usize = 24;

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
            turn_stones: false,
            teacher_tells: Judgement::Inaccuracy,
            teacher_waits: true,
            my_names: String::new(),
            letters: LettersBy::default(),
            broker: String::new(),
            page: String::new(),
            reduced_motion: false,
            text_size: 1.0,
            volume: 0.7,
            muted: false,
            show_targets: true,
            show_forbidden: true,
            blindfold: false,
            blind_discs: false,
            speak_aloud: false,
            learns: true,
            show_thinking: false,
            background_work: true,
            notation: None,
            confirm_moves: Confirmation::default(),
            setups: BTreeMap::new(),
            books: BTreeMap::new(),
            window: (1280, 800),
        }
    }
}

impl Settings {
    /// A pause for reading, at the chosen speed of animations. The slowest and the fastest speeds change it less.
    pub fn timed(&self, pause: Duration) -> Duration {
        pause.div_f32(self.speed.clamp(0.5, 2.0))
    }

    /// The last setup of this game.
    pub fn last_setup(&self, game: &str) -> LastSetup {
        self.setups.get(game).cloned().unwrap_or_default()
    }

    /// The notation of this table's moves: as set, if the game has it, otherwise the usual one for the language.
    pub fn notation(&self, table: &dyn Table, language: Language) -> Notation {
        let offered = table.notations();
        let has = |notation: &Notation| offered.contains(notation) && (*notation != Notation::Uci || offered.len() > 2);
        self.notation.filter(has).unwrap_or_else(|| language.notation_of(table))
    }

    /// The player's first own name, as letters tell it.
    pub fn my_name(&self) -> Option<String> {
        let first = self.my_names.split(OWN_NAMES_END).next().map(short_name);
        first.filter(|name| !name.is_empty())
    }

    /// True if this is one of the player's own names.
    pub fn is_me(&self, name: &str) -> bool {
        self.own_names().any(|own| own == folded(name.trim()))
    }

    /// The player's own names, as [`folded`] writes them.
    pub fn own_names(&self) -> impl Iterator<Item = String> {
        self.my_names.split(OWN_NAMES_END).map(str::trim).filter(|own| !own.is_empty()).map(folded)
    }

    /// The current language.
    pub fn language(&self) -> Language {
        self.language.unwrap_or_else(|| Language::of_locale(&locale()))
    }
}

impl Kept for Settings {
    const FILE: &'static str = data::PREFERENCES;

    fn earlier(read: &mut dyn FnMut(&str) -> Option<Settings>) -> Option<Settings> {
        read(data::SETTINGS)
    }

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
                if let SeatSpec::Computer { level, .. } = &mut setup.seats[side] {
                    // The level near the player's rating stays that.
                    *level = if *level == NEAR { NEAR } else { tame(*level) };
                }
            }
        }
        for book in self.books.values_mut() {
            book.plies = book.plies.clamp(1, BookUse::MOST);
        }
        self.window = (self.window.0.clamp(SMALLEST_WINDOW.0, 7680), self.window.1.clamp(SMALLEST_WINDOW.1, 4320));
        self
    }
}

/// The texts follow the language that is chosen. One of the command line stays until another one is chosen.
fn follow_language(settings: Res<Settings>, mut words: ResMut<Words>, mut known: Local<Option<Option<Language>>>) {
    if known.replace(settings.language).is_some_and(|known| known != settings.language) {
        words.language = settings.language();
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(kept::plugin::<Settings>)
        .add_systems(Update, follow_language.in_set(Step::Think).run_if(resource_changed::<Settings>));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::ground::home::Home;

    #[test]
    fn absurd_numbers_are_tamed() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home(folder.path().to_path_buf());
        let text = "(speed: -3.0, volume: inf, setups: {\"xiangqi\": (levels: (first: 99, second: 0))}, window: (1, 1))";
        home.blob(data::PREFERENCES).replace(text).unwrap();
        let (settings, why) = Settings::load(&home);
        assert_eq!(why, []);
        assert_eq!((settings.speed, settings.volume, settings.window), (0.0, 0.7, SMALLEST_WINDOW));
        assert_eq!(settings.setups["xiangqi"].levels, BySide::new(10, 1));
    }

    #[test]
    fn own_names_are_separated_by_any_comma() {
        let settings = Settings { my_names: "Wang Wei, 王伟，weiwang、".to_owned(), ..Settings::default() };
        for (name, own) in [("wang wei", true), ("王伟", true), (" WeiWang ", true), ("Wang", false), ("", false)] {
            assert_eq!(settings.is_me(name), own, "{name}");
        }
        assert!(!Settings::default().is_me(""));
    }
}
