//! Lessons from lost games: a position, the move that lost there, and a move that did not lose.
//!
//! After a loss, the game is searched backwards to the last position where another move does not lose. The losing
//! move is excluded when the position occurs again, so the same line is not lost twice. If all moves of a position are known to
//! lose, the search goes back to an earlier position. Lessons also apply to rotated and mirrored positions. They are saved in
//! one small text file: a line with the version, then one lesson per line after its checksum. The file is replaced atomically, so
//! a crash leaves the old or the new file. Programs that write it at the same time lock it in turn and merge the lessons.

use super::{Action, Notation, SearchRequest, Table};
use crate::message;
use crate::message::Message;
use crate::rules::{Side, zobrist};
use crate::search::{Known, StopToken, Value};
use crate::storage::{Blob, Files, LineFormat, Owned};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use web_time::{SystemTime, UNIX_EPOCH};

/// The first line of the file.
const HEADER: &str = "qiju lessons 1";
/// Its other lines.
const LINES: LineFormat = LineFormat { checksum: |text| format!("{:016x}", hash(text)) };
/// The name of the file.
pub const FILE: &str = "lessons.txt";
/// The most lessons that are kept; the oldest are dropped.
const MOST: usize = 20_000;

/// A lesson from one lost game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// The game's key.
    pub game: String,
    /// The variant's key, without the size after a colon and the opening rule after a plus sign.
    pub variant: String,
    /// The position, as the game's text.
    pub position: String,
    /// The move that lost, in the game's own text.
    pub avoid: String,
    /// A move that does not lose, as far as the search could see.
    pub instead: String,
    /// When it was learnt, in seconds since 1970; `None` in files of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learnt: Option<u64>,
}

/// A move that lost a game, and another one for the same position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Better {
    /// The number of moves before it.
    pub ply: usize,
    /// The move that lost.
    pub avoid: Action,
    /// The move that does not lose, as far as the search could see.
    pub instead: Action,
}

/// The file was damaged: it was renamed, and the undamaged lines were read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The new path of the damaged file.
    pub kept: String,
    /// How many lessons could still be read.
    pub saved: usize,
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the file of lessons was damaged and is kept as {}; {} lessons could be read", self.kept, self.saved)
    }
}

#[derive(Default)]
struct Store {
    /// `None` if the lessons are not saved.
    blob: Option<Blob>,
    /// In the order learnt.
    list: Vec<Lesson>,
    /// The indices in the list, by a hash of the position.
    places: BTreeMap<u64, Vec<usize>>,
}

/// The lessons of a user; clones share them.
#[derive(Clone, Default)]
pub struct Lessons(Arc<Mutex<Store>>);

impl std::fmt::Debug for Lessons {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Lessons({})", self.len())
    }
}

/// Lessons that are not saved.
impl FromIterator<Lesson> for Lessons {
    fn from_iter<I: IntoIterator<Item = Lesson>>(lessons: I) -> Lessons {
        let mut store = Store::default();
        lessons.into_iter().for_each(|lesson| store.add(lesson));
        Lessons(Arc::new(Mutex::new(store)))
    }
}

impl Lessons {
    /// The lessons saved in a folder; none if there is no file yet. A damaged file is renamed; the second value reports it.
    ///
    /// # Errors
    /// The file exists and cannot be read, or it is damaged and cannot be renamed.
    pub fn open(folder: &Path) -> io::Result<(Lessons, Option<Damage>)> {
        Lessons::open_blob(Blob::new(Arc::new(Files::below(folder)), FILE))
    }

