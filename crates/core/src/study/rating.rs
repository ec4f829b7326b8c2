//! A player's rating from results against opponents of known ratings.
//!
//! What is known about the player is a probability for each rating of a grid. A result multiplies it by the chance of that result (the logistic
//! curve of Elo; a draw counts as half a win and half a loss), and between two matches it spreads a little, because players change. The rating
//! is the mean, its error the standard deviation. `docs/levels.md` explains the choices.

use crate::rules::{BySide, Side};
use crate::table::Handicap;
use serde::{Deserialize, Serialize};

/// The distance of two ratings of the grid.
const STEP: f64 = 5.0;
/// How far the grid reaches beyond the weakest and the strongest opponent.
const MARGIN: f64 = 800.0;
/// How uncertain the rating is before the first match.
const UNKNOWN: f64 = 500.0;
/// How much a player changes from one match to the next, and in a day: standard deviations.
const PER_MATCH: f64 = 10.0;
const PER_DAY: f64 = 8.0;
/// A pause longer than this changes no more, in days.
const LONGEST_PAUSE: f64 = 365.0;

/// A rating with its error, one standard deviation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// The mean.
    pub value: f64,
    /// The standard deviation.
    pub error: f64,
}

/// A match as far as the rating needs it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counted {
    /// The opponent's rating.
    pub opponent: f64,
    /// 1 for a win, 1/2 for a draw, 0 for a loss.
    pub score: f64,
    /// The days since the match before, if there was one.
    pub pause: f64,
}

/// The expected score of a player against an opponent who is rated so much higher (Elo, "The Rating of Chessplayers", 1978).
pub fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(difference / 400.0))
}

/// How much higher a player is rated than an opponent against whom this score is expected; infinite where there is no such difference.
pub fn difference(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        // Adding 0 turns the -0 of an even score into 0.
        -400.0 * (1.0 / score - 1.0).log10() + 0.0
    }
}

/// The expected score of the first side in a match of sides with these ratings; `None` if it was not measured what the handicap is worth.
pub fn expected_of_first(ratings: &BySide<f64>, handicap: Option<&Handicap>) -> Option<f64> {
    let Some(handicap) = handicap else { return Some(expected(ratings.second - ratings.first)) };
    let giver = expected(ratings[!handicap.by] - handicap.even_with(handicap.by, ratings[handicap.by])?);
    Some(if handicap.by == Side::First { giver } else { 1.0 - giver })
}

/// The rating of an opponent with whom a match of a player with this rating is even; that of the player, if it was not measured what the handicap is
/// worth, or there is none.
pub fn even_opponent(rating: f64, side: Side, handicap: Option<&Handicap>) -> f64 {
    handicap.and_then(|handicap| handicap.even_with(side, rating)).unwrap_or(rating)
}

/// The handicap that makes a match of sides with these ratings most even; `None` if it is so without one.
pub fn suggested<'a>(handicaps: &'a [Handicap], ratings: &BySide<f64>) -> Option<&'a Handicap> {
    let uneven = |handicap| expected_of_first(ratings, handicap).map(|score| (score - 0.5).abs());
    let all = std::iter::once(None).chain(handicaps.iter().map(Some));
    let measured = all.filter_map(|handicap| Some((uneven(handicap)?, handicap)));
    measured.min_by(|a, b| a.0.total_cmp(&b.0)).and_then(|(_, handicap)| handicap)
}

/// What is known about a player's rating.
#[derive(Clone, Debug)]
pub struct RatingEstimate {
    /// The rating of the first point of the grid.
    from: f64,
    /// The probability of each rating.
    parts: Vec<f64>,
}

impl RatingEstimate {
    /// Before the first match: around this rating. The grid covers opponents with ratings from `weakest` to `strongest`.
    pub fn new(around: f64, weakest: f64, strongest: f64) -> RatingEstimate {
        let from = weakest.min(around) - MARGIN;
        let steps = ((strongest.max(around) + MARGIN - from) / STEP).ceil() as usize;
        let part = |step: usize| (-((from + step as f64 * STEP - around) / UNKNOWN).powi(2) / 2.0).exp();
        RatingEstimate { from, parts: (0..=steps).map(part).collect() }.whole()
    }

    /// The probabilities add up to 1.
    fn whole(mut self) -> RatingEstimate {
        let sum: f64 = self.parts.iter().sum();
        self.parts.iter_mut().for_each(|part| *part /= sum);
        self
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.parts.iter().enumerate().map(|(step, part)| (self.from + step as f64 * STEP, *part))
    }

