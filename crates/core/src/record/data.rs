//! Everything a player has, as one file: settings, saved games, lessons, results, puzzles, own mistakes, repertoires, matches by letter and the unfinished match; and how it is taken over.
//!
//! The file is a line of text, `qiju data 1 CHECKSUM LENGTH`, and the deflated blobs, each with its name. The checksum is that of all of them
//! together, so that a file which was cut off or changed is refused as a whole. (An archive format would need a large crate, and a game missing from one
//! would not be noticed.)
//!
//! Taking over is a redo log. [`stage`] writes the file into the storage under the name `import-N.qiju`; [`finish`] keeps what was there before as
//! `before-import-N.qiju`, replaces the blobs, and removes `import-N.qiju` at last. If it stops half way, the next start of the program calls [`finish`] again,
//! which does the rest. Saved games that are not in the file stay. A file of an earlier version has `settings.ron` and `puzzles.ron` where there
//! are three files now: these go, so that it is read.

use super::journal;
use crate::message;
use crate::message::Message;
use crate::storage::{Blob, Owned, Storage, crc32};
use crate::table::LESSONS_FILE as LESSONS;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use std::fmt;
use std::io::{self, Read, Write};
use std::sync::Arc;
use thiserror::Error;

/// The settings.
pub const PREFERENCES: &str = "preferences.ron";
/// What the player has achieved: puzzles, first steps, exercises, stands against a proof.
pub const PROGRESS: &str = "progress.ron";
/// The player's own mistakes as exercises, with the days on which they are asked again.
pub const MISTAKES: &str = "mistakes.ron";
/// The player's own opening moves, with the days on which they are asked.
pub const REPERTOIRES: &str = "repertoires.ron";
/// The external engines.
pub const ENGINES: &str = "engines.ron";
/// Settings, progress and engines in one file of earlier versions. It is read where one of the three is not there, and left as it is.
pub const SETTINGS: &str = "settings.ron";
/// The results of puzzles in a file of earlier versions, read likewise; they belong to the progress now.
pub const PUZZLES: &str = "puzzles.ron";
/// The folder of the saved games.
pub const RECORDS: &str = "records";
/// The ending of the file.
pub const ENDING: &str = "qiju";

/// Files of earlier versions, and those that have come after each.
const EARLIER: [(&str, &[&str]); 2] = [(SETTINGS, &[PREFERENCES, PROGRESS, ENGINES]), (PUZZLES, &[PROGRESS])];
const HEAD: &str = "qiju data";
const VERSION: u32 = 1;
/// The most bytes of all blobs together.
const LARGEST: u64 = 256 << 20;
/// The player's results.
const RESULTS: &str = "results.txt";
/// All games in one store (`crate::library`, which is above this folder).
pub const LIBRARY: &str = "library.games";

/// A kind of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The settings.
    Settings,
    /// What the player has achieved.
    Progress,
    /// The external engines.
    Engines,
    /// A saved game.
    Game,
    /// The library of games.
    Library,
    /// The match that is not finished.
    Match,
    /// What the engines learnt.
    Lessons,
    /// The player's results, from which the ratings are computed.
    Results,
    /// The results of puzzles.
    Puzzles,
    /// The player's own mistakes.
    Mistakes,
    /// The player's own opening moves.
    Repertoires,
    /// A match by letter.
    Letters,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 12] = [
        Kind::Settings,
        Kind::Progress,
        Kind::Engines,
        Kind::Game,
        Kind::Library,
        Kind::Match,
        Kind::Lessons,
        Kind::Results,
        Kind::Puzzles,
        Kind::Mistakes,
        Kind::Repertoires,
        Kind::Letters,
    ];

    /// The kind of the blob with this name; `None` for any other blob.
    pub fn of(name: &str) -> Option<Kind> {
        let plain = |name: &str| !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', ':', '\0']);
        match name {
            PREFERENCES | SETTINGS => Some(Kind::Settings),
            PROGRESS => Some(Kind::Progress),
            ENGINES => Some(Kind::Engines),
            PUZZLES => Some(Kind::Puzzles),
            MISTAKES => Some(Kind::Mistakes),
            REPERTOIRES => Some(Kind::Repertoires),
            LESSONS => Some(Kind::Lessons),
            RESULTS => Some(Kind::Results),
            LIBRARY => Some(Kind::Library),
            _ if journal::is_journal(name) => Some(Kind::Match),
            _ if journal::number_by_letter(name).is_some() => Some(Kind::Letters),
            _ => {
                let game = name.strip_prefix(RECORDS)?.strip_prefix('/')?;
                (plain(game) && game.ends_with(".ron")).then_some(Kind::Game)
            }
        }
    }

    /// The key of its name: `game`.
    pub fn key(self) -> &'static str {
        match self {
            Kind::Settings => "settings",
            Kind::Progress => "progress",
            Kind::Engines => "engines",
            Kind::Game => "game",
            Kind::Library => "library",
            Kind::Match => "match",
            Kind::Lessons => "lessons",
            Kind::Results => "results",
            Kind::Puzzles => "puzzles",
            Kind::Mistakes => "mistakes",
            Kind::Repertoires => "repertoires",
            Kind::Letters => "letters",
        }
    }
}

