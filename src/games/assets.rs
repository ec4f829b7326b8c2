//! Loads a game's sheet: from an `assets` folder if there is one, else from the program itself.

use super::Entry;
use super::folder::assets;
use crate::table::{GameSheet, SheetError};

impl Entry {
    /// The game's sheet: the one in the assets [`folder`](assets) if it holds one, else the one in the program.
    ///
    /// # Errors
    /// The file cannot be read or is not a valid sheet; the error has the line.
    pub fn load_sheet(&self) -> Result<GameSheet, SheetError> {
        let Some(folder) = assets() else { return self.sheet() };
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
