//! The sequential probability ratio test (SPRT): continues a match until it shows which of two hypotheses about the strength is more likely.
//!
//! Wald, "Sequential tests of statistical hypotheses", 1945; for pairs of games (the pentanomial model) in the generalized form of Van den Bergh, which is
//! usual for chess engines: the ratio of the likelihoods of the most likely distributions of pair scores whose means are the two hypotheses.

use qiju_core::study::rating::expected;
use serde::Serialize;

/// The probability of accepting the wrong hypothesis, for each of them.
const ERROR: f64 = 0.05;
/// The count used for a score that has not occurred, to avoid a logarithm of zero.
const UNSEEN: f64 = 1e-3;
/// The possible scores of a pair of games, as parts of two points.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The two hypotheses: the Elo by which the first engine is stronger.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// H0.
    pub elo0: f64,
    /// H1, the greater one.
    pub elo1: f64,
}

/// The accepted hypothesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Decision {
    /// H0: the first engine is not stronger than the lower bound.
    H0,
    /// H1: it is at least as strong as the upper bound.
    H1,
}

/// The state of the test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtState {
    /// H0, in Elo.
    pub elo0: f64,
    /// H1, in Elo.
    pub elo1: f64,
    /// The log-likelihood ratio of H1 to H0.
    pub llr: f64,
    /// H0 is accepted at or below this ratio.
    pub lower: f64,
    /// H1 is accepted at or above this ratio.
    pub upper: f64,
    /// The decision, once there is one.
    pub decision: Option<Decision>,
}

impl Sprt {
    /// Reads `ELO0,ELO1`.
    ///
    /// # Errors
    /// A message that says what is wrong.
    pub fn parse(text: &str) -> Result<Sprt, String> {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|elo| elo.abs() <= 1000.0);
        let parts = text.split_once(',').and_then(|(elo0, elo1)| Some((number(elo0)?, number(elo1)?)));
        let (elo0, elo1) = parts.ok_or("it must be ELO0,ELO1: two numbers of at most 1000")?;
        if elo0 < elo1 { Ok(Sprt { elo0, elo1 }) } else { Err("ELO0 must be less than ELO1".to_owned()) }
    }

    /// The state of the test after these numbers of pairs with a score of 0, 0.5, 1, 1.5 and 2 points.
    pub fn state(&self, pairs: &[u64; 5]) -> SprtState {
        let upper = ((1.0 - ERROR) / ERROR).ln();
        let llr = if pairs.iter().sum::<u64>() == 0 { 0.0 } else { self.llr(pairs) };
        let decision = if llr >= upper {
            Some(Decision::H1)
        } else if llr <= -upper {
            Some(Decision::H0)
        } else {
            None
        };
        SprtState { elo0: self.elo0, elo1: self.elo1, llr, lower: -upper, upper, decision }
    }

    fn llr(&self, pairs: &[u64; 5]) -> f64 {
        let counts = pairs.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / total);
        let (under0, under1) = (likeliest(&seen, expected(-self.elo0)), likeliest(&seen, expected(-self.elo1)));
        let ratio = |index: usize| seen[index] * (under1[index] / under0[index]).ln();
        total * (0..SCORES.len()).map(ratio).sum::<f64>()
    }
}

/// The most likely distribution with this mean, given the frequencies of the scores: each frequency is divided by 1 + x (score - mean), with x such that
/// the mean is right.
fn likeliest(seen: &[f64; 5], mean: f64) -> [f64; 5] {
    let share = |index: usize, x: f64| seen[index] / (1.0 + x * (SCORES[index] - mean));
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    // Bisection to the precision of a double.
    for _ in 0..200 {
        let x = 0.5 * (low + high);
        let error: f64 = (0..SCORES.len()).map(|index| share(index, x) * (SCORES[index] - mean)).sum();
        if error > 0.0 {
            low = x;
        } else {
            high = x;
        }
    }
    let x = 0.5 * (low + high);
    std::array::from_fn(|index| share(index, x))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests of Stockfish patches of the year 2020 with their pairs of games, as the test server published them (pull requests 2493, 2920, 2951, 2971
    /// and 3209).
    #[test]
    fn published_tests_come_to_the_same_ratio() {
        // (ELO0, ELO1, pairs, published ratio)
        let cases = [
            (-1.0, 3.0, [424, 2948, 5832, 3045, 460], 2.94),
            (0.0, 2.0, [1284, 17437, 55536, 18085, 1292], 2.94),
            (-0.5, 1.5, [665, 4806, 9333, 4893, 747], 2.95),
            (-0.5, 1.5, [59, 754, 2467, 865, 75], 2.95),
            (-0.5, 1.5, [17, 253, 1042, 337, 39], 2.96),
            (0.25, 1.75, [11, 407, 3238, 513, 11], 2.93),
            (-0.25, 1.25, [253, 4282, 17604, 4431, 286], 2.94),
            (0.25, 1.25, [58, 3302, 33130, 3518, 84], 2.97),
        ];
        for (elo0, elo1, pairs, published) in cases {
            let state = Sprt { elo0, elo1 }.state(&pairs);
            assert!((state.llr - published).abs() < 0.006, "{pairs:?}: {state:?}");
            assert!((state.upper - 2.944).abs() < 0.001 && state.lower == -state.upper);
        }
    }

    #[test]
    fn the_test_decides_both_ways_and_not_too_soon() {
        let sprt = Sprt { elo0: 0.0, elo1: 20.0 };
        assert_eq!(sprt.state(&[0; 5]).llr, 0.0);
        // Even results between hypotheses symmetric about 0 decide nothing; with swapped engines the ratio changes its sign.
        assert!(Sprt { elo0: -5.0, elo1: 5.0 }.state(&[10, 20, 40, 20, 10]).llr.abs() < 1e-9);
        let around = Sprt { elo0: -5.0, elo1: 5.0 };
        let (there, back) = (around.state(&[5, 10, 30, 40, 15]).llr, around.state(&[15, 40, 30, 10, 5]).llr);
        assert!((there + back).abs() < 1e-9 && there > 0.0);
        assert_eq!(sprt.state(&[2, 5, 10, 8, 3]).decision, None);
        assert_eq!(sprt.state(&[0, 0, 10, 90, 100]).decision, Some(Decision::H1));
        assert_eq!(sprt.state(&[100, 90, 10, 0, 0]).decision, Some(Decision::H0));
        // One-sided matches give finite numbers.
        assert!(sprt.state(&[0, 0, 0, 0, 50]).llr.is_finite());
    }

    #[test]
    fn bounds_are_read_or_refused() {
        assert_eq!(Sprt::parse("0,5"), Ok(Sprt { elo0: 0.0, elo1: 5.0 }));
        assert_eq!(Sprt::parse("-1.5, 2"), Ok(Sprt { elo0: -1.5, elo1: 2.0 }));
        for bad in ["", "5", "5,0", "3,3", "a,b", "0,NaN", "0,1e9", "0,5,9"] {
            assert!(Sprt::parse(bad).is_err(), "{bad}");
        }
    }
}
