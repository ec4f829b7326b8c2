//! Converts our values to the scores of the protocols. This is the only place that does so.

use crate::search::{Known, Value};

/// The score of a mate in 0 moves under UCCI.
const UCCI_MATE: i32 = 10_000;
/// The UCCI score of a won position without a known distance: above every evaluation, below every mate.
const UCCI_WON: i32 = 9_000;

/// The UCI score: `mate N` in the winner's own moves if they are known, else `cp N`. `mate 0` means that the side to move has lost, so a game
/// that it has won already is `mate 1`. A win without a known distance is a large number, as other engines do for tablebase wins; a draw is
/// `cp 0`.
pub fn uci(value: Value) -> String {
    match (value.moves_to_end(), value.known()) {
        (Some(0), Some(Known::Win)) => "mate 1".to_owned(),
        (Some(moves), _) => format!("mate {moves}"),
        (None, _) => format!("cp {}", value.units()),
    }
}

/// The UCCI score, a number without a unit.
pub fn ucci(value: Value) -> i32 {
    let decided = |known: Known, count: i32| match known {
        Known::Win => count,
        Known::Draw => 0,
        Known::Loss => -count,
    };
    match (value, value.known()) {
        (Value::Cp(units), _) => units,
        (_, Some(known)) => {
            let moves = value.moves_to_end();
            decided(known, moves.map_or(UCCI_WON, |moves| UCCI_MATE - moves.saturating_abs().min(UCCI_MATE - UCCI_WON - 1)))
        }
        (_, None) => 0,
    }
}

/// The value as Gomocup managers show it: `+M3`, `-M2` or a number.
pub fn gomocup(value: Value) -> String {
    match (value.moves_to_end(), value.known()) {
        (Some(moves), Some(Known::Win)) => format!("+M{moves}"),
        (Some(moves), _) => format!("-M{}", moves.saturating_abs()),
        (None, _) => value.units().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Verdict;

    #[test]
    fn exact_values_are_converted() {
        let exact = |known, plies| Value::Exact(Verdict { known, plies });
        // (value, UCI, UCCI, Gomocup)
        let cases = [
            (Value::Cp(-31), "cp -31", -31, "-31"),
            (Value::Mate(3), "mate 3", 9_997, "+M3"),
            (Value::Mate(-2), "mate -2", -9_998, "-M2"),
            (exact(Known::Win, Some(5)), "mate 3", 9_997, "+M3"),
            (exact(Known::Win, Some(209)), "mate 105", 9_895, "+M105"),
            (exact(Known::Loss, Some(4)), "mate -2", -9_998, "-M2"),
            (exact(Known::Loss, Some(0)), "mate 0", -10_000, "-M0"),
            (exact(Known::Win, Some(0)), "mate 1", 10_000, "+M0"),
            (exact(Known::Win, None), "cp 20000", 9_000, "20000"),
            (exact(Known::Loss, None), "cp -20000", -9_000, "-20000"),
            (exact(Known::Draw, Some(0)), "cp 0", 0, "0"),
            (exact(Known::Draw, None), "cp 0", 0, "0"),
        ];
        for (value, in_uci, in_ucci, in_gomocup) in cases {
            assert_eq!((uci(value).as_str(), ucci(value), gomocup(value).as_str()), (in_uci, in_ucci, in_gomocup), "{value:?}");
        }
    }
}
