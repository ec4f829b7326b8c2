//! Draws the board, the pieces and the marks as pictures, at their exact size on the screen.
//!
//! This module does not depend on the window. Every picture depends only on its arguments, so pictures are reproducible
//! and can be tested. In all of them the light comes from the upper left. Alpha is for blending in
//! linear light, as graphics cards blend sRGB textures.
//!
//! A picture must be shown unscaled on whole pixels to be sharp. [`diameter`] chooses the size of a piece so that
//! its centre is exactly on the crossing of two lines; pictures of [`mark`] already have such a size.

mod board;
mod canvas;
mod colour;
mod desk;
mod drawing;
mod film;
mod game;
mod glyph;
mod icon;
mod mark;
mod noise;
mod piece;
mod pieces;
mod position;
mod print;
#[cfg(test)]
mod print_tests;
mod shadow;
mod sheet;
#[cfg(test)]
mod tests;
mod theme;
mod western;
mod wood;

pub use board::{BoardLook, BoardPicture, Labels, board, board_extent};
pub use canvas::Picture;
pub use colour::Colour;
pub use desk::desk;
pub use drawing::{Drawing, pdf};
pub use film::{Film, png};
pub use game::{GamePictures, LONGEST_FILM, Pace, Painter, SheetText, score_text};
pub use glyph::{LATIN_FONT, MORE_FONTS, TEXT_FONT, letter};
pub use icon::icon;
pub use mark::{Mark, arrow, ink_of, line, mark, number, ring};
pub use piece::{PieceSet, piece};
pub use pieces::{PiecePictures, diameter, piece_pictures};
pub use position::{PositionPainter, SIZES};
pub use print::PrintPainter;
pub use shadow::{Height, shadow};
pub use sheet::{SheetPart, sheet};
pub use theme::{Grain, Material, Panel, Safe, Theme};

/// True if lines have an odd number of pixels at this cell size, so that points are at the centre of a pixel; false if they are between
/// two pixels.
pub fn points_fall_inside_pixels(cell: u32) -> bool {
    board::line_thickness(cell) % 2 == 1
}
