//! Tic-tac-toe: the smallest game, solved by a complete search, and the example to copy for a new game.
//!
//! A game has its rules (`rules`), its engine (`engine`) and this file, which connects both to the table.

mod engine;
mod rules;

use crate::message;
use crate::message::Message;
use crate::rules::{History, Point, Position, PositionFault, Refusal, Side, Skip};
use crate::search::{AlphaBeta, Engine, Misjudge, StopToken, Verdict};
use crate::table::{
    Action, Algorithm, Capabilities, Change, Draft, EngineOptions, Game, Notation, Piece, SetupError, Solution, State,
    position_of,
};
use engine::evaluation::OpenLines;
use engine::perfect;
use rules::board::{Cell, Grid};

/// The game.
pub struct TicTacToe;

fn piece(side: Side) -> Piece {
    Piece { side, role: 0 }
}

impl Game for TicTacToe {
    type Position = Grid;
    type Evaluation = OpenLines;

    const KEY: &'static str = "tic-tac-toe";

    fn variants() -> &'static [&'static str] {
        &["standard"]
    }

    fn parse(variant: &str, position: Option<&str>) -> Result<History<Grid>, SetupError> {
        if variant != "standard" {
            let known = Self::variants().join(", ");
            return Err(SetupError::UnknownVariant { game: Self::KEY, given: variant.to_owned(), known });
        }
        let grid = match position {
            None => Grid::default(),
            Some(text) => Grid::parse(text).map_err(|(at, why)| SetupError::BadPosition { at, why })?,
        };
        Ok(History::new(grid))
    }

    fn passed(position: &Grid) -> Option<Grid> {
        position.skipped()
    }

    fn text(position: &Grid) -> String {
        position.text()
    }

    fn size(_: &Grid) -> (u8, u8) {
        (3, 3)
    }

    fn pieces(position: &Grid) -> Vec<(Point, Piece)> {
        Cell::all().filter_map(|cell| Some((cell.point(), piece(position.at(cell)?)))).collect()
    }

    fn action(_: &Grid, mv: Cell) -> Action {
        Action::Drop(mv.point())
    }

    fn changes(position: &Grid, mv: Cell) -> Vec<Change> {
        vec![Change::Place { piece: piece(position.side_to_move()), at: mv.point() }]
    }

    fn refusal(_: &Grid, action: Action) -> Refusal {
        match action {
            Action::Drop(_) => Refusal::Occupied,
            _ => Refusal::NoSuchAction,
        }
    }

    fn read(position: &Grid, text: &str) -> Result<Cell, Message> {
        let cell = Cell::from_name(text.trim()).ok_or(message!("a cell must be a1 to c3"))?;
        if position.is_legal(cell) { Ok(cell) } else { Err(message!("that cell is occupied")) }
    }

    fn write(_: &Grid, mv: Cell, _: Notation) -> String {
        mv.to_string()
    }

    fn winning_line(position: &Grid) -> Vec<Point> {
        position.line().map_or(Vec::new(), |line| line.map(Cell::point).to_vec())
    }

    fn diagram(position: &Grid) -> String {
        position.to_string()
    }

    fn evaluation() -> OpenLines {
        OpenLines
    }

    fn engine(options: &EngineOptions) -> Option<Box<dyn Engine<Grid>>> {
        if options.algorithm != Algorithm::Own {
            return None;
        }
        let judge = Misjudge::new(OpenLines, options.misjudgement, options.seed);
        Some(Box::new(AlphaBeta::new(judge, 1).with_width(options.width)))
    }

    fn capabilities(_: &str) -> Capabilities {
        Capabilities { solution: Some(&TicTacToe), placement: Some(&TicTacToe), ..Capabilities::default() }
    }
}

impl Solution for TicTacToe {
    fn verdicts(&self, state: &dyn State, _: &StopToken) -> Option<Vec<(Action, Verdict)>> {
        let grid = position_of::<TicTacToe>(state)?;
        let moves = perfect::of_moves(grid).into_iter();
        Some(moves.map(|(cell, verdict)| (TicTacToe::action(grid, cell), verdict)).collect())
    }
}

/// The grid of a draft.
fn grid(draft: &Draft) -> Grid {
    Grid::of_marks(draft.pieces.iter().filter_map(|(at, piece)| Some((Cell::at(*at)?, piece.side))), draft.turn)
}

impl crate::table::Placement for TicTacToe {
    fn size(&self, _: &str) -> (u8, u8) {
        (3, 3)
    }

    fn most(&self, _: &str, _: Piece) -> usize {
        5
    }

    fn faults(&self, _: &str, draft: &Draft) -> Vec<PositionFault> {
        grid(draft).fault().into_iter().collect()
    }

    fn text(&self, _: &str, draft: &Draft) -> String {
        grid(draft).text()
    }

    fn read(&self, _: &str, text: &str) -> Result<Draft, SetupError> {
        let grid = Grid::read(text.trim()).map_err(|(at, why)| SetupError::BadPosition { at, why })?;
        Ok(Draft { pieces: TicTacToe::pieces(&grid).into_iter().collect(), turn: grid.side_to_move() })
    }
}
