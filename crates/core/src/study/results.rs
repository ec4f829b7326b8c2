//! The results of a player's matches against our levels.
//!
//! They are kept in one small text file: a line with the version, then a line for each result, which is its checksum, a space and a RON value.
//! A result is appended, and on the disk when [`Results::add`] returns; a last line that a crash has cut off was never acknowledged and is
//! overwritten. A file that is damaged elsewhere is kept under another name, and its undamaged lines are read. Windows that write at the same
//! time lock the file in turn.

use crate::rules::{Side, zobrist};
use crate::storage::{Blob, LineFormat, complete_lines};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io;

/// The first line of the file.
const HEADER: &str = "qiju results 1\n";
/// Its other lines.
const LINES: LineFormat = LineFormat { checksum: |text| format!("{:016x}", zobrist::hash(text.len() as u64, text.bytes())) };
/// The file's name in the storage.
pub const FILE: &str = "results.txt";
/// So many numbers of erased matches are kept, so that a match which is still in a journal isn't counted again.
const FORGOTTEN: usize = 8;

/// How a match ended for the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// The player won.
    Won,
    /// A draw.
    Drawn,
    /// The player lost.
    Lost,
}

impl Ending {
    /// 1 for a win, 1/2 for a draw, 0 for a loss.
    pub const fn score(self) -> f64 {
        match self {
            Ending::Won => 1.0,
            Ending::Drawn => 0.5,
            Ending::Lost => 0.0,
        }
    }
}

/// The result of a match of the player against one of our levels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchResult {
    /// The number of the match: each match has one result.
    pub id: u64,
    /// The game's key.
    pub game: String,
    /// The rule set: the variant's key.
    pub variant: String,
    /// The level, from 1.
    pub level: u8,
    /// The player's side.
    pub side: Side,
    /// How it ended.
    pub ending: Ending,
    /// When it ended, in seconds since 1970.
    pub date: i64,
    /// A rated match.
    pub rated: bool,
    /// The player took moves back, or used hints, analysis or exact results.
    #[serde(default)]
    pub helped: bool,
    /// It began from a position that was set up, and that is none of the game's handicaps.
    #[serde(default)]
    pub set_up: bool,
    /// The position of the handicap it began with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handicap: Option<String>,
    /// The sides had different clocks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub time_odds: bool,
    /// A casual match, which does not count for the rating. It is not set in results of the time when casual matches counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unrated: bool,
}

impl MatchResult {
    /// True if it counts for the rating.
    pub fn counts(&self) -> bool {
        self.is_fair() && !self.unrated
    }

    /// True if it was played without help and with the same time for both, from the start of the game, a balanced opening or a handicap.
    pub fn is_fair(&self) -> bool {
        !self.helped && !self.set_up && !self.time_odds
    }
}

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Line {
    Played(MatchResult),
    /// The number of a match whose result was erased.
    Erased(u64),
}

/// The file was damaged: it was kept under another name, and the undamaged lines were read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The new path of the damaged file.
    pub kept: String,
    /// How many results could still be read.
    pub saved: usize,
}

/// The results, oldest first.
#[derive(Debug, Default)]
pub struct Results {
    /// `None` if they are not saved.
    blob: Option<Blob>,
    list: Vec<MatchResult>,
    erased: Vec<u64>,
    /// Results that could not be written yet.
    waiting: Vec<MatchResult>,
}

/// What is in the file.
#[derive(Default)]
struct Contents {
    list: Vec<MatchResult>,
    erased: Vec<u64>,
    /// Bytes up to the end of the last complete line; 0 if there is no file.
    length: u64,
    damaged: bool,
}

impl Results {
    /// Reads the results; none if there is no file yet.
    ///
    /// # Errors
    /// The file exists and cannot be read, or it is damaged and cannot be kept under another name.
    pub fn open(blob: Blob) -> io::Result<(Results, Option<Damage>)> {
        let mut results = Results { blob: Some(blob.clone()), ..Results::default() };
        let mut contents = read(&blob)?;
        let mut damage = None;
        if contents.damaged {
            // Another window may have repaired it in the meantime.
            let _owned = blob.own_for_a_moment();
            contents = read(&blob)?;
            if contents.damaged {
                damage = Some(Damage { kept: blob.keep_aside()?.to_string(), saved: contents.list.len() });
                blob.replace(text_of(&contents.list, &contents.erased)?)?;
            }
        }
        (results.list, results.erased) = (contents.list, contents.erased);
        Ok((results, damage))
    }

