//! A storage in memory: for tests, and for platforms without a disk.

use super::{Faults, Owned, Storage, aside_name};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug, Default)]
struct State {
    blobs: BTreeMap<String, Vec<u8>>,
    owned: BTreeSet<String>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Blobs in memory. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    shared: Arc<Shared>,
    faults: Option<Faults>,
}

impl Memory {
    /// The same blobs with injected faults.
    pub fn with_faults(&self, faults: Faults) -> Memory {
        Memory { shared: self.shared.clone(), faults: Some(faults) }
    }

    fn step(&self, length: usize) -> (usize, io::Result<()>) {
        self.faults.as_ref().map_or((length, Ok(())), |faults| faults.step(length))
    }
}

/// Unlocks a name when it is dropped.
struct Release(Arc<Shared>, String);

impl Drop for Release {
    fn drop(&mut self) {
        self.0.lock().owned.remove(&self.1);
    }
}

impl Storage for Memory {
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        Ok(self.shared.lock().blobs.get(name).cloned())
    }

    fn replace(&self, name: &str, parts: &[&[u8]]) -> io::Result<()> {
        self.step(0).1?;
        self.shared.lock().blobs.insert(name.to_owned(), parts.concat());
        Ok(())
    }

    fn append(&self, name: &str, at: u64, bytes: &[u8]) -> io::Result<()> {
        let mut state = self.shared.lock();
        let blob = state.blobs.get_mut(name).ok_or(io::ErrorKind::NotFound)?;
        let at = usize::try_from(at).ok().filter(|at| *at <= blob.len()).ok_or(io::ErrorKind::UnexpectedEof)?;
        let (written, done) = self.step(bytes.len());
        blob.truncate(at);
        blob.extend_from_slice(&bytes[..written]);
        done
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        Ok(super::names_in(self.shared.lock().blobs.keys(), folder))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.step(0).1?;
        self.shared.lock().blobs.remove(name);
        Ok(())
    }

    fn keep_aside(&self, name: &str) -> io::Result<String> {
        self.step(0).1?;
        let mut state = self.shared.lock();
        let bytes = state.blobs.get(name).cloned().ok_or(io::ErrorKind::NotFound)?;
        let free = |aside: &String| state.blobs.get(aside).is_none_or(|kept| *kept == bytes);
        let aside = (1..).map(|number| aside_name(name, number)).find(free).expect("there is always a further number");
        state.blobs.insert(aside.clone(), bytes);
        Ok(aside)
    }

    fn own(&self, name: &str) -> io::Result<Option<Owned>> {
        if !self.shared.lock().owned.insert(name.to_owned()) {
            return Ok(None);
        }
        Ok(Some(Owned(Box::new(Release(self.shared.clone(), name.to_owned())))))
    }

    fn shown(&self, name: &str) -> String {
        name.to_owned()
    }
}
