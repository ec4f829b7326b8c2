//! Progress reports of a search.

use crate::rules::{Outcome, Side};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A score as it is shown to users and sent over protocols, from the view of the side to move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// Hundredths of the game's unit.
    Cp(i32),
    /// A win in this number of the winner's own moves; negative if the side to move loses.
    Mate(i32),
    /// The exact value, with the distance if it is known.
    #[serde(untagged)]
    Exact(Verdict),
}

/// A position's true value for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Known {
    /// The side to move wins.
    Win,
    /// Neither side can win.
    Draw,
    /// The side to move loses.
    Loss,
}

/// The exact value of a position, with the distance to the end of the game if it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Win, draw or loss for the side to move.
    #[serde(rename = "outcome")]
    pub known: Known,
    /// Plies to the end with best play by both; 0 for a draw, `None` where only the outcome is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
}

impl Verdict {
    /// Neither side wins.
    pub const DRAW: Verdict = Verdict { known: Known::Draw, plies: Some(0) };
    /// The side to move has lost.
    pub const LOST: Verdict = Verdict { known: Known::Loss, plies: Some(0) };

    /// A number for comparison: higher is better for the side to move. An earlier win and a later loss are better. A win or
    /// loss without a known distance counts as far away.
    pub fn rank(self) -> i64 {
        const DECIDED: i64 = 1 << 40;
        let plies = self.plies.map_or(1 << 30, i64::from);
        match self.known {
            Known::Win => DECIDED - plies,
            Known::Draw => 0,
            Known::Loss => plies - DECIDED,
        }
    }

    /// The same value from the view of the other side.
    pub fn reversed(self) -> Verdict {
        let known = match self.known {
            Known::Win => Known::Loss,
            Known::Draw => Known::Draw,
            Known::Loss => Known::Win,
        };
        Verdict { known, plies: self.plies }
    }

    /// The value, for the side that makes it, of a move that leads to a position with this value.
    pub fn through(self) -> Verdict {
        let longer = u32::from(self.known != Known::Draw);
        Verdict { plies: self.plies.map(|plies| plies + longer), ..self.reversed() }
    }
}

/// One line of progress of a search. `M` is a game's own move in an engine, and an action for everybody else.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Info<M> {
    /// Depth finished, in plies.
    pub depth: u16,
    /// The deepest ply searched.
    pub seldepth: u16,
    /// The value of the line for the side to move.
    pub value: Value,
    /// Positions visited so far.
    pub nodes: u64,
    /// Cut-offs so far: nodes where the search of one move made the remaining moves unnecessary.
    pub cutoffs: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u16,
    /// The principal variation: what both sides are expected to play.
    pub pv: Vec<M>,
    /// The principal variation in the game's own notation; empty in the report of an engine.
    pub pv_text: Vec<String>,
    /// 1 for the best line, 2 for the next, ...
    pub multipv: u16,
}

impl<M> Info<M> {
    /// The best line: the depth finished, the deepest ply searched, the value and the line. What the search has done so far is 0.
    pub fn new(depth: usize, seldepth: usize, value: Value, pv: Vec<M>) -> Self {
        Info {
            depth: depth as u16,
            seldepth: seldepth as u16,
            value,
            nodes: 0,
            cutoffs: 0,
            time: Duration::ZERO,
            hashfull: 0,
            pv,
            pv_text: Vec::new(),
            multipv: 1,
        }
    }

    /// The report on a game that is over, for the side to move: nothing was searched.
    pub fn of_end(outcome: Outcome, mover: Side) -> Self {
        Info::new(0, 0, Value::of_outcome(outcome, mover), Vec::new())
    }

    /// The same report with its line in other terms.
    pub fn with_line<N>(self, pv: Vec<N>, pv_text: Vec<String>) -> Info<N> {
        let Info { depth, seldepth, value, nodes, cutoffs, time, hashfull, multipv, .. } = self;
        Info { depth, seldepth, value, nodes, cutoffs, time, hashfull, pv, pv_text, multipv }
    }

    /// Positions visited per second.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// Nodes per second. A time of zero counts as a very short time.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64
}

