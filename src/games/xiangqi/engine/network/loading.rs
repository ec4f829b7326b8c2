//! Loads the network from a given file or from the assets folder.

use super::Network;
use crate::games::folder;
use crate::table::Evaluation;
use std::path::PathBuf;
use std::sync::Arc;

/// The network's file in the assets folder.
const FILE: &str = "networks/xiangqi.network";

/// The network of an evaluation; `None` for the hand-written one.
///
/// # Errors
/// There is no such file, or it is no network or damaged: a line that names it.
pub fn network(wanted: &Evaluation) -> Result<Option<Arc<Network>>, String> {
    let path: PathBuf = match wanted {
        Evaluation::Hand => return Ok(None),
        Evaluation::Network(Some(path)) => path.clone(),
        Evaluation::Network(None) => {
            folder::assets().ok_or("no network is part of this program, and there is no assets folder")?.join(FILE)
        }
    };
    let fail = |why: String| format!("{}: {why}", path.display());
    let bytes = std::fs::read(&path).map_err(|error| fail(error.to_string()))?;
    Network::read(&bytes).map(|network| Some(Arc::new(network))).map_err(fail)
}
