//! Tic-tac-toe: nine cells, three in a row wins.

use super::{End, Rules};
use qiju::rules::Side;
use std::collections::BTreeSet;

pub struct TicTacToe {
    cells: [[Option<Side>; 3]; 3],
    turn: Side,
}

impl TicTacToe {
    pub fn new() -> Self {
        TicTacToe { cells: [[None; 3]; 3], turn: Side::First }
    }
}

impl Rules for TicTacToe {
    fn moves(&self) -> BTreeSet<String> {
        let all = (0..3).flat_map(|x| (0..3).map(move |y| (x, y)));
        all.filter(|(x, y)| self.cells[*x][*y].is_none()).map(|(x, y)| format!("{}{}", ['a', 'b', 'c'][x], y + 1)).collect()
    }

    fn play(&mut self, text: &str) {
        let bytes = text.as_bytes();
        self.cells[usize::from(bytes[0] - b'a')][usize::from(bytes[1] - b'1')] = Some(self.turn);
        self.turn = !self.turn;
    }

    fn end(&self) -> Option<End> {
        let lines: [[(usize, usize); 3]; 8] = [
            [(0, 0), (0, 1), (0, 2)],
            [(1, 0), (1, 1), (1, 2)],
            [(2, 0), (2, 1), (2, 2)],
            [(0, 0), (1, 0), (2, 0)],
            [(0, 1), (1, 1), (2, 1)],
            [(0, 2), (1, 2), (2, 2)],
            [(0, 0), (1, 1), (2, 2)],
            [(0, 2), (1, 1), (2, 0)],
        ];
        for side in Side::BOTH {
            if lines.iter().any(|line| line.iter().all(|(x, y)| self.cells[*x][*y] == Some(side))) {
                return Some(End::Won(side));
            }
        }
        self.cells.iter().flatten().all(Option::is_some).then_some(End::Drawn)
    }

    fn knows_draws(&self) -> bool {
        true
    }
}
