//! The rating of a solver of puzzles: Glicko (Mark Glickman, "Parameter estimation in large dynamic paired comparison experiments", 1999), one
//! puzzle at a time. A puzzle counts as an opponent whose rating is known up to a fixed error.
//!
//! A rating from matches ([`study::rating`](crate::study::rating)) is computed anew from all results; this one is a number that is kept, and a result
//! changes it in a moment, however many puzzles were solved before.

use crate::study::rating::{Rating, expected};
use std::f64::consts::{LN_10, PI};

/// The rating of a new solver.
const FIRST: f64 = 1000.0;
/// The error of a new solver.
const WIDEST: f64 = 350.0;
/// The smallest error, so that a rating never stops moving.
const SMALLEST: f64 = 50.0;
/// The error of a puzzle's rating.
const OF_PUZZLE: f64 = 100.0;
/// The range of ratings.
const RANGE: (f64, f64) = (100.0, 3000.0);
/// Glicko's unit of ratings.
const Q: f64 = LN_10 / 400.0;

/// The rating of a new solver.
pub const fn first() -> Rating {
    Rating { value: FIRST, error: WIDEST }
}

/// The rating after a puzzle of this rating was solved at the first try, or not.
pub fn after(rating: Rating, puzzle: f64, solved: bool) -> Rating {
    // How much a result against an uncertain opponent counts.
    let weight = 1.0 / (1.0 + 3.0 * (Q * OF_PUZZLE / PI).powi(2)).sqrt();
    let chance = expected(weight * (puzzle - rating.value));
    let information = (Q * weight).powi(2) * chance * (1.0 - chance);
    let precision = 1.0 / rating.error.powi(2) + information;
    let value = rating.value + Q / precision * weight * (f64::from(u8::from(solved)) - chance);
    usable(Rating { value, error: (1.0 / precision).sqrt() }).unwrap_or(rating)
}

/// The rating within the limits; `None` if it is not a number. Those of a file may be anything.
pub fn usable(rating: Rating) -> Option<Rating> {
    let Rating { value, error } = rating;
    let numbers = value.is_finite() && error.is_finite();
    numbers.then(|| Rating { value: value.clamp(RANGE.0, RANGE.1), error: error.clamp(SMALLEST, WIDEST) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_move_to_the_strength_of_the_solver() {
        let mut random = fastrand::Rng::with_seed(5);
        for strength in [800.0, 1300.0, 1700.0] {
            let mut rating = first();
            for _ in 0..300 {
                let puzzle = rating.value + random.f64() * 200.0 - 100.0;
                let chance = expected(puzzle - strength);
                rating = after(rating, puzzle, random.f64() < chance);
            }
            assert!((rating.value - strength).abs() < 2.5 * rating.error, "{strength}: {rating:?}");
            assert!(rating.error < 80.0, "{rating:?}");
        }
    }

    #[test]
    fn a_first_result_counts_more_than_a_late_one() {
        let new = first();
        let old = Rating { error: 60.0, ..new };
        assert!(after(new, 1000.0, true).value - 1000.0 > 100.0);
        assert!(after(old, 1000.0, true).value - 1000.0 < 15.0);
        assert!(after(new, 1000.0, false).value < 900.0 && after(new, 1000.0, false).error < 350.0);
        assert!(after(old, 400.0, true).value - old.value < 1.0);
        assert_eq!(usable(Rating { value: f64::NAN, error: 1.0 }), None);
    }
}
