//! Statistics of a match: Elo with its error, and the likelihood of superiority.
//!
//! Two games with the same opening and swapped colours are not independent. So if all games are paired, the error is computed from the scores of
//! the pairs (the "pentanomial" model of chess-engine testing), otherwise from single games.

use qiju_core::study::rating::difference;

/// The difference in strength shown by the games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Score of the first engine, 0 to 1.
    pub score: f64,
    /// Elo difference; infinite if one side won all games.
    pub elo: f64,
    /// The 95 % interval's lower end.
    pub low: f64,
    /// The 95 % interval's upper end.
    pub high: f64,
    /// Likelihood that the first engine is the stronger one, 0 to 1.
    pub superiority: f64,
}

/// The standard normal distribution's function, by Abramowitz and Stegun 7.1.26 (error below 1.5e-7).
fn normal(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let poly = t * (0.254_829_592 + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    let erf = 1.0 - poly * (-z * z).exp();
    if x >= 0.0 { 0.5 * (1.0 + erf) } else { 0.5 * (1.0 - erf) }
}

/// The strength from the scores of single games, and of pairs of games if every game has its pair.
/// `None` without games.
pub fn strength(games: &[f64], pairs: &[f64]) -> Option<Strength> {
    if games.is_empty() {
        return None;
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let score = mean(games);
    let samples = if pairs.len() * 2 == games.len() { pairs } else { games };
    let count = samples.len() as f64;
    let spread = samples.iter().map(|value| (value - score).powi(2)).sum::<f64>();
    if spread == 0.0 {
        return Some(all_alike(score, count));
    }
    let error = (spread / (count - 1.0) / count).sqrt();
    let (low, high) = (difference(score - 1.96 * error), difference(score + 1.96 * error));
    Some(Strength { score, elo: difference(score), low, high, superiority: normal((score - 0.5) / error) })
}

/// The strength if all results are equal. With 97.5 % certainty the probability of another result is less than `rare`
/// (the exact binomial bound of Clopper and Pearson, 1934).
fn all_alike(score: f64, count: f64) -> Strength {
    let rare = 1.0 - 0.025_f64.powf(1.0 / count);
    let furthest = score.max(1.0 - score);
    let (low, high) = (difference(score - rare * furthest), difference(score + rare * furthest));
    let superiority = if score == 0.5 { 0.5 } else { normal((score - 0.5).signum() * count.sqrt()) };
    Strength { score, elo: difference(score), low, high, superiority }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(wins: usize, draws: usize, losses: usize) -> Vec<f64> {
        [vec![1.0; wins], vec![0.5; draws], vec![0.0; losses]].concat()
    }

    #[test]
    fn known_figures() {
        // Score 0.7; error of the mean 0.04: by hand from the trinomial variance 0.16 over 100 games.
        let strength = strength(&results(60, 20, 20), &[]).unwrap();
        assert!((strength.elo - 147.19).abs() < 0.01, "{strength:?}");
        assert!((strength.low - 86.28).abs() < 0.5 && (strength.high - 218.25).abs() < 0.5, "{strength:?}");
        assert!(strength.superiority > 0.9999);
        for (x, expected) in [(0.0, 0.5), (1.0, 0.841_345), (-1.0, 0.158_655), (1.96, 0.975_002), (-3.0, 0.001_350)] {
            assert!((normal(x) - expected).abs() < 1e-5, "{x}");
        }
    }

    #[test]
    fn pairs_that_cancel_leave_less_doubt() {
        // The first side always wins: single games seem random, but all pairs except one are even.
        let games = [results(11, 0, 9)].concat();
        let mut pairs = vec![0.5; 9];
        pairs.push(1.0);
        let (single, paired) = (strength(&games, &[]).unwrap(), strength(&games, &pairs).unwrap());
        assert_eq!(single.score, paired.score);
        assert!(paired.high - paired.low < (single.high - single.low) / 2.0, "{single:?} {paired:?}");
    }

    #[test]
    fn one_sided_and_even_matches_have_bounds() {
        let all = strength(&results(20, 0, 0), &[]).unwrap();
        assert!(all.elo.is_infinite() && all.low.is_finite() && all.low > 100.0 && all.superiority > 0.99, "{all:?}");
        let none = strength(&results(0, 0, 20), &[]).unwrap();
        assert!(none.elo == f64::NEG_INFINITY && none.high < -100.0 && none.superiority < 0.01, "{none:?}");
        // Twenty wins: 0.025^(1/20) = 0.8316 by hand, which is 277 Elo. Two wins prove almost nothing.
        assert!((all.low - 277.4).abs() < 0.5, "{all:?}");
        let two = strength(&results(2, 0, 0), &[]).unwrap();
        assert!(two.low < 0.0 && two.superiority < 0.95, "{two:?}");
        let even = strength(&results(0, 20, 0), &[]).unwrap();
        assert!(even.elo == 0.0 && even.low < 0.0 && even.high > 0.0 && even.superiority == 0.5, "{even:?}");
        assert_eq!(strength(&[], &[]), None);
    }
}
