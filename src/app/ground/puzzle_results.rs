//! What a user has done with the puzzles of a game: rating, streak, and what comes back because it was missed.

use super::requests::{PuzzleGrade, PuzzleWish};
use qiju_core::study::puzzles::{Puzzle, rating};
use qiju_core::study::rating::Rating;
use qiju_core::study::schedule;
use qiju_core::study::schedule::Memory;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The ratings from which a puzzle is of medium difficulty, and hard.
const GRADES: [f64; 2] = [1000.0, 1350.0];

/// What is known of a puzzle that was tried.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Tried {
    /// How often it was missed.
    missed: u32,
    /// When it comes back, if it was missed.
    memory: Option<Memory>,
    /// In files of earlier versions: it comes back when so many puzzles were tried.
    #[serde(skip_serializing)]
    due: Option<u32>,
    /// The number of puzzles tried before it, the last time.
    at: u32,
}

/// The results in a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GameProgress {
    /// The rating.
    pub rating: Rating,
    /// Puzzles solved one after the other without a mistake or help, now,
    pub streak: u32,
    /// and at most so far.
    pub best_streak: u32,
    /// Puzzles tried, counted each time.
    pub tried: u32,
    /// Of these, solved without a mistake or help.
    pub solved: u32,
    /// The most puzzles solved in a timed run.
    pub best_run: u32,
    /// The puzzles that were tried, by their numbers.
    puzzles: BTreeMap<u64, Tried>,
}

/// Before the first puzzle.
pub(super) static NEW: GameProgress = GameProgress {
    rating: rating::first(),
    streak: 0,
    best_streak: 0,
    tried: 0,
    solved: 0,
    best_run: 0,
    puzzles: BTreeMap::new(),
};

impl Default for GameProgress {
    fn default() -> Self {
        NEW.clone()
    }
}

impl GameProgress {
    /// The number of different puzzles that were tried.
    pub fn seen(&self) -> usize {
        self.puzzles.len()
    }

    /// The number of missed puzzles that will come back.
    pub fn returning(&self) -> usize {
        self.memories().count()
    }

    /// The number of missed puzzles that are due on a day.
    pub fn due(&self, today: i32) -> usize {
        self.memories().filter(|memory| memory.due <= today).count()
    }

    /// The next day, after this one, on which one of them is due.
    pub fn next_day(&self, today: i32) -> Option<i32> {
        self.memories().map(|memory| memory.due).filter(|due| *due > today).min()
    }

    fn memories(&self) -> impl Iterator<Item = Memory> {
        self.puzzles.values().filter_map(|tried| tried.memory)
    }

    /// Counts a result of a day. Only the first one of a puzzle changes the rating.
    pub fn count(&mut self, puzzle: &Puzzle, solved: bool, today: i32) {
        let first = !self.puzzles.contains_key(&puzzle.id());
        if first {
            self.rating = rating::after(self.rating, puzzle.rating(), solved);
        }
        self.tried = self.tried.saturating_add(1);
        self.solved = self.solved.saturating_add(u32::from(solved));
        self.streak = if solved { self.streak.saturating_add(1) } else { 0 };
        self.best_streak = self.best_streak.max(self.streak);
        let now = self.tried;
        let tried = self.puzzles.entry(puzzle.id()).or_default();
        tried.at = now;
        tried.missed = tried.missed.saturating_add(u32::from(!solved));
        if !solved || tried.memory.is_some() {
            let rating = if solved { schedule::Rating::Good } else { schedule::Rating::Again };
            tried.memory = Some(Memory::after(tried.memory, rating, today));
        }
    }

    /// The next puzzle for a wish, of those that have its theme, by their numbers: a missed one that is due on this day, else a new one, else the
    /// one tried longest ago. `None` if there is none of this kind.
    pub fn choose(
        &self,
        puzzles: &[Puzzle],
        (wish, has_theme): (PuzzleWish, &dyn Fn(usize) -> bool),
        shown: Option<usize>,
        today: i32,
    ) -> Option<usize> {
        let fits = |(index, puzzle): (usize, &Puzzle)| {
            wish.kind.is_none_or(|kind| puzzle.kind == kind) && is_of(puzzle, wish.grade) && has_theme(index)
        };
        let all = || puzzles.iter().enumerate().filter(|one| fits(*one) && Some(one.0) != shown);
        let tried = |puzzle: &Puzzle| self.puzzles.get(&puzzle.id());
        let due = |puzzle: &Puzzle| tried(puzzle)?.memory.map(|memory| memory.due).filter(|due| *due <= today);
        let back = all().filter_map(|(index, puzzle)| Some((due(puzzle)?, index))).min().map(|(_, index)| index);
        let far = |puzzle: &Puzzle| match wish.grade {
            PuzzleGrade::Suited => (puzzle.rating() - self.rating.value).abs() as u64 / 40,
            _ => 0,
        };
        let fresh = || {
            let new = all().filter(|(_, puzzle)| tried(puzzle).is_none());
            new.min_by_key(|(_, puzzle)| (far(puzzle), puzzle.id())).map(|(index, _)| index)
        };
        let old = || all().min_by_key(|(_, puzzle)| tried(puzzle).map_or(0, |tried| tried.at)).map(|(index, _)| index);
        back.or_else(fresh)
            .or_else(old)
            .or(shown.filter(|index| puzzles.get(*index).is_some_and(|puzzle| fits((*index, puzzle)))))
    }