/// A number in groups of three digits: `79 666`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

impl Value {
    /// The number for a mate in 0 moves, in hundredths; one less for each move more.
    pub const MATE: i32 = 30_000;
    /// The number for a win with an unknown distance: above every evaluation and below every mate.
    pub const WON: i32 = 20_000;

    /// The value of a finished game for `mover`.
    pub fn of_outcome(outcome: Outcome, mover: Side) -> Value {
        let known = match outcome.winner {
            None => Known::Draw,
            Some(side) if side == mover => Known::Win,
            Some(_) => Known::Loss,
        };
        Value::Exact(Verdict { known, plies: Some(0) })
    }

    /// The number of the winner's own moves to the end, if known; negative if the side to move loses. 0 if it has lost already.
    pub fn moves_to_end(self) -> Option<i32> {
        match self {
            Value::Cp(_) => None,
            Value::Mate(moves) => Some(moves),
            Value::Exact(Verdict { known, plies }) => {
                let moves = i32::try_from(plies?.div_ceil(2)).unwrap_or(i32::MAX);
                match known {
                    Known::Win => Some(moves),
                    Known::Draw => None,
                    Known::Loss => Some(-moves),
                }
            }
        }
    }

    /// Win, draw or loss, if the value is exact or a mate.
    pub fn known(self) -> Option<Known> {
        match self {
            Value::Cp(_) => None,
            Value::Mate(moves) => Some(if moves > 0 { Known::Win } else { Known::Loss }),
            Value::Exact(verdict) => Some(verdict.known),
        }
    }

    /// The value as one number, in hundredths of the game's unit. A win is above every evaluation; an earlier win is higher.
    pub fn units(self) -> i32 {
        match self {
            Value::Cp(units) => units.clamp(1 - Self::WON, Self::WON - 1),
            decided => {
                let far = Self::MATE - Self::WON - 1;
                let count = decided.moves_to_end().map_or(Self::WON, |moves| Self::MATE - moves.saturating_abs().min(far));
                match decided.known() {
                    Some(Known::Win) => count,
                    Some(Known::Loss) => -count,
                    Some(Known::Draw) | None => 0,
                }
            }
        }
    }

    /// The same value from the view of the other side.
    pub fn reversed(self) -> Value {
        match self {
            Value::Cp(units) => Value::Cp(-units),
            Value::Mate(moves) => Value::Mate(-moves),
            Value::Exact(verdict) => Value::Exact(verdict.reversed()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_as_numbers_and_words() {
        let exact = |known, plies| Value::Exact(Verdict { known, plies });
        // (value, as a number, moves to the end, JSON)
        let cases = [
            (Value::Cp(-35), -35, None, r#"{"cp":-35}"#),
            (Value::Cp(25_000), 19_999, None, r#"{"cp":25000}"#),
            (Value::Mate(3), 29_997, Some(3), r#"{"mate":3}"#),
            (Value::Mate(-2), -29_998, Some(-2), r#"{"mate":-2}"#),
            (exact(Known::Win, Some(5)), 29_997, Some(3), r#"{"outcome":"win","plies":5}"#),
            (exact(Known::Win, None), 20_000, None, r#"{"outcome":"win"}"#),
            (exact(Known::Loss, Some(4)), -29_998, Some(-2), r#"{"outcome":"loss","plies":4}"#),
            (exact(Known::Loss, Some(0)), -30_000, Some(0), r#"{"outcome":"loss","plies":0}"#),
            (exact(Known::Loss, None), -20_000, None, r#"{"outcome":"loss"}"#),
            (exact(Known::Draw, Some(0)), 0, None, r#"{"outcome":"draw","plies":0}"#),
        ];
        for (value, units, moves, json) in cases {
            assert_eq!((value.units(), value.moves_to_end()), (units, moves), "{value:?}");
            assert_eq!(value.reversed().units(), -units, "{value:?}");
            assert_eq!(serde_json::to_string(&value).unwrap(), json);
            assert_eq!(serde_json::from_str::<Value>(json).unwrap(), value);
        }
    }
}
