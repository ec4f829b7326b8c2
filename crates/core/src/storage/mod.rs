//! Saved data of the program: settings, the journal, records, lessons, results of the solver.
//!
//! A [`Storage`] holds named blobs of bytes. On the desktop it is [`Files`] in a folder; in a browser it is [`Logged`] with the browser's
//! database; [`Memory`] is for tests. A [`Blob`] is one name in one storage; the rest of the program uses blobs.
//! [`Faults`] lets any step of a storage fail, so that tests can check that nothing is lost.

#[cfg(target_arch = "wasm32")]
pub mod browser;
mod checksum;
mod faults;
mod files;
mod lines;
mod logged;
mod memory;

pub use checksum::crc32;
pub use faults::Faults;
pub use files::{Files, LARGEST_FILE, append_line, read_file, read_stream, replace_file};
pub use lines::{LineError, LineFormat, complete_lines};
pub use logged::{Batch, Database, LARGEST_ENTRY, Log, Logged};
pub use memory::Memory;

use crate::message::Message;
use std::any::Any;
use std::fmt;
use std::io;
use std::sync::Arc;
use web_time::{Duration, Instant};

/// The longest wait for a lock. Reading and writing a small file takes much less time.
const MOMENT: Duration = Duration::from_secs(1);

/// Named blobs of bytes. A name is relative, its parts are separated by `/`.
///
/// When a writing method returns `Ok`, the data is permanent, even if the power fails right after it. Otherwise
/// the old data is unchanged, with the exception described at [`append`](Storage::append).
///
/// A browser can promise less ([`Logged`]): what was acknowledged is there again after the page was closed or has crashed. After a power failure,
/// the last seconds may be missing, because the browser itself writes them later. A change above [`LARGEST_ENTRY`] bytes (a long import) is acknowledged
/// before it is permanent; [`waiting`](Storage::waiting) says so. The browser may delete everything if the user or a full disk makes it;
/// the export of all data keeps a copy elsewhere.
pub trait Storage: Send + Sync {
    /// The whole blob; `None` if there is none.
    ///
    /// # Errors
    /// It exists but cannot be read, or is larger than [`LARGEST_FILE`].
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>>;

    /// Replaces the blob (or creates it) by the joined parts. At any moment the complete old or new blob
    /// is there.
    ///
    /// # Errors
    /// It cannot be written.
    fn replace(&self, name: &str, parts: &[&[u8]]) -> io::Result<()>;

    /// Writes bytes after the first `at` bytes of a blob, which do not change; old bytes after `at` are lost.
    /// After an error or a crash only a part of the new bytes may be there; the call can be repeated.
    ///
    /// # Errors
    /// It cannot be written; `NotFound` if there is no such blob, `UnexpectedEof` if it is shorter than `at`.
    fn append(&self, name: &str, at: u64, bytes: &[u8]) -> io::Result<()>;

    /// The names of the blobs directly in a folder (`""` is the top folder), in order. A missing folder counts as empty.
    ///
    /// # Errors
    /// It cannot be read.
    fn list(&self, folder: &str) -> io::Result<Vec<String>>;

    /// Removes a blob; it is not an error if there is none.
    ///
    /// # Errors
    /// It cannot be removed.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// Copies a damaged blob to another name and returns that name. The blob itself stays until it is replaced (never
    /// appended to) or removed. Nothing is overwritten, and the same bytes are not copied twice.
    ///
    /// # Errors
    /// There is no such blob, or the second name cannot be written.
    fn keep_aside(&self, name: &str) -> io::Result<String>;

    /// Locks a name for this program until the value is dropped or the program ends, even by a crash. `None`
    /// if another program has locked it. The lock is advisory: reading and writing do not check it.
    ///
    /// # Errors
    /// The folder cannot be written.
    fn own(&self, name: &str) -> io::Result<Option<Owned>>;

    /// The blob's name in messages to the user.
    fn shown(&self, name: &str) -> String;

    /// What was acknowledged and is not permanent yet, to be shown to the player.
    fn waiting(&self) -> Waiting {
        Waiting::default()
    }
}

/// What keeps a storage from its promises; nothing of it on a desktop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// The number of blobs with changes that were acknowledged and are not permanent yet.
    pub blobs: usize,
    /// Why the database could not write. What was acknowledged is still in the log.
    pub fault: Option<Message>,
    /// Another page owns the data: nothing can be written here.
    pub elsewhere: bool,
}

/// A name that is locked by this program until this value is dropped.
pub struct Owned(#[expect(dead_code, reason = "it is held, not looked at")] Box<dyn Any + Send + Sync>);

impl fmt::Debug for Owned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Owned")
    }
}

/// One name in one storage.
#[derive(Clone)]
pub struct Blob {
    storage: Arc<dyn Storage>,
    name: String,
}

impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Blob({self})")
    }
}

/// The name in messages to the user.
impl fmt::Display for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.storage.shown(&self.name))
    }
}

impl Blob {
    /// The blob with this name, which does not have to exist yet.
    pub fn new(storage: Arc<dyn Storage>, name: impl Into<String>) -> Blob {
        Blob { storage, name: name.into() }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// See [`Storage::read`].
    ///
    /// # Errors
    /// The same as there.
    pub fn read(&self) -> io::Result<Option<Vec<u8>>> {
        self.storage.read(&self.name)
    }

    /// See [`Storage::replace`].
    ///
    /// # Errors
    /// The same as there.
    pub fn replace(&self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        self.storage.replace(&self.name, &[bytes.as_ref()])
    }

    /// See [`Storage::append`].
    ///
    /// # Errors
    /// The same as there.
    pub fn append(&self, at: u64, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        self.storage.append(&self.name, at, bytes.as_ref())
    }

    /// See [`Storage::remove`].
    ///
    /// # Errors
    /// The same as there.
    pub fn remove(&self) -> io::Result<()> {
        self.storage.remove(&self.name)
    }

    /// See [`Storage::keep_aside`]; returns the blob with the copy.
    ///
    /// # Errors
    /// The same as there.
    pub fn keep_aside(&self) -> io::Result<Blob> {
        let name = self.storage.keep_aside(&self.name)?;
        Ok(Blob { storage: self.storage.clone(), name })
    }

    /// See [`Storage::own`].
    ///
    /// # Errors
    /// The same as there.
    pub fn own(&self) -> io::Result<Option<Owned>> {
        self.storage.own(&self.name)
    }

    /// Locks the blob while it is read, changed and written, so that no other program's change is lost. It waits for another program,
    /// but not forever, because that program may be stopped.
    pub fn own_for_a_moment(&self) -> Option<Owned> {
        let until = Instant::now() + MOMENT;
        loop {
            match self.own() {
                // In a browser nobody else works while this waits.
                Ok(None) if !cfg!(target_arch = "wasm32") && Instant::now() < until => {
                    std::thread::sleep(Duration::from_millis(5))
                }
                // If it cannot be locked it cannot be written either; writing reports the reason.
                owned => return owned.ok().flatten(),
            }
        }
    }
}

/// The names that are directly in a folder, of all names in order.
fn names_in<'a>(names: impl Iterator<Item = &'a String>, folder: &str) -> Vec<String> {
    let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let is_in = |name: &&String| name.strip_prefix(&prefix).is_some_and(|rest| !rest.contains('/'));
    names.filter(is_in).cloned().collect()
}

/// The name of the copy of a damaged blob, by number from 1.
fn aside_name(name: &str, number: u32) -> String {
    format!("{name}.damaged-{number}")
}

#[cfg(test)]
mod tests;
