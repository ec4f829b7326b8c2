//! Forbidden points of renju that the pattern tables cannot decide: double threes. They are decided from the stones alone.

use super::board::Board;
use super::lines::{self, FIRST_STRING, LineRule, Pattern, STRINGS, WEIGHT};
use super::spot::{STEPS, Spot, Spots};
use crate::rules::{Forbidden, Side};

/// A copy of the stones, to try black moves while a three is examined.
pub struct TrialStones<'a> {
    board: &'a Board,
    black: Spots,
    empty: Spots,
}

impl<'a> TrialStones<'a> {
    /// The stones of a board.
    pub fn of(board: &'a Board) -> Self {
        TrialStones { board, black: *board.stones(Side::First), empty: *board.empty() }
    }

    fn pattern(&self, spot: Spot, direction: usize) -> Pattern {
        let step = STEPS[direction];
        let (back, ahead) = self.board.reach(spot, direction);
        let digit = |index: usize| {
            let other = Spot::from_index(index);
            if self.black.contains(other) {
                1
            } else if self.empty.contains(other) {
                0
            } else {
                2
            }
        };
        let before: u32 = (1..=back).map(|d| digit(spot.index() - step * d) * WEIGHT[d - 1]).sum();
        let after: u32 = (1..=ahead).map(|d| digit(spot.index() + step * d) * WEIGHT[d - 1]).sum();
        let window = (FIRST_STRING[back] + before) as usize * STRINGS + (FIRST_STRING[ahead] + after) as usize;
        lines::pattern(LineRule::RenjuBlack, window)
    }

    /// Why the empty point is forbidden to black. A three counts only if the move that makes its straight four is legal,
    /// which is decided recursively.
    pub fn forbidden(&mut self, spot: Spot) -> Option<Forbidden> {
        let patterns = [0, 1, 2, 3].map(|direction| self.pattern(spot, direction));
        if patterns.contains(&Pattern::Five) {
            return None;
        }
        if patterns.contains(&Pattern::Overline) {
            return Some(Forbidden::Overline);
        }
        let fours = patterns.map(|pattern| match pattern {
            Pattern::Four | Pattern::OpenFour => 1,
            Pattern::TwoFours => 2,
            _ => 0,
        });
        if fours.iter().sum::<i32>() >= 2 {
            return Some(Forbidden::DoubleFour);
        }
        let mut threes = 4 - patterns.iter().filter(|p| !p.is_open_three()).count();
        if threes < 2 {
            return None;
        }
        self.black.insert(spot);
        self.empty.remove(spot);
        for (direction, pattern) in patterns.into_iter().enumerate() {
            if threes >= 2 && pattern.is_open_three() && !self.is_real_three(spot, direction) {
                threes -= 1;
            }
        }
        self.black.remove(spot);
        self.empty.insert(spot);
        (threes >= 2).then_some(Forbidden::DoubleThree)
    }

    /// The lines that make the empty point forbidden for this reason, each with the point itself: the overlines, the fours or the
    /// threes.
    pub fn lines(&mut self, spot: Spot, reason: Forbidden) -> Vec<Vec<Spot>> {
        let patterns = [0, 1, 2, 3].map(|direction| self.pattern(spot, direction));
        self.black.insert(spot);
        self.empty.remove(spot);
        let mut lines: Vec<Vec<Spot>> = Vec::new();
        for (direction, pattern) in patterns.into_iter().enumerate() {
            match reason {
                Forbidden::Overline if pattern == Pattern::Overline => lines.push(self.row(spot, direction)),
                Forbidden::DoubleFour if matches!(pattern, Pattern::Four | Pattern::OpenFour | Pattern::TwoFours) => {
                    for four in self.rows_with(spot, direction, Pattern::Five) {
                        if !lines.contains(&four) {
                            lines.push(four);
                        }
                    }
                }
                Forbidden::DoubleThree if pattern.is_open_three() && self.is_real_three(spot, direction) => {
                    lines.extend(self.rows_with(spot, direction, Pattern::OpenFour).into_iter().next());
                }
                _ => {}
            }
        }
        self.black.remove(spot);
        self.empty.insert(spot);
        lines
    }

    /// The row of stones through `spot`, in order.
    fn row(&self, spot: Spot, direction: usize) -> Vec<Spot> {
        let step = STEPS[direction];
        let (back, ahead) = self.board.reach(spot, direction);
        let mut row: Vec<Spot> = (1..=back).map(|d| Spot::from_index(spot.index() - step * d)).collect();
        row.truncate(row.iter().take_while(|other| self.black.contains(**other)).count());
        row.reverse();
        row.push(spot);
        let ahead = (1..=ahead).map(|d| Spot::from_index(spot.index() + step * d));
        row.extend(ahead.take_while(|other| self.black.contains(*other)));
        row
    }

    /// For each empty point of the line on which a stone would make this pattern in a row with `spot`: that row without it.
    fn rows_with(&mut self, spot: Spot, direction: usize, pattern: Pattern) -> Vec<Vec<Spot>> {
        let step = STEPS[direction];
        let (back, ahead) = self.board.reach(spot, direction);
        let behind = (1..=back).map(|d| Spot::from_index(spot.index() - step * d));
        let before = (1..=ahead).map(|d| Spot::from_index(spot.index() + step * d));
        let gaps: Vec<Spot> = behind.chain(before).filter(|gap| self.empty.contains(*gap)).collect();
        let mut rows = Vec::new();
        for gap in gaps {
            if self.pattern(gap, direction) != pattern {
                continue;
            }
            self.black.insert(gap);
            let mut row = self.row(gap, direction);
            self.black.remove(gap);
            if row.contains(&spot) {
                row.retain(|other| *other != gap);
                rows.push(row);
            }
        }
        rows
    }

    /// True if the three through the stone on `spot` can become a straight four by a legal move that does not make a five.
    fn is_real_three(&mut self, spot: Spot, direction: usize) -> bool {
        let step = STEPS[direction];
        let (back, ahead) = self.board.reach(spot, direction);
        // The straight four must contain the stone, so its last stone is on the first gap on one side.
        let first_gap = |distances: usize, is_ahead: bool| {
            (1..=distances)
                .map(|d| Spot::from_index(if is_ahead { spot.index() + step * d } else { spot.index() - step * d }))
                .find(|&other| !self.black.contains(other))
                .filter(|&other| self.empty.contains(other))
        };
        let gaps = [first_gap(ahead, true), first_gap(back, false)];
        gaps.into_iter().flatten().any(|next| {
            self.pattern(next, direction) == Pattern::OpenFour
                && (0..4).all(|d| self.pattern(next, d) != Pattern::Five)
                && self.forbidden(next).is_none()
        })
    }
}
