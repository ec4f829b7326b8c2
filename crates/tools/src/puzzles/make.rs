//! How puzzles are made: low levels play games, the game's own search looks for puzzles in their positions, and all levels try to solve them.

use qiju_core::message::Message;
use qiju_core::rules::zobrist;
use qiju_core::search::StopToken;
use qiju_core::study::puzzles::{Damaged, Puzzle, PuzzleFile, ends_for, key};
use qiju_core::table::{
    Action, Draft, GameSheet, Player, PlayerError, PuzzleKind, PuzzleSolution, Puzzles, SearchRequest, Setup, SetupError, Table,
};
use std::collections::{BTreeMap, HashSet};

/// Games are stopped after so many plies.
const LONGEST: usize = 160;
/// Plies after a puzzle before the next one is sought in the same game.
const APART: usize = 6;
/// The size of the transposition tables: the searches are small.
const HASH_MB: usize = 4;
/// A level solves a puzzle if it does so with each of these seeds of its errors; the levels with few errors are asked only once.
const SEEDS: [u64; 2] = [1, 2];
const FEW_ERRORS: u16 = 35;

/// Makes puzzles of a game.
pub struct Maker<'a> {
    puzzles: &'static dyn Puzzles,
    sheet: &'a GameSheet,
    table: &'a (dyn Fn(&Setup) -> Result<Box<dyn Table>, SetupError> + Sync),
    wanted: usize,
    file: PuzzleFile,
    keys: HashSet<Vec<u8>>,
    counts: BTreeMap<(PuzzleKind, usize), usize>,
}

/// The puzzles of one game.
pub struct Harvest(Vec<(Vec<u8>, Puzzle)>);

impl<'a> Maker<'a> {
    /// Continues a file until it has `wanted` puzzles.
    ///
    /// # Errors
    /// The file has a puzzle with an invalid position.
    pub fn new(
        puzzles: &'static dyn Puzzles,
        sheet: &'a GameSheet,
        table: &'a (dyn Fn(&Setup) -> Result<Box<dyn Table>, SetupError> + Sync),
        wanted: usize,
        file: PuzzleFile,
    ) -> Result<Maker<'a>, Damaged> {
        let (keys, counts) = (HashSet::new(), BTreeMap::new());
        let mut maker = Maker { puzzles, sheet, table, wanted, file, keys, counts };
        for (index, puzzle) in maker.file.puzzles.iter().enumerate() {
            let start = table(&puzzle.setup()).map_err(|error| Damaged::from((index + 1, error)))?;
            maker.keys.insert(key(puzzles, &*start));
            *maker.counts.entry((puzzle.kind, puzzle.asked)).or_default() += 1;
        }
        Ok(maker)
    }

    /// The file so far.
    pub fn file(&self) -> &PuzzleFile {
        &self.file
    }

    /// True if there are as many puzzles as wanted.
    pub fn is_done(&self) -> bool {
        self.file.puzzles.len() >= self.wanted
    }

    /// True if more puzzles of this kind with so many moves are needed.
    fn needs(&self, kind: PuzzleKind, asked: usize) -> bool {
        let most = self.puzzles.share(kind, asked) * self.wanted as f32;
        (self.counts.get(&(kind, asked)).copied().unwrap_or(0) as f32) < most
    }

    /// Plays the game with this number and looks for puzzles in it.
    ///
    /// # Errors
    /// An engine failed.
    pub fn play(&self, number: u64) -> Result<Harvest, PlayerError> {
        let failed = |error: Message| PlayerError::Unavailable(error);
        let mut random = fastrand::Rng::with_seed(zobrist::mix(self.file.seed ^ zobrist::mix(number)));
        let variants = self.puzzles.variants();
        let variant = variants[(number % variants.len() as u64) as usize];
        let mut table =
            (self.table)(&Setup { variant: Some(variant.to_owned()), position: None }).map_err(|error| failed(error.into()))?;
        let mut players: Vec<(Box<dyn Player>, usize)> = (0..2)
            .map(|_| (table.player(), random.usize(..self.puzzles.strongest().clamp(1, self.sheet.levels.len()))))
            .collect();
        for _ in 0..random.usize(..=self.puzzles.random_moves()) {
            let actions = table.actions();
            let Some(action) = random.choice(near(&*table, actions)) else { break };
            let _ = table.play(action);
        }
        let mut setter = self.puzzles.setter();
        let mut found = Harvest(Vec::new());
        let mut next = 0;
        while table.outcome().is_none() && table.ply() < LONGEST {
            if table.ply() >= next
                && let Some(start) = self.start(&*table, variant)
                && let Some(solution) = setter.find(&*start, &|kind, asked| self.needs(kind, asked))
            {
                next = table.ply() + APART.max(2 * solution.asked);
                let key = key(self.puzzles, &*start);
                if !self.keys.contains(&key)
                    && found.0.iter().all(|(other, _)| *other != key)
                    && setter.check(&*start, &solution).is_ok()
                {
                    let level = lowest_level(self.sheet, &*start, &solution)?;
                    found.0.extend(Puzzle::of(&*start, &solution, level).map(|puzzle| (key, puzzle)));
                }
            }
            let (player, level) = &mut players[table.turn().index()];
            let mut request = self.sheet.levels[*level].request(random.u64(..));
            request.limits.time = None;
            request.options.hash_mb = HASH_MB;
            let Some(action) = player.think(&*table, &request, &StopToken::new(), &mut |_| {})? else { break };
            table.play(action).map_err(|error| failed(error.into()))?;
        }
        Ok(found)
    }

    /// A table that begins with the current position, without what has happened before.
    fn start(&self, table: &dyn Table, variant: &str) -> Option<Box<dyn Table>> {
        // The pieces and the side to move are written as a position that was set up: counters of moves begin anew.
        let placement = table.capabilities().placement?;
        let position = placement.text(variant, &Draft::of(table.pieces(), table.turn()));
        let start = (self.table)(&Setup { variant: Some(variant.to_owned()), position: Some(position) }).ok()?;
        start.outcome().is_none().then_some(start)
    }

    /// Adds the puzzles of the next game.
    pub fn add(&mut self, harvest: Harvest) {
        self.file.games += 1;
        for (key, puzzle) in harvest.0 {
            if !self.is_done() && self.needs(puzzle.kind, puzzle.asked) && self.keys.insert(key) {
                *self.counts.entry((puzzle.kind, puzzle.asked)).or_default() += 1;
                self.file.puzzles.push(puzzle);
            }
        }
    }
}

