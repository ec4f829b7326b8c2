//! Game sheets and themes: from the assets folder, if it has them, otherwise from the program itself.

use super::settings::Settings;
use bevy::prelude::*;
use qiju_core::games::{Entry, REGISTRY};
use qiju_core::paint::Theme;
use qiju_core::table::{Action, FirstSteps, GameSheet, Setup, SheetError, Table};
use std::sync::Arc;

/// A game with its sheet.
#[derive(Clone)]
pub struct LibraryGame {
    /// The entry in the registry.
    pub entry: &'static Entry,
    /// Its sheet.
    pub sheet: Arc<GameSheet>,
    /// Its first steps.
    pub first_steps: Arc<FirstSteps>,
    /// True where pieces are put on the board and never moved.
    pub places_pieces: bool,
}

impl LibraryGame {
    /// A number of plies as the game's players count them: two plies are a move where pieces move, each stone counts where stones are put.
    pub fn counted(&self, plies: usize) -> usize {
        if self.places_pieces { plies } else { plies.div_ceil(2) }
    }
}

/// True where every move from the start puts a piece on the board.
fn places_pieces(entry: &Entry) -> bool {
    let placed = |table: Box<dyn Table>| table.actions().iter().all(|action| matches!(action, Action::Drop(_)));
    entry.table(&Setup::default()).is_ok_and(placed)
}

/// All games and themes.
#[derive(Resource, Clone)]
pub struct Library {
    /// The games, in the registry's order.
    pub games: Vec<LibraryGame>,
    /// The themes with their keys, the default first. Never empty.
    pub themes: Vec<(String, Arc<Theme>)>,
}

impl Library {
    /// Reads the library. The second value lists invalid files with file and line; the built-in files
    /// are used instead of them.
    pub fn read() -> (Library, Vec<SheetError>) {
        let mut faults = Vec::new();
        let mut games = Vec::new();
        for entry in REGISTRY {
            let read = entry.load_sheet().or_else(|error| {
                faults.push(error);
                entry.sheet()
            });
            match read {
                Ok(sheet) => {
                    let first_steps = entry.load_first_steps().or_else(|error| {
                        // A folder that is not there is reported once.
                        if !faults.contains(&error) {
                            faults.push(error);
                        }
                        entry.first_steps()
                    });
                    let first_steps = Arc::new(first_steps.unwrap_or_default());
                    let (sheet, places_pieces) = (Arc::new(sheet), places_pieces(entry));
                    games.push(LibraryGame { entry, sheet, first_steps, places_pieces });
                }
                Err(error) => faults.push(error),
            }
        }
        let mut themes = Vec::new();
        for &(key, shipped) in Theme::builtin() {
            let read = own_theme(key).unwrap_or_else(|| Theme::parse(key, shipped)).or_else(|error| {
                faults.push(error);
                Theme::parse(key, shipped)
            });
            match read {
                Ok(theme) => themes.push((key.to_owned(), Arc::new(theme))),
                Err(error) => faults.push(error),
            }
        }
        (Library { games, themes }, faults)
    }

    /// The game with this key.
    pub fn game(&self, key: &str) -> Option<&LibraryGame> {
        self.games.iter().find(|library_game| library_game.entry.key == key)
    }

    /// The theme with this key, or the first.
    pub fn theme(&self, key: &str) -> Arc<Theme> {
        let found = self.themes.iter().find(|(k, _)| k == key).unwrap_or(&self.themes[0]);
        found.1.clone()
    }

    /// The theme and the colours of the settings.
    pub fn theme_of(&self, settings: &Settings) -> Arc<Theme> {
        let theme = self.theme(&settings.theme);
        if settings.red_blind_safe { Arc::new(Theme::clone(&theme).red_blind_safe()) } else { theme }
    }
}

/// The theme in the assets folder, if there is one.
fn own_theme(key: &str) -> Option<Result<Theme, SheetError>> {
    let path = qiju_core::games::assets_folder()?.join(format!("themes/{key}.theme.ron"));
    let file = path.display().to_string();
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(Theme::parse(&file, &text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => Some(Err(SheetError { file, line: 1, why: error.into() })),
    }
}