/// Why data cannot be read or taken over.
#[derive(Debug, Error)]
#[error("{}", Message::from(self))]
pub enum DataError {
    /// It is another file.
    Foreign,
    /// It comes from a newer version.
    Newer(u32),
    /// It is damaged; the byte is one of the data behind the first line.
    Damaged(usize),
    /// It has a blob that is not ours.
    Name(usize, String),
    /// Another window uses what would be replaced.
    Busy,
    /// The storage cannot be read or written.
    Storage(String, io::Error),
}

crate::has_message!(DataError);

impl From<&DataError> for Message {
    fn from(error: &DataError) -> Message {
        match error {
            DataError::Foreign => message!("byte {}: {}", 0, message!("this is not a file with all data of Qiju")),
            DataError::Newer(format) => {
                message!(
                    "byte {}: {}",
                    0,
                    message!("the file has format {}; this version of Qiju reads format {}", format, VERSION)
                )
            }
            DataError::Damaged(byte) => message!("byte {}: the file is not complete, or was changed", byte),
            DataError::Name(byte, name) => message!("byte {}: there is a file in it that is not Qiju's: '{}'", byte, name),
            DataError::Busy => message!("another window of Qiju is open; close it first"),
            DataError::Storage(name, error) => message!("{}: {}", name, error),
        }
    }
}

/// All data of a player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Data {
    blobs: Vec<(String, Vec<u8>)>,
}

impl Data {
    /// What is in a storage.
    ///
    /// # Errors
    /// A part of it cannot be read.
    pub fn of(storage: &dyn Storage) -> Result<Data, DataError> {
        let mut names = Vec::new();
        for folder in ["", RECORDS, journal::LETTERS] {
            names.extend(storage.list(folder).map_err(|error| DataError::Storage(storage.shown(folder), error))?);
        }
        let mut data = Data::default();
        // A file of earlier versions counts for nothing where all others have come after it.
        let is_there = |part: &&str| names.iter().any(|name| name == part);
        let is_read = |name: &String| !EARLIER.iter().any(|(earlier, parts)| name == earlier && parts.iter().all(is_there));
        for name in names.iter().filter(|name| Kind::of(name).is_some() && is_read(name)).cloned() {
            let read = storage.read(&name).map_err(|error| DataError::Storage(storage.shown(&name), error))?;
            data.blobs.extend(read.map(|bytes| (name, bytes)));
        }
        Ok(data)
    }

    /// How many there are of each kind.
    pub fn count(&self, kind: Kind) -> usize {
        self.blobs.iter().filter(|(name, _)| Kind::of(name) == Some(kind)).count()
    }

    /// The kinds with their numbers, without those that are not there.
    pub fn parts(&self) -> impl Iterator<Item = (usize, Kind)> {
        Kind::ALL.into_iter().map(|kind| (self.count(kind), kind)).filter(|(count, _)| *count > 0)
    }

