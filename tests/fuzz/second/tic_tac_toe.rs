//! Tic-tac-toe: nine cells, three in a row wins.

use super::{End, Move, Rules};
use qiju_core::rules::Side;

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
    fn moves(&self) -> Vec<Move> {
        let all = (0..3).flat_map(|x| (0..3).map(move |y| (x, y)));
        all.filter(|(x, y)| self.cells[usize::from(*x)][usize::from(*y)].is_none()).map(|(x, y)| [x, y, x, y]).collect()
    }

    fn play(&mut self, [x, y, ..]: Move) {
        self.cells[usize::from(x)][usize::from(y)] = Some(self.turn);
        self.turn = !self.turn;
    }

    fn text(&self, [x, y, ..]: Move) -> String {
        format!("{}{}", ['a', 'b', 'c'][usize::from(x)], y + 1)
    }

    fn end(&self, _: &[Move]) -> Option<End> {
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
