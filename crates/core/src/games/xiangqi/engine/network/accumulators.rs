//! The accumulators: sums of the network's hidden layer for every position of the current line, for each side's view.
//!
//! A move only records its change. The sums are computed when the position is evaluated, from the nearest earlier position with known sums,
//! because most positions of a search are never evaluated. If a general has moved since then, its side's view is another one: the sums are computed
//! from those of the last position that was computed in that view.

use super::{Network, View, forward};
use crate::games::xiangqi::rules::attacks::Bits;
use crate::games::xiangqi::rules::board::{Board, Move};
use crate::games::xiangqi::rules::piece::{Piece, Role};
use crate::rules::Side;
use std::sync::Arc;

/// The data of one position of the line.
#[derive(Clone, Copy)]
struct Mark {
    /// The view of each side.
    views: [View; 2],
    /// Whether each side's sums are computed.
    known: [bool; 2],
    /// The last move, its piece and the captured piece; `None` for a null move.
    change: Option<(Move, Piece, Option<Piece>)>,
}

/// The pieces, as the points of each kind, and the sums of the last position that was computed in a view.
#[derive(Clone)]
struct Last {
    pieces: [Bits; Piece::KINDS],
    sums: Box<[i16]>,
}

/// The sums for a line of positions.
pub struct Accumulators {
    network: Arc<Network>,
    marks: Vec<Mark>,
    /// Position by position, the first side's sums and the second's.
    sums: Vec<i16>,
    /// By the number of the view.
    last: Vec<Last>,
}

impl Accumulators {
    /// Accumulators for lines of this number of positions from `root`.
    pub fn new(network: Arc<Network>, root: &Board, positions: usize) -> Accumulators {
        let views = [Side::First, Side::Second].map(|side| View::of(root, side));
        let sums = vec![0; positions * 2 * network.hidden];
        let last = vec![Last { pieces: [0; Piece::KINDS], sums: network.biases.as_slice().into() }; View::COUNT];
        Accumulators { network, marks: vec![Mark { views, known: [false; 2], change: None }; positions], sums, last }
    }

    /// Records a move of `piece` from the position at `ply`.
    #[inline]
    pub fn note(&mut self, ply: usize, mv: Move, piece: Piece, taken: Option<Piece>) {
        let mut views = self.marks[ply].views;
        if piece.role() == Role::General {
            views[piece.side().index()] = View::new(piece.side(), mv.to());
        }
        self.marks[ply + 1] = Mark { views, known: [false; 2], change: Some((mv, piece, taken)) };
    }

    /// Records a null move at `ply`.
    #[inline]
    pub fn note_pass(&mut self, ply: usize) {
        self.marks[ply + 1] = Mark { views: self.marks[ply].views, known: [false; 2], change: None };
    }

    /// The network's value of the board, which is the position at `ply`, for the side to move.
    pub fn judge(&mut self, ply: usize, board: &Board) -> i32 {
        self.bring_up(ply, Side::First, board);
        self.bring_up(ply, Side::Second, board);
        let size = self.network.hidden;
        let (first, second) = self.sums[ply * 2 * size..][..2 * size].split_at(size);
        let (own, other) = if board.turn() == Side::First { (first, second) } else { (second, first) };
        self.network.judge(own, other, board.piece_count())
    }

    /// Computes a side's sums of the position at `ply`.
    fn bring_up(&mut self, ply: usize, side: Side, board: &Board) {
        let which = side.index();
        let size = self.network.hidden;
        let mut known = ply;
        while !self.marks[known].known[which] {
            if known == 0 || self.marks[known].views[which] != self.marks[known - 1].views[which] {
                let view = self.marks[ply].views[which];
                let last = &mut self.last[view.index()];
                self.network.follow(view, &last.pieces, board, &mut last.sums);
                last.pieces = *board.kinds();
                self.sums[(2 * ply + which) * size..][..size].copy_from_slice(&last.sums);
                self.marks[ply].known[which] = true;
                return;
            }
            known -= 1;
        }
        for next in known + 1..=ply {
            let mark = &mut self.marks[next];
            mark.known[which] = true;
            let (before, after) = self.sums.split_at_mut(2 * next * size);
            let before = &before[(2 * (next - 1) + which) * size..][..size];
            let after = &mut after[which * size..][..size];
            match mark.change {
                None => after.copy_from_slice(before),
                Some((mv, piece, taken)) => {
                    let view = mark.views[which];
                    let moved = [view.input(piece, mv.to()), view.input(piece, mv.from())];
                    forward::step(&self.network, before, after, moved, taken.map(|taken| view.input(taken, mv.to())));
                }
            }
        }
    }
}
