//! The rating of a solver of puzzles: Glicko (Mark Glickman, "Parameter estimation in large dynamic paired comparison experiments", 1999), one
//! puzzle at a time. A puzzle counts as an opponent whose rating is known up to a fixed error.

use serde::{Deserialize, Serialize};

/// A rating and its error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// The rating.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

impl Default for Rating {
    fn default() -> Self {
        Rating { value: 1000.0, error: WIDEST }
    }
}

/// The error of a new solver.
const WIDEST: f64 = 350.0;
/// The smallest error, so that a rating never stops moving.
const SMALLEST: f64 = 50.0;
/// The error of a puzzle's rating.
const OF_PUZZLE: f64 = 100.0;
/// The range of ratings.
const RANGE: (f64, f64) = (100.0, 3000.0);

impl Rating {
    /// The expected result against a puzzle of this rating, 0 to 1.
    pub fn expected(self, puzzle: f64) -> f64 {
        let q = std::f64::consts::LN_10 / 400.0;
        let g = 1.0 / (1.0 + 3.0 * (q * OF_PUZZLE / std::f64::consts::PI).powi(2)).sqrt();
        1.0 / (1.0 + 10f64.powf(-g * (self.value - puzzle) / 400.0))
    }

    /// The rating after a puzzle was solved at the first try, or not.
    #[must_use]
    pub fn after(self, puzzle: f64, solved: bool) -> Rating {
        let q = std::f64::consts::LN_10 / 400.0;
        let g = 1.0 / (1.0 + 3.0 * (q * OF_PUZZLE / std::f64::consts::PI).powi(2)).sqrt();
        let expected = self.expected(puzzle);
        let information = q * q * g * g * expected * (1.0 - expected);
        let precision = 1.0 / self.error.powi(2) + information;
        let value = self.value + q / precision * g * (f64::from(u8::from(solved)) - expected);
        Rating { value: value.clamp(RANGE.0, RANGE.1), error: (1.0 / precision).sqrt().clamp(SMALLEST, WIDEST) }
    }

    /// The rating if it is usable: numbers from a file may be anything.
    pub fn checked(self) -> Option<Rating> {
        let usable = self.value.is_finite() && self.error.is_finite();
        let Rating { value, error } = self;
        usable.then(|| Rating { value: value.clamp(RANGE.0, RANGE.1), error: error.clamp(SMALLEST, WIDEST) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_move_to_the_strength_of_the_solver() {
        let mut random = fastrand::Rng::with_seed(5);
        for strength in [800.0, 1300.0, 1700.0] {
            let mut rating = Rating::default();
            for _ in 0..300 {
                let puzzle = rating.value + random.f64() * 200.0 - 100.0;
                let chance = 1.0 / (1.0 + 10f64.powf((puzzle - strength) / 400.0));
                rating = rating.after(puzzle, random.f64() < chance);
            }
            assert!((rating.value - strength).abs() < 2.5 * rating.error, "{strength}: {rating:?}");
            assert!(rating.error < 80.0, "{rating:?}");
        }
    }

    #[test]
    fn a_first_result_counts_more_than_a_late_one() {
        let new = Rating::default();
        let old = Rating { error: 60.0, ..new };
        assert!(new.after(1000.0, true).value - 1000.0 > 100.0);
        assert!(old.after(1000.0, true).value - 1000.0 < 15.0);
        assert!(new.after(1000.0, false).value < 900.0 && new.after(1000.0, false).error < 350.0);
        assert!(old.after(400.0, true).value - old.value < 1.0);
        assert_eq!(Rating { value: f64::NAN, error: 1.0 }.checked(), None);
    }
}
