//! Ends games early when both engines agree about the result for several moves.

use crate::rules::{BySide, Outcome, Reason, Side};
use crate::search::Value;

/// The number of moves of each engine that must all see the same side lost.
const LOST_MOVES: u32 = 4;
/// The number of moves of each engine that must all see an even position.
const EVEN_MOVES: u32 = 8;
/// No game is adjudicated as a draw before this many plies.
const EVEN_PLIES: usize = 80;

/// The limits for ending a game early, in hundredths of the game's unit.
#[derive(Clone, Copy, Default)]
pub struct Margins {
    /// One side is at least this far behind.
    pub resign: Option<i32>,
    /// Neither side is further ahead than this.
    pub draw: Option<i32>,
}

/// The numbers of one side's last consecutive moves with the same assessment.
#[derive(Clone, Copy, Default)]
struct Streaks {
    won: u32,
    lost: u32,
    even: u32,
}

/// Watches the values that both engines report during a game.
pub struct Adjudicator {
    margins: Margins,
    streaks: BySide<Streaks>,
}

impl Adjudicator {
    /// An adjudicator at the start of a game.
    pub fn new(margins: Margins) -> Self {
        Adjudicator { margins, streaks: BySide::default() }
    }

    /// Adds the value that the engine of `side` reports for its move at `ply`. Returns the outcome if both engines have agreed
    /// long enough. An engine that reports no value never agrees.
    pub fn outcome_after(&mut self, side: Side, ply: usize, value: Option<Value>) -> Option<Outcome> {
        let lead = value.map(Value::units);
        let holds =
            |margin: Option<i32>, test: fn(i32, i32) -> bool| lead.zip(margin).is_some_and(|(lead, margin)| test(lead, margin));
        let Margins { resign, draw } = self.margins;
        let own = &mut self.streaks[side];
        for (streak, goes_on) in [
            (&mut own.won, holds(resign, |lead, margin| lead >= margin)),
            (&mut own.lost, holds(resign, |lead, margin| lead <= -margin)),
            (&mut own.even, holds(draw, |lead, margin| lead.abs() <= margin)),
        ] {
            *streak = if goes_on { *streak + 1 } else { 0 };
        }
        let (own, other) = (self.streaks[side], self.streaks[!side]);
        let loses = |loser: Streaks, winner: Streaks| loser.lost.min(winner.won) >= LOST_MOVES;
        if loses(own, other) {
            Some(Outcome::win(!side, Reason::Resignation))
        } else if loses(other, own) {
            Some(Outcome::win(side, Reason::Resignation))
        } else if ply >= EVEN_PLIES && own.even.min(other.even) >= EVEN_MOVES {
            Some(Outcome::draw(Reason::Agreement))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Known, Verdict};

    /// After how many plies, the first of them `ply` plies into the game, `values` by both sides in turn end it, and how.
    fn end(ply: usize, values: &[Option<Value>]) -> Option<(usize, Outcome)> {
        let mut adjudicator = Adjudicator::new(Margins { resign: Some(500), draw: Some(20) });
        let sides = [Side::First, Side::Second].into_iter().cycle();
        let mut moves = (1..).zip(sides.zip(values));
        moves.find_map(|(count, (side, value))| Some((count, adjudicator.outcome_after(side, ply + count, *value)?)))
    }

    #[test]
    fn a_game_ends_when_both_have_agreed_for_long_enough() {
        let cp = |units| Some(Value::Cp(units));
        let (ahead, behind, even) = (cp(500), cp(-700), [cp(-20), cp(20)]);
        let known = |known| Some(Value::Exact(Verdict { known, plies: Some(3) }));
        let lost = |loser: Side| Outcome::win(!loser, Reason::Resignation);
        let drawn = Outcome::draw(Reason::Agreement);
        let doubt = [vec![ahead, behind, ahead, cp(0)], [ahead, behind].repeat(5)].concat();
        let late_doubt = [even.repeat(7), vec![cp(21)], even.repeat(8)].concat();
        let cases = [
            ("first is ahead", 0, [ahead, behind].repeat(6), Some((8, lost(Side::Second)))),
            ("first is behind", 0, [behind, ahead].repeat(6), Some((8, lost(Side::First)))),
            ("both are hopeful", 0, [ahead, ahead].repeat(6), None),
            ("one says nothing", 0, [ahead, None].repeat(6), None),
            ("not far enough", 0, [ahead, cp(-499)].repeat(6), None),
            ("a doubt begins the count anew", 0, doubt, Some((12, lost(Side::Second)))),
            ("mates", 0, [Some(Value::Mate(3)), Some(Value::Mate(-2))].repeat(6), Some((8, lost(Side::Second)))),
            ("known ends", 0, [known(Known::Loss), known(Known::Win)].repeat(6), Some((8, lost(Side::First)))),
            ("even", 80, even.repeat(10), Some((16, drawn))),
            ("even, but early", 50, even.repeat(14), None),
            ("even for long when it is late enough", 50, even.repeat(20), Some((30, drawn))),
            ("even with a doubt", 80, late_doubt, Some((31, drawn))),
            ("one sees no draw", 80, [cp(0), cp(30)].repeat(20), None),
            ("silence is no draw", 80, [None, cp(0)].repeat(20), None),
        ];
        for (name, ply, values, expected) in cases {
            assert_eq!(end(ply, &values), expected, "{name}");
        }
    }
}
