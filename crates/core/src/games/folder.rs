//! The folder of files that go before those inside the program.

use std::path::PathBuf;

/// The folder whose files replace those inside the program: `QIJU_ASSETS`, or `assets` beside the program.
pub fn assets() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("QIJU_ASSETS").filter(|named| !named.is_empty()) {
        return Some(PathBuf::from(named));
    }
    let beside = std::env::current_exe().ok()?.parent()?.join("assets");
    beside.is_dir().then_some(beside)
}
