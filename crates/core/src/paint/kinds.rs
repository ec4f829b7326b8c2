//! Every kind of piece of a game, drawn once in one size.

use super::canvas::Picture;
use super::piece::{PieceSet, piece};
use super::shadow::{Height, shadow};
use super::theme::Theme;
use crate::table::{GameSheet, Piece, Shape};
use serde::{Deserialize, Serialize};

/// Pictures of all kinds of pieces.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Kinds {
    /// Each kind with its picture, as [`piece`] draws it.
    pub pieces: Vec<(Piece, Picture)>,
    /// The shadow under a piece at rest; `None` for games with drawn marks.
    pub shadow: Option<Picture>,
}

/// Draws all kinds of pieces with this diameter; `identity` is that of [`piece`] for each kind.
pub fn kinds(sheet: &GameSheet, theme: &Theme, set: PieceSet, diameter_px: u32, identity: impl Fn(Piece) -> u64) -> Kinds {
    Kinds {
        pieces: sheet.kinds().map(|kind| (kind, piece(sheet, kind, theme, set, diameter_px, identity(kind)))).collect(),
        shadow: (sheet.shape != Shape::Mark).then(|| shadow(theme, diameter_px, Height::Resting)),
    }
}
