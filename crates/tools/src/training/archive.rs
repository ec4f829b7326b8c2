//! Files of training games: a header line, then blocks of games with checksums.
//!
//! The first line is `qiju training games 1 GAME nodes N seed S SUM`, with `network C` before `SUM` if a network judged the positions (`C` is the CRC-32 of
//! its file); `SUM` is the CRC-32 of the text before it, in hexadecimal. A block has a head of 24 bytes and its games. The head has six little-endian `u32`: the word `QJTG`, the length of the games in bytes, the number of games, the
//! number of positions, the CRC-32 of the games, and the CRC-32 of the twenty bytes before. Each game follows its length in bytes (`u16`); the content of
//! a game is defined by its engine.
//!
//! Blocks are only added at the end, so after a crash or a power failure at most the last block is incomplete. It is ignored when the file is read
//! and removed when the file is continued. Damage anywhere else is an error.

use qiju_core::storage::crc32;
use qiju_core::terminal::Failure;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

const TITLE: &str = "qiju training games 1";
const WORD: [u8; 4] = *b"QJTG";
const HEAD: usize = 24;
/// The longest possible header line.
const LONGEST_LINE: u64 = 200;

/// The description of a file of games: the game, the nodes per move and the seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The game's key.
    pub game: String,
    /// Nodes per move.
    pub nodes: u64,
    /// The seed of all games.
    pub seed: u64,
    /// The CRC-32 of the network's file; `None` if the hand-written evaluation judged.
    pub network: Option<u32>,
}

/// A game as written by its engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The game, at most 65 535 bytes.
    pub bytes: Vec<u8>,
    /// The number of its positions with a score.
    pub positions: u32,
}

/// The contents of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The description of its games.
    pub label: Label,
    /// The number of complete games.
    pub games: u64,
    /// The number of their positions with a score.
    pub positions: u64,
    /// The length in bytes up to the end of the last complete block.
    pub whole: u64,
    /// The number of bytes after that: an incomplete block.
    pub torn: u64,
}

