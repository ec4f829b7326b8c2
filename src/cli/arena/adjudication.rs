//! When a game is as good as over: both engines say so, for a while.

use crate::rules::{BySide, Side};
use crate::search::{Known, Value};

/// Moves of each engine that must all say the same.
const MOVES: u32 = 4;

/// Watches what both engines think of a game.
pub struct Agreement {
    /// How far one must be behind, in hundredths of the game's unit.
    margin: i32,
    /// Each side's last moves in a row that saw its game won.
    winning: BySide<u32>,
    /// Each side's last moves in a row that saw its game lost.
    losing: BySide<u32>,
}

impl Agreement {
    /// Nothing has been thought yet.
    pub fn new(margin: i32) -> Self {
        Agreement { margin, winning: BySide::default(), losing: BySide::default() }
    }

    /// Takes in what the engine of `side` thought of its last move, and tells who has lost where both have agreed for long enough.
    /// An engine that says nothing agrees to nothing.
    pub fn loser_after(&mut self, side: Side, value: Option<Value>) -> Option<Side> {
        let lead = value.map_or(0, lead);
        for (streaks, holds) in [(&mut self.winning, lead >= self.margin), (&mut self.losing, lead <= -self.margin)] {
            streaks[side] = if holds { streaks[side] + 1 } else { 0 };
        }
        [side, !side].into_iter().find(|loser| self.losing[*loser] >= MOVES && self.winning[!*loser] >= MOVES)
    }
}

/// How far ahead the side to move is; the end of the game is beyond every margin.
fn lead(value: Value) -> i32 {
    match value {
        Value::Cp(units) => units,
        Value::Mate(moves) if moves > 0 => i32::MAX,
        Value::Mate(_) => i32::MIN + 1,
        Value::Exact { outcome, .. } => match outcome {
            Known::Win => i32::MAX,
            Known::Draw => 0,
            Known::Loss => i32::MIN + 1,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of the move after which `values`, by both sides in turn, give the game up, and who does.
    fn end(values: &[Option<Value>]) -> Option<(usize, Side)> {
        let mut agreement = Agreement::new(500);
        let sides = [Side::First, Side::Second].into_iter().cycle();
        sides.zip(values).enumerate().find_map(|(number, (side, value))| Some((number, agreement.loser_after(side, *value)?)))
    }

    #[test]
    fn a_game_ends_when_both_agree_for_four_moves_each() {
        let (ahead, behind) = (Some(Value::Cp(500)), Some(Value::Cp(-700)));
        let known = |outcome| Some(Value::Exact { outcome, plies: 3 });
        let cases: [(&str, Vec<Option<Value>>, Option<(usize, Side)>); 8] = [
            ("first is ahead", [ahead, behind].repeat(6), Some((7, Side::Second))),
            ("first is behind", [behind, ahead].repeat(6), Some((7, Side::First))),
            ("both are hopeful", [ahead, ahead].repeat(6), None),
            ("one says nothing", [ahead, None].repeat(6), None),
            ("not far enough", [ahead, Some(Value::Cp(-499))].repeat(6), None),
            (
                "a doubt begins the count anew",
                [vec![ahead, behind, ahead, Some(Value::Cp(0))], [ahead, behind].repeat(5)].concat(),
                Some((11, Side::Second)),
            ),
            ("mates", [Some(Value::Mate(3)), Some(Value::Mate(-2))].repeat(6), Some((7, Side::Second))),
            ("known ends", [known(Known::Loss), known(Known::Win)].repeat(6), Some((7, Side::First))),
        ];
        for (name, values, expected) in cases {
            assert_eq!(end(&values), expected, "{name}");
        }
    }
}
