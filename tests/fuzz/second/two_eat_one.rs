//! Two-eat-one: a step goes to a neighbouring empty point. If the row or the column of the target has exactly three adjacent pieces, two of the mover's side by
//! side and one of the opponent at an end, that one is captured. Fewer than two pieces, or no step, loses. The third occurrence of a position, or 240 moves
//! without a capture, is a draw.

use super::{End, Move, Rules};
use qiju_core::rules::Side;
use std::collections::HashMap;

/// The number of moves without a capture that make a draw.
const QUIET: usize = 240;

type Cells = Vec<Vec<Option<Side>>>;

pub struct TwoEatOne {
    size: usize,
    /// Whether two against two on a line captures both.
    big: bool,
    /// By row and column; row 0 is the edge of White, who begins.
    cells: Cells,
    turn: Side,
    seen: HashMap<(Cells, Side), usize>,
    quiet: usize,
}

impl TwoEatOne {
    pub fn new(variant: &str) -> Option<Self> {
        let (rows, big): (&[&str], bool) = match variant {
            "standard" => (&["ooooo", ".....", ".....", ".....", "xxxxx"], false),
            "4x4" => (&["oooo", "....", "....", "xxxx"], false),
            "4x4-six" => (&["oooo", "o..o", "x..x", "xxxx"], false),
            "4x4-dachi" => (&["oooo", "....", "....", "xxxx"], true),
            _ => return None,
        };
        let cell = |sign| match sign {
            'o' => Some(Side::First),
            'x' => Some(Side::Second),
            _ => None,
        };
        let cells: Cells = rows.iter().map(|row| row.chars().map(cell).collect()).collect();
        let seen = HashMap::from([((cells.clone(), Side::First), 1)]);
        Some(TwoEatOne { size: rows.len(), big, cells, turn: Side::First, seen, quiet: 0 })
    }

    /// The points on a line whose pieces are captured.
    fn given_up(&self, line: &[Option<Side>]) -> Vec<usize> {
        let signs: String = line
            .iter()
            .map(|cell| match cell {
                None => '_',
                Some(side) if *side == self.turn => 'O',
                Some(_) => 'X',
            })
            .collect();
        let takes = |word: &str| match word {
            "OOX" => vec![2],
            "XOO" => vec![0],
            "OOXX" if self.big => vec![2, 3],
            "XXOO" if self.big => vec![0, 1],
            _ => Vec::new(),
        };
        let begin = signs.find(|sign| sign != '_').unwrap_or(0);
        takes(signs.trim_matches('_')).into_iter().map(|place| begin + place).collect()
    }

    fn pieces(&self, side: Side) -> usize {
        self.cells.iter().flatten().filter(|cell| **cell == Some(side)).count()
    }
}

impl Rules for TwoEatOne {
    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for row in 0..self.size {
            for column in 0..self.size {
                if self.cells[row][column] != Some(self.turn) {
                    continue;
                }
                for (down, right) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                    let to = (row.checked_add_signed(down), column.checked_add_signed(right));
                    if let (Some(to_row), Some(to_column)) = to
                        && to_row < self.size
                        && to_column < self.size
                        && self.cells[to_row][to_column].is_none()
                    {
                        moves.push([column, row, to_column, to_row].map(|number| number as u8));
                    }
                }
            }
        }
        moves
    }

    fn play(&mut self, mv: Move) {
        let [from_column, from_row, column, row] = mv.map(usize::from);
        self.cells[from_row][from_column] = None;
        self.cells[row][column] = Some(self.turn);
        let across = self.given_up(&self.cells[row]);
        let file: Vec<Option<Side>> = self.cells.iter().map(|row| row[column]).collect();
        let down = self.given_up(&file);
        self.quiet = if across.is_empty() && down.is_empty() { self.quiet + 1 } else { 0 };
        across.into_iter().for_each(|place| self.cells[row][place] = None);
        down.into_iter().for_each(|place| self.cells[place][column] = None);
        self.turn = !self.turn;
        *self.seen.entry((self.cells.clone(), self.turn)).or_default() += 1;
    }

    fn end(&self, moves: &[Move]) -> Option<End> {
        if self.pieces(self.turn) < 2 || moves.is_empty() {
            return Some(End::Won(!self.turn));
        }
        let repeated = self.seen.get(&(self.cells.clone(), self.turn)).is_some_and(|times| *times >= 3);
        (repeated || self.quiet >= QUIET).then_some(End::Drawn)
    }

    fn text(&self, [from_column, from_row, column, row]: Move) -> String {
        format!("{from_row},{from_column}-{row},{column}")
    }

    fn knows_draws(&self) -> bool {
        true
    }
}
