//! The inputs of the network: the features of a position from the view of each side.

use crate::games::xiangqi::rules::attacks::POINTS;
use crate::games::xiangqi::rules::board::Board;
use crate::games::xiangqi::rules::piece::Piece;
use crate::rules::Side;

/// The number of inputs of a view: seven own roles and seven of the opponent on ninety points.
pub const INPUTS: usize = Piece::KINDS * POINTS;

/// A side's view of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    side: Side,
    /// Whether left and right are swapped.
    mirrored: bool,
}

/// The index of each point in a view: by side, then mirrored or not.
static POINT_IN: [[u8; POINTS]; 4] = {
    let mut table = [[0; POINTS]; 4];
    let mut at = 0;
    while at < POINTS {
        let (file, rank) = (at % 9, at / 9);
        table[0][at] = at as u8;
        table[1][at] = (rank * 9 + 8 - file) as u8;
        table[2][at] = ((9 - rank) * 9 + file) as u8;
        table[3][at] = ((9 - rank) * 9 + 8 - file) as u8;
        at += 1;
    }
    table
};

impl View {
    /// The view of a side with its general on this point.
    #[inline(always)]
    pub fn new(side: Side, general: usize) -> View {
        View { side, mirrored: general % 9 > 4 }
    }

    /// The view of a side on a board.
    #[inline(always)]
    pub fn of(board: &Board, side: Side) -> View {
        View::new(side, board.general(side))
    }

    /// The input of a piece on a point.
    #[inline(always)]
    pub fn input(self, piece: Piece, at: usize) -> u16 {
        let table = &POINT_IN[2 * self.side.index() + usize::from(self.mirrored)];
        let kind = piece.role() as usize + if piece.side() == self.side { 0 } else { 7 };
        (kind * POINTS + usize::from(table[at])) as u16
    }
}