/// Why a file of games cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadArchive {
    /// It cannot be read or written.
    #[error("{0}")]
    File(#[from] io::Error),
    /// It is not a file of training games.
    #[error("this is not a file of training games")]
    Foreign,
    /// It is damaged: the byte, and what is wrong there.
    #[error("damaged at byte {0}: {1}")]
    Damaged(u64, &'static str),
    /// Its games have another description than those to be added.
    #[error("it holds games of {0}; these would be of {1}")]
    Other(Box<Label>, Box<Label>),
    /// Another run is adding games to it.
    #[error("another run is adding games to it")]
    Busy,
}

/// An error of a file, with its name.
pub fn failed<E: Into<BadArchive>>(path: &Path) -> impl Fn(E) -> Failure {
    move |error| {
        let error: BadArchive = error.into();
        let text = format!("{}: {error}", path.display());
        match error {
            BadArchive::Foreign | BadArchive::Other(..) | BadArchive::Damaged(..) => Failure::usage(text),
            BadArchive::File(_) | BadArchive::Busy => Failure::work(text),
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} at {} nodes from seed {}", self.game, self.nodes, self.seed)?;
        match self.network {
            Some(sum) => write!(f, " with the network {sum:08x}"),
            None => Ok(()),
        }
    }
}

impl Label {
    fn line(&self) -> String {
        let mut text = format!("{TITLE} {} nodes {} seed {}", self.game, self.nodes, self.seed);
        if let Some(sum) = self.network {
            text += &format!(" network {sum:08x}");
        }
        format!("{text} {:08x}\n", crc32([text.as_bytes()]))
    }

    fn read(line: &str) -> Option<Label> {
        let words: Vec<&str> = line.strip_prefix(TITLE)?.split_whitespace().collect();
        let (game, nodes, seed, network) = match words[..] {
            [game, "nodes", nodes, "seed", seed, _] => (game, nodes, seed, None),
            [game, "nodes", nodes, "seed", seed, "network", sum, _] => {
                (game, nodes, seed, Some(u32::from_str_radix(sum, 16).ok()?))
            }
            _ => return None,
        };
        let label = Label { game: game.to_owned(), nodes: nodes.parse().ok()?, seed: seed.parse().ok()?, network };
        (label.line() == line).then_some(label)
    }
}

/// The bytes of a block with these games.
fn block(games: &[Record]) -> Vec<u8> {
    let mut bytes = vec![0; HEAD];
    let mut positions = 0;
    for game in games {
        let length = u16::try_from(game.bytes.len()).expect("a game has at most 65 535 bytes");
        bytes.extend(length.to_le_bytes());
        bytes.extend(&game.bytes);
        positions += game.positions;
    }
    let numbers = [(bytes.len() - HEAD) as u32, games.len() as u32, positions, crc32([&bytes[HEAD..]])];
    bytes[..4].copy_from_slice(&WORD);
    for (number, place) in numbers.into_iter().zip(bytes[4..].chunks_exact_mut(4)) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    let sum = crc32([&bytes[..HEAD - 4]]);
    bytes[HEAD - 4..HEAD].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Reads up to `most` bytes.
fn read_up_to(reader: &mut impl Read, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(most.min(1 << 24));
    reader.take(most as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

/// Reads a file and calls `each` with every complete game and its number in the file, from 1. An incomplete last block is ignored.
///
/// # Errors
/// The file cannot be read, is not a file of games or is damaged before its end.
pub fn read(path: &Path, each: &mut dyn FnMut(u64, &[u8])) -> Result<Contents, BadArchive> {
    let mut reader = BufReader::with_capacity(1 << 18, File::open(path)?);
    let mut line = Vec::new();
    {
        let mut one = [0];
        while (line.len() as u64) < LONGEST_LINE && line.last() != Some(&b'\n') && reader.read(&mut one)? == 1 {
            line.push(one[0]);
        }
    }
    let label = std::str::from_utf8(&line).ok().and_then(Label::read).ok_or(BadArchive::Foreign)?;
    let mut contents = Contents { label, games: 0, positions: 0, whole: line.len() as u64, torn: 0 };
    loop {
        let start = contents.whole;
        let head = read_up_to(&mut reader, HEAD)?;
        if head.len() < HEAD {
            contents.torn = head.len() as u64;
            return Ok(contents);
        }
        let number = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().expect("four bytes"));
        if head[..4] != WORD || crc32([&head[..HEAD - 4]]) != number(HEAD - 4) {
            // A power failure may leave allocated space that was never written.
            let mut rest = Vec::new();
            reader.read_to_end(&mut rest)?;
            if is_blank(&head) && is_blank(&rest) {
                contents.torn = (HEAD + rest.len()) as u64;
                return Ok(contents);
            }
            return Err(BadArchive::Damaged(start, "the head of a block does not match its checksum"));
        }
        let length = number(4) as usize;
        let games = read_up_to(&mut reader, length)?;
        if games.len() < length || crc32([&games[..]]) != number(16) {
            if games.len() == length && !read_up_to(&mut reader, 1)?.is_empty() {
                return Err(BadArchive::Damaged(start, "a block does not match its checksum"));
            }
            contents.torn = (HEAD + games.len()) as u64;
            return Ok(contents);
        }
        let mut rest = &games[..];
        for _ in 0..number(8) {
            let game =
                rest.split_first_chunk().and_then(|(length, bytes)| bytes.split_at_checked(u16::from_le_bytes(*length).into()));
            let Some((game, after)) = game else { return Err(BadArchive::Damaged(start, "a game goes beyond its block")) };
            contents.games += 1;
            each(contents.games, game);
            rest = after;
        }
        contents.positions += u64::from(number(12));
        contents.whole += (HEAD + length) as u64;
    }
}

/// A file to which games are added. It is locked against other runs.
pub struct Archive {
    file: File,
    /// Its contents when it was opened.
    pub found: Contents,
}

impl Archive {
    /// Opens or creates a file to add games. An incomplete last block is removed.
    ///
    /// # Errors
    /// The file cannot be opened, is damaged, has other games, or is open in another run.
    pub fn open(path: &Path, label: &Label) -> Result<Archive, BadArchive> {
        let mut file = OpenOptions::new().create(true).append(true).read(true).open(path)?;
        file.try_lock().map_err(|_| BadArchive::Busy)?;
        let line = label.line();
        let length = file.metadata()?.len();
        // A run that was stopped at once may have left an incomplete header line.
        let begun = length < line.len() as u64 && line.as_bytes().starts_with(&std::fs::read(path)?);
        if begun {
            file.set_len(0)?;
            file.write_all(line.as_bytes())?;
        }
        let found = read(path, &mut |_, _| {})?;
        if found.label != *label {
            return Err(BadArchive::Other(Box::new(found.label), Box::new(label.clone())));
        }
        file.set_len(found.whole)?;
        Ok(Archive { file, found })
    }

    /// Adds games as a block.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, games: &[Record]) -> io::Result<()> {
        self.file.write_all(&block(games))
    }

    /// Adds games that are finished in any order, each block with the number of its first game, in the order of their numbers; the first is that after the games [found](Archive::found).
    /// Calls `added` after each block.
    ///
    /// # Errors
    /// The file cannot be written, or `added` fails.
    pub fn add_in_order(
        &mut self,
        finished: impl IntoIterator<Item = (u64, Vec<Record>)>,
        mut added: impl FnMut(&[Record]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut waiting = BTreeMap::new();
        let mut written = self.found.games;
        for (first, games) in finished {
            waiting.insert(first, games);
            while let Some(games) = waiting.remove(&written) {
                self.add(&games)?;
                written += games.len() as u64;
                added(&games)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn label() -> Label {
        Label { game: "xiangqi".to_owned(), nodes: 1500, seed: 7, network: None }
    }

    fn games(bytes: &[&[u8]]) -> Vec<Record> {
        bytes.iter().map(|bytes| Record { bytes: bytes.to_vec(), positions: bytes.len() as u32 }).collect()
    }

    fn listed(path: &Path) -> Result<(Vec<Vec<u8>>, Contents), BadArchive> {
        let mut list = Vec::new();
        let contents = read(path, &mut |number, game| {
            list.push(game.to_vec());
            assert_eq!(number, list.len() as u64);
        })?;
        Ok((list, contents))
    }

    #[test]
    fn a_torn_end_is_cut_off_wherever_it_was_torn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let mut archive = Archive::open(&path, &label()).unwrap();
        archive.add(&games(&[b"one", b"", b"three"])).unwrap();
        archive.add(&games(&[b"four"])).unwrap();
        drop(archive);
        let (list, contents) = listed(&path).unwrap();
        assert_eq!(list, [&b"one"[..], b"", b"three", b"four"]);
        assert_eq!((contents.games, contents.positions, contents.torn), (4, 12, 0));
        let whole = fs::read(&path).unwrap();
        let last = whole.len() - HEAD - 2 - 4;
        for end in 0..whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            let mut archive = Archive::open(&path, &label()).unwrap();
            let line = label().line().len();
            let expected = [0, 3][usize::from(end >= last)];
            assert_eq!(archive.found.games, expected, "{end} of {} bytes", whole.len());
            if end >= line {
                assert_eq!(archive.found.torn as usize, end - if end >= last { last } else { line });
            }
            if expected == 3 {
                archive.add(&games(&[b"four"])).unwrap();
                assert_eq!(fs::read(&path).unwrap(), whole);
            }
        }
        // Space that was allocated but never written.
        fs::write(&path, [&whole[..], &[0; 100]].concat()).unwrap();
        assert_eq!((listed(&path).unwrap().1.games, listed(&path).unwrap().1.torn), (4, 100));
    }

    #[test]
    fn damage_is_reported_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let mut archive = Archive::open(&path, &label()).unwrap();
        archive.add(&games(&[b"one"])).unwrap();
        archive.add(&games(&[b"two"])).unwrap();
        drop(archive);
        let whole = fs::read(&path).unwrap();
        let line = label().line().len();
        for at in 0..whole.len() {
            let mut bad = whole.clone();
            bad[at] ^= 4;
            fs::write(&path, &bad).unwrap();
            let second = line + HEAD + 5;
            let told = listed(&path).map(|(_, contents)| contents.games).map_err(|error| error.to_string());
            let expected = match at {
                _ if at < line => Err("this is not a file of training games".to_owned()),
                _ if at < line + HEAD => Err(format!("damaged at byte {line}: the head of a block does not match its checksum")),
                _ if at < second => Err(format!("damaged at byte {line}: a block does not match its checksum")),
                _ if at < second + HEAD => {
                    Err(format!("damaged at byte {second}: the head of a block does not match its checksum"))
                }
                // The last block may be incomplete.
                _ => Ok(1),
            };
            assert_eq!(told, expected, "byte {at}");
        }
    }

    #[test]
    fn other_games_are_not_added() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let first = Archive::open(&path, &label()).unwrap();
        assert!(matches!(Archive::open(&path, &label()), Err(BadArchive::Busy)));
        drop(first);
        let other = Archive::open(&path, &Label { nodes: 3000, ..label() }).err().unwrap().to_string();
        assert!(other.contains("at 1500 nodes") && other.contains("at 3000 nodes"), "{other}");
        let judged = Label { network: Some(0x1234), ..label() };
        let other = Archive::open(&path, &judged).err().unwrap().to_string();
        assert!(other.ends_with("seed 7 with the network 00001234"), "{other}");
        let path_of_network = folder.path().join("network");
        drop(Archive::open(&path_of_network, &judged).unwrap());
        assert_eq!(listed(&path_of_network).unwrap().1.label, judged);
        fs::write(&path, "some notes of mine, longer than the line that a file of games begins with would be").unwrap();
        assert!(matches!(Archive::open(&path, &label()), Err(BadArchive::Foreign)));
        assert!(fs::read_to_string(&path).unwrap().starts_with("some notes"), "a file of something else is not changed");
    }
}
