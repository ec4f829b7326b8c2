//! Adds the games of files to a library.

use super::store::{Added, Library};
use crate::message;
use crate::message::Message;
use crate::record::{self, Charset, Format, ReadItem};
use crate::search::StopToken;
use serde::Serialize;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What an import has come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// Files with games.
    pub files: usize,
    /// Games that were read.
    pub games: usize,
    /// Those that were not in the library.
    pub added: usize,
    /// Those that were.
    pub duplicates: usize,
    /// Games and files that could not be read.
    pub refused: usize,
}

/// An import that is under way.
pub struct Import<'a> {
    /// Where the games go.
    pub library: &'a mut Library,
    /// The encoding of the texts.
    pub charset: Charset,
    /// Ends it after the game that is being read.
    pub stop: &'a StopToken,
    /// Is told what could not be read.
    pub refuse: &'a mut dyn FnMut(Message),
    /// Is told after each game what the import has come to.
    pub told: &'a mut dyn FnMut(&Imported),
    /// What it has come to so far.
    pub done: Imported,
}

impl Import<'_> {
    /// Adds the games of a file with these bytes. What was added is written by [`Library::flush`].
    ///
    /// # Errors
    /// The library cannot be written.
    pub fn file(&mut self, path: &Path, bytes: Result<Vec<u8>, Message>) -> Result<(), Message> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let name = record::name_of(path);
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(why) => {
                self.refused(why);
                return Ok(());
            }
        };
        let bytes = self.charset.applied(&bytes, ending);
        let Some(format) = Format::of(&bytes, ending) else {
            self.refused(message!("{}: {}", name, message!("this is no record in any known format")));
            return Ok(());
        };
        self.done.files += 1;
        let (mut failed, mut number) = (None, 0);
        format.each_in(self.charset, &bytes, &mut |found| {
            match found {
                ReadItem::Game(record) => {
                    number += 1;
                    let added = self.library.add(&record);
                    self.done.games += usize::from(added.is_ok());
                    match added {
                        Ok(Added::New) => self.done.added += 1,
                        Ok(Added::Known | Added::Richer) => self.done.duplicates += 1,
                        Err(why) => failed = Some(message!("{}: game {}: {}", &name, number, why)),
                    }
                    (self.told)(&self.done);
                }
                ReadItem::Refused(refused) => {
                    number += 1;
                    self.refused(refused.fault.in_file(&name));
                }
                ReadItem::Remark(_) => {}
            }
            failed.is_none() && !self.stop.is_stopped()
        });
        failed.map_or(Ok(()), Err)
    }

    /// Counts what could not be read.
    pub fn refused(&mut self, why: Message) {
        self.done.refused += 1;
        (self.refuse)(why);
    }
}

/// The records in a folder and its folders, or the file itself.
///
/// # Errors
/// A folder cannot be read.
pub fn files_of(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    collect(path, &mut files)?;
    Ok(files)
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if record::is_link(path) || !fs::metadata(path)?.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let mut entries = fs::read_dir(path)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(|entry| entry.file_name());
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type()?);
        if kind.is_dir() {
            collect(&path, files)?;
        } else if path.extension().and_then(|ending| ending.to_str()).and_then(Format::from_key).is_some() {
            files.push(path);
        }
    }
    Ok(())
}