    /// All results, oldest first, also those that could not be written yet.
    pub fn list(&self) -> impl DoubleEndedIterator<Item = &MatchResult> {
        self.list.iter().chain(&self.waiting)
    }

    /// True if a match with this number has a result, or had one that was erased.
    pub fn knows(&self, id: u64) -> bool {
        self.list().any(|result| result.id == id) || self.erased.contains(&id)
    }

    /// Adds the result of a match, once. It is on the disk when this returns.
    ///
    /// # Errors
    /// It cannot be written. It is in the list all the same, and is written with the next call that succeeds.
    pub fn add(&mut self, result: MatchResult) -> io::Result<()> {
        if self.knows(result.id) {
            return Ok(());
        }
        self.waiting.push(result);
        self.write_waiting()
    }

    fn write_waiting(&mut self) -> io::Result<()> {
        let Some(blob) = self.blob.clone() else {
            self.list.append(&mut self.waiting);
            return Ok(());
        };
        let _owned = blob.own_for_a_moment();
        let mut contents = read(&blob)?;
        let known: BTreeSet<u64> = contents.list.iter().map(|result| result.id).collect();
        let missing: Vec<MatchResult> = self.waiting.iter().filter(|result| !known.contains(&result.id)).cloned().collect();
        if contents.damaged || contents.length == 0 {
            if contents.damaged {
                blob.keep_aside()?;
            }
            let all: Vec<MatchResult> = contents.list.iter().chain(&missing).cloned().collect();
            blob.replace(text_of(&all, &contents.erased)?)?;
        } else {
            let lines: ron::Result<String> = missing.iter().map(|result| LINES.write(&Line::Played(result.clone()))).collect();
            blob.append(contents.length, lines.map_err(io::Error::other)?)?;
        }
        contents.list.extend(missing);
        (self.list, self.erased, self.waiting) = (contents.list, contents.erased, Vec::new());
        Ok(())
    }

    /// Erases the results of a game, or all. Returns what was erased, for [`restore`](Results::restore).
    ///
    /// # Errors
    /// The file cannot be written; nothing has changed then.
    pub fn erase(&mut self, game: Option<&str>) -> io::Result<Vec<MatchResult>> {
        let (gone, kept) = {
            let _owned = self.blob.as_ref().and_then(Blob::own_for_a_moment);
            self.refresh()?;
            let of_it = |result: &MatchResult| game.is_none_or(|game| result.game == game);
            let (gone, kept): (Vec<MatchResult>, Vec<MatchResult>) = self.list().cloned().partition(of_it);
            let mut erased = self.erased.clone();
            erased.extend(gone.iter().map(|result: &MatchResult| result.id));
            let erased = erased.split_off(erased.len().saturating_sub(FORGOTTEN));
            self.replace(&kept, &erased)?;
            self.erased = erased;
            (gone, kept)
        };
        (self.list, self.waiting) = (kept, Vec::new());
        Ok(gone)
    }

    /// Brings back what was erased.
    ///
    /// # Errors
    /// The file cannot be written; nothing has changed then.
    pub fn restore(&mut self, gone: &[MatchResult]) -> io::Result<()> {
        let _owned = self.blob.as_ref().and_then(Blob::own_for_a_moment);
        self.refresh()?;
        let known: BTreeSet<u64> = self.list().map(|result| result.id).collect();
        let back = gone.iter().filter(|result| !known.contains(&result.id));
        let mut all: Vec<MatchResult> = self.list().chain(back).cloned().collect();
        all.sort_by_key(|result| result.date);
        let erased: Vec<u64> = self.erased.iter().copied().filter(|id| gone.iter().all(|result| result.id != *id)).collect();
        self.replace(&all, &erased)?;
        (self.list, self.erased, self.waiting) = (all, erased, Vec::new());
        Ok(())
    }

