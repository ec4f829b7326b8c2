//! The storage on a desktop: files in a folder. A file is replaced by writing the new one beside it, syncing and renaming it, and syncing the
//! folder. So a crash or a full disk leaves the complete old or new file.

use super::{Faults, Owned, Storage, aside_name};
use crate::message;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Larger files are refused: our files are far smaller, and `/dev/zero` has no end.
pub const LARGEST_FILE: u64 = 256 << 20;
/// A part of the names of temporary files.
const UNFINISHED: &str = ".new-";
/// The suffix of the lock file for [`Storage::own`].
const LOCK: &str = ".lock";

/// Files below a folder.
#[derive(Clone, Debug)]
pub struct Files {
    root: PathBuf,
    faults: Option<Faults>,
}

impl Files {
    /// The files below a folder, which does not have to exist yet.
    pub fn below(root: impl Into<PathBuf>) -> Files {
        Files { root: root.into(), faults: None }
    }

    /// The same files with injected faults. Nothing is really synced, because tests have no power failures.
    pub fn with_faults(root: impl Into<PathBuf>, faults: Faults) -> Files {
        Files { root: root.into(), faults: Some(faults) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    fn steps(&self) -> Steps<'_> {
        Steps(self.faults.as_ref())
    }
}

/// The system calls that change something; each of them can fail by an injected fault.
#[derive(Clone, Copy)]
pub(super) struct Steps<'a>(pub(super) Option<&'a Faults>);

impl Steps<'_> {
    fn step(self) -> io::Result<()> {
        self.0.map_or(Ok(()), |faults| faults.step(0).1)
    }

    fn write(self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        let (length, done) = self.0.map_or((bytes.len(), Ok(())), |faults| faults.step(bytes.len()));
        file.write_all(&bytes[..length]).and(done)
    }

    fn sync(self, file: &File) -> io::Result<()> {
        if self.0.is_some() { self.step() } else { file.sync_data() }
    }

    /// Syncs a folder after a rename, a creation or a removal.
    fn sync_folder(self, of: &Path) -> io::Result<()> {
        if self.0.is_some() {
            return self.step();
        }
        if !cfg!(unix) {
            return Ok(());
        }
        // Some file systems cannot sync a folder, and some folders are writable but not readable; the file itself is complete.
        let cannot = |error: &io::Error| {
            matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied)
        };
        match File::open(folder_of(of)).and_then(|folder| folder.sync_all()) {
            Err(error) if !cannot(&error) => Err(error),
            _ => Ok(()),
        }
    }

    /// Creates and syncs the folder of a file and its parents, if they are missing.
    fn make_folder(self, of: &Path) -> io::Result<()> {
        let folder = folder_of(of);
        if folder.is_dir() {
            return Ok(());
        }
        self.make_folder(folder)?;
        self.step()?;
        match fs::create_dir(folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => self.sync_folder(folder),
        }
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The path with a suffix after its file name.
fn with_more(path: &Path, more: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(more);
    PathBuf::from(name)
}

/// Replaces a file (or creates it) atomically: at any moment the complete old or new file is there. The target of a link is
/// replaced, not the link; a device or a pipe is written to.
///
/// # Errors
/// It cannot be written; then the old file is unchanged.
pub fn replace_file(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    replace(path, &[bytes.as_ref()], Steps(None))
}

fn replace(path: &Path, parts: &[&[u8]], steps: Steps) -> io::Result<()> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let linked = fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
    let followed = if linked { fs::canonicalize(path).ok() } else { None };
    let path = followed.as_deref().unwrap_or(path);
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        let mut file = OpenOptions::new().write(true).open(path)?;
        return parts.iter().try_for_each(|part| steps.write(&mut file, part));
    }
    steps.make_folder(path)?;
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let new = with_more(path, &format!("{UNFINISHED}{}-{number}", std::process::id()));
    let write = || -> io::Result<()> {
        steps.step()?;
        let mut file = OpenOptions::new().write(true).create_new(true).open(&new)?;
        for part in parts {
            steps.write(&mut file, part)?;
        }
        if let Some(old) = &old {
            // If the mode cannot be kept, only the user may access the file.
            let _ = file.set_permissions(old.permissions());
        }
        steps.sync(&file)?;
        steps.step()?;
        fs::rename(&new, path)
    };
    write().inspect_err(|_| {
        // The temporary file is useless now. If it cannot be removed, `tidy` removes it later.
        if steps.step().is_ok() {
            let _ = fs::remove_file(&new);
        }
    })?;
    steps.sync_folder(path)
}

/// Adds a line to a file that other programs may write at the same time, and syncs it. A last line without a line end, left by a
/// crash or a full disk, gets its line end if `is_whole` accepts it; otherwise it is moved to another file,
/// whose path is returned.
///
/// # Errors
/// It cannot be written; then the file ends with a complete line, if the system permits that.
pub fn append_line(path: &Path, line: &str, is_whole: impl Fn(&[u8]) -> bool) -> io::Result<Option<PathBuf>> {
    append_whole_line(path, line, &is_whole, Steps(None))
}

