//! Puzzles of two-eat-one, from the tablebase: the only winning moves, and the only moves that hold a draw.

use super::TwoEatOne;
use super::engine::tablebase::oracle::Oracle;
use super::rules::board::{Board, Step};
use crate::rules::{Position, Side};
use crate::search::{Known, StopToken, Verdict};
use crate::table::{Action, Game, Image, PuzzleKind, PuzzleSetter, PuzzleSolution, Puzzles, State, moves_of, position_of};

/// At most so many moves are asked.
const MOST: usize = 6;
/// A puzzle has at least so many legal moves.
const CHOICE: usize = 4;
/// Plies shown after the last move that is asked of a win.
const SHOWN: usize = 8;

impl Puzzles for TwoEatOne {
    fn shipped(&self) -> &'static [u8] {
        include_bytes!("../../../assets/puzzles/two-eat-one.puzzles")
    }

    fn kinds(&self) -> &'static [PuzzleKind] {
        &[PuzzleKind::Win, PuzzleKind::Draw]
    }

    fn variants(&self) -> &'static [&'static str] {
        &["standard", "standard", "standard", "4x4", "4x4-six", "4x4-dachi"]
    }

    fn share(&self, kind: PuzzleKind, asked: usize) -> f32 {
        match (kind, asked) {
            (PuzzleKind::Draw, 1 | 2) => 0.12,
            _ => 0.2,
        }
    }

    fn strongest(&self) -> usize {
        5
    }

    fn random_moves(&self) -> usize {
        8
    }

    fn images(&self, _: Side) -> &'static [Image] {
        &Image::ALL
    }

    fn sides_differ(&self, _: &str) -> bool {
        false
    }

    fn setter(&self) -> Box<dyn PuzzleSetter> {
        Box::new(Setter)
    }
}

struct Setter;

/// The moves of a position with their exact values, after all data for them is available.
fn values(board: &Board) -> Vec<(Step, Verdict)> {
    let oracle = Oracle::of(board.kind());
    oracle.wait(&StopToken::new());
    oracle.of_moves(board)
}

/// The result of a position, and the moves that keep it. Distances are not needed for this.
fn right(board: &Board) -> Option<(Known, Vec<Step>)> {
    let moves = Oracle::of(board.kind()).of_moves(board);
    let best = moves.iter().map(|(_, verdict)| *verdict).max_by_key(|verdict| verdict.rank())?.known;
    Some((best, moves.into_iter().filter(|(_, verdict)| verdict.known == best).map(|(step, _)| step).collect()))
}

/// The answer of the opponent: the one that delays the loss most or, in a drawn position, the one that keeps the draw and leaves the fewest moves
/// that hold it.
fn answer(board: &Board, kind: PuzzleKind) -> Option<Step> {
    let moves = values(board).into_iter();
    match kind {
        PuzzleKind::Win => moves.max_by_key(|(_, verdict)| verdict.rank()).map(|(step, _)| step),
        _ => {
            let drawn = moves.filter(|(_, verdict)| verdict.known == Known::Draw).map(|(step, _)| step);
            drawn.min_by_key(|step| {
                let mut next = board.clone();
                next.make(*step);
                (right(&next).map_or(usize::MAX, |(_, moves)| moves.len()), next.key())
            })
        }
    }
}

impl PuzzleSetter for Setter {
    fn find(&mut self, state: &dyn State, wanted: &dyn Fn(PuzzleKind, usize) -> bool) -> Option<PuzzleSolution> {
        let mut board = position_of::<TwoEatOne>(state)?.clone();
        let mut legal = Vec::new();
        board.legal_moves(&mut legal);
        let (known, _) = right(&board).filter(|(_, moves)| moves.len() == 1 && legal.len() >= CHOICE)?;
        let kind = match known {
            Known::Win => PuzzleKind::Win,
            Known::Draw => PuzzleKind::Draw,
            Known::Loss => return None,
        };
        let mut seen = vec![board.key()];
        let (mut line, mut asked) = (Vec::new(), 0);
        let play = |board: &mut Board, step: Step, line: &mut Vec<Action>| {
            line.push(TwoEatOne::action(board, step));
            board.make(step);
        };
        while board.outcome().is_none() {
            let (_, moves) = right(&board)?;
            let &[step] = &moves[..] else { break };
            play(&mut board, step, &mut line);
            asked += 1;
            if board.outcome().is_some() || asked == MOST {
                break;
            }
            let answer = answer(&board, kind)?;
            let mut next = board.clone();
            next.make(answer);
            if seen.contains(&next.key()) {
                break;
            }
            seen.push(next.key());
            play(&mut board, answer, &mut line);
        }
        if line.len() == 2 * asked {
            // The last answer leaves a choice, so it belongs to the moves that are only shown.
            let shown = if kind == PuzzleKind::Win { SHOWN } else { 0 };
            for _ in 0..shown {
                let best = values(&board).into_iter().max_by_key(|(_, verdict)| verdict.rank());
                let Some((step, _)) = best.filter(|_| board.outcome().is_none()) else { break };
                play(&mut board, step, &mut line);
            }
            if shown == 0 {
                line.pop();
            }
        }
        wanted(kind, asked).then_some(PuzzleSolution { kind, line, asked })
    }

    fn check(&mut self, state: &dyn State, solution: &PuzzleSolution) -> Result<(), String> {
        let mut board = position_of::<TwoEatOne>(state).ok_or("the game is over in this position")?.clone();
        let known = match solution.kind {
            PuzzleKind::Win => Known::Win,
            PuzzleKind::Draw => Known::Draw,
            other => return Err(format!("two-eat-one has no puzzles of the kind '{other}'")),
        };
        if !(1..=MOST).contains(&solution.asked) || solution.line.len() < 2 * solution.asked - 1 {
            return Err(format!("{} plies do not have {} moves to find", solution.line.len(), solution.asked));
        }
        for (ply, step) in moves_of::<TwoEatOne>(&board, &solution.line).map_err(|why| why.to_string())?.into_iter().enumerate() {
            let (best, moves) = right(&board).ok_or("the game is over")?;
            let solver = ply % 2 == 0;
            let expected = match known {
                Known::Win if !solver => Known::Loss,
                other => other,
            };
            if best != expected || !moves.contains(&step) {
                return Err(format!("move {} does not keep the result", ply + 1));
            }
            if solver && ply < 2 * solution.asked && moves.len() > 1 {
                return Err(format!("{} moves keep the result at ply {}", moves.len(), ply + 1));
            }
            board.make(step);
        }
        Ok(())
    }
}
