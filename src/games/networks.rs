//! What the engines' networks have in common: how they are loaded, and what the processor can do.

use crate::table::Evaluation;
use std::sync::{Arc, LazyLock};

/// A network that is part of the program, or why it cannot be read; `None` in the window of a page, which does not search.
pub type Shipped<N> = LazyLock<Result<Option<Arc<N>>, String>>;

/// Reads the network that is part of the program.
///
/// # Errors
/// What is wrong with its file.
pub fn shipped<N>(file: Option<&[u8]>, read: fn(&[u8]) -> Result<N, String>) -> Result<Option<Arc<N>>, String> {
    Ok(file.map(read).transpose()?.map(Arc::new))
}

/// The network of an evaluation: from its file, or the one of the program; `None` for the hand-written evaluation.
///
/// # Errors
/// There is no such file, or it is no network or damaged: a line that names it.
pub fn load<N>(wanted: &Evaluation, own: &Shipped<N>, read: fn(&[u8]) -> Result<N, String>) -> Result<Option<Arc<N>>, String> {
    match wanted {
        Evaluation::Hand => Ok(None),
        Evaluation::Own | Evaluation::Network(None) => {
            (**own).clone().map_err(|why| format!("the network of this program: {why}"))
        }
        Evaluation::Network(Some(path)) => {
            let fail = |why: String| format!("{}: {why}", path.display());
            let bytes = std::fs::read(path).map_err(|error| fail(error.to_string()))?;
            read(&bytes).map(|network| Some(Arc::new(network))).map_err(fail)
        }
    }
}

/// True if the processor has AVX2.
pub fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}
