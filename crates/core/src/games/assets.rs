//! Loads a game's sheet and its first steps: from an `assets` folder if there is one, else from the program itself.

use super::Entry;
use super::folder::assets;
use crate::message;
use crate::message::Message;
use crate::table::{FirstSteps, GameSheet, SheetError};

/// The text of a file in the assets [`folder`](assets), with its path, if there is such a folder and it holds the file.
fn own_text(name: &str) -> Result<Option<(String, String)>, SheetError> {
    let Some(folder) = assets() else { return Ok(None) };
    let path = folder.join(name);
    let file = path.display().to_string();
    let fail = |why: Message| SheetError { file: file.clone(), line: 1, why };
    if !folder.is_dir() {
        return Err(SheetError { file: folder.display().to_string(), line: 1, why: message!("there is no such assets folder") });
    }
    match std::fs::read(&path) {
        Ok(bytes) => {
            let text = String::from_utf8(bytes).map_err(|_| fail(message!("not valid UTF-8 text")))?;
            Ok(Some((file, text)))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(fail(error.into())),
    }
}

impl Entry {
    /// The game's sheet: the one in the assets [`folder`](assets) if it holds one, else the one in the program.
    ///
    /// # Errors
    /// The file cannot be read or is not a valid sheet; the error has the line.
    pub fn load_sheet(&self) -> Result<GameSheet, SheetError> {
        match own_text(&self.sheet_file())? {
            Some((file, text)) => GameSheet::parse(&file, &text),
            None => self.sheet(),
        }
    }

    /// The game's first steps, likewise.
    ///
    /// # Errors
    /// The file cannot be read, or a task in it is not possible; the error has the line.
    pub fn load_first_steps(&self) -> Result<FirstSteps, SheetError> {
        match own_text(&self.first_steps_file())? {
            Some((file, text)) => self.read_first_steps(&file, &text),
            None => self.first_steps(),
        }
    }
}
