//! The board, the pieces and the marks as pictures, drawn at exactly the pixels they are shown at.
//!
//! Nothing here knows a window. Every picture is a function of its arguments alone, so the same table looks the same
//! everywhere and a picture can be tested. Light falls from the upper left in all of them. Alpha is meant for mixing in
//! linear light, as graphics cards mix sRGB textures.
//!
//! To stay sharp a picture is shown unscaled on whole pixels. [`BoardPicture::diameter`] chooses the size of a piece so that
//! its middle falls on the crossing of two lines; pictures of [`mark`] do that by themselves.

mod board;
mod canvas;
mod colour;
mod desk;
mod film;
mod game;
mod glyph;
mod mark;
mod miniature;
mod noise;
mod piece;
mod scene;
mod shadow;
#[cfg(test)]
mod tests;
mod theme;
mod western;
mod wood;

pub use board::{BoardLook, BoardPicture, Labels, board, board_extent};
pub use canvas::Picture;
pub use colour::Colour;
pub use desk::desk;
pub use film::{Film, png};
pub use game::{GamePictures, LONGEST_FILM, Pace};
pub use mark::{Mark, arrow, line, mark, number};
pub use miniature::{Parts, icon, miniature, parts};
pub use piece::{PieceSet, piece};
pub use scene::{SIZES, Scene};
pub use shadow::{Height, shadow};
pub use theme::{Grain, Material, Panel, Safe, Theme};

/// True if at this cell size lines have an odd number of pixels, so that points lie inside a pixel; false if they lie between
/// two.
pub fn points_fall_inside_pixels(cell: u32) -> bool {
    board::line_thickness(cell) % 2 == 1
}