    /// The bytes of the file.
    pub fn pack(&self) -> Vec<u8> {
        let mut plain = Vec::new();
        for (name, bytes) in &self.blobs {
            for part in [name.as_bytes(), bytes] {
                plain.extend((part.len() as u32).to_le_bytes());
                plain.extend_from_slice(part);
            }
        }
        let mut file = format!("{HEAD} {VERSION} {:08x} {}\n", crc32([&plain[..]]), plain.len()).into_bytes();
        let mut packed = DeflateEncoder::new(&mut file, flate2::Compression::best());
        let done = packed.write_all(&plain).and_then(|()| packed.finish().map(drop));
        debug_assert!(done.is_ok(), "a vector grows");
        file
    }

    /// True if these bytes begin as such a file does.
    pub fn is_data(bytes: &[u8]) -> bool {
        bytes.starts_with(HEAD.as_bytes())
    }

    /// Reads the bytes of a file. Nothing is taken over yet.
    ///
    /// # Errors
    /// It is another file, or damaged.
    pub fn unpack(bytes: &[u8]) -> Result<Data, DataError> {
        let end = bytes.iter().take(80).position(|byte| *byte == b'\n').ok_or(DataError::Foreign)?;
        let head = std::str::from_utf8(&bytes[..end]).map_err(|_| DataError::Foreign)?;
        let rest = head.strip_prefix(HEAD).and_then(|rest| rest.strip_prefix(' ')).ok_or(DataError::Foreign)?;
        let words: Vec<&str> = rest.split(' ').collect();
        let version = words[0].parse().map_err(|_| DataError::Foreign)?;
        if version != VERSION {
            return Err(DataError::Newer(version));
        }
        let &[_, sum, length] = &words[..] else { return Err(DataError::Foreign) };
        let (sum, length) = (u32::from_str_radix(sum, 16).ok(), length.parse::<u64>().ok());
        let length = length.filter(|length| *length <= LARGEST).ok_or(DataError::Damaged(0))?;
        let mut plain = Vec::new();
        // One byte more would be too many.
        let unpacked = DeflateDecoder::new(&bytes[end + 1..]).take(length + 1).read_to_end(&mut plain);
        if unpacked.is_err() || plain.len() as u64 != length || sum != Some(crc32([&plain[..]])) {
            return Err(DataError::Damaged(plain.len().min(length as usize)));
        }
        let (mut data, mut at) = (Data::default(), 0);
        while at < plain.len() {
            let begin = at;
            let mut part = || {
                let (length, rest) = plain[at..].split_first_chunk()?;
                let part = rest.get(..u32::from_le_bytes(*length) as usize)?;
                at += 4 + part.len();
                Some(part)
            };
            let (Some(name), Some(bytes)) = (part(), part()) else { return Err(DataError::Damaged(begin)) };
            let name = String::from_utf8_lossy(name).into_owned();
            if Kind::of(&name).is_none() || data.blobs.iter().any(|(known, _)| *known == name) {
                return Err(DataError::Name(begin, name));
            }
            data.blobs.push((name, bytes.to_vec()));
        }
        Ok(data)
    }
}

/// What there is, in English: `settings, 3 games, lessons`.
impl fmt::Display for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |(count, kind): (usize, Kind)| match (count, kind) {
            (1, Kind::Game) => "1 saved game".to_owned(),
            (count, Kind::Game) => format!("{count} saved games"),
            (1, Kind::Match) => "1 unfinished match".to_owned(),
            (count, Kind::Match) => format!("{count} unfinished matches"),
            (1, Kind::Letters) => "1 match by letter".to_owned(),
            (count, Kind::Letters) => format!("{count} matches by letter"),
            (_, kind) => kind.key().to_owned(),
        };
        let words: Vec<String> = self.parts().map(word).collect();
        f.write_str(if words.is_empty() { "nothing" } else { "" })?;
        f.write_str(&words.join(", "))
    }
}

fn staged(number: u32) -> String {
    format!("import-{number}.{ENDING}")
}

/// The name under which is kept what an import replaced.
fn before(number: u32) -> String {
    format!("before-import-{number}.{ENDING}")
}

