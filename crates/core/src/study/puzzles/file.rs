//! The file of puzzles: one line of text that names its contents and their checksum, then the puzzles as compressed text, one a line.

use crate::message;
use crate::message::Message;
use crate::rules::Side;
use crate::rules::zobrist;
use crate::storage::crc32;
use crate::table::{Action, Notation, PuzzleKind, PuzzleSolution, Puzzles, Setup, SetupError, Table};
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use thiserror::Error;

/// The first words of every file.
const HEAD: &str = "qiju-puzzles 1";
/// The largest size of the text of a file.
const LARGEST: u64 = 64 << 20;

/// A puzzle as the file has it: unchecked text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// What is asked.
    pub kind: PuzzleKind,
    /// The variant's key.
    pub variant: String,
    /// The position.
    pub position: String,
    /// The line of the solution; see [`PuzzleSolution`].
    pub line: Vec<String>,
    /// How many moves of the solver are asked.
    pub asked: usize,
    /// The lowest level that finds the solution; 10 if no level below 10 does.
    pub level: u8,
}

impl Puzzle {
    /// A number that stays the same in other files and versions.
    pub fn id(&self) -> u64 {
        let bytes = self.variant.bytes().chain([0]).chain(self.position.bytes());
        zobrist::hash(0, bytes)
    }

    /// Its setup.
    pub fn setup(&self) -> Setup {
        Setup { variant: Some(self.variant.clone()), position: Some(self.position.clone()) }
    }

    /// Its rating, on the scale of the solvers' ratings: by the level that finds it and the number of moves asked.
    pub fn rating(&self) -> f64 {
        700.0 + 120.0 * f64::from(self.level.saturating_sub(1)) + 40.0 * (self.asked.saturating_sub(1) as f64)
    }

    /// The solution, read from its position.
    ///
    /// # Errors
    /// A move cannot be read or is illegal.
    pub fn solution(&self, start: &dyn Table) -> Result<PuzzleSolution, Message> {
        let mut table = start.boxed_clone();
        let mut line = Vec::with_capacity(self.line.len());
        for text in &self.line {
            let action = table.read(text)?;
            table.play(action)?;
            line.push(action);
        }
        Ok(PuzzleSolution { kind: self.kind, line, asked: self.asked })
    }

    /// Its themes; see [`Puzzles::themes_of`]. None if it cannot be read.
    pub fn themes(&self, start: &dyn Table, puzzles: &dyn Puzzles) -> Vec<&'static str> {
        self.solution(start).map_or_else(|_| Vec::new(), |solution| puzzles.themes_of(start, &solution))
    }

    /// The puzzle with this solution of a table's position.
    pub fn of(table: &dyn Table, solution: &PuzzleSolution, level: u8) -> Option<Puzzle> {
        let mut at = table.boxed_clone();
        let mut line = Vec::with_capacity(solution.line.len());
        for &action in &solution.line {
            line.push(at.write(action, Notation::Uci)?);
            at.play(action).ok()?;
        }
        Some(Puzzle {
            kind: solution.kind,
            variant: table.setup().variant.clone()?,
            position: table.setup().position.clone()?,
            line,
            asked: solution.asked,
            level,
        })
    }

    fn write(&self) -> String {
        let Puzzle { kind, variant, position, line, asked, level } = self;
        format!("{kind}\t{level}\t{asked}\t{variant}\t{position}\t{}\n", line.join(" "))
    }

    fn read(line: &str) -> Option<Puzzle> {
        let mut words = line.split('\t');
        let kind = PuzzleKind::from_key(words.next()?)?;
        let level = words.next()?.parse().ok().filter(|level| (1..=10).contains(level))?;
        let asked = words.next()?.parse().ok().filter(|asked| (1..=99).contains(asked))?;
        let (variant, position) = (words.next()?.to_owned(), words.next()?.to_owned());
        let line: Vec<String> = words.next()?.split(' ').map(str::to_owned).collect();
        (words.next().is_none() && line.len() >= 2 * asked - 1).then_some(Puzzle { kind, variant, position, line, asked, level })
    }
}

