//! The inputs of the network: the features of a position from the view of each side.

use crate::games::xiangqi::rules::attacks::POINTS;
use crate::games::xiangqi::rules::board::Board;
use crate::games::xiangqi::rules::piece::Piece;
use crate::rules::Side;

/// The inputs of a view while its general stays where it is: seven own roles and seven of the opponent on ninety points.
pub const PLACES: usize = Piece::KINDS * POINTS;
/// The points of its general that a view tells apart, because left and right are exchanged.
pub const GENERALS: usize = 6;
/// The number of inputs of a view.
pub const INPUTS: usize = GENERALS * PLACES;

/// A side's view of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    side: Side,
    /// Whether left and right are swapped.
    mirrored: bool,
    /// The point of the side's general: three times its distance from the middle file, and its rank from the own edge.
    general: u8,
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
    /// How many views there are.
    pub const COUNT: usize = 4 * GENERALS;

    /// The view of a side with its general on this point.
    #[inline(always)]
    pub fn new(side: Side, general: usize) -> View {
        let (file, rank) = (general % 9, general / 9);
        let rank = if side == Side::First { rank } else { 9_usize.saturating_sub(rank) };
        View { side, mirrored: file > 4, general: (3 * file.abs_diff(4) + rank).min(GENERALS - 1) as u8 }
    }

    /// Its number among all views, below [`COUNT`](View::COUNT).
    pub fn index(self) -> usize {
        usize::from(self.general) * 4 + self.orientation()
    }

    /// How the board is turned: by side, then mirrored or not.
    #[inline(always)]
    fn orientation(self) -> usize {
        2 * self.side.index() + usize::from(self.mirrored)
    }

    /// The view of a side on a board.
    #[inline(always)]
    pub fn of(board: &Board, side: Side) -> View {
        View::new(side, board.general(side))
    }

    /// The input of a piece on a point.
    #[inline(always)]
    pub fn input(self, piece: Piece, at: usize) -> u16 {
        let table = &POINT_IN[self.orientation()];
        let kind = piece.role() as usize + if piece.side() == self.side { 0 } else { 7 };
        (usize::from(self.general) * PLACES + kind * POINTS + usize::from(table[at])) as u16
    }
}
