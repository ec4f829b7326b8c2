//! A position as one picture: board, pieces and marks on the desk, as in the window.

use super::board::{BoardLook, BoardPicture, board, board_extent};
use super::canvas::Picture;
use super::desk::desk;
use super::mark::Mark;
use super::piece::PieceSet;
use super::pieces::{PiecePictures, diameter, piece_pictures};
use super::theme::Theme;
use crate::rules::Point;
use crate::table::{Board, GameSheet, Piece};

/// The smallest and the largest side of a picture, in pixels.
pub const SIZES: std::ops::RangeInclusive<u32> = 64..=4096;

/// The common parts of all pictures of a game, drawn once.
pub struct PositionPainter {
    /// The board on the desk.
    ground: BoardPicture,
    parts: PiecePictures,
}

impl PositionPainter {
    /// The painter of a game; the longer side of its pictures has `size_px` pixels, within [`SIZES`].
    pub fn new(sheet: &GameSheet, on: &Board, theme: &Theme, set: PieceSet, look: &BoardLook, size_px: u32) -> PositionPainter {
        let size = size_px.clamp(*SIZES.start(), *SIZES.end());
        let (across, down) = board_extent(on);
        let scale = size as f32 / across.max(down);
        let cell = scale.floor().max(4.0) as u32;
        let mut ground = board(on, theme, cell, look);
        let length = |cells: f32| ((cells * scale).round() as u32).min(size);
        let (width, height) = (length(across), length(down));
        let mut table = desk(theme, width, height);
        let x = (width as i32 - ground.picture.width as i32) / 2;
        let y = (height as i32 - ground.picture.height as i32) / 2;
        table.stamp(&ground.picture, x, y);
        ground.picture = table;
        ground.origin = (ground.origin.0 + x as f32, ground.origin.1 + y as f32);
        PositionPainter { ground, parts: piece_pictures(sheet, theme, set, (cell, diameter(cell, on.piece)), 1) }
    }

    /// The middle of a point in its pictures, in pixels from the upper left corner.
    pub fn at(&self, point: Point) -> (f32, f32) {
        self.ground.at(point)
    }

    /// The picture of a position with these marks.
    pub fn picture(&self, pieces: &[(Point, Piece)], marks: &[(Mark, Point)]) -> Picture {
        let mut out = self.ground.picture.clone();
        // Each picture is centred on its point.
        let mut put = |picture: Option<&Picture>, at: Point| {
            let Some(picture) = picture else { return };
            let (x, y) = self.ground.at(at);
            let corner = |middle: f32, length: u32| (middle - length as f32 / 2.0).round() as i32;
            out.stamp(picture, corner(x, picture.width), corner(y, picture.height));
        };
        let (above, below): (Vec<_>, Vec<_>) = marks.iter().partition(|(mark, _)| mark.is_above());
        below.into_iter().for_each(|(mark, at)| put(self.parts.mark(mark), at));
        let shadow = self.parts.shadows.as_ref().map(|[resting, _]| resting);
        pieces.iter().for_each(|(at, _)| put(shadow, *at));
        pieces.iter().for_each(|(at, piece)| put(self.parts.piece(*piece, 0), *at));
        above.into_iter().for_each(|(mark, at)| put(self.parts.mark(mark), at));
        out
    }
}
