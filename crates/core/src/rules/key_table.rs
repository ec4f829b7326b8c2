//! Hash tables by keys of positions, which are random numbers already.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A table by keys of positions.
pub type KeyTable<T> = HashMap<u64, T, BuildHasherDefault<KeyHasher>>;

/// Uses a key as its own hash.
#[derive(Default)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