    /// The values of a file may be anything.
    pub(super) fn sane(mut self) -> GameProgress {
        self.rating = rating::usable(self.rating).unwrap_or(rating::first());
        self.solved = self.solved.min(self.tried);
        self.best_streak = self.best_streak.max(self.streak);
        for tried in self.puzzles.values_mut() {
            let missed = tried.due.take().map(|_| Memory { due: 0, ..Memory::after(None, schedule::Rating::Again, 0) });
            tried.memory = tried.memory.or(missed).and_then(Memory::sane);
        }
        self
    }
}

/// Whether a puzzle has this difficulty.
fn is_of(puzzle: &Puzzle, grade: PuzzleGrade) -> bool {
    let rating = puzzle.rating();
    match grade {
        PuzzleGrade::Suited => true,
        PuzzleGrade::Easy => rating < GRADES[0],
        PuzzleGrade::Medium => (GRADES[0]..GRADES[1]).contains(&rating),
        PuzzleGrade::Hard => rating >= GRADES[1],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qiju_core::table::PuzzleKind;

    fn puzzle(number: usize, level: u8) -> Puzzle {
        let kind = if number.is_multiple_of(2) { PuzzleKind::Win } else { PuzzleKind::Draw };
        let (variant, position) = ("standard".to_owned(), number.to_string());
        Puzzle { kind, variant, position, line: Vec::new(), asked: 1, level }
    }

    fn puzzles() -> Vec<Puzzle> {
        (0..40).map(|number| puzzle(number, (number % 10) as u8 + 1)).collect()
    }

    #[test]
    fn missed_puzzles_come_back_on_the_days_of_their_schedule() {
        // More puzzles than are tried, so that none comes again for lack of others.
        let puzzles: Vec<Puzzle> = (0..400).map(|number| puzzle(number, (number % 10) as u8 + 1)).collect();
        let wish = PuzzleWish::default();
        let mut progress = GameProgress::default();
        let missed = progress.choose(&puzzles, (wish, &|_| true), None, 100).unwrap();
        progress.count(&puzzles[missed], false, 100);
        assert_eq!((progress.returning(), progress.due(100), progress.next_day(100), progress.streak), (1, 0, Some(101), 0));
        let mut memory = Memory::after(None, schedule::Rating::Again, 100);
        let mut came = Vec::new();
        for day in 100..200 {
            let next = progress.choose(&puzzles, (wish, &|_| true), None, day).unwrap();
            if next == missed {
                assert_eq!((memory.due, progress.due(day)), (day, 1));
                came.push(day);
                memory = Memory::after(Some(memory), schedule::Rating::Good, day);
            }
            progress.count(&puzzles[next], true, day);
        }
        assert!(came.len() > 2 && came[0] == 101, "{came:?}");
        assert_eq!((progress.returning(), progress.due(199)), (1, 0));
        assert_eq!((progress.streak, progress.best_streak, progress.tried, progress.solved), (100, 100, 101, 100));
        // One that was missed before there were days is due at once.
        let earlier = "(tried: 3, puzzles: {7: (missed: 1, returns: 0, due: Some(8), at: 3), 9: (missed: 0, returns: 0, due: None, at: 2)})";
        let earlier = ron::from_str::<GameProgress>(earlier).unwrap().sane();
        assert_eq!((earlier.returning(), earlier.due(1), earlier.seen()), (1, 1, 2));
        let again: GameProgress = ron::from_str(&ron::to_string(&earlier).unwrap()).unwrap();
        assert_eq!(again.sane(), earlier);
    }

    #[test]
    fn a_wish_is_kept_and_what_suits_follows_the_rating() {
        let puzzles = puzzles();
        let progress = GameProgress::default();
        for grade in [PuzzleGrade::Easy, PuzzleGrade::Medium, PuzzleGrade::Hard, PuzzleGrade::Suited] {
            for kind in [None, Some(PuzzleKind::Win), Some(PuzzleKind::Draw)] {
                let wish = PuzzleWish { kind, grade, theme: None };
                let found = progress.choose(&puzzles, (wish, &|_| true), None, 0).unwrap();
                assert!(kind.is_none_or(|kind| puzzles[found].kind == kind) && is_of(&puzzles[found], grade));
            }
        }
        assert_eq!(
            progress.choose(&puzzles, (PuzzleWish { kind: Some(PuzzleKind::Mate), ..PuzzleWish::default() }, &|_| true), None, 0),
            None
        );
        let seventh = |index: usize| index % 7 == 3;
        let found = progress.choose(&puzzles, (PuzzleWish::default(), &seventh), None, 0).unwrap();
        assert!(seventh(found) && progress.choose(&puzzles, (PuzzleWish::default(), &|_| false), Some(found), 0).is_none());
        let rated = |value: f64| {
            let progress = GameProgress { rating: Rating { value, error: 50.0 }, ..GameProgress::default() };
            puzzles[progress.choose(&puzzles, (PuzzleWish::default(), &|_| true), None, 0).unwrap()].rating()
        };
        assert!((rated(900.0) - 900.0).abs() < 80.0 && (rated(1600.0) - 1600.0).abs() < 80.0);
        // The only puzzle there is comes again.
        assert_eq!(progress.choose(&puzzles[..1], (PuzzleWish::default(), &|_| true), Some(0), 0), Some(0));
    }
}
