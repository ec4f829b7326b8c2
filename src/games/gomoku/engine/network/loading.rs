//! Loads the network: the one that is part of the program, or one from a file.

use super::Network;
use crate::games::large;
use crate::table::Evaluation;
use std::sync::{Arc, LazyLock};

/// The network that is part of the program; `None` in the window of a page, which does not search.
static OWN: LazyLock<Result<Option<Arc<Network>>, String>> =
    LazyLock::new(|| large::gomoku_network().map(Network::read).transpose().map(|network| network.map(Arc::new)));

/// The network of an evaluation; `None` for the evaluation by values, which is the engine's own: with much time it is as strong as the network.
///
/// # Errors
/// There is no such file, or it is no network or damaged: a line that names it.
pub fn network(wanted: &Evaluation) -> Result<Option<Arc<Network>>, String> {
    match wanted {
        Evaluation::Own | Evaluation::Hand => Ok(None),
        Evaluation::Network(None) => OWN.clone().map_err(|why| format!("the network of this program: {why}")),
        Evaluation::Network(Some(path)) => {
            let fail = |why: String| format!("{}: {why}", path.display());
            let bytes = std::fs::read(path).map_err(|error| fail(error.to_string()))?;
            Network::read(&bytes).map(|network| Some(Arc::new(network))).map_err(fail)
        }
    }
}
