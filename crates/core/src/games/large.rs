//! Data that are too large for the first download of a page. On the desktop they are inside the program; a page fetches them when they are needed, or has
//! them only where its workers search.

/// The file with win, draw and loss of the stored positions of two-eat-one; `None` while a page has not loaded it.
pub fn two_eat_one() -> Option<&'static [u8]> {
    shipped::two_eat_one()
}

/// The network of xiangqi's engine; `None` in the window of a page, which leaves searching to its workers.
pub fn xiangqi_network() -> Option<&'static [u8]> {
    #[cfg(all(target_arch = "wasm32", feature = "window"))]
    return None;
    #[cfg(not(all(target_arch = "wasm32", feature = "window")))]
    Some(include_bytes!("../../assets/engines/xiangqi.network"))
}

/// The endings of xiangqi with few pieces; `None` in the window of a page, likewise.
pub fn xiangqi_endings() -> Option<&'static [u8]> {
    #[cfg(all(target_arch = "wasm32", feature = "window"))]
    return None;
    #[cfg(not(all(target_arch = "wasm32", feature = "window")))]
    Some(include_bytes!("../../assets/endings/xiangqi.endings"))
}

/// The network of gomoku's engine; `None` in the window of a page, likewise.
pub fn gomoku_network() -> Option<&'static [u8]> {
    #[cfg(all(target_arch = "wasm32", feature = "window"))]
    return None;
    #[cfg(not(all(target_arch = "wasm32", feature = "window")))]
    Some(include_bytes!("../../assets/engines/gomoku.network"))
}

/// The network that names pieces in pictures; `None` in the window of a page, likewise.
pub fn picture_network() -> Option<&'static [u8]> {
    #[cfg(all(target_arch = "wasm32", feature = "window"))]
    return None;
    #[cfg(not(all(target_arch = "wasm32", feature = "window")))]
    Some(include_bytes!("../../assets/engines/pictures.network"))
}

/// The proof that the first player wins gomoku on 15 lines, if five or more win or, with `exact`, if exactly five win; `None` in the window of a page,
/// likewise.
pub fn gomoku_proof(exact: bool) -> Option<&'static [u8]> {
    #[cfg(all(target_arch = "wasm32", feature = "window"))]
    let _ = exact;
    #[cfg(all(target_arch = "wasm32", feature = "window"))]
    return None;
    #[cfg(not(all(target_arch = "wasm32", feature = "window")))]
    Some(if exact {
        include_bytes!("../../assets/proofs/gomoku-standard.tree")
    } else {
        include_bytes!("../../assets/proofs/gomoku-freestyle.tree")
    })
}

/// True if the data can be had here: inside the program, or from the source that a page has. Nothing is loaded.
pub fn can_be_had() -> bool {
    shipped::can_be_had()
}

#[cfg(not(target_arch = "wasm32"))]
mod shipped {
    pub(super) fn can_be_had() -> bool {
        true
    }

    pub(super) fn two_eat_one() -> Option<&'static [u8]> {
        Some(include_bytes!("../../assets/oracles/two-eat-one.outcomes"))
    }
}

#[cfg(target_arch = "wasm32")]
pub use shipped::set_source;

#[cfg(target_arch = "wasm32")]
mod shipped {
    use std::sync::OnceLock;

    /// The address of the file, relative to the page. It is in this number of parts, with a dot and the number of the part (from 0) behind the address.
    const TWO_EAT_ONE: &str = "data/two-eat-one.outcomes";
    const PARTS: usize = 8;

    static SOURCE: OnceLock<fn(&str, usize) -> Vec<u8>> = OnceLock::new();

    /// Says how a file is fetched by its address relative to the page and its number of parts. The window has no source: it asks its workers instead.
    pub fn set_source(source: fn(&str, usize) -> Vec<u8>) {
        // The first source stays.
        let _ = SOURCE.set(source);
    }

    pub(super) fn can_be_had() -> bool {
        SOURCE.get().is_some()
    }

    pub(super) fn two_eat_one() -> Option<&'static [u8]> {
        static DATA: OnceLock<Vec<u8>> = OnceLock::new();
        let source = SOURCE.get()?;
        Some(DATA.get_or_init(|| source(TWO_EAT_ONE, PARTS)))
    }
}
