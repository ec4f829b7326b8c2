//! Converts an engine's value to a winning chance.

use super::Chance;
use crate::search::{Known, Value};

/// The curve from an engine's value to a winning chance, with a draw as half a win: `1 / (1 + exp(-value / scale))`. Exact wins, draws and
/// losses are exactly 1, 1/2 and 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// The value, in hundredths of the game's unit, at which the odds are e to 1.
    pub scale: f64,
}

impl Curve {
    /// The curve of a game that has none of its own.
    pub const USUAL: Curve = Curve { scale: 250.0 };

    /// The winning chance of the side from whose view the value is.
    pub fn chance(&self, value: Value) -> Chance {
        match value.known() {
            Some(Known::Win) => Chance::WIN,
            Some(Known::Draw) => Chance::EVEN,
            Some(Known::Loss) => Chance::LOSS,
            None => Chance::of(1.0 / (1.0 + (-f64::from(value.units()) / self.scale).exp())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Verdict;

    #[test]
    fn what_is_known_is_exact_and_the_rest_lies_between() {
        let curve = Curve { scale: 200.0 };
        let exact = |known| Value::Exact(Verdict { known, plies: None });
        let cases = [
            (Value::Mate(7), 10_000),
            (Value::Mate(-1), 0),
            (exact(Known::Win), 10_000),
            (exact(Known::Draw), 5_000),
            (exact(Known::Loss), 0),
            (Value::Cp(0), 5_000),
            (Value::Cp(200), 7_311),
            (Value::Cp(-200), 2_689),
        ];
        for (value, chance) in cases {
            assert_eq!(curve.chance(value), Chance(chance), "{value:?}");
            assert_eq!(curve.chance(value.reversed()), Chance(10_000 - chance), "{value:?}");
        }
    }
}
