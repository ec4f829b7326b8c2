//! A block of the file: strings, and games and deletions that use them by their numbers.

use super::head::{Head, Reader, number};
use crate::storage::crc32;
use std::collections::HashMap;
use std::ops::Range;

/// The bytes before the contents of a block: their length and their checksum.
pub(super) const BLOCK_HEAD: usize = 8;
const GAME: u8 = 1;
const DELETED: u8 = 2;

/// A block that is being filled.
#[derive(Default)]
pub(super) struct Batch {
    numbers: HashMap<String, u32>,
    strings: Vec<u8>,
    entries: Vec<u8>,
}

impl Batch {
    /// The number of a string, which is added if it is new.
    pub fn string(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.numbers.get(text) {
            return known;
        }
        let new = self.numbers.len() as u32;
        self.numbers.insert(text.to_owned(), new);
        number(&mut self.strings, text.len() as u32);
        self.strings.extend(text.as_bytes());
        new
    }

    /// Adds a game whose strings are those of this block.
    pub fn add(&mut self, head: &Head) {
        self.entries.push(GAME);
        head.write(&mut self.entries, |text| text);
    }

    /// Adds a game of another block.
    pub fn copy(&mut self, head: &Head, text_of: impl Fn(u32) -> String) {
        let mut entry = vec![GAME];
        head.write(&mut entry, |text| self.string(&text_of(text)));
        self.entries.extend(entry);
    }

    /// Adds a deletion.
    pub fn delete(&mut self, id: u64) {
        self.entries.push(DELETED);
        self.entries.extend(id.to_le_bytes());
    }

    /// The bytes so far.
    pub fn len(&self) -> usize {
        self.strings.len() + self.entries.len()
    }

    /// Appends the block to a file; nothing if it is empty.
    pub fn write(&self, file: &mut Vec<u8>) {
        if self.entries.is_empty() {
            return;
        }
        let mut contents = Vec::with_capacity(self.len() + 8);
        number(&mut contents, self.numbers.len() as u32);
        contents.extend_from_slice(&self.strings);
        contents.extend_from_slice(&self.entries);
        file.extend((contents.len() as u32).to_le_bytes());
        file.extend(crc32([&contents[..]]).to_le_bytes());
        file.extend(contents);
    }
}

/// An entry of a block: a game with the place of its bytes in the block, or a deletion.
pub(super) enum Entry {
    Game(u64, Range<usize>),
    Deleted(u64),
}

/// The places of the strings in a block, and its entries; `None` if it is damaged.
pub(super) fn read(contents: &[u8]) -> Option<(Vec<Range<usize>>, Vec<Entry>)> {
    let mut reader = Reader::new(contents);
    let count = reader.number()? as usize;
    let mut strings = Vec::with_capacity(count.min(contents.len()));
    for _ in 0..count {
        let length = reader.number()? as usize;
        let text = reader.take(length)?;
        std::str::from_utf8(text).ok()?;
        strings.push(reader.at - length..reader.at);
    }
    let mut entries = Vec::new();
    while !reader.is_at_end() {
        let kind = reader.take(1)?[0];
        let id = reader.take_long()?;
        entries.push(match kind {
            GAME => {
                let length = reader.number()? as usize;
                reader.take(length)?;
                Entry::Game(id, reader.at - length..reader.at)
            }
            DELETED => Entry::Deleted(id),
            _ => return None,
        });
    }
    Some((strings, entries))
}
