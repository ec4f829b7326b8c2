//! All pieces of a game in one size, with their shadows, and the marks of their board.

use super::board::{line_thickness, of_parity};
use super::canvas::Picture;
use super::mark::{Mark, mark};
use super::piece::{PieceSet, piece};
use super::shadow::{Height, shadow};
use super::theme::Theme;
use crate::table::{GameSheet, Piece, Shape};
use serde::{Deserialize, Serialize};

/// The pictures of pieces and marks for boards of one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PiecePictures {
    /// Each kind of piece with the number of its grain.
    pub pieces: Vec<((Piece, u64), Picture)>,
    /// How many pictures with a different grain there are of each kind.
    pub grains: u64,
    /// The shadow of a piece at rest and that of a lifted one; `None` for games with drawn marks.
    pub shadows: Option<[Picture; 2]>,
    /// Every mark.
    pub marks: Vec<(Mark, Picture)>,
}

impl PiecePictures {
    /// The picture of a piece with this identity.
    pub fn piece(&self, piece: Piece, identity: u64) -> Option<&Picture> {
        let key = (piece, identity % self.grains);
        self.pieces.iter().find(|(which, _)| *which == key).map(|(_, picture)| picture)
    }

    /// The picture of a mark.
    pub fn mark(&self, mark: Mark) -> Option<&Picture> {
        self.marks.iter().find(|(which, _)| *which == mark).map(|(_, picture)| picture)
    }
}

/// Draws all kinds of pieces with this diameter, and the marks for a board with `cell` pixels per cell. With one grain it is chosen by the
/// kind of piece.
pub fn piece_pictures(
    sheet: &GameSheet,
    theme: &Theme,
    set: PieceSet,
    (cell, diameter_px): (u32, u32),
    grains: u64,
) -> PiecePictures {
    let drawn = sheet.shape == Shape::Mark;
    let grains = if drawn { 1 } else { grains.max(1) };
    let of = |kind: Piece, grain: u64| {
        let identity = if grains == 1 { u64::from(kind.role) } else { grain };
        ((kind, grain), piece(sheet, kind, theme, set, diameter_px, identity))
    };
    PiecePictures {
        pieces: sheet.kinds().flat_map(|kind| (0..grains).map(move |grain| of(kind, grain))).collect(),
        grains,
        shadows: (!drawn).then(|| [Height::Resting, Height::Lifted].map(|height| shadow(theme, diameter_px, height))),
        marks: Mark::ALL.into_iter().map(|kind| (kind, mark(kind, theme, cell))).collect(),
    }
}

/// The diameter in whole pixels nearest to this number of cells, with a parity such that a piece centred on a point ends exactly between
/// two pixels and is sharp. The board has `cell` pixels per cell.
pub fn diameter(cell: u32, cells: f32) -> u32 {
    of_parity(cells * cell as f32, line_thickness(cell) % 2 == 1)
}