    /// As [`open`](Lessons::open), from any storage.
    ///
    /// # Errors
    /// As there.
    pub fn open_blob(blob: Blob) -> io::Result<(Lessons, Option<Damage>)> {
        let mut store = Store { blob: Some(blob.clone()), ..Store::default() };
        let Some(bytes) = blob.read()? else { return Ok((Lessons(Arc::new(Mutex::new(store))), None)) };
        let (mut list, mut whole) = parse(&bytes);
        let mut damage = None;
        if !whole {
            // Another program may have repaired it in the meantime.
            let _owned = blob.own_for_a_moment();
            let bytes = blob.read()?.unwrap_or_default();
            (list, whole) = parse(&bytes);
            if !whole {
                let kept = blob.keep_aside()?.to_string();
                damage = Some(Damage { kept, saved: list.len() });
                if list.is_empty() { blob.remove()? } else { blob.replace(text_of(&list)?)? }
            }
        }
        list.into_iter().for_each(|lesson| store.add(lesson));
        Ok((Lessons(Arc::new(Mutex::new(store))), damage))
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many lessons there are.
    pub fn len(&self) -> usize {
        self.store().list.len()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The lessons, the oldest first.
    pub fn list(&self) -> Vec<Lesson> {
        self.store().list.clone()
    }

    /// Deletes the lessons of a game, or all.
    ///
    /// # Errors
    /// The file cannot be written; until the program ends the lessons are gone even then.
    pub fn clear(&self, game: Option<&str>) -> io::Result<()> {
        let mut store = self.store();
        let _owned = store.own();
        store.refresh();
        let kept = std::mem::take(&mut store.list).into_iter().filter(|lesson| game.is_some_and(|game| lesson.game != game));
        let kept: Vec<Lesson> = kept.collect();
        store.places.clear();
        kept.into_iter().for_each(|lesson| store.add(lesson));
        store.write()
    }

    /// Excludes the moves that lost before in the table's position from a search.
    pub fn advise(&self, request: &mut SearchRequest, table: &dyn Table) {
        request.left_out.extend(self.avoid(table));
    }

    /// The moves of the current position that lost before. Empty if every legal move did: then none is excluded.
    pub fn avoid(&self, table: &dyn Table) -> Vec<Action> {
        let avoid = self.known(table);
        if avoid.len() < table.actions().len() { avoid } else { Vec::new() }
    }

    /// All moves that lost in the current position, also as rotated or mirrored positions.
    fn known(&self, table: &dyn Table) -> Vec<Action> {
        let store = self.store();
        let variant = variant_of(table);
        if !store.list.iter().any(|lesson| lesson.game == table.game() && lesson.variant == variant) {
            return Vec::new();
        }
        let (legal, size) = (table.actions(), table.size());
        let mut moves = Vec::new();
        for (image, seen) in table.images() {
            for lesson in store.of(table.game(), &variant, &seen.position_text()) {
                let Ok(action) = seen.read(&lesson.avoid) else { continue };
                let action = image.back_action(action, size);
                if legal.contains(&action) && !moves.contains(&action) {
                    moves.push(action);
                }
            }
        }
        moves
    }

    /// Searches backwards through a game that `loser` lost for the last position where another move does not lose, and saves a
    /// lesson. Each position is searched with `request`. `None` if no such position was found or `stop` was raised.
    ///
    /// # Errors
    /// The game has no such engine, or the file cannot be written (the lesson is then known until the program ends).
    pub fn learn(
        &self,
        table: &dyn Table,
        loser: Side,
        request: &SearchRequest,
        stop: &StopToken,
    ) -> Result<Option<Lesson>, Message> {
        match self.look_for_better(table, loser, request, stop)? {
            Some(better) => self.keep(table, &better),
            None => Ok(None),
        }
    }

    /// The search of [`learn`](Lessons::learn), which saves nothing.
    ///
    /// # Errors
    /// The game has no such engine.
    pub fn look_for_better(
        &self,
        table: &dyn Table,
        loser: Side,
        request: &SearchRequest,
        stop: &StopToken,
    ) -> Result<Option<Better>, Message> {
        let mut game = table.boxed_clone();
        let mut player = game.player();
        while let Some(&played) = game.played().last() {
            if stop.is_stopped() || game.undo().is_none() {
                return Ok(None);
            }
            if game.turn() != loser {
                continue;
            }
            let mut losing = self.known(&*game);
            if !losing.contains(&played) {
                losing.push(played);
            }
            if losing.len() >= game.actions().len() {
                continue;
            }
            let mut request = request.clone();
            request.left_out = losing.clone();
            // Results from a later position must not change the search of this one.
            player.new_game();
            let mut lost = false;
            let found = player.think(&*game, &request, stop, &mut |progress| {
                if progress.multipv == 1 {
                    lost = is_loss(progress.value);
                }
            });
            let found = found?;
            let other = found.filter(|action| !lost && !losing.contains(action) && !stop.is_stopped());
            let Some(instead) = other else { continue };
            return Ok(Some(Better { ply: game.ply(), avoid: played, instead }));
        }
        Ok(None)
    }

    /// Saves a lesson from a game. `None` if there is no such position in it.
    ///
    /// # Errors
    /// The file cannot be written (the lesson is then known until the program ends).
    pub fn keep(&self, table: &dyn Table, better: &Better) -> Result<Option<Lesson>, Message> {
        let mut game = table.boxed_clone();
        while game.ply() > better.ply && game.undo().is_some() {}
        let mut store = self.store();
        let _owned = store.own();
        store.refresh();
        let Some(lesson) = store.lesson(&*game, better.avoid, better.instead) else { return Ok(None) };
        store.add(lesson.clone());
        store.write().map_err(|error| message!("the lesson could not be saved: {}", error))?;
        Ok(Some(lesson))
    }
}

/// The variant without the board's size, which is part of the position, and without the opening rule, which no longer matters.
pub fn variant_of(table: &dyn Table) -> String {
    let variant = table.setup().variant.as_deref().unwrap_or_default();
    variant.split([':', '+']).next().unwrap_or_default().to_owned()
}

fn is_loss(value: Value) -> bool {
    value.known() == Some(Known::Loss)
}

fn place(game: &str, variant: &str, position: &str) -> u64 {
    hash(&format!("{game}|{variant}|{position}"))
}

/// A hash for the checksums of lines and for the index of positions.
fn hash(text: &str) -> u64 {
    zobrist::hash(text.len() as u64, text.bytes())
}

impl Store {
    /// The lessons of a position.
    fn of<'a>(&'a self, game: &'a str, variant: &'a str, position: &'a str) -> impl Iterator<Item = &'a Lesson> {
        let here = self.places.get(&place(game, variant, position)).into_iter().flatten().map(|&index| &self.list[index]);
        here.filter(move |lesson| lesson.game == game && lesson.variant == variant && lesson.position == position)
    }

    /// The lesson for this position. If an older lesson has the same move in a rotated or mirrored position, its orientation is used.
    fn lesson(&self, table: &dyn Table, avoid: Action, instead: Action) -> Option<Lesson> {
        let (variant, size) = (variant_of(table), table.size());
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let mut found = None;
        for (image, seen) in table.images() {
            let text = |action: Action| seen.write(image.of_action(action, size), Notation::Uci);
            let (Some(avoid), Some(instead)) = (text(avoid), text(instead)) else { continue };
            let position = seen.position_text();
            let known = self.of(table.game(), &variant, &position).any(|lesson| lesson.avoid == avoid);
            if known || found.is_none() {
                let (game, variant) = (table.game().to_owned(), variant.clone());
                let learnt = since.as_ref().ok().map(|since| since.as_secs());
                found = Some(Lesson { game, variant, position, avoid, instead, learnt });
            }
            if known {
                break;
            }
        }
        found
    }

    /// Adds a lesson. It replaces an older one with the same move.
    fn add(&mut self, lesson: Lesson) {
        let place = place(&lesson.game, &lesson.variant, &lesson.position);
        let same = |old: &Lesson| {
            (&old.game, &old.variant, &old.position, &old.avoid)
                == (&lesson.game, &lesson.variant, &lesson.position, &lesson.avoid)
        };
        let known = self.places.get(&place).into_iter().flatten().copied().find(|&index| same(&self.list[index]));
        if let Some(index) = known {
            self.list[index] = lesson;
            return;
        }
        if self.list.len() >= MOST {
            self.list.remove(0);
            let list = std::mem::take(&mut self.list);
            self.places.clear();
            list.into_iter().for_each(|lesson| self.add(lesson));
        }
        self.places.entry(place).or_default().push(self.list.len());
        self.list.push(lesson);
    }

    /// Locks the file against other programs.
    fn own(&self) -> Option<Owned> {
        self.blob.as_ref().and_then(Blob::own_for_a_moment)
    }

    /// Reads what another program has written in the meantime.
    fn refresh(&mut self) {
        let Some(Ok(Some(bytes))) = self.blob.as_ref().map(Blob::read) else { return };
        if let (list, true) = parse(&bytes) {
            list.into_iter().for_each(|lesson| self.add(lesson));
        }
    }

    fn write(&self) -> io::Result<()> {
        let Some(blob) = &self.blob else { return Ok(()) };
        blob.replace(text_of(&self.list)?)
    }
}

/// The file's text.
fn text_of(list: &[Lesson]) -> io::Result<String> {
    let mut text = format!("{HEADER}\n");
    for lesson in list {
        text += &LINES.write(lesson).map_err(io::Error::other)?;
    }
    Ok(text)
}

/// The readable lessons, and whether the whole file was readable.
fn parse(bytes: &[u8]) -> (Vec<Lesson>, bool) {
    let text = String::from_utf8_lossy(bytes);
    let Some(body) = text.strip_prefix(HEADER).and_then(|rest| rest.strip_prefix('\n')) else { return (Vec::new(), false) };
    let lessons: Vec<Option<Lesson>> = body.lines().map(|line| LINES.read(line.as_bytes()).ok()).collect();
    let whole = lessons.iter().all(Option::is_some) && text.ends_with('\n');
    (lessons.into_iter().flatten().collect(), whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::{Faults, Memory as InMemory, Storage};

    fn lesson(number: usize) -> Lesson {
        let text = |what: &str| format!("{what} {number}");
        Lesson {
            game: "tic-tac-toe".into(),
            variant: "standard".into(),
            position: text("position"),
            avoid: text("avoid"),
            instead: text("instead"),
            learnt: None,
        }
    }

    fn learn(lessons: &Lessons, number: usize) -> io::Result<()> {
        let mut store = lessons.store();
        let _owned = store.own();
        store.refresh();
        store.add(lesson(number));
        store.write()
    }

    fn blob(storage: impl Storage + 'static) -> Blob {
        Blob::new(Arc::new(storage), FILE)
    }

    #[test]
    fn two_programs_keep_each_others_lessons() {
        let memory = InMemory::default();
        let (one, two) =
            (Lessons::open_blob(blob(memory.clone())).unwrap().0, Lessons::open_blob(blob(memory.clone())).unwrap().0);
        std::thread::scope(|scope| {
            for (lessons, first) in [(&one, 0), (&two, 100)] {
                scope.spawn(move || (first..first + 50).for_each(|number| learn(lessons, number).unwrap()));
            }
        });
        assert_eq!(Lessons::open_blob(blob(memory)).unwrap().0.len(), 100);
    }

    #[test]
    fn damaged_files_are_renamed_and_kept() {
        let memory = InMemory::default();
        learn(&Lessons::open_blob(blob(memory.clone())).unwrap().0, 1).unwrap();
        let good = memory.read(FILE).unwrap().unwrap();
        let damages = [[&good[..], b"torn"].concat(), [&good[..], b"\xff\n"].concat(), b"\xff".to_vec()];
        for (number, bad) in (1..).zip(damages) {
            memory.replace(FILE, &[&bad]).unwrap();
            let (lessons, damage) = Lessons::open_blob(blob(memory.clone())).unwrap();
            let saved = usize::from(number < 3);
            assert_eq!(damage.unwrap(), Damage { kept: format!("{FILE}.damaged-{number}"), saved });
            assert_eq!(lessons.len(), saved);
            assert_eq!(memory.read(&format!("{FILE}.damaged-{number}")).unwrap().unwrap(), bad);
            assert!(Lessons::open_blob(blob(memory.clone())).unwrap().1.is_none());
        }
    }

    #[test]
    fn no_saved_lesson_is_lost_if_any_step_fails() {
        let folder = tempfile::tempdir().unwrap();
        let place = |faults: Faults| blob(Files::with_faults(folder.path(), faults));
        let counted = Faults::none();
        learn(&Lessons::open_blob(place(counted.clone())).unwrap().0, 0).unwrap();
        for step in 0..counted.steps() * 3 {
            for length in [0, 1, 40, 200] {
                for count in [1, usize::MAX] {
                    place(Faults::none()).remove().unwrap();
                    let lessons = Lessons::open_blob(place(Faults::new(step, count, length))).unwrap().0;
                    let kept: Vec<usize> = (0..3).filter(|number| learn(&lessons, *number).is_ok()).collect();
                    let (found, damage) = Lessons::open_blob(place(Faults::none())).unwrap();
                    assert_eq!(damage, None, "step {step}");
                    for number in kept {
                        assert!(found.list().contains(&lesson(number)), "step {step}, {length} bytes, {count} fail: {number}");
                    }
                }
            }
        }
    }
}
