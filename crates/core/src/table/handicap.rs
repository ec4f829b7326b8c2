//! Handicaps: starts in which one side lacks something, and what they are worth.

use super::Text;
use crate::rules::Side;
use serde::{Deserialize, Serialize};

/// A start in which one side lacks something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handicap {
    /// Its usual name, with the side that gives it.
    pub name: Text,
    /// The side that gives it.
    pub by: Side,
    /// The position the game begins with.
    pub position: String,
    /// Measured even matches, see `docs/levels.md`: the rating of the side that gives it, and how much lower the other side is rated. In ascending
    /// order; empty where it was not measured.
    #[serde(default)]
    pub worth: Vec<(f64, f64)>,
}

impl Handicap {
    /// The rating of the other side with which a match is even, if `side` has this rating; `None` if that was not measured.
    pub fn even_with(&self, side: Side, rating: f64) -> Option<f64> {
        match side == self.by {
            true => Some(rating - linear(self.worth.iter().copied(), rating)?),
            false => Some(rating + linear(self.received(), rating)?),
        }
    }

    /// The same by the rating of the side that has the advantage.
    fn received(&self) -> impl Iterator<Item = (f64, f64)> + Clone + '_ {
        self.worth.iter().map(|&(giver, worth)| (giver - worth, worth))
    }

    /// True if the measured ratings are in ascending order on both sides.
    pub(super) fn is_sound(&self) -> bool {
        let finite = self.worth.iter().all(|(giver, worth)| giver.is_finite() && worth.is_finite());
        let ascends = |a: &(f64, f64), b: &(f64, f64)| a.0 < b.0;
        finite && self.worth.iter().copied().is_sorted_by(ascends) && self.received().is_sorted_by(ascends)
    }
}

/// The value at a place of a function through these points in ascending order: linear between them, constant outside. `None` without points.
fn linear(points: impl Iterator<Item = (f64, f64)> + Clone, at: f64) -> Option<f64> {
    let below = points.clone().take_while(|point| point.0 <= at).last();
    let above = points.clone().find(|point| point.0 > at);
    match (below, above) {
        (Some(below), Some(above)) => Some(below.1 + (above.1 - below.1) * (at - below.0) / (above.0 - below.0)),
        (one, other) => one.or(other).map(|point| point.1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handicap(worth: &[(f64, f64)]) -> Handicap {
        let name = Text { zh: String::new(), en: String::new() };
        Handicap { name, by: Side::Second, position: String::new(), worth: worth.to_vec() }
    }

    #[test]
    fn what_it_is_worth_is_linear_between_the_measured_ratings() {
        let measured = handicap(&[(1000.0, 200.0), (2000.0, 600.0)]);
        // (the side, its rating, the other's in an even match)
        let cases = [
            (Side::Second, 900.0, 700.0),
            (Side::Second, 1000.0, 800.0),
            (Side::Second, 1500.0, 1100.0),
            (Side::Second, 2000.0, 1400.0),
            (Side::Second, 2500.0, 1900.0),
            (Side::First, 700.0, 900.0),
            (Side::First, 1100.0, 1500.0),
            (Side::First, 1900.0, 2500.0),
        ];
        for (side, rating, other) in cases {
            let even = measured.even_with(side, rating).unwrap();
            assert!((even - other).abs() < 1e-9, "{side:?} {rating}: {even}");
            let back = measured.even_with(!side, even).unwrap();
            assert!((back - rating).abs() < 1e-9, "{side:?} {rating}: {back}");
        }
        assert_eq!(handicap(&[(1500.0, 300.0)]).even_with(Side::First, 99.0), Some(399.0));
        assert_eq!(handicap(&[]).even_with(Side::First, 1000.0), None);
    }

    #[test]
    fn ratings_that_do_not_ascend_are_refused() {
        assert!(handicap(&[]).is_sound() && handicap(&[(1.0, 2.0), (3.0, 2.0)]).is_sound());
        for bad in [&[(3.0, 0.0), (1.0, 0.0)], &[(1.0, 0.0), (3.0, 2.0)], &[(1.0, f64::NAN), (3.0, 2.0)]] {
            assert!(!handicap(bad).is_sound(), "{bad:?}");
        }
    }
}
