//! Pictures that are painted in the background.

use super::{Computation, SentTable};
use crate::games;
use crate::paint;
use crate::paint::{
    BoardLook, BoardPicture, GamePictures, Height, Kinds, Labels, Mark, Pace, Parts, Picture, PieceSet, Scene, Theme,
};
use crate::search::StopToken;
use crate::table::{Action, Board, GameSheet, Piece, Setup, Shape};
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

/// How the pieces of a match are painted, beside their board.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PieceOrder {
    /// How many pictures with a different grain there are of each kind.
    pub grains: u64,
    /// The size of a lifted piece; 1 is a piece at rest.
    pub lifted: f32,
    /// The diameter of the small pictures for the panel, in pixels.
    pub small: u32,
    /// The thickness of the winning line, in cells.
    pub line: f32,
}

/// The board of a match, and its pieces and marks.
#[derive(Serialize, Deserialize)]
pub struct PaintMatch {
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
    /// The pictures on the pieces.
    pub set: PieceSet,
    /// `None` to paint the board only.
    pub pieces: Option<PieceOrder>,
}

/// The pictures of a match.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MatchPictures {
    /// The board.
    pub board: BoardPicture,
    /// The pieces, if they were ordered.
    pub pieces: Option<PiecePictures>,
}

/// The pictures of pieces and marks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PiecePictures {
    /// The pieces with the number of their grain.
    pub pieces: Vec<((Piece, u64), Picture)>,
    /// Small ones for the panel.
    pub small: Vec<(Piece, Picture)>,
    /// All marks.
    pub marks: Vec<(Mark, Picture)>,
    /// The shadows of a piece at rest and of a lifted one.
    pub shadows: [Picture; 2],
    /// The winning line.
    pub line: Picture,
    /// The diameters of a piece at rest and of a lifted one, in pixels.
    pub diameters: (u32, u32),
}

impl PaintMatch {
    fn pieces(&self, order: &PieceOrder, diameters: (u32, u32)) -> PiecePictures {
        let (sheet, theme, set) = (&self.sheet, &self.theme, self.set);
        let mut pieces = Vec::new();
        let mut small = Vec::new();
        let grains = if matches!(sheet.shape, Shape::Mark) { 1 } else { order.grains };
        for piece in sheet.kinds() {
            small.push((piece, paint::piece(sheet, piece, theme, set, order.small, 0)));
            for grain in 0..order.grains {
                let picture = paint::piece(sheet, piece, theme, set, diameters.0, grain % grains);
                pieces.push(((piece, grain), picture));
            }
        }
        let marks = Mark::ALL.into_iter().map(|mark| (mark, paint::mark(mark, theme, self.cell))).collect();
        let shadows = [Height::Resting, Height::Lifted].map(|height| paint::shadow(theme, diameters.0, height));
        let thickness = ((order.line * self.cell as f32).round() as u32).max(2);
        let line = paint::line(theme, 2 * thickness, thickness);
        PiecePictures { pieces, small, marks, shadows, line, diameters }
    }
}

impl Computation for PaintMatch {
    const KEY: &'static str = "paint-match";
    type News = ();
    /// `None` if the sheet has no board of this size.
    type Answer = Option<MatchPictures>;

    fn run(self, _: &StopToken, _: &mut dyn FnMut(())) -> Self::Answer {
        let geometry = self.sheet.board(self.size)?;
        let board = paint::board(geometry, &self.theme, self.cell, &self.look);
        let pieces = self
            .pieces
            .as_ref()
            .map(|order| self.pieces(order, (board.diameter(geometry.piece), board.diameter(geometry.piece * order.lifted))));
        Some(MatchPictures { board, pieces })
    }
}

/// A board with this many pixels per cell and these coordinates, and one picture of each kind of piece.
fn board_and_kinds(
    sheet: &GameSheet,
    geometry: &Board,
    theme: &Theme,
    set: PieceSet,
    (cell, labels): (u32, Labels),
) -> (BoardPicture, Kinds) {
    let board = paint::board(geometry, theme, cell, &BoardLook { flipped: false, labels });
    let kinds = paint::kinds(sheet, theme, set, board.diameter(geometry.piece), |_| 1);
    (board, kinds)
}

/// The board of the editor of positions, the pieces and some marks.
#[derive(Serialize, Deserialize)]
pub struct PaintEditor {
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
    /// The coordinates along the edges.
    pub labels: Labels,
    /// The pictures on the pieces.
    pub set: PieceSet,
    /// The marks.
    pub marks: Vec<Mark>,
}

/// The pictures of the editor.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EditorPictures {
    /// The board.
    pub board: BoardPicture,
    /// The pieces.
    pub kinds: Kinds,
    /// The marks that were ordered.
    pub marks: Vec<(Mark, Picture)>,
}

impl Computation for PaintEditor {
    const KEY: &'static str = "paint-editor";
    type News = ();
    /// `None` if the sheet has no board of this size.
    type Answer = Option<EditorPictures>;

    fn run(self, _: &StopToken, _: &mut dyn FnMut(())) -> Self::Answer {
        let geometry = self.sheet.board(self.size)?;
        let (board, kinds) = board_and_kinds(&self.sheet, geometry, &self.theme, self.set, (self.cell, self.labels));
        let marks = self.marks.iter().map(|&mark| (mark, paint::mark(mark, &self.theme, self.cell))).collect();
        Some(EditorPictures { board, kinds, marks })
    }
}

