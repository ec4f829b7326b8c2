//! What the program is started with.

use super::words::Language;
use std::path::PathBuf;

/// Who plays a side.
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
    /// The game to begin at once; `None` opens the choice of games.
    pub game: Option<String>,
    /// Its variant.
    pub variant: Option<String>,
    /// The computer's level, 1 to 10.
    pub level: Option<u8>,
    /// Who plays the first side.
    pub first: Option<Who>,
    /// Who plays the second side.
    pub second: Option<Who>,
    /// The position to begin from.
    pub position: Option<String>,
    /// A record to open.
    pub load: Option<PathBuf>,
    /// The language, over the settings.
    pub language: Option<Language>,
}
