//! Evaluation errors of the lower levels: the same position always gets the same error.

use super::Evaluate;
use crate::rules::{Position, zobrist};

/// An evaluation with a pseudo-random error that depends on the seed and the position. The search still finds wins and losses
/// within its depth; only the static evaluation is wrong.
#[derive(Clone, Debug)]
pub struct Misjudge<E> {
    inner: E,
    amplitude: i32,
    seed: u64,
}

impl<E> Misjudge<E> {
    /// Errors from `-amplitude` to `amplitude` hundredths, with a triangular distribution (small errors are more frequent). 0 is no error.
    pub fn new(inner: E, amplitude: u16, seed: u64) -> Self {
        Misjudge { inner, amplitude: i32::from(amplitude), seed }
    }

    /// The error for the position with this key.
    pub fn error(&self, key: u64) -> i32 {
        let bits = zobrist::mix(key ^ self.seed);
        let width = 2 * i64::from(self.amplitude) + 1;
        let one = |bits: u64| ((bits & 0xFFFF_FFFF) as i64 * width) >> 32;
        ((one(bits) + one(bits >> 32)) / 2 - i64::from(self.amplitude)) as i32
    }
}

impl<P: Position, E: Evaluate<P>> Evaluate<P> for Misjudge<E> {
    fn evaluate(&mut self, position: &P) -> i32 {
        let value = self.inner.evaluate(position);
        if self.amplitude == 0 {
            return value;
        }
        value + self.error(position.key())
    }

    fn candidates(&mut self, position: &P, out: &mut Vec<P::Move>) {
        self.inner.candidates(position, out);
    }

    fn ordering_score(&mut self, position: &P, mv: P::Move) -> i32 {
        self.inner.ordering_score(position, mv)
    }

    fn is_noisy(&mut self, position: &P, mv: P::Move) -> bool {
        self.inner.is_noisy(position, mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_seeded_bounded_and_centred() {
        let judge = Misjudge::new((), 100, 7);
        let errors: Vec<i32> = (0..20_000).map(|k| judge.error(zobrist::mix(k))).collect();
        assert!(errors.iter().all(|e| e.abs() <= 100));
        let mean = errors.iter().sum::<i32>() as f64 / errors.len() as f64;
        assert!(mean.abs() < 2.0, "mean {mean}");
        assert!(errors.iter().any(|e| *e > 70) && errors.iter().any(|e| *e < -70));
        assert_eq!(judge.error(5), Misjudge::new((), 100, 7).error(5));
        assert_ne!(judge.error(5), Misjudge::new((), 100, 8).error(5));
    }
}
