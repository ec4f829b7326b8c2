//! What the player has chosen for good: kept in one file, written atomically.

use super::intent::Intent;
use super::library::Notices;
use super::words::{Language, Words};
use crate::table::read_ron;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The settings. Unknown ones in the file are ignored, missing ones are as here.
#[derive(Resource, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The language; `None` follows the system.
    pub language: Option<Language>,
    /// The theme's key.
    pub theme: String,
    /// Western pictures instead of characters.
    pub western_men: bool,
    /// Speed of motion: 1 is normal, 0 is instant.
    pub speed: f32,
    /// Short fades instead of slides.
    pub reduced_motion: bool,
    /// Loudness from 0 to 1.
    pub volume: f32,
    /// Legal targets of a picked man are marked.
    pub show_targets: bool,
    /// The engine's line is shown while it thinks.
    pub show_thinking: bool,
    /// The last level chosen, by game.
    pub levels: BTreeMap<String, u8>,
    /// The last variant chosen, by game.
    pub variants: BTreeMap<String, String>,
    /// The window's size in logical pixels.
    pub window: (u32, u32),
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            language: None,
            theme: "kaya".to_owned(),
            western_men: false,
            speed: 1.0,
            reduced_motion: false,
            volume: 0.7,
            show_targets: true,
            show_thinking: true,
            levels: BTreeMap::new(),
            variants: BTreeMap::new(),
            window: (1280, 800),
        }
    }
}

pub use crate::record::home;

/// Where this program's files are; a resource so that tests have their own.
#[derive(Resource, Clone, Debug)]
pub struct Home(pub PathBuf);

impl Home {
    /// The settings file.
    pub fn settings(&self) -> PathBuf {
        self.0.join("settings.ron")
    }

    /// The journal of the running match.
    pub fn journal(&self) -> PathBuf {
        self.0.join("match.journal")
    }
}

/// Writes a file so that after a crash either the old or the new one is there, whole.
///
/// # Errors
/// The folder or the file cannot be written.
pub fn write_atomically(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

impl Settings {
    /// Reads the settings. A damaged file is set aside (`settings.ron.damaged`) and the message says so.
    pub fn load(home: &Home) -> (Settings, Option<String>) {
        let path = home.settings();
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return (Settings::default(), None),
            Err(error) => return (Settings::default(), Some(format!("{}: {error}", path.display()))),
        };
        match read_ron::<Settings>("settings.ron", &text) {
            Ok(settings) => (settings.sane(), None),
            Err(error) => {
                let aside = path.with_extension("ron.damaged");
                let kept = match std::fs::rename(&path, &aside) {
                    Ok(()) => format!("{} -> {}", path.display(), aside.display()),
                    Err(error) => error.to_string(),
                };
                (Settings::default(), Some(format!("{error} ({kept})")))
            }
        }
    }

    /// The settings with every number in its range.
    fn sane(mut self) -> Settings {
        let clean = |value: f32, default: f32, max: f32| if value.is_finite() { value.clamp(0.0, max) } else { default };
        self.speed = clean(self.speed, 1.0, 4.0);
        self.volume = clean(self.volume, 0.7, 1.0);
        self.levels.values_mut().for_each(|level| *level = (*level).clamp(1, 10));
        self.window = (self.window.0.clamp(640, 7680), self.window.1.clamp(480, 4320));
        self
    }

    /// The language in force.
    pub fn language(&self) -> Language {
        self.language.unwrap_or_else(Language::of_system)
    }

    /// Writes the settings.
    ///
    /// # Errors
    /// What went wrong, with the file.
    pub fn save(&self, home: &Home) -> Result<(), String> {
        let path = home.settings();
        let text = ron::ser::to_string_pretty(self, ron::ser::PrettyConfig::default()).map_err(|e| e.to_string())?;
        write_atomically(&path, &text).map_err(|error| format!("{}: {error}", path.display()))
    }
}

fn apply_settings(
    mut intents: MessageReader<Intent>,
    mut settings: ResMut<Settings>,
    mut words: ResMut<Words>,
    mut notices: ResMut<Notices>,
    home: Res<Home>,
) {
    for intent in intents.read() {
        if let Intent::Settings(new) = intent {
            *settings = new.clone().sane();
            words.language = settings.language();
            if let Err(why) = settings.save(&home) {
                notices.warn(why);
            }
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, apply_settings.in_set(super::Step::Input));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back_and_damage_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home(folder.path().join("deep"));
        let mut settings = Settings { speed: 2.0, ..Settings::default() };
        settings.levels.insert("xiangqi".to_owned(), 7);
        settings.save(&home).unwrap();
        assert_eq!(Settings::load(&home), (settings, None));
        std::fs::write(home.settings(), "(speed: oops").unwrap();
        let (settings, why) = Settings::load(&home);
        assert_eq!(settings, Settings::default());
        assert!(why.unwrap().contains("settings.ron:1"));
        assert!(home.0.join("settings.ron.damaged").exists());
        assert!(!home.settings().exists());
    }

    #[test]
    fn absurd_numbers_are_tamed() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home(folder.path().to_path_buf());
        std::fs::write(home.settings(), "(speed: -3.0, volume: inf, levels: {\"xiangqi\": 99}, window: (1, 1))").unwrap();
        let (settings, why) = Settings::load(&home);
        assert_eq!(why, None);
        assert_eq!((settings.speed, settings.volume, settings.window), (0.0, 0.7, (640, 480)));
        assert_eq!(settings.levels["xiangqi"], 10);
    }
}
