//! A storage for a place that has a database which answers later, and a small log that is written at once: a browser. The blobs are in memory.
//!
//! Every change is written to the log before it is acknowledged. So what was acknowledged is there again after the page was closed or has crashed. The
//! changed blobs then go to the database, together with the number of the last change in one transaction; when the database has said that they are
//! permanent, their changes are removed from the log. When a page is opened, changes of the log that the database does not have yet
//! are made again.
//!
//! A change that is too large for the log is acknowledged before it is permanent. [`Storage::waiting`] says so until the database has it.

use super::{Owned, Storage, Waiting, aside_name, crc32};
use crate::message;
use crate::message::Message;
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A change with more bytes goes to the database without the log, which has room for some megabytes.
pub const LARGEST_ENTRY: usize = 512 << 10;

/// A log of numbered texts. What it has written stays, also if the program ends right after it.
pub trait Log: Send + Sync {
    /// The entries, in any order.
    ///
    /// # Errors
    /// The log cannot be read.
    fn entries(&self) -> io::Result<Vec<(u64, String)>>;

    /// Adds an entry.
    ///
    /// # Errors
    /// There is no room for it; then the log is as before.
    fn add(&self, number: u64, entry: &str) -> io::Result<()>;

    /// Removes an entry, if it is there.
    fn remove(&self, number: u64);
}

/// What a database holds, and what is to be written to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The blobs by name; `None` is to be removed.
    pub blobs: BTreeMap<String, Option<Vec<u8>>>,
    /// The number of the last change of the log that is in them.
    pub last: u64,
}

/// A database that writes in the background.
pub trait Database: Send + Sync {
    /// Begins to write a batch, all of it or nothing. The earlier batch has been finished.
    fn begin(&self, batch: Batch);

    /// Whether the batch is permanent, or why it could not be written; `None` while it is being written. A result is told once.
    fn poll(&self) -> Option<io::Result<()>>;
}