    /// After a match.
    pub fn after(self, result: Counted) -> RatingEstimate {
        let mut estimate = self.spread(PER_MATCH.powi(2) + PER_DAY.powi(2) * result.pause.clamp(0.0, LONGEST_PAUSE));
        // In logarithms, so that no result is impossible.
        let logs: Vec<f64> = estimate
            .points()
            .map(|(rating, part)| {
                let won = expected(result.opponent - rating).max(f64::MIN_POSITIVE);
                let lost = expected(rating - result.opponent).max(f64::MIN_POSITIVE);
                part.max(f64::MIN_POSITIVE).ln() + result.score * won.ln() + (1.0 - result.score) * lost.ln()
            })
            .collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        estimate.parts = logs.into_iter().map(|log| (log - most).exp()).collect();
        estimate.whole()
    }

    /// The player may have changed, by this variance.
    fn spread(self, variance: f64) -> RatingEstimate {
        let deviation = variance.sqrt() / STEP;
        let reach = (4.0 * deviation).ceil() as usize;
        let kernel: Vec<f64> = (0..=reach).map(|away| (-(away as f64 / deviation).powi(2) / 2.0).exp()).collect();
        let last = self.parts.len() - 1;
        let mut parts = vec![0.0; self.parts.len()];
        for (step, part) in self.parts.iter().enumerate().filter(|(_, part)| **part > 1e-15) {
            for to in step.saturating_sub(reach)..=(step + reach).min(last) {
                parts[to] += part * kernel[to.abs_diff(step)];
            }
        }
        RatingEstimate { parts, ..self }.whole()
    }

    /// The rating and its error.
    pub fn rating(&self) -> Rating {
        let value: f64 = self.points().map(|(rating, part)| rating * part).sum();
        let variance: f64 = self.points().map(|(rating, part)| (rating - value).powi(2) * part).sum();
        Rating { value, error: variance.sqrt() }
    }
}

/// The level, from 1, whose rating is nearest to a player's.
pub fn nearest_level(rating: f64, levels: &[f64]) -> Option<u8> {
    let away = |index: &usize| (levels[*index] - rating).abs();
    (0..levels.len()).min_by(|a, b| away(a).total_cmp(&away(b))).map(|index| index as u8 + 1)
}

