//! The work of makers: what is proven and what is tried first, in a file that survives a kill. One file serves all positions of a rule and a board.
//!
//! The file begins with a line that says what it holds. Then come records of 16 bytes: the hash of the position (8 bytes), the place and what it is (2),
//! the winner's stones with its five, at most, in the run that found it (2), and a checksum (CRC-32). An incomplete or damaged end is
//! cut off when the file is opened again.

use qiju_core::games::gomoku::proof::key::{Key, Place};
use qiju_core::games::gomoku::proof::tree::Tree;
use qiju_core::storage::crc32;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// What is known of a position with the winner to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// This move wins. It is a place of the kept position (see `key` in core).
    Won(Place),
    /// Nothing is proven, but this move was chosen to be tried first, as a place of the kept position. It spares a long search after a restart.
    Chosen(Place),
    /// This move wins, but with more moves than are allowed. It is tried first.
    Longer(Place),
}

/// Why work cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// The file cannot be read or written.
    #[error("{0}")]
    Failed(#[from] io::Error),
    /// It is something else, or the work on another game.
    #[error("it is not the work on {0}")]
    Other(String),
    /// Another run uses it.
    #[error("another run uses it")]
    Busy,
}

const RECORD: usize = 16;
const CHOSEN: u16 = 1 << 15;
/// The winner's stones in a run that may find wins of any length.
pub const ANY_STONES: u16 = u16::MAX;

/// The work so far, shared by all threads.
pub struct Work(Mutex<Inner>);

struct Inner {
    /// The winner's stones with its five, at most. An answer of a run with more stones does not count; one of a run with fewer does.
    most: u16,
    known: HashMap<u64, Known>,
    /// Trees made before. Their answers are known too, but are not written into the file.
    trees: Vec<Tree>,
    file: Option<File>,
    won: u64,
    /// The first error of a write; nothing is written after it.
    error: Option<io::Error>,
}

