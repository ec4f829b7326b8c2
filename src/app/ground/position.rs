//! What the user asks of the editor of positions.

use bevy::prelude::Message;
use qiju_core::compute::Shot;
use qiju_core::rules::{Point, Side};
use qiju_core::table::{Draft, Piece, Setup};
use std::sync::Arc;

/// What a click on the board does in the editor of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// Moves pieces.
    #[default]
    Hand,
    /// Puts this piece, or takes it away where it stands already.
    Put(Piece),
    /// Takes pieces away.
    Remove,
}

/// To `explore::positions`: a change of the position that is being set up, or what is to be done with it.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub enum PositionWish {
    /// Open the editor with this position.
    Open {
        /// The game's key.
        game: &'static str,
        /// The variant and the position.
        setup: Setup,
    },
    /// Open the editor with a position that was read from a picture; if it shows this game already, the position before can be brought back.
    Seen {
        /// The game's key.
        game: &'static str,
        /// The variant.
        variant: String,
        /// The position.
        draft: Draft,
        /// The points that should be looked at.
        uncertain: Vec<Point>,
    },
    /// Choose what a click does.
    Choose(Tool),
    /// Take a piece from the palette: it is put where the pointer lets it go.
    Grab(Piece),
    /// Use the tool on a point.
    Touch(Point),
    /// Move a piece to another point; off the board if there is none.
    Shift(Point, Option<Point>),
    /// Put a piece on a point.
    Put(Piece, Point),
    /// Take a piece away.
    Remove(Point),
    /// Show the keyboard cursor on this point, or nowhere.
    Cursor(Option<Point>),
    /// Let go of the piece that was picked, then of the tool.
    LetGo,
    /// Take all pieces away.
    Clear,
    /// Set up the start position.
    Start,
    /// This side is to move.
    Turn(Side),
    /// Turn the board by half.
    Rotate,
    /// Swap left and right.
    Mirror,
    /// Take the last change back.
    Undo,
    /// Make it again.
    Redo,
    /// Point at what is wrong: the number of the fault, from 0.
    PointAt(usize),
    /// Another variant of the game.
    Variant(String),
    /// Copy the position text.
    Copy,
    /// Set up this text.
    Paste(String),
    /// Set up a match from this position.
    Play,
    /// Analyse this position.
    Analyse,
    /// Leave the editor.
    Close,
}

/// To `explore::pictures`: a position is to be read from a picture and opened in the editor.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum PictureRequest {
    /// From this picture.
    Read(Arc<Shot>),
    /// From the picture in the system's clipboard.
    Paste,
}