/// Locks the journals that are replaced, and those that another window may use now.
fn own_journals(storage: &Arc<dyn Storage>, data: &Data) -> Result<Vec<Owned>, DataError> {
    let names = journal::first_names().chain(data.blobs.iter().map(|(name, _)| name.clone()));
    let is_journal = |name: &String| matches!(Kind::of(name), Some(Kind::Match | Kind::Letters));
    let mut journals: Vec<String> = names.filter(is_journal).collect();
    journals.sort();
    journals.dedup();
    let own = |name: String| match Blob::new(storage.clone(), &*name).own() {
        Ok(owned) => owned.ok_or(DataError::Busy),
        Err(error) => Err(DataError::Storage(storage.shown(&name), error)),
    };
    journals.into_iter().map(own).collect()
}

/// Prepares that data are taken over, by [`finish`]. Until then nothing is changed.
///
/// # Errors
/// The storage cannot be written.
pub fn stage(storage: &dyn Storage, data: &Data) -> Result<(), DataError> {
    let failed = |name: &str, error| DataError::Storage(storage.shown(name), error);
    let names = storage.list("").map_err(|error| failed("", error))?;
    let is_free = |number: &u32| ![staged(*number), before(*number)].iter().any(|name| names.contains(name));
    let number = (1..).find(is_free).expect("there is always a further number");
    let name = staged(number);
    storage.replace(&name, &[&data.pack()]).map_err(|error| failed(&name, error))
}

/// What was taken over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The data.
    pub data: Data,
    /// The file with what was there before, for messages; `None` if nothing was there.
    pub before: Option<String>,
}

