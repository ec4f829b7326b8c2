//! The folder for the user's data.

use std::path::PathBuf;

/// The folder for settings, the journal and lessons: `QIJU_HOME`, or the system's folder for user data.
pub fn home() -> PathBuf {
    if let Some(home) = std::env::var_os("QIJU_HOME").filter(|home| !home.is_empty()) {
        return PathBuf::from(home);
    }
    if cfg!(target_arch = "wasm32") {
        // A page has no folders; its files have names below this one.
        return PathBuf::from("Qiju");
    }
    directories::ProjectDirs::from("", "", "qiju")
        .map_or_else(|| std::env::temp_dir().join("qiju"), |dirs| dirs.data_local_dir().to_path_buf())
}