/// The puzzles of a game, and how they were made, so that more can be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleFile {
    /// The game's key.
    pub game: String,
    /// The seed of the games.
    pub seed: u64,
    /// The number of games played.
    pub games: u64,
    /// The puzzles.
    pub puzzles: Vec<Puzzle>,
}

/// A file of puzzles that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", Message::from(self))]
pub enum Damaged {
    /// It is another kind of file, or of another version.
    Foreign,
    /// Its contents were changed.
    Checksum,
    /// A line cannot be read.
    Line(usize),
    /// A puzzle has an invalid position or solution.
    Puzzle(usize, Message),
}

crate::has_message!(Damaged);

impl From<&Damaged> for Message {
    fn from(error: &Damaged) -> Message {
        match error {
            Damaged::Foreign => message!("this is not a file of puzzles"),
            Damaged::Checksum => message!("the file of puzzles is damaged: its contents do not match their checksum"),
            Damaged::Line(number) => message!("the file of puzzles is damaged: puzzle {} cannot be read", number),
            Damaged::Puzzle(number, why) => message!("puzzle {}: {}", number, why),
        }
    }
}

impl PuzzleFile {
    /// A file without puzzles.
    pub fn new(game: &str, seed: u64) -> PuzzleFile {
        PuzzleFile { game: game.to_owned(), seed, games: 0, puzzles: Vec::new() }
    }

    /// The bytes of the file.
    pub fn pack(&self) -> Vec<u8> {
        let text: String = self.puzzles.iter().map(Puzzle::write).collect();
        let head = format!("{HEAD} {} {} {} {}", self.game, self.puzzles.len(), self.seed, self.games);
        let sum = crc32([head.as_bytes(), text.as_bytes()]);
        let mut bytes = format!("{head} {sum:08x}\n").into_bytes();
        let mut packed = DeflateEncoder::new(&mut bytes, flate2::Compression::best());
        let done = packed.write_all(text.as_bytes()).and_then(|()| packed.finish().map(drop));
        debug_assert!(done.is_ok(), "a vector grows");
        bytes
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// The bytes are not a file of puzzles, or it is damaged.
    pub fn unpack(bytes: &[u8]) -> Result<PuzzleFile, Damaged> {
        let end = bytes.iter().take(200).position(|byte| *byte == b'\n').ok_or(Damaged::Foreign)?;
        let line = std::str::from_utf8(&bytes[..end]).map_err(|_| Damaged::Foreign)?;
        let (head, sum) = line.rsplit_once(' ').ok_or(Damaged::Foreign)?;
        let rest = head.strip_prefix(HEAD).and_then(|rest| rest.strip_prefix(' ')).ok_or(Damaged::Foreign)?;
        let mut text = String::new();
        let mut unpacked = DeflateDecoder::new(&bytes[end + 1..]).take(LARGEST);
        unpacked.read_to_string(&mut text).map_err(|_| Damaged::Checksum)?;
        if u32::from_str_radix(sum, 16) != Ok(crc32([head.as_bytes(), text.as_bytes()])) {
            return Err(Damaged::Checksum);
        }
        let words: Vec<&str> = rest.split(' ').collect();
        let &[game, count, seed, games] = &words[..] else { return Err(Damaged::Foreign) };
        let number = |text: &str| text.parse::<u64>().map_err(|_| Damaged::Foreign);
        let puzzles = (1..).zip(text.lines()).map(|(index, line)| Puzzle::read(line).ok_or(Damaged::Line(index)));
        let puzzles = puzzles.collect::<Result<Vec<Puzzle>, Damaged>>()?;
        if number(count)? != puzzles.len() as u64 {
            return Err(Damaged::Checksum);
        }
        Ok(PuzzleFile { game: game.to_owned(), seed: number(seed)?, games: number(games)?, puzzles })
    }

    /// How many puzzles there are of each kind and number of moves, and of each level, as lines of text.
    pub fn distribution(&self) -> String {
        let mut kinds: BTreeMap<(PuzzleKind, usize), usize> = BTreeMap::new();
        let mut levels: BTreeMap<u8, usize> = BTreeMap::new();
        for puzzle in &self.puzzles {
            *kinds.entry((puzzle.kind, puzzle.asked)).or_default() += 1;
            *levels.entry(puzzle.level).or_default() += 1;
        }
        let head = format!("{} {} puzzles from {} games, seed {}", self.puzzles.len(), self.game, self.games, self.seed);
        let kinds = kinds.into_iter().map(|((kind, asked), count)| format!("\n{kind} {asked} {count}"));
        let levels = levels.into_iter().map(|(level, count)| format!("\nlevel {level} {count}"));
        [head].into_iter().chain(kinds).chain(levels).collect()
    }

    /// Does something with every puzzle, on several threads, each with a value of its own: the results in the order of the puzzles, or the number
    /// of a puzzle and what is wrong with it.
    ///
    /// # Errors
    /// Those of `work`.
    pub fn each<T: Send, W>(
        &self,
        threads: u16,
        worker: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, &Puzzle) -> Result<T, Message> + Sync,
    ) -> Result<Vec<T>, (usize, Message)> {
        let next = AtomicUsize::new(0);
        let share = || {
            let mut worker = worker();
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(puzzle) = self.puzzles.get(index) else { return Ok(done) };
                let result = work(&mut worker, puzzle).map_err(|why| {
                    next.store(self.puzzles.len(), Ordering::Relaxed);
                    (index + 1, why)
                })?;
                done.push((index, result));
            }
        };
        let shares: Result<Vec<_>, _> = std::thread::scope(|scope| {
            let tasks: Vec<_> = (0..threads).map(|_| scope.spawn(share)).collect();
            tasks.into_iter().map(|task| task.join().expect("a puzzle does not panic")).collect()
        });
        let mut done = shares?.into_iter().flatten().collect::<Vec<_>>();
        done.sort_by_key(|(index, _)| *index);
        Ok(done.into_iter().map(|(_, result)| result).collect())
    }
}