/// Takes over what was staged. `None` if nothing was. A staged file that is damaged is kept aside.
///
/// # Errors
/// Another window is open, or the storage cannot be read or written. Then the data stay staged, and the call can be repeated.
pub fn finish(storage: &Arc<dyn Storage>) -> Result<Option<Taken>, DataError> {
    let failed = |name: &str, error| DataError::Storage(storage.shown(name), error);
    let names = storage.list("").map_err(|error| failed("", error))?;
    let number = |name: &String| name.strip_prefix("import-")?.strip_suffix(ENDING)?.strip_suffix('.')?.parse::<u32>().ok();
    let Some(number) = names.iter().filter_map(number).min() else { return Ok(None) };
    let (name, kept) = (staged(number), before(number));
    let bytes = storage.read(&name).map_err(|error| failed(&name, error))?.unwrap_or_default();
    let data = match Data::unpack(&bytes) {
        Ok(data) => data,
        Err(damage) => {
            let aside = storage.keep_aside(&name).and_then(|aside| storage.remove(&name).map(|()| aside));
            aside.map_err(|error| failed(&name, error))?;
            return Err(damage);
        }
    };
    let _owned = own_journals(storage, &data)?;
    // What is kept already is from the first try; by now a part is replaced.
    let mut before = names.contains(&kept);
    if !before {
        let old = Data::of(&**storage)?;
        before = !old.blobs.is_empty();
        if before {
            storage.replace(&kept, &[&old.pack()]).map_err(|error| failed(&kept, error))?;
        }
    }
    let has = |name: &str| data.blobs.iter().any(|(known, _)| known == name);
    for (_, parts) in EARLIER.iter().filter(|(earlier, _)| has(earlier)) {
        for part in parts.iter().filter(|part| !has(part)) {
            storage.remove(part).map_err(|error| failed(part, error))?;
        }
    }
    for (name, bytes) in &data.blobs {
        storage.replace(name, &[bytes]).map_err(|error| failed(name, error))?;
    }
    storage.remove(&name).map_err(|error| failed(&name, error))?;
    Ok(Some(Taken { data, before: before.then(|| storage.shown(&kept)) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::{Faults, Memory};

    fn filled(storage: &dyn Storage, mark: &str) {
        for name in [
            PREFERENCES,
            PROGRESS,
            ENGINES,
            MISTAKES,
            REPERTOIRES,
            "records/2026-01-01 10.00 xiangqi 0000000a.ron",
            LESSONS,
            RESULTS,
            LIBRARY,
            "match.journal",
            "letters/00000000000000ff.journal",
        ] {
            storage.replace(name, &[format!("{mark} {name}").as_bytes()]).unwrap();
        }
        storage.replace(&format!("records/{mark}.ron"), &[mark.as_bytes()]).unwrap();
    }

    fn contents(storage: &dyn Storage) -> Vec<(String, Vec<u8>)> {
        Data::of(storage).unwrap().blobs
    }

    #[test]
    fn everything_is_taken_over_and_what_was_there_is_kept() {
        let (from, to) = (Memory::default(), Arc::new(Memory::default()));
        filled(&from, "new");
        filled(&*to, "old");
        from.replace("settings.ron.damaged-1", &[b"x"]).unwrap();
        from.replace("before-import-1.qiju", &[b"x"]).unwrap();
        let old = Data::of(&*to).unwrap();
        let data = Data::unpack(&Data::of(&from).unwrap().pack()).unwrap();
        assert_eq!(
            data.to_string(),
            "settings, progress, engines, 2 saved games, library, 1 unfinished match, lessons, results, mistakes, repertoires, 1 match by letter"
        );
        let storage: Arc<dyn Storage> = to.clone();
        assert!(finish(&storage).unwrap().is_none());
        stage(&*to, &data).unwrap();
        assert_eq!(Data::of(&*to).unwrap(), old, "staging changes nothing");
        let taken = finish(&storage).unwrap().unwrap();
        assert_eq!((&taken.data, taken.before.as_deref()), (&data, Some("before-import-1.qiju")));
        // All of the new data, and the saved game that only was here.
        let found = contents(&*to);
        assert!(data.blobs.iter().all(|blob| found.contains(blob)));
        assert_eq!(found.len(), data.blobs.len() + 1);
        assert_eq!(Data::unpack(&to.read("before-import-1.qiju").unwrap().unwrap()).unwrap(), old);
        assert!(finish(&storage).unwrap().is_none());
        // The next one keeps a file of its own.
        stage(&*to, &old).unwrap();
        assert_eq!(finish(&storage).unwrap().unwrap().before.as_deref(), Some("before-import-2.qiju"));
    }

    /// An export of an earlier version has one file where there are three now.
    #[test]
    fn an_older_file_is_read_in_place_of_the_newer_ones() {
        let (from, to) = (Memory::default(), Memory::default());
        from.replace(SETTINGS, &[b"older"]).unwrap();
        from.replace(ENGINES, &[b"of the same player"]).unwrap();
        from.replace(PUZZLES, &[b"older puzzles"]).unwrap();
        filled(&to, "new");
        let before = Data::of(&to).unwrap();
        let storage: Arc<dyn Storage> = Arc::new(to);
        stage(&*storage, &Data::of(&from).unwrap()).unwrap();
        finish(&storage).unwrap().unwrap();
        let read = |name: &str| storage.read(name).unwrap();
        assert_eq!((read(PREFERENCES), read(PROGRESS)), (None, None));
        assert_eq!((read(SETTINGS).unwrap(), read(ENGINES).unwrap()), (b"older".to_vec(), b"of the same player".to_vec()));
        assert_eq!(Data::unpack(&read("before-import-1.qiju").unwrap()).unwrap(), before);
        // It is exported as long as it counts.
        let exported = Data::of(&*storage).unwrap();
        assert_eq!((exported.count(Kind::Settings), exported.count(Kind::Puzzles)), (1, 1));
        for name in [PREFERENCES, PROGRESS] {
            storage.replace(name, &[b"x"]).unwrap();
        }
        assert!(Data::of(&*storage).unwrap().blobs.iter().all(|(name, _)| name != SETTINGS && name != PUZZLES));
    }

    /// It stops at every step, as by a crash or a full disk: until it goes on, the old data are in the file that is kept or in place; at the end
    /// everything is there.
    #[test]
    fn nothing_is_lost_wherever_it_stops() {
        let from = Memory::default();
        filled(&from, "new");
        let data = Data::of(&from).unwrap();
        let begin = || {
            let memory = Memory::default();
            filled(&memory, "old");
            memory
        };
        let import = |memory: Memory| {
            let storage: Arc<dyn Storage> = Arc::new(memory);
            stage(&*storage, &data).and_then(|()| finish(&storage)).is_ok()
        };
        let counted = Faults::none();
        assert!(import(begin().with_faults(counted.clone())));
        assert!(counted.steps() > 8, "{}", counted.steps());
        let old = Data::of(&begin()).unwrap();
        for step in 0..counted.steps() {
            for failing in [1, usize::MAX] {
                let memory = begin();
                assert!(!import(memory.with_faults(Faults::new(step, failing, 0))), "step {step}");
                let storage: Arc<dyn Storage> = Arc::new(memory);
                let is_kept = |storage: &dyn Storage| match storage.read("before-import-1.qiju").unwrap() {
                    Some(bytes) => Data::unpack(&bytes).unwrap() == old,
                    None => Data::of(storage).unwrap() == old,
                };
                assert!(is_kept(&*storage), "step {step}");
                // The next start goes on; if nothing was staged, the player imports again.
                let went_on = finish(&storage).unwrap();
                assert_eq!(went_on.is_none(), step == 0, "step {step}");
                if went_on.is_none() {
                    stage(&*storage, &data).unwrap();
                    finish(&storage).unwrap().unwrap();
                }
                let found = contents(&*storage);
                assert!(data.blobs.iter().all(|blob| found.contains(blob)), "step {step}");
                assert!(is_kept(&*storage), "step {step}");
            }
        }
    }

    #[test]
    fn another_window_is_not_disturbed() {
        let memory = Memory::default();
        filled(&memory, "old");
        let data = Data::of(&memory).unwrap();
        for window in ["match.journal", "match-2.journal"] {
            let owned = memory.own(window).unwrap().unwrap();
            let storage: Arc<dyn Storage> = Arc::new(memory.clone());
            stage(&memory, &data).unwrap();
            assert!(matches!(finish(&storage), Err(DataError::Busy)), "{window}");
            drop(owned);
            assert!(finish(&storage).unwrap().is_some(), "{window}");
        }
    }

    #[test]
    fn damaged_files_are_refused_with_their_place() {
        let memory = Memory::default();
        filled(&memory, "a");
        let bytes = Data::of(&memory).unwrap().pack();
        for length in 0..bytes.len() {
            assert!(Data::unpack(&bytes[..length]).is_err(), "{length} bytes");
        }
        for index in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[index] ^= 1;
            // A change of a bit that means nothing is no damage.
            assert!(
                Data::unpack(&changed).is_err() || Data::unpack(&changed).unwrap() == Data::unpack(&bytes).unwrap(),
                "{index}"
            );
        }
        let with = |names: &[&str]| {
            let blobs = names.iter().map(|name| ((*name).to_owned(), b"x".to_vec())).collect();
            Data::unpack(&Data { blobs }.pack()).map_err(|error| error.to_string())
        };
        assert!(with(&["records/a.ron"]).is_ok());
        for name in
            ["../a.ron", "records/../settings.ron", "records/.ron", "records/a/b.ron", "records\\a.ron", "/etc/passwd", ""]
        {
            assert!(with(&[name]).unwrap_err().contains("not Qiju's"), "{name}");
        }
        assert!(with(&[SETTINGS, SETTINGS]).unwrap_err().starts_with("byte 21: "));
        let newer = Data::unpack(b"qiju data 2 00000000 0\n").unwrap_err().to_string();
        assert_eq!(newer, "byte 0: the file has format 2; this version of Qiju reads format 1");
        assert!(matches!(Data::unpack(b"qiju data 1 00000000 99999999999\n"), Err(DataError::Damaged(0))));
        // A staged file that is damaged is kept aside, and not tried again.
        let storage: Arc<dyn Storage> = Arc::new(memory.clone());
        memory.replace("import-1.qiju", &[&bytes[..40]]).unwrap();
        assert!(finish(&storage).is_err());
        assert!(finish(&storage).unwrap().is_none());
        assert_eq!(memory.read("import-1.qiju.damaged-1").unwrap().unwrap(), bytes[..40]);
    }

    #[test]
    fn the_names_are_those_that_are_used() {
        assert_eq!(Kind::of("match.journal"), Some(Kind::Match));
        assert_eq!(Kind::of("match-100.journal"), Some(Kind::Match));
        for name in ["match-101.journal", "match-1.journal", "settings.ron.damaged-1", "lessons.txt.torn-1"] {
            assert_eq!(Kind::of(name), None, "{name}");
        }
    }
}
