//! The positions that a network learns from.

use crate::gomoku::positions::{Judged, is_learnt};
use crate::training::chance;
use qiju_core::games::gomoku::engine::accumulator::Accumulator;
use qiju_core::games::gomoku::engine::evaluation;
use qiju_core::games::gomoku::engine::network::{PAIRS, SCALE, STATES, pair};
use qiju_core::games::gomoku::rules::board::Board;
use qiju_core::games::gomoku::rules::classes::{CODES, Outlook};
use qiju_core::rules::Position;

/// The rows of the network: those of the codes, then those of the pairs of classes.
pub const ROWS: usize = CODES + PAIRS;

/// A row, and how often it is added.
pub type Term = (u16, i16);

/// A position.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The evaluation by values for the side to move, as a logit.
    pub base: f32,
    /// The winning chance to learn.
    pub target: f32,
    /// Whether it is held out.
    pub tested: bool,
    /// For the side to move and the other side: the rows of the position less those of a board without stones, then the changes to that before the last move, and from there to that before the move before it.
    pub terms: [[Box<[Term]>; STATES]; 2],
}

impl Sample {
    /// A leaf as the network sees it; `None` if the evaluation is not asked in it.
    pub fn of(leaf: &Judged) -> Option<Sample> {
        let boards: [Board; STATES] = leaf.boards();
        let board = &boards[0];
        if !is_learnt(board) {
            return None;
        }
        let side = board.side_to_move();
        let nothing = Board::new(leaf.rule, leaf.lines);
        let less = |terms: &mut Vec<Term>, others: &[Term]| terms.extend(others.iter().map(|&(row, count)| (row, -count)));
        let terms = [side, !side].map(|side| {
            let mut rows = boards.each_ref().map(|board| rows(board, side.index()));
            for state in (1..STATES).rev() {
                let (later, earlier) = rows.split_at_mut(state);
                less(&mut earlier[0], &later[state - 1]);
            }
            less(&mut rows[0], &self::rows(&nothing, side.index()));
            rows.map(added)
        });
        let mut accumulator = Accumulator::of(&boards[1], None);
        let mut board = boards[1].clone();
        accumulator.make(&mut board, *leaf.moves.last()?);
        Some(Sample {
            base: evaluation::evaluate(&board, &mut accumulator) as f32 / SCALE as f32,
            target: chance(f64::from(leaf.score), SCALE as f64) as f32,
            tested: leaf.tested,
            terms,
        })
    }
}

/// The rows of the empty points for a side (by its index).
fn rows(board: &Board, side: usize) -> Vec<Term> {
    let of = |outlooks: [Outlook; 2]| [outlooks[side].code(), (CODES + pair(outlooks[side], outlooks[1 - side])) as u16];
    board.empty().iter().flat_map(|spot| of(board.outlooks_of(spot))).map(|row| (row, 1)).collect()
}

/// The terms in order, those of a row added up, without those that add up to 0.
fn added(mut terms: Vec<Term>) -> Box<[Term]> {
    terms.sort_unstable();
    let sums = terms.chunk_by(|a, b| a.0 == b.0).map(|same| (same[0].0, same.iter().map(|(_, count)| count).sum()));
    sums.filter(|(_, count)| *count != 0).collect()
}