/// Whether an action ends the game with a win of the solver.
pub fn ends_for(table: &dyn Table, action: Action, solver: Side) -> bool {
    let mut next = table.boxed_clone();
    next.play(action).is_ok() && next.outcome().is_some_and(|outcome| outcome.winner == Some(solver))
}

impl From<(usize, SetupError)> for Damaged {
    fn from((number, error): (usize, SetupError)) -> Damaged {
        Damaged::Puzzle(number, error.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> PuzzleFile {
        let puzzle = |position: &str, level| Puzzle {
            kind: PuzzleKind::Win,
            variant: "standard".to_owned(),
            position: position.to_owned(),
            line: vec!["0,1-1,1".to_owned(), "4,3-3,3".to_owned(), "1,1-2,1".to_owned()],
            asked: 2,
            level,
        };
        let puzzles = vec![puzzle("ooooo...............xxxxx o", 3), puzzle("ooooo...............xxxxx x", 10)];
        PuzzleFile { game: "two-eat-one".to_owned(), seed: 7, games: 12, puzzles }
    }

    #[test]
    fn files_are_read_as_they_were_written() {
        assert_eq!(PuzzleFile::unpack(&file().pack()), Ok(file()));
        let empty = PuzzleFile::new("gomoku", 1);
        assert_eq!(PuzzleFile::unpack(&empty.pack()), Ok(empty));
        assert_ne!(file().puzzles[0].id(), file().puzzles[1].id());
    }

    #[test]
    fn every_changed_byte_and_every_shortened_file_is_refused() {
        let bytes = file().pack();
        for at in 0..bytes.len() {
            for bit in [1, 32] {
                let mut bad = bytes.clone();
                bad[at] ^= bit;
                // The checksum may be written with capitals, and the last byte of the packed data has bits that nobody reads.
                if PuzzleFile::unpack(&bad) == Ok(file()) {
                    assert!(bad[at].eq_ignore_ascii_case(&bytes[at]) || at + 1 == bytes.len(), "byte {at} of {}", bytes.len());
                    continue;
                }
                let error = PuzzleFile::unpack(&bad).expect_err(&format!("byte {at}"));
                assert!(!error.to_string().contains('\n'));
            }
            assert!(PuzzleFile::unpack(&bytes[..at]).is_err(), "{at} bytes");
        }
        assert_eq!(PuzzleFile::unpack(b"some notes of mine\n"), Err(Damaged::Foreign));
    }
}