/// Small boards of several sizes, without coordinates.
#[derive(Serialize, Deserialize)]
pub struct PaintSmallBoards {
    /// The sheet of the game.
    #[serde(with = "shared")]
    pub sheet: Arc<GameSheet>,
    /// The theme.
    #[serde(with = "shared")]
    pub theme: Arc<Theme>,
    /// The pictures on the pieces.
    pub set: PieceSet,
    /// The width or height of a board at most, in pixels.
    pub pixels: u32,
    /// Files and ranks of each.
    pub sizes: Vec<(u8, u8)>,
}

/// A small board and its pieces.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SmallBoardPictures {
    /// Files and ranks.
    pub size: (u8, u8),
    /// The board.
    pub board: BoardPicture,
    /// The pieces.
    pub kinds: Kinds,
}

impl PaintSmallBoards {
    fn one(&self, size: (u8, u8)) -> Option<SmallBoardPictures> {
        let geometry = self.sheet.board(size)?;
        let (wide, high) = paint::board_extent(geometry);
        let cell = (self.pixels as f32 / wide.max(high)).floor().max(4.0) as u32;
        let (board, kinds) = board_and_kinds(&self.sheet, geometry, &self.theme, self.set, (cell, Labels::None));
        Some(SmallBoardPictures { size, board, kinds })
    }
}

impl Computation for PaintSmallBoards {
    const KEY: &'static str = "paint-small-boards";
    type News = ();
    /// Without the sizes that the sheet does not have.
    type Answer = Vec<SmallBoardPictures>;

    fn run(self, _: &StopToken, _: &mut dyn FnMut(())) -> Self::Answer {
        self.sizes.iter().filter_map(|size| self.one(*size)).collect()
    }
}

/// The parts of the miniatures on the title page.
#[derive(Serialize, Deserialize)]
pub struct PaintMiniatures {
    /// The games.
    pub games: Vec<Miniature>,
    /// The theme.
    #[serde(with = "shared")]
    pub theme: Arc<Theme>,
    /// The pictures on the pieces.
    pub set: PieceSet,
    /// Width and height in pixels.
    pub pixels: u32,
}

/// A game of which a miniature is painted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Miniature {
    /// The size of its board.
    pub size: (u8, u8),
    /// Its sheet.
    #[serde(with = "shared")]
    pub sheet: Arc<GameSheet>,
}

impl Computation for PaintMiniatures {
    const KEY: &'static str = "paint-miniatures";
    type News = ();
    /// In the same order; `None` for a game whose sheet has no board of this size.
    type Answer = Vec<Option<Parts>>;

    fn run(self, _: &StopToken, _: &mut dyn FnMut(())) -> Self::Answer {
        let paint = |game: &Miniature| {
            let board = game.sheet.board(game.size)?;
            Some(paint::parts(&game.sheet, board, &self.theme, self.set, self.pixels, self.pixels))
        };
        self.games.iter().map(paint).collect()
    }
}

/// A saved game of which a small picture is painted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Thumbnail {
    /// The game's sheet.
    #[serde(with = "shared")]
    pub sheet: Arc<GameSheet>,
    /// The key of the game.
    pub game: String,
    /// How it began.
    pub setup: Setup,
    /// Its moves.
    pub moves: Vec<String>,
}

impl Thumbnail {
    fn paint(&self, theme: &Theme, set: PieceSet, pixels: u32) -> Option<Picture> {
        let mut table = games::find(&self.game).ok()?.table(&self.setup).ok()?;
        table.adjudicate(false);
        for text in &self.moves {
            let action = table.read(text).ok()?;
            table.play(action).ok()?;
        }
        let board = self.sheet.board(table.size())?;
        Some(paint::miniature(&self.sheet, board, &table.pieces(), theme, set, pixels, pixels))
    }
}

/// The last positions of saved games.
#[derive(Serialize, Deserialize)]
pub struct PaintThumbnails {
    /// The games.
    pub games: Vec<Thumbnail>,
    /// The theme.
    #[serde(with = "shared")]
    pub theme: Arc<Theme>,
    /// The pictures on the pieces.
    pub set: PieceSet,
    /// Width and height in pixels.
    pub pixels: u32,
}

impl Computation for PaintThumbnails {
    const KEY: &'static str = "paint-thumbnails";
    type News = ();
    /// In the same order, up to where it was stopped; `None` for a position that cannot be drawn.
    type Answer = Vec<Option<Picture>>;

    fn run(self, stop: &StopToken, _: &mut dyn FnMut(())) -> Self::Answer {
        let games = self.games.iter().take_while(|_| !stop.is_stopped());
        games.map(|game| game.paint(&self.theme, self.set, self.pixels)).collect()
    }
}

/// What a file with pictures of a game shows.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Shown {
    /// The position after so many moves, as PNG.
    Position(usize),
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
    pub shown: Shown,
}

impl Computation for PaintGame {
    const KEY: &'static str = "paint-game";
    /// How many positions are painted.
    type News = usize;
    /// The file; `None` if it was stopped.
    type Answer = Result<Option<ByteBuf>, String>;

    fn run(self, stop: &StopToken, tell: &mut dyn FnMut(usize)) -> Self::Answer {
        let table = self.table.into_inner();
        let on = self.sheet.board(table.size()).ok_or("there is no drawing of this board")?;
        let scene = Scene::new(&self.sheet, on, &self.theme, self.set, &self.look, self.pixels);
        let mut pictures = GamePictures::new(scene, table, self.actions);
        let bytes = match self.shown {
            Shown::Position(moves) => {
                let picture = pictures.at(moves).map_err(|error| error.to_string())?;
                Some(paint::png(&picture)?)
            }
            Shown::Film { from, to, pace } => pictures.film((from, to), pace, &mut |painted| {
                tell(painted);
                !stop.is_stopped()
            })?,
        };
        Ok(bytes.filter(|_| !stop.is_stopped()).map(ByteBuf::from))
    }
}
