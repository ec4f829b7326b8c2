//! Files of the user, outside of the program's own storage. On a desktop they have paths. A page is given single files, which are chosen, dropped or
//! pasted, and gives files by downloads; so there a path stands for such a file.

#[cfg(target_arch = "wasm32")]
pub mod page;

use qiju_core::record::{self, RecordError};
use std::io;
use std::path::Path;

/// The bytes of a file, or of the address of a game.
///
/// # Errors
/// The file cannot be read, or it is too long.
pub fn read(path: &Path) -> Result<Vec<u8>, RecordError> {
    #[cfg(target_arch = "wasm32")]
    if let Some(bytes) = page::taken(path) {
        return Ok(bytes);
    }
    record::bytes_of(path)
}

/// A link of [`record::Format::Link`] as it is given to the user: a page that is open gives its own address.
pub fn own_link(link: &str) -> String {
    let link = link.trim_end();
    #[cfg(target_arch = "wasm32")]
    if let (Some(address), Some(fragment)) = (page::address(), link.strip_prefix(record::PAGE)) {
        return address + fragment;
    }
    link.to_owned()
}

/// A letter as it is given to a friend: an address of the page in the settings, of the page that is open, or of the one the program was built for.
/// Without any it is a text to be pasted.
pub fn letter_link(link: &str, page: &str) -> String {
    let link = own_link(link);
    let Some((address, fragment)) = link.split_once('#') else { return link };
    let page = page.split('#').next().unwrap_or_default().trim();
    match page {
        "" if address == record::PAGE && address.contains(".example") => format!("#{fragment}"),
        "" => link,
        page if page.contains("://") => format!("{page}#{fragment}"),
        page => format!("https://{page}#{fragment}"),
    }
}

/// Writes a file as a whole. A page downloads it under the last part of its path.
///
/// # Errors
/// It cannot be written; then an old file is unchanged.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    #[cfg(target_arch = "wasm32")]
    return page::download(path, bytes.as_ref());
    #[cfg(not(target_arch = "wasm32"))]
    qiju_core::storage::replace_file(path, bytes)
}