/// The actions near the pieces, for a game whose pieces are placed; otherwise all.
fn near(table: &dyn Table, actions: Vec<Action>) -> Vec<Action> {
    let (files, ranks) = table.size();
    let pieces = table.pieces();
    let is_near = |action: &Action| match action {
        Action::Drop(at) if pieces.is_empty() => at.x.abs_diff(files / 2) <= 1 && at.y.abs_diff(ranks / 2) <= 1,
        Action::Drop(at) => pieces.iter().any(|(other, _)| at.x.abs_diff(other.x) <= 2 && at.y.abs_diff(other.y) <= 2),
        _ => true,
    };
    actions.into_iter().filter(is_near).collect()
}

/// The lowest level that finds the solution; 10 if none below 10 does.
///
/// # Errors
/// An engine failed.
pub fn lowest_level(sheet: &GameSheet, start: &dyn Table, solution: &PuzzleSolution) -> Result<u8, PlayerError> {
    for (index, level) in sheet.levels.iter().enumerate().take(9) {
        let mut solved = true;
        let seeds = if level.misjudgement <= FEW_ERRORS { &SEEDS[..1] } else { &SEEDS[..] };
        for &seed in seeds {
            let mut request = level.request(seed);
            request.limits.time = None;
            request.book = false;
            request.options.hash_mb = HASH_MB;
            solved = solved && solves(start, solution, &mut *start.player(), &request)?;
        }
        if solved {
            return Ok(index as u8 + 1);
        }
    }
    Ok(10)
}

/// Whether a player finds every move that is asked.
fn solves(
    start: &dyn Table,
    solution: &PuzzleSolution,
    player: &mut dyn Player,
    request: &SearchRequest,
) -> Result<bool, PlayerError> {
    let mut table = start.boxed_clone();
    let solver = table.turn();
    for (ply, &right) in solution.line.iter().enumerate().take(2 * solution.asked - 1) {
        if ply % 2 == 0 {
            let action = player.think(&*table, request, &StopToken::new(), &mut |_| {})?;
            let found = action == Some(right) || action.is_some_and(|action| ends_for(&*table, action, solver));
            if !found {
                return Ok(false);
            }
        }
        if table.play(right).is_err() {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use qiju_core::study::puzzles::check;

    #[test]
    fn new_puzzles_are_found_and_continued() {
        let entry = qiju_core::games::find("two-eat-one").unwrap();
        let puzzles = (entry.capabilities)((entry.variants)()[0]).puzzles.unwrap();
        let sheet = entry.sheet().unwrap();
        let table = |setup: &Setup| entry.table(setup);
        let make = |file: PuzzleFile, wanted: usize| {
            let mut maker = Maker::new(puzzles, &sheet, &table, wanted, file).unwrap();
            while !maker.is_done() {
                let game = maker.play(maker.file().games).unwrap();
                maker.add(game);
            }
            maker.file().clone()
        };
        // The fourth game is the first of a small board.
        let begun = PuzzleFile { games: 3, ..PuzzleFile::new(entry.key, 5) };
        let few = make(begun, 2);
        assert_eq!(PuzzleFile::unpack(&few.pack()).as_ref(), Ok(&few));
        let more = make(few.clone(), 4);
        assert_eq!(more.puzzles[..2], few.puzzles[..]);
        assert!(more.games > few.games);
        let mut setter = puzzles.setter();
        for puzzle in &more.puzzles {
            let start = entry.table(&puzzle.setup()).unwrap();
            assert_eq!(check(puzzle, &*start, &mut *setter), Ok(()));
        }
    }
}
