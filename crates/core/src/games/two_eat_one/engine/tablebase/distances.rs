//! Exact distances on disk: computed once, protected by a checksum, read a byte at a time.
//!
//! A file has a header line that describes it, then the bytes. While the game is being solved, each finished group of classes is saved in its own
//! file, so that an interrupted run can continue. At the end the stored half of all positions is written into one file and the parts are deleted.

use super::halves::Halves;
use super::solver::{self, SolveError, Watch};
use super::tables::{Class, Tables, decode, groups};
use crate::games::two_eat_one::rules::board::Kind;
use crate::search::Verdict;
use crate::storage::{Files, Owned, Storage, crc32};
use flate2::Crc;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The version of the file format.
const VERSION: u32 = 1;
/// The length of the header line in bytes, with its line end: it is padded with spaces.
const HEADER: usize = 64;

/// The header line of a file with these bytes.
fn header(kind: Kind, what: &str, length: u64, crc: u32) -> Vec<u8> {
    let text = format!("qiju two-eat-one {VERSION} {} {what} {length} {crc:08x}", kind.key());
    format!("{text:<width$}\n", width = HEADER - 1).into_bytes()
}

/// Replaces a file by a header line and these bytes.
fn write(storage: &Files, name: &str, kind: Kind, what: &str, parts: &[&[u8]]) -> io::Result<()> {
    let length = parts.iter().map(|part| part.len() as u64).sum();
    let header = header(kind, what, length, crc32(parts.iter().copied()));
    let all: Vec<&[u8]> = std::iter::once(&header[..]).chain(parts.iter().copied()).collect();
    storage.replace(name, &all)
}

/// Opens a file with this number of bytes and checks it; the file is then positioned after its header line. `None` if it does not exist or is damaged.
fn open(path: &Path, kind: Kind, what: &str, length: u64) -> Option<File> {
    let mut file = File::open(path).ok()?;
    let mut first = vec![0; HEADER];
    file.read_exact(&mut first).ok()?;
    let mut crc = Crc::new();
    let mut block = vec![0; 1 << 18];
    let mut left = length;
    while left > 0 {
        let count = file.read(&mut block).ok().filter(|count| *count > 0)?;
        crc.update(&block[..count]);
        left = left.checked_sub(count as u64)?;
    }
    // The file may not be longer either.
    let whole = file.read(&mut block).ok()? == 0 && first == header(kind, what, length, crc.sum());
    file.seek(SeekFrom::Start(HEADER as u64)).ok()?;
    whole.then_some(file)
}

/// The path of a kind's distances in a folder.
pub fn path(folder: &Path, kind: Kind) -> PathBuf {
    folder.join(file_name(kind))
}

fn file_name(kind: Kind) -> String {
    format!("two-eat-one-{}.distances", kind.key())
}

/// The name of the folder of the parts in that folder.
fn parts_name(kind: Kind) -> String {
    format!("two-eat-one-{}.parts", kind.key())
}

/// Locks the parts against other programs.
fn own_parts(folder: &Path, kind: Kind) -> io::Result<Option<Owned>> {
    Files::below(folder).own(&parts_name(kind))
}

/// The exact distances of a kind, read from their file when needed.
pub struct Distances {
    file: Mutex<File>,
    slots: usize,
}

impl Distances {
    /// Opens the distances in a folder; `None` if there are none or they are damaged.
    pub fn open(folder: &Path, kind: Kind, halves: &Halves) -> Option<Distances> {
        let file = open(&path(folder, kind), kind, "distances", halves.slots() as u64)?;
        Some(Distances { file: Mutex::new(file), slots: halves.slots() })
    }

    /// The exact value at a slot of the stored half.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(&self, slot: usize) -> io::Result<Verdict> {
        if slot >= self.slots {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start((HEADER + slot) as u64))?;
        let mut code = [0];
        file.read_exact(&mut code)?;
        Ok(decode(code[0]))
    }
}

/// Solves a kind. Finished groups are saved in `folder`, if given, and groups already saved there are not solved again. If another program is solving
/// in that folder, this one works in memory only.
///
/// # Errors
/// The solver was stopped, or the folder cannot be written.
pub fn solve(kind: Kind, folder: Option<&Path>, watch: &Watch) -> Result<Tables, SolveError<io::Error>> {
    let mut tables = Tables::new(kind);
    let most = kind.stones() as usize;
    let owned = folder.map(|folder| own_parts(folder, kind).map_err(SolveError::Done)).transpose()?.flatten();
    let (Some(folder), Some(_owned)) = (folder, owned) else {
        solver::solve(&mut tables, most, watch, |_, _| Ok(()))?;
        return Ok(tables);
    };
    let parts = folder.join(parts_name(kind));
    let storage = Files::below(&parts);
    let name = |(a, b): Class| format!("{a}v{b}");
    let layout = tables.layout();
    for (a, b) in groups(most) {
        let lengths = [layout.slots((a, b)), if a == b { 0 } else { layout.slots((b, a)) }];
        let length = (lengths[0] + lengths[1]) as u64;
        let Some(mut file) = open(&parts.join(name((a, b))), kind, &name((a, b)), length) else { continue };
        let mut read = |length: usize| {
            let mut codes = vec![0; length];
            file.read_exact(&mut codes).map(|()| codes)
        };
        let (Ok(codes), Ok(mirrored)) = (read(lengths[0]), read(lengths[1])) else { continue };
        tables.insert((a, b), codes);
        if a != b {
            tables.insert((b, a), mirrored);
        }
    }
    solver::solve(&mut tables, most, watch, |tables, (a, b)| {
        let class = |class| tables.class(class).unwrap_or_default();
        let mirrored = if a == b { &[] } else { class((b, a)) };
        write(&storage, &name((a, b)), kind, &name((a, b)), &[class((a, b)), mirrored])
    })?;
    Ok(tables)
}

/// Writes the distances of a solved kind into a folder and deletes the parts.
///
/// # Errors
/// The folder cannot be written.
pub fn store(kind: Kind, codes: &[u8], folder: &Path) -> io::Result<()> {
    write(&Files::below(folder), &file_name(kind), kind, "distances", &[codes])?;
    let parts = folder.join(parts_name(kind));
    // Parts of a program that is solving now are not deleted.
    if parts.is_dir() && own_parts(folder, kind)?.is_some() {
        fs::remove_dir_all(parts)?;
    }
    Ok(())
}