    /// Reads what another window has written in the meantime.
    fn refresh(&mut self) -> io::Result<()> {
        let Some(blob) = &self.blob else { return Ok(()) };
        let contents = read(blob)?;
        if contents.length > 0 && !contents.damaged {
            (self.list, self.erased) = (contents.list, contents.erased);
            let known: BTreeSet<u64> = self.list.iter().map(|result| result.id).collect();
            self.waiting.retain(|result| !known.contains(&result.id));
        }
        Ok(())
    }

    fn replace(&self, list: &[MatchResult], erased: &[u64]) -> io::Result<()> {
        let Some(blob) = &self.blob else { return Ok(()) };
        blob.replace(text_of(list, erased)?)
    }
}

/// The whole file.
fn text_of(list: &[MatchResult], erased: &[u64]) -> io::Result<String> {
    let lines = erased.iter().map(|id| Line::Erased(*id)).chain(list.iter().cloned().map(Line::Played));
    let lines: ron::Result<String> = lines.map(|line| LINES.write(&line)).collect();
    Ok(HEADER.to_owned() + &lines.map_err(io::Error::other)?)
}

fn read(blob: &Blob) -> io::Result<Contents> {
    let Some(bytes) = blob.read()? else { return Ok(Contents::default()) };
    let mut contents = Contents::default();
    let Some(body) = bytes.strip_prefix(HEADER.as_bytes()) else {
        // The first write was cut off.
        contents.damaged = !HEADER.as_bytes().starts_with(&bytes);
        return Ok(contents);
    };
    let (lines, whole) = complete_lines(body);
    contents.length = (HEADER.len() + whole) as u64;
    let mut seen = BTreeSet::new();
    for line in lines {
        match LINES.read(line) {
            Ok(Line::Played(result)) if seen.insert(result.id) => contents.list.push(result),
            Ok(Line::Played(_)) => {}
            Ok(Line::Erased(id)) => contents.erased.push(id),
            Err(_) => contents.damaged = true,
        }
    }
    Ok(contents)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::{Faults, Files, Memory, Storage};
    use std::sync::Arc;

    fn result(id: u64) -> MatchResult {
        MatchResult {
            id,
            game: if id.is_multiple_of(2) { "xiangqi" } else { "gomoku" }.to_owned(),
            variant: "axf".to_owned(),
            level: 3,
            side: Side::Second,
            ending: Ending::Drawn,
            date: 1_700_000_000 + id as i64,
            rated: id.is_multiple_of(3),
            helped: false,
            set_up: false,
            handicap: id.is_multiple_of(5).then(|| "R3K4 b".to_owned()),
            time_odds: false,
            unrated: false,
        }
    }

    fn blob(storage: impl Storage + 'static) -> Blob {
        Blob::new(Arc::new(storage), FILE)
    }

    fn open(blob: &Blob) -> Results {
        let (results, damage) = Results::open(blob.clone()).unwrap();
        assert_eq!(damage, None);
        results
    }

    fn ids(results: &Results) -> Vec<u64> {
        results.list().map(|result| result.id).collect()
    }

    #[test]
    fn results_come_back_and_each_match_counts_once() {
        let blob = blob(Memory::default());
        let mut results = open(&blob);
        for id in [1, 2, 2, 3] {
            results.add(result(id)).unwrap();
        }
        assert_eq!(ids(&results), [1, 2, 3]);
        let again = open(&blob);
        assert_eq!(again.list().cloned().collect::<Vec<_>>(), [1, 2, 3].map(result));
    }

    #[test]
    fn a_result_of_the_time_without_handicaps_is_read() {
        let line = |set_up| {
            format!(
                "(id:7,game:\"xiangqi\",variant:\"axf\",level:3,side:first,ending:won,date:1700000000,rated:true,set_up:{set_up})"
            )
        };
        let old: Vec<MatchResult> = [true, false].map(|set_up| ron::from_str(&line(set_up)).unwrap()).into();
        assert!(old.iter().all(|result| result.handicap.is_none()) && !old[0].is_fair() && old[1].counts());
        let text = LINES.write(&Line::Played(old[1].clone())).unwrap();
        assert!(!text.contains("handicap"), "{text}");
    }

    #[test]
    fn what_is_erased_can_be_brought_back_and_is_not_counted_again() {
        let blob = blob(Memory::default());
        let mut results = open(&blob);
        (1..=5).for_each(|id| results.add(result(id)).unwrap());
        let gone = results.erase(Some("xiangqi")).unwrap();
        assert_eq!((ids(&results), ids(&open(&blob))), (vec![1, 3, 5], vec![1, 3, 5]));
        let mut again = open(&blob);
        again.add(result(4)).unwrap();
        assert_eq!(ids(&again), [1, 3, 5], "an erased match that is still in a journal");
        again.restore(&gone).unwrap();
        assert_eq!((ids(&again), ids(&open(&blob))), (vec![1, 2, 3, 4, 5], vec![1, 2, 3, 4, 5]));
        assert_eq!(again.erase(None).unwrap().len(), 5);
        assert!(ids(&open(&blob)).is_empty() && open(&blob).knows(5));
    }

    #[test]
    fn two_windows_keep_each_others_results() {
        let memory = Memory::default();
        let (mut one, mut two) = (open(&blob(memory.clone())), open(&blob(memory.clone())));
        std::thread::scope(|scope| {
            for (results, first) in [(&mut one, 0), (&mut two, 100)] {
                scope.spawn(move || (first..first + 50).for_each(|id| results.add(result(id)).unwrap()));
            }
        });
        assert_eq!(open(&blob(memory)).list().count(), 100);
    }

    #[test]
    fn a_torn_line_is_overwritten_and_a_damaged_file_is_kept() {
        let memory = Memory::default();
        let mut results = open(&blob(memory.clone()));
        (1..=3).for_each(|id| results.add(result(id)).unwrap());
        let good = memory.read(FILE).unwrap().unwrap();
        // Cut off anywhere in the last line, nothing but that line is missing.
        let last = good[..good.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
        for length in last..good.len() {
            memory.replace(FILE, &[&good[..length]]).unwrap();
            let mut results = open(&blob(memory.clone()));
            assert_eq!(ids(&results), [1, 2], "{length}");
            results.add(result(9)).unwrap();
            assert_eq!(ids(&open(&blob(memory.clone()))), [1, 2, 9], "{length}");
        }
        let mut bad = good.clone();
        bad[HEADER.len() + 25] ^= 1;
        for (bad, saved, number) in [(bad, 2, 1), (b"\xff\xfe".to_vec(), 0, 2)] {
            memory.replace(FILE, &[&bad]).unwrap();
            let (results, damage) = Results::open(blob(memory.clone())).unwrap();
            let kept = format!("{FILE}.damaged-{number}");
            assert_eq!((damage.unwrap(), results.list().count()), (Damage { kept: kept.clone(), saved }, saved));
            assert_eq!(memory.read(&kept).unwrap().unwrap(), bad);
            assert_eq!(open(&blob(memory.clone())).list().count(), saved);
        }
    }

    #[test]
    fn no_acknowledged_result_is_lost_if_any_step_fails() {
        let folder = tempfile::tempdir().unwrap();
        let place = |faults: Faults| blob(Files::with_faults(folder.path(), faults));
        let counted = Faults::none();
        open(&place(counted.clone())).add(result(0)).unwrap();
        for step in 0..counted.steps() * 3 {
            for length in [0, 1, 40, 200] {
                for count in [1, usize::MAX] {
                    place(Faults::none()).remove().unwrap();
                    let mut results = open(&place(Faults::new(step, count, length)));
                    let mut acknowledged = Vec::new();
                    for id in 0..3 {
                        // What waited is written together with the next one.
                        if results.add(result(id)).is_ok() {
                            acknowledged = (0..=id).collect();
                        }
                    }
                    assert_eq!(ids(&results), [0, 1, 2]);
                    let (found, damage) = Results::open(place(Faults::none())).unwrap();
                    assert_eq!(damage, None, "step {step}");
                    for id in acknowledged {
                        assert!(found.knows(id), "step {step}, {length} bytes, {count} fail: {id}");
                    }
                }
            }
        }
    }
}