fn record(hash: u64, known: Known, most: u16) -> [u8; RECORD] {
    let code = match known {
        Known::Won(place) | Known::Longer(place) => place,
        Known::Chosen(place) => CHOSEN | place,
    };
    let mut bytes = [0; RECORD];
    bytes[..8].copy_from_slice(&hash.to_le_bytes());
    bytes[8..10].copy_from_slice(&code.to_le_bytes());
    bytes[10..12].copy_from_slice(&most.to_le_bytes());
    let sum = crc32([&bytes[..12]]);
    bytes[12..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

fn read_record(bytes: &[u8]) -> Option<(u64, Known, u16)> {
    let (body, sum) = bytes.split_at_checked(12)?;
    if crc32([body]).to_le_bytes() != *sum {
        return None;
    }
    let hash = u64::from_le_bytes(body[..8].try_into().ok()?);
    let code = u16::from_le_bytes(body[8..10].try_into().ok()?);
    let most = u16::from_le_bytes(body[10..12].try_into().ok()?);
    Some((hash, if code & CHOSEN == 0 { Known::Won(code) } else { Known::Chosen(code & !CHOSEN) }, most))
}

impl Work {
    /// Work that is kept in memory only.
    pub fn in_memory() -> Work {
        Work(Mutex::new(Inner::new(ANY_STONES)))
    }

    /// Opens or creates the file with the work on a variant. `title` names it in one line. In this run the winner has `most` stones with its five, at most.
    ///
    /// # Errors
    /// The file cannot be opened, holds something else, or is used by another run.
    pub fn open(path: &Path, title: &str, most: u16) -> Result<Work, Unusable> {
        let mut file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
        file.try_lock().map_err(|_| Unusable::Busy)?;
        let line = format!("qiju proof 2 {title}\n");
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        if bytes.len() < line.len() && line.as_bytes().starts_with(&bytes) {
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(line.as_bytes())?;
            bytes = line.clone().into_bytes();
        }
        let records = bytes.strip_prefix(line.as_bytes()).ok_or_else(|| Unusable::Other(title.to_owned()))?;
        let mut inner = Inner::new(most);
        let mut whole = line.len();
        for bytes in records.chunks(RECORD) {
            let Some((hash, known, stones)) = read_record(bytes) else { break };
            inner.enter(
                hash,
                match known {
                    Known::Won(place) if stones > most => Known::Longer(place),
                    known => known,
                },
            );
            whole += RECORD;
        }
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::Start(whole as u64))?;
        inner.file = Some(file);
        Ok(Work(Mutex::new(inner)))
    }

    fn with<T>(&self, task: impl FnOnce(&mut Inner) -> T) -> T {
        task(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes the answers of a tree over.
    pub fn take_over(&self, tree: Tree) {
        self.with(|inner| {
            inner.won += tree.len() as u64;
            inner.trees.push(tree);
        });
    }

    /// What is known of a position from which the winner has so many moves at most. An answer of a tree that takes more is not known.
    pub fn known(&self, hash: u64, left: u16) -> Option<Known> {
        self.with(|inner| inner.known(hash, left))
    }

    /// The moves that the winner needs from a position at most, by the tree that needs the fewest.
    pub fn tree_moves(&self, hash: u64) -> Option<u16> {
        let kept = Key { hash, symmetry: 0 };
        self.with(|inner| inner.trees.iter().filter_map(|tree| tree.answer(kept)).map(|answer| answer.moves).min())
    }

    /// The number of positions with an answer; one that a tree has as well counts twice.
    pub fn won(&self) -> u64 {
        self.with(|inner| inner.won)
    }

    /// Adds what was found. An answer is never replaced.
    pub fn add(&self, hash: u64, known: Known) {
        self.with(|inner| {
            // What took too long was found by another run, and is in the file.
            if !inner.enter(hash, known) || inner.error.is_some() || matches!(known, Known::Longer(_)) {
                return;
            }
            let most = inner.most;
            if let Some(file) = &mut inner.file {
                inner.error = file.write_all(&record(hash, known, most)).err();
            }
        });
    }

    /// Makes everything added so far permanent.
    ///
    /// # Errors
    /// It could not be written, now or before.
    pub fn sync(&self) -> io::Result<()> {
        self.with(|inner| match (inner.error.take(), &inner.file) {
            (Some(error), _) => Err(error),
            (None, Some(file)) => file.sync_data(),
            (None, None) => Ok(()),
        })
    }
}

impl Inner {
    fn new(most: u16) -> Inner {
        Inner { most, known: HashMap::new(), trees: Vec::new(), file: None, won: 0, error: None }
    }

    fn known(&self, hash: u64, left: u16) -> Option<Known> {
        match self.known.get(&hash) {
            Some(won @ Known::Won(_)) => Some(*won),
            other => {
                let kept = Key { hash, symmetry: 0 };
                let answer = self.trees.iter().find_map(|tree| tree.answer(kept).filter(|answer| answer.moves <= left));
                answer.map(|answer| Known::Won(answer.place)).or(other.copied())
            }
        }
    }

    /// True if this is new.
    fn enter(&mut self, hash: u64, known: Known) -> bool {
        let new = match (self.known(hash, 0), known) {
            (Some(Known::Won(_)), _) => false,
            (Some(Known::Chosen(before)), Known::Chosen(now)) => now != before,
            _ => true,
        };
        if new {
            self.won += u64::from(matches!(known, Known::Won(_)));
            self.known.insert(hash, known);
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const TITLE: &str = "freestyle somewhere";

    fn reopened(path: &Path) -> Work {
        Work::open(path, TITLE, ANY_STONES).unwrap()
    }

    #[test]
    fn a_torn_or_damaged_end_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("work");
        let work = reopened(&path);
        for number in 0..5 {
            work.add(number, if number % 2 == 0 { Known::Won(number as Place) } else { Known::Chosen(number as Place) });
        }
        work.sync().unwrap();
        drop(work);
        let whole = fs::read(&path).unwrap();
        let start = whole.len() - 5 * RECORD;
        for end in 0..whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            let work = reopened(&path);
            let records = end.saturating_sub(start) / RECORD;
            assert_eq!(work.won(), records.div_ceil(2) as u64, "{end} bytes");
            for number in 0..5 {
                assert_eq!(work.known(number, 1).is_some(), (number as usize) < records, "{end} bytes");
            }
            work.add(77, Known::Won(3));
            drop(work);
            assert_eq!(reopened(&path).known(77, 1), Some(Known::Won(3)), "{end} bytes");
        }
        for at in start..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 16;
            fs::write(&path, bytes).unwrap();
            let work = reopened(&path);
            let kept = (at - start) / RECORD;
            (0..5).for_each(|number| assert_eq!(work.known(number, 1).is_some(), (number as usize) < kept, "byte {at}"));
        }
    }

    #[test]
    fn an_answer_stays_and_a_choice_may_change() {
        let work = Work::in_memory();
        work.add(1, Known::Chosen(2));
        work.add(1, Known::Chosen(1));
        assert_eq!((work.known(1, 1), work.won()), (Some(Known::Chosen(1)), 0));
        work.add(1, Known::Won(9));
        work.add(1, Known::Chosen(7));
        work.add(1, Known::Won(8));
        assert_eq!((work.known(1, 1), work.won(), work.known(2, 1)), (Some(Known::Won(9)), 1, None));
    }

    #[test]
    fn an_answer_of_a_run_with_more_stones_does_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("work");
        let opened = |most| Work::open(&path, TITLE, most).unwrap();
        let runs =
            [(30, 1, Known::Won(7)), (29, 2, Known::Won(8)), (ANY_STONES, 3, Known::Won(9)), (ANY_STONES, 4, Known::Chosen(5))];
        for (most, number, known) in runs {
            opened(most).add(number, known);
        }
        let kept = |most| {
            let work = opened(most);
            [1, 2, 3, 4].map(|number| work.known(number, 1).unwrap())
        };
        let [longer, won, chosen] = [Known::Longer, Known::Won, Known::Chosen];
        assert_eq!(kept(28), [longer(7), longer(8), longer(9), chosen(5)]);
        assert_eq!(kept(29), [longer(7), won(8), longer(9), chosen(5)]);
        assert_eq!(kept(30), [won(7), won(8), longer(9), chosen(5)]);
        assert_eq!(kept(ANY_STONES), [won(7), won(8), won(9), chosen(5)]);
        assert_eq!([28, 29, 30, ANY_STONES].map(|most| opened(most).won()), [0, 1, 2, 3]);
        // What does not count is found again, and then it does.
        opened(29).add(1, Known::Won(6));
        assert_eq!(opened(29).known(1, 1), Some(Known::Won(6)));
        assert_eq!(opened(30).known(1, 1), Some(Known::Won(7)));
    }

    #[test]
    fn other_files_are_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("work");
        let first = reopened(&path);
        assert!(matches!(Work::open(&path, TITLE, ANY_STONES), Err(Unusable::Busy)));
        drop(first);
        assert_eq!(Work::open(&path, "standard", ANY_STONES).err().unwrap().to_string(), "it is not the work on standard");
        fs::write(&path, "a letter that has nothing to do with it").unwrap();
        assert!(matches!(Work::open(&path, TITLE, ANY_STONES), Err(Unusable::Other(_))));
        assert!(fs::read_to_string(&path).unwrap().starts_with("a letter"));
    }
}
