//! Where the program keeps what must outlive it: settings, the journal, records, lessons, the solver's work.
//!
//! A [`Storage`] holds blobs of bytes by name. On the desktop it is [`Files`] below a folder; [`Memory`] keeps nothing beyond
//! the program and serves tests. A [`Blob`] is one name in one storage, which is what the rest of the program passes around.
//! [`Faults`] makes any step of a storage fail, so that tests can ask what is still there afterwards.

mod faults;
mod files;
mod memory;

pub use faults::Faults;
pub use files::{Files, LARGEST_FILE, append_line, read_file, read_stream, replace_file};
pub use memory::Memory;

use std::any::Any;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Longer than any program needs to read and write a small file.
const MOMENT: Duration = Duration::from_secs(1);

/// Blobs of bytes by name. A name is relative, its parts divided by `/`.
///
/// Every writing method has either succeeded for good when it returns `Ok` (a power cut a moment later takes nothing back), or has
/// left what was there before, with the one exception that [`append`](Storage::append) names.
pub trait Storage: Send + Sync {
    /// The whole blob; `None` where there is none.
    ///
    /// # Errors
    /// It is there and cannot be read, or is larger than [`LARGEST_FILE`].
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>>;

    /// Puts the parts, joined, in place of the blob, which need not exist. Whatever happens, the old or the new one is there,
    /// whole.
    ///
    /// # Errors
    /// It cannot be written.
    fn replace(&self, name: &str, parts: &[&[u8]]) -> io::Result<()>;

    /// Writes bytes behind the first `at` bytes of a blob, which stay as they are; what stood behind them is gone.
    /// After an error or a crash there may be any beginning of the bytes behind `at`, and the call may be repeated.
    ///
    /// # Errors
    /// It cannot be written; `NotFound` where there is no such blob, `UnexpectedEof` where it is shorter than `at`.
    fn append(&self, name: &str, at: u64, bytes: &[u8]) -> io::Result<()>;

    /// The names of the blobs directly below a folder (`""` is the uppermost), in order. A folder that is not there is empty.
    ///
    /// # Errors
    /// It cannot be read.
    fn list(&self, folder: &str) -> io::Result<Vec<String>>;

    /// Removes a blob; one that is not there is no error.
    ///
    /// # Errors
    /// It cannot be removed.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// Keeps a damaged blob under a further name as well, and gives that name. The blob itself stays until it is replaced (never
    /// appended to) or removed. Nothing is overwritten, and bytes that are kept already are not kept twice.
    ///
    /// # Errors
    /// There is no such blob, or the second name cannot be written.
    fn keep_aside(&self, name: &str) -> io::Result<String>;

    /// Makes this program the only owner of a name until the value is dropped or the program ends, however it ends. `None`
    /// where another owns it. Only who asks is kept out: reading and writing do not ask.
    ///
    /// # Errors
    /// The place cannot be written at all.
    fn own(&self, name: &str) -> io::Result<Option<Owned>>;

    /// The blob's name as a message to the user gives it.
    fn shown(&self, name: &str) -> String;
}

/// A name that belongs to this program until this is dropped.
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

/// The name as a message to the user gives it.
impl fmt::Display for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.storage.shown(&self.name))
    }
}

impl Blob {
    /// The blob of this name, which need not exist yet.
    pub fn new(storage: Arc<dyn Storage>, name: impl Into<String>) -> Blob {
        Blob { storage, name: name.into() }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// As [`Storage::read`].
    ///
    /// # Errors
    /// As there.
    pub fn read(&self) -> io::Result<Option<Vec<u8>>> {
        self.storage.read(&self.name)
    }

    /// As [`Storage::replace`].
    ///
    /// # Errors
    /// As there.
    pub fn replace(&self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        self.storage.replace(&self.name, &[bytes.as_ref()])
    }

    /// As [`Storage::append`].
    ///
    /// # Errors
    /// As there.
    pub fn append(&self, at: u64, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        self.storage.append(&self.name, at, bytes.as_ref())
    }

    /// As [`Storage::remove`].
    ///
    /// # Errors
    /// As there.
    pub fn remove(&self) -> io::Result<()> {
        self.storage.remove(&self.name)
    }

    /// As [`Storage::keep_aside`]; gives the blob under which the bytes are kept.
    ///
    /// # Errors
    /// As there.
    pub fn keep_aside(&self) -> io::Result<Blob> {
        let name = self.storage.keep_aside(&self.name)?;
        Ok(Blob { storage: self.storage.clone(), name })
    }

    /// As [`Storage::own`].
    ///
    /// # Errors
    /// As there.
    pub fn own(&self) -> io::Result<Option<Owned>> {
        self.storage.own(&self.name)
    }

    /// Owns the blob while it is read, changed and written, so that no other program's change is lost. Another owner is waited for,
    /// but not for ever: one that was halted must not halt us.
    pub fn own_for_a_moment(&self) -> Option<Owned> {
        let until = Instant::now() + MOMENT;
        loop {
            match self.own() {
                Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(5)),
                // Where it cannot be owned it cannot be written either, and writing says why.
                owned => return owned.ok().flatten(),
            }
        }
    }
}

/// The name under which damaged bytes are kept, by number from 1.
fn aside_name(name: &str, number: u32) -> String {
    format!("{name}.damaged-{number}")
}

#[cfg(test)]
mod tests;
