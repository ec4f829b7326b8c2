//! Loads a game's sheet: from an `assets` folder if there is one, else from the program itself.

use super::Entry;
use crate::table::{GameSheet, SheetError};
use std::path::PathBuf;

/// The folder whose files replace those inside the program: `QIJU_ASSETS`, or `assets` beside the program.
pub fn folder() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("QIJU_ASSETS").filter(|named| !named.is_empty()) {
        return Some(PathBuf::from(named));
    }
    let beside = std::env::current_exe().ok()?.parent()?.join("assets");
    beside.is_dir().then_some(beside)
}

impl Entry {
    /// The game's sheet: the one in the assets [`folder`] if it holds one, else the one in the program.
    ///
    /// # Errors
    /// The file cannot be read or is not a valid sheet; the error has the line.
    pub fn load_sheet(&self) -> Result<GameSheet, SheetError> {
        let Some(folder) = folder() else { return self.sheet() };
        let path = folder.join(self.sheet_file());
        let file = path.display().to_string();
        let fail = |why: String| SheetError { file: file.clone(), line: 1, why };
        if !folder.is_dir() {
            return Err(SheetError { file: folder.display().to_string(), line: 1, why: "there is no such assets folder".into() });
        }
        match std::fs::read(&path) {
            Ok(bytes) => {
                let text = String::from_utf8(bytes).map_err(|_| fail("not valid UTF-8 text".to_owned()))?;
                GameSheet::parse(&file, &text)
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => self.sheet(),
            Err(error) => Err(fail(error.to_string())),
        }
    }
}
