//! Puzzles of xiangqi: mates by continuous checks in one to six moves, and single moves that win decisively.

mod mates;
mod tactics;
mod themes;

use super::Xiangqi;
use super::rules::board::{Board, Move};
use crate::rules::Side;
use crate::table::{Action, Game, Image, PuzzleKind, PuzzleSetter, PuzzleSolution, Puzzles, State, moves_of, position_of};
use mates::{CHECKS, Mates};
use tactics::Tactics;

/// Mates of at most so many moves.
pub const LONGEST: usize = 6;

impl Puzzles for Xiangqi {
    fn shipped(&self) -> &'static [u8] {
        include_bytes!("../../../../assets/puzzles/xiangqi.puzzles")
    }

    fn kinds(&self) -> &'static [PuzzleKind] {
        &[PuzzleKind::Mate, PuzzleKind::Tactic]
    }

    fn variants(&self) -> &'static [&'static str] {
        &["axf"]
    }

    fn share(&self, kind: PuzzleKind, asked: usize) -> f32 {
        match (kind, asked) {
            (PuzzleKind::Mate, 1) => 0.12,
            (PuzzleKind::Mate, 2) => 0.22,
            (PuzzleKind::Mate, 3) => 0.25,
            (PuzzleKind::Tactic, 1) => 0.3,
            _ => 1.0,
        }
    }

    fn strongest(&self) -> usize {
        4
    }

    fn random_moves(&self) -> usize {
        4
    }

    /// The board is symmetric from left to right; if the ranks are reversed, the sides exchange their roles.
    fn images(&self, turn: Side) -> &'static [Image] {
        match turn {
            Side::First => &Image::ALL[..2],
            Side::Second => &Image::ALL[2..4],
        }
    }

    fn sides_differ(&self, _: &str) -> bool {
        false
    }

    fn themes(&self) -> &'static [&'static str] {
        themes::ALL
    }

    fn themes_of(&self, state: &dyn State, solution: &PuzzleSolution) -> Vec<&'static str> {
        let Some(board) = position_of::<Xiangqi>(state) else { return Vec::new() };
        let line = moves_of::<Xiangqi>(board, &solution.line);
        line.map_or_else(|_| Vec::new(), |line| themes::of(board, &line, solution.asked))
    }

    fn setter(&self) -> Box<dyn PuzzleSetter> {
        Box::new(Setter { mates: Mates::default(), tactics: Tactics::new() })
    }
}

struct Setter {
    mates: Mates,
    tactics: Tactics,
}

impl PuzzleSetter for Setter {
    fn find(&mut self, state: &dyn State, wanted: &dyn Fn(PuzzleKind, usize) -> bool) -> Option<PuzzleSolution> {
        let board = &mut position_of::<Xiangqi>(state)?.clone();
        let mate = self.mates.shortest(board, CHECKS[0]);
        let (kind, line, asked) = match mate {
            Some(moves) if !wanted(PuzzleKind::Mate, moves) => return None,
            Some(moves) => (PuzzleKind::Mate, self.mates.line(board, moves)?, moves),
            None => {
                let (line, asked) = self.tactics.find(board)?;
                (PuzzleKind::Tactic, line, asked)
            }
        };
        wanted(kind, asked).then(|| PuzzleSolution { kind, line: actions(board, &line), asked })
    }

    fn check(&mut self, state: &dyn State, solution: &PuzzleSolution) -> Result<(), String> {
        let board = position_of::<Xiangqi>(state).ok_or("the game is over in this position")?;
        let line = moves_of::<Xiangqi>(board, &solution.line).map_err(|why| why.to_string())?;
        match solution.kind {
            PuzzleKind::Mate => self.check_mate(board.clone(), &line, solution.asked),
            PuzzleKind::Tactic => self.tactics.check(board, &line, solution.asked),
            other => Err(format!("xiangqi has no puzzles of the kind '{other}'")),
        }
    }
}

impl Setter {
    fn check_mate(&mut self, mut board: Board, line: &[Move], asked: usize) -> Result<(), String> {
        if !(1..=LONGEST).contains(&asked) || line.len() != 2 * asked - 1 {
            return Err(format!("{} plies are no mate in {asked}", line.len()));
        }
        if self.mates.shortest(&mut board, CHECKS[1]) != Some(asked) {
            return Err(format!("the shortest mate is not in {asked}"));
        }
        for (ply, &mv) in line.iter().enumerate() {
            let left = asked - ply / 2;
            if ply % 2 == 0 {
                let right = self.mates.only(&mut board, left, left == asked).ok_or("the search for other mates was too long")?;
                let equal = left == 1 && ply > 0;
                if !right.contains(&mv) || right.len() > 1 && !equal {
                    return Err(format!("{} moves mate in {left}, or another one does", right.len()));
                }
            } else if !self.mates.longest_answers(&mut board, left).contains(&mv) {
                return Err("an answer is not the longest defence".to_owned());
            }
            board.apply(mv);
        }
        if board.can_move() { Err("the line does not end with mate".to_owned()) } else { Ok(()) }
    }
}

/// The moves as actions. They are legal one after the other.
fn actions(board: &Board, line: &[Move]) -> Vec<Action> {
    line.iter().map(|&mv| Xiangqi::action(board, mv)).collect()
}
