//! Data that are too large for the first download of a page. On the desktop they are inside the program; a page fetches each file when it is needed, and has
//! it only where its workers compute. `scripts/web` reads here which files these are.

/// A file below `assets`, and in how many parts a page fetches it; `None` in the window of a page, which leaves such work to its workers.
macro_rules! large_file {
    ($path:literal, $parts:literal) => {{
        #[cfg(not(target_arch = "wasm32"))]
        let bytes: Option<&'static [u8]> = Some(include_bytes!(concat!("../../assets/", $path)));
        #[cfg(target_arch = "wasm32")]
        let bytes = {
            static BYTES: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
            fetching::fetched(&BYTES, $path, $parts)
        };
        bytes
    }};
}

/// Win, draw and loss of the stored positions of two-eat-one.
pub fn two_eat_one() -> Option<&'static [u8]> {
    large_file!("oracles/two-eat-one.outcomes", 8)
}

/// The network of xiangqi's engine.
pub fn xiangqi_network() -> Option<&'static [u8]> {
    large_file!("engines/xiangqi.network", 1)
}

/// The endings of xiangqi with few pieces.
pub fn xiangqi_endings() -> Option<&'static [u8]> {
    large_file!("endings/xiangqi.endings", 4)
}

/// The network of gomoku's engine.
pub fn gomoku_network() -> Option<&'static [u8]> {
    large_file!("engines/gomoku.network", 1)
}

/// The network that names pieces in pictures.
pub fn picture_network() -> Option<&'static [u8]> {
    large_file!("engines/pictures.network", 1)
}

/// The proof that the first player wins gomoku on 15 lines, if five or more win or, with `exact`, if exactly five win.
pub fn gomoku_proof(exact: bool) -> Option<&'static [u8]> {
    if exact { large_file!("proofs/gomoku-standard.tree", 2) } else { large_file!("proofs/gomoku-freestyle.tree", 2) }
}

/// The games that our engine played, for the library. The window of a page has them once they have come; the first call asks for them.
pub fn engine_games() -> Option<&'static [u8]> {
    #[cfg(not(target_arch = "wasm32"))]
    {
        Some(include_bytes!("../../assets/library/engine.games"))
    }
    #[cfg(target_arch = "wasm32")]
    {
        fetching::engine_games()
    }
}

/// True if the data can be had here: inside the program, or from the source that a page has. Nothing is loaded.
pub fn can_be_had() -> bool {
    #[cfg(target_arch = "wasm32")]
    {
        fetching::can_fetch()
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        true
    }
}

#[cfg(target_arch = "wasm32")]
pub use fetching::{set_games_source, set_source};

#[cfg(target_arch = "wasm32")]
mod fetching {
    use std::sync::OnceLock;

    static SOURCE: OnceLock<fn(&str, usize) -> Vec<u8>> = OnceLock::new();
    static GAMES_SOURCE: OnceLock<fn() -> Option<Vec<u8>>> = OnceLock::new();

    /// Says how the window of a page has the games of our engine: `None` until they have come.
    pub fn set_games_source(source: fn() -> Option<Vec<u8>>) {
        // The first source stays.
        let _ = GAMES_SOURCE.set(source);
    }

    pub(super) fn engine_games() -> Option<&'static [u8]> {
        static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
        if let Some(bytes) = BYTES.get() {
            return Some(bytes);
        }
        let come = GAMES_SOURCE.get()?()?;
        Some(BYTES.get_or_init(|| come))
    }

    /// Says how a file is fetched by its address relative to the page and its number of parts: each part has a dot and its number (from 0) behind the
    /// address. The window has no source: it asks its workers instead.
    pub fn set_source(source: fn(&str, usize) -> Vec<u8>) {
        // The first source stays.
        let _ = SOURCE.set(source);
    }

    pub(super) fn can_fetch() -> bool {
        SOURCE.get().is_some()
    }

    pub(super) fn fetched(bytes: &'static OnceLock<Vec<u8>>, path: &str, parts: usize) -> Option<&'static [u8]> {
        let source = SOURCE.get()?;
        Some(bytes.get_or_init(|| source(&format!("data/{path}"), parts)))
    }
}
