//! The copy of a book that is kept before its first change.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The copy of a book as it was before its first change.
pub fn backup_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".backup");
    PathBuf::from(name)
}

/// Keeps a copy of a book, unless there is one already. `copy` writes it to a path beside the copy, which takes its place when it is whole.
pub fn keep<E>(path: &Path, copy: impl FnOnce(&Path) -> Result<(), E>) -> Result<(), E>
where
    E: From<io::Error>,
{
    let backup = backup_of(path);
    if backup.exists() {
        return Ok(());
    }
    let unfinished = backup.with_extension("backup-new");
    copy(&unfinished)?;
    Ok(fs::rename(&unfinished, &backup)?)
}
