//! The options at the start of the program.

use super::words::Language;
use qiju_core::rules::BySide;
use qiju_core::table::TimeControl;
use std::path::PathBuf;

/// The player of a side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Who {
    /// A person.
    #[default]
    Human,
    /// The computer.
    Computer,
    /// An external engine by its name in the settings.
    External(String),
}

/// The options of `qiju play`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The game to begin at once; `None` opens the title page.
    pub game: Option<String>,
    /// Its variant.
    pub variant: Option<String>,
    /// The computer's level, 1 to 10.
    pub level: Option<u8>,
    /// The key of its manner.
    pub manner: Option<String>,
    /// The player of the first side.
    pub first: Option<Who>,
    /// The player of the second side.
    pub second: Option<Who>,
    /// The time controls.
    pub control: BySide<TimeControl>,
    /// The start position.
    pub position: Option<String>,
    /// A record to open.
    pub load: Option<PathBuf>,
    /// The language, instead of the one in the settings.
    pub language: Option<Language>,
}
