//! The folder of this program's files.

use super::user_files;
use bevy::prelude::*;
use qiju_core::record::RecordError;
use qiju_core::storage::{Blob, Storage};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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

    /// A file by its name in the storage.
    pub fn blob(&self, name: &str) -> Blob {
        Blob::new(self.storage(), name)
    }

    /// The journal of the current match (of the first window, if there are several).
    pub fn journal(&self) -> Blob {
        self.blob("match.journal")
    }
}
