//! ElephantEye's `BOOK.DAT`: records of eight bytes, the position's key (four bytes, see `keys.rs`), the move (its start and its target) and its weight (two
//! bytes), all with the lowest byte first and in order of the keys. A position stands there as it is or mirrored.

use super::entry::{BookEdit, BookMove};
use super::keys::{ELEPHANT, bytes_of, mirrored, step};
use super::pages::Pages;
use crate::message;
use crate::message::Message;
use crate::table::Table;

/// Bytes of a record.
const RECORD: usize = 8;

/// The key of a position, the bytes of a move, and its weight.
type Entry = (u32, (u8, u8), u16);

/// A whole book.
#[derive(Clone)]
pub struct Elephant(Vec<Entry>);

impl Elephant {
    /// Reads a file.
    ///
    /// # Errors
    /// It is cut off, or its records are not in order.
    pub fn read(bytes: &[u8]) -> Result<Elephant, Message> {
        let (records, rest) = bytes.as_chunks::<RECORD>();
        if !rest.is_empty() {
            return Err(message!(
                "byte {}: a record of the book has {} bytes, and this one is cut off",
                bytes.len() - rest.len(),
                RECORD
            ));
        }
        let entry = |record: &[u8; RECORD]| {
            let [a, b, c, d, from, to, low, high] = *record;
            (u32::from_le_bytes([a, b, c, d]), (from, to), u16::from_le_bytes([low, high]))
        };
        let entries: Vec<Entry> = records.iter().map(entry).collect();
        if let Some(at) = entries.windows(2).position(|pair| pair[0].0 > pair[1].0) {
            return Err(message!("byte {}: the records are not in order, so this is no book of ElephantEye", (at + 1) * RECORD));
        }
        Ok(Elephant(entries))
    }

    /// A book with what pages have.
    ///
    /// # Errors
    /// They are of another game.
    pub fn of(pages: &Pages) -> Result<Elephant, Message> {
        let mut entries = Vec::new();
        pages.each(&mut |table, moves| {
            let [key, mirror] = ELEPHANT.of(table);
            for one in moves.iter().filter(|one| !one.shunned && one.score > 0) {
                let Some(bytes) = bytes_of(one.action) else { continue };
                let weight = u16::try_from(one.score).unwrap_or(u16::MAX);
                entries.push((key, bytes, weight));
                // ElephantEye itself lists both moves of a position that is its own image.
                let image = bytes_of(mirrored(one.action)).filter(|image| key == mirror && *image != bytes);
                entries.extend(image.map(|image| (key, image, weight)));
            }
            Ok(())
        })?;
        entries.sort_unstable();
        entries.dedup_by_key(|(key, bytes, _)| (*key, *bytes));
        Ok(Elephant(entries))
    }

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        let record = |(key, (from, to), weight): &Entry| {
            let ([a, b, c, d], [low, high]) = (key.to_le_bytes(), weight.to_le_bytes());
            [a, b, c, d, *from, *to, low, high]
        };
        self.0.iter().flat_map(record).collect()
    }

    /// The moves with a key.
    fn with(&self, key: u32) -> std::ops::Range<usize> {
        self.0.partition_point(|entry| entry.0 < key)..self.0.partition_point(|entry| entry.0 <= key)
    }

    /// The moves of a position and of its mirror image.
    pub fn moves(&self, table: &dyn Table) -> Vec<BookMove> {
        let [key, mirror] = ELEPHANT.of(table);
        let read = |(_, (from, to), weight): &Entry| Some(BookMove::new(step(*from, *to)?, i32::from(*weight)));
        let own = self.0[self.with(key)].iter().filter_map(read);
        let image = self.0[self.with(mirror)].iter().filter_map(read).filter(|_| key != mirror);
        own.chain(image.map(|one| BookMove { action: mirrored(one.action), ..one })).collect()
    }

    /// Changes a move.
    ///
    /// # Errors
    /// The format cannot hold the score.
    pub fn edit(&mut self, table: &dyn Table, edit: &BookEdit) -> Result<(), Message> {
        let [key, mirror] = ELEPHANT.of(table);
        let action = edit.action();
        let (Some(bytes), Some(image)) = (bytes_of(action), bytes_of(mirrored(action))) else { return Ok(()) };
        // On a board that is its own image the image of the move is another one.
        let is_it = |entry: &Entry| (entry.0, entry.1) == (key, bytes) || key != mirror && (entry.0, entry.1) == (mirror, image);
        let BookEdit::Put(put) = edit else {
            self.0.retain(|entry| !is_it(entry));
            return Ok(());
        };
        let weight = if put.shunned { 0 } else { put.score };
        let weight = u16::try_from(weight).map_err(|_| message!("a score of this book is 0 to {}, not {}", u16::MAX, weight))?;
        match self.0.iter_mut().find(|entry| is_it(entry)) {
            Some(entry) => entry.2 = weight,
            None => {
                let end = self.with(key).end;
                self.0.insert(end, (key, bytes, weight));
            }
        }
        Ok(())
    }
}