/// The same as [`append_line`], with injected faults.
pub(super) fn append_whole_line(
    path: &Path,
    line: &str,
    is_whole: &dyn Fn(&[u8]) -> bool,
    steps: Steps,
) -> io::Result<Option<PathBuf>> {
    let mut file = OpenOptions::new().create(true).read(true).write(true).truncate(false).open(path)?;
    if !file.metadata()?.is_file() {
        return file.write_all(format!("{line}\n").as_bytes()).map(|()| None);
    }
    // On a file system without locks, a line is still written with one call.
    let _ = file.lock();
    let length = file.metadata()?.len();
    let start = last_line(&mut file, length)?;
    let (mut whole, mut moved, mut before) = (length, None, "");
    if start < length {
        let mut torn = Vec::new();
        file.seek(SeekFrom::Start(start))?;
        (&file).take(length - start).read_to_end(&mut torn)?;
        if is_whole(&torn) {
            before = "\n";
        } else {
            moved = Some(keep_torn(path, &torn, steps)?);
            steps.step()?;
            file.set_len(start)?;
            whole = start;
        }
    }
    file.seek(SeekFrom::Start(whole))?;
    let added = steps.write(&mut file, format!("{before}{line}\n").as_bytes()).and_then(|()| steps.sync(&file));
    added.inspect_err(|_| drop(steps.step().and_then(|()| file.set_len(whole))))?;
    Ok(moved)
}

/// The start of the last line of a file if it has no line end; otherwise the file's length.
fn last_line(file: &mut File, length: u64) -> io::Result<u64> {
    const BLOCK: u64 = 1 << 12;
    let mut end = length;
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        let mut block = vec![0; (end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut block)?;
        if let Some(at) = block.iter().rposition(|&byte| byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// Moves an incomplete line to a file beside its file.
fn keep_torn(path: &Path, torn: &[u8], steps: Steps) -> io::Result<PathBuf> {
    let mut number = 1;
    loop {
        let kept = with_more(path, &format!(".torn-{number}"));
        match steps.step().and_then(|()| OpenOptions::new().write(true).create_new(true).open(&kept)) {
            Ok(mut file) => {
                let written = steps.write(&mut file, torn).and_then(|()| steps.sync(&file));
                written.inspect_err(|_| drop(steps.step().and_then(|()| fs::remove_file(&kept))))?;
                return Ok(kept);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Reads a whole file.
///
/// # Errors
/// It cannot be read, is a folder, or is larger than [`LARGEST_FILE`].
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    read_stream(File::open(path)?)
}

/// Reads a stream to its end.
///
/// # Errors
/// It cannot be read, or has more than [`LARGEST_FILE`] bytes.
pub fn read_stream(stream: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_FILE {
        let why = message!("there are more than the allowed {} MiB", LARGEST_FILE >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

fn found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

impl Files {
    /// Removes temporary files of killed programs from the top folder. Only files older than
    /// an hour are removed, because another program may be writing.
    pub fn tidy(&self) {
        let hour = std::time::Duration::from_secs(3600);
        for entry in fs::read_dir(&self.root).into_iter().flatten().flatten() {
            let ours = entry.file_name().to_string_lossy().contains(UNFINISHED);
            let age = entry.metadata().and_then(|data| data.modified()).ok().and_then(|since| since.elapsed().ok());
            if ours && age.is_some_and(|age| age > hour) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

impl Storage for Files {
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        found(read_file(&self.path(name)))
    }

    fn replace(&self, name: &str, parts: &[&[u8]]) -> io::Result<()> {
        replace(&self.path(name), parts, self.steps())
    }

    fn append(&self, name: &str, at: u64, bytes: &[u8]) -> io::Result<()> {
        let steps = self.steps();
        let mut file = OpenOptions::new().write(true).open(self.path(name))?;
        let length = file.metadata()?.len();
        if length < at {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message!("the file is shorter than expected")));
        }
        let cut = |file: &File| steps.step().and_then(|()| file.set_len(at));
        if length > at {
            cut(&file)?;
        }
        file.seek(SeekFrom::Start(at))?;
        let written = steps.write(&mut file, bytes).and_then(|()| steps.sync(&file));
        // Removes incomplete data, if the system permits it; otherwise the next call or the next reader ignores it.
        written.inspect_err(|_| drop(cut(&file)))
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let Some(entries) = found(fs::read_dir(self.path(folder)))? else { return Ok(Vec::new()) };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            // A file name that is not valid text is not ours.
            let Some(name) = name.to_str().filter(|name| !name.contains(UNFINISHED) && !name.ends_with(LOCK)) else { continue };
            if entry.path().is_file() {
                names.push(if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") });
            }
        }
        names.sort();
        Ok(names)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        let path = self.path(name);
        self.steps().step()?;
        match found(fs::remove_file(&path))? {
            Some(()) => self.steps().sync_folder(&path),
            None => Ok(()),
        }
    }

    fn keep_aside(&self, name: &str) -> io::Result<String> {
        let path = self.path(name);
        let bytes = read_file(&path)?;
        let mut number = 1;
        loop {
            let aside = aside_name(name, number);
            let kept = self.path(&aside);
            // A hard link needs no space on a full disk; without hard links the file is copied.
            self.steps().step()?;
            let linked = fs::hard_link(&path, &kept).or_else(|error| {
                if error.kind() == io::ErrorKind::AlreadyExists || kept.exists() {
                    return Err(io::ErrorKind::AlreadyExists.into());
                }
                replace(&kept, &[&bytes], self.steps())
            });
            match linked {
                Ok(()) => {
                    self.steps().sync_folder(&kept)?;
                    return Ok(aside);
                }
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                Err(_) if read_file(&kept).is_ok_and(|old| old == bytes) => return Ok(aside),
                Err(_) => number += 1,
            }
        }
    }

    fn own(&self, name: &str) -> io::Result<Option<Owned>> {
        let path = self.path(&format!("{name}{LOCK}"));
        fs::create_dir_all(folder_of(&path))?;
        let file = OpenOptions::new().create(true).write(true).truncate(false).open(&path)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => Err(error),
            // The system releases the lock with the file, also when the program is killed. On a file system without locks
            // every lock succeeds.
            _ => Ok(Some(Owned(Box::new(file)))),
        }
    }

    fn shown(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }
}
