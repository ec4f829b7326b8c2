//! What a user has done with the puzzles of a game: rating, streak, and what comes back because it was missed.

use super::requests::{PuzzleGrade, PuzzleWish};
use qiju_core::study::puzzles::{Puzzle, rating};
use qiju_core::study::rating::Rating;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A missed puzzle comes back after so many others, each time it was solved.
const RETURNS: [u32; 3] = [5, 20, 60];
/// The ratings from which a puzzle is of medium difficulty, and hard.
const GRADES: [f64; 2] = [1000.0, 1350.0];

/// What is known of a puzzle that was tried.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Tried {
    /// How often it was missed.
    missed: u32,
    /// Solved so often since it was missed last.
    returns: u32,
    /// It comes back when so many puzzles were tried.
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
    /// The puzzles that were tried, by their numbers.
    puzzles: BTreeMap<u64, Tried>,
}

/// Before the first puzzle.
pub(super) static NEW: GameProgress =
    GameProgress { rating: rating::first(), streak: 0, best_streak: 0, tried: 0, solved: 0, puzzles: BTreeMap::new() };

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
        self.puzzles.values().filter(|tried| tried.due.is_some()).count()
    }

    /// Counts a result. Only the first one of a puzzle changes the rating.
    pub fn count(&mut self, puzzle: &Puzzle, solved: bool) {
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
        if !solved {
            tried.missed = tried.missed.saturating_add(1);
            tried.returns = 0;
        } else if tried.due.is_some() {
            tried.returns += 1;
        }
        let comes_back = !solved || tried.due.is_some();
        let wait = RETURNS.get(tried.returns as usize).filter(|_| comes_back);
        tried.due = wait.map(|wait| now.saturating_add(*wait));
    }

    /// The next puzzle for a wish: a missed one that is due, else a new one, else the one tried longest ago. `None` if there is none of this kind.
    pub fn choose(&self, puzzles: &[Puzzle], wish: PuzzleWish, shown: Option<usize>) -> Option<usize> {
        let fits = |puzzle: &Puzzle| wish.kind.is_none_or(|kind| puzzle.kind == kind) && is_of(puzzle, wish.grade);
        let all = || puzzles.iter().enumerate().filter(|(index, puzzle)| fits(puzzle) && Some(*index) != shown);
        let tried = |puzzle: &Puzzle| self.puzzles.get(&puzzle.id());
        let due = |puzzle: &Puzzle| tried(puzzle).and_then(|tried| tried.due).filter(|due| *due <= self.tried);
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
        back.or_else(fresh).or_else(old).or(shown.filter(|index| puzzles.get(*index).is_some_and(fits)))
    }

    /// The values of a file may be anything.
    pub(super) fn sane(mut self) -> GameProgress {
        self.rating = rating::usable(self.rating).unwrap_or(rating::first());
        self.solved = self.solved.min(self.tried);
        self.best_streak = self.best_streak.max(self.streak);
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
    fn missed_puzzles_come_back_later_and_leave_after_three_times() {
        // More puzzles than are tried, so that none comes again for lack of others.
        let puzzles: Vec<Puzzle> = (0..400).map(|number| puzzle(number, (number % 10) as u8 + 1)).collect();
        let wish = PuzzleWish::default();
        let mut progress = GameProgress::default();
        let missed = progress.choose(&puzzles, wish, None).unwrap();
        progress.count(&puzzles[missed], false);
        assert_eq!((progress.returning(), progress.streak), (1, 0));
        let mut came = Vec::new();
        for round in 0..150 {
            let next = progress.choose(&puzzles, wish, None).unwrap();
            if next == missed {
                came.push(round);
            }
            progress.count(&puzzles[next], true);
        }
        assert_eq!(came, [5, 5 + 1 + 20, 5 + 1 + 20 + 1 + 60]);
        assert_eq!(progress.returning(), 0);
        assert_eq!((progress.streak, progress.best_streak, progress.tried, progress.solved), (150, 150, 151, 150));
        assert_eq!(progress.seen(), 148);
    }

    #[test]
    fn a_wish_is_kept_and_what_suits_follows_the_rating() {
        let puzzles = puzzles();
        let progress = GameProgress::default();
        for grade in [PuzzleGrade::Easy, PuzzleGrade::Medium, PuzzleGrade::Hard, PuzzleGrade::Suited] {
            for kind in [None, Some(PuzzleKind::Win), Some(PuzzleKind::Draw)] {
                let found = progress.choose(&puzzles, PuzzleWish { kind, grade }, None).unwrap();
                assert!(kind.is_none_or(|kind| puzzles[found].kind == kind) && is_of(&puzzles[found], grade));
            }
        }
        assert_eq!(progress.choose(&puzzles, PuzzleWish { kind: Some(PuzzleKind::Mate), ..PuzzleWish::default() }, None), None);
        let rated = |value: f64| {
            let progress = GameProgress { rating: Rating { value, error: 50.0 }, ..GameProgress::default() };
            puzzles[progress.choose(&puzzles, PuzzleWish::default(), None).unwrap()].rating()
        };
        assert!((rated(900.0) - 900.0).abs() < 80.0 && (rated(1600.0) - 1600.0).abs() < 80.0);
        // The only puzzle there is comes again.
        assert_eq!(progress.choose(&puzzles[..1], PuzzleWish::default(), Some(0)), Some(0));
    }
}
