//! Pictures that are painted in the background.

use super::{Computation, SentTable};
use crate::games;
use crate::message;
use crate::message::Message;
use crate::paint;
use crate::paint::{
    BoardLook, BoardPicture, GamePictures, Pace, Painter, Picture, PiecePictures, PieceSet, PositionPainter, PrintPainter,
    SheetText, Theme,
};
use crate::rules::Point;
use crate::search::StopToken;
use crate::table::{Action, GameSheet, Piece, Setup};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::sync::Arc;

/// A shared value is written as the value itself.
mod shared {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::sync::Arc;

    pub(super) fn serialize<T: Serialize, S: Serializer>(value: &Arc<T>, to: S) -> Result<S::Ok, S::Error> {
        T::serialize(value, to)
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Arc<T>, D::Error> {
        T::deserialize(from).map(Arc::new)
    }
}

/// The desk; see [`paint::desk`].
#[derive(Serialize, Deserialize)]
pub struct PaintDesk {
    /// The theme.
    #[serde(with = "shared")]
    pub theme: Arc<Theme>,
    /// Width and height in pixels.
    pub size: (u32, u32),
}

impl Computation for PaintDesk {
    const KEY: &'static str = "paint-desk";
    type News = ();
    type Answer = Picture;

    fn run(self, _: &StopToken, _: &mut dyn FnMut(())) -> Picture {
        paint::desk(&self.theme, self.size.0, self.size.1)
    }
}

/// A board; see [`paint::board`].
#[derive(Serialize, Deserialize)]
pub struct PaintBoard {
    /// The sheet of the game.
    #[serde(with = "shared")]
    pub sheet: Arc<GameSheet>,
    /// The theme.
    #[serde(with = "shared")]
    pub theme: Arc<Theme>,
    /// Files and ranks.
    pub size: (u8, u8),
    /// Pixels per cell.
    pub cell: u32,
    /// How the board is shown.
    pub look: BoardLook,
}

impl Computation for PaintBoard {
    const KEY: &'static str = "paint-board";
    type News = ();
    /// `None` if the sheet has no board of this size.
    type Answer = Option<BoardPicture>;

    fn run(self, _: &StopToken, _: &mut dyn FnMut(())) -> Self::Answer {
        Some(paint::board(self.sheet.board(self.size)?, &self.theme, self.cell, &self.look))
    }
}

/// The pieces and marks of a game; see [`paint::piece_pictures`].
#[derive(Serialize, Deserialize)]
pub struct PaintPieces {
    /// The sheet of the game.
    #[serde(with = "shared")]
    pub sheet: Arc<GameSheet>,
    /// The theme.
    #[serde(with = "shared")]
    pub theme: Arc<Theme>,
    /// The pictures on the pieces.
    pub set: PieceSet,
    /// Pixels per cell.
    pub cell: u32,
    /// The diameter of a piece, in pixels.
    pub diameter: u32,
    /// How many pictures with a different grain there are of each kind.
    pub grains: u64,
}

impl Computation for PaintPieces {
    const KEY: &'static str = "paint-pieces";
    type News = ();
    type Answer = PiecePictures;

    fn run(self, _: &StopToken, _: &mut dyn FnMut(())) -> Self::Answer {
        paint::piece_pictures(&self.sheet, &self.theme, self.set, (self.cell, self.diameter), self.grains)
    }
}

/// A saved game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedMoves {
    /// The key of the game.
    pub game: String,
    /// How it began.
    pub setup: Setup,
    /// Its moves.
    pub moves: Vec<String>,
}

/// The pieces on a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diagram {
    /// Files and ranks.
    pub size: (u8, u8),
    /// The pieces.
    pub pieces: Vec<(Point, Piece)>,
}

impl SavedMoves {
    fn last_position(&self) -> Option<Diagram> {
        let mut table = games::find(&self.game).ok()?.table(&self.setup).ok()?;
        table.adjudicate(false);
        for text in &self.moves {
            let action = table.read(text).ok()?;
            table.play(action).ok()?;
        }
        Some(Diagram { size: table.size(), pieces: table.pieces() })
    }
}

/// The last positions of saved games.
#[derive(Serialize, Deserialize)]
pub struct LastPositions(pub Vec<SavedMoves>);

impl Computation for LastPositions {
    const KEY: &'static str = "last-positions";
    type News = ();
    /// In the same order, up to where it was stopped; `None` for a game that cannot be replayed.
    type Answer = Vec<Option<Diagram>>;

    fn run(self, stop: &StopToken, _: &mut dyn FnMut(())) -> Self::Answer {
        self.0.iter().take_while(|_| !stop.is_stopped()).map(SavedMoves::last_position).collect()
    }
}

/// What a file with pictures of a game shows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum PictureContent {
    /// The position after so many moves, as PNG.
    Position(usize),
    /// The same as SVG, black on white.
    Drawing(usize),
    /// Diagrams after these numbers of moves, and the moves, as PDF.
    Sheet(Vec<usize>, SheetText),
    /// The positions after `from` to `to` moves, as an animated GIF.
    Film {
        /// The first position.
        from: usize,
        /// The last position.
        to: usize,
        /// How long each is shown.
        pace: Pace,
    },
}

/// A file with pictures of a game.
#[derive(Serialize, Deserialize)]
pub struct PaintGame {
    /// The sheet of the game.
    #[serde(with = "shared")]
    pub sheet: Arc<GameSheet>,
    /// The theme.
    #[serde(with = "shared")]
    pub theme: Arc<Theme>,
    /// The pictures on the pieces.
    pub set: PieceSet,
    /// How the board is shown.
    pub look: BoardLook,
    /// The game as it begins.
    pub table: SentTable,
    /// Its moves.
    pub actions: Vec<Action>,
    /// Pixels of the longer side.
    pub pixels: u32,
    /// What is shown.
    pub shown: PictureContent,
}

impl Computation for PaintGame {
    const KEY: &'static str = "paint-game";
    /// How many positions are painted.
    type News = usize;
    /// The file; `None` if it was stopped.
    type Answer = Result<Option<ByteBuf>, Message>;

    fn run(self, stop: &StopToken, tell: &mut dyn FnMut(usize)) -> Self::Answer {
        let table = self.table.into_inner();
        let on = self.sheet.board(table.size()).ok_or(message!("there is no drawing of this board"))?;
        let painter = match self.shown {
            PictureContent::Position(_) | PictureContent::Film { .. } => {
                Painter::Shaded(PositionPainter::new(&self.sheet, on, &self.theme, self.set, &self.look, self.pixels))
            }
            PictureContent::Drawing(_) | PictureContent::Sheet(..) => {
                Painter::Printed(PrintPainter::new(&self.sheet, on, self.set, &self.look), self.pixels)
            }
        };
        let mut pictures = GamePictures::new(painter, self.sheet.shape, table, self.actions);
        let bytes = match self.shown {
            PictureContent::Position(moves) => {
                let picture = pictures.at(moves)?;
                Some(paint::png(&picture)?)
            }
            PictureContent::Drawing(moves) => Some(pictures.svg(moves)?.into_bytes()),
            PictureContent::Sheet(moves, text) => Some(pictures.pdf(&moves, &text)?),
            PictureContent::Film { from, to, pace } => pictures.film((from, to), pace, &mut |painted| {
                tell(painted);
                !stop.is_stopped()
            })?,
        };
        Ok(bytes.filter(|_| !stop.is_stopped()).map(ByteBuf::from))
    }
}
