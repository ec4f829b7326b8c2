//! The summary of a review: counts and accuracy for each side, and the turning point.

use crate::rules::{BySide, Side};
use crate::table::{Assessment, Chance, Judgement};

/// The numbers of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// The mean of [`accuracy_of_move`] over all moves with an alternative, 0 to 100; `None` without such a move.
    pub accuracy: Option<f64>,
    /// The numbers of moves by judgement: best, good, inaccuracies, mistakes, blunders.
    pub counts: [u32; 5],
}

impl Tally {
    /// The number of moves with this judgement.
    pub fn count(&self, judgement: Judgement) -> u32 {
        self.counts[judgement as usize]
    }
}

/// The summary of a review.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// The numbers of each side.
    pub sides: BySide<Tally>,
    /// The move that decided the game, counted from 1.
    pub turning_point: Option<usize>,
}

/// How fast the accuracy of a move falls with its loss.
const FALL: f64 = 4.4;

/// The accuracy of a move that lost this much winning chance (0 to 1): `100 * exp(-4.4 * lost)`. A move that loses nothing has 100, an inaccuracy
/// at most 80, a mistake at most 62, a blunder at most 35.
pub fn accuracy_of_move(lost: f64) -> f64 {
    100.0 * (-FALL * lost.clamp(0.0, 1.0)).exp()
}

/// The winning chance at the end from which a side counts as ahead in a game without a result.
const AHEAD: Chance = Chance(6_000);

impl Summary {
    /// The numbers of a game's positions, the start first. `result` is the game's result where it has one: its winner, `None` for a draw.
    ///
    /// The turning point is the move of the loser that lost most, of those that lost at least 0.11 (a mistake) and after which the winner's chance
    /// was never below one half again; the first of equals. A drawn game has none. Where there is no result, the winner is the side that is ahead
    /// in the last position with a chance of at least 0.6.
    pub fn of(positions: &[Option<&Assessment>], result: Option<Option<Side>>) -> Summary {
        let mut summary = Summary::default();
        let mut sums: BySide<(f64, u32)> = BySide::default();
        for verdict in positions.iter().flatten().filter_map(|position| position.verdict.as_ref()) {
            summary.sides[verdict.mover].counts[verdict.judgement as usize] += 1;
            if !verdict.only {
                let (sum, count) = &mut sums[verdict.mover];
                *sum += accuracy_of_move(verdict.lost());
                *count += 1;
            }
        }
        for side in Side::BOTH {
            let (sum, count) = sums[side];
            summary.sides[side].accuracy = (count > 0).then(|| sum / f64::from(count));
        }
        summary.turning_point = winner(positions, result).and_then(|winner| turning_point(positions, winner));
        summary
    }
}

fn winner(positions: &[Option<&Assessment>], result: Option<Option<Side>>) -> Option<Side> {
    if let Some(result) = result {
        return result;
    }
    let last = positions.last().copied().flatten()?.chance;
    match last {
        chance if chance >= AHEAD => Some(Side::First),
        chance if chance.reversed() >= AHEAD => Some(Side::Second),
        _ => None,
    }
}

fn turning_point(positions: &[Option<&Assessment>], winner: Side) -> Option<usize> {
    let mut found: Option<(usize, f64)> = None;
    for (ply, position) in positions.iter().enumerate().rev() {
        let Some(position) = position else { break };
        let chance = if winner == Side::First { position.chance } else { position.chance.reversed() };
        if chance < Chance::EVEN {
            break;
        }
        let Some(verdict) = position.verdict.as_ref().filter(|verdict| verdict.mover != winner) else { continue };
        if verdict.judgement >= Judgement::Mistake && found.is_none_or(|(_, lost)| verdict.lost() >= lost) {
            found = Some((ply, verdict.lost()));
        }
    }
    found.map(|(ply, _)| ply)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Value;
    use crate::table::MoveVerdict;

    /// Positions by the first side's chances in hundredths; each move's loss is the mover's difference.
    fn game(chances: &[u16]) -> Vec<Assessment> {
        let chance = |hundredths: u16| Chance(hundredths * 100);
        let mut mover = Side::Second;
        let mut before = chance(chances[0]);
        let position = |(ply, hundredths): (usize, &u16)| {
            mover = !mover;
            let now = chance(*hundredths);
            let of_mover = |chance: Chance| if mover == Side::Second { chance } else { chance.reversed() };
            let (had, has) = (of_mover(before), of_mover(now));
            before = now;
            let verdict = MoveVerdict {
                mover: !mover,
                judgement: Judgement::of_loss(had.lost_to(has)),
                before: had,
                after: has,
                best: Vec::new(),
                only: false,
                reason: None,
                comment: String::new(),
            };
            Assessment { value: Value::Cp(0), chance: now, verdict: (ply > 0).then_some(verdict) }
        };
        chances.iter().enumerate().map(position).collect()
    }

    fn summary(positions: &[Assessment], result: Option<Option<Side>>) -> Summary {
        Summary::of(&positions.iter().map(Some).collect::<Vec<_>>(), result)
    }

    #[test]
    fn the_turning_point_is_the_losers_worst_move_that_was_not_made_good_again() {
        // (chances of the first side after each ply, result, turning point)
        let cases: [(&[u16], Option<Option<Side>>, Option<usize>); 8] = [
            (&[50, 50, 90, 90, 95], None, Some(2)),
            (&[50, 50, 90, 90, 95], Some(Some(Side::First)), Some(2)),
            (&[50, 50, 90, 90, 95], Some(None), None),
            // Thrown away and won back: only what came after counts.
            (&[50, 50, 90, 30, 70, 70, 85], None, Some(4)),
            // The larger of two, the first of equals.
            (&[50, 50, 62, 62, 98], None, Some(4)),
            (&[50, 50, 65, 65, 80, 80, 95], None, Some(2)),
            // Little by little: nothing decided it.
            (&[50, 50, 58, 58, 66], None, None),
            (&[50, 30, 30, 5, 5], None, Some(3)),
        ];
        for (chances, result, point) in cases {
            assert_eq!(summary(&game(chances), result).turning_point, point, "{chances:?} {result:?}");
        }
    }

    #[test]
    fn accuracy_is_the_mean_of_the_moves_that_had_a_choice() {
        let mut positions = game(&[50, 50, 50, 40, 64]);
        let all = summary(&positions, None);
        assert_eq!(all.sides.first.counts, [0, 1, 1, 0, 0]);
        assert_eq!(all.sides.second.counts, [0, 1, 0, 0, 1]);
        let mean = |lost: f64| (100.0 + accuracy_of_move(lost)) / 2.0;
        assert!((all.sides.first.accuracy.unwrap() - mean(0.10)).abs() < 1e-9);
        assert!((all.sides.second.accuracy.unwrap() - mean(0.24)).abs() < 1e-9);
        positions[3].verdict.as_mut().unwrap().only = true;
        assert_eq!(summary(&positions, None).sides.first.accuracy, Some(100.0));
        assert_eq!(summary(&positions[..1], None).sides.first.accuracy, None);
        for (lost, least, most) in
            [(0.0, 100.0, 100.0), (0.05, 80.0, 81.0), (0.11, 61.0, 62.0), (0.24, 34.0, 35.0), (1.0, 1.0, 2.0)]
        {
            assert!((least..=most).contains(&accuracy_of_move(lost)), "{lost}");
        }
    }
}