/// A level, from 1, such that over many matches the average rating of the levels chosen is the player's: the one below or the one above it.
/// `chance` is a number from 0 to 1, a different one for each match. `levels` are in ascending order.
pub fn level_near(rating: f64, levels: &[f64], chance: f64) -> Option<u8> {
    let above = levels.iter().position(|level| *level > rating);
    match above {
        None => u8::try_from(levels.len()).ok().filter(|last| *last > 0),
        Some(0) => Some(1),
        Some(above) => {
            let part = (rating - levels[above - 1]) / (levels[above] - levels[above - 1]);
            Some(above as u8 + u8::from(chance < part))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Text;

    const LEVELS: [f64; 4] = [500.0, 900.0, 1100.0, 1500.0];

    fn counted(opponent: f64, score: f64) -> Counted {
        Counted { opponent, score, pause: 0.0 }
    }

    fn rated(around: f64, results: &[Counted]) -> Rating {
        let fresh = RatingEstimate::new(around, around - 1000.0, around + 1000.0);
        results.iter().fold(fresh, |estimate, result| estimate.after(*result)).rating()
    }

    #[test]
    fn the_curve_is_that_of_elo() {
        assert!((expected(0.0) - 0.5).abs() < 1e-12);
        assert!((expected(-400.0) - 10.0 / 11.0).abs() < 1e-12);
        for score in [0.05, 0.3, 0.5, 0.9] {
            assert!((expected(-difference(score)) - score).abs() < 1e-12, "{score}");
        }
    }

    #[test]
    fn before_the_first_match_little_is_known() {
        let rating = rated(1000.0, &[]);
        assert!((rating.value - 1000.0).abs() < 0.01 && (rating.error - UNKNOWN).abs() < 0.1 * UNKNOWN, "{rating:?}");
    }

    #[test]
    fn a_win_and_a_loss_are_symmetric_and_a_draw_with_an_equal_changes_nothing() {
        let (won, lost) = (rated(1000.0, &[counted(1000.0, 1.0)]), rated(1000.0, &[counted(1000.0, 0.0)]));
        assert!(won.value > 1100.0, "{won:?}");
        assert!(
            (won.value - 1000.0 + lost.value - 1000.0).abs() < 0.01 && (won.error - lost.error).abs() < 0.01,
            "{won:?} {lost:?}"
        );
        let drawn = rated(1000.0, &[counted(1000.0, 0.5)]);
        assert!((drawn.value - 1000.0).abs() < 0.01 && drawn.error < won.error, "{drawn:?}");
    }

    #[test]
    fn the_error_shrinks_and_the_rating_finds_the_strength() {
        // Three of four points against 1000: 191 above.
        let quarter = [counted(1000.0, 1.0), counted(1000.0, 1.0), counted(1000.0, 0.0), counted(1000.0, 1.0)];
        let mut last = rated(1000.0, &[]).error;
        for rounds in [1, 3, 10] {
            let rating = rated(1000.0, &quarter.repeat(rounds));
            assert!(rating.error < last, "{rounds}: {rating:?}");
            last = rating.error;
        }
        let rating = rated(1000.0, &quarter.repeat(25));
        assert!((rating.value - 1191.0).abs() < 40.0 && rating.error < 80.0, "{rating:?}");
    }

    #[test]
    fn only_differences_count() {
        let shifted = |shift: f64| {
            let results = [(900.0, 1.0), (1300.0, 0.0), (1100.0, 0.5)].map(|(opponent, score)| counted(opponent + shift, score));
            let rating = rated(1000.0 + shift, &results);
            (rating.value - shift, rating.error)
        };
        let (a, b) = (shifted(0.0), shifted(-1735.0));
        assert!((a.0 - b.0).abs() < 0.01 && (a.1 - b.1).abs() < 0.01, "{a:?} {b:?}");
    }

    #[test]
    fn the_order_of_results_matters_little_and_impossible_ones_are_borne() {
        let mut results = [counted(900.0, 1.0), counted(1300.0, 0.0), counted(1100.0, 0.5), counted(1000.0, 1.0)];
        let one = rated(1000.0, &results);
        results.reverse();
        let other = rated(1000.0, &results);
        assert!((one.value - other.value).abs() < 5.0, "{one:?} {other:?}");
        let wonder = rated(1000.0, &[counted(9000.0, 1.0), counted(-9000.0, 0.0)]);
        assert!(wonder.value.is_finite() && wonder.error.is_finite(), "{wonder:?}");
    }

    #[test]
    fn a_long_pause_makes_it_less_certain() {
        let many = [counted(1000.0, 0.5); 40];
        let mut paused = many.to_vec();
        paused.push(Counted { pause: 300.0, ..counted(1000.0, 0.5) });
        assert!(rated(1000.0, &paused).error > rated(1000.0, &many).error + 10.0);
    }

    /// A handicap given by the second side.
    fn handicap(worth: &[(f64, f64)]) -> Handicap {
        let name = Text { zh: String::new(), en: String::new() };
        Handicap { name, by: Side::Second, position: String::new(), worth: worth.to_vec() }
    }

    #[test]
    fn the_handicap_that_is_suggested_is_the_most_even_one() {
        let all = [handicap(&[(1000.0, 200.0), (2000.0, 600.0)]), handicap(&[]), handicap(&[(1000.0, 900.0)])];
        let even = BySide::new(1400.0, 2000.0);
        let score = |ratings, handicap| expected_of_first(ratings, handicap);
        assert!((score(&even, Some(&all[0])).unwrap() - 0.5).abs() < 1e-12 && score(&even, Some(&all[1])).is_none());
        assert!((score(&even, None).unwrap() - expected(600.0)).abs() < 1e-12);
        // (the ratings, which of them)
        let cases =
            [((1400.0, 2000.0), Some(0)), ((1000.0, 2000.0), Some(2)), ((1500.0, 1500.0), None), ((1500.0, 1000.0), None)];
        for ((first, second), which) in cases {
            let best = suggested(&all, &BySide::new(first, second));
            assert!(
                best.map(std::ptr::from_ref) == which.map(|which: usize| std::ptr::from_ref(&all[which])),
                "{first} {second}"
            );
        }
        assert_eq!(Side::BOTH.map(|side| even_opponent(1400.0, side, Some(&all[0]))), [2000.0, 1040.0]);
        assert_eq!([None, Some(&all[1])].map(|handicap| even_opponent(1400.0, Side::First, handicap)), [1400.0; 2]);
        let by_first = Handicap { by: Side::First, ..all[0].clone() };
        let mirrored = BySide::new(2000.0, 1500.0);
        let scores = (score(&mirrored, Some(&by_first)).unwrap(), score(&BySide::new(1500.0, 2000.0), Some(&all[0])).unwrap());
        assert!((scores.0 + scores.1 - 1.0).abs() < 1e-12 && scores.1 > 0.5, "{scores:?}");
    }

    #[test]
    fn the_level_stays_near_the_rating() {
        assert_eq!(
            [100.0, 690.0, 710.0, 1600.0].map(|rating| nearest_level(rating, &LEVELS)),
            [Some(1), Some(1), Some(2), Some(4)]
        );
        assert_eq!([100.0, 1600.0].map(|rating| level_near(rating, &LEVELS, 0.5)), [Some(1), Some(4)]);
        assert_eq!((nearest_level(1.0, &[]), level_near(1.0, &[], 0.5)), (None, None));
        let chances = || (0..1000).map(|number| f64::from(number) / 1000.0);
        for rating in [500.0, 600.0, 900.0, 1050.0, 1499.0] {
            let mean: f64 =
                chances().map(|chance| LEVELS[usize::from(level_near(rating, &LEVELS, chance).unwrap()) - 1]).sum::<f64>()
                    / 1000.0;
            assert!((mean - rating).abs() < 1.0, "{rating}: {mean}");
        }
    }
}