/// A change of a blob.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Change<'a> {
    Replace(&'a str, Vec<u8>),
    Append(&'a str, usize, Vec<u8>),
    Remove(&'a str),
}

impl Change<'_> {
    fn name(&self) -> &str {
        match self {
            Change::Replace(name, _) | Change::Append(name, ..) | Change::Remove(name) => name,
        }
    }

    fn length(&self) -> usize {
        match self {
            Change::Replace(_, bytes) | Change::Append(_, _, bytes) => bytes.len(),
            Change::Remove(_) => 0,
        }
    }

    /// `CHECKSUM = NAME`, `CHECKSUM + AT NAME` or `CHECKSUM - NAME`, and the bytes on another line.
    fn write(&self) -> String {
        let bytes = |bytes: &[u8]| STANDARD_NO_PAD.encode(bytes);
        let text = match self {
            Change::Replace(name, new) => format!("= {name}\n{}", bytes(new)),
            Change::Append(name, at, new) => format!("+ {at} {name}\n{}", bytes(new)),
            Change::Remove(name) => format!("- {name}\n"),
        };
        format!("{:08x} {text}", crc32([text.as_bytes()]))
    }

    /// `None` if the entry is damaged.
    fn read(entry: &str) -> Option<Change<'_>> {
        let (sum, text) = entry.split_at_checked(8)?;
        let text = text.strip_prefix(' ')?;
        if u32::from_str_radix(sum, 16) != Ok(crc32([text.as_bytes()])) {
            return None;
        }
        let (head, bytes) = text.split_once('\n')?;
        let bytes = STANDARD_NO_PAD.decode(bytes).ok()?;
        let (kind, rest) = head.split_once(' ')?;
        match kind {
            "=" => Some(Change::Replace(rest, bytes)),
            "+" => {
                let (at, name) = rest.split_once(' ')?;
                Some(Change::Append(name, at.parse().ok()?, bytes))
            }
            "-" => Some(Change::Remove(rest)),
            _ => None,
        }
    }

    /// Makes the change.
    ///
    /// # Errors
    /// The blob does not have the bytes after which is written.
    fn make(self, blobs: &mut BTreeMap<String, Vec<u8>>) -> io::Result<()> {
        match self {
            Change::Replace(name, bytes) => drop(blobs.insert(name.to_owned(), bytes)),
            Change::Append(name, at, bytes) => {
                let blob = blobs.get_mut(name).ok_or(io::ErrorKind::NotFound)?;
                if blob.len() < at {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                blob.truncate(at);
                blob.extend_from_slice(&bytes);
            }
            Change::Remove(name) => drop(blobs.remove(name)),
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
struct State {
    blobs: BTreeMap<String, Vec<u8>>,
    /// The number of the last change.
    last: u64,
    /// Blobs that differ from those in the database, and are not being written.
    changed: BTreeSet<String>,
    /// Blobs that are being written, and the last change in them.
    writing: Option<(BTreeSet<String>, u64)>,
    /// Blobs with a change that is in memory only, until the database has it.
    unlogged: BTreeSet<String>,
    /// Entries in the log.
    logged: BTreeSet<u64>,
    /// Why the database could not write.
    fault: Option<Message>,
    owned: BTreeSet<String>,
}

/// Blobs in memory that are kept by a log and a database. Clones share them.
#[derive(Debug)]
pub struct Logged<L, D> {
    state: Arc<Mutex<State>>,
    log: L,
    database: Arc<D>,
    /// False where another page owns the data: nothing is written here.
    is_owner: bool,
}

impl<L: Clone, D> Clone for Logged<L, D> {
    fn clone(&self) -> Self {
        Logged { state: self.state.clone(), log: self.log.clone(), database: self.database.clone(), is_owner: self.is_owner }
    }
}

impl<L: Log, D: Database> Logged<L, D> {
    /// The data of a database, completed from the log. If another page owns them, they can only be read. The second value is the number of damaged
    /// entries of the log; they stay there.
    ///
    /// # Errors
    /// The log cannot be read.
    pub fn open(found: Batch, log: L, database: D, is_owner: bool) -> io::Result<(Logged<L, D>, usize)> {
        let mut entries = log.entries()?;
        entries.sort();
        let mut state = State { last: found.last, ..State::default() };
        state.blobs = found.blobs.into_iter().filter_map(|(name, bytes)| Some((name, bytes?))).collect();
        let mut damaged = 0;
        for (number, entry) in entries {
            let Some(change) = Change::read(&entry) else {
                damaged += 1;
                state.last = state.last.max(number);
                continue;
            };
            if number <= found.last {
                // The page was closed before it could be removed.
                if is_owner {
                    log.remove(number);
                }
            } else {
                state.logged.insert(number);
                state.last = state.last.max(number);
                let name = change.name().to_owned();
                // What is appended to a blob that was lost is of no use.
                if change.make(&mut state.blobs).is_ok() {
                    state.changed.insert(name);
                }
            }
        }
        let logged = Logged { state: Arc::new(Mutex::new(state)), log, database: Arc::new(database), is_owner };
        logged.work();
        Ok((logged, damaged))
    }

    /// The same blobs with another way to the same log, for tests.
    #[cfg(test)]
    pub(super) fn with_log(&self, log: L) -> Logged<L, D> {
        Logged { state: self.state.clone(), log, database: self.database.clone(), is_owner: self.is_owner }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the database's answer, and has it write what has changed since.
    pub fn work(&self) {
        if !self.is_owner {
            return;
        }
        let mut state = self.lock();
        let state = &mut *state;
        if let Some((names, last)) = state.writing.take() {
            match self.database.poll() {
                None => state.writing = Some((names, last)),
                Some(Ok(())) => {
                    let done: Vec<u64> = state.logged.range(..=last).copied().collect();
                    for number in done {
                        self.log.remove(number);
                        state.logged.remove(&number);
                    }
                    state.unlogged.retain(|name| !names.contains(name) || state.changed.contains(name));
                    state.fault = None;
                }
                Some(Err(error)) => {
                    state.fault = Some(Message::from(&error));
                    state.changed.extend(names);
                    // It is tried again with the next change or by the next call.
                    return;
                }
            }
        }
        // An entry of the log that changes nothing is removed in the same way.
        if state.writing.is_none() && !(state.changed.is_empty() && state.logged.is_empty()) {
            let names = std::mem::take(&mut state.changed);
            let blobs = names.iter().map(|name| (name.clone(), state.blobs.get(name).cloned())).collect();
            state.writing = Some((names, state.last));
            self.database.begin(Batch { blobs, last: state.last });
        }
    }

    /// Writes a change to the log, makes it, and has the database write it.
    fn make(&self, change: Change) -> io::Result<()> {
        if !self.is_owner {
            return Err(io::Error::new(
                io::ErrorKind::ResourceBusy,
                message!("Qiju is open in another tab, which keeps the data"),
            ));
        }
        self.work();
        {
            let mut state = self.lock();
            if let Change::Append(name, at, _) = &change {
                // It is checked before it is in the log.
                let blob = state.blobs.get(*name).ok_or(io::ErrorKind::NotFound)?;
                if blob.len() < *at {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            let name = change.name().to_owned();
            // A change of a blob that the log does not have whole is of no use there.
            if change.length() > LARGEST_ENTRY || state.unlogged.contains(&name) && !matches!(change, Change::Replace(..)) {
                state.unlogged.insert(name.clone());
            } else {
                let number = state.last + 1;
                self.log.add(number, &change.write())?;
                state.last = number;
                state.logged.insert(number);
                state.unlogged.remove(&name);
            }
            change.make(&mut state.blobs)?;
            state.changed.insert(name);
        }
        self.work();
        Ok(())
    }
}

/// Unlocks a name when it is dropped.
struct Release(Arc<Mutex<State>>, String);

impl Drop for Release {
    fn drop(&mut self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).owned.remove(&self.1);
    }
}

impl<L: Log, D: Database> Storage for Logged<L, D> {
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        Ok(self.lock().blobs.get(name).cloned())
    }

    fn replace(&self, name: &str, parts: &[&[u8]]) -> io::Result<()> {
        self.make(Change::Replace(name, parts.concat()))
    }

    fn append(&self, name: &str, at: u64, bytes: &[u8]) -> io::Result<()> {
        let at = usize::try_from(at).map_err(|_| io::ErrorKind::UnexpectedEof)?;
        self.make(Change::Append(name, at, bytes.to_vec()))
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let state = self.lock();
        Ok(super::names_in(state.blobs.keys(), folder))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        if self.lock().blobs.contains_key(name) { self.make(Change::Remove(name)) } else { Ok(()) }
    }

    fn keep_aside(&self, name: &str) -> io::Result<String> {
        let bytes = self.read(name)?.ok_or(io::ErrorKind::NotFound)?;
        let aside = {
            let state = self.lock();
            let free = |aside: &String| state.blobs.get(aside).is_none_or(|kept| *kept == bytes);
            (1..).map(|number| aside_name(name, number)).find(free).expect("there is always a further number")
        };
        if self.read(&aside)?.is_none() {
            self.make(Change::Replace(&aside, bytes))?;
        }
        Ok(aside)
    }

    fn own(&self, name: &str) -> io::Result<Option<Owned>> {
        if !self.is_owner || !self.lock().owned.insert(name.to_owned()) {
            return Ok(None);
        }
        Ok(Some(Owned(Box::new(Release(self.state.clone(), name.to_owned())))))
    }

    fn shown(&self, name: &str) -> String {
        name.to_owned()
    }

    fn waiting(&self) -> Waiting {
        let state = self.lock();
        Waiting { blobs: state.unlogged.len(), fault: state.fault.clone(), elsewhere: !self.is_owner }
    }
}

#[cfg(test)]
pub(super) mod tests;
